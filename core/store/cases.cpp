// SPDX-License-Identifier: GPL-3.0-or-later
// Cases over runs: which stand, since when, and which the newest night cleared.
#include <algorithm>
#include <optional>
#include <set>

#include "core/base/text.h"
#include "core/store/borrowed.h"
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
    if constexpr (std::is_same_v<Record, DeadLetter>) record.sampledAt.reset();   // that it was looked at again is no news
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

Result<bool> segmentHasId(Database& database, std::int64_t segment, StoreHash hash) {
  auto statement = database.prepare(
      "SELECT data FROM id_pages WHERE segment = ? AND space = ? AND last_hash >= ? ORDER BY last_hash LIMIT 1");
  if (!statement) return fail(statement.error());
  statement->bindAll(segment, IdSpace::Joined, hash);
  const auto row = statement->step();
  if (!row) return fail(row.error());
  if (!*row) return false;
  const auto entries = readHashPage(statement->blob(0));
  if (!entries) return brokenStore("a page of ids");
  return std::binary_search(entries->begin(), entries->end(), HashEntry{hash, 0, 0},
                            [](const HashEntry& a, const HashEntry& b) { return a.hash < b.hash; });
}

/// What a record is found by.
struct Trace {
  std::string text;
  bool isKey = false;
  auto operator<=>(const Trace&) const = default;
};

/// What a case rests on. A later night that lacks any of it has seen less than the night that raised the
/// case (a statement that begins after one of two charges, say), and must not clear it.
struct Evidence {
  std::set<Trace> traces;
  std::map<std::string, std::size_t> unnamed;   ///< effects without an id, by key: only their number tells

  [[nodiscard]] bool hasTwins() const {
    return std::any_of(unnamed.begin(), unnamed.end(), [](const auto& each) { return each.second > 1; });
  }
  [[nodiscard]] bool holds(const Evidence& other) const {
    const auto isHeld = [&](const auto& each) {
      const auto own = unnamed.find(each.first);
      return own != unnamed.end() && own->second >= each.second;
    };
    return std::includes(traces.begin(), traces.end(), other.traces.begin(), other.traces.end()) &&
           std::all_of(other.unnamed.begin(), other.unnamed.end(), isHeld);
  }
};

/// Claims, outbox rows, processed events and dead letters go in the course of things: they count only
/// where there is nothing else.
Evidence evidenceOf(const Records& records) {
  Evidence evidence;
  const auto add = [&](const std::string& text, bool isKey) {
    if (!text.empty()) evidence.traces.insert({text, isKey});
  };
  for (const Attempt& attempt : records.attempts) {
    add(attempt.key, true);
    add(attempt.jobId, false);
  }
  for (const Skip& skip : records.skips) {
    add(skip.key, true);
    add(skip.jobId, false);
  }
  for (const Intent& intent : records.intents) add(intent.key, true);
  for (const Effect& effect : records.effects) {
    add(effect.key, true);
    add(effect.effectId, false);
    if (effect.effectId.empty()) ++evidence.unnamed[effect.key];
  }
  if (!evidence.traces.empty()) return evidence;
  const auto addKeys = [&](const auto& list) {
    for (const auto& record : list) add(record.key, true);
  };
  addKeys(records.claims);
  addKeys(records.outbox);
  addKeys(records.processedEvents);
  addKeys(records.deadLetters);
  return evidence;
}

/// Did records that a trace finds come tonight? Looks at tonight's own bulk, and at the files it borrows.
class TonightsRecords {
 public:
  TonightsRecords(const Store::Impl& store, RunNumber run, SegmentNumber records, SegmentNumber history)
      : m_store(store), m_run(run), m_records(records), m_history(history) {}

  /// `traces` of cases that came neither as such; answers by index.
  Result<std::vector<bool>> cameAgain(const std::vector<Trace>& traces) const {
    std::vector<bool> came(traces.size());
    for (std::size_t i = 0; i < traces.size(); ++i) {
      const auto own = isInOwn(traces[i]);
      if (!own) return fail(own.error());
      came[i] = *own;
    }
    const auto borrowed = borrowedBy(m_store.database, m_run);
    if (!borrowed) return fail(borrowed.error());
    if (borrowed->empty()) return came;
    std::set<RunNumber> lenders;
    for (const BorrowedFile& file : *borrowed) lenders.insert(file.fromRun);
    if (auto ok = lookAtBorrowed(traces, lenders, came); !ok) return fail(ok.error());
    return came;
  }

 private:
  [[nodiscard]] StoreHash hashOf(const Trace& trace) const {
    return trace.isKey ? keyHashOf(m_store.hash, trace.text) : idHashOf(m_store.hash, IdSpace::Joined, trace.text);
  }
  [[nodiscard]] Result<bool> isInOwn(const Trace& trace) const {
    if (trace.isKey) return segmentHasKey(m_store.database, m_history, hashOf(trace));
    return segmentHasId(m_store.database, m_records, hashOf(trace));
  }

  /// The history says which keys a lender has at all; few of them are looked at record by record.
  Result<> lookAtBorrowed(const std::vector<Trace>& traces, const std::set<RunNumber>& lenders,
                          std::vector<bool>& came) const {
    std::vector<std::pair<StoreHash, std::size_t>> order;
    for (std::size_t i = 0; i < traces.size(); ++i) {
      if (!came[i] && traces[i].isKey) order.emplace_back(hashOf(traces[i]), i);
    }
    std::sort(order.begin(), order.end());
    std::vector<StoreHash> hashes;
    for (const auto& [hash, index] : order) {
      if (hashes.empty() || hashes.back() != hash) hashes.push_back(hash);
    }
    std::set<StoreHash> lent;
    auto looked = lookUpHistory(m_store.database, hashes, [&](std::size_t at, const HashEntry& entry) {
      if (lenders.contains(entry.number)) lent.insert(hashes[at]);
    });
    if (!looked) return looked;
    for (std::size_t i = 0; i < traces.size(); ++i) {
      if (came[i] || (traces[i].isKey && !lent.contains(hashOf(traces[i])))) continue;
      const auto found = findRecords(m_store, traces[i].text);
      if (!found) return fail(found.error());
      came[i] = std::any_of(found->begin(), found->end(), [&](const FoundRecord& record) { return record.run == m_run; });
    }
    return {};
  }

  const Store::Impl& m_store;
  RunNumber m_run;
  SegmentNumber m_records, m_history;
};

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
      "SELECT c.case_id, c.unit_run, u.class, u.severity, c.state, c.records_digest, u.flags, r.as_of, c.ignored_by FROM cases c "
      "JOIN units u ON u.case_id = c.case_id AND u.run = c.unit_run JOIN runs r ON r.run = u.run WHERE c.standing = 1");
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
    standing.overdue = (" " + std::string(row.text(6)) + " ").find(" " + std::string(codeOf(Flag::Overdue)) + " ") != std::string::npos;
    standing.unitAsOf = row.instant(7);
    standing.ignored = !row.isNull(8) && isHideable(*state);
    book.m_cases.emplace(standing.id, std::move(standing));
    return true;
  });
  if (!ok) return fail(ok.error());
  const std::pair<Statement*, const char*> statements[] = {
      {&book.m_insert,
       "INSERT INTO cases(case_id, first_run, last_run, unit_run, as_of, standing, state, assignee, cleared_run, "
       "records_digest) VALUES(?,?,?,?,?,?,'open','',NULL,?) ON CONFLICT DO NOTHING"},
      {&book.m_update,
       "UPDATE cases SET last_run=?1, unit_run=?1, as_of=?2, standing=?3, state=?4, cleared_run=?5, records_digest=?6, "
       "cleared_late = CASE WHEN ?5 IS NOT NULL THEN (SELECT ?2 - u.due FROM units u WHERE u.case_id = ?7 AND "
       "u.run = cases.unit_run AND u.due < ?2) END WHERE case_id=?7"},
      {&book.m_again, "UPDATE cases SET last_run=?, as_of=? WHERE case_id=?"},
      {&book.m_hide, "UPDATE cases SET ignored_by=? WHERE case_id=? AND last_run=?"},
      {&book.m_touch, "SELECT state, standing, as_of, records_digest FROM cases WHERE case_id=?"},
      {&book.m_records, "SELECT records FROM units WHERE case_id = ? AND run = ?"}};
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
  if (known == m_cases.end() || known->second.ignored) return true;
  return groupOf(known->second.unitClass) != ClassGroup::Break || known->second.severity < unit.severity;
}

bool CaseBook::isNewlyOverdue(const Unit& unit) const {
  if (groupOf(unit.unitClass) != ClassGroup::Open || !unit.has(Flag::Overdue)) return false;
  const auto known = m_cases.find(unit.id);
  return known == m_cases.end() || !known->second.overdue || known->second.ignored;
}

Result<bool> CaseBook::takeIn(Database& database, const CaseId& id) {
  m_tonight.insert(id);
  const auto known = m_cases.find(id);
  if (known == m_cases.end()) return false;
  const bool decided = isDecided(known->second.state);
  const ReviewState state = decided ? known->second.state : ReviewState::AutoCleared;
  if (!m_isLatest) return decided;
  auto ok = database.run("UPDATE cases SET standing = 0, cleared_run = ?, as_of = ?, state = ? WHERE case_id = ?", m_run,
                         m_asOf, codeOf(state), id);
  if (!ok) return fail(ok.error());
  return decided;
}

Result<> CaseBook::reopen(Database& database, const CaseId& id) {
  if (!m_isLatest) return {};
  return database.run("UPDATE cases SET state = ? WHERE case_id = ? AND standing = 1", codeOf(ReviewState::Reopened), id);
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
  const auto known = m_cases.find(unit.id);
  const bool wasBreak = known != m_cases.end() && groupOf(known->second.unitClass) == ClassGroup::Break;
  if (stood && (!standing || (wasBreak && groupOf(unit.unitClass) != ClassGroup::Break))) {
    const auto seen = hasEvidenceOf(unit.id, unit);
    if (!seen) return fail(seen.error());
    if (!*seen) return {};  // it stands as it was judged last
  }
  ReviewState next = *state;
  std::optional<RunNumber> clearedRun;
  if (!standing && stood && !isDecided(*state)) {
    next = ReviewState::AutoCleared;
    clearedRun = m_run;
  } else if (standing && (*state == ReviewState::AutoCleared || (isDecided(*state) && changed))) {
    next = ReviewState::Reopened;
  }
  return m_update.run(m_run, m_asOf, standing, codeOf(next), clearedRun, digest, unit.id);
}

Result<Records> CaseBook::recordsOf(const StandingCase& standing) {
  m_records.bindAll(standing.id, standing.unitRun);
  const auto row = m_records.step();
  if (!row) return fail(row.error());
  if (!*row) return fail(ErrorCode::Internal, "case " + standing.id + " has no unit");
  auto records = unpackRecords(m_records.blob(0));
  m_records.reset();
  if (!records) return fail(records.error().within("case " + standing.id));
  return records;
}

std::optional<CaseBook::Since> CaseBook::unchangedSince(const Unit& unit) const {
  if (!m_isLatest || !m_carried.contains(unit.id)) return {};
  const auto known = m_cases.find(unit.id);
  if (known == m_cases.end() || known->second.recordsDigest != recordsDigestOf(unit)) return {};
  return Since{known->second.unitRun, known->second.unitAsOf};
}

Result<> CaseBook::again(const CaseId& id) {
  m_tonight.insert(id);
  return m_again.run(m_run, m_asOf, id);
}

Result<> CaseBook::hide(const CaseId& id, std::int64_t rule) {
  const auto known = m_cases.find(id);
  if (rule == 0 && (known == m_cases.end() || !known->second.ignored)) return {};
  const std::optional<std::int64_t> by = rule == 0 ? std::nullopt : std::optional(rule);
  return m_hide.run(by, id, m_run);   // a backfilled night changes nothing of what stands
}

Result<CaseBook::Decision> CaseBook::decisionOn(const Unit& unit) {
  m_touch.bindAll(unit.id);
  const auto row = m_touch.step();
  if (!row) return fail(row.error());
  if (!*row) return Decision{{}, true};
  const auto state = reviewStateFromCode(m_touch.text(0));
  const std::string digest(m_touch.text(3));
  m_touch.reset();
  if (!state) return brokenStore("the state of case " + unit.id);
  if (isDecided(*state) && digest == recordsDigestOf(unit)) return Decision{classOfDecision(*state), false};
  // The night opens the others again, if they are open at all.
  return Decision{{}, isHideable(*state) || isDecided(*state) || *state == ReviewState::AutoCleared};
}

Result<bool> CaseBook::hasEvidenceOf(const CaseId& id, const Unit& unit) {
  if (m_carried.contains(id)) return true;
  const auto known = m_cases.find(id);
  if (known == m_cases.end()) return true;
  const auto records = recordsOf(known->second);
  if (!records) return fail(records.error());
  return evidenceOf(unit.records).holds(evidenceOf(*records));
}

Result<std::vector<CaseId>> CaseBook::casesSeen(const Store::Impl& store, std::int64_t recordSegment,
                                                std::int64_t historySegment) {
  const TonightsRecords tonight(store, m_run, recordSegment, historySegment);
  std::vector<CaseId> ids, carried;
  std::vector<Trace> first, others;
  std::vector<std::vector<Trace>> rest;
  for (const auto& [id, standing] : m_cases) {
    if (m_tonight.contains(id)) continue;
    if (m_carried.contains(id)) {
      carried.push_back(id);
      continue;
    }
    const auto records = recordsOf(standing);
    if (!records) return fail(records.error());
    const Evidence evidence = evidenceOf(*records);
    if (evidence.traces.empty() || evidence.hasTwins()) continue;
    ids.push_back(id);
    first.push_back(*evidence.traces.begin());
    rest.emplace_back(std::next(evidence.traces.begin()), evidence.traces.end());
  }
  auto came = tonight.cameAgain(first);   // most cases end here: nothing of them came
  if (!came) return fail(came.error());
  std::vector<std::size_t> caseOf;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (!(*came)[i]) continue;
    for (Trace& trace : rest[i]) {
      others.push_back(std::move(trace));
      caseOf.push_back(i);
    }
  }
  const auto alsoCame = tonight.cameAgain(others);
  if (!alsoCame) return fail(alsoCame.error());
  for (std::size_t i = 0; i < others.size(); ++i) {
    if (!(*alsoCame)[i]) (*came)[caseOf[i]] = false;
  }
  std::vector<CaseId> seen = std::move(carried);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if ((*came)[i]) seen.push_back(std::move(ids[i]));
  }
  return seen;
}

Result<> CaseBook::clearThoseSeen(const Store::Impl& store, std::int64_t recordSegment, std::int64_t historySegment) {
  if (!m_isLatest) return {};
  const auto seen = casesSeen(store, recordSegment, historySegment);
  if (!seen) return fail(seen.error());
  auto update = store.database.prepare(
      "UPDATE cases SET standing = 0, cleared_run = ?1, as_of = ?2, "
      "cleared_late = (SELECT ?2 - u.due FROM units u WHERE u.case_id = ?3 AND u.run = cases.unit_run AND u.due < ?2), "
      "state = CASE WHEN state IN ('resolved', 'dismissed', 'force_closed') THEN state ELSE 'auto_cleared' END "
      "WHERE case_id = ?3");
  if (!update) return fail(update.error());
  for (const CaseId& id : *seen) {
    if (auto ok = update->run(m_run, m_asOf, id); !ok) return ok;
  }
  return {};
}

}  // namespace counterfoil
