// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/formats/ask_format.h"

#include <algorithm>
#include <optional>

#include "importers/formats/refusals.h"
#include "importers/input/source_file.h"
#include "importers/log/log_reader.h"
#include "importers/mapping/fields.h"
#include "importers/mapping/pattern.h"
#include "importers/readers/text_reader.h"
#include "importers/source/file_handle.h"

namespace counterfoil {

namespace {

constexpr std::uint64_t kRowsLookedAt = 60;
constexpr std::uint64_t kPartRows = 100'000, kPartRecords = 20;
constexpr std::size_t kHeadBytes = 64u << 10;
constexpr std::size_t kPartBytes = 64u << 20;   ///< in which the first row of a part has to lie
constexpr std::size_t kRowBytes = 2u << 20;     ///< no row of a part is longer: a document in one line is none

/// Gives the first rows to a mapper and remembers the names of what they hold.
class ProbeSink final : public RowSink {
 public:
  ProbeSink(RowMapper& mapper, const FileView& view, bool isPart) : m_mapper(mapper), m_view(view), m_isPart(isPart) {}
  bool onRow(const RowView& row, std::uint32_t element) override {
    const std::uint64_t unmatched = m_mapper.output().unmatched;
    const bool goesOn = m_mapper.onRow(row, element) && wantsMore();
    if (m_mapper.output().unmatched > unmatched) return goesOn;   // a line of a log that is no row
    ++m_seen;
    for (std::size_t i = 0; i < row.fields.size(); ++i) {
      if (row.fields[i].type != FieldType::Absent) m_present.insert(foldColumnName(m_view.wanted[i]));
    }
    return goesOn;
  }
  bool onDefect(const RowView& row, RowDefect defect) override {
    return m_mapper.onDefect(row, std::move(defect)) && wantsMore();
  }
  void onUnmatched(const RowView& row) override { m_mapper.onUnmatched(row); }
  [[nodiscard]] const std::set<std::string>& present() const { return m_present; }
  [[nodiscard]] bool hasSeenRows() const { return m_seen > 0; }

 private:
  /// Of a part: rows that it leaves to others may come first in any number.
  bool wantsMore() {
    ++m_rows;
    if (!m_isPart) return m_rows < kRowsLookedAt;
    return m_rows < kPartRows && m_mapper.output().recorded < kPartRecords;
  }

  RowMapper& m_mapper;
  const FileView& m_view;
  bool m_isPart;
  std::set<std::string> m_present;
  std::uint64_t m_rows = 0;
  std::uint64_t m_seen = 0;
};

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

/// Whether columns that tell such a file are in it; nothing if the mappings name none.
std::optional<bool> hasTellingColumn(const FileView& view, const std::set<std::string>& columns) {
  std::optional<bool> isTold;
  for (const auto& mapping : view.mappings) {
    const std::vector<std::string>& telling = mapping->toldBy();
    if (telling.empty()) continue;
    isTold = isTold.value_or(true) && std::any_of(telling.begin(), telling.end(), [&](const std::string& name) {
               return columns.count(foldColumnName(name)) > 0;
             });
  }
  return isTold;
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

/// A view from its beginning, block after block: the rows of a part may lie anywhere among others.
void probeBlocks(const FileView& view, ProbeSink& sink, RowMapper& mapper, const CancelToken* cancel) {
  const Result<std::unique_ptr<ByteSource>> source = view.opened.openSource();
  if (!source) return;
  const auto scratch = view.reader->makeScratch();
  std::string text;
  std::uint64_t base = 0, line = 1;
  for (bool ended = false, stopped = false; !ended && !stopped && base < kPartBytes;) {
    if (cancel != nullptr && cancel->isCancelled()) return;
    const Result<std::size_t> got = (*source)->read(text, std::max<std::size_t>(kHeadBytes, text.size()));
    ended = !got || *got == 0;
    mapper.setBlock(text, base, view.reader->lineEnd(), line);
    const BlockOutcome outcome = view.reader->parse({text, base, text.size(), ended}, sink, *scratch);
    stopped = outcome.stopped;
    line += countByte(std::string_view(text).substr(0, outcome.consumed), view.reader->lineEnd());
    base += outcome.consumed;
    text.erase(0, outcome.consumed);
    if (text.size() > kRowBytes) return;
  }
}

/// A dump of Redis holds the keys of many programs: what says nothing of keys is no format of it, though it may be
/// lines of JSON. And what could be read as a dump because the format says so is none yet. Events become runs, which
/// only a format of events means.
bool isElse(const FileView& view) {
  const bool areEvents = view.opened.layout.kind == LayoutKind::CeleryEvents;
  return std::any_of(view.mappings.begin(), view.mappings.end(), [&](const auto& mapping) {
    if (areEvents && mapping->layout().kind != LayoutKind::CeleryEvents) return true;
    return (mapping->layout().kind == LayoutKind::Redis) != view.opened.redis.isFound;
  });
}

/// Text that happens to have words of a log's lines in it is none.
bool mayBeLog(const FilePlace& place, const std::vector<std::shared_ptr<const MappingSpec>>& mappings) {
  const bool isOfLog = std::any_of(mappings.begin(), mappings.end(), [](const auto& mapping) {
    return mapping->layout().kind == LayoutKind::Log;
  });
  if (!isOfLog) return true;
  OpenOptions options;
  options.passesInvalidUtf8 = true;
  const Result<std::unique_ptr<ByteSource>> source = openFile(place, options);
  std::string head;
  while (source && head.size() < kHeadBytes) {
    const Result<std::size_t> got = (*source)->read(head, kHeadBytes - head.size());
    if (!got || *got == 0) break;
  }
  return looksLikeLog(head);
}

/// Lines of which most may be somebody else's.
bool isByLines(LayoutKind kind) { return kind == LayoutKind::Lines || kind == LayoutKind::Log; }

bool isNamedLike(const NamedFormat& format, const std::string& name) {
  if (format.named.empty() || name.empty()) return false;
  const Result<Pattern> pattern = Pattern::compile(format.named);
  return pattern && pattern->matches(name);
}

}  // namespace

namespace {

/// A list without elements holds nothing that could tell: the file's name does, where it says the format.
bool isEmptyOfName(const FormatAnswer& answer, const SourceFile& file) {
  const OpenedFile& opened = file.views.front()->opened;
  return answer.isNamed && opened.layout.kind == LayoutKind::Json && isEmptyList(headOf(opened));
}

}  // namespace

bool isGeneric(const std::string& name) { return name.rfind("generic.", 0) == 0; }

FormatAnswer askFormat(const NamedFormat& format, const std::vector<std::shared_ptr<const MappingSpec>>& mappings,
                       const FilePlace& place, const std::string& zone, const FormatQuestion& question,
                       const CancelToken* cancel) {
  const std::string& name = format.name;
  FormatAnswer answer;
  answer.name = name;
  answer.mappings = mappings;
  answer.isNamed = isNamedLike(format, question.name);
  if (!mayBeLog(place, mappings)) return answer;
  SourceSpec spec;
  spec.zone = zone;
  SourceFile file;
  file.spec = &spec;
  file.isProbe = true;
  file.expanded = {place.path, place.path, std::nullopt};
  file.place = place;
  if (!openViews(file, mappings, nullptr, cancel)) return answer;
  if (isEmptyOfName(answer, file)) {
    answer.fit = FormatFit::Possible;
    return answer;
  }
  const KeyedHash hash(1);
  std::uint64_t good = 0, bad = 0, unmatched = 0;
  std::size_t known = 0;
  std::optional<bool> isTold;   // of layouts for several kinds of rows one is enough: a log need not have all of them
  for (const auto& view : file.views) {
    if (isElse(*view)) return answer;
    MapperContext context;
    context.view = view.get();
    context.hash = &hash;
    context.onlyLook = true;
    context.cancel = cancel;
    RowMapper mapper(context, nullptr);
    ProbeSink sink(mapper, *view, question.isPart);
    if (question.isPart && view->opened.isText()) {
      probeBlocks(*view, sink, mapper, cancel);
    } else {
      probeRows(*view, sink, mapper, cancel);
    }
    good += mapper.output().recorded + mapper.output().undecided;
    if (!question.isPart) good += mapper.output().excluded;
    bad += mapper.output().quarantinedCount - mapper.output().undecided;
    unmatched += mapper.output().unmatched;
    if (answer.fault.empty()) answer.fault = mapper.output().firstFault;
    const bool byRow = view->opened.columns.empty() || isByLines(view->opened.layout.kind);
    const std::set<std::string> hits = byRow ? sink.present() : knownHeaders(*view);
    const bool isWithout = view->opened.layout.optional && !sink.hasSeenRows();   // nothing there to be told by
    const std::optional<bool> told = isWithout ? std::nullopt : hasTellingColumn(*view, hits);
    if (told) isTold = isTold.value_or(false) || *told;
    answer.columns.insert(hits.begin(), hits.end());
    for (const auto& mapping : view->mappings) known += mapping->knownColumns().size();
    answer.known = isGeneric(name) ? 0 : known;   // two generic kinds that fit alike are for a person to tell apart
  }
  // A table of one's own may have no column that tells: then its name has to.
  const bool mayGoUntold = (question.isKindKnown || answer.isNamed) && isGeneric(name);   // another's export needs its marks all the same
  if (!mayGoUntold && !isTold.value_or(true)) return answer;
  answer.rows = good + bad;
  if (question.isPart) {
    answer.fit = good > 0 && good >= bad ? FormatFit::Certain : FormatFit::No;
    return answer;
  }
  // A bank's file is known by its text, whatever its entries are: also where it is cut off or broken.
  if (std::all_of(mappings.begin(), mappings.end(), [](const auto& mapping) { return isBank(mapping->layout().kind); })) {
    if (file.views.front()->opened.nature.isSqlite) return answer;
    answer.fit = FormatFit::Certain;
    return answer;
  }
  const bool byLines = isByLines(file.views.front()->opened.layout.kind);
  if (byLines && good == 0) return answer;
  if (!byLines && answer.hits() < std::min<std::size_t>(2, known)) return answer;
  // Rows have to become records; a file without rows is judged by its columns. Where marks tell the format, bad
  // rows are bad rows of it.
  const bool hasMarks = !isGeneric(name) && isTold.has_value();
  if (bad > good && (!hasMarks || byLines)) return answer;
  const bool most = byLines ? good > unmatched : answer.hits() * 10 >= known * 6 && answer.hits() >= 3;
  // A format that makes bad rows of most gives way to one that reads them: several providers' events in one log.
  answer.fit = most && !isGeneric(name) && bad <= good ? FormatFit::Certain : FormatFit::Possible;
  return answer;
}

}  // namespace counterfoil
