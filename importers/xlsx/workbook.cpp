// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/xlsx/workbook.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>

#include "core/base/text.h"
#include "importers/xlsx/xml_parser.h"

namespace counterfoil {

namespace {

constexpr std::uint64_t kMaxTextBytes = 256ull << 20;
constexpr std::size_t kMaxTexts = 20'000'000;
constexpr std::size_t kTextBlockBytes = 1u << 20;
constexpr std::size_t kMaxSheets = 1024;
constexpr std::size_t kMaxStyles = 70'000;  // Excel itself stops at 65,490
constexpr std::size_t kMaxOneText = 4u << 20;
constexpr std::uint64_t kMaxMemberBytes = 64ull << 20;  ///< of a workbook inside a zip archive
constexpr UnpackLimits kLimits{1ull << 34, 1000};

std::optional<unsigned> numberOf(std::string_view text) {
  unsigned value = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
  if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size()) return std::nullopt;
  return value;
}

bool isTrue(std::string_view text) {
  return text == "1" || text == "true";
}

/// "xl/workbook.xml" and "worksheets/sheet1.xml" give "xl/worksheets/sheet1.xml".
std::string partBeside(std::string_view part, std::string_view target) {
  std::string folder(
      part.substr(0, part.rfind('/') == std::string_view::npos ? 0 : part.rfind('/') + 1));
  if (!target.empty() && target.front() == '/') {
    folder.clear();
    target.remove_prefix(1);
  }
  while (target.substr(0, 3) == "../" || target.substr(0, 2) == "./") {
    const bool up = target[1] == '.';
    target.remove_prefix(up ? 3 : 2);
    if (!up || folder.empty()) continue;
    const std::size_t slash = folder.rfind('/', folder.size() - 2);
    folder.resize(folder.size() < 2 || slash == std::string::npos ? 0 : slash + 1);
  }
  return folder + std::string(target);
}

struct Relation {
  std::string type, target;
};

class RelationHandler final : public XmlHandler {
 public:
  void onStart(std::string_view name, const XmlAttributes& attributes) override {
    if (name != "Relationship" || relations.size() > kMaxSheets * 4) return;
    relations[std::string(attributes.get("Id"))] = {std::string(attributes.get("Type")),
                                                    std::string(attributes.get("Target"))};
  }
  void onEnd(std::string_view) override {}
  void onText(std::string_view) override {}
  [[nodiscard]] const Relation* ofType(std::string_view end) const {
    for (const auto& [id, relation] : relations) {
      const std::string_view type = relation.type;
      if (type.size() >= end.size() && type.substr(type.size() - end.size()) == end)
        return &relation;
    }
    return nullptr;
  }
  std::map<std::string, Relation> relations;
};

class WorkbookHandler final : public XmlHandler {
 public:
  struct Sheet {
    std::string name, relation;
    bool isHidden = false;
  };
  void onStart(std::string_view name, const XmlAttributes& attributes) override {
    if (name == "workbookPr") is1904 = isTrue(attributes.get("date1904"));
    if (name != "sheet") return;
    if (sheets.size() >= kMaxSheets) {
      fault = Error{ErrorCode::Limit, fmt::format("a workbook of more than {} sheets", kMaxSheets)};
      return;
    }
    const std::string_view state = attributes.get("state");
    sheets.push_back({std::string(attributes.get("name")), std::string(attributes.get("id")),
                      state == "hidden" || state == "veryHidden"});
  }
  void onEnd(std::string_view) override {}
  void onText(std::string_view) override {}
  std::vector<Sheet> sheets;
  bool is1904 = false;
};

class StyleHandler final : public XmlHandler {
 public:
  void onStart(std::string_view name, const XmlAttributes& attributes) override {
    if (name == "numFmt") {
      const auto id = numberOf(attributes.get("numFmtId"));
      if (id && m_codes.size() < kMaxStyles)
        m_codes[*id] = formOfCode(attributes.get("formatCode"));
    } else if (name == "cellXfs") {
      m_inCells = true;
    } else if (name == "xf" && m_inCells && m_formats.size() < kMaxStyles) {
      m_formats.push_back(numberOf(attributes.get("numFmtId")).value_or(0));
    }
  }
  void onEnd(std::string_view name) override {
    if (name == "cellXfs") m_inCells = false;
  }
  void onText(std::string_view) override {}
  /// Formats may stand behind the styles that use them.
  [[nodiscard]] std::vector<CellForm> forms() const {
    std::vector<CellForm> all;
    for (const unsigned id : m_formats) {
      const auto own = m_codes.find(id);
      all.push_back(own != m_codes.end() ? own->second : formOfBuiltin(id));
    }
    return all;
  }

 private:
  std::map<unsigned, CellForm> m_codes;
  std::vector<unsigned> m_formats;
  bool m_inCells = false;
};

class TextsHandler final : public XmlHandler {
 public:
  explicit TextsHandler(SharedTexts& texts) : m_texts(texts) {}
  void onStart(std::string_view name, const XmlAttributes&) override {
    if (name == "si") m_raw.clear();
    if (name == "t") m_inText = true;
    if (name == "rPh") m_inReading = true;
  }
  void onEnd(std::string_view name) override {
    if (name == "t") m_inText = false;
    if (name == "rPh") m_inReading = false;
    if (name != "si") return;
    m_text.clear();
    appendCellText(m_text, m_raw);
    if (!m_texts.add(m_text)) {
      fault = Error{ErrorCode::Limit, fmt::format("more than {} MiB of texts, or {} texts",
                                                  kMaxTextBytes >> 20, kMaxTexts)};
    }
  }
  void onText(std::string_view text) override {
    if (!m_inText || m_inReading) return;  // how a Japanese text is read aloud is not the text
    if (m_raw.size() + text.size() > kMaxOneText) {
      fault = Error{ErrorCode::Limit, fmt::format("a text of more than {} bytes", kMaxOneText)};
      return;
    }
    m_raw += text;
  }

 private:
  SharedTexts& m_texts;
  std::string m_raw, m_text;
  bool m_inText = false, m_inReading = false;
};

}  // namespace

bool SharedTexts::add(std::string_view text) {
  m_bytes += text.size();
  if (m_bytes > kMaxTextBytes || m_texts.size() >= kMaxTexts) return false;
  if (text.size() > m_room) {
    m_room = std::max(kTextBlockBytes, text.size());
    m_blocks.push_back(std::make_unique<char[]>(m_room));
    m_next = m_blocks.back().get();
  }
  if (!text.empty()) std::memcpy(m_next, text.data(), text.size());
  m_texts.emplace_back(text.empty() ? std::string_view() : std::string_view(m_next, text.size()));
  if (!text.empty()) m_next += text.size();
  m_room -= text.size();
  return true;
}

/// Follows the parts of a workbook by their relations, as they may have any names.
struct Workbook::Loader {
  Workbook& book;

  Result<> parse(const std::string& part, XmlHandler& handler) const {
    const auto stage = book.openPart(part);
    if (!stage) return fail(stage.error());
    const Result<> parsed = parseXml(**stage, handler);
    if (!parsed) return fail(parsed.error().within(part));
    return {};
  }

  Result<std::string> workbookPart() const {
    RelationHandler relations;
    if (book.m_directory.find("_rels/.rels") == nullptr) return std::string("xl/workbook.xml");
    if (Result<> parsed = parse("_rels/.rels", relations); !parsed) return fail(parsed.error());
    const Relation* const found = relations.ofType("/officeDocument");
    return found != nullptr ? partBeside("", found->target) : std::string("xl/workbook.xml");
  }

  Result<> load() const {
    const auto part = workbookPart();
    if (!part) return fail(part.error());
    WorkbookHandler workbook;
    if (Result<> parsed = parse(*part, workbook); !parsed) return parsed;
    book.m_is1904 = workbook.is1904;
    RelationHandler relations;
    const std::size_t slash = part->rfind('/');
    const std::size_t nameAt = slash == std::string::npos ? 0 : slash + 1;
    const std::string relationPart =
        part->substr(0, nameAt) + "_rels/" + part->substr(nameAt) + ".rels";
    if (Result<> parsed = parse(relationPart, relations); !parsed) return parsed;
    for (WorkbookHandler::Sheet& sheet : workbook.sheets) {
      const auto relation = relations.relations.find(sheet.relation);
      if (relation == relations.relations.end()) continue;
      const std::string_view type = relation->second.type;
      constexpr std::string_view wanted = "/worksheet";  // no charts, no dialogs
      if (type.size() < wanted.size() || type.substr(type.size() - wanted.size()) != wanted)
        continue;
      book.m_sheets.push_back(
          {std::move(sheet.name), partBeside(*part, relation->second.target), sheet.isHidden});
    }
    if (book.m_sheets.empty()) return fail(ErrorCode::Format, "a workbook without a sheet");
    if (const Relation* const styles = relations.ofType("/styles")) {
      StyleHandler handler;
      if (Result<> parsed = parse(partBeside(*part, styles->target), handler); !parsed)
        return parsed;
      book.m_forms = handler.forms();
    }
    if (const Relation* const texts = relations.ofType("/sharedStrings")) {
      TextsHandler handler(book.m_texts);
      if (Result<> parsed = parse(partBeside(*part, texts->target), handler); !parsed)
        return parsed;
    }
    return {};
  }
};

Result<std::unique_ptr<ByteStage>> Workbook::openPart(const std::string& name) const {
  const ZipEntry* const entry = m_directory.find(name);
  if (entry == nullptr) {
    return fail(ErrorCode::Format,
                fmt::format("a damaged workbook: its part {} is missing", forTerminal(name)));
  }
  auto stage = makeZipEntryStage(m_raw, *entry, kLimits);
  if (!stage) return fail(stage.error().within(name));
  return stage;
}

Result<std::shared_ptr<const Workbook>> Workbook::open(std::shared_ptr<const RawBytes> raw) {
  auto directory = readZipDirectory(*raw);
  if (!directory) return fail(directory.error());
  const std::string_view kind = zipDocumentKind(*directory);
  if (std::all_of(directory->entries.begin(), directory->entries.end(),
                  [](const ZipEntry& e) { return e.isFolder(); })) {
    return fail(ErrorCode::Format, "a zip archive that holds no file to read");
  }
  if (kind.empty()) {
    return fail(
        ErrorCode::Format,
        "a zip archive and no Excel workbook; inside another archive or under this layout it "
        "is not read: unpack it and name its files");
  }
  if (kind != "xlsx") {
    return fail(
        ErrorCode::Format,
        fmt::format("a document of kind {}, which is not read; save the sheet as .xlsx or CSV",
                    kind));
  }
  const auto book = std::make_shared<Workbook>();
  book->m_raw = std::move(raw);
  book->m_directory = std::move(*directory);
  if (Result<> loaded = Loader{*book}.load(); !loaded) return fail(loaded.error());
  return book;
}

Result<std::shared_ptr<const Workbook>> openWorkbook(const FilePlace& place) {
  if (place.shelf != nullptr && place.shelf->book != nullptr) return place.shelf->book;
  auto raw = openRawContent(place, kMaxMemberBytes);
  if (!raw) return fail(raw.error());
  auto book = Workbook::open(std::move(*raw));
  if (!book) return fail(book.error().within(place.path));
  if (place.shelf != nullptr) place.shelf->book = *book;
  return book;
}

Error oleFault(const FilePlace& place) {
  using namespace std::string_view_literals;
  constexpr std::string_view encrypted = "E\0n\0c\0r\0y\0p\0t\0e\0d\0P\0a\0c\0k\0a\0g\0e\0"sv;
  constexpr std::size_t lookedAt = 32u << 10;
  // The list of streams stands in a chain of sectors; its first one is enough for so few of them.
  bool hasPassword = false;
  const auto raw = openRawContent(place, kMaxMemberBytes);
  const auto header =
      raw ? (*raw)->piece(0, 512) : Result<std::string>(fail(ErrorCode::Format, ""));
  if (header) {
    const auto byte = [&](std::size_t at) {
      return static_cast<std::uint64_t>(static_cast<unsigned char>((*header)[at]));
    };
    const std::uint64_t sectorBytes = byte(30) == 12 ? 4096 : 512;
    const std::uint64_t sector = byte(48) | byte(49) << 8 | byte(50) << 16 | byte(51) << 24;
    std::string list(lookedAt, '\0');
    const auto got = (*raw)->readAt((sector + 1) * sectorBytes, list.data(), list.size());
    hasPassword =
        got && std::string_view(list).substr(0, *got).find(encrypted) != std::string_view::npos;
  }
  if (hasPassword) {
    return {ErrorCode::Format,
            fmt::format("{}: an Excel workbook with a password; save it without one", place.path)};
  }
  return {ErrorCode::Format, fmt::format("{}: an old Excel file (.xls) or another Office file, "
                                         "which is not read; save the sheet as .xlsx "
                                         "or CSV",
                                         place.path)};
}

}  // namespace counterfoil
