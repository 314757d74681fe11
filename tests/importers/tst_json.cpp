// SPDX-License-Identifier: GPL-3.0-or-later
#include <rapidcheck.h>

#include <QTest>
#include <nlohmann/json.hpp>

#include "importers/readers/json_document_rows.h"
#include "row_collector.h"

using namespace counterfoil;
using namespace std::string_literals;

namespace {

/// The fields of one value, by '|'; the fault's position and message if there is one.
std::string fieldsOf(const std::string& text, const std::vector<std::string>& paths) {
  Arena arena;
  std::vector<FieldView> fields;
  if (const auto fault = parseJsonRow(text, JsonPaths(paths), fields, arena)) {
    return "!" + std::to_string(fault->position) + " " + fault->message;
  }
  std::string all;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (i > 0) all += '|';
    if (fields[i].type == FieldType::Absent) {
      all += '-';
    } else {
      all += fields[i].type == FieldType::Null ? "null" : std::string(fields[i].text);
    }
  }
  return all;
}

std::string joined(const std::vector<std::string>& fields) {
  std::string all;
  for (std::size_t i = 0; i < fields.size(); ++i) all += (i > 0 ? "|" : "") + fields[i];
  return all;
}

struct Read {
  RowCollector rows;
  Result<> result;
};

Read readRows(const std::string& text, std::vector<std::string> wanted, const std::string& pointer = "",
              const std::string& each = "") {
  Read read;
  JsonRowsFound found{pointer, false, false};
  if (pointer.empty()) {
    const auto source = openMemory(text);
    Result<JsonRowsFound> looked = findJsonRows(**source);
    if (!looked) {
      read.result = fail(looked.error());
      return read;
    }
    found = *looked;
  }
  const auto source = openMemory(text);
  read.result = readJsonRows(**source, found, JsonRowShaper(std::move(wanted), each), read.rows);
  return read;
}

rc::Gen<nlohmann::json> jsonValue(int depth) {
  const auto scalar = rc::gen::oneOf(
      rc::gen::map(rc::gen::arbitrary<int>(), [](int n) { return nlohmann::json(n); }),
      rc::gen::map(rc::gen::arbitrary<bool>(), [](bool b) { return nlohmann::json(b); }),
      rc::gen::map(rc::gen::container<std::string>(rc::gen::elementOf("ab\"\\\n\t/{}[],:1"s)), [](std::string s) { return nlohmann::json(std::move(s)); }),
      rc::gen::just(nlohmann::json(nullptr)));
  if (depth == 0) return scalar;
  const auto array = rc::gen::map(rc::gen::container<std::vector<nlohmann::json>>(rc::gen::lazy([depth] { return jsonValue(depth - 1); })),
                                  [](const std::vector<nlohmann::json>& items) { return nlohmann::json(items); });
  const auto object = rc::gen::map(
      rc::gen::container<std::map<std::string, nlohmann::json>>(rc::gen::element("a"s, "b"s, "c.d"s, "e\"f"s),
                                                                rc::gen::lazy([depth] { return jsonValue(depth - 1); })),
      [](const std::map<std::string, nlohmann::json>& members) { return nlohmann::json(members); });
  return rc::gen::oneOf(scalar, array, object);
}

}  // namespace

class TstJson : public QObject {
  Q_OBJECT
 private slots:
  void valuesAreFoundByPath_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QStringList>("paths");
    QTest::addColumn<QString>("fields");
    const auto row = [](const char* name, const char* text, const QStringList& paths, const char* fields) {
      QTest::newRow(name) << QString::fromUtf8(text) << paths << QString::fromUtf8(fields);
    };
    row("members", "{\"a\":1,\"b\":\"x\"}", {"b", "a", "c"}, "x|1|-");
    row("nested", "{\"data\":{\"orderId\":\"o1\",\"x\":[1,{\"y\":2}]}}", {"data.orderId", "data.x.1.y", "data.x.0"}, "o1|2|1");
    row("a name with dots", "{\"a.b\":1,\"a\":{\"b\":2}}", {"a.b"}, "1");
    row("a name with dots below", "{\"m\":{\"Idempotency.Key\":\"k\"}}", {"m.Idempotency.Key"}, "k");
    row("numbers keep their text", "[1e2,1.10,9007199254740993,123456789012345678901234,-0.50,0]", {"0", "1", "2", "3", "4", "5"},
        "1e2|1.10|9007199254740993|123456789012345678901234|-0.50|0");
    row("words", "{\"a\":true,\"b\":false,\"c\":null}", {"a", "b", "c"}, "true|false|null");
    row("escapes", "{\"a\":\"x\\\"\\\\\\/\\b\\f\\n\\r\\t\",\"b\":\"\\u00e4\\u20ac\\ud83d\\ude00\"}", {"b", "a"}, "ä€😀|x\"\\/\b\f\n\r\t");
    row("an escaped name", "{\"\\u0061\":1}", {"a"}, "1");
    row("containers as text", "{\"a\":{\"b\": [1, 2]},\"c\":[]}", {"a", "a.b", "c"}, "{\"b\": [1, 2]}|[1, 2]|[]");
    row("the last of equal names wins", "{\"a\":1,\"a\":2}", {"a"}, "2");
    row("the last one takes all below with it", "{\"a\":{\"x\":1,\"y\":2},\"a\":{\"x\":3}}", {"a.x", "a.y"}, "3|-");
    row("the last one may be no object", "{\"a\":{\"x\":1},\"a\":5}", {"a.x", "a"}, "-|5");
    row("white space", " { \"a\" : [ 1 , 2 ] } ", {"a.1"}, "2");
    row("not an object", "\"text\"", {"a"}, "-");
  }
  void valuesAreFoundByPath() {
    QFETCH(QString, text);
    QFETCH(QStringList, paths);
    QFETCH(QString, fields);
    std::vector<std::string> names;
    for (const QString& path : paths) names.push_back(path.toStdString());
    QCOMPARE(QString::fromStdString(fieldsOf(text.toStdString(), names)), fields);
  }

  void whatIsNoJsonIsAFault_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("fault");
    const auto row = [](const char* name, const QByteArray& text, const char* fault) { QTest::newRow(name) << text << fault; };
    row("empty", "", "!0 the text ends where a value is expected");
    row("cut in an object", "{\"a\":1", "!6 expected ',' or '}'");
    row("cut in a string", "{\"a\":\"x", "!7 a string is not closed");
    row("a wrong word", "{\"a\":tru}", "!5 expected a value");
    row("NaN", "{\"a\":NaN}", "!5 expected a value");
    row("leading zero", "{\"a\":012}", "!8 a number with leading zeros");
    row("no digits", "{\"a\":-}", "!6 a number without digits");
    row("point without digits", "[1.]", "!3 a number without digits after the point");
    row("exponent without digits", "[1e]", "!3 a number without digits in its exponent");
    row("trailing comma", "{\"a\":1,}", "!7 expected a member name in quotes");
    row("trailing comma in a list", "[1,]", "!3 expected a value");
    row("two values", "{} {}", "!3 more after the end of the value");
    row("a bare name", "{a:1}", "!1 expected a member name in quotes");
    row("no colon", "{\"a\" 1}", "!5 expected ':' after a member name");
    row("a line feed in a string", "[\"a\nb\"]", "!3 a control character inside a string");
    row("an unknown escape", "[\"\\x\"]", "!2 an unknown escape");
    row("half a surrogate pair", "[\"\\ud83d\"]", "!2 half of a surrogate pair");
    row("the low half alone", "[\"\\ude00\"]", "!2 half of a surrogate pair");
    row("invalid utf-8", "[\"\xFF\"]", "!2 invalid UTF-8");
    row("a byte order mark", "\xEF\xBB\xBF{}", "!0 expected a value");
    row("a comment", "{} // x", "!3 more after the end of the value");
  }
  void whatIsNoJsonIsAFault() {
    QFETCH(QByteArray, text);
    QFETCH(QString, fault);
    QCOMPARE(QString::fromStdString(fieldsOf(text.toStdString(), {"a"})), fault);
  }

  void depthIsBounded() {
    const std::string well = std::string(128, '[') + std::string(128, ']');
    QCOMPARE(fieldsOf(well, {}), ""s);
    const std::string deep = std::string(129, '[') + std::string(129, ']');
    QCOMPARE(fieldsOf(deep, {}), "!128 nested too deep"s);
    QVERIFY(fieldsOf(std::string(1'000'000, '['), {}).find("nested too deep") != std::string::npos);
  }

  void rowsAreFound_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("pointer");
    const auto row = [](const char* name, const char* text, const char* pointer) { QTest::newRow(name) << text << pointer; };
    row("an array", "[{\"a\":1}]", "#");
    row("the only array of objects", "{\"x\":[1,2],\"list\":[{\"a\":1}]}", "/list");
    row("nested", "{\"payload\":{\"items\":[{\"a\":1}]},\"tags\":[\"x\"]}", "/payload/items");
    row("a usual name among several", "{\"refunds\":[{\"a\":1}],\"data\":[{\"a\":1}]}", "/data");
    row("a usual name in another case", "{\"Other\":[{\"a\":1}],\"Messages\":[{\"a\":1}]}", "/Messages");
    row("empty data", "{\"data\":[],\"has_more\":false}", "/data");
    row("keyed by id", "{\"id1\":{\"a\":1},\"id2\":{\"a\":2}}", "#");
    row("a single object", "{\"id\":\"1\",\"data\":{\"b\":2}}", "one row");
    row("a name that needs escaping", "{\"a/b~c\":[{\"a\":1}]}", "/a~1b~0c");
    row("several arrays", "{\"x\":[{\"a\":1}],\"y\":[{\"a\":1}]}", "!several arrays could hold the rows: /x, /y; say which with \"rows\" in the layout");
    row("one value after the other", "{\"a\":1}\n{\"a\":2}", "ndjson");
    row("cut in the rows", "{\"data\":[{\"a\":1},{\"a\":", "/data");
    row("empty", "  ", "!the document is empty");
    row("no JSON", "hello", "!line 1, byte 0: expected a JSON object or array");
  }
  void rowsAreFound() {
    QFETCH(QString, text);
    QFETCH(QString, pointer);
    const auto source = openMemory(text.toStdString());
    const Result<JsonRowsFound> found = findJsonRows(**source);
    std::string result;
    if (!found) {
      result = "!" + found.error().message;
    } else if (found->isNdjson) {
      result = "ndjson";
    } else {
      result = found->isOneRow ? "one row" : found->pointer;
    }
    QCOMPARE(QString::fromStdString(result), pointer);
  }

  void rowsAreRead_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("pointer");
    QTest::addColumn<QString>("rows");
    QTest::addColumn<QString>("error");
    const auto row = [](const char* name, const char* text, const char* pointer, const char* rows, const char* error) {
      QTest::newRow(name) << text << pointer << rows << error;
    };
    row("an array", "[{\"a\":1,\"b\":\"x\"},{\"a\":2}]", "", "1|x|-;2|-|-", "");
    row("inside a document", "{\"has_more\":true,\"data\":[{\"a\":1}],\"url\":\"/v1\"}", "", "1|-|-", "");
    row("by pointer", "{\"x\":[{\"a\":0}],\"y\":{\"z\":[{\"a\":1}]}}", "/y/z", "1|-|-", "");
    row("by pointer with a number", "[[{\"a\":0}],[{\"a\":1}]]", "/1", "1|-|-", "");
    row("keyed by id", "{\"k1\":{\"a\":1},\"k\\\"2\":{\"a\":2}}", "#", "1|-|k1;2|-|k\"2", "");
    row("one row", "{\"a\":1,\"c\":[1]}", "", "1|-|-", "");
    row("null rows", "{\"data\":null}", "/data", "", "");
    row("nothing there", "{\"data\":[]}", "/rows", "", "the document has nothing at /rows");
    row("no rows there", "{\"data\":5}", "/data", "", "at /data there is neither an array nor an object");
    row("cut between rows", "[{\"a\":1},{\"a\":2}", "", "1|-|-;2|-|-", "cut off: the document ends in the middle, in line 1 at byte 16");
    row("cut inside a row", "[{\"a\":1},\n{\"a\":2", "", "1|-|-", "cut off: the document ends in the middle, in line 2 at byte 16");
    row("cut after the rows", "{\"data\":[{\"a\":1}]", "", "1|-|-", "cut off: the document ends in the middle, in line 1 at byte 17");
    row("no comma between rows", "[{\"a\":1} {\"a\":2}]", "", "1|-|-", "line 1, byte 9: expected ',' or ']'");
    row("more behind the end", "[{\"a\":1}] x", "", "1|-|-", "line 1, byte 10: more after the end of the document");
    row("brackets that do not match", "[{\"a\":[1}}]", "", "", "line 1, byte 8: brackets do not match");
  }
  void rowsAreRead() {
    QFETCH(QString, text);
    QFETCH(QString, pointer);
    QFETCH(QString, rows);
    QFETCH(QString, error);
    const Read read = readRows(text.toStdString(), {"a", "b", "$key"}, pointer.toStdString());
    QCOMPARE(QString::fromStdString(read.rows.text()), rows);
    QCOMPARE(QString::fromStdString(read.result ? "" : read.result.error().message), error);
  }

  void aBrokenRowDoesNotStopTheDocument() {
    const Read read = readRows("[{\"a\":1},\n{\"a\":tru},\n{\"a\":3}]", {"a"});
    QVERIFY(read.result.has_value());
    QCOMPARE(QString::fromStdString(read.rows.text()), QString("1;3"));
    QCOMPARE(QString::fromStdString(read.rows.rules()), QString("not_json"));
    QCOMPARE(read.rows.defects[0].offset, std::uint64_t{10});
    QCOMPARE(read.rows.rows[1].line, std::uint64_t{3});
    QCOMPARE(read.rows.rows[1].offset, std::uint64_t{21});
  }

  void elementsOfAListAreRows() {
    const Read read = readRows("[{\"id\":\"o1\",\"when\":\"t\",\"lines\":[{\"id\":\"l1\",\"x\":1},{\"x\":2}]},{\"id\":\"o2\",\"lines\":[]},{\"id\":\"o3\"}]",
                               {"id", "when", "x", "$value"}, "", "lines");
    QVERIFY(read.result.has_value());
    QCOMPARE(QString::fromStdString(read.rows.text()), QString("l1|t|1|{\"id\":\"l1\",\"x\":1};o1|t|2|{\"x\":2}"));
    QCOMPARE(read.rows.rows[0].element, 0u);
    QCOMPARE(read.rows.rows[1].element, 1u);
    QCOMPARE(read.rows.rows[1].offset, read.rows.rows[0].offset);
    const Read words = readRows("[{\"ids\":[\"a\",\"b\"]}]", {"$value"}, "", "ids");
    QCOMPARE(QString::fromStdString(words.rows.text()), QString("a;b"));
  }

  void valuesOutsideTheRows() {
    const auto source = openMemory("{\"as_of\":\"2026-04-07\",\"meta\":{\"n\":[{\"x\":12.50}]},\"data\":[{\"a\":1}],\"last\":null,\"end\":true}");
    const auto values = readJsonDocumentValues(**source, {"/as_of", "/meta/n/0/x", "/none", "/data", "/last", "/end"});
    QVERIFY(values.has_value());
    const std::vector<std::pair<std::string, std::string>> expected = {
        {"/as_of", "2026-04-07"}, {"/meta/n/0/x", "12.50"}, {"/end", "true"}};
    QCOMPARE(*values, expected);
  }

  void aLargeDocumentIsReadInPieces() {
    std::string text = "{\"data\":[";
    for (int i = 0; i < 60'000; ++i) {
      text += (i > 0 ? "," : "") + ("{\"a\":" + std::to_string(i) + ",\"s\":\"]}\\\"" + std::string(static_cast<std::size_t>(i % 37), 'x') + "\"}\n");
    }
    text += "],\"end\":1}";
    const Read read = readRows(text, {"a"});
    QVERIFY(read.result.has_value());
    QCOMPARE(read.rows.rows.size(), std::size_t{60'000});
    for (std::size_t i = 0; i < read.rows.rows.size(); ++i) {
      QCOMPARE(read.rows.rows[i].fields[0], std::to_string(i));
      QCOMPARE(read.rows.rows[i].line, std::uint64_t{i + 1});
      QCOMPARE(text.substr(read.rows.rows[i].offset, read.rows.rows[i].length), read.rows.rows[i].raw);
    }
  }

  void agreesWithAnotherParser() {
    const bool agreed = rc::check("values and faults are those of nlohmann_json", [] {
      const nlohmann::json value = *jsonValue(3);
      const std::string text = value.dump();
      Arena arena;
      std::vector<FieldView> fields;
      RC_ASSERT(!parseJsonRow(text, JsonPaths({"a", "b.a"}), fields, arena));
      if (value.is_object() && value.contains("a") && value["a"].is_string()) {
        RC_ASSERT(std::string(fields[0].text) == value["a"].get<std::string>());
      }
      // One byte changed: both take it or both refuse it.
      std::string changed = text;
      const auto at = static_cast<std::size_t>(*rc::gen::inRange<int>(0, static_cast<int>(text.size())));
      changed[at] = *rc::gen::elementOf("\"{}[]:,1-.e\\tn x"s);
      const bool refused = parseJsonRow(changed, JsonPaths(std::vector<std::string>{}), fields, arena).has_value();
      bool otherRefuses = false;
      try {
        otherRefuses = nlohmann::json::parse(changed).is_discarded();
      } catch (const nlohmann::json::out_of_range&) {
        return;   // a number beyond a double ("1e999") is well-formed; here its text is kept
      } catch (const nlohmann::json::parse_error&) {
        otherRefuses = true;
      }
      RC_ASSERT(refused == otherRefuses);
    });
    QVERIFY(agreed);
  }

  void scalarsAreVisited() {
    Arena arena;
    std::string seen;
    visitJsonScalars("{\"a\":1,\"b\":{\"c\":[\"x\",null]},\"d\\\"e\":\"y\"}", arena, [&](const std::string& path, const FieldView& value) {
      seen += path + "=" + std::string(value.text) + ";";
      return true;
    });
    QCOMPARE(QString::fromStdString(seen), QString("a=1;b.c.0=x;b.c.1=null;d\"e=y;"));
  }

  void stepsInBracesAreColumns() {
    const std::string text = "{\"pay\":{\"counts\":{\"failed\":2},\"jobs\":{\"failed\":[{\"a\":1},{\"a\":2}],\"done\":[],\"n\":3}},"
                             "\"mail\":{\"jobs\":{\"failed\":[{\"a\":3}]}},\"at\":\"now\"}";
    const auto rowsAt = [&](const std::string& pointer, const std::vector<std::string>& wanted, bool mayBeMissing = false) {
      const auto source = openMemory(text);
      RowCollector rows;
      const Result<> read = readJsonRows(**source, {pointer, false, false, mayBeMissing}, JsonRowShaper(wanted, ""), rows);
      std::string all;
      for (const auto& row : rows.rows) all += (all.empty() ? "" : ";") + joined(row.fields);
      return read ? all : "!" + read.error().message;
    };
    QCOMPARE(rowsAt("/{queue}/jobs/{state}", {"a", "$queue", "$state"}), "1|pay|failed;2|pay|failed;3|mail|failed"s);
    QCOMPARE(rowsAt("/{queue}/counts", {"$queue", "$key", "$value"}), "pay|failed|2"s);
    QCOMPARE(rowsAt("/{queue}/none/{state}", {"a"}), "!the document has nothing at /{queue}/none/{state}"s);
    QCOMPARE(rowsAt("/{queue}/none/{state}", {"a"}, true), ""s);
    QCOMPARE(rowsAt("/none", {"a"}, true), ""s);
  }

  void theFirstPlaceThatIsThere() {
    const auto first = [](const std::string& text, const std::vector<std::string>& pointers) {
      const auto source = openMemory(text);
      const Result<std::optional<std::size_t>> found = firstJsonPlace(**source, pointers);
      if (!found) return "!"s + found.error().message;
      return *found ? std::to_string(**found) : "none"s;
    };
    const std::vector<std::string> pointers{"/{queue}/jobs/{state}", "/jobs/{state}", "/jobs"};
    QCOMPARE(first("{\"pay\":{\"jobs\":{\"failed\":[]}}}", pointers), "0"s);
    QCOMPARE(first("{\"jobs\":{\"failed\":[]}}", pointers), "1"s);
    QCOMPARE(first("{\"counts\":{\"failed\":1},\"jobs\":[{\"a\":1}]}", pointers), "2"s);
    QCOMPARE(first("[{\"jobs\":\"none\"}]", pointers), "none"s);
    QCOMPARE(first("{\"jobs\":[{\"a\":1},{\"a\":", pointers), "2"s);
    QCOMPARE(first(std::string(100'000, '['), pointers), "none"s);
  }

  void aRowWithoutTheListIsItsOwnRow() {
    const std::string text = "[{\"name\":\"q\",\"jobs\":[{\"name\":\"a\"},{\"id\":2}]},{\"name\":\"b\"},{\"name\":\"r\",\"jobs\":[]}]";
    const auto source = openMemory(text);
    RowCollector rows;
    const JsonRowShaper shaper({"name", "$outer.name"}, JsonNesting({"jobs", "."}, ""));
    const Result<> read = readJsonRows(**source, {"#", false, false}, shaper, rows);
    QVERIFY(read.has_value());
    std::string all;
    for (const auto& row : rows.rows) all += joined(row.fields) + ";";
    QCOMPARE(all, "a|q;q|q;b|-;"s);
  }

  void aRowThatIsATextIsUnwrapped() {
    const std::string text = "[\"{\\\"a\\\":1}\",[\"{\\\"a\\\":2}\",7.5],{\"a\":3},\"plain\",4]";
    const auto source = openMemory(text);
    RowCollector rows;
    const Result<> read = readJsonRows(**source, {"#", false, false}, JsonRowShaper({"a", "1"}, JsonNesting({}, "0")), rows);
    QVERIFY(read.has_value());
    std::string all;
    for (const auto& row : rows.rows) all += joined(row.fields) + ";";
    QCOMPARE(all, "1|-;2|7.5;3|-;-|-;-|-;"s);
  }

  void pointersAreSplit() {
    QCOMPARE(splitJsonPointer("/a/b~1c/0"), (std::vector<std::string>{"a", "b/c", "0"}));
    QCOMPARE(splitJsonPointer("#/a"), (std::vector<std::string>{"a"}));
    QCOMPARE(splitJsonPointer("#"), std::vector<std::string>{});
    QCOMPARE(splitJsonPointer("/"), (std::vector<std::string>{""}));
  }
};

QTEST_APPLESS_MAIN(TstJson)
#include "tst_json.moc"
