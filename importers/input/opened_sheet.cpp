// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/input/opened_sheet.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "core/base/text.h"
#include "importers/xlsx/sheet_stage.h"

namespace counterfoil {

namespace {

constexpr std::size_t kHeadBytes = 64u << 10;

std::string namesOf(const std::vector<SheetInfo>& sheets) {
  std::string names;
  for (const SheetInfo& sheet : sheets) {
    names +=
        (names.empty() ? "" : ", ") + forTerminal(sheet.name) + (sheet.isHidden ? " (hidden)" : "");
  }
  return names;
}

/// Number cells are written with the sign that the layout declares: a mapping made for the CSV
/// export of the same statement says "decimal": ",".
char decimalOf(const Layout& layout) {
  if (!layout.decimal) return 0;
  return *layout.decimal == DecimalSign::Comma ? ',' : '.';
}

/// Sheets that may be read: the one that is named, else those that are not hidden.
Result<std::vector<std::size_t>> candidates(const std::vector<SheetInfo>& sheets,
                                            const std::string& wanted) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < sheets.size(); ++i) {
    if (wanted.empty() ? !sheets[i].isHidden : sheets[i].name == wanted) found.push_back(i);
  }
  if (wanted.empty() && found.empty()) {
    return fail(ErrorCode::Missing,
                fmt::format("all sheets are hidden: {}; name one with \"sheet\" in the layout",
                            namesOf(sheets)));
  }
  for (std::size_t i = 0; i < sheets.size() && found.empty(); ++i) {
    if (equalsIgnoreCase(sheets[i].name, wanted)) found.push_back(i);
  }
  if (!found.empty()) return found;
  std::size_t number = 0;
  const auto parsed = std::from_chars(wanted.data(), wanted.data() + wanted.size(), number);
  const bool isNumber = parsed.ec == std::errc() && parsed.ptr == wanted.data() + wanted.size();
  if (isNumber && number >= 1 && number <= sheets.size())
    return std::vector<std::size_t>{number - 1};
  return fail(ErrorCode::Missing, fmt::format("no sheet {}; the workbook has {}",
                                              forTerminal(wanted), namesOf(sheets)));
}

Result<std::string> headOfSheet(const OpenedFile& file, const std::shared_ptr<const Workbook>& book,
                                std::size_t sheet) {
  BookShelf* const shelf = file.place.shelf.get();
  if (shelf != nullptr && shelf->heads.count(sheet) > 0) return shelf->heads[sheet];
  const auto stage = makeSheetStage(book, sheet, decimalOf(file.layout));
  if (!stage) return fail(stage.error());
  std::string head;
  while (head.size() < kHeadBytes) {
    const Result<std::size_t> got = (*stage)->read(head, kHeadBytes - head.size());
    if (!got && head.empty()) return fail(got.error());
    if (!got || *got == 0) break;  // a fault behind the first rows is met again by reading
  }
  if (shelf != nullptr && decimalOf(file.layout) == 0) shelf->heads[sheet] = head;
  return head;
}

struct BestSheet {
  std::optional<std::size_t> sheet;
  CsvHead head;
  std::vector<std::size_t> tied;
  std::optional<Error> firstFault;
};

Result<BestSheet> bestOf(const OpenedFile& file, const std::shared_ptr<const Workbook>& book,
                         const std::vector<std::size_t>& sheets,
                         const std::vector<std::string>& known) {
  Layout layout = file.layout;
  layout.delimiter = ',';
  BestSheet best;
  std::vector<std::pair<std::size_t, std::size_t>> hits;  // of sheets with a header
  for (const std::size_t sheet : sheets) {
    const auto text = headOfSheet(file, book, sheet);
    if (!text) return fail(text.error());
    auto head = sniffCsv(*text, layout, known);
    if (!head) {
      if (!best.firstFault) best.firstFault = head.error();
      continue;
    }
    hits.emplace_back(sheet, head->hits);
    if (best.sheet && head->hits <= best.head.hits) continue;
    best.sheet = sheet;
    best.head = std::move(*head);
  }
  for (const auto& [sheet, count] : hits) {
    // Refunds have a column less than payments, say; the sums of a summary share a few names only.
    if (sheet != best.sheet && count >= 2 && count * 3 >= best.head.hits * 2)
      best.tied.push_back(sheet);
  }
  return best;
}

}  // namespace

Result<> openSheet(OpenedFile& file, const std::vector<std::string>& known) {
  const auto book = openWorkbook(file.place);
  if (!book) return fail(book.error());
  const std::vector<SheetInfo>& sheets = (*book)->sheets();
  const auto found = candidates(sheets, file.layout.sheet);
  if (!found) return fail(found.error().within(file.path));
  auto best = bestOf(file, *book, *found, known);
  if (!best) return fail(best.error().within(file.path));
  if (!best->sheet) {
    return fail(best->firstFault->code,
                fmt::format("{} (sheets: {})", best->firstFault->message, namesOf(sheets)));
  }
  if (best->head.columns.size() > kMaxColumns) {
    return fail(ErrorCode::Limit, fmt::format("more than {} columns", kMaxColumns));
  }
  file.sheet = *best->sheet;
  file.sheetName = sheets[file.sheet].name;
  for (const std::size_t tied : best->tied) file.tiedSheets.push_back(sheets[tied].name);
  file.csv = std::move(best->head);
  file.layout.delimiter = ',';
  file.columns = file.csv.columns;
  file.dataOffset = file.csv.dataStart;
  file.dataLine = file.csv.dataLine;
  return {};
}

Result<std::unique_ptr<ByteSource>> openSheetSource(const OpenedFile& file) {
  auto book = openWorkbook(file.place);
  if (!book) return fail(book.error());
  if (file.sheet >= (*book)->sheets().size()) {
    return fail(ErrorCode::Io,
                fmt::format("{}: the file changed after it was looked at", file.path));
  }
  auto stage = makeSheetStage(std::move(*book), file.sheet, decimalOf(file.layout));
  if (!stage) return fail(stage.error());
  return sourceOfStage(file.nature, std::move(*stage));
}

Result<> demandOneSheet(const OpenedFile& file) {
  if (file.tiedSheets.empty()) return {};
  std::string names = forTerminal(file.sheetName);
  for (const std::string& name : file.tiedSheets) names += ", " + forTerminal(name);
  return fail(ErrorCode::Ambiguous, fmt::format("{}: several sheets could hold the rows: {}; name "
                                                "one with \"sheet\" in the layout, and give "
                                                "each that counts a source of its own",
                                                file.path, names));
}

}  // namespace counterfoil
