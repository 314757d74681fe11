// SPDX-License-Identifier: GPL-3.0-or-later
// Everything the stages of one run share. Internal to core/run.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/judge/judge.h"
#include "core/ledger/ledger.h"
#include "core/run/run.h"

namespace counterfoil {

/// Passes progress on at most some times a second. Thread-safe.
class ProgressMeter {
 public:
  explicit ProgressMeter(const RunOptions& options) : m_options(options) {}
  void tell(std::string_view stage, std::uint64_t done, std::uint64_t total);

 private:
  const RunOptions& m_options;
  std::mutex m_mutex;
  std::chrono::steady_clock::time_point m_last{};
  std::string m_stage;
};

/// What the scan leaves behind beside the ledger.
struct ScanResult {
  std::vector<FileReport> reports;            ///< by FileId
  std::vector<InputProblem> problems;
  std::vector<SourceId> sourceOfFile;         ///< by FileId
  std::vector<QuarantinedRow> quarantined;    ///< bounded, in order of place
  std::vector<QueueDepth> depths;
  std::map<std::uint32_t, std::string> queueNames;
  FileId firstCarried{~0u};                   ///< files from this one on are of earlier nights
};

struct NightState {
  Input& input;
  const Policy& policy;
  const RunOptions& options;
  Executor& executor;
  SpillSpace& spill;
  KeyedHash hash;
  ProgressMeter progress;
  Ledger ledger;
  ScanResult scan;
  Coverage coverage;
  Components components;
  RunKnowledge knowledge;
  JudgeContext context;

  NightState(Input& from, const Policy& rules, const RunOptions& how, Executor& on, SpillSpace& into);
  NightState(const NightState&) = delete;
  NightState& operator=(const NightState&) = delete;

  [[nodiscard]] bool isCancelled() const { return options.cancel != nullptr && options.cancel->isCancelled(); }
  [[nodiscard]] SourceId sourceOf(const Shape& shape) const { return scan.sourceOfFile[shape.file]; }
};

[[nodiscard]] inline RecordRef refOf(const LedgerRow& row, const Shape& shape) {
  return {FileId{shape.file}, row.part, row.offset};
}

/// The one error of a parallel stage: that of the lowest worker; Cancelled wins.
class StageErrors {
 public:
  explicit StageErrors(unsigned workers) : m_errors(workers) {}
  void set(unsigned worker, const Error& error) {
    if (!m_errors[worker]) m_errors[worker] = error;
    m_failed.store(true, std::memory_order_relaxed);
  }
  [[nodiscard]] bool hasFailed() const { return m_failed.load(std::memory_order_relaxed); }
  [[nodiscard]] Result<> result() const;

 private:
  std::vector<std::optional<Error>> m_errors;
  std::atomic<bool> m_failed{false};
};

}  // namespace counterfoil
