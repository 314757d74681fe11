// SPDX-License-Identifier: GPL-3.0-or-later
// "names" of a mapping: columns that are places inside a value.
#include "importers/mapping/mapping_model.h"
#include "tests/importers/plan_fixture.h"

using namespace counterfoil;
using counterfoil::testing::mappingOf;
using counterfoil::testing::PlanUnderTest;
using counterfoil::testing::refusalOf;

namespace {

constexpr const char* kEnd = "2026-04-07T10:00:00Z";

/// An attempts mapping with names and fields of its own.
std::string attemptWith(const std::string& names, const std::string& fields,
                        const std::string& more = {}) {
  return R"({"record": "attempt", "names": {)" + names + R"(}, "fields": {"end": "t", "job_id": "id", )" +
         fields + "}" + more + "}";
}

const std::string kArgs =
    R"("args": {"column": "task_args", "decode": ["json", "python_repr"], "on_error": "blank"})";

}  // namespace

class TstMappingNames : public QObject {
  Q_OBJECT

 private slots:
  void places_data() {
    QTest::addColumn<QByteArray>("how");
    QTest::addColumn<QByteArray>("value");
    QTest::addColumn<QByteArray>("key");
    const auto row = [](const char* name, const char* how, const char* value, const char* key) {
      QTest::newRow(name) << QByteArray(how) << QByteArray(value) << QByteArray(key);
    };
    row("n-th argument", R"("v.1")", R"(["a", "b"])", "b");
    row("last argument", R"("v.-1")", R"(["a", "b", "c"])", "c");
    row("second last argument", R"("v.-2")", R"(["a", "b", "c"])", "b");
    row("before the first", R"("v.-4")", R"(["a", "b", "c"])", "");
    row("none at the end", R"("v.-0")", R"(["a"])", "");
    row("behind the last", R"("v.7")", R"(["a"])", "");
    row("keyword", R"("v.order_id")", R"({"order_id": "ord_7"})", "ord_7");
    row("nested", R"("v.order.ids.0")", R"({"order": {"ids": ["ord_8"]}})", "ord_8");
    row("number", R"("v.n")", R"({"n": 10.50})", "10.50");
    row("null", R"("v.n")", R"({"n": null})", "");
    row("none", R"("v.m")", R"({"n": 1})", "");
    row("header with a dash", R"("v.Idempotency-Key")", R"({"Idempotency-Key": "k-1"})", "k-1");
    row("slash and tilde", R"("v.a/b.c~d")", R"({"a/b": {"c~d": "k-2"}})", "k-2");
    row("dots in a member's name", R"("v.__connect.errors.topic")",
        R"({"__connect.errors.topic": "pay"})", "pay");
    row("dots and steps", R"("v.a.b.c")", R"({"a": {"x": 1}, "a.b": {"c": "deep"}})", "deep");
    row("element by a member", R"("v.[Name=Key].Value")", R"([{"Name": "Key", "Value": "k-3"}])",
        "k-3");
    row("the whole", R"({"column": "v", "decode": ["json"], "pointer": "/0"})", R"(["w"])", "w");
    row("decoded further", R"({"column": "v.body", "decode": "base64"})", R"({"body": "eHk="})", "xy");
    row("found in it", R"x({"column": "v.0", "find": "charge:(.*)"})x", R"(["charge:5"])", "5");
    row("template", R"({"template": "charge:{v.0}:{v.1}"})", R"(["ord_1", 5])", "charge:ord_1:5");
    row("template with a blank part", R"({"template": "charge:{v.0}"})", R"([""])", "");
    row("template with columns too", R"({"template": "{id}/{v.0}"})", R"(["x"])", "j1/x");
    row("join", R"({"join": ["v.0", "v.1"], "with": "-"})", R"(["a", "b"])", "a-b");
    row("when it holds", R"({"column": "v.0", "when": {"column": "v.1", "is": "charge"}})",
        R"(["k", "charge"])", "k");
    row("when it does not", R"({"column": "v.0", "when": {"column": "v.1", "is": "charge"}})",
        R"(["k", "mail"])", "");
    row("first that is not blank", R"(["v.key", "v.id"])", R"({"id": "second"})", "second");
  }
  void places() {
    QFETCH(QByteArray, how);
    QFETCH(QByteArray, value);
    QFETCH(QByteArray, key);
    const std::string json = attemptWith(R"("v": {"column": "data", "decode": "json"})",
                                         "\"key\": " + how.toStdString());
    PlanUnderTest text(json, {"id", "t", "data"});
    QCOMPARE(text.text({"j1", kEnd, value.toStdString()}), RowFate::Recorded);
    QCOMPARE(QByteArray::fromStdString(text.record<Attempt>().key), key);
    // JSON rows have no header, and the column may be an object already.
    PlanUnderTest rows(json, {});
    QCOMPARE(rows.row({{"id", {FieldType::Text, "j1"}},
                       {"t", {FieldType::Text, kEnd}},
                       {"data", {FieldType::Json, std::string_view(value.data(), value.size())}}}),
             RowFate::Recorded);
    QCOMPARE(QByteArray::fromStdString(rows.record<Attempt>().key), key);
  }

  void aColumnOfTheFileIsNoPlace() {
    const std::string json = attemptWith(R"("data": {"column": "data", "decode": "json"})",
                                         R"("key": "data.id", "op_ref": "data.order")");
    PlanUnderTest plan(json, {"id", "t", "data", "Data.ID"});
    QCOMPARE(plan.text({"j", kEnd, R"({"id": "inside", "order": "o1"})", "column"}), RowFate::Recorded);
    QCOMPARE(plan.record<Attempt>().key, std::string("column"));
    QCOMPARE(plan.record<Attempt>().opRef, std::string("o1"));
  }

  void aNameOfNamesAndAlternatives() {
    const std::string json = attemptWith(
        R"x("body": {"column": "message", "find": "body=(.*)", "decode": "base64"},
            "payload": [{"column": "body.data", "decode": "json"}, {"column": "data", "decode": "json"}])x",
        R"("key": "payload.id")");
    QCOMPARE(mappingOf(json)->knownColumns(), (std::vector<std::string>{"data", "id", "message", "t"}));
    // find works behind decode: the name's own pattern on its decoded text.
    PlanUnderTest plan(json, {"id", "t", "message", "data"});
    const std::string inner = "body={\"data\": \"{\\\"id\\\": \\\"k9\\\"}\"}";
    const std::string packed = QByteArray::fromStdString(inner).toBase64().toStdString();
    QCOMPARE(plan.text({"j", kEnd, packed, ""}), RowFate::Recorded);
    QCOMPARE(plan.record<Attempt>().key, std::string("k9"));
    QCOMPARE(plan.text({"j", kEnd, "", R"({"id": "k8"})"}), RowFate::Recorded);
    QCOMPARE(plan.record<Attempt>().key, std::string("k8"));
  }

  void amountsTimesAndConditionsTakePlaces() {
    PlanUnderTest plan(
        R"({"record": "attempt", "names": {"args": {"column": "args", "decode": "python_repr"}},
            "exclude": [{"column": "args.0", "is": "re:^test_"}],
            "fields": {"end": {"column": "args.3", "zone": "Africa/Nairobi"}, "key": "args.0",
                       "amount": {"column": "args.1", "unit": "minor"}, "currency": "args.2"}})",
        {"args"});
    QCOMPARE(plan.text({"('ord_1', 4900, 'usd', '2026-04-07 13:00:00')"}), RowFate::Recorded);
    const auto& attempt = plan.record<Attempt>();
    QCOMPARE(attempt.amount->minor, std::int64_t(4900));
    QCOMPARE(formatInstant(*attempt.end), std::string("2026-04-07T10:00:00Z"));
    QCOMPARE(plan.text({"('test_1', 4900, 'usd', '2026-04-07 13:00:00')"}), RowFate::Excluded);
    QCOMPARE(plan.text({"('ord_1', 'many', 'usd', '2026-04-07 13:00:00')"}), RowFate::Quarantined);
    QCOMPARE(plan.fault().column, std::string("args.1"));
  }

  /// A cut value is blank for every use where the name says so, and never the key it begins with.
  void whatCannotBeDecodedIsBlankWhereTheNameSaysSo() {
    const std::string fields =
        R"("key": {"column": ["args.0", "fallback"]}, "op_ref": {"template": "charge:{args.0}"},
           "customer": {"join": [{"value": "c"}, "args.1"]},
           "queue": {"value": "none", "when": {"column": "args.0", "is": ""}})";
    PlanUnderTest plan(attemptWith(kArgs, fields), {"id", "t", "task_args", "fallback"});
    QCOMPARE(plan.text({"j", kEnd, "\"['pay_1', 'cus_2']\"", ""}), RowFate::Recorded);
    QCOMPARE(plan.record<Attempt>().key, std::string("pay_1"));
    QCOMPARE(plan.record<Attempt>().opRef, std::string("charge:pay_1"));
    QCOMPARE(plan.record<Attempt>().customer, std::string("ccus_2"));
    QCOMPARE(plan.record<Attempt>().queue, std::string());
    // Cut behind its second value: what stands before is used, what would follow is not known.
    QCOMPARE(plan.text({"j", kEnd, "\"['pay_1', 'cus_2'\"", ""}), RowFate::Recorded);
    QCOMPARE(plan.record<Attempt>().key, std::string("pay_1"));
    QCOMPARE(plan.record<Attempt>().customer, std::string("ccus_2"));
    QCOMPARE(plan.text({"j", kEnd, "\"['pay_1', 'cus_2\"", ""}), RowFate::Recorded);
    QCOMPARE(plan.record<Attempt>().key, std::string("pay_1"));
    QCOMPARE(plan.record<Attempt>().customer, std::string());
    for (const char* cut : {"\"['pay_100\"", "\"['pay_100...', 'x']\"", "\"[..., 'x']\"", "not JSON"}) {
      QCOMPARE(plan.text({"j", kEnd, cut, ""}), RowFate::Recorded);
      QCOMPARE(plan.record<Attempt>().key, std::string());
      QCOMPARE(plan.record<Attempt>().opRef, std::string());
      QCOMPARE(plan.record<Attempt>().queue, std::string("none"));
    }
    QCOMPARE(plan.text({"j", kEnd, "\"['pay_100\"", "k"}), RowFate::Recorded);
    QCOMPARE(plan.record<Attempt>().key, std::string("k"));
  }

  void aFieldsOwnDecodingStillFails() {
    PlanUnderTest plan(attemptWith(kArgs, R"("key": {"column": "args.0", "decode": "hex"})"),
                       {"id", "t", "task_args"});
    QCOMPARE(plan.text({"j", kEnd, "\"['6b31']\""}), RowFate::Recorded);
    QCOMPARE(plan.record<Attempt>().key, std::string("k1"));
    QCOMPARE(plan.text({"j", kEnd, "\"['6b31...']\""}), RowFate::Recorded);
    QCOMPARE(plan.record<Attempt>().key, std::string());
    QCOMPARE(plan.text({"j", kEnd, "\"['zz']\""}), RowFate::Quarantined);
    QCOMPARE(plan.fault().rule, std::string("not_decodable"));
    QCOMPARE(plan.fault().column, std::string("args.0"));
  }

  void withoutOnErrorTheRowIsQuarantined() {
    PlanUnderTest plan(attemptWith(R"("args": {"column": "a", "decode": "python_repr"})",
                                   R"("key": {"template": "charge:{args.0}"})"),
                       {"id", "t", "a"});
    QCOMPARE(plan.text({"j", kEnd, "['x...']"}), RowFate::Quarantined);
    QVERIFY2(plan.fault().reason.find("cut off") != std::string::npos, plan.fault().reason.c_str());
  }

  /// Decoders behind a cut text must not take it for the whole.
  void aCutTextIsNotDecodedFurther() {
    PlanUnderTest plan(R"({"record": "attempt", "fields": {"end": "t", "job_id": "id",
      "key": {"column": "a", "decode": ["python_repr", "/0", "upper"]},
      "fingerprint": {"column": "a", "decode": "python_repr", "on_error": "blank"}}})",
                       {"id", "t", "a"});
    QCOMPARE(plan.text({"j", kEnd, "['abc...']"}), RowFate::Quarantined);
    QCOMPARE(plan.text({"j", kEnd, "['abc', {'x': [...]}]"}), RowFate::Recorded);
    QCOMPARE(plan.record<Attempt>().key, std::string("ABC"));
    QCOMPARE(plan.record<Attempt>().fingerprint, std::string());
  }

  /// The alternatives of a name are one value of a digest, wherever it was found.
  void digestsTakeAlternativesForOneValue() {
    PlanUnderTest plan(attemptWith(R"("args": [{"column": "a", "decode": "json"}, {"column": "b", "decode": "json"}])",
                                   R"("fingerprint": ["args.0", "args.1"])"),
                       {"id", "t", "a", "b"});
    QCOMPARE(plan.text({"j", kEnd, R"(["x", "y"])", ""}), RowFate::Recorded);
    const std::string first = plan.record<Attempt>().fingerprint;
    QVERIFY(!first.empty());
    QCOMPARE(plan.text({"j", kEnd, "", R"(["x", "y"])"}), RowFate::Recorded);
    QCOMPARE(plan.record<Attempt>().fingerprint, first);
    QCOMPARE(plan.text({"j", kEnd, R"(["x", "z"])", ""}), RowFate::Recorded);
    QVERIFY(plan.record<Attempt>().fingerprint != first);
  }

  void refusals_data() {
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QByteArray>("message");
    const auto row = [](const char* name, const char* json, const char* message) {
      QTest::newRow(name) << QByteArray(json) << QByteArray(message);
    };
    row("a list", R"({"record": "skip", "names": [], "fields": {"key": "k"}})",
        "test.json:1:29: 'names' has to be an object, {\"args\": EXPRESSION}");
    row("a dot", R"({"record": "skip", "names": {"a.b": "c"}, "fields": {"key": "k"}})",
        "test.json:1:37: 'a.b' is no name: write one word without dots");
    row("no name", R"({"record": "skip", "names": {"": "c"}, "fields": {"key": "k"}})",
        "test.json:1:34: '' is no name: write one word without dots");
    row("words", R"({"record": "skip", "names": {"a": {"column": "c", "words": {"x": "y"}}}, "fields": {"key": "k"}})",
        "test.json:1:35: a name's value has no 'words': give them to the fields");
    row("a sum", R"({"record": "skip", "names": {"a": "c"}, "fields": {"key": "k", "amount": {"sum": ["a.1", "fee"]}}})",
        "test.json:1:74: 'sum' adds columns of the file, and 'a.1' is a place in a name's value");
    row("unknown member", R"({"record": "skip", "names": {"a": {"colum": "c"}}, "fields": {"key": "k"}})",
        "test.json:1:45: unknown member 'colum', did you mean 'column'?");
  }
  void refusals() {
    QFETCH(QByteArray, json);
    QFETCH(QByteArray, message);
    QCOMPARE(QByteArray::fromStdString(refusalOf(json.toStdString())), message);
  }

  /// Ten alternatives of ten alternatives …: refused before they are made.
  void alternativesAreBounded() {
    std::string names = R"("n0": "c")";
    for (int i = 1; i < 12; ++i) {
      const std::string before = "n" + std::to_string(i - 1);
      names += ", \"n" + std::to_string(i) + "\": [";
      for (int k = 0; k < 10; ++k)
        names += (k > 0 ? ", \"" : "\"") + before + "." + std::to_string(k) + "\"";
      names += "]";
    }
    const std::string message = refusalOf(attemptWith(names, R"("key": "n11.x")"));
    QVERIFY2(message.find("too many alternatives") != std::string::npos, message.c_str());
  }

  void aCircleOfNamesEndsAtTheColumn() {
    PlanUnderTest plan(attemptWith(R"("a": {"column": "b.x", "decode": "json"}, "b": {"column": "a", "decode": "json"})",
                                   R"("key": "a.y")"),
                       {"id", "t", "a"});
    QCOMPARE(plan.text({"j", kEnd, "{\"x\": \"{\\\"y\\\": \\\"k\\\"}\"}"}), RowFate::Recorded);
    QCOMPARE(plan.record<Attempt>().key, std::string("k"));
  }

  void aMissingColumnIsSaid() {
    const auto spec = mappingOf(attemptWith(R"("args": {"column": "task_arg", "decode": "json"})", R"("key": "args.0")"));
    const auto plan = Plan::compile(*spec, {"id", "t", "task_args"}, {});
    QVERIFY(!plan.has_value());
    QVERIFY2(plan.error().message.find("the file has no column 'task_arg', did you mean 'task_args'?") != std::string::npos,
             plan.error().message.c_str());
  }
};

QTEST_APPLESS_MAIN(TstMappingNames)
#include "tst_mapping_names.moc"
