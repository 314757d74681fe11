// SPDX-License-Identifier: GPL-3.0-or-later
// Lists with filters. Codes of filters come from enums, so they go into the SQL as they are; texts are bound.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/base/text.h"
#include "core/judge/reason_age.h"
#include "core/store/packing.h"
#include "core/store/store_impl.h"

namespace counterfoil {
namespace {

constexpr std::array<std::pair<std::string_view, SortBy>, 10> kSorts = {{{"key", SortBy::Key},
                                                                         {"class", SortBy::Class},
                                                                         {"severity", SortBy::Severity},
                                                                         {"age", SortBy::Age},
                                                                         {"first_run", SortBy::FirstRun},
                                                                         {"last_run", SortBy::LastRun},
                                                                         {"state", SortBy::State},
                                                                         {"operation", SortBy::Operation},
                                                                         {"scope", SortBy::Scope},
                                                                         {"exposure", SortBy::Exposure}}};

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

// As readUnit() tells them: the state a case is shown in, and the class that stands for its unit.
constexpr std::string_view kState =
    "CASE WHEN c.ignored_by IS NOT NULL AND c.state IN ('open', 'reopened') THEN 'dismissed' ELSE c.state END";
constexpr std::string_view kDecided =
    "(CASE WHEN k.kind = 'closed' THEN '' WHEN u.run <> c.unit_run THEN u.decided "
    "WHEN c.state IN ('resolved', 'force_closed') THEN 'matched_manual' "
    "WHEN c.state = 'dismissed' OR (c.ignored_by IS NOT NULL AND c.state IN ('open', 'reopened')) THEN 'dismissed' "
    "ELSE '' END)";

std::string_view sortColumn(SortBy sort) {
  switch (sort) {
    case SortBy::Default: return "";
    case SortBy::Key: return "u.key";
    case SortBy::Class: return "k.position";
    case SortBy::Severity: return "u.severity";
    case SortBy::Age: return "u.first_seen";
    case SortBy::FirstRun: return "c.first_run";
    case SortBy::LastRun: return "c.last_run";
    case SortBy::State: return kState;
    case SortBy::Operation: return "u.operation";
    case SortBy::Scope: return "u.scope";
    case SortBy::Exposure: return "substr(u.exposure, 1, 3)";  // packed as "USD:1500 EUR:-300"
  }
  return "";
}

std::string orderOf(const ListFilter& filter) {
  std::string order = " ORDER BY ";
  if (filter.sort != SortBy::Default) {
    // An older case has an earlier first sight: "age" rises as that time falls.
    const bool descending = filter.descending != (filter.sort == SortBy::Age);
    const std::string_view direction = descending ? " DESC" : "";
    order += fmt::format("{}{}, ", sortColumn(filter.sort), direction);
    if (filter.sort == SortBy::Exposure) order += fmt::format("CAST(substr(u.exposure, 5) AS INTEGER){}, ", direction);
  }
  return order += "k.position, u.key, u.scope, u.operation, u.case_id, u.run, u.seq";
}

constexpr std::string_view kTextCondition =
    " AND (?4 = '' OR u.case_id = ?4 OR instr(lower(u.key), ?4) OR instr(lower(u.op_ref), ?4) "
    "OR instr(lower(u.keys), ?4) OR instr(lower(u.reason), ?4) OR instr(lower(u.scope), ?4) "
    "OR instr(lower(u.operation), ?4) OR instr(lower(c.assignee), ?4))";

/// A judgement that later nights repeated is theirs too.
constexpr std::string_view kOfRun = "(u.run = ?1 OR (u.until_run > u.run AND u.run < ?1 AND u.until_run >= ?1))";

std::string unitQuery(const ListFilter& filter, std::string_view columns) {
  const bool chosen = !filter.classes.empty() || !filter.states.empty();
  std::string where = filter.run ? std::string(kOfRun)
                                 : "?1 IS NULL AND u.run = c.unit_run "
                                   "AND NOT EXISTS (SELECT 1 FROM case_aliases a WHERE a.alias = u.case_id)";
  if (!chosen && filter.detail == Detail::BreaksAndOpen) {
    where += filter.run ? " AND k.kind <> 'closed'" : " AND c.standing = 1";
    where += fmt::format(" AND {} = ''", kDecided);
  } else if (!chosen && filter.detail == Detail::Notable) {
    where += " AND u.plain = 0";
  }
  if (!filter.classes.empty()) where += fmt::format(" AND coalesce(nullif({}, ''), u.class) IN ({})", kDecided, codeList(filter.classes));
  if (!filter.states.empty()) where += fmt::format(" AND {} IN ({})", kState, codeList(filter.states));
  if (!filter.severities.empty()) {
    where += fmt::format(" AND CASE {} WHEN '' THEN u.severity ELSE 0 END IN ({})", kDecided, severityList(filter.severities));
  }
  where += " AND (?2 = '' OR u.operation = ?2) AND (?3 IS NULL OR u.first_seen >= ?3)";
  where += kTextCondition;
  return fmt::format("SELECT {} FROM units u JOIN cases c ON c.case_id = u.case_id JOIN runs r ON r.run = u.until_run "
                     "JOIN classes k ON k.class = u.class WHERE {}{}",
                     columns, where, orderOf(filter));
}

bool fitsKey(const std::string& wanted, std::string_view key) {
  return wanted.empty() || key == wanted || normalKey(key) == normalKey(wanted);
}

bool unitFitsKey(const std::string& wanted, const Statement& row) {
  if (wanted.empty() || fitsKey(wanted, row.text(4))) return true;
  const auto keys = unpackTexts(row.text(19));
  return keys && std::any_of(keys->begin(), keys->end(), [&](const std::string& key) { return fitsKey(wanted, key); });
}

constexpr std::string_view kSkipColumns =
    "s.rowid, s.run, s.case_id, s.key, s.operation, s.worker, s.time, s.verdict, s.reason, s.saved";
constexpr std::string_view kDeadLetterColumns =
    "d.rowid, d.run, d.case_id, d.queue, d.message_id, d.key, d.operation, d.error, d.receive_count, d.enqueued_at, "
    "d.died_at, d.deadline, d.verdict, d.reason";

Result<SkipRow> readSkip(const Statement& row) {
  const auto verdict = enumFromCode<SkipVerdict>(row.text(7), kSkipVerdictCount);
  const auto saved = unpackMoney(row.text(9));
  if (!verdict || !saved || saved->size() > 1) return brokenStore("a skip");
  SkipRow skip{static_cast<RunNumber>(row.integer(1)), CaseId(row.text(2)), std::string(row.text(3)),
               std::string(row.text(4)), std::string(row.text(5)), row.instant(6), *verdict, std::string(row.text(8)), {}};
  if (!saved->empty()) skip.saved = saved->front();
  return skip;
}

Result<DeadLetterRow> readDeadLetter(const Statement& row) {
  const auto verdict = enumFromCode<RedriveVerdict>(row.text(12), kRedriveVerdictCount);
  if (!verdict) return brokenStore("a dead letter");
  DeadLetterRow letter;
  letter.run = static_cast<RunNumber>(row.integer(1));
  letter.caseId = row.text(2);
  letter.queue = row.text(3);
  letter.messageId = row.text(4);
  letter.key = row.text(5);
  letter.operation = row.text(6);
  letter.error = row.text(7);
  letter.receiveCount = row.maybeInteger(8);
  letter.enqueuedAt = row.maybeInstant(9);
  letter.diedAt = row.maybeInstant(10);
  letter.deadline = row.maybeInstant(11);
  letter.verdict = *verdict;
  letter.reason = row.text(13);
  return letter;
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

// Without a run or a question of its own a list shows the newest night. Asked by key or time it looks at all
// nights; a line that several nights read stands once, as the newest judged it.

Result<> walkSkips(Database& database, const ListFilter& filter,
                   const std::function<bool(RowId, SkipRow&&)>& fn) {
  const bool allRuns = !filter.run && (!filter.key.empty() || filter.since);
  auto statement = database.prepare(fmt::format(
      "SELECT {} FROM skips s WHERE {} AND (?2 = '' OR s.operation = ?2) AND (?3 IS NULL OR s.time >= ?3) "
      "ORDER BY s.time, s.key, s.worker, s.run, s.seq",
      kSkipColumns,
      allRuns ? "?1 IS NULL AND s.run = (SELECT max(t.run) FROM skips t WHERE t.key = s.key AND t.time = s.time AND "
                "t.worker = s.worker)"
              : "s.run = coalesce(?1, (SELECT max(run) FROM runs))"));
  if (!statement) return fail(statement.error());
  statement->bindAll(filter.run, filter.operation, filter.since);
  Limit limit(filter.limit);
  return forEachRow(*statement, [&](const Statement& row) -> Result<bool> {
    auto skip = readSkip(row);
    if (!skip) return fail(skip.error());
    if (!fitsKey(filter.key, skip->key)) return true;
    if (!filter.codes.empty() && !filter.codes.contains(std::string(codeOf(skip->verdict)))) return true;
    return fn(row.integer(0), std::move(*skip)) && limit.goOn();
  });
}

Result<> walkDeadLetters(Database& database, const ListFilter& filter,
                         const std::function<bool(RowId, DeadLetterRow&&)>& fn) {
  const bool allRuns = !filter.run && (!filter.key.empty() || filter.since);
  auto statement = database.prepare(fmt::format(
      "SELECT {} FROM dead_letters d "
      "WHERE {} AND (?2 = '' OR d.operation = ?2) AND (?3 IS NULL OR d.died_at >= ?3) AND (?4 = '' OR d.queue = ?4) "
      "ORDER BY d.queue, d.died_at, d.key, d.message_id, d.run, d.seq",
      kDeadLetterColumns,
      allRuns ? "?1 IS NULL AND d.run = (SELECT max(e.run) FROM dead_letters e WHERE e.key = d.key AND "
                "e.queue = d.queue AND e.message_id = d.message_id)"
              : "d.run = coalesce(?1, (SELECT max(run) FROM runs))"));
  if (!statement) return fail(statement.error());
  statement->bindAll(filter.run, filter.operation, filter.since, filter.queue);
  Limit limit(filter.limit);
  return forEachRow(*statement, [&](const Statement& row) -> Result<bool> {
    auto letter = readDeadLetter(row);
    if (!letter) return fail(letter.error());
    if (!fitsKey(filter.key, letter->key)) return true;
    if (!filter.codes.empty() && !filter.codes.contains(std::string(codeOf(letter->verdict)))) return true;
    return fn(row.integer(0), std::move(*letter)) && limit.goOn();
  });
}

/// Calls take(index, statement) for each row that is there.
template <class Take>
Result<> walkRows(Database& database, const std::string& sql, std::span<const RowId> rows, Take take) {
  auto statement = database.prepare(sql);
  if (!statement) return fail(statement.error());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    statement->bindAll(rows[i]);
    const auto found = statement->step();
    if (!found) return fail(found.error());
    if (!*found) continue;
    if (auto ok = take(i, *statement); !ok) return ok;
    statement->reset();
  }
  return {};
}

constexpr std::string_view kUnitFrom =
    "FROM units u JOIN cases c ON c.case_id = u.case_id JOIN runs r ON r.run = u.until_run";

Result<std::optional<Instant>> asOfRun(Database& database, RunNumber run) {
  const auto micros = database.integer("SELECT as_of FROM runs WHERE run = ?", run);
  if (!micros) return fail(micros.error());
  if (!*micros) return std::optional<Instant>();
  return std::optional(Instant(Duration(**micros)));
}

/// A judgement as it stood in one of the runs that made it.
void ofRun(RunNumber run, const std::optional<Instant>& asOf, const Statement& row, StoredUnit& unit) {
  if (asOf) {
    unit.unit.reason = reasonAsOf(unit.unit, unit.asOf, *asOf);
    unit.asOf = *asOf;
  }
  unit.isNew = row.integer(25) != 0 && unit.run == run;
}

std::string unitsWhere(std::string_view where) {
  return fmt::format("SELECT {} {} WHERE {}", kUnitColumns, kUnitFrom, where);
}

}  // namespace

std::optional<SortBy> sortFromCode(std::string_view code) {
  const auto at = std::find_if(kSorts.begin(), kSorts.end(), [&](const auto& entry) { return entry.first == code; });
  if (at == kSorts.end()) return {};
  return at->second;
}

Result<> Store::forEachUnit(const ListFilter& filter, const std::function<bool(const StoredUnit&)>& fn) const {
  auto ids = m_impl->database.prepare(unitQuery(filter, "u.id"));
  if (!ids) return fail(ids.error());
  const std::string text = toLowerAscii(filter.text);
  ids->bindAll(filter.run, filter.operation, filter.since, text);
  // Whole units one by one: a sort never holds records.
  auto select = m_impl->database.prepare(unitsWhere("u.id = ?"));
  if (!select) return fail(select.error());
  Result<std::optional<Instant>> asOf = std::optional<Instant>();
  if (filter.run) asOf = asOfRun(m_impl->database, *filter.run);
  if (!asOf) return fail(asOf.error());
  Limit limit(filter.limit);
  return forEachRow(*ids, [&](const Statement& id) -> Result<bool> {
    select->bindAll(id.integer(0));
    const auto row = select->step();
    if (!row) return fail(row.error());
    if (!*row) return brokenStore("an index of units");
    if (!unitFitsKey(filter.key, *select)) {
      select->reset();
      return true;
    }
    auto unit = readUnit(*select, filter.withRaw);
    if (unit && filter.run) ofRun(*filter.run, *asOf, *select, *unit);
    select->reset();
    if (!unit) return fail(unit.error());
    return fn(*unit) && limit.goOn();
  });
}

Result<std::optional<StoredUnit>> Store::unitOf(RunNumber run, const CaseId& caseId, bool withRaw) const {
  auto select = m_impl->database.prepare(unitsWhere(
      "u.run <= ?1 AND u.until_run >= ?1 AND u.case_id = coalesce((SELECT a.case_id FROM case_aliases a WHERE a.alias = ?2), ?2)"));
  if (!select) return fail(select.error());
  select->bindAll(run, caseId);
  const auto row = select->step();
  if (!row) return fail(row.error());
  if (!*row) return std::optional<StoredUnit>();
  auto unit = readUnit(*select, withRaw);
  if (!unit) return fail(unit.error());
  const auto asOf = asOfRun(m_impl->database, run);
  if (!asOf) return fail(asOf.error());
  ofRun(run, *asOf, *select, *unit);
  return std::optional(std::move(*unit));
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

Result<> Store::forEachSkip(const ListFilter& filter, const std::function<bool(const SkipRow&)>& fn) const {
  return walkSkips(m_impl->database, filter, [&](RowId, SkipRow&& skip) { return fn(skip); });
}

Result<> Store::forEachDeadLetter(const ListFilter& filter, const std::function<bool(const DeadLetterRow&)>& fn) const {
  return walkDeadLetters(m_impl->database, filter, [&](RowId, DeadLetterRow&& letter) { return fn(letter); });
}

Result<std::vector<RowId>> Store::unitRows(const ListFilter& filter) const {
  // Sorting carries all columns along: with a key to look at they are needed, else the number is enough.
  const int at = filter.key.empty() ? 0 : kUnitColumnCount;
  const std::string columns = filter.key.empty() ? "u.id" : fmt::format("{}, u.id", kUnitColumns);
  auto statement = m_impl->database.prepare(unitQuery(filter, columns));
  if (!statement) return fail(statement.error());
  const std::string text = toLowerAscii(filter.text);
  statement->bindAll(filter.run, filter.operation, filter.since, text);
  std::vector<RowId> rows;
  Limit limit(filter.limit);
  auto ok = forEachRow(*statement, [&](const Statement& row) -> Result<bool> {
    if (!filter.key.empty() && !unitFitsKey(filter.key, row)) return true;
    rows.push_back(row.integer(at));
    return limit.goOn();
  });
  if (!ok) return fail(ok.error());
  return rows;
}

Result<std::vector<RowId>> Store::skipRows(const ListFilter& filter) const {
  std::vector<RowId> rows;
  auto ok = walkSkips(m_impl->database, filter, [&](RowId row, SkipRow&&) {
    rows.push_back(row);
    return true;
  });
  if (!ok) return fail(ok.error());
  return rows;
}

Result<std::vector<RowId>> Store::deadLetterRows(const ListFilter& filter) const {
  std::vector<RowId> rows;
  auto ok = walkDeadLetters(m_impl->database, filter, [&](RowId row, DeadLetterRow&&) {
    rows.push_back(row);
    return true;
  });
  if (!ok) return fail(ok.error());
  return rows;
}

Result<> Store::unitsAt(std::span<const RowId> rows,
                        const std::function<void(std::size_t, StoredUnit&&)>& fn) const {
  return walkRows(m_impl->database, unitsWhere("u.id = ?"), rows, [&](std::size_t i, const Statement& row) -> Result<> {
    auto unit = readUnit(row, false);
    if (!unit) return fail(unit.error());
    fn(i, std::move(*unit));
    return {};
  });
}

Result<> Store::skipsAt(std::span<const RowId> rows, const std::function<void(std::size_t, SkipRow&&)>& fn) const {
  const std::string sql = fmt::format("SELECT {} FROM skips s WHERE s.rowid = ?", kSkipColumns);
  return walkRows(m_impl->database, sql, rows, [&](std::size_t i, const Statement& row) -> Result<> {
    auto skip = readSkip(row);
    if (!skip) return fail(skip.error());
    fn(i, std::move(*skip));
    return {};
  });
}

Result<> Store::deadLettersAt(std::span<const RowId> rows,
                              const std::function<void(std::size_t, DeadLetterRow&&)>& fn) const {
  const std::string sql = fmt::format("SELECT {} FROM dead_letters d WHERE d.rowid = ?", kDeadLetterColumns);
  return walkRows(m_impl->database, sql, rows, [&](std::size_t i, const Statement& row) -> Result<> {
    auto letter = readDeadLetter(row);
    if (!letter) return fail(letter.error());
    fn(i, std::move(*letter));
    return {};
  });
}

Result<std::optional<StoredUnit>> Store::unitOf(const CaseId& caseId, RunNumber number) const {
  auto statement = m_impl->database.prepare(
      fmt::format("SELECT {} {} WHERE u.case_id = ?1 AND u.run <= ?2 AND u.until_run >= ?2", kUnitColumns, kUnitFrom));
  if (!statement) return fail(statement.error());
  statement->bindAll(caseId, number);
  const auto row = statement->step();
  if (!row) return fail(row.error());
  if (!*row) return std::optional<StoredUnit>();
  auto unit = readUnit(*statement, false);
  if (!unit) return fail(unit.error());
  return std::optional(std::move(*unit));
}

Result<std::map<Class, Severity>> Store::worstOf(RunNumber number) const {
  auto statement = m_impl->database.prepare(fmt::format("SELECT u.class, max(u.severity) FROM units u WHERE {} AND u.decided = '' GROUP BY u.class", kOfRun));
  if (!statement) return fail(statement.error());
  statement->bindAll(number);
  std::map<Class, Severity> worst;
  auto ok = forEachRow(*statement, [&](const Statement& row) -> Result<bool> {
    const auto unitClass = classFromCode(row.text(0));
    const std::int64_t severity = row.integer(1);
    if (!unitClass || severity < 0 || severity >= static_cast<std::int64_t>(kSeverityCount)) return brokenStore("a case");
    worst[*unitClass] = static_cast<Severity>(severity);
    return true;
  });
  if (!ok) return fail(ok.error());
  return worst;
}

Result<std::uint64_t> Store::breaksNotSeenBy(RunNumber number) const {
  auto statement = m_impl->database.prepare(
      "SELECT u.class, c.state, count(*) FROM cases c JOIN units u ON u.case_id = c.case_id AND u.run = c.unit_run "
      "WHERE c.standing = 1 AND c.last_run <> ? AND (c.ignored_by IS NULL OR c.state NOT IN ('open', 'reopened')) "
      "GROUP BY u.class, c.state");
  if (!statement) return fail(statement.error());
  statement->bindAll(number);
  std::uint64_t breaks = 0;
  auto ok = forEachRow(*statement, [&](const Statement& row) -> Result<bool> {
    const auto unitClass = classFromCode(row.text(0));
    const auto state = reviewStateFromCode(row.text(1));
    if (!unitClass || !state) return brokenStore("a case");
    if (groupOf(*unitClass) == ClassGroup::Break && !isDecided(*state)) breaks += static_cast<std::uint64_t>(row.integer(2));
    return true;
  });
  if (!ok) return fail(ok.error());
  return breaks;
}

void Store::interrupt() const {
  m_impl->database.interrupt();
}

}  // namespace counterfoil
