// SPDX-License-Identifier: GPL-3.0-or-later
// Inside of the store, shared by its parts.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <utility>

#include "core/base/hash.h"
#include "core/store/lock.h"
#include "core/store/record_block.h"
#include "core/store/sqlite.h"
#include "core/store/store.h"

namespace counterfoil {

struct Store::Impl {
  StoreLock lock;              ///< let go after the database is closed
  mutable Database database;   ///< reading prepares statements, which changes nothing in the file
  std::string path;
  std::string note;
  KeyedHash hash;
  bool writable = false;
  /// Blocks that look-ups opened last, by segment and number: one key is asked for in several ways.
  mutable std::deque<std::pair<std::pair<std::int64_t, std::int64_t>, std::shared_ptr<const RecordBlock>>> opened;

  /// The folder for temporary files; blank for ":memory:".
  [[nodiscard]] std::string folder() const;
};

/// Store::findRecords(), also inside a transaction.
[[nodiscard]] Result<std::vector<FoundRecord>> findRecords(const Store::Impl& store, const std::string& text);

/// Steps through all rows of a statement; fn returns Result<bool>: false stops.
template <class Fn>
Result<> forEachRow(Statement& statement, Fn&& fn) {
  for (;;) {
    const auto row = statement.step();
    if (!row) return fail(row.error());
    if (!*row) return {};
    const Result<bool> goOn = fn(statement);
    if (!goOn) return fail(goOn.error());
    if (*goOn) continue;
    statement.reset();
    return {};
  }
}

/// "a skip": the skip in the store is damaged.
[[nodiscard]] tl::unexpected<Error> brokenStore(std::string_view what);

/// The enumerator below `count` whose code this is.
template <class Enum>
[[nodiscard]] std::optional<Enum> enumFromCode(std::string_view code, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    if (codeOf(static_cast<Enum>(i)) == code) return static_cast<Enum>(i);
  }
  return {};
}

inline constexpr std::size_t kSeverityCount = static_cast<std::size_t>(Severity::Critical) + 1;
inline constexpr std::size_t kSkipVerdictCount = static_cast<std::size_t>(SkipVerdict::Unverifiable) + 1;
inline constexpr std::size_t kRedriveVerdictCount = static_cast<std::size_t>(RedriveVerdict::Safe) + 1;
inline constexpr std::size_t kWhyCount = static_cast<std::size_t>(Why::Dispute) + 1;
inline constexpr std::size_t kHintCount = static_cast<std::size_t>(Hint::SeveralAccounts) + 1;
inline constexpr std::size_t kFlagCount = static_cast<std::size_t>(Flag::WeakEvidence) + 1;

// run_rows.cpp: the relational rows of a run.
[[nodiscard]] Result<> insertRun(Database& database, const StoredRun& run, const NightFacts& facts);
[[nodiscard]] Result<StoredRun> loadRun(Database& database, RunNumber number);

// unit_rows.cpp: units, skips, dead letters, cases of a run.
class UnitRowWriter {
 public:
  static Result<UnitRowWriter> begin(Database& database, RunNumber run);
  /// `decided`: the class that stands for the unit's in this run; none where nobody decided.
  Result<> add(const Unit& unit, std::optional<Class> decided, bool isNew, const std::vector<RawText>& raw);
  /// The night before judged the unit just so (its row is of run `from`, which said `reason`): that row goes on. False:
  /// it did not.
  Result<bool> extend(const Unit& unit, std::optional<Class> decided, RunNumber from, const std::string& reason);
 private:
  Result<> addSkips(const Unit& unit);
  Result<> addDeadLetters(const Unit& unit);
  RunNumber m_run = 0;
  std::int64_t m_units = 0, m_skips = 0, m_deadLetters = 0;
  Database* m_database = nullptr;
  Statement m_unit, m_extend, m_skip, m_deadLetter;
};
/// The column `raw` of units.
[[nodiscard]] std::optional<std::vector<RawText>> unpackRaw(std::string_view bytes);
/// The columns of readUnit(), from "units u JOIN runs r JOIN cases c JOIN classes k".
extern const char* const kUnitColumns;
inline constexpr int kUnitColumnCount = 40;
[[nodiscard]] Result<StoredUnit> readUnit(const Statement& row, bool withRaw);

// cases.cpp: identity and state of cases over runs.
struct StandingCase {
  CaseId id;
  RunNumber unitRun = 0;
  Instant unitAsOf{};   ///< of that run
  Class unitClass{};
  Severity severity{};
  ReviewState state{};
  std::string recordsDigest;
  bool overdue = false;
  bool ignored = false;   ///< hidden by a rule
};
class CaseBook {
 public:
  static Result<CaseBook> load(Database& database, RunNumber run, Instant asOf);
  /// Cases all of whose records tonight is judged with: what it says of them holds, and those it does not list are in
  /// order.
  void setCarried(const std::set<CaseId>& cases) { m_carried = cases; }
  /// The run whose row says of the standing case what `unit` says, if nothing has changed about its records.
  struct Since {
    RunNumber run = 0;
    Instant asOf{};
  };
  [[nodiscard]] std::optional<Since> unchangedSince(const Unit& unit) const;
  struct Decision {
    std::optional<Class> decided;   ///< what a person's decision makes of the unit; none where there is none
    bool mayBeHidden = false;       ///< nobody decided, nobody works on it
  };
  /// A decision holds as long as the records are those that were decided on.
  Result<Decision> decisionOn(const Unit& unit);
  /// The rule that hides the case from tonight on; 0: none.
  Result<> hide(const CaseId& id, std::int64_t rule);
  /// Tonight's judgement is the last night's, word for word.
  Result<> again(const CaseId& id);
  /// Is this unit a break that was none before, or one of a higher severity?
  [[nodiscard]] bool isNewOrWorse(const Unit& unit) const;
  /// Is this unit open and overdue, and was not so before?
  [[nodiscard]] bool isNewlyOverdue(const Unit& unit) const;
  /// Ends a case whose records are another's now; true if a decision was made about it.
  Result<bool> takeIn(Database& database, const CaseId& id);
  /// A decision about the case was made before it took others in: it is to be looked at again.
  Result<> reopen(Database& database, const CaseId& id);
  /// Records that tonight's unit is the case's newest.
  Result<> update(Database& database, const Unit& unit);
  /// Has tonight's unit every record that the case rests on, as it stands? True of a case that does not stand.
  Result<bool> hasEvidenceOf(const CaseId& id, const Unit& unit);
  /// Cases that stood open, were not judged tonight as such, and whose records all came tonight: cleared. One
  /// of which a record is missing stands on: less was seen than when it was raised.
  Result<> clearThoseSeen(const Store::Impl& store, std::int64_t recordSegment, std::int64_t historySegment);
 private:
  Result<Records> recordsOf(const StandingCase& standing);
  Result<std::vector<CaseId>> casesSeen(const Store::Impl& store, std::int64_t recordSegment, std::int64_t historySegment);
  RunNumber m_run = 0;
  Instant m_asOf{};
  bool m_isLatest = true;
  std::map<CaseId, StandingCase> m_cases;
  std::set<CaseId> m_tonight, m_carried;
  Statement m_insert, m_update, m_touch, m_records, m_again, m_hide;
};
/// Digest of the records a unit rests on, independent of their order and of where they were read.
[[nodiscard]] std::string recordsDigestOf(const Unit& unit);

}  // namespace counterfoil
