// SPDX-License-Identifier: GPL-3.0-or-later
// Every command and every option, as a person would type it: exit code, and something that has to
// stand in each stream. A command or option without a row here fails the last test.
#include <QDir>
#include <QTemporaryDir>
#include <QtTest>
#include <set>

#include "app/batch/command_table.h"
#include "tests/app/test_console.h"
#include "tests/golden/golden.h"

using namespace counterfoil;
using namespace counterfoil::testing;

namespace {

struct Row {
  const char* name;
  const char* line;  ///< {T} is a fresh temporary folder
  int exitCode;
  const char* out;  ///< has to stand in standard output; "" = it is empty; "*" = anything
  const char* err;  ///< the same of standard error
};

constexpr const char* kJobsAndStatement =
    "match --as-of 2026-04-08T06:00:00Z --local jobs.csv --provider statement.csv";

const std::vector<Row>& rows() {
  static const std::vector<Row> rows = {
      {"match breaks", "match --config shop.json", 1, "1 double charge, USD 20.00 too much.", ""},
      {"match clean", "match --config clean.json", 0,
       "All 2 operations that could be judged agree.", ""},
      {"match missing file", "match --config missing-file.json --format json", 3,
       "\"complete\": false", "no-such-statement.csv"},
      {"match mistyped member", "match --config mistyped-member.json", 2, "",
       "mistyped-member.json:8:13"},
      {"match no configuration", "match --config none.json", 2, "", "none.json"},
      {"match nothing", "match", 2, "", "match needs both sides"},
      {"match one side", "match --local jobs.csv", 2, "", "match needs both sides"},
      {"match both kinds", "match --config shop.json --local jobs.csv", 2, "", "not both"},
      {"match files", kJobsAndStatement, 1, "1 double charge", ""},
      {"match as-of", "match --config shop.json --as-of 2026-04-08T07:00:00Z", 1,
       "2026-04-08 07:00 UTC: 5 operations", ""},
      {"match wrong as-of", "match --config shop.json --as-of yesterday", 2, "", "--as-of"},
      {"match fail-on never", "match --config shop.json --fail-on never", 0, "*", ""},
      {"match fail-on critical", "match --config shop.json --fail-on critical", 1, "*", ""},
      {"match json", "match --config shop.json --format json", 1, "\"run\": null", ""},
      {"match ndjson", "match --config shop.json --format ndjson", 1,
       "\"class\": \"duplicate_effect\"", ""},
      {"match csv", "match --config shop.json --format csv", 1, "case,key,scope,operation,class,",
       ""},
      {"match notable", "match --config shop.json --notable --format ndjson", 1,
       "\"class\": \"missing_effect\"", ""},
      {"match all", "match --config clean.json --all --format ndjson", 0, "\"class\": \"matched\"",
       ""},
      {"match output", "match --config shop.json --format csv --output {T}/breaks.csv", 1, "",
       "5 operations, 3 breaks"},
      {"match output fails", "match --config shop.json --output {T}/no/breaks.csv", 4, "",
       "cannot write"},
      {"match quiet", "match --config shop.json --format csv --output {T}/breaks.csv --quiet", 1,
       "", ""},
      {"match memory and threads", "match --config shop.json --memory 64M --threads 1", 1,
       "1 double charge", ""},
      {"match wrong memory", "match --config shop.json --memory 1", 2, "", "--memory"},
      {"match wrong threads", "match --config shop.json --threads 0", 2, "",
       "--threads takes 1 to 256"},
      {"match skips",
       "match --as-of 2026-04-08T06:00:00Z --local jobs.csv --provider statement.csv --skips "
       "skips.csv",
       1, "Skips", ""},
      {"match claims",
       "match --as-of 2026-04-08T06:00:00Z --local jobs.csv --provider statement.csv --claims "
       "claims.csv",
       1, "claims.csv", ""},
      {"match intents",
       "match --as-of 2026-04-08T06:00:00Z --local jobs.csv --provider statement.csv --intents "
       "intents.csv",
       1, "intents.csv", ""},
      {"match outbox",
       "match --as-of 2026-04-08T06:00:00Z --local jobs.csv --provider statement.csv --outbox "
       "outbox.csv",
       1, "outbox.csv", ""},
      {"match dead letters",
       "match --as-of 2026-04-08T06:00:00Z --local jobs.csv --provider statement.csv "
       "--dead-letters dead.csv",
       1, "Dead letters", ""},
      {"match queue depths",
       "match --as-of 2026-04-08T06:00:00Z --local jobs.csv --provider statement.csv "
       "--queue-depths depths.csv",
       1, "payments.dlq", ""},
      {"inspect", "inspect jobs.csv statement.csv", 0, "generic.attempts", ""},
      {"inspect bad rows", "inspect bad-rows.csv", 0, "20.x0", ""},
      {"inspect json", "inspect bad-rows.csv --format json", 0, "\"quarantined\": 2", ""},
      {"inspect as", "inspect statement.csv --as generic.effects", 0, "generic.effects", ""},
      {"inspect as nothing", "inspect statement.csv --as generic.efects", 2, "", "generic.effects"},
      {"inspect output", "inspect jobs.csv --output {T}/jobs.txt", 0, "", ""},
      {"inspect missing", "inspect none.csv", 3, "", "none.csv"},
      {"init", "init jobs.csv statement.csv", 0, "\"format\": \"generic.effects\"",
       "jobs.csv: generic.attempts"},
      {"init output", "init jobs.csv statement.csv --output {T}/counterfoil.json", 0, "",
       "next: counterfoil match --config"},
      {"init missing", "init none.csv", 3, "", "none.csv"},
      {"init nothing known", "init shop.json", 3, "", "no configuration written"},
      {"check", "check shop.json", 0, "generic.effects, 4 rows", ""},
      {"check missing file", "check missing-file.json", 3, "source jobs", "no-such-statement.csv"},
      {"check mistyped member", "check mistyped-member.json", 2, "", "sources"},
      {"check nothing", "check none.json", 2, "", "none.json"},
      {"config show", "config show shop.json", 0, "\"max_runtime\": \"5m\"", ""},
      {"config output", "config show shop.json --output {T}/shown.json", 0, "", ""},
      {"formats", "formats", 0, "generic.queue_depths", ""},
      {"formats json", "formats --format json", 0, "\"name\": \"generic.skips\"", ""},
      {"formats output", "formats --format csv --output {T}/formats.csv", 0, "", ""},
      {"formats one", "formats generic.attempts", 0, "idempotency_key", ""},
      {"formats none", "formats generic.atempts", 2, "", "generic.attempts"},
      {"demo", "demo {T}/demo", 0, "counterfoil match --config", ""},
      {"completion", "completion bash", 0, "complete ", ""},
      {"help", "help match", 0, "--fail-on", ""},
      {"verbose", "demo {T}/demo --verbose", 0, "*", ""},
  };
  return rows;
}

bool holds(const std::string& text, const char* wanted) {
  if (std::string_view(wanted) == "*") return true;
  if (*wanted == '\0') return text.empty();
  return text.find(wanted) != std::string::npos;
}

}  // namespace

class TstCommands : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    QVERIFY(QDir::setCurrent(QStringLiteral(TEST_SOURCE_DIR "/tests/app/fixtures")));
  }

  void asAPersonWouldType_data() {
    QTest::addColumn<int>("index");
    for (std::size_t i = 0; i < rows().size(); ++i)
      QTest::newRow(rows()[i].name) << static_cast<int>(i);
  }
  void asAPersonWouldType() {
    QFETCH(int, index);
    const Row& row = rows()[static_cast<std::size_t>(index)];
    const QTemporaryDir folder;
    TestConsole console;
    const int code = console.run(
        QString::fromLatin1(row.line).replace(QStringLiteral("{T}"), folder.path()).toStdString());
    const std::string all = "exit " + std::to_string(code) + "\n--- out\n" + console.out() +
                            "--- err\n" + console.err();
    QVERIFY2(code == row.exitCode, all.c_str());
    QVERIFY2(holds(console.out(), row.out), all.c_str());
    QVERIFY2(holds(console.err(), row.err), all.c_str());
  }

  void everyCommandAndOptionHasARow() {
    std::set<std::string> seen;
    for (const Row& row : rows()) {
      const QStringList words = QString::fromLatin1(row.line).split(u' ');
      seen.insert(words.front().toStdString());
      for (const QString& word : words) {
        if (word.startsWith(QStringLiteral("--")))
          seen.insert((words.front() + u' ' + word).toStdString());
      }
    }
    for (const auto& command : allCommands()) {
      const std::string name(command->spec().name);
      QVERIFY2(seen.contains(name), name.c_str());
      for (const OptionSpec& option : command->spec().options) {
        const std::string both = name + " " + std::string(option.name);
        QVERIFY2(seen.contains(both), both.c_str());
      }
    }
  }
};

QTEST_APPLESS_MAIN(TstCommands)
#include "tst_commands.moc"
