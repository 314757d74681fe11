// SPDX-License-Identifier: GPL-3.0-or-later
// The rules of a row: what is no record, what is excluded, what is mandatory. Both passes go
// through read(), so a row has the same fate and the same fault in both.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "core/base/text.h"
#include "importers/mapping/log_lines.h"
#include "importers/mapping/plan_internal.h"

namespace counterfoil {

namespace {

constexpr std::size_t kMatchCacheSize = 256;

std::size_t indexOf(Field field) {
  return static_cast<std::size_t>(field);
}

/// Words that lines of sums and counts begin with, in the languages of statements we know.
constexpr std::array<std::string_view, 18> kTotalWords = {
    "total", "totals", "grand total", "subtotal", "sub-total", "sub total",
    "sum",   "summe",  "gesamt",      "totale",   "totaux",    "suma",
    "итого", "всего",  "number of",   "count:",   "rows:",     "records:"};

bool beginsWithTotalWord(std::string_view text) {
  while (!text.empty() && std::string_view(" \t\"'").find(text.front()) != std::string_view::npos)
    text.remove_prefix(1);
  const std::string start = toLowerAscii(text.substr(0, 24));
  return std::any_of(kTotalWords.begin(), kTotalWords.end(), [&](std::string_view word) {
    if (start.compare(0, word.size(), word) != 0) return false;
    const char next = start.size() > word.size() ? start[word.size()] : ' ';
    return !((next >= 'a' && next <= 'z') || (next >= '0' && next <= '9') || next == '_' ||
             next == '-');
  });
}

/// "(5 rows)", as psql ends its unaligned output, in whatever language.
bool isRowCount(std::string_view raw) {
  if (raw.empty() || raw.front() != '(') return false;
  raw = trim(raw);
  if (raw.size() < 5 || raw.size() > 64 || raw.back() != ')') return false;
  const std::size_t digits = raw.find_first_not_of("0123456789", 1);
  return digits > 1 && raw[digits] == ' ' && raw.find_first_of(",;|\t(\"", 1) == std::string_view::npos &&
         raw.find_first_of("0123456789", digits) == std::string_view::npos;
}

bool onlySeparators(std::string_view raw) {
  return raw.find_first_not_of(" \t\r\n,;|\"'\0") == std::string_view::npos;
}

/// Whether a column holds something that is not the name of a total.
bool holdsOther(const RowView& row, std::uint32_t column) {
  return column != kNone && !trim(row.fields[column].text).empty() &&
         !beginsWithTotalWord(row.fields[column].text);
}

/// Fields of which an attempts-like row needs one: what a record can be found by.
constexpr std::array<Field, 4> kLinkFields = {Field::JobId, Field::MessageId, Field::OpRef,
                                              Field::EffectId};

}  // namespace

/// Whether one of the conditions holds; false: a value of one cannot be read.
bool PlanImpl::holdsOne(const std::vector<CompiledCondition>& conditions, const RowView& row, PlanScratch& scratch,
                        bool& fits) const {
  fits = false;
  for (const CompiledCondition& condition : conditions) {
    if (!holds(condition, row, scratch, fits)) return false;
    if (fits) return true;
  }
  return true;
}

RowFate PlanImpl::read(const RowView& row, PlanScratch& scratch) const {
  scratch.arenaUsed = 0;
  ++scratch.rowNumber;
  scratch.asWritten.reset();
  scratch.row.currency = Currency();
  scratch.row.feeCurrency = Currency();
  if (row.fields.size() < m_columns.size()) {
    faultAt(scratch, {}, {}, "short_row", "the row has fewer fields than were asked for");
    return RowFate::Quarantined;
  }
  if (isNoRecord(row)) return RowFate::NoRecord;
  if (m_lineFault != kNone) {
    if (const auto fate = fateOfLine(row, scratch)) return *fate;
  }
  const bool hasTask = findTask(row, scratch);   // first: what excluded rows tell depends on it
  bool isLeftOut = false;
  if (!holdsOne(m_exclude, row, scratch, isLeftOut)) return RowFate::Quarantined;
  if (isLeftOut) return excluded(row, scratch, "filtered");
  if (!hasTask) {
    (void)findTask(row, scratch);   // for its fault, which conditions may have written over
    return RowFate::Quarantined;
  }
  if (scratch.taskRule != TaskMatcher::kNoRule) {
    const TaskExclusion& exclusion = m_taskExclusions[scratch.taskRule];
    isLeftOut = exclusion.all;
    if (!isLeftOut && !holdsOne(exclusion.conditions, row, scratch, isLeftOut)) return RowFate::Quarantined;
    if (isLeftOut) return excluded(row, scratch, "filtered");
  }
  TypedRow& typed = scratch.row;
  typed.kind = m_kind;
  typed.effectKind = EffectKind::Forward;
  typed.ambiguousTime = false;
  if (m_kindOp) {
    if (!run(*m_kindOp, row, scratch)) {
      return isFooterLine(row, scratch) ? RowFate::NoRecord : RowFate::Quarantined;
    }
    if (typed.effectKind == EffectKind::Fee) return excluded(row, scratch, "fee");
    if (typed.effectKind == EffectKind::Other) return excluded(row, scratch, "other");
  }
  if (!matchOperation(row, scratch)) return RowFate::Quarantined;
  if (m_operations != nullptr && m_kind == RecordKind::Attempt && typed.operation.isNone()) {
    return excluded(row, scratch, "filtered");
  }
  for (const FieldOp& op : m_ops) {
    if (run(op, row, scratch)) continue;
    noteEvidence(row, scratch, &op);
    return isFooterLine(row, scratch) ? RowFate::NoRecord : RowFate::Quarantined;
  }
  if (applyRules(scratch)) return RowFate::Recorded;
  return isFooterLine(row, scratch) ? RowFate::NoRecord : RowFate::Quarantined;
}

/// Looks up which rule of "tasks" the row falls under.
bool PlanImpl::findTask(const RowView& row, PlanScratch& scratch) const {
  scratch.taskRule = TaskMatcher::kNoRule;
  if (m_taskOf == nullptr) return true;
  Picked task;
  if (!pick(*m_taskOf, row, scratch, true, task)) return false;
  auto& seen = scratch.tasksSeen[std::hash<std::string_view>{}(task.text) % scratch.tasksSeen.size()];
  if (!seen.rule || seen.task != task.text) {
    seen.rule = m_tasks.match(task.text);
    seen.task.assign(task.text);
  }
  scratch.taskRule = *seen.rule;
  return true;
}

const FieldOp& PlanImpl::ofTask(const FieldOp& op, const PlanScratch& scratch) {
  if (scratch.taskRule >= op.byTask.size()) return op;
  const FieldOp* const own = op.byTask[scratch.taskRule].get();
  return own != nullptr ? *own : op;
}

/// Of a line of a log, which the reader may have left to the mapping; nothing if it is a row that can be read.
std::optional<RowFate> PlanImpl::fateOfLine(const RowView& row, PlanScratch& scratch) const {
  bool isRow = m_rowLines.empty() || !row.fields[m_lineFits].isBlank();
  for (std::size_t i = 0; !isRow && i < m_rowLines.size(); ++i) {
    if (!holds(m_rowLines[i], row, scratch, isRow)) return RowFate::Quarantined;
  }
  if (!isRow) return RowFate::Unmatched;
  const std::string_view rule = row.fields[m_lineFault].text;
  if (rule.empty()) return std::nullopt;
  faultAt(scratch, {}, {}, rule, std::string(reasonOfLineFault(rule)));
  return RowFate::Quarantined;
}

RowFate PlanImpl::excluded(const RowView& row, PlanScratch& scratch, std::string_view as) const {
  scratch.excludedAs = as;
  noteEvidence(row, scratch, nullptr);
  scratch.asWritten.reset();
  noteAmount(row, scratch);
  return RowFate::Excluded;
}

/// What the row tells of open columns that were not come to: a file's decimal sign and order of dates are
/// found over all its rows, those that cannot be read yet and those that are left out among them.
/// `failed`: the operation that was stopped at.
void PlanImpl::noteEvidence(const RowView& row, PlanScratch& scratch, const FieldOp* failed) const {
  if (m_open.columns.empty()) return;
  const RowFault fault = scratch.lastFault;
  bool isBehind = failed == nullptr;
  for (const FieldOp& op : m_ops) {
    if (isBehind && isOpen(op)) run(op, row, scratch);
    isBehind = isBehind || &op == failed;
  }
  scratch.lastFault = fault;
}

bool PlanImpl::isOpen(const FieldOp& op) {
  return std::any_of(op.value->leaves.begin(), op.value->leaves.end(),
                     [](const CompiledLeaf& leaf) { return leaf.evidence != kNone; }) ||
         std::any_of(op.byTask.begin(), op.byTask.end(),
                     [](const auto& own) { return own != nullptr && isOpen(*own); });
}

/// Excluded rows count in declared totals: their amount is read, and blank if it cannot be.
void PlanImpl::noteAmount(const RowView& row, PlanScratch& scratch) const {
  for (const FieldOp& op : m_amountOps) {
    if (!run(op, row, scratch)) return;
  }
}

bool PlanImpl::isNoRecord(const RowView& row) const {
  if (m_hasHeader && isRepeatedHeader(row)) return true;
  if (row.raw.empty()) return false;
  if (m_hasHeader && isRowCount(row.raw)) return true;
  if (!m_footerText.empty() && trim(row.raw) == m_footerText) return true;
  return m_footer && m_footer->matches(row.raw);
}

bool PlanImpl::isRepeatedHeader(const RowView& row) const {
  for (std::size_t i = 0; i < m_columns.size(); ++i) {
    const FieldView& field = row.fields[i];
    if (field.text.size() < m_columns[i].size() || trim(field.text) != m_columns[i]) return false;
  }
  return !m_columns.empty();
}

/// Asked only of rows that are no records anyway: a line of blanks, or of a total and without a
/// time.
bool PlanImpl::isFooterLine(const RowView& row, const PlanScratch& scratch) const {
  const bool allBlank =
      std::all_of(row.fields.begin(), row.fields.end(),
                  [](const FieldView& field) { return trim(field.text).empty(); });
  if (allBlank && (m_hasHeader || row.raw.empty())) return onlySeparators(row.raw);
  if (!m_hasHeader || scratch.lastFault.rule == "short_row") return false;
  const bool saysTotal =
      std::any_of(row.fields.begin(), row.fields.end(),
                  [](const FieldView& field) { return beginsWithTotalWord(field.text); });
  if (!saysTotal && !beginsWithTotalWord(row.raw)) return false;
  for (const FieldOp& op : m_ops) {
    if (op.meaning != FieldMeaning::Time) continue;
    for (const CompiledLeaf& leaf : ofTask(op, scratch).value->leaves) {
      if (holdsOther(row, leaf.column)) return false;
      for (const CompiledPart& part : leaf.parts) {
        if (holdsOther(row, part.column)) return false;
      }
    }
  }
  return true;
}

bool PlanImpl::matchOperation(const RowView& row, PlanScratch& scratch) const {
  for (const FieldOp& op : m_matchOps) {
    if (!run(op, row, scratch)) return false;
  }
  if (m_operations == nullptr) return true;
  if (m_onlyOperation) {
    scratch.row.operation = *m_onlyOperation;
    return true;
  }
  std::string& key = scratch.matchKey;
  key.clear();
  for (std::size_t i = 0; i < m_matchFields.size(); ++i) {
    if (m_matchFields[i] == kNone) continue;  // stays blank
    const bool isKey = m_matchFields[i] == indexOf(Field::Key);
    const std::string_view value = isKey ? scratch.row.key : scratch.row.text[m_matchFields[i]];
    scratch.matchValues[i] = value;
    key.append(value);
    key += '\0';
  }
  if (key == scratch.lastMatchKey) {
    scratch.row.operation = scratch.lastMatch;
    return true;
  }
  auto& slot = scratch.matchCache[std::hash<std::string_view>{}(key) % kMatchCacheSize];
  if (slot.first != key) slot = {key, m_operations->match(scratch.matchValues)};
  scratch.lastMatchKey = key;
  scratch.lastMatch = slot.second;
  scratch.row.operation = slot.second;
  return true;
}

bool PlanImpl::missing(PlanScratch& scratch, Field field, std::string_view what) const {
  std::string column(nameOf(m_kind, field));
  for (const FieldOp& op : m_ops) {
    const auto& leaves = ofTask(op, scratch).value->leaves;
    if (op.field == field && !leaves.empty()) column = leaves.front().label;
  }
  return faultAt(scratch, column, {}, "missing_field",
                 fmt::format("{} of kind {} needs {}: map it or let the source write it",
                             "a record", codeOf(m_kind), what));
}

bool PlanImpl::applyRules(PlanScratch& scratch) const {
  TypedRow& row = scratch.row;
  if (m_kind == RecordKind::Effect) return applyEffectRules(scratch);
  if (row.hasAmount && row.amountNegative && row.negativeRule == NegativeRule::Quarantine) {
    const Money money{row.amount, row.currency};
    return faultAt(
        scratch, nameOf(m_kind, Field::Amount), "-" + formatPlain(money), "negative_amount",
        "amounts are stored without sign: if the sign says nothing here, map amount with "
        "\"negative\": \"drop\"");
  }
  if (m_kind == RecordKind::Attempt) return applyAttemptRules(scratch);
  return applyOtherRules(scratch);
}

bool PlanImpl::applyAttemptRules(PlanScratch& scratch) const {
  TypedRow& row = scratch.row;
  const TimeValue& start = row.time[indexOf(Field::Start)];
  TimeValue& end = row.time[indexOf(Field::End)];
  if (!start.present && !end.present) return missing(scratch, Field::End, "a start or an end");
  const bool hasLink = !row.key.empty() ||
                       std::any_of(kLinkFields.begin(), kLinkFields.end(),
                                   [&](Field field) { return !row.text[indexOf(field)].empty(); });
  if (!hasLink)
    return missing(scratch, Field::Key, "one of key, job_id, message_id, op_ref and effect_id");
  for (const TimeValue* time : {&start, static_cast<const TimeValue*>(&end)}) {
    row.ambiguousTime = row.ambiguousTime || (time->present && time->time.later != time->time.at);
  }
  if (start.present && end.present && end.time.at < start.time.at &&
      end.time.later != end.time.at) {
    end.time.at = end.time.later;
  }
  row.at = end.present ? end.time.at : start.time.at;
  row.start = start.present ? start.time.at : row.at;
  if (row.status == kSkippedStatus) row.kind = RecordKind::Skip;
  const bool skipIsNamed = !row.key.empty() || !row.text[indexOf(Field::JobId)].empty() ||
                           !row.text[indexOf(Field::OpRef)].empty();
  if (row.kind == RecordKind::Skip && !skipIsNamed)
    return missing(scratch, Field::Key, "a key, job_id or op_ref");
  return true;
}

bool PlanImpl::applyEffectRules(PlanScratch& scratch) const {
  TypedRow& row = scratch.row;
  const TimeValue& created = row.time[indexOf(Field::Created)];
  if (!created.present) return missing(scratch, Field::Created, "the time it was created");
  row.at = row.start = created.time.at;
  row.ambiguousTime = created.time.later != created.time.at;
  if (!makeGross(scratch)) return false;
  if (!row.hasAmount || !row.amountNegative || row.effectKind != EffectKind::Forward) return true;
  if (row.negativeRule == NegativeRule::Drop) return true;
  if (row.negativeRule == NegativeRule::Reversal) {
    row.effectKind = EffectKind::Reversal;
    return true;
  }
  const Money money{row.amount, row.currency};
  return faultAt(scratch, nameOf(m_kind, Field::Amount), "-" + formatPlain(money),
                 "negative_amount",
                 "a forward effect with a negative amount: if it is a refund, map amount with "
                 "\"negative\": \"reversal\", or say its kind with \"words\"");
}

/// Net amounts: the gross is what is compared (classes.md 7). A row without a fee had none taken.
bool PlanImpl::makeGross(PlanScratch& scratch) const {
  TypedRow& row = scratch.row;
  if (!row.hasAmount || row.feeSign == 0 || !row.hasFee) return true;
  const std::string_view column = nameOf(m_kind, Field::Fee);
  if (!row.feeCurrency.isNone() && row.feeCurrency != row.currency) {
    return faultAt(scratch, column, formatPlain({row.fee, row.feeCurrency}), "two_currencies",
                   "amount and fee are of two currencies: the gross amount cannot be told from the net one");
  }
  if (row.feeMicro != 0) {
    return faultAt(scratch, column, formatPlain({row.fee, row.currency}), "too_many_decimals",
                   "the fee has more decimals than the currency: the gross amount cannot be told from the net one");
  }
  const bool isTakenOff = (row.feeSign < 0) != row.feeNegative;
  const std::int64_t net = row.amountNegative ? -row.amount : row.amount;
  const auto gross = addChecked(net, isTakenOff ? -row.fee : row.fee);
  if (!gross || *gross == std::numeric_limits<std::int64_t>::min()) {
    return faultAt(scratch, column, formatPlain({row.fee, row.currency}), "amount_overflow",
                   "amount and fee together are beyond what an amount can hold");
  }
  row.amountNegative = *gross < 0;
  row.amount = row.amountNegative ? -*gross : *gross;
  row.feeSign = 0;
  return true;
}

bool PlanImpl::applyOtherRules(PlanScratch& scratch) const {
  TypedRow& row = scratch.row;
  const auto has = [&](Field field) { return !row.text[indexOf(field)].empty(); };
  const auto timeOf = [&](std::initializer_list<Field> fields) {
    for (const Field field : fields) {
      const TimeValue& time = row.time[indexOf(field)];
      if (!time.present) continue;
      row.at = row.start = time.time.at;
      row.ambiguousTime = time.time.later != time.time.at;
      return true;
    }
    row.at = row.start = Instant{};
    return false;
  };
  const bool hasKey = !row.key.empty();
  switch (m_kind) {
    case RecordKind::Skip:
      if (!timeOf({Field::Time})) return missing(scratch, Field::Time, "a time");
      return hasKey || has(Field::JobId) || has(Field::OpRef) ||
             missing(scratch, Field::Key, "a key, job_id or op_ref");
    case RecordKind::Claim:
      timeOf({Field::ClaimedAt, Field::ExpiresAt});
      return hasKey || missing(scratch, Field::Key, "a key");
    case RecordKind::Intent:
      if (!timeOf({Field::CreatedAt}))
        return missing(scratch, Field::CreatedAt, "the time it was created");
      return hasKey || has(Field::Id) || has(Field::OpRef) ||
             missing(scratch, Field::Id, "an id, key or op_ref");
    case RecordKind::Outbox:
      if (!timeOf({Field::CreatedAt}))
        return missing(scratch, Field::CreatedAt, "the time it was created");
      return hasKey || has(Field::Id) || missing(scratch, Field::Id, "an id or a key");
    case RecordKind::ProcessedEvent:
      timeOf({Field::ProcessedAt});
      return hasKey || has(Field::Id) || missing(scratch, Field::Key, "a key or an id");
    case RecordKind::DeadLetter:
      timeOf({Field::DiedAt, Field::EnqueuedAt, Field::SampledAt});
      return hasKey || has(Field::MessageId) || has(Field::JobId) ||
             missing(scratch, Field::MessageId, "one of message_id, key and job_id");
    case RecordKind::QueueDepth:
      if (timeOf({Field::SampledAt}) && row.oldestAt)
        row.oldest = std::max(Duration(0), row.at - *row.oldestAt);
      if (!has(Field::Queue)) return missing(scratch, Field::Queue, "the queue's name");
      return addDepth(scratch);
    case RecordKind::Attempt:
    case RecordKind::Effect:
      break;
  }
  return true;
}

/// A depth that is told in pieces: end less beginning, or what is ready, in flight and delayed. Where one that is
/// needed is not known, neither is the depth.
bool PlanImpl::addDepth(PlanScratch& scratch) const {
  TypedRow& row = scratch.row;
  const auto number = [&](Field field) { return row.integer[indexOf(field)]; };
  std::optional<std::int64_t>& depth = row.depth;
  depth = number(Field::Depth);
  const bool wasTold = depth.has_value();
  if (!depth && number(Field::To) && number(Field::From)) depth = subtractChecked(*number(Field::To), *number(Field::From));
  if (!depth && number(Field::Ready)) {
    depth = number(Field::Ready);
    for (const Field part : {Field::InFlight, Field::Delayed}) {
      if (depth && number(part)) depth = addChecked(*depth, *number(part));
    }
  }
  for (const Field field : {Field::Ready, Field::InFlight, Field::Delayed}) {
    if (number(field).value_or(0) >= 0) continue;
    return faultAt(scratch, nameOf(m_kind, field), fmt::format("{}", *number(field)), "negative_depth", "fewer than no messages");
  }
  if (depth.value_or(0) >= 0) return true;
  return faultAt(scratch, wasTold ? nameOf(m_kind, Field::Depth) : std::string_view("to"), fmt::format("{}", *depth),
                 "negative_depth", wasTold ? "fewer than no messages" : "a queue whose end lies before its beginning");
}

}  // namespace counterfoil
