// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/record_loader.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

#include "core/base/require.h"
#include "core/ledger/slim.h"
#include "core/store/failpoint.h"
#include "core/store/hash_page.h"
#include "core/store/history.h"
#include "core/store/packing.h"
#include "core/store/row_partitions.h"
#include "core/store/record_block.h"

namespace counterfoil {
namespace {

constexpr std::size_t kPartitionBits = 7;
constexpr std::size_t kPartitions = std::size_t{1} << kPartitionBits;
constexpr std::size_t kIdPartitionBits = 5;
constexpr std::size_t kIdPartitions = std::size_t{1} << kIdPartitionBits;
constexpr std::size_t kIdPageEntries = 1024;
/// An id entry packs 48 bits of hash and 16 of block number.
constexpr std::uint64_t kMostBlocks = 65'536;

std::size_t partitionOf(StoreHash hash, std::size_t bits) {
  return static_cast<std::size_t>(hash >> (48 - bits));
}

bool isId(Field field) {
  switch (field) {
    case Field::EffectIdOf:
    case Field::ParentId:
    case Field::JobId:
    case Field::MessageId:
    case Field::OpRef:
    case Field::Id: return true;
    default: return false;
  }
}

/// What stands before the row of a waiting record: hash of the key, whether it has one, length.
/// The hash has 64 bits here, of which pages hold 48: rows of one key stand together all the same.
constexpr std::size_t kHashBytes = sizeof(std::uint64_t);
constexpr std::size_t kLengthAt = kHashBytes + 1;
constexpr std::size_t kHeadBytes = kLengthAt + sizeof(std::uint32_t);

std::size_t rowBytes(std::string_view waiting) {
  std::uint32_t length = 0;
  std::memcpy(&length, waiting.data() + kLengthAt, sizeof length);
  return length;
}

struct WaitingRow {
  std::uint64_t hash = 0;
  std::string_view bytes;
  bool keyed = false;
  bool operator<(const WaitingRow& other) const {
    return hash != other.hash ? hash < other.hash : bytes < other.bytes;
  }
};

struct EncodedBlock {
  StoreHash firstHash = 0, lastHash = 0;
  std::size_t rows = 0;
  std::string data;
};

struct IdEntry {
  StoreHash hash = 0;
  std::uint32_t block = 0;  ///< within its partition
};

/// One partition, ready to be inserted.
struct EncodedPartition {
  std::vector<EncodedBlock> blocks;
  std::vector<HashEntry> keys;
  std::vector<IdEntry> ids;
  std::map<FileId, std::uint64_t> leftOut;
};

/// What a worker keeps between partitions.
struct Encoder {
  RecordBlockWriter blocks;
  std::string bytes;
  std::vector<WaitingRow> rows;
  std::vector<std::string_view> views;
};

void splitRows(std::string_view bytes, std::vector<WaitingRow>& rows) {
  rows.clear();
  while (bytes.size() >= kHeadBytes) {
    WaitingRow& row = rows.emplace_back();
    std::memcpy(&row.hash, bytes.data(), kHashBytes);
    row.keyed = bytes[kHashBytes] != 0;
    row.bytes = bytes.substr(kHeadBytes, rowBytes(bytes));
    bytes.remove_prefix(kHeadBytes + row.bytes.size());
  }
}

/// Half of the blocks may be as short as their bytes make them.
std::size_t blockRowsOf(std::uint64_t records) {
  return static_cast<std::size_t>(std::clamp<std::uint64_t>(records / (kMostBlocks / 2), kBlockRowsLeast, kBlockRowsMost));
}

/// Rows of one block: blockRows or kBlockBytes, whatever comes first.
std::size_t blockEnd(const std::vector<WaitingRow>& rows, std::size_t from, std::size_t blockRows) {
  std::size_t bytes = 0;
  std::size_t at = from;
  while (at < rows.size() && at - from < blockRows && (at == from || bytes + rows[at].bytes.size() <= kBlockBytes)) {
    bytes += rows[at++].bytes.size();
  }
  return at;
}

void collectIds(const KeyedHash& hash, std::string_view row, std::uint32_t block, std::vector<IdEntry>& ids) {
  row.remove_prefix(1);
  while (!row.empty()) {
    const auto field = static_cast<Field>(row[0]);
    row.remove_prefix(1);
    if (!isText(field)) {
      (void)takeVarint(row);
      continue;
    }
    const std::string_view text = takeText(row).value_or(std::string_view());
    if (isId(field) && !text.empty()) ids.push_back({idHashOf(hash, IdSpace::Joined, text), block});
  }
}

/// The file a row was read from. Noughts are not written; fields stand in order, texts of the key first.
FileId fileOf(std::string_view row) {
  row.remove_prefix(1);
  while (!row.empty()) {
    const auto field = static_cast<Field>(row[0]);
    row.remove_prefix(1);
    if (isText(field)) {
      (void)takeText(row);
      continue;
    }
    const auto value = takeVarint(row);
    if (field == Field::File) return FileId{static_cast<std::uint32_t>(unzigzag(value.value_or(0)))};
    if (field > Field::File) break;
  }
  return FileId{0};
}

void collectKeys(const std::vector<WaitingRow>& rows, std::vector<HashEntry>& keys) {
  for (const WaitingRow& row : rows) {
    if (!row.keyed) continue;
    const bool effect = static_cast<RecordKind>(row.bytes[0]) == RecordKind::Effect;
    const std::uint8_t flag = effect ? kSeenAtProvider : kSeenLocally;
    const StoreHash hash = pageHash(row.hash);
    if (keys.empty() || keys.back().hash != hash) keys.push_back({hash, 0, 0});
    keys.back().flags |= flag;
  }
}

}  // namespace

std::uint64_t keyHashOf(const KeyedHash& hash, std::string_view normalKey) {
  return storeHash(hash(normalKey, static_cast<std::uint32_t>(HashSpace::Key)));
}

std::uint64_t idHashOf(const KeyedHash& hash, IdSpace space, std::string_view id) {
  return storeHash(hash(id, 0x100 + static_cast<std::uint32_t>(space)));
}

struct RecordLoader::Impl {
  KeyedHash hash;
  unsigned workers;
  RowPartitions rows;
  RowPartitions ids;
  std::vector<std::string> scratch;
  std::atomic<std::uint64_t> recordCount{0};
  std::string folder;
  std::unique_ptr<WantedNight> wanted;
  JobSpaces spaces;
  std::vector<WantedOf> numbers;   ///< by worker: keep their memory

  Impl(const KeyedHash& keyedHash, unsigned workerCount, const std::string& where, std::uint64_t memoryBytes)
      : hash(keyedHash), workers(workerCount), rows(kPartitions, workerCount, where, memoryBytes / 4 * 3),
        ids(kIdPartitions, 1, where, memoryBytes / 4), scratch(workerCount), folder(where), numbers(workerCount) {}

  Result<> collect(std::string_view row, unsigned worker) {
    WantedOf& own = numbers[worker];
    own.keys.clear();
    own.ids.clear();
    appendWanted(hash, row, spaces, sourceOfRow(row), own);
    return wanted->add(own, worker);
  }

  Result<EncodedPartition> encode(std::size_t partition, const std::set<FileId>& leaveOut, Encoder& encoder);
  Result<> writeIds(Database& database, StagedWrites& writes, SegmentNumber segment, Executor& executor);
};

namespace {

/// Inserts partitions in order, whatever order they are ready in.
class PartitionSink {
 public:
  PartitionSink(Database& database, StagedWrites& writes, RowPartitions& ids, SegmentNumber segment,
                HistoryWriter& history, std::uint32_t run)
      : m_database(database), m_writes(writes), m_ids(ids), m_segment(segment), m_history(history), m_run(run) {}

  Result<> begin() {
    auto insert = m_database.prepare(
        "INSERT INTO record_blocks(segment, block, first_hash, last_hash, rows, data) VALUES(?, ?, ?, ?, ?, ?)");
    if (!insert) return fail(insert.error());
    m_insert = std::move(*insert);
    return {};
  }

  Result<> accept(std::size_t index, EncodedPartition&& partition) {
    const std::lock_guard lock(m_mutex);
    m_waiting.emplace(index, std::move(partition));
    while (!m_waiting.empty() && m_waiting.begin()->first == m_next) {
      if (auto ok = insert(m_waiting.begin()->second); !ok) return ok;
      m_waiting.erase(m_waiting.begin());
      ++m_next;
    }
    return {};
  }
  [[nodiscard]] std::uint64_t rows() const { return m_rows; }
  [[nodiscard]] std::map<FileId, std::uint64_t>& leftOut() { return m_leftOut; }

 private:
  Result<> insert(const EncodedPartition& partition) {
    for (const auto& [file, count] : partition.leftOut) m_leftOut[file] += count;
    if (m_block + partition.blocks.size() > kMostBlocks) {
      return fail(ErrorCode::Limit, "more records in one run than a store takes (268 million)");
    }
    const std::uint32_t base = m_block;
    for (const EncodedBlock& block : partition.blocks) {
      if (auto ok = m_writes.prepare(block.data.size()); !ok) return ok;
      if (auto ok = m_insert.run(m_segment, m_block++, block.firstHash, block.lastHash, block.rows, Blob{block.data}); !ok) {
        return ok;
      }
      m_rows += block.rows;
    }
    for (HashEntry key : partition.keys) {
      key.number = m_run;
      if (auto ok = m_history.add(key); !ok) return ok;
    }
    for (const IdEntry& id : partition.ids) {
      const std::size_t slot = partitionOf(id.hash, kIdPartitionBits);
      const std::uint64_t packed = id.hash << 16 | (base + id.block);
      m_ids.buffer(0, slot).append(reinterpret_cast<const char*>(&packed), sizeof packed);
      if (auto ok = m_ids.settle(0, slot); !ok) return ok;
    }
    return {};
  }

  Database& m_database;
  StagedWrites& m_writes;
  RowPartitions& m_ids;
  SegmentNumber m_segment;
  HistoryWriter& m_history;
  std::uint32_t m_run;
  Statement m_insert;
  std::mutex m_mutex;
  std::map<std::size_t, EncodedPartition> m_waiting;
  std::size_t m_next = 0;
  std::uint32_t m_block = 0;
  std::uint64_t m_rows = 0;
  std::map<FileId, std::uint64_t> m_leftOut;
};

}  // namespace

Result<EncodedPartition> RecordLoader::Impl::encode(std::size_t partition, const std::set<FileId>& leaveOut,
                                                    Encoder& encoder) {
  EncodedPartition out;
  if (auto ok = rows.take(partition, encoder.bytes); !ok) return fail(ok.error());
  splitRows(encoder.bytes, encoder.rows);
  if (!leaveOut.empty()) {
    std::erase_if(encoder.rows, [&](const WaitingRow& row) {
      const FileId file = fileOf(row.bytes);
      if (!leaveOut.contains(file)) return false;
      ++out.leftOut[file];
      return true;
    });
  }
  std::sort(encoder.rows.begin(), encoder.rows.end());
  collectKeys(encoder.rows, out.keys);
  const std::size_t blockRows = blockRowsOf(recordCount.load());
  for (std::size_t from = 0; from < encoder.rows.size();) {
    const std::size_t to = blockEnd(encoder.rows, from, blockRows);
    encoder.views.clear();
    const auto number = static_cast<std::uint32_t>(out.blocks.size());
    for (std::size_t i = from; i < to; ++i) {
      encoder.views.push_back(encoder.rows[i].bytes);
      collectIds(hash, encoder.rows[i].bytes, number, out.ids);
    }
    const auto data = encoder.blocks.encode(encoder.views);
    if (!data) return fail(data.error());
    out.blocks.push_back({pageHash(encoder.rows[from].hash), pageHash(encoder.rows[to - 1].hash), to - from, std::string(*data)});
    from = to;
  }
  return out;
}

namespace {

/// Sorted pages of one part.
std::vector<std::pair<StoreHash, std::string>> idPages(std::string_view bytes) {
  std::vector<std::uint64_t> packed(bytes.size() / sizeof(std::uint64_t));
  if (!packed.empty()) std::memcpy(packed.data(), bytes.data(), packed.size() * sizeof(std::uint64_t));
  std::sort(packed.begin(), packed.end());
  packed.erase(std::unique(packed.begin(), packed.end()), packed.end());
  std::vector<std::pair<StoreHash, std::string>> pages;
  std::vector<HashEntry> entries;
  for (std::size_t i = 0; i < packed.size(); ++i) {
    entries.push_back({packed[i] >> 16, static_cast<std::uint32_t>(packed[i] & 0xffff), 0});
    if (entries.size() < kIdPageEntries && i + 1 < packed.size()) continue;
    putHashPage(pages.emplace_back(entries.back().hash, std::string()).second, entries);
    entries.clear();
  }
  return pages;
}

}  // namespace

Result<> RecordLoader::Impl::writeIds(Database& database, StagedWrites& writes, SegmentNumber segment,
                                      Executor& executor) {
  auto insert = database.prepare("INSERT INTO id_pages(segment, space, page, last_hash, data) VALUES(?, ?, ?, ?, ?)");
  if (!insert) return fail(insert.error());
  std::vector<std::vector<std::pair<StoreHash, std::string>>> parts(kIdPartitions);
  std::vector<std::optional<Error>> errors(kIdPartitions);
  executor.forEach(kIdPartitions, [&](std::size_t part, unsigned) {
    std::string bytes;
    if (auto ok = ids.take(part, bytes); !ok) {
      errors[part] = ok.error();
    } else {
      parts[part] = idPages(bytes);
    }
  });
  std::int64_t page = 0;
  for (std::size_t part = 0; part < kIdPartitions; ++part) {
    if (errors[part]) return fail(*errors[part]);
    for (const auto& [lastHash, data] : parts[part]) {
      if (auto ok = writes.prepare(data.size()); !ok) return ok;
      if (auto ok = insert->run(segment, IdSpace::Joined, page++, lastHash, Blob{data}); !ok) return ok;
    }
  }
  return {};
}

RecordLoader::RecordLoader(const KeyedHash& hash, unsigned workers, std::string folder, std::uint64_t memoryBytes)
    : m_impl(std::make_unique<Impl>(hash, workers, folder, memoryBytes)) {}
RecordLoader::~RecordLoader() = default;
RecordLoader::RecordLoader(RecordLoader&&) noexcept = default;

void RecordLoader::collectWanted(JobSpaces spaces, std::uint64_t memoryBytes) {
  m_impl->spaces = std::move(spaces);
  m_impl->wanted = std::make_unique<WantedNight>(m_impl->workers, m_impl->folder, memoryBytes);
}

std::unique_ptr<WantedNight> RecordLoader::takeWanted() { return std::move(m_impl->wanted); }

void RecordLoader::encode(const AnyRecord& record, std::string& out) const {
  const RecordHead* head = headOf(record);
  require(head != nullptr, "a queue depth is no record of a block");
  const std::size_t start = out.size();
  out.resize(start + kHeadBytes);
  appendRow(record, out);
  const std::string_view row = std::string_view(out).substr(start + kHeadBytes);
  const bool keyed = !head->key.empty();
  const std::uint64_t hash = keyed ? wantedKey(m_impl->hash, head->key)
                                   : m_impl->hash(row, static_cast<std::uint32_t>(HashSpace::Content)).high;
  const auto length = static_cast<std::uint32_t>(row.size());
  std::memcpy(out.data() + start, &hash, kHashBytes);
  out[start + kHashBytes] = keyed ? 1 : 0;
  std::memcpy(out.data() + start + kLengthAt, &length, sizeof length);
}

Result<> RecordLoader::addEncoded(std::string_view& bytes, unsigned worker) {
  require(bytes.size() >= kHeadBytes && bytes.size() - kHeadBytes >= rowBytes(bytes), "an encoded record was cut");
  const std::string_view own = bytes.substr(0, kHeadBytes + rowBytes(bytes));
  bytes.remove_prefix(own.size());
  if (m_impl->wanted) {
    if (auto ok = m_impl->collect(own.substr(kHeadBytes), worker); !ok) return ok;
  }
  std::uint64_t hash = 0;
  std::memcpy(&hash, own.data(), kHashBytes);
  const std::size_t partition = partitionOf(pageHash(hash), kPartitionBits);
  m_impl->rows.buffer(worker, partition).append(own);
  m_impl->recordCount.fetch_add(1, std::memory_order_relaxed);
  failpoint("read");
  return m_impl->rows.settle(worker, partition);
}

Result<> RecordLoader::add(const AnyRecord& record, unsigned worker) {
  std::string& scratch = m_impl->scratch[worker];
  scratch.clear();
  encode(record, scratch);
  std::string_view bytes = scratch;
  return addEncoded(bytes, worker);
}

Result<RecordLoader::Loaded> RecordLoader::write(Database& database, std::int64_t run,
                                                 const std::set<FileId>& leaveOut, Executor& executor) {
  Loaded loaded;
  const auto records = stageSegment(database, kRecordSegment, run);
  if (!records) return fail(records.error());
  const auto keys = stageSegment(database, kHistorySegment, run);
  if (!keys) return fail(keys.error());
  loaded.records = *records;
  loaded.history = *keys;
  StagedWrites writes(database);
  HistoryWriter history(database, writes, loaded.history);
  PartitionSink sink(database, writes, m_impl->ids, loaded.records, history, static_cast<std::uint32_t>(run));
  if (auto ok = sink.begin(); !ok) return fail(ok.error());
  std::vector<Encoder> encoders(executor.threadCount());
  std::mutex errorMutex;
  std::optional<Error> error;
  std::atomic<bool> failed{false};
  executor.forEach(kPartitions, [&](std::size_t partition, unsigned worker) {
    if (failed.load(std::memory_order_relaxed)) return;
    auto encoded = m_impl->encode(partition, leaveOut, encoders[worker]);
    const Result<> ok = encoded ? sink.accept(partition, std::move(*encoded)) : Result<>(fail(encoded.error()));
    if (ok) return;
    failed = true;
    const std::lock_guard lock(errorMutex);
    if (!error) error = ok.error();
  });
  if (error) return fail(*error);
  if (auto ok = history.finish(); !ok) return fail(ok.error());
  if (auto ok = m_impl->writeIds(database, writes, loaded.records, executor); !ok) return fail(ok.error());
  loaded.recordCount = m_impl->recordCount.load();
  loaded.keyCount = history.entryCount();
  loaded.leftOut = std::move(sink.leftOut());
  std::uint64_t placed = sink.rows();
  for (const auto& [file, count] : loaded.leftOut) placed += count;
  if (placed != loaded.recordCount) return fail(ErrorCode::Internal, "records were lost on the way into the store");
  if (auto ok = writes.prepare(0); !ok) return fail(ok.error());
  if (auto ok = setSegmentEntries(database, loaded.records, sink.rows()); !ok) return fail(ok.error());
  if (auto ok = writes.finish(); !ok) return fail(ok.error());
  return loaded;
}

}  // namespace counterfoil
