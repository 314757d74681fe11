// SPDX-License-Identifier: GPL-3.0-or-later
// Decoders of values inside values. The first byte chooses the decoder, the rest is its text.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "importers/mapping/decoders.h"
#include "importers/mapping/pattern.h"

using namespace counterfoil;

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

/// What was decoded can be walked and printed, and what is printed is JSON again.
void walk(const JsonNode& node) {
  const std::string printed = printJson(node);
  require(!printed.empty());
  for (const char* pointer : {"/0", "/a", "/0/0", "/a~1b/0"})
    (void)resolvePointer(node, pointer).has_value();
}

void decodeTree(bool isPython, std::string_view text) {
  const auto node = isPython ? parsePythonRepr(text) : parseJsonValue(text);
  if (!node) {
    require(!node.error().message.empty());
    return;
  }
  walk(*node);
  if (!isPython) require(parseJsonValue(printJson(*node)).has_value());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  switch (data[0] % 6) {
    case 0:
      decodeTree(true, text);
      break;
    case 1:
      decodeTree(false, text);
      break;
    case 2:
      (void)decodeBase64(text).has_value();
      break;
    case 3:
      (void)decodeHex(text).has_value();
      break;
    case 4:
      (void)decodeUrl(text).has_value();
      break;
    default:
      if (const auto pattern = Pattern::compile(text))
        (void)pattern->matches("key=charge:4471 done");
      break;
  }
  return 0;
}
