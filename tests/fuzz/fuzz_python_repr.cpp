// SPDX-License-Identifier: GPL-3.0-or-later
// Python literals, whole and cut. The first byte says where the text is cut: what is found in the
// part has to be found in the whole.
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

/// Every value of the part that is not marked stands at the same place in the whole.
void requireSame(const JsonNode& part, const JsonNode& whole) {
  if (isCutOff(part) && part.items.empty() && part.members.empty()) return;
  require(part.type == whole.type || isCutOff(part));
  if (part.type != whole.type) return;
  require(part.items.size() <= whole.items.size());
  require(part.members.size() <= whole.members.size());
  if (part.items.empty() && part.members.empty()) require(part.text == whole.text);
  for (std::size_t i = 0; i < part.items.size(); ++i) requireSame(part.items[i], whole.items[i]);
  for (std::size_t i = 0; i < part.members.size(); ++i) {
    require(part.members[i].first == whole.members[i].first);
    requireSame(part.members[i].second, whole.members[i].second);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const auto whole = parsePythonRepr(text);
  if (!whole) {
    require(!whole.error().message.empty());
    return 0;
  }
  require(!printJson(*whole).empty());
  for (const char* path : {"0", "-1", "a", "0.a", "a.0.b"}) (void)resolvePath(*whole, path).has_value();
  const auto part = parsePythonRepr(text.substr(0, data[0] % size));
  const bool isContainer = whole->type == JsonNode::Type::Array || whole->type == JsonNode::Type::Object;
  if (part && isContainer && !hasCut(*whole)) requireSame(*part, *whole);
  return 0;
}
