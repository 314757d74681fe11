// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/readers/json_document_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "core/base/text.h"
#include "importers/readers/json_cursor.h"

namespace counterfoil {

namespace {

/// Calls fn(name) with the cursor before each value of an object, or of a list with its number; fn reads or skips it.
template <class Fn>
Result<> eachMember(JsonCursor& cursor, bool isObject, const Fn& fn) {
  cursor.skipOne();
  const char closing = isObject ? '}' : ']';
  const Result<bool> closed = cursor.closesAtOnce(closing);
  if (!closed) return fail(closed.error());
  std::string name, written;
  std::size_t index = 0;
  for (bool more = !*closed; more;) {
    if (isObject) {
      Result<> read = cursor.memberName(name, written);
      if (!read) return read;
    } else {
      name = fmt::format("{}", index++);
    }
    Result<> visited = fn(name);
    if (!visited) return visited;
    const Result<bool> next = cursor.another(closing);
    if (!next) return fail(next.error());
    more = *next;
  }
  return {};
}

constexpr std::array<std::string_view, 6> kUsualNames = {"data", "items", "rows", "results", "records", "messages"};
constexpr std::size_t kMaxDocumentValueBytes = 64u << 10;
constexpr std::size_t kMaxCandidates = 64;

struct Candidate {
  std::string pointer;
  std::string name;    ///< of the member that holds it
  int depth = 0;
  bool hasObject = false;
};

std::string escapedPointerToken(std::string_view name) {
  std::string token;
  for (const char c : name) {
    if (c == '~') {
      token += "~0";
    } else if (c == '/') {
      token += "~1";
    } else {
      token += c;
    }
  }
  return token;
}

/// Looks for arrays that could be the rows.
class RowsFinder {
 public:
  explicit RowsFinder(ByteSource& source) : m_cursor(source) {}

  Result<JsonRowsFound> find() {
    const Result<std::optional<char>> first = m_cursor.peek();
    if (!first) return fail(first.error());
    if (!*first) return fail(ErrorCode::Format, "the document is empty");
    if (**first == '[') return JsonRowsFound{};
    if (**first != '{') return fail(m_cursor.faultHere("expected a JSON object or array"));
    const Result<> explored = exploreObject("", 0);
    if (!explored && m_candidates.empty()) return fail(explored.error());
    if (explored) {
      const Result<std::optional<char>> behind = m_cursor.peek();
      if (behind && *behind) return JsonRowsFound{"#", false, true};
    }
    return choose();
  }

 private:
  Result<> exploreObject(const std::string& pointer, int depth) {
    if (depth >= kMaxJsonDepth) return m_cursor.skipValue();
    m_cursor.skipOne();
    const Result<bool> closed = m_cursor.closesAtOnce('}');
    if (!closed) return fail(closed.error());
    std::string name, written;
    for (bool more = !*closed; more;) {
      Result<> step = m_cursor.memberName(name, written);
      if (step) step = exploreMember(pointer + '/' + escapedPointerToken(name), name, depth + 1);
      if (!step) return step;
      const Result<bool> next = m_cursor.another('}');
      if (!next) return fail(next.error());
      more = *next;
    }
    return {};
  }

  Result<> exploreMember(const std::string& pointer, const std::string& name, int depth) {
    const Result<char> first = m_cursor.need();
    if (!first) return fail(first.error());
    if (depth == 1) {
      ++m_members;
      if (*first != '{') m_membersAreObjects = false;
    }
    if (*first == '{') return exploreObject(pointer, depth);
    if (*first == '[') return exploreArray(pointer, name, depth);
    return m_cursor.skipValue();
  }

  Result<> exploreArray(const std::string& pointer, const std::string& name, int depth) {
    m_cursor.skipOne();
    const Result<bool> closed = m_cursor.closesAtOnce(']');
    if (!closed) return fail(closed.error());
    if (*closed) {
      if (m_candidates.size() < kMaxCandidates) m_candidates.push_back({pointer, name, depth, false});
      return {};
    }
    bool counted = false;
    for (bool more = true; more;) {
      const Result<char> first = m_cursor.need();
      if (!first) return fail(first.error());
      if (*first == '{' && !counted && m_candidates.size() < kMaxCandidates) {
        m_candidates.push_back({pointer, name, depth, true});
        counted = true;
      }
      Result<> skipped = m_cursor.skipValue();
      if (!skipped) return skipped;
      const Result<bool> next = m_cursor.another(']');
      if (!next) return fail(next.error());
      more = *next;
    }
    return {};
  }

  [[nodiscard]] Result<JsonRowsFound> choose() const {
    std::vector<Candidate> filled;
    std::copy_if(m_candidates.begin(), m_candidates.end(), std::back_inserter(filled),
                 [](const Candidate& candidate) { return candidate.hasObject; });
    if (filled.size() == 1) return JsonRowsFound{filled.front().pointer};
    if (filled.empty()) return chooseWithoutRows();
    if (const Candidate* const usual = byUsualName(filled)) return JsonRowsFound{usual->pointer};
    std::string names;
    for (const Candidate& candidate : filled) names += (names.empty() ? "" : ", ") + candidate.pointer;
    return fail(ErrorCode::Ambiguous,
                fmt::format("several arrays could hold the rows: {}; say which with \"rows\" in the layout", names));
  }

  [[nodiscard]] Result<JsonRowsFound> chooseWithoutRows() const {
    if (m_members >= 2 && m_membersAreObjects) return JsonRowsFound{};
    if (const Candidate* const usual = byUsualName(m_candidates)) return JsonRowsFound{usual->pointer};
    return JsonRowsFound{"#", true};
  }

  /// The one with the strongest name, if it is alone at the least depth.
  static const Candidate* byUsualName(const std::vector<Candidate>& candidates) {
    for (const std::string_view name : kUsualNames) {
      const Candidate* best = nullptr;
      bool alone = true;
      for (const Candidate& candidate : candidates) {
        if (!equalsIgnoreCase(candidate.name, name)) continue;
        if (best != nullptr && candidate.depth >= best->depth) {
          alone = alone && candidate.depth > best->depth;
          continue;
        }
        best = &candidate;
        alone = true;
      }
      if (best != nullptr && alone) return best;
    }
    return nullptr;
  }

  JsonCursor m_cursor;
  std::vector<Candidate> m_candidates;
  std::size_t m_members = 0;
  bool m_membersAreObjects = true;
};

bool isAnyStep(std::string_view token) {
  return token.size() >= 2 && token.front() == '{' && token.back() == '}';
}

bool fitsStep(std::string_view token, std::string_view name) { return token == name || isAnyStep(token); }

/// Elements have numbers for names, and a step that stands for any member stands for none of them.
bool mayBeInside(std::string_view token, bool isObject) {
  return isObject || (!token.empty() && token.find_first_not_of("0123456789") == std::string_view::npos);
}

/// Sees which places of some pointers are there.
class PlaceFinder {
 public:
  PlaceFinder(ByteSource& source, const std::vector<std::string>& pointers) : m_cursor(source) {
    for (const std::string& pointer : pointers) m_tokens.push_back(splitJsonPointer(pointer));
    m_found.resize(pointers.size());
  }

  Result<> go() {
    std::vector<std::size_t> all(m_tokens.size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
    return visit(all, 0);
  }
  [[nodiscard]] std::optional<std::size_t> first() const {
    const auto found = std::find(m_found.begin(), m_found.end(), true);
    if (found == m_found.end()) return std::nullopt;
    return static_cast<std::size_t>(found - m_found.begin());
  }

 private:
  Result<> visit(const std::vector<std::size_t>& wanted, std::size_t level) {
    const Result<char> first = m_cursor.need();
    if (!first) return fail(first.error());
    if (wanted.empty() || (*first != '{' && *first != '[')) return m_cursor.skipValue();
    const bool isObject = *first == '{';
    std::vector<std::size_t> deeper;
    for (const std::size_t i : wanted) {
      if (level < m_tokens[i].size()) {
        if (mayBeInside(m_tokens[i][level], isObject)) deeper.push_back(i);
      } else if (!isObject || m_tokens[i].empty() || !isAnyStep(m_tokens[i].back())) {
        m_found[i] = true;
      }
    }
    if (deeper.empty() && level == 0) return {};   // no need to go through all of it
    if (deeper.empty() || level >= static_cast<std::size_t>(kMaxJsonDepth)) return m_cursor.skipValue();
    return members(deeper, level, isObject);
  }

  Result<> members(const std::vector<std::size_t>& wanted, std::size_t level, bool isObject) {
    return eachMember(m_cursor, isObject, [&](const std::string& name) {
      std::vector<std::size_t> below;
      for (const std::size_t i : wanted) {
        if (!m_found[i] && fitsStep(m_tokens[i][level], name)) below.push_back(i);
      }
      return visit(below, level + 1);
    });
  }

  JsonCursor m_cursor;
  std::vector<std::vector<std::string>> m_tokens;
  std::vector<bool> m_found;
};

/// Walks to the places that some pointers name.
class PointerWalk {
 public:
  PointerWalk(ByteSource& source, const std::vector<std::string>& pointers) : m_cursor(source) {
    for (std::size_t i = 0; i < pointers.size(); ++i) m_tokens.push_back(splitJsonPointer(pointers[i]));
    m_values.resize(pointers.size());
    m_found.resize(pointers.size());
  }

  Result<> go() {
    std::vector<std::size_t> all(m_tokens.size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
    return visit(all, 0);
  }
  [[nodiscard]] bool found(std::size_t i) const { return m_found[i]; }
  [[nodiscard]] const std::string& value(std::size_t i) const { return m_values[i]; }

 private:
  Result<> visit(const std::vector<std::size_t>& wanted, std::size_t level) {
    const Result<char> first = m_cursor.need();
    if (!first) return fail(first.error());
    const bool isContainer = *first == '{' || *first == '[';
    if (wanted.empty() || (isContainer && level >= static_cast<std::size_t>(kMaxJsonDepth))) return m_cursor.skipValue();
    if (!isContainer) return scalar(wanted, level);
    return eachMember(m_cursor, *first == '{', [&](const std::string& name) {
      std::vector<std::size_t> below;
      for (const std::size_t i : wanted) {
        if (level < m_tokens[i].size() && m_tokens[i][level] == name) below.push_back(i);
      }
      return visit(below, level + 1);
    });
  }

  Result<> scalar(const std::vector<std::size_t>& wanted, std::size_t level) {
    std::string text;
    Result<> read = m_cursor.value(text, kMaxDocumentValueBytes);
    if (!read) return read;
    Arena arena;
    std::vector<FieldView> fields;
    if (parseJsonRow(text, JsonPaths(std::vector<std::string>{}), fields, arena)) {
      return fail(m_cursor.faultHere("not a JSON value"));
    }
    const FieldView field = jsonField(text, arena);
    for (const std::size_t i : wanted) {
      if (m_tokens[i].size() != level || field.type == FieldType::Null) continue;
      m_values[i] = std::string(field.text);
      m_found[i] = true;
    }
    return {};
  }

  JsonCursor m_cursor;
  std::vector<std::vector<std::string>> m_tokens;
  std::vector<std::string> m_values;
  std::vector<bool> m_found;
};

/// Reads the rows of a document on the way through it.
class RowsReader {
 public:
  RowsReader(ByteSource& source, const JsonRowsFound& rows, const JsonRowShaper& shaper, RowSink& sink,
             const CancelToken* cancel)
      : m_cursor(source), m_tokens(splitJsonPointer(rows.pointer)), m_pointer(rows.pointer),
        m_isOneRow(rows.isOneRow), m_mayBeMissing(rows.mayBeMissing),
        m_isPattern(std::any_of(m_tokens.begin(), m_tokens.end(), isAnyStep)), m_shaper(shaper), m_sink(sink),
        m_cancel(cancel) {}

  Result<> go() {
    const Result<std::optional<char>> first = m_cursor.peek();
    if (!first) return fail(first.error());
    if (!*first) return fail(ErrorCode::Format, "the document is empty");
    Result<> read = visit(0);
    if (!read || m_stopped) return read;
    if (!m_reached && m_mayBeMissing) return {};
    if (!m_reached) return fail(ErrorCode::Missing, fmt::format("the document has nothing at {}", m_pointer));
    const Result<std::optional<char>> behind = m_cursor.peek();
    if (!behind) return fail(behind.error());
    if (*behind) return fail(m_cursor.faultHere("more after the end of the document"));
    return {};
  }

 private:
  Result<> visit(std::size_t level) {
    if (level == m_tokens.size()) return m_isPattern ? rowsOfPattern() : rows();
    const Result<char> first = m_cursor.need();
    if (!first) return fail(first.error());
    if (*first != '{' && *first != '[') return m_cursor.skipValue();
    const bool isObject = *first == '{';
    const std::string& token = m_tokens[level];
    if (!mayBeInside(token, isObject)) return level == 0 ? Result<>() : m_cursor.skipValue();
    m_cursor.skipOne();
    const bool isAny = isAnyStep(token);
    return forEach(isObject, [&](const std::string& name, const std::string&) {
      if (!isAny && ((m_reached && !m_isPattern) || name != token)) return m_cursor.skipValue();
      if (!isAny) return visit(level + 1);
      m_scratch.steps.emplace_back('$' + token.substr(1, token.size() - 2), name);
      Result<> visited = visit(level + 1);
      m_scratch.steps.pop_back();
      return visited;
    });
  }

  /// Of several places those that hold no rows are passed by.
  Result<> rowsOfPattern() {
    const Result<char> first = m_cursor.need();
    if (!first) return fail(first.error());
    const bool holdsRows = *first == '[' || (*first == '{' && !isAnyStep(m_tokens.back()));
    return holdsRows ? rows() : m_cursor.skipValue();
  }

  template <class Fn>
  Result<> forEach(bool isObject, Fn&& fn) {
    const char closing = isObject ? '}' : ']';
    const Result<bool> closed = m_cursor.closesAtOnce(closing);
    if (!closed) return fail(closed.error());
    std::string name, written;
    std::size_t index = 0;
    for (bool more = !*closed; more && !m_stopped;) {
      if (isObject) {
        Result<> read = m_cursor.memberName(name, written);
        if (!read) return read;
      } else {
        name = fmt::format("{}", index++);
      }
      const Result<> done = fn(name, written);
      if (!done || m_stopped) return done;
      const Result<bool> next = m_cursor.another(closing);
      if (!next) return fail(next.error());
      more = *next;
    }
    return {};
  }

  Result<> rows() {
    m_reached = true;
    const Result<char> first = m_cursor.need();
    if (!first) return fail(first.error());
    if (m_isOneRow) return row("");
    if (*first != '{' && *first != '[') {
      std::string text;
      Result<> read = m_cursor.value(text, kMaxDocumentValueBytes);
      if (!read) return read;
      if (text == "null") return {};
      return fail(ErrorCode::Format, fmt::format("at {} there is neither an array nor an object", m_pointer));
    }
    const bool isObject = *first == '{';
    m_cursor.skipOne();
    return forEach(isObject, [&](const std::string&, const std::string& written) {
      return row(isObject ? std::string_view(written) : std::string_view());
    });
  }

  Result<> row(std::string_view key) {
    if (m_cancel != nullptr && m_cancel->isCancelled()) return fail(ErrorCode::Cancelled, "stopped");
    const Result<char> first = m_cursor.need();
    if (!first) return fail(first.error());
    m_place.offset = m_cursor.offset();
    m_place.line = m_cursor.line();
    Result<> read = m_cursor.value(m_text, kMaxRowBytes);
    if (!read) return read;
    m_place.length = m_text.size();
    m_place.raw = m_text;
    m_stopped = !m_shaper.give(m_text, m_place, key, m_sink, m_scratch);
    return {};
  }

  JsonCursor m_cursor;
  std::vector<std::string> m_tokens;
  std::string m_pointer;
  bool m_isOneRow;
  bool m_mayBeMissing;
  bool m_isPattern;   ///< several places may fit
  const JsonRowShaper& m_shaper;
  RowSink& m_sink;
  const CancelToken* m_cancel;
  JsonRowShaper::Scratch m_scratch;
  RowView m_place;
  std::string m_text;
  bool m_reached = false;
  bool m_stopped = false;
};

}  // namespace

std::vector<std::string> splitJsonPointer(std::string_view pointer) {
  std::vector<std::string> tokens;
  if (!pointer.empty() && pointer.front() == '#') pointer.remove_prefix(1);
  if (pointer.empty()) return tokens;
  if (pointer.front() == '/') pointer.remove_prefix(1);
  tokens.emplace_back();
  for (std::size_t i = 0; i < pointer.size(); ++i) {
    if (pointer[i] == '/') {
      tokens.emplace_back();
    } else if (pointer[i] == '~' && i + 1 < pointer.size() && (pointer[i + 1] == '0' || pointer[i + 1] == '1')) {
      tokens.back() += pointer[++i] == '0' ? '~' : '/';
    } else {
      tokens.back() += pointer[i];
    }
  }
  return tokens;
}

Result<std::optional<std::size_t>> firstJsonPlace(ByteSource& source, const std::vector<std::string>& pointers) {
  PlaceFinder finder(source, pointers);
  const Result<> gone = finder.go();
  if (!gone && gone.error().code != ErrorCode::Format && gone.error().code != ErrorCode::Io) return fail(gone.error());
  return finder.first();
}

Result<JsonRowsFound> findJsonRows(ByteSource& source) { return RowsFinder(source).find(); }

Result<std::vector<std::pair<std::string, std::string>>> readJsonDocumentValues(
    ByteSource& source, const std::vector<std::string>& pointers) {
  PointerWalk walk(source, pointers);
  const Result<> gone = walk.go();
  std::vector<std::pair<std::string, std::string>> values;
  for (std::size_t i = 0; i < pointers.size(); ++i) {
    if (walk.found(i)) values.emplace_back(pointers[i], walk.value(i));
  }
  // A document that is cut off is told by the reading of its rows.
  if (!gone && gone.error().code != ErrorCode::Format && gone.error().code != ErrorCode::Io) return fail(gone.error());
  return values;
}

Result<> readJsonRows(ByteSource& source, const JsonRowsFound& rows, const JsonRowShaper& shaper, RowSink& sink,
                      const CancelToken* cancel) {
  return RowsReader(source, rows, shaper, sink, cancel).go();
}

}  // namespace counterfoil
