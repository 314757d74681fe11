// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as a file: packed or not, in whatever encoding. What is delivered is valid UTF-8, and the
// same for any step.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "importers/source/byte_source.h"
#include "importers/source/encoding.h"

using namespace counterfoil;

namespace {

std::string readAll(const std::string& bytes, std::size_t step, const std::string& encoding) {
  OpenOptions options;
  options.encoding = encoding;
  options.maxUnpackedBytes = 4u << 20;
  const auto source = openMemory(bytes, options);
  if (!source) return "!";
  std::string text;
  while (true) {
    const std::size_t before = text.size();
    const auto got = (*source)->read(text, step);
    if (!got) {
      // An error stays one.
      if ((*source)->read(text, step)) std::abort();
      return text + "!" + got.error().message;
    }
    if (text.size() - before != *got || *got > step) std::abort();
    if (*got == 0) {
      if (checkUtf8(text).firstInvalid != kNoPosition) std::abort();
      return text;
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  for (const char* const encoding : {"", "utf-8", "utf-16", "shift_jis"}) {
    if (readAll(bytes, 1u << 16, encoding) != readAll(bytes, 113, encoding)) std::abort();
  }
  return 0;
}
