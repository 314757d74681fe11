// SPDX-License-Identifier: GPL-3.0-or-later
#include <rapidcheck.h>

#include <QtTest>
#include <limits>
#include <tuple>

#include "core/record/record.h"

using namespace counterfoil;

namespace {

// Every field of every kind, for comparison.
auto fieldsOf(const RecordHead& r) {
  return std::tie(r.place, r.key, r.keyText, r.jobId, r.messageId, r.opRef, r.effectId, r.account,
                  r.live, r.operation, r.task, r.queue, r.worker, r.customer, r.fingerprint,
                  r.amount, r.keyDamaged);
}
auto ownOf(const Attempt& r) {
  return std::tie(r.status, r.number, r.start, r.end, r.error);
}
auto ownOf(const Skip& r) {
  return std::tie(r.time, r.reason, r.firstFingerprint, r.firstOpRef);
}
auto ownOf(const Claim& r) {
  return std::tie(r.state, r.claimedAt, r.expiresAt);
}
auto ownOf(const ProcessedEvent& r) {
  return std::tie(r.id, r.processedAt);
}
auto ownOf(const Intent& r) {
  return std::tie(r.id, r.status, r.createdAt, r.dueAt);
}
auto ownOf(const OutboxRow& r) {
  return std::tie(r.id, r.topic, r.createdAt, r.publishedAt, r.publishCount, r.dead);
}
auto ownOf(const Effect& r) {
  return std::tie(r.kind, r.status, r.parentId, r.replaces, r.fee, r.feeMicro, r.feeCurrency, r.created,
                  r.createdSpan, r.effective);
}
auto ownOf(const DeadLetter& r) {
  return std::tie(r.enqueuedAt, r.diedAt, r.receiveCount, r.error, r.deadline, r.sampledAt);
}
auto ownOf(const QueueDepth& r) {
  return std::tie(r.place, r.queue, r.kind, r.part, r.deadLetterQueue, r.depth, r.inFlight, r.offset, r.oldestAge, r.sampledAt);
}

bool same(const AnyRecord& a, const AnyRecord& b) {
  if (a.index() != b.index()) return false;
  const RecordHead* headA = headOf(a);
  const RecordHead* headB = headOf(b);
  if ((headA == nullptr) != (headB == nullptr)) return false;
  if (headA != nullptr && fieldsOf(*headA) != fieldsOf(*headB)) return false;
  return std::visit(
      [&b](const auto& left) {
        return ownOf(left) == ownOf(std::get<std::decay_t<decltype(left)>>(b));
      },
      a);
}

// Made-up values; a third of them are the blank ones that most records have.
bool blank() {
  return *rc::gen::inRange(0, 3) == 0;
}
std::string someText() {
  return blank() ? std::string() : *rc::gen::arbitrary<std::string>();
}
std::int64_t someNumber() {
  return *rc::gen::arbitrary<std::int64_t>();
}
Duration someDuration() {
  return Duration{
      *rc::gen::inRange<std::int64_t>(-300'000'000'000'000'000, 300'000'000'000'000'000)};
}
Instant someInstant() {
  return Instant{someDuration()};
}
std::optional<Instant> maybeInstant() {
  return blank() ? std::nullopt : std::optional(someInstant());
}
std::optional<std::int64_t> maybeNumber() {
  return blank() ? std::nullopt : std::optional(someNumber());
}
template <class E>
E someOf(E last) {
  return static_cast<E>(*rc::gen::inRange(0, static_cast<int>(last) + 1));
}
Place somePlace() {
  return {{*rc::gen::arbitrary<std::uint16_t>()},
          {*rc::gen::arbitrary<std::uint32_t>()},
          *rc::gen::arbitrary<std::uint64_t>(),
          *rc::gen::arbitrary<std::uint32_t>()};
}

void fillHead(RecordHead& r) {
  r.place = somePlace();
  r.key = someText();
  r.keyText = blank() ? r.key : someText();
  for (std::string* text : {&r.jobId, &r.messageId, &r.opRef, &r.effectId, &r.account, &r.task,
                            &r.queue, &r.worker, &r.customer, &r.fingerprint}) {
    *text = someText();
  }
  r.live = someOf(Live::Test);
  r.operation = OperationId{*rc::gen::inRange<std::int16_t>(-1, 300)};
  if (!blank()) r.amount = Money{someNumber(), Currency::parse("KWD").value_or(Currency())};
  r.keyDamaged = blank();
}
void fill(Attempt& r) {
  fillHead(r);
  r = Attempt{
      r, someOf(AttemptStatus::Unknown), maybeNumber(), maybeInstant(), maybeInstant(), someText()};
}
void fill(Skip& r) {
  fillHead(r);
  r = Skip{r, someInstant(), someOf(SkipReason::Unspecified), someText(), someText()};
}
void fill(Claim& r) {
  fillHead(r);
  r = Claim{r, someOf(ClaimState::Failed), maybeInstant(), maybeInstant()};
}
void fill(Intent& r) {
  fillHead(r);
  r = Intent{r, someText(), someOf(IntentStatus::Cancelled), someInstant(), maybeInstant()};
}
void fill(OutboxRow& r) {
  fillHead(r);
  r = OutboxRow{r, someText(), someText(), someInstant(), maybeInstant(), someNumber(), blank()};
}
void fill(ProcessedEvent& r) {
  fillHead(r);
  r = ProcessedEvent{r, someText(), maybeInstant()};
}
void fill(Effect& r) {
  fillHead(r);
  r = Effect{r,
             someOf(EffectKind::Other),
             someOf(EffectStatus::Failed),
             someText(),
             someText(),
             maybeNumber(),
             *rc::gen::arbitrary<std::int32_t>(),
             blank() ? Currency() : *Currency::parse("KES"),
             someInstant(),
             someDuration(),
             maybeInstant()};
}
void fill(DeadLetter& r) {
  fillHead(r);
  r = DeadLetter{r,          maybeInstant(), maybeInstant(), maybeNumber(),
                 someText(), maybeInstant(), maybeInstant()};
}
void fill(QueueDepth& r) {
  r = QueueDepth{somePlace(),   someText(),    someOf(QueueKind::InFlight), someText(), someText(),
                 maybeNumber(), maybeNumber(), maybeNumber(),               {},         maybeInstant()};
  if (!blank()) r.oldestAge = someDuration();
}

template <std::size_t... I>
AnyRecord blankRecord(std::size_t kind, std::index_sequence<I...>) {
  AnyRecord record;
  ((kind == I ? static_cast<void>(record.emplace<I>()) : static_cast<void>(0)), ...);
  return record;
}
AnyRecord blankRecord(std::size_t kind) {
  return blankRecord(kind, std::make_index_sequence<kRecordKindCount>());
}

AnyRecord someRecord() {
  AnyRecord record = blankRecord(*rc::gen::inRange<std::size_t>(0, kRecordKindCount));
  std::visit([](auto& value) { fill(value); }, record);
  return record;
}

std::string bytesOf(const AnyRecord& record) {
  std::string bytes;
  encodeRecord(record, bytes);
  return bytes;
}

}  // namespace

class TstRecord : public QObject {
  Q_OBJECT

 private slots:
  void codes_data() {
    QTest::addColumn<int>("kind");
    QTest::addColumn<QString>("code");
    const char* codes[] = {"attempt",         "skip",   "claim",       "intent",     "outbox",
                           "processed_event", "effect", "dead_letter", "queue_depth"};
    for (std::size_t i = 0; i < kRecordKindCount; ++i)
      QTest::newRow(codes[i]) << int(i) << codes[i];
  }
  void codes() {
    QFETCH(int, kind);
    QFETCH(QString, code);
    const auto value = static_cast<RecordKind>(kind);
    QCOMPARE(QString::fromStdString(std::string(codeOf(value))), code);
    QVERIFY(recordKindFromCode(code.toStdString()) == value);
    QVERIFY(kindOf(blankRecord(static_cast<std::size_t>(kind))) == value);
  }

  void unknownCodesAreNone() {
    QVERIFY(!recordKindFromCode("attempts"));
    QVERIFY(!recordKindFromCode("Attempt"));
    QVERIFY(!recordKindFromCode(""));
  }

  void onlyAQueueDepthHasNoHead() {
    for (std::size_t kind = 0; kind < kRecordKindCount; ++kind) {
      const AnyRecord record = blankRecord(kind);
      QCOMPARE(headOf(record) == nullptr, kindOf(record) == RecordKind::QueueDepth);
    }
  }

  void recordsAreKeptByKind() {
    Records records;
    for (std::size_t kind = 0; kind + 1 < kRecordKindCount; ++kind) {
      for (std::size_t i = 0; i <= kind; ++i) records.add(blankRecord(kind));
    }
    QCOMPARE(records.attempts.size(), 1u);
    QCOMPARE(records.skips.size(), 2u);
    QCOMPARE(records.claims.size(), 3u);
    QCOMPARE(records.intents.size(), 4u);
    QCOMPARE(records.outbox.size(), 5u);
    QCOMPARE(records.processedEvents.size(), 6u);
    QCOMPARE(records.effects.size(), 7u);
    QCOMPARE(records.deadLetters.size(), 8u);
    QCOMPARE(records.size(), 36u);
  }

  void recordsComeBack() {
    QVERIFY(rc::check([] {
      std::string bytes = "before";  // encoding appends
      const AnyRecord first = someRecord();
      const AnyRecord second = someRecord();
      encodeRecord(first, bytes);
      encodeRecord(second, bytes);
      std::string_view rest = std::string_view(bytes).substr(6);
      const auto one = decodeRecord(rest);
      const auto two = decodeRecord(rest);
      RC_ASSERT(one.has_value() && two.has_value());
      RC_ASSERT(same(*one, first));
      RC_ASSERT(same(*two, second));
      RC_ASSERT(rest.empty());
    }));
  }

  void cutOffBytesAreAnError() {
    QVERIFY(rc::check([] {
      const std::string bytes = bytesOf(someRecord());
      const auto size = *rc::gen::inRange<std::size_t>(0, bytes.size());
      const std::string_view cut = std::string_view(bytes).substr(0, size);
      std::string_view rest = cut;
      const auto decoded = decodeRecord(rest);
      RC_ASSERT(!decoded.has_value());
      RC_ASSERT(decoded.error().code == ErrorCode::StoreBroken);
      RC_ASSERT(rest.data() == cut.data() && rest.size() == cut.size());
    }));
  }

  void damagedBytesNeverCrash() {
    QVERIFY(rc::check([] {
      std::string bytes = bytesOf(someRecord());
      for (int i = 0; i < 3; ++i) {
        bytes[*rc::gen::inRange<std::size_t>(0, bytes.size())] = *rc::gen::arbitrary<char>();
      }
      std::string_view rest = bytes;
      const auto decoded = decodeRecord(rest);
      if (decoded) {
        const std::string again = bytesOf(*decoded);
        std::string_view restAgain = again;
        const auto twice = decodeRecord(restAgain);
        RC_ASSERT(twice.has_value() && same(*twice, *decoded));
      }
    }));
  }

  void anyBytesNeverCrash() {
    QVERIFY(rc::check([](std::string bytes) {
      bytes.insert(bytes.begin(), static_cast<char>(*rc::gen::inRange<int>(0, 12)));
      std::string_view rest = bytes;
      const std::size_t before = rest.size();
      const auto decoded = decodeRecord(rest);
      RC_ASSERT(decoded.has_value() == (rest.size() < before));
    }));
  }

  void damage_data() {
    QTest::addColumn<QByteArray>("bytes");
    const QByteArray place(4, '\0');
    const QByteArray noBits = QByteArray(1, '\0') + QByteArray(1, '\1');  // no parts, operation -1
    QTest::newRow("nothing") << QByteArray();
    QTest::newRow("unknown kind") << QByteArray(1, '\x09');
    QTest::newRow("source beyond 16 bits") << QByteArray("\0\xFF\xFF\x7F", 4) + place;
    QTest::newRow("number without an end") << QByteArray(1, '\0') + QByteArray(12, '\xFF');
    QTest::newRow("status that is none")
        << QByteArray(1, '\0') + place + noBits + QByteArray("\x06\0\0\0\0", 5);
    QTest::newRow("presence that is no bit")
        << QByteArray(1, '\0') + place + noBits + QByteArray("\0\x02\0\0\0", 5);
    QTest::newRow("text longer than the bytes")
        << QByteArray(1, '\0') + place + noBits + QByteArray("\0\0\0\0\x7F", 5);
    QTest::newRow("currency that is none") << QByteArray(1, '\0') + place +
                                                  QByteArray("\x80\x20\x01\x02\x05", 5) +
                                                  QByteArray(5, '\0');
  }
  void damage() {
    QFETCH(QByteArray, bytes);
    const std::string owned = bytes.toStdString();
    std::string_view rest = owned;
    const auto decoded = decodeRecord(rest);
    QVERIFY(!decoded.has_value());
    QVERIFY(decoded.error().code == ErrorCode::StoreBroken);
  }

  void aPlainRecordIsSmall() {
    Attempt attempt;
    attempt.key = attempt.keyText = "charge:4471";
    QCOMPARE(bytesOf(AnyRecord(attempt)).size(), std::size_t(1 + 4 + 3 + 1 + 12 + 5));
    QCOMPARE(bytesOf(AnyRecord(Attempt{})).size(), std::size_t(1 + 4 + 1 + 1 + 5));
  }

  void timesBeyondTenThousandYearsAreDamage() {
    Skip skip;
    skip.time = Instant{Duration{std::numeric_limits<std::int64_t>::max()}};
    const std::string bytes = bytesOf(AnyRecord(skip));
    std::string_view rest = bytes;
    QVERIFY(!decodeRecord(rest).has_value());
  }
};

QTEST_APPLESS_MAIN(TstRecord)
#include "tst_record.moc"
