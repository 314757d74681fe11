// SPDX-License-Identifier: GPL-3.0-or-later
// The bytes of a record: one byte for the kind, then its fields in the order of `fields()` below.
// Numbers are base-128 varints (signed ones zigzag), texts a length and bytes, optional values a
// presence byte. A head begins with a bit set that says which of its parts are there at all,
// because most are blank. One list of fields serves both directions, so they cannot disagree.
#include <array>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "core/record/record.h"

namespace counterfoil {

namespace {

constexpr std::uint64_t kTextBytesMax = 16u << 20;            // the bound of one field of a file
constexpr std::int64_t kMicrosMax = 315'537'897'600'000'000;  // ten thousand years

std::uint64_t zigzag(std::int64_t value) {
  return (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63);
}

std::int64_t unzigzag(std::uint64_t value) {
  return static_cast<std::int64_t>(value >> 1) ^ -static_cast<std::int64_t>(value & 1);
}

class Writer {
 public:
  explicit Writer(std::string& out) : m_out(out) {}

  void number(std::uint64_t value) {
    while (value >= 0x80) {
      m_out.push_back(static_cast<char>(value | 0x80));
      value >>= 7;
    }
    m_out.push_back(static_cast<char>(value));
  }
  template <class T>
  void natural(const T& value) {
    number(value);
  }
  template <class T>
  void integer(const T& value) {
    number(zigzag(value));
  }
  void micros(const std::int64_t& value) { integer(value); }
  void flag(const bool& value) { m_out.push_back(value ? 1 : 0); }
  void text(const std::string& value) {
    number(value.size());
    m_out.append(value);
  }
  template <class E>
  void choice(const E& value, E /*last*/) {
    m_out.push_back(static_cast<char>(value));
  }
  void currency(const Currency& value) { number(value.packed()); }
  void instant(const Instant& value) { integer(value.time_since_epoch().count()); }
  void duration(const Duration& value) { integer(value.count()); }

  template <class T, class Each>
  void optional(const std::optional<T>& value, Each each) {
    flag(value.has_value());
    if (value) each(*value);
  }

 private:
  std::string& m_out;
};

/// Reads what Writer wrote. After a fault every further read gives zero values; look at failed().
class Reader {
 public:
  explicit Reader(std::string_view bytes) : m_rest(bytes) {}
  [[nodiscard]] bool failed() const { return m_failed; }
  [[nodiscard]] std::string_view rest() const { return m_rest; }
  void fault() { m_failed = true; }

  std::uint64_t number(std::uint64_t most = ~std::uint64_t{0}) {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64 && !m_rest.empty(); shift += 7) {
      const auto byte = static_cast<std::uint8_t>(m_rest.front());
      m_rest.remove_prefix(1);
      const std::uint64_t bits = byte & 0x7Fu;
      if (shift == 63 && bits > 1) break;
      value |= bits << shift;
      if (byte < 0x80) return within(value, most);
    }
    m_failed = true;
    return 0;
  }
  std::uint8_t byte(std::uint8_t most) {
    if (m_failed || m_rest.empty()) {
      m_failed = true;
      return 0;
    }
    const auto value = static_cast<std::uint8_t>(m_rest.front());
    m_rest.remove_prefix(1);
    return static_cast<std::uint8_t>(within(value, most));
  }

  template <class T>
  void natural(T& value) {
    value = static_cast<T>(number(std::numeric_limits<T>::max()));
  }
  template <class T>
  void integer(T& value) {
    const std::int64_t wide = unzigzag(number());
    if (wide < std::numeric_limits<T>::min() || wide > std::numeric_limits<T>::max())
      m_failed = true;
    value = m_failed ? T{} : static_cast<T>(wide);
  }
  void micros(std::int64_t& value) {
    integer(value);
    if (value < -kMicrosMax || value > kMicrosMax) m_failed = true;
  }
  void flag(bool& value) { value = byte(1) != 0; }
  void text(std::string& value) {
    const std::uint64_t size = number(kTextBytesMax);
    if (m_failed || size > m_rest.size()) {
      m_failed = true;
      return;
    }
    value.assign(m_rest.substr(0, size));
    m_rest.remove_prefix(size);
  }
  template <class E>
  void choice(E& value, E last) {
    value = static_cast<E>(byte(static_cast<std::uint8_t>(last)));
  }
  void currency(Currency& value) {
    value = Currency::fromPacked(static_cast<std::uint16_t>(number(0xFFFF)));
    if (!value.isNone() && Currency::parse(value.text()) != value) m_failed = true;
  }
  void instant(Instant& value) {
    std::int64_t count = 0;
    micros(count);
    value = Instant{Duration{count}};
  }
  void duration(Duration& value) {
    std::int64_t count = 0;
    micros(count);
    value = Duration{count};
  }
  template <class T, class Each>
  void optional(std::optional<T>& value, Each each) {
    bool there = false;
    flag(there);
    value.reset();
    if (there && !m_failed) each(value.emplace());
  }

 private:
  std::uint64_t within(std::uint64_t value, std::uint64_t most) {
    if (m_failed || value > most) m_failed = true;
    return m_failed ? 0 : value;
  }

  std::string_view m_rest;
  bool m_failed = false;
};

template <class Codec, class T>
void instantOf(Codec& codec, T& value) {
  codec.optional(value, [&](auto& at) { codec.instant(at); });
}
template <class Codec, class T>
void integerOf(Codec& codec, T& value) {
  codec.optional(value, [&](auto& number) { codec.integer(number); });
}
template <class Codec, class T>
void money(Codec& codec, T& value) {
  codec.integer(value.minor);
  codec.currency(value.currency);
}
template <class Codec, class T>
void place(Codec& codec, T& value) {
  codec.natural(value.source.value);
  codec.natural(value.file.value);
  codec.natural(value.offset);
  codec.natural(value.part);
}

// Bits of a head: texts in the order of headTexts(), then the rest.
constexpr std::size_t kHeadTexts = 12;
constexpr unsigned kAmountBit = kHeadTexts;
constexpr unsigned kDamagedBit = kHeadTexts + 1;
constexpr unsigned kSameKeyTextBit = kHeadTexts + 2;  // keyText is key: not written twice
constexpr unsigned kLiveShift = kHeadTexts + 3;
constexpr std::uint64_t kHeadBitsMax =
    (std::uint64_t{3} << kLiveShift) - 1;  // Live has three values

template <class Head>
auto headTexts(Head& head) {
  return std::array{&head.key,   &head.keyText,  &head.jobId,    &head.messageId,
                    &head.opRef, &head.effectId, &head.account,  &head.task,
                    &head.queue, &head.worker,   &head.customer, &head.fingerprint};
}

void head(Writer& codec, const RecordHead& value) {
  const auto texts = headTexts(value);
  static_assert(std::tuple_size_v<decltype(texts)> == kHeadTexts);
  std::uint64_t bits = static_cast<std::uint64_t>(value.live) << kLiveShift;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (!texts[i]->empty()) bits |= std::uint64_t{1} << i;
  }
  const bool sameKeyText = !value.key.empty() && value.keyText == value.key;
  if (sameKeyText) {
    bits &= ~std::uint64_t{2};
    bits |= std::uint64_t{1} << kSameKeyTextBit;
  }
  if (value.amount) bits |= std::uint64_t{1} << kAmountBit;
  if (value.keyDamaged) bits |= std::uint64_t{1} << kDamagedBit;
  place(codec, value.place);
  codec.number(bits);
  codec.integer(value.operation.value);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if ((bits >> i & 1) != 0) codec.text(*texts[i]);
  }
  if (value.amount) money(codec, *value.amount);
}

void head(Reader& codec, RecordHead& value) {
  place(codec, value.place);
  const std::uint64_t bits = codec.number(kHeadBitsMax);
  codec.integer(value.operation.value);
  const auto texts = headTexts(value);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if ((bits >> i & 1) != 0) codec.text(*texts[i]);
  }
  if ((bits >> kSameKeyTextBit & 1) != 0) {
    if (value.key.empty() || !value.keyText.empty()) codec.fault();
    value.keyText = value.key;
  }
  if ((bits >> kAmountBit & 1) != 0) money(codec, value.amount.emplace());
  value.keyDamaged = (bits >> kDamagedBit & 1) != 0;
  value.live = static_cast<Live>(bits >> kLiveShift);
}

/// A record of kind R, const for the writer.
template <class T, class R>
concept Is = std::is_same_v<std::remove_const_t<T>, R>;

// The fields of each kind after the head.

template <class Codec>
void fields(Codec& codec, Is<Attempt> auto& value) {
  codec.choice(value.status, AttemptStatus::Unknown);
  integerOf(codec, value.number);
  instantOf(codec, value.start);
  instantOf(codec, value.end);
  codec.text(value.error);
}

template <class Codec>
void fields(Codec& codec, Is<Skip> auto& value) {
  codec.instant(value.time);
  codec.choice(value.reason, SkipReason::Unspecified);
  codec.text(value.firstFingerprint);
  codec.text(value.firstOpRef);
}

template <class Codec>
void fields(Codec& codec, Is<Claim> auto& value) {
  codec.choice(value.state, ClaimState::Failed);
  instantOf(codec, value.claimedAt);
  instantOf(codec, value.expiresAt);
}

template <class Codec>
void fields(Codec& codec, Is<Intent> auto& value) {
  codec.text(value.id);
  codec.choice(value.status, IntentStatus::Cancelled);
  codec.instant(value.createdAt);
  instantOf(codec, value.dueAt);
}

template <class Codec>
void fields(Codec& codec, Is<OutboxRow> auto& value) {
  codec.text(value.id);
  codec.text(value.topic);
  codec.instant(value.createdAt);
  instantOf(codec, value.publishedAt);
  codec.integer(value.publishCount);
  codec.flag(value.dead);
}

template <class Codec>
void fields(Codec& codec, Is<ProcessedEvent> auto& value) {
  codec.text(value.id);
  instantOf(codec, value.processedAt);
}

template <class Codec>
void fields(Codec& codec, Is<Effect> auto& value) {
  codec.choice(value.kind, EffectKind::Other);
  codec.choice(value.status, EffectStatus::Failed);
  codec.text(value.parentId);
  codec.text(value.replaces);
  integerOf(codec, value.fee);
  codec.integer(value.feeMicro);
  codec.currency(value.feeCurrency);
  codec.instant(value.created);
  codec.duration(value.createdSpan);
  instantOf(codec, value.effective);
}

template <class Codec>
void fields(Codec& codec, Is<DeadLetter> auto& value) {
  instantOf(codec, value.enqueuedAt);
  instantOf(codec, value.diedAt);
  integerOf(codec, value.receiveCount);
  codec.text(value.error);
  instantOf(codec, value.deadline);
  instantOf(codec, value.sampledAt);
}

template <class Codec>
void fields(Codec& codec, Is<QueueDepth> auto& value) {
  codec.text(value.queue);
  codec.choice(value.kind, QueueKind::InFlight);
  codec.text(value.part);
  codec.text(value.deadLetterQueue);
  integerOf(codec, value.depth);
  integerOf(codec, value.inFlight);
  integerOf(codec, value.offset);
  codec.optional(value.oldestAge, [&](auto& age) { codec.duration(age); });
  instantOf(codec, value.sampledAt);
}

template <class Codec, class T>
void whole(Codec& codec, T& value) {
  if constexpr (std::is_base_of_v<RecordHead, T>) {
    head(codec, value);
  } else {
    place(codec, value.place);
  }
  fields(codec, value);
}

/// Makes `record` a default one of the alternative with this index.
template <std::size_t... I>
void makeBlank(AnyRecord& record, std::size_t kind, std::index_sequence<I...>) {
  ((kind == I ? static_cast<void>(record.emplace<I>()) : static_cast<void>(0)), ...);
}

}  // namespace

void encodeRecord(const AnyRecord& record, std::string& out) {
  out.push_back(static_cast<char>(record.index()));
  Writer writer(out);
  std::visit([&writer](const auto& value) { whole(writer, value); }, record);
}

Result<AnyRecord> decodeRecord(std::string_view& bytes) {
  Reader reader(bytes);
  const std::size_t kind = reader.byte(kRecordKindCount - 1);
  Result<AnyRecord> record;  // filled in place: moving a record costs as much as reading it
  makeBlank(*record, kind, std::make_index_sequence<kRecordKindCount>());
  std::visit([&reader](auto& value) { whole(reader, value); }, *record);
  if (reader.failed()) {
    record = fail(ErrorCode::StoreBroken, "a stored record is damaged: its bytes do not decode");
  } else {
    bytes = reader.rest();
  }
  return record;
}

}  // namespace counterfoil
