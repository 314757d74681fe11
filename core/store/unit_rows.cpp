// SPDX-License-Identifier: GPL-3.0-or-later
// Units, skips and dead letters of a run as rows.
#include "core/judge/reason_age.h"
#include "core/run/verdicts.h"
#include "core/store/packing.h"
#include "core/store/record_row.h"
#include "core/store/store_impl.h"

namespace counterfoil {
namespace {

template <class Enum>
std::string joinCodes(const std::vector<Enum>& values) {
  std::string out;
  for (const Enum value : values) {
    if (!out.empty()) out += ' ';
    out += codeOf(value);
  }
  return out;
}

template <class Enum>
bool splitCodes(std::string_view text, std::size_t count, std::vector<Enum>& out) {
  while (!text.empty()) {
    const std::size_t blank = text.find(' ');
    const auto value = enumFromCode<Enum>(text.substr(0, blank), count);
    if (!value) return false;
    out.push_back(*value);
    text.remove_prefix(blank == std::string_view::npos ? text.size() : blank + 1);
  }
  return true;
}

std::vector<Money> oneOrNone(const std::optional<Money>& money) {
  if (!money) return {};
  return {*money};
}

void putMaybe(std::string& out, std::optional<std::int64_t> value) {
  out.push_back(value ? 1 : 0);
  if (value) putVarint(out, zigzag(*value));
}

bool takeMaybe(std::string_view& bytes, std::optional<std::int64_t>& value) {
  value.reset();
  if (bytes.empty()) return false;
  const bool there = bytes[0] != 0;
  bytes.remove_prefix(1);
  if (!there) return true;
  const auto number = takeVarint(bytes);
  if (number) value = unzigzag(*number);
  return number.has_value();
}

/// Verdicts of skips, then of dead letters, in the order of the records.
std::string packVerdicts(const Unit& unit) {
  std::string out;
  for (const JudgedSkip& skip : unit.skipVerdicts) {
    out.push_back(static_cast<char>(skip.verdict));
    putText(out, skip.reason);
    putText(out, packMoney(oneOrNone(skip.saved)));
  }
  for (const JudgedDeadLetter& letter : unit.deadLetterVerdicts) {
    out.push_back(static_cast<char>(letter.verdict));
    putText(out, letter.reason);
    putMaybe(out, letter.deadline ? std::optional(letter.deadline->time_since_epoch().count()) : std::nullopt);
  }
  return out;
}

bool takeEnum(std::string_view& bytes, std::size_t count, std::uint8_t& value) {
  if (bytes.empty() || static_cast<std::uint8_t>(bytes[0]) >= count) return false;
  value = static_cast<std::uint8_t>(bytes[0]);
  bytes.remove_prefix(1);
  return true;
}

bool takeSkipVerdict(std::string_view& bytes, JudgedSkip& skip) {
  std::uint8_t verdict = 0;
  if (!takeEnum(bytes, kSkipVerdictCount, verdict)) return false;
  skip.verdict = static_cast<SkipVerdict>(verdict);
  const auto reason = takeText(bytes);
  const auto saved = reason ? takeText(bytes) : std::nullopt;
  const auto amounts = saved ? unpackMoney(*saved) : std::nullopt;
  if (!amounts || amounts->size() > 1) return false;
  skip.reason = *reason;
  if (!amounts->empty()) skip.saved = amounts->front();
  return true;
}

bool takeDeadLetterVerdict(std::string_view& bytes, JudgedDeadLetter& letter) {
  std::uint8_t verdict = 0;
  if (!takeEnum(bytes, kRedriveVerdictCount, verdict)) return false;
  letter.verdict = static_cast<RedriveVerdict>(verdict);
  const auto reason = takeText(bytes);
  std::optional<std::int64_t> deadline;
  if (!reason || !takeMaybe(bytes, deadline)) return false;
  letter.reason = *reason;
  if (deadline) letter.deadline = Instant(Duration(*deadline));
  return true;
}

bool unpackVerdicts(std::string_view bytes, Unit& unit) {
  for (std::size_t i = 0; i < unit.records.skips.size(); ++i) {
    if (!takeSkipVerdict(bytes, unit.skipVerdicts.emplace_back())) return false;
  }
  for (std::size_t i = 0; i < unit.records.deadLetters.size(); ++i) {
    if (!takeDeadLetterVerdict(bytes, unit.deadLetterVerdicts.emplace_back())) return false;
  }
  return bytes.empty();
}

std::string packRaw(const std::vector<RawText>& raw) {
  std::string out;
  for (const RawText& text : raw) {
    putVarint(out, text.place.source.value);
    putVarint(out, text.place.file.value);
    putVarint(out, text.place.offset);
    putVarint(out, text.place.part);
    putVarint(out, text.line);
    putText(out, text.path);
    putText(out, text.text);
  }
  return out;
}

bool takeRaw(std::string_view& bytes, RawText& raw) {
  const auto source = takeVarint(bytes);
  const auto file = takeVarint(bytes);
  const auto offset = takeVarint(bytes);
  const auto part = takeVarint(bytes);
  const auto line = takeVarint(bytes);
  if (!source || !file || !offset || !part || !line || *source > 0xffff) return false;
  raw.place = {SourceId{static_cast<std::uint16_t>(*source)}, FileId{static_cast<std::uint32_t>(*file)}, *offset,
               static_cast<std::uint32_t>(*part)};
  raw.line = *line;
  const auto path = takeText(bytes);
  const auto text = path ? takeText(bytes) : std::nullopt;
  if (!text) return false;
  raw.path = *path;
  raw.text = *text;
  return true;
}

}  // namespace

std::optional<std::vector<RawText>> unpackRaw(std::string_view bytes) {
  std::vector<RawText> raw;
  while (!bytes.empty()) {
    if (!takeRaw(bytes, raw.emplace_back())) return {};
  }
  return raw;
}

namespace {

/// The codes and packed lists of a row; false for what no unit can have.
bool readLists(const Statement& row, Unit& unit) {
  const auto unitClass = classFromCode(row.text(2));
  const auto why = enumFromCode<Why>(row.text(10), kWhyCount);
  const auto exposure = unpackMoney(row.text(13));
  const auto expected = unpackMoney(row.text(16));
  auto keys = unpackTexts(row.text(19));
  auto candidates = unpackTexts(row.text(20));
  if (!unitClass || !why || !exposure || !expected || expected->size() > 1 || !keys || !candidates) return false;
  const std::int64_t severity = row.integer(3);
  const std::int64_t local = row.integer(15);
  if (severity < 0 || severity >= static_cast<std::int64_t>(kSeverityCount)) return false;
  if (local < 0 || local > static_cast<std::int64_t>(LocalSummary::Nothing)) return false;
  unit.unitClass = *unitClass;
  unit.severity = static_cast<Severity>(severity);
  unit.why = *why;
  unit.local = static_cast<LocalSummary>(local);
  unit.exposure = *exposure;
  if (!expected->empty()) unit.expectedAmount = expected->front();
  unit.keys = std::move(*keys);
  unit.candidates = std::move(*candidates);
  return splitCodes(row.text(11), kHintCount, unit.hints) && splitCodes(row.text(12), kFlagCount, unit.flags);
}

/// The state of the case, and what it makes of the unit: a decision stands for what the rules say, until it is undone
/// or the records change. Rows of nights before the case's newest say what stood then.
bool readDecision(const Statement& row, StoredUnit& stored) {
  const auto state = reviewStateFromCode(row.text(29));
  const std::string_view then = row.text(37);
  const auto decidedThen = classFromCode(then);
  if (!state || (!then.empty() && !decidedThen)) return false;
  Unit& unit = stored.unit;
  stored.state = *state;
  stored.judged = unit.unitClass;
  if (!row.isNull(39) && isHideable(*state)) {
    stored.ignoredBy = row.integer(39);
    stored.state = ReviewState::Dismissed;
  }
  if (groupOf(unit.unitClass) == ClassGroup::Closed) return true;
  std::optional<Class> decided = decidedThen;
  if (row.integer(38) == row.integer(0)) decided = classOfDecision(stored.state);
  if (!decided) return true;
  unit.unitClass = *decided;
  unit.severity = Severity::None;
  unit.exposure.clear();
  std::erase(unit.flags, Flag::Overdue);
  return true;
}

}  // namespace

const char* const kUnitColumns =
    "u.run, u.case_id, u.class, u.severity, u.key, u.scope, u.operation, u.operation_index, u.op_ref, u.mark, "
    "u.why, u.hints, u.flags, u.exposure, u.reason, u.local, u.expected, u.due, u.first_seen, u.keys, u.candidates, "
    "u.more_candidates, u.records, u.verdicts, r.as_of, u.is_new, u.plain, c.first_run, c.last_run, c.state, "
    "c.assignee, u.raw, c.cleared_run, c.cleared_late, u.until_run, "
    "(SELECT j.as_of FROM runs j WHERE j.run = u.run), c.records_digest, u.decided, c.unit_run, c.ignored_by";

Result<StoredUnit> readUnit(const Statement& row, bool withRaw) {
  StoredUnit stored;
  Unit& unit = stored.unit;
  stored.run = static_cast<RunNumber>(row.integer(0));
  unit.id = row.text(1);
  unit.key = row.text(4);
  unit.scope = row.text(5);
  unit.operationName = row.text(6);
  unit.operation.value = static_cast<std::int16_t>(row.integer(7));
  unit.opRef = row.text(8);
  unit.mark = row.text(9);
  unit.reason = row.text(14);
  unit.due = row.maybeInstant(17);
  unit.firstSeen = row.maybeInstant(18);
  unit.moreCandidates = static_cast<std::size_t>(row.integer(21));
  if (!readLists(row, unit)) return brokenStore("case " + unit.id);
  auto records = unpackRecords(row.blob(22));
  if (!records) return fail(records.error().within("case " + unit.id));
  unit.records = std::move(*records);
  if (!unpackVerdicts(row.blob(23), unit)) return brokenStore("case " + unit.id);
  stored.asOf = row.instant(24);
  unit.reason = reasonAsOf(unit, row.instant(35), stored.asOf);
  stored.isNew = row.integer(25) != 0;
  stored.plain = row.integer(26) != 0;
  stored.firstRun = static_cast<RunNumber>(row.integer(27));
  stored.lastRun = static_cast<RunNumber>(row.integer(28));
  if (!readDecision(row, stored)) return brokenStore("the state of case " + unit.id);
  stored.assignee = row.text(30);
  stored.recordsDigest = row.text(36);
  stored.untilRun = static_cast<RunNumber>(row.integer(34));
  stored.isNew = stored.isNew && stored.untilRun == stored.run;   // not news any more
  stored.clearedRun = static_cast<RunNumber>(row.maybeInteger(32).value_or(0));
  if (const auto late = row.maybeInteger(33)) stored.clearedLate = Duration(*late);
  if (!withRaw) return stored;
  auto raw = unpackRaw(row.blob(31));
  if (!raw) return brokenStore("the source text of case " + unit.id);
  stored.raw = std::move(*raw);
  return stored;
}

Result<UnitRowWriter> UnitRowWriter::begin(Database& database, RunNumber run) {
  UnitRowWriter writer;
  writer.m_run = run;
  auto unit = database.prepare(
      "INSERT INTO units(run, seq, case_id, class, severity, plain, is_new, key, scope, operation, operation_index, "
      "op_ref, mark, why, hints, flags, exposure, reason, local, expected, due, first_seen, keys, candidates, "
      "more_candidates, records, verdicts, raw, until_run, decided) "
      "VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)");
  if (!unit) return fail(unit.error());
  auto extend = database.prepare(
      "UPDATE units SET until_run = ?1 WHERE case_id = ?2 AND run = ?3 AND until_run = ?1 - 1 AND class = ?4 AND severity = ?5 "
      "AND key = ?6 AND scope = ?7 AND operation = ?8 AND operation_index = ?9 AND op_ref = ?10 AND mark = ?11 AND why = ?12 "
      "AND hints = ?13 AND flags = ?14 AND exposure = ?15 AND reason = ?16 AND local = ?17 AND expected = ?18 AND due IS ?19 "
      "AND first_seen IS ?20 AND keys = ?21 AND candidates = ?22 AND more_candidates = ?23 AND verdicts = ?24 "
      "AND decided = ?25");
  if (!extend) return fail(extend.error());
  writer.m_database = &database;
  writer.m_extend = std::move(*extend);
  auto skip = database.prepare(
      "INSERT INTO skips(run, seq, case_id, key, operation, time, worker, verdict, reason, saved) "
      "VALUES(?,?,?,?,?,?,?,?,?,?)");
  if (!skip) return fail(skip.error());
  auto letter = database.prepare(
      "INSERT INTO dead_letters(run, seq, case_id, queue, message_id, key, operation, error, receive_count, "
      "enqueued_at, died_at, deadline, verdict, reason) VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?)");
  if (!letter) return fail(letter.error());
  writer.m_unit = std::move(*unit);
  writer.m_skip = std::move(*skip);
  writer.m_deadLetter = std::move(*letter);
  return writer;
}

Result<> UnitRowWriter::add(const Unit& unit, std::optional<Class> decided, bool isNew, const std::vector<RawText>& raw) {
  const std::string hints = joinCodes(unit.hints), flags = joinCodes(unit.flags);
  const std::string exposure = packMoney(unit.exposure), expected = packMoney(oneOrNone(unit.expectedAmount));
  const std::string keys = packTexts(unit.keys), candidates = packTexts(unit.candidates);
  const std::string records = packRecords(unit.records), verdicts = packVerdicts(unit), rawBytes = packRaw(raw);
  if (auto ok = m_unit.run(m_run, m_units++, unit.id, codeOf(unit.unitClass), unit.severity, isPlain(unit), isNew,
                           unit.key, unit.scope, unit.operationName, unit.operation.value, unit.opRef, unit.mark,
                           codeOf(unit.why), hints, flags, exposure, unit.reason, unit.local, expected, unit.due,
                           unit.firstSeen, keys, candidates, unit.moreCandidates, Blob{records}, Blob{verdicts},
                           Blob{rawBytes}, m_run, decided ? codeOf(*decided) : "");
      !ok) {
    return ok;
  }
  if (auto ok = addSkips(unit); !ok) return ok;
  return addDeadLetters(unit);
}

Result<bool> UnitRowWriter::extend(const Unit& unit, std::optional<Class> decided, RunNumber from, const std::string& reason) {
  const std::string hints = joinCodes(unit.hints), flags = joinCodes(unit.flags);
  const std::string exposure = packMoney(unit.exposure), expected = packMoney(oneOrNone(unit.expectedAmount));
  const std::string keys = packTexts(unit.keys), candidates = packTexts(unit.candidates);
  const std::string verdicts = packVerdicts(unit);
  auto ok = m_extend.run(m_run, unit.id, from, codeOf(unit.unitClass), unit.severity, unit.key, unit.scope,
                         unit.operationName, unit.operation.value, unit.opRef, unit.mark, codeOf(unit.why), hints, flags,
                         exposure, reason, unit.local, expected, unit.due, unit.firstSeen, keys, candidates,
                         unit.moreCandidates, Blob{verdicts}, decided ? codeOf(*decided) : "");
  if (!ok) return fail(ok.error());
  return m_database->changes() > 0;
}

Result<> UnitRowWriter::addSkips(const Unit& unit) {
  for (std::size_t i = 0; i < unit.records.skips.size() && i < unit.skipVerdicts.size(); ++i) {
    const Skip& skip = unit.records.skips[i];
    const JudgedSkip& judged = unit.skipVerdicts[i];
    const std::string saved = packMoney(oneOrNone(judged.saved));
    const std::string& key = skip.keyText.empty() ? skip.key : skip.keyText;
    if (auto ok = m_skip.run(m_run, m_skips++, unit.id, key, unit.operationName, skip.time, skip.worker,
                             codeOf(judged.verdict), judged.reason, saved);
        !ok) {
      return ok;
    }
  }
  return {};
}

Result<> UnitRowWriter::addDeadLetters(const Unit& unit) {
  for (std::size_t i = 0; i < unit.records.deadLetters.size() && i < unit.deadLetterVerdicts.size(); ++i) {
    const DeadLetter& letter = unit.records.deadLetters[i];
    const JudgedDeadLetter& judged = unit.deadLetterVerdicts[i];
    const std::string& key = letter.keyText.empty() ? letter.key : letter.keyText;
    if (auto ok = m_deadLetter.run(m_run, m_deadLetters++, unit.id, letter.queue, letter.messageId, key,
                                   unit.operationName, letter.error, letter.receiveCount, letter.enqueuedAt,
                                   letter.diedAt, judged.deadline, codeOf(judged.verdict), judged.reason);
        !ok) {
      return ok;
    }
  }
  return {};
}

bool isPlain(const Unit& unit) {
  return groupOf(unit.unitClass) == ClassGroup::Closed && !isNotable(unit);
}

}  // namespace counterfoil
