// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/input/file_fetch.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>

#include "importers/source/encoding.h"

namespace counterfoil {

namespace {

constexpr std::size_t kFirstReadBytes = 4u << 10;
constexpr std::size_t kFirstLookBytes = 512;   ///< most rows end within it: a reader looks at all it is given
constexpr std::size_t kWindowBytes = 256u << 10;
constexpr std::size_t kMaxGapBytes = 16u << 10;   ///< between records that are read at once
constexpr std::size_t kRawBytes = 4096;

struct FoundView {
  const FileView* view = nullptr;
  std::size_t index = 0;   ///< of the view
  std::size_t plan = 0;
};

FoundView viewOf(const SourceFile& file, std::uint32_t part) {
  const std::uint32_t number = part >> 20;
  for (std::size_t v = 0; v < file.views.size(); ++v) {
    const std::vector<std::uint32_t>& numbers = file.views[v]->mappingNumbers;
    const auto found = std::find(numbers.begin(), numbers.end(), number);
    if (found != numbers.end()) return {file.views[v].get(), v, static_cast<std::size_t>(found - numbers.begin())};
  }
  return {};
}

/// Waits for one element of one row.
class OneRow final : public RowSink {
 public:
  OneRow(std::uint32_t element, const std::function<void(const RowView&)>& fn) : m_element(element), m_fn(fn) {}
  bool onRow(const RowView& row, std::uint32_t element) override {
    if (element != m_element) return true;
    m_found = true;
    m_fn(row);
    return false;
  }
  bool onDefect(const RowView&, RowDefect) override { return false; }
  void onUnmatched(const RowView&) override {}
  [[nodiscard]] bool found() const { return m_found; }

 private:
  std::uint32_t m_element;
  const std::function<void(const RowView&)>& m_fn;
  bool m_found = false;
};

/// Rows of one file by their offset, through a window that moves along.
class RowsAt {
 public:
  explicit RowsAt(const SourceFile& file) : m_file(file) {}

  Result<> open() {
    Result<FileHandle> handle = FileHandle::open(m_file.expanded.path);
    if (!handle) return fail(handle.error());
    const Result<FileStamp> stamp = handle->stamp();
    if (!stamp || !(*stamp == m_file.stamp)) return fail(changed());
    m_handle = std::move(*handle);
    return {};
  }
  [[nodiscard]] Error changed() const {
    return {ErrorCode::Io, fmt::format("{}: the file changed after it was read", m_file.expanded.shown)};
  }

  /// Whether a row there can be looked at without reading.
  [[nodiscard]] bool holds(std::uint64_t offset) const {
    return offset >= m_base && offset + kFirstLookBytes <= m_base + m_text.size();
  }

  /// `ahead`: bytes from `offset` on that will be asked for next.
  Result<> row(const FoundView& found, std::uint64_t offset, std::uint32_t element, std::size_t ahead,
               const std::function<void(const RowView&)>& fn) {
    if (m_scratchOf != found.view) {
      m_scratch = found.view->reader->makeScratch();
      m_scratchOf = found.view;
    }
    std::size_t wanted = std::max(kFirstReadBytes, std::min(ahead, kWindowBytes));
    for (std::size_t look = kFirstLookBytes;; look *= 4) {
      wanted = std::max(wanted, look);
      const Result<> read = window(offset, wanted, look);
      if (!read) return read;
      const std::string_view text = std::string_view(m_text).substr(static_cast<std::size_t>(offset - m_base), look);
      const bool last = offset + text.size() >= m_file.stamp.sizeBytes;
      OneRow sink(element, fn);
      const BlockOutcome outcome = found.view->reader->parse({text, offset, 1, last}, sink, *m_scratch);
      if (sink.found()) return {};
      if (!outcome.needMore || last) return fail(changed());
    }
  }

  /// Occurrences of a byte in [from, to).
  Result<std::uint64_t> countBetween(std::uint64_t from, std::uint64_t to, char byte) {
    std::uint64_t count = 0;
    while (from < to) {
      m_block.resize(static_cast<std::size_t>(std::min<std::uint64_t>(kWindowBytes, to - from)));
      const Result<std::size_t> got = m_handle.readAt(from, m_block.data(), m_block.size());
      if (!got) return fail(got.error());
      if (*got < m_block.size()) return fail(changed());
      count += countByte(m_block, byte);
      from += m_block.size();
    }
    return count;
  }

 private:
  /// Makes m_text hold `needed` bytes from `offset` on (fewer at the end of the file); reads `count` at once.
  Result<> window(std::uint64_t offset, std::size_t count, std::size_t needed) {
    const std::uint64_t left = m_file.stamp.sizeBytes - std::min(offset, m_file.stamp.sizeBytes);
    count = static_cast<std::size_t>(std::min<std::uint64_t>(count, left));
    needed = std::min(count, needed);
    if (offset >= m_base && offset + needed <= m_base + m_text.size()) return {};
    m_text.resize(count);
    m_base = offset;
    const Result<std::size_t> got = m_handle.readAt(offset, m_text.data(), count);
    if (!got) return fail(got.error());
    if (*got < count) return fail(changed());
    return {};
  }

  const SourceFile& m_file;
  FileHandle m_handle;
  std::string m_text, m_block;
  std::uint64_t m_base = 0;
  std::unique_ptr<TextReader::Scratch> m_scratch;
  const FileView* m_scratchOf = nullptr;
};

bool isByPosition(const FoundView& found) { return found.view != nullptr && found.view->opened.byPosition; }

/// Records of one file; `order` are indexes of refs, by offset.
class FileFetch {
 public:
  FileFetch(const SourceFile& file, const PayloadLog& log, std::span<const RecordRef> refs,
            const std::function<void(std::size_t, AnyRecord&&)>& fn)
      : m_file(file), m_log(log), m_refs(refs), m_fn(fn), m_rows(file), m_take([this](const RowView& row) { take(row); }) {}

  Result<> run(std::span<const std::size_t> order) {
    for (std::size_t i = 0; i < order.size(); ++i) {
      const RecordRef& ref = m_refs[order[i]];
      const FoundView found = viewOf(m_file, ref.part);
      if (found.view == nullptr) return fail(ErrorCode::Internal, "a reference to no record");
      const Result<> done = isByPosition(found) ? fromFile(found, order, i) : fromLog(order[i]);
      if (!done) return done;
    }
    return {};
  }

 private:
  Result<> fromFile(const FoundView& found, std::span<const std::size_t> order, std::size_t i) {
    if (!m_isOpen) {
      const Result<> opened = m_rows.open();
      if (!opened) return opened;
      m_isOpen = true;
    }
    const RecordRef& ref = m_refs[order[i]];
    const Plan& plan = *found.view->plans[found.plan];
    if (m_scratchOf != &plan) {
      m_scratch = plan.makeScratch();
      m_scratchOf = &plan;
    }
    m_found = found;
    m_element = ref.part & 0xFFFFF;
    m_fate = RowFate::NoRecord;
    const std::size_t ahead = m_rows.holds(ref.offset) ? 0 : bytesAhead(order, i);
    const Result<> read = m_rows.row(found, ref.offset, m_element, ahead, m_take);
    if (!read) return read;
    if (m_fate != RowFate::Recorded) return fail(m_rows.changed());
    m_fn(order[i], std::move(m_record));
    return {};
  }

  void take(const RowView& row) {
    m_fate = m_scratchOf->full(planView(m_found, row), m_element, *m_scratch, m_record);
  }

  /// How much of the file the next references lie close together in.
  [[nodiscard]] std::size_t bytesAhead(std::span<const std::size_t> order, std::size_t i) const {
    std::uint64_t end = m_refs[order[i]].offset;
    const std::uint64_t start = end;
    for (std::size_t k = i + 1; k < order.size() && end - start < kWindowBytes; ++k) {
      const std::uint64_t next = m_refs[order[k]].offset;
      if (next - end > kMaxGapBytes) break;
      end = next;
    }
    return static_cast<std::size_t>(end - start) + kFirstReadBytes;
  }

  const RowView& planView(const FoundView& found, const RowView& row) {
    const std::vector<std::uint32_t>& columns = found.view->columnOf[found.plan];
    m_view.offset = row.offset;
    m_view.length = row.length;
    m_view.line = row.line;
    m_view.raw = row.raw;
    m_view.fields.resize(columns.size());
    for (std::size_t c = 0; c < columns.size(); ++c) m_view.fields[c] = row.fields[columns[c]];
    return m_view;
  }

  Result<> fromLog(std::size_t index) {
    const Result<std::string> entry = m_log.read(m_refs[index].offset);
    if (!entry) return fail(entry.error());
    const Result<LoggedRecord> logged = decodeLogged(*entry);
    if (!logged) return fail(logged.error());
    std::string_view bytes = logged->record;
    Result<AnyRecord> record = decodeRecord(bytes);
    if (!record) return fail(record.error());
    m_fn(index, std::move(*record));
    return {};
  }

  const SourceFile& m_file;
  const PayloadLog& m_log;
  std::span<const RecordRef> m_refs;
  const std::function<void(std::size_t, AnyRecord&&)>& m_fn;
  RowsAt m_rows;
  bool m_isOpen = false;
  std::unique_ptr<RowScratch> m_scratch;
  const Plan* m_scratchOf = nullptr;
  RowView m_view;
  FoundView m_found;             ///< of the row at hand, with the next three
  std::uint32_t m_element = 0;
  RowFate m_fate = RowFate::NoRecord;
  AnyRecord m_record;            ///< filled again and again: it keeps its memory where nobody took it
  std::function<void(const RowView&)> m_take;
};

/// Lines and raw texts of records of one file. Blank where they are no longer there.
class FileEvidence {
 public:
  FileEvidence(const SourceFile& file, const PayloadLog& log) : m_file(file), m_log(log), m_rows(file) {}
  [[nodiscard]] bool isOf(const SourceFile& file) const { return &file == &m_file; }

  std::string textOf(const RecordRef& ref) {
    const FoundView found = viewOf(m_file, ref.part);
    if (found.view == nullptr) return {};
    if (!isByPosition(found)) return logged(ref).raw;
    if (!isOpen()) return {};
    std::string raw;
    const auto take = [&](const RowView& row) {
      const OpenedFile& opened = found.view->opened;
      const std::string_view text = row.raw.substr(0, kRawBytes);
      raw = boundedText(opened.table ? opened.table->toUtf8(text) : std::string(text), kRawBytes);
    };
    const Result<> read = m_rows.row(found, ref.offset, ref.part & 0xFFFFF, 0, take);
    return read ? raw : std::string();
  }

  std::uint64_t lineOf(const RecordRef& ref) {
    const FoundView found = viewOf(m_file, ref.part);
    if (found.view == nullptr) return 0;
    if (!isByPosition(found)) return logged(ref).line;
    // The last chunk that starts at or before the record; lines are counted from there.
    const std::vector<ChunkPlace>& chunks = m_file.chunks[found.index];
    const auto behind = std::upper_bound(chunks.begin(), chunks.end(), ref.offset,
                                         [](std::uint64_t offset, const ChunkPlace& chunk) { return offset < chunk.offset; });
    if (behind == chunks.begin() || !isOpen()) return 0;
    const ChunkPlace& chunk = *std::prev(behind);
    if (m_counted != found.view || ref.offset < m_at || chunk.offset > m_at) {
      m_counted = found.view;
      m_at = chunk.offset;
      m_line = chunk.line;
    }
    const Result<std::uint64_t> lines = m_rows.countBetween(m_at, ref.offset, found.view->reader->lineEnd());
    if (!lines) return 0;
    m_at = ref.offset;
    return m_line += *lines;
  }

 private:
  bool isOpen() {
    if (!m_isOpen) m_isOpen = m_rows.open().has_value();
    return *m_isOpen;
  }
  [[nodiscard]] LoggedRecord logged(const RecordRef& ref) const {
    const Result<std::string> entry = m_log.read(ref.offset);
    if (!entry) return {};
    Result<LoggedRecord> record = decodeLogged(*entry);
    return record ? std::move(*record) : LoggedRecord();
  }

  const SourceFile& m_file;
  const PayloadLog& m_log;
  RowsAt m_rows;
  std::optional<bool> m_isOpen;
  const FileView* m_counted = nullptr;   ///< where lines were counted last
  std::uint64_t m_at = 0, m_line = 0;
};

}  // namespace

Result<> fetchRecords(const SourceFiles& files, const PayloadLog& log, std::span<const RecordRef> refs,
                      const std::function<void(std::size_t, AnyRecord&&)>& fn) {
  std::vector<std::size_t> order(refs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::tie(refs[a].file, refs[a].offset, refs[a].part) < std::tie(refs[b].file, refs[b].offset, refs[b].part);
  });
  for (std::size_t from = 0; from < order.size();) {
    const FileId id = refs[order[from]].file;
    std::size_t to = from;
    while (to < order.size() && refs[order[to]].file == id) ++to;
    if (id.value >= files.size()) return fail(ErrorCode::Internal, "a reference to no file");
    const Result<> done = FileFetch(*files[id.value], log, refs, fn).run(std::span(order).subspan(from, to - from));
    if (!done) return done;
    from = to;
  }
  return {};
}

std::string rawTextOf(const SourceFiles& files, const PayloadLog& log, const RecordRef& ref) {
  if (ref.file.value >= files.size()) return {};
  return FileEvidence(*files[ref.file.value], log).textOf(ref);
}

std::uint64_t lineOfRecord(const SourceFiles& files, const PayloadLog& log, const RecordRef& ref) {
  if (ref.file.value >= files.size()) return 0;
  return FileEvidence(*files[ref.file.value], log).lineOf(ref);
}

void evidenceOfRecords(const SourceFiles& files, const PayloadLog& log, std::span<const RecordRef> refs,
                       const std::function<void(std::size_t, std::uint64_t, std::string&&)>& fn) {
  std::optional<FileEvidence> evidence;
  for (std::size_t i = 0; i < refs.size(); ++i) {
    const RecordRef& ref = refs[i];
    if (ref.file.value >= files.size()) {
      fn(i, 0, {});
      continue;
    }
    const SourceFile& file = *files[ref.file.value];
    if (!evidence || !evidence->isOf(file)) evidence.emplace(file, log);
    const std::uint64_t line = evidence->lineOf(ref);
    fn(i, line, evidence->textOf(ref));
  }
}

}  // namespace counterfoil
