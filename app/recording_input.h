// SPDX-License-Identifier: GPL-3.0-or-later
// An Input that remembers what the first pass recorded, so that every record can be kept in the store
// after the engine is done. Hands everything else through.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "core/run/input.h"

namespace counterfoil {

class RecordingInput final : public Input {
 public:
  explicit RecordingInput(std::unique_ptr<Input> inner) : m_inner(std::move(inner)) {}

  Result<std::vector<FileReport>> scan(Executor& executor, const KeyedHash& hash, ScanSink& sink,
                                       const ScanOptions& options) override;
  [[nodiscard]] std::vector<InputProblem> problems() const override { return m_inner->problems(); }
  Result<> fetch(std::span<const RecordRef> refs,
                 const std::function<void(std::size_t, AnyRecord&&)>& fn) const override {
    return m_inner->fetch(refs, fn);
  }
  [[nodiscard]] std::string rawText(const RecordRef& ref) const override { return m_inner->rawText(ref); }
  [[nodiscard]] std::uint64_t lineOf(const RecordRef& ref) const override { return m_inner->lineOf(ref); }
  Result<std::vector<ColumnRate>> columnRates(SourceId source, const KeyedHash& hash,
                                              std::span<const Hash128> keys) const override {
    return m_inner->columnRates(source, hash, keys);
  }

  [[nodiscard]] const std::vector<FileReport>& reports() const { return m_reports; }
  [[nodiscard]] const std::vector<QueueDepth>& depths() const { return m_depths; }
  using Take = std::function<Result<>(AnyRecord&&, const RecordRef&, unsigned worker)>;
  /// Reads every recorded record again, on all cores; fn is called for one at a time of each worker. A
  /// reference is not always made of the record's place: packed files and documents have their own.
  Result<> forEachRecord(Executor& executor, const CancelToken* cancel, const Take& fn) const;

 private:
  std::unique_ptr<Input> m_inner;
  std::vector<FileReport> m_reports;
  std::vector<RecordRef> m_refs;       ///< in order of place after the scan
  std::vector<QueueDepth> m_depths;
};

}  // namespace counterfoil
