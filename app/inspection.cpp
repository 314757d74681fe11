// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/inspection.h"

#include <algorithm>
#include <limits>

namespace counterfoil {

namespace {

/// What one worker saw of one file.
struct Part {
  std::map<TallyKey, Tally> tallies;
  std::uint64_t withKey = 0;
  std::uint64_t records = 0;
  std::vector<RecordRef> first;
  std::vector<QuarantinedRow> quarantined;
};

bool refBefore(const RecordRef& a, const RecordRef& b) {
  return std::tie(a.file, a.offset, a.part) < std::tie(b.file, b.offset, b.part);
}

/// Keeps the least `bound` of a list that grows without bound otherwise.
template <class Values, class Before>
void keepLeast(Values& values, std::size_t bound, std::size_t slack, const Before& before) {
  if (values.size() < bound + slack) return;
  std::sort(values.begin(), values.end(), before);
  values.resize(std::min(values.size(), bound));
}

class InspectionSink final : public ScanSink {
 public:
  InspectionSink(unsigned workers, const InspectionBounds& bounds) : m_bounds(bounds), m_parts(workers) {}

  Result<> accept(SlimBatch& batch, unsigned worker) override {
    for (const SlimRecord& record : batch) add(record, m_parts[worker][record.ref.file]);
    return {};
  }

  void quarantine(QuarantinedRow row, unsigned worker) override {
    auto& rows = m_parts[worker][row.place.file].quarantined;
    rows.push_back(std::move(row));
    keepLeast(rows, m_bounds.quarantinedRows, 100,
              [](const QuarantinedRow& a, const QuarantinedRow& b) { return a.place < b.place; });
  }

  void depth(QueueDepth sample, unsigned worker) override {
    Part& part = m_parts[worker][sample.place.file];
    ++part.records;
    ++part.tallies[{RecordKind::QueueDepth, 0, 0, 0}].count;
    part.first.push_back({sample.place.file, sample.place.part, sample.place.offset});
    keepLeast(part.first, m_bounds.firstRecords, 1000, refBefore);
  }

  void queueName(std::uint32_t, std::string_view, unsigned) override {}

  /// All workers' parts of a file in one; the order of workers leaves no trace.
  [[nodiscard]] Part partOf(FileId file) const {
    Part whole;
    for (const auto& parts : m_parts) {
      const auto found = parts.find(file);
      if (found == parts.end()) continue;
      const Part& part = found->second;
      for (const auto& [key, tally] : part.tallies) {
        whole.tallies[key].count += tally.count;
        whole.tallies[key].minor += tally.minor;
      }
      whole.withKey += part.withKey;
      whole.records += part.records;
      whole.first.insert(whole.first.end(), part.first.begin(), part.first.end());
      whole.quarantined.insert(whole.quarantined.end(), part.quarantined.begin(), part.quarantined.end());
    }
    keepLeast(whole.first, m_bounds.firstRecords, 0, refBefore);
    keepLeast(whole.quarantined, m_bounds.quarantinedRows, 0,
              [](const QuarantinedRow& a, const QuarantinedRow& b) { return a.place < b.place; });
    std::sort(whole.first.begin(), whole.first.end(), refBefore);
    std::sort(whole.quarantined.begin(), whole.quarantined.end(),
              [](const QuarantinedRow& a, const QuarantinedRow& b) { return a.place < b.place; });
    return whole;
  }

 private:
  void add(const SlimRecord& record, Part& part) {
    ++part.records;
    if (record.key != Hash128{}) ++part.withKey;
    const bool isEffect = record.kind == RecordKind::Effect;
    const bool hasStatus = isEffect || record.kind == RecordKind::Attempt;
    Tally& tally = part.tallies[{record.kind, isEffect ? record.effectKind : std::uint8_t{0},
                                 hasStatus ? record.status : std::uint8_t{0},
                                 record.hasAmount ? record.currency : std::uint16_t{0}}];
    ++tally.count;
    if (record.hasAmount) tally.minor += record.amountMinor;
    part.first.push_back(record.ref);
    keepLeast(part.first, m_bounds.firstRecords, 1000, refBefore);
  }

  InspectionBounds m_bounds;
  std::vector<std::map<FileId, Part>> m_parts;   ///< by worker
};

Result<std::vector<AnyRecord>> fetchAll(const Input& input, const std::vector<RecordRef>& refs) {
  std::vector<AnyRecord> records(refs.size());
  const Result<> fetched = input.fetch(
      refs, [&records](std::size_t index, AnyRecord&& record) { records[index] = std::move(record); });
  if (!fetched) return fail(fetched.error());
  return records;
}

}  // namespace

Result<std::vector<FileInspection>> inspect(Input& input, Executor& executor, const ScanOptions& options,
                                            const InspectionBounds& bounds) {
  InspectionSink sink(executor.threadCount(), bounds);
  const KeyedHash hash;
  auto reports = input.scan(executor, hash, sink, options);
  if (!reports) return fail(reports.error());
  std::vector<FileInspection> files;
  for (FileReport& report : *reports) {
    Part part = sink.partOf(report.file);
    FileInspection file;
    file.report = std::move(report);
    file.tallies = std::move(part.tallies);
    file.withKey = part.withKey;
    file.records = part.records;
    file.quarantined = std::move(part.quarantined);
    auto first = fetchAll(input, part.first);
    if (!first) return fail(first.error());
    file.first = std::move(*first);
    files.push_back(std::move(file));
  }
  return files;
}

}  // namespace counterfoil
