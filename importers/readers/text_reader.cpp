// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/readers/text_reader.h"

#include <cstring>

namespace counterfoil {

namespace {

using Bytes16 = unsigned char __attribute__((vector_size(16)));

/// At most 255 rounds, so that no lane of the count overflows.
std::uint64_t countIn16s(const char* p, std::size_t rounds, const Bytes16& wanted) {
  Bytes16 counts{};
  for (std::size_t i = 0; i < rounds; ++i) {
    Bytes16 bytes;
    std::memcpy(&bytes, p + i * 16, 16);
    counts -= static_cast<Bytes16>(bytes == wanted);
  }
  std::uint64_t sum = 0;
  for (int lane = 0; lane < 16; ++lane) sum += counts[lane];
  return sum;
}

}  // namespace

std::uint64_t countByte(std::string_view text, char byte) {
  Bytes16 wanted{};
  wanted += static_cast<unsigned char>(byte);
  std::uint64_t count = 0;
  std::size_t at = 0;
  while (text.size() - at >= 16) {
    const std::size_t rounds = std::min<std::size_t>((text.size() - at) / 16, 255);
    count += countIn16s(text.data() + at, rounds, wanted);
    at += rounds * 16;
  }
  for (; at < text.size(); ++at) count += text[at] == byte ? 1 : 0;
  return count;
}

}  // namespace counterfoil
