#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""check_provider_samples.py PROGRAM SAMPLES: what `inspect` reads in real statements.

SAMPLES is the folder of samples that lies beside the checkout. tests/samples/providers.json says what each
file holds by its description there: rows, effects by kind, sums, fees, what is left out, references, which of
the statement's own checks break. What a file leaves open (the order of day and month, a time that a cut
example lacks) is declared in "mapping" of a second entry, "FILE: how".
"""
import json
import os
import sys
import tempfile

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
        "statuses": counted("%s %s" % (r["kind"], r["status"]) for r in look.get("records", [])),
        "references": sorted({r["op_ref"] for r in look.get("records", []) if "op_ref" in r}),
        "distinct references": len({r["op_ref"] for r in look.get("records", []) if "op_ref" in r}),
        "keys": sorted({r["key"] for r in look.get("records", []) if "key" in r}),
        "parents": sorted({r["parent_id"] for r in look.get("records", []) if "parent_id" in r}),
    }


def counted(words):
    counts = {}
    for word in words:
        counts[word] = counts.get(word, 0) + 1
    return counts


def look_at(program, path, mapping, folder):
    """What inspect says, by the format that fits, or by a mapping of one's own."""
    arguments = ["inspect", path, "--format", "json", "--records", "1000"]
    if mapping:
        with open(os.path.join(folder, "declared.json"), "w", encoding="utf-8") as f:
            json.dump(mapping, f)
        arguments += ["--as", "declared"]
    return json.loads(program.call(*arguments)[1])[0]   # exit 3 where a file is not complete


def main(argv):
    program, samples, checks = Program(argv[0]), os.path.abspath(argv[1]), Checks()
    with open(os.path.join(TOP, "tests", "samples", "providers.json"), encoding="utf-8") as f:
        expected = json.load(f)
    with tempfile.TemporaryDirectory(prefix="counterfoil-sample-") as folder:
        os.environ["COUNTERFOIL_FORMATS"] = folder
        for name, wanted in expected.items():
            path = os.path.join(samples, "providers", name.split(": ")[0])
            if not checks.holds(name, os.path.isfile(path), "no such file"):
                continue
            read = figures(look_at(program, path, wanted.pop("mapping", None), folder))
            for what, value in wanted.items():
                checks.same("%s: %s" % (name, what), value, read[what])
    return checks.finish()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
