// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/formats/identify.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <tuple>

#include "core/base/text.h"
#include "importers/formats/ask_format.h"
#include "importers/formats/refusals.h"
#include "importers/input/opened_redis.h"
#include "importers/input/source_file.h"
#include "importers/input/tables_of.h"
#include "importers/mapping/mapping_model.h"
#include "importers/mapping/named_formats.h"
#include "importers/readers/csv_sniff.h"
#include "importers/source/file_handle.h"
#include "importers/xlsx/workbook.h"

namespace counterfoil {

namespace {

void setRarity(std::vector<FormatAnswer>& answers) {
  for (FormatAnswer& answer : answers) {
    for (const std::string& column : answer.columns) {
      const auto knownBy = std::count_if(answers.begin(), answers.end(), [&](const FormatAnswer& other) {
        return other.columns.count(column) > 0;
      });
      answer.rarity += 1000 / static_cast<std::uint32_t>(knownBy);
    }
  }
}

bool isSheetOrCsv(LayoutKind kind) { return kind == LayoutKind::Csv || kind == LayoutKind::Xlsx; }

/// "; its columns: Date, Amount, …" for the message that nothing fits; "" where nothing names columns.
std::string columnsSeen(const FilePlace& place, const CancelToken* cancel) {
  constexpr std::size_t kNamed = 20, kNameBytes = 40;
  Layout layout;
  Result<OpenedFile> opened = openWithLayout(place, layout, {}, cancel);
  if (opened && opened->columns.empty() && isSheetOrCsv(opened->layout.kind)) {
    layout.header = Layout::Header::AtLine;   // a header whose names nobody knows is in the first line
    layout.headerLine = 1;
    opened = openWithLayout(place, layout, {}, cancel);
  }
  if (!opened || opened->columns.empty()) return {};
  std::string names;
  for (std::size_t i = 0; i < std::min(opened->columns.size(), kNamed); ++i) {
    names += (names.empty() ? "" : ", ") + forTerminal(toValidUtf8(opened->columns[i].substr(0, kNameBytes)));
  }
  return "; its columns: " + names + (opened->columns.size() > kNamed ? ", …" : "");
}

/// What no format could read is told as it is, not as a file that none fits.
Result<> demandReadable(const FilePlace& place) {
  const Result<std::unique_ptr<ByteSource>> source = openFile(place);
  if (!source) return fail(source.error());
  if ((*source)->nature().isOle) return fail(oleFault(place));
  if ((*source)->nature().isRdb) return fail(rdbFault(place));
  if ((*source)->nature().isSqlite && place.member != nullptr) return fail(memberDatabaseFault(place));
  if (!(*source)->nature().isZip) return {};
  const auto book = openWorkbook(place);
  if (!book) return fail(book.error());
  return {};
}

bool makesOneOf(const std::vector<std::shared_ptr<const MappingSpec>>& mappings, const std::set<RecordKind>& kinds) {
  return kinds.empty() || std::any_of(mappings.begin(), mappings.end(),
                                      [&](const auto& mapping) { return kinds.count(mapping->record()) > 0; });
}

/// A file that has the columns which tell a provider's export is that: what a generic format would make of
/// it (minor units as major ones) is no second opinion, unless it knows more of the file's columns.
void dropGenericBesideTold(std::vector<FormatAnswer>& answers) {
  const auto isTold = [](const FormatAnswer& answer) {
    return !isGeneric(answer.name) &&
           std::any_of(answer.mappings.begin(), answer.mappings.end(),
                       [](const auto& mapping) { return !mapping->toldBy().empty(); });
  };
  std::size_t most = 0;
  for (const FormatAnswer& answer : answers) {
    if (isTold(answer)) most = std::max(most, answer.hits());
  }
  answers.erase(std::remove_if(answers.begin(), answers.end(),
                               [&](const FormatAnswer& answer) { return isGeneric(answer.name) && answer.hits() <= most; }),
                answers.end());
}

using Mappings = std::vector<std::shared_ptr<const MappingSpec>>;

/// The format's mappings bound to a table; blank where they read another one.
Mappings ofTable(const NamedFormat& format, const std::string& table) {
  Mappings bound;
  for (const auto& mapping : format.mappings) {
    const Layout& layout = mapping->layout();
    if (layout.kind != LayoutKind::Find && layout.kind != LayoutKind::Sqlite) return {};
    if (!layout.query.empty() || (!layout.table.empty() && !equalsIgnoreCase(layout.table, table))) return {};
    auto model = std::make_shared<MappingModel>(static_cast<const MappingModel&>(*mapping));   // every spec is one
    model->rowLayout.table = table;
    bound.push_back(std::move(model));
  }
  return bound;
}

bool areEqual(const FormatAnswer& a, const FormatAnswer& b) {
  return a.fit == b.fit && a.isNamed == b.isNamed && a.hits() == b.hits() && a.rarity == b.rarity && a.known == b.known;
}

/// "exports/orders.csv.gz" -> "orders".
std::string stemOf(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  const std::string name = path.substr(slash == std::string::npos ? 0 : slash + 1);
  return name.substr(0, name.find('.', 1));
}

/// Formats of whole files that fit, and those of parts.
struct Asked {
  std::vector<FormatAnswer> whole, parts;
};

/// What another format reads with its own rows, because it extends this one, is no part beside it.
void dropExtended(std::vector<FormatAnswer>& answers) {
  std::set<std::string> extended;
  for (const FormatAnswer& answer : answers) {
    for (const auto& mapping : answer.mappings) {
      const auto& bases = static_cast<const MappingModel&>(*mapping).bases;   // every spec is one
      extended.insert(bases.begin(), bases.end());
    }
  }
  answers.erase(std::remove_if(answers.begin(), answers.end(),
                               [&](const FormatAnswer& answer) { return extended.count(answer.name) > 0; }),
                answers.end());
}

Result<Asked> askAll(const FilePlace& place, const std::string& zone, const std::set<RecordKind>& kinds,
                     const CancelToken* cancel) {
  if (Result<> readable = demandReadable(place); !readable) return fail(readable.error());
  FilePlace shelved = place;
  if (shelved.shelf == nullptr) shelved.shelf = std::make_shared<BookShelf>();
  Asked asked;
  for (const bool isPart : {false, true}) {
    const FormatQuestion question{kinds.size() == 1, isPart, stemOf(place.path)};
    auto answers = collectAnswers(shelved, zone, question, [&](const NamedFormat& format) {
      return format.part == isPart && makesOneOf(format.mappings, kinds) ? format.mappings : Mappings();
    }, cancel);
    if (!answers) return fail(answers.error());
    (isPart ? asked.parts : asked.whole) = std::move(*answers);
  }
  dropExtended(asked.parts);
  return asked;
}

/// What a table of one's own looks like to a generic format is no second opinion where a part is certain.
void dropGuessesBesideParts(Asked& asked) {
  if (asked.parts.empty()) return;
  asked.whole.erase(std::remove_if(asked.whole.begin(), asked.whole.end(),
                                   [](const FormatAnswer& answer) { return isGeneric(answer.name); }),
                    asked.whole.end());
}

/// The answers of a file of one kind; of several parts those that are ambiguous.
std::vector<FormatAnswer> candidatesOf(Asked asked) {
  dropGuessesBesideParts(asked);
  return asked.whole.empty() ? std::move(asked.parts) : std::move(asked.whole);
}

/// "; by its name it may be generic.intents, but its rows are bad: …": what a mapping has to mend.
std::string nearMiss(const FilePlace& place, const std::string& zone, const CancelToken* cancel) {
  for (const std::string& name : formatNames()) {
    const Result<NamedFormat> format = loadFormat(name);
    if (!format || format->named.empty()) continue;
    const FormatQuestion question{false, false, stemOf(place.path)};
    const FormatAnswer answer = askFormat(*format, format->mappings, place, zone, question, cancel);
    if (answer.isNamed && answer.hits() >= 2 && !answer.fault.empty())
      return fmt::format("; by its name and columns it may be {}, but {}", name, answer.fault);
  }
  return {};
}

Error nothingFits(const FilePlace& place, const std::string& zone, const CancelToken* cancel) {
  if (const std::string other = whatElse(place); !other.empty())
    return {ErrorCode::Format, fmt::format("{}: no known format fits: {}", place.path, other)};
  return {ErrorCode::Format,
          fmt::format("{}: no known format fits; give the source a \"format\" or a \"mapping\"{}{}", place.path,
                      columnsSeen(place, cancel), nearMiss(place, zone, cancel))};
}

Error severalFit(const FilePlace& place, const std::vector<std::string>& names) {
  return {ErrorCode::Ambiguous,
          fmt::format("{}: may be {}; say which with \"format\"", place.path, fmt::join(names, ", "))};
}

/// The formats of a table of a database: each is asked about that table alone.
Result<std::vector<FormatAnswer>> askAboutTable(const FilePlace& place, const std::string& table,
                                                const std::string& zone, const std::set<RecordKind>& kinds,
                                                const CancelToken* cancel) {
  const FormatQuestion question{kinds.size() == 1, false, table};
  return collectAnswers(place, zone, question, [&](const NamedFormat& format) {
    return makesOneOf(format.mappings, kinds) ? ofTable(format, table) : Mappings();
  }, cancel);
}

/// Whether a format may be taken for a table of somebody's own database without asking. Its rows are our side, and
/// what is taken for the provider's records by mistake would confirm itself: only a name speaks for that.
bool isGoodGuess(const FormatAnswer& answer) {
  if (!isGeneric(answer.name)) return true;
  const bool isEffects = std::any_of(answer.mappings.begin(), answer.mappings.end(), [](const auto& mapping) {
    return mapping->record() == RecordKind::Effect;
  });
  return answer.isNamed || (answer.rows > 0 && !isEffects);
}

Result<FileParts> partsOfTables(const FilePlace& place, const std::vector<TableSeen>& tables, const std::string& zone,
                                const std::set<RecordKind>& kinds, const CancelToken* cancel) {
  FileParts found;
  for (const TableSeen& table : tables) {
    auto answers = askAboutTable(place, table.name, zone, kinds, cancel);
    if (!answers) return fail(answers.error());
    const bool isOpen = answers->empty() || equalToBest(*answers).size() > 1 || !isGoodGuess(answers->front());
    if (isOpen) {
      found.openTables.push_back(table.name);
      continue;
    }
    found.parts.push_back({answers->front().name, table.name, std::move(answers->front().mappings)});
  }
  return found;
}

}  // namespace

Result<std::vector<FormatAnswer>> collectAnswers(const FilePlace& place, const std::string& zone,
                                                 const FormatQuestion& question, const MappingsOf& mappingsOf,
                                                 const CancelToken* cancel) {
  std::vector<FormatAnswer> answers;
  for (const std::string& name : formatNames()) {
    if (cancel != nullptr && cancel->isCancelled()) return fail(ErrorCode::Cancelled, "stopped");
    const Result<NamedFormat> format = loadFormat(name);
    if (!format) return fail(format.error());
    const Mappings mappings = mappingsOf(*format);
    if (mappings.empty()) continue;
    FormatAnswer answer = askFormat(*format, mappings, place, zone, question, cancel);
    if (answer.fit != FormatFit::No) answers.push_back(std::move(answer));
  }
  dropGenericBesideTold(answers);
  setRarity(answers);
  // Of two that fit alike, the narrower one is meant.
  std::sort(answers.begin(), answers.end(), [](const FormatAnswer& a, const FormatAnswer& b) {
    return std::make_tuple(b.fit, b.isNamed, b.hits(), b.rarity, a.known, a.name) <
           std::make_tuple(a.fit, a.isNamed, a.hits(), a.rarity, b.known, b.name);
  });
  return answers;
}

std::vector<std::string> equalToBest(const std::vector<FormatAnswer>& answers) {
  std::vector<std::string> names;
  for (const FormatAnswer& answer : answers) {
    if (areEqual(answer, answers.front())) names.push_back(answer.name);
  }
  return names;
}

Result<std::vector<FormatAnswer>> askFormats(const FilePlace& place, const std::string& zone,
                                             const std::set<RecordKind>& kinds, const CancelToken* cancel) {
  Result<Asked> asked = askAll(place, zone, kinds, cancel);
  if (!asked) return fail(asked.error());
  return candidatesOf(std::move(*asked));
}

Result<FormatAnswer> identifyFormat(const FilePlace& place, const std::string& zone,
                                    const std::set<RecordKind>& kinds, const CancelToken* cancel) {
  Result<std::vector<FormatAnswer>> answers = askFormats(place, zone, kinds, cancel);
  if (!answers) return fail(answers.error());
  if (answers->empty()) return fail(nothingFits(place, zone, cancel));
  const std::vector<std::string> names = equalToBest(*answers);
  if (names.size() > 1) return fail(severalFit(place, names));
  return std::move(answers->front());
}

Result<FileParts> partsOf(const FilePlace& place, const std::string& zone, const std::set<RecordKind>& kinds,
                          const CancelToken* cancel) {
  if (Result<> readable = demandReadable(place); !readable) return fail(readable.error());
  FilePlace shelved = place;   // a dump is read to its end to know its tables: once, not for each table and format
  if (shelved.shelf == nullptr) shelved.shelf = std::make_shared<BookShelf>();
  const Result<std::vector<TableSeen>> tables = tablesOf(shelved, cancel);
  if (!tables) return fail(tables.error());
  if (!tables->empty()) {
    auto found = partsOfTables(shelved, *tables, zone, kinds, cancel);
    if (found && found->parts.empty()) return fail(nothingFits(place, zone, cancel));
    return found;
  }
  Result<Asked> asked = askAll(place, zone, kinds, cancel);
  if (!asked) return fail(asked.error());
  dropGuessesBesideParts(*asked);
  if (asked->whole.empty() && asked->parts.empty()) return fail(nothingFits(place, zone, cancel));
  FileParts found;
  if (!asked->whole.empty()) {
    const std::vector<std::string> names = equalToBest(asked->whole);
    if (names.size() > 1) return fail(severalFit(place, names));
    found.parts.push_back({names.front(), "", std::move(asked->whole.front().mappings)});
  }
  for (FormatAnswer& part : asked->parts) found.parts.push_back({part.name, "", std::move(part.mappings)});
  return found;
}

}  // namespace counterfoil
