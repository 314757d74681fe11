#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Seconds, size and peak memory of a report of each format over a night of many cases.

reports.py PROGRAM [--cases 100000] [--folder DIR] [--formats html,csv,...]
"""
import argparse
import json
import os
import sys
import tempfile
import time


def write_night(folder, cases):
    """Nine of ten jobs have no effect or two; the tenth has one, so that keys meet."""
    with open(os.path.join(folder, "jobs.csv"), "w") as jobs, open(os.path.join(folder, "statement.csv"), "w") as effects:
        jobs.write("job_id,idempotency_key,op_ref,queue,worker,customer,status,started_at,finished_at,amount,currency\n")
        effects.write("id,type,status,amount,currency,created,idempotency_key,customer\n")
        rows = cases * 10 // 9 + 1
        for i in range(rows):
            clock = f"2026-04-07T{i // 3600 % 20:02}:{i // 60 % 60:02}:{i % 60:02}Z"
            key, money = f"charge:{i:07}", f"{5 + i % 90}.{i % 100:02},USD"
            jobs.write(f"job-{i},{key},order-{i},payments,worker-{i % 9},cus_{i % 5000:06},done,{clock},{clock},{money}\n")
            copies = 1 if i % 10 == 0 else 0 if i % 10 < 5 else 2
            for copy in range(copies):
                effects.write(f"ch_{i}_{copy},charge,succeeded,{money},{clock},{key},cus_{i % 5000:06}\n")
    config = {"name": "bench", "store": "bench.counterfoil", "as_of": "2026-04-09T06:00:00Z",
              "operations": [{"name": "charge"}],
              "sources": [{"name": "jobs", "path": "jobs.csv", "format": "generic.attempts"},
                          {"name": "statement", "path": "statement.csv", "format": "generic.effects", "provider": "bank",
                           "covers": {"from": "2026-04-07T00:00:00Z", "to": "2026-04-08T00:00:00Z"}}]}
    with open(os.path.join(folder, "night.json"), "w") as out:
        json.dump(config, out)


def measured(words, folder):
    """Exit code, seconds and peak memory in MiB of a command, its children's too."""
    begin = time.monotonic()
    child = os.fork()
    if child == 0:
        os.chdir(folder)
        quiet = os.open(os.devnull, os.O_WRONLY)
        os.dup2(quiet, 1)
        os.dup2(quiet, 2)
        os.execv(words[0], words)
    _, status, usage = os.wait4(child, 0)
    return os.waitstatus_to_exitcode(status), time.monotonic() - begin, usage.ru_maxrss / 1024


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("program")
    arguments.add_argument("--cases", type=int, default=100_000)
    arguments.add_argument("--folder", help="kept; used again if the store is there")
    arguments.add_argument("--formats", default="html,csv,json,ndjson,text,markdown,junit,metrics")
    options = arguments.parse_args()
    program = os.path.abspath(options.program)
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.folder or temporary
        os.makedirs(folder, exist_ok=True)
        if not os.path.exists(os.path.join(folder, "bench.counterfoil")):
            write_night(folder, options.cases)
            code, seconds, memory = measured([program, "run", "night.json", "--quiet"], folder)
            print(f"{'run':<10} {seconds:7.2f} s {memory:8.0f} MiB   exit {code}")
            if code not in (0, 1):
                sys.exit("the night could not be run")
        failed = False
        for name in options.formats.split(","):
            path = os.path.join(folder, "report." + name)
            code, seconds, memory = measured([program, "report", "bench.counterfoil", "--format", name, "--output", path], folder)
            size = os.path.getsize(path) / 1e6 if os.path.exists(path) else 0
            print(f"{name:<10} {seconds:7.2f} s {memory:8.0f} MiB {size:8.1f} MB   exit {code}")
            failed = failed or code != 0
        sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
