// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/scan.h"

#include <algorithm>

#include "core/base/require.h"

namespace counterfoil {

namespace {

bool placeBefore(const QuarantinedRow& a, const QuarantinedRow& b) {
  return std::tie(a.place, a.column, a.rule) < std::tie(b.place, b.column, b.rule);
}

class LedgerSink : public ScanSink {
 public:
  explicit LedgerSink(NightState& night) : m_night(night), m_workers(night.executor.threadCount()) {}

  Result<> accept(SlimBatch& batch, unsigned worker) override {
    if (m_night.isCancelled()) return fail(ErrorCode::Cancelled, "stopped while reading");
    return m_night.ledger.add(batch, worker);
  }

  void quarantine(QuarantinedRow row, unsigned worker) override {
    auto& rows = m_workers[worker].quarantined;  // a heap: its last place is the first to go
    if (rows.size() == kQuarantinedShown) {
      if (!placeBefore(row, rows.front())) return;
      std::pop_heap(rows.begin(), rows.end(), placeBefore);
      rows.pop_back();
    }
    rows.push_back(std::move(row));
    std::push_heap(rows.begin(), rows.end(), placeBefore);
  }

  void depth(QueueDepth sample, unsigned worker) override { m_workers[worker].depths.push_back(std::move(sample)); }

  void queueName(std::uint32_t queueHash, std::string_view name, unsigned worker) override {
    m_workers[worker].queueNames.try_emplace(queueHash, name);
  }

  void moveInto(ScanResult& scan) {
    for (Worker& worker : m_workers) {
      std::move(worker.quarantined.begin(), worker.quarantined.end(), std::back_inserter(scan.quarantined));
      std::move(worker.depths.begin(), worker.depths.end(), std::back_inserter(scan.depths));
      scan.queueNames.merge(worker.queueNames);
    }
    std::sort(scan.quarantined.begin(), scan.quarantined.end(), placeBefore);
    if (scan.quarantined.size() > kQuarantinedShown) scan.quarantined.resize(kQuarantinedShown);
    std::sort(scan.depths.begin(), scan.depths.end(),
              [](const QueueDepth& a, const QueueDepth& b) { return a.place < b.place; });
  }

 private:
  struct alignas(64) Worker {
    std::vector<QuarantinedRow> quarantined;
    std::vector<QueueDepth> depths;
    std::map<std::uint32_t, std::string> queueNames;
  };
  NightState& m_night;
  std::vector<Worker> m_workers;
};

std::vector<SourceId> sourcesOf(const std::vector<FileReport>& reports) {
  std::vector<SourceId> sources;
  for (const FileReport& report : reports) {
    if (report.file.value >= sources.size()) sources.resize(report.file.value + 1);
    sources[report.file.value] = report.source;
  }
  return sources;
}

/// Sorted and disjoint.
std::vector<Interval> unionOf(std::vector<Interval> intervals) {
  std::erase_if(intervals, [](const Interval& i) { return i.to <= i.from; });
  std::sort(intervals.begin(), intervals.end(),
            [](const Interval& a, const Interval& b) { return std::tie(a.from, a.to) < std::tie(b.from, b.to); });
  std::vector<Interval> result;
  for (const Interval& interval : intervals) {
    if (!result.empty() && interval.from <= result.back().to) {
      result.back().to = std::max(result.back().to, interval.to);
    } else {
      result.push_back(interval);
    }
  }
  return result;
}

std::set<SourceId> unreadSources(const std::vector<FileReport>& reports, const std::vector<InputProblem>& problems) {
  std::set<SourceId> unread;
  for (const InputProblem& problem : problems) unread.insert(problem.source);
  for (const FileReport& report : reports) {
    if (!report.complete) unread.insert(report.source);
  }
  return unread;
}

/// What earlier nights covered stays covered, whatever came tonight.
void addEarlier(Coverage& coverage, const CarriedEvidence& carried) {
  for (const auto& [file, covers] : carried.byFile) coverage.byFile[file] = unionOf(covers);
  for (const auto& [source, earlier] : carried.bySource) {
    auto& all = coverage.bySource[source];
    all.insert(all.end(), earlier.begin(), earlier.end());
    all = unionOf(std::move(all));
  }
}

/// First to last record; the last one's instant is covered too.
std::optional<Interval> observedSpan(const FileReport& report) {
  if (!report.from || !report.to) return std::nullopt;
  return Interval{*report.from, *report.to + Duration(1)};
}

}  // namespace

Result<> scanInputs(NightState& night) {
  LedgerSink sink(night);
  ScanOptions options;
  options.wantDigests = night.options.wantDigests;
  options.cancel = night.options.cancel;
  options.progress = [&night](std::uint64_t done, std::uint64_t total) { night.progress.tell("reading", done, total); };
  auto reports = night.input.scan(night.executor, night.hash, sink, options);
  if (!reports) return fail(reports.error());
  if (night.isCancelled()) return fail(ErrorCode::Cancelled, "stopped while reading");
  sink.moveInto(night.scan);
  night.scan.reports = std::move(*reports);
  night.scan.problems = night.input.problems();
  night.scan.sourceOfFile = sourcesOf(night.scan.reports);
  if (const CarriedEvidence* carried = night.input.carried()) {
    night.scan.firstCarried = carried->firstFile;
    night.scan.sourceOfFile.resize(carried->firstFile.value);
    night.scan.sourceOfFile.insert(night.scan.sourceOfFile.end(), carried->sourceOfFile.begin(), carried->sourceOfFile.end());
  }
  const ShapeTable& shapes = night.ledger.shapes();
  for (std::uint32_t i = 0; i < shapes.size(); ++i) {
    require(shapes[i].file < night.scan.sourceOfFile.size(), "a record of a file that nothing was reported of");
  }
  night.coverage = coverageOf(night.scan.reports, night.options);
  withdrawSilent(night.coverage, night.scan.reports, night.scan.problems, night.policy, night.options.mayBeEmpty);
  if (const CarriedEvidence* carried = night.input.carried()) addEarlier(night.coverage, *carried);
  night.knowledge.firstCarried = night.scan.firstCarried;
  return {};
}

Coverage coverageOf(const std::vector<FileReport>& reports, const RunOptions& options) {
  Coverage coverage;
  std::map<SourceId, std::vector<Interval>> ofSource;
  for (const FileReport& report : reports) {
    const auto declared = options.declaredCoverage.find(report.source);
    std::vector<Interval> own;
    if (declared != options.declaredCoverage.end()) {
      own = declared->second;
      coverage.declared.insert(report.source);
    } else if (report.covers) {
      own = {*report.covers};
      coverage.declared.insert(report.source);
    } else if (const auto span = observedSpan(report)) {
      own = {*span};
    }
    own = unionOf(std::move(own));
    auto& all = ofSource[report.source];
    all.insert(all.end(), own.begin(), own.end());
    coverage.byFile[report.file] = std::move(own);
  }
  for (auto& [source, intervals] : ofSource) coverage.bySource[source] = unionOf(std::move(intervals));
  for (const auto& [source, intervals] : options.declaredCoverage) {
    coverage.bySource[source] = unionOf(intervals);
    coverage.declared.insert(source);
  }
  return coverage;
}

bool mustHaveRows(const SourceProfile& source, const std::vector<std::string>& mayBeEmpty) {
  // What is open at one moment may well be nothing, and is evidence of nothing else.
  const bool isEvidence = !source.snapshot && (source.kinds.count(RecordKind::Attempt) > 0 ||
                                               source.kinds.count(RecordKind::Effect) > 0);
  return isEvidence && std::find(mayBeEmpty.begin(), mayBeEmpty.end(), source.name) == mayBeEmpty.end();
}

void withdrawSilent(Coverage& coverage, const std::vector<FileReport>& reports,
                    const std::vector<InputProblem>& problems, const Policy& policy,
                    const std::vector<std::string>& mayBeEmpty) {
  std::set<SourceId> silent = unreadSources(reports, problems);
  std::map<SourceId, std::uint64_t> records;
  for (const FileReport& report : reports) records[report.source] += report.recorded + report.repeated;
  for (std::size_t i = 0; i < policy.sources.size(); ++i) {
    const SourceId source{static_cast<std::uint16_t>(i)};
    if (records[source] == 0 && mustHaveRows(policy.sources[i], mayBeEmpty)) silent.insert(source);
  }
  std::set<std::string> providers;
  for (SourceId source : silent) {
    coverage.bySource[source].clear();
    providers.insert(policy.sources[source.value].provider);
  }
  for (std::size_t i = 0; i < policy.sources.size(); ++i) {
    const std::string& provider = policy.sources[i].provider;
    const bool isSilent = !provider.empty() && providers.count(provider) != 0;
    if (isSilent) coverage.bySource[SourceId{static_cast<std::uint16_t>(i)}].clear();
  }
}

}  // namespace counterfoil
