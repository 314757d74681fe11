#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""check_local_samples.py PROGRAM SAMPLES [NAME…]: real runs of job queues, set up by `counterfoil init`.

SAMPLES is the folder of samples that lies beside the checkout. For each NAME.json in tests/samples/local the
program writes a configuration from the folder's files; what only a person can know (key rules, timeouts, what
to leave out) is merged into it from NAME.json, and the outcome is held against the run's ground_truth.json.

NAME.json: "config" (members put over those of the configuration), "sources" (by the name init gave: members to
add, null leaves the source out), "more" (sources that a person writes), "formats" (source -> format that init has
to find), "depths" (queue -> depth) and "number_of_dead_letters" (where the truth names or counts otherwise), "statements",
"other_dead_letters", "other_breaks" (orders of another run).

Where no truth of a run exists, the README's words are put in terms of `counterfoil inspect`, and every file of the folder
is named once: "shown" (file -> what is said of it, or of each of its parts: members of inspect's answer, of "records" all,
each with the members that matter), "refused" (file -> words of the reason) or "leave".
"""
import csv
import json
import os
import re
import sys
import tempfile

from run_program import Checks, Program, exposure

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
OVERLAYS = os.path.join(TOP, "tests", "samples", "local")

NO_EFFECT = {"missing_effect", "false_success", "lost_after_claim", "suppressed_work", "stalled_attempt",
             "unpublished_intent", "unfulfilled", "matched_failure", "expected", "in_flight"}
NOT_DUE = {"expected", "in_flight"}
HAS_EFFECT = {"unsafe", "obsolete"}
NO_BREAK = {"duplicate_reversed", "in_flight", "expected", "out_of_window", "unfulfilled", "matched_tolerance",
            "matched_compensated", "matched_failure", "matched"}


def without_comments(text):
    """JSON with // comments as plain JSON."""
    return re.sub(r'("(?:\\.|[^"\\])*")|//[^\n]*', lambda m: m.group(1) or "", text)


class Sample:
    """One run: its files, its truth, the configuration made for it."""

    def __init__(self, name, samples, program, checks):
        self.name, self.program, self.checks = name, program, checks
        self.folder = os.path.join(samples, "local", name)
        with open(os.path.join(OVERLAYS, name + ".json"), encoding="utf-8") as f:
            self.overlay = json.loads(without_comments(f.read()))
        truth = os.path.join(self.folder, "ground_truth.json")
        self.truth = None
        if os.path.isfile(truth):
            with open(truth, encoding="utf-8") as f:
                self.truth = json.load(f)

    def files(self):
        left_out = set(self.overlay.get("leave", [])) | {"ground_truth.json", "README.md"}
        return [os.path.join(self.folder, f) for f in sorted(os.listdir(self.folder)) if f not in left_out]

    def write_config(self, work):
        path = os.path.join(work, "counterfoil.json")
        code, _, err = self.program.call("init", *self.files(), "--output", path)
        if not os.path.isfile(path):
            raise RuntimeError("init wrote nothing (exit %d): %s" % (code, err.strip()))
        with open(path, encoding="utf-8") as f:
            config = json.loads(without_comments(f.read()))
        for source in config["sources"]:
            source["path"] = os.path.normpath(os.path.join(work, source["path"]))
        self.check_formats(config)
        self.complete(config)
        with open(path, "w", encoding="utf-8") as f:
            json.dump(config, f, indent=1)
        return path

    def check_formats(self, config):
        found = {s["name"]: s["format"] for s in config["sources"]}
        self.checks.same(self.name + ": formats that init found", self.overlay["formats"], found)

    def complete(self, config):
        config.update(self.overlay.get("config", {}))
        added = self.overlay.get("sources", {})
        for name in added:
            self.checks.holds("%s: source %s" % (self.name, name), name in {s["name"] for s in config["sources"]},
                              "init made no such source")
        config["sources"] = [s for s in config["sources"] if added.get(s["name"], {}) is not None]
        for source in config["sources"]:
            source.update(added.get(source["name"], {}))
        for source in self.overlay.get("more", []):
            config["sources"].append(dict(source, path=os.path.join(self.folder, source["path"])))


class TruthChecks:
    """What the run's own record says, against the units, skips and dead letters that the program made."""

    def __init__(self, sample, units, skips, letters, depths):
        self.name, self.truth, self.checks = sample.name, sample.truth, sample.checks
        self.folder, self.overlay = sample.folder, sample.overlay
        self.units, self.skips, self.letters, self.depths = units, skips, letters, depths
        self.by_ref = {}
        for unit in units:
            self.by_ref.setdefault(unit["op_ref"], []).append(unit)

    def run(self):
        self.doubles()
        self.mismatches()
        self.unexpected()
        self.no_effect()
        self.skip_verdicts()
        self.dead_letters()
        self.queue_depths()
        self.false_alarms()

    def same(self, what, want, got):
        return self.checks.same("%s: %s" % (self.name, what), want, got)

    def doubles(self):
        named = {u["op_ref"]: u for u in self.units if u["class"] in ("duplicate_effect", "duplicate_reversed")}
        self.same("double charges", sorted(self.truth["double_charged"]), sorted(named))
        standing = set(self.truth["double_charged_not_refunded"])
        for order, charges in sorted(self.truth["double_charged"].items()):
            if order not in named:
                continue
            unit = named[order]
            ids = {c["charge"] for c in charges}
            self.same(order + " charges", sorted(ids), sorted(e for e in unit["effects"] if e in ids))
            kept = [c for c in charges if not c["refunded"]]
            excess = [[kept[0]["currency"].upper(), sum(c["amount"] for c in kept[1:])]] if len(kept) > 1 else []
            self.same(order + " exposure", excess, exposure(unit))
            self.same(order + " class", "duplicate_effect" if order in standing else "duplicate_reversed", unit["class"])

    def mismatches(self):
        seen = {u["op_ref"]: u for u in self.units if u["class"] == "amount_mismatch"}
        self.same("amount mismatches", sorted(self.truth.get("amount_mismatch", {})), sorted(seen))
        for order, amounts in self.truth.get("amount_mismatch", {}).items():
            if order in seen:
                self.same(order + " exposure", [amounts["charged"][0] - amounts["intended"]],
                          [minor for _, minor in exposure(seen[order])])

    def unexpected(self):
        """The truth names them by names of its own; the statement shows them by having no order."""
        wanted = []
        for statement in self.overlay.get("statements", ["provider_statement.csv"]):
            with open(os.path.join(self.folder, statement), encoding="utf-8") as f:
                rows = [row for row in csv.DictReader(f) if "order_id (metadata)" in row]
            wanted += [row["id"] for row in rows if not row["order_id (metadata)"]]
        seen = sorted(e for u in self.units if u["class"] == "unrecorded_effect" for e in u["effects"])
        self.same("unrecorded effects", sorted(wanted), seen)
        self.same("number of unrecorded effects", len(self.truth.get("unexpected_effects", [])), len(seen))

    def no_effect(self):
        for order in self.truth["missing_effects"]:
            found = self.by_ref.get(order, [])
            if self.checks.holds("%s: %s (no effect)" % (self.name, order), len(found) == 1, "%d units" % len(found)):
                self.checks.one_of("%s: %s (no effect)" % (self.name, order), NO_EFFECT, found[0]["class"])
        for order in self.truth.get("not_yet_due", []):
            for unit in self.by_ref.get(order, []):
                self.checks.one_of("%s: %s (still queued)" % (self.name, order), NOT_DUE, unit["class"])
        for order in self.truth.get("in_flight", []):
            for unit in self.by_ref.get(order, []):
                self.checks.one_of("%s: %s (in flight)" % (self.name, order), {"in_flight", "matched"}, unit["class"])

    def skip_verdicts(self):
        verdicts = {}
        order_of = {u["case"]: u["op_ref"] for u in self.units}
        for skip in self.skips:   # a log may say another key than the one the truth knows
            for name in {skip["key"], order_of.get(skip["case"], "?")}:
                verdicts.setdefault(name, []).append(skip["verdict"])
        self.same("number of skips", self.truth["skips"]["total"] + len(self.truth.get("queue_level_drops", [])),
                  len(self.skips))
        for allowed, listed in (({"legit"}, self.truth["skips"]["right"]),
                                ({"stranded", "suppressing"}, self.truth["skips"]["wrong"])):
            for skip in listed:
                seen = verdicts.get(skip["key"]) or verdicts.get(skip["order"], [])
                self.checks.holds("%s: skip of %s (%s)" % (self.name, skip["order"], skip["key"]),
                                  seen and set(seen) <= allowed,
                                  "%s, not %s" % (seen or "no verdict", "/".join(sorted(allowed))))

    def dead_letters(self):
        wanted = {e["order"]: e["has_effect"] for e in self.truth.get("dlq_entries", [])}
        ours = set(self.overlay.get("other_dead_letters", []))
        order_of = {u["case"]: u["op_ref"] for u in self.units}
        seen = {}
        for letter in self.letters:
            order = order_of.get(letter["case"], "?")
            if order not in ours:
                seen[order] = letter["verdict"] in HAS_EFFECT
        self.same("dead letters with an effect", {k: v for k, v in wanted.items() if k not in ours}, seen)
        self.same("number of dead letters",
                  self.overlay.get("number_of_dead_letters", len(self.truth.get("dlq_entries", []))), len(self.letters))

    def queue_depths(self):
        wanted = self.overlay["depths"] if "depths" in self.overlay else self.truth.get("dlq_depth", {})
        seen = {d["queue"]: d["in_flight"] if d["depth"] is None else d["depth"] for d in self.depths}
        for queue, depth in wanted.items():
            self.checks.holds("%s: depth of %s" % (self.name, queue), seen.get(queue) == depth,
                              "expected %r, got %r of %s" % (depth, seen.get(queue), sorted(seen)))

    def false_alarms(self):
        """Every break is something that the truth knows: no other may be there."""
        truth = self.truth
        known = set(truth["double_charged"]) | set(truth.get("amount_mismatch", {})) | set(truth["missing_effects"])
        known |= {e["order"] for e in truth.get("dlq_entries", []) + truth.get("failed_results", []) if e["has_effect"]}
        known |= set(truth.get("lost_on_kill9", {}).get("after_effect", []))
        known |= set(self.overlay.get("other_breaks", {}))
        # A claim that nobody freed: where its charge was made, the retries that gave up make it a break.
        known |= {u["op_ref"] for u in self.units if u["key"] in truth.get("stuck_in_progress", []) and u["effects"]}
        alarms = [(u["class"], u["op_ref"] or u["key"] or u["attempts"]) for u in self.units
                  if u["class"] not in NO_BREAK and u["op_ref"] not in known and u["class"] != "unrecorded_effect"]
        self.same("breaks that the truth does not know", [], sorted(map(str, alarms)))


class ShownChecks:
    """What `inspect` says of each file, against the words of the folder's README."""

    def __init__(self, sample, program):
        self.sample, self.program, self.checks = sample, program, sample.checks

    def run(self):
        shown, refused = self.sample.overlay["shown"], self.sample.overlay.get("refused", {})
        files = sorted(os.path.basename(path) for path in self.sample.files())
        self.checks.same(self.sample.name + ": files that are told of", files, sorted([*shown, *refused]))
        for name, parts in shown.items():
            self.parts(name, parts if isinstance(parts, list) else [parts])
        for name, words in refused.items():
            answer = self.inspect(name)
            self.checks.holds("%s: %s is refused" % (self.sample.name, name),
                              len(answer) == 1 and "format" not in answer[0] and words in answer[0]["problem"], answer)

    def inspect(self, name):
        _, out, err = self.program.call("inspect", os.path.join(self.sample.folder, name), "--format", "json",
                                        "--records", "1000")
        if not out:
            raise RuntimeError("inspect %s: %s" % (name, err.strip()))
        return json.loads(out)

    def parts(self, name, wanted):
        seen = self.inspect(name)
        if not self.checks.same("%s: parts of %s" % (self.sample.name, name), len(wanted), len(seen)):
            return
        for want, got in zip(wanted, seen):
            for member, value in want.items():
                what = "%s: %s: %s" % (self.sample.name, name, member)
                if member == "records":
                    self.records(what, value, got["records"])
                else:
                    self.checks.same(what, value, got.get(member))

    def records(self, what, wanted, seen):
        if not self.checks.same(what, len(wanted), len(seen)):
            return
        for number, (want, got) in enumerate(zip(wanted, seen), 1):
            self.checks.same("%s %d" % (what, number), want, {member: got.get(member) for member in want})


def check_depths(sample, program, config, work):
    """Depths of a folder without a provider's side: nothing is judged in it."""
    program.lines("run", config, "--format", "json", codes=(0, 1, 3))
    depths = program.lines("dlq", os.path.join(work, "counterfoil.counterfoil"), "--format", "ndjson")
    TruthChecks(sample, [], [], [], depths).queue_depths()


def check(sample, program):
    with tempfile.TemporaryDirectory(prefix="counterfoil-sample-") as work:
        config = sample.write_config(work)
        if sample.truth is None:
            ShownChecks(sample, program).run()
            if "depths" in sample.overlay:
                check_depths(sample, program, config, work)
            return
        run = program.lines("run", config, "--format", "json", codes=(1,))[0]
        sample.checks.same(sample.name + ": complete", True, run["complete"])
        sample.checks.same(sample.name + ": the proof is zero", [], [p for p in run["proof"] if p["unexplained_minor"]])
        store = os.path.join(work, "counterfoil.counterfoil")
        units = program.lines("cases", store, "--all", "--format", "ndjson")
        skips = program.lines("skips", store, "--format", "ndjson")
        letters = program.lines("dlq", store, "--messages", "--format", "ndjson")
        depths = program.lines("dlq", store, "--format", "ndjson")
        TruthChecks(sample, units, skips, letters, depths).run()


def main(argv):
    program, samples, checks = Program(argv[0]), os.path.abspath(argv[1]), Checks()
    names = argv[2:] or sorted(f[:-5] for f in os.listdir(OVERLAYS) if f.endswith(".json"))
    for name in names:
        try:
            check(Sample(name, samples, program, checks), program)
        except (RuntimeError, OSError, ValueError, KeyError) as error:
            checks.holds(name, False, "%s: %s" % (type(error).__name__, error))
    return checks.finish()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
