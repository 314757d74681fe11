// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store_input.h"

#include <algorithm>

#include "core/ledger/slim.h"

namespace counterfoil {

Result<StoreInput> StoreInput::open(const Store& store, const StoredRun& run) {
  StoreInput input;
  auto read = store.forEachBlock(run.number, [&](RecordBlock&& block) {
    input.m_blocks.push_back(std::move(block));
    return true;
  });
  if (!read) return fail(read.error());
  for (const SourceReport& source : run.result.sources) {
    input.m_reports.insert(input.m_reports.end(), source.files.begin(), source.files.end());
  }
  std::sort(input.m_reports.begin(), input.m_reports.end(),
            [](const FileReport& a, const FileReport& b) { return a.file < b.file; });
  auto depths = store.depthsOf(run.number);
  if (!depths) return fail(depths.error());
  input.m_depths = std::move(*depths);
  return input;
}

Result<std::vector<FileReport>> StoreInput::scan(Executor&, const KeyedHash& hash, ScanSink& sink,
                                                 const ScanOptions& options) {
  for (std::size_t number = 0; number < m_blocks.size(); ++number) {
    if (options.cancel != nullptr && options.cancel->isCancelled()) return fail(ErrorCode::Cancelled, "stopped");
    const RecordBlock& block = m_blocks[number];
    SlimBatch batch;
    batch.reserve(block.size());
    for (std::size_t row = 0; row < block.size(); ++row) {
      const auto record = block.record(row);
      if (!record) return fail(record.error());
      SlimRecord slim = slimOf(*record, hash);
      slim.ref.part = static_cast<std::uint32_t>(row);  // a reference of this input: block and row
      slim.ref.offset = number;
      batch.push_back(slim);
    }
    if (auto ok = sink.accept(batch, 0); !ok) return fail(ok.error());
  }
  for (const QueueDepth& depth : m_depths) sink.depth(depth, 0);
  return m_reports;
}

Result<> StoreInput::fetch(std::span<const RecordRef> refs,
                           const std::function<void(std::size_t, AnyRecord&&)>& fn) const {
  for (std::size_t i = 0; i < refs.size(); ++i) {
    const RecordRef& ref = refs[i];
    if (ref.offset >= m_blocks.size() || ref.part >= m_blocks[ref.offset].size()) {
      return fail(ErrorCode::Internal, "a reference to a record that the store does not have");
    }
    auto record = m_blocks[ref.offset].record(ref.part);
    if (!record) return fail(record.error());
    fn(i, std::move(*record));
  }
  return {};
}

}  // namespace counterfoil
