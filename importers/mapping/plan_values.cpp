// SPDX-License-Identifier: GPL-3.0-or-later
// From a field's text to its value: keys, amounts, words, times. Every text that does not fit is a
// fault that names column, value, rule and what to do.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>

#include "core/base/text.h"
#include "importers/mapping/plan_internal.h"

namespace counterfoil {

namespace {

constexpr std::size_t kMaxZones = 64;
constexpr std::int64_t kEpochsBegin = 500'000'000;  // an age of 16 years or a time since 1985

/// Damaged keys are short, and begin with a sign or a digit unless they are "Apr-03".
inline bool mayBeDamaged(std::string_view key) {
  static constexpr std::size_t kLongestNumber = 32, kLongestMonth = 6;
  const bool isNumberLike = !key.empty() && key.front() <= '9';
  return key.size() <= (isNumberLike ? kLongestNumber : kLongestMonth);
}

/// Texts that are their own normal form: ASCII and too short for a UUID.
inline bool isPlainKey(std::string_view text) {
  static constexpr std::size_t kShortestUuid = 32;
  if (text.size() >= kShortestUuid) return false;
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= 0x20 && c < 0x7F; });
}

std::size_t indexOf(Field field) {
  return static_cast<std::size_t>(field);
}

std::optional<std::int64_t> wholeNumber(std::string_view text) {
  if (text.size() == 1 && text[0] >= '0' && text[0] <= '9') return text[0] - '0';
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  const std::size_t point = text.find('.');
  if (point != std::string_view::npos && point > 0) {
    if (text.find_first_not_of('0', point + 1) != std::string_view::npos) return std::nullopt;
    text = text.substr(0, point);
  }
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::string_view ruleOf(TimeFault fault) {
  switch (fault) {
    case TimeFault::Empty:
    case TimeFault::NotATime:
      return "not_a_time";
    case TimeFault::OutOfRange:
      return "time_out_of_range";
    case TimeFault::NoSuchDate:
    case TimeFault::NonExistent:
      return "impossible_time";
    case TimeFault::NeedsOrder:
      return "date_order_unknown";
  }
  return "not_a_time";
}

std::string_view labelOf(const Picked& picked) {
  return picked.leaf != nullptr ? std::string_view(picked.leaf->label) : std::string_view();
}

}  // namespace

bool PlanImpl::run(const FieldOp& op, const RowView& row, PlanScratch& scratch) const {
  Picked picked;
  if (op.plain != nullptr) {
    const FieldView& field = row.fields[op.plain->column];
    picked.sawColumn = field.type != FieldType::Absent;
    if (!picked.sawColumn || field.type == FieldType::Null) return take(op, row, picked, scratch);
    picked.text = trimmed(field.text);
    picked.type = field.type;
    if (!picked.text.empty()) picked.leaf = op.plain;
    return take(op, row, picked, scratch);
  }
  if (const FieldOp& own = ofTask(op, scratch); &own != &op) return run(own, row, scratch);
  const bool ownWords = op.meaning == FieldMeaning::Word;  // they look words up through a cache
  return pick(*op.value, row, scratch, !ownWords, picked) && take(op, row, picked, scratch);
}

/// Puts what was picked for a field into the typed row.
inline bool PlanImpl::take(const FieldOp& op, const RowView& row, const Picked& picked,
                           PlanScratch& scratch) const {
  switch (op.meaning) {
    case FieldMeaning::Text:
    case FieldMeaning::Fingerprint:
      scratch.row.text[indexOf(op.field)] = picked.text;
      return true;
    case FieldMeaning::Link: {
      const bool none = isNoWord(picked.text);
      scratch.row.text[indexOf(op.field)] = none ? std::string_view() : picked.text;
      return true;
    }
    case FieldMeaning::Key:
      return runKey(op, picked, scratch);
    case FieldMeaning::Currency:
      return runCurrency(op, picked, scratch, scratch.row.currency);
    case FieldMeaning::FeeCurrency:
      return runCurrency(op, picked, scratch, scratch.row.feeCurrency);
    case FieldMeaning::Amount:
    case FieldMeaning::Fee:
      return runAmount(op, picked, row, scratch);
    case FieldMeaning::Word:
      return runWord(op, picked, scratch);
    case FieldMeaning::Integer:
      return runInteger(op, picked, scratch);
    case FieldMeaning::Flag:
    case FieldMeaning::Live:
      return runFlag(op, picked, scratch);
    case FieldMeaning::Age:
      return runAge(op, picked, scratch);
    case FieldMeaning::Time:
      return runTime(op, row, picked, scratch);
  }
  return true;
}

bool PlanImpl::runKey(const FieldOp&, const Picked& picked, PlanScratch& scratch) const {
  TypedRow& row = scratch.row;
  row.keyText = picked.text;
  row.keyDamaged = false;
  const bool isPlain = isPlainKey(picked.text);
  row.key = isPlain ? picked.text : normalKey(picked.text, scratch.keyBuffer);
  // A character that was lost on the way may have been any: such keys are equal to nothing.
  const bool isLossy = !isPlain && row.key.find("\xEF\xBF\xBD") != std::string_view::npos;
  if (isNoWord(row.key) || isLossy) {
    row.key = {};
  } else if (m_kind == RecordKind::Effect && mayBeDamaged(row.key) &&
             looksDamagedBySpreadsheet(row.key)) {
    row.key = {};
    row.keyDamaged = true;
  }
  return true;
}

bool PlanImpl::runCurrency(const FieldOp& op, const Picked& picked, PlanScratch& scratch,
                           Currency& out) const {
  out = Currency();
  if (picked.text.empty() || isNullWord(picked.text)) return true;
  WordCache& cache = scratch.caches[op.cache];
  if (const WordCache::Entry* entry = cache.find(picked.text, 0)) {
    out = Currency::fromPacked(entry->value);
    return true;
  }
  const auto currency = Currency::parse(picked.text);
  if (!currency) {
    return faultAt(scratch, labelOf(picked), picked.text, "unknown_currency",
                   fmt::format("'{}' is no currency code of ISO 4217; map it with \"words\"",
                               picked.text.substr(0, 40)));
  }
  out = *currency;
  cache.put(picked.text, 0, currency->packed());
  return true;
}

/// Enum value of the picked word, or WordCache::kUnknown.
std::uint16_t PlanImpl::wordValue(const FieldOp& op, const Picked& picked,
                                  PlanScratch& scratch) const {
  WordCache& cache = scratch.caches[op.cache];
  const auto leafIndex = static_cast<std::size_t>(picked.leaf - op.value->leaves.data());
  if (const WordCache::Entry* entry = cache.find(picked.text, leafIndex)) return entry->value;
  std::optional<std::uint8_t> value;
  if (!picked.leaf->words) {
    value = valueOfWord(m_kind, op.field, picked.text);
  } else {
    const std::string* target = picked.leaf->words->find(picked.text);
    value =
        valueOfCode(m_kind, op.field, target != nullptr ? std::string_view(*target) : picked.text);
  }
  const std::uint16_t known = value ? *value : WordCache::kUnknown;
  cache.put(picked.text, leafIndex, known);
  return known;
}

bool PlanImpl::runWord(const FieldOp& op, const Picked& picked, PlanScratch& scratch) const {
  TypedRow& row = scratch.row;
  const bool isBlank = picked.leaf == nullptr;
  const std::uint16_t value = isBlank ? WordCache::kUnknown : wordValue(op, picked, scratch);
  const bool unknown = value == WordCache::kUnknown;
  if (op.field == Field::Reason) {
    row.reason = unknown ? SkipReason::Unspecified : static_cast<SkipReason>(value);
    return true;
  }
  if (m_kind == RecordKind::QueueDepth) {   // a word that is none of ours says nothing
    row.status = static_cast<std::uint8_t>(unknown ? std::uint16_t{0} : value);
    return true;
  }
  if (m_kind == RecordKind::Attempt) {
    row.status = unknown ? static_cast<std::uint8_t>(AttemptStatus::Unknown)
                         : static_cast<std::uint8_t>(value);
    return true;
  }
  const bool usesDefault = isBlank && (m_kind != RecordKind::Effect || !picked.sawColumn);
  if (unknown && !usesDefault) {
    const auto codes = codesOf(m_kind, op.field);
    const std::string_view name = nameOf(m_kind, op.field);
    return faultAt(scratch, op.value->leaves.front().label, picked.text,
                   fmt::format("unknown_{}", name),
                   fmt::format("the {} '{}' is not known: say with \"words\" which of {} it is",
                               name, picked.text.substr(0, 60), fmt::join(codes, ", ")));
  }
  if (op.field == Field::Kind) {
    row.effectKind = unknown ? EffectKind::Forward : static_cast<EffectKind>(value);
    return true;
  }
  static constexpr std::uint8_t kDefaultClaim = static_cast<std::uint8_t>(ClaimState::Completed);
  row.status = !unknown                      ? static_cast<std::uint8_t>(value)
               : m_kind == RecordKind::Claim ? kDefaultClaim
                                             : 0;
  return true;
}

bool PlanImpl::runInteger(const FieldOp& op, const Picked& picked, PlanScratch& scratch) const {
  auto& slot = scratch.row.integer[indexOf(op.field)];
  slot.reset();
  if (picked.text.empty() || isNullWord(picked.text)) return true;
  slot = wholeNumber(picked.text);
  if (slot) return true;
  return faultAt(scratch, labelOf(picked), picked.text, "not_a_number",
                 fmt::format("'{}' is not a whole number", picked.text.substr(0, 60)));
}

bool PlanImpl::runFlag(const FieldOp& op, const Picked& picked, PlanScratch& scratch) const {
  TypedRow& row = scratch.row;
  const bool isLive = op.meaning == FieldMeaning::Live;
  if (isLive) row.live = Live::Unstated;
  if (!isLive) row.flag.reset();
  row.text[indexOf(op.field)] = picked.text;
  if (picked.text.empty() || isNullWord(picked.text)) return true;
  WordCache& cache = scratch.caches[op.cache];
  std::uint16_t value = WordCache::kUnknown;
  if (const WordCache::Entry* entry = cache.find(picked.text, 0)) {
    value = entry->value;
  } else {
    const auto live = isLive ? liveOf(picked.text) : std::nullopt;
    const auto flag = isLive ? std::nullopt : flagOf(picked.text);
    if (live) value = static_cast<std::uint16_t>(*live);
    if (flag) value = *flag ? 1 : 0;
    cache.put(picked.text, 0, value);
  }
  if (value == WordCache::kUnknown) {
    return faultAt(
        scratch, labelOf(picked), picked.text, "unknown_word",
        fmt::format("'{}' says neither {}: map it with \"words\"", picked.text.substr(0, 60),
                    isLive ? "live nor test" : "true nor false"));
  }
  if (isLive) row.live = static_cast<Live>(value);
  if (!isLive) row.flag = value == 1;
  return true;
}

/// Seconds, a duration such as "5m", or the time of the oldest entry, whose age is that at
/// `sampled_at`.
bool PlanImpl::runAge(const FieldOp&, const Picked& picked, PlanScratch& scratch) const {
  scratch.row.oldest.reset();
  scratch.row.oldestAt.reset();
  if (picked.text.empty() || isNullWord(picked.text)) return true;
  const std::string_view whole =
      picked.text.substr(0, picked.text.find('.'));  // part of a second does not matter
  if (const auto seconds = wholeNumber(whole);
      seconds && *seconds >= 0 && *seconds < kEpochsBegin) {
    scratch.row.oldest = std::chrono::seconds(*seconds);
    return true;
  }
  if (const auto duration = parseDuration(picked.text)) {
    scratch.row.oldest = *duration;
    return true;
  }
  if (const TimeOutcome time = picked.leaf->form.parse(picked.text); !time.fault) {
    scratch.row.oldestAt = time.value.at;
    return true;
  }
  return faultAt(
      scratch, labelOf(picked), picked.text, "not_a_duration",
      fmt::format("'{}' is no age: write seconds, or 90s, 5m, 24h", picked.text.substr(0, 60)));
}

/// The zone that a row names itself; nullptr where the leaf's own holds. `failed`: the row names an
/// unknown one.
const Zone* PlanImpl::zoneOf(const CompiledLeaf& leaf, const RowView& row, PlanScratch& scratch,
                             bool& failed) const {
  if (!leaf.zoneOfRow) return nullptr;
  Picked picked;
  if (!pick(*leaf.zoneOfRow, row, scratch, true, picked)) {
    failed = true;
    return nullptr;
  }
  if (picked.text.empty()) return nullptr;
  for (const auto& [name, zone] : scratch.zones) {
    if (name == picked.text) return &zone;
  }
  auto zone = Zone::named(picked.text);
  if (!zone) {
    failed = true;
    faultAt(scratch, labelOf(picked), picked.text, "unknown_time_zone", zone.error().message);
    return nullptr;
  }
  if (scratch.zones.size() >= kMaxZones) scratch.zones.clear();
  scratch.zones.emplace_back(std::string(picked.text), std::move(*zone));
  return &scratch.zones.back().second;
}

namespace {

/// Two digits at `at`; 100 where there are none.
inline unsigned twoDigits(const char* at) {
  const auto high = static_cast<unsigned>(at[0] - '0');
  const auto low = static_cast<unsigned>(at[1] - '0');
  return high > 9 || low > 9 ? 100 : high * 10 + low;
}

/// Microseconds of ".123Z" at `from` up to the end of the text, or of "Z" alone; nothing of another shape.
inline std::optional<std::int64_t> fractionBeforeZ(std::string_view text, std::size_t from) {
  static constexpr std::size_t kMaxDigits = 6;
  if (text.back() != 'Z') return std::nullopt;
  const std::size_t end = text.size() - 1;
  if (from == end) return 0;
  if (text[from] != '.' || end - from < 2 || end - from > kMaxDigits + 1) return std::nullopt;
  std::int64_t micros = 0;
  std::size_t at = from + 1;
  for (std::size_t i = 0; i < kMaxDigits; ++i) {
    const unsigned digit = at < end ? static_cast<unsigned>(text[at++] - '0') : 0;
    if (digit > 9) return std::nullopt;
    micros = micros * 10 + digit;
  }
  return micros;
}

/// "2026-04-07T10:00:00Z", or with a fraction, of a day that was read before: most rows of a night.
inline bool readOnKnownDay(std::string_view text, const DayCache& day, Instant& out) {
  static constexpr std::size_t kDateSize = 10, kSize = 20, kMostSize = 27;
  if (text.size() < kSize || text.size() > kMostSize || text[13] != ':' || text[16] != ':') return false;
  if (std::memcmp(text.data(), day.date.data(), kDateSize + 1) != 0) return false;
  const unsigned hour = twoDigits(text.data() + 11);
  const unsigned minute = twoDigits(text.data() + 14);
  const unsigned second = twoDigits(text.data() + 17);
  const auto fraction = fractionBeforeZ(text, 19);
  if (hour > 23 || minute > 59 || second > 59 || !fraction) return false;
  out = day.midnight + std::chrono::seconds(hour * 3600 + minute * 60 + second) + Duration(*fraction);
  return true;
}

/// Notes the day of a time that was read in full, if the next one of that day can be read by it.
void noteDay(std::string_view text, Instant at, DayCache& day) {
  if (text.size() < 20 || text[10] != 'T') return;
  std::memcpy(day.date.data(), text.data(), day.date.size());
  day.midnight = std::chrono::floor<std::chrono::days>(at);
  Instant again{};
  if (!readOnKnownDay(text, day, again) || again != at) day.date = {};   // 24:00, a leap second, another zone
}

}  // namespace

namespace {

/// "2026-03-01" or "2026-03-01 10:22:33", as the date cells of a workbook are read.
bool isSheetDate(std::string_view text) {
  constexpr std::string_view shape = "dddd-dd-dd dd:dd:dd";
  if (text.size() != 10 && text.size() < shape.size()) return false;
  for (std::size_t i = 0; i < std::min(text.size(), shape.size()); ++i) {
    const bool isDigit = text[i] >= '0' && text[i] <= '9';
    if (shape[i] == 'd' ? !isDigit : text[i] != shape[i]) return false;
  }
  return true;
}

TimeOutcome parsedBy(const TimeForm& form, std::string_view text, const Zone* zone,
                     const std::optional<DateOrder>& order) {
  return zone != nullptr ? form.parseInZone(text, *zone, order) : form.parse(text, order);
}

}  // namespace

/// What "plus_ms" says; blank adds nothing.
bool PlanImpl::addMilliseconds(const CompiledLeaf& leaf, const RowView& row, PlanScratch& scratch,
                               ParsedTime& time) const {
  static constexpr std::int64_t kMost = 100LL * 366 * 24 * 3600 * 1000;  // a century
  Picked picked;
  if (!pick(*leaf.plusMs, row, scratch, true, picked)) return false;
  if (picked.text.empty() || isNullWord(picked.text)) return true;
  const auto number = wholeNumber(picked.text);
  if (!number || *number > kMost || *number < -kMost) {
    return faultAt(scratch, labelOf(picked), picked.text, "not_a_number",
                   fmt::format("'{}' is no number of milliseconds", picked.text.substr(0, 60)));
  }
  time.at += std::chrono::milliseconds(*number);
  time.later += std::chrono::milliseconds(*number);
  return true;
}

bool PlanImpl::runTime(const FieldOp& op, const RowView& row, const Picked& picked,
                       PlanScratch& scratch) const {
  TimeValue& slot = scratch.row.time[indexOf(op.field)];
  slot.present = false;
  if (picked.text.empty() || isNullWord(picked.text)) return true;
  const CompiledLeaf& leaf = *picked.leaf;
  // A row that names its zone has to name a known one, whatever was read before.
  const bool mayBeKnown = leaf.isAutomatic && !leaf.zoneOfRow && !leaf.plusMs;
  if (mayBeKnown && readOnKnownDay(picked.text, scratch.day, slot.time.at)) {
    slot.time.later = slot.time.at;
    slot.time.span = Duration(0);
    slot.present = true;
    return true;
  }
  bool failed = false;
  const Zone* zone = zoneOf(leaf, row, scratch, failed);
  if (failed) return false;
  TimeOutcome outcome = parsedBy(leaf.form, picked.text, zone, leaf.order);
  if (outcome.fault && leaf.sheetForm && isSheetDate(picked.text)) {
    outcome = parsedBy(*leaf.sheetForm, picked.text, zone, leaf.order);
  }
  if (leaf.evidence != kNone) {
    scratch.open.columns[leaf.evidence].date |= static_cast<std::uint8_t>(outcome.value.evidence);
  }
  if (outcome.fault) {
    return faultAt(
        scratch, leaf.label, picked.text, ruleOf(*outcome.fault),
        fmt::format("'{}' is not a time: {}", picked.text.substr(0, 60), describe(*outcome.fault)));
  }
  slot.present = true;
  slot.time = outcome.value;
  if (leaf.isAutomatic) noteDay(picked.text, slot.time.at, scratch.day);
  if (leaf.plusMs && !addMilliseconds(leaf, row, scratch, slot.time)) {
    slot.present = false;
    return false;
  }
  return true;
}

}  // namespace counterfoil
