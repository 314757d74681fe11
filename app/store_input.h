// SPDX-License-Identifier: GPL-3.0-or-later
// The records of a stored run as the input of an engine. Blocks are opened as they are asked for and a few
// are kept: an engine that sorts keys by the store's own hash (RunOptions::hash) opens each about twice.
#pragma once

#include <list>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "core/run/input.h"
#include "core/store/carried.h"
#include "core/store/record_block.h"
#include "core/store/store.h"

namespace counterfoil {

class StoreInput final : public Input {
 public:
  /// The store has to outlive the input, and may not be used by others while an engine runs.
  /// So has the policy the run is judged by.
  static Result<std::unique_ptr<StoreInput>> open(const Store& store, const StoredRun& run, const Policy& policy);

  Result<std::vector<FileReport>> scan(Executor& executor, const KeyedHash& hash, ScanSink& sink,
                                       const ScanOptions& options) override;
  [[nodiscard]] std::vector<InputProblem> problems() const override { return {}; }
  [[nodiscard]] const CarriedEvidence* carried() const override {
    return m_carried == nullptr ? nullptr : &m_carried->evidence();
  }
  Result<> fetch(std::span<const RecordRef> refs,
                 const std::function<void(std::size_t, AnyRecord&&)>& fn) const override;
  [[nodiscard]] std::string rawText(const RecordRef&) const override { return {}; }
  [[nodiscard]] std::uint64_t lineOf(const RecordRef&) const override { return 0; }
  Result<std::vector<ColumnRate>> columnRates(SourceId, const KeyedHash&, std::span<const Hash128>) const override {
    return std::vector<ColumnRate>();
  }

 private:
  using Opened = std::shared_ptr<const RecordBlock>;
  StoreInput(const Store& store, const Policy& policy) : m_store(store), m_policy(policy) {}
  Result<> fetchOwn(std::span<const RecordRef> refs, const std::function<void(std::size_t, AnyRecord&&)>& fn) const;
  Result<> scanBlock(std::size_t number, const KeyedHash& hash, ScanSink& sink, unsigned worker) const;
  /// Thread-safe.
  Result<Opened> block(std::size_t number) const;
  Result<RecordBlock> openBlock(std::size_t number) const;

  const Store& m_store;
  const Policy& m_policy;
  RunBlocks m_blocks;
  std::unique_ptr<CarriedRecords> m_carried;   ///< null: the run was judged with nothing else
  std::vector<FileReport> m_reports;
  std::vector<QueueDepth> m_depths;
  mutable std::mutex m_storeMutex, m_cacheMutex;
  mutable std::list<std::pair<std::size_t, Opened>> m_cache;   ///< the one used last first
};

}  // namespace counterfoil
