// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/segment.h"

#include <vector>

#include "core/store/failpoint.h"

namespace counterfoil {
namespace {

/// Small enough that a WAL stays in the page cache, large enough that a sync costs nothing beside it.
constexpr std::size_t kTransactionBytes = 32u << 20;

}  // namespace

Result<> StagedWrites::prepare(std::size_t bytes) {
  if (m_open && m_bytes + bytes > kTransactionBytes) {
    if (auto ok = finish(); !ok) return ok;
  }
  if (!m_open) {
    if (auto ok = m_database->execute("BEGIN IMMEDIATE"); !ok) return ok;
    m_open = true;
    m_bytes = 0;
  }
  m_bytes += bytes;
  return {};
}

Result<> StagedWrites::finish() {
  if (!m_open) return {};
  failpoint("stage");
  if (auto ok = m_database->execute("COMMIT"); !ok) return ok;
  m_open = false;
  return {};
}

StagedWrites::~StagedWrites() {
  if (m_open) (void)m_database->execute("ROLLBACK");
}

Result<SegmentNumber> stageSegment(Database& database, std::string_view kind, std::int64_t run) {
  auto transaction = Transaction::begin(database, Transaction::Kind::Write);
  if (!transaction) return fail(transaction.error());
  const auto last = database.integer("SELECT max(segment) FROM segments");
  if (!last) return fail(last.error());
  const SegmentNumber segment = last->value_or(0) + 1;
  if (auto ok = database.run("INSERT INTO segments(segment, kind, run, entries, committed, joined_ids) VALUES(?, ?, ?, 0, 0, 1)",
                             segment, kind, run);
      !ok) {
    return fail(ok.error());
  }
  if (auto ok = transaction->commit(); !ok) return fail(ok.error());
  return segment;
}

Result<> setSegmentEntries(Database& database, SegmentNumber segment, std::uint64_t entries) {
  return database.run("UPDATE segments SET entries = ? WHERE segment = ?", entries, segment);
}

Result<> showSegment(Database& database, SegmentNumber segment) {
  return database.run("UPDATE segments SET committed = 1 WHERE segment = ?", segment);
}

Result<> dropSegment(Database& database, SegmentNumber segment) {
  for (const char* sql : {"DELETE FROM record_blocks WHERE segment = ?", "DELETE FROM id_pages WHERE segment = ?",
                          "DELETE FROM history_pages WHERE segment = ?", "DELETE FROM segments WHERE segment = ?"}) {
    if (auto ok = database.run(sql, segment); !ok) return ok;
  }
  return {};
}

Result<> dropStagedSegments(Database& database) {
  std::vector<SegmentNumber> staged;
  {
    auto statement = database.prepare("SELECT segment FROM segments WHERE committed = 0 ORDER BY segment");
    if (!statement) return fail(statement.error());
    for (;;) {
      const auto row = statement->step();
      if (!row) return fail(row.error());
      if (!*row) break;
      staged.push_back(statement->integer(0));
    }
  }
  if (staged.empty()) return {};
  auto transaction = Transaction::begin(database, Transaction::Kind::Write);
  if (!transaction) return fail(transaction.error());
  for (const SegmentNumber segment : staged) {
    if (auto ok = dropSegment(database, segment); !ok) return ok;
  }
  return transaction->commit();
}

}  // namespace counterfoil
