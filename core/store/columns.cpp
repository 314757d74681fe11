// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/columns.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>
#include <unordered_map>

#include "core/store/packing.h"

namespace counterfoil {
namespace {

constexpr std::size_t kDictionaryMost = 256;
constexpr std::size_t kUuidLength = 36;
/// Wider values would not fit a 64-bit window at any bit of a byte; they take whole 8 bytes.
constexpr unsigned kWidestPacked = 56;

std::uint64_t load64(const char* at) {
  std::uint64_t value = 0;
  std::memcpy(&value, at, sizeof value);
  if constexpr (std::endian::native == std::endian::big) value = __builtin_bswap64(value);
  return value;
}

void store64(char* at, std::uint64_t value) {
  if constexpr (std::endian::native == std::endian::big) value = __builtin_bswap64(value);
  std::memcpy(at, &value, sizeof value);
}

std::size_t packedSize(std::size_t count, unsigned width) {
  return (count * width + 7) / 8;
}

void packBits(std::string& out, std::span<const std::int64_t> values, std::uint64_t least, std::uint64_t divisor,
              unsigned width) {
  const std::size_t start = out.size();
  const std::size_t size = packedSize(values.size(), width);
  out.resize(start + size + 8);
  char* const bytes = out.data() + start;
  std::size_t bit = 0;
  for (const std::int64_t value : values) {
    const std::uint64_t distance = static_cast<std::uint64_t>(value) - least;
    const std::uint64_t packed = divisor == 1 ? distance : distance / divisor;
    char* const at = bytes + bit / 8;
    store64(at, load64(at) | packed << (bit % 8));
    bit += width;
  }
  out.resize(start + size);
}

std::uint64_t commonDivisor(std::span<const std::int64_t> values, std::uint64_t least) {
  std::uint64_t divisor = 0;
  for (const std::int64_t value : values) {
    divisor = std::gcd(divisor, static_cast<std::uint64_t>(value) - least);
    if (divisor == 1) return 1;
  }
  return std::max<std::uint64_t>(divisor, 1);
}

int hexValue(char digit) {
  if (digit >= '0' && digit <= '9') return digit - '0';
  if (digit >= 'a' && digit <= 'f') return digit - 'a' + 10;
  return -1;
}

bool isDash(std::size_t position) {
  return position == 8 || position == 13 || position == 18 || position == 23;
}

bool isUuid(std::string_view text) {
  if (text.size() != kUuidLength) return false;
  for (std::size_t i = 0; i < kUuidLength; ++i) {
    if (isDash(i) ? text[i] != '-' : hexValue(text[i]) < 0) return false;
  }
  return true;
}

void putUuid(std::string& out, std::string_view text) {
  int high = -1;
  for (std::size_t i = 0; i < kUuidLength; ++i) {
    if (isDash(i)) continue;
    const int value = hexValue(text[i]);
    if (high < 0) {
      high = value;
    } else {
      out.push_back(static_cast<char>(high << 4 | value));
      high = -1;
    }
  }
}

void readUuid(std::string_view bytes, std::string& out) {
  static constexpr char kDigits[] = "0123456789abcdef";
  out.clear();
  for (std::size_t i = 0; i < 16; ++i) {
    const auto byte = static_cast<std::uint8_t>(bytes[i]);
    if (isDash(out.size())) out += '-';
    out += kDigits[byte >> 4];
    out += kDigits[byte & 15];
  }
}

/// Codes into a dictionary of first appearances; false if it grows too large.
bool makeDictionary(std::span<const std::string_view> texts, std::vector<std::string_view>& entries,
                    std::vector<std::int64_t>& codes) {
  std::unordered_map<std::string_view, std::int64_t> known;
  codes.reserve(texts.size());
  for (const std::string_view text : texts) {
    const auto [at, added] = known.try_emplace(text, static_cast<std::int64_t>(entries.size()));
    if (added) entries.push_back(text);
    if (entries.size() > kDictionaryMost || entries.size() > texts.size() / 4 + 1) return false;
    codes.push_back(at->second);
  }
  return true;
}

void putPlain(std::string& out, std::span<const std::string_view> texts) {
  std::vector<std::int64_t> lengths;
  lengths.reserve(texts.size());
  for (const std::string_view text : texts) lengths.push_back(static_cast<std::int64_t>(text.size()));
  putNumbers(out, lengths);
  for (const std::string_view text : texts) out.append(text);
}

/// Ends of the texts whose lengths are given; false if they do not lie in `total` bytes.
bool endsOf(const NumberColumn& lengths, std::size_t total, std::vector<std::uint32_t>& ends) {
  ends.reserve(lengths.size());
  std::uint64_t end = 0;
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    const auto length = static_cast<std::uint64_t>(lengths[i]);
    if (length > total || end + length > total) return false;
    end += length;
    ends.push_back(static_cast<std::uint32_t>(end));
  }
  return true;
}

}  // namespace

void putNumbers(std::string& out, std::span<const std::int64_t> values) {
  if (values.empty()) return;
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  const auto base = static_cast<std::uint64_t>(*least);
  const std::uint64_t divisor = commonDivisor(values, base);
  unsigned width = static_cast<unsigned>(std::bit_width((static_cast<std::uint64_t>(*most) - base) / divisor));
  if (width > kWidestPacked) width = 64;
  putVarint(out, zigzag(*least));
  putVarint(out, divisor);
  out.push_back(static_cast<char>(width));
  if (width > 0) packBits(out, values, base, divisor, width);
}

std::optional<NumberColumn> NumberColumn::take(std::string_view& bytes, std::size_t count) {
  NumberColumn column;
  column.m_count = count;
  if (count == 0) return column;
  const auto least = takeVarint(bytes);
  const auto divisor = takeVarint(bytes);
  if (!least || !divisor || bytes.empty()) return {};
  column.m_least = static_cast<std::uint64_t>(unzigzag(*least));
  column.m_divisor = *divisor;
  column.m_width = static_cast<std::uint8_t>(bytes[0]);
  bytes.remove_prefix(1);
  if (column.m_width > kWidestPacked && column.m_width != 64) return {};
  const std::size_t size = packedSize(count, column.m_width);
  if (size > bytes.size()) return {};
  column.m_bits = bytes.data();
  bytes.remove_prefix(size);
  return column;
}

std::int64_t NumberColumn::operator[](std::size_t index) const {
  if (m_width == 0) return static_cast<std::int64_t>(m_least);
  const std::size_t bit = index * m_width;
  std::uint64_t packed = load64(m_bits + bit / 8) >> (bit % 8);
  if (m_width < 64) packed &= (std::uint64_t{1} << m_width) - 1;
  return static_cast<std::int64_t>(m_least + packed * m_divisor);
}

void putTexts(std::string& out, std::span<const std::string_view> texts) {
  if (texts.empty()) return;
  if (std::all_of(texts.begin(), texts.end(), isUuid)) {
    out.push_back(2);
    for (const std::string_view text : texts) putUuid(out, text);
    return;
  }
  std::vector<std::string_view> entries;
  std::vector<std::int64_t> codes;
  if (makeDictionary(texts, entries, codes)) {
    out.push_back(1);
    putVarint(out, entries.size());
    putPlain(out, entries);
    putNumbers(out, codes);
    return;
  }
  out.push_back(0);
  putPlain(out, texts);
}

bool TextColumn::takePlain(std::string_view& bytes, std::size_t count) {
  const auto lengths = NumberColumn::take(bytes, count);
  if (!lengths || !endsOf(*lengths, bytes.size(), m_ends)) return false;
  const std::size_t size = m_ends.empty() ? 0 : m_ends.back();
  m_bytes = bytes.substr(0, size);
  bytes.remove_prefix(size);
  return true;
}

bool TextColumn::takeDictionary(std::string_view& bytes) {
  const auto entries = takeVarint(bytes);
  if (!entries || *entries == 0 || *entries > kDictionaryMost || !takePlain(bytes, *entries)) return false;
  m_codes = NumberColumn::take(bytes, m_count);
  if (!m_codes) return false;
  for (std::size_t i = 0; i < m_count; ++i) {
    if (static_cast<std::uint64_t>((*m_codes)[i]) >= *entries) return false;
  }
  return true;
}

std::optional<TextColumn> TextColumn::take(std::string_view& bytes, std::size_t count) {
  TextColumn column;
  column.m_count = count;
  if (count == 0) return column;
  if (bytes.empty() || static_cast<std::uint8_t>(bytes[0]) > 2) return {};
  column.m_form = static_cast<Form>(bytes[0]);
  bytes.remove_prefix(1);
  switch (column.m_form) {
    case Form::Plain:
      if (!column.takePlain(bytes, count)) return {};
      return column;
    case Form::Dictionary:
      if (!column.takeDictionary(bytes)) return {};
      return column;
    case Form::Uuid: break;
  }
  if (bytes.size() / 16 < count) return {};
  column.m_bytes = bytes.substr(0, count * 16);
  bytes.remove_prefix(count * 16);
  return column;
}

std::string_view TextColumn::at(std::size_t index, std::string& scratch) const {
  if (m_form == Form::Uuid) {
    readUuid(m_bytes.substr(index * 16, 16), scratch);
    return scratch;
  }
  const std::size_t entry = m_form == Form::Dictionary ? static_cast<std::size_t>((*m_codes)[index]) : index;
  const std::size_t start = entry == 0 ? 0 : m_ends[entry - 1];
  return m_bytes.substr(start, m_ends[entry] - start);
}

std::size_t TextColumn::find(std::string_view text, std::size_t from) const {
  if (m_form == Form::Uuid) {
    if (!isUuid(text)) return m_count;
    std::string wanted;
    putUuid(wanted, text);
    while (from < m_count && m_bytes.substr(from * 16, 16) != wanted) ++from;
    return from;
  }
  std::string unused;
  while (from < m_count && at(from, unused) != text) ++from;
  return from;
}

}  // namespace counterfoil
