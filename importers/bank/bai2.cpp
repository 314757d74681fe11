// SPDX-License-Identifier: GPL-3.0-or-later
// BAI2: records of fields between commas, continued by records 88.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "core/base/text.h"
#include "importers/bank/bank_rows.h"

namespace counterfoil::bank {

namespace {

constexpr std::size_t kMaxPieces = 4096;

std::string_view trimEnd(std::string_view text) {
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

/// The fields of a record and its continuations, one after the other.
class Fields {
 public:
  explicit Fields(const std::vector<std::string>& pieces) : m_pieces(pieces) {}

  [[nodiscard]] bool more() const { return m_piece < m_pieces.size(); }
  /// Blank behind the last one.
  std::string_view next() {
    if (!more()) return {};
    const std::string_view rest = std::string_view(m_pieces[m_piece]).substr(m_at);
    const std::size_t comma = rest.find(',');
    if (comma == std::string_view::npos) {
      ++m_piece;
      m_at = 0;
      return trim(rest);
    }
    m_at += comma + 1;
    return trim(rest.substr(0, comma));
  }
  /// All that is left, with its commas.
  std::string rest() {
    std::string text;
    for (; more(); ++m_piece, m_at = 0) {
      const std::string_view part = trim(std::string_view(m_pieces[m_piece]).substr(m_at));
      if (!text.empty() && !part.empty()) text += ' ';
      text += part;
    }
    return text;
  }

 private:
  const std::vector<std::string>& m_pieces;
  std::size_t m_piece = 0, m_at = 0;
};

/// Digits with a sign, as "-12" or "12"; nothing if it is no amount.
std::optional<std::string> amountOf(std::string_view text) {
  bool isNegative = false;
  if (!text.empty() && (text[0] == '+' || text[0] == '-')) {
    isNegative = text[0] == '-';
    text.remove_prefix(1);
  }
  if (!isDigits(text)) return std::nullopt;
  while (text.size() > 1 && text[0] == '0') text.remove_prefix(1);
  return (isNegative && text != "0" ? "-" : "") + std::string(text);
}

/// Of a detail's type code; "unknown" for codes that do not tell (loans, a bank's own).
std::string_view directionOf(std::string_view code) {
  if (code.size() != 3 || !isDigits(code)) return "unknown";
  if (code >= "100" && code <= "399") return "credit";
  if (code >= "400" && code <= "699") return "debit";
  if (code >= "920" && code <= "959") return "credit";
  if (code >= "960") return "debit";
  return "unknown";
}

/// What the records of an account, a group or the file come to, against its trailer.
struct Bai2Total {
  ExactSum amounts;             ///< of a group and the file: the totals declared below it
  ExactSum details;             ///< of an account: without those of its summary
  std::uint64_t records = 0;    ///< lines, continuations among them
  std::uint64_t parts = 0;      ///< of a group its accounts, of the file its groups
  bool isWhole = true;          ///< false: a record could not be read, the totals are not known
};

bool isSame(const ExactSum& sum, std::string_view declared) {
  const bool isNegative = !declared.empty() && declared[0] == '-';
  ExactSum other;
  other.add(isNegative ? declared.substr(1) : declared, isNegative);
  return sum.units() && sum.units() == other.units();
}

class Bai2Transcoder final : public LineTranscoder {
 private:
  Result<> line(std::string_view text) override {
    text = trimEnd(text);
    while (!text.empty() && (text.back() == '\x1A' || text.back() == '\0')) text.remove_suffix(1);
    const std::string_view start = trim(text);
    if (start.empty()) return {};
    const bool isRecord = start.size() >= 3 && isDigits(start.substr(0, 2)) &&
                          (start[2] == ',' || start.substr(0, 2) == "88");
    const bool isContinuation = isRecord && start.substr(0, 2) == "88";
    if (!isRecord || (isContinuation && m_code.empty())) {
      Result<> done = record();
      if (!done) return done;
      breakTotals();
      rows.defect(
          "", start,
          isRecord
              ? "a continuation (88) of no record"
              : "no BAI2 record: it has to begin with 01, 02, 03, 16, 49, 88, 98 or 99 and a comma",
          start, lineNumber());
      return {};
    }
    if (!isContinuation) {
      Result<> done = record();
      if (!done) return done;
      m_code = std::string(start.substr(0, 2));
      if (m_isOver && m_code != "01")
        return fail(formatError(lineNumber(), "a record behind the end of the file (99)"));
      m_isOver = false;  // files are put together, too
      m_recordLine = lineNumber();
    }
    return addPiece(start.substr(3));
  }

  /// Without the slash that ends a record.
  Result<> addPiece(std::string_view text) {
    if (!text.empty() && text.back() == '/') text.remove_suffix(1);
    m_bytes += text.size();
    if (m_pieces.size() >= kMaxPieces || m_bytes > kMaxValueBytes) {
      return fail(ErrorCode::Limit,
                  fmt::format("line {}: the record that begins in line {} is too long",
                              lineNumber(), m_recordLine));
    }
    m_pieces.emplace_back(text);
    return {};
  }

  Result<> end() override {
    Result<> done = record();
    if (!done) return done;
    if (m_isOver) return {};
    return fail(formatError(
        lineNumber(),
        m_isOpen ? fmt::format("cut off: the account that begins in line {} has no trailer (49)",
                               m_accountLine)
                 : "cut off: the file has no trailer (99)"));
  }

  /// The record whose continuations are complete.
  Result<> record() {
    const std::string code = std::move(m_code);
    const std::vector<std::string> pieces = std::move(m_pieces);
    m_code.clear();
    m_pieces.clear();
    m_bytes = 0;
    if (code.empty()) return {};
    Fields fields(pieces);
    if (code == "01") m_ofFile = {};
    if (code == "02") m_ofGroup = {};
    if (code == "03") m_ofAccount = {};
    for (Bai2Total* total : {&m_ofAccount, &m_ofGroup, &m_ofFile}) total->records += pieces.size();
    if (code == "01") return {};
    if (code == "02") return group(fields);
    if (code == "03") return account(fields);
    if (code == "16") return detail(fields, pieces.front());
    if (code == "49") return accountTrailer(fields);
    if (code == "98") return outerTrailer(fields, "group", m_ofGroup, &m_ofFile);
    if (code == "99") {
      m_isOver = true;
      return outerTrailer(fields, "file", m_ofFile, nullptr);
    }
    breakTotals();
    rows.defect("", code, "an unknown kind of record", code + "," + pieces.front(), m_recordLine);
    return {};
  }

  Result<> group(Fields& fields) {
    closeAccount();
    fields.next();  // receiver
    m_originator = std::string(fields.next());
    m_groupStatus = std::string(fields.next());
    const std::string_view date = fields.next();
    const auto day = isoDateOfSix(date);
    if (!day)
      return fail(formatError(
          m_recordLine, fmt::format("'{}' is no as-of date yymmdd of a group (02)", shown(date))));
    m_day = *day;
    fields.next();  // time: of the report, not of an entry
    m_groupCurrency = std::string(fields.next());
    m_modifier = std::string(fields.next());
    return {};
  }

  Result<> account(Fields& fields) {
    closeAccount();
    if (m_day.empty())
      return fail(formatError(m_recordLine, "an account (03) before its group (02)"));
    rows.beginStatement("bai2");
    m_isOpen = true;
    m_accountLine = m_recordLine;
    const std::string number(fields.next());
    std::string currency(fields.next());
    if (currency.empty()) currency = m_groupCurrency.empty() ? "USD" : m_groupCurrency;
    Result<> set = rows.setFact(Fact::Account, number);
    for (const auto& [fact, value] : {std::pair{Fact::Currency, currency},
                                      {Fact::OpeningCurrency, currency},
                                      {Fact::ClosingCurrency, currency},
                                      {Fact::Bank, m_originator},
                                      {Fact::OpeningDate, m_day},
                                      {Fact::ClosingDate, m_day}}) {
      if (set) set = rows.setFact(fact, value);
    }
    return set ? summaries(fields) : set;
  }

  /// Type, amount, count and funds, repeated.
  Result<> summaries(Fields& fields) {
    while (fields.more()) {
      const std::string type(fields.next());
      const std::string_view written = fields.next();
      const std::string amount = amountOf(written).value_or("");
      if (!written.empty()) addAmount(amount, m_ofAccount.amounts);
      fields.next();
      skipFunds(fields, nullptr);
      Result<> set;
      if (type == "010") set = rows.setFact(Fact::Opening, amount);
      if (type == "015") set = rows.setFact(Fact::Closing, amount);
      if (type == "045") set = rows.setFact(Fact::Available, amount);
      if (type == "100") set = rows.setFact(Fact::DeclaredCredits, amount);
      if (type == "400") set = rows.setFact(Fact::DeclaredDebits, amount);
      if (!set) return set;
    }
    return {};
  }

  /// The funds type and the fields that it brings; false if they cannot be told from others.
  static bool skipFunds(Fields& fields, Row* row) {
    const std::string type(fields.next());
    if (row != nullptr) (*row)[Member::FundsType] = type;
    if (type == "V") {
      const auto day = isoDateOfSix(fields.next());
      if (row != nullptr) (*row)[Member::Valued] = day.value_or("");
      fields.next();
      return day.has_value() || row == nullptr;
    }
    if (type == "S") {
      for (int i = 0; i < 3; ++i) fields.next();
      return true;
    }
    if (type != "D")
      return type.empty() ||
             (type.size() == 1 && std::string_view("012Z").find(type) != std::string_view::npos);
    const std::string_view count = fields.next();
    if (!isDigits(count) || count.size() > 2) return false;
    const int pairs = count.size() == 2 ? (count[0] - '0') * 10 + (count[1] - '0') : count[0] - '0';
    for (int i = 0; i < pairs * 2; ++i) fields.next();
    return true;
  }

  Result<> detail(Fields& fields, const std::string& raw) {
    if (!m_isOpen) return fail(formatError(m_recordLine, "an entry (16) before its account (03)"));
    Row row;
    row[Member::Type] = std::string(fields.next());
    const std::string_view written = fields.next();
    const bool isNote = row[Member::Type] == "890";  // a message without money
    const auto amount =
        isNote && written.empty() ? std::optional<std::string>("0") : amountOf(written);
    std::string_view column, reason;
    if (row[Member::Type].size() != 3 || !isDigits(row[Member::Type])) {
      column = "type", reason = "the type of an entry (16) has to be three digits";
    } else if (!amount) {
      column = "amount", reason = "the amount of an entry (16) has to be digits";
    } else if (!skipFunds(fields, &row)) {
      column = "funds type",
      reason = "the funds type of an entry (16) has to be 0, 1, 2, S, V with a date, D, Z or blank";
    }
    if (!column.empty()) {
      breakTotals();
      rows.defect(column, raw, reason, "16," + raw, m_recordLine);
      return {};
    }
    addAmount(*amount, m_ofAccount.amounts);
    addAmount(*amount, m_ofAccount.details);
    row[Member::Amount] = *amount;
    row[Member::Currency] = rows.facts[Fact::Currency];
    row[Member::Direction] = isNote ? "none" : directionOf(row[Member::Type]);
    row[Member::Reversal] = "false";
    row[Member::Status] = status();
    row[Member::Booked] = m_day;
    row[Member::BankReference] = std::string(fields.next());
    row[Member::CustomerReference] = std::string(fields.next());
    row[Member::Remittance] = fields.rest();
    const std::string reference = row[Member::BankReference];
    rows.entry(row, reference, m_recordLine);
    return {};
  }

  [[nodiscard]] std::string status() const {
    if (m_groupStatus == "2") return "deletion";
    if (m_groupStatus == "3") return "correction";
    if (m_groupStatus == "4") return "test";
    return m_modifier == "1" || m_modifier == "3" ? "interim" : "BOOK";
  }

  static void addAmount(std::string_view amount, ExactSum& sum) {
    const bool isNegative = !amount.empty() && amount[0] == '-';
    sum.add(isNegative ? amount.substr(1) : amount, isNegative);
  }

  void breakTotals() {
    for (Bai2Total* total : {&m_ofAccount, &m_ofGroup, &m_ofFile}) total->isWhole = false;
  }

  /// Some banks leave the amounts of the summary (03) out of the account's control total.
  Result<> accountTrailer(Fields& fields) {
    if (!m_isOpen)
      return fail(formatError(m_recordLine, "an account trailer (49) without its account (03)"));
    const std::string total = declaredTotal(fields.next());
    const bool isOfDetails = isSame(m_ofAccount.details, total);
    const ExactSum& counted = isOfDetails ? m_ofAccount.details : m_ofAccount.amounts;
    Result<> set = setTotals("account", total, fields.next(), m_ofAccount, counted);
    if (!set) return set;
    rows.facts[Fact::Status] = status();
    addAmount(total, m_ofGroup.amounts);
    ++m_ofGroup.parts;
    rows.endStatement(m_recordLine, RowWriter::Entries::PerhapsSome);
    m_isOpen = false;
    return {};
  }

  /// The trailer of a group (98) or of the file (99). Some banks leave out how many parts it has.
  Result<> outerTrailer(Fields& fields, std::string_view level, const Bai2Total& found,
                        Bai2Total* above) {
    closeAccount();
    const std::string total = declaredTotal(fields.next());
    std::string parts(fields.next()), records(fields.next());
    if (records.empty()) std::swap(parts, records);
    if (above != nullptr) {
      addAmount(total, above->amounts);
      ++above->parts;
    }
    rows.beginStatement("bai2");
    Result<> set = setTotals(level, total, records, found, found.amounts);
    if (set && !parts.empty()) set = rows.setFact(Fact::DeclaredParts, parts);
    if (!set) return set;
    if (found.isWhole) rows.facts[Fact::CountedParts] = fmt::format("{}", found.parts);
    rows.trailer(m_recordLine);
    rows.facts.clear();
    return {};
  }

  /// As a number; as it is written where it is none.
  static std::string declaredTotal(std::string_view written) {
    return amountOf(written).value_or(std::string(written));
  }

  Result<> setTotals(std::string_view level, std::string_view total, std::string_view records,
                     const Bai2Total& found, const ExactSum& counted) {
    Result<> set = rows.setFact(Fact::DeclaredTotal, total);
    if (set) set = rows.setFact(Fact::DeclaredRecords, records);
    if (!set) return set;
    rows.facts[Fact::Level] = std::string(level);
    if (!found.isWhole) return {};
    rows.facts[Fact::CountedTotal] = counted.text();
    rows.facts[Fact::CountedRecords] = fmt::format("{}", found.records);
    return {};
  }

  /// An account whose trailer is missing.
  void closeAccount() {
    if (!m_isOpen) return;
    rows.defect(
        "49", "",
        fmt::format(
            "the account that begins in line {} has no trailer (49): entries may be missing",
            m_accountLine),
        rows.facts[Fact::Account], m_recordLine);
    breakTotals();
    rows.endStatement(m_recordLine, RowWriter::Entries::PerhapsSome);
    m_isOpen = false;
  }

  std::string m_code;  ///< of the record being gathered
  std::vector<std::string> m_pieces;
  std::size_t m_bytes = 0;
  std::uint64_t m_recordLine = 0, m_accountLine = 0;
  std::string m_originator, m_groupStatus, m_day, m_groupCurrency, m_modifier;
  Bai2Total m_ofAccount, m_ofGroup, m_ofFile;
  bool m_isOpen = false, m_isOver = false;
};

}  // namespace

std::unique_ptr<Transcoder> makeBai2Transcoder() {
  return std::make_unique<Bai2Transcoder>();
}

}  // namespace counterfoil::bank
