// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/input/file_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "importers/formats/identify.h"
#include "importers/input/column_rates.h"
#include "importers/input/file_fetch.h"
#include "importers/input/source_file.h"
#include "importers/xlsx/workbook.h"

namespace counterfoil {

namespace {

constexpr std::size_t kSerialChunks = 4;   ///< files of up to so many chunks are read by one thread each

class FileInput final : public Input {
 public:
  FileInput(std::vector<SourceSpec> sources, const OperationMatcher* operations, FileInputOptions options)
      : m_sources(std::move(sources)), m_operations(operations), m_options(std::move(options)),
        m_log(m_options.payloadMemoryBytes, m_options.temporaryFolder) {}

  Result<> resolveFormats() {
    for (SourceSpec& source : m_sources) {
      m_ownMapping.push_back(!source.mappings.empty());
      if (!source.mappings.empty() || source.format.empty()) continue;
      auto mappings = namedFormat(source.format);
      if (!mappings) return fail(mappings.error().within(fmt::format("source {}", source.name)));
      source.mappings = std::move(*mappings);
    }
    return {};
  }

  Result<std::vector<FileReport>> scan(Executor& executor, const KeyedHash& hash, ScanSink& sink,
                                       const ScanOptions& options) override {
    ScanServices services;
    services.hash = &hash;
    services.sink = &sink;
    services.options = &options;
    services.settings = m_options;
    services.operations = m_operations;
    services.log = &m_log;
    services.queuesByWorker.resize(executor.threadCount());
    Result<> done = listFiles();
    if (done) done = openFiles(executor, services);
    if (done) done = scanFiles(executor, services);
    if (!done) return fail(done.error());
    std::vector<FileReport> reports;
    for (const auto& file : m_files) reports.push_back(file->report);
    return reports;
  }

  [[nodiscard]] std::vector<InputProblem> problems() const override { return m_problems; }

  Result<> fetch(std::span<const RecordRef> refs,
                 const std::function<void(std::size_t, AnyRecord&&)>& fn) const override {
    return fetchRecords(m_files, m_log, refs, fn);
  }
  void evidenceOf(std::span<const RecordRef> refs,
                  const std::function<void(std::size_t, std::uint64_t, std::string&&)>& fn) const override {
    evidenceOfRecords(m_files, m_log, refs, fn);
  }
  [[nodiscard]] std::string rawText(const RecordRef& ref) const override { return rawTextOf(m_files, m_log, ref); }
  [[nodiscard]] std::uint64_t lineOf(const RecordRef& ref) const override { return lineOfRecord(m_files, m_log, ref); }

  Result<std::vector<ColumnRate>> columnRates(SourceId source, const KeyedHash& hash,
                                              std::span<const Hash128> keys) const override {
    return rateColumns(m_files, source, hash, keys);
  }

 private:
  Result<> listFiles() {
    m_files.clear();
    m_problems.clear();
    for (std::size_t s = 0; s < m_sources.size(); ++s) {
      const SourceSpec& spec = m_sources[s];
      const SourceId id{static_cast<std::uint16_t>(s)};
      Result<std::vector<ExpandedPath>> paths = expandPath(spec.path, m_options.baseFolder, spec.zone);
      if (!paths) {
        if (paths.error().code == ErrorCode::Config) return fail(paths.error().within(spec.name));
        if (!(spec.mayBeEmpty && paths.error().code == ErrorCode::Missing)) m_problems.push_back({id, paths.error()});
        continue;
      }
      for (ExpandedPath& path : *paths) addFile(spec, id, std::move(path));
    }
    return {};
  }

  void addFile(const SourceSpec& spec, SourceId source, ExpandedPath path) {
    const Result<FileStamp> stamp = stampOf(path.place());
    if (!stamp) {
      Error error = stamp.error();
      if (spec.mayBeEmpty && error.code == ErrorCode::Missing) return;
      m_problems.push_back({source, std::move(error)});
      return;
    }
    auto file = std::make_unique<SourceFile>();
    file->id = FileId{static_cast<std::uint32_t>(m_files.size())};
    file->source = source;
    file->spec = &spec;
    file->expanded = std::move(path);
    file->place = file->expanded.place();
    file->stamp = *stamp;
    file->report.file = file->id;
    file->report.source = source;
    file->report.path = file->expanded.shown;
    file->report.bytes = file->stamp.sizeBytes;
    file->report.covers = spec.covers ? spec.covers : file->expanded.day;
    file->report.format = m_ownMapping[source.value] ? "mapping" : spec.format;
    if (file->expanded.problem) file->markIncomplete(file->expanded.problem->message);
    m_files.push_back(std::move(file));
  }

  /// Whether another file of the source is of the same size, and so may be the same.
  [[nodiscard]] bool hasTwin(const SourceFile& file) const {
    return std::any_of(m_files.begin(), m_files.end(), [&](const auto& other) {
      return other.get() != &file && other->source == file.source && other->stamp.sizeBytes == file.stamp.sizeBytes;
    });
  }

  Result<> openFiles(Executor& executor, ScanServices& services) {
    std::vector<std::optional<Error>> faults(m_files.size());
    std::vector<std::string> digests(m_files.size());
    executor.forEach(m_files.size(), [&](std::size_t i, unsigned) {
      SourceFile& file = *m_files[i];
      if (file.expanded.problem) return;
      if (services.options->wantDigests || hasTwin(file)) {
        Result<std::string> digest = digestOf(file, services.options->cancel);
        if (!digest) {
          faults[i] = digest.error();
          return;
        }
        digests[i] = std::move(*digest);
      }
      const Result<> opened = openOne(file, services.options->cancel);
      if (!opened) faults[i] = opened.error();
    });
    std::map<std::pair<SourceId, std::string>, const SourceFile*> known;
    for (std::size_t i = 0; i < m_files.size(); ++i) {
      SourceFile& file = *m_files[i];
      if (faults[i]) {
        if (faults[i]->code == ErrorCode::Cancelled) return fail(*faults[i]);
        if (faults[i]->code == ErrorCode::Config) return fail(faults[i]->within(file.expanded.shown));
        file.markIncomplete(faults[i]->message);
        file.views.clear();
        continue;
      }
      if (digests[i].empty()) continue;
      if (services.options->wantDigests) file.report.digest = "sha256:" + digests[i];
      const auto [first, isFirst] = known.try_emplace({file.source, digests[i]}, &file);
      if (!isFirst) file.repeatOf = first->second;
    }
    for (const auto& file : m_files) services.totalBytes += file->repeatOf == nullptr ? file->stamp.sizeBytes : 0;
    return {};
  }

  static Result<std::string> digestOf(const SourceFile& file, const CancelToken* cancel) {
    const auto bytes = openRawStage(file.place);
    if (!bytes) return fail(bytes.error());
    Sha256 sum;
    std::string block;
    while (true) {
      if (cancel != nullptr && cancel->isCancelled()) return fail(ErrorCode::Cancelled, "stopped");
      block.clear();
      const Result<std::size_t> got = (*bytes)->read(block, 1u << 20);
      if (!got) return fail(got.error().within(file.expanded.path));
      if (*got == 0) return sum.finishHex();
      sum.add(block);
    }
  }

  Result<> openOne(SourceFile& file, const CancelToken* cancel) const {
    std::vector<std::shared_ptr<const MappingSpec>> mappings = file.spec->mappings;
    if (mappings.empty()) {
      if (file.stamp.sizeBytes == 0) return {};
      Result<FormatAnswer> format = identifyFormat(file.place, file.spec->zone, file.spec->expectedKinds, cancel);
      if (!format) return fail(format.error());
      file.report.format = format->name;
      mappings = std::move(format->mappings);
    }
    if (file.stamp.sizeBytes == 0) return {};   // no header either: no rows
    if (Result<> opened = openViews(file, mappings, m_operations, cancel); !opened) return opened;
    for (const auto& view : file.views) {
      if (Result<> one = demandOneSheet(view->opened); !one) return one;
    }
    return {};
  }

  [[nodiscard]] bool isForAllThreads(const SourceFile& file) const {
    return file.stamp.sizeBytes > kSerialChunks * m_options.chunkBytes &&
           std::any_of(file.views.begin(), file.views.end(), [](const auto& view) { return view->opened.byPosition; });
  }

  /// Small files and streams one a thread, then large files one after the other with all threads.
  Result<> scanFiles(Executor& executor, ScanServices& services) {
    std::vector<SourceFile*> single, large;
    for (const auto& file : m_files) {
      if (file->views.empty() || file->repeatOf != nullptr) continue;
      (isForAllThreads(*file) ? large : single).push_back(file.get());
    }
    std::vector<std::optional<Error>> faults(single.size());
    executor.forEach(single.size(), [&](std::size_t i, unsigned worker) {
      if (services.isCancelled()) {
        faults[i] = Error{ErrorCode::Cancelled, "stopped"};
        return;
      }
      const Result<> done = scanOne(*single[i], services, nullptr, worker);
      if (!done) faults[i] = done.error();
    });
    for (const std::optional<Error>& fault : faults) {
      if (fault) return fail(*fault);
    }
    for (SourceFile* const file : large) {
      const Result<> done = scanOne(*file, services, &executor, 0);
      if (!done) return done;
    }
    for (const auto& file : m_files) {
      if (file->repeatOf != nullptr) reportRepeat(*file);
    }
    return {};
  }

  static Result<> scanOne(SourceFile& file, ScanServices& services, Executor* executor, unsigned worker) {
    // A workbook's shared texts are read once for all passes, and let go before the next file's.
    const auto shelf = std::make_shared<BookShelf>();
    for (const auto& view : file.views) view->opened.place.shelf = shelf;
    for (std::size_t v = 0; v < file.views.size(); ++v) {
      ScanOutput totals;
      const bool byPosition = file.views[v]->opened.byPosition;
      const Result<> done = byPosition ? scanByPosition(file, v, services, executor, worker, totals)
                                       : scanStream(file, v, services, worker, totals);
      if (!done && isFatal(done.error())) return done;
      if (!done) file.markIncomplete(done.error().message);
      addToReport(file, totals, v > 0 && file.views[v]->opened.layout.kind == LayoutKind::Log);
      addChecks(file, *file.views[v], totals);
      if (!byPosition) services.addProgress(v == 0 ? file.stamp.sizeBytes : 0);
    }
    for (const auto& view : file.views) view->opened.place.shelf.reset();
    checkUnchanged(file);
    return {};
  }

  static bool isFatal(const Error& error) {
    switch (error.code) {
      case ErrorCode::Cancelled:
      case ErrorCode::Config:
      case ErrorCode::Usage:
      case ErrorCode::Internal:
      case ErrorCode::WriteFailed: return true;
      default: return false;
    }
  }

  static void addToReport(SourceFile& file, const ScanOutput& totals, bool isLogAgain) {
    FileReport& report = file.report;
    report.rows += totals.rows;
    report.recorded += totals.recorded;
    report.quarantined += totals.quarantinedCount;
    report.excluded += totals.excluded;
    // Each view takes other lines of one log: what all leave is no more than what the best of them leaves.
    report.unmatchedLines = isLogAgain ? std::min(report.unmatchedLines, totals.unmatched) : report.unmatchedLines + totals.unmatched;
    report.dataRows += totals.dataRows;
    if (totals.firstMicros <= totals.lastMicros) {
      const Instant first{Duration(totals.firstMicros)}, last{Duration(totals.lastMicros)};
      report.from = report.from ? std::min(*report.from, first) : first;
      report.to = report.to ? std::max(*report.to, last) : last;
    }
    for (const ExcludedTotal& total : totals.excludedTotals) addTo(report.excludedTotals, total);
    std::sort(report.excludedTotals.begin(), report.excludedTotals.end());
    report.declaredBasis.insert(report.declaredBasis.end(), totals.basis.begin(), totals.basis.end());
    std::sort(report.declaredBasis.begin(), report.declaredBasis.end(),
              [](const Money& a, const Money& b) { return a.currency < b.currency; });
    if (totals.basisOverflow) file.markIncomplete("the sum of the amounts is too large to be held");
    if (totals.cutOff) {
      file.markIncomplete(fmt::format("cut off in line {}: {}", totals.cutOffLine, totals.cutOffReason));
    }
  }

  static void addChecks(SourceFile& file, const FileView& view, const ScanOutput& totals) {
    for (std::size_t p = 0; p < view.plans.size(); ++p) {
      if (!view.plans[p]->hasChecks()) continue;
      const CheckTally tally = p < totals.checks.size() ? totals.checks[p] : view.plans[p]->makeTally();
      view.plans[p]->checkResults(tally, file.report.checks, file.report.balances);
    }
  }

  static void checkUnchanged(SourceFile& file) {
    const Result<FileStamp> stamp = stampOf(file.place);
    if (!stamp || !(*stamp == file.stamp)) file.markIncomplete("the file changed while it was read");
  }

  /// Counted as read, and as repeated; nothing of it is a record.
  static void reportRepeat(SourceFile& file) {
    const FileReport& first = file.repeatOf->report;
    file.report.format = first.format;
    file.report.rows = first.rows;
    file.report.repeated = first.rows;
    file.report.unmatchedLines = first.unmatchedLines;
    file.report.from = first.from;
    file.report.to = first.to;
    file.report.complete = first.complete;
    file.report.problem = first.problem;
    file.views.clear();
  }

  std::vector<SourceSpec> m_sources;
  std::vector<bool> m_ownMapping;
  const OperationMatcher* m_operations;
  FileInputOptions m_options;
  PayloadLog m_log;
  SourceFiles m_files;
  std::vector<InputProblem> m_problems;
};

}  // namespace

Result<std::unique_ptr<Input>> makeFileInput(std::vector<SourceSpec> sources, const OperationMatcher* operations,
                                             FileInputOptions options) {
  auto input = std::make_unique<FileInput>(std::move(sources), operations, std::move(options));
  const Result<> resolved = input->resolveFormats();
  if (!resolved) return fail(resolved.error());
  return input;
}

}  // namespace counterfoil
