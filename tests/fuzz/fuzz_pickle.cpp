// SPDX-License-Identifier: GPL-3.0-or-later
// Pickles and msgpack. The first byte chooses which, the rest is the value.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "importers/mapping/decoders.h"

using namespace counterfoil;

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

std::size_t nodesIn(const JsonNode& node) {
  std::size_t count = 1;
  for (const JsonNode& item : node.items) count += nodesIn(item);
  for (const auto& [name, value] : node.members) count += nodesIn(value);
  return count;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const auto node = data[0] % 2 == 0 ? parsePickle(bytes) : parseMsgpack(bytes);
  if (!node) {
    require(!node.error().message.empty());
    return 0;
  }
  constexpr std::size_t kMostNodes = 1u << 20;
  require(nodesIn(*node) <= kMostNodes);
  require(!hasCut(*node));
  (void)objectOfPairs(*node).has_value();
  (void)resolvePath(*node, "args.0.-1").has_value();
  // What was read is JSON. A number may be written as JSON does not have it only if it came so.
  require(parseJsonValue(printJson(*node)).has_value());
  return 0;
}
