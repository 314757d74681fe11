// SPDX-License-Identifier: GPL-3.0-or-later
// Lists with filters. Codes of filters come from enums, so they go into the SQL as they are; texts are bound.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/base/text.h"
#include "core/store/packing.h"
#include "core/store/store_impl.h"

namespace counterfoil {
namespace {

constexpr std::array<std::pair<std::string_view, SortBy>, 9> kSorts = {{{"key", SortBy::Key},
                                                                         {"class", SortBy::Class},
                                                                         {"severity", SortBy::Severity},
                                                                         {"age", SortBy::Age},
                                                                         {"first_run", SortBy::FirstRun},
                                                                         {"last_run", SortBy::LastRun},
                                                                         {"state", SortBy::State},
                                                                         {"operation", SortBy::Operation},
                                                                         {"scope", SortBy::Scope}}};

template <class Enum>
std::string codeList(const std::set<Enum>& values) {
  std::string out;
  for (const Enum value : values) out += fmt::format("{}'{}'", out.empty() ? "" : ", ", codeOf(value));
  return out;
}

/// Severities are stored as numbers.
std::string severityList(const std::set<Severity>& values) {
  std::string out;
  for (const Severity value : values) out += fmt::format("{}{}", out.empty() ? "" : ", ", static_cast<int>(value));
  return out;
}

std::string_view sortColumn(SortBy sort) {
  switch (sort) {
    case SortBy::Default: return "";
    case SortBy::Key: return "u.key";
    case SortBy::Class: return "k.position";
    case SortBy::Severity: return "u.severity";
    case SortBy::Age: return "u.first_seen";
    case SortBy::FirstRun: return "c.first_run";
    case SortBy::LastRun: return "c.last_run";
    case SortBy::State: return "c.state";
    case SortBy::Operation: return "u.operation";
    case SortBy::Scope: return "u.scope";
  }
  return "";
}

std::string orderOf(const ListFilter& filter) {
  std::string order = " ORDER BY ";
  if (filter.sort != SortBy::Default) {
    // An older case has an earlier first sight: "age" rises as that time falls.
    const bool descending = filter.descending != (filter.sort == SortBy::Age);
    order += fmt::format("{}{}, ", sortColumn(filter.sort), descending ? " DESC" : "");
  }
  return order += "k.position, u.key, u.scope, u.operation, u.case_id, u.run, u.seq";
}

std::string unitQuery(const ListFilter& filter) {
  const bool chosen = !filter.classes.empty() || !filter.states.empty();
  std::string where = filter.run ? "u.run = ?1" : "?1 IS NULL AND u.run = c.unit_run";
  if (!chosen && filter.detail == Detail::BreaksAndOpen) {
    where += filter.run ? " AND k.kind <> 'closed'" : " AND c.standing = 1";
  } else if (!chosen && filter.detail == Detail::Notable) {
    where += " AND u.plain = 0";
  }
  if (!filter.classes.empty()) where += fmt::format(" AND u.class IN ({})", codeList(filter.classes));
  if (!filter.states.empty()) where += fmt::format(" AND c.state IN ({})", codeList(filter.states));
  if (!filter.severities.empty()) where += fmt::format(" AND u.severity IN ({})", severityList(filter.severities));
  where += " AND (?2 = '' OR u.operation = ?2) AND (?3 IS NULL OR u.first_seen >= ?3)";
  return fmt::format("SELECT {} FROM units u JOIN cases c ON c.case_id = u.case_id JOIN runs r ON r.run = u.run "
                     "JOIN classes k ON k.class = u.class WHERE {}{}",
                     kUnitColumns, where, orderOf(filter));
}

bool fitsKey(const std::string& wanted, std::string_view key) {
  return wanted.empty() || key == wanted || normalKey(key) == normalKey(wanted);
}

bool unitFitsKey(const std::string& wanted, const Statement& row) {
  if (wanted.empty() || fitsKey(wanted, row.text(4))) return true;
  const auto keys = unpackTexts(row.text(19));
  return keys && std::any_of(keys->begin(), keys->end(), [&](const std::string& key) { return fitsKey(wanted, key); });
}

/// Counts down a limit; true while there is room.
class Limit {
 public:
  explicit Limit(std::uint64_t limit) : m_left(limit), m_bounded(limit > 0) {}
  bool goOn() { return !m_bounded || --m_left > 0; }
 private:
  std::uint64_t m_left;
  bool m_bounded;
};

}  // namespace

std::optional<SortBy> sortFromCode(std::string_view code) {
  const auto at = std::find_if(kSorts.begin(), kSorts.end(), [&](const auto& entry) { return entry.first == code; });
  if (at == kSorts.end()) return {};
  return at->second;
}

Result<> Store::forEachUnit(const ListFilter& filter, const std::function<bool(const StoredUnit&)>& fn) const {
  auto statement = m_impl->database.prepare(unitQuery(filter));
  if (!statement) return fail(statement.error());
  statement->bindAll(filter.run, filter.operation, filter.since);
  Limit limit(filter.limit);
  return forEachRow(*statement, [&](const Statement& row) -> Result<bool> {
    if (!unitFitsKey(filter.key, row)) return true;
    const auto unit = readUnit(row, filter.withRaw);
    if (!unit) return fail(unit.error());
    return fn(*unit) && limit.goOn();
  });
}

Result<> Store::forEachFinding(const ListFilter& filter,
                               const std::function<bool(RunNumber, const Finding&)>& fn) const {
  auto statement = m_impl->database.prepare(
      "SELECT run, code, subject, count, severity, seen, advice, examples FROM findings "
      "WHERE run = coalesce(?1, (SELECT max(run) FROM runs)) ORDER BY run, seq");
  if (!statement) return fail(statement.error());
  statement->bindAll(filter.run);
  Limit limit(filter.limit);
  return forEachRow(*statement, [&](const Statement& row) -> Result<bool> {
    Finding finding;
    finding.code = row.text(1);
    finding.subject = row.text(2);
    finding.count = row.integer(3);
    finding.seen = row.text(5);
    finding.advice = row.text(6);
    const auto severity = enumFromCode<Severity>(row.text(4), kSeverityCount);
    auto examples = unpackTexts(row.text(7));
    if (!severity || !examples) return brokenStore("a finding");
    finding.severity = *severity;
    finding.examples = std::move(*examples);
    if (!filter.codes.empty() && !filter.codes.contains(finding.code)) return true;
    if (!filter.severities.empty() && !filter.severities.contains(*severity)) return true;
    return fn(static_cast<RunNumber>(row.integer(0)), finding) && limit.goOn();
  });
}

// Without a run or a question of its own a list shows the newest night. Asked by key or time it looks at all
// nights; a line that several nights read stands once, as the newest judged it.

Result<> Store::forEachSkip(const ListFilter& filter, const std::function<bool(const SkipRow&)>& fn) const {
  const bool allRuns = !filter.run && (!filter.key.empty() || filter.since);
  auto statement = m_impl->database.prepare(fmt::format(
      "SELECT s.run, s.case_id, s.key, s.operation, s.worker, s.time, s.verdict, s.reason, s.saved FROM skips s "
      "WHERE {} AND (?2 = '' OR s.operation = ?2) AND (?3 IS NULL OR s.time >= ?3) "
      "ORDER BY s.time, s.key, s.worker, s.run, s.seq",
      allRuns ? "?1 IS NULL AND s.run = (SELECT max(t.run) FROM skips t WHERE t.key = s.key AND t.time = s.time AND "
                "t.worker = s.worker)"
              : "s.run = coalesce(?1, (SELECT max(run) FROM runs))"));
  if (!statement) return fail(statement.error());
  statement->bindAll(filter.run, filter.operation, filter.since);
  Limit limit(filter.limit);
  return forEachRow(*statement, [&](const Statement& row) -> Result<bool> {
    const auto verdict = enumFromCode<SkipVerdict>(row.text(6), kSkipVerdictCount);
    const auto saved = unpackMoney(row.text(8));
    if (!verdict || !saved || saved->size() > 1) return brokenStore("a skip");
    if (!fitsKey(filter.key, row.text(2))) return true;
    if (!filter.codes.empty() && !filter.codes.contains(std::string(codeOf(*verdict)))) return true;
    SkipRow skip{static_cast<RunNumber>(row.integer(0)), CaseId(row.text(1)), std::string(row.text(2)),
                 std::string(row.text(3)), std::string(row.text(4)), row.instant(5), *verdict,
                 std::string(row.text(7)), {}};
    if (!saved->empty()) skip.saved = saved->front();
    return fn(skip) && limit.goOn();
  });
}

Result<> Store::forEachDeadLetter(const ListFilter& filter, const std::function<bool(const DeadLetterRow&)>& fn) const {
  const bool allRuns = !filter.run && (!filter.key.empty() || filter.since);
  auto statement = m_impl->database.prepare(fmt::format(
      "SELECT d.run, d.case_id, d.queue, d.message_id, d.key, d.operation, d.error, d.receive_count, d.enqueued_at, "
      "d.died_at, d.deadline, d.verdict, d.reason FROM dead_letters d "
      "WHERE {} AND (?2 = '' OR d.operation = ?2) AND (?3 IS NULL OR d.died_at >= ?3) AND (?4 = '' OR d.queue = ?4) "
      "ORDER BY d.queue, d.died_at, d.key, d.message_id, d.run, d.seq",
      allRuns ? "?1 IS NULL AND d.run = (SELECT max(e.run) FROM dead_letters e WHERE e.key = d.key AND "
                "e.queue = d.queue AND e.message_id = d.message_id)"
              : "d.run = coalesce(?1, (SELECT max(run) FROM runs))"));
  if (!statement) return fail(statement.error());
  statement->bindAll(filter.run, filter.operation, filter.since, filter.queue);
  Limit limit(filter.limit);
  return forEachRow(*statement, [&](const Statement& row) -> Result<bool> {
    const auto verdict = enumFromCode<RedriveVerdict>(row.text(11), kRedriveVerdictCount);
    if (!verdict) return brokenStore("a dead letter");
    if (!fitsKey(filter.key, row.text(4))) return true;
    if (!filter.codes.empty() && !filter.codes.contains(std::string(codeOf(*verdict)))) return true;
    DeadLetterRow letter;
    letter.run = static_cast<RunNumber>(row.integer(0));
    letter.caseId = row.text(1);
    letter.queue = row.text(2);
    letter.messageId = row.text(3);
    letter.key = row.text(4);
    letter.operation = row.text(5);
    letter.error = row.text(6);
    letter.receiveCount = row.maybeInteger(7);
    letter.enqueuedAt = row.maybeInstant(8);
    letter.diedAt = row.maybeInstant(9);
    letter.deadline = row.maybeInstant(10);
    letter.verdict = *verdict;
    letter.reason = row.text(12);
    return fn(letter) && limit.goOn();
  });
}

}  // namespace counterfoil
