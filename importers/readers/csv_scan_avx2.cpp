// SPDX-License-Identifier: GPL-3.0-or-later
// The scan with AVX2. Only this file is compiled for it; whether the machine has it is asked at run time.
#include <bit>
#include <cstring>

#include "importers/readers/csv_scan.h"

#if defined(__x86_64__)

#include <immintrin.h>

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,bmi,popcnt"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,bmi,popcnt")
#endif

namespace counterfoil {

namespace {

int countTrailingZeros(std::uint64_t bits) { return __builtin_ctzll(bits); }
int countOnes(std::uint64_t bits) { return __builtin_popcountll(bits); }

struct BlockMasks {
  std::uint64_t delimiter = 0, lineEnd = 0, quote = 0;
};

class Classifier {
 public:
  explicit Classifier(const CsvDialect& dialect)
      : m_delimiter(_mm256_set1_epi8(dialect.delimiter)),
        m_lineEnd(_mm256_set1_epi8(dialect.lineEnd)),
        m_quote(_mm256_set1_epi8('"')),
        m_high(_mm256_setzero_si256()),
        m_nuls(_mm256_setzero_si256()) {}

  BlockMasks operator()(const char* p) {
    const __m256i low = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p));
    const __m256i high = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p + 32));
    const __m256i zero = _mm256_setzero_si256();
    m_high = _mm256_or_si256(m_high, _mm256_or_si256(low, high));
    m_nuls = _mm256_or_si256(m_nuls, _mm256_cmpeq_epi8(_mm256_min_epu8(low, high), zero));
    return {equal(low, high, m_delimiter), equal(low, high, m_lineEnd), equal(low, high, m_quote)};
  }
  [[nodiscard]] bool sawNul() const { return _mm256_movemask_epi8(m_nuls) != 0; }
  [[nodiscard]] bool sawHighBit() const { return _mm256_movemask_epi8(m_high) != 0; }

 private:
  static std::uint64_t equal(__m256i low, __m256i high, __m256i byte) {
    const auto a = static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(low, byte)));
    const auto b = static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi8(high, byte)));
    return a | static_cast<std::uint64_t>(b) << 32;
  }

  __m256i m_delimiter, m_lineEnd, m_quote, m_high, m_nuls;
};

#include "importers/readers/csv_scan_impl.inc"

}  // namespace

void scanCsvAvx2(const char* text, std::uint32_t from, std::uint32_t to, const CsvDialect& dialect,
                 CsvMarks& marks) {
  scanCsv(text, from, to, dialect, marks);
}

}  // namespace counterfoil

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

namespace counterfoil {
bool hasAvx2() {
  return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("bmi") != 0 &&
         __builtin_cpu_supports("popcnt") != 0;
}
}  // namespace counterfoil

#else

namespace counterfoil {
void scanCsvAvx2(const char* text, std::uint32_t from, std::uint32_t to, const CsvDialect& dialect,
                 CsvMarks& marks) {
  scanCsvPortable(text, from, to, dialect, marks);
}
bool hasAvx2() { return false; }
}  // namespace counterfoil

#endif
