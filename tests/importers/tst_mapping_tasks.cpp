// SPDX-License-Identifier: GPL-3.0-or-later
// "tasks" of a mapping: fields by the row's task.
#include "importers/mapping/task_rules.h"
#include "tests/importers/plan_fixture.h"

using namespace counterfoil;
using counterfoil::testing::PlanUnderTest;
using counterfoil::testing::refusalOf;

namespace {

constexpr const char* kEnd = "2026-04-07T10:00:00Z";
const std::vector<std::string> kColumns = {"id", "t", "task", "args", "key", "s"};

std::string attemptWith(const std::string& tasks, const std::string& more = {}) {
  return R"({"record": "attempt", "names": {"args": {"column": "args", "decode": "json"}},
    "fields": {"end": "t", "job_id": "id", "task": "task", "key": "key", "status": "s")" +
         more + R"(}, "tasks": {)" + tasks + "}}";
}

const std::string kCharge =
    R"("shop.charge": {"key": {"template": "charge:{args.0}"}, "op_ref": "args.0",
                       "amount": {"column": "args.1", "unit": "minor"}, "currency": "args.2"})";

}  // namespace

class TstMappingTasks : public QObject {
  Q_OBJECT

 private slots:
  void fieldsOfATaskReplaceTheMappings() {
    PlanUnderTest plan(attemptWith(kCharge), kColumns);
    QCOMPARE(plan.text({"j1", kEnd, "shop.charge", R"(["ord_1", 4900, "usd"])", "base", "SUCCESS"}),
             RowFate::Recorded);
    QCOMPARE(plan.record<Attempt>().key, std::string("charge:ord_1"));
    QCOMPARE(plan.record<Attempt>().opRef, std::string("ord_1"));
    QCOMPARE(plan.record<Attempt>().amount->minor, std::int64_t(4900));
    QCOMPARE(plan.record<Attempt>().status, AttemptStatus::Succeeded);
    QCOMPARE(plan.text({"j2", kEnd, "shop.mail", R"(["ord_1", 4900, "usd"])", "base", "FAILURE"}),
             RowFate::Recorded);
    QCOMPARE(plan.record<Attempt>().key, std::string("base"));
    QCOMPARE(plan.record<Attempt>().opRef, std::string());
    QVERIFY(!plan.record<Attempt>().amount);
    QCOMPARE(plan.record<Attempt>().status, AttemptStatus::FailedFinal);
  }

  void blankStaysBlank() {
    PlanUnderTest plan(attemptWith(kCharge), kColumns);
    QCOMPARE(plan.text({"j1", kEnd, "shop.charge", R"([])", "base", ""}), RowFate::Recorded);
    QCOMPARE(plan.record<Attempt>().key, std::string());
    PlanUnderTest none(attemptWith(R"("shop.ping": {"key": {"value": ""}})"), kColumns);
    QCOMPARE(none.text({"j1", kEnd, "shop.ping", "[]", "base", ""}), RowFate::Recorded);
    QCOMPARE(none.record<Attempt>().key, std::string());
  }

  void theFirstThatFitsCounts_data() {
    QTest::addColumn<QByteArray>("task");
    QTest::addColumn<QByteArray>("key");
    QTest::newRow("name before patterns") << QByteArray("report.daily") << QByteArray("exact");
    QTest::newRow("first pattern") << QByteArray("report.weekly") << QByteArray("first");
    QTest::newRow("second pattern") << QByteArray("old.report") << QByteArray("second");
    QTest::newRow("case counts") << QByteArray("Report.daily") << QByteArray("any");
    QTest::newRow("any") << QByteArray("mail") << QByteArray("any");
    QTest::newRow("none named") << QByteArray("") << QByteArray("any");
  }
  void theFirstThatFitsCounts() {
    QFETCH(QByteArray, task);
    QFETCH(QByteArray, key);
    PlanUnderTest plan(attemptWith(R"("*": {"key": {"value": "any"}}, "re:^report\\.": {"key": {"value": "first"}},
                                      "re:report": {"key": {"value": "second"}}, "report.daily": {"key": {"value": "exact"}})"),
                       kColumns);
    for (int again = 0; again < 2; ++again) {
      QCOMPARE(plan.text({"j", kEnd, task.toStdString(), "", "base", ""}), RowFate::Recorded);
      QCOMPARE(QByteArray::fromStdString(plan.record<Attempt>().key), key);
    }
  }

  void excludedTasksAreCounted() {
    PlanUnderTest plan(attemptWith(R"("re:^report\\.": {"exclude": true}, "report.money": {"exclude": false})"), kColumns);
    QCOMPARE(plan.text({"j", kEnd, "report.daily", "", "k", ""}), RowFate::Excluded);
    QCOMPARE(plan.text({"j", kEnd, "report.money", "", "k", ""}), RowFate::Recorded);
    QCOMPARE(plan.record<Attempt>().key, std::string("k"));
    QCOMPARE(plan.text({"j", kEnd, "charge", "", "k", ""}), RowFate::Recorded);
  }

  /// Of a task some rows say nothing that can be compared.
  void rowsOfATaskAreExcludedByConditions() {
    PlanUnderTest plan(attemptWith(R"("charge": {"exclude": [{"column": "s", "is": "start"}, {"column": "args.0", "is": "test"}], "key": "args.0"})"),
                       kColumns);
    QCOMPARE(plan.text({"j", kEnd, "charge", R"(["a"])", "", "start"}), RowFate::Excluded);
    QCOMPARE(plan.text({"j", kEnd, "charge", R"(["test"])", "", ""}), RowFate::Excluded);
    QCOMPARE(plan.text({"j", kEnd, "charge", R"(["a"])", "", ""}), RowFate::Recorded);
    QCOMPARE(plan.record<Attempt>().key, std::string("a"));
    QCOMPARE(plan.text({"j", kEnd, "mail", R"(["test"])", "", "start"}), RowFate::Recorded);
  }

  /// The words, currencies and flags that a row has by its task are its own.
  void manyTasksInTurn() {
    PlanUnderTest plan(
        attemptWith(R"("a": {"status": {"column": "s", "words": {"succeeded": ["x"], "failed_final": ["y"]}},
                             "amount": {"column": "args.0", "unit": "minor"}, "currency": {"value": "JPY"}},
                       "b": {"status": {"column": "s", "words": {"succeeded": ["y"], "failed_final": ["x"]}},
                             "amount": "args.0", "currency": {"value": "USD"}})"),
        kColumns);
    for (int i = 0; i < 3; ++i) {
      for (const auto& [task, word, status, amount] :
           {std::tuple("a", "x", AttemptStatus::Succeeded, "1500 JPY"), std::tuple("b", "x", AttemptStatus::FailedFinal, "150000 USD"),
            std::tuple("a", "y", AttemptStatus::FailedFinal, "1500 JPY"), std::tuple("b", "y", AttemptStatus::Succeeded, "150000 USD"),
            std::tuple("c", "x", AttemptStatus::Unknown, "none")}) {
        QCOMPARE(plan.text({"j", kEnd, task, "[1500]", "k", word}), RowFate::Recorded);
        const auto& attempt = plan.record<Attempt>();
        QCOMPARE(attempt.status, status);
        const std::string got = attempt.amount ? std::to_string(attempt.amount->minor) + " " +
                                                     std::string(attempt.amount->currency.text())
                                               : "none";
        QCOMPARE(got, std::string(amount));
      }
    }
  }

  void faultsNameTheTasksColumn() {
    PlanUnderTest plan(attemptWith(kCharge), kColumns);
    QCOMPARE(plan.text({"j", kEnd, "shop.charge", R"(["ord_1", "many", "usd"])", "", ""}), RowFate::Quarantined);
    QCOMPARE(plan.fault().column, std::string("args.1"));
    QCOMPARE(plan.text({"j", kEnd, "shop.charge", "{", "", ""}), RowFate::Quarantined);
    QCOMPARE(plan.fault().rule, std::string("not_decodable"));
    QCOMPARE(plan.text({"j", kEnd, "shop.mail", "{", "", ""}), RowFate::Recorded);   // never looked at
  }

  void aTaskThatCannotBeReadIsQuarantined() {
    PlanUnderTest plan(
        R"({"record": "attempt", "exclude": [{"column": "s", "is": "gone"}],
            "fields": {"end": "t", "job_id": "id", "task": {"column": "task", "decode": "base64"}},
            "tasks": {"x": {"key": "key"}}})",
        kColumns);
    QCOMPARE(plan.text({"j", kEnd, "eA==", "", "k", ""}), RowFate::Recorded);
    QCOMPARE(plan.record<Attempt>().key, std::string("k"));
    QCOMPARE(plan.text({"j", kEnd, "***", "", "k", ""}), RowFate::Quarantined);
    QCOMPARE(plan.fault().rule, std::string("not_decodable"));
    QCOMPARE(plan.text({"j", kEnd, "***", "", "k", "gone"}), RowFate::Excluded);
  }

  void rulesForAllRowsNeedNoTask() {
    PlanUnderTest plan(R"({"record": "dead_letter", "fields": {"message_id": "id", "died_at": "t"},
                           "tasks": {"*": {"key": {"template": "charge:{key}"}}}})",
                       kColumns);
    QCOMPARE(plan.text({"m1", kEnd, "", "", "7", ""}), RowFate::Recorded);
    QCOMPARE(plan.record<DeadLetter>().key, std::string("charge:7"));
  }

  /// The text of a row's key changes which operation it belongs to: the task's key counts there too.
  void operationsSeeTheTasksFields() {
    const auto matcher = OperationMatcher::make({{"charge", {{"key", "re:^charge:"}}}, {"other", {}}});
    QVERIFY(matcher.has_value());
    PlanOptions options;
    options.operations = matcher->get();
    PlanUnderTest plan(attemptWith(kCharge), kColumns, options);
    QCOMPARE(plan.text({"j1", kEnd, "shop.charge", R"(["o", 1, "usd"])", "base", ""}), RowFate::Recorded);
    QCOMPARE(plan.record<Attempt>().operation.value, std::int16_t(0));
    QCOMPARE(plan.text({"j1", kEnd, "shop.mail", R"(["o", 1, "usd"])", "base", ""}), RowFate::Recorded);
    QCOMPARE(plan.record<Attempt>().operation.value, std::int16_t(1));
  }

  /// A format of attempts, dead letters and depths: each takes what its records know.
  void aFormatsMappingsTakeTheRulesTheyKnow() {
    QTemporaryDir folder;
    QFile file(folder.filePath("mine.jobs.json"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(R"({"mappings": [
      {"record": "attempt", "names": {"args": {"column": "args", "decode": "json"}},
       "fields": {"end": "t", "job_id": "id", "task": "task", "key": "args.0"}, "tasks": {"a": {"key": "args.1"}, "b": {"key": "args.2"}}},
      {"record": "dead_letter", "fields": {"message_id": "id", "died_at": "t", "task": "task"}},
      {"record": "claim", "fields": {"key": "key"}},
      {"record": "queue_depth", "fields": {"queue": "task", "depth": "id"}}]})");
    file.close();
    qputenv("COUNTERFOIL_FORMATS", folder.path().toUtf8());
    const auto mappings = [](const char* json) {
      const auto node = parseJson(json, "test.json");
      return parseMappings(*node);
    };
    const auto specs = mappings(
        R"({"extends": "mine.jobs", "names": {"args": {"column": "packed", "decode": ["base64", "json"]}},
            "tasks": {"b": {"key": "args.3", "end": "t"}, "c": {"key": "key"}}})");
    QVERIFY2(specs.has_value(), specs ? "" : specs.error().message.c_str());
    QCOMPARE(specs->size(), std::size_t(4));
    const std::vector<std::string> columns = {"id", "t", "task", "packed", "key"};
    const std::string packed = QByteArray(R"(["k0", "k1", "k2", "k3"])").toBase64().toStdString();
    PlanUnderTest attempts(specs->at(0), columns);
    PlanUnderTest dead(specs->at(1), columns);
    PlanUnderTest claims(specs->at(2), columns);
    // The format's own fields see the replaced name; of its rules the one that is given again gave way.
    for (const auto& [task, key, deadKey] : {std::tuple("x", "k0", ""), std::tuple("a", "k1", ""),
                                             std::tuple("b", "k3", "k3"), std::tuple("c", "base", "base")}) {
      QCOMPARE(attempts.text({"j", kEnd, task, packed, "base"}), RowFate::Recorded);
      QCOMPARE(attempts.record<Attempt>().key, std::string(key));
      QCOMPARE(dead.text({"j", kEnd, task, packed, "base"}), RowFate::Recorded);
      QCOMPARE(dead.record<DeadLetter>().key, std::string(deadKey));
      QCOMPARE(claims.text({"j", kEnd, task, packed, "base"}), RowFate::Recorded);
    }
    const auto unknown = mappings(R"({"extends": "mine.jobs", "tasks": {"b": {"due_at": "t"}}})");
    QVERIFY(!unknown.has_value());
    QCOMPARE(unknown.error().message, std::string("test.json:1:52: no record of the format that has a task has a field 'due_at'"));
    const auto claimsOnly = mappings(R"({"extends": "mine.jobs", "record": "claim", "tasks": {"b": {"key": "t"}}})");
    QVERIFY(!claimsOnly.has_value());
    QVERIFY2(claimsOnly.error().message.find("needs the field 'task'") != std::string::npos, claimsOnly.error().message.c_str());
    qunsetenv("COUNTERFOIL_FORMATS");
  }

  void refusals_data() {
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QByteArray>("message");
    const auto row = [](const char* name, const char* json, const char* message) {
      QTest::newRow(name) << QByteArray(json) << QByteArray(message);
    };
    row("a list", R"({"record": "skip", "fields": {"key": "k"}, "tasks": []})",
        "test.json:1:53: 'tasks' has to be an object, {\"shop.charge\": {\"key\": …}}");
    row("no task field", R"({"record": "skip", "fields": {"key": "k"}, "tasks": {"a": {"key": "x"}}})",
        "test.json:1:53: 'tasks' needs the field 'task': map it to the column of the task's name, or give the rules "
        "for all rows as \"*\"");
    row("of an effect", R"({"record": "effect", "fields": {"key": "k"}, "tasks": {"*": {"key": "x"}}})",
        "test.json:1:55: a record of kind effect has no task");
    row("unknown field", R"({"record": "skip", "fields": {"task": "k"}, "tasks": {"a": {"kye": "x"}}})",
        "test.json:1:68: unknown member 'kye' of a task: a record of kind skip has no such field, did you mean 'key'?");
    row("the task itself", R"({"record": "skip", "fields": {"task": "k"}, "tasks": {"a": {"task": "x"}}})",
        "test.json:1:69: 'task' is what tells the rules apart: map it in 'fields'");
    row("excluded with fields", R"({"record": "skip", "fields": {"task": "k"}, "tasks": {"a": {"exclude": true, "key": "x"}}})",
        "test.json:1:60: task 'a' is excluded and has fields");
    row("bad pattern", "{\"record\": \"skip\", \"fields\": {\"task\": \"k\"}, \"tasks\": {\"re:[\": {\"key\": \"x\"}}}",
        "test.json:1:63: pattern '[' is not understood: missing ]: [");
    row("exclude is a word", R"({"record": "skip", "fields": {"task": "k"}, "tasks": {"a": {"exclude": "yes"}}})",
        "test.json:1:72: 'exclude' of a task is true, false or a list of conditions");
  }
  void refusals() {
    QFETCH(QByteArray, json);
    QFETCH(QByteArray, message);
    QCOMPARE(QByteArray::fromStdString(refusalOf(json.toStdString())), message);
  }
};

QTEST_APPLESS_MAIN(TstMappingTasks)
#include "tst_mapping_tasks.moc"
