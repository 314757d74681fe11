// SPDX-License-Identifier: GPL-3.0-or-later
// Files that are read from their beginning to their end: packed, converted, JSON documents, tables.
#include <fmt/format.h>

#include <algorithm>

#include "importers/input/settle.h"
#include "importers/input/source_file.h"

namespace counterfoil {

namespace {

constexpr std::size_t kBlockBytes = 1u << 20;

/// Passes rows on and lets the batch be taken away every now and then.
class FlushingSink final : public RowSink {
 public:
  FlushingSink(RowSink& inner, const std::function<Result<>()>& flush) : m_inner(inner), m_flush(flush) {}
  bool onRow(const RowView& row, std::uint32_t element) override { return m_inner.onRow(row, element) && flushed(); }
  bool onDefect(const RowView& row, RowDefect defect) override {
    return m_inner.onDefect(row, std::move(defect)) && flushed();
  }
  void onUnmatched(const RowView& row) override { m_inner.onUnmatched(row); }
  [[nodiscard]] const std::optional<Error>& fault() const { return m_fault; }

 private:
  bool flushed() {
    if (!m_flush) return true;
    const Result<> done = m_flush();
    if (!done) m_fault = done.error();
    return done.has_value();
  }
  RowSink& m_inner;
  const std::function<Result<>()>& m_flush;
  std::optional<Error> m_fault;
};

/// Rows of a text kind out of a stream, block after block.
class TextStream {
 public:
  TextStream(const FileView& view, RowSink& sink, RowMapper* mapper, const CancelToken* cancel)
      : m_view(view), m_sink(sink), m_mapper(mapper), m_cancel(cancel), m_scratch(view.reader->makeScratch()) {}

  Result<> run(std::optional<Error>& problem) {
    Result<std::unique_ptr<ByteSource>> source = m_view.opened.openSource();
    if (!source) return fail(source.error());
    bool ended = false;
    Result<> skipped = skipHead(**source, ended, problem);
    if (!skipped) return skipped;
    while (!m_stopped) {
      if (m_cancel != nullptr && m_cancel->isCancelled()) return fail(ErrorCode::Cancelled, "stopped");
      if (!parse(ended && !problem)) continue;
      if (ended) break;
      fill(**source, ended, problem);
    }
    return {};
  }

 private:
  Result<> skipHead(ByteSource& source, bool& ended, std::optional<Error>& problem) {
    while (m_text.size() < m_view.opened.dataOffset && !ended) fill(source, ended, problem);
    const auto skip = static_cast<std::size_t>(std::min<std::uint64_t>(m_text.size(), m_view.opened.dataOffset));
    m_text.erase(0, skip);
    m_base = skip;
    m_line = m_view.opened.dataLine;
    return {};
  }

  void fill(ByteSource& source, bool& ended, std::optional<Error>& problem) {
    const Result<std::size_t> got = source.read(m_text, std::max(kBlockBytes, m_text.size()));
    if (!got) {
      problem = got.error();
      ended = true;
    } else if (*got == 0) {
      ended = true;
    }
  }

  /// Takes the complete rows of m_text. True: nothing more can be done without more bytes.
  bool parse(bool last) {
    if (m_text.empty()) return true;
    if (m_mapper != nullptr) m_mapper->setBlock(m_text, m_base, m_view.reader->lineEnd(), m_line);
    const BlockOutcome outcome = m_view.reader->parse({m_text, m_base, m_text.size(), last}, m_sink, *m_scratch);
    m_stopped = outcome.stopped;
    if (m_mapper != nullptr && outcome.cutOff) m_mapper->output().cutOff = true;
    m_line += countByte(std::string_view(m_text).substr(0, outcome.consumed), m_view.reader->lineEnd());
    m_base += outcome.consumed;
    m_text.erase(0, outcome.consumed);
    return true;
  }

  const FileView& m_view;
  RowSink& m_sink;
  RowMapper* m_mapper;
  const CancelToken* m_cancel;
  std::unique_ptr<TextReader::Scratch> m_scratch;
  std::string m_text;
  std::uint64_t m_base = 0;
  std::uint64_t m_line = 1;
  bool m_stopped = false;
};

Result<> readJson(const FileView& view, RowSink& sink, const CancelToken* cancel) {
  const Result<std::unique_ptr<ByteSource>> source = view.opened.openSource();
  if (!source) return fail(source.error());
  const JsonRowShaper shaper(view.wanted, {view.opened.layout.each, view.opened.layout.unwrap});
  return readJsonRows(**source, view.opened.jsonRows, shaper, sink, cancel);
}

Result<> readSqlite(const FileView& view, RowSink& sink, const CancelToken* cancel) {
  const Result<std::unique_ptr<SqliteReader>> reader = SqliteReader::open(view.opened.path, cancel);
  if (!reader) return fail(reader.error());
  SqliteRows rows = view.opened.sqlite;
  rows.wanted = view.wanted;
  return (*reader)->read(rows, sink);
}

class StreamScan {
 public:
  StreamScan(SourceFile& file, std::size_t viewIndex, ScanServices& services, unsigned worker, ScanOutput& totals)
      : m_file(file), m_view(*file.views[viewIndex]), m_services(services), m_worker(worker), m_totals(totals) {}

  Result<> run() {
    if (!needsLook()) return deliverAll();
    Result<bool> done = look();
    if (done && !*done && m_encodingFailed) {
      const Result<> reopened = reopenAsWindows1252();
      if (!reopened) return reopened;
      done = look();
    }
    if (!done) return fail(done.error());
    if (*done) return {};
    return deliverAll();
  }

 private:
  [[nodiscard]] bool needsLook() const {
    if (m_view.opened.encodingIsGuess) return true;
    return std::any_of(m_view.plans.begin(), m_view.plans.end(), [](const std::shared_ptr<const Plan>& plan) {
      const std::unique_ptr<RowScratch> scratch = plan->makeScratch();
      return !plan->evidence(*scratch).columns.empty();
    });
  }

  /// Reads everything without giving anything away, except that the records of a short file are kept.
  /// True: they were given to the sink, all is done.
  Result<bool> look() {
    MapperContext context = mapperContext(m_file, m_view, m_services);
    context.log = m_services.log;
    auto mapper = std::make_unique<RowMapper>(context, &m_services.queuesByWorker[m_worker]);
    ScanOutput dropped;
    bool held = true;
    std::optional<Error> problem;
    m_mapper = mapper.get();
    const auto flush = [&]() -> Result<> {
      if (!held || m_mapper->output().rows <= m_services.settings.heldRows) return {};
      held = false;
      return {};
    };
    // A file with more rows than may be held is only looked at, from its beginning.
    Result<> read = readWhileHeld(*mapper, flush, held, problem);
    if (!read) return fail(read.error());
    if (!held) {
      context.onlyLook = true;
      context.log = nullptr;
      dropped.queueNames = std::move(mapper->output().queueNames);
      mapper = std::make_unique<RowMapper>(context, nullptr);
      problem.reset();
      read = readStream(m_view, *mapper, mapper.get(), m_services.options->cancel, {}, problem);
      if (!read) return fail(read.error());
      const Result<> told = m_services.deliver(dropped, m_worker);
      if (!told) return fail(told.error());
    }
    mapper->takeEvidence();
    m_encodingFailed = problem && problem->code == ErrorCode::Encoding && m_view.opened.encodingIsGuess;
    if (m_encodingFailed) return false;
    Result<Settled> settled = settleColumns(mapper->output(), [this](const ColumnFacts& facts) { return trial(facts); });
    if (!settled) return fail(settled.error());
    if (!settled->problem.empty()) m_file.markIncomplete(settled->problem);
    if (settled->isDefault() && held) return finish(mapper->output(), problem);
    auto plans = compilePlans(m_file, m_view, settled->facts, m_services.operations);
    if (!plans) return fail(plans.error());
    bindPlans(m_view, std::move(*plans));
    m_view.undecidedColumns = placesOf(m_view, settled->undecidedDecimals);
    return false;
  }

  /// Stops reading as soon as too much would have to be held.
  Result<> readWhileHeld(RowMapper& mapper, const std::function<Result<>()>& flush, bool& held,
                         std::optional<Error>& problem) {
    const auto limited = [&]() -> Result<> {
      const Result<> done = flush();
      if (!done) return done;
      if (!held) return fail(ErrorCode::Limit, "held");
      return {};
    };
    const Result<> read = readStream(m_view, mapper, &mapper, m_services.options->cancel, limited, problem);
    if (!held) return {};
    return read;
  }

  Result<bool> finish(ScanOutput& output, const std::optional<Error>& problem) {
    tellProblem(output, problem);
    const Result<> delivered = m_services.deliver(output, m_worker);
    if (!delivered) return fail(delivered.error());
    m_totals.addCounts(output);
    return true;
  }

  void tellProblem(const ScanOutput& output, const std::optional<Error>& problem) {
    if (problem) m_file.markIncomplete(problem->message);
    if (output.cutOff) {
      m_file.markIncomplete(fmt::format("cut off in line {}: {}", output.cutOffLine, output.cutOffReason));
    }
  }

  Result<> deliverAll() {
    MapperContext context = mapperContext(m_file, m_view, m_services);
    context.log = m_services.log;
    RowMapper mapper(context, &m_services.queuesByWorker[m_worker]);
    std::optional<Error> problem;
    const auto flush = [&]() -> Result<> {
      ScanOutput& output = mapper.output();
      if (output.batch.size() + output.quarantined.size() + output.depths.size() < m_services.settings.batchRows) return {};
      return m_services.deliver(output, m_worker);
    };
    const Result<> read = readStream(m_view, mapper, &mapper, m_services.options->cancel, flush, problem);
    if (!read) return read;
    mapper.takeEvidence();
    const Result<bool> finished = finish(mapper.output(), problem);
    if (!finished) return fail(finished.error());
    return {};
  }

  Result<ScanOutput> trial(const ColumnFacts& facts) {
    auto plans = compilePlans(m_file, m_view, facts, m_services.operations);
    if (!plans) return fail(plans.error());
    FileView view;
    view.opened = m_view.opened;
    view.mappings = m_view.mappings;
    view.mappingNumbers = m_view.mappingNumbers;
    bindPlans(view, std::move(*plans));
    MapperContext context = mapperContext(m_file, view, m_services);
    context.onlyLook = true;
    RowMapper mapper(context, nullptr);
    std::optional<Error> problem;
    const Result<> read = readStream(view, mapper, &mapper, m_services.options->cancel, {}, problem);
    if (!read) return fail(read.error());
    return std::move(mapper.output());
  }

  Result<> reopenAsWindows1252() {
    std::vector<std::string> known;
    for (const auto& mapping : m_view.mappings) {
      const std::vector<std::string> names = mapping->knownColumns();
      known.insert(known.end(), names.begin(), names.end());
    }
    Result<OpenedFile> opened = openWithLayout(m_file.place, m_view.mappings.front()->layout(), known,
                                               m_services.options->cancel, "windows-1252");
    if (!opened) return fail(opened.error());
    m_view.opened = std::move(*opened);
    m_view.opened.encodingIsGuess = false;
    auto plans = compilePlans(m_file, m_view, {}, m_services.operations);
    if (!plans) return fail(plans.error());
    bindPlans(m_view, std::move(*plans));
    return {};
  }

  SourceFile& m_file;
  FileView& m_view;
  ScanServices& m_services;
  unsigned m_worker;
  ScanOutput& m_totals;
  RowMapper* m_mapper = nullptr;
  bool m_encodingFailed = false;
};

}  // namespace

Result<> readStream(const FileView& view, RowSink& sink, RowMapper* mapper, const CancelToken* cancel,
                    const std::function<Result<>()>& flush, std::optional<Error>& problem) {
  FlushingSink flushing(sink, flush);
  Result<> read;
  if (view.opened.isText()) {
    read = TextStream(view, flushing, mapper, cancel).run(problem);
  } else if (view.opened.layout.kind == LayoutKind::Json) {
    read = readJson(view, flushing, cancel);
  } else {
    read = readSqlite(view, flushing, cancel);
  }
  if (mapper != nullptr && mapper->fault()) return fail(*mapper->fault());
  if (flushing.fault()) return fail(*flushing.fault());
  if (!read && read.error().code == ErrorCode::Cancelled) return read;
  if (!read) problem = read.error();
  return {};
}

Result<> scanStream(SourceFile& file, std::size_t viewIndex, ScanServices& services, unsigned worker,
                    ScanOutput& totals) {
  return StreamScan(file, viewIndex, services, worker, totals).run();
}

}  // namespace counterfoil
