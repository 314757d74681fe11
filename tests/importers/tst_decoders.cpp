// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "importers/mapping/decoders.h"

using namespace counterfoil;

namespace {

std::string python(const std::string& text) {
  auto node = parsePythonRepr(text);
  if (!node) return "error: " + node.error().message;
  std::string printed = printJson(*node);
  std::string compact;
  for (const char c : printed) {
    if (c != '\n') compact += c;
  }
  return compact;
}

}  // namespace

class TstDecoders : public QObject {
  Q_OBJECT

 private slots:
  void pythonLiterals_data() {
    QTest::addColumn<QByteArray>("repr");
    QTest::addColumn<QByteArray>("json");
    QTest::newRow("list of text") << QByteArray("['pay_30006', \"it's\"]")
                                  << QByteArray("[  \"pay_30006\",  \"it's\"]");
    QTest::newRow("tuple after a retry")
        << QByteArray("('ord_1', 4900, )") << QByteArray("[  \"ord_1\",  4900]");
    QTest::newRow("empty tuple") << QByteArray("()") << QByteArray("[]");
    QTest::newRow("dict") << QByteArray("{'a': None, 'b': True, 'c': -1.5e3, 2: False}")
                          << QByteArray(
                                 "{  \"a\": null,  \"b\": true,  \"c\": -1.5e3,  \"2\": false}");
    QTest::newRow("empty dict") << QByteArray("{}") << QByteArray("{}");
    QTest::newRow("set") << QByteArray("{1, 2}") << QByteArray("[  1,  2]");
    QTest::newRow("decimal keeps its digits")
        << QByteArray("[Decimal('25.00')]") << QByteArray("[  \"25.00\"]");
    QTest::newRow("uuid") << QByteArray("UUID('8e03978e-40d5-43e8-bc93-6894a57f9324')")
                          << QByteArray("\"8e03978e-40d5-43e8-bc93-6894a57f9324\"");
    QTest::newRow("datetime")
        << QByteArray("datetime.datetime(2026, 4, 7, 10, 5, tzinfo=datetime.timezone.utc)")
        << QByteArray("\"2026-04-07T10:05:00.000000+00:00\"");
    QTest::newRow("escapes") << QByteArray("'\\x41\\u00e9\\n\\'\\101'")
                             << QByteArray("\"A\xC3\xA9\\n'A\"");
    QTest::newRow("bytes") << QByteArray("b'abc'") << QByteArray("\"abc\"");
    QTest::newRow("nested") << QByteArray("[{'k': ('x', [1])}]")
                            << QByteArray(
                                   "[  {    \"k\": [      \"x\",      [        1      ]    ]  }]");
    QTest::newRow("big integer") << QByteArray("123456789012345678901234567890")
                                 << QByteArray("123456789012345678901234567890");
  }
  void pythonLiterals() {
    QFETCH(QByteArray, repr);
    QFETCH(QByteArray, json);
    QCOMPARE(QByteArray::fromStdString(python(repr.toStdString())), json);
  }

  void pythonRefusals_data() {
    QTest::addColumn<QByteArray>("repr");
    QTest::addColumn<QByteArray>("part");
    QTest::newRow("open list") << QByteArray("['ord_4509', 49") << QByteArray("cut off");
    QTest::newRow("open string") << QByteArray("['ord_45") << QByteArray("cut off");
    QTest::newRow("open dict") << QByteArray("{'order': 'ord_1', 'amo") << QByteArray("cut off");
    QTest::newRow("open after colon") << QByteArray("{'order':") << QByteArray("cut off");
    QTest::newRow("open constructor") << QByteArray("[Decimal('25.0") << QByteArray("cut off");
    QTest::newRow("cut word") << QByteArray("[Tru") << QByteArray("cut off");
    QTest::newRow("nothing") << QByteArray("") << QByteArray("cut off");
    QTest::newRow("object") << QByteArray("[<Order: 5>]") << QByteArray("not a Python literal");
    QTest::newRow("call") << QByteArray("[__import__('os').system('x')]")
                          << QByteArray("not a Python literal");
    QTest::newRow("name") << QByteArray("[order]") << QByteArray("not a Python literal");
    QTest::newRow("two values") << QByteArray("1 2") << QByteArray("more text");
    QTest::newRow("member twice") << QByteArray("{'a': 1, 'a': 2}") << QByteArray("twice");
    QTest::newRow("bad escape") << QByteArray("'\\q'") << QByteArray("escape");
    QTest::newRow("surrogate") << QByteArray("'\\ud800'") << QByteArray("escape");
  }
  void pythonRefusals() {
    QFETCH(QByteArray, repr);
    QFETCH(QByteArray, part);
    const auto node = parsePythonRepr(repr.toStdString());
    QVERIFY(!node.has_value());
    QCOMPARE(node.error().code, ErrorCode::Format);
    QVERIFY2(QByteArray::fromStdString(node.error().message).contains(part),
             node.error().message.c_str());
  }

  void everyCutOfALiteralIsRefused() {
    const std::string whole =
        "{'order': 'ord_1', 'parts': [1, (2.5, None), UUID('ab')], 'x': True}";
    QVERIFY(parsePythonRepr(whole).has_value());
    for (std::size_t length = 0; length < whole.size(); ++length) {
      QVERIFY2(!parsePythonRepr(whole.substr(0, length)).has_value(),
               whole.substr(0, length).c_str());
    }
  }

  void shortenedPartsAreMarked() {
    const auto list = parsePythonRepr("['ord_1', 'a long text...', ...]");
    QVERIFY(list.has_value());
    QVERIFY(isCutOff(*list));
    const auto first = resolvePointer(*list, "/0");
    QVERIFY(first.has_value());
    QCOMPARE((*first)->text, std::string("ord_1"));
    QVERIFY(!isCutOff(**first));
    QVERIFY(isCutOff(**resolvePointer(*list, "/1")));
    QVERIFY(!resolvePointer(*list, "/2").has_value());
    const auto nested = parsePythonRepr("[{...}]");
    QVERIFY(nested.has_value());
    QVERIFY(!resolvePointer(*nested, "/0/key").has_value());
  }

  void nestingIsBounded() {
    QVERIFY(parsePythonRepr(std::string(60, '[') + std::string(60, ']')).has_value());
    QVERIFY(!parsePythonRepr(std::string(100'000, '[')).has_value());
  }

  void pointersFollowJson() {
    const auto node = parseJsonValue(R"({"a/b": [10, {"~": "x"}], "n": null})");
    QVERIFY(node.has_value());
    QCOMPARE((*resolvePointer(*node, "/a~1b/0"))->text, std::string("10"));
    QCOMPARE((*resolvePointer(*node, "/a~1b/1/~0"))->text, std::string("x"));
    QVERIFY(*resolvePointer(*node, "/a~1b/2") == nullptr);
    QVERIFY(*resolvePointer(*node, "/a~1b/-1") == nullptr);
    QVERIFY(*resolvePointer(*node, "/none/deeper") == nullptr);
    QCOMPARE((*resolvePointer(*node, "/n"))->type, JsonNode::Type::Null);
  }

  void pointersChooseElementsByAMember() {
    const auto node = parseJsonValue(
        R"({"Item": [{"Name": "Amount", "Value": 1.00}, {"Name": "Receipt", "Value": "NLJ7"}, {"Name": "Receipt"}],
            "One": {"Key": "a=b", "Value": 7}, "Plain": ["Amount"]})");
    QVERIFY(node.has_value());
    QCOMPARE((*resolvePointer(*node, "/Item/[Name=Amount]/Value"))->text, std::string("1.00"));
    QCOMPARE((*resolvePointer(*node, "/Item/[Name=Receipt]/Value"))->text, std::string("NLJ7"));
    QVERIFY(*resolvePointer(*node, "/Item/[Name=Balance]/Value") == nullptr);
    QVERIFY(*resolvePointer(*node, "/Item/[Value=x]/Name") == nullptr);
    QCOMPARE((*resolvePointer(*node, "/One/[Key=a=b]/Value"))->text, std::string("7"));
    QVERIFY(*resolvePointer(*node, "/One/[Key=c]/Value") == nullptr);
    QVERIFY(*resolvePointer(*node, "/Plain/[Name=Amount]") == nullptr);
    QVERIFY(*resolvePointer(*node, "/Item/[=Amount]") == nullptr);
    QVERIFY(*resolvePointer(*node, "/Item/[]") == nullptr);
  }

  void base64() {
    QCOMPARE(*decodeBase64("eyJhIjoxfQ=="), std::string("{\"a\":1}"));
    QCOMPARE(*decodeBase64("eyJhIjoxfQ"), std::string("{\"a\":1}"));
    QCOMPARE(*decodeBase64("_-8"), std::string("\xFF\xEF"));
    QCOMPARE(*decodeBase64("YW\nJj"), std::string("abc"));
    QVERIFY(!decodeBase64("ab$d").has_value());
    QVERIFY(!decodeBase64("abcde").has_value());
    QVERIFY(!decodeBase64("ab=c").has_value());
  }

  void hexAndUrl() {
    QCOMPARE(*decodeHex("0x4a4B"), std::string("JK"));
    QCOMPARE(*decodeHex("\\x00ff"), std::string("\0\xFF", 2));
    QVERIFY(!decodeHex("abc").has_value());
    QVERIFY(!decodeHex("zz").has_value());
    QCOMPARE(*decodeUrl("a%20b+c%2F"), std::string("a b c/"));
    QVERIFY(!decodeUrl("a%2").has_value());
    QVERIFY(!decodeUrl("%zz").has_value());
  }
};

QTEST_APPLESS_MAIN(TstDecoders)
#include "tst_decoders.moc"
