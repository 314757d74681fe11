// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/review_sheet.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "app/output_file.h"
#include "core/base/text.h"
#include "importers/source/byte_stage.h"
#include "importers/xlsx/sheet_stage.h"
#include "importers/xlsx/workbook.h"
#include "reports/model/report_case.h"

namespace counterfoil {
namespace {

constexpr std::size_t kSheetBytesMost = 64u << 20;
constexpr std::size_t kRowsMost = 1'048'576;
constexpr std::size_t kColumnsMost = 1000;
constexpr std::string_view kColumns[] = {"case", "case_version", "decision", "decision_reason", "assignee", "note"};

using Row = std::vector<std::string>;

/// One row of RFC 4180 text, taken off the front. False at the end.
bool takeRow(std::string_view& text, Row& row, std::uint64_t& lines) {
  row.clear();
  if (text.empty()) return false;
  std::string field;
  bool quoted = false;
  lines = 1;
  std::size_t at = 0;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (quoted) {
      if (c == '\n') ++lines;
      if (c != '"') {
        field += c;
      } else if (at + 1 < text.size() && text[at + 1] == '"') {
        field += '"';
        ++at;
      } else {
        quoted = false;
      }
    } else if (c == '"' && field.empty()) {
      quoted = true;
    } else if (c == ',' || c == '\n') {
      if (row.size() < kColumnsMost) row.push_back(std::move(field));
      field.clear();
      if (c == '\n') break;
    } else if (c != '\r') {
      field += c;
    }
  }
  if (at == text.size() && row.size() < kColumnsMost) row.push_back(std::move(field));
  text.remove_prefix(std::min(at + 1, text.size()));
  return true;
}

/// A spreadsheet guard: '=… and the like are written with a leading apostrophe.
std::string plain(std::string text) {
  const auto isBlank = [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; };
  while (!text.empty() && isBlank(text.back())) text.pop_back();
  text.erase(text.begin(), std::find_if_not(text.begin(), text.end(), isBlank));
  if (text.size() > 1 && text[0] == '\'' && std::string_view("=+-@").find(text[1]) != std::string_view::npos) text.erase(0, 1);
  return text;
}

/// By its code, or by its title in a language that reports come in.
bool isTitleOf(const std::string& text, std::string_view code) {
  if (toLowerAscii(text) == code) return true;
  for (const CaseColumn& column : caseColumns()) {
    if (column.code != code) continue;
    for (const Language language : {Language::English, Language::Russian}) {
      if (text == Words(language)(column.title)) return true;
    }
  }
  return false;
}

/// Where the columns stand; nothing if the row is no head.
std::optional<std::map<std::string_view, std::size_t>> headOf(const Row& row) {
  std::map<std::string_view, std::size_t> columns;
  for (std::size_t i = 0; i < row.size(); ++i) {
    for (const std::string_view name : kColumns) {
      if (isTitleOf(plain(row[i]), name)) columns.emplace(name, i);
    }
  }
  if (!columns.contains("case") || !columns.contains("decision")) return {};
  return columns;
}

class SheetRows {
 public:
  explicit SheetRows(std::vector<ReviewRow>& out) : m_out(out) {}

  /// False: the text has no head with the columns.
  Result<bool> read(std::string_view text) {
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    Row row;
    std::uint64_t line = 1, lines = 0;
    std::optional<std::map<std::string_view, std::size_t>> head;
    for (std::size_t count = 0; takeRow(text, row, lines); line += lines) {
      if (++count > kRowsMost) return fail(ErrorCode::Limit, fmt::format("more than {} rows", kRowsMost));
      if (!head) {
        head = headOf(row);
        continue;
      }
      take(*head, row, line);
    }
    return head.has_value();
  }

 private:
  static std::string field(const std::map<std::string_view, std::size_t>& head, const Row& row, std::string_view name) {
    const auto at = head.find(name);
    return at == head.end() || at->second >= row.size() ? std::string() : plain(row[at->second]);
  }

  void take(const std::map<std::string_view, std::size_t>& head, const Row& row, std::uint64_t line) {
    ReviewRow out;
    out.line = line;
    out.caseId = field(head, row, "case");
    const std::string decision = toLowerAscii(field(head, row, "decision"));
    const std::string note = field(head, row, "note");
    if (decision.empty() && note.empty()) return;   // nobody asked for anything
    out.change.caseVersion = toLowerAscii(field(head, row, "case_version"));
    out.change.reason = field(head, row, "decision_reason");
    out.change.note = note;
    if (const std::string assignee = field(head, row, "assignee"); !assignee.empty()) out.change.assignee = assignee;
    if (!decision.empty()) out.change.state = reviewStateFromCode(decision);
    if (!decision.empty() && !out.change.state) out.fault = fmt::format("there is no decision '{}'", forTerminal(decision));
    else if (out.caseId.empty()) out.fault = "the row names no case";
    else if (!decision.empty() && out.change.caseVersion.empty()) out.fault = "case_version is blank: export the list again";
    m_out.push_back(std::move(out));
  }

  std::vector<ReviewRow>& m_out;
};

Result<std::string> textOfSheet(const std::shared_ptr<const Workbook>& book, std::size_t sheet) {
  const auto stage = makeSheetStage(book, sheet, 0);
  if (!stage) return fail(stage.error());
  std::string text;
  for (;;) {
    const auto got = (*stage)->read(text, 1u << 20);
    if (!got) return fail(got.error());
    if (*got == 0) return text;
    if (text.size() > kSheetBytesMost) return fail(ErrorCode::Limit, "a sheet larger than 64 MiB");
  }
}

bool isWorkbook(std::string_view bytes) { return bytes.starts_with("PK\x03\x04"); }

tl::unexpected<Error> noColumns(const std::string& path) {
  return fail(ErrorCode::Format, path + ": no columns named case and decision; counterfoil report STORE --format xlsx (or csv) writes them");
}

}  // namespace

Result<std::vector<ReviewRow>> readReviewSheet(const std::string& path) {
  std::vector<ReviewRow> rows;
  SheetRows reader(rows);
  auto bytes = readSmallFile(path, kSheetBytesMost);
  if (!bytes) return fail(bytes.error());
  if (!isWorkbook(*bytes)) {
    const auto read = reader.read(*bytes);
    if (!read) return fail(read.error().within(path));
    if (!*read) return noColumns(path);
    return rows;
  }
  FilePlace place;
  place.path = path;
  const auto book = openWorkbook(place);
  if (!book) return fail(book.error().within(path));
  bool any = false;
  for (std::size_t sheet = 0; sheet < (*book)->sheets().size(); ++sheet) {
    const auto text = textOfSheet(*book, sheet);
    if (!text) return fail(text.error().within(path));
    const auto read = reader.read(*text);
    if (!read) return fail(read.error().within(path));
    any = any || *read;
  }
  if (!any) return noColumns(path);
  return rows;
}

}  // namespace counterfoil
