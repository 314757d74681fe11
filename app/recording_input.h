// SPDX-License-Identifier: GPL-3.0-or-later
// An Input whose first pass also gives every full record to a night of the store, so that files are read
// once. Hands everything else through.
#pragma once

#include <memory>
#include <vector>

#include "core/run/input.h"
#include "core/store/carried.h"
#include "core/store/store.h"

namespace counterfoil {

class RecordingInput final : public Input {
 public:
  /// The writer is of as many workers as the Executor of scan(), and has to outlive it.
  /// `stage` is called when everything was read, with what was: it gives what is carried forward (null: nothing).
  using Stage = std::function<Result<const CarriedRecords*>(const std::vector<FileReport>&, const std::vector<InputProblem>&,
                                                            Executor&)>;
  RecordingInput(std::unique_ptr<Input> inner, NightWriter& writer, const Policy& policy, Stage stage)
      : m_inner(std::move(inner)), m_writer(writer), m_policy(policy), m_stage(std::move(stage)) {}

  Result<std::vector<FileReport>> scan(Executor& executor, const KeyedHash& hash, ScanSink& sink,
                                       const ScanOptions& options) override;
  [[nodiscard]] std::vector<InputProblem> problems() const override { return m_inner->problems(); }
  [[nodiscard]] const CarriedEvidence* carried() const override {
    return m_carried == nullptr ? nullptr : &m_carried->evidence();
  }
  Result<> fetch(std::span<const RecordRef> refs,
                 const std::function<void(std::size_t, AnyRecord&&)>& fn) const override;
  /// Of tonight's records only.
  [[nodiscard]] std::string rawText(const RecordRef& ref) const override { return m_inner->rawText(ref); }
  [[nodiscard]] std::uint64_t lineOf(const RecordRef& ref) const override { return m_inner->lineOf(ref); }
  void evidenceOf(std::span<const RecordRef> refs,
                  const std::function<void(std::size_t, std::uint64_t, std::string&&)>& fn) const override {
    m_inner->evidenceOf(refs, fn);
  }
  Result<std::vector<ColumnRate>> columnRates(SourceId source, const KeyedHash& hash,
                                              std::span<const Hash128> keys) const override {
    return m_inner->columnRates(source, hash, keys);
  }

  [[nodiscard]] const std::vector<FileReport>& reports() const { return m_reports; }
  [[nodiscard]] const std::vector<QueueDepth>& depths() const { return m_depths; }
  /// Null: nothing was carried forward.
  [[nodiscard]] const CarriedRecords* carriedRecords() const { return m_carried; }
  /// The reference of the record that stands at `place`: packed files and documents have their own.
  [[nodiscard]] RecordRef refOf(const Place& place) const;

  /// A record whose reference does not follow from its place.
  struct OwnRef {
    RecordRef place;             ///< as if it followed
    std::uint64_t offset = 0;    ///< what the reference has instead
    bool operator<(const OwnRef& other) const { return place < other.place; }
  };

 private:
  std::unique_ptr<Input> m_inner;
  NightWriter& m_writer;
  const Policy& m_policy;
  Stage m_stage;
  const CarriedRecords* m_carried = nullptr;
  std::vector<FileReport> m_reports;
  std::vector<QueueDepth> m_depths;
  std::vector<OwnRef> m_ownRefs;   ///< sorted
};

}  // namespace counterfoil
