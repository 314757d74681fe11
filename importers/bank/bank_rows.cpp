// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/bank/bank_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "core/base/money.h"
#include "core/base/text.h"

namespace counterfoil::bank {

namespace {

constexpr std::size_t kMaxReferences =
    3u << 20;  // of one statement, in 32 MiB; beyond it none is taken as unique
constexpr std::size_t kShownBytes = 80;
constexpr std::size_t kRawBytes = 2000;
constexpr std::size_t kMembersAlways =
    static_cast<std::size_t>(Member::Booked) + 1;  // blank is not absent there
constexpr int kPlaces = 5;
constexpr std::int64_t kOne = 100000;

constexpr std::array<std::string_view, kMembers> kMemberNames = {"row",
                                                                 "amount",
                                                                 "currency",
                                                                 "direction",
                                                                 "reversal",
                                                                 "status",
                                                                 "type",
                                                                 "booked",
                                                                 "valued",
                                                                 "reference",
                                                                 "bank_reference",
                                                                 "customer_reference",
                                                                 "end_to_end_id",
                                                                 "instruction_id",
                                                                 "transaction_id",
                                                                 "payment_id",
                                                                 "mandate_id",
                                                                 "clearing_reference",
                                                                 "check_number",
                                                                 "type_proprietary",
                                                                 "return_reason",
                                                                 "counterparty",
                                                                 "counterparty_account",
                                                                 "remittance",
                                                                 "remittance_reference",
                                                                 "info",
                                                                 "fees",
                                                                 "fees_currency",
                                                                 "instructed_amount",
                                                                 "instructed_currency",
                                                                 "funds_type",
                                                                 "batch_count",
                                                                 "batch_number",
                                                                 "entry_reference",
                                                                 "entry_amount",
                                                                 "corrects",
                                                                 "correct_action"};
constexpr std::array<std::string_view, kFacts> kFactNames = {"format",
                                                             "id",
                                                             "number",
                                                             "created",
                                                             "from",
                                                             "to",
                                                             "account",
                                                             "currency",
                                                             "owner",
                                                             "bank",
                                                             "opening",
                                                             "opening_currency",
                                                             "opening_date",
                                                             "closing",
                                                             "closing_currency",
                                                             "closing_date",
                                                             "available",
                                                             "available_date",
                                                             "declared_entries",
                                                             "declared_credits",
                                                             "declared_debits",
                                                             "declared_total",
                                                             "declared_records",
                                                             "declared_parts",
                                                             "entries",
                                                             "credits",
                                                             "debits",
                                                             "check",
                                                             "level",
                                                             "status",
                                                             "counted_entries",
                                                             "counted_credits",
                                                             "counted_debits",
                                                             "counted_total",
                                                             "counted_records",
                                                             "counted_parts"};

void appendJson(std::string& out, std::string_view text) {
  out += '"';
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte < 0x20) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(byte));
    } else {
      out += c;
    }
  }
  out += '"';
}

void appendMember(std::string& out, std::string_view name, std::string_view value, bool first) {
  if (!first) out += ',';
  out += '"';
  out += name;
  out += "\":";
  appendJson(out, value);
}

/// opening + credits - debits against closing; "" where one of them is not known.
std::string checkOf(const Facts& facts, const ExactSum& credits, const ExactSum& debits) {
  if (facts[Fact::Opening].empty() || facts[Fact::Closing].empty()) return {};
  if (facts[Fact::OpeningCurrency] != facts[Fact::ClosingCurrency]) return {};
  ExactSum sum, closing;
  const std::string& opening = facts[Fact::Opening];
  sum.add(opening[0] == '-' ? std::string_view(opening).substr(1) : opening, opening[0] == '-');
  sum.add(credits.text());
  sum.add(debits.text(), true);
  const std::string& end = facts[Fact::Closing];
  closing.add(end[0] == '-' ? std::string_view(end).substr(1) : end, end[0] == '-');
  if (!sum.units() || !closing.units()) return {};
  if (*sum.units() == *closing.units()) return "agrees";
  return fmt::format("opening and entries make {}, closing is {}", sum.text(), closing.text());
}

}  // namespace

void ExactSum::add(std::string_view plain, bool negative) {
  if (!isPlainDecimal(plain)) {
    m_known = false;
    return;
  }
  std::int64_t units = 0;
  const std::size_t point = plain.find('.');
  const std::string_view whole = plain.substr(0, point);
  std::string_view places =
      point == std::string_view::npos ? std::string_view() : plain.substr(point + 1);
  while (!places.empty() && places.back() == '0') places.remove_suffix(1);
  if (places.size() > kPlaces) m_known = false;
  for (std::size_t i = 0; m_known && i < whole.size() + kPlaces; ++i) {
    const std::size_t place = i - std::min(i, whole.size());
    const char digit = i < whole.size() ? whole[i] : (place < places.size() ? places[place] : '0');
    if (units > (INT64_MAX - 9) / 10) m_known = false;
    if (m_known) units = units * 10 + (digit - '0');
  }
  const std::optional<std::int64_t> sum =
      negative ? subtractChecked(m_units, units) : addChecked(m_units, units);
  if (!sum || *sum == INT64_MIN) m_known = false;
  if (m_known) m_units = *sum;
}

std::optional<std::int64_t> ExactSum::units() const {
  return m_known ? std::optional(m_units) : std::nullopt;
}

std::string ExactSum::text() const {
  if (!m_known) return {};
  const std::int64_t size = m_units < 0 ? -m_units : m_units;
  std::string text = fmt::format("{}{}.{:05}", m_units < 0 ? "-" : "", size / kOne, size % kOne);
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text;
}

void EntryTotals::Side::add(std::string_view amount, bool isCredit) {
  (isCredit ? credits : debits).add(amount);
  total.add(amount);
  ++entries;
}

void EntryTotals::add(std::string_view amount, bool isCredit, bool isReversal, bool isBooked) {
  m_all.add(amount, isCredit);
  m_asMarked.add(amount, isCredit != isReversal);
  if (isBooked) m_booked.add(amount, isCredit);
}

/// Banks count pending and expected entries or not, and those that take one back on either side: what is declared
/// and comes to one of these is right.
void EntryTotals::compare(Facts& facts) const {
  const auto tell = [&facts](Fact declared, Fact counted, std::initializer_list<std::string> ways) {
    ExactSum wanted;
    const std::string& text = facts[declared];
    if (text.empty()) return;
    wanted.add(text);
    facts[counted] = *ways.begin();
    for (const std::string& way : ways) {
      ExactSum sum;
      sum.add(way);
      if (!way.empty() && sum.units() && sum.units() == wanted.units()) facts[counted] = way;
    }
  };
  tell(Fact::DeclaredEntries, Fact::CountedEntries,
       {fmt::format("{}", m_all.entries), fmt::format("{}", m_booked.entries)});
  tell(Fact::DeclaredCredits, Fact::CountedCredits,
       {m_all.credits.text(), m_booked.credits.text(), m_asMarked.credits.text()});
  tell(Fact::DeclaredDebits, Fact::CountedDebits,
       {m_all.debits.text(), m_booked.debits.text(), m_asMarked.debits.text()});
  tell(Fact::DeclaredTotal, Fact::CountedTotal, {m_all.total.text(), m_booked.total.text()});
}

bool ReferenceSet::insert(std::string_view text) {
  if (m_count >= kMaxReferences) return false;
  if (m_count * 4 >= m_slots.size() * 3) grow();
  const std::uint64_t hash = std::max<std::uint64_t>(std::hash<std::string_view>()(text), 1);
  std::size_t at = hash & (m_slots.size() - 1);
  while (m_slots[at] != 0) {
    if (m_slots[at] == hash) return false;
    at = (at + 1) & (m_slots.size() - 1);
  }
  m_slots[at] = hash;
  ++m_count;
  return true;
}

void ReferenceSet::grow() {
  std::vector<std::uint64_t> larger(std::max<std::size_t>(1024, m_slots.size() * 2));
  for (const std::uint64_t hash : m_slots) {
    std::size_t at = hash & (larger.size() - 1);
    while (hash != 0 && larger[at] != 0) at = (at + 1) & (larger.size() - 1);
    if (hash != 0) larger[at] = hash;
  }
  m_slots.swap(larger);
}

void ReferenceSet::clear() {
  m_slots.clear();
  m_count = 0;
}

Result<> RowWriter::setFact(Fact fact, std::string_view value) {
  if (value.size() > kMaxFactBytes) {
    return fail(ErrorCode::Limit,
                fmt::format("'{}' of the statement is longer than {} bytes",
                            kFactNames[static_cast<std::size_t>(fact)], kMaxFactBytes));
  }
  facts[fact] = std::string(value);
  m_factsChanged = true;
  return {};
}

void RowWriter::beginStatement(std::string_view format) {
  facts.clear();
  facts[Fact::Format] = std::string(format);
  m_factsChanged = true;
  m_references.clear();
  m_entries = 0;
  m_defects = 0;
  m_credits.reset();
  m_debits.reset();
  m_totals = {};
}

void RowWriter::goToLine(std::uint64_t line) {
  if (line <= m_lines + 1) return;
  m_text.append(static_cast<std::size_t>(line - m_lines - 1), '\n');
  m_lines = line - 1;
}

void RowWriter::append(const Row& row) {
  if (m_factsChanged) {
    m_factsJson.clear();
    for (std::size_t i = 0; i < kFacts; ++i) {
      const std::string& fact = facts[static_cast<Fact>(i)];
      if (!fact.empty()) appendMember(m_factsJson, kFactNames[i], fact, m_factsJson.empty());
    }
    m_factsChanged = false;
  }
  m_text += '{';
  for (std::size_t i = 0; i < kMembers; ++i) {
    const std::string& value = row[static_cast<Member>(i)];
    if (i < kMembersAlways || !value.empty()) appendMember(m_text, kMemberNames[i], value, i == 0);
  }
  m_text += ",\"statement\":{";
  m_text += m_factsJson;
  m_text += "}}\n";
  ++m_lines;
}

void RowWriter::entry(Row& row, std::string_view unique, std::uint64_t line) {
  row[Member::Row] = "entry";
  row[Member::Reference].clear();
  if (!unique.empty()) {
    std::string name(unique);
    for (const Member member : {Member::Direction, Member::Reversal, Member::Status})
      name += '\n' + row[member];
    if (m_references.insert(name)) row[Member::Reference] = std::string(unique);
  }
  goToLine(line);
  append(row);
  ++m_entries;
  count(row);
}

void RowWriter::remainder(Row& row, std::uint64_t line) {
  row[Member::Row] = "remainder";
  row[Member::Reference].clear();
  goToLine(line);
  append(row);
  count(row);
}

void RowWriter::addToTotals(const Row& row) {
  const std::string& status = row[Member::Status];
  m_totals.add(row[Member::Amount], row[Member::Direction] == "credit",
               row[Member::Reversal] == "true",
               status.empty() || status == "BOOK" || status == "interim");
}

/// Into the sums that are held against the balances: what is booked.
void RowWriter::count(const Row& row) {
  const std::string& status = row[Member::Status];
  if (!status.empty() && status != "BOOK") return;
  if (row[Member::Direction] == "credit") m_credits.add(row[Member::Amount]);
  if (row[Member::Direction] == "debit") m_debits.add(row[Member::Amount]);
}

void RowWriter::defect(std::string_view column, std::string_view value, std::string_view reason,
                       std::string_view raw, std::uint64_t line) {
  goToLine(line);
  ++m_defects;
  m_text += '\x15';
  for (const std::string_view part : {column, value, reason, raw}) {
    const std::string bounded = toValidUtf8(part.substr(0, kRawBytes));
    for (const char c : bounded) m_text += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    m_text += '\x1F';
  }
  m_text += '\n';
  ++m_lines;
}

void RowWriter::endStatement(std::uint64_t line, Entries entries) {
  facts[Fact::Entries] = fmt::format("{}", m_entries);
  facts[Fact::Credits] = m_credits.text();
  facts[Fact::Debits] = m_debits.text();
  if (m_defects == 0) {
    facts[Fact::Check] = checkOf(facts, m_credits, m_debits);
    if (entries == Entries::All) m_totals.compare(facts);
  }
  if (entries == Entries::All && !facts[Fact::Check].empty() && facts[Fact::Check] != "agrees") {
    defect(
        "statement.check", facts[Fact::Check],
        fmt::format(
            "the statement's balances and entries do not agree ({}): entries are missing, or twice",
            facts[Fact::Check]),
        facts[Fact::Id], line);
  }
  trailer(line);
  for (std::size_t i = static_cast<std::size_t>(Fact::Entries); i < kFacts; ++i)
    facts[static_cast<Fact>(i)].clear();
  m_factsChanged = true;
}

void RowWriter::trailer(std::uint64_t line) {
  m_factsChanged = true;
  Row row;
  row[Member::Row] = "statement";
  goToLine(line);
  append(row);
}

Result<> LineTranscoder::feed(std::string_view text) {
  while (!text.empty()) {
    if (m_sawReturn && text.front() == '\n') {
      text.remove_prefix(1);
      m_sawReturn = false;
      continue;
    }
    m_sawReturn = false;
    const std::size_t end = text.find_first_of("\r\n");
    if (m_rest.size() + std::min(end, text.size()) > kMaxValueBytes) {
      return fail(ErrorCode::Limit,
                  fmt::format("line {}: longer than {} bytes", m_line + 1, kMaxValueBytes));
    }
    if (end == std::string_view::npos) {
      m_rest += text;
      return {};
    }
    m_sawReturn = text[end] == '\r';
    Result<> done = give(text.substr(0, end));
    if (!done) return done;
    text.remove_prefix(end + 1);
  }
  return {};
}

Result<> LineTranscoder::give(std::string_view text) {
  ++m_line;
  if (m_rest.empty()) return line(text);
  m_rest += text;
  const std::string whole = std::move(m_rest);
  m_rest.clear();
  return line(whole);
}

Result<> LineTranscoder::finish() {
  if (!m_rest.empty()) {
    Result<> done = give({});
    if (!done) return done;
  }
  return end();
}

bool isDigits(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool isPlainDecimal(std::string_view text) {
  const std::size_t point = text.find('.');
  if (!isDigits(text.substr(0, point))) return false;
  return point == std::string_view::npos || isDigits(text.substr(point + 1));
}

std::string plainDecimal(std::string_view text) {
  text = trim(text);
  std::string plain;
  std::size_t signs = 0;
  for (const char c : text) {
    if (c == ',' || c == '.') ++signs;
    plain += c == ',' ? '.' : c;
  }
  if (signs > 1) return std::string(text);  // which is the decimal one is for the mapping to say
  if (signs == 0) return plain;
  if (plain.back() == '.') plain.pop_back();
  const std::size_t start = plain.find_first_not_of("+-");
  if (start != std::string::npos && plain[start] == '.') plain.insert(start, 1, '0');
  return plain;
}

std::optional<std::string> isoDate(std::string_view year, std::string_view month,
                                   std::string_view day) {
  if (!isDigits(year) || !isDigits(month) || !isDigits(day) || year.size() != 4 ||
      month.size() != 2 || day.size() != 2) {
    return std::nullopt;
  }
  const int y =
      (year[0] - '0') * 1000 + (year[1] - '0') * 100 + (year[2] - '0') * 10 + (year[3] - '0');
  const int m = (month[0] - '0') * 10 + (month[1] - '0');
  const int d = (day[0] - '0') * 10 + (day[1] - '0');
  constexpr std::array<int, 12> kDays = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  if (m < 1 || m > 12 || d < 1) return std::nullopt;
  const bool leap = (y % 4 == 0 && y % 100 != 0) || y % 400 == 0;
  if (d > kDays[static_cast<std::size_t>(m - 1)] + (m == 2 && leap ? 1 : 0)) return std::nullopt;
  return fmt::format("{}-{}-{}", year, month, day);
}

std::optional<std::string> isoDateOfSix(std::string_view text) {
  if (text.size() != 6 || !isDigits(text)) return std::nullopt;
  return isoDate(fmt::format("{}{}", text[0] >= '8' ? "19" : "20", text.substr(0, 2)),
                 text.substr(2, 2), text.substr(4, 2));
}

bool join(std::string& to, std::string_view text, std::string_view between) {
  if (text.empty()) return true;
  if (to.size() + between.size() + text.size() > kMaxValueBytes) return false;
  if (!to.empty()) to += between;
  to += text;
  return true;
}

Error formatError(std::uint64_t line, std::string_view what) {
  return {ErrorCode::Format, fmt::format("line {}: {}", line, what)};
}

std::string shown(std::string_view text) {
  const bool cut = text.size() > kShownBytes;
  return forTerminal(toValidUtf8(text.substr(0, kShownBytes))) + (cut ? "…" : "");
}

}  // namespace counterfoil::bank
