// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/xlsx/xlsx_book.h"

#include <fmt/format.h>
#include <xlsxwriter.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <type_traits>

#include "core/base/text.h"

namespace counterfoil {
namespace {

constexpr std::string_view kCut = " … (cut: a cell holds no more)";
constexpr std::size_t kNameMost = 31;
/// A double holds so many decimal digits exactly; what has more is written as a text.
constexpr std::int64_t kExactMost = 999'999'999'999'999;
constexpr std::size_t kExponents = 5;

/// UTF-16 units, as Excel counts.
std::size_t unitsOf(unsigned char lead) { return lead < 0x80 || lead >= 0xc0 ? (lead >= 0xf0 ? 2 : 1) : 0; }

/// The only place where an amount becomes floating point: nothing is computed with it any more. The quotient of two
/// integers below 10^15 is the double nearest to the decimal, so every digit is shown as it is.
double shownNumber(std::int64_t minor, int exponent) {
  double divisor = 1;
  for (int i = 0; i < exponent; ++i) divisor *= 10;
  return static_cast<double>(minor) / divisor;
}

/// What no sheet name may hold.
std::string sheetName(std::string_view name) {
  std::string out;
  std::size_t units = 0;
  for (const char c : xlsxText(name)) {
    units += unitsOf(static_cast<unsigned char>(c));
    if (units > kNameMost - 5) break;   // room for " (12)"
    out += std::string_view("[]:*?/\\'").find(c) == std::string_view::npos ? c : ' ';
  }
  return out.empty() ? "Sheet" : out;
}

}  // namespace

std::string xlsxText(std::string_view text) {
  std::string clean = forTerminal(text);
  std::size_t units = 0, at = 0;
  const std::size_t room = kXlsxTextMost - kCut.size();
  std::size_t cut = clean.size();
  for (; at < clean.size(); ++at) {
    units += unitsOf(static_cast<unsigned char>(clean[at]));
    if (units <= room) cut = at + 1;
    if (units > kXlsxTextMost) break;
  }
  if (at == clean.size()) return clean;
  while (cut > 0 && cut < clean.size() && (static_cast<unsigned char>(clean[cut]) & 0xc0) == 0x80) --cut;
  clean.resize(cut);
  return clean.append(kCut);
}

struct XlsxBook::Impl {
  std::string path, folder;
  std::uint32_t rowsMost = kXlsxRowsMost;
  lxw_workbook* book = nullptr;
  lxw_worksheet* sheet = nullptr;
  lxw_format *head = nullptr, *instant = nullptr, *whole = nullptr;
  std::array<lxw_format*, kExponents> money{};
  std::string name;
  std::vector<XlsxColumn> columns;
  std::uint32_t row = 0;
  std::size_t part = 1, further = 0;
  std::string problem;   ///< the first

  ~Impl() {
    if (book != nullptr) lxw_workbook_free(book);
  }
  void keep(lxw_error error) {
    if (error != LXW_NO_ERROR && problem.empty()) problem = lxw_strerror(error);
  }
  void makeFormats();
  void beginSheet();
  void endSheet();
  void put(std::uint16_t column, const CellValue& cell);
  void putText(std::uint16_t column, std::string_view text, lxw_format* format = nullptr) {
    keep(worksheet_write_string(sheet, row, column, xlsxText(text).c_str(), format));
  }
};

void XlsxBook::Impl::makeFormats() {
  head = workbook_add_format(book);
  format_set_bold(head);
  format_set_bg_color(head, 0xE8EEF4);
  format_set_bottom(head, LXW_BORDER_THIN);
  instant = workbook_add_format(book);
  format_set_num_format(instant, "yyyy-mm-dd hh:mm:ss");
  format_set_align(instant, LXW_ALIGN_LEFT);
  whole = workbook_add_format(book);
  format_set_num_format(whole, "#,##0");
  for (std::size_t exponent = 0; exponent < kExponents; ++exponent) {
    money[exponent] = workbook_add_format(book);
    const std::string digits = exponent == 0 ? "" : "." + std::string(exponent, '0');
    format_set_num_format(money[exponent], ("#,##0" + digits).c_str());
  }
}

void XlsxBook::Impl::beginSheet() {
  const std::string title = part == 1 ? name : fmt::format("{} ({})", name, part);
  sheet = workbook_add_worksheet(book, title.c_str());
  if (sheet == nullptr) {
    keep(LXW_ERROR_SHEETNAME_ALREADY_USED);
    return;
  }
  row = 0;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const auto column = static_cast<lxw_col_t>(i);
    keep(worksheet_set_column(sheet, column, column, columns[i].width, nullptr));
    putText(column, columns[i].title, head);
  }
  ++row;
  worksheet_freeze_panes(sheet, 1, 0);
}

void XlsxBook::Impl::endSheet() {
  if (sheet == nullptr) return;
  const std::uint32_t last = std::max(row, 2u) - 1;
  if (!columns.empty()) keep(worksheet_autofilter(sheet, 0, 0, last, static_cast<lxw_col_t>(columns.size() - 1)));
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].choices.empty()) continue;
    using Words = std::remove_pointer_t<decltype(lxw_data_validation::value_list)>;
    std::vector<std::string> texts = columns[i].choices;
    std::vector<Words> words;
    for (std::string& word : texts) words.push_back(word.data());
    words.push_back(nullptr);
    lxw_data_validation choice{};
    choice.validate = LXW_VALIDATION_TYPE_LIST;
    choice.value_list = words.data();
    choice.error_type = LXW_VALIDATION_ERROR_TYPE_WARNING;
    keep(worksheet_data_validation_range(sheet, 1, static_cast<lxw_col_t>(i), last, static_cast<lxw_col_t>(i), &choice));
  }
  sheet = nullptr;
}

void XlsxBook::Impl::put(std::uint16_t column, const CellValue& cell) {
  if (const auto* text = std::get_if<std::string>(&cell)) {
    if (!text->empty()) putText(column, *text);
  } else if (const auto* number = std::get_if<std::int64_t>(&cell)) {
    if (*number > kExactMost || *number < -kExactMost) putText(column, std::to_string(*number));
    else keep(worksheet_write_number(sheet, row, column, static_cast<double>(*number), whole));
  } else if (const auto* amount = std::get_if<Money>(&cell)) {
    const int exponent = std::clamp(amount->currency.exponent(), 0, static_cast<int>(kExponents) - 1);
    if (amount->minor > kExactMost || amount->minor < -kExactMost) putText(column, formatPlain(*amount));
    else keep(worksheet_write_number(sheet, row, column, shownNumber(amount->minor, exponent), money[static_cast<std::size_t>(exponent)]));
  } else if (const auto* at = std::get_if<Instant>(&cell)) {
    const auto seconds = std::chrono::floor<std::chrono::seconds>(*at).time_since_epoch().count();
    keep(worksheet_write_unixtime(sheet, row, column, seconds, instant));
  }
}

XlsxBook::XlsxBook(std::unique_ptr<Impl> impl) : m_impl(std::move(impl)) {}
XlsxBook::~XlsxBook() = default;
XlsxBook::XlsxBook(XlsxBook&&) noexcept = default;

Result<XlsxBook> XlsxBook::create(const std::string& path, std::uint32_t rowsMost) {
  auto impl = std::make_unique<Impl>();
  impl->path = path;
  impl->rowsMost = rowsMost;
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  impl->folder = folder.empty() ? "." : folder.string();
  lxw_workbook_options options{};
  options.constant_memory = LXW_TRUE;
  options.tmpdir = impl->folder.data();
  impl->book = workbook_new_opt(path.c_str(), &options);
  if (impl->book == nullptr) return fail(ErrorCode::WriteFailed, "cannot write " + path);
  lxw_doc_properties properties{};
  properties.created = 1;   // nobody's clock: equal reports are equal files
  impl->keep(workbook_set_properties(impl->book, &properties));
  impl->makeFormats();
  return XlsxBook(std::move(impl));
}

void XlsxBook::addSheet(std::string_view name, std::vector<XlsxColumn> columns) {
  m_impl->endSheet();
  m_impl->name = sheetName(name);
  m_impl->columns = std::move(columns);
  m_impl->part = 1;
  m_impl->beginSheet();
}

void XlsxBook::addRow(const std::vector<CellValue>& cells) {
  Impl& my = *m_impl;
  if (my.row >= my.rowsMost && my.sheet != nullptr) {
    my.endSheet();
    ++my.part;
    ++my.further;
    my.beginSheet();
  }
  if (my.sheet == nullptr) return;
  for (std::size_t i = 0; i < cells.size() && i < my.columns.size(); ++i) my.put(static_cast<std::uint16_t>(i), cells[i]);
  ++my.row;
}

std::size_t XlsxBook::furtherSheets() const { return m_impl->further; }

Result<> XlsxBook::finish() {
  m_impl->endSheet();
  const lxw_error closed = workbook_close(m_impl->book);   // frees it, whatever comes of it
  m_impl->book = nullptr;
  m_impl->keep(closed);
  if (m_impl->problem.empty()) return {};
  return fail(ErrorCode::WriteFailed, fmt::format("cannot write {}: {}", m_impl->path, m_impl->problem));
}

}  // namespace counterfoil
