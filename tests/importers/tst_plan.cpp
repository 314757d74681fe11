// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of a file becoming records: expressions, rules of a row, fates and faults.
#include "tests/importers/plan_fixture.h"

using namespace counterfoil;
using counterfoil::testing::mappingOf;
using counterfoil::testing::PlanUnderTest;

namespace {

Instant at(const char* text) {
  return *parseInstant(text);
}

/// An effect mapping with one more or another field.
std::string effectWith(const std::string& fields, const std::string& more = {}) {
  return R"({"record": "effect", "fields": {"created": "t", "currency": {"value": "USD"})" +
         (fields.empty() ? "" : ", " + fields) + "}" + more + "}";
}

/// The key that an expression makes of columns a, b, c.
std::string keyOf(const std::string& expression, const std::vector<std::string>& abc) {
  PlanUnderTest plan(effectWith("\"key\": " + expression), {"t", "a", "b", "c"});
  std::vector<std::string> values = {"2026-04-07T10:00:00Z"};
  values.insert(values.end(), abc.begin(), abc.end());
  const RowFate fate = plan.text(values);
  if (fate == RowFate::Quarantined) return "fault: " + plan.fault().rule;
  return plan.record<Effect>().keyText;
}

}  // namespace

class TstPlan : public QObject {
  Q_OBJECT

 private slots:
  /// A skip that leaves no line of its own: the job succeeded, and its result says that nothing was done.
  void aResultMaySayThatItWasASkip_data() {
    QTest::addColumn<QByteArray>("status");
    QTest::addColumn<QByteArray>("result");
    QTest::addColumn<QByteArray>("kind");
    const auto row = [](const char* name, const char* status, const char* result, const char* kind) {
      QTest::newRow(name) << QByteArray(status) << QByteArray(result) << QByteArray(kind);
    };
    row("flag", "SUCCESS", "{'skipped': True}", "skip");
    row("flag that is off", "SUCCESS", "{'skipped': False, 'charge_id': 'ch_1'}", "succeeded");
    row("status inside", "SUCCESS", "{'status': 'duplicate'}", "skip");
    row("word", "SUCCESS", "'duplicate'", "skip");
    row("nothing", "SUCCESS", "None", "skip");
    row("nothing of a failure", "FAILURE", "None", "failed_final");
    row("blank is not nothing", "SUCCESS", "", "succeeded");
    row("cut off is not nothing", "SUCCESS", "{'charge_id': 'ch_1', 'sk", "succeeded");
    row("an id", "SUCCESS", "'ch_1'", "succeeded");
    row("not Python", "SUCCESS", "<!>", "succeeded");
  }
  void aResultMaySayThatItWasASkip() {
    QFETCH(QByteArray, status);
    QFETCH(QByteArray, result);
    QFETCH(QByteArray, kind);
    PlanUnderTest plan(R"({"record": "attempt",
      "names": {"answer": {"column": "result", "decode": "python_repr", "on_error": "blank"}},
      "fields": {"job_id": "id", "end": "t", "key": "key", "status": [
        {"value": "skipped", "when": {"column": "answer.skipped", "is": true}},
        {"value": "skipped", "when": {"column": ["answer.status", "answer"], "is": ["skipped", "duplicate"]}},
        {"value": "skipped", "when": [{"column": "status", "is": "SUCCESS"}, {"column": "result", "is": ["None", "null"]}]},
        "status"]}})",
                       {"id", "t", "key", "status", "result"});
    QCOMPARE(plan.text({"j1", "2026-04-07T10:00:00Z", "k1", status.toStdString(), result.toStdString()}), RowFate::Recorded);
    if (kind == "skip") {
      QCOMPARE(plan.record<Skip>().jobId, std::string("j1"));
      QCOMPARE(plan.record<Skip>().key, std::string("k1"));
      return;
    }
    QCOMPARE(plan.record<Attempt>().status, kind == "succeeded" ? AttemptStatus::Succeeded : AttemptStatus::FailedFinal);
  }

  /// How AMQP's null is printed.
  void undefinedIsNoValue() {
    PlanUnderTest plan(R"({"record": "dead_letter", "fields": {"message_id": "id", "died_at": "t", "key": "k", "job_id": "j",
      "receive_count": "n", "deadline": "d", "amount": {"column": "a", "unit": "minor"}, "currency": "c"}})",
                       {"id", "t", "k", "j", "n", "d", "a", "c"});
    QCOMPARE(plan.text({"m1", "undefined", "undefined", "undefined", "undefined", "undefined", "undefined", "undefined"}),
             RowFate::Recorded);
    const auto& dead = plan.record<DeadLetter>();
    QCOMPARE(dead.key, std::string());
    QCOMPARE(dead.jobId, std::string());
    QVERIFY(!dead.diedAt && !dead.receiveCount && !dead.deadline && !dead.amount);
  }

  void expressions_data() {
    QTest::addColumn<QByteArray>("expression");
    QTest::addColumn<QStringList>("abc");
    QTest::addColumn<QByteArray>("key");
    const auto row = [](const char* name, const char* expression, const QStringList& abc,
                        const char* key) {
      QTest::newRow(name) << QByteArray(expression) << abc << QByteArray(key);
    };
    row("column", R"("a")", {"x"}, "x");
    row("outer blanks off", R"("a")", {" x\n"}, "x");
    row("case of the name does not count", R"("A")", {"x"}, "x");
    row("first that is not blank", R"(["a", "b"])", {" ", "y"}, "y");
    row("value", R"({"value": "v"})", {}, "v");
    row("template", R"({"template": "charge:{a}/{b}"})", {"1", "2"}, "charge:1/2");
    row("template with a blank part", R"({"template": "charge:{a}/{b}"})", {"1", ""}, "");
    row("template, then the next", R"([{"template": "x{a}"}, "b"])", {"", "2"}, "2");
    row("template with braces", R"({"template": "{{{a}}}"})", {"1"}, "{1}");
    row("find with a group", R"x({"column": "a", "find": "Acc\\. (\\S+)"})x", {"to Acc. 77-1 now"},
        "77-1");
    row("find without a group", R"({"column": "a", "find": "[0-9]+"})", {"x12y"}, "12");
    row("find that fails is blank", R"([{"column": "a", "find": "z"}, "b"])", {"x", "y"}, "y");
    row("find in a template", R"x({"template": "{a}-{b}", "find": "(.-.)"})x", {"xy", "z"}, "y-z");
    row("when holds",
        R"([{"column": "a", "when": {"column": "b", "is": ["paybill", "till"]}}, "c"])",
        {"1", "Till", "3"}, "1");
    row("when does not hold",
        R"([{"column": "a", "when": {"column": "b", "is": ["paybill"]}}, "c"])", {"1", "x", "3"},
        "3");
    row("when with a pattern", R"([{"column": "a", "when": {"column": "b", "is": "re:^p"}}, "c"])",
        {"1", "pay", "3"}, "1");
    row("when not", R"([{"column": "a", "when": {"column": "b", "not": "x"}}, "c"])",
        {"1", "x", "3"}, "3");
    row("when blank", R"([{"column": "a", "when": {"column": "b", "is": ""}}, "c"])",
        {"1", " ", "3"}, "1");
    row("two conditions",
        R"([{"column": "a", "when": [{"column": "b", "is": "x"}, {"column": "c", "is": "y"}]}, "c"])",
        {"1", "x", "z"}, "z");
    row("words", R"({"column": "a", "words": {"Acme": ["acme", "ac"], "Other": ["*"]}})", {"AC"},
        "Acme");
    row("words, the rest", R"({"column": "a", "words": {"Acme": ["acme"], "Other": ["*"]}})",
        {"zz"}, "Other");
    row("words, unknown stays", R"({"column": "a", "words": {"Acme": ["acme"]}})", {"zz"}, "zz");
    row("words, blank", R"({"column": "a", "words": {"none at all": [""]}})", {""}, "none at all");
    row("words, to blank", R"([{"column": "a", "words": {"": ["n/a"]}}, "b"])", {"N/A", "y"}, "y");
    row("pointer into JSON", R"({"column": "a", "pointer": "/order/id"})",
        {R"({"order": {"id": 4471}})"}, "4471");
    row("dotted path into a JSON column", R"("a.order.id")", {R"({"order": {"id": "o-1"}})"},
        "o-1");
    row("pointer to nothing is blank", R"([{"column": "a", "pointer": "/x"}, "b"])", {"{}", "y"},
        "y");
    row("JSON string with a Python list",
        R"({"column": "a", "decode": ["json", "python_repr"], "pointer": "/0"})",
        {R"("['pay_30006', '25.00']")"}, "pay_30006");
    row("base64, JSON, base64, JSON",
        R"({"column": "a", "decode": ["base64", "json", "/body", "base64", "json", "/0/0"]})",
        {"eyJib2R5IjogIlcxc2liM0prWHpFaVhTd2dlMzFkIn0="}, "ord_1");
    row("hex", R"({"column": "a", "decode": "hex"})", {"6f7264"}, "ord");
    row("url", R"({"column": "a", "decode": "url"})", {"a%2Fb"}, "a/b");
    row("cut off repr", R"({"column": "a", "decode": ["python_repr"], "pointer": "/0"})",
        {"['pay_30"}, "fault: not_decodable");
    row("cut off value", R"({"column": "a", "decode": ["python_repr"], "pointer": "/0"})",
        {"['pay_30...', 1]"}, "fault: not_decodable");
    row("error as blank",
        R"([{"column": "a", "decode": ["python_repr"], "pointer": "/0", "on_error": "blank"}, "b"])",
        {"['pay_30", "y"}, "y");
    row("blank is not decoded", R"({"column": "a", "decode": ["json"], "pointer": "/x"})", {""},
        "");
    row("no key", R"("a")", {"null"}, "null");
  }
  void expressions() {
    QFETCH(QByteArray, expression);
    QFETCH(QStringList, abc);
    QFETCH(QByteArray, key);
    std::vector<std::string> values;
    for (int i = 0; i < 3; ++i)
      values.push_back(i < abc.size() ? abc[i].toStdString() : std::string());
    QCOMPARE(QByteArray::fromStdString(keyOf(expression.toStdString(), values)), key);
  }

  void wordsThatAreNoKey() {
    for (const char* word : {"null", "None", "undefined", "NaN", "", "  "}) {
      PlanUnderTest plan(effectWith("\"key\": \"k\""), {"t", "k"});
      QCOMPARE(plan.text({"2026-04-07T10:00:00Z", word}), RowFate::Recorded);
      QCOMPARE(plan.record<Effect>().key, std::string());
      QVERIFY(plan.slim().key == Hash128{});
      QVERIFY(plan.slim().content != 0);
    }
    PlanUnderTest plan(effectWith("\"key\": \"k\""), {"t", "k"});
    plan.text({"2026-04-07T10:00:00Z", "0"});
    QCOMPARE(plan.record<Effect>().key, std::string("0"));
  }

  void keysInNormalForm() {
    PlanUnderTest plan(effectWith("\"key\": \"k\""), {"t", "k"});
    plan.text({"2026-04-07T10:00:00Z", " {A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11} "});
    QCOMPARE(plan.record<Effect>().key, std::string("a0eebc999c0b4ef8bb6d6bb9bd380a11"));
    QCOMPARE(plan.record<Effect>().keyText, std::string("{A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11}"));
    QVERIFY(plan.slim().key == plan.hash()("a0eebc999c0b4ef8bb6d6bb9bd380a11", 1));
  }

  void spreadsheetDamageOfProviderKeys() {
    PlanUnderTest plan(effectWith("\"key\": \"k\""), {"t", "k"});
    plan.text({"2026-04-07T10:00:00Z", "4.68769E+18"});
    QVERIFY(plan.record<Effect>().keyDamaged);
    QCOMPARE(plan.record<Effect>().key, std::string());
    QCOMPARE(plan.record<Effect>().keyText, std::string("4.68769E+18"));
    QVERIFY(plan.slim().needsJudge);
    PlanUnderTest local(R"({"record": "attempt", "fields": {"key": "k", "end": "t"}})", {"t", "k"});
    local.text({"2026-04-07T10:00:00Z", "4.68769E+18"});
    QVERIFY(!local.record<Attempt>().keyDamaged);
    QCOMPARE(local.record<Attempt>().key, std::string("4.68769E+18"));
  }

  void fingerprintOfSeveralColumns() {
    const std::string json =
        R"({"record": "attempt", "fields": {"key": "k", "end": "t", "fingerprint": ["a", "b"]}})";
    PlanUnderTest plan(json, {"t", "k", "a", "b"});
    plan.text({"2026-04-07T10:00:00Z", "k", "ab", "c"});
    const std::string one = plan.record<Attempt>().fingerprint;
    QCOMPARE(one, sha256Hex("2:ab1:c"));
    plan.text({"2026-04-07T10:00:00Z", "k", "a", "bc"});
    QVERIFY(plan.record<Attempt>().fingerprint != one);
    plan.text({"2026-04-07T10:00:00Z", "k", "", ""});
    QCOMPARE(plan.record<Attempt>().fingerprint, std::string());
  }

  void excludedRows() {
    PlanUnderTest plan(
        effectWith(R"("amount": "m")", R"(, "exclude": [{"column": "x", "is": ["test", "re:^demo"]},
      {"column": "y", "is": ""}])"),
        {"t", "m", "x", "y"});
    QCOMPARE(plan.text({"2026-04-07T10:00:00Z", "5.00", "live", "1"}), RowFate::Recorded);
    QCOMPARE(plan.text({"2026-04-07T10:00:00Z", "5.00", "TEST", "1"}), RowFate::Excluded);
    QCOMPARE(plan.text({"broken", "-7.10", "demo-1", "1"}), RowFate::Excluded);
    QVERIFY(plan.asWritten() == std::optional(Money{-710, *Currency::parse("USD")}));
    QCOMPARE(plan.text({"2026-04-07T10:00:00Z", "what", "live", " "}), RowFate::Excluded);
    QVERIFY(!plan.asWritten().has_value());
  }

  void kindsThatAreNoEffects() {
    PlanUnderTest plan(effectWith(R"("amount": "m", "kind": "k")"), {"t", "m", "k"});
    QCOMPARE(plan.text({"2026-04-07T10:00:00Z", "-1.20", "stripe_fee"}), RowFate::Excluded);
    QVERIFY(plan.asWritten() == std::optional(Money{-120, *Currency::parse("USD")}));
    QCOMPARE(plan.text({"2026-04-07T10:00:00Z", "9", "payout"}), RowFate::Excluded);
    QCOMPARE(plan.text({"2026-04-07T10:00:00Z", "9", "Refund"}), RowFate::Recorded);
    QCOMPARE(plan.record<Effect>().kind, EffectKind::Reversal);
    QCOMPARE(plan.text({"2026-04-07T10:00:00Z", "9", "magic"}), RowFate::Quarantined);
    QCOMPARE(plan.fault().rule, std::string("unknown_kind"));
    QCOMPARE(plan.fault().column, std::string("k"));
    QCOMPARE(plan.fault().value, std::string("magic"));
    QCOMPARE(plan.text({"2026-04-07T10:00:00Z", "9", ""}), RowFate::Quarantined);
    QCOMPARE(plan.fault().rule, std::string("unknown_kind"));
  }

  void kindWordsWithCatchAll() {
    PlanUnderTest plan(
        effectWith(R"("kind": {"column": "k", "words": {"forward": ["capture"], "other": ["*"]}})"),
        {"t", "k"});
    QCOMPARE(plan.text({"2026-04-07T10:00:00Z", "Capture"}), RowFate::Recorded);
    QCOMPARE(plan.text({"2026-04-07T10:00:00Z", "void"}), RowFate::Excluded);
    QCOMPARE(plan.text({"2026-04-07T10:00:00Z", ""}), RowFate::Quarantined);
  }
  void statusOfAttempts() {
    PlanUnderTest plan(
        R"({"record": "attempt", "fields": {"key": "k", "end": "t", "status": "s"}})",
        {"k", "t", "s"});
    const std::pair<const char*, AttemptStatus> words[] = {
        {"done", AttemptStatus::Succeeded},
        {"SUCCESS", AttemptStatus::Succeeded},
        {"paid", AttemptStatus::Succeeded},
        {"failed", AttemptStatus::FailedFinal},
        {"exhausted", AttemptStatus::FailedFinal},
        {"retrying", AttemptStatus::RetryPending},
        {"In Progress", AttemptStatus::Running},
        {"active", AttemptStatus::Running},
        {"lost", AttemptStatus::Lost},
        {"whatever", AttemptStatus::Unknown},
        {"", AttemptStatus::Unknown}};
    for (const auto& [word, status] : words) {
      QCOMPARE(plan.text({"k", "2026-04-07T10:00:00Z", word}), RowFate::Recorded);
      QVERIFY2(plan.record<Attempt>().status == status, word);
    }
  }

  void skippedAttemptsAreSkips() {
    PlanUnderTest plan(
        R"({"record": "attempt", "fields": {"key": "k", "effect_id": "e", "end": "t", "status": "s", "reason": "r"}})",
        {"k", "e", "t", "s", "r"});
    QCOMPARE(plan.text({"k", "", "2026-04-07T10:00:00Z", "skipped", "already processed"}),
             RowFate::Recorded);
    QCOMPARE(plan.record<Skip>().key, std::string("k"));
    QVERIFY(plan.record<Skip>().time == at("2026-04-07T10:00:00Z"));
    QCOMPARE(plan.record<Skip>().reason, SkipReason::AlreadyDone);
    QCOMPARE(plan.text({"", "ch_1", "2026-04-07T10:00:00Z", "skipped", ""}), RowFate::Quarantined);
    QCOMPARE(plan.fault().rule, std::string("missing_field"));
  }

  void mandatoryFields_data() {
    QTest::addColumn<QByteArray>("record");
    QTest::addColumn<QByteArray>("fields");
    QTest::addColumn<QByteArray>("values");
    QTest::addColumn<bool>("recorded");
    const auto row = [](const char* name, const char* record, const char* fields,
                        const char* values, bool recorded) {
      QTest::newRow(name) << QByteArray(record) << QByteArray(fields) << QByteArray(values)
                          << recorded;
    };
    const char* t = "2026-04-07T10:00:00Z";
    const auto with = [t](const char* rest) { return std::string(t) + "," + rest; };
    row("attempt by job", "attempt", "start,job_id", with("j").c_str(), true);
    row("attempt by effect", "attempt", "end,effect_id", with("e").c_str(), true);
    row("attempt without time", "attempt", "end,job_id", ",j", false);
    row("attempt without link", "attempt", "end,job_id", with("null").c_str(), false);
    row("skip", "skip", "time,op_ref", with("o").c_str(), true);
    row("skip without link", "skip", "time,worker", with("w").c_str(), false);
    row("claim without time", "claim", "claimed_at,key", ",k", true);
    row("claim without key", "claim", "claimed_at,key", with("").c_str(), false);
    row("intent by reference", "intent", "created_at,op_ref", with("o").c_str(), true);
    row("intent without time", "intent", "created_at,id", ",i", false);
    row("outbox by id", "outbox", "created_at,id", with("i").c_str(), true);
    row("outbox without id", "outbox", "created_at,id", with("").c_str(), false);
    row("processed event", "processed_event", "processed_at,id", ",e", true);
    row("dead letter", "dead_letter", "died_at,message_id", ",m", true);
    row("dead letter without link", "dead_letter", "died_at,queue", with("q").c_str(), false);
    row("effect without anything but a time", "effect", "created,customer", with("").c_str(), true);
    row("depth", "queue_depth", "sampled_at,queue", ",q", true);
    row("depth without queue", "queue_depth", "sampled_at,queue", with("").c_str(), false);
  }
  void mandatoryFields() {
    QFETCH(QByteArray, record);
    QFETCH(QByteArray, fields);
    QFETCH(QByteArray, values);
    QFETCH(bool, recorded);
    std::string members;
    std::vector<std::string> columns, texts;
    const QList<QByteArray> names = fields.split(','), parts = values.split(',');
    for (int i = 0; i < names.size(); ++i) {
      columns.push_back(names[i].toStdString());
      texts.push_back(parts[i].toStdString());
      members += (i > 0 ? ", \"" : "\"") + columns.back() + "\": \"" + columns.back() + "\"";
    }
    PlanUnderTest plan(
        "{\"record\": \"" + record.toStdString() + "\", \"fields\": {" + members + "}}", columns);
    const RowFate fate = plan.text(texts, "1," + values.toStdString());
    QCOMPARE(fate, recorded ? RowFate::Recorded : RowFate::Quarantined);
    if (!recorded) QCOMPARE(plan.fault().rule, std::string("missing_field"));
  }

  void linesThatAreNoRecords() {
    PlanUnderTest plan(
        effectWith(R"("key": "k", "amount": "m")", R"(, "layout": {"footer": "re:^Number of"})"),
        {"t", "k", "m"});
    QCOMPARE(plan.text({"t", "k", "m"}), RowFate::NoRecord);
    QCOMPARE(plan.text({"", "", ""}, ",,"), RowFate::NoRecord);
    QCOMPARE(plan.text({"Total", "", "1,250.00"}), RowFate::NoRecord);
    QCOMPARE(plan.text({"", "Grand total:", "9"}), RowFate::NoRecord);
    QCOMPARE(plan.text({"Number of transactions", "6", ""}, "Number of transactions;6"),
             RowFate::NoRecord);
    QCOMPARE(plan.text({"", "k-1", "5.00"}), RowFate::Quarantined);
    QCOMPARE(plan.text({"2026-04-07T10:00:00Z", "total", "5.00"}), RowFate::Recorded);
    QCOMPARE(plan.text({"", "total-4471", "5.00"}), RowFate::Quarantined);
    QCOMPARE(plan.text({"2026-04-07T10:00:00Z", "total", "x"}), RowFate::Quarantined);
  }

  void operationsOfTheConfiguration() {
    const auto matcher = OperationMatcher::make(
        {{"charge", {{"task", "charge"}}}, {"refund", {{"task", "re:^ref"}}}});
    PlanOptions options;
    options.operations = matcher->get();
    PlanUnderTest plan(
        R"({"record": "attempt", "fields": {"key": "k", "end": "t", "task": "x", "op_ref": "o", "operation": "n"}})",
        {"k", "t", "x", "o", "n"}, options);
    const char* t = "2026-04-07T10:00:00Z";
    QCOMPARE(plan.text({"k", t, "charge", "o", ""}), RowFate::Recorded);
    QCOMPARE(plan.record<Attempt>().operation.value, std::int16_t(0));
    const auto charge = plan.slim().opRef;
    QCOMPARE(plan.text({"k", t, "refund", "o", ""}), RowFate::Recorded);
    QCOMPARE(plan.record<Attempt>().operation.value, std::int16_t(1));
    QVERIFY(plan.slim().opRef != charge);
    QCOMPARE(plan.text({"k", t, "mail", "o", "refund"}), RowFate::Recorded);
    QCOMPARE(plan.record<Attempt>().operation.value, std::int16_t(1));
    QCOMPARE(plan.text({"k", "broken", "mail", "o", ""}), RowFate::Excluded);
    QCOMPARE(plan.record<Attempt>().operation.value, std::int16_t(1));
  }

  void onlyAttemptsAreExcludedByTheirOperation() {
    const auto matcher = OperationMatcher::make({{"charge", {{"task", "charge"}}}});
    PlanOptions options;
    options.operations = matcher->get();
    PlanUnderTest skip(R"({"record": "skip", "fields": {"key": "k", "time": "t", "task": "x"}})",
                       {"k", "t", "x"}, options);
    QCOMPARE(skip.text({"k", "2026-04-07T10:00:00Z", "mail"}), RowFate::Recorded);
    QVERIFY(skip.record<Skip>().operation.isNone());
    PlanUnderTest effect(effectWith(""), {"t"}, options);
    QCOMPARE(effect.text({"2026-04-07T10:00:00Z"}), RowFate::Recorded);
    QVERIFY(effect.record<Effect>().operation.isNone());
  }

  void scopeIsAccountAndTest() {
    PlanUnderTest plan(effectWith(R"("account": "a", "live": "l")"), {"t", "a", "l"});
    const char* t = "2026-04-07T10:00:00Z";
    plan.text({t, "", ""});
    QCOMPARE(plan.slim().scope, std::uint64_t(0));
    plan.text({t, "", "true"});
    QCOMPARE(plan.slim().scope, std::uint64_t(0));
    QCOMPARE(plan.record<Effect>().live, Live::Live);
    plan.text({t, "acme", "live"});
    const auto live = plan.slim().scope;
    plan.text({t, "acme", "FALSE"});
    QCOMPARE(plan.record<Effect>().live, Live::Test);
    QVERIFY(plan.slim().scope != live);
    QCOMPARE(plan.text({t, "acme", "maybe"}), RowFate::Quarantined);
    QCOMPARE(plan.fault().rule, std::string("unknown_word"));
  }

  void valuesOutsideTheRow() {
    PlanOptions options;
    options.documentValues = {{"/as_of", "2026-09-15T06:00:00Z"}};
    PlanUnderTest plan(
        R"({"record": "queue_depth", "fields": {"queue": {"pointer": "/queue"}, "depth": "d",
      "sampled_at": {"pointer": "/as_of"}}})",
        {}, options);
    const std::vector<std::string> pointers = {"/as_of", "/queue"};
    auto asked = plan.plan().documentPointers();
    std::sort(asked.begin(), asked.end());
    QCOMPARE(asked, pointers);
    QCOMPARE(plan.row({{"d", {FieldType::Number, "4"}}}), RowFate::Quarantined);
  }

  void queueDepths() {
    PlanUnderTest plan(
        R"({"record": "queue_depth", "fields": {"queue": "q", "depth": "d", "in_flight": "f", "oldest": "o",
      "dead_letter": "x", "sampled_at": "t"}})",
        {"q", "d", "f", "o", "x", "t"});
    QCOMPARE(plan.text({"pay.dlq", "9", "", "5m", "true", "2026-04-07T10:00:00Z"}),
             RowFate::Recorded);
    const auto& depth = plan.record<QueueDepth>();
    QVERIFY(depth.depth == std::optional<std::int64_t>(9));
    QVERIFY(!depth.inFlight.has_value());
    QVERIFY(depth.oldestAge == std::optional<Duration>(std::chrono::minutes(5)));
    QVERIFY(depth.kind == QueueKind::Dead);
    plan.text({"q", "0", "1", "90.5", "no", ""});
    QVERIFY(plan.record<QueueDepth>().oldestAge ==
            std::optional<Duration>(std::chrono::seconds(90)));
    plan.text({"q", "0", "1", "2026-04-07T09:00:00Z", "", "2026-04-07T10:00:00Z"});
    QVERIFY(plan.record<QueueDepth>().oldestAge == std::optional<Duration>(std::chrono::hours(1)));
    QCOMPARE(plan.text({"q", "many", "1", "", "", ""}), RowFate::Quarantined);
    QCOMPARE(plan.fault().rule, std::string("not_a_number"));
    QCOMPARE(plan.text({"q", "-1", "1", "", "", ""}), RowFate::Quarantined);
    QCOMPARE(plan.fault().rule, std::string("negative_depth"));
  }

  void depthsThatAreToldInPieces() {
    PlanUnderTest plan(
        R"({"record": "queue_depth", "fields": {"queue": "q", "depth": "d", "ready": "r", "in_flight": "f", "delayed": "w",
      "from": "a", "to": "b", "part": "p", "kind": "k", "dead_letter": "x", "dead_letter_queue": "y", "offset": "o"}})",
        {"q", "d", "r", "f", "w", "a", "b", "p", "k", "x", "y", "o"});
    const auto depthOf = [&](const std::vector<std::string>& texts) -> std::string {
      if (plan.text(texts) != RowFate::Recorded) return plan.fault().rule;
      const auto& depth = plan.record<QueueDepth>();
      return depth.depth ? std::to_string(*depth.depth) : "?";
    };
    QCOMPARE(depthOf({"q", "", "2", "1", "4", "", "", "", "", "", "", ""}), std::string("7"));
    QCOMPARE(depthOf({"q", "", "2", "", "", "", "", "", "", "", "", ""}), std::string("2"));
    QCOMPARE(depthOf({"q", "", "", "1", "4", "", "", "", "", "", "", ""}), std::string("?"));
    QCOMPARE(depthOf({"q", "9", "2", "1", "4", "", "", "", "", "", "", ""}), std::string("9"));
    QCOMPARE(depthOf({"q", "", "", "", "", "3", "10", "", "", "", "", ""}), std::string("7"));
    QCOMPARE(depthOf({"q", "", "", "", "", "-", "10", "", "", "", "", ""}), std::string("?"));
    QCOMPARE(depthOf({"q", "", "", "", "", "11", "10", "", "", "", "", ""}), std::string("negative_depth"));
    QCOMPARE(depthOf({"q", "", "9223372036854775807", "1", "", "", "", "", "", "", "", ""}), std::string("?"));
    plan.text({"q", "", "", "", "", "", "", "2", "scheduled", "", "letters", "41"});
    const auto& told = plan.record<QueueDepth>();
    QVERIFY(told.kind == QueueKind::Delayed);
    QCOMPARE(told.part, std::string("2"));
    QCOMPARE(told.deadLetterQueue, std::string("letters"));
    QVERIFY(told.offset == std::optional<std::int64_t>(41));
    const auto kindOf = [&](const std::string& kind, const std::string& flag) {
      plan.text({"q", "", "", "", "", "", "", "", kind, flag, "", ""});
      return std::string(codeOf(plan.record<QueueDepth>().kind));
    };
    QCOMPARE(kindOf("", "true"), std::string("dead"));
    QCOMPARE(kindOf("", "false"), std::string("work"));
    QCOMPARE(kindOf("retry", "false"), std::string("retry"));
    QCOMPARE(kindOf("quorum", ""), std::string());
  }

  void aDepthIsNotThatOfTheRowBefore() {
    PlanUnderTest plan(R"({"record": "queue_depth", "fields": {"queue": "q", "ready": "r", "to": "b", "from": "a"}})", {"q", "r", "a", "b"});
    plan.text({"q", "4", "", ""});
    QVERIFY(plan.record<QueueDepth>().depth == std::optional<std::int64_t>(4));
    plan.text({"q", "0", "", ""});
    QVERIFY(plan.record<QueueDepth>().depth == std::optional<std::int64_t>(0));
    plan.text({"q", "", "1", "3"});
    QVERIFY(plan.record<QueueDepth>().depth == std::optional<std::int64_t>(2));
    plan.text({"q", "", "", "3"});
    QVERIFY(!plan.record<QueueDepth>().depth.has_value());
  }

  void aKeyThatLostACharacterIsNone() {
    PlanUnderTest plan(R"({"record": "claim", "fields": {"key": "k"}})", {"k"});
    plan.text({"order-\xEF\xBF\xBD"});
    QCOMPARE(plan.fault().rule, std::string("missing_field"));
  }

  void columnsAreBoundByName() {
    const auto messageOf = [](const std::string& fields, const std::vector<std::string>& columns) {
      const auto spec = mappingOf(effectWith(fields));
      const auto plan = Plan::compile(*spec, columns, {});
      return plan ? std::string("bound") : plan.error().message;
    };
    QCOMPARE(messageOf(R"("key": "Referenz")", {"t", "referenz"}), std::string("bound"));
    QCOMPARE(messageOf(R"("key": "referense")", {"t", "reference"}),
             std::string(
                 "test.json:1:86: the file has no column 'referense', did you mean 'reference'?"));
    QCOMPARE(messageOf(R"("key": ["gone", "reference"])", {"t", "reference"}),
             std::string("bound"));
    QCOMPARE(messageOf(R"("key": {"template": "{a}-{b}"})", {"t", "a"}),
             std::string("test.json:1:86: the file has no column '{a}-{b}'"));
  }

  void exactNameWinsOverCase() {
    PlanUnderTest plan(effectWith(R"("key": "Key")"), {"t", "key", "Key"});
    plan.text({"2026-04-07T10:00:00Z", "lower", "exact"});
    QCOMPARE(plan.record<Effect>().key, std::string("exact"));
  }

  void contentTellsRowsWithoutAKeyApart() {
    PlanUnderTest plan(effectWith(R"("customer": "c")"), {"t", "c"});
    plan.text({"2026-04-07T10:00:00Z", "a"});
    const auto a = plan.slim().content;
    plan.text({"2026-04-07T10:00:00Z", "b"});
    QVERIFY(plan.slim().content != a);
    plan.text({"2026-04-07T10:00:00Z", "a"});
    QCOMPARE(plan.slim().content, a);
  }

  void placeNamesMappingAndElement() {
    PlanOptions options;
    options.source = SourceId{3};
    options.file = FileId{7};
    options.mappingNumber = 2;
    PlanUnderTest plan(effectWith(R"("key": "k")"), {"t", "k"}, options);
    plan.text({"2026-04-07T10:00:00Z", "a"});
    const Place& place = plan.record<Effect>().place;
    QCOMPARE(place.source.value, std::uint16_t(3));
    QCOMPARE(place.file.value, 7u);
    QCOMPARE(place.part, 2u << 20);
    QCOMPARE(place.offset, std::uint64_t(100));
    QVERIFY(plan.slim().ref == (RecordRef{FileId{7}, 2u << 20, 100}));
  }

  void cardNumbersInErrorsAreMasked() {
    PlanUnderTest plan(R"({"record": "attempt", "fields": {"key": "k", "start": "t", "error": "e"}})", {"k", "t", "e"});
    const std::string time = "2026-04-07T10:00:00Z";
    QCOMPARE(plan.text({"k1", time, "card 4242 4242 4242 4242 was declined"}), RowFate::Recorded);
    QCOMPARE(plan.record<Attempt>().error, std::string("card ************4242 was declined"));
    QCOMPARE(plan.text({"k1", time, "order 1234567890123 was declined"}), RowFate::Recorded);
    QCOMPARE(plan.record<Attempt>().error, std::string("order 1234567890123 was declined"));
  }

  void shownValuesAreBounded() {
    PlanUnderTest plan(effectWith(""), {"t"});
    std::string longText;
    for (int i = 0; i < 500; ++i) longText += "\xC3\xA9";
    QCOMPARE(plan.text({longText}), RowFate::Quarantined);
    QCOMPARE(plan.fault().value.size(), std::size_t(200));
  }
};

QTEST_APPLESS_MAIN(TstPlan)
#include "tst_plan.moc"
