// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/history.h"

#include <algorithm>
#include <optional>
#include <set>

#include "core/store/failpoint.h"

namespace counterfoil {
namespace {

constexpr std::size_t kPageEntries = 2048;   ///< a look-up reads a whole page

struct SegmentSize {
  SegmentNumber segment = 0;
  std::uint64_t entries = 0;
};

tl::unexpected<Error> brokenPage() {
  return fail(ErrorCode::StoreBroken, "a page of the key history is damaged; restore the store from a backup");
}

/// In order of age, oldest first. A merged segment takes the place of its oldest part (its `run`).
Result<std::vector<SegmentSize>> visibleSegments(Database& database) {
  auto statement = database.prepare(
      "SELECT segment, entries FROM segments WHERE kind = 'history' AND committed = 1 ORDER BY run, segment");
  if (!statement) return fail(statement.error());
  std::vector<SegmentSize> segments;
  for (;;) {
    const auto row = statement->step();
    if (!row) return fail(row.error());
    if (!*row) return segments;
    segments.push_back({statement->integer(0), static_cast<std::uint64_t>(statement->integer(1))});
  }
}

/// The entries of one segment, in order. Holds no read open between pages, so that the WAL can be emptied.
class PageCursor {
 public:
  static Result<PageCursor> open(Database& database, SegmentNumber segment) {
    PageCursor cursor;
    auto statement = database.prepare("SELECT data FROM history_pages WHERE segment = ? AND page = ?");
    if (!statement) return fail(statement.error());
    cursor.m_statement = std::move(*statement);
    cursor.m_segment = segment;
    if (auto ok = cursor.readPage(); !ok) return fail(ok.error());
    return cursor;
  }
  [[nodiscard]] const HashEntry* current() const { return m_at < m_entries.size() ? &m_entries[m_at] : nullptr; }
  Result<> advance() {
    if (++m_at < m_entries.size()) return {};
    return readPage();
  }

 private:
  Result<> readPage() {
    m_at = 0;
    m_entries.clear();
    m_statement.bindAll(m_segment, m_page++);
    const auto row = m_statement.step();
    if (!row) return fail(row.error());
    if (!*row) return {};
    auto entries = readHashPage(m_statement.blob(0));
    m_statement.reset();
    if (!entries) return brokenPage();
    m_entries = std::move(*entries);
    return {};
  }
  Statement m_statement;
  SegmentNumber m_segment = 0;
  std::int64_t m_page = 0;
  std::vector<HashEntry> m_entries;
  std::size_t m_at = 0;
};

Result<std::set<std::uint32_t>> existingRuns(Database& database) {
  auto statement = database.prepare("SELECT run FROM runs");
  if (!statement) return fail(statement.error());
  std::set<std::uint32_t> runs;
  for (;;) {
    const auto row = statement->step();
    if (!row) return fail(row.error());
    if (!*row) return runs;
    runs.insert(static_cast<std::uint32_t>(statement->integer(0)));
  }
}

/// Merges the entries of `parts` into the writer, those of runs that are gone left out.
Result<> mergeEntries(Database& database, std::span<const SegmentSize> parts, HistoryWriter& writer) {
  const auto runs = existingRuns(database);
  if (!runs) return fail(runs.error());
  std::vector<PageCursor> cursors;
  for (const SegmentSize& part : parts) {
    auto cursor = PageCursor::open(database, part.segment);
    if (!cursor) return fail(cursor.error());
    cursors.push_back(std::move(*cursor));
  }
  for (;;) {
    PageCursor* least = nullptr;
    for (PageCursor& cursor : cursors) {
      if (cursor.current() != nullptr && (least == nullptr || *cursor.current() < *least->current())) least = &cursor;
    }
    if (least == nullptr) return {};
    if (runs->contains(least->current()->number)) {
      if (auto ok = writer.add(*least->current()); !ok) return ok;
    }
    if (auto ok = least->advance(); !ok) return ok;
  }
}

Result<> mergeSegments(Database& database, std::span<const SegmentSize> parts) {
  const auto oldestRun = database.integer("SELECT run FROM segments WHERE segment = ?", parts.front().segment);
  if (!oldestRun) return fail(oldestRun.error());
  const auto merged = stageSegment(database, kHistorySegment, oldestRun->value_or(0));
  if (!merged) return fail(merged.error());
  {
    StagedWrites writes(database);
    HistoryWriter writer(database, writes, *merged);
    if (auto ok = mergeEntries(database, parts, writer); !ok) return ok;
    if (auto ok = writer.finish(); !ok) return ok;
    if (auto ok = writes.finish(); !ok) return ok;
  }
  failpoint("merge");
  auto transaction = Transaction::begin(database, Transaction::Kind::Write);
  if (!transaction) return fail(transaction.error());
  if (auto ok = showSegment(database, *merged); !ok) return ok;
  for (const SegmentSize& part : parts) {
    if (auto ok = dropSegment(database, part.segment); !ok) return ok;
  }
  return transaction->commit();
}

/// From which segment on everything is to be merged into one; nothing when sizes fall geometrically.
std::optional<std::size_t> mergeFrom(const std::vector<SegmentSize>& segments) {
  std::optional<std::size_t> from;
  std::uint64_t later = 0;
  for (std::size_t i = segments.size(); i-- > 0;) {
    if (i + 1 < segments.size() && segments[i].entries <= later) from = i;
    later += segments[i].entries;
  }
  if (!from && segments.size() > kHistorySegmentsMost) from = kHistorySegmentsMost - 1;
  return from;
}

/// Looks up hashes in one segment.
class SegmentLookup {
 public:
  static Result<SegmentLookup> open(Database& database, SegmentNumber segment) {
    SegmentLookup lookup;
    auto seek = database.prepare(
        "SELECT data FROM history_pages WHERE segment = ? AND last_hash >= ? ORDER BY last_hash, page");
    if (!seek) return fail(seek.error());
    lookup.m_seek = std::move(*seek);
    lookup.m_segment = segment;
    return lookup;
  }

  Result<> find(StoreHash hash, std::size_t index, const std::function<void(std::size_t, const HashEntry&)>& fn) {
    if (m_exhausted) return {};
    if (m_entries.empty() || m_entries.back().hash < hash) {
      if (auto ok = seekTo(hash); !ok) return ok;
      m_exhausted = m_entries.empty();  // hashes come in order: what follows is behind the last page too
    }
    auto at = std::lower_bound(m_entries.begin() + static_cast<std::ptrdiff_t>(m_from), m_entries.end(), hash,
                               [](const HashEntry& entry, StoreHash wanted) { return entry.hash < wanted; });
    m_from = static_cast<std::size_t>(at - m_entries.begin());
    for (;;) {
      for (; at != m_entries.end() && at->hash == hash; ++at) fn(index, *at);
      // Entries of one hash may go on in the next page.
      if (at != m_entries.end() || m_entries.empty() || m_entries.back().hash != hash) return {};
      if (auto ok = nextPage(); !ok) return ok;
      at = m_entries.begin();
    }
  }

 private:
  Result<> seekTo(StoreHash hash) {
    m_seek.reset();
    m_seek.bindAll(m_segment, hash);
    return nextPage();
  }
  Result<> nextPage() {
    m_entries.clear();
    m_from = 0;
    const auto row = m_seek.step();
    if (!row) return fail(row.error());
    if (!*row) return {};
    auto entries = readHashPage(m_seek.blob(0));
    if (!entries) return brokenPage();
    m_entries = std::move(*entries);
    return {};
  }
  Statement m_seek;
  SegmentNumber m_segment = 0;
  std::vector<HashEntry> m_entries;
  std::size_t m_from = 0;
  bool m_exhausted = false;
};

}  // namespace

HistoryWriter::HistoryWriter(Database& database, StagedWrites& writes, SegmentNumber segment)
    : m_database(database), m_writes(writes), m_segment(segment) {
  m_entries.reserve(kPageEntries);
}

Result<> HistoryWriter::add(const HashEntry& entry) {
  m_entries.push_back(entry);
  if (m_entries.size() < kPageEntries) return {};
  return putPage();
}

Result<> HistoryWriter::putPage() {
  if (m_entries.empty()) return {};
  std::string data;
  putHashPage(data, m_entries);
  if (auto ok = m_writes.prepare(data.size()); !ok) return ok;
  if (m_page == 0) {
    auto insert = m_database.prepare("INSERT INTO history_pages(segment, page, last_hash, data) VALUES(?, ?, ?, ?)");
    if (!insert) return fail(insert.error());
    m_insert = std::move(*insert);
  }
  if (auto ok = m_insert.run(m_segment, m_page++, m_entries.back().hash, Blob{data}); !ok) return ok;
  m_total += m_entries.size();
  m_entries.clear();
  return {};
}

Result<> HistoryWriter::finish() {
  if (auto ok = putPage(); !ok) return ok;
  if (auto ok = m_writes.prepare(0); !ok) return ok;
  return setSegmentEntries(m_database, m_segment, m_total);
}

Result<> lookUpHistory(Database& database, std::span<const StoreHash> hashes,
                       const std::function<void(std::size_t, const HashEntry&)>& fn) {
  const auto segments = visibleSegments(database);
  if (!segments) return fail(segments.error());
  for (const SegmentSize& segment : *segments) {
    auto lookup = SegmentLookup::open(database, segment.segment);
    if (!lookup) return fail(lookup.error());
    for (std::size_t i = 0; i < hashes.size(); ++i) {
      if (auto ok = lookup->find(hashes[i], i, fn); !ok) return ok;
    }
  }
  return {};
}

Result<> compactHistory(Database& database) {
  const auto segments = visibleSegments(database);
  if (!segments) return fail(segments.error());
  return segments->empty() ? Result<>() : mergeSegments(database, *segments);
}

Result<> consolidateHistory(Database& database) {
  for (;;) {
    const auto segments = visibleSegments(database);
    if (!segments) return fail(segments.error());
    const auto from = mergeFrom(*segments);
    if (!from) return {};
    if (auto ok = mergeSegments(database, std::span(*segments).subspan(*from)); !ok) return ok;
  }
}

}  // namespace counterfoil
