// SPDX-License-Identifier: GPL-3.0-or-later
// What is handed out to be acted on: lists over the made-up shop of the demo as golden files, and nights made for
// what must never be in them.
#include <sys/stat.h>
#include <unistd.h>

#include <QtTest>

#include "app/remedies/broker_commands.h"
#include "app/remedies/refund_forms.h"
#include "app/remedies/shell_words.h"
#include "core/store/sqlite.h"
#include "tests/app/test_console.h"
#include "tests/golden/golden.h"

using namespace counterfoil;
using namespace counterfoil::testing;

namespace {

constexpr const char* kJobs = "job_id,idempotency_key,op_ref,task,status,started_at,finished_at,amount,currency,effect_id\n";
constexpr const char* kStatement = "id,type,status,amount,currency,created,idempotency_key,order_id,parent_id\n";

std::string lineWith(const std::string& text, const std::string& part) {
  const std::size_t at = text.find(part);
  if (at == std::string::npos) return {};
  const std::size_t begin = text.rfind('\n', at) + 1;   // npos + 1 is 0
  return text.substr(begin, text.find('\n', at) - begin);
}

RedriveLine letter(const std::string& queue, const std::string& id, RedriveVerdict verdict, const std::string& format) {
  RedriveLine line;
  line.queue = queue;
  line.messageId = id;
  line.verdict = verdict;
  line.format = format;
  line.caseId = "0123456789abcdef";
  return line;
}

}  // namespace

class TstRemedies : public QObject {
  Q_OBJECT

  QTemporaryDir m_demo;
  std::unique_ptr<QTemporaryDir> m_folder;
  TestConsole m_console;
  std::string m_operations;

  std::string demo(const std::string& name) const { return m_demo.path().toStdString() + "/" + name; }
  std::string path(const std::string& name) const { return m_folder->path().toStdString() + "/" + name; }
  void write(const std::string& name, const std::string& text) const {
    writeAll(QString::fromStdString(path(name)), QByteArray::fromStdString(text));
  }

  /// One night of 2026-05-01; `providers` as in the configuration.
  int night(const std::string& jobs, const std::string& statement, const std::string& asOf = "2026-05-02T06:00:00Z") {
    write("jobs.csv", kJobs + jobs);
    write("statement.csv", kStatement + statement);
    const std::string covers = R"(, "covers": {"from": "2026-05-01T00:00:00Z", "to": "2026-05-02T00:00:00Z"}, "may_be_empty": true})";
    write("night.json", R"({"name": "shop", "store": "store", "as_of": ")" + asOf + R"(", "operations": [)" +
                            (m_operations.empty() ? R"({"name": "charge", "provider": "bank"})" : m_operations) +
                            R"(], "providers": [{"name": "bank", "key_retention": "24h"}], "sources": [
  {"name": "jobs", "path": "jobs.csv", "format": "generic.attempts")" + covers + R"(,
  {"name": "statement", "path": "statement.csv", "format": "generic.effects", "provider": "bank")" + covers + "]}");
    const int code = m_console.run({"run", path("night.json"), "--quiet", "--format", "json"});
    if (code > 1) qWarning("%s", m_console.err().c_str());
    return code;
  }
  std::string remedy(const std::string& kind, const std::vector<std::string>& more = {}) {
    std::vector<std::string> words = {"remedy", path("store"), kind, "--format", "ndjson"};
    words.insert(words.end(), more.begin(), more.end());
    const int code = m_console.run(words);
    if (code != 0) return "exit " + std::to_string(code) + ": " + m_console.err();
    return m_console.out();
  }
  static std::string job(const std::string& effect = {}, const std::string& amount = "10.00", const std::string& status = "done") {
    return "j1,charge:1,order-1,charge," + status + ",2026-05-01T10:00:00Z,2026-05-01T10:00:05Z," + amount + ",USD," + effect + "\n";
  }
  static std::string charge(const std::string& id, const std::string& clock, const std::string& amount = "10.00") {
    return id + ",charge,succeeded," + amount + ",USD,2026-05-01T" + clock + "Z,charge:1,order-1,\n";
  }
  static std::string refund(const std::string& id, const std::string& of, const std::string& amount,
                            const std::string& status = "succeeded") {
    return id + ",refund," + status + "," + amount + ",USD,2026-05-01T20:00:00Z,,," + of + "\n";
  }

 private slots:
  void initTestCase() {
    QCOMPARE(m_console.run({"demo", m_demo.path().toStdString()}), 0);
    QCOMPARE(m_console.run({"run", demo("counterfoil.json"), "--quiet", "--format", "json"}), 1);
  }
  void init() {
    m_folder = std::make_unique<QTemporaryDir>();
    m_operations.clear();
    m_console.variables["USER"] = "ann";
  }

  void theListsOfTheDemo() {
    const std::string store = demo("kahawa.counterfoil");
    const std::vector<std::pair<std::string, QString>> lists = {
        {"refunds", QStringLiteral("remedy-refunds.csv")}, {"redrive", QStringLiteral("remedy-redrive.csv")},
        {"rerun", QStringLiteral("remedy-rerun.csv")}};
    for (const auto& [kind, golden] : lists) {
      QCOMPARE(m_console.run({"remedy", store, kind, "--format", "csv", "--as-of", "2026-11-23T00:30:00Z", "--dry-run"}), 0);
      const QString difference = goldenDifference(golden, m_console.out());
      QVERIFY2(difference.isEmpty(), qPrintable(difference));
    }
    QCOMPARE(m_console.run({"remedy", store, "redrive", "--commands", "--broker", "sidekiq", "--as-of", "2026-11-23T00:30:00Z", "--dry-run"}), 0);
    VERIFY_GOLDEN("remedy-redrive.sh", m_console.out());
    QCOMPARE(m_console.run({"verify", demo("counterfoil.json"), "--expect-once", "--format", "json"}), 3);
    VERIFY_GOLDEN("verify.json", m_console.out());
    QCOMPARE(m_console.run({"advise", store, "--format", "csv"}), 0);
    VERIFY_GOLDEN("advise.csv", m_console.out());
  }

  void theOneThatTheJobRecordedStands() {
    QCOMPARE(night(job("ch_b"), charge("ch_a", "10:00:01") + charge("ch_b", "10:01:00")), 1);
    const std::string list = remedy("refunds");
    QVERIFY2(list.find("\"effect\": \"ch_a\"") != std::string::npos && list.find("\"effect\": \"ch_b\"") == std::string::npos, list.c_str());
    QVERIFY(list.find("ch_b stands, the one that the job recorded.") != std::string::npos);
    QVERIFY(list.find(R"("amount": [{"currency": "USD", "minor": 1000}])") != std::string::npos);
  }

  void withoutARecordTheFirstStands() {
    QCOMPARE(night(job(), charge("ch_a", "10:00:01") + charge("ch_b", "10:01:00") + charge("ch_c", "10:02:00")), 1);
    const std::string list = remedy("refunds");
    QVERIFY(list.find("\"effect\": \"ch_a\"") == std::string::npos);
    QVERIFY(lineWith(list, "\"effect\": \"ch_b\"").find("\"verdict\": \"refund\"") != std::string::npos);
    QVERIFY(lineWith(list, "\"effect\": \"ch_c\"").find("\"verdict\": \"refund\"") != std::string::npos);
  }

  void whatWasGivenBackIsNotGivenBackAgain() {
    QCOMPARE(night(job(), charge("ch_a", "10:00:01") + charge("ch_b", "10:01:00") + refund("re_1", "ch_b", "4.00")), 1);
    const std::string list = remedy("refunds");
    QVERIFY2(list.find(R"("amount": [{"currency": "USD", "minor": 600}])") != std::string::npos, list.c_str());
    QVERIFY(list.find(R"("reversed": [{"currency": "USD", "minor": 400}])") != std::string::npos);
  }

  /// A refund of a part of the one that stands was meant for something: together no more goes back than is too much.
  void neverMoreThanIsTooMuch() {
    QCOMPARE(night(job(), charge("ch_a", "10:00:01") + charge("ch_b", "10:01:00") + refund("re_1", "ch_a", "4.00")), 1);
    const std::string list = remedy("refunds");
    QVERIFY2(list.find(R"("amount": [{"currency": "USD", "minor": 600}])") != std::string::npos, list.c_str());
    QVERIFY(list.find("of USD 10.00 only what is too much") != std::string::npos);
  }

  void aRefundOnItsWayIsToBeLookedAt() {
    QCOMPARE(night(job(), charge("ch_a", "10:00:01") + charge("ch_b", "10:01:00") + refund("re_1", "ch_b", "10.00", "pending")), 1);
    const std::string list = remedy("refunds");
    QVERIFY2(list.find("\"verdict\": \"check_first\"") != std::string::npos, list.c_str());
    QVERIFY(list.find("a refund is already on its way") != std::string::npos);
  }

  void aSplitGivesBackThePartThatRepeats() {
    m_operations = R"({"name": "charge", "provider": "bank", "expect": "split"})";
    QCOMPARE(night(job({}, "30.00"), charge("ch_a", "10:00:01", "10.00") + charge("ch_b", "10:01:00", "20.00") +
                                         charge("ch_c", "10:02:00", "20.00")), 1);
    const std::string list = remedy("refunds");
    QVERIFY2(lineWith(list, "\"effect\": \"ch_c\"").find(R"("minor": 2000)") != std::string::npos, list.c_str());
    QVERIFY(list.find("\"effect\": \"ch_a\"") == std::string::npos && list.find("\"effect\": \"ch_b\"") == std::string::npos);
  }

  void theSameListTwiceHasTheSameKeysAndSaysSo() {
    QCOMPARE(night(job(), charge("ch_a", "10:00:01") + charge("ch_b", "10:01:00")), 1);
    const std::string first = remedy("refunds");
    QVERIFY(first.find("\"exported_before\": \"\"") != std::string::npos);
    m_console.clock += std::chrono::hours(24);
    const std::string second = remedy("refunds");
    const std::size_t at = first.find("cf-refund-");
    QVERIFY(at != std::string::npos);
    const std::string key = first.substr(at, 42);
    QVERIFY(second.find(key) != std::string::npos);
    QVERIFY2(second.find("\"exported_before\": \"2026-04-08T06:00:00Z by ann\"") != std::string::npos, second.c_str());
    QVERIFY(m_console.err().find("handed out before") != std::string::npos);
    m_console.clock -= std::chrono::hours(24);
    QCOMPARE(m_console.run({"show", path("store"), "charge:1", "--format", "ndjson"}), 0);
    const std::string life = lineWith(m_console.out(), "\"lane\": \"remedy\"");
    QVERIFY2(life.find(key) != std::string::npos && life.find("handed out by ann") != std::string::npos, life.c_str());
  }

  /// Whatever a later night saw in order must not be done again.
  void whatIsInOrderNowIsInNoList() {
    QCOMPARE(night(job(), ""), 1);
    QVERIFY(remedy("rerun").find("charge:1") != std::string::npos);
    QCOMPARE(night(job(), charge("ch_a", "10:00:01"), "2026-05-02T07:00:00Z"), 0);
    QCOMPARE(remedy("rerun"), std::string());
    QCOMPARE(night(job(), charge("ch_a", "10:00:01") + charge("ch_b", "10:01:00"), "2026-05-02T08:00:00Z"), 1);
    QVERIFY(remedy("refunds").find("ch_b") != std::string::npos);
    QCOMPARE(night(job(), charge("ch_a", "10:00:01") + charge("ch_b", "10:01:00") + refund("re_1", "ch_b", "10.00"),
                   "2026-05-02T09:00:00Z"), 0);
    QCOMPARE(remedy("refunds"), std::string());
  }

  void whatAPersonClosedIsLeftOutAndCounted() {
    QCOMPARE(night(job(), charge("ch_a", "10:00:01") + charge("ch_b", "10:01:00")), 1);
    {
      auto database = Database::open(path("store"), OpenMode::ReadWrite);
      QVERIFY(database->execute("UPDATE cases SET state = 'dismissed'").has_value());
    }
    QCOMPARE(remedy("refunds"), std::string());
    QVERIFY2(m_console.err().find("1 decided case left out") != std::string::npos, m_console.err().c_str());
  }

  void anOldNightIsTold() {
    QCOMPARE(night(job(), charge("ch_a", "10:00:01") + charge("ch_b", "10:01:00")), 1);
    remedy("refunds", {"--as-of", "2026-05-03T17:00:00Z"});
    QVERIFY(m_console.err().find("the last night") == std::string::npos);
    remedy("refunds", {"--as-of", "2026-05-03T19:00:00Z"});
    QVERIFY2(m_console.err().find("the last night is of 2026-05-02T06:00:00Z, 37 h ago") != std::string::npos, m_console.err().c_str());
  }

  void aDryRunIsNotNoted() {
    QCOMPARE(night(job(), charge("ch_a", "10:00:01") + charge("ch_b", "10:01:00")), 1);
    remedy("refunds", {"--dry-run"});
    QVERIFY(remedy("refunds").find("\"exported_before\": \"\"") != std::string::npos);
  }

  void aMissingEffectIsSafeOnlyAsLongAsItsKey() {
    QCOMPARE(night(job(), ""), 1);
    const std::string early = remedy("rerun", {"--as-of", "2026-05-02T09:59:59Z"});
    QVERIFY2(early.find("\"verdict\": \"rerun\"") != std::string::npos, early.c_str());
    QVERIFY(early.find("\"key\": \"charge:1\"") != std::string::npos);
    QVERIFY(early.find("\"key_until\": \"2026-05-02T10:00:00Z\"") != std::string::npos);
    const std::string late = remedy("rerun", {"--as-of", "2026-05-02T10:00:00Z"});
    QVERIFY2(late.find("\"verdict\": \"check_first\"") != std::string::npos, late.c_str());
    QVERIFY(late.find("the provider forgot it at 2026-05-02T10:00:00Z") != std::string::npos);
  }

  void aWholeQueueMovesOnlyIfAllOfItIsSafe() {
    using V = RedriveVerdict;
    const std::vector<RedriveLine> safe = {letter("pay.dlq", "m1", V::Safe, "sqs.dead_letters"), letter("pay.dlq", "m2", V::Safe, "sqs.dead_letters")};
    const auto commands = [](const std::vector<RedriveLine>& lines, std::int64_t depth, std::uint64_t obsolete = 0) {
      return brokerCommands(lines, obsolete, {}, {{"pay.dlq", QueueOnHand{depth}}});
    };
    QVERIFY(commands(safe, 2).find("aws sqs start-message-move-task") != std::string::npos);
    QVERIFY(commands(safe, 3).find("aws ") == std::string::npos);          // one that nobody judged
    QVERIFY(commands(safe, 3, 1).find("aws ") == std::string::npos);       // one whose work was done
    QVERIFY(brokerCommands(safe, 0, {}, {}).find("aws ") == std::string::npos);
    std::vector<RedriveLine> mixed = safe;
    mixed.push_back(letter("pay.dlq", "m3", V::Unsafe, "sqs.dead_letters"));
    const std::string none = commands(mixed, 3);
    QVERIFY(none.find("aws ") == std::string::npos && none.find("#   m1") != std::string::npos);
  }

  void whatStandsInFilesIsNeverRun() {
    const std::vector<RedriveLine> lines = {
        letter("dead", "a'; touch /tmp/owned; '", RedriveVerdict::Safe, "sidekiq.sets"),
        letter("dead", "line\nrm -rf ~", RedriveVerdict::Safe, "sidekiq.sets"), letter("dead", "-e exit", RedriveVerdict::Safe, "sidekiq.sets"),
        letter("dead\ntouch /tmp/owned", "x", RedriveVerdict::Safe, "bullmq.jobs")};
    const std::string script = brokerCommands(lines, 0, {}, {});
    QVERIFY2(script.find(R"('a'\''; touch /tmp/owned; '\''')") != std::string::npos, script.c_str());
    for (std::size_t at = 0; at < script.size();) {   // every line is a comment or one of ours
      const std::string line = script.substr(at, script.find('\n', at) - at);
      QVERIFY2(line.starts_with("#") || line.starts_with("bundle exec ruby"), line.c_str());
      at += line.size() + 1;
    }
    QCOMPARE(shellWord("$(id)"), std::string("'$(id)'"));
    QVERIFY(shellWord("a\x1b[2J").empty());
  }

  void formsOfProviders() {
    RefundLine line;
    line.caseId = "0123456789abcdef";
    line.isSafe = true;
    line.effectId = "ch_1";
    line.amount = Money{1250, *Currency::parse("USD")};
    line.refundKey = refundKeyOf(line.caseId, line.effectId, *line.amount);
    RefundLine doubtful = line;
    doubtful.isSafe = false;
    const auto stripe = refundForm("stripe", {line, doubtful});
    QCOMPARE(stripe->text, "stripe refunds create --charge=ch_1 --amount=1250 --reason=duplicate --idempotency=" + line.refundKey + " --live\n");
    line.effectId = "118223344";
    line.amount = Money{1250, *Currency::parse("ARS")};
    const auto mercado = refundForm("mercadopago", {line});
    QCOMPARE(mercado->text, "payment_id;external_reference;amount\r\n118223344;" + line.refundKey + ";12,50\r\n");
    line.amount = Money{1250, *Currency::parse("BRL")};
    QCOMPARE(refundForm("mercadopago", {line})->leftOut.size(), std::size_t{1});
    QCOMPARE(refundForm("paypal", {line}).error().code, ErrorCode::Usage);
  }

  void adviceSaysTheLeastThatAbsorbsAnIncident() {
    const std::string jobs =
        "j1,charge:1,order-1,charge,done,2026-05-01T10:00:00Z,2026-05-01T10:01:32Z,10.00,USD,\n"
        "j1,charge:1,order-1,charge,done,2026-05-01T10:00:30Z,2026-05-01T10:00:40Z,10.00,USD,\n"
        "j2,charge:2,order-2,charge,done,2026-05-01T10:00:00Z,2026-05-01T10:00:05Z,10.00,USD,\n"
        "j3,charge:2,order-2,charge,done,2026-05-01T12:30:00Z,2026-05-01T12:30:05Z,10.00,USD,\n"
        "j4,charge:4,order-4,charge,running,2026-05-01T10:00:00Z,,10.00,USD,\n";
    const std::string effects = charge("ch_a", "10:00:20") + charge("ch_b", "10:00:35") +
                                "ch_c,charge,succeeded,10.00,USD,2026-05-01T10:00:03Z,charge:2,order-2,\n"
                                "ch_d,charge,succeeded,10.00,USD,2026-05-01T12:30:03Z,charge:2,order-2,\n";
    QCOMPARE(night(jobs, effects, "2026-05-01T13:00:00Z"), 1);
    // The last job only took long.
    QCOMPARE(night("j4,charge:4,order-4,charge,done,2026-05-01T10:00:00Z,2026-05-01T13:20:00Z,10.00,USD,\n",
                   "ch_e,charge,succeeded,10.00,USD,2026-05-01T13:19:00Z,charge:4,order-4,\n"), 1);
    QCOMPARE(m_console.run({"advise", path("store"), "--format", "ndjson"}), 0);
    const auto line = [&](const std::string& setting) { return lineWith(m_console.out(), "\"setting\": \"" + setting + "\""); };
    QVERIFY2(line("visibility_timeout").find(R"("incidents": 1)") != std::string::npos, m_console.out().c_str());
    QVERIFY(line("visibility_timeout").find(R"("least_for_all": "92s")") != std::string::npos);
    QVERIFY2(line("dedupe_ttl").find(R"("least_for_all": "3h")") != std::string::npos, line("dedupe_ttl").c_str());
    QVERIFY2(line("max_runtime").find(R"("configured": "5m")") != std::string::npos &&
                 line("max_runtime").find(R"("least_for_all": "4h")") != std::string::npos, line("max_runtime").c_str());
  }

  void aStoreThatCanOnlyBeReadIsListedAllTheSame() {
    if (::geteuid() == 0) QSKIP("root may write everything");
    QCOMPARE(night(job(), charge("ch_a", "10:00:01") + charge("ch_b", "10:01:00")), 1);
    ::chmod(path("store").c_str(), 0444);
    const std::string list = remedy("refunds");
    QVERIFY2(list.find("\"verdict\": \"refund\"") != std::string::npos, list.c_str());
    QVERIFY(m_console.err().find("is not noted") != std::string::npos);
  }

  void verifyPassesOnlyWhatHasItsEffectOnce() {
    night(job(), charge("ch_a", "10:00:01"));
    QCOMPARE(m_console.run({"verify", path("night.json"), "--expect-once"}), 0);
    QVERIFY(m_console.out().find("passed: 1 checked") != std::string::npos);
    night(job(), charge("ch_a", "10:00:01") + charge("ch_b", "10:01:00"), "2026-05-02T07:00:00Z");
    QCOMPARE(m_console.run({"verify", path("night.json"), "--expect-once", "--format", "junit"}), 1);
    QVERIFY2(m_console.out().find("<failure type=\"duplicate_effect\"") != std::string::npos, m_console.out().c_str());
    // Given back: it happened twice all the same.
    night(job(), charge("ch_a", "10:00:01") + charge("ch_b", "10:01:00") + refund("re_1", "ch_b", "10.00"), "2026-05-02T08:00:00Z");
    QCOMPARE(m_console.run({"verify", path("night.json"), "--expect-once"}), 1);
    write("keys.txt", "# sent\ncharge:1\ncharge:2\n");
    night(job(), charge("ch_a", "10:00:01"), "2026-05-02T09:00:00Z");
    QCOMPARE(m_console.run({"verify", path("night.json"), "--expect-once", "--keys", path("keys.txt")}), 1);
    QVERIFY(m_console.out().find("No record carries this key.") != std::string::npos);
  }

  void verifyBelievesNothingItCouldNotSee() {
    night(job(), charge("ch_a", "10:00:01") + "ch_b,charge,succeeded,ten,USD,2026-05-01T11:00:00Z,charge:1,order-1,\n");
    QCOMPARE(m_console.run({"verify", path("night.json"), "--expect-once"}), 3);
    night("", "", "2026-05-02T07:00:00Z");
    QCOMPARE(m_console.run({"verify", path("night.json"), "--expect-once"}), 3);
    QVERIFY(m_console.out().find("nothing was checked") != std::string::npos);
  }
};

QTEST_APPLESS_MAIN(TstRemedies)
#include "tst_remedies.moc"
