# SPDX-License-Identifier: GPL-3.0-or-later
"""Shared by check_demo.py, check_samples.py and check_provider_samples.py: start the program, read its lines, count what held."""
import json
import os
import subprocess

TIMEOUT = 120


class Program:
    def __init__(self, path):
        self.path = os.path.abspath(path)

    def call(self, *args, cwd=None):
        """(exit code, stdout, stderr)"""
        env = dict(os.environ, NO_COLOR="1", LC_ALL="C.UTF-8", TZ="UTC")
        done = subprocess.run([self.path, *args], cwd=cwd, env=env, timeout=TIMEOUT, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        return done.returncode, done.stdout.decode("utf-8"), done.stderr.decode("utf-8", "replace")

    def lines(self, *args, cwd=None, codes=(0,)):
        """The objects of an NDJSON answer; another exit code than those of `codes` is an error."""
        code, out, err = self.call(*args, cwd=cwd)
        if code not in codes:
            raise RuntimeError("%s: exit %d, not %s: %s" % (" ".join(args), code, "/".join(map(str, codes)), err.strip()))
        return [json.loads(line) for line in out.splitlines() if line.strip()]


class Checks:
    """Counts expectations; `same` and `holds` print what did not hold."""

    def __init__(self):
        self.passed = self.failed = 0

    def holds(self, name, condition, seen=""):
        if condition:
            self.passed += 1
        else:
            self.failed += 1
            print("%s: %s" % (name, seen))
        return condition

    def same(self, name, want, got):
        return self.holds(name, want == got, "expected %r, got %r" % (want, got))

    def one_of(self, name, wanted, got):
        return self.holds(name, got in wanted, "expected one of %s, got %r" % (", ".join(sorted(wanted)), got))

    def finish(self):
        print("%d passed, %d failed" % (self.passed, self.failed))
        return 0 if self.passed and not self.failed else 1


def exposure(unit):
    return sorted([e["currency"], e["minor"]] for e in unit.get("exposure", []))
