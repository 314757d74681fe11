// SPDX-License-Identifier: GPL-3.0-or-later
// The records of a stored run as the input of an engine. Holds the run's blocks unpacked, in memory.
#pragma once

#include <vector>

#include "core/run/input.h"
#include "core/store/record_block.h"
#include "core/store/store.h"

namespace counterfoil {

class StoreInput final : public Input {
 public:
  static Result<StoreInput> open(const Store& store, const StoredRun& run);

  Result<std::vector<FileReport>> scan(Executor& executor, const KeyedHash& hash, ScanSink& sink,
                                       const ScanOptions& options) override;
  [[nodiscard]] std::vector<InputProblem> problems() const override { return {}; }
  Result<> fetch(std::span<const RecordRef> refs,
                 const std::function<void(std::size_t, AnyRecord&&)>& fn) const override;
  [[nodiscard]] std::string rawText(const RecordRef&) const override { return {}; }
  [[nodiscard]] std::uint64_t lineOf(const RecordRef&) const override { return 0; }
  Result<std::vector<ColumnRate>> columnRates(SourceId, const KeyedHash&, std::span<const Hash128>) const override {
    return std::vector<ColumnRate>();
  }

 private:
  std::vector<RecordBlock> m_blocks;
  std::vector<FileReport> m_reports;
  std::vector<QueueDepth> m_depths;
};

}  // namespace counterfoil
