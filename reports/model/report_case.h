// SPDX-License-Identifier: GPL-3.0-or-later
// One case of a report, its time line, and the columns every list of cases has.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "core/store/store.h"
#include "reports/model/masking.h"
#include "reports/model/words.h"

namespace counterfoil {

/// Something that happened, on the time line of a case.
struct CaseEvent {
  std::optional<Instant> time;   ///< none: the record does not say; such events come first
  Lane lane = Lane::Attempt;
  std::string code, event;       ///< "succeeded", and its word
  std::string id;
  std::optional<Money> amount;
  std::string detail;            ///< queue, worker, error; masked
  std::string source, place;     ///< name of the source, "jobs.csv:17" where it is known
  std::string raw;               ///< the row as written; blank unless unmasked
};

struct ReportCase {
  std::string caseId;
  std::string version;           ///< changes with the evidence: a decision is about this version
  Class unitClass{};
  ClassGroup group{};
  std::string label;
  bool hasMoney = false;
  bool isNew = false;
  Severity severity = Severity::None;
  ReviewState state = ReviewState::Open;
  bool isClosed = false;         ///< closed without a review
  std::string key, opRef, operation, scope;
  std::vector<std::string> keys;
  std::optional<Money> amount;   ///< that was to be moved
  std::vector<Money> exposure;
  Why why{};
  std::vector<Hint> hints;
  std::vector<Flag> flags;
  std::string reason, advice;
  RunNumber firstRun = 0, lastRun = 0, run = 0;
  std::optional<Duration> age;
  std::optional<Instant> firstSeen, due;
  std::vector<std::string> attempts, effects, deadLetters;   ///< ids
  std::uint64_t attemptCount = 0, effectCount = 0, skipCount = 0, deadLetterCount = 0;
  std::vector<std::string> candidates;
  std::string customer;
  std::string assignee, note;
  bool detailed = false;         ///< events are filled
  std::vector<CaseEvent> events; ///< in order of time
  std::vector<DecisionRow> decisions;
};

/// The customers and destinations that a unit's records name.
[[nodiscard]] std::set<std::string> customersOf(const Records& records);

/// First 16 digits of the digest of the case's records.
[[nodiscard]] std::string caseVersionOf(const std::string& recordsDigest);

/// What a report knows around its units.
struct CaseContext {
  const Words& words;
  const Masker& masker;
  const std::vector<std::string>& sourceNames;
  std::vector<DecisionRow> decisions;
  bool detailed = false;
};
[[nodiscard]] ReportCase reportCaseOf(const StoredUnit& stored, CaseContext context);
/// The time line of a unit's records, its judgement and decisions.
[[nodiscard]] std::vector<CaseEvent> caseEventsOf(const StoredUnit& stored, const CaseContext& context);
/// The reason in the language of `words`: English as the run wrote it, Russian from the unit's facts.
[[nodiscard]] std::string reasonOf(const Unit& unit, Instant asOf, const Words& words);

/// A cell of a table: nothing, a text, a whole number, money, or a time.
using CellValue = std::variant<std::monostate, std::string, std::int64_t, Money, Instant>;

enum class CellKind : std::uint8_t { Id, Text, Number, Amount, Code, ToFill };

/// A column of the list of cases. The same in CSV, JSON, XLSX and HTML.
struct CaseColumn {
  std::string_view code;     ///< "case", "class", … stable
  Word title;
  CellKind kind;
  /// Codes for programs, or words for people.
  CellValue (*cell)(const ReportCase& line, const Words& words, bool forPeople);
};
[[nodiscard]] std::span<const CaseColumn> caseColumns();

}  // namespace counterfoil
