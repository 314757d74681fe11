// SPDX-License-Identifier: GPL-3.0-or-later
// Inputs and spill space in memory, so that the engine is tested without files. A record's place is set
// when it is added: one file a source unless the record names another.
#pragma once

#include <algorithm>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/run/run.h"

namespace counterfoil::testing {

class MemorySpill : public SpillSpace {
 public:
  Result<std::uint32_t> open() override {
    const std::lock_guard lock(m_mutex);
    if (failsToOpen) return fail(ErrorCode::WriteFailed, "no space left");
    m_streams.emplace_back();
    return static_cast<std::uint32_t>(m_streams.size() - 1);
  }
  Result<> append(std::uint32_t stream, std::string_view bytes) override {
    const std::lock_guard lock(m_mutex);
    m_written += bytes.size();
    m_streams[stream] += bytes;
    return {};
  }
  Result<> read(std::uint32_t stream, std::uint64_t offset, std::size_t count, std::string& out) override {
    const std::lock_guard lock(m_mutex);
    if (offset + count > m_streams[stream].size()) return fail(ErrorCode::Io, "read past the end");
    out.assign(m_streams[stream], offset, count);
    return {};
  }
  void close(std::uint32_t stream) override {
    const std::lock_guard lock(m_mutex);
    m_streams[stream].clear();
    ++m_closed;
  }
  [[nodiscard]] std::uint64_t writtenBytes() const { return m_written; }
  [[nodiscard]] std::size_t openStreams() const { return m_streams.size() - m_closed; }

  bool failsToOpen = false;

 private:
  std::mutex m_mutex;
  std::vector<std::string> m_streams;
  std::uint64_t m_written = 0;
  std::size_t m_closed = 0;
};

class MemoryInput : public Input {
 public:
  /// Sources and files of the reports: file i belongs to source `sourceOfFile[i]`.
  std::vector<SourceId> sourceOfFile;
  std::vector<InputProblem> troubles;
  std::size_t batchRows = 7;
  mutable std::size_t fetched = 0;
  /// What columnRates() answers, by source.
  std::map<SourceId, std::vector<ColumnRate>> rates;
  /// Changes the reports before the engine sees them.
  std::function<void(std::vector<FileReport>&)> adjustReports;
  std::vector<QuarantinedRow> quarantined;

  /// `records` keep their file; their place in it is given by their order.
  void setRecords(std::vector<AnyRecord> records) {
    m_records = std::move(records);
    m_index.clear();
    std::map<std::uint32_t, std::uint64_t> nextOffset;
    for (std::size_t i = 0; i < m_records.size(); ++i) {
      Place& place = placeOf(m_records[i]);
      place.offset = nextOffset[place.file.value]++ * 100;
      place.part = 0;
      m_index[{place.file, place.part, place.offset}] = i;
    }
  }
  [[nodiscard]] const std::vector<AnyRecord>& records() const { return m_records; }

  Result<std::vector<FileReport>> scan(Executor& executor, const KeyedHash& hash, ScanSink& sink,
                                       const ScanOptions& options) override {
    const std::size_t batches = (m_records.size() + batchRows - 1) / batchRows;
    std::mutex mutex;
    Result<> outcome;
    executor.forEach(batches, [&](std::size_t index, unsigned worker) {
      SlimBatch batch;
      for (std::size_t i = index * batchRows; i < std::min((index + 1) * batchRows, m_records.size()); ++i) {
        if (const auto* sample = std::get_if<QueueDepth>(&m_records[i])) {
          sink.depth(*sample, worker);
          continue;
        }
        batch.push_back(slimOf(m_records[i], hash));
        if (batch.back().queue != 0) sink.queueName(batch.back().queue, headOf(m_records[i])->queue, worker);
      }
      auto done = sink.accept(batch, worker);
      if (options.progress) options.progress(index, batches);
      const std::lock_guard lock(mutex);
      if (!done) outcome = fail(done.error());
    });
    for (const QuarantinedRow& row : quarantined) sink.quarantine(row, 0);
    if (!outcome) return fail(outcome.error());
    return reports();
  }

  [[nodiscard]] std::vector<InputProblem> problems() const override { return troubles; }

  Result<> fetch(std::span<const RecordRef> refs,
                 const std::function<void(std::size_t, AnyRecord&&)>& fn) const override {
    for (std::size_t i = 0; i < refs.size(); ++i) {
      const auto at = m_index.find(refs[i]);
      if (at == m_index.end()) return fail(ErrorCode::Io, "no such record");
      {
        const std::lock_guard lock(m_mutex);
        ++fetched;
      }
      fn(i, AnyRecord(m_records[at->second]));
    }
    return {};
  }

  [[nodiscard]] std::string rawText(const RecordRef&) const override { return {}; }
  [[nodiscard]] std::uint64_t lineOf(const RecordRef& ref) const override { return ref.offset / 100 + 1; }

  Result<std::vector<ColumnRate>> columnRates(SourceId source, const KeyedHash&,
                                              std::span<const Hash128> keys) const override {
    {
      const std::lock_guard lock(m_mutex);
      askedKeys[source] = keys.size();
    }
    const auto at = rates.find(source);
    return at == rates.end() ? std::vector<ColumnRate>{} : at->second;
  }
  mutable std::map<SourceId, std::size_t> askedKeys;

 private:
  static Place& placeOf(AnyRecord& record) {
    return std::visit([](auto& value) -> Place& { return value.place; }, record);
  }

  [[nodiscard]] std::vector<FileReport> reports() const {
    std::vector<FileReport> all(sourceOfFile.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
      all[i].file = FileId{static_cast<std::uint32_t>(i)};
      all[i].source = sourceOfFile[i];
      all[i].path = "file-" + std::to_string(i);
      all[i].format = "generic";
      all[i].digest = "sha256:" + std::to_string(i);
    }
    for (const AnyRecord& record : m_records) {
      const Place place = std::visit([](const auto& value) { return value.place; }, record);
      FileReport& report = all.at(place.file.value);
      ++report.rows;
      ++report.recorded;
      ++report.dataRows;
    }
    for (const QuarantinedRow& row : quarantined) {
      ++all.at(row.place.file.value).rows;
      ++all.at(row.place.file.value).quarantined;
    }
    if (adjustReports) adjustReports(all);
    return all;
  }

  std::vector<AnyRecord> m_records;
  std::map<RecordRef, std::size_t> m_index;
  mutable std::mutex m_mutex;
};

}  // namespace counterfoil::testing
