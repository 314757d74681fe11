// SPDX-License-Identifier: GPL-3.0-or-later
// Lines of redis-dump as rows: what each type becomes, and what is broken.
#include <QTest>

#include "tests/importers/redis_rows.h"

using namespace counterfoil;
using namespace counterfoil::testing;

class TstRedisDump : public QObject {
  Q_OBJECT
 private slots:
  void everyTypeHasItsRows();
  void textsThatAreJsonAreEmbedded();
  void bytesComeAsBase64();
  void scoresAreExact_data();
  void scoresAreExact();
  void rowsNameTheLineOfTheirKey();
  void membersMayStandInAnyOrder();
  void dumpsMayBePrintedOverLinesOrInAnArray();
  void aBrokenLineCostsItself_data();
  void aBrokenLineCostsItself();
  void aCutDumpGivesNoRow_data();
  void aCutDumpGivesNoRow();
  void aBrokenArrayIsTold();
  void elementsThatCannotBeReadAreTold();
  void aKeyThatComesTwiceIsTold();
  void onlyKeysThatFitAreGiven();
  void whatExpiredMeanwhileHasNoRows();
  void hashesAreARowEach();
  void aHashThatIsNotWholeIsNoRow();
  void piecesMakeNoDifference();
  void otherTypesAreGivenAsTheyAre();
};

void TstRedisDump::everyTypeHasItsRows() {
  const RedisRead read = redisRead(
      redisLayout(),
      dumped("l", "list", R"(["a","b"])") + dumped("s", "set", R"(["m"])") +
          dumped("z", "zset", R"([["one",1.5],["two",2.0]])") +
          dumped("h", "hash", R"({"f":"v"})") + dumped("t", "string", R"("text")", 3, 60) +
          dumped("x", "stream",
                 R"([["17-0",{"event":"added","jobId":"1"}],["17-1",["event","done"]]])"));
  QCOMPARE(read.error, std::string());
  QCOMPARE(read.all("/key"), std::string("l l s z z h t x x"));
  QCOMPARE(read.all("/type"), std::string("list list set zset zset hash string stream stream"));
  QCOMPARE(read.all("/index"), std::string("0 1 0 0 1 0 0 0 1"));
  QCOMPARE(read.all("/value"),
           std::string(R"(a b m one two v text {"event":"added","jobId":"1"} {"event":"done"})"));
  QCOMPARE(read.all("/score"), std::string("- - - 1.5 2 - - - -"));
  QCOMPARE(read.all("/field"), std::string("- - - - - f - - -"));
  QCOMPARE(read.all("/id"), std::string("- - - - - - - 17-0 17-1"));
  QCOMPARE(read.all("/db"), std::string("0 0 0 0 0 0 3 0 0"));
  QCOMPARE(read.all("/ttl"), std::string("-1 -1 -1 -1 -1 -1 60 -1 -1"));
}

void TstRedisDump::textsThatAreJsonAreEmbedded() {
  const RedisRead read = redisRead(
      redisLayout(),
      dumped(
          "l", "list",
          R"(["{\"jid\":\"a1\",\n \"args\":[\"x\\ny\"]}"," [1, 2] ","{not json}","8","true","\"q\""])") +
          dumped("o", "string", R"({"status":"ok","n":1.50})"));
  QCOMPARE(read.error, std::string());
  QCOMPARE(read.rows.size(), std::size_t(7));
  QCOMPARE(read.all("/value/jid"), std::string("a1 - - - - - -"));
  QCOMPARE(read.rows[0].json["value"]["args"][0].get<std::string>(), std::string("x\ny"));
  QVERIFY(read.rows[1].json["value"].is_array());
  QCOMPARE(read.rows[2].json["value"].get<std::string>(), std::string("{not json}"));
  QVERIFY(read.rows[3].json["value"].is_string());
  QVERIFY(read.rows[4].json["value"].is_string());
  QCOMPARE(read.rows[5].json["value"].get<std::string>(), std::string("\"q\""));
  QVERIFY(read.text.find(R"("n":1.50)") != std::string::npos);  // numbers keep their text
  std::string deep(200, '[');
  deep += std::string(200, ']');
  QVERIFY(redisRead(redisLayout(), dumped("d", "string", '"' + deep + '"'))
              .rows[0]
              .json["value"]
              .is_string());
}

void TstRedisDump::bytesComeAsBase64() {
  const RedisRead read =
      redisRead(redisLayout(),
                dumped("p", "string", R"({"base64":"gASVAAAA"})") +
                    dumped("u", "string", R"({"base64":"w6k="})") +
                    dumped("h", "hash", R"([[{"base64":"/w=="},"v"],["f",{"base64":"gAQ="}]])") +
                    dumped("n", "string", R"({"base64":"not base64!"})") +
                    R"({"db":0,"key":{"base64":"gGs="},"ttl":-1,"type":"set","value":["a"]})"
                    "\n");
  QCOMPARE(read.error, std::string());
  QCOMPARE(read.all("/base64"), std::string("gASVAAAA - - gAQ= - -"));
  QCOMPARE(read.all("/value"), std::string("- é v - {\"base64\":\"not base64!\"} a"));
  QCOMPARE(read.all("/field_base64"), std::string("- - /w== - - -"));
  QCOMPARE(read.all("/key_base64"), std::string("- - - - - gGs="));
}

void TstRedisDump::scoresAreExact_data() {
  QTest::addColumn<QString>("written");
  QTest::addColumn<QString>("score");
  QTest::newRow("whole") << "1795954541004"
                         << "1795954541004";
  QTest::newRow("of Python") << "1795954541004.0"
                             << "1795954541004";
  QTest::newRow("places") << "1795954250.5161364"
                          << "1795954250.5161364";
  QTest::newRow("exponent") << "1.795954541004e12"
                            << "1795954541004";
  QTest::newRow("of a small number") << "2.5e-3"
                                     << "0.0025";
  QTest::newRow("negative") << "-1.50"
                            << "-1.5";
  QTest::newRow("nothing") << "-0.0"
                           << "0";
  QTest::newRow("in quotes") << "\"12\""
                             << "12";
  QTest::newRow("without bound") << "\"+inf\""
                                 << "inf";
  QTest::newRow("less than all") << "\"-Infinity\""
                                 << "-inf";
  QTest::newRow("out of proportion") << "1e300"
                                     << "1e300";
}

void TstRedisDump::scoresAreExact() {
  QFETCH(QString, written);
  QFETCH(QString, score);
  const std::string text = dumped("z", "zset", "[[\"m\"," + written.toStdString() + "]]");
  QCOMPARE(redisRead(redisLayout(), text).all("/score"), score.toStdString());
}

void TstRedisDump::rowsNameTheLineOfTheirKey() {
  const RedisRead read = redisRead(redisLayout(), dumped("a", "list", R"(["1","2","3"])") + "\n" +
                                                      dumped("b", "string", R"("x")") +
                                                      dumped("c", "set", R"(["4","5"])"));
  QCOMPARE(read.lines(), std::string("1 1 1 3 4 4"));
}

void TstRedisDump::membersMayStandInAnyOrder() {
  const RedisRead read = redisRead(
      redisLayout(), R"({"value":[["a",1]],"type":"ZSET","ttl":5,"key":"z","db":2})"
                     "\n"
                     R"({"key":"h","type":"hash","value":{"f":"v"}})"
                     "\n"
                     R"({"key":"g","value":["x"]})"
                     "\n"
                     R"({"db":0,"key":"zz","ttl":-1,"type":"zset","value":["a","1","b","2"]})"
                     "\n");
  QCOMPARE(read.error, std::string());
  QCOMPARE(read.all("/key"), std::string("z h g zz zz"));
  QCOMPARE(read.all("/type"), std::string("zset hash list zset zset"));
  QCOMPARE(read.all("/db"), std::string("2 - - 0 0"));
  QCOMPARE(read.all("/ttl"), std::string("5 - - -1 -1"));
  QCOMPARE(read.all("/score"), std::string("1 - - 1 2"));
}

void TstRedisDump::dumpsMayBePrintedOverLinesOrInAnArray() {
  const std::string pretty =
      "{\n  \"db\": 0,\n  \"key\": \"a\",\n  \"ttl\": -1,\n  \"type\": \"list\",\n  \"value\": [\n "
      "   \"1\",\n    "
      "\"2\"\n  ]\n}\n{\n  \"db\": 0,\n  \"key\": \"b\",\n  \"ttl\": -1,\n  \"type\": "
      "\"string\",\n  \"value\": \"x\"\n}\n";
  const RedisRead lines = redisRead(redisLayout(), pretty);
  QCOMPARE(lines.error, std::string());
  QCOMPARE(lines.all("/value"), std::string("1 2 x"));
  QCOMPARE(lines.lines(), std::string("1 1 11"));
  const std::string one = dumped("a", "list", R"(["1"])"), two = dumped("b", "set", R"(["2"])");
  const RedisRead array = redisRead(redisLayout(), "[" + one + ",\n" + two + "]\n");
  QCOMPARE(array.error, std::string());
  QCOMPARE(array.all("/value"), std::string("1 2"));
  QCOMPARE(redisRead(redisLayout(), "[]").error, std::string());
  QCOMPARE(redisRead(redisLayout(), "\x1E" + one + "\x1E" + two).all("/value"), std::string("1 2"));
}

void TstRedisDump::aBrokenLineCostsItself_data() {
  QTest::addColumn<QString>("line");
  QTest::addColumn<QString>("reason");
  QTest::newRow("a text that is not closed")
      << R"({"db":0,"key":"b","ttl":-1,"type":"string","value":"x)"
      << "the line ends in the middle of a value";
  QTest::newRow("a list that is not closed")
      << R"({"db":0,"key":"b","ttl":-1,"type":"list","value":["x",)"
      << "expected a value";
  QTest::newRow("an object that is not closed")
      << R"({"db":0,"key":"b","ttl":-1,"type":"string","value":"x","size":3)"
      << "expected ',' or '}'";
  QTest::newRow("a backslash at the end")
      << R"({"db":0,"key":"b","ttl":-1,"type":"string","value":"x\)"
      << "the line ends in the middle of a value";
  QTest::newRow("an escape that is none")
      << R"({"db":0,"key":"b","ttl":-1,"type":"string","value":"\x"})"
      << "an element that is not valid JSON";
  QTest::newRow("brackets that do not match")
      << R"({"db":0,"key":"b","ttl":-1,"type":"string","value":{"a":[}]})"
      << "brackets do not match";
  QTest::newRow("words") << "OK"
                         << "expected '{'";
  QTest::newRow("no key") << R"({"db":0,"ttl":-1,"type":"string","value":"x"})"
                          << "an object without a \"key\"";
  QTest::newRow("no value") << R"({"db":0,"key":"b","ttl":-1,"type":"string"})"
                            << "an object without a \"value\"";
  QTest::newRow("two values")
      << R"({"db":0,"key":"b","ttl":-1,"type":"string","value":"x","value":"y"})"
      << "a second \"value\"";
  QTest::newRow("a key that is a list")
      << R"({"db":0,"key":["b"],"ttl":-1,"type":"string","value":"x"})"
      << "\"key\" is no text";
  QTest::newRow("a database that is a word")
      << R"({"db":"prod","key":"b","ttl":-1,"type":"string","value":"x"})"
      << "\"db\" is no number";
  QTest::newRow("a list that is a text")
      << R"({"db":0,"key":"b","ttl":-1,"type":"list","value":"x"})"
      << "the value is not what a list is written as";
  QTest::newRow("a set that is an object")
      << R"({"db":0,"key":"b","ttl":-1,"type":"set","value":{"x":1}})"
      << "the value is not what a set is written as";
  QTest::newRow("half a pair") << R"({"db":0,"key":"b","ttl":-1,"type":"zset","value":["x"]})"
                               << "the last element has no value beside it";
  QTest::newRow("more behind it") << R"({"db":0,"key":"b","ttl":-1,"type":"set","value":[]},)"
                                  << "more behind the end of the object";
}

void TstRedisDump::aBrokenLineCostsItself() {
  QFETCH(QString, line);
  QFETCH(QString, reason);
  const std::string text =
      dumped("a", "string", R"("1")") + line.toStdString() + "\n" + dumped("c", "string", R"("3")");
  for (const std::size_t step : {std::size_t(1), std::size_t(4096)}) {
    const RedisRead read = redisRead(redisLayout(), text, step);
    QCOMPARE(read.error, std::string());
    QCOMPARE(read.rows.front().json["key"].get<std::string>(), std::string("a"));
    QCOMPARE(read.rows.back().json["key"].get<std::string>(), std::string("c"));
    QVERIFY2(read.defects().find(reason.toStdString()) != std::string::npos,
             read.defects().c_str());
    QCOMPARE(read.defects().substr(0, 3), std::string("2: "));
    QCOMPARE(std::count_if(read.rows.begin(), read.rows.end(),
                           [](const RedisRow& row) { return row.isDefect; }),
             1);
  }
}

void TstRedisDump::aCutDumpGivesNoRow_data() {
  QTest::addColumn<QString>("end");
  QTest::newRow("in a text") << R"({"db":0,"key":"b","ttl":-1,"type":"string","value":"x)";
  QTest::newRow("behind an element") << R"({"db":0,"key":"b","ttl":-1,"type":"list","value":["x")";
  QTest::newRow("in a name") << R"({"db":0,"ke)";
  QTest::newRow("in a number") << R"({"db":0,"key":"b","ttl":-)";
  QTest::newRow("behind the bracket") << "{";
}

void TstRedisDump::aCutDumpGivesNoRow() {
  QFETCH(QString, end);
  const RedisRead read =
      redisRead(redisLayout(), dumped("a", "string", R"("1")") + end.toStdString());
  QVERIFY2(read.error.rfind("cut off in line 2: ", 0) == 0, read.error.c_str());
  QVERIFY(read.rows.empty());
}

void TstRedisDump::aBrokenArrayIsTold() {
  const std::string one = dumped("a", "list", R"(["1"])");
  for (const std::string& text :
       {"[" + one, "[" + one + one, "[" + one + ",]", "[" + one + "] x", std::string("[{")}) {
    const RedisRead read = redisRead(redisLayout(), text);
    QVERIFY2(!read.error.empty() && read.rows.empty(), text.c_str());
  }
}

void TstRedisDump::elementsThatCannotBeReadAreTold() {
  const std::string large(9u << 20, 'x');
  const RedisRead read =
      redisRead(redisLayout(),
                dumped("z", "zset", R"([["a","many"],["b",2],["c"]])") +
                    dumped("x", "stream", R"([["1-0","text"],["1-1",["f"]],["1-2",["f","v"]]])") +
                    dumped("l", "list", "[\"" + large + "\",\"small\"]"));
  QCOMPARE(read.error, std::string());
  QCOMPARE(read.all("/value"), std::string("! b ! ! ! {\"f\":\"v\"} ! small"));
  QCOMPARE(read.all("/index"), std::string("! 1 ! ! ! 2 ! 1"));
  QVERIFY(read.defects().find("1: a score that is no number|1: an element that is no pair") == 0);
  QVERIFY(read.defects().find("3: an element of more than 8388608 bytes") != std::string::npos);
  // How many there are is known all the same.
  const RedisRead keys =
      redisRead(redisLayout(RedisRows::Keys), dumped("l", "list", "[\"" + large + "\",\"small\"]"));
  QCOMPARE(keys.all("/count"), std::string("2"));
}

void TstRedisDump::aKeyThatComesTwiceIsTold() {
  const std::string text = dumped("dead", "list", R"(["1","2"])") +
                           dumped("dead", "list", R"(["1"])", 1) +
                           dumped("dead", "list", R"(["1"])");
  const RedisRead items = redisRead(redisLayout(), text);
  QCOMPARE(items.all("/value"), std::string("1 2 1 !"));
  QCOMPARE(items.lines(), std::string("1 1 2 3"));
  QCOMPARE(redisRead(redisLayout(RedisRows::Keys), text).all("/count"), std::string("2 1 !"));
  // Of a key that nobody asked for it is no matter.
  QCOMPARE(redisRead(redisLayout(RedisRows::Items, {"retry"}), text).rows.size(), std::size_t(0));
}

void TstRedisDump::onlyKeysThatFitAreGiven() {
  const std::string text =
      dumped("dead", "list", R"(["1"])") + dumped("queue:a", "list", R"(["2"])") +
      dumped("other", "list", R"(["3"])") + dumped("queue:b", "list", R"(["4"])") +
      dumped(R"(dead\u0006\u00163)", "list", R"(["5"])") +
      dumped(R"(dead\u0006\u00164)", "list", R"(["6"])");
  QCOMPARE(redisRead(redisLayout(RedisRows::Items, {"dead", "re:^queue:"}), text).all("/value"),
           std::string("1 2 4 5"));
  QCOMPARE(redisRead(redisLayout(RedisRows::Items, {"none"}), text).rows.size(), std::size_t(0));
  // Whatever is wrong with others' keys once their names are known is no matter either.
  QCOMPARE(redisRead(redisLayout(RedisRows::Items, {"dead"}),
                     text + R"({"db":0,"key":"x","type":"list","value":[1,})"
                            "\n")
               .all("/value"),
           std::string("1 5"));
  const RedisRead read = redisRead(redisLayout(RedisRows::Items, {"dead"}),
                                   text + R"({"db":0,"key":"x","ttl":-1,"type":"list","value":[1,})"
                                          "\n");
  QCOMPARE(read.all("/value"), std::string("1 5"));
}

void TstRedisDump::whatExpiredMeanwhileHasNoRows() {
  const std::string text = dumped("gone", "none", R"("")", 0, -2) +
                           R"({"db":0,"key":"gone2","ttl":-2,"type":"none"})"
                           "\n" +
                           dumped("here", "list", R"(["1"])");
  QCOMPARE(redisRead(redisLayout(), text).all("/key"), std::string("here"));
  const RedisRead keys = redisRead(redisLayout(RedisRows::Keys), text);
  QCOMPARE(keys.all("/type"), std::string("none none list"));
  QCOMPARE(keys.all("/count"), std::string("0 0 1"));
}

void TstRedisDump::hashesAreARowEach() {
  const RedisRead read = redisRead(
      redisLayout(RedisRows::Hashes),
      dumped(
          "bull:mail:7", "hash",
          R"({"name":"send","data":"{\"to\":\"a@b.c\"}","returnvalue":"null","raw":{"base64":"/w=="}})") +
          dumped("bull:mail:wait", "list", R"(["7"])") + dumped("plain", "hash", "{}"));
  QCOMPARE(read.error, std::string());
  QCOMPARE(read.all("/key"), std::string("bull:mail:7 plain"));
  QCOMPARE(read.all("/id"), std::string("7 plain"));
  QCOMPARE(read.all("/name"), std::string("bull:mail "));
  QCOMPARE(read.all("/fields/data/to"), std::string("a@b.c -"));
  QCOMPARE(read.all("/fields/returnvalue"), std::string("null -"));
  QCOMPARE(read.all("/fields/raw"), std::string("{\"base64\":\"/w==\"} -"));
  QCOMPARE(read.all("/fields"), std::string(read.rows[0].json["fields"].dump() + " {}"));
}

void TstRedisDump::aHashThatIsNotWholeIsNoRow() {
  const std::string large(9u << 20, 'x'), half(7u << 20, 'y');
  const RedisRead tooLong = redisRead(redisLayout(RedisRows::Hashes),
                                      dumped("h:1", "hash", R"({"a":")" + large + R"("})"));
  QCOMPARE(tooLong.all("/id"), std::string("!"));
  const std::string fields =
      R"({"a":")" + half + R"(","b":")" + half + R"(","c":")" + half + R"("})";
  const RedisRead tooMany =
      redisRead(redisLayout(RedisRows::Hashes), dumped("h:1", "hash", fields));
  QVERIFY(tooMany.defects().find("too long for one row") != std::string::npos);
  const RedisRead broken =
      redisRead(redisLayout(RedisRows::Hashes), dumped("h:1", "hash", R"({"a":"1","b":tru})"));
  QCOMPARE(broken.all("/id"), std::string("!"));
}

void TstRedisDump::piecesMakeNoDifference() {
  const std::string text = dumped("z", "zset", R"([["m\"\\x",1795954541004.0],["é\u00e9",2]])") +
                           R"({"broken": [}})"
                           "\n" +
                           dumped("h", "hash", R"({"f":"{\"a\": [1, 2]}"})") + "\r\n" +
                           dumped("t", "string", R"("x")");
  const std::string whole = redisRead(redisLayout(), text).text;
  QCOMPARE(redisRead(redisLayout(), text).all("/key"), std::string("z z ! h t"));
  for (std::size_t step = 1; step < 40; ++step)
    QCOMPARE(redisRead(redisLayout(), text, step).text, whole);
}

void TstRedisDump::otherTypesAreGivenAsTheyAre() {
  const RedisRead read = redisRead(redisLayout(), dumped("doc", "ReJSON-RL", R"({"a":[1]})"));
  QCOMPARE(read.all("/type"), std::string("rejson-rl"));
  QCOMPARE(read.all("/value/a"), std::string("[1]"));
}

QTEST_APPLESS_MAIN(TstRedisDump)
#include "tst_redis_dump.moc"
