// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/record_block.h"

#include <zstd.h>

#include <algorithm>
#include <cstring>
#include <deque>

#include "core/base/require.h"
#include "core/store/packing.h"

namespace counterfoil {
namespace {

constexpr int kCompressionLevel = 1;
constexpr std::size_t kMostRows = 1u << 20;
constexpr std::size_t kMostUnpackedBytes = 256u << 20;
constexpr std::size_t kPadding = 8;  // NumberColumn loads 8 bytes at a time

/// The values of one field of one kind, as they are collected.
struct Collected {
  std::vector<std::uint32_t> rows;  ///< of the kind
  std::vector<std::int64_t> numbers;
  std::vector<std::string_view> texts;
  void clear() {
    rows.clear();
    numbers.clear();
    texts.clear();
  }
};

using CollectedKind = std::array<Collected, kFieldLimit>;

void putBits(std::string& out, std::size_t count, std::span<const std::uint32_t> set) {
  const std::size_t start = out.size();
  out.append((count + 7) / 8, '\0');
  for (const std::uint32_t bit : set) {
    out[start + bit / 8] = static_cast<char>(static_cast<std::uint8_t>(out[start + bit / 8]) | 1u << (bit % 8));
  }
}

bool bitAt(std::string_view bits, std::size_t index) {
  return (static_cast<std::uint8_t>(bits[index / 8]) >> (index % 8) & 1u) != 0;
}

std::optional<std::string_view> takeBits(std::string_view& bytes, std::size_t count) {
  const std::size_t size = (count + 7) / 8;
  if (size > bytes.size()) return {};
  const std::string_view bits = bytes.substr(0, size);
  bytes.remove_prefix(size);
  return bits;
}

tl::unexpected<Error> broken() {
  return fail(ErrorCode::StoreBroken, "a block of records is damaged; restore the store from a backup");
}

}  // namespace

struct RecordBlockWriter::Impl {
  std::array<CollectedKind, kRecordKindCount> kinds;
  std::array<std::uint32_t, kRecordKindCount> kindRows{};
  std::vector<std::string_view> keys;       ///< different ones
  std::vector<std::uint32_t> keyStarts;     ///< rows whose key differs from the row before
  std::string plain, packed;
  ZSTD_CCtx* context = ZSTD_createCCtx();

  Impl() {
    require(context != nullptr, "no memory for a compressor");
    ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, kCompressionLevel);
    ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
  }
  ~Impl() { ZSTD_freeCCtx(context); }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  void clear() {
    for (CollectedKind& kind : kinds) {
      for (Collected& column : kind) column.clear();
    }
    kindRows.fill(0);
    keys.clear();
    keyStarts.clear();
    plain.clear();
  }
  void collect(std::uint32_t index, std::string_view row);
  void putKind(std::size_t kind);
};

void RecordBlockWriter::Impl::collect(std::uint32_t index, std::string_view row) {
  const auto kind = static_cast<std::uint8_t>(row[0]);
  require(kind < static_cast<std::uint8_t>(RecordKind::QueueDepth), "a row of an unknown kind");
  const std::uint32_t rowOfKind = kindRows[kind]++;
  plain.push_back(static_cast<char>(kind));
  row.remove_prefix(1);
  std::string_view key;
  while (!row.empty()) {
    const auto field = static_cast<Field>(row[0]);
    row.remove_prefix(1);
    if (field == Field::Key) {
      key = takeText(row).value_or(std::string_view());
      continue;
    }
    Collected& column = kinds[kind][static_cast<std::size_t>(field)];
    column.rows.push_back(rowOfKind);
    if (isText(field)) {
      column.texts.push_back(takeText(row).value_or(std::string_view()));
    } else {
      column.numbers.push_back(unzigzag(takeVarint(row).value_or(0)));
    }
  }
  if (!keys.empty() && keys.back() == key) return;
  keys.push_back(key);
  keyStarts.push_back(index);
}

void RecordBlockWriter::Impl::putKind(std::size_t kind) {
  for (std::size_t field = 0; field < kFieldLimit; ++field) {
    const Collected& column = kinds[kind][field];
    if (column.rows.empty()) continue;
    plain.push_back(static_cast<char>(field));
    const bool everyRow = column.rows.size() == kindRows[kind];
    plain.push_back(everyRow ? 1 : 0);
    if (!everyRow) putBits(plain, kindRows[kind], column.rows);
    if (isText(static_cast<Field>(field))) {
      putTexts(plain, column.texts);
    } else {
      putNumbers(plain, column.numbers);
    }
  }
  plain.push_back(0);
}

RecordBlockWriter::RecordBlockWriter() : m_impl(std::make_unique<Impl>()) {}
RecordBlockWriter::~RecordBlockWriter() = default;
RecordBlockWriter::RecordBlockWriter(RecordBlockWriter&&) noexcept = default;

Result<std::string_view> RecordBlockWriter::encode(std::span<const std::string_view> rows) {
  Impl& my = *m_impl;
  require(!rows.empty() && rows.size() <= kMostRows, "a block of no or too many rows");
  my.clear();
  putVarint(my.plain, rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) my.collect(static_cast<std::uint32_t>(i), rows[i]);
  putBits(my.plain, rows.size(), my.keyStarts);
  putTexts(my.plain, my.keys);
  for (std::size_t kind = 0; kind < kRecordKindCount; ++kind) {
    if (my.kindRows[kind] > 0) my.putKind(kind);
  }
  my.packed.resize(ZSTD_compressBound(my.plain.size()));
  const std::size_t size =
      ZSTD_compress2(my.context, my.packed.data(), my.packed.size(), my.plain.data(), my.plain.size());
  if (ZSTD_isError(size) != 0) return fail(ErrorCode::Internal, ZSTD_getErrorName(size));
  return std::string_view(my.packed).substr(0, size);
}

Result<RecordBlock> RecordBlock::open(std::string_view bytes) {
  const unsigned long long size = ZSTD_getFrameContentSize(bytes.data(), bytes.size());
  if (size == ZSTD_CONTENTSIZE_UNKNOWN || size == ZSTD_CONTENTSIZE_ERROR || size > kMostUnpackedBytes) return broken();
  // A block that claims to unpack to thousands of times its size is none of ours.
  if (size > bytes.size() * 20'000) return broken();
  RecordBlock block;
  block.m_bytes = std::make_shared<std::string>(size + kPadding, '\0');
  const std::size_t got = ZSTD_decompress(block.m_bytes->data(), size, bytes.data(), bytes.size());
  if (ZSTD_isError(got) != 0 || got != size) return broken();
  if (!block.parse(std::string_view(*block.m_bytes).substr(0, size))) return broken();
  return block;
}

bool RecordBlock::parse(std::string_view bytes) {
  const auto rows = takeVarint(bytes);
  if (!rows || *rows == 0 || *rows > kMostRows) return false;
  if (!parseKinds(bytes, *rows) || !parseKeys(bytes)) return false;
  for (std::size_t kind = 0; kind < kRecordKindCount; ++kind) {
    if (m_kindRows[kind] > 0 && !parseColumns(bytes, kind)) return false;
  }
  return bytes.empty();
}

bool RecordBlock::parseKinds(std::string_view& bytes, std::size_t rows) {
  if (rows > bytes.size()) return false;
  m_kinds.reserve(rows);
  m_rowOfKind.reserve(rows);
  for (const char byte : bytes.substr(0, rows)) {
    const auto kind = static_cast<std::uint8_t>(byte);
    if (kind >= static_cast<std::uint8_t>(RecordKind::QueueDepth)) return false;
    m_kinds.push_back(static_cast<RecordKind>(kind));
    m_rowOfKind.push_back(static_cast<std::uint32_t>(m_kindRows[kind]++));
  }
  bytes.remove_prefix(rows);
  return true;
}

bool RecordBlock::parseKeys(std::string_view& bytes) {
  const auto starts = takeBits(bytes, size());
  if (!starts || !bitAt(*starts, 0)) return false;
  m_keyOf.reserve(size());
  std::uint32_t keys = 0;
  for (std::size_t row = 0; row < size(); ++row) {
    keys += bitAt(*starts, row) ? 1 : 0;
    m_keyOf.push_back(keys - 1);
  }
  auto texts = TextColumn::take(bytes, keys);
  if (!texts) return false;
  m_keys = std::move(*texts);
  return true;
}

bool RecordBlock::parseColumns(std::string_view& bytes, std::size_t kind) {
  std::uint8_t last = 0;
  for (;;) {
    if (bytes.empty()) return false;
    const auto field = static_cast<std::uint8_t>(bytes[0]);
    bytes.remove_prefix(1);
    if (field == 0) return true;
    if (field <= last || field >= kFieldLimit || !parseColumn(bytes, kind, field)) return false;
    last = field;
  }
}

bool RecordBlock::parseColumn(std::string_view& bytes, std::size_t kind, std::uint8_t field) {
  if (bytes.empty()) return false;
  const bool everyRow = bytes[0] != 0;
  bytes.remove_prefix(1);
  Column column;
  column.field = static_cast<Field>(field);
  std::size_t values = m_kindRows[kind];
  if (!everyRow) {
    const auto bits = takeBits(bytes, values);
    if (!bits) return false;
    column.valueOf.assign(values, kAbsent);
    std::uint32_t next = 0;
    for (std::size_t row = 0; row < values; ++row) {
      if (bitAt(*bits, row)) column.valueOf[row] = next++;
    }
    values = next;
  }
  if (isText(column.field)) {
    auto texts = TextColumn::take(bytes, values);
    if (!texts) return false;
    column.texts = std::move(*texts);
  } else {
    const auto numbers = NumberColumn::take(bytes, values);
    if (!numbers) return false;
    column.numbers = *numbers;
  }
  m_columns[kind].push_back(std::move(column));
  return true;
}

std::string_view RecordBlock::key(std::size_t row, std::string& scratch) const {
  return m_keys.at(m_keyOf[row], scratch);
}

std::int64_t RecordBlock::number(std::size_t row, Field field) const {
  for (const Column& column : m_columns[static_cast<std::size_t>(m_kinds[row])]) {
    if (column.field != field) continue;
    const std::uint32_t value = valueAt(column, row);
    if (value != kAbsent) return column.numbers[value];
  }
  return 0;
}

FileId RecordBlock::file(std::size_t row) const {
  return FileId{static_cast<std::uint32_t>(number(row, Field::File))};
}

void RecordBlock::forEachKey(const std::function<void(std::size_t, std::size_t, std::string_view)>& fn) const {
  std::string scratch;
  for (std::size_t first = 0; first < size();) {
    std::size_t last = first + 1;
    while (last < size() && m_keyOf[last] == m_keyOf[first]) ++last;
    fn(first, last, key(first, scratch));
    first = last;
  }
}

void RecordBlock::forEachText(std::span<const Field> fields,
                              const std::function<void(std::size_t, Field, std::string_view)>& fn) const {
  std::string scratch;
  for (std::size_t row = 0; row < size(); ++row) {
    for (const Column& column : m_columns[static_cast<std::size_t>(m_kinds[row])]) {
      if (std::find(fields.begin(), fields.end(), column.field) == fields.end()) continue;
      const std::uint32_t value = valueAt(column, row);
      if (value != kAbsent) fn(row, column.field, column.texts.at(value, scratch));
    }
  }
}

Result<AnyRecord> RecordBlock::record(std::size_t row) const {
  RowValues values;
  values.kind = m_kinds[row];
  std::deque<std::string> scratch;  // a deque keeps earlier texts in place
  values.set(Field::Key, key(row, scratch.emplace_back()));
  for (const Column& column : m_columns[static_cast<std::size_t>(values.kind)]) {
    const std::uint32_t value = valueAt(column, row);
    if (value == kAbsent) continue;
    if (isText(column.field)) {
      values.set(column.field, column.texts.at(value, scratch.emplace_back()));
    } else {
      values.set(column.field, column.numbers[value]);
    }
  }
  return recordOf(values);
}

std::vector<std::size_t> RecordBlock::rowsWithKey(std::string_view key) const {
  std::vector<std::size_t> rows;
  for (std::size_t found = m_keys.find(key, 0); found < m_keys.size(); found = m_keys.find(key, found + 1)) {
    const auto first = std::lower_bound(m_keyOf.begin(), m_keyOf.end(), static_cast<std::uint32_t>(found));
    for (auto at = first; at != m_keyOf.end() && *at == found; ++at) {
      rows.push_back(static_cast<std::size_t>(at - m_keyOf.begin()));
    }
  }
  return rows;
}

std::vector<std::size_t> RecordBlock::rowsWith(std::span<const Field> fields, std::string_view text) const {
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < size(); ++row) {
    const auto& columns = m_columns[static_cast<std::size_t>(m_kinds[row])];
    for (const Column& column : columns) {
      if (std::find(fields.begin(), fields.end(), column.field) == fields.end()) continue;
      const std::uint32_t value = valueAt(column, row);
      std::string scratch;
      if (value == kAbsent || column.texts.at(value, scratch) != text) continue;
      rows.push_back(row);
      break;
    }
  }
  return rows;
}

}  // namespace counterfoil
