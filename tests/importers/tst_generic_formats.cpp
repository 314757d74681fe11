// SPDX-License-Identifier: GPL-3.0-or-later
// The generic formats: which names and words they know without being told.
#include "importers/mapping/named_formats.h"
#include "tests/importers/plan_fixture.h"

using namespace counterfoil;
using counterfoil::testing::mappingOf;
using counterfoil::testing::PlanUnderTest;

namespace {

std::shared_ptr<const MappingSpec> generic(const char* name) {
  auto format = namedFormat(name);
  if (!format) qFatal("%s", format.error().message.c_str());
  return format->front();
}

std::vector<std::string> split(const QByteArray& line) {
  std::vector<std::string> parts;
  for (const QByteArray& part : line.split(',')) parts.push_back(part.toStdString());
  return parts;
}

}  // namespace

class TstGenericFormats : public QObject {
  Q_OBJECT

 private slots:
  void thereIsOneForEveryKindOfRecord() {
    const std::pair<const char*, RecordKind> formats[] = {
        {"generic.attempts", RecordKind::Attempt},
        {"generic.skips", RecordKind::Skip},
        {"generic.claims", RecordKind::Claim},
        {"generic.intents", RecordKind::Intent},
        {"generic.outbox", RecordKind::Outbox},
        {"generic.processed_events", RecordKind::ProcessedEvent},
        {"generic.effects", RecordKind::Effect},
        {"generic.dead_letters", RecordKind::DeadLetter},
        {"generic.queue_depths", RecordKind::QueueDepth}};
    for (const auto& [name, kind] : formats) QCOMPARE(generic(name)->record(), kind);
  }

  void attemptsOfTheCases() {
    PlanUnderTest plan(
        generic("generic.attempts"),
        split("job_id,message_id,idempotency_key,queue,task,worker,attempt,status,amount,currency,"
              "started_at,finished_at,customer"));
    QCOMPARE(
        plan.text(split("ap-301,m-1,autopay-inv-301,autopay,charge_invoice,w1,2,done,48.00,USD,"
                        "2026-04-07T02:00:04Z,2026-04-07T02:00:06Z,cus_1")),
        RowFate::Recorded);
    const auto& attempt = plan.record<Attempt>();
    QCOMPARE(attempt.jobId, std::string("ap-301"));
    QCOMPARE(attempt.messageId, std::string("m-1"));
    QCOMPARE(attempt.key, std::string("autopay-inv-301"));
    QCOMPARE(attempt.queue, std::string("autopay"));
    QCOMPARE(attempt.task, std::string("charge_invoice"));
    QCOMPARE(attempt.worker, std::string("w1"));
    QVERIFY(attempt.number == std::optional<std::int64_t>(2));
    QCOMPARE(attempt.status, AttemptStatus::Succeeded);
    QVERIFY(attempt.amount == std::optional(Money{4800, *Currency::parse("USD")}));
    QCOMPARE(formatInstant(*attempt.start), std::string("2026-04-07T02:00:04Z"));
    QCOMPARE(formatInstant(*attempt.end), std::string("2026-04-07T02:00:06Z"));
    QCOMPARE(attempt.customer, std::string("cus_1"));
  }

  void attemptsOfTheBenchmark() {
    PlanUnderTest plan(
        generic("generic.attempts"),
        split("job_id,idempotency_key,queue,task,worker,attempt,status,amount_minor,currency,"
              "started_at,finished_at"));
    QCOMPARE(
        plan.text(split("j,k,q,t,w,1,failed,1250,EUR,2026-03-14T02:00:04Z,2026-03-14T02:00:06Z")),
        RowFate::Recorded);
    QCOMPARE(plan.record<Attempt>().amount->minor, std::int64_t(1250));
    QCOMPARE(plan.record<Attempt>().status, AttemptStatus::FailedFinal);
  }

  void effectsOfTheCases() {
    PlanUnderTest plan(generic("generic.effects"),
                       split("txn_id,created_utc,type,status,amount,currency,Key,replaces"));
    QCOMPARE(plan.text(split("q02,2026-03-31 09:00:01,charge,pending,55.00,usd,pen-2,q01")),
             RowFate::Recorded);
    const auto& effect = plan.record<Effect>();
    QCOMPARE(effect.effectId, std::string("q02"));
    QCOMPARE(effect.kind, EffectKind::Forward);
    QCOMPARE(effect.status, EffectStatus::Pending);
    QCOMPARE(effect.key, std::string("pen-2"));
    QCOMPARE(effect.replaces, std::string("q01"));
    QCOMPARE(effect.amount->minor, std::int64_t(5500));
    QCOMPARE(formatInstant(effect.created), std::string("2026-03-31T09:00:01Z"));
    QCOMPARE(plan.text(split("q03,2026-03-31 09:00:01,refund,succeeded,5.00,usd,k,")),
             RowFate::Recorded);
    QCOMPARE(plan.record<Effect>().kind, EffectKind::Reversal);
    QCOMPARE(plan.record<Effect>().status, EffectStatus::Live);
    QCOMPARE(plan.text(split("txn_id,created_utc,type,status,amount,currency,Key,replaces")),
             RowFate::NoRecord);
  }

  void effectsOfTheBenchmark() {
    PlanUnderTest plan(
        mappingOf(R"({"extends": "generic.effects", "fields": {
                         "amount": {"column": "amount", "unit": "minor"}, "fee": {"column": "fee", "unit": "minor"}}})"),
        split("id,idempotency_key,type,status,amount,currency,fee,created,customer,description"));
    QCOMPARE(
        plan.text(split("ch_1,k,charge,succeeded,1250,eur,59,2026-03-14T02:00:05Z,cus_1,Order 1")),
        RowFate::Recorded);
    QCOMPARE(plan.record<Effect>().amount->minor, std::int64_t(1250));
    QVERIFY(plan.record<Effect>().fee == std::optional<std::int64_t>(59));
  }

  void effectsWithoutTypeAndStatus() {
    PlanUnderTest plan(generic("generic.effects"), split("id,created,amount,currency"));
    QCOMPARE(plan.text(split("1,2026-03-31T09:00:01Z,5,USD")), RowFate::Recorded);
    QCOMPARE(plan.record<Effect>().kind, EffectKind::Forward);
    QCOMPARE(plan.record<Effect>().status, EffectStatus::Live);
  }

  void unknownStatusOfAnEffect() {
    PlanUnderTest plan(generic("generic.effects"), split("id,created,status"));
    QCOMPARE(plan.text(split("1,2026-03-31T09:00:01Z,sideways")), RowFate::Quarantined);
    QCOMPARE(plan.fault().rule, std::string("unknown_status"));
    QCOMPARE(plan.text(split("1,2026-03-31T09:00:01Z,")), RowFate::Quarantined);
  }

  void timesNamedUtcDoNotFollowTheZone() {
    PlanOptions options;
    options.defaultZone = "America/Vancouver";
    PlanUnderTest named(generic("generic.effects"), split("id,Created (UTC)"), options);
    named.text(split("1,2026-05-14 10:00:00"));
    QCOMPARE(formatInstant(named.record<Effect>().created), std::string("2026-05-14T10:00:00Z"));
    PlanUnderTest plain(generic("generic.effects"), split("id,created"), options);
    plain.text(split("1,2026-05-14 10:00:00"));
    QCOMPARE(formatInstant(plain.record<Effect>().created), std::string("2026-05-14T17:00:00Z"));
  }

  void dateAndTimeInTwoColumns() {
    PlanUnderTest two(generic("generic.effects"), split("id,Date,Time"));
    two.text(split("1,2026-05-14,10:00:05"));
    QCOMPARE(formatInstant(two.record<Effect>().created), std::string("2026-05-14T10:00:05Z"));
    two.text(split("1,2026-05-14,"));
    QVERIFY(two.slim().dayOnly);
    PlanUnderTest one(generic("generic.effects"), split("id,Date"));
    one.text(split("1,2026-05-14"));
    QVERIFY(one.slim().dayOnly);
  }

  void spellingsOfTheKey_data() {
    QTest::addColumn<QByteArray>("column");
    for (const char* name : {"idempotency_key", "Idempotency-Key", "idempotencyKey",
                             "IDEMPOTENCY_KEY", "Idempotency Key", "key", "Key", "dedup_key"}) {
      QTest::newRow(name) << QByteArray(name);
    }
  }
  void spellingsOfTheKey() {
    QFETCH(QByteArray, column);
    PlanUnderTest plan(generic("generic.effects"), {"id", "created", column.toStdString()});
    plan.text(split("1,2026-03-31T09:00:01Z,k-1"));
    QCOMPARE(plan.record<Effect>().key, std::string("k-1"));
  }

  void spellingsInJson_data() {
    QTest::addColumn<QByteArray>("member");
    for (const char* name :
         {"idempotency_key", "Idempotency-Key", "idempotencyKey", "IdempotencyKey",
          "idempotency-key", "key", "Key", "metadata.idempotency_key"}) {
      QTest::newRow(name) << QByteArray(name);
    }
  }
  void spellingsInJson() {
    QFETCH(QByteArray, member);
    PlanUnderTest plan(generic("generic.effects"), {});
    const auto fate = plan.row({{"createdAt", {FieldType::Text, "2026-03-31T09:00:01Z"}},
                                {member.toStdString(), {FieldType::Text, "k-1"}},
                                {"amount", {FieldType::Number, "19.98"}},
                                {"currency", {FieldType::Text, "usd"}}});
    QCOMPARE(fate, RowFate::Recorded);
    QCOMPARE(plan.record<Effect>().key, std::string("k-1"));
    QCOMPARE(plan.record<Effect>().amount->minor, std::int64_t(1998));
    QVERIFY(plan.plan().columns().size() < 4096);
  }

  void claims() {
    PlanUnderTest plan(generic("generic.claims"), split("key,claimed_at,expires_at"));
    QCOMPARE(plan.text(split("k,2026-03-31T09:00:01Z,2026-04-01T09:00:01Z")), RowFate::Recorded);
    QCOMPARE(plan.record<Claim>().state, ClaimState::Completed);
    QCOMPARE(formatInstant(*plan.record<Claim>().expiresAt), std::string("2026-04-01T09:00:01Z"));
    PlanUnderTest states(generic("generic.claims"), split("idempotency_key,status"));
    states.text(split("k,processing"));
    QCOMPARE(states.record<Claim>().state, ClaimState::InProgress);
    states.text(split("k,201"));
    QCOMPARE(states.record<Claim>().state, ClaimState::Completed);
    states.text(split("k,402"));
    QCOMPARE(states.record<Claim>().state, ClaimState::Failed);
    QCOMPARE(states.text(split("k,ride_created")), RowFate::Quarantined);
    QCOMPARE(states.fault().rule, std::string("unknown_state"));
  }

  void outboxRows() {
    PlanUnderTest plan(generic("generic.outbox"),
                       split("id,topic,status,idempotency_key,created_at,published_at"));
    plan.text(split("1,order.paid,PUBLISHED,k,2026-11-28 21:00:00.123,2026-11-28 21:00:01"));
    QCOMPARE(plan.record<OutboxRow>().topic, std::string("order.paid"));
    QCOMPARE(formatInstant(*plan.record<OutboxRow>().publishedAt),
             std::string("2026-11-28T21:00:01Z"));
    QCOMPARE(plan.record<OutboxRow>().publishCount, std::int64_t(1));
    plan.text(split("2,order.paid,PENDING,k,2026-11-28 21:00:00,"));
    QVERIFY(!plan.record<OutboxRow>().publishedAt.has_value());
    QCOMPARE(plan.record<OutboxRow>().publishCount, std::int64_t(0));
    QVERIFY(!plan.record<OutboxRow>().dead);
    plan.text(split("3,order.paid,FAILED,k,2026-11-28 21:00:00,"));
    QVERIFY(plan.record<OutboxRow>().dead);
    plan.text(split("4,order.paid,sent,k,2026-11-28 21:00:00,"));
    QCOMPARE(formatInstant(*plan.record<OutboxRow>().publishedAt),
             std::string("2026-11-28T21:00:00Z"));
  }

  void intents() {
    PlanUnderTest plan(generic("generic.intents"),
                       split("id,order_id,amount,currency,status,created_at,due_date"));
    QCOMPARE(plan.text(split("9,o-1,12.50,EUR,paid,2026-03-31T09:00:01Z,2026-04-02")),
             RowFate::Recorded);
    QCOMPARE(plan.record<Intent>().id, std::string("9"));
    QCOMPARE(plan.record<Intent>().opRef, std::string("o-1"));
    QCOMPARE(plan.record<Intent>().status, IntentStatus::Done);
    QVERIFY(plan.record<Intent>().dueAt.has_value());
    QCOMPARE(plan.text(split("9,o-1,12.50,EUR,canceled,2026-03-31T09:00:01Z,")), RowFate::Recorded);
    QCOMPARE(plan.record<Intent>().status, IntentStatus::Cancelled);
    QCOMPARE(plan.text(split("9,o-1,12.50,EUR,odd,2026-03-31T09:00:01Z,")), RowFate::Quarantined);
  }

  void skips() {
    PlanUnderTest plan(generic("generic.skips"),
                       split("timestamp,key,worker,reason,amount,currency,order_id"));
    QCOMPARE(plan.text(split("2026-03-31T09:00:01Z,k,w1,lock held,5,EUR,o-1")), RowFate::Recorded);
    QCOMPARE(plan.record<Skip>().reason, SkipReason::InProgress);
    QCOMPARE(plan.record<Skip>().opRef, std::string("o-1"));
    plan.text(split("2026-03-31T09:00:01Z,k,w1,because,5,EUR,"));
    QCOMPARE(plan.record<Skip>().reason, SkipReason::Unspecified);
  }

  void processedEvents() {
    PlanUnderTest plan(generic("generic.processed_events"),
                       split("event_id,consumer,processed_at"));
    QCOMPARE(plan.text(split("evt_1,billing,2026-03-31T09:00:01Z")), RowFate::Recorded);
    QCOMPARE(plan.record<ProcessedEvent>().id, std::string("evt_1"));
    QCOMPARE(plan.record<ProcessedEvent>().worker, std::string("billing"));
  }

  void deadLetters() {
    PlanOptions options;
    options.documentValues = {{"/as_of", "2026-09-15T06:00:00Z"}};
    PlanUnderTest plan(generic("generic.dead_letters"), {}, options);
    QCOMPARE(plan.row({{"messageId", {FieldType::Text, "d-01"}},
                       {"sentTimestamp", {FieldType::Number, "1788000000000"}},
                       {"approximateReceiveCount", {FieldType::Text, "3"}},
                       {"error", {FieldType::Text, "declined"}}}),
             RowFate::Recorded);
    const auto& letter = plan.record<DeadLetter>();
    QCOMPARE(letter.messageId, std::string("d-01"));
    QVERIFY(letter.receiveCount == std::optional<std::int64_t>(3));
    QVERIFY(letter.enqueuedAt.has_value());
    QCOMPARE(formatInstant(*letter.sampledAt), std::string("2026-09-15T06:00:00Z"));
  }

  void everyFormatHasItsPage() {
    for (const std::string& name : formatNames()) {
      const QString path = QString::fromUtf8(TEST_SOURCE_DIR) + "/resources/docs/formats/" +
                           QString::fromStdString(name) + ".md";
      QVERIFY2(QFile::exists(path), qPrintable(path));
    }
  }
};

QTEST_APPLESS_MAIN(TstGenericFormats)
#include "tst_generic_formats.moc"
