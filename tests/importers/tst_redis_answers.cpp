// SPDX-License-Identifier: GPL-3.0-or-later
// Redis keys from elsewhere: JSON of rdb-tools, answers of redis-cli.
#include <QTest>

#include "tests/importers/redis_rows.h"

using namespace counterfoil;
using namespace counterfoil::testing;

namespace {

RedisRead rdb(const std::string& text, RedisRows rows = RedisRows::Items, std::size_t step = 4096) {
  RedisLayout layout = redisLayout(rows);
  layout.form = RedisForm::RdbJson;
  return redisRead(layout, text, step);
}

/// As an answer whose form and type are found.
RedisRead answer(const std::string& text, const std::string& type = "",
                 RedisRows rows = RedisRows::Items) {
  RedisLayout layout = redisLayout(rows);
  layout.key = "the:key";
  layout.type = type;
  const SourceOpener open = [&]() -> Result<std::unique_ptr<ByteSource>> {
    return std::make_unique<TextInPieces>(text, 7);
  };
  const Result<RedisForm> form = cliFormOf(open);
  if (!form) return {"", form.error().message, {}};
  layout.form = *form;
  return redisRead(layout, text, 7);
}

}  // namespace

class TstRedisAnswers : public QObject {
  Q_OBJECT
 private slots:
  void databasesOfRdbTools();
  void typesThatRdbToolsDoesNotTell();
  void whatRdbToolsWritesThatIsNoJson();
  void brokenJsonOfRdbTools_data();
  void brokenJsonOfRdbTools();
  void formsAreFoundByContent_data();
  void formsAreFoundByContent();
  void jsonOfRedisCli_data();
  void jsonOfRedisCli();
  void linesOfRedisCli_data();
  void linesOfRedisCli();
  void linesThatDoNotTellWhatTheyAre_data();
  void linesThatDoNotTellWhatTheyAre();
  void typesThatAreSaid();
  void numbersOfElements();
  void brokenAnswers_data();
  void brokenAnswers();
  void elementsOfAnswersNameTheirLine();
};

void TstRedisAnswers::databasesOfRdbTools() {
  const std::string text =
      "[{\r\n\"bull:q:1\":{\"data\":\"{\\\"a\\\":1}\",\"ats\":1},\r\n\"bull:q:failed\":{\"1\":"
      "1795954362466.0},\r\n"
      "\"bull:q:wait\":[2,\"x\"]},{\r\n\"t\":\"text\",\r\n\"n\":5}]";
  const RedisRead read = rdb(text);
  QCOMPARE(read.error, std::string());
  QCOMPARE(read.all("/db"), std::string("0 0 0 0 0 1 1"));
  QCOMPARE(read.all("/type"), std::string("hash hash zset list list string string"));
  QCOMPARE(read.all("/value"), std::string("{\"a\":1} 1 1 2 x text 5"));
  QCOMPARE(read.all("/score"), std::string("- - 1795954362466 - - - -"));
  QCOMPARE(read.lines(), std::string("2 2 3 4 4 5 6"));
  QCOMPARE(read.all("/ttl"), std::string("- - - - - - -"));
  QCOMPARE(rdb(text, RedisRows::Hashes).all("/place"), std::string("failed"));
  for (std::size_t step = 1; step < 30; ++step)
    QCOMPARE(rdb(text, RedisRows::Items, step).text, read.text);
  QCOMPARE(rdb("[]").error, std::string());
  QCOMPARE(rdb("[{},{\"a\":\"b\"}]").all("/db"), std::string("1"));
}

void TstRedisAnswers::typesThatRdbToolsDoesNotTell() {
  const std::string text =
      R"([{"h":{"a":1,"b":"x"},"z":{"a":1,"b":2},"h2":{"b":"x","a":1},"e":{},"k:1":{"n":7,"m":"7"}}])";
  const RedisRead read = rdb(text);
  QCOMPARE(read.all("/type"), std::string("hash hash zset zset hash hash hash hash"));
  QCOMPARE(read.all("/field"), std::string("a b - - b a n m"));
  QCOMPARE(rdb(text, RedisRows::Keys).all("/type"), std::string("hash zset hash hash hash"));
  QCOMPARE(rdb(text, RedisRows::Hashes).all("/fields"),
           std::string(R"({"a":"1","b":"x"} {"a":"1","b":"x"} {} {"m":"7","n":"7"})"));
  RedisLayout layout = redisLayout(RedisRows::Keys);
  layout.form = RedisForm::RdbJson;
  layout.wantsPlaces = false;
  QCOMPARE(redisRead(layout, text).all("/type"), std::string("hash zset hash hash hash"));
}

void TstRedisAnswers::whatRdbToolsWritesThatIsNoJson() {
  const RedisRead read =
      rdb(R"([{"bull:q:completed":{53:1795954372916.0,"54":-Infinity,55:Infinity},"h":{7:"x"}}])");
  QCOMPARE(read.error, std::string());
  QCOMPARE(read.all("/value"), std::string("53 54 55 x"));
  QCOMPARE(read.all("/score"), std::string("1795954372916 -inf inf -"));
}

void TstRedisAnswers::brokenJsonOfRdbTools_data() {
  QTest::addColumn<QString>("text");
  QTest::newRow("cut off in a text") << R"([{"a":"b)";
  QTest::newRow("cut off behind a value") << R"([{"a":"b")";
  QTest::newRow("cut off behind a database") << R"([{"a":"b"})";
  QTest::newRow("more behind it") << R"([{"a":"b"}] x)";
  QTest::newRow("a list in place of a database") << R"([["a"]])";
  QTest::newRow("a text that is none") << R"([{"a":"\q"}])";
  QTest::newRow("no colon") << R"([{"a" "b"}])";
  QTest::newRow("empty") << "";
}

void TstRedisAnswers::brokenJsonOfRdbTools() {
  QFETCH(QString, text);
  const RedisRead read = rdb(text.toStdString());
  QVERIFY(!read.error.empty());
}

void TstRedisAnswers::formsAreFoundByContent_data() {
  QTest::addColumn<QString>("head");
  QTest::addColumn<int>("form");
  const int none = -1, lines = static_cast<int>(RedisForm::DumpLines),
            rdbJson = static_cast<int>(RedisForm::RdbJson);
  QTest::newRow("a line") << R"({"db":0,"key":"a","ttl":-1,"type":"list","value":["x"],"size":1})"
                          << lines;
  QTest::newRow("a value that goes on")
      << R"({"db":0,"key":"a","ttl":-1,"type":"list","value":["x)" << lines;
  QTest::newRow("printed over lines")
      << "{\n  \"db\": 0, \"key\": \"a\",\n \"type\": \"hash\", \"value\": {" << lines;
  QTest::newRow("in an array") << R"([ {"key":"a","ttl":-1,"type":"zset","value":[]})" << lines;
  QTest::newRow("sorted members")
      << R"({"db":1,"key":"a","size":5,"ttl":1,"type":"string","value":"x"})" << lines;
  QTest::newRow("rdb-tools") << "[{\r\n\"a:b\":\"c\"}]" << rdbJson;
  QTest::newRow("rdb-tools, printed again")
      << "[\n  {\n    \"x\": {\"a\": 1},\n    \"bull:q:1\": {" << rdbJson;
  QTest::newRow("a dictionary's words") << R"({"key":"a","type":"list","value":["x"]})" << none;
  QTest::newRow("another type") << R"({"db":0,"key":"a","ttl":-1,"type":"card","value":"x"})"
                                << none;
  QTest::newRow("rows of somebody's") << R"([{"id":"ch_1","amount":100},{"id":"ch_2"}])" << none;
  QTest::newRow("rows with broken lines") << "[{\r\n\"id\":\"ch_1\",\r\n\"amount\":100}]" << none;
  QTest::newRow("an object") << R"({"queue:a":1})" << none;
  QTest::newRow("text") << "db,key\n" << none;
  QTest::newRow("nothing") << "" << none;
}

void TstRedisAnswers::formsAreFoundByContent() {
  QFETCH(QString, head);
  QFETCH(int, form);
  const std::optional<RedisForm> found = redisFormOf(head.toStdString());
  QCOMPARE(found ? static_cast<int>(*found) : -1, form);
}

void TstRedisAnswers::jsonOfRedisCli_data() {
  QTest::addColumn<QString>("text");
  QTest::addColumn<QString>("types");
  QTest::addColumn<QString>("values");
  QTest::newRow("hgetall") << R"({"f":"{\"a\":1}","g":"x"})"
                              "\n"
                           << "hash hash"
                           << R"({"a":1} x)";
  QTest::newRow("hgetall of numbers") << R"({"f":"1"})"
                                      << "hash"
                                      << "1";
  QTest::newRow("zrange with scores") << R"([["m",1795954362466],["n",2.5]])"
                                      << "zset zset"
                                      << "m n";
  QTest::newRow("lrange") << R"(["a","{\"b\":[2]}"])"
                          << "list list"
                          << R"(a {"b":[2]})";
  QTest::newRow("xrange") << R"([["1-0",["event","added","jobId","7"]]])"
                          << "stream"
                          << R"({"event":"added","jobId":"7"})";
  QTest::newRow("get") << R"("text")"
                       << "string"
                       << "text";
  QTest::newRow("over several lines") << "{\n \"f\": \"x\"\n}\n"
                                      << "hash"
                                      << "x";
  QTest::newRow("nothing in it") << "[]\n"
                                 << ""
                                 << "";
}

void TstRedisAnswers::jsonOfRedisCli() {
  QFETCH(QString, text);
  QFETCH(QString, types);
  QFETCH(QString, values);
  const RedisRead read = answer(text.toStdString());
  QCOMPARE(read.error, std::string());
  QCOMPARE(read.all("/type"), types.toStdString());
  QCOMPARE(read.all("/value"), values.toStdString());
  for (const RedisRow& row : read.rows)
    QCOMPARE(row.json["key"].get<std::string>(), std::string("the:key"));
}

void TstRedisAnswers::linesOfRedisCli_data() {
  QTest::addColumn<QString>("text");
  QTest::addColumn<QString>("type");
  QTest::addColumn<QString>("values");
  QTest::newRow("hgetall") << "ats\n2\ndata\n{\"a\":1}\nempty\n\n"
                           << "hash"
                           << "2 {\"a\":1} ";
  QTest::newRow("a blank line more") << "ats\n2\ndata\n{\"a\":1}\n\n"
                                     << "hash"
                                     << "2 {\"a\":1}";
  QTest::newRow("zrange with scores") << "{\"jid\":\"a\"}\n1795954250.5\n{\"jid\":\"b\"}\n2\n"
                                      << "zset"
                                      << "{\"jid\":\"a\"} {\"jid\":\"b\"}";
  QTest::newRow("lrange") << "{\"jid\":\"a\"}\n{\"jid\":\"b\"}\n{\"jid\":\"c\"}\n"
                          << "list"
                          << "{\"jid\":\"a\"} {\"jid\":\"b\"} {\"jid\":\"c\"}";
  QTest::newRow("an even number of them") << "{\"jid\":\"a\"}\n[\"b\"]\n"
                                          << "list"
                                          << "{\"jid\":\"a\"} [\"b\"]";
  QTest::newRow("numbered") << "1) \"data\"\n2) \"{\\\"a\\\":\\\"x\\\\ny\\\"}\"\n"
                            << "hash"
                            << "{\"a\":\"x\\ny\"}";
  QTest::newRow("numbered with scores") << " 1) \"{\\\"a\\\":1}\"\n 2) \"5\"\n"
                                        << "zset"
                                        << "{\"a\":1}";
  QTest::newRow("fields and values in a line") << "1# \"a\" => \"b\"\n2# \"c\" => (integer) 3\n"
                                               << "hash"
                                               << "b 3";
  QTest::newRow("bytes") << "1) \"data\"\n2) \"\\xff\\x00\"\n3) \"x\"\n4) \"[]\"\n"
                         << "hash"
                         << "- []";
  QTest::newRow("nothing") << "(empty array)\n"
                           << ""
                           << "";
  QTest::newRow("no such key") << "(nil)\n"
                               << ""
                               << "";
}

void TstRedisAnswers::linesOfRedisCli() {
  QFETCH(QString, text);
  QFETCH(QString, type);
  QFETCH(QString, values);
  const RedisRead read = answer(text.toStdString());
  QCOMPARE(read.error, std::string());
  QCOMPARE(read.all("/value"), values.toStdString());
  for (const RedisRow& row : read.rows)
    QCOMPARE(row.json["type"].get<std::string>(), type.toStdString());
}

void TstRedisAnswers::linesThatDoNotTellWhatTheyAre_data() {
  QTest::addColumn<QString>("text");
  QTest::addColumn<QString>("reason");
  QTest::newRow("one line") << "7\n"
                            << "one line may be a value or a number of elements";
  QTest::newRow("ids") << "a\nb\nc\nd\n"
                       << "may be fields and their values";
  QTest::newRow("members and scores, or fields and numbers") << "a\n1\nb\n2\n"
                                                             << "may be fields and their values";
  QTest::newRow("a value of several lines") << "f\n{\"a\":\n1}\n"
                                            << "an odd number of lines";
  QTest::newRow("a field twice") << "f\n{}\nf\n{}\n"
                                 << "may be fields and their values";
}

void TstRedisAnswers::linesThatDoNotTellWhatTheyAre() {
  QFETCH(QString, text);
  QFETCH(QString, reason);
  const RedisRead read = answer(text.toStdString());
  QVERIFY2(read.error.find(reason.toStdString()) != std::string::npos, read.error.c_str());
  QVERIFY(read.error.find("say what it is with \"type\" in the layout") != std::string::npos);
}

void TstRedisAnswers::typesThatAreSaid() {
  QCOMPARE(answer("a\nb\nc\n", "list").all("/value"), std::string("a b c"));
  QCOMPARE(answer("a\nb\n", "set").all("/type"), std::string("set set"));
  QCOMPARE(answer("a\n1\nb\n2\n", "zset").all("/score"), std::string("1 2"));
  QCOMPARE(answer("a\n1\n", "hash").all("/field"), std::string("a"));
  QCOMPARE(answer("two\nlines\n", "string").all("/value"), std::string("two\nlines"));
  QCOMPARE(answer(R"(["a","1","b","2"])", "zset").all("/score"), std::string("1 2"));
  QCOMPARE(answer(R"(["f","v"])", "hash").all("/field"), std::string("f"));
  QCOMPARE(answer("x\ny\n", "zset").error, std::string("line 2: a score that is no number"));
}

void TstRedisAnswers::numbersOfElements() {
  QCOMPARE(answer("7\n", "count", RedisRows::Keys).all("/count"), std::string("7"));
  QCOMPARE(answer("(integer) 7\n", "", RedisRows::Keys).all("/count"), std::string("7"));
  QCOMPARE(answer("(integer) 7\n", "", RedisRows::Keys).all("/type"), std::string("count"));
  QCOMPARE(answer("many\n", "count", RedisRows::Keys).defects(),
           std::string("1: no number of elements"));
  QCOMPARE(answer("(empty array)\n", "", RedisRows::Keys).all("/count"), std::string("0"));
  QCOMPARE(answer(R"([["m",1],["n",2]])", "", RedisRows::Keys).all("/count"), std::string("2"));
}

void TstRedisAnswers::brokenAnswers_data() {
  QTest::addColumn<QString>("text");
  QTest::addColumn<QString>("reason");
  QTest::newRow("cut off JSON") << R"({"f":"x)"
                                << "the text ends in the middle of a value";
  QTest::newRow("cut off list") << R"(["a",)"
                                << "the text ends in the middle of a value";
  QTest::newRow("an error") << "(error) NOAUTH Authentication required.\n"
                            << "redis-cli answered with an error";
  QTest::newRow("the wrong type")
      << "WRONGTYPE Operation against a key holding the wrong kind of value\n"
      << "redis-cli answered with an error";
  QTest::newRow("an answer in an answer") << "1) 1) \"1-0\"\n   2) 1) \"f\"\n"
                                          << "an answer inside of an answer";
  QTest::newRow("a text that is not closed") << "1) \"a\n"
                                             << "a value that is not closed";
  QTest::newRow("no number") << "1) \"a\"\nb\n"
                             << "not numbered as the lines before it";
  QTest::newRow("more behind it") << "1) \"a\" b\n2) \"c\"\n"
                                  << "more behind a value";
}

void TstRedisAnswers::brokenAnswers() {
  QFETCH(QString, text);
  QFETCH(QString, reason);
  const RedisRead read = answer(text.toStdString());
  QVERIFY2(read.error.find(reason.toStdString()) != std::string::npos, read.error.c_str());
}

void TstRedisAnswers::elementsOfAnswersNameTheirLine() {
  QCOMPARE(answer("ats\n2\ndata\n{\"a\":1}\n").lines(), std::string("1 3"));
  QCOMPARE(answer("[\n\"a\",\n\"b\"\n]\n").lines(), std::string("2 3"));
}

QTEST_APPLESS_MAIN(TstRedisAnswers)
#include "tst_redis_answers.moc"
