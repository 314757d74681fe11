// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/recording_input.h"

#include <algorithm>
#include <cstring>

#include "app/carried_input.h"

namespace counterfoil {

namespace {

using OwnRef = RecordingInput::OwnRef;

RecordRef refFrom(const Place& place) { return {place.file, place.part, place.offset}; }

/// A byte that says whether a reference of its own follows, then the record as the writer takes it.
class TeeEncoder final : public RecordEncoder {
 public:
  explicit TeeEncoder(const NightWriter& writer) : m_writer(writer) {}
  void encode(const AnyRecord& record, const RecordRef& ref, std::string& out) const override {
    const OwnRef own{refFrom(headOf(record)->place), ref.offset};
    const bool follows = own.place == ref;
    out.push_back(follows ? 0 : 1);
    if (!follows) out.append(reinterpret_cast<const char*>(&own), sizeof own);
    m_writer.encode(record, out);
  }

 private:
  const NightWriter& m_writer;
};

/// Gives records to the writer, keeps samples by worker, passes everything on.
class TeeSink final : public ScanSink {
 public:
  TeeSink(ScanSink& target, NightWriter& writer, unsigned workers)
      : m_target(target), m_writer(writer), m_refs(workers), m_depths(workers) {}

  Result<> accept(SlimBatch& batch, unsigned worker) override { return m_target.accept(batch, worker); }
  Result<> encoded(std::string_view bytes, unsigned worker) override {
    while (!bytes.empty()) {
      const bool follows = bytes.front() == 0;
      bytes.remove_prefix(1);
      if (!follows) {
        OwnRef& own = m_refs[worker].emplace_back();
        std::memcpy(&own, bytes.data(), sizeof own);
        bytes.remove_prefix(sizeof own);
      }
      if (auto ok = m_writer.addEncoded(bytes, worker); !ok) return ok;
    }
    return {};
  }
  void quarantine(QuarantinedRow row, unsigned worker) override { m_target.quarantine(std::move(row), worker); }
  void depth(QueueDepth sample, unsigned worker) override {
    m_depths[worker].push_back(sample);
    m_target.depth(std::move(sample), worker);
  }
  void queueName(std::uint32_t queueHash, std::string_view name, unsigned worker) override {
    m_target.queueName(queueHash, name, worker);
  }

  std::vector<OwnRef> takeRefs() {
    std::vector<OwnRef> all = joined(m_refs);
    std::sort(all.begin(), all.end());
    return all;
  }
  std::vector<QueueDepth> takeDepths() {
    std::vector<QueueDepth> all = joined(m_depths);
    std::sort(all.begin(), all.end(), [](const QueueDepth& a, const QueueDepth& b) { return a.place < b.place; });
    return all;
  }

 private:
  template <class Value>
  static std::vector<Value> joined(std::vector<std::vector<Value>>& byWorker) {
    std::vector<Value> all;
    for (auto& values : byWorker) {
      all.insert(all.end(), values.begin(), values.end());
      values = {};
    }
    return all;
  }

  ScanSink& m_target;
  NightWriter& m_writer;
  std::vector<std::vector<OwnRef>> m_refs;
  std::vector<std::vector<QueueDepth>> m_depths;
};

}  // namespace

Result<std::vector<FileReport>> RecordingInput::scan(Executor& executor, const KeyedHash& hash, ScanSink& sink,
                                                     const ScanOptions& options) {
  TeeSink tee(sink, m_writer, executor.threadCount());
  const TeeEncoder encoder(m_writer);
  ScanOptions encoding = options;
  encoding.encoder = &encoder;
  auto reports = m_inner->scan(executor, hash, tee, encoding);
  if (!reports) return reports;
  m_ownRefs = tee.takeRefs();
  m_depths = tee.takeDepths();
  m_reports = *reports;
  const auto carried = m_stage(m_reports, m_inner->problems(), executor);
  if (!carried) return fail(carried.error());
  m_carried = *carried;
  if (m_carried != nullptr) {
    if (auto ok = scanCarried(*m_carried, m_policy, hash, sink, options.cancel); !ok) return fail(ok.error());
  }
  return reports;
}

Result<> RecordingInput::fetch(std::span<const RecordRef> refs,
                               const std::function<void(std::size_t, AnyRecord&&)>& fn) const {
  if (m_carried == nullptr) return m_inner->fetch(refs, fn);
  return fetchWithCarried(*m_inner, *m_carried, refs, fn);
}

RecordRef RecordingInput::refOf(const Place& place) const {
  RecordRef ref = refFrom(place);
  const auto own = std::lower_bound(m_ownRefs.begin(), m_ownRefs.end(), OwnRef{ref, 0});
  if (own != m_ownRefs.end() && own->place == ref) ref.offset = own->offset;
  return ref;
}

}  // namespace counterfoil
