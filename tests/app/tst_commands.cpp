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
      {"run", "run {C}", 1, "1 double charge, USD 20.00 too much.", "nothing was changed"},
      {"run json", "run {C} --format json --quiet", 1, "\"run\": 1,", ""},
      {"run ndjson", "run {C} --format ndjson --quiet", 1, "\"first_run\": 1", ""},
      {"run all", "run clean.json --all --format ndjson", 0, "\"class\": \"matched\"", ""},
      {"run notable", "run shop.json --notable --format csv", 1, "case,key,", ""},
      {"run as-of", "run shop.json --as-of 2026-04-08T07:00:00Z", 1, "2026-04-08 07:00 UTC", ""},
      {"run before the last", "run {C} --as-of 2026-04-08T05:00:00Z", 2, "", "--backfill"},
      {"run backfill", "run shop.json --backfill --as-of 2026-04-08T07:00:00Z", 1, "*", ""},
      {"run fail-on never", "run shop.json --fail-on never", 0, "*", ""},
      {"run fail-on-new", "run shop.json --fail-on-new", 1, "*", ""},
      {"run baseline", "run shop.json --baseline --fail-on-new", 0, "*", ""},
      {"run reread", "run {C} --reread", 1, "*", "nothing was changed"},
      {"run wait", "run {C} --wait 1s", 1, "*", "*"},
      {"run wrong wait", "run {C} --wait soon", 2, "", "--wait"},
      {"run output", "run {C} --output {T}/run.txt", 1, "", "5 operations"},
      {"run memory and threads", "run shop.json --memory 64M --threads 1", 1, "*", ""},
      {"run nothing", "run none.json", 2, "", "none.json"},
      {"runs", "runs {S}", 0, "2026-04-08T06:00:00Z", ""},
      {"runs filtered", "runs {S} --since 2026-04-08T00:00:00Z --run 1 --limit 1 --format ndjson", 0,
       "\"breaks\": 3", ""},
      {"runs output", "runs {S} --format csv --output {T}/runs.csv", 0, "", ""},
      {"runs of no store", "runs none.counterfoil", 2, "", "no such store"},
      {"cases", "cases {S}", 0, "Double charge", ""},
      {"cases filtered",
       "cases {S} --class duplicate_effect --state open --severity critical --key charge:2 --text CHARGE:2 "
       "--operation charge --since 2026-04-07T00:00:00Z --run 1 --sort -age --limit 3 --format ndjson",
       0, "\"key\": \"charge:2\"", ""},
      {"cases all", "cases {S} --all --format ndjson", 0, "\"class\": \"matched\"", ""},
      {"cases notable", "cases {S} --notable --output {T}/cases.txt", 0, "", ""},
      {"cases by exposure", "cases {S} --sort -exposure --text nothing-has-this --format json", 0, "[]", ""},
      {"cases mistyped class", "cases {S} --class duplicate_efect", 2, "", "duplicate_effect"},
      {"cases mistyped sort", "cases {S} --sort keys", 2, "", "did you mean 'key'"},
      {"cases wrong run", "cases {S} --run 0", 2, "", "--run takes a number"},
      {"findings", "findings {S} --severity medium --code dlq_depth --run 1 --limit 2 --format json", 0,
       "[", ""},
      {"findings output", "findings {S} --output {T}/findings.txt", 0, "", ""},
      {"skips",
       "skips {S} --key charge:2 --operation charge --since 2026-04-07T00:00:00Z --verdict legit --run 1 "
       "--limit 5 --format csv",
       0, "key,time,worker,verdict", ""},
      {"skips output", "skips {S} --output {T}/skips.txt", 0, "", ""},
      {"dlq", "dlq {S} --queue payments.dlq --run 1 --limit 2 --format csv", 0, "queue,depth", ""},
      {"dlq messages",
       "dlq {S} --messages --key charge:2 --operation charge --since 2026-04-07T00:00:00Z --verdict safe "
       "--format csv",
       0, "queue,message_id", ""},
      {"dlq output", "dlq {S} --output {T}/dlq.txt", 0, "", ""},
      {"proof", "proof {S} --run 1 --limit 1 --format ndjson", 0, "\"unexplained_minor\": 0", ""},
      {"proof of no run", "proof {S} --run 77", 2, "", "no run 77"},
      {"proof output", "proof {S} --output {T}/proof.txt", 0, "", ""},
      {"show", "show {S} charge:2", 0, "forward live", ""},
      {"show json", "show {S} charge:2 --format ndjson", 0, "\"lane\": \"attempt\"", ""},
      {"show output", "show {S} charge:2 --output {T}/life.txt", 0, "", ""},
      {"show nothing", "show {S} charge:none", 2, "", "nothing in the store carries"},
      {"remedy refunds", "remedy {S} refunds --dry-run", 0, "refund", "to act on"},
      {"remedy output", "remedy {S} redrive --as-of 2026-04-08T06:00:00Z --queue payments.dlq --severity high --output {T}/list.txt", 0, "", "to act on"},
      {"remedy commands", "remedy {S} redrive --commands --broker sqs --dry-run", 0, "#!/bin/sh", "to act on"},
      {"remedy rerun", "remedy {S} rerun --key charge:none --operation charge --since 2026-04-07T00:00:00Z --limit 2 --format csv --by ann", 0,
       "case,verdict,class", "to act on"},
      {"remedy form", "remedy {S} refunds --provider-form paypal", 2, "", "PayPal takes no file"},
      {"remedy no kind", "remedy {S} refund", 2, "", "refund"},
      {"verify", "verify clean.json --expect-once --threads 1 --as-of 2026-04-08T06:00:00Z", 0, "passed: 2 checked", ""},
      {"verify fails", "verify shop.json --expect-once --format json --output {T}/once.json", 1, "", ""},
      {"verify no keys", "verify clean.json --expect-once --keys {T}/none.txt", 2, "", "cannot be read"},
      {"verify nothing", "verify clean.json", 2, "", "--expect-once"},
      {"advise", "advise {S} --format csv", 0, "queue,operation,setting", "attempts"},
      {"advise output", "advise {S} --output {T}/advice.txt", 0, "", "attempts"},
      {"close", "close {S} --format csv --output {T}/restated.csv", 0, "", ""},
      {"close too late", "close {S} --through 2126-01-01 --by ann --note x", 2, "", "no night has judged"},
      {"close nothing to reopen", "close {S} --reopen", 2, "", "no period is closed"},
      {"prune", "prune {S} --keep 1d --dry-run --format csv --output {T}/plan.csv", 0, "", ""},
      {"prune before", "prune {S} --before 2020-01-01 --wait 0s", 0, "*", "0 runs taken away"},
      {"prune needs one", "prune {S}", 2, "", "needs one of"},
      {"prune hold", "prune {S} --hold 99 --reason audit --by ann", 2, "", "no run '99'"},
      {"prune release", "prune {S} --release 1", 2, "", "not held"},
      {"erase", "erase {S} --customer nobody --dry-run --wait 0s --format csv", 0, "records,units", "no record has"},
      {"erase output", "erase {S} --customer nobody --by ann --output {T}/erased.txt", 0, "", "no record has"},
      {"erase nobody", "erase {S}", 2, "", "needs --customer"},
      {"review bulk says its number",
       "review {S} --class duplicate_effect --in-state open --severity critical --operation charge --since 2026-04-01T00:00:00Z "
       "--key charge:2 --run 1 --limit 9 --state dismissed --reason twins --assignee bob --note seen --by ann",
       0, "would change", ""},
      {"review bulk of another number", "review {S} --class duplicate_effect --state dismissed --reason x --expect 77", 2, "", "not 77"},
      {"review bulk of nothing", "review {S} --class currency_mismatch --state dismissed --reason x --yes --output {T}/r.txt", 0, "", ""},
      {"review no such case", "review {S} 0000 --state dismissed --reason x --format ndjson", 2, "", "no case has the id"},
      {"review history of nothing", "review {S} 0000 --history", 2, "", "no case has the id"},
      {"review nothing to undo", "review {S} --undo 1", 2, "", "no decision 1"},
      {"review no bulk to undo", "review {S} --undo-bulk 1", 2, "", "no bulk 1"},
      {"review no sheet", "review {S} --from {T}/none.csv", 3, "", "none.csv"},
      {"ignore needs a class", "ignore {S} add --reason x", 2, "", "--class"},
      {"ignore",
       "ignore {S} add --class field_mismatch --operation charge --key x:* --scope live --queue q --up-to 5 --currency USD "
       "--until 2027-01-01T00:00:00Z --reason known --by ann",
       0, "hides 0 cases", ""},
      {"ignore list", "ignore {S} list --all --format ndjson --output {T}/rules.ndjson", 0, "", ""},
      {"ignore remove", "ignore {S} remove 1 --reason over", 0, "is removed", ""},
      {"audit", "audit {S}", 0, "the chain is whole", ""},
      {"audit wrong seal", "audit {S} --seal 00", 4, "broken", "not in the chain"},
      {"report", "report {S}", 0, "<!doctype html>", ""},
      {"report of a run", "report {S} --run 1 --format text --lang ru --title Night", 0, "Прогон 1", ""},
      {"report of a period", "report {S} --since 2026-04-01 --until 2026-05-01T00:00:00Z --format markdown", 0, "# shop", ""},
      {"report of a week", "report {S} --since 7d --format json --unmask", 0, "\"report\": \"period\"", ""},
      {"report of an empty period", "report {S} --since 2020-01-01 --until 2020-02-01", 2, "", "no run has its as-of"},
      {"report of a case", "report {S} --case charge:2 --format markdown", 0, "charge:2", ""},
      {"report of no case", "report {S} --case nobody", 2, "", "'nobody'"},
      {"report of a list",
       "report {S} --class missing_effect --state open --severity high --key charge:2 --operation charge --text x --notable "
       "--sort -age --limit 5 --format csv",
       0, "case,class,label", ""},
      {"report with plain operations", "report {S} --all --format ndjson", 0, "\"class\": \"matched\"", ""},
      {"report of a run and a period", "report {S} --run 1 --since 7d", 2, "", "--run and --since"},
      {"report mistyped time", "report {S} --since yesterday", 2, "", "a day, an instant, or a duration"},
      {"report workbook", "report {S} --format xlsx --output {T}/a.xlsx", 0, "", "is written"},
      {"report junit", "report {S} --format junit --split case", 0, "<testsuites", ""},
      {"report metrics", "report {S} --format metrics", 0, "counterfoil_operations", ""},
      {"report output", "report {S} --output {T}/new/{name}-{date}-{run}.html --index", 0, "", "is written"},
      {"report index alone", "report {S} --index", 2, "", "--index needs --output"},
      {"report nowhere", "report {S} --output /proc/none/x.html", 4, "", "cannot make the folder"},
      {"report mistyped format", "report {S} --format htm", 2, "", "html"},
      {"dump", "dump {S} --check", 0, "record run=1 attempt", ""},
      {"dump output", "dump {S} --output {T}/dump.txt", 0, "", ""},
      {"backup", "backup {S} {T}/copy.counterfoil", 0, "", ""},
      {"backup over a file", "backup {S} {S}", 4, "", "is there already"},
      {"inspect", "inspect jobs.csv statement.csv", 0, "generic.attempts", ""},
      {"inspect bad rows", "inspect bad-rows.csv", 0, "20.x0", ""},
      {"inspect json", "inspect bad-rows.csv --format json", 0, "\"quarantined\": 2", ""},
      {"inspect no records", "inspect statement.csv --records 0", 0, "generic.effects", ""},
      {"inspect too many records", "inspect statement.csv --records 1001", 2, "", "from 0 to 1000"},
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

  QTemporaryDir m_folder;

  /// {C}: shop.json with a store of its own, {S}: that store, with one run in it, {T}: an empty folder.
  QString filled(const char* line, const QString& folder) const {
    return QString::fromLatin1(line)
        .replace(QStringLiteral("{T}"), folder)
        .replace(QStringLiteral("{C}"), m_folder.filePath(QStringLiteral("shop.json")))
        .replace(QStringLiteral("{S}"), m_folder.filePath(QStringLiteral("shop.counterfoil")));
  }

 private slots:
  void initTestCase() {
    QVERIFY(QDir::setCurrent(QStringLiteral(TEST_SOURCE_DIR "/tests/app/fixtures")));
    for (const char* name : {"jobs.csv", "statement.csv"}) {
      QVERIFY(QFile::copy(QString::fromLatin1(name), m_folder.filePath(QString::fromLatin1(name))));
    }
    QFile original(QStringLiteral("shop.json"));
    QVERIFY(original.open(QIODevice::ReadOnly));
    QFile config(m_folder.filePath(QStringLiteral("shop.json")));
    QVERIFY(config.open(QIODevice::WriteOnly));
    config.write(original.readAll().replace(":memory:", "shop.counterfoil"));
    config.close();
    TestConsole console;
    QCOMPARE(console.run(filled("run {C}", {}).toStdString()), 1);
    QVERIFY2(console.err().empty(), console.err().c_str());
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
    const int code = console.run(filled(row.line, folder.path()).toStdString());
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
