// SPDX-License-Identifier: GPL-3.0-or-later
// Redis dumps as files: found by their content, packed, read by mappings, with their lines and raw
// texts.
#include <QTemporaryDir>
#include <QTest>

#include "importers/formats/identify.h"
#include "importers/input/opened_file.h"
#include "tests/importers/redis_rows.h"
#include "tests/importers/scanned_files.h"
#include "tests/importers/zip_writer.h"

using namespace counterfoil;
using namespace counterfoil::testing;
using namespace std::string_literals;

class TstRedisFiles : public QObject {
  Q_OBJECT

  QTemporaryDir m_folder;
  std::string write(const std::string& name, const std::string& bytes) {
    return writeFile(m_folder.path().toStdString(), name, bytes);
  }
  static std::unique_ptr<Scanned> read(const std::string& path,
                                       const std::vector<std::string>& mappings) {
    SourceSpec source = sourceOf(path, "");
    for (const std::string& mapping : mappings) source.mappings.push_back(mappingOf(mapping));
    return scanned({source});
  }
  static std::string depthsOf(const Scanned& read) {
    std::string text;
    for (const QueueDepth& depth : read.sink.depths)
      text += depth.queue + ":" + std::to_string(depth.depth.value_or(-1)) + " ";
    return text;
  }
  static std::string problemOfLayout(const std::string& layout) {
    const auto node = parseJson(
        R"({"record": "claim", "layout": )" + layout + R"(, "fields": {"key": "key"}})", "m");
    const auto mapping = parseMapping(*node);
    return mapping ? "" : mapping.error().message;
  }

 private slots:
  void aDumpIsReadByItsMappings();
  void packedOnesToo_data();
  void packedOnesToo();
  void recordsNameTheirLineAndShowTheirRow();
  void whatIsQuarantinedIsMaskedToo();
  void aCutDumpIsNotComplete();
  void bytesThatAreNoTextAreTold();
  void aServersOwnDumpIsRefused();
  void noOtherFormatTakesADump();
  void linesThatSaySoAreNoLogOfADump();
  void aDeclaredKindIsKept();
  void answersOfRedisCliNeedTheirKey();
  void layoutsAreChecked();
};

namespace {

const std::string kClaims = R"({"record": "claim", "layout": {"kind": "redis", "keys": "re:^done:"},
  "fields": {"key": {"column": "key", "find": "^done:(.+)$"}, "state": {"value": "completed"}}})";

const std::string kDepths =
    R"({"record": "queue_depth", "layout": {"kind": "redis", "rows": "keys", "keys": "re:^queue:"},
  "fields": {"queue": {"column": "key", "find": "^queue:(.+)$"}, "depth": "count_all"}})";

const std::string kDump =
    dumped("done:a", "string", R"("1")") + dumped("queues", "set", R"(["mail","pay"])") +
    dumped("queue:pay", "list", R"(["{\"jid\":\"j1\"}","{\"jid\":\"j2\"}"])") +
    dumped("done:b", "string", R"("4111 1111 1111 1111")", 0, 60);

}  // namespace

void TstRedisFiles::aDumpIsReadByItsMappings() {
  const auto result = read(write("dump.jsonl", kDump), {kClaims, kDepths});
  QCOMPARE(result->error, ""s);
  QCOMPARE(result->reports.at(0).problem, ""s);
  QCOMPARE(result->keys(), "a:- b:-"s);
  QCOMPARE(depthsOf(*result), "pay:2 mail:0 "s);
  QCOMPARE(result->reports.at(0).rows, std::uint64_t{4});
}

void TstRedisFiles::packedOnesToo_data() {
  QTest::addColumn<QByteArray>("bytes");
  QTest::addColumn<QString>("name");
  const auto bytes = [](const std::string& text) {
    return QByteArray(text.data(), static_cast<int>(text.size()));
  };
  std::string narrow = "[\n";
  for (std::size_t at = 0; at < kDump.size();) {
    const std::size_t end = kDump.find('\n', at);
    narrow += (at > 0 ? ",\n  " : "  ") + kDump.substr(at, end - at);
    at = end + 1;
  }
  QTest::newRow("gzip") << bytes(gzipped(kDump)) << "dump.jsonl.gz";
  QTest::newRow("whatever its name") << bytes(gzipped(kDump)) << "dump.bin";
  QTest::newRow("mark") << bytes("\xEF\xBB\xBF" + kDump) << "dump.json";
  QTest::newRow("array") << bytes(narrow + "\n]\n") << "dump.json";
  QTest::newRow("archive") << bytes(zipOf({{"a/dump.jsonl", kDump}})) << "dump.zip";
  QTest::newRow("gzip in an archive")
      << bytes(zipOf({{"dump.jsonl.gz", gzipped(kDump)}})) << "dump.zip";
}

void TstRedisFiles::packedOnesToo() {
  QFETCH(QByteArray, bytes);
  QFETCH(QString, name);
  const auto result = read(write(name.toStdString(), bytes.toStdString()), {kClaims, kDepths});
  QCOMPARE(result->reports.at(0).problem, ""s);
  QCOMPARE(result->keys(), "a:- b:-"s);
  QCOMPARE(depthsOf(*result), "pay:2 mail:0 "s);
}

void TstRedisFiles::recordsNameTheirLineAndShowTheirRow() {
  const auto result = read(write("lines.jsonl", kDump), {kClaims});
  std::vector<std::string> seen;
  for (const SlimRecord& slim : result->sink.slims)
    seen.push_back(std::to_string(result->input->lineOf(slim.ref)) + " " +
                   result->input->rawText(slim.ref));
  std::sort(seen.begin(), seen.end());
  QCOMPARE(seen.size(), std::size_t{2});
  QCOMPARE(
      seen[0],
      R"(1 {"db":0,"key":"done:a","base":"done:a","type":"string","ttl":-1,"index":0,"value":"1"})"s);
  // Card numbers are masked there, as in the raw text of any row.
  QCOMPARE(
      seen[1],
      R"(4 {"db":0,"key":"done:b","base":"done:b","type":"string","ttl":60,"index":0,"value":"************1111"})"s);
}

void TstRedisFiles::whatIsQuarantinedIsMaskedToo() {
  const std::string text =
      kDump + R"({"db":0,"key":"done:c","ttl":-1,"type":"string","value":"4111111111111111)" +
      "\n" + dumped("done:d", "string", R"("1")");
  const auto result = read(write("broken.jsonl", text), {kClaims});
  QCOMPARE(result->keys(), "a:- b:- d:-"s);
  QCOMPARE(result->rules(), "5:bad_entry"s);
  QVERIFY(result->sink.rows[0].raw.find("4111111111111111") == std::string::npos);
  QVERIFY(result->sink.rows[0].raw.find("************1111") != std::string::npos);
  QVERIFY(result->sink.rows[0].reason.find("the line ends in the middle of a value") !=
          std::string::npos);
}

void TstRedisFiles::aCutDumpIsNotComplete() {
  const auto result = read(write("cut.jsonl", kDump.substr(0, kDump.size() - 20)), {kClaims});
  QVERIFY(!result->reports.at(0).complete);
  QVERIFY2(result->reports.at(0).problem.find("cut off in line 4") != std::string::npos,
           result->reports.at(0).problem.c_str());
  QVERIFY(result->records.empty());
  const std::string packed = gzipped(kDump);
  const auto half = read(write("cut.jsonl.gz", packed.substr(0, packed.size() - 4)), {kClaims});
  QVERIFY(!half->reports.at(0).complete);
  QVERIFY(half->records.empty());
}

void TstRedisFiles::bytesThatAreNoTextAreTold() {
  const auto result =
      read(write("bytes.jsonl", dumped("done:a", "string", "\"\xFF\xFE\"")), {kClaims});
  QVERIFY(!result->reports.at(0).complete);
  QVERIFY(result->reports.at(0).problem.find("{\"base64\": \"…\"}") != std::string::npos);
  std::string late = kDump;
  while (late.size() < 200'000)
    late +=
        dumped("x" + std::to_string(late.size()), "string", "\"" + std::string(500, 'x') + "\"");
  late += dumped("done:z", "string", "\"\xFF\xFE\"");
  const auto further = read(write("late.jsonl", late), {kClaims});
  QVERIFY(!further->reports.at(0).complete);
  QVERIFY(further->records.empty());
}

void TstRedisFiles::aServersOwnDumpIsRefused() {
  const std::string rdb =
      "REDIS0011\xFA\x09redis-ver\x05"
      "7.0.15\xFE\x00\xFB"s;
  for (const std::string& path : {write("dump.rdb", rdb), write("dump.rdb.gz", gzipped(rdb))}) {
    for (const std::vector<std::string>& mappings :
         {std::vector<std::string>{kClaims}, std::vector<std::string>{}}) {
      const auto result = read(path, mappings);
      QVERIFY(!result->reports.at(0).complete);
      QVERIFY2(result->reports.at(0).problem.find("rdb --command json dump.rdb > dump.json") !=
                   std::string::npos,
               result->reports.at(0).problem.c_str());
    }
  }
  const auto words = read(write("words.txt", "REDIS2026 is a conference\n"), {kClaims});
  QVERIFY(words->reports.at(0).problem.find("no Redis dump") != std::string::npos);
}

void TstRedisFiles::noOtherFormatTakesADump() {
  // Members that generic formats know: key, status, amount, ids.
  std::string text;
  for (int i = 0; i < 20; ++i) {
    text += dumped(
        "k" + std::to_string(i), "hash",
        R"({"id":"1","key":"k","status":"done","amount":"5.00","currency":"USD","created_at":"2026-04-07T10:00:00Z"})");
  }
  for (const std::string& path :
       {write("app.jsonl", text), write("claims.jsonl", text), write("effects.json", text)}) {
    const auto answers = askFormats(path, "UTC", {});
    QVERIFY(answers.has_value());
    for (const FormatAnswer& answer : *answers) {
      QVERIFY2(answer.mappings.front()->layout().kind == LayoutKind::Redis, answer.name.c_str());
    }
  }
}

void TstRedisFiles::linesThatSaySoAreNoLogOfADump() {
  const std::string text =
      dumped("queue:pay", "list",
             R"(["{\"error_message\":\"charge already processed, skipping\"}"])") +
      dumped("lock", "string", R"("key already exists, skipping duplicate job")");
  const auto answers = askFormats(write("words.jsonl", text), "UTC", {});
  QVERIFY(answers.has_value());
  for (const FormatAnswer& answer : *answers)
    QVERIFY2(answer.mappings.front()->layout().kind == LayoutKind::Redis, answer.name.c_str());
}

void TstRedisFiles::aDeclaredKindIsKept() {
  const std::string path = write("kept.jsonl", kDump);
  const auto result = read(path, {R"({"record": "claim", "layout": {"kind": "ndjson"},
    "fields": {"key": "key", "state": {"value": "completed"}}})"});
  QCOMPARE(result->reports.at(0).problem, ""s);
  QCOMPARE(result->reports.at(0).rows, std::uint64_t{4});
  QCOMPARE(result->rules(), ""s);
  // A mapping of one's own that does not say reads elements.
  const auto open = read(
      path,
      {R"({"record": "claim", "fields": {"key": {"column": "value.jid"}, "state": {"value": "completed"}}, "exclude": [{"column": "value.jid", "is": ""}]})"});
  QCOMPARE(open->keys(), "j1:- j2:-"s);
  QCOMPARE(open->reports.at(0).excluded, std::uint64_t{4});
}

void TstRedisFiles::answersOfRedisCliNeedTheirKey() {
  const std::string list = R"(["{\"jid\":\"j1\"}","{\"jid\":\"j2\"}"])"
                           "\n";
  const auto with = [](const std::string& layout) {
    return R"({"record": "claim", "layout": )" + layout +
           R"(, "fields": {"key": "value.jid", "op_ref": "key",
      "state": {"value": "completed"}}})";
  };
  const std::string path = write("answer.json", list);
  const auto named = read(path, {with(R"({"kind": "redis", "key": "queue:pay"})")});
  QCOMPARE(named->reports.at(0).problem, ""s);
  QCOMPARE(named->keys(), "j1:- j2:-"s);
  QCOMPARE(headOf(named->records[0])->opRef, "queue:pay"s);
  const auto plain = read(write("answer.txt", "f\n{\"jid\":\"j3\"}\n"),
                          {with(R"({"kind": "redis", "key": "h"})")});
  QCOMPARE(plain->keys(), "j3:-"s);
  const auto unnamed =
      read(write("answer2.txt", "f\n{\"jid\":\"j3\"}\n"), {with(R"({"kind": "redis"})")});
  QVERIFY(unnamed->reports.at(0).problem.find(
              "an answer of redis-cli needs \"key\" in the layout") != std::string::npos);
  const auto dump =
      read(write("dump2.jsonl", kDump), {with(R"({"kind": "redis", "key": "queue:pay"})")});
  QVERIFY(dump->reports.at(0).problem.find("a dump of many keys") != std::string::npos);
}

void TstRedisFiles::layoutsAreChecked() {
  QCOMPARE(problemOfLayout(R"({"kind": "redis", "rows": "keys", "keys": ["a", "re:^b"]})"), ""s);
  QVERIFY(problemOfLayout(R"({"kind": "redis", "rows": "/data"})")
              .find("\"items\", \"hashes\" or \"keys\"") != std::string::npos);
  QVERIFY(
      problemOfLayout(R"({"kind": "json", "rows": "keys"})").find("needs \"kind\": \"redis\"") !=
      std::string::npos);
  QVERIFY(problemOfLayout(R"({"keys": "a"})").find("need \"kind\": \"redis\"") !=
          std::string::npos);
  QVERIFY(problemOfLayout(R"({"kind": "redis", "keys": []})").find("an empty list") !=
          std::string::npos);
  QVERIFY(!problemOfLayout(R"({"kind": "redis", "keys": "re:("})").empty());
  QVERIFY(problemOfLayout(R"({"kind": "redis", "type": "zset"})").find("'type' needs 'key'") !=
          std::string::npos);
  QVERIFY(problemOfLayout(R"({"kind": "redis", "key": "a", "type": "card"})")
              .find("known are hash, list") != std::string::npos);
}

QTEST_APPLESS_MAIN(TstRedisFiles)
#include "tst_redis_files.moc"
