// SPDX-License-Identifier: GPL-3.0-or-later
// Logs as files: conditions of a mapping, encodings, packed files, chunks, dates that stand elsewhere.
#include <QTemporaryDir>
#include <QTest>

#include "core/base/instant.h"
#include "packed_bytes.h"
#include "scanned_files.h"

using namespace counterfoil;
using namespace counterfoil::testing;

namespace {

const std::string kFields = R"("fields":{"key":"key","time":"time","job_id":"job"})";

SourceSpec sourceWith(const std::string& path, const std::vector<std::string>& mappings) {
  SourceSpec source = sourceOf(path, "");
  for (const std::string& mapping : mappings) source.mappings.push_back(mappingOf(mapping));
  return source;
}

std::string skipsOf(const std::string& layout) {
  return "{\"record\":\"skip\",\"layout\":{\"kind\":\"log\"," + layout + "}," + kFields + "}";
}

std::string timesOf(const Scanned& read) {
  std::string all;
  for (const AnyRecord& record : read.records) {
    all += (all.empty() ? "" : " ") + formatInstant(std::get<Skip>(record).time);
  }
  return all;
}

std::string messageOf(const std::string& mapping) {
  const Result<JsonNode> node = parseJson(mapping, "test");
  const auto parsed = parseMapping(*node);
  return parsed ? std::string() : parsed.error().message;
}

}  // namespace

class TstLogInput : public QObject {
  Q_OBJECT
 private:
  QTemporaryDir m_folder;
  std::string write(const std::string& name, const std::string& bytes) {
    return writeFile(m_folder.path().toStdString(), name, bytes);
  }

 private slots:
  void conditionsAndPatternsTellTheRows() {
    const std::string text =
        "starting\n"
        "2026-03-02T10:00:00Z INFO paid key=k0\n"
        "2026-03-02T10:00:01Z INFO leaving out k1\n"
        "{\"time\":\"2026-03-02T10:00:02Z\",\"event\":\"job_skipped\",\"key\":\"k2\"}\n"
        "{\"time\":\"2026-03-02T10:00:03Z\",\"event\":\"job_done\",\"key\":\"k3\"}\n"
        "ts=2026-03-02T10:00:04Z event=skip key=k4\n";
    const std::string layout = "\"pattern\":\"leaving out (?<key>\\\\S+)\",\"lines\":[{\"column\":\"event\",\"is\":\"re:skip\"}]";
    const auto read = scanned({sourceWith(write("a.log", text), {skipsOf(layout)})});
    QCOMPARE(read->error, ""s);
    QCOMPARE(read->keys(), "k1:- k2:- k4:-"s);
    QCOMPARE(read->reports.at(0).unmatchedLines, std::uint64_t{3});
    QCOMPARE(read->reports.at(0).rows, std::uint64_t{3});
    QCOMPARE(read->input->lineOf(read->sink.slims.back().ref), std::uint64_t{6});
    const auto strict = scanned({sourceWith(write("a.log", text), {skipsOf(layout + ",\"unmatched\":\"quarantine\"")})});
    QCOMPARE(strict->rules(), "1:unmatched_line 2:unmatched_line 5:unmatched_line"s);
  }

  void aLineOfNeitherMappingIsCountedOnce() {
    const std::string text = "k=1 event=skip time=2026-03-02T10:00:00Z\nk=2 event=done time=2026-03-02T10:00:00Z\nk=3 event=other\n";
    const auto mapping = [](const std::string& event) {
      return "{\"record\":\"skip\",\"layout\":{\"kind\":\"log\",\"lines\":[{\"column\":\"event\",\"is\":\"" + event +
             "\"}]},\"fields\":{\"key\":\"k\",\"time\":\"time\"}}";
    };
    const auto read = scanned({sourceWith(write("two.log", text), {mapping("skip"), mapping("done")})});
    QCOMPARE(read->keys(), "1:- 2:-"s);
    QCOMPARE(read->reports.at(0).unmatchedLines, std::uint64_t{1});
  }

  void faultsAreThoseOfRowsOnly() {
    const std::string text =
        "10:00:00 read \xFF\n"
        "10:00:01 skipping key=k1\n"
        "2026-03-02T10:00:02Z skipping key=k\xFF\n"
        "2026-03-02T10:00:03Z skipping key=k3\n"
        "2026-03-02T10:61:00Z skipping key=k4\n";
    const auto read = scanned({sourceWith(write("faults.log", text), {skipsOf("\"lines\":[{\"column\":\"message\",\"is\":\"re:^skipping\"}]")})});
    QCOMPARE(read->rules(), "2:time_without_date 3:invalid_encoding"s);
    QCOMPARE(read->keys(), "k3:-"s);   // a clock that cannot be is no time: that line's message is not the pattern's
    const auto dated = scanned({sourceWith(write("faults.log", text), {skipsOf("\"date\":\"2026-03-02\",\"lines\":[{\"column\":\"message\",\"is\":\"re:^skipping\"}]")})});
    QCOMPARE(dated->rules(), "3:invalid_encoding"s);
    QCOMPARE(timesOf(*dated), "2026-03-02T10:00:01Z 2026-03-02T10:00:03Z"s);
  }

  void datesComeFromLinesBeforeOrTheName() {
    const std::string text = "23:59:59: skipping key=k1\n00:00:01: skipping key=k2\n";
    const std::string lines = "\"lines\":[{\"column\":\"key\",\"not\":\"\"}]";
    const auto unknown = scanned({sourceWith(write("worker.log", text), {skipsOf(lines)})});
    QCOMPARE(unknown->rules(), "1:time_without_date 2:time_without_date"s);
    QVERIFY(unknown->sink.rows.at(0).reason.find("\"date\"") != std::string::npos);
    const auto before = scanned({sourceWith(write("worker.log", "2026-03-02 23:00:00 started\n" + text), {skipsOf(lines)})});
    QCOMPARE(timesOf(*before), "2026-03-02T23:59:59Z 2026-03-03T00:00:01Z"s);
    const auto named = scanned({sourceWith(write("worker-2026-03-04.log", text), {skipsOf(lines + ",\"date\":\"name\"")})});
    QCOMPARE(timesOf(*named), "2026-03-04T23:59:59Z 2026-03-05T00:00:01Z"s);
    const auto nameless = scanned({sourceWith(write("worker.log", text), {skipsOf(lines + ",\"date\":\"name\"")})});
    QVERIFY(nameless->reports.at(0).problem.find("no date in the file's name") != std::string::npos);
  }

  void aLogIsUtf8ButForItsBadLines() {
    const std::string text = "2026-03-02T10:00:00Z \xE2\x86\x92 k1\n2026-03-02T10:00:00Z caf\xE9\n2026-03-02T10:00:01Z \xE2\x86\x92 k2\n";
    const std::string layout = "\"pattern\":\"\xE2\x86\x92 (?<key>\\\\S+)\"";
    for (const std::string& path : {write("u.log", text), write("u.log.gz", gzipped(text))}) {
      const auto read = scanned({sourceWith(path, {skipsOf(layout)})});
      QCOMPARE(read->error, ""s);
      QCOMPARE(read->reports.at(0).problem, ""s);
      QCOMPARE(read->keys(), "k1:- k2:-"s);
      QCOMPARE(read->reports.at(0).unmatchedLines, std::uint64_t{1});
    }
    const auto declared = scanned({sourceWith(write("l.log", "2026-03-02T10:00:00Z caf\xE9 k1\n"),
                                              {skipsOf("\"encoding\":\"windows-1252\",\"pattern\":\"caf\xC3\xA9 (?<key>\\\\S+)\"")})});
    QCOMPARE(declared->keys(), "k1:-"s);
  }

  void chunksAndStreamsAgree() {
    std::string text;
    std::string keys;
    for (int i = 0; i < 3000; ++i) {
      const std::string key = "k" + std::to_string(i);
      const std::string time = "2026-03-02T10:" + std::to_string(10 + i / 60 % 50) + ":" + std::to_string(10 + i % 50) + "Z";
      text += time + " stdout F Traceback\n";
      if (i % 3 == 0) text += time + " stdout P {\"key\":\"\n" + time + " stderr F noise\n" + time + " stdout F " + key + "\"}\n";
      else text += time + " stderr F {\"key\":\"" + key + "\",\"msg\":\"x\"}\n";
      keys += (keys.empty() ? "" : " ") + key + ":-";
    }
    FileInputOptions options;
    options.chunkBytes = 500;
    const std::string mapping = skipsOf("\"unmatched\":\"pass\"");
    for (const std::string& path : {write("c.log", text), write("c.log.gz", gzipped(text))}) {
      const auto read = scanned({sourceWith(path, {mapping})}, options, 4);
      QCOMPARE(read->error, ""s);
      QCOMPARE(read->keys(), keys);
      QCOMPARE(read->reports.at(0).unmatchedLines, std::uint64_t{4000});
      QCOMPARE(read->rules(), ""s);
    }
  }

  void layoutsAreChecked_data() {
    QTest::addColumn<QString>("layout");
    QTest::addColumn<QString>("message");
    QTest::newRow("lines of another kind") << "\"kind\":\"ndjson\",\"lines\":[{\"column\":\"a\",\"is\":\"b\"}]" << "belong to a layout of kind log";
    QTest::newRow("a date of another kind") << "\"kind\":\"csv\",\"date\":\"name\"" << "belong to a layout of kind log";
    QTest::newRow("no date") << "\"kind\":\"log\",\"date\":\"2026-02-30\"" << "'date' is the day of the first line";
    QTest::newRow("lines that are no list") << "\"kind\":\"log\",\"lines\":\"a\"" << "'lines' has to be a list of conditions";
    QTest::newRow("a condition without a test") << "\"kind\":\"log\",\"lines\":[{\"column\":\"a\"}]" << "one of 'is' and 'not'";
    QTest::newRow("nothing wrong") << "\"kind\":\"log\",\"lines\":[]" << "";
  }
  void layoutsAreChecked() {
    QFETCH(QString, layout);
    QFETCH(QString, message);
    const std::string told = messageOf("{\"record\":\"skip\",\"layout\":{" + layout.toStdString() + "}," + kFields + "}");
    if (message.isEmpty()) QCOMPARE(told, ""s);
    else QVERIFY2(told.find(message.toStdString()) != std::string::npos, told.c_str());
  }
};

QTEST_APPLESS_MAIN(TstLogInput)
#include "tst_log_input.moc"
