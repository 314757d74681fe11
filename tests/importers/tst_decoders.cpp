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
    QTest::newRow("open string") << QByteArray("'ord_45") << QByteArray("cut off");
    QTest::newRow("open constructor") << QByteArray("Decimal('25.0") << QByteArray("cut off");
    QTest::newRow("open object") << QByteArray("<Order: 5") << QByteArray("cut off");
    QTest::newRow("cut word") << QByteArray("Tru") << QByteArray("cut off");
    QTest::newRow("nothing") << QByteArray("") << QByteArray("cut off");
    QTest::newRow("shortened at the front") << QByteArray("[..., 'x']") << QByteArray("is no literal");
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

  /// Cut anywhere, it is refused or known to lack its end, and holds only what stands before the cut.
  void everyCutOfALiteralIsSeen() {
    const std::string whole =
        "{'order': 'ord_1', 'parts': [1, (2.5, None), UUID('ab')], 'due': datetime.date(2026, 4, 7), 'x': <A: 5>}";
    QVERIFY(parsePythonRepr(whole).has_value());
    QVERIFY(!hasCut(*parsePythonRepr(whole)));
    for (std::size_t length = 0; length < whole.size(); ++length) {
      const auto cut = parsePythonRepr(whole.substr(0, length));
      if (!cut) continue;
      QVERIFY2(hasCut(*cut), whole.substr(0, length).c_str());
      for (const auto& [path, value] : {std::pair("order", "ord_1"), std::pair("parts.0", "1"), std::pair("parts.1.0", "2.5"),
                                        std::pair("parts.2", "ab"), std::pair("due", "2026-04-07"), std::pair("x", "<A: 5>")}) {
        const auto found = resolvePath(*cut, path);
        if (found && *found != nullptr) QCOMPARE((*found)->text, std::string(value));
        QVERIFY(!found || *found != nullptr);   // what is not there may stand behind the cut
      }
    }
  }

  void whatStandsBeforeTheCutIsKept_data() {
    QTest::addColumn<QByteArray>("repr");
    QTest::addColumn<QByteArray>("path");
    QTest::addColumn<QByteArray>("value");
    const auto row = [](const char* name, const char* repr, const char* path, const char* value) {
      QTest::newRow(name) << QByteArray(repr) << QByteArray(path) << QByteArray(value);
    };
    row("before", "['ord_4509', 49", "0", "ord_4509");
    row("a number at the cut may go on", "['ord_4509', 49", "1", "cut");
    row("a closed text at the cut is whole", "['ord_4509', 'usd'", "1", "usd");
    row("an open text", "['ord_4509', 'us", "1", "cut");
    row("behind", "['ord_4509', 'us", "2", "cut");
    row("from the end", "['ord_4509', 'us", "-1", "cut");
    row("keyword before", "{'payment_id': 'pay_1', 'amount': 4", "payment_id", "pay_1");
    row("keyword at", "{'payment_id': 'pay_1', 'amount': 4", "amount", "cut");
    row("keyword that is not there", "{'payment_id': 'pay_1', 'amount': 4", "customer", "cut");
    row("after a colon", "{'payment_id':", "payment_id", "cut");
    row("nested before", "[{'id': 'pay_1', 'note': 'long", "0.id", "pay_1");
    row("nested behind", "[{'id': 'pay_1', 'note': 'long", "0.key", "cut");
    row("shortened number", "[1, 49...]", "1", "is cut");
    row("shortened text", "['pay_1...', 'x']", "0", "is cut");
    row("behind a shortened text", "['pay_1...', 'x']", "1", "x");
    row("shortened dict", "[{...}, 'x']", "0.id", "cut");
    row("shortened member", "{'a': 'b', 'c': ..., 'd': 'e'}", "a", "b");
    row("behind a shortened member", "{'a': 'b', 'c': ..., 'd': 'e'}", "d", "cut");
    row("shortened object", "[<Order: a long...>]", "0", "is cut");
    row("shortened call", "[Money('5.0...', 'USD')]", "0", "is cut");
    row("whole", "['a']", "1", "none");
  }
  void whatStandsBeforeTheCutIsKept() {
    QFETCH(QByteArray, repr);
    QFETCH(QByteArray, path);
    QFETCH(QByteArray, value);
    const auto node = parsePythonRepr(repr.toStdString());
    QVERIFY2(node.has_value(), node ? "" : node.error().message.c_str());
    const auto found = resolvePath(*node, path.toStdString());
    const std::string got = !found               ? "cut"
                            : *found == nullptr  ? "none"
                            : hasCut(**found)    ? "is cut"
                                                 : (*found)->text;
    QCOMPARE(QByteArray::fromStdString(got), value);
  }

  void objectsAndCallsAreTexts_data() {
    QTest::addColumn<QByteArray>("repr");
    QTest::addColumn<QByteArray>("json");
    const auto row = [](const char* repr, const char* json) {
      QTest::newRow(repr) << QByteArray(repr) << QByteArray(json);
    };
    row("<Order: Order object (5)>", "\"<Order: Order object (5)>\"");
    row("[<A: <B>>, 2]", "[  \"<A: <B>>\",  2]");
    row("[Money('5.00', currency='USD'), 2]", "[  \"Money('5.00', currency='USD')\",  2]");
    row("OrderedDict([('a', 1)])", "\"OrderedDict([('a', 1)])\"");
    row("Job(kind=Kind.CHARGE)", "\"Job(kind=Kind.CHARGE)\"");
    row("u'text'", "\"text\"");
    row("4900L", "4900");
    row("datetime.datetime(2026, 4, 7, 10, 5, fold=1)", "\"2026-04-07T10:05:00.000000\"");
    row("datetime.datetime(2026, 4, 7, 10, 5, tzinfo=zoneinfo.ZoneInfo(key='UTC'))", "\"2026-04-07T10:05:00.000000+00:00\"");
    row("datetime.datetime(2026, 4, 7, 10, 5, tzinfo=datetime.timezone(datetime.timedelta(seconds=10800)))",
        "\"2026-04-07T10:05:00.000000+03:00\"");
    row("datetime.datetime(2026, 4, 7, 10, 5, tzinfo=datetime.timezone(datetime.timedelta(days=-1, seconds=66600)))",
        "\"2026-04-07T10:05:00.000000-05:30\"");
    // A zone that depends on the day: no time that could be read in another zone.
    row("datetime.datetime(2026, 4, 7, tzinfo=<DstTzInfo 'Africa/Nairobi' EAT+3:00:00 STD>)",
        "\"datetime.datetime(2026, 4, 7, tzinfo=<DstTzInfo 'Africa/Nairobi' EAT+3:00:00 STD>)\"");
  }
  void objectsAndCallsAreTexts() {
    QFETCH(QByteArray, repr);
    QFETCH(QByteArray, json);
    QCOMPARE(QByteArray::fromStdString(python(repr.toStdString())), json);
  }

  void valuesAreCounted() {
    std::string many = "[";
    for (int i = 0; i < 300'000; ++i) many += "1,";
    QVERIFY2(python(many + "]").find("too many values") != std::string::npos, "300,000 values");
    std::string json = "[";
    for (int i = 0; i < 1'100'000; ++i) json += "1,";
    const auto node = parseJsonValue(json + "1]");
    QVERIFY(!node.has_value());
    QVERIFY2(node.error().message.find("more than 1048576 values") != std::string::npos, node.error().message.c_str());
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

  void zlibStreams() {
    const std::string text = "[\"app/jobs/charge.rb:7\"]";
    const std::string packed = qCompress(QByteArray::fromStdString(text)).mid(4).toStdString();
    QCOMPARE(*decodeZlib(packed), text);
    const auto message = [](const std::string& bytes) {
      const auto done = decodeZlib(bytes);
      return done ? std::string("decoded") : done.error().message;
    };
    for (std::size_t length = 0; length < packed.size(); ++length)
      QCOMPARE(message(packed.substr(0, length)), std::string("zlib data that is cut off"));
    QCOMPARE(message(packed + "x"), std::string("more bytes after the end of zlib data"));
    QCOMPARE(message("plain text"), std::string("not zlib data"));
    const QByteArray zeros(20 << 20, '\0');
    QCOMPARE(message(qCompress(zeros).mid(4).toStdString()), std::string("zlib data of more than 16 MiB"));
  }

  void pairsBecomeObjects_data() {
    QTest::addColumn<QByteArray>("list");
    QTest::addColumn<QByteArray>("object");
    const auto row = [](const char* name, const char* list, const char* object) {
      QTest::newRow(name) << QByteArray(list) << QByteArray(object);
    };
    row("flat", R"(["a", "1", "b", null])", R"({  "a": "1",  "b": null})");
    row("the last counts", R"(["a", "1", "b", 2, "a", "3"])", R"({  "a": "3",  "b": 2})");
    row("nested", R"([["m1", 1.5], ["m2", [1]]])", R"({  "m1": 1.5,  "m2": [    1  ]})");
    row("none", "[]", "{}");
    row("an object stays", R"({"a": 1})", R"({  "a": 1})");
    row("odd", R"(["a", 1, "b"])", "a list of pairs with an odd number of elements");
    row("no name", R"([null, 1])", "a pair whose name is no text");
    row("three in one", R"([["a", 1], ["b", 2, 3]])", "a list of pairs with an element that is none");
    row("a text", R"("a")", "no list of pairs");
  }
  void pairsBecomeObjects() {
    QFETCH(QByteArray, list);
    QFETCH(QByteArray, object);
    const auto node = parseJsonValue(list.toStdString());
    const auto got = objectOfPairs(*node);
    std::string text = got ? printJson(*got) : got.error().message;
    std::erase(text, '\n');
    QCOMPARE(QByteArray::fromStdString(text), object);
  }

  void msgpack_data() {
    QTest::addColumn<QByteArray>("hex");
    QTest::addColumn<QByteArray>("json");
    const auto row = [](const char* hex, const char* json) {
      QTest::newRow(hex) << QByteArray(hex) << QByteArray(json);
    };
    row("c0", "null");
    row("c2", "false");
    row("c3", "true");
    row("7f", "127");
    row("ff", "-1");
    row("e0", "-32");
    row("ccff", "255");
    row("cdffff", "65535");
    row("ceffffffff", "4294967295");
    row("cfffffffffffffffff", "18446744073709551615");
    row("d080", "-128");
    row("d18000", "-32768");
    row("d280000000", "-2147483648");
    row("d38000000000000000", "-9223372036854775808");
    row("cb3ff8000000000000", "1.5");
    row("ca3fc00000", "1.5");
    row("cb7ff0000000000000", "null");
    row("a161", "\"a\"");
    row("d9026162", "\"ab\"");
    row("da00026162", "\"ab\"");
    row("db000000026162", "\"ab\"");
    row("c4026162", "\"ab\"");
    row("c402ff00", "{  \"base64\": \"/wA=\"}");
    row("93010203", "[  1,  2,  3]");
    row("dc000101", "[  1]");
    row("dd0000000101", "[  1]");
    row("82a161 01 a162 90", "{  \"a\": 1,  \"b\": []}");
    row("de0001 a161 01", "{  \"a\": 1}");
    row("df00000001 a161 01", "{  \"a\": 1}");
    row("81 05 01", "{  \"5\": 1}");
    row("d6ff 69d4d5a0", "\"2026-04-07T10:00:00Z\"");
    row("d7ff ee2e1f0069d4d5a0", "\"2026-04-07T10:00:00.999Z\"");
    row("c1", "error: not msgpack: a byte that begins no value");
    row("", "error: msgpack that is cut off");
    row("92 01", "error: msgpack that is cut off");
    row("dbffffffff61", "error: msgpack that is cut off");
    row("ddffffffff", "error: msgpack that is cut off");
    row("01 01", "error: not msgpack: more bytes after its end");
    row("a1ff", "error: not msgpack: a text that is not UTF-8");
    row("82 a161 01 a161 02", "error: not msgpack: a member is given twice");
    row("81 90 01", "error: not msgpack: a name that is a list or a map");
    row("d4 05 00", "error: not msgpack: an extension that is no time");
  }
  void msgpack() {
    QFETCH(QByteArray, hex);
    QFETCH(QByteArray, json);
    const auto node = parseMsgpack(QByteArray::fromHex(hex).toStdString());
    std::string text = node ? printJson(*node) : "error: " + node.error().message;
    std::erase(text, '\n');
    QCOMPARE(QByteArray::fromStdString(text), json);
  }

  void msgpackIsBounded() {
    QVERIFY(!parseMsgpack(std::string(100'000, '\x91')).has_value());
    QVERIFY(!parseMsgpack("\xdd" + std::string(3, '\x7f') + std::string(1u << 20, '\x01')).has_value());
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

  void bytesAndNumbers() {
    QCOMPARE(*decodeLatin1("a\xC2\x80\xC3\xBF"), std::string("a\x80\xFF"));
    QVERIFY(!decodeLatin1("\xC4\x80").has_value());   // U+0100
    QVERIFY(!decodeLatin1("\xEF\xBF\xBD").has_value());
    QCOMPARE(*decodeIntBe(std::string("\0\0\1\x9E\x12\x34\x56\x78", 8)), std::string("1778421880440"));
    QCOMPARE(*decodeIntBe(std::string("\0\0\0\3", 4)), std::string("3"));
    QCOMPARE(*decodeIntBe("\xFF"), std::string("-1"));
    QCOMPARE(*decodeIntBe("\x80" + std::string(7, '\0')), std::string("-9223372036854775808"));
    QVERIFY(!decodeIntBe("").has_value());
    QVERIFY(!decodeIntBe(std::string("\0\0\0\xEF\xBF\xBD", 6)).has_value());   // a byte was replaced
    QVERIFY(!decodeIntBe("123456789").has_value());
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
