// SPDX-License-Identifier: GPL-3.0-or-later
// What a whole dump says of a key: where jobs are named, how long queues are that have several
// lists or none.
#include <QTest>

#include "tests/importers/redis_rows.h"

using namespace counterfoil;
using namespace counterfoil::testing;

class TstRedisPlaces : public QObject {
  Q_OBJECT
 private slots:
  void hashesAreNamedInListsOfTheirPrefix();
  void idsMayHoldColons();
  void theLongestIdCounts();
  void databasesAreApart();
  void fieldsAreNamedWherever();
  void textsAreNamedByTheEndOfTheirKey();
  void bytesAreNamedToo();
  void payloadsAreNoNames();
  void nobodyAskedForPlaces();
  void aNameInThousandsOfListsIsTold();
  void queuesCountTheirListsByPriority();
  void queuesThatAreNamedAndEmptyAreZero();
  void rqAndNamespaces();
  void whatBelongsToAQueueIsThereOrEmpty();
  void statesOfBullAreEmptyWhereItsMetaIsThere();
  void scoresOfKeys();
  void aHeadIsNotReadForKeysThatItLacks();
  void anIndexIsUsedAgainWhereItFits();
};

void TstRedisPlaces::hashesAreNamedInListsOfTheirPrefix() {
  const std::string text = dumped("bull:pay:1", "hash", R"({"name":"a"})") +
                           dumped("bull:pay:2", "hash", R"({"name":"b"})") +
                           dumped("bull:pay:3", "hash", R"({"name":"c"})") +
                           dumped("bull:pay:failed", "zset", R"([["1",1795954362466]])") +
                           dumped("bull:pay:active", "list", R"(["2","2"])") +
                           dumped("bull:pay:stalled", "set", R"(["2"])") +
                           dumped("bull:other:failed", "zset", R"([["2",5],["3",6]])") +
                           dumped("pay:wait", "list", R"(["3"])");
  const RedisRead read = redisRead(redisLayout(RedisRows::Hashes), text);
  QCOMPARE(read.error, std::string());
  QCOMPARE(read.rows[0].json["places"].dump(),
           std::string(R"([{"key":"bull:pay:failed","name":"failed","score":"1795954362466"}])"));
  QCOMPARE(read.rows[0].json["place"].get<std::string>(), std::string("failed"));
  QCOMPARE(read.rows[1].json["place"].get<std::string>(), std::string("active stalled"));
  QCOMPARE(read.rows[2].json["place"].get<std::string>(), std::string(""));
  QCOMPARE(read.rows[2].json["places"].dump(), std::string("[]"));
}

void TstRedisPlaces::idsMayHoldColons() {
  const std::string text = dumped("bull:invoices:inv:B1", "hash", R"({"data":"{}"})") +
                           dumped("bull:invoices:inv:B2", "hash", R"({"data":"{}"})") +
                           dumped("bull:invoices:completed", "zset", R"([["inv:B1",1]])");
  const RedisRead read = redisRead(redisLayout(RedisRows::Hashes), text);
  QCOMPARE(read.all("/id"), std::string("inv:B1 B2"));
  QCOMPARE(read.all("/name"), std::string("bull:invoices bull:invoices:inv"));
  QCOMPARE(read.all("/place"), std::string("completed "));
}

void TstRedisPlaces::theLongestIdCounts() {
  const std::string text = dumped("q:a:b", "hash", R"({"f":"v"})") +
                           dumped("q:a:wait", "list", R"(["b"])") +
                           dumped("q:failed", "zset", R"([["a:b",1]])");
  QCOMPARE(redisRead(redisLayout(RedisRows::Hashes), text).all("/id"), std::string("a:b"));
  QCOMPARE(redisRead(redisLayout(RedisRows::Hashes), text).all("/place"), std::string("failed"));
}

void TstRedisPlaces::databasesAreApart() {
  const std::string text = dumped("bull:q:1", "hash", R"({"f":"v"})", 0) +
                           dumped("bull:q:failed", "zset", R"([["1",1]])", 8) +
                           dumped("bull:q:1", "hash", R"({"f":"v"})", 8) +
                           dumped("bull:q:completed", "zset", R"([["1",2]])", 0);
  const RedisRead read = redisRead(redisLayout(RedisRows::Hashes), text);
  QCOMPARE(read.all("/db"), std::string("0 8"));
  QCOMPARE(read.all("/place"), std::string("completed failed"));
}

void TstRedisPlaces::fieldsAreNamedWherever() {
  const std::string id = "57632e99-9684-4333-8f23-552cb1b39e54";
  const std::string text =
      dumped("dramatiq:pay.XQ", "zset", "[[\"" + id + "\",1795954541004.0],[\"short\",1]]") +
      dumped("dramatiq:pay.XQ.msgs", "hash", "{\"" + id + "\":\"{}\",\"short\":\"{}\"}") +
      dumped("dramatiq:__acks__.w.pay", "set", "[\"" + id + "\"]");
  const RedisRead read = redisRead(redisLayout(RedisRows::Items, {"dramatiq:pay.XQ.msgs"}), text);
  QCOMPARE(read.all("/place"), std::string("__acks__.w.pay pay.XQ "));
  QCOMPARE(read.rows[0].json["places"][1].dump(),
           std::string(R"({"key":"dramatiq:pay.XQ","name":"pay.XQ","score":"1795954541004"})"));
}

void TstRedisPlaces::textsAreNamedByTheEndOfTheirKey() {
  const std::string id = "0a1aa9aa0bf04ed0a5bc7980c136cf39";
  const std::string text =
      dumped("arq:job:charge:ord_9", "string", R"("{}")") +
      dumped("arq:job:" + id, "string", R"("{}")") +
      dumped("billing:job:" + id, "string", R"("{}")") +
      dumped("x:job:charge:ord_9", "string", R"("{}")") +
      dumped("arq:queue", "zset", R"([["charge:ord_9",1796040935411],[")" + id + R"(",2]])") +
      dumped("charge", "string", R"("1")");
  const RedisRead read = redisRead(redisLayout(RedisRows::Items, {"re:job:", "charge"}), text);
  QCOMPARE(read.all("/place"), std::string("queue queue queue  "));
  QCOMPARE(read.all("/places/0/score"), std::string("1796040935411 2 2 - -"));
}

void TstRedisPlaces::bytesAreNamedToo() {
  // A text that a dump wrote as base64 is the same text.
  const std::string text = dumped("q:failed", "zset", R"([[{"base64":"MTIz"},1]])") +
                           dumped("q:123", "hash", R"({"f":"v"})");
  QCOMPARE(redisRead(redisLayout(RedisRows::Hashes), text).all("/place"), std::string("failed"));
}

void TstRedisPlaces::payloadsAreNoNames() {
  const std::string longId(600, 'a'), fits(512, 'b');
  const std::string text = dumped("q:" + longId, "hash", "{}") + dumped("q:" + fits, "hash", "{}") +
                           dumped("q:wait", "list", "[\"" + longId + "\",\"" + fits + "\"]");
  const RedisRead read = redisRead(redisLayout(RedisRows::Hashes), text);
  QCOMPARE(read.error, std::string());
  QCOMPARE(read.defects(), std::string());
  QCOMPARE(read.all("/place"), std::string(" wait"));
}

void TstRedisPlaces::nobodyAskedForPlaces() {
  RedisLayout layout = redisLayout();
  layout.wantsPlaces = false;
  const RedisRead read =
      redisRead(layout, dumped("a:job:1", "string", R"("x")") + dumped("a:q", "list", R"(["1"])"));
  QCOMPARE(read.all("/place"), std::string("- -"));
  QCOMPARE(read.all("/places"), std::string("- -"));
}

void TstRedisPlaces::aNameInThousandsOfListsIsTold() {
  std::string text = dumped("q:1", "hash", R"({"f":"v"})");
  for (int i = 0; i < 1001; ++i) text += dumped("q:list" + std::to_string(i), "list", R"(["1"])");
  const RedisRead read = redisRead(redisLayout(RedisRows::Hashes), text);
  QCOMPARE(read.rows.size(), std::size_t(1));
  QVERIFY(read.defects().find("more lists and sets than can be told") != std::string::npos);
}

void TstRedisPlaces::queuesCountTheirListsByPriority() {
  const std::string text = dumped(R"(pay\u0006\u00169)", "list", R"(["1"])") +
                           dumped("pay", "list", R"(["2","3"])") +
                           dumped(R"(pay\u0006\u00163)", "list", R"(["4","5","6"])") +
                           dumped(R"(mail\u0006\u00166)", "list", R"(["7"])") +
                           dumped(R"(pay\u0006\u00163)", "list", R"(["8"])", 1);
  const RedisRead read = redisRead(redisLayout(RedisRows::Keys), text);
  QCOMPARE(read.all("/base"), std::string("pay pay pay mail pay mail pay"));
  QCOMPARE(read.all("/count"), std::string("1 2 3 1 1 0 0"));
  QCOMPARE(read.all("/count_all"),
           std::string("- 6 - - - 1 1"));  // also of queues whose plain list is empty
  QCOMPARE(read.all("/db"), std::string("0 0 0 0 1 0 1"));
  QCOMPARE(read.lines(), std::string("1 2 3 4 5 4 5"));
  QCOMPARE(read.all("/named_by"), std::string("- pay\x06\x16"
                                              "9 - - - mail\x06\x16"
                                              "6 pay\x06\x16"
                                              "3"));
}

void TstRedisPlaces::queuesThatAreNamedAndEmptyAreZero() {
  const std::string text =
      dumped("queues", "set", R"(["critical","default"])") +
      dumped("queue:critical", "list", R"(["{}"])") +
      dumped("_kombu.binding.pay", "set", R"(["pay\u0006\u0016\u0006\u0016pay"])", 2) +
      dumped("_kombu.binding.celery", "set", R"(["celery\u0006\u0016\u0006\u0016celery"])", 2) +
      dumped("_kombu.binding.celery.pidbox", "set",
             R"(["\u0006\u0016\u0006\u0016w1@host.celery.pidbox"])", 2) +
      dumped("_kombu.binding.celeryev", "set", R"(["#\u0006\u0016\u0006\u0016celeryev.aa"])", 2) +
      dumped("_kombu.binding.reply.celery.pidbox", "set",
             R"(["x\u0006\u0016\u0006\u0016uuid.reply.celery.pidbox"])", 2) +
      dumped("pay", "list", R"(["1"])", 2) +
      dumped("mine_kombu.binding.k", "set", R"(["k\u0006\u0016\u0006\u0016k"])", 2);
  const RedisRead read =
      redisRead(redisLayout(RedisRows::Keys,
                            {"re:^queue:", "pay", "celery", "re:celeryev", "re:pidbox$", "minek"}),
                text);
  QCOMPARE(read.error, std::string());
  std::string absent;
  for (const RedisRow& row : read.rows) {
    if (row.json["type"] == "none")
      absent += row.json["key"].get<std::string>() + "@" + row.json["db"].dump() + ":" +
                row.json["count"].dump() + ":" + row.json["count_all"].dump() + ":" +
                std::to_string(row.line) + " ";
  }
  std::string by;
  for (const RedisRow& row : read.rows) {
    if (row.json.contains("named_by")) by += row.json["named_by"].get<std::string>() + " ";
  }
  QCOMPARE(by, std::string("queues _kombu.binding.pay queues _kombu.binding.celery "
                           "mine_kombu.binding.k "));
  QCOMPARE(absent, std::string("queue:default@0:0:0:1 celery@2:0:0:4 minek@2:0:0:9 "));
}

void TstRedisPlaces::rqAndNamespaces() {
  const std::string text = dumped("shop:queues", "set", R"(["mail"])") +
                           dumped("rq:queues", "set", R"(["rq:queue:default"])");
  const RedisRead read = redisRead(redisLayout(RedisRows::Keys, {"re:queue:"}), text);
  QCOMPARE(read.all("/key"), std::string("shop:queue:mail rq:queue:default"));
}

void TstRedisPlaces::whatBelongsToAQueueIsThereOrEmpty() {
  const RedisRead sidekiq =
      redisRead(redisLayout(RedisRows::Keys, {"re:^(dead|retry|schedule)$"}),
                dumped("retry", "zset", R"([["{}",1]])") + dumped("queues", "set", R"(["a"])"));
  QCOMPARE(sidekiq.all("/key"), std::string("retry dead schedule"));
  QCOMPARE(sidekiq.all("/count"), std::string("1 0 0"));
  const RedisRead dramatiq = redisRead(
      redisLayout(RedisRows::Keys), dumped("dramatiq:pay", "list", R"(["1"])") +
                                        dumped("jobs:mail.XQ.msgs", "hash", R"({"1":"{}"})") +
                                        dumped("dramatiq:__heartbeats__", "zset", R"([["w",1]])"));
  QCOMPARE(
      dramatiq.all("/key"),
      std::string(
          "dramatiq:pay jobs:mail.XQ.msgs dramatiq:__heartbeats__ dramatiq:pay.DQ dramatiq:pay.XQ "
          "jobs:mail jobs:mail.DQ jobs:mail.XQ"));
  QCOMPARE(
      dramatiq.all("/named_by"),
      std::string("dramatiq:pay - - dramatiq:pay dramatiq:pay jobs:mail.XQ.msgs jobs:mail.XQ.msgs "
                  "jobs:mail.XQ.msgs"));
}

void TstRedisPlaces::statesOfBullAreEmptyWhereItsMetaIsThere() {
  const RedisRead bull = redisRead(
      redisLayout(RedisRows::Keys, {"re:^[^:]+:.+:(wait|active|delayed|prioritized|failed)$"}),
      dumped("bull:pay:meta", "hash", R"({"opts.maxLenEvents":"10000","version":"bullmq:5.1.0"})") +
          dumped("bull:pay:failed", "zset", R"([["1",1]])") +
          dumped("shop:order:meta", "hash", R"({"version":"2","title":"bullmq"})") +
          dumped("bull:old:id", "string", R"("7")") + dumped("meta", "hash", R"({"version":"bullmq:5"})"));
  QCOMPARE(bull.all("/key"), std::string("bull:pay:failed bull:pay:wait bull:pay:active bull:pay:delayed bull:pay:prioritized"));
  QCOMPARE(bull.all("/count"), std::string("1 0 0 0 0"));
}

void TstRedisPlaces::scoresOfKeys() {
  const std::string text =
      dumped("dead", "zset", R"([["a",9],["b",10.5],["c","-inf"],["d",1e3]])") +
      dumped("e", "zset", "[]");
  const RedisRead read = redisRead(redisLayout(RedisRows::Keys), text);
  QCOMPARE(read.all("/first_score"), std::string("-inf -"));
  QCOMPARE(read.all("/last_score"), std::string("1000 -"));
  QCOMPARE(read.all("/count"), std::string("4 0"));
}

void TstRedisPlaces::aHeadIsNotReadForKeysThatItLacks() {
  const std::string text =
      dumped("queues", "set", R"(["mail"])") + dumped("other", "list", R"(["1"])");
  RedisLayout layout = redisLayout(RedisRows::Keys, {"re:^queue:"});
  layout.headOnly = true;
  QCOMPARE(redisRead(layout, text).all("/key"), std::string("queue:mail"));
  layout = redisLayout(RedisRows::Items, {"none such"});
  layout.headOnly = true;
  QCOMPARE(redisRead(layout, text).text, std::string());
  // What is wrong with the rest is told when it is read in earnest.
  QCOMPARE(redisRead(layout, text + "{\"db\":0,").error, std::string());
  layout = redisLayout(RedisRows::Items, {"other"});
  layout.headOnly = true;
  QCOMPARE(redisRead(layout, text + "{\"db\":0,").all("/value"), std::string("1"));
}

void TstRedisPlaces::anIndexIsUsedAgainWhereItFits() {
  const std::string text =
      dumped("q:1", "hash", R"({"f":"v"})") + dumped("q:failed", "zset", R"([["1",1]])");
  int opened = 0;
  const SourceOpener open = [&]() -> Result<std::unique_ptr<ByteSource>> {
    ++opened;
    return std::make_unique<TextInPieces>(text, 100);
  };
  RedisIndex index;
  RedisLayout keys = redisLayout(RedisRows::Keys);
  keys.wantsPlaces = false;
  QVERIFY(transcodeRedis(keys, open, index).has_value());
  QCOMPARE(opened, 2);
  QVERIFY(transcodeRedis(redisLayout(RedisRows::Hashes), open, index)
              .has_value());  // members were not held
  QCOMPARE(opened, 4);
  QVERIFY(transcodeRedis(keys, open, index).has_value());
  QVERIFY(transcodeRedis(redisLayout(RedisRows::Hashes), open, index).has_value());
  QCOMPARE(opened, 6);
}

QTEST_APPLESS_MAIN(TstRedisPlaces)
#include "tst_redis_places.moc"
