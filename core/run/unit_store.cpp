// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/unit_store.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <queue>

#include "core/run/unit_codec.h"

namespace counterfoil {

namespace {

constexpr std::size_t kWriteBytes = 1u << 20;
constexpr std::size_t kReadBytes = 64u << 10;
constexpr std::size_t kHeaderBytes = 8;

void appendLength(std::string& out, std::size_t length) {
  const auto value = static_cast<std::uint32_t>(length);
  char bytes[sizeof value];
  std::memcpy(bytes, &value, sizeof value);
  out.append(bytes, sizeof value);
}

std::size_t lengthAt(std::string_view bytes, std::size_t at) {
  std::uint32_t value = 0;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

/// Equal keys do not occur but where two units are equal in all they show; their bytes settle it.
template <class Entry>
bool entryBefore(const Entry& a, const Entry& b) {
  const int keys = a.key.compare(b.key);
  return keys != 0 ? keys < 0 : a.bytes < b.bytes;
}

}  // namespace

/// Reads the entries of one sorted run, a buffer at a time.
class UnitStore::RunReader {
 public:
  RunReader(SpillSpace& spill, const SortedRun& run) : m_spill(spill), m_run(run) {}

  /// False at the end.
  Result<bool> next() {
    if (m_at == m_buffer.size() && m_offset == m_run.bytes) return false;
    if (auto done = need(kHeaderBytes); !done) return fail(done.error());
    const std::size_t keySize = lengthAt(m_buffer, m_at);
    const std::size_t size = lengthAt(m_buffer, m_at + 4);
    if (auto done = need(kHeaderBytes + keySize + size); !done) return fail(done.error());
    m_entry.key.assign(m_buffer, m_at + kHeaderBytes, keySize);
    m_entry.bytes.assign(m_buffer, m_at + kHeaderBytes + keySize, size);
    m_at += kHeaderBytes + keySize + size;
    return true;
  }
  [[nodiscard]] const Entry& entry() const { return m_entry; }

 private:
  Result<> need(std::size_t count) {
    if (m_buffer.size() - m_at >= count) return {};
    m_buffer.erase(0, m_at);
    m_at = 0;
    const std::uint64_t left = m_run.bytes - m_offset;
    const std::size_t wanted = std::max(count - m_buffer.size(), kReadBytes);
    const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(left, wanted));
    if (auto done = m_spill.read(m_run.stream, m_offset, size, m_piece); !done) return done;
    m_offset += size;
    m_buffer += m_piece;
    if (m_buffer.size() < count) return fail(ErrorCode::Io, "a temporary file is shorter than what was written");
    return {};
  }

  SpillSpace& m_spill;
  SortedRun m_run;
  std::uint64_t m_offset = 0;
  std::string m_buffer;
  std::string m_piece;
  std::size_t m_at = 0;
  Entry m_entry;
};

UnitStore::UnitStore(SpillSpace& spill, std::uint64_t memoryBytes) : m_spill(spill), m_memoryBytes(memoryBytes) {}

UnitStore::~UnitStore() {
  for (const SortedRun& run : m_runs) m_spill.close(run.stream);
}

Result<> UnitStore::add(const Unit& unit) {
  Entry entry;
  entry.key = sortKeyOf(unit);
  encodeUnit(unit, entry.bytes);
  const std::uint64_t size = entry.key.capacity() + entry.bytes.capacity() + sizeof entry;
  const std::lock_guard lock(m_mutex);
  ++m_size;
  m_heldBytes += size;
  m_entries.push_back(std::move(entry));
  return m_heldBytes > m_memoryBytes ? writeRun() : Result<>{};
}

Result<> UnitStore::writeRun() {
  std::sort(m_entries.begin(), m_entries.end(), entryBefore<Entry>);
  auto stream = m_spill.open();
  if (!stream) return fail(stream.error());
  SortedRun run{*stream, 0};
  std::string bytes;
  const auto flush = [&]() -> Result<> {
    run.bytes += bytes.size();
    auto done = m_spill.append(run.stream, bytes);
    bytes.clear();
    return done;
  };
  m_runs.push_back(run);  // closed with the others whatever happens
  for (const Entry& entry : m_entries) {
    appendLength(bytes, entry.key.size());
    appendLength(bytes, entry.bytes.size());
    bytes += entry.key;
    bytes += entry.bytes;
    if (bytes.size() < kWriteBytes) continue;
    if (auto done = flush(); !done) return done;
  }
  if (auto done = flush(); !done) return done;
  m_runs.back() = run;
  m_entries.clear();
  m_heldBytes = 0;
  return {};
}

void UnitStore::finish() { std::sort(m_entries.begin(), m_entries.end(), entryBefore<Entry>); }

Result<> UnitStore::forEach(const std::function<bool(const Unit&)>& fn) const {
  return takeEach([&fn](Unit&& unit) { return fn(unit); });
}

Result<> UnitStore::takeEach(const std::function<bool(Unit&&)>& fn) const {
  if (!m_runs.empty()) return mergeRuns(fn);
  for (const Entry& entry : m_entries) {
    auto unit = decodeUnit(entry.bytes);
    if (!unit) return fail(unit.error());
    if (!fn(std::move(*unit))) break;
  }
  return {};
}

Result<> UnitStore::mergeRuns(const std::function<bool(Unit&&)>& fn) const {
  std::vector<std::unique_ptr<RunReader>> readers;
  std::vector<const Entry*> heads;
  for (const SortedRun& run : m_runs) {
    readers.push_back(std::make_unique<RunReader>(m_spill, run));
    const auto has = readers.back()->next();
    if (!has) return fail(has.error());
    heads.push_back(*has ? &readers.back()->entry() : nullptr);
  }
  std::size_t inMemory = 0;
  heads.push_back(m_entries.empty() ? nullptr : &m_entries.front());
  const auto isLater = [&](std::size_t a, std::size_t b) { return entryBefore(*heads[b], *heads[a]); };
  std::priority_queue<std::size_t, std::vector<std::size_t>, decltype(isLater)> queue(isLater);
  for (std::size_t i = 0; i < heads.size(); ++i) {
    if (heads[i] != nullptr) queue.push(i);
  }
  while (!queue.empty()) {
    const std::size_t first = queue.top();
    queue.pop();
    auto unit = decodeUnit(heads[first]->bytes);
    if (!unit) return fail(unit.error());
    if (!fn(std::move(*unit))) return {};
    if (first == readers.size()) {
      heads[first] = ++inMemory < m_entries.size() ? &m_entries[inMemory] : nullptr;
    } else {
      const auto has = readers[first]->next();
      if (!has) return fail(has.error());
      if (!*has) heads[first] = nullptr;
    }
    if (heads[first] != nullptr) queue.push(first);
  }
  return {};
}

}  // namespace counterfoil
