// SPDX-License-Identifier: GPL-3.0-or-later
// Each format of reports: what it says (golden files), that it is the same twice, that its own kind of reader
// takes it, and that texts from hostile files stay texts in it.
#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QtTest>

#include "core/base/text.h"
#include "reports/writers/report_format.h"
#include "reports/writers/report_index.h"
#include "tests/golden/golden.h"
#include "tests/reports/report_store.h"

using namespace counterfoil;
using namespace counterfoil::testing;

namespace {

using Write = Result<> (*)(const ReportModel&, const WriterOptions&, Sink&);

std::string written(const Result<Store>& store, Write write, const ReportRequest& request = {}, const WriterOptions& options = {}) {
  if (!store) return "error: " + store.error().message;
  ReportRequest named = request;
  named.name = "shop";
  const auto model = ReportModel::load(*store, named);
  if (!model) return "error: " + model.error().message;
  StringSink sink;
  const auto ok = write(*model, options, sink);
  return ok ? sink.text() : "error: " + ok.error().message;
}

/// Without style, script and their digests, which are not what the page says.
std::string contentOf(const std::string& html) {
  QString text = QString::fromStdString(html);
  text.remove(QRegularExpression("<style>.*</style>|<script>.*</script>|<meta http-equiv[^>]*>", QRegularExpression::DotMatchesEverythingOption));
  return text.replace("><", ">\n<").toStdString();
}

ReportRequest inRussian() {
  ReportRequest request;
  request.language = Language::Russian;
  return request;
}

/// Problems of a text file of metrics by the rules of the exposition format and of the textfile collector.
QString metricsProblem(const std::string& text) {
  static const QRegularExpression sample(
      R"re(^([a-z_]+)(\{[a-z_]+="(?:[^"\\\n]|\\["\\n])*"(?:,[a-z_]+="(?:[^"\\\n]|\\["\\n])*")*\})? (-?[0-9]+(?:\.[0-9]+)?)$)re");
  static const QRegularExpression comment(R"re(^# (HELP [a-z_]+ .+|TYPE [a-z_]+ gauge)$)re");
  QSet<QString> types, samples;
  if (text.empty() || text.back() != '\n') return "no line end at the end";
  for (const QString& line : QString::fromStdString(text).split('\n', Qt::SkipEmptyParts)) {
    if (comment.match(line).hasMatch()) {
      if (!line.startsWith("# TYPE")) continue;
      if (types.contains(line.split(' ')[2])) return "twice: " + line;
      types.insert(line.split(' ')[2]);
      continue;
    }
    const auto match = sample.match(line);
    if (!match.hasMatch()) return "no sample: " + line;
    if (!types.contains(match.captured(1))) return "no type: " + line;
    const QString series = match.captured(1) + match.captured(2);
    if (samples.contains(series)) return "series twice: " + line;
    samples.insert(series);
  }
  return {};
}

QString xmllintProblem(const std::string& xml) {
  QTemporaryDir folder;
  writeAll(folder.filePath("a.xml"), QByteArray::fromStdString(xml));
  QProcess lint;
  lint.start("xmllint", {"--noout", "--nonet", folder.filePath("a.xml")});
  if (!lint.waitForFinished(30000)) return "xmllint (package libxml2-utils) does not run";
  return lint.exitCode() == 0 ? QString() : QString::fromUtf8(lint.readAllStandardError());
}

}  // namespace

class TstReportWriters : public QObject {
  Q_OBJECT
 private slots:
  void content() {
    VERIFY_GOLDEN("report.html", contentOf(written(sampleStore(), writeHtml)));
    VERIFY_GOLDEN("report-ru.html", contentOf(written(sampleStore(), writeHtml, inRussian())));
    VERIFY_GOLDEN("report.csv", written(sampleStore(), writeCasesCsv));
    VERIFY_GOLDEN("report.json", written(sampleStore(), writeReportJson));
    VERIFY_GOLDEN("report.ndjson", written(sampleStore(), writeCasesNdjson));
    VERIFY_GOLDEN("report.txt", written(sampleStore(), writeReportText));
    VERIFY_GOLDEN("report-ru.txt", written(sampleStore(), writeReportText, inRussian()));
    VERIFY_GOLDEN("report.md", written(sampleStore(), writeMarkdown));
    VERIFY_GOLDEN("report.xml", written(sampleStore(), writeJunit));
    VERIFY_GOLDEN("report.prom", written(sampleStore(), writeMetrics));
  }

  void aCaseAsAPage() {
    ReportRequest request;
    request.kind = ReportKind::Case;
    request.caseId = "charge:4471";
    VERIFY_GOLDEN("report-case.html", contentOf(written(sampleStore(), writeHtml, request)));
    VERIFY_GOLDEN("report-case.md", written(sampleStore(), writeMarkdown, request));
  }

  void aTestACase() {
    WriterOptions options;
    options.split = JunitSplit::Case;
    const std::string xml = written(sampleStore(), writeJunit, {}, options);
    QCOMPARE(xmllintProblem(xml), QString());
    QVERIFY(xml.find("tests=\"14\" failures=\"9\" errors=\"0\" skipped=\"2\"") != std::string::npos);
  }

  void twiceTheSame_data() { formats(); }
  void twiceTheSame() {
    QFETCH(quintptr, write);
    for (const bool hostile : {false, true}) {
      const auto make = hostile ? hostileStore : sampleStore;
      const std::string once = written(make(), reinterpret_cast<Write>(write));
      QVERIFY2(!once.starts_with("error"), once.substr(0, 300).c_str());
      QVERIFY(once == written(make(), reinterpret_cast<Write>(write)));
    }
  }

  void hostileTextsAreOnlyText_data() { formats(); }
  void hostileTextsAreOnlyText() {
    QFETCH(quintptr, write);
    for (const bool unmask : {false, true}) {
      ReportRequest request;
      request.unmask = unmask;
      const std::string out = written(hostileStore(), reinterpret_cast<Write>(write), request);
      QVERIFY(isValidUtf8(out));
      QVERIFY(out.find("\xE2\x80\xAE") == std::string::npos);   // turns the reading direction
      for (const char c : out) QVERIFY(static_cast<unsigned char>(c) >= 0x20 || c == '\n' || c == '\r' || c == '\t');
    }
  }

  void markupStaysText() {
    for (const bool unmask : {false, true}) {
      ReportRequest request;
      request.unmask = unmask;
      const std::string html = written(hostileStore(), writeHtml, request);
      QCOMPARE(QString::fromStdString(html).count("<script"), 1);   // ours
      for (const char* bad : {"<img", "onerror=alert(1)>", "</style></title>'", "<x/>", " onload='"}) {
        QVERIFY2(html.find(bad) == std::string::npos, bad);
      }
      QVERIFY(html.size() < (1u << 20));   // a field of a megabyte is cut
    }
    const QString markdown = QString::fromStdString(written(hostileStore(), writeMarkdown));
    QVERIFY(!markdown.contains("<script") && !markdown.contains("](javascript"));
  }

  void csvHoldsNoFormula() {
    const std::string csv = written(hostileStore(), writeCasesCsv);
    QVERIFY(csv.find(",=HYPERLINK") == std::string::npos && csv.find(",\"=HYPERLINK") == std::string::npos);
    QVERIFY(csv.find(",@SUM") == std::string::npos);
    QVERIFY(csv.find("'=HYPERLINK") != std::string::npos);
  }

  void readersTakeIt() {
    for (const auto& make : {sampleStore, hostileStore}) {
      QJsonParseError error{};
      const auto report = QJsonDocument::fromJson(QByteArray::fromStdString(written(make(), writeReportJson)), &error).object();
      QCOMPARE(error.error, QJsonParseError::NoError);
      QVERIFY(report["cases"].toArray().size() > 5);
      const QByteArray lines = QByteArray::fromStdString(written(make(), writeCasesNdjson));
      for (const QByteArray& line : lines.split('\n')) {
        if (line.isEmpty()) continue;
        QVERIFY(!QJsonDocument::fromJson(line, &error).object()["case_version"].toString().isEmpty());
        QCOMPARE(error.error, QJsonParseError::NoError);
      }
      QCOMPARE(xmllintProblem(written(make(), writeJunit)), QString());
      WriterOptions options;
      options.split = JunitSplit::Case;
      QCOMPARE(xmllintProblem(written(make(), writeJunit, {}, options)), QString());
      options.now = day(8, 7);
      options.took = std::chrono::milliseconds(1250);
      options.exitCode = 1;
      QCOMPARE(metricsProblem(written(make(), writeMetrics, {}, options)), QString());
    }
  }

  void aFullDiskIsSaid() {
    class Full final : public Sink {
     public:
      Result<> write(std::string_view) override { return fail(ErrorCode::WriteFailed, "disk full"); }
    };
    const auto store = sampleStore();
    QVERIFY(store.has_value());
    const auto model = ReportModel::load(*store, {});
    QVERIFY(model.has_value());
    for (const Write write : {&writeHtml, &writeCasesCsv, &writeReportJson, &writeCasesNdjson, &writeReportText, &writeMarkdown, &writeJunit, &writeMetrics}) {
      Full full;
      const auto ok = write(*model, {}, full);
      QVERIFY(!ok.has_value());
      QCOMPARE(ok.error().code, ErrorCode::WriteFailed);
    }
  }

  void anIndexReadsBack() {
    IndexEntry entry{"a b\".html", "html", "<b>", "shop", 7, "2026-04-08T06:00:00Z", 3, 1, false, "USD 1.00"};
    std::vector<IndexEntry> entries;
    addToIndex(entries, entry);
    entry.file = "older.html";
    entry.asOf = "2026-04-07T06:00:00Z";
    addToIndex(entries, entry);
    addToIndex(entries, entry);
    QCOMPARE(entries.size(), std::size_t(2));
    const auto read = readIndex(indexJson(entries));
    QVERIFY(read.has_value());
    QVERIFY(*read == entries);
    const std::string html = indexHtml(entries, Words(Language::English));
    QVERIFY(html.find("href=\"./a%20b%22.html\"") != std::string::npos && html.find("<b>") == std::string::npos);
    QCOMPARE(readIndex("{\"reports\": []}").error().code, ErrorCode::Format);
    QCOMPARE(readIndex("[").error().code, ErrorCode::Format);
    const auto outside = readIndex(R"({"index": "counterfoil-reports", "reports": [{"file": "../x"}, {"file": 3}, 7]})");
    QVERIFY(outside.has_value() && outside->empty());
  }

 private:
  static void formats() {
    QTest::addColumn<quintptr>("write");
    const auto row = [](const char* name, Write write) { QTest::newRow(name) << reinterpret_cast<quintptr>(write); };
    row("html", writeHtml);
    row("csv", writeCasesCsv);
    row("json", writeReportJson);
    row("ndjson", writeCasesNdjson);
    row("text", writeReportText);
    row("markdown", writeMarkdown);
    row("junit", writeJunit);
    row("metrics", writeMetrics);
  }
};

QTEST_APPLESS_MAIN(TstReportWriters)
#include "tst_report_writers.moc"
