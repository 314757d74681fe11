#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""check_samples.py PROGRAM SAMPLES: the program against real runs with a known truth.

SAMPLES is the folder of samples that lies beside the checkout. For each configuration in tests/samples the
run's ground_truth.json says what was charged twice, what never happened and which skips were right.
"""
import csv
import json
import os
import sys
import tempfile

from run_program import Checks, Program, exposure

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
BESIDE = "../../../../shared/samples/"

NO_EFFECT = {"missing_effect", "false_success", "lost_after_claim", "suppressed_work", "stalled_attempt",
             "unpublished_intent", "unfulfilled", "matched_failure", "expected", "in_flight"}


def place_config(name, samples, folder):
    """A copy of the configuration whose paths lead to the samples, wherever they lie."""
    with open(os.path.join(TOP, "tests", "samples", name, "counterfoil.json"), encoding="utf-8") as f:
        text = f.read()
    path = os.path.join(folder, "counterfoil.json")
    with open(path, "w", encoding="utf-8") as f:
        f.write(text.replace(BESIDE, samples.rstrip("/") + "/"))
    return path


def check_doubles(checks, truth, units):
    named = {u["op_ref"]: u for u in units if u["class"] in ("duplicate_effect", "duplicate_reversed")}
    checks.same("double charges", sorted(truth["double_charged"]), sorted(named))
    standing = set(truth["double_charged_not_refunded"])
    for order, charges in sorted(truth["double_charged"].items()):
        if order not in named:
            continue
        unit = named[order]
        checks.same(order + " charges", sorted(c["charge"] for c in charges),
                    sorted(e for e in unit["effects"] if e in {c["charge"] for c in charges}))
        kept = [c for c in charges if not c["refunded"]]
        excess = [[kept[0]["currency"].upper(), sum(c["amount"] for c in kept[1:])]] if len(kept) > 1 else []
        checks.same(order + " exposure", excess, exposure(unit))
        checks.same(order + " class", "duplicate_effect" if order in standing else "duplicate_reversed", unit["class"])


def check_single_faults(checks, truth, units, by_hand):
    mismatches = {u["op_ref"]: u for u in units if u["class"] == "amount_mismatch"}
    checks.same("amount mismatches", sorted(truth["amount_mismatch"]), sorted(mismatches))
    for order, amounts in truth["amount_mismatch"].items():
        if order in mismatches:
            checks.same(order + " exposure", [amounts["charged"][0] - amounts["intended"]],
                        [minor for _, minor in exposure(mismatches[order])])
    unrecorded = sorted(e for u in units if u["class"] == "unrecorded_effect" for e in u["effects"])
    checks.same("unrecorded effects", sorted(by_hand), unrecorded)
    checks.same("number of unrecorded effects", len(truth["unexpected_effects"]), len(unrecorded))


def check_no_effect(checks, truth, units):
    by_ref = {}
    for unit in units:
        by_ref.setdefault(unit["op_ref"], []).append(unit)
    for order in truth["missing_effects"]:
        found = by_ref.get(order, [])
        if checks.holds(order, len(found) == 1, "%d units" % len(found)):
            checks.one_of(order + " (no effect)", NO_EFFECT, found[0]["class"])
    for order in truth.get("not_yet_due", []):
        for unit in by_ref.get(order, []):
            checks.one_of(order + " (still queued)", {"expected", "in_flight"}, unit["class"])


def check_skips(checks, truth, skips):
    verdicts = {}
    for skip in skips:
        verdicts.setdefault(skip["key"], []).append(skip["verdict"])
    checks.same("number of skips", truth["skips"]["total"], len(skips))
    for allowed, listed in (({"legit"}, truth["skips"]["right"]), ({"stranded", "suppressing"}, truth["skips"]["wrong"])):
        for skip in listed:
            seen = verdicts.get(skip["key"], [])
            checks.holds("skip of %s (%s)" % (skip["order"], skip["key"]), seen and set(seen) <= allowed,
                         "%s, not %s" % (seen or "no verdict", "/".join(sorted(allowed))))


def check_celery_redis_sqlite(checks, program, samples):
    sample = os.path.join(samples, "local", "celery-redis-sqlite")
    with open(os.path.join(sample, "ground_truth.json"), encoding="utf-8") as f:
        truth = json.load(f)
    with open(os.path.join(sample, "provider_statement.csv"), encoding="utf-8") as f:
        by_hand = [row["id"] for row in csv.DictReader(f) if not row["order_id (metadata)"]]
    with tempfile.TemporaryDirectory(prefix="counterfoil-sample-") as folder:
        config = place_config("celery-redis-sqlite", samples, folder)
        units = program.lines("match", "--config", config, "--all", "--format", "ndjson", codes=(1,))
        check_doubles(checks, truth, units)
        check_single_faults(checks, truth, units, by_hand)
        check_no_effect(checks, truth, units)
        run = program.lines("run", config, "--format", "json", codes=(1,))[0]
        checks.same("complete", True, run["complete"])
        checks.same("the proof is zero", [], [p for p in run["proof"] if p["unexplained_minor"]])
        store = os.path.join(folder, "celery-redis-sqlite.counterfoil")
        check_skips(checks, truth, program.lines("skips", store, "--format", "ndjson"))


def main(argv):
    program, samples, checks = Program(argv[0]), os.path.abspath(argv[1]), Checks()
    try:
        check_celery_redis_sqlite(checks, program, samples)
    except (RuntimeError, OSError, ValueError, KeyError) as error:
        checks.holds("celery-redis-sqlite", False, "%s: %s" % (type(error).__name__, error))
    return checks.finish()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
