#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""check_provider_samples.py PROGRAM SAMPLES: what `inspect` reads in real statements.

SAMPLES is the folder of samples that lies beside the checkout. tests/samples/providers.json says what each
file holds by its description there: rows, effects by kind, sums, fees, what is left out, which of the
statement's own checks break.
"""
import json
import os
import sys

from run_program import Checks, Program

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")


def figures(look):
    """What a person would compare with the file's description."""
    return {
        "format": look.get("format", ""),
        "rows": look.get("rows", 0),
        "quarantined": look.get("quarantined", 0),
        "totals": [[t["kind"], t["count"], t["currency"], t["minor"],
                    [[f["currency"], f["amount"]] for f in t["fees"]]] for t in look.get("totals", [])],
        "left out": [[t["kind"], t["count"], t["currency"], t["minor"]] for t in look.get("excluded_totals", [])],
        "as written": [[m["currency"], m["minor"]] for m in look.get("as_written", [])],
        "broken checks": [[c["check"], c["breaks"], c["rows"]] for c in look.get("checks", []) if c["breaks"]],
    }


def main(argv):
    program, samples, checks = Program(argv[0]), os.path.abspath(argv[1]), Checks()
    with open(os.path.join(TOP, "tests", "samples", "providers.json"), encoding="utf-8") as f:
        expected = json.load(f)
    for name, wanted in expected.items():
        path = os.path.join(samples, "providers", name)
        if not checks.holds(name, os.path.isfile(path), "no such file"):
            continue
        _, out, _ = program.call("inspect", path, "--format", "json")   # exit 3 where a file is not complete
        read = figures(json.loads(out)[0])
        for what, value in wanted.items():
            checks.same("%s: %s" % (name, what), value, read[what])
    return checks.finish()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
