// SPDX-License-Identifier: GPL-3.0-or-later
// Cases over runs: which stand, since when, and which the newest night cleared.
#include <algorithm>

#include "core/base/text.h"
#include "core/store/hash_page.h"
#include "core/store/history.h"
#include "core/store/packing.h"
#include "core/store/record_loader.h"
#include "core/store/record_row.h"
#include "core/store/store_impl.h"

namespace counterfoil {
namespace {

template <class Record>
void addRows(const std::vector<Record>& records, std::vector<std::string>& rows) {
  for (Record record : records) {
    record.place = {};
    appendRow(record, rows.emplace_back());
  }
}

Result<bool> segmentHasKey(Database& database, std::int64_t segment, StoreHash hash) {
  auto statement = database.prepare(
      "SELECT data FROM history_pages WHERE segment = ? AND last_hash >= ? ORDER BY last_hash, page LIMIT 1");
  if (!statement) return fail(statement.error());
  statement->bindAll(segment, hash);
  const auto row = statement->step();
  if (!row) return fail(row.error());
  if (!*row) return false;
  const auto entries = readHashPage(statement->blob(0));
  if (!entries) return brokenStore("a page of the key history");
  return std::binary_search(entries->begin(), entries->end(), HashEntry{hash, 0, 0},
                            [](const HashEntry& a, const HashEntry& b) { return a.hash < b.hash; });
}

Result<bool> segmentHasId(Database& database, std::int64_t segment, IdSpace space, StoreHash hash) {
  auto statement = database.prepare(
      "SELECT data FROM id_pages WHERE segment = ? AND space = ? AND last_hash >= ? ORDER BY last_hash LIMIT 1");
  if (!statement) return fail(statement.error());
  statement->bindAll(segment, space, hash);
  const auto row = statement->step();
  if (!row) return fail(row.error());
  if (!*row) return false;
  const auto entries = readHashPage(statement->blob(0));
  if (!entries) return brokenStore("a page of ids");
  return std::binary_search(entries->begin(), entries->end(), HashEntry{hash, 0, 0},
                            [](const HashEntry& a, const HashEntry& b) { return a.hash < b.hash; });
}

/// Has tonight's bulk a record of this unit: under its key, else under an id of its effects or jobs?
Result<bool> cameAgain(Database& database, const KeyedHash& hash, const Records& records, std::int64_t recordSegment,
                       std::int64_t historySegment) {
  for (const Attempt& attempt : records.attempts) {
    if (!attempt.key.empty()) return segmentHasKey(database, historySegment, keyHashOf(hash, attempt.key));
    if (attempt.jobId.empty()) continue;
    return segmentHasId(database, recordSegment, IdSpace::JobId, idHashOf(hash, IdSpace::JobId, attempt.jobId));
  }
  for (const Effect& effect : records.effects) {
    if (!effect.key.empty()) return segmentHasKey(database, historySegment, keyHashOf(hash, effect.key));
    if (effect.effectId.empty()) continue;
    return segmentHasId(database, recordSegment, IdSpace::EffectId, idHashOf(hash, IdSpace::EffectId, effect.effectId));
  }
  const auto keyOf = [](const auto& list) { return list.empty() ? std::string() : list.front().key; };
  for (const std::string& key : {keyOf(records.skips), keyOf(records.claims), keyOf(records.intents),
                                 keyOf(records.outbox), keyOf(records.processedEvents), keyOf(records.deadLetters)}) {
    if (!key.empty()) return segmentHasKey(database, historySegment, keyHashOf(hash, key));
  }
  return false;
}

}  // namespace

std::string recordsDigestOf(const Unit& unit) {
  std::vector<std::string> rows;
  addRows(unit.records.attempts, rows);
  addRows(unit.records.skips, rows);
  addRows(unit.records.claims, rows);
  addRows(unit.records.intents, rows);
  addRows(unit.records.outbox, rows);
  addRows(unit.records.processedEvents, rows);
  addRows(unit.records.effects, rows);
  addRows(unit.records.deadLetters, rows);
  std::sort(rows.begin(), rows.end());
  std::string bytes;
  for (const std::string& row : rows) putText(bytes, row);
  return sha256Hex(bytes);
}

Result<CaseBook> CaseBook::load(Database& database, RunNumber run, Instant asOf) {
  CaseBook book;
  book.m_run = run;
  book.m_asOf = asOf;
  const auto latest = database.integer("SELECT max(as_of) FROM runs WHERE run < ?", run);
  if (!latest) return fail(latest.error());
  book.m_isLatest = latest->value_or(asOf.time_since_epoch().count()) <= asOf.time_since_epoch().count();
  auto statement = database.prepare(
      "SELECT c.case_id, c.unit_run, u.class, u.severity, c.state, c.records_digest FROM cases c "
      "JOIN units u ON u.case_id = c.case_id AND u.run = c.unit_run WHERE c.standing = 1");
  if (!statement) return fail(statement.error());
  auto ok = forEachRow(*statement, [&](const Statement& row) -> Result<bool> {
    StandingCase standing;
    standing.id = row.text(0);
    standing.unitRun = static_cast<RunNumber>(row.integer(1));
    const auto unitClass = classFromCode(row.text(2));
    const auto state = reviewStateFromCode(row.text(4));
    if (!unitClass || !state) return brokenStore("case " + standing.id);
    standing.unitClass = *unitClass;
    standing.severity = static_cast<Severity>(row.integer(3));
    standing.state = *state;
    standing.recordsDigest = row.text(5);
    book.m_cases.emplace(standing.id, std::move(standing));
    return true;
  });
  if (!ok) return fail(ok.error());
  const std::pair<Statement*, const char*> statements[] = {
      {&book.m_insert,
       "INSERT INTO cases(case_id, first_run, last_run, unit_run, as_of, standing, state, assignee, cleared_run, "
       "records_digest) VALUES(?,?,?,?,?,?,'open','',NULL,?) ON CONFLICT DO NOTHING"},
      {&book.m_update,
       "UPDATE cases SET last_run=?, unit_run=?, as_of=?, standing=?, state=?, cleared_run=?, records_digest=? "
       "WHERE case_id=?"},
      {&book.m_touch, "SELECT state, standing, as_of, records_digest FROM cases WHERE case_id=?"}};
  for (const auto& [target, sql] : statements) {
    auto prepared = database.prepare(sql);
    if (!prepared) return fail(prepared.error());
    *target = std::move(*prepared);
  }
  return book;
}

bool CaseBook::isNewOrWorse(const Unit& unit) const {
  if (groupOf(unit.unitClass) != ClassGroup::Break) return false;
  const auto known = m_cases.find(unit.id);
  if (known == m_cases.end()) return true;
  return groupOf(known->second.unitClass) != ClassGroup::Break || known->second.severity < unit.severity;
}

Result<> CaseBook::update(Database& database, const Unit& unit) {
  m_tonight.insert(unit.id);
  const std::string digest = recordsDigestOf(unit);
  const bool standing = groupOf(unit.unitClass) != ClassGroup::Closed;
  if (auto ok = m_insert.run(unit.id, m_run, m_run, m_run, m_asOf, standing, digest); !ok) return ok;
  if (database.changes() > 0) return {};
  m_touch.bindAll(unit.id);
  const auto row = m_touch.step();
  if (!row) return fail(row.error());
  if (!*row) return fail(ErrorCode::Internal, "a case vanished while it was updated");
  const auto state = reviewStateFromCode(m_touch.text(0));
  const bool stood = m_touch.integer(1) != 0;
  const bool older = m_asOf < m_touch.instant(2);
  const bool changed = m_touch.text(3) != digest;
  m_touch.reset();
  if (!state) return brokenStore("the state of case " + unit.id);
  if (older) return {};  // a backfilled night does not change what stands
  ReviewState next = *state;
  std::optional<RunNumber> clearedRun;
  if (!standing && stood && !isDecided(*state)) {
    next = ReviewState::AutoCleared;
    clearedRun = m_run;
  } else if (standing && (*state == ReviewState::AutoCleared || (isDecided(*state) && changed))) {
    next = ReviewState::Reopened;
  }
  return m_update.run(m_run, m_run, m_asOf, standing, codeOf(next), clearedRun, digest, unit.id);
}

Result<> CaseBook::clearThoseSeen(Database& database, const KeyedHash& hash, std::int64_t recordSegment,
                                  std::int64_t historySegment) {
  if (!m_isLatest) return {};
  auto select = database.prepare("SELECT records FROM units WHERE case_id = ? AND run = ?");
  if (!select) return fail(select.error());
  auto update = database.prepare(
      "UPDATE cases SET standing = 0, cleared_run = ?, as_of = ?, "
      "state = CASE WHEN state IN ('resolved', 'dismissed', 'force_closed') THEN state ELSE 'auto_cleared' END "
      "WHERE case_id = ?");
  if (!update) return fail(update.error());
  for (const auto& [id, standing] : m_cases) {
    if (m_tonight.contains(id)) continue;
    select->bindAll(id, standing.unitRun);
    const auto row = select->step();
    if (!row) return fail(row.error());
    if (!*row) continue;
    const auto records = unpackRecords(select->blob(0));
    select->reset();
    if (!records) return fail(records.error().within("case " + id));
    const auto again = cameAgain(database, hash, *records, recordSegment, historySegment);
    if (!again) return fail(again.error());
    if (!*again) continue;
    if (auto ok = update->run(m_run, m_asOf, id); !ok) return ok;
  }
  return {};
}

}  // namespace counterfoil
