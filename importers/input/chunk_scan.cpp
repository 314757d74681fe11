// SPDX-License-Identifier: GPL-3.0-or-later
// Files whose rows are cut out of their own bytes, chunk by chunk, on all cores. A chunk is read as if it
// did not start inside of quotes; it stands only if the chunk before ends exactly where its first row
// starts, and is read again otherwise.
#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <map>

#include "importers/input/settle.h"
#include "importers/input/source_file.h"
#include "importers/source/encoding.h"

namespace counterfoil {

namespace {

constexpr std::uint64_t kUnknown = UINT64_MAX;
constexpr std::size_t kTailBytes = 4u << 10;           ///< read beyond a chunk for its last row
constexpr std::uint64_t kMaxGuessBytes = 1u << 20;     ///< how far a guess may run beyond its chunk

struct ChunkResult {
  ScanOutput output;
  std::uint64_t start = kUnknown;   ///< of the first row
  std::uint64_t end = kUnknown;     ///< behind the last row
  std::uint64_t lines = 0;          ///< line ends between them
  bool sawNonAscii = false;
  bool gaveUp = false;              ///< the guess ran too far
};

/// What a worker keeps from chunk to chunk.
struct WorkerState {
  std::string buffer;
  std::unique_ptr<TextReader::Scratch> scratch;
  const TextReader* reader = nullptr;
};

class ChunkScan {
 public:
  ChunkScan(SourceFile& file, std::size_t viewIndex, ScanServices& services, Executor* executor,
            unsigned worker, ScanOutput& totals)
      : m_file(file), m_view(*file.views[viewIndex]), m_places(file.chunks[viewIndex]), m_services(services),
        m_executor(executor), m_worker(worker), m_totals(totals) {}

  Result<> run() {
    Result<FileHandle> handle = FileHandle::open(m_file.expanded.path);
    if (!handle) return fail(handle.error());
    m_handle = std::move(*handle);
    m_handle.adviseSequential();
    m_size = m_file.stamp.sizeBytes;
    m_first = m_view.opened.dataOffset;
    const std::uint64_t data = m_size > m_first ? m_size - m_first : 0;
    const std::uint64_t chunk = std::max<std::size_t>(m_services.settings.chunkBytes, 1);
    m_count = static_cast<std::size_t>((data + chunk - 1) / chunk);
    m_places.assign(m_count, {});
    m_held.assign(m_count, false);
    m_workers.resize(m_services.queuesByWorker.size());
    firstRun();
    if (m_fault) return fail(*m_fault);
    return settleHeld();
  }

 private:
  [[nodiscard]] std::uint64_t low(std::size_t index) const { return m_first + index * m_services.settings.chunkBytes; }
  [[nodiscard]] std::uint64_t high(std::size_t index) const { return std::min(m_size, low(index + 1)); }

  void firstRun() {
    m_previousEnd = m_first;
    m_nextLine = m_view.opened.dataLine;
    const auto work = [this](std::size_t index, unsigned worker) {
      try {
        guessChunk(index, worker);
      } catch (const std::exception& thrown) {
        stop({ErrorCode::Limit, thrown.what()});
      }
    };
    if (m_executor != nullptr && m_count > 1) {
      m_executor->forEach(m_count, work);
    } else {
      for (std::size_t i = 0; i < m_count && !m_fault; ++i) work(i, m_worker);
    }
  }

  void stop(Error error) {
    const std::lock_guard lock(m_mutex);
    if (!m_fault) m_fault = std::move(error);
    m_moved.notify_all();
  }

  /// Reads a chunk as if a row starts at its first line end; then stands in line.
  void guessChunk(std::size_t index, unsigned worker) {
    {
      // Who runs ahead waits, so that few results are held.
      std::unique_lock lock(m_mutex);
      m_moved.wait(lock, [&] { return m_fault || index < m_frontier + 8 * m_workers.size(); });
      if (m_fault) return;
    }
    if (m_services.isCancelled()) return stop({ErrorCode::Cancelled, "stopped"});
    Result<ChunkResult> result = readChunk(index, index == 0 ? m_first : kUnknown, m_view, worker, false);
    if (!result) return stop(result.error());
    m_services.addProgress(high(index) - low(index));
    std::unique_lock lock(m_mutex);
    m_waiting.emplace(index, std::move(*result));
    advance(lock, worker);
  }

  /// Takes the results that are next in order; only one worker at a time does it.
  void advance(std::unique_lock<std::mutex>& lock, unsigned worker) {
    while (!m_advancing && !m_fault) {
      const auto next = m_waiting.find(m_frontier);
      if (next == m_waiting.end()) return;
      ChunkResult result = std::move(next->second);
      m_waiting.erase(next);
      const std::size_t index = m_frontier;
      if (!fits(index, result)) {
        m_advancing = true;
        const std::uint64_t from = m_previousEnd;
        lock.unlock();
        Result<ChunkResult> again = readChunk(index, from, m_view, worker, false);
        lock.lock();
        m_advancing = false;
        if (!again) {
          if (!m_fault) m_fault = again.error();
          m_moved.notify_all();
          return;
        }
        again->output.queueNames.insert(again->output.queueNames.end(), result.output.queueNames.begin(),
                                        result.output.queueNames.end());
        result = std::move(*again);
      }
      m_places[index] = {result.start, m_nextLine};
      result.output.shiftLines(m_nextLine);
      result.output.setPlace(index);
      m_nextLine += result.lines;
      m_previousEnd = result.end;
      ++m_frontier;
      m_moved.notify_all();
      lock.unlock();
      take(index, result, worker);
      lock.lock();
    }
  }

  /// Whether the chunk before ends where this one was read from.
  bool fits(std::size_t index, ChunkResult& result) const {
    if (result.gaveUp) return false;
    if (result.start == kUnknown) {   // no row starts here
      if (m_previousEnd < high(index)) return false;
      result.start = result.end = m_previousEnd;
      return true;
    }
    return result.start == m_previousEnd;
  }

  /// Rows that other facts about the file would read otherwise wait until those are settled.
  void take(std::size_t index, ChunkResult& result, unsigned worker) {
    const bool hold = result.output.isSensitive() || (result.sawNonAscii && !isUtf8AsGuessed());
    ScanOutput names;
    if (hold) {
      names.queueNames = std::move(result.output.queueNames);
      const Result<> told = m_services.deliver(names, worker);
      if (!told) return stop(told.error());
    } else {
      const Result<> delivered = m_services.deliver(result.output, worker);
      if (!delivered) return stop(delivered.error());
    }
    m_services.takeBuffers(result.output);
    const std::lock_guard lock(m_mutex);
    m_held[index] = hold;
    m_anyHeld = m_anyHeld || hold;
    (hold ? m_heldLook : m_totals).addCounts(result.output);
  }

  bool isUtf8AsGuessed() {
    if (!m_view.opened.encodingIsGuess) return true;
    std::call_once(m_encodingAsked, [this] {
      const Result<bool> valid = isWholeFileUtf8(m_file.expanded.path, m_services.options->cancel);
      m_isUtf8 = !valid || *valid;
      if (!valid) stop(valid.error());
    });
    return m_isUtf8;
  }

  /// `from` is kUnknown for a guess.
  Result<ChunkResult> readChunk(std::size_t index, std::uint64_t from, const FileView& view, unsigned worker,
                                bool onlyLook) {
    ChunkResult result;
    const std::uint64_t end = high(index);
    if (from != kUnknown && from >= end) {   // a row of an earlier chunk ends behind this one
      result.start = result.end = from;
      return result;
    }
    WorkerState& state = m_workers[worker];
    if (state.reader != view.reader.get()) {
      state.reader = view.reader.get();
      state.scratch = state.reader->makeScratch();
    }
    state.scratch->sawNonAscii = false;
    MapperContext context = mapperContext(m_file, view, m_services);
    context.onlyLook = onlyLook;
    RowMapper mapper(context, onlyLook ? nullptr : &m_services.queuesByWorker[worker]);
    m_services.lendBuffers(mapper.output());
    const bool guess = from == kUnknown;
    std::uint64_t base = guess ? low(index) - 1 : from;
    Result<std::string_view> text = readText(base, static_cast<std::size_t>(end - base) + kTailBytes, state);
    if (!text) return fail(text.error());
    if (guess) {
      const std::size_t skipped = state.reader->likelyRowStart(*text, 1);
      base += skipped;
      if (base >= end) return result;
      text->remove_prefix(skipped);
    }
    result.start = base;
    const Result<> parsed = parseRows(*text, base, end, guess, state, mapper, result);
    if (!parsed) return fail(parsed.error());
    if (mapper.fault()) return fail(*mapper.fault());
    mapper.takeEvidence();
    result.sawNonAscii = state.scratch->sawNonAscii;
    const bool cutOff = result.output.cutOff;
    result.output = std::move(mapper.output());
    result.output.cutOff = cutOff;
    return result;
  }

  Result<> parseRows(std::string_view text, std::uint64_t base, std::uint64_t end, bool guess, WorkerState& state,
                     RowMapper& mapper, ChunkResult& result) {
    const char lineEnd = state.reader->lineEnd();
    while (true) {
      mapper.setBlock(text, base, lineEnd, result.lines);
      const bool last = base + text.size() >= m_size;
      const BlockOutcome outcome =
          state.reader->parse({text, base, static_cast<std::size_t>(end - base), last}, mapper, *state.scratch);
      result.lines += countByte(text.substr(0, outcome.consumed), lineEnd);
      result.output.cutOff = outcome.cutOff;
      base += outcome.consumed;
      result.end = base;
      if (outcome.stopped || !outcome.needMore || base >= end) return {};
      const std::size_t pending = text.size() - outcome.consumed;
      if (guess && base + pending > end + kMaxGuessBytes) {
        result.gaveUp = true;
        return {};
      }
      const Result<std::string_view> more = readText(base, pending * 2 + kTailBytes, state);
      if (!more) return fail(more.error());
      if (more->size() <= pending && !last) return fail(shorter());
      text = *more;
    }
  }

  /// Bytes of the file from `offset`; fewer only at its end.
  Result<std::string_view> readText(std::uint64_t offset, std::size_t count, WorkerState& state) {
    count = static_cast<std::size_t>(std::min<std::uint64_t>(count, m_size - offset));
    if (state.buffer.size() < count) state.buffer.resize(count + count / 8);
    const Result<std::size_t> got = m_handle.readAt(offset, state.buffer.data(), count);
    if (!got) return fail(got.error());
    if (*got < count) return fail(shorter());
    return std::string_view(state.buffer.data(), count);
  }
  [[nodiscard]] static Error shorter() { return {ErrorCode::Io, "the file got shorter while it was read"}; }

  // ---- facts and what waits for them

  Result<> settleHeld() {
    if (!m_anyHeld) return {};
    if (m_view.opened.encodingIsGuess && !m_isUtf8) {
      const Result<> changed = readAsWindows1252();
      if (!changed) return changed;
    }
    ScanOutput look = m_totals;
    look.addCounts(m_heldLook);
    Result<Settled> settled = settleColumns(look, [this](const ColumnFacts& facts) { return trial(facts); });
    if (!settled) return fail(settled.error());
    if (!settled->problem.empty()) m_file.markIncomplete(settled->problem);
    if (!settled->isDefault()) {
      auto plans = compilePlans(m_file, m_view, settled->facts, m_services.operations);
      if (!plans) return fail(plans.error());
      bindPlans(m_view, std::move(*plans));
      m_view.undecidedColumns = placesOf(m_view, settled->undecidedDecimals);
    }
    return readHeld(m_view, false, m_totals);
  }

  /// The head was ASCII, so the header is the same in both encodings.
  Result<> readAsWindows1252() {
    m_view.opened.encoding = "windows-1252";
    m_view.opened.encodingIsGuess = false;
    m_view.opened.table = SingleByteTable::make(m_view.opened.encoding);
    m_view.reader = m_view.opened.makeReader(m_view.wanted);
    m_heldLook = {};
    return readHeld(m_view, true, m_heldLook);
  }

  Result<ScanOutput> trial(const ColumnFacts& facts) {
    auto plans = compilePlans(m_file, m_view, facts, m_services.operations);
    if (!plans) return fail(plans.error());
    FileView view;
    view.opened = m_view.opened;
    view.mappings = m_view.mappings;
    view.mappingNumbers = m_view.mappingNumbers;
    bindPlans(view, std::move(*plans));
    ScanOutput output;
    const Result<> read = readHeld(view, true, output);
    for (WorkerState& state : m_workers) state.reader = nullptr;   // the view's reader goes
    if (!read) return fail(read.error());
    return output;
  }

  Result<> readHeld(const FileView& view, bool onlyLook, ScanOutput& totals) {
    std::vector<std::size_t> indexes;
    for (std::size_t i = 0; i < m_count; ++i) {
      if (m_held[i]) indexes.push_back(i);
    }
    const auto work = [&](std::size_t i, unsigned worker) {
      if (m_services.isCancelled()) return stop({ErrorCode::Cancelled, "stopped"});
      const ChunkPlace place = m_places[indexes[i]];
      Result<ChunkResult> result = readChunk(indexes[i], place.offset, view, worker, onlyLook);
      if (!result) return stop(result.error());
      result->output.shiftLines(place.line);
      result->output.setPlace(indexes[i]);
      const Result<> delivered = m_services.deliver(result->output, worker);
      if (!delivered) return stop(delivered.error());
      const std::lock_guard lock(m_mutex);
      totals.addCounts(result->output);
    };
    for (WorkerState& state : m_workers) state.reader = nullptr;
    if (m_executor != nullptr && indexes.size() > 1) {
      m_executor->forEach(indexes.size(), work);
    } else {
      for (std::size_t i = 0; i < indexes.size() && !m_fault; ++i) work(i, m_worker);
    }
    if (m_fault) return fail(*m_fault);
    return {};
  }

  SourceFile& m_file;
  FileView& m_view;
  std::vector<ChunkPlace>& m_places;
  ScanServices& m_services;
  Executor* m_executor;
  unsigned m_worker;   ///< whose thread this is, without an executor
  ScanOutput& m_totals;
  FileHandle m_handle;
  std::uint64_t m_size = 0;
  std::uint64_t m_first = 0;
  std::size_t m_count = 0;
  std::vector<WorkerState> m_workers;

  std::mutex m_mutex;                 ///< guards what follows during the first run
  std::condition_variable m_moved;
  std::map<std::size_t, ChunkResult> m_waiting;
  std::size_t m_frontier = 0;         ///< the first chunk whose start is not known to be right
  bool m_advancing = false;
  std::uint64_t m_previousEnd = 0;
  std::uint64_t m_nextLine = 1;
  std::optional<Error> m_fault;
  std::vector<bool> m_held;
  bool m_anyHeld = false;
  ScanOutput m_heldLook;
  std::once_flag m_encodingAsked;
  bool m_isUtf8 = true;
};

}  // namespace

Result<> scanByPosition(SourceFile& file, std::size_t viewIndex, ScanServices& services, Executor* executor,
                        unsigned worker, ScanOutput& totals) {
  return ChunkScan(file, viewIndex, services, executor, worker, totals).run();
}

}  // namespace counterfoil
