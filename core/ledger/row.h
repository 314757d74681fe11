// SPDX-License-Identifier: GPL-3.0-or-later
// A row of the ledger: what is kept of a slim record to group it and to decide the plain case. Packed, a
// row takes about 31 bytes; what many rows share stands once in a Shape.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "core/ledger/slim.h"

namespace counterfoil {

/// 96 bits of a keyed hash: of the key, or of the strongest other id of a record without one.
struct GroupHash {
  std::uint64_t high = 0;
  std::uint32_t low = 0;
  bool operator==(const GroupHash&) const = default;
};

/// 48 bits that stand for a group among links.
[[nodiscard]] constexpr std::uint64_t fingerprintOf(const GroupHash& group) {
  return (group.high ^ (static_cast<std::uint64_t>(group.low) << 17)) & 0xFFFFFFFFFFFFull;
}

/// Spreads 64 bits (the finisher of MurmurHash3).
[[nodiscard]] constexpr std::uint64_t mixBits(std::uint64_t value) {
  value ^= value >> 33;
  value *= 0xFF51AFD7ED558CCDull;
  value ^= value >> 33;
  value *= 0xC4CEB9FE1A85EC53ull;
  return value ^ (value >> 33);
}

/// The group of everything that is linked under one component.
[[nodiscard]] constexpr GroupHash groupOfComponent(std::uint64_t root) {
  return {mixBits(root * 0x9E3779B97F4A7C15ull + 1), static_cast<std::uint32_t>(mixBits(root + 0x5851F42D4C957F2Dull))};
}

/// What many rows have in common.
struct Shape {
  std::uint64_t scope = 0;
  std::uint32_t file = 0;
  std::uint32_t queue = 0;
  std::uint16_t currency = 0;
  std::int16_t operation = -1;
  RecordKind kind = RecordKind::Attempt;
  std::uint8_t status = 0;
  std::uint8_t effectKind = 0;
  bool hasAmount = false;
  bool needsJudge = false;
  bool dayOnly = false;
  std::uint8_t space = 0;      ///< what the group is made of: 0 the key, 1 an effect id, else a weaker one
  bool operator==(const Shape&) const = default;
};

struct LedgerRow {
  GroupHash group;
  std::uint32_t shape = 0;
  std::uint32_t part = 0;
  std::uint64_t offset = 0;
  std::uint64_t opRef = 0;     ///< hash of the text alone; 0 none
  std::int64_t amount = 0;
  std::int64_t time = 0;       ///< µs; as in SlimRecord
  std::int64_t start = 0;
  bool operator==(const LedgerRow&) const = default;
};

/// Packs rows relative to one instant (times of a night lie close to its as-of).
class RowCodec {
 public:
  static constexpr std::size_t kBytesMax = 72;  ///< what pack() may write, with its slack

  explicit RowCodec(std::int64_t baseMicros = 0) : m_base(baseMicros) {}

  /// Writes at `out` (kBytesMax bytes of room); returns one past the row's last byte.
  char* pack(const LedgerRow& row, char* out) const;
  /// Reads one row; returns one past it. The bytes are what pack() wrote; kBytesMax may be read.
  const char* unpack(const char* in, const char* end, LedgerRow& row) const;

 private:
  std::int64_t m_base;
};

}  // namespace counterfoil
