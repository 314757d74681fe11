// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/formats/identify.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "core/base/text.h"
#include "importers/input/source_file.h"
#include "importers/mapping/fields.h"
#include "importers/mapping/named_formats.h"
#include "importers/readers/csv_sniff.h"
#include "importers/source/file_handle.h"
#include "importers/xlsx/workbook.h"

namespace counterfoil {

namespace {

constexpr std::uint64_t kRowsLookedAt = 60;
constexpr std::size_t kHeadBytes = 64u << 10;

/// Gives the first rows to a mapper and remembers the names of what they hold.
class ProbeSink final : public RowSink {
 public:
  ProbeSink(RowMapper& mapper, const FileView& view) : m_mapper(mapper), m_view(view) {}
  bool onRow(const RowView& row, std::uint32_t element) override {
    for (std::size_t i = 0; i < row.fields.size(); ++i) {
      if (row.fields[i].type != FieldType::Absent) m_present.insert(foldColumnName(m_view.wanted[i]));
    }
    return m_mapper.onRow(row, element) && ++m_rows < kRowsLookedAt;
  }
  bool onDefect(const RowView& row, RowDefect defect) override {
    return m_mapper.onDefect(row, std::move(defect)) && ++m_rows < kRowsLookedAt;
  }
  void onUnmatched(const RowView& row) override { m_mapper.onUnmatched(row); }
  [[nodiscard]] const std::set<std::string>& present() const { return m_present; }
  [[nodiscard]] std::uint64_t rows() const { return m_rows; }

 private:
  RowMapper& m_mapper;
  const FileView& m_view;
  std::set<std::string> m_present;
  std::uint64_t m_rows = 0;
};

bool isGeneric(const std::string& name) { return name.rfind("generic.", 0) == 0; }

std::set<std::string> knownHeaders(const FileView& view) {
  std::set<std::string> known;
  for (const auto& mapping : view.mappings) {
    for (const std::string& name : mapping->knownColumns()) known.insert(foldColumnName(name));
  }
  std::set<std::string> hits;
  for (const std::string& column : view.opened.columns) {
    if (known.count(foldColumnName(column)) > 0) hits.insert(foldColumnName(column));
  }
  return hits;
}

/// False if the format names columns that tell such a file and the file has none of them.
bool hasTellingColumn(const FileView& view, const std::set<std::string>& columns) {
  return std::all_of(view.mappings.begin(), view.mappings.end(), [&](const auto& mapping) {
    const std::vector<std::string>& telling = mapping->toldBy();
    return telling.empty() || std::any_of(telling.begin(), telling.end(), [&](const std::string& name) {
             return columns.count(foldColumnName(name)) > 0;
           });
  });
}

/// As the view's reader takes it: the file's own bytes where rows are read by position (it converts them
/// itself), else what the stream gives.
std::string headOf(const OpenedFile& opened) {
  std::string text;
  if (opened.byPosition) {
    const Result<FileHandle> handle = FileHandle::open(opened.path);
    text.resize(kHeadBytes);
    const Result<std::size_t> got = handle ? handle->readAt(0, text.data(), text.size()) : 0;
    text.resize(got.value_or(0));
    return text;
  }
  const Result<std::unique_ptr<ByteSource>> source = opened.openSource();
  while (source && text.size() < kHeadBytes) {
    const Result<std::size_t> got = (*source)->read(text, kHeadBytes - text.size());
    if (!got || *got == 0) break;
  }
  return text;
}

/// The head of a view by the first block of its file; other kinds from their beginning.
void probeRows(const FileView& view, ProbeSink& sink, RowMapper& mapper, const CancelToken* cancel) {
  std::optional<Error> problem;
  if (view.opened.isText()) {
    const std::string text = headOf(view.opened);
    const std::size_t start = std::min<std::size_t>(text.size(), view.opened.dataOffset);
    const std::string_view rows = std::string_view(text).substr(start);
    const auto scratch = view.reader->makeScratch();
    mapper.setBlock(rows, 0, view.reader->lineEnd(), 1);
    view.reader->parse({rows, 0, rows.size(), text.size() < kHeadBytes}, sink, *scratch);
    return;
  }
  const Result<> read = readStream(view, sink, &mapper, cancel, {}, problem);
  (void)read;   // a fault is told when the file is read in earnest
}

/// `isKindKnown`: the user said what the rows are, so nothing has to tell a generic format.
FormatAnswer ask(const std::string& name, const std::vector<std::shared_ptr<const MappingSpec>>& mappings,
                 const FilePlace& place, const std::string& zone, bool isKindKnown, const CancelToken* cancel) {
  FormatAnswer answer{name, FormatFit::No, {}, 0, 0, mappings};
  SourceSpec spec;
  spec.zone = zone;
  SourceFile file;
  file.spec = &spec;
  file.isProbe = true;
  file.expanded = {place.path, place.path, std::nullopt};
  file.place = place;
  if (!openViews(file, mappings, nullptr, cancel)) return answer;
  const KeyedHash hash(1);
  std::uint64_t good = 0, bad = 0, unmatched = 0;
  std::size_t known = 0;
  for (const auto& view : file.views) {
    MapperContext context;
    context.view = view.get();
    context.hash = &hash;
    context.onlyLook = true;
    context.cancel = cancel;
    RowMapper mapper(context, nullptr);
    ProbeSink sink(mapper, *view);
    probeRows(*view, sink, mapper, cancel);
    good += mapper.output().recorded + mapper.output().excluded + mapper.output().undecided;
    bad += mapper.output().quarantinedCount - mapper.output().undecided;
    unmatched += mapper.output().unmatched;
    const bool byRow = view->opened.columns.empty() || view->opened.layout.kind == LayoutKind::Lines;
    const std::set<std::string> hits = byRow ? sink.present() : knownHeaders(*view);
    const bool mayGoUntold = isKindKnown && isGeneric(name);   // another's export needs its marks all the same
    if (!mayGoUntold && !hasTellingColumn(*view, hits)) return answer;
    answer.columns.insert(hits.begin(), hits.end());
    for (const auto& mapping : view->mappings) known += mapping->knownColumns().size();
    answer.known = isGeneric(name) ? 0 : known;   // two generic kinds that fit alike are for a person to tell apart
  }
  // A bank's file is known by its text, whatever its entries are: also where it is cut off or broken.
  if (std::all_of(mappings.begin(), mappings.end(), [](const auto& mapping) { return isBank(mapping->layout().kind); })) {
    answer.fit = FormatFit::Certain;
    return answer;
  }
  const bool byLines = file.views.front()->opened.layout.kind == LayoutKind::Lines;
  if (byLines && good == 0) return answer;
  if (!byLines && answer.hits() < std::min<std::size_t>(2, known)) return answer;
  // Rows have to become records; a file without rows is judged by its columns. Where marks tell the format, bad
  // rows are bad rows of it.
  const bool isTold = !isGeneric(name) && std::any_of(mappings.begin(), mappings.end(), [](const auto& mapping) {
    return !mapping->toldBy().empty();
  });
  if (bad > good && (!isTold || byLines)) return answer;
  const bool most = byLines ? good > unmatched : answer.hits() * 10 >= known * 6 && answer.hits() >= 3;
  answer.fit = most && !isGeneric(name) ? FormatFit::Certain : FormatFit::Possible;
  return answer;
}

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

}  // namespace

Result<std::vector<FormatAnswer>> askFormats(const FilePlace& place, const std::string& zone,
                                             const std::set<RecordKind>& kinds, const CancelToken* cancel) {
  if (Result<> readable = demandReadable(place); !readable) return fail(readable.error());
  FilePlace shelved = place;
  if (shelved.shelf == nullptr) shelved.shelf = std::make_shared<BookShelf>();
  std::vector<FormatAnswer> answers;
  for (const std::string& name : formatNames()) {
    if (cancel != nullptr && cancel->isCancelled()) return fail(ErrorCode::Cancelled, "stopped");
    const Result<NamedFormat> format = loadFormat(name);
    if (!format) return fail(format.error());
    if (!makesOneOf(format->mappings, kinds)) continue;
    FormatAnswer answer = ask(name, format->mappings, shelved, zone, kinds.size() == 1, cancel);
    if (answer.fit != FormatFit::No) answers.push_back(std::move(answer));
  }
  dropGenericBesideTold(answers);
  setRarity(answers);
  // Of two that fit alike, the narrower one is meant.
  std::sort(answers.begin(), answers.end(), [](const FormatAnswer& a, const FormatAnswer& b) {
    return std::make_tuple(b.fit, b.hits(), b.rarity, a.known, a.name) <
           std::make_tuple(a.fit, a.hits(), a.rarity, b.known, b.name);
  });
  return answers;
}

Result<FormatAnswer> identifyFormat(const FilePlace& place, const std::string& zone,
                                    const std::set<RecordKind>& kinds, const CancelToken* cancel) {
  const std::string& path = place.path;
  Result<std::vector<FormatAnswer>> answers = askFormats(place, zone, kinds, cancel);
  if (!answers) return fail(answers.error());
  if (answers->empty()) {
    return fail(ErrorCode::Format,
                fmt::format("{}: no known format fits; give the source a \"format\" or a \"mapping\"{}", path,
                            columnsSeen(place, cancel)));
  }
  const FormatAnswer& best = answers->front();
  std::string names = best.name;
  for (std::size_t i = 1; i < answers->size(); ++i) {
    const FormatAnswer& other = (*answers)[i];
    if (other.fit == best.fit && other.hits() == best.hits() && other.rarity == best.rarity &&
        other.known == best.known) {
      names += ", " + other.name;
    }
  }
  if (names != best.name) {
    return fail(ErrorCode::Ambiguous, fmt::format("{}: may be {}; say which with \"format\"", path, names));
  }
  return best;
}

}  // namespace counterfoil
