// SPDX-License-Identifier: GPL-3.0-or-later
#include <bit>
#include <cstring>

#include "importers/readers/csv_scan.h"

namespace counterfoil {

namespace {

int countTrailingZeros(std::uint64_t bits) { return std::countr_zero(bits); }
int countOnes(std::uint64_t bits) { return std::popcount(bits); }

struct BlockMasks {
  std::uint64_t delimiter = 0, lineEnd = 0, quote = 0;
};

/// Eight bytes at a time by ordinary arithmetic.
class Classifier {
 public:
  explicit Classifier(const CsvDialect& dialect)
      : m_delimiter(everyByte(dialect.delimiter)), m_lineEnd(everyByte(dialect.lineEnd)), m_quote(everyByte('"')) {}

  BlockMasks operator()(const char* p) {
    BlockMasks masks;
    for (int i = 0; i < 8; ++i) {
      std::uint64_t word = 0;
      for (int b = 0; b < 8; ++b) {
        word |= static_cast<std::uint64_t>(static_cast<unsigned char>(p[i * 8 + b])) << (b * 8);
      }
      m_high |= word;
      m_nuls |= zeroBytes(word);
      masks.delimiter |= gathered(zeroBytes(word ^ m_delimiter)) << (i * 8);
      masks.lineEnd |= gathered(zeroBytes(word ^ m_lineEnd)) << (i * 8);
      masks.quote |= gathered(zeroBytes(word ^ m_quote)) << (i * 8);
    }
    return masks;
  }
  [[nodiscard]] bool sawNul() const { return m_nuls != 0; }
  [[nodiscard]] bool sawHighBit() const { return (m_high & kHighBits) != 0; }

 private:
  static constexpr std::uint64_t kHighBits = 0x8080808080808080ull;
  static std::uint64_t everyByte(char c) { return 0x0101010101010101ull * static_cast<unsigned char>(c); }
  /// The high bit of each byte that is zero, exactly.
  static std::uint64_t zeroBytes(std::uint64_t word) {
    const std::uint64_t low = (word & ~kHighBits) + ~kHighBits;
    return ~(low | word) & kHighBits;
  }
  /// The eight high bits as the lowest eight.
  static std::uint64_t gathered(std::uint64_t highBits) { return (highBits >> 7) * 0x0102040810204080ull >> 56; }

  std::uint64_t m_delimiter, m_lineEnd, m_quote;
  std::uint64_t m_high = 0;
  std::uint64_t m_nuls = 0;
};

#include "importers/readers/csv_scan_impl.inc"

}  // namespace

void scanCsvPortable(const char* text, std::uint32_t from, std::uint32_t to, const CsvDialect& dialect,
                     CsvMarks& marks) {
  scanCsv(text, from, to, dialect, marks);
}

CsvScanFunction bestCsvScan() { return hasAvx2() ? scanCsvAvx2 : scanCsvPortable; }

}  // namespace counterfoil
