// SPDX-License-Identifier: GPL-3.0-or-later
// What the reader of logs makes of a line, whatever carried it.
#include <QTest>

#include "importers/log/log_reader.h"
#include "row_collector.h"

using namespace counterfoil;
using namespace std::string_literals;

namespace {

std::vector<std::shared_ptr<const Pattern>> patternsOf(const std::vector<std::string>& texts) {
  std::vector<std::shared_ptr<const Pattern>> patterns;
  for (const std::string& text : texts) {
    Result<Pattern> pattern = Pattern::compile(text);
    if (pattern) patterns.push_back(std::make_shared<const Pattern>(std::move(*pattern)));
  }
  return patterns;
}

LogOptions everyLine() {
  LogOptions options;
  options.givesEveryLine = true;
  return options;
}

LogOptions withPatterns(const std::vector<std::string>& texts) {
  LogOptions options;
  options.patterns = patternsOf(texts);
  return options;
}

std::string parsed(const std::string& text, const std::vector<std::string>& wanted, LogOptions options = everyLine()) {
  RowCollector rows;
  const auto reader = makeLogReader({wanted, nullptr, {}}, std::move(options));
  parseAll(*reader, text, rows);
  return rows.text();
}

QString shown(const std::string& text) { return QString::fromStdString(text); }

}  // namespace

class TstLogLines : public QObject {
  Q_OBJECT
 private slots:
  void wrappingsComeOff_data() {
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("fields");   // origin|time|level|message
    QTest::newRow("docker") << "{\"log\":\"2026-03-02 10:00:01,250 INFO paid k1\\n\",\"stream\":\"stderr\",\"time\":\"2026-03-02T10:00:01.3Z\"}"
                            << "-|2026-03-02 10:00:01,250|INFO|paid k1";
    QTest::newRow("docker, without a time of its own") << "{\"log\":\"paid \\\"k1\\\"\\r\\n\",\"stream\":\"stdout\",\"time\":\"2026-03-02T10:00:01.3Z\"}"
                                                       << "-|2026-03-02T10:00:01.3Z|-|paid \"k1\"";
    QTest::newRow("cri") << "2026-03-02T10:00:01.300000001Z stderr F INFO paid k1" << "-|2026-03-02T10:00:01.300000001Z|INFO|paid k1";
    QTest::newRow("cri, a blank text") << "2026-03-02T10:00:01.3Z stdout F " << "-|2026-03-02T10:00:01.3Z|-|-";
    QTest::newRow("heroku") << "2026-03-02T10:00:01.300000+00:00 app[worker.1]: paid k1" << "worker.1|2026-03-02T10:00:01.300000+00:00|-|paid k1";
    QTest::newRow("rsyslog") << "2026-03-02T10:00:01.300+02:00 host-1 billing[812]: WARNING: paid k1"
                             << "billing|2026-03-02T10:00:01.300+02:00|WARNING|paid k1";
    QTest::newRow("journald, short-iso") << "2026-03-02T10:00:01+0200 host-1 billing.service: paid k1"
                                         << "billing.service|2026-03-02T10:00:01+0200|-|paid k1";
    QTest::newRow("syslog with a time inside") << "Mar  2 10:00:01 host-1 billing[8]: 2026-03-02 10:00:00,9 INFO paid k1"
                                               << "billing|2026-03-02 10:00:00,9|INFO|paid k1";
    QTest::newRow("a priority") << "<14>Mar  2 10:00:01 host-1 billing: 2026-03-02T10:00:00Z paid k1" << "billing|2026-03-02T10:00:00Z|-|paid k1";
    QTest::newRow("rfc 5424") << "<34>1 2026-03-02T10:00:01.003Z host-1 billing 77 ID47 [a@1 b=\"c\"] paid k1" << "billing|2026-03-02T10:00:01.003Z|-|paid k1";
    QTest::newRow("a heroku drain") << "<40>1 2026-03-02T10:00:01+00:00 host app worker.2 - paid k1" << "worker.2|2026-03-02T10:00:01+00:00|-|paid k1";
    QTest::newRow("compose") << "worker-1  | 2026-03-02T10:00:01Z INFO paid k1" << "worker-1|2026-03-02T10:00:01Z|INFO|paid k1";
    QTest::newRow("compose, a name of one's own") << "billing | {\"ts\":\"2026-03-02T10:00:01Z\",\"msg\":\"paid k1\"}" << "billing|2026-03-02T10:00:01Z|-|paid k1";
    QTest::newRow("a bar that is no compose") << "2026-03-02T10:00:01Z paid | k1" << "-|2026-03-02T10:00:01Z|-|paid | k1";
    QTest::newRow("kubectl") << "[pod/worker-5d4/worker] 2026-03-02T10:00:01Z paid k1" << "worker-5d4/worker|2026-03-02T10:00:01Z|-|paid k1";
    QTest::newRow("journald json") << R"({"__REALTIME_TIMESTAMP":"1772445601250000","_SYSTEMD_UNIT":"billing.service","MESSAGE":"ERROR: paid k1"})"
                                   << "billing.service|2026-03-02T10:00:01.250000Z|ERROR|paid k1";
    QTest::newRow("compose around docker") << "worker_1 | {\"log\":\"level=warn msg=\\\"paid k1\\\"\\n\",\"stream\":\"stdout\",\"time\":\"2026-03-02T10:00:01Z\"}"
                                           << "worker_1|2026-03-02T10:00:01Z|warn|paid k1";
    QTest::newRow("colours") << "\x1B[2m2026-03-02T10:00:01Z\x1B[0m \x1B[32m INFO\x1B[0m paid \x1B[1mk1\x1B[0m" << "-|2026-03-02T10:00:01Z|INFO|paid k1";
    QTest::newRow("colours in json") << "{\"log\":\"\\u001b[31mERROR\\u001b[0m paid k1\\n\",\"stream\":\"stdout\",\"time\":\"2026-03-02T10:00:01Z\"}"
                                     << "-|2026-03-02T10:00:01Z|ERROR|paid k1";
    QTest::newRow("a level is no host") << "2026-03-02T10:00:01Z INFO worker: paid k1" << "-|2026-03-02T10:00:01Z|INFO|worker: paid k1";
  }
  void wrappingsComeOff() {
    QFETCH(QString, line);
    QFETCH(QString, fields);
    QCOMPARE(shown(parsed(line.toStdString() + "\n", {"origin", "time", "level", "message"})), fields);
  }

  void prefixesAreTold_data() {
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("fields");   // time|level|message
    QTest::newRow("celery") << "[2026-03-02 10:00:01,250: INFO/ForkPoolWorker-2] shop.pay[ab-1]: paid" << "2026-03-02 10:00:01,250|INFO|shop.pay[ab-1]: paid";
    QTest::newRow("dramatiq") << "[2026-03-02 10:00:01,250] [PID 81] [Thread-7] [dramatiq.worker.WorkerThread] [ERROR] Failed [x] y"
                              << "2026-03-02 10:00:01,250|ERROR|Failed [x] y";
    QTest::newRow("sidekiq 6") << "2026-03-02T10:00:01.250Z pid=10 tid=kb class=Pay jid=ab12 elapsed=0.01 INFO: done" << "2026-03-02T10:00:01.250Z|INFO|done";
    QTest::newRow("sidekiq 8") << "INFO  2026-03-02T10:00:01.250Z pid=10 tid=kb class=Pay jid=ab12: start" << "2026-03-02T10:00:01.250Z|INFO|start";
    QTest::newRow("sidekiq without times") << "pid=10 tid=kb class=Pay jid=ab12 INFO: start" << "-|INFO|start";
    QTest::newRow("ruby") << "I, [2026-03-02T10:00:01.250001 #17]  INFO -- : paid k1" << "2026-03-02T10:00:01.250001|INFO|paid k1";
    QTest::newRow("python") << "WARNING:shop.pay:paid k1" << "-|WARNING|shop.pay:paid k1";
    QTest::newRow("java") << "2026-03-02 10:00:01.250  INFO 1 --- [main] c.s.Pay : paid k1" << "2026-03-02 10:00:01.250|INFO|1 --- [main] c.s.Pay : paid k1";
    QTest::newRow("go") << "2026/03/02 10:00:01 paid k1" << "2026/03/02 10:00:01|-|paid k1";
    QTest::newRow("zap") << "2026-03-02T10:00:01.250Z\tINFO\tpay.go:8\tpaid\t{\"key\":\"k1\"}" << "2026-03-02T10:00:01.250Z|INFO|pay.go:8\tpaid\t{\"key\":\"k1\"}";
    QTest::newRow("an offset apart") << "2026-03-02 10:00:01 +0300 paid k1" << "2026-03-02 10:00:01 +0300|-|paid k1";
    QTest::newRow("a bracket of the program's own") << "[mailer] paid k1" << "-|-|[mailer] paid k1";
    QTest::newRow("a number that is no time") << "10000001 paid" << "-|-|10000001 paid";
    QTest::newRow("a word that begins like a level") << "2026-03-02 10:00:01 INFORMATION paid" << "2026-03-02 10:00:01|-|INFORMATION paid";
  }
  void prefixesAreTold() {
    QFETCH(QString, line);
    QFETCH(QString, fields);
    QCOMPARE(shown(parsed(line.toStdString() + "\n", {"time", "level", "message"})), fields);
  }

  void membersAreFound_data() {
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("fields");   // key|ctx.jid|job|message
    QTest::newRow("json") << R"({"key":"k1","ctx":{"jid":"a"},"job":7,"message":"m"})" << "k1|a|7|m";
    QTest::newRow("msg before message before event") << R"({"event":"e","message":"m","msg":"g"})" << "-|-|-|g";
    QTest::newRow("only an event") << R"({"event":"job_skipped"})" << "-|-|-|job_skipped";
    QTest::newRow("logfmt") << "level=info msg=\"paid \\\"it\\\"\" key=k1, job=7" << "k1,|-|7|paid \"it\"";
    QTest::newRow("pairs in prose") << "paid (key=k1, job='a b'): done" << "k1|-|a b|paid (key=k1, job='a b'): done";
    QTest::newRow("the end of a sentence") << "paid key=k.1." << "k.1|-|-|paid key=k.1.";
    QTest::newRow("the last of equal names") << "x key=k1 key=k2" << "k2|-|-|x key=k1 key=k2";
    QTest::newRow("json behind prose") << R"(INFO paid {"key":"k1","ctx":{"jid":"a"}})" << R"(k1|a|-|paid {"key":"k1","ctx":{"jid":"a"}})";
    QTest::newRow("a template behind prose") << "paid {leadId, platform}" << "-|-|-|paid {leadId, platform}";
    QTest::newRow("pairs in a message") << R"({"msg":"skip key=k1","job":"7"})" << "k1|-|7|skip key=k1";
    QTest::newRow("the object before its message") << R"({"msg":"skip key=k1","key":"k2"})" << "k2|-|-|skip key=k1";
    QTest::newRow("json in a message") << "{\"msg\":\"{\\\"key\\\":\\\"k1\\\"}\",\"job\":1}" << "k1|-|1|{\"key\":\"k1\"}";
    QTest::newRow("members around the line") << "{\"log\":\"paid\\n\",\"stream\":\"stdout\",\"time\":\"2026-03-02T10:00:01Z\",\"job\":\"c1\"}" << "-|-|c1|paid";
    QTest::newRow("a python dict is text") << "paid {'key': 'k1'}" << "-|-|-|paid {'key': 'k1'}";
    QTest::newRow("null hides nothing") << R"({"key":null,"msg":"key=k1"})" << "null|-|-|key=k1";
    QTest::newRow("a url is no pair") << "GET /pay?key=k1&job=2" << "-|-|-|GET /pay?key=k1&job=2";
  }
  void membersAreFound() {
    QFETCH(QString, line);
    QFETCH(QString, fields);
    QCOMPARE(shown(parsed(line.toStdString() + "\n", {"key", "ctx.jid", "job", "message"})), fields);
  }

  void timesOfMembers_data() {
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("time");
    QTest::newRow("seconds") << R"({"ts":1772445601.25})" << "2026-03-02T10:00:01.250000Z";
    QTest::newRow("milliseconds") << R"({"time":1772445601250})" << "2026-03-02T10:00:01.250000Z";
    QTest::newRow("microseconds in a text") << R"({"timestamp":"1772445601250001"})" << "2026-03-02T10:00:01.250001Z";
    QTest::newRow("nanoseconds") << R"({"ts":1772445601250001999})" << "2026-03-02T10:00:01.250001Z";
    QTest::newRow("a comma") << R"({"asctime":"2026-03-02 10:00:01,250"})" << "2026-03-02 10:00:01,250";
    QTest::newRow("elastic") << R"({"@timestamp":"2026-03-02T10:00:01.250+01:00"})" << "2026-03-02T10:00:01.250+01:00";
    QTest::newRow("what is no time gives way") << R"({"time":"35ms","timestamp":"2026-03-02T10:00:01Z"})" << "2026-03-02T10:00:01Z";
    QTest::newRow("a form for the mapping to judge") << R"({"time":"02/03/2026 10:00"})" << "02/03/2026 10:00";
    QTest::newRow("logfmt") << "ts=2026-03-02T10:00:01Z msg=x" << "2026-03-02T10:00:01Z";
    QTest::newRow("none") << R"({"msg":"x"})" << "-";
  }
  void timesOfMembers() {
    QFETCH(QString, line);
    QFETCH(QString, time);
    QCOMPARE(shown(parsed(line.toStdString() + "\n", {"time"})), time);
  }

  void withoutAPatternObjectsAndPairsAreRows() {
    RowCollector rows;
    const auto reader = makeLogReader({{"key"}, nullptr, {}}, {});
    parseAll(*reader, "banner\n{\"key\":\"k1\"}\n\nTraceback (most recent call last):\n  File \"a.py\"\nkey=k2 n=1\nINFO paid key=k3\n", rows);
    QCOMPARE(shown(rows.text()), QString("k1;k2"));
    QCOMPARE(rows.unmatched.size(), std::size_t{4});
  }

  void aPatternIsTriedOnTheMessageFirst() {
    const auto options = withPatterns({"^paid (?<key>\\S+)", "INFO (?<level>\\S+) job (?<job>\\d+)"});
    const std::string text =
        "2026-03-02 10:00:01 INFO paid k1\n"
        "{\"msg\":\"paid k2\",\"job\":7}\n"
        "2026-03-02 10:00:01 INFO main job 9\n"
        "{\"msg\":\"read\",\"note\":\"INFO x job 3\"}\n"
        "not paid k3\n";
    QCOMPARE(shown(parsed(text, {"key", "job", "level"}, options)), QString("k1|-|INFO;k2|7|-;-|9|main"));
  }

  void groupsWinOverMembers() {
    QCOMPARE(shown(parsed("{\"msg\":\"paid k2\",\"key\":\"k9\",\"job\":\"j\"}\n{\"msg\":\"paid\",\"key\":\"k9\"}\n", {"key", "job"},
                          withPatterns({"^paid(?: (?<key>\\S+))?"}))),
             QString("k2|j;k9|-"));
  }

  void linesThatGoOnAreNoRows() {
    const std::string text =
        "2026-03-02 10:00:01 INFO paid k1\n"
        "Traceback (most recent call last):\n"
        "  File \"pay.py\", line 3, in paid\n"
        "shop.Error: paid k2\n"
        "[2026-13-02 10:00:02] paid k3\n"
        "WARNING:shop:paid k4\n";
    RowCollector rows;
    parseAll(*makeLogReader({{"key", "time"}, nullptr, {}}, withPatterns({"\\bpaid (?<key>\\S+)"})), text, rows);
    QCOMPARE(shown(rows.text()), QString("k1|2026-03-02 10:00:01;k3|-;k4|-"));
    QCOMPARE(rows.unmatched.size(), std::size_t{3});
    QCOMPARE(shown(parsed("at noon: paid k1\n", {"key", "time"}, withPatterns({"^(?<time>.*): paid (?<key>\\S+)"}))), QString("k1|at noon"));
  }

  void aLogIsToldByItsLines() {
    QVERIFY(looksLikeLog("banner\nbanner\n2026-03-02 10:00:01 INFO a\n"));
    QVERIFY(looksLikeLog("10:00:01:   0.11s x\n"));
    std::string tracebacks = "2026-03-02 10:00:01 ERROR a\nTraceback (most recent call last):\n";
    for (int i = 0; i < 20; ++i) tracebacks += "  File \"a.py\", line 1, in f\n\n";
    QVERIFY(looksLikeLog(tracebacks + "ValueError: b\n"));
    QVERIFY(looksLikeLog("{\"level\":30,\"msg\":\"a\"}\n"));
    QVERIFY(looksLikeLog("{\"log\":\"a\\n\",\"stream\":\"stdout\",\"time\":\"2026-03-02T10:00:01Z\"}\n"));
    QVERIFY(!looksLikeLog("key,time,reason\nk1,2026-03-02T10:00:01Z,already processed\n"));
    QVERIFY(!looksLikeLog("2026-03-02T10:00:01Z,k1,already processed\n2026-03-02T10:00:01Z\tk2\talready processed\n"));
    QVERIFY(!looksLikeLog("{\"id\":1,\"time\":\"2026-03-02T10:00:01Z\"}\n"));
    QVERIFY(!looksLikeLog("a\nb\nc\nd\ne\nf\nINFO g\n") && !looksLikeLog(""));
  }

  void unmatchedLinesMayBeQuarantined() {
    LogOptions options = withPatterns({"paid (?<key>\\S+)"});
    options.quarantineUnmatched = true;
    RowCollector rows;
    parseAll(*makeLogReader({{"key"}, nullptr, {}}, options), "hello\npaid k1\n", rows);
    QCOMPARE(shown(rows.rules()), QString("unmatched_line"));
    QCOMPARE(shown(rows.text()), QString("k1"));
  }

  void brokenLinesAreDefects_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<bool>("hasPattern");
    QTest::addColumn<QString>("rules");
    QTest::addColumn<QString>("rows");
    QTest::addColumn<bool>("cutOff");
    QTest::newRow("an object in pieces") << QByteArray("{\"key\":\"k1\nkey=k2\n") << false << "not_json" << "k2" << false;
    QTest::newRow("one that a pattern fits") << QByteArray("{\"msg\":\"paid k1\n") << true << "not_json" << "" << false;
    QTest::newRow("one that no pattern fits") << QByteArray("{\"msg\":\"read k1\n") << true << "" << "" << false;
    QTest::newRow("a brace that is no object") << QByteArray("{ key }\n{\nkey=k2\n") << false << "" << "k2" << false;
    QTest::newRow("the last line is cut") << QByteArray("key=k2\n{\"key\":\"k") << false << "cut_off" << "k2" << true;
    QTest::newRow("a last line of text") << QByteArray("paid k1") << true << "" << "k1" << false;
    QTest::newRow("bytes that are no text") << QByteArray("junk \xFF\npaid k\xFF\npaid k2\n") << true << "invalid_encoding" << "k2" << false;
  }
  void brokenLinesAreDefects() {
    QFETCH(QByteArray, text);
    QFETCH(bool, hasPattern);
    QFETCH(QString, rules);
    QFETCH(QString, rows);
    QFETCH(bool, cutOff);
    RowCollector found;
    const auto reader = makeLogReader({{"key"}, nullptr, {}}, hasPattern ? withPatterns({"paid (?<key>\\S+)"}) : LogOptions());
    const BlockOutcome outcome = parseAll(*reader, text.toStdString(), found);
    QCOMPARE(shown(found.rules()), rules);
    QCOMPARE(shown(found.text()), rows);
    QCOMPARE(outcome.cutOff, cutOff);
  }

  void thePlanIsToldOfFaults() {
    LogOptions options = withPatterns({"paid"});
    options.givesEveryLine = true;
    QCOMPARE(shown(parsed("10:00:01 paid\n[read] \xFF\n[read]\n", {"$fits", "$fault", "time"}, options)),
             QString("true|time_without_date|10:00:01;-|invalid_encoding|-;-|-|-"));
  }

  void timesWithoutADateTakeThatOfTheLinesBefore() {
    LogOptions options = everyLine();
    options.keepsDate = true;
    const std::string text =
        "10:00:01: a\n"
        "2026-12-31 23:59:58,5 INFO b\n"
        "23:59:59: c\n"
        "00:00:00: d\n"
        "23:59:59: e\n"
        "13:00:00: f\n"
        "Feb  3 08:00:00 host x: g\n"
        "Dec 31 08:00:00 host x: h\n";
    QCOMPARE(shown(parsed(text, {"time", "$fault"}, options)),
             QString("10:00:01|time_without_date;2026-12-31 23:59:58,5|-;2026-12-31T23:59:59|-;2027-01-01T00:00:00|-;"
                     "2026-12-31T23:59:59|-;2027-01-01T13:00:00|-;2027-02-03T08:00:00|-;2026-12-31T08:00:00|-"));
    options.firstDate = "2026-12-30";
    QCOMPARE(shown(parsed("22:00:00: a\n03:00:00: b\n02:00:00: c\n", {"time"}, options)),
             QString("2026-12-30T22:00:00;2026-12-31T03:00:00;2026-12-31T02:00:00"));
  }

  void aTimeWithoutADateIsADefectWhereNoneIsKnown() {
    RowCollector rows;
    parseAll(*makeLogReader({{"time"}, nullptr, {}}, withPatterns({"paid"})), "10:00:01: paid\n10:00:02: read\n", rows);
    QCOMPARE(shown(rows.rules()), QString("time_without_date"));
    RowCollector untimed;
    parseAll(*makeLogReader({{"message"}, nullptr, {}}, withPatterns({"paid"})), "10:00:01: paid\n", untimed);
    QCOMPARE(shown(untimed.text()), QString("paid"));
  }

  void headsTellWhetherDatesAreMissing() {
    QVERIFY(hasTimesWithoutDate("banner\n2026-03-02 10:00:00 a\n10:00:01: b\n"));
    QVERIFY(hasTimesWithoutDate("Mar  2 10:00:00 host app[1]: b\n"));
    QVERIFY(!hasTimesWithoutDate("2026-03-02T10:00:00Z stdout F 10:00:01: b\n2026-03-02 10:00:00 10:00:01\n"));
  }

  void datesInNames_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("date");
    QTest::newRow("dashes") << "/logs/2025-01-01/worker-2026-11-29.log" << "2026-11-29";
    QTest::newRow("digits") << "worker.log.20261129" << "2026-11-29";
    QTest::newRow("underscores") << "worker_2026_11_29.log.gz" << "2026-11-29";
    QTest::newRow("more digits") << "worker-202611291.log" << "";
    QTest::newRow("no such day") << "worker-2026-13-29.log" << "";
    QTest::newRow("none") << "worker.log" << "";
  }
  void datesInNames() {
    QFETCH(QString, name);
    QFETCH(QString, date);
    QCOMPARE(shown(dateInName(name.toStdString())), date);
  }
};

QTEST_APPLESS_MAIN(TstLogLines)
#include "tst_log_lines.moc"
