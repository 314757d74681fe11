#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""make_demo.py: writes resources/demo (but counterfoil.json) and tests/tools/demo_truth.json.

A week of nights of "Kahawa & Co", a made-up coffee shop with two queues and two providers. Most of it
matches; the faults are planted one by one below, and the truth file says what a reconciliation has to call
each. Same script, same bytes: the demo is committed, this file says how it came about.
"""
import csv
import datetime
import io
import json
import os
import random

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
DEMO = os.path.join(TOP, "resources", "demo")
TRUTH = os.path.join(TOP, "tests", "tools", "demo_truth.json")

MONDAY = datetime.datetime(2026, 11, 16)
AS_OF = datetime.datetime(2026, 11, 23, 0, 30)
NAIROBI = datetime.timedelta(hours=3)

RETRY_AFTER = [datetime.timedelta(seconds=n) for n in (0, 21, 104)]   # of a job, from its first start

random_ = random.Random(47)


def seconds(n):
    return datetime.timedelta(seconds=n)


def iso(t):
    return t.strftime("%Y-%m-%dT%H:%M:%SZ")


def major(minor, grouping=False):
    sign = "-" if minor < 0 else ""
    whole, cents = divmod(abs(minor), 100)
    return "%s%s.%02d" % (sign, format(whole, ",") if grouping else whole, cents)


def token(length, alphabet="abcdefghjkmnpqrstuvwxyz23456789"):
    return "".join(random_.choice(alphabet) for _ in range(length))


def uuid():
    return "-".join(token(n, "0123456789abcdef") for n in (8, 4, 4, 4, 12))


class Shop:
    """What the systems of the shop would export, and what is true of it."""

    def __init__(self):
        self.jobs, self.orders, self.claims, self.skips, self.dead, self.noise = [], [], [], [], [], []
        self.card, self.mpesa = [], []
        self.units = {}      # op_ref -> what the truth says
        self.next_job = 30001

    # -- local side
    def order(self, op, status, created=None):
        created = created or op.start.replace(hour=8) + seconds(random_.randrange(0, 32000))
        self.orders.append([op.ref, op.operation, op.ref, major(op.minor), op.currency, op.customer,
                            iso(created), status])

    def job(self, op, status, start=None, key=None, number=1, took=None, receipt="", worker=None):
        start = start or op.start
        took = took if took is not None else random_.randrange(1, 9)
        end = "" if status in ("running", "lost") else iso(start + seconds(took))
        self.jobs.append([op.job, op.key if key is None else key, op.queue, op.task,
                          worker or "worker-%d" % random_.randrange(1, 4), number, status, iso(start), end,
                          major(op.minor), op.currency, op.customer, op.ref, receipt])

    def claim(self, op, at=None):
        self.claims.append([op.key, "completed", iso(at or op.start + seconds(2)), op.task])

    def skip(self, op, at, job=None):
        self.skips.append((at, "%s INFO worker-%d %s %s: skip key=%s order=%s job=%s amount=%s %s reason=already_done"
                           % (iso(at), random_.randrange(1, 4), op.queue, op.task, op.key, op.ref, job or op.job,
                              major(op.minor), op.currency)))

    def dead_letter(self, op, died, error, tries=3):
        self.dead.append({"queue": op.queue + ".dlq", "message_id": "msg-" + op.job[4:], "job_id": op.job,
                          "key": op.key, "task": op.task, "op_ref": op.ref, "amount": major(op.minor),
                          "currency": op.currency, "enqueued_at": iso(op.start - seconds(40)), "died_at": iso(died),
                          "receive_count": tries, "error": error, "sampled_at": "2026-11-23T00:00:00Z"})

    # -- providers
    def charge(self, op, at, key=None, minor=None, status="succeeded", kind="charge", parent="", ref=None, mode="live",
               customer=None):
        txn = ("re_" if kind == "refund" else "kd_") + token(14)
        minor = op.minor if minor is None else minor
        fee = 0 if kind == "refund" or status != "succeeded" else minor * 29 // 1000
        self.card.append((at, [txn, at.strftime("%Y-%m-%d %H:%M:%S"), kind, status, mode,
                               major(-minor if kind == "refund" else minor), major(fee), op.currency,
                               op.key if key is None else key, op.ref if ref is None else ref,
                               op.customer if customer is None else customer, parent]))
        return txn

    def pay_out(self, op, at):
        receipt = "TK" + token(8, "ABCDEFGHJKLMNPQRSTUVWXYZ0123456789")
        self.mpesa.append((at, receipt, "Payout %s to grower" % op.ref, "Completed", op.minor, "Business Payment",
                           op.customer))
        self.mpesa.append((at, receipt + "-F", "Payout charge %s" % op.ref, "Completed", 1300, "Pay Charge", ""))
        return receipt

    # -- truth
    def truth(self, op, cls, **more):
        self.units[op.ref] = dict({"class": cls}, **more)


class Op:
    """One operation: an order charged by card, a subscription renewed, a grower paid."""

    def __init__(self, shop, operation, number, start):
        self.operation, self.start = operation, start
        self.job = "job-%05d" % shop.next_job
        shop.next_job += 1
        if operation == "charge":
            self.ref, self.queue, self.task = "ord-%d" % number, "payments", "shop.charge_card"
            self.currency = "EUR" if random_.random() < 0.2 else "KES"
            self.minor = random_.randrange(19, 97) * 50 if self.currency == "EUR" else random_.randrange(7, 96) * 5000
            self.customer, self.key = "cust-%03d" % random_.randrange(100, 400), "charge:" + self.ref
        elif operation == "renewal":
            self.ref, self.queue, self.task = "sub-%03d-beans" % number, "subscriptions", "shop.renew_subscription"
            self.currency = "EUR" if random_.random() < 0.4 else "KES"
            self.minor = 1450 if self.currency == "EUR" else 120000
            self.customer, self.key = "cust-%03d" % number, "renew:cust-%03d" % number
        else:
            self.ref, self.queue, self.task = "po-%d" % number, "payments", "shop.pay_grower"
            self.currency, self.minor = "KES", random_.randrange(20, 250) * 10000
            self.customer, self.key = "grower-%02d" % (number % 37), "payout:po-%d" % number


def night(day, minute, second=0):
    """Work runs in the evening, 19:00 to 22:30 UTC; minute counts from 19:00."""
    return MONDAY + datetime.timedelta(days=day, minutes=19 * 60 + minute, seconds=second)


def plain(shop, op):
    """Everything as it should be."""
    shop.order(op, "done")
    if op.operation == "payout":
        shop.job(op, "done", receipt=shop.pay_out(op, op.start + seconds(3)))
    else:
        shop.job(op, "done")
        shop.charge(op, op.start + seconds(1))
        shop.claim(op)
    shop.truth(op, "matched")


# -- the planted faults, one function each --------------------------------------------------------------

def double_after_retention(shop, op):
    """The worker dies after the charge; the message comes back 26 hours later, the provider forgot the key."""
    again = op.start + datetime.timedelta(hours=26, minutes=17)
    shop.order(op, "done")
    shop.job(op, "lost")
    shop.job(op, "done", start=again, number=2)
    first = shop.charge(op, op.start + seconds(1))
    second = shop.charge(op, again + seconds(1))
    shop.claim(op, again + seconds(2))
    shop.truth(op, "duplicate_effect", why="same_key_after_retention", exposure=[[op.currency, op.minor]],
               effects=[first, second])


def double_by_fresh_key(shop, op, refunded=False):
    """One code path makes its key anew on each try: the time-out of the first was no failure."""
    keys = [uuid(), uuid()]
    again = op.start + seconds(95)
    shop.order(op, "done")
    shop.job(op, "failed", key=keys[0], took=30)
    shop.job(op, "done", start=again, key=keys[1], number=2)
    first = shop.charge(op, op.start + seconds(29), key=keys[0])
    second = shop.charge(op, again + seconds(1), key=keys[1])
    if refunded:
        shop.charge(op, again + datetime.timedelta(hours=14), key="", kind="refund", parent=second)
        shop.truth(op, "duplicate_reversed", effects=[first, second])
    else:
        shop.truth(op, "duplicate_effect", why="key_per_attempt", exposure=[[op.currency, op.minor]],
                   effects=[first, second])


def double_payout(shop, op):
    """M-Pesa knows no keys: a retry after a time-out is a second payout."""
    again = op.start + seconds(437)
    shop.order(op, "done")
    shop.job(op, "failed", took=45)
    first = shop.pay_out(op, op.start + seconds(50))
    second = shop.pay_out(op, again + seconds(4))
    shop.job(op, "done", start=again, number=2, receipt=second)
    shop.truth(op, "duplicate_effect", why="no_key", exposure=[["KES", op.minor]], effects=[first, second])


def missing(shop, op):
    """The job says done, the provider has nothing."""
    shop.order(op, "done")
    shop.job(op, "done")
    shop.claim(op)
    shop.truth(op, "missing_effect", exposure=[[op.currency, op.minor]])


def suppressed(shop, op):
    """The key names the customer only: the second subscription is taken for the first and skipped."""
    plain(shop, op)
    other = Op(shop, "renewal", int(op.ref[4:7]), op.start + seconds(240))
    other.ref = op.ref.replace("beans", "filters")
    other.currency, other.minor = "KES", 45000
    shop.order(other, "open")
    shop.skip(other, other.start)
    shop.truth(other, "suppressed_work", exposure=[["KES", 45000]], skip="suppressing")


def lost_after_claim(shop, op):
    """The renewal is marked as processed before the charge; the worker dies; the redelivery is skipped."""
    shop.order(op, "open")
    shop.job(op, "lost")
    shop.claim(op, op.start)
    shop.skip(op, op.start + seconds(75))
    shop.truth(op, "lost_after_claim", exposure=[[op.currency, op.minor]], skip="stranded")


def despite_failure(shop, op):
    """The charge went through, writing the ledger failed: a redrive would charge again."""
    shop.order(op, "open")
    for number in (1, 2, 3):
        shop.job(op, "failed", start=op.start + RETRY_AFTER[number - 1], number=number)
    effect = shop.charge(op, op.start + seconds(1))
    shop.dead_letter(op, op.start + seconds(125), "LedgerError: could not write the entry")
    shop.truth(op, "effect_despite_failure", exposure=[[op.currency, op.minor]], effects=[effect],
               dead_letter="unsafe")


def times_hundred(shop, op):
    """Minor units handed to a field that wants major ones."""
    shop.order(op, "done")
    shop.job(op, "done")
    shop.claim(op)
    shop.charge(op, op.start + seconds(1), minor=op.minor * 100)
    shop.truth(op, "amount_mismatch", exposure=[[op.currency, op.minor * 99]], hint="minor_unit_scale")


def unacknowledged(shop, op):
    """Charged, then the worker was gone."""
    shop.order(op, "open")
    shop.job(op, "lost")
    effect = shop.charge(op, op.start + seconds(1))
    shop.truth(op, "unacknowledged_effect", exposure=[[op.currency, op.minor]], effects=[effect])


def never_enqueued(shop, op):
    """An order without any job."""
    shop.order(op, "open")
    shop.truth(op, "unpublished_intent", exposure=[[op.currency, op.minor]])


# -- what is no fault ----------------------------------------------------------------------------------

def skipped_rightly(shop, op):
    plain(shop, op)
    shop.skip(op, op.start + seconds(random_.randrange(30, 400)))
    shop.units[op.ref]["skip"] = "legit"


def absorbed(shop, op):
    """Delivered twice, the provider gave the stored answer: one charge."""
    plain(shop, op)
    shop.job(op, "done", start=op.start + seconds(64 + 53 * (int(op.ref[4:]) % 7)), number=2)
    shop.units[op.ref]["flag"] = "absorbed_duplicate"


def declined(shop, op):
    shop.order(op, "cancelled")
    shop.job(op, "failed")
    shop.charge(op, op.start + seconds(1), status="failed")
    shop.truth(op, "matched_failure")


def declined_then_paid(shop, op):
    shop.order(op, "done")
    shop.job(op, "failed")
    shop.charge(op, op.start + seconds(1), status="failed", key=op.key)
    shop.job(op, "done", start=op.start + seconds(600), number=2, key=op.key + ":2")
    shop.charge(op, op.start + seconds(601), key=op.key + ":2")
    shop.truth(op, "matched")


def refunded(shop, op):
    shop.order(op, "done")
    shop.job(op, "done")
    shop.claim(op)
    first = shop.charge(op, op.start + seconds(1))
    shop.charge(op, op.start + datetime.timedelta(hours=15), key="", kind="refund", parent=first)
    shop.truth(op, "matched", flag="reversed")


def died(shop, op, verdict):
    """Nothing was charged: the work is undone, and sending it again is safe while the key is remembered."""
    shop.order(op, "open")
    for number in (1, 2, 3):
        shop.job(op, "failed", start=op.start + RETRY_AFTER[number - 1], number=number)
    shop.dead_letter(op, op.start + seconds(125), "ProviderError: 503 Service Unavailable")
    shop.truth(op, "unfulfilled", exposure=[[op.currency, op.minor]], dead_letter=verdict)


def died_but_done(shop, op):
    """Dead, then charged by a person's rerun of the same key: the message can be dropped."""
    again = op.start + datetime.timedelta(minutes=50)
    shop.order(op, "done")
    for number in (1, 2, 3):
        shop.job(op, "failed", start=op.start + RETRY_AFTER[number - 1], number=number)
    shop.dead_letter(op, op.start + seconds(125), "ProviderError: 503 Service Unavailable")
    shop.job(op, "done", start=again, number=4)
    shop.charge(op, again + seconds(1))
    shop.claim(op, again)
    shop.truth(op, "matched", dead_letter="obsolete")


def too_fresh(shop, op):
    shop.order(op, "done")
    shop.job(op, "done")
    shop.truth(op, "expected")


def running(shop, op):
    shop.order(op, "open", created=op.start - seconds(600))
    shop.job(op, "running")
    shop.truth(op, "in_flight")


PLANTED = [   # night, operation, what
    (0, "charge", skipped_rightly), (0, "renewal", suppressed), (0, "charge", declined), (0, "payout", plain),
    (1, "charge", double_after_retention), (1, "charge", absorbed), (1, "charge", lambda s, o: died(s, o, "check_first")),
    (1, "renewal", skipped_rightly), (1, "charge", refunded),
    (2, "charge", double_by_fresh_key), (2, "renewal", lost_after_claim), (2, "charge", skipped_rightly),
    (2, "charge", despite_failure), (2, "charge", declined_then_paid),
    (3, "payout", double_payout), (3, "charge", missing), (3, "charge", lambda s, o: died(s, o, "check_first")),
    (3, "charge", absorbed), (3, "renewal", skipped_rightly), (3, "renewal", suppressed),
    (4, "charge", times_hundred), (4, "charge", unacknowledged), (4, "charge", skipped_rightly),
    (4, "charge", died_but_done), (4, "charge", lambda s, o: double_by_fresh_key(s, o, refunded=True)),
    (5, "renewal", missing), (5, "charge", never_enqueued), (5, "charge", declined), (5, "charge", despite_failure),
    (5, "charge", absorbed), (5, "charge", skipped_rightly),
    (6, "charge", lambda s, o: died(s, o, "safe")), (6, "charge", skipped_rightly), (6, "charge", double_by_fresh_key),
]


def build():
    shop = Shop()
    number = {"charge": 10001, "renewal": 11, "payout": 2001}

    def make(operation, start):
        op = Op(shop, operation, number[operation], start)
        number[operation] += 1
        return op

    for day in range(7):
        work = [(operation, what) for d, operation, what in PLANTED if d == day]
        work += [("charge", plain)] * 28 + [("renewal", plain)] * 12 + [("payout", plain)] * 8
        random_.shuffle(work)
        for i, (operation, what) in enumerate(work):
            what(shop, make(operation, night(day, i * 190 // len(work), random_.randrange(0, 60))))
    too_fresh(shop, make("charge", night(6, 226)))      # 22:46, the statement may lag two hours
    running(shop, make("charge", AS_OF - seconds(150)))

    by_hand = make("charge", night(3, 0) - datetime.timedelta(hours=7))
    by_hand.currency, by_hand.minor = "KES", 350000
    effect = shop.charge(by_hand, by_hand.start, key="", ref="", customer="cust-388")
    trial = make("charge", night(0, 0) - datetime.timedelta(hours=9))
    shop.charge(trial, trial.start, key="try-1", ref="", mode="test", customer="")
    return shop, effect


# -- files ---------------------------------------------------------------------------------------------

def write(name, text):
    with open(os.path.join(DEMO, name), "w", encoding="utf-8", newline="") as f:
        f.write(text)


def write_csv(name, header, rows):
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    write(name, out.getvalue())


def mpesa_rows(shop):
    balance = 480000000
    for at, receipt, details, status, minor, reason, party in sorted(shop.mpesa):
        balance -= minor
        local = (at + NAIROBI).strftime("%d-%m-%Y %H:%M:%S")
        yield [receipt, local, details, status, "", major(minor, True), major(balance, True), reason, party]


def log_lines(shop):
    lines = list(shop.skips)
    for job in shop.jobs:
        at = datetime.datetime.strptime(job[7], "%Y-%m-%dT%H:%M:%SZ")
        lines.append((at, "%s INFO %s %s %s: start job=%s attempt=%d" % (job[7], job[4], job[2], job[3], job[0], job[5])))
    return "".join(text + "\n" for _, text in sorted(lines))


def depth_rows(shop):
    died = sorted(d["died_at"] for d in shop.dead)
    for step in range(0, 7 * 24 + 1, 4):
        at = MONDAY + datetime.timedelta(hours=step)
        depth = sum(1 for d in died if d <= iso(at))
        busy = at.hour == 20
        yield ["payments", "false", random_.randrange(2, 9) if busy else 0, 2 if busy else 0, iso(at)]
        yield ["subscriptions", "false", random_.randrange(0, 4) if busy else 0, 1 if busy else 0, iso(at)]
        yield ["payments.dlq", "true", depth, 0, iso(at)]
        yield ["subscriptions.dlq", "true", 0, 0, iso(at)]


def main():
    os.makedirs(DEMO, exist_ok=True)
    shop, by_hand = build()
    write_csv("jobs.csv", ["job_id", "idempotency_key", "queue", "task", "worker", "attempt", "status", "started_at",
                           "finished_at", "amount", "currency", "customer", "op_ref", "effect_id"],
              sorted(shop.jobs, key=lambda j: (j[7], j[0])))
    write_csv("orders.csv", ["id", "operation", "op_ref", "amount", "currency", "customer", "created_at", "status"],
              sorted(shop.orders, key=lambda o: (o[6], o[0])))
    write_csv("processed-jobs.csv", ["key", "state", "claimed_at", "task"], sorted(shop.claims, key=lambda c: (c[2], c[0])))
    write_csv("card-statement.csv", ["Transaction", "Created (UTC)", "Type", "Status", "Mode", "Amount", "Fee", "Currency",
                                     "Idempotency-Key", "Order", "Customer", "Refund of"],
              [row for _, row in sorted(shop.card, key=lambda c: (c[0], c[1][0]))])
    write_csv("mpesa-statement.csv", ["Receipt No.", "Completion Time", "Details", "Transaction Status", "Paid In",
                                      "Withdrawn", "Balance", "Reason Type", "Other Party Info"], mpesa_rows(shop))
    write("worker.log", log_lines(shop))
    write("dead-letters.json", json.dumps(sorted(shop.dead, key=lambda d: d["died_at"]), indent=1) + "\n")
    write_csv("queue-depths.csv", ["queue", "dead_letter", "depth", "in_flight", "sampled_at"], depth_rows(shop))

    card_total = {}
    for _, row in shop.card:
        amount = int(row[5].replace(".", ""))
        card_total[row[7]] = card_total.get(row[7], 0) + amount
    truth = {
        "units": shop.units,
        "effects": {by_hand: {"class": "unrecorded_effect", "exposure": [["KES", 350000]]}},
        "card": {"rows": len(shop.card), "total": {c: major(v) for c, v in sorted(card_total.items())}},
        "depths": {"payments.dlq": len(shop.dead)},
        "findings": ["dedupe_ttl_too_short", "dlq_depth", "key_too_coarse", "key_too_fine"],
    }
    with open(TRUTH, "w", encoding="utf-8") as f:
        json.dump(truth, f, indent=1, sort_keys=True)
        f.write("\n")


if __name__ == "__main__":
    main()
