// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ledger/row.h"

#include <bit>

#include "core/base/require.h"

namespace counterfoil {

namespace {

// The header: three bits of length (less one) each for offset, amount, time and duration, two for the
// part, one for the reference, one for a wide shape.
constexpr unsigned kOffsetBits = 0, kAmountBits = 3, kTimeBits = 6, kDurationBits = 9, kPartBits = 12,
                   kReferenceBit = 14, kWideShapeBit = 15;
constexpr std::size_t kPartLengths[4] = {0, 1, 2, 4};

std::uint64_t zigzag(std::int64_t value) {
  return (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63);
}
std::int64_t unzigzag(std::uint64_t value) {
  return static_cast<std::int64_t>(value >> 1) ^ -static_cast<std::int64_t>(value & 1);
}

/// Wrapping difference and sum: every pair of times comes back, however far apart.
std::int64_t difference(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}
std::int64_t sum(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

struct Writer {
  char* at;
  unsigned header = 0;

  void put(std::uint64_t value, unsigned shift) {
    const unsigned length = (71u - static_cast<unsigned>(std::countl_zero(value | 1))) / 8;
    std::memcpy(at, &value, 8);
    at += length;
    header |= (length - 1) << shift;
  }
  template <class T>
  void fixed(T value) {
    std::memcpy(at, &value, sizeof value);
    at += sizeof value;
  }
};

struct Reader {
  const char* at;
  const char* end;

  std::uint64_t take(std::size_t length) {
    std::uint64_t value = 0;
    if (end - at >= 8) {
      std::memcpy(&value, at, 8);
      if (length < 8) value &= (std::uint64_t{1} << (8 * length)) - 1;
    } else {
      std::memcpy(&value, at, length);
    }
    at += length;
    return value;
  }
};

}  // namespace

char* RowCodec::pack(const LedgerRow& row, char* out) const {
  Writer writer{out + 2};
  writer.fixed(row.group.high);
  writer.fixed(row.group.low);
  if (row.shape > 0xFFFF) {
    writer.header |= 1u << kWideShapeBit;
    writer.fixed(row.shape);
  } else {
    writer.fixed(static_cast<std::uint16_t>(row.shape));
  }
  writer.put(row.offset, kOffsetBits);
  writer.put(zigzag(row.amount), kAmountBits);
  writer.put(zigzag(difference(row.time, m_base)), kTimeBits);
  writer.put(zigzag(difference(row.time, row.start)), kDurationBits);
  const unsigned partCode = row.part == 0 ? 0 : row.part <= 0xFF ? 1 : row.part <= 0xFFFF ? 2 : 3;
  std::memcpy(writer.at, &row.part, 4);
  writer.at += kPartLengths[partCode];
  writer.header |= partCode << kPartBits;
  if (row.opRef != 0) {
    writer.header |= 1u << kReferenceBit;
    writer.fixed(row.opRef);
  }
  const auto header = static_cast<std::uint16_t>(writer.header);
  std::memcpy(out, &header, 2);
  return writer.at;
}

const char* RowCodec::unpack(const char* in, const char* end, LedgerRow& row) const {
  std::uint16_t header = 0;
  std::memcpy(&header, in, 2);
  const auto length = [&](unsigned shift) { return std::size_t{1} + ((header >> shift) & 7u); };
  Reader reader{in + 2, end};
  row.group.high = reader.take(8);
  row.group.low = static_cast<std::uint32_t>(reader.take(4));
  row.shape = static_cast<std::uint32_t>(reader.take((header >> kWideShapeBit) & 1u ? 4 : 2));
  row.offset = reader.take(length(kOffsetBits));
  row.amount = unzigzag(reader.take(length(kAmountBits)));
  row.time = sum(m_base, unzigzag(reader.take(length(kTimeBits))));
  row.start = difference(row.time, unzigzag(reader.take(length(kDurationBits))));
  row.part = static_cast<std::uint32_t>(reader.take(kPartLengths[(header >> kPartBits) & 3u]));
  row.opRef = (header >> kReferenceBit) & 1u ? reader.take(8) : 0;
  require(reader.at <= end, "a row of the ledger is cut off");
  return reader.at;
}

}  // namespace counterfoil
