// SPDX-License-Identifier: GPL-3.0-or-later
// Files that a test writes, scanned and fetched in one go.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "importers/input/file_input.h"
#include "importers/json/json_document.h"

namespace counterfoil::testing {

using namespace std::string_literals;

class CollectingSink : public ScanSink {
 public:
  Result<> accept(SlimBatch& batch, unsigned) override {
    const std::lock_guard lock(m_mutex);
    slims.insert(slims.end(), batch.begin(), batch.end());
    largestBatch = std::max(largestBatch, batch.size());
    return {};
  }
  void quarantine(QuarantinedRow row, unsigned) override {
    const std::lock_guard lock(m_mutex);
    rows.push_back(std::move(row));
  }
  void depth(QueueDepth sample, unsigned) override {
    const std::lock_guard lock(m_mutex);
    depths.push_back(std::move(sample));
  }
  void queueName(std::uint32_t hash, std::string_view name, unsigned) override {
    const std::lock_guard lock(m_mutex);
    queues[hash] = std::string(name);
  }
  std::vector<SlimRecord> slims;
  std::vector<QuarantinedRow> rows;
  std::vector<QueueDepth> depths;
  std::map<std::uint32_t, std::string> queues;
  std::size_t largestBatch = 0;

 private:
  std::mutex m_mutex;
};

/// One scan and all its records.
struct Scanned {
  std::unique_ptr<Input> input;
  std::vector<FileReport> reports;
  CollectingSink sink;
  std::vector<AnyRecord> records;  ///< in order of place
  std::string error;

  /// "key:amount" of all records in order of place, by ' '.
  [[nodiscard]] std::string keys() const {
    std::string all;
    for (const AnyRecord& record : records) {
      const RecordHead* const head = headOf(record);
      all += (all.empty() ? "" : " ") + head->keyText + ":" +
             (head->amount ? std::to_string(head->amount->minor) : "-");
    }
    return all;
  }
  [[nodiscard]] std::string rules() const {
    std::vector<QuarantinedRow> sorted = sink.rows;
    std::sort(sorted.begin(), sorted.end(),
              [](const auto& a, const auto& b) { return a.place < b.place; });
    std::string all;
    for (const QuarantinedRow& row : sorted)
      all += (all.empty() ? "" : " ") + std::to_string(row.line) + ":" + row.rule;
    return all;
  }
};

inline SourceSpec sourceOf(const std::string& path, const std::string& format = "generic.effects") {
  SourceSpec source;
  source.name = "source";
  source.path = path;
  source.format = format;
  return source;
}

inline std::shared_ptr<const MappingSpec> mappingOf(const std::string& json) {
  const Result<JsonNode> node = parseJson(json, "test");
  if (!node) return nullptr;
  const auto mapping = parseMapping(*node);
  return mapping ? *mapping : nullptr;
}

inline std::unique_ptr<Scanned> scanned(std::vector<SourceSpec> sources,
                                        FileInputOptions options = {}, unsigned threads = 2) {
  auto result = std::make_unique<Scanned>();
  Result<std::unique_ptr<Input>> input =
      makeFileInput(std::move(sources), nullptr, std::move(options));
  if (!input) {
    result->error = input.error().message;
    return result;
  }
  result->input = std::move(*input);
  Executor executor(threads);
  const KeyedHash hash(7);
  Result<std::vector<FileReport>> reports = result->input->scan(executor, hash, result->sink, {});
  if (!reports) {
    result->error = reports.error().message;
    return result;
  }
  result->reports = std::move(*reports);
  std::vector<RecordRef> refs;
  for (const SlimRecord& slim : result->sink.slims) refs.push_back(slim.ref);
  result->records.resize(refs.size());
  const Result<> fetched = result->input->fetch(
      refs, [&](std::size_t i, AnyRecord&& record) { result->records[i] = std::move(record); });
  if (!fetched) result->error = fetched.error().message;
  std::sort(
      result->records.begin(), result->records.end(),
      [](const AnyRecord& a, const AnyRecord& b) { return headOf(a)->place < headOf(b)->place; });
  return result;
}

inline const std::string kHeader =
    "txn_id,created_at,amount,currency,idempotency_key,description\n";

inline std::string effectRow(int i, const std::string& amount = "1.00",
                             const std::string& time = "2026-04-07T10:00:00Z",
                             const std::string& description = "") {
  return "t" + std::to_string(i) + "," + time + "," + amount + ",USD,k" + std::to_string(i) + "," +
         description + "\n";
}

/// Writes a file below `folder`; its path.
inline std::string writeFile(const std::string& folder, const std::string& name,
                             const std::string& bytes) {
  const std::string path = folder + "/" + name;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path());
  std::ofstream(path, std::ios::binary) << bytes;
  return path;
}

}  // namespace counterfoil::testing
