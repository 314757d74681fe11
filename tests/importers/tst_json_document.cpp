// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "importers/json/json_document.h"

using namespace counterfoil;

namespace {

std::string messageOf(const Result<JsonNode>& node) {
  return node ? std::string("accepted") : node.error().message;
}

}  // namespace

class TstJsonDocument : public QObject {
  Q_OBJECT

 private slots:
  void valuesKnowWhereTheyStand() {
    const std::string text =
        "// a comment with \"quotes\" and {braces}\n"
        "{\n"
        "  \"a\": 1.50, // after a value\n"
        "  \"b\\\"x\": [true,null , \"say \\\"hi\\\\\"],\n"
        "\t\"c\": {\"d\": -0, \"e\": 12345678901234567890123}\n"
        "}";
    const auto root = parseJson(text, "c.json");
    QVERIFY2(root.has_value(), messageOf(root).c_str());
    QCOMPARE(root->where(), std::string("c.json:2:1"));
    QCOMPARE(root->members.size(), std::size_t(3));
    const JsonNode* a = root->find("a");
    QVERIFY(a != nullptr);
    QCOMPARE(a->type, JsonNode::Type::Number);
    QCOMPARE(a->text, std::string("1.50"));
    QCOMPARE(a->where(), std::string("c.json:3:8"));
    const JsonNode* b = root->find("b\"x");
    QVERIFY(b != nullptr);
    QCOMPARE(b->where(), std::string("c.json:4:11"));
    QCOMPARE(b->items.size(), std::size_t(3));
    QCOMPARE(b->items[0].where(), std::string("c.json:4:12"));
    QCOMPARE(b->items[1].type, JsonNode::Type::Null);
    QCOMPARE(b->items[1].where(), std::string("c.json:4:17"));
    QCOMPARE(b->items[2].text, std::string("say \"hi\\"));
    QCOMPARE(b->items[2].where(), std::string("c.json:4:24"));
    const JsonNode* d = root->find("c")->find("d");
    QCOMPARE(d->text, std::string("-0"));
    QCOMPARE(d->where(), std::string("c.json:5:13"));
    QCOMPARE(root->find("c")->find("e")->text, std::string("12345678901234567890123"));
    QVERIFY(root->find("nothing") == nullptr);
  }

  void byteOrderMarkIsPassedOver() {
    const auto root = parseJson("\xEF\xBB\xBF{\"a\": \"b\"}", "bom.json");
    QVERIFY2(root.has_value(), messageOf(root).c_str());
    QCOMPARE(root->find("a")->where(), std::string("bom.json:1:7"));
  }

  void commentsEndAtACarriageReturn() {
    const auto root = parseJson("// one\r[10]", "f");
    QVERIFY2(root.has_value(), messageOf(root).c_str());
    QCOMPARE(root->items[0].text, std::string("10"));
  }

  void blockCommentsCountTheirLines() {
    const auto root = parseJson("/* one\n two */ [\n1]", "f");
    QVERIFY2(root.has_value(), messageOf(root).c_str());
    QCOMPARE(root->items[0].where(), std::string("f:3:1"));
  }

  void refusals_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("start");
    QTest::newRow("repeated member")
        << QByteArray("{\"a\": 1,\n \"a\": 2}") << QByteArray("f:2:2: member 'a' is given twice");
    QTest::newRow("repeated by escape") << QByteArray("{\"a\": 1, \"\\u0061\": 2}")
                                        << QByteArray("f:1:10: member 'a' is given twice");
    QTest::newRow("missing comma")
        << QByteArray("{\"a\": 1\n\"b\": 2}") << QByteArray("f:2:3: not valid JSON");
    QTest::newRow("trailing comma") << QByteArray("[1,]") << QByteArray("f:1:4: not valid JSON");
    QTest::newRow("cut off") << QByteArray("{\"a\": [1, 2") << QByteArray("f:1:12: not valid JSON");
    QTest::newRow("empty") << QByteArray("") << QByteArray("f:1:1: not valid JSON");
    QTest::newRow("two values") << QByteArray("1 2") << QByteArray("f:1:3: not valid JSON");
    QTest::newRow("bad UTF-8") << QByteArray("\"\xC3(\"") << QByteArray("f:1:3: not valid JSON");
    QTest::newRow("lone surrogate")
        << QByteArray("\"\\ud800\"") << QByteArray("f:1:8: not valid JSON");
    QTest::newRow("NUL hides the rest")
        << QByteArray("[1]\n\0 garbage", 13) << QByteArray("f:2:1: not valid JSON: a NUL byte");
    QTest::newRow("NaN") << QByteArray("NaN") << QByteArray("f:1:1: not valid JSON");
  }
  void refusals() {
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, start);
    const auto root = parseJson(text.toStdString(), "f");
    QVERIFY(!root.has_value());
    QCOMPARE(root.error().code, ErrorCode::Config);
    QCOMPARE(QByteArray::fromStdString(root.error().message).left(start.size()), start);
  }

  void depthAndSizeAreBounded() {
    const std::string deep = std::string(65, '[') + std::string(65, ']');
    QCOMPARE(messageOf(parseJson(deep, "f")), std::string("f:1:65: nested deeper than 64 levels"));
    QVERIFY(parseJson(std::string(64, '[') + std::string(64, ']'), "f").has_value());
    QCOMPARE(messageOf(parseJson("[1, 2, 3]", "f", {8, 64})),
             std::string("f: larger than 8 bytes"));
    const std::string hostile(1'000'000, '[');
    QVERIFY(!parseJson(hostile, "f").has_value());
  }

  void missingFileIsSaid() {
    const auto root = parseJsonFile("/nonexistent/counterfoil.json");
    QVERIFY(!root.has_value());
    QCOMPARE(root.error().code, ErrorCode::Missing);
  }

  void printingKeepsOrderAndExactNumbers() {
    const auto root =
        parseJson("{\"b\":1.10,\"a\":[],\"c\":[{\"x\":\"\\n\\u00e9\"},null,false],\"d\":{}}", "f");
    QVERIFY(root.has_value());
    const std::string expected =
        "{\n  \"b\": 1.10,\n  \"a\": [],\n  \"c\": [\n    {\n      \"x\": \"\\n\xC3\xA9\"\n    "
        "},\n    null,\n"
        "    false\n  ],\n  \"d\": {}\n}\n";
    QCOMPARE(printJson(*root), expected);
    const auto again = parseJson(printJson(*root), "f");
    QVERIFY(again.has_value());
    QCOMPARE(printJson(*again), expected);
  }
};

QTEST_APPLESS_MAIN(TstJsonDocument)
#include "tst_json_document.moc"
