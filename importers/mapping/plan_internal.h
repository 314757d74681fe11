// SPDX-License-Identifier: GPL-3.0-or-later
// The compiled form of a mapping and the working memory of a thread. Internal to importers/mapping:
// plan.cpp compiles, plan_evaluate.cpp gets texts, plan_values.cpp types them, plan_row.cpp applies
// the rules of a row, plan_output.cpp makes slim and full records of the result.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/text.h"
#include "core/ledger/slim.h"
#include "importers/mapping/check_tally.h"
#include "importers/mapping/decode_chain.h"
#include "importers/mapping/mapping_model.h"
#include "importers/mapping/operation_matcher.h"
#include "importers/mapping/plan.h"
#include "importers/mapping/task_rules.h"

namespace counterfoil {

inline constexpr std::uint32_t kNone = 0xFFFFFFFFu;

struct CompiledExpr;

struct CompiledCondition {
  std::shared_ptr<const CompiledExpr> value;
  std::vector<std::string> words;
  std::vector<std::shared_ptr<const Pattern>> patterns;
  bool blank = false;
  bool negated = false;
};

/// A piece of a template: a literal, and a column or a value behind it (neither at the end).
struct CompiledPart {
  std::string literal;
  std::uint32_t column = kNone;
  std::shared_ptr<const CompiledExpr> value;
};

struct CompiledLeaf {
  Leaf::Base base = Leaf::Base::Column;
  bool simple = false;  ///< a column as it stands: nothing to decode, find or ask
  bool blankOnError = false;
  std::uint32_t column = kNone;  ///< index into Plan::columns
  std::string text;              ///< of Value and Document
  std::string label;             ///< for messages and facts: column or template
  std::vector<CompiledPart> parts;
  std::vector<std::pair<std::uint32_t, bool>> sum;           ///< columns there are; true: taken off
  std::vector<std::shared_ptr<const CompiledExpr>> joined;
  std::vector<DecodeStep> decode;
  std::uint32_t shared = kNone;   ///< index into PlanScratch::decodings of its first steps
  std::size_t sharedSteps = 0;
  std::shared_ptr<const Pattern> find;
  std::vector<CompiledCondition> when;
  std::shared_ptr<const WordMap> words;

  AmountUnit unit = AmountUnit::Major;
  NegativeRule negative = NegativeRule::Quarantine;
  int feeSign = 0;
  std::vector<std::pair<Currency, int>> decimals;
  DecimalSign decimal = DecimalSign::Point;
  TimeForm form;
  bool isAutomatic = false;  ///< no form given
  std::optional<TimeForm> sheetForm;  ///< of date cells, where the file is a workbook and a form is given
  std::optional<DateOrder> order;
  std::shared_ptr<const CompiledExpr> zoneOfRow;
  std::shared_ptr<const CompiledExpr> plusMs;
  std::uint32_t evidence = kNone;  ///< index into OpenEvidence::columns, where the column is open
};

struct CompiledExpr {
  std::vector<CompiledLeaf> leaves;
  bool digest = false;
  bool canFail = false;  ///< something in it can make a row unreadable
};

struct FieldOp {
  Field field = Field::Key;
  FieldMeaning meaning = FieldMeaning::Text;
  std::uint32_t cache = kNone;  ///< index into PlanScratch::caches
  std::shared_ptr<const CompiledExpr> value;
  /// The only leaf where the field is one column as it stands, else null: the hot path.
  const CompiledLeaf* plain = nullptr;
  /// By rule of "tasks": the operation in place of this one, null where the rule has none. Empty if
  /// no rule has.
  std::vector<std::shared_ptr<const FieldOp>> byTask;

  /// Whether something in it, or in one that stands in for it, can make a row unreadable.
  [[nodiscard]] bool canFail() const {
    return value->canFail || std::any_of(byTask.begin(), byTask.end(), [](const auto& op) {
             return op != nullptr && op->canFail();
           });
  }
};

struct CompiledTerm {
  std::shared_ptr<const CompiledExpr> value;
  TermSign sign = TermSign::AsWritten;
  DecimalSign decimal = DecimalSign::Point;
  bool isOutside = false;   ///< the same for all rows: it stands outside of them, or is fixed
};

struct CompiledCheck {
  CheckSpec::Kind kind = CheckSpec::Kind::Row;
  std::string name;
  std::vector<CompiledTerm> sum, is;
  std::shared_ptr<const CompiledExpr> per, from, to;
  std::string finding;      ///< "" for the kind's own
  std::optional<CompiledTerm> balance, opening, closing;
  std::vector<CompiledCondition> when, whenHas;
  Nano tolerance = 0;
  std::string missing;      ///< the column for want of which it cannot be tried
  bool isStated = false;    ///< what it should come to is told by the document, not by its rows
};

/// What evaluating an expression gave. `leaf` null: blank in all alternatives.
struct Picked {
  FieldType type = FieldType::Absent;
  std::string_view text;
  const CompiledLeaf* leaf = nullptr;
  bool sawColumn = false;  ///< some alternative's column was there, though blank
};

/// Remembers what a few short texts meant. Direct-mapped; a miss only costs looking the word up.
class WordCache {
 public:
  static constexpr std::uint16_t kUnknown = 0xFFFF;
  static constexpr std::size_t kMaxText = 27;
  struct Entry {
    std::uint8_t length = 0xFF;
    std::uint8_t leaf = 0;
    std::uint16_t value = 0;
    std::array<char, kMaxText> text{};
  };
  /// The entry if it is about this text, else nullptr.
  [[nodiscard]] const Entry* find(std::string_view text, std::size_t leaf) const;
  void put(std::string_view text, std::size_t leaf, std::uint16_t value);

 private:
  [[nodiscard]] static std::size_t slotOf(std::string_view text, std::size_t leaf);
  std::array<Entry, 16> m_entries;
};

/// The day that times were last read of: "2026-04-07T" and its midnight in UTC.
struct DayCache {
  std::array<char, 11> date{};
  Instant midnight{};
};

struct TimeValue {
  bool present = false;
  ParsedTime time;
};

/// The fields of a row, typed. Slots are only written by the plan's operations; those of fields
/// that the mapping does not fill stay as constructed.
struct TypedRow {
  std::array<std::string_view, kFieldCount> text{};
  std::array<TimeValue, kFieldCount> time{};
  std::array<std::optional<std::int64_t>, kFieldCount> integer{};
  std::string_view key;  ///< normal form; blank if it is none
  std::string_view keyText;
  bool keyDamaged = false;
  Currency currency;
  Currency feeCurrency;
  bool hasAmount = false;
  bool amountNegative = false;
  NegativeRule negativeRule = NegativeRule::Quarantine;
  std::int64_t amount = 0;
  int feeSign = 0;  ///< of the leaf the amount is of: the fee is still to be added or taken off
  bool hasFee = false;
  bool feeNegative = false;
  std::int64_t fee = 0;
  std::int32_t feeMicro = 0;  ///< without sign, as `fee`
  NegativeRule feeRule = NegativeRule::Drop;
  Live live = Live::Unstated;
  std::optional<Duration> oldest;
  std::optional<Instant> oldestAt;  ///< the oldest entry's time, where that is given
  std::optional<bool> flag;
  std::optional<std::int64_t> depth;      ///< of a queue, as told or added up
  EffectKind effectKind = EffectKind::Forward;
  std::uint8_t status = 0;
  SkipReason reason = SkipReason::Unspecified;
  OperationId operation;
  RecordKind kind = RecordKind::Attempt;  ///< a skip for attempts rows that say so
  Instant start{};                        ///< attempt: start, else end
  Instant at{};                           ///< attempt: end, else start; others: their time
  bool ambiguousTime = false;
};

/// A column of the row at hand as some of the leaves' decoders left it.
struct SharedDecoding {
  std::uint64_t row = 0;   ///< number of the row that it is of
  Decoding value;
  StepsDone done;
};

struct PlanScratch final : RowScratch {
  TypedRow row;
  RowFault lastFault;
  OpenEvidence open;
  std::optional<Money> asWritten;
  std::string_view excludedAs;   ///< of the last row that was
  std::vector<WordCache> caches;
  std::uint64_t rowNumber = 0;   ///< counts the rows that were read
  std::vector<SharedDecoding> decodings;

  std::deque<std::string> arena;  ///< texts made while a row is read; reused row by row
  std::size_t arenaUsed = 0;
  std::string keyBuffer;
  DayCache day;

  std::uint32_t taskRule = TaskMatcher::kNoRule;   ///< of the row
  struct TaskSeen {
    std::string task;
    std::optional<std::uint32_t> rule;
  };
  std::array<TaskSeen, 64> tasksSeen;   ///< a miss only costs looking it up

  std::vector<std::string_view> matchValues;
  std::string matchKey, lastMatchKey;
  OperationId lastMatch;
  std::vector<std::pair<std::string, OperationId>> matchCache;
  std::vector<std::pair<std::string, Zone>> zones;
  AnyRecord record;   ///< of a row without a key, for its content

  std::string& freshText();
};

/// Which rows of a task are left out.
struct TaskExclusion {
  bool all = false;
  std::vector<CompiledCondition> conditions;   ///< or those for which one holds
};

class PlanImpl final : public Plan {
 public:
  [[nodiscard]] RecordKind record() const override { return m_kind; }
  [[nodiscard]] const std::vector<std::string>& columns() const override { return m_columns; }
  [[nodiscard]] const std::vector<std::string>& documentPointers() const override {
    return m_pointers;
  }
  [[nodiscard]] std::unique_ptr<RowScratch> makeScratch() const override;
  [[nodiscard]] RowFate slim(const RowView& row, std::uint32_t element, const KeyedHash& hash,
                             RowScratch& scratch, SlimRecord& out) const override;
  [[nodiscard]] RowFate full(const RowView& row, std::uint32_t element, RowScratch& scratch,
                             AnyRecord& out) const override;
  void fullOfLast(const RowView& row, std::uint32_t element, RowScratch& scratch, AnyRecord& out) const override;
  [[nodiscard]] const RowFault& fault(const RowScratch& scratch) const override;
  [[nodiscard]] const OpenEvidence& evidence(const RowScratch& scratch) const override;
  [[nodiscard]] std::optional<Money> amountAsWritten(const RowScratch& scratch) const override;
  [[nodiscard]] bool hasChecks() const override { return !m_checks.empty(); }
  [[nodiscard]] const std::vector<std::uint32_t>& openCheckColumns() const override { return m_openCheckColumns; }
  [[nodiscard]] CheckTally makeTally() const override;
  void check(const RowView& row, std::uint64_t line, RowScratch& scratch, CheckTally& tally) const override;
  void checkResults(const CheckTally& tally, std::vector<StatementCheck>& checks,
                    std::vector<StatementBalance>& balances) const override;
  [[nodiscard]] std::string_view excludedAs(const RowScratch& scratch) const override;

 private:
  friend class PlanCompiler;
  friend class CheckReader;

  // plan_evaluate.cpp
  bool pick(const CompiledExpr& expr, const RowView& row, PlanScratch& scratch, bool applyWords,
            Picked& out) const;
  bool pickLeaf(const CompiledLeaf& leaf, const RowView& row, PlanScratch& scratch,
                Picked& out) const;
  bool baseText(const CompiledLeaf& leaf, const RowView& row, PlanScratch& scratch,
                Picked& out) const;
  bool templateText(const CompiledLeaf& leaf, const RowView& row, PlanScratch& scratch,
                    Picked& out) const;
  bool joinText(const CompiledLeaf& leaf, const RowView& row, PlanScratch& scratch,
                Picked& out) const;
  bool decode(const CompiledLeaf& leaf, PlanScratch& scratch, Picked& out) const;
  const SharedDecoding& decodedOnce(const CompiledLeaf& leaf, PlanScratch& scratch,
                                    const Picked& base) const;
  bool holds(const CompiledCondition& condition, const RowView& row, PlanScratch& scratch,
             bool& answer) const;
  bool digestText(const CompiledExpr& expr, const RowView& row, PlanScratch& scratch,
                  Picked& out) const;

  // plan_values.cpp
  bool run(const FieldOp& op, const RowView& row, PlanScratch& scratch) const;
  bool take(const FieldOp& op, const RowView& row, const Picked& picked,
            PlanScratch& scratch) const;
  bool runKey(const FieldOp& op, const Picked& picked, PlanScratch& scratch) const;
  bool runCurrency(const FieldOp& op, const Picked& picked, PlanScratch& scratch,
                   Currency& out) const;
  bool runAmount(const FieldOp& op, const Picked& picked, const RowView& row,
                 PlanScratch& scratch) const;
  bool readAmount(const Picked& picked, bool isFee, PlanScratch& scratch, Currency& currency,
                  ParsedAmount& out) const;
  bool addUp(const Picked& picked, bool isFee, const RowView& row, PlanScratch& scratch,
             Currency& currency, ParsedAmount& out) const;
  bool runWord(const FieldOp& op, const Picked& picked, PlanScratch& scratch) const;
  bool runInteger(const FieldOp& op, const Picked& picked, PlanScratch& scratch) const;
  bool runFlag(const FieldOp& op, const Picked& picked, PlanScratch& scratch) const;
  bool runAge(const FieldOp& op, const Picked& picked, PlanScratch& scratch) const;
  bool runTime(const FieldOp& op, const RowView& row, const Picked& picked,
               PlanScratch& scratch) const;
  std::uint16_t wordValue(const FieldOp& op, const Picked& picked, PlanScratch& scratch) const;
  const Zone* zoneOf(const CompiledLeaf& leaf, const RowView& row, PlanScratch& scratch,
                     bool& failed) const;
  bool addMilliseconds(const CompiledLeaf& leaf, const RowView& row, PlanScratch& scratch,
                       ParsedTime& time) const;

  // plan_row.cpp
  bool holdsOne(const std::vector<CompiledCondition>& conditions, const RowView& row, PlanScratch& scratch,
                bool& fits) const;
  RowFate read(const RowView& row, PlanScratch& scratch) const;
  bool isNoRecord(const RowView& row) const;
  bool findTask(const RowView& row, PlanScratch& scratch) const;
  static const FieldOp& ofTask(const FieldOp& op, const PlanScratch& scratch);
  std::optional<RowFate> fateOfLine(const RowView& row, PlanScratch& scratch) const;
  bool isRepeatedHeader(const RowView& row) const;
  bool isFooterLine(const RowView& row, const PlanScratch& scratch) const;
  bool matchOperation(const RowView& row, PlanScratch& scratch) const;
  void noteAmount(const RowView& row, PlanScratch& scratch) const;
  void noteEvidence(const RowView& row, PlanScratch& scratch, const FieldOp* failed) const;
  static bool isOpen(const FieldOp& op);
  RowFate excluded(const RowView& row, PlanScratch& scratch, std::string_view as) const;
  bool applyRules(PlanScratch& scratch) const;
  bool applyAttemptRules(PlanScratch& scratch) const;
  bool applyEffectRules(PlanScratch& scratch) const;
  bool makeGross(PlanScratch& scratch) const;
  bool applyOtherRules(PlanScratch& scratch) const;
  bool addDepth(PlanScratch& scratch) const;
  bool missing(PlanScratch& scratch, Field field, std::string_view what) const;

  // plan_output.cpp
  void fillLinks(const KeyedHash& hash, const PlanScratch& scratch, SlimRecord& out) const;
  void makeRecord(const TypedRow& row, const Place& place, AnyRecord& out) const;
  [[nodiscard]] Place placeOf(const RowView& row, std::uint32_t element) const;

  RecordKind m_kind = RecordKind::Attempt;
  SourceId m_source;
  SourceId m_jobSpace;   ///< within which ids of jobs mean something
  FileId m_file;
  std::uint32_t m_mappingNumber = 0;
  const OperationMatcher* m_operations = nullptr;
  std::optional<OperationId> m_onlyOperation;  ///< no field of the row decides
  std::vector<std::string> m_columns;
  std::vector<std::string> m_pointers;
  bool m_hasHeader = false;
  std::optional<Pattern> m_footer;
  std::string m_footerText;
  std::vector<CompiledCondition> m_exclude;
  std::shared_ptr<const CompiledExpr> m_taskOf;   ///< null without "tasks"
  TaskMatcher m_tasks;
  std::vector<TaskExclusion> m_taskExclusions;    ///< by rule
  std::uint32_t m_cacheCount = 0;
  std::vector<CompiledCondition> m_rowLines;   ///< any of them, or the reader's pattern, makes a line a row
  std::uint32_t m_lineFits = kNone, m_lineFault = kNone;   ///< columns of the reader of logs
  std::uint32_t m_decodingCount = 0;
  std::vector<FieldOp> m_matchOps;           ///< texts that say which operation; with kind: first
  std::vector<std::uint32_t> m_matchFields;  ///< per field of the matcher: Field, or kNone
  std::optional<FieldOp> m_kindOp;
  std::vector<FieldOp> m_ops;        ///< what both passes need, in order of Field
  std::vector<FieldOp> m_extraOps;   ///< texts that only full records need; they cannot fail
  std::vector<FieldOp> m_amountOps;  ///< currency and amount, for excluded rows
  OpenEvidence m_open;
  std::vector<CompiledCheck> m_checks;
  std::vector<std::uint32_t> m_openCheckColumns;
};

/// isNoValue() for the hot path: all its words begin with n, u or #.
inline bool isNoWord(std::string_view text) {
  constexpr std::size_t kLongest = 9;  // "undefined"
  if (text.empty() || text.size() > kLongest) return text.empty();
  const char first = static_cast<char>(text.front() | 0x20);
  return (first == 'n' || first == 'u' || text.front() == '#') && isNoValue(text);
}

/// What exports write for NULL where a number or a time is expected. A spreadsheet's error is none: such an
/// amount is not blank but lost.
inline bool isNullWord(std::string_view text) {
  if (!text.empty() && text.front() == '#') return false;
  return isNoWord(text) || text == "\\N" || text == "-";
}

/// trim() for the hot path: most texts have nothing to trim.
inline std::string_view trimmed(std::string_view text) {
  const auto isInk = [](char c) { return static_cast<unsigned char>(c) > 0x20; };
  if (text.empty() || (isInk(text.front()) && isInk(text.back()))) return text;
  return trim(text);
}

/// Sets the last fault; returns false so that a caller can `return faultAt(…)`.
bool faultAt(PlanScratch& scratch, std::string_view column, std::string_view value,
             std::string_view rule, std::string reason);

}  // namespace counterfoil
