// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/tables/django_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "core/base/text.h"
#include "importers/readers/json_cursor.h"
#include "importers/readers/json_row.h"
#include "importers/readers/text_reader.h"
#include "importers/tables/row_lines.h"

namespace counterfoil {

namespace {

constexpr std::size_t kMaxModels = 10'000;
constexpr std::size_t kMaxNamesTold = 40;
constexpr std::uint64_t kBytesBetweenSigns = 1u << 20;

/// One element as its text, taken apart without copying.
struct Entry {
  std::string_view model, pk, fields;   ///< as JSON
};

/// Nothing if it is no object with these three.
std::optional<Entry> entryOf(std::string_view text) {
  Entry entry;
  if (text.empty() || text.front() != '{') return std::nullopt;
  for (const JsonElement& member : jsonElements(text, 16)) {
    if (member.key == "model") entry.model = member.value;
    if (member.key == "pk") entry.pk = member.value;
    if (member.key == "fields") entry.fields = member.value;
  }
  const bool isOne = !entry.model.empty() && entry.model.front() == '"' && !entry.fields.empty() && entry.fields.front() == '{';
  if (!isOne) return std::nullopt;
  if (entry.pk.empty()) entry.pk = "null";   // dumpdata --natural-primary leaves it out
  return entry;
}

std::string textOf(std::string_view value) {
  Arena arena;
  return std::string(jsonField(value, arena).text);
}

/// The elements of a list, or values behind each other.
class Elements {
 public:
  explicit Elements(ByteSource& source) : m_cursor(source) {}

  /// False at the end.
  Result<bool> next(std::string& text) {
    if (!m_began) {
      m_began = true;
      const Result<std::optional<char>> first = m_cursor.peek();
      if (!first) return fail(first.error());
      if (!*first) return fail(ErrorCode::Format, "the document is empty");
      m_isList = **first == '[';
      if (m_isList) m_cursor.skipOne();
      if (m_isList) {
        const Result<bool> closed = m_cursor.closesAtOnce(']');
        if (!closed) return fail(closed.error());
        if (*closed) return behindList();
      }
    } else if (m_isList) {
      const Result<bool> more = m_cursor.another(']');
      if (!more) return fail(more.error());
      if (!*more) return behindList();
    }
    if (!m_isList) {
      const Result<std::optional<char>> following = m_cursor.peek();
      if (!following) return fail(following.error());
      if (!*following) return false;
    }
    if (Result<char> there = m_cursor.need(); !there) return fail(there.error());
    m_line = m_cursor.line();
    if (Result<> read = m_cursor.value(text, kMaxRowBytes); !read) return fail(read.error());
    return true;
  }
  [[nodiscard]] std::uint64_t line() const { return m_line; }   ///< of the last one
  [[nodiscard]] std::uint64_t offset() const { return m_cursor.offset(); }

 private:
  Result<bool> behindList() {
    const Result<std::optional<char>> behind = m_cursor.peek();
    if (!behind) return fail(behind.error());
    if (*behind) return fail(m_cursor.faultHere("more after the end of the document"));
    return false;
  }

  JsonCursor m_cursor;
  bool m_began = false, m_isList = false;
  std::uint64_t m_line = 0;
};

bool isJson(std::string_view text) {
  Arena arena;
  std::vector<FieldView> fields;
  return !parseJsonRow(text, JsonPaths(std::vector<std::string>{}), fields, arena);
}

/// A value on one line: line ends between its tokens are blanks, those inside of texts are escaped.
void appendOnOneLine(std::string& out, std::string_view json) {
  for (const char c : json) out += c == '\n' || c == '\r' ? ' ' : c;
}

class DjangoRows final : public tables::RowMaker {
 public:
  DjangoRows(ByteSource& source, std::string model) : m_elements(source), m_model(std::move(model)) {}

  Result<bool> step() override {
    const std::uint64_t from = m_elements.offset();
    while (rows.text().empty()) {
      const Result<bool> more = m_elements.next(m_text);
      if (!more) return fail(more.error());
      if (!*more) return false;
      if (m_elements.offset() - from > kBytesBetweenSigns) rows.blank();
      take();
    }
    return true;
  }

 private:
  void take() {
    if (!isJson(m_text)) return rows.defect(m_elements.line(), "", "", "not valid JSON", m_text);
    const auto entry = entryOf(m_text);
    if (!entry) return rows.defect(m_elements.line(), "", "", "no object with \"model\", \"pk\" and \"fields\"", m_text);
    if (textOf(entry->model) != m_model) return;
    const std::vector<JsonElement> fields = jsonElements(entry->fields, kMaxColumns);
    const bool hasId = std::any_of(fields.begin(), fields.end(), [](const JsonElement& field) { return field.key == "id"; });
    rows.beginRow(m_elements.line());
    std::string& out = rows.text();
    out += "{\"model\":";
    out += entry->model;
    for (const std::string_view name : {"pk", "id"}) {
      if (name == "id" && hasId) continue;
      out += ",\"" + std::string(name) + "\":";
      appendOnOneLine(out, entry->pk);
    }
    out += ",\"fields\":";
    appendOnOneLine(out, entry->fields);
    for (const JsonElement& field : fields) {
      out += ",\"";
      out += field.key;
      out += "\":";
      appendOnOneLine(out, field.value);
    }
    out += '}';
    rows.endRow();
  }

  Elements m_elements;
  std::string m_model, m_text;
};

}  // namespace

bool looksLikeDumpdata(std::string_view head) {
  head = trim(head);
  if (!head.empty() && head.front() == '[') head = trim(head.substr(1));
  if (head.empty() || head.front() != '{') return false;
  // The first members, in whatever order a serializer writes them; "fields" may be longer than the head.
  const std::string_view start = head.substr(0, 4096);
  const std::size_t model = start.find("\"model\"");
  const std::size_t fields = start.find("\"fields\"");
  if (model == std::string_view::npos || fields == std::string_view::npos || model > fields) return false;
  const std::string_view before = trim(start.substr(1, model - 1));
  const std::size_t pk = start.find("\"pk\"");
  return before.empty() || (pk < model && before.substr(0, 4) == "\"pk\"");
}

Result<std::vector<DjangoModel>> djangoModels(ByteSource& source, const CancelToken* cancel) {
  std::vector<DjangoModel> models;
  std::map<std::string, std::size_t, std::less<>> known;
  Elements elements(source);
  std::string text;
  while (true) {
    if (cancel != nullptr && cancel->isCancelled()) return fail(ErrorCode::Cancelled, "stopped");
    const Result<bool> more = elements.next(text);
    const bool isTold = !more && (more.error().code == ErrorCode::Format || more.error().code == ErrorCode::Io);
    if (!more && !isTold) return fail(more.error());
    if (!more || !*more) break;
    if (!isJson(text)) continue;
    const auto entry = entryOf(text);
    if (!entry) continue;
    const std::string name = textOf(entry->model);
    if (known.count(name) > 0) continue;
    if (models.size() >= kMaxModels) return fail(ErrorCode::Limit, fmt::format("more than {} models", kMaxModels));
    known.emplace(name, models.size());
    DjangoModel& model = models.emplace_back();
    model.name = name;
    model.columns = {"pk"};
    Arena arena;
    for (const JsonElement& field : jsonElements(entry->fields, kMaxColumns)) {
      model.columns.emplace_back(jsonUnescaped(field.key, arena));
    }
  }
  return models;
}

Result<std::string> djangoModelNamed(const std::vector<DjangoModel>& models, std::string_view text) {
  std::vector<std::string> found;
  for (const DjangoModel& model : models) {
    std::string table = model.name;
    std::replace(table.begin(), table.end(), '.', '_');
    const std::string_view last = std::string_view(model.name).substr(model.name.rfind('.') + 1);
    if (model.name == text || table == text) return model.name;
    if (equalsIgnoreCase(last, text) || equalsIgnoreCase(model.name, text) || equalsIgnoreCase(table, text)) {
      found.push_back(model.name);
    }
  }
  if (found.size() == 1) return found.front();
  std::string names;
  for (std::size_t i = 0; i < models.size() && i < kMaxNamesTold; ++i) {
    names += (i > 0 ? ", " : "") + forTerminal(models[i].name);
  }
  return fail(found.empty() ? ErrorCode::Missing : ErrorCode::Ambiguous,
              fmt::format("{} model {} (models: {})", found.empty() ? "no" : "several fit", forTerminal(text), names));
}

std::unique_ptr<ByteSource> transcodeDumpdata(std::unique_ptr<ByteSource> source, std::string model) {
  return tables::sourceOfRows(std::move(source), [&](ByteSource& text) -> std::unique_ptr<tables::RowMaker> {
    return std::make_unique<DjangoRows>(text, std::move(model));
  });
}

}  // namespace counterfoil
