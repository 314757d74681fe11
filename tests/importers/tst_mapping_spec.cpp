// SPDX-License-Identifier: GPL-3.0-or-later
// What mappings are accepted, and what is said about those that are not.
#include <QtTest>

#include "importers/mapping/mapping_model.h"
#include "importers/mapping/named_formats.h"
#include "tests/importers/plan_fixture.h"

using namespace counterfoil;
using counterfoil::testing::mappingOf;
using counterfoil::testing::refusalOf;

class TstMappingSpec : public QObject {
  Q_OBJECT

 private slots:
  void refusals_data() {
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<QByteArray>("message");
    const auto row = [](const char* name, const char* json, const char* message) {
      QTest::newRow(name) << QByteArray(json) << QByteArray(message);
    };
    row("neither record nor extends", R"({"fields": {"key": "k"}})",
        "test.json:1:1: a mapping needs \"record\" or \"extends\"");
    row("unknown member", "{\"record\": \"effect\",\n \"feilds\": {}}",
        "test.json:2:12: unknown member 'feilds', did you mean 'fields'?");
    row("unknown record", R"({"record": "efect", "fields": {}})",
        "test.json:1:12: unknown kind of record 'efect', did you mean 'effect'?");
    row("unknown field", R"({"record": "effect", "fields": {"curency": "c"}})",
        "test.json:1:44: unknown member 'curency' of fields: a record of kind effect has no such "
        "field, did you mean "
        "'currency'?");
    row("field of another record", R"({"record": "skip", "fields": {"fee": "c"}})",
        "test.json:1:38: unknown member 'fee' of fields: a record of kind skip has no such field");
    row("unknown expression member", R"({"record": "effect", "fields": {"key": {"colum": "k"}}})",
        "test.json:1:50: unknown member 'colum', did you mean 'column'?");
    row("no base", R"({"record": "effect", "fields": {"key": {"find": "x"}}})",
        "test.json:1:40: one of 'column', 'value', 'template', 'sum', 'join', 'line' and 'pointer' is missing");
    row("two bases", R"({"record": "effect", "fields": {"key": {"column": "x", "value": "y"}}})",
        "test.json:1:40: only one of 'column', 'value', 'template', 'sum', 'join' and 'line' can be given");
    row("empty list", R"({"record": "effect", "fields": {"key": []}})",
        "test.json:1:40: 'key' is an empty list");
    row("unknown decoder",
        R"({"record": "effect", "fields": {"key": {"column": "x", "decode": ["jsn"]}}})",
        "test.json:1:66: unknown decoder 'jsn', did you mean 'json'?; known are json, base64, "
        "python_repr, hex, url, upper, pickle, zlib, pairs, msgpack, latin1, int_be");
    row("unfinished template",
        "{\"record\": \"effect\", \"fields\": {\"key\": {\"template\": \"a{b\"}}}",
        "test.json:1:53: template with an unfinished {column}");
    row("template without column", R"({"record": "effect", "fields": {"key": {"template": "a"}}})",
        "test.json:1:53: template without a {column}; a fixed text is written {\"value\": …}");
    row("unknown unit",
        R"({"record": "effect", "fields": {"amount": {"column": "a", "unit": "cents"}}})",
        "test.json:1:67: 'cents' is no unit; known are major, minor, hundredths");
    row("unknown status code",
        R"({"record": "effect", "fields": {"status": {"column": "s", "words": {"lve": ["x"]}}}})",
        "test.json:1:76: 'lve' is no status of a record of kind effect; known are live, pending, "
        "failed, did you mean "
        "'live'?");
    row("word given twice",
        R"({"record": "effect", "fields": {"status": {"column": "s", "words": {"live": ["x"], "failed": ["X"]}}}})",
        "test.json:1:94: word 'X' is given twice");
    row("unknown currency",
        R"({"record": "effect", "fields": {"amount": {"column": "a", "decimals": {"ABC": 2}}}})",
        "test.json:1:79: unknown currency 'ABC'");
    row("decimals out of range",
        R"({"record": "effect", "fields": {"amount": {"column": "a", "decimals": {"USD": 9}}}})",
        "test.json:1:79: 'USD' has to be a number of decimals from 0 to 6");
    row("condition without is",
        R"({"record": "effect", "fields": {"key": "k"}, "exclude": [{"column": "x"}]})",
        "test.json:1:58: a condition needs one of 'is' and 'not'");
    row("pointer without slash", R"({"record": "effect", "fields": {"key": {"pointer": "a"}}})",
        "test.json:1:52: a pointer begins with '/'");
    row("unknown layout member",
        R"({"record": "effect", "layout": {"delimeter": ";"}, "fields": {"key": "k"}})",
        "test.json:1:46: unknown member 'delimeter', did you mean 'delimiter'?");
    row("unknown layout kind",
        R"({"record": "effect", "layout": {"kind": "cvs"}, "fields": {"key": "k"}})",
        "test.json:1:41: 'cvs' is no kind of layout, did you mean 'csv'?; known are csv, json, "
        "ndjson, xlsx, sqlite, "
        "lines, logfmt, log, camt, mt940, ofx, bai2, sql, psql, dumpdata, sqs_xml, redis, celery_events");
    row("lines without pattern",
        R"({"record": "skip", "layout": {"kind": "lines"}, "fields": {"key": "k"}})",
        "test.json:1:30: layout of kind lines needs a 'pattern' with named groups");
    row("no header without columns",
        R"({"record": "skip", "layout": {"header": "none"}, "fields": {"key": "k"}})",
        "test.json:1:30: \"header\": \"none\" needs \"columns\": the names in order");
    row("sheet 0", R"({"record": "skip", "layout": {"sheet": 0}, "fields": {"key": "k"}})",
        "test.json:1:40: 'sheet' is the name of a sheet, or its number from 1");
    row("header line 0", R"({"record": "skip", "layout": {"header": 0}, "fields": {"key": "k"}})",
        "test.json:1:41: 'header' has to be a line number from 1, \"find\" or \"none\"");
    row("no fields", R"({"record": "skip"})", "test.json:1:1: a mapping without 'fields'");
    row("unknown format", R"({"extends": "generic.effect", "fields": {"key": "k"}})",
        "test.json:1:13: unknown format 'generic.effect', did you mean 'generic.effects'?");
    row("extends another record",
        R"({"record": "skip", "extends": "generic.effects", "fields": {"key": "k"}})",
        "test.json:1:31: format 'generic.effects' makes no records of that kind");
    row("fields is a list", R"({"record": "skip", "fields": []})",
        "test.json:1:30: 'fields' has to be an object");
    row("a number as field", R"({"record": "skip", "fields": {"key": 1}})",
        "test.json:1:38: a field is a column name, a list or an object");
  }
  void placesOfRowsThatAreRefused() {
    const auto refused = [](const std::string& layout) {
      return refusalOf(R"({"record": "skip", "fields": {"key": "k"}, "layout": )" + layout + "}");
    };
    QVERIFY(refused(R"({"rows": []})").find("'rows' is an empty list") != std::string::npos);
    QVERIFY(refused(R"({"rows": ["", "/a"]})").find("put it at the end") != std::string::npos);
    QVERIFY(refused(R"({"rows": ["/a", "b"]})").find("it begins with '/'") != std::string::npos);
    QVERIFY(refused(R"({"kind": "redis", "rows": ["items", "/a"]})").find("it begins with '/'") != std::string::npos);
    QVERIFY(refused(R"({"each": "."})").find("put it behind the lists") != std::string::npos);
    QVERIFY(refused(R"({"each": [".", "jobs"]})").find("put it behind the lists") != std::string::npos);
    QVERIFY(refused(R"({"optional": true})").find("'optional' needs 'rows'") != std::string::npos);
    QVERIFY(refused(R"({"rows": "/a", "optional": "yes"})").find("true or false") != std::string::npos);
  }

  void refusals() {
    QFETCH(QByteArray, json);
    QFETCH(QByteArray, message);
    QCOMPARE(QByteArray::fromStdString(refusalOf(json.toStdString())), message);
  }

  void patternsAreCheckedWhenRead_data() {
    QTest::addColumn<QByteArray>("json");
    QTest::newRow("find") << QByteArray(
        "{\"record\": \"skip\", \"fields\": {\"key\": {\"column\": \"k\", \"find\": \"(\"}}}");
    QTest::newRow("exclude") << QByteArray(
        "{\"record\": \"skip\", \"fields\": {\"key\": \"k\"}, \"exclude\": [{\"column\": \"k\", "
        "\"is\": \"re:[\"}]}");
    QTest::newRow("footer") << QByteArray(
        R"({"record": "skip", "layout": {"footer": "re:*"}, "fields": {"key": "k"}})");
    QTest::newRow("lines") << QByteArray(
        R"x({"record": "skip", "layout": {"pattern": ["(?<a>x)", "(?<=y)"]}, "fields": {"key": "k"}})x");
    QTest::newRow("huge program") << QByteArray(
        R"({"record": "skip", "fields": {"key": {"column": "k", "find": "((a{100}){100}){100}"}}})");
  }
  void patternsAreCheckedWhenRead() {
    QFETCH(QByteArray, json);
    const std::string message = refusalOf(json.toStdString());
    QVERIFY2(message.find("is not understood") != std::string::npos, message.c_str());
    QVERIFY2(message.rfind("test.json:1:", 0) == 0, message.c_str());
  }

  void layoutIsReadInFull() {
    const auto spec = mappingOf(R"({"record": "effect", "fields": {"created": "d"}, "layout": {
      "kind": "csv", "encoding": "Windows-1252", "delimiter": ";", "decimal": ",", "grouping": ".", "header": 6,
      "footer": "re:^Total"}})");
    const Layout& layout = spec->layout();
    QCOMPARE(layout.kind, LayoutKind::Csv);
    QCOMPARE(layout.encoding, std::string("windows-1252"));
    QCOMPARE(layout.delimiter, ';');
    QVERIFY(layout.decimal == DecimalSign::Comma);
    QCOMPARE(layout.grouping, std::string("."));
    QCOMPARE(layout.header, Layout::Header::AtLine);
    QCOMPARE(layout.headerLine, std::uint64_t(6));
    QCOMPARE(layout.footer, std::string("re:^Total"));
    const auto lines = mappingOf(R"x({"record": "skip", "fields": {"key": "k"}, "layout": {
      "pattern": ["key=(?<k>\\S+)"], "unmatched": "quarantine"}})x");
    QCOMPARE(lines->layout().kind, LayoutKind::Lines);
    QCOMPARE(lines->layout().patterns, std::vector<std::string>{"key=(?<k>\\S+)"});
    QVERIFY(lines->layout().quarantineUnmatched);
    const auto json = mappingOf(R"({"record": "skip", "fields": {"key": "k"}, "layout": {
      "kind": "json", "rows": "/data", "each": "items"}})");
    QCOMPARE(json->layout().rows, std::string("/data"));
    QCOMPARE(json->layout().each, std::vector<std::string>{"items"});
    QVERIFY(!json->layout().optional);
    const auto places = mappingOf(R"x({"record": "skip", "fields": {"key": "k"}, "layout": {
      "kind": "json", "rows": ["/{queue}/jobs", "/jobs", ""], "optional": true}})x");
    QCOMPARE(places->layout().rows, std::string("/{queue}/jobs"));
    QCOMPARE(places->layout().rowsElse, (std::vector<std::string>{"/jobs", ""}));
    QVERIFY(places->layout().optional);
    const auto whole = mappingOf("{\"record\": \"skip\", \"fields\": {\"key\": \"k\"}, \"layout\": {\"rows\": \"#\"}}");
    QCOMPARE(whole->layout().rows, std::string("#"));
    const auto none = mappingOf(
        R"({"record": "skip", "fields": {"key": "k"}, "layout": {"columns": ["k", "t"]}})");
    QCOMPARE(none->layout().header, Layout::Header::None);
    QCOMPARE(none->layout().columns.size(), std::size_t(2));
    const auto sqlite =
        mappingOf(R"({"record": "skip", "fields": {"key": "k"}, "layout": {"query": "SELECT 1"}})");
    QCOMPARE(sqlite->layout().kind, LayoutKind::Sqlite);
  }

  void extendsKeepsWhatIsNotOverridden() {
    const auto spec = mappingOf(R"({"extends": "generic.effects", "fields": {"key": "reference"},
      "layout": {"delimiter": ";"}, "exclude": [{"column": "livemode", "is": "false"}]})");
    QCOMPARE(spec->record(), RecordKind::Effect);
    QCOMPARE(spec->formatName(), std::string());
    QCOMPARE(spec->layout().delimiter, ';');
    const auto columns = spec->knownColumns();
    const auto has = [&](const char* name) {
      return std::find(columns.begin(), columns.end(), name) != columns.end();
    };
    QVERIFY(has("reference"));
    QVERIFY(!has("idempotency_key"));
    QVERIFY(has("txn_id"));
    QVERIFY(has("livemode"));
  }

  void aFormatOfSeveralMappingsIsExtendedAsAWhole() {
    const auto node = parseJson(R"x({"extends": "stripe.payments", "fields": {"op_ref": "ticket (metadata)"}})x", "test");
    const auto specs = parseMappings(*node);
    QVERIFY2(specs.has_value(), specs ? "" : specs.error().message.c_str());
    QVERIFY(specs->size() > 1);
    for (const auto& spec : *specs) {
      const auto columns = spec->knownColumns();
      QVERIFY(std::find(columns.begin(), columns.end(), "ticket (metadata)") != columns.end());
    }
    const auto one = parseMapping(*node);
    QVERIFY(!one.has_value());
    QVERIFY(one.error().message.find("several records") != std::string::npos);
  }

  void knownColumnsHoldAllNames() {
    const auto spec = mappingOf(R"({"record": "effect", "fields": {
      "created": {"template": "{Date} {Time}", "zone": {"column": "Zone"}},
      "key": ["a", {"column": ["b", "c"], "when": {"column": "d", "is": "x"}}]},
      "exclude": [{"column": "e", "is": ""}]})");
    const std::vector<std::string> expected = {"Date", "Time", "Zone", "a", "b", "c", "d", "e"};
    QCOMPARE(spec->knownColumns(), expected);
  }

  void everyShippedFormatIsRead() {
    const auto names = formatNames();
    QVERIFY(names.size() >= 9);
    for (const std::string& name : names) {
      const auto format = loadFormat(name);
      QVERIFY2(format.has_value(), format ? "" : format.error().message.c_str());
      QVERIFY2(!format->title.empty(), name.c_str());
      for (const auto& mapping : format->mappings) QCOMPARE(mapping->formatName(), name);
    }
  }

  void formatsOfTheUsersFolder() {
    QTemporaryDir folder;
    const auto write = [&](const char* name, const char* text) {
      QFile file(folder.filePath(name));
      QVERIFY(file.open(QIODevice::WriteOnly));
      file.write(text);
    };
    write("my.shop.json",
          R"({"title": "Shop", "extends": "generic.effects", "fields": {"key": "ref"}})");
    write("circle.json", R"({"extends": "circle", "fields": {"key": "ref"}})");
    write("broken.json", "{");
    qputenv("COUNTERFOIL_FORMATS", folder.path().toUtf8());
    const auto names = formatNames();
    QVERIFY(std::find(names.begin(), names.end(), "my.shop") != names.end());
    const auto format = loadFormat("my.shop");
    QVERIFY2(format.has_value(), format ? "" : format.error().message.c_str());
    QVERIFY(!format->shipped);
    QCOMPARE(format->mappings.size(), std::size_t(1));
    const auto circle = loadFormat("circle");
    QVERIFY(!circle.has_value());
    QVERIFY(circle.error().message.find("extends itself") != std::string::npos);
    QVERIFY(!loadFormat("broken").has_value());
    QVERIFY(!loadFormat("../my.shop").has_value());
    // What tells a format need not tell one that extends it; what it names itself has to be read by it.
    write("my.dead.json", R"({"extends": "generic.dead_letters", "fields": {"queue": "Warteschlange"}})");
    write("my.told.json", R"({"extends": "generic.claims", "fields": {"key": "ref"}, "told_by": "Ref"})");
    write("my.deaf.json", R"({"extends": "generic.claims", "fields": {"key": "ref"}, "told_by": ["ref", "nowhere"]})");
    QVERIFY(!loadFormat("generic.dead_letters")->mappings.front()->toldBy().empty());
    QVERIFY(loadFormat("my.dead")->mappings.front()->toldBy().empty());
    QCOMPARE(loadFormat("my.told")->mappings.front()->toldBy(), (std::vector<std::string>{"Ref"}));
    const auto deaf = loadFormat("my.deaf");
    QVERIFY(!deaf.has_value());
    QVERIFY(deaf.error().message.find("'told_by' has 'nowhere', a column that no field reads") != std::string::npos);
    qunsetenv("COUNTERFOIL_FORMATS");
  }
};

QTEST_APPLESS_MAIN(TstMappingSpec)
#include "tst_mapping_spec.moc"
