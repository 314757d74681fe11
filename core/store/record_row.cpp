// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/record_row.h"

#include <limits>

#include "core/base/require.h"
#include "core/store/packing.h"

namespace counterfoil {
namespace {

class RowWriter {
 public:
  explicit RowWriter(std::string& out) : m_out(out) {}

  void key(const std::string& key, const std::string& keyText) {
    text(Field::Key, key);
    if (keyText != key) put(Field::KeyText, keyText);
  }
  void text(Field field, const std::string& value) {
    if (!value.empty()) put(field, value);
  }
  template <class Integer>
  void number(Field field, const Integer& value) {
    if (value != Integer{}) put(field, static_cast<std::int64_t>(value));
  }
  template <class Enum>
  void choice(Field field, const Enum& value, Enum) { number(field, static_cast<std::int64_t>(value)); }
  void instant(Field field, const Instant& value) { number(field, value.time_since_epoch().count()); }
  void duration(Field field, const Duration& value) { number(field, value.count()); }
  void maybe(Field field, const std::optional<std::int64_t>& value) {
    if (value) put(field, *value);
  }
  void maybe(Field field, const std::optional<Instant>& value) {
    if (value) put(field, value->time_since_epoch().count());
  }
  void currency(Field field, const Currency& value) { number(field, value.packed()); }
  void operation(const OperationId& operation) { number(Field::Operation, operation.value + 1); }
  void amount(const std::optional<Money>& amount) {
    if (!amount) return;
    put(Field::AmountMinor, amount->minor);
    put(Field::Currency, amount->currency.packed());
  }

 private:
  void put(Field field, std::int64_t value) {
    m_out.push_back(static_cast<char>(field));
    putVarint(m_out, zigzag(value));
  }
  void put(Field field, std::string_view value) {
    m_out.push_back(static_cast<char>(field));
    putText(m_out, value);
  }
  std::string& m_out;
};

/// Fills a record from values; failed() when one is out of its range.
class RowFiller {
 public:
  explicit RowFiller(const RowValues& values) : m_values(values) {}
  [[nodiscard]] bool failed() const { return m_failed; }

  void key(std::string& key, std::string& keyText) {
    text(Field::Key, key);
    const auto written = m_values.text(Field::KeyText);
    keyText = written ? std::string(*written) : key;
  }
  void text(Field field, std::string& value) { value.assign(m_values.text(field).value_or(std::string_view())); }
  template <class Integer>
  void number(Field field, Integer& value) {
    const std::int64_t wide = at(field).value_or(0);
    if constexpr (std::is_same_v<Integer, std::uint64_t>) {
      value = static_cast<std::uint64_t>(wide);
    } else {
      if (wide < static_cast<std::int64_t>(std::numeric_limits<Integer>::min()) ||
          wide > static_cast<std::int64_t>(std::numeric_limits<Integer>::max())) {
        m_failed = true;
      }
      value = m_failed ? Integer{} : static_cast<Integer>(wide);
    }
  }
  template <class Enum>
  void choice(Field field, Enum& value, Enum last) {
    const std::int64_t wide = at(field).value_or(0);
    if (wide < 0 || wide > static_cast<std::int64_t>(last)) m_failed = true;
    value = m_failed ? Enum{} : static_cast<Enum>(wide);
  }
  void instant(Field field, Instant& value) { value = Instant(Duration(micros(at(field).value_or(0)))); }
  void duration(Field field, Duration& value) { value = Duration(micros(at(field).value_or(0))); }
  void maybe(Field field, std::optional<std::int64_t>& value) { value = at(field); }
  void maybe(Field field, std::optional<Instant>& value) {
    value.reset();
    if (const auto wide = at(field)) value = Instant(Duration(micros(*wide)));
  }
  void operation(OperationId& operation) {
    std::int16_t index = 0;
    number(Field::Operation, index);
    operation.value = static_cast<std::int16_t>(index - 1);
  }
  void amount(std::optional<Money>& amount) {
    amount.reset();
    const auto minor = at(Field::AmountMinor);
    if (!minor) return;
    Currency known;
    currency(Field::Currency, known);
    amount = Money{*minor, known};
  }
  void currency(Field field, Currency& value) {
    std::uint16_t packed = 0;
    number(field, packed);
    value = Currency::fromPacked(packed);
    if (packed != 0 && Currency::parse(value.text()) != value) m_failed = true;
  }

 private:
  [[nodiscard]] std::optional<std::int64_t> at(Field field) const {
    return m_values.numbers[static_cast<std::size_t>(field)];
  }
  /// Years beyond 11900 (or before our era) come only from damage, and would overflow in sums.
  std::int64_t micros(std::int64_t value) {
    constexpr std::int64_t kMost = 315'537'897'600'000'000;
    if (value < -kMost || value > kMost) m_failed = true;
    return m_failed ? 0 : value;
  }
  const RowValues& m_values;
  bool m_failed = false;
};

template <class Record>
void append(RecordKind kind, const Record& record, std::string& out) {
  out.push_back(static_cast<char>(kind));
  RowWriter writer(out);
  visitFields(writer, record);
}

template <class Record>
Result<AnyRecord> fill(const RowValues& values) {
  Record record;
  RowFiller filler(values);
  visitFields(filler, record);
  if (filler.failed()) return fail(ErrorCode::StoreBroken, "a stored record holds an impossible value");
  return AnyRecord(std::move(record));
}

template <class Record>
void pack(const std::vector<Record>& records, std::string& row, std::string& out) {
  for (const Record& record : records) {
    row.clear();
    appendRow(record, row);
    putText(out, row);
  }
}

}  // namespace

void appendRow(const Attempt& record, std::string& out) { append(RecordKind::Attempt, record, out); }
void appendRow(const Skip& record, std::string& out) { append(RecordKind::Skip, record, out); }
void appendRow(const Claim& record, std::string& out) { append(RecordKind::Claim, record, out); }
void appendRow(const Intent& record, std::string& out) { append(RecordKind::Intent, record, out); }
void appendRow(const OutboxRow& record, std::string& out) { append(RecordKind::Outbox, record, out); }
void appendRow(const ProcessedEvent& record, std::string& out) { append(RecordKind::ProcessedEvent, record, out); }
void appendRow(const Effect& record, std::string& out) { append(RecordKind::Effect, record, out); }
void appendRow(const DeadLetter& record, std::string& out) { append(RecordKind::DeadLetter, record, out); }

void appendRow(const AnyRecord& record, std::string& out) {
  std::visit(
      [&](const auto& value) {
        if constexpr (std::is_same_v<std::remove_cvref_t<decltype(value)>, QueueDepth>) {
          require(false, "a queue depth is no record of a block");
        } else {
          appendRow(value, out);
        }
      },
      record);
}

std::optional<RowValues> readRow(std::string_view row) {
  RowValues values;
  if (row.empty() || static_cast<std::uint8_t>(row[0]) >= static_cast<std::uint8_t>(RecordKind::QueueDepth)) return {};
  values.kind = static_cast<RecordKind>(row[0]);
  row.remove_prefix(1);
  while (!row.empty()) {
    const auto field = static_cast<std::uint8_t>(row[0]);
    row.remove_prefix(1);
    if (field >= kFieldLimit) return {};
    if (isText(static_cast<Field>(field))) {
      const auto text = takeText(row);
      if (!text) return {};
      values.set(static_cast<Field>(field), *text);
    } else {
      const auto number = takeVarint(row);
      if (!number) return {};
      values.set(static_cast<Field>(field), unzigzag(*number));
    }
  }
  return values;
}

Result<AnyRecord> recordOf(const RowValues& values) {
  switch (values.kind) {
    case RecordKind::Attempt: return fill<Attempt>(values);
    case RecordKind::Skip: return fill<Skip>(values);
    case RecordKind::Claim: return fill<Claim>(values);
    case RecordKind::Intent: return fill<Intent>(values);
    case RecordKind::Outbox: return fill<OutboxRow>(values);
    case RecordKind::ProcessedEvent: return fill<ProcessedEvent>(values);
    case RecordKind::Effect: return fill<Effect>(values);
    case RecordKind::DeadLetter: return fill<DeadLetter>(values);
    case RecordKind::QueueDepth: break;
  }
  return fail(ErrorCode::StoreBroken, "a stored record is of an unknown kind");
}

std::string packRecords(const Records& records) {
  std::string out, row;
  pack(records.attempts, row, out);
  pack(records.skips, row, out);
  pack(records.claims, row, out);
  pack(records.intents, row, out);
  pack(records.outbox, row, out);
  pack(records.processedEvents, row, out);
  pack(records.effects, row, out);
  pack(records.deadLetters, row, out);
  return out;
}

Result<Records> unpackRecords(std::string_view bytes) {
  Records records;
  while (!bytes.empty()) {
    const auto row = takeText(bytes);
    const auto values = row ? readRow(*row) : std::nullopt;
    if (!values) return fail(ErrorCode::StoreBroken, "the stored records of a unit do not read");
    auto record = recordOf(*values);
    if (!record) return fail(record.error());
    records.add(std::move(*record));
  }
  return records;
}

}  // namespace counterfoil
