// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/input/row_mapper.h"

#include <algorithm>
#include <cstring>

#include "core/base/text.h"
#include "importers/mapping/log_lines.h"

namespace counterfoil {

namespace {

constexpr std::size_t kValueBytes = 200;
constexpr std::size_t kRawBytes = 4096;
constexpr std::size_t kMaxQueueNames = 4096;
constexpr std::uint64_t kRowsBetweenLooks = 512;

std::uint64_t mixed(std::uint64_t value) {
  value ^= value >> 32;
  value *= 0xD6E8FEB86659FD93ull;
  value ^= value >> 32;
  return value;
}

/// What the reading of a row depends on open columns in: amount, times, kind.
std::uint64_t checksumOf(const SlimRecord& slim) {
  std::uint64_t sum = mixed(static_cast<std::uint64_t>(slim.amountMinor) + 1);
  sum = mixed(sum ^ static_cast<std::uint64_t>(slim.timeMicros));
  sum = mixed(sum ^ static_cast<std::uint64_t>(slim.startMicros));
  return mixed(sum ^ slim.ref.offset ^ slim.content);
}

/// What other facts about the columns of the file may cure, or a word in the layout.
bool isOfOpenColumn(std::string_view rule) {
  return rule == "wrong_decimal_sign" || rule == "bad_grouping" || rule == "date_order_unknown" ||
         rule == "too_many_decimals" || rule == kDateRule;
}

}  // namespace

bool addTo(std::vector<ExcludedTotal>& totals, const ExcludedTotal& more) {
  for (ExcludedTotal& total : totals) {
    if (total.kind != more.kind || total.currency != more.currency) continue;
    const auto sum = addChecked(total.minor, more.minor);
    if (!sum) return false;
    total.minor = *sum;
    total.count += more.count;
    return true;
  }
  totals.push_back(more);
  return true;
}

bool isAmbiguousAmount(std::string_view text) {
  if (text.size() > 64) return false;
  bool separated = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == ':' || c == '/') return false;   // a time
    if (c == ',') separated = true;
    if (c != '.') continue;
    std::size_t digits = 0;
    while (i + 1 + digits < text.size() && text[i + 1 + digits] >= '0' && text[i + 1 + digits] <= '9') ++digits;
    separated = separated || digits == 3;
  }
  return separated && decimalEvidence(text) == DecimalEvidence::None;
}

/// What is cut off may be the rest of a card number: so more than is kept is masked.
std::string boundedText(std::string_view text, std::size_t bytes) {
  constexpr std::size_t cardBytes = 96;   // as base64, with the signs between its digits
  const bool isCut = text.size() > bytes + cardBytes;
  std::string bounded = maskCardNumbers(toValidUtf8(text.substr(0, bytes + cardBytes)));
  const std::size_t whole = isCut ? bounded.size() - std::min(bounded.size(), cardBytes) : bounded.size();
  if (bounded.size() > std::min(bytes, whole)) {
    std::size_t end = std::min(bytes, whole);
    while (end > 0 && (static_cast<unsigned char>(bounded[end]) & 0xC0) == 0x80) --end;
    bounded.resize(end);
  }
  return bounded;
}

void encodeLogged(std::uint64_t line, std::string_view raw, const AnyRecord& record, std::string& out) {
  const auto size = static_cast<std::uint32_t>(raw.size());
  out.resize(sizeof line + sizeof size);
  std::memcpy(out.data(), &line, sizeof line);
  std::memcpy(out.data() + sizeof line, &size, sizeof size);
  out.append(raw);
  encodeRecord(record, out);
}

Result<LoggedRecord> decodeLogged(std::string_view entry) {
  LoggedRecord logged;
  std::uint32_t size = 0;
  if (entry.size() < sizeof logged.line + sizeof size) return fail(ErrorCode::Internal, "a damaged payload entry");
  std::memcpy(&logged.line, entry.data(), sizeof logged.line);
  std::memcpy(&size, entry.data() + sizeof logged.line, sizeof size);
  entry.remove_prefix(sizeof logged.line + sizeof size);
  if (size > entry.size()) return fail(ErrorCode::Internal, "a damaged payload entry");
  logged.raw = std::string(entry.substr(0, size));
  logged.record = std::string(entry.substr(size));
  return logged;
}

void ScanOutput::addCounts(const ScanOutput& other) {
  rows += other.rows;
  recorded += other.recorded;
  excluded += other.excluded;
  quarantinedCount += other.quarantinedCount;
  unmatched += other.unmatched;
  dataRows += other.dataRows;
  firstMicros = std::min(firstMicros, other.firstMicros);
  lastMicros = std::max(lastMicros, other.lastMicros);
  basisOverflow = basisOverflow || other.basisOverflow;
  checksum += other.checksum;
  checks.resize(std::max(checks.size(), other.checks.size()));
  for (std::size_t p = 0; p < other.checks.size(); ++p) checks[p].add(other.checks[p]);
  for (const Money& money : other.basis) {
    const auto known = std::find_if(basis.begin(), basis.end(), [&](const Money& m) { return m.currency == money.currency; });
    if (known == basis.end()) {
      basis.push_back(money);
    } else if (const auto sum = addChecked(known->minor, money.minor)) {
      known->minor = *sum;
    } else {
      basisOverflow = true;
    }
  }
  for (const ExcludedTotal& total : other.excludedTotals) {
    if (!addTo(excludedTotals, total)) basisOverflow = true;
  }
  if (evidence.empty()) evidence.resize(other.evidence.size());
  if (ambiguousAmounts.empty()) ambiguousAmounts.resize(other.ambiguousAmounts.size());
  for (std::size_t p = 0; p < other.evidence.size(); ++p) {
    if (evidence[p].columns.empty()) {
      evidence[p] = other.evidence[p];
    } else {
      evidence[p].merge(other.evidence[p]);
    }
    ambiguousAmounts[p].resize(std::max(ambiguousAmounts[p].size(), other.ambiguousAmounts[p].size()));
    for (std::size_t c = 0; c < other.ambiguousAmounts[p].size(); ++c) {
      if (other.ambiguousAmounts[p][c]) ambiguousAmounts[p][c] = true;
    }
  }
  if (other.cutOff && !cutOff) {
    cutOff = true;
    cutOffReason = other.cutOffReason;
    cutOffLine = other.cutOffLine;
  }
}

bool ScanOutput::isSensitive() const {
  for (std::size_t p = 0; p < evidence.size(); ++p) {
    for (const OpenEvidence::Column& column : evidence[p].columns) {
      if (column.date != 0 || (column.decimal & static_cast<std::uint8_t>(DecimalEvidence::Comma)) != 0) return true;
    }
    if (std::find(ambiguousAmounts[p].begin(), ambiguousAmounts[p].end(), true) != ambiguousAmounts[p].end()) return true;
  }
  return false;
}

void ScanOutput::shiftLines(std::uint64_t firstLine) {
  for (QuarantinedRow& row : quarantined) row.line += firstLine;
  if (cutOff) cutOffLine += firstLine;
  for (CheckTally& tally : checks) tally.shiftLines(firstLine);
}

void ScanOutput::setPlace(std::uint64_t chunk) {
  for (CheckTally& tally : checks) tally.setPlace(chunk);
}

RowMapper::RowMapper(const MapperContext& context, KnownQueues* queues) : m_context(context), m_queues(queues) {
  const FileView& view = *context.view;
  m_plans.resize(view.plans.size());
  m_output.evidence.resize(view.plans.size());
  m_output.ambiguousAmounts.resize(view.plans.size());
  for (std::size_t p = 0; p < m_plans.size(); ++p) {
    PlanState& state = m_plans[p];
    state.scratch = view.plans[p]->makeScratch();
    const std::vector<std::uint32_t>& columns = view.columnOf[p];
    state.view.fields.resize(columns.size());
    state.sameOrder = columns.size() == view.wanted.size();
    for (std::size_t c = 0; c < columns.size(); ++c) state.sameOrder = state.sameOrder && columns[c] == c;
    const std::vector<std::string>& names = view.plans[p]->columns();
    const std::vector<OpenEvidence::Column>& open = view.plans[p]->evidence(*state.scratch).columns;
    m_output.ambiguousAmounts[p].resize(open.size());
    for (std::size_t e = 0; e < open.size(); ++e) {
      const auto found = std::find(names.begin(), names.end(), open[e].name);
      if (!open[e].isOfAmounts) continue;
      if (found == names.end()) {
        state.unplaced.push_back(e);
      } else {
        state.open.push_back({e, columns[static_cast<std::size_t>(found - names.begin())]});
      }
    }
    watchChecks(p);
  }
}

/// Numbers of checks are read by the decimal sign of the amounts: they wait with them.
void RowMapper::watchChecks(std::size_t plan) {
  const FileView& view = *m_context.view;
  PlanState& state = m_plans[plan];
  m_checks = m_checks || (view.plans[plan]->hasChecks() && !m_context.onlyLook);
  const std::vector<OpenEvidence::Column>& open = view.plans[plan]->evidence(*state.scratch).columns;
  const auto first = std::find_if(open.begin(), open.end(), [](const auto& column) { return column.isOfAmounts; });
  if (first == open.end()) return;
  for (const std::uint32_t column : view.plans[plan]->openCheckColumns()) {
    state.open.push_back({static_cast<std::size_t>(first - open.begin()), view.columnOf[plan][column]});
  }
}

void RowMapper::setBlock(std::string_view text, std::uint64_t baseOffset, char lineEnd, std::uint64_t firstLine) {
  m_text = text;
  m_baseOffset = baseOffset;
  m_lineEnd = lineEnd;
  m_countedTo = 0;
  m_line = firstLine;
}

std::uint64_t RowMapper::lineOf(const RowView& row) {
  if (row.line != 0) return row.line;
  const std::uint64_t at = row.offset - m_baseOffset;
  if (at > m_countedTo && at <= m_text.size()) {
    m_line += countByte(m_text.substr(m_countedTo, at - m_countedTo), m_lineEnd);
    m_countedTo = at;
  }
  return m_line;
}

const RowView& RowMapper::viewFor(std::size_t plan, const RowView& row) {
  PlanState& state = m_plans[plan];
  if (state.sameOrder) return row;
  state.view.offset = row.offset;
  state.view.length = row.length;
  state.view.line = row.line;
  state.view.raw = row.raw;
  const std::vector<std::uint32_t>& columns = m_context.view->columnOf[plan];
  for (std::size_t c = 0; c < columns.size(); ++c) state.view.fields[c] = row.fields[columns[c]];
  return state.view;
}

std::uint32_t RowMapper::partOf(std::size_t plan, std::uint32_t element) const {
  return m_context.view->mappingNumbers[plan] << 20 | element;
}

bool RowMapper::onRow(const RowView& row, std::uint32_t element) {
  if (++m_rowsSinceLook >= kRowsBetweenLooks) {
    m_rowsSinceLook = 0;
    if (m_context.cancel != nullptr && m_context.cancel->isCancelled()) {
      m_fault = Error{ErrorCode::Cancelled, "stopped"};
      return false;
    }
  }
  std::size_t unmatched = 0;
  for (std::size_t p = 0; p < m_plans.size(); ++p) {
    PlanState& state = m_plans[p];
    const RowView& view = viewFor(p, row);
    if (!state.open.empty()) watchAmbiguous(p, row);
    const Plan& plan = *m_context.view->plans[p];
    const bool counts = p == 0 && m_context.countsDataRows;
    if (isUndecided(p, row, element)) {
      m_output.dataRows += counts ? 1 : 0;
      continue;
    }
    switch (plan.slim(view, element, *m_context.hash, *state.scratch, m_slim)) {
      case RowFate::NoRecord: continue;
      case RowFate::Unmatched:
        ++unmatched;
        continue;
      case RowFate::Recorded:
        if (!recorded(p, view, element, m_slim)) return false;
        break;
      case RowFate::Excluded:
        ++m_output.excluded;
        addExcluded(plan.excludedAs(*state.scratch), plan.amountAsWritten(*state.scratch));
        break;
      case RowFate::Quarantined:
        quarantine(p, row, element, plan.fault(*state.scratch));
        ++m_output.rows;
        m_output.dataRows += counts ? 1 : 0;
        if (m_checks) checkRow(p, view);
        continue;
    }
    ++m_output.rows;
    if (m_checks) checkRow(p, view);
    if (!counts) continue;
    ++m_output.dataRows;
    addBasis(plan.amountAsWritten(*state.scratch));
  }
  return unmatched < m_plans.size() || takeUnmatched(row);
}

/// A line of a log that is a row to none of the mappings.
bool RowMapper::takeUnmatched(const RowView& row) {
  if (m_context.view->opened.layout.quarantineUnmatched) {
    return onDefect(row, {"", "", "unmatched_line",
                          "the line is none of those that the layout names; correct the layout, or set "
                          "\"unmatched\": \"pass\""});
  }
  onUnmatched(row);
  return true;
}

void RowMapper::checkRow(std::size_t plan, const RowView& view) {
  const Plan& of = *m_context.view->plans[plan];
  if (!of.hasChecks()) return;
  if (m_output.checks.empty()) {
    for (const auto& each : m_context.view->plans) m_output.checks.push_back(each->makeTally());
  }
  of.check(view, lineOf(view), *m_plans[plan].scratch, m_output.checks[plan]);
}

bool RowMapper::recorded(std::size_t plan, const RowView& row, std::uint32_t element, SlimRecord& slim) {
  ++m_output.recorded;
  m_output.checksum += checksumOf(slim);
  if (slim.kind == RecordKind::QueueDepth) {
    if (m_context.onlyLook) return true;
    AnyRecord record;
    if (m_context.view->plans[plan]->full(row, element, *m_plans[plan].scratch, record) == RowFate::Recorded) {
      m_output.depths.push_back(std::get<QueueDepth>(std::move(record)));
      // A look without a time is of the day that the file's name says, at its end.
      QueueDepth& depth = m_output.depths.back();
      if (!depth.sampledAt && m_context.day) depth.sampledAt = m_context.day->to;
    }
    return true;
  }
  if (slim.timeMicros != 0) {
    m_output.firstMicros = std::min({m_output.firstMicros, slim.timeMicros, slim.startMicros != 0 ? slim.startMicros : slim.timeMicros});
    m_output.lastMicros = std::max({m_output.lastMicros, slim.timeMicros, slim.startMicros});
  }
  if (m_context.onlyLook) return true;
  if (slim.queue != 0 && m_queues != nullptr && m_queues->count(slim.queue) == 0) tellQueue(plan, row, element, slim.queue);
  if (m_context.log != nullptr || m_context.encoder != nullptr) {
    m_context.view->plans[plan]->fullOfLast(row, element, *m_plans[plan].scratch, m_record);
    if (m_context.log != nullptr && !keepRecord(row, slim)) return false;
    if (m_context.encoder != nullptr) m_context.encoder->encode(m_record, slim.ref, m_output.encoded);
  }
  m_output.batch.push_back(slim);
  return true;
}

bool RowMapper::keepRecord(const RowView& row, SlimRecord& slim) {
  encodeLogged(lineOf(row), rawForPeople(row), m_record, m_entry);
  const Result<std::uint64_t> position = m_context.log->append(m_entry);
  if (!position) {
    m_fault = position.error();
    return false;
  }
  slim.ref.offset = *position;
  return true;
}

void RowMapper::tellQueue(std::size_t plan, const RowView& row, std::uint32_t element, std::uint32_t queueHash) {
  if (m_queues->size() >= kMaxQueueNames) return;
  AnyRecord record;
  if (m_context.view->plans[plan]->full(row, element, *m_plans[plan].scratch, record) != RowFate::Recorded) return;
  const RecordHead* const head = headOf(record);
  if (head == nullptr || head->queue.empty()) return;
  m_queues->insert(queueHash);
  m_output.queueNames.emplace_back(queueHash, head->queue);
}

/// The evidence of other rows may change how such a row is to be read.
void RowMapper::watchAmbiguous(std::size_t plan, const RowView& row) {
  for (const OpenColumn& column : m_plans[plan].open) {
    const FieldView& field = row.fields[column.place];
    if (field.type == FieldType::Text && isAmbiguousAmount(field.text)) {
      m_output.ambiguousAmounts[plan][column.evidenceIndex] = true;
    }
  }
}

bool RowMapper::isUndecided(std::size_t plan, const RowView& row, std::uint32_t element) {
  if (m_context.view->undecidedColumns.empty()) return false;
  for (const std::uint32_t place : m_context.view->undecidedColumns[plan]) {
    const FieldView& field = row.fields[place];
    if (field.type != FieldType::Text || !isAmbiguousAmount(field.text)) continue;
    quarantine(plan, row, element,
               {m_context.view->wanted[place], std::string(field.text), "undecided_decimal_sign",
                "the file does not tell whether its decimal sign is a point or a comma; declare \"decimal\" in the layout"});
    ++m_output.rows;
    return true;
  }
  return false;
}

void RowMapper::addBasis(const std::optional<Money>& amount) {
  if (!amount) return;
  for (Money& sum : m_output.basis) {
    if (sum.currency != amount->currency) continue;
    if (const auto total = addChecked(sum.minor, amount->minor)) {
      sum.minor = *total;
    } else {
      m_output.basisOverflow = true;
    }
    return;
  }
  m_output.basis.push_back(*amount);
}

void RowMapper::addExcluded(std::string_view kind, const std::optional<Money>& amount) {
  for (ExcludedTotal& total : m_output.excludedTotals) {   // made without a text of its own for every row
    if (total.kind != kind || total.currency != (amount ? amount->currency : Currency())) continue;
    ++total.count;
    if (!amount) return;
    const auto sum = addChecked(total.minor, amount->minor);
    m_output.basisOverflow = m_output.basisOverflow || !sum;
    total.minor = sum.value_or(0);
    return;
  }
  ExcludedTotal first{std::string(kind), Currency(), 1, 0};
  if (amount) first.currency = amount->currency, first.minor = amount->minor;
  m_output.excludedTotals.push_back(std::move(first));
}

std::string RowMapper::rawForPeople(const RowView& row) const {
  const OpenedFile& opened = m_context.view->opened;
  if (!opened.table || isAscii(row.raw)) return boundedText(row.raw, kRawBytes);
  return boundedText(opened.table->toUtf8(row.raw.substr(0, kRawBytes * 2)), kRawBytes);
}

void RowMapper::quarantine(std::size_t plan, const RowView& row, std::uint32_t element, RowFault fault) {
  ++m_output.quarantinedCount;
  m_output.undecided += isOfOpenColumn(fault.rule) ? 1 : 0;
  if (m_context.onlyLook) {
    if (m_output.firstFault.empty()) m_output.firstFault = std::move(fault.reason);
    return;
  }
  QuarantinedRow quarantined;
  quarantined.place = {m_context.source, m_context.file, row.offset, partOf(plan, element)};
  quarantined.line = lineOf(row);
  quarantined.file = m_context.shownPath;
  quarantined.column = std::move(fault.column);
  quarantined.value = boundedText(fault.value, kValueBytes);
  quarantined.rule = std::move(fault.rule);
  quarantined.reason = std::move(fault.reason);
  quarantined.raw = rawForPeople(row);
  m_output.quarantined.push_back(std::move(quarantined));
}

bool RowMapper::onDefect(const RowView& row, RowDefect defect) {
  for (std::size_t p = 0; p < m_plans.size(); ++p) {
    quarantine(p, row, 0, {defect.column, defect.value, defect.rule, defect.reason});
    ++m_output.rows;
    m_output.dataRows += p == 0 && m_context.countsDataRows ? 1 : 0;
  }
  m_output.cutOffReason = defect.reason;   // stands if the reader says that the file is cut off
  m_output.cutOffLine = lineOf(row);
  return true;
}

void RowMapper::onUnmatched(const RowView&) { ++m_output.unmatched; }

void RowMapper::takeEvidence() {
  for (std::size_t p = 0; p < m_plans.size(); ++p) {
    m_output.evidence[p] = m_context.view->plans[p]->evidence(*m_plans[p].scratch);
    if (m_output.rows == 0) continue;
    for (const std::size_t column : m_plans[p].unplaced) m_output.ambiguousAmounts[p][column] = true;
  }
}

}  // namespace counterfoil
