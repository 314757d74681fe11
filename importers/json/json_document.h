// SPDX-License-Identifier: GPL-3.0-or-later
// A small JSON tree whose values know where they stand, for configurations and mappings: "// comments"
// allowed, repeated member names are errors, numbers keep their text. Parsed by nlohmann_json (SAX).
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.h"

namespace counterfoil {

class JsonNode {
 public:
  enum class Type : std::uint8_t { Null, Boolean, Number, String, Array, Object };

  Type type = Type::Null;
  std::string text;                                        ///< String: its value; Number, Boolean: as written
  std::vector<JsonNode> items;                             ///< Array
  std::vector<std::pair<std::string, JsonNode>> members;   ///< Object, in the order of the file
  std::uint32_t line = 1, column = 1;                      ///< 1-based, of the value's first character
  std::shared_ptr<const std::string> file;                 ///< path for messages

  // Defined where the class is complete: Clang 14 can't instantiate the pair inside it earlier.
  JsonNode();
  JsonNode(const JsonNode&);
  JsonNode(JsonNode&&) noexcept;
  JsonNode& operator=(const JsonNode&);
  JsonNode& operator=(JsonNode&&) noexcept;
  ~JsonNode();

  [[nodiscard]] const JsonNode* find(std::string_view member) const;
  /// "counterfoil.json:12:7"
  [[nodiscard]] std::string where() const;
};

struct JsonLimits {
  std::size_t maxBytes = 16u << 20;
  std::uint32_t maxDepth = 64;
  std::size_t maxValues = 1u << 22;   ///< a value takes many times the bytes of its text
};

/// Error (Config): "counterfoil.json:12:7: …".
[[nodiscard]] Result<JsonNode> parseJson(std::string_view text, std::string file, const JsonLimits& limits = {});
/// Reads a file, bounded.
[[nodiscard]] Result<JsonNode> parseJsonFile(const std::string& path, const JsonLimits& limits = {});
/// Pretty-printed JSON with two blanks, members in order, for `config show` and `init`.
[[nodiscard]] std::string printJson(const JsonNode& node);

}  // namespace counterfoil
