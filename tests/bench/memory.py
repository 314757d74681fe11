#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""memory.py PROGRAM [NAME…]: how much memory large files take, as a table.

Writes a statement of each kind (1 GB, see --megabytes) and the jobs that belong to it, reads it with
`inspect` and `match --memory 256M`, and prints the peak of the process, the rows that were read and the
time. Exit 1 where a peak is above --bound (256 MiB) or rows are missing. Files lie in --folder, one pair at
a time, and are removed. Takes minutes a kind; no part of tests/run.
Of `ofx` nothing matches (it has no key): millions of breaks take more than the bound, 295 MiB for two million a side.
"""
import argparse
import gzip
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
import zipfile

DAY = "2026-05-04"
JOBS_HEAD = "job_id,idempotency_key,status,finished_at,amount_minor,currency\n"
JOB = "job-%(n)09d,pay:%(n)09d,succeeded,2026-05-04T%(clock)sZ,%(minor)d,EUR\n"


class Kind:
    """A file: what stands before its rows, one row, what stands between and behind them."""

    def __init__(self, suffix, row, head="", tail="\n", between="", matches=True):
        self.suffix, self.row, self.head, self.tail, self.between = suffix, row, head, tail, between
        self.matches = matches   # False: the format has no key, so that each effect and each job is a break


CHARGE = ('{"id": "ch_%(n)09d", "object": "charge", "amount": %(minor)d, "amount_captured": %(minor)d, '
          '"amount_refunded": 0, "balance_transaction": "txn_%(n)09d", "captured": true, "created": %(unix)d, '
          '"currency": "eur", "customer": "cus_%(n)09d", "description": "Order %(n)d, \\u00e9t\\u00e9", '
          '"livemode": true, "metadata": {"idempotency_key": "pay:%(n)09d", "order_id": "%(n)d"}, '
          '"paid": true, "refunded": false, "status": "succeeded"}')
CAMT_HEAD = ('<?xml version="1.0" encoding="UTF-8"?>\n'
             '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt>\n'
             '<Stmt><Id>S-1</Id><Acct><Id><IBAN>NL02TEST0123456789</IBAN></Id><Ccy>EUR</Ccy></Acct>\n')
CAMT_TAIL = "</Stmt></BkToCstmrStmt></Document>\n"
CAMT_ENTRY = ('<Ntry><Amt Ccy="EUR">%(major)s</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts>'
              '<BookgDt><Dt>' + DAY + '</Dt></BookgDt><AcctSvcrRef>E%(n)09d</AcctSvcrRef><NtryDtls><TxDtls><Refs>'
              '<EndToEndId>pay:%(n)09d</EndToEndId></Refs><RltdPties><Cdtr><Nm>Customer %(n)d</Nm></Cdtr></RltdPties>'
              '<RmtInf><Ustrd>Order %(n)d</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>')
CAMT_PART = ('<TxDtls><Refs><AcctSvcrRef>E%(n)09d</AcctSvcrRef><EndToEndId>pay:%(n)09d</EndToEndId></Refs>'
             '<Amt Ccy="EUR">%(major)s</Amt><RltdPties><Cdtr><Nm>Customer %(n)d</Nm></Cdtr></RltdPties>'
             '<RmtInf><Ustrd>Order %(n)d</Ustrd></RmtInf></TxDtls>')
OFX_ENTRY = ('<STMTTRN><TRNTYPE>DEBIT</TRNTYPE><DTPOSTED>20260504120000</DTPOSTED><TRNAMT>-%(major)s</TRNAMT>'
             '<FITID>E%(n)09d</FITID><NAME>pay:%(n)09d</NAME></STMTTRN>\n')
STRIPE_HEAD = ("balance_transaction_id,created_utc,currency,gross,fee,net,reporting_category,source_id,description,"
               "charge_id,payment_metadata[idempotency_key]\n")
STRIPE_ROW = ("txn_%(n)09d,2026-05-04 %(clock)s,eur,%(major)s,0.00,%(major)s,charge,ch_%(n)09d,\"Order %(n)d, large\","
              "ch_%(n)09d,pay:%(n)09d\n")

KINDS = {
    "csv": Kind("csv", STRIPE_ROW, STRIPE_HEAD, tail=""),
    "ndjson": Kind("ndjson", CHARGE + "\n", tail=""),
    "json-array": Kind("json", CHARGE, "[", "]\n", ", "),
    "json-page": Kind("json", CHARGE, '{"object": "list", "url": "/v1/charges", "data": [', '], "has_more": false}\n', ",\n"),
    "camt": Kind("xml", CAMT_ENTRY + "\n", CAMT_HEAD, CAMT_TAIL),
    "camt-one-line": Kind("xml", CAMT_ENTRY, CAMT_HEAD.replace("\n", ""), CAMT_TAIL),
    "camt-one-batch": Kind("xml", CAMT_PART + "\n", CAMT_HEAD + CAMT_ENTRY[:CAMT_ENTRY.index("<TxDtls>")] %
                           {"major": "@SUM@", "n": 0}, "</NtryDtls></Ntry>" + CAMT_TAIL),
    "mt940": Kind("sta", ":61:2605040504D%(comma)sNTRFpay:%(n)09d//E%(n)09d\n:86:/EREF/pay:%(n)09d//REMI/USTD//Order %(n)d/\n",
                  ":20:LARGE\n:25:NL02TEST0123456789EUR\n:28C:00001\n:60F:C260503EUR0,00\n", ":62F:D260504EUR@COMMASUM@\n-\n"),
    "ofx": Kind("ofx", OFX_ENTRY, "OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\nENCODING:UTF-8\n\n<OFX><BANKMSGSRSV1><STMTTRNRS>"
                "<STMTRS><CURDEF>EUR<BANKACCTFROM><BANKID>TESTFRPP<ACCTID>FR76TEST0001</BANKACCTFROM><BANKTRANLIST>\n",
                "</BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>\n", matches=False),
    "bai2": Kind("bai", "16,495,%(minor)d,Z,E%(n)09d,pay:%(n)09d,Outgoing wire for order %(n)d/\n",
                 "01,TESTBANK,SHOP,260504,0600,17,,,2/\n02,SHOP,021000000,1,260504,2400,EUR,2/\n03,000123456,,,,,/\n",
                 "49,@MINORSUM@,@RECORDS@/\n98,@MINORSUM@,1,@RECORDS+2@/\n99,@MINORSUM@,1,@RECORDS+4@/\n"),
}
PACKED = {"csv.gz": "csv", "ndjson.gz": "ndjson", "csv.zip": "csv"}


def values(n):
    second, minor = n % 86400, 100 + n % 9000
    major = "%d.%02d" % divmod(minor, 100)
    return {"n": n, "minor": minor, "major": major, "comma": major.replace(".", ","), "unix": 1777852800 + second,
            "clock": "%02d:%02d:%02d" % (second // 3600, second // 60 % 60, second % 60)}


def fill(text, count, total):
    """Sums that stand before or behind the rows. The width is fixed, so that the size is known before."""
    major = "%d.%02d" % divmod(total, 100)
    for name, value in (("@SUM@", major), ("@COMMASUM@", major.replace(".", ",")), ("@MINORSUM@", str(total)),
                        ("@RECORDS+2@", str(count + 4)), ("@RECORDS+4@", str(count + 6)), ("@RECORDS@", str(count + 2))):
        text = text.replace(name, value)
    return text


def write(kind, path, jobs, size):
    """The statement of about `size` bytes, and its jobs; gives the number of rows."""
    count = size // (len(kind.row % values(5000)) + len(kind.between))
    total = sum(100 + n % 9000 for n in range(count))
    with open(path, "w", encoding="utf-8") as out, open(jobs, "w", encoding="utf-8") as local:
        out.write(fill(kind.head, count, total))
        local.write(JOBS_HEAD)
        for start in range(0, count, 4096):
            rows = [values(n) for n in range(start, min(count, start + 4096))]
            out.write((kind.between if start else "") + kind.between.join(kind.row % row for row in rows))
            local.write("".join(JOB % row for row in rows))
        out.write(fill(kind.tail, count, total))
    return count


def pack(path, suffix):
    packed = path + "." + suffix
    if suffix == "zip":
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
            archive.write(path, os.path.basename(path))
    else:
        with open(path, "rb") as source, gzip.open(packed, "wb", 1) as target:
            while block := source.read(1 << 20):
                target.write(block)
    os.remove(path)
    return packed


def run(arguments):
    """(exit code, stdout, peak in MiB, seconds)"""
    with tempfile.TemporaryFile() as out:
        start = time.monotonic()
        child = subprocess.Popen(arguments, stdin=subprocess.DEVNULL, stdout=out)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        seconds = time.monotonic() - start
        out.seek(0)
        return child.returncode, out.read().decode("utf-8"), usage.ru_maxrss / 1024, seconds


def inspect(program, path, count):
    code, out, peak, seconds = run([program, "inspect", path, "--format", "json"])
    look = json.loads(out)[0] if out else {}
    seen = sum(t["count"] for t in look.get("totals", []) if t["kind"] == "effect" or t["kind"] == "forward")
    return {"what": "inspect", "peak": peak, "seconds": seconds, "good": code == 0 and seen == count,
            "seen": "%d of %d rows, exit %d" % (seen, count, code)}


def match(program, path, jobs, count, matches):
    code, out, peak, seconds = run([program, "match", "--local", jobs, "--provider", path, "--memory", "256M",
                                    "--as-of", "2026-05-08T00:00:00Z", "--format", "json"])
    wanted = ("matched", 0) if matches else ("unrecorded_effect", 1)
    seen = json.loads(out).get("classes", {}).get(wanted[0], 0) if out else 0
    return {"what": "match", "peak": peak, "seconds": seconds, "good": code == wanted[1] and seen == count,
            "seen": "%d of %d %s, exit %d" % (seen, count, wanted[0], code)}


def measure(name, options, folder):
    kind = KINDS[PACKED.get(name, name)]
    path, jobs = os.path.join(folder, "statement." + kind.suffix), os.path.join(folder, "jobs.csv")
    count = write(kind, path, jobs, options.megabytes * 1000000)
    if name in PACKED:
        path = pack(path, name.rsplit(".", 1)[1])
    good = True
    for result in (inspect(options.program, path, count), match(options.program, path, jobs, count, kind.matches)):
        fits = result["peak"] <= options.bound
        good = good and fits and result["good"]
        print("%-16s %-8s %8.0f MB %8.0f MiB%s %7.1f s   %s%s" %
              (name, result["what"], os.path.getsize(path) / 1e6, result["peak"], " " if fits else "!", result["seconds"],
               result["seen"], "" if result["good"] else " !"), flush=True)
    os.remove(path)
    os.remove(jobs)
    return good


def main():
    known = list(KINDS) + list(PACKED)
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("program")
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(known))
    parser.add_argument("--megabytes", type=int, default=1000)
    parser.add_argument("--bound", type=int, default=256, help="MiB of memory")
    parser.add_argument("--folder", help="where the files lie; default: a temporary one")
    options = parser.parse_args()
    options.program = os.path.abspath(options.program)
    print("%-16s %-8s %11s %12s  %9s" % ("file", "command", "size", "peak", "time"))
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        os.environ["TMPDIR"] = folder
        good = [measure(name, options, folder) for name in options.names or known]
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
