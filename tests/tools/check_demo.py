#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""check_demo.py PROGRAM: what the bundled demo plants (demo_truth.json) is what the program finds."""
import collections
import json
import os
import sys
import tempfile

from run_program import Checks, Program, exposure

HERE = os.path.dirname(os.path.abspath(__file__))


def check_unit(checks, name, want, unit):
    checks.same(name + " class", want["class"], unit["class"])
    if "exposure" in want and unit["class"] == want["class"]:
        checks.same(name + " exposure", sorted(want["exposure"]), exposure(unit))
    if "effects" in want:
        checks.same(name + " effects", sorted(want["effects"]), sorted(unit["effects"]))
    if "why" in want:
        checks.same(name + " why", want["why"], unit["why"])
    if "flag" in want:
        checks.holds(name + " flag", want["flag"] in unit["flags"], "no %s in %s" % (want["flag"], unit["flags"]))
    if "hint" in want:
        checks.holds(name + " hint", want["hint"] in unit["hints"], "no %s in %s" % (want["hint"], unit["hints"]))


def check_units(checks, truth, units):
    by_ref = collections.defaultdict(list)
    by_effect = {}
    for unit in units:
        by_ref[unit["op_ref"]].append(unit)
        by_effect.update((effect, unit) for effect in unit["effects"])
    for ref, want in sorted(truth["units"].items()):
        if checks.holds(ref, len(by_ref[ref]) == 1, "%d units: %s" % (len(by_ref[ref]), [u["class"] for u in by_ref[ref]])):
            check_unit(checks, ref, want, by_ref[ref][0])
    for effect, want in truth["effects"].items():
        if checks.holds(effect, effect in by_effect, "in no unit"):
            check_unit(checks, effect, want, by_effect[effect])
    more = sorted(set(by_ref) - set(truth["units"]) - {""})
    checks.same("no other operation", [], more)
    wanted = collections.Counter(u["class"] for u in (*truth["units"].values(), *truth["effects"].values()))
    got = collections.Counter(u["class"] for u in units if u["class"] != "excluded")
    checks.same("classes", dict(wanted), dict(got))


def check_verdicts(checks, truth, skips, messages):
    keys = {"ord": "charge:%s", "sub": "renew:cust-%s", "po-": "payout:%s"}
    wanted = collections.Counter()
    for ref, want in truth["units"].items():
        if "skip" in want:
            wanted[(keys[ref[:3]] % (ref[4:7] if ref[:3] == "sub" else ref), want["skip"])] += 1
    checks.same("skips", dict(wanted), dict(collections.Counter((s["key"], s["verdict"]) for s in skips)))
    dead = {"charge:" + ref: want["dead_letter"] for ref, want in truth["units"].items() if "dead_letter" in want}
    checks.same("dead letters", dead, {m["key"]: m["verdict"] for m in messages})


def check(checks, program):
    with open(os.path.join(HERE, "demo_truth.json"), encoding="utf-8") as f:
        truth = json.load(f)
    with tempfile.TemporaryDirectory(prefix="counterfoil-demo-") as folder:
        week = os.path.join(folder, "week")
        code, _, err = program.call("demo", week)
        if not checks.holds("counterfoil demo", code == 0, "exit %d: %s" % (code, err.strip())):
            return
        config = os.path.join(week, "counterfoil.json")
        check_units(checks, truth, program.lines("match", "--config", config, "--all", "--format", "ndjson", codes=(1,)))

        run = program.lines("run", config, "--format", "json", codes=(1,))[0]
        store = os.path.join(week, "kahawa.counterfoil")
        checks.same("complete", True, run["complete"])
        checks.same("quarantined", 0, sum(s["quarantined"] for s in run["sources"]))
        checks.same("the proof is zero", [], [p for p in run["proof"] if p["unexplained_minor"]])
        check_verdicts(checks, truth, program.lines("skips", store, "--format", "ndjson"),
                       program.lines("dlq", store, "--messages", "--format", "ndjson"))
        depths = {q["queue"]: q["depth"] for q in program.lines("dlq", store, "--format", "ndjson")}
        for queue, depth in truth["depths"].items():
            checks.same("depth of " + queue, depth, depths.get(queue))
        codes = {f["code"] for f in program.lines("findings", store, "--format", "ndjson")}
        for finding in truth["findings"]:
            checks.holds("finding " + finding, finding in codes, "only %s" % ", ".join(sorted(codes)))
        again = program.lines("run", config, "--format", "json", codes=(1,))[0]
        checks.same("the same night again", run, again)


def main(argv):
    checks = Checks()
    try:
        check(checks, Program(argv[0]))
    except (RuntimeError, OSError, ValueError, KeyError, IndexError) as error:
        checks.holds("demo", False, "%s: %s" % (type(error).__name__, error))
    return checks.finish()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
