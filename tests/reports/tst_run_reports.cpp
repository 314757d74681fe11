// SPDX-License-Identifier: GPL-3.0-or-later
// The run object, the case lines in each format, and the text for people, against golden files.
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

#include "reports/json/run_json.h"
#include "reports/list/lines.h"
#include "reports/list/list_tables.h"
#include "reports/text/run_text.h"
#include "tests/golden/golden.h"
#include "tests/golden/sample_outcome.h"

using namespace counterfoil;
using namespace counterfoil::testing;

namespace {

std::string listed(ListFormat format, const std::vector<Unit>& units) {
  StringSink sink;
  ListPrinter<CaseLine> printer(sink, format, {100, false});
  CaseLine line;
  for (const Unit& unit : units) {
    fillCaseLine(unit, day(8, 6), line);
    if (!printer.add(line)) return "failed";
  }
  return printer.finish() ? sink.text() : "failed";
}

Unit hostileUnit() {
  Unit unit = unitOf(Class::MissingEffect, Severity::High, "=HYPERLINK(\"x\")\r\n\x1b[2J",
                     {usd(-5)}, "a\xFF\"b");
  unit.records.attempts = {attemptOf("@job,1\n")};
  return unit;
}

class FailingSink final : public Sink {
 public:
  Result<> write(std::string_view) override { return fail(ErrorCode::WriteFailed, "disk full"); }
};

}  // namespace

class TstRunReports : public QObject {
  Q_OBJECT
 private slots:
  void runObject() {
    const std::string json = runJson(sampleResult(), std::nullopt);
    QJsonParseError error{};
    const QJsonObject run =
        QJsonDocument::fromJson(QByteArray::fromStdString(json), &error).object();
    QCOMPARE(error.error, QJsonParseError::NoError);
    QVERIFY(run["run"].isNull());
    QCOMPARE(run["as_of"].toString(), QStringLiteral("2026-04-08T06:00:00Z"));
    QCOMPARE(run["classes"].toObject()["missing_effect"].toInt(), 7);
    QCOMPARE(run["skips"].toObject()["stranded"].toInt(), 1);
    QCOMPARE(run["proof"].toArray()[0].toObject()["unexplained_minor"].toInt(), 0);
    VERIFY_GOLDEN("run.json", json);
  }

  void runObjectWithNumber() {
    const QByteArray json = QByteArray::fromStdString(runJson(sampleResult(), 7));
    QCOMPARE(QJsonDocument::fromJson(json).object()["run"].toInt(), 7);
  }

  void caseLinesAsNdjson() {
    VERIFY_GOLDEN("cases.ndjson", listed(ListFormat::Ndjson, sampleUnits()));
  }
  void caseLinesAsCsv() { VERIFY_GOLDEN("cases.csv", listed(ListFormat::Csv, sampleUnits())); }
  void caseLinesAsJson() {
    const std::string json = listed(ListFormat::Json, sampleUnits());
    QCOMPARE(QJsonDocument::fromJson(QByteArray::fromStdString(json)).array().size(),
             qsizetype(11));
  }
  void caseLinesAsTable() { VERIFY_GOLDEN("cases.txt", listed(ListFormat::Table, sampleUnits())); }

  void emptyLists_data() {
    QTest::addColumn<int>("format");
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("ndjson") << static_cast<int>(ListFormat::Ndjson) << QByteArray();
    QTest::newRow("json") << static_cast<int>(ListFormat::Json) << QByteArray("[]\n");
    QTest::newRow("table") << static_cast<int>(ListFormat::Table) << QByteArray();
    QTest::newRow("csv keeps its header")
        << static_cast<int>(ListFormat::Csv)
        << QByteArray(
               "case,key,scope,operation,class,why,hints,flags,severity,state,exposure,attempts,"
               "effects,"
               "skips,dead_letters,keys,op_ref,candidates,first_run,last_run,age,reason\r\n");
  }
  void emptyLists() {
    QFETCH(int, format);
    QFETCH(QByteArray, text);
    QCOMPARE(QByteArray::fromStdString(listed(static_cast<ListFormat>(format), {})), text);
  }

  void effectsStandInOrderOfTimeAndJobsOnce() {
    CaseLine line;
    fillCaseLine(sampleUnits().front(), day(8, 6), line);
    QCOMPARE(line.effects, (std::vector<std::string>{"ch_1", "ch_2"}));
    QCOMPARE(line.attempts, (std::vector<std::string>{"job-1", "job-2"}));
    QCOMPARE(line.age, std::string("26h"));
    QCOMPARE(line.state, std::string("open"));
  }

  void hostileTextIsHarmless() {
    const std::string ndjson = listed(ListFormat::Ndjson, {hostileUnit()});
    QCOMPARE(std::count(ndjson.begin(), ndjson.end(), '\n'), std::ptrdiff_t(1));
    QVERIFY(ndjson.find('\x1b') == std::string::npos);
    const QJsonObject row = QJsonDocument::fromJson(QByteArray::fromStdString(ndjson)).object();
    QCOMPARE(row["key"].toString(), QStringLiteral("=HYPERLINK(\"x\")\r\n\x1b[2J"));
    const std::string csv = listed(ListFormat::Csv, {hostileUnit()});
    QVERIFY(csv.find('\x1b') == std::string::npos);
    QVERIFY(csv.find("\"'=HYPERLINK(\"\"x\"\")\r\n") != std::string::npos);
    QVERIFY(csv.find("\"'@job,1\n\"") != std::string::npos);
    QVERIFY(csv.find("USD -5") != std::string::npos);
  }

  void aFailingSinkIsReported() {
    FailingSink sink;
    ListWriter writer(sink, ListFormat::Csv);
    writer.begin([](LineVisitor& visitor) { describe(SkipLine{}, visitor); }, {});
    const Result<> finished = writer.finish();
    QVERIFY(!finished);
    QCOMPARE(finished.error().code, ErrorCode::WriteFailed);
  }

  void textForPeople() {
    const auto text =
        runText(sampleOutcome(), {{100, false}, 5, false, {"counterfoil match --format csv"}});
    QVERIFY(text.has_value());
    VERIFY_GOLDEN("run.txt", *text);
  }

  void textFitsTheWidth_data() {
    QTest::addColumn<int>("width");
    for (const int width : {60, 80, 100, 160}) QTest::addRow("%d columns", width) << width;
  }
  void textFitsTheWidth() {
    QFETCH(int, width);
    const auto text =
        runText(sampleOutcome(), {{static_cast<std::size_t>(width), false}, 5, false, {}});
    QVERIFY(text.has_value());
    for (const QString& line : QString::fromStdString(*text).split(u'\n')) {
      QVERIFY2(line.size() <= width, qPrintable(line));
      QVERIFY2(!line.endsWith(u' '), qPrintable(line));
    }
  }

  void colourAddsNothingElse() {
    const auto plain = runText(sampleOutcome(), {{100, false}, 5, false, {}});
    auto coloured = QString::fromStdString(*runText(sampleOutcome(), {{100, true}, 5, false, {}}));
    QVERIFY(coloured.contains(u'\x1b'));
    coloured.remove(QRegularExpression(QStringLiteral("\x1b\\[[0-9;]*m")));
    QCOMPARE(coloured, QString::fromStdString(*plain));
  }

  void hostileTextIsVisibleInTheReport() {
    RunOutcome outcome{sampleResult(),
                       std::make_unique<ListedUnits>(std::vector<Unit>{hostileUnit()})};
    outcome.result.sources[0].name = "\x1b]0;title\x07";
    outcome.result.incompleteBecause = {"\x1b[31mred"};
    const auto text = runText(outcome, {{100, false}, 5, false, {}});
    QVERIFY(text->find('\x1b') == std::string::npos);
    QVERIFY(text->find('\x07') == std::string::npos);
  }

  void aNightWithoutBreaksSaysSo() {
    RunOutcome outcome;
    outcome.result.asOf = day(8, 6);
    outcome.result.units = 3;
    outcome.result.classes = {{Class::Matched, 3}};
    const auto text = runText(outcome, {{100, false}, 5, false, {}});
    QCOMPARE(QString::fromStdString(*text),
             QStringLiteral("All 3 operations that could be judged agree.\n"
                            "2026-04-08 06:00 UTC: 3 operations, 3 agree\n"));
  }

  void anIncompleteNightNeverSoundsFine() {
    RunOutcome outcome;
    outcome.result.asOf = day(8, 6);
    outcome.result.complete = false;
    outcome.result.incompleteBecause = {"source statement: no file fits exports/*.csv"};
    const auto text = QString::fromStdString(*runText(outcome, {{100, false}, 5, false, {}}));
    QVERIFY(text.startsWith(
        QStringLiteral("The result is incomplete. There is nothing to compare.\n")));
    QVERIFY(text.contains(QStringLiteral("source statement: no file fits exports/*.csv")));
  }
};

QTEST_APPLESS_MAIN(TstRunReports)
#include "tst_run_reports.moc"
