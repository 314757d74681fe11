// SPDX-License-Identifier: GPL-3.0-or-later
// One JSON value as a row: the values at some dotted paths, in a single strict pass (RFC 8259) that
// also checks what is not asked for. Numbers keep their text. A member name that comes twice: the
// last wins. Containers may be nested 128 deep. Pure; the compiled paths are immutable and
// thread-safe.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "importers/readers/arena.h"
#include "importers/readers/row.h"
#include "importers/readers/text_reader.h"

namespace counterfoil {

inline constexpr int kMaxJsonDepth = 128;
inline constexpr std::size_t kMaxJsonElements = 1u << 20;  ///< of one list that makes rows

struct JsonFault {
  std::size_t position = 0;  ///< in the text
  std::string message;       ///< "expected a value"
};

/// Dotted paths ("data.orderId", "args.0") as a tree. A member whose own name holds the dots wins
/// over the nested one.
class JsonPaths {
 public:
  explicit JsonPaths(const std::vector<std::string>& paths);
  [[nodiscard]] std::size_t size() const { return m_count; }

  struct Node {
    std::vector<std::pair<std::string, std::uint32_t>> children;
    std::vector<std::pair<std::uint32_t, std::uint8_t>>
        targets;  ///< path number, rank: the lowest rank wins
    std::vector<std::pair<std::uint32_t, std::uint8_t>>
        subtree;               ///< targets of the node and of all below
    std::uint64_t filter = 0;  ///< of the children's names
    [[nodiscard]] const std::uint32_t* find(std::string_view name) const;
  };
  [[nodiscard]] const Node& root() const { return m_nodes.front(); }
  [[nodiscard]] const Node& node(std::uint32_t index) const { return m_nodes[index]; }

 private:
  void add(const std::vector<std::string>& segments, std::uint32_t target, std::uint8_t rank);
  std::vector<Node> m_nodes;
  std::size_t m_count = 0;
};

/// Fills fields[i] with the value at path i. Views point into `text` or into `arena`.
[[nodiscard]] std::optional<JsonFault> parseJsonRow(std::string_view text, const JsonPaths& paths,
                                                    std::vector<FieldView>& fields, Arena& arena);

/// Elements of an array, or members of an object with their names. Requires text that parseJsonRow
/// took.
struct JsonElement {
  std::string_view key;  ///< member name as written between its quotes; "" in arrays
  std::string_view value;
};
[[nodiscard]] std::vector<JsonElement> jsonElements(std::string_view text, std::size_t most);
/// The text between the quotes of a JSON string that is known to be valid.
[[nodiscard]] std::string_view jsonUnescaped(std::string_view inner, Arena& arena);
/// A value known to be valid as a field.
[[nodiscard]] FieldView jsonField(std::string_view value, Arena& arena);

/// Calls fn(path, value) for each scalar of a row, depth first, until it returns false. Stops at a
/// fault.
void visitJsonScalars(
    std::string_view text, Arena& arena,
    const std::function<bool(const std::string& path, const FieldView& value)>& fn);

/// What lies between a JSON value and its rows. Dotted paths.
struct JsonNesting {
  JsonNesting() = default;
  JsonNesting(const char* path) : JsonNesting(std::string(path)) {}   // NOLINT(google-explicit-constructor): a path is one
  JsonNesting(std::string path) {                                     // NOLINT(google-explicit-constructor)
    if (!path.empty()) each.push_back(std::move(path));
  }
  JsonNesting(std::vector<std::string> lists, std::string inText)
      : each(std::move(lists)), unwrap(std::move(inText)) {}

  std::vector<std::string> each;  ///< lists of which every element is a row: the first that is there; "." is the row itself
  std::string unwrap;             ///< a text that holds the row as JSON; its own members win over those around it. A row that is a text itself is unwrapped too
};

/// Gives the rows that one JSON value makes: itself, or with `each` one for each element of that list,
/// where the element's own members win over the outer row's; "$outer.name" is the outer's all the same. With `splitsLists` a value that is a list
/// makes a row of each of its elements. "$key" is the
/// member name where rows are members of an object, "$value" a row that is no object.
class JsonRowShaper {
 public:
  JsonRowShaper(std::vector<std::string> wanted, const JsonNesting& nesting, bool splitsLists = false);

  struct Scratch {
    RowView row;
    std::vector<FieldView> outer;
    std::vector<FieldView> wrapper;
    Arena arena;
    std::vector<std::pair<std::string, std::string>> steps;   ///< columns of all rows: "$queue", "payments"
  };
  /// `place` has offset, length, line and raw. `key` is "" or the member name as written. False:
  /// stop.
  bool give(std::string_view text, const RowView& place, std::string_view key, RowSink& sink,
            Scratch& scratch) const;

 private:
  std::optional<JsonFault> read(std::string_view text, std::vector<FieldView>& fields, Scratch& scratch) const;
  bool giveList(const std::vector<JsonElement>& elements, RowSink& sink, Scratch& scratch) const;
  bool giveElements(RowSink& sink, Scratch& scratch) const;
  bool giveSelf(RowSink& sink, Scratch& scratch) const;
  void setNamed(std::vector<FieldView>& fields, std::string_view key, std::string_view value,
                Arena& arena) const;
  void setSteps(std::vector<FieldView>& fields, const Scratch& scratch) const;
  std::vector<std::string> m_wanted;
  JsonPaths m_outer;
  JsonPaths m_element;
  JsonPaths m_unwrap;
  std::size_t m_eachCount = 0;
  bool m_mayBeSelf = false;   ///< "." among them
  bool m_unwraps = false;
  bool m_splitsLists = false;
  std::vector<std::size_t> m_keyColumns, m_valueColumns;
};

}  // namespace counterfoil
