// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/store_input.h"

#include <algorithm>
#include <atomic>
#include <numeric>
#include <optional>

#include "app/carried_input.h"
#include "core/ledger/slim.h"

namespace counterfoil {

namespace {

constexpr std::size_t kBlocksKept = 64;   ///< of about a quarter of a megabyte each

}  // namespace

Result<std::unique_ptr<StoreInput>> StoreInput::open(const Store& store, const StoredRun& run, const Policy& policy) {
  std::unique_ptr<StoreInput> input(new StoreInput(store, policy));
  auto blocks = store.blocksOf(run.number);
  if (!blocks) return fail(blocks.error());
  input->m_blocks = std::move(*blocks);
  for (const SourceReport& source : run.result.sources) {
    input->m_reports.insert(input->m_reports.end(), source.files.begin(), source.files.end());
  }
  std::sort(input->m_reports.begin(), input->m_reports.end(),
            [](const FileReport& a, const FileReport& b) { return a.file < b.file; });
  auto carried = store.carriedOf(run.number, carryRulesOf(store, policy, run.identity.asOf));
  if (!carried) return fail(carried.error());
  input->m_carried = std::move(*carried);
  auto depths = store.depthsOf(run.number);
  if (!depths) return fail(depths.error());
  input->m_depths = std::move(*depths);
  return input;
}

Result<RecordBlock> StoreInput::openBlock(std::size_t number) const {
  std::unique_lock lock(m_storeMutex);
  const auto bytes = m_store.blockBytes(m_blocks.blocks[number]);
  lock.unlock();
  if (!bytes) return fail(bytes.error());
  return RecordBlock::open(*bytes);
}

Result<StoreInput::Opened> StoreInput::block(std::size_t number) const {
  {
    const std::lock_guard lock(m_cacheMutex);
    const auto known = std::find_if(m_cache.begin(), m_cache.end(), [&](const auto& kept) { return kept.first == number; });
    if (known != m_cache.end()) {
      m_cache.splice(m_cache.begin(), m_cache, known);
      return known->second;
    }
  }
  auto opened = openBlock(number);
  if (!opened) return fail(opened.error());
  auto shared = std::make_shared<const RecordBlock>(std::move(*opened));
  const std::lock_guard lock(m_cacheMutex);
  m_cache.emplace_front(number, shared);
  if (m_cache.size() > kBlocksKept) m_cache.pop_back();
  return shared;
}

Result<> StoreInput::scanBlock(std::size_t number, const KeyedHash& hash, ScanSink& sink, unsigned worker) const {
  const auto block = openBlock(number);
  if (!block) return fail(block.error());
  const BlockUse& use = m_blocks.uses[m_blocks.blocks[number].use];
  SlimBatch batch;
  batch.reserve(block->size());
  for (std::size_t row = 0; row < block->size(); ++row) {
    if (!use.takes(block->file(row))) continue;
    auto record = block->record(row);
    if (!record) return fail(record.error());
    use.adopt(*record);
    const RecordHead* head = headOf(*record);
    const auto space = head == nullptr ? std::nullopt : std::optional(m_policy.jobSpaceOf(head->place.source));
    SlimRecord slim = slimOf(*record, hash, space);
    slim.ref.part = static_cast<std::uint32_t>(row);  // a reference of this input: block and row
    slim.ref.offset = number;
    batch.push_back(slim);
  }
  return batch.empty() ? Result<>() : sink.accept(batch, worker);
}

Result<std::vector<FileReport>> StoreInput::scan(Executor& executor, const KeyedHash& hash, ScanSink& sink,
                                                 const ScanOptions& options) {
  std::mutex mutex;
  std::optional<Error> error;
  std::atomic<bool> failed{false};
  executor.forEach(m_blocks.blocks.size(), [&](std::size_t number, unsigned worker) {
    if (failed.load(std::memory_order_relaxed)) return;
    const bool stopped = options.cancel != nullptr && options.cancel->isCancelled();
    const Result<> done = stopped ? Result<>(fail(ErrorCode::Cancelled, "stopped")) : scanBlock(number, hash, sink, worker);
    if (done) return;
    const std::lock_guard lock(mutex);
    if (!error) error = done.error();
    failed = true;
  });
  if (error) return fail(*error);
  for (const QueueDepth& depth : m_depths) sink.depth(depth, 0);
  if (m_carried != nullptr) {
    if (auto ok = scanCarried(*m_carried, m_policy, hash, sink, options.cancel); !ok) return fail(ok.error());
  }
  return m_reports;
}

Result<> StoreInput::fetch(std::span<const RecordRef> refs,
                           const std::function<void(std::size_t, AnyRecord&&)>& fn) const {
  if (m_carried == nullptr) return fetchOwn(refs, fn);
  // References to own records are told by the file as well.
  std::vector<RecordRef> own, earlier;
  std::vector<std::size_t> ofOwn, ofEarlier;
  for (std::size_t i = 0; i < refs.size(); ++i) {
    const bool isCarried = refs[i].file >= m_carried->list().firstFile;
    (isCarried ? earlier : own).push_back(refs[i]);
    (isCarried ? ofEarlier : ofOwn).push_back(i);
  }
  auto ok = fetchOwn(own, [&](std::size_t i, AnyRecord&& record) { fn(ofOwn[i], std::move(record)); });
  if (!ok) return ok;
  const std::lock_guard lock(m_storeMutex);   // one connection serves both
  return m_carried->fetch(earlier, [&](std::size_t i, AnyRecord&& record) { fn(ofEarlier[i], std::move(record)); });
}

Result<> StoreInput::fetchOwn(std::span<const RecordRef> refs,
                              const std::function<void(std::size_t, AnyRecord&&)>& fn) const {
  std::vector<std::size_t> order(refs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return refs[a].offset < refs[b].offset; });
  Opened opened;
  std::optional<std::size_t> number;
  for (const std::size_t i : order) {
    const RecordRef& ref = refs[i];
    if (ref.offset >= m_blocks.blocks.size()) return fail(ErrorCode::Internal, "a reference to a record that the store does not have");
    if (number != ref.offset) {
      auto next = block(ref.offset);
      if (!next) return fail(next.error());
      opened = std::move(*next);
      number = ref.offset;
    }
    if (ref.part >= opened->size()) return fail(ErrorCode::Internal, "a reference to a record that the store does not have");
    auto record = opened->record(ref.part);
    if (!record) return fail(record.error());
    m_blocks.uses[m_blocks.blocks[ref.offset].use].adopt(*record);
    fn(i, std::move(*record));
  }
  return {};
}

}  // namespace counterfoil
