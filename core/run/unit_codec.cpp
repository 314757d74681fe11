// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/unit_codec.h"

#include <cstring>

namespace counterfoil {

namespace {

class Encoder {
 public:
  explicit Encoder(std::string& out) : m_out(out) {}

  template <class T>
  void number(T value) {
    char bytes[sizeof value];
    std::memcpy(bytes, &value, sizeof value);
    m_out.append(bytes, sizeof value);
  }
  void text(std::string_view value) {
    number(static_cast<std::uint32_t>(value.size()));
    m_out.append(value);
  }
  void texts(const std::vector<std::string>& values) {
    number(static_cast<std::uint32_t>(values.size()));
    for (const std::string& value : values) text(value);
  }
  template <class Enum>
  void enums(const std::vector<Enum>& values) {
    number(static_cast<std::uint32_t>(values.size()));
    for (Enum value : values) number(value);
  }
  void money(const Money& value) {
    number(value.minor);
    number(value.currency.packed());
  }
  void money(const std::optional<Money>& value) {
    number(value.has_value());
    if (value) money(*value);
  }
  void instant(const std::optional<Instant>& value) {
    number(value.has_value());
    if (value) number(value->time_since_epoch().count());
  }
  template <class Record>
  void records(const std::vector<Record>& values) {
    number(static_cast<std::uint32_t>(values.size()));
    for (const Record& value : values) encodeRecord(AnyRecord(value), m_out);
  }

 private:
  std::string& m_out;
};

class Decoder {
 public:
  explicit Decoder(std::string_view bytes) : m_bytes(bytes) {}

  template <class T>
  T number() {
    T value{};
    if (m_bytes.size() < sizeof value) {
      m_failed = true;
      return value;
    }
    std::memcpy(&value, m_bytes.data(), sizeof value);
    m_bytes.remove_prefix(sizeof value);
    return value;
  }
  /// Not number<bool>(): damaged bytes hold more than 0 and 1, and such a bool may not even be read.
  bool flag() { return number<std::uint8_t>() != 0; }
  std::size_t count() {
    const auto value = number<std::uint32_t>();
    if (value > m_bytes.size()) m_failed = true;  // everything takes a byte at least
    return m_failed ? 0 : value;
  }
  std::string text() {
    const std::size_t size = count();
    std::string value(m_bytes.substr(0, size));
    m_bytes.remove_prefix(size);
    return value;
  }
  std::vector<std::string> texts() {
    std::vector<std::string> values(count());
    for (std::string& value : values) value = text();
    return values;
  }
  template <class Enum>
  std::vector<Enum> enums() {
    std::vector<Enum> values(count());
    for (Enum& value : values) value = number<Enum>();
    return values;
  }
  Money money() {
    Money value;
    value.minor = number<std::int64_t>();
    value.currency = Currency::fromPacked(number<std::uint16_t>());
    return value;
  }
  std::optional<Money> maybeMoney() {
    if (!flag()) return std::nullopt;
    return money();
  }
  std::optional<Instant> instant() {
    if (!flag()) return std::nullopt;
    return Instant(Duration(number<std::int64_t>()));
  }
  void record(Records& to) {
    if (m_failed) return;
    auto value = decodeRecord(m_bytes);
    if (!value) {
      m_failed = true;
      return;
    }
    to.add(std::move(*value));
  }
  [[nodiscard]] bool isDone() const { return !m_failed && m_bytes.empty(); }
  [[nodiscard]] bool hasFailed() const { return m_failed; }

 private:
  std::string_view m_bytes;
  bool m_failed = false;
};

void encodeRecords(Encoder& out, const Records& records) {
  out.records(records.attempts);
  out.records(records.skips);
  out.records(records.claims);
  out.records(records.intents);
  out.records(records.outbox);
  out.records(records.processedEvents);
  out.records(records.effects);
  out.records(records.deadLetters);
}

void decodeRecords(Decoder& in, Records& records) {
  constexpr int kKinds = 8;
  for (int kind = 0; kind < kKinds; ++kind) {
    const std::size_t count = in.count();
    for (std::size_t i = 0; i < count && !in.hasFailed(); ++i) in.record(records);
  }
}

void encodeVerdicts(Encoder& out, const Unit& unit) {
  out.number(static_cast<std::uint32_t>(unit.skipVerdicts.size()));
  for (const JudgedSkip& skip : unit.skipVerdicts) {
    out.number(skip.verdict);
    out.text(skip.reason);
    out.money(skip.saved);
  }
  out.number(static_cast<std::uint32_t>(unit.deadLetterVerdicts.size()));
  for (const JudgedDeadLetter& letter : unit.deadLetterVerdicts) {
    out.number(letter.verdict);
    out.text(letter.reason);
    out.instant(letter.deadline);
  }
}

void decodeVerdicts(Decoder& in, Unit& unit) {
  unit.skipVerdicts.resize(in.count());
  for (JudgedSkip& skip : unit.skipVerdicts) {
    skip.verdict = in.number<SkipVerdict>();
    skip.reason = in.text();
    skip.saved = in.maybeMoney();
  }
  unit.deadLetterVerdicts.resize(in.count());
  for (JudgedDeadLetter& letter : unit.deadLetterVerdicts) {
    letter.verdict = in.number<RedriveVerdict>();
    letter.reason = in.text();
    letter.deadline = in.instant();
  }
}

/// Bytes that end before they are a prefix of longer ones: 0 becomes 0 255, the end is 0 0.
void appendSortable(std::string& out, std::string_view text) {
  for (char c : text) {
    out.push_back(c);
    if (c == '\0') out.push_back('\xFF');
  }
  out.append(2, '\0');
}

}  // namespace

void encodeUnit(const Unit& unit, std::string& out) {
  Encoder to(out);
  to.text(unit.id);
  to.text(unit.key);
  to.texts(unit.keys);
  to.text(unit.scope);
  to.number(unit.operation.value);
  to.text(unit.operationName);
  to.text(unit.opRef);
  to.text(unit.mark);
  to.number(unit.unitClass);
  to.number(unit.why);
  to.enums(unit.hints);
  to.enums(unit.flags);
  to.number(unit.severity);
  to.number(static_cast<std::uint32_t>(unit.exposure.size()));
  for (const Money& money : unit.exposure) to.money(money);
  to.text(unit.reason);
  to.number(unit.local);
  to.money(unit.expectedAmount);
  to.instant(unit.due);
  to.instant(unit.firstSeen);
  to.texts(unit.candidates);
  to.number(static_cast<std::uint64_t>(unit.moreCandidates));
  encodeVerdicts(to, unit);
  encodeRecords(to, unit.records);
}

Result<Unit> decodeUnit(std::string_view bytes) {
  Decoder in(bytes);
  Unit unit;
  unit.id = in.text();
  unit.key = in.text();
  unit.keys = in.texts();
  unit.scope = in.text();
  unit.operation = OperationId{in.number<std::int16_t>()};
  unit.operationName = in.text();
  unit.opRef = in.text();
  unit.mark = in.text();
  unit.unitClass = in.number<Class>();
  unit.why = in.number<Why>();
  unit.hints = in.enums<Hint>();
  unit.flags = in.enums<Flag>();
  unit.severity = in.number<Severity>();
  unit.exposure.resize(in.count());
  for (Money& money : unit.exposure) money = in.money();
  unit.reason = in.text();
  unit.local = in.number<LocalSummary>();
  unit.expectedAmount = in.maybeMoney();
  unit.due = in.instant();
  unit.firstSeen = in.instant();
  unit.candidates = in.texts();
  unit.moreCandidates = static_cast<std::size_t>(in.number<std::uint64_t>());
  decodeVerdicts(in, unit);
  decodeRecords(in, unit.records);
  if (!in.isDone()) return fail(ErrorCode::Internal, "a unit in a temporary file is damaged; run again");
  return unit;
}

std::string sortKeyOf(const Unit& unit) {
  std::string key;
  key.push_back(static_cast<char>(unit.unitClass));
  appendSortable(key, unit.key);
  appendSortable(key, unit.scope);
  // Big-endian with the sign turned, so that none (-1) comes first.
  const auto operation = static_cast<std::uint16_t>(static_cast<std::uint16_t>(unit.operation.value) ^ 0x8000u);
  key.push_back(static_cast<char>(operation >> 8));
  key.push_back(static_cast<char>(operation & 0xFF));
  appendSortable(key, unit.id);
  return key;
}

}  // namespace counterfoil
