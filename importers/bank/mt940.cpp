// SPDX-License-Identifier: GPL-3.0-or-later
// MT940 and MT942 messages, bare or in their envelope, several in a file.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "core/base/text.h"
#include "importers/bank/bank_rows.h"
#include "importers/bank/mt940_details.h"

namespace counterfoil::bank {

namespace {

using namespace std::string_view_literals;

constexpr std::size_t kMaxFieldLines = 1000;

bool startsWith(std::string_view text, std::string_view start) {
  return text.substr(0, start.size()) == start;
}

/// "61" of ":61:…", "" if the line begins no field.
std::string_view tagOf(std::string_view line) {
  if (line.size() < 4 || line[0] != ':') return {};
  if (startsWith(line, ":NS:")) return line.substr(1, 2);
  if (!isDigits(line.substr(1, 2))) return {};
  if (line[3] == ':') return line.substr(1, 2);
  if (line.size() >= 5 && line[3] >= 'A' && line[3] <= 'Z' && line[4] == ':')
    return line.substr(1, 3);
  return {};
}

bool isCurrency(std::string_view text) {
  return text.size() == 3 &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
}

struct Balance {
  std::string amount, currency, date;
};

/// "C240131EUR1234,56".
std::optional<Balance> readBalance(std::string_view text) {
  text = trim(text);
  if (text.size() < 11 || (text[0] != 'C' && text[0] != 'D')) return std::nullopt;
  const auto date = isoDateOfSix(text.substr(1, 6));
  const std::string amount = plainDecimal(text.substr(10));
  if (!date || !isCurrency(text.substr(7, 3)) || !isPlainDecimal(amount)) return std::nullopt;
  return Balance{(text[0] == 'D' ? "-" : "") + amount, std::string(text.substr(7, 3)), *date};
}

/// The first line of a :61:, taken apart from its beginning.
class StatementLine {
 public:
  explicit StatementLine(std::string_view text) : m_rest(text) {}

  /// What is wrong with it; "" if it was read into the row.
  std::string_view read(Row& row) {
    const auto valued = isoDateOfSix(m_rest.substr(0, 6));
    if (!valued) return "the value date of a :61: has to be yymmdd";
    row[Member::Valued] = *valued;
    m_rest.remove_prefix(6);
    if (isDigits(m_rest.substr(0, 4)) && m_rest.size() >= 4) {
      const auto booked = entryDate(*valued, m_rest.substr(0, 4));
      if (!booked) return "the entry date of a :61: has to be mmdd";
      row[Member::Booked] = *booked;
      m_rest.remove_prefix(4);
    }
    if (!readMark(row)) return "a :61: needs C, D, RC or RD behind its dates";
    if (!m_rest.empty() && m_rest[0] >= 'A' && m_rest[0] <= 'Z') {
      row[Member::FundsType] = std::string(m_rest.substr(0, 1));
      m_rest.remove_prefix(1);
    }
    const std::size_t end = std::min(m_rest.find_first_not_of("0123456789,."), m_rest.size());
    row[Member::Amount] = plainDecimal(m_rest.substr(0, end));
    if (!isPlainDecimal(row[Member::Amount]))
      return "the amount of a :61: has to be digits with a decimal comma";
    m_rest.remove_prefix(end);
    readReferences(row);
    return {};
  }

 private:
  /// Days around the turn of a year are of the year that is nearer.
  static std::optional<std::string> entryDate(const std::string& valued,
                                              std::string_view monthDay) {
    int year = (valued[0] - '0') * 1000 + (valued[1] - '0') * 100 + (valued[2] - '0') * 10 +
               (valued[3] - '0');
    const int valueMonth = (valued[5] - '0') * 10 + (valued[6] - '0');
    const int month = (monthDay[0] - '0') * 10 + (monthDay[1] - '0');
    if (month - valueMonth > 6) --year;
    if (valueMonth - month > 6) ++year;
    return isoDate(fmt::format("{:04}", year), monthDay.substr(0, 2), monthDay.substr(2, 2));
  }

  bool readMark(Row& row) {
    row[Member::Reversal] = "false";
    if (startsWith(m_rest, "R")) row[Member::Reversal] = "true";
    if (startsWith(m_rest, "E")) row[Member::Status] = "expected";
    if (startsWith(m_rest, "R") || startsWith(m_rest, "E")) m_rest.remove_prefix(1);
    if (m_rest.empty() || (m_rest[0] != 'C' && m_rest[0] != 'D')) return false;
    // RD takes a debit back: money comes in.
    const bool isCredit = (m_rest[0] == 'C') != (row[Member::Reversal] == "true");
    row[Member::Direction] = isCredit ? "credit" : "debit";
    m_rest.remove_prefix(1);
    return true;
  }

  void readReferences(Row& row) {
    if (m_rest.size() >= 4 && m_rest[0] >= 'A' && m_rest[0] <= 'Z') {
      row[Member::Type] = std::string(m_rest.substr(0, 4));
      m_rest.remove_prefix(4);
    }
    const std::size_t slashes = m_rest.find("//");
    row[Member::CustomerReference] = std::string(trim(m_rest.substr(0, slashes)));
    if (slashes != std::string_view::npos)
      row[Member::BankReference] = std::string(trim(m_rest.substr(slashes + 2)));
  }

  std::string_view m_rest;
};

class Mt940Transcoder final : public LineTranscoder {
 private:
  Result<> line(std::string_view text) override {
    while (!text.empty() && (text.back() == '\0' || text.back() == '\x03' || text.back() == '\x1A'))
      text.remove_suffix(1);
    while (!text.empty() && (text.front() == '\x01' || text.front() == '\x02'))
      text.remove_prefix(1);
    if (startsWith(text, "{")) {
      const std::size_t block = text.find("{4:");
      if (block == std::string_view::npos) return {};
      Result<> ended = endMessage();
      if (!ended) return ended;
      m_inEnvelope = true;
      text.remove_prefix(block + 3);
    }
    const std::string_view bare = trim(text);
    if (bare == "-"sv || startsWith(bare, "-}") || bare == "XXX"sv || bare == "-XXX"sv) {
      m_inEnvelope = false;
      return endMessage();
    }
    const std::string_view tag = tagOf(text);
    if (tag.empty()) return continued(text);
    Result<> done = field();
    if (!done) return done;
    m_tag = std::string(tag);
    m_fieldLine = lineNumber();
    m_lines.assign(1, std::string(text.substr(tag.size() + 2)));
    return {};
  }

  Result<> continued(std::string_view text) {
    if (m_tag.empty() || trim(text).empty())
      return {};  // before the first field banks write lines of their own
    if (m_lines.size() >= kMaxFieldLines) {
      return fail(ErrorCode::Limit, fmt::format("line {}: the field :{}: has more than {} lines",
                                                lineNumber(), m_tag, kMaxFieldLines));
    }
    m_bytes += text.size();
    if (m_bytes > kMaxValueBytes) {
      return fail(ErrorCode::Limit, fmt::format("line {}: the field :{}: has more than {} bytes",
                                                lineNumber(), m_tag, kMaxValueBytes));
    }
    m_lines.emplace_back(text);
    return {};
  }

  Result<> end() override {
    const bool wasInEnvelope = m_inEnvelope;
    Result<> done = field();
    if (!done) return done;
    writeEntry();
    if (!m_hadStatement)
      return fail(
          formatError(lineNumber(), "cut off: the file ends before its first statement (:20:)"));
    if (m_isOpen && !m_isClosed && (!m_isInterim || wasInEnvelope)) {
      return fail(formatError(
          lineNumber(),
          fmt::format("cut off: the statement that begins in line {} has no {}", m_statementLine,
                      m_isInterim ? "end (-})" : "closing balance (:62F:)")));
    }
    return endMessage();
  }

  /// A message that ends without its closing balance is not whole: what it lacks cannot be known.
  Result<> endMessage() {
    Result<> done = field();
    if (!done) return done;
    writeEntry();
    if (m_isOpen) {
      if (!m_isClosed && !m_isInterim) {
        rows.defect(":62F:", "",
                    fmt::format("the statement that begins in line {} has no closing balance: "
                                "entries may be missing",
                                m_statementLine),
                    rows.facts[Fact::Id], lineNumber());
      }
      rows.endStatement(lineNumber(), RowWriter::Entries::All);
    }
    m_isOpen = false;
    return {};
  }

  /// The field whose lines are complete.
  Result<> field() {
    if (m_tag.empty()) return {};
    const std::string tag = std::move(m_tag);
    m_tag.clear();
    m_bytes = 0;
    const std::string_view first = m_lines.front();
    if (tag == "20") return beginStatement(trim(first));
    if (!m_isOpen) {
      return fail(formatError(m_fieldLine,
                              fmt::format("a field :{}: before the :20: of its statement", tag)));
    }
    if (tag == "61") return beginEntry();
    if (tag == "86") {
      if (!m_hasEntry) return {};  // of the whole statement
      for (const std::string& detail : m_lines) m_detailBytes += detail.size();
      if (m_details.size() + m_lines.size() > kMaxFieldLines || m_detailBytes > kMaxValueBytes) {
        return fail(ErrorCode::Limit,
                    fmt::format("line {}: more than {} lines of :86: for one entry, or {} bytes",
                                m_fieldLine, kMaxFieldLines, kMaxValueBytes));
      }
      m_details.insert(m_details.end(), m_lines.begin(), m_lines.end());
      return {};
    }
    if (tag == "NS") return {};
    writeEntry();
    return statementField(tag, first);
  }

  Result<> beginStatement(std::string_view id) {
    const std::string name(id);
    m_tag.clear();
    Result<> ended = endMessage();
    if (!ended) return ended;
    rows.beginStatement("mt940");
    m_isOpen = true;
    m_hadStatement = true;
    m_isClosed = false;
    m_isInterim = false;
    m_statementLine = m_fieldLine;
    return rows.setFact(Fact::Id, name);
  }

  Result<> statementField(std::string_view tag, std::string_view first) {
    if (tag == "25" || tag == "25P") return setAccount(trim(first));
    if (tag == "28" || tag == "28C") return rows.setFact(Fact::Number, trim(first));
    if (tag == "34F" || tag == "13" || tag == "13D") {
      m_isInterim = true;
      rows.facts[Fact::Format] = "mt942";
      if (tag == "34F" && isCurrency(first.substr(0, 3)))
        return rows.setFact(Fact::Currency, first.substr(0, 3));
      return tag == "34F" ? Result<>() : rows.setFact(Fact::Created, trim(first));
    }
    if (tag == "90C" || tag == "90D") {
      const std::size_t digits = std::min(first.find_first_not_of("0123456789"), first.size());
      const std::string sum =
          first.size() > digits + 3 ? plainDecimal(first.substr(digits + 3)) : std::string();
      return rows.setFact(tag == "90C" ? Fact::DeclaredCredits : Fact::DeclaredDebits, sum);
    }
    if (tag == "60F" || tag == "60M") {
      const Result<> set =
          setBalance(tag, first, Fact::Opening, Fact::OpeningDate, Fact::OpeningCurrency);
      return set ? dropCurrencyOfAccount() : set;
    }
    if (tag == "64")
      return setBalance(tag, first, Fact::Available, Fact::AvailableDate, Fact::Currency);
    if (tag != "62F" && tag != "62M") return {};
    m_isClosed = true;
    return setBalance(tag, first, Fact::Closing, Fact::ClosingDate, Fact::ClosingCurrency);
  }

  /// "NL13TEST0123456789 EUR", with :25P: the bank in the next line.
  Result<> setAccount(std::string_view text) {
    const std::size_t blank = text.find(' ');
    Result<> set = rows.setFact(Fact::Account, text.substr(0, blank));
    if (!set) return set;
    if (m_lines.size() > 1) set = rows.setFact(Fact::Bank, trim(m_lines[1]));
    if (!set || blank == std::string_view::npos) return set;
    const std::string_view behind = trim(text.substr(blank));
    if (!isCurrency(behind)) return {};
    return rows.setFact(Fact::Currency, behind);
  }

  /// "NL13TEST0123456789EUR": some banks write the currency behind the number.
  Result<> dropCurrencyOfAccount() {
    const std::string account = rows.facts[Fact::Account];
    const std::string& currency = rows.facts[Fact::OpeningCurrency];
    const bool isBehind = account.size() > 12 &&
                          account.compare(account.size() - 3, 3, currency) == 0 &&
                          isDigits(std::string_view(account).substr(account.size() - 4, 1));
    return isBehind ? rows.setFact(Fact::Account,
                                   std::string_view(account).substr(0, account.size() - 3))
                    : Result<>();
  }

  Result<> setBalance(std::string_view tag, std::string_view text, Fact amount, Fact date,
                      Fact currency) {
    const std::optional<Balance> balance = readBalance(text);
    if (!balance) {
      return fail(formatError(
          m_fieldLine,
          fmt::format(
              "':{}:{}' is no balance: C or D, yymmdd, currency and amount with a decimal comma",
              tag, shown(text))));
    }
    Result<> set = rows.setFact(amount, balance->amount);
    if (set) set = rows.setFact(date, balance->date);
    if (set) set = rows.setFact(currency, balance->currency);
    if (set && rows.facts[Fact::Currency].empty())
      set = rows.setFact(Fact::Currency, balance->currency);
    return set;
  }

  Result<> beginEntry() {
    writeEntry();
    m_row.clear();
    m_details.clear();
    m_detailBytes = 0;
    m_entryLine = m_fieldLine;
    m_hasEntry = true;
    m_row[Member::Status] = m_isInterim ? "interim" : "BOOK";
    m_row[Member::Currency] = rows.facts[Fact::OpeningCurrency].empty()
                                  ? rows.facts[Fact::Currency]
                                  : rows.facts[Fact::OpeningCurrency];
    std::string_view fault = StatementLine(m_lines.front()).read(m_row);
    if (fault.empty() && m_row[Member::Currency].empty())
      fault = "no :60F: before tells the currency of this entry";
    if (!fault.empty()) {
      rows.defect(":61:", m_lines.front(), fault, ":61:" + m_lines.front(), m_entryLine);
      m_hasEntry = false;
      return {};
    }
    for (std::size_t i = 1; i < m_lines.size(); ++i) {
      if (!join(m_row[Member::Info], trim(m_lines[i]))) break;  // a field is bounded already
    }
    return {};
  }

  /// An entry is complete when the field behind its :86: begins.
  void writeEntry() {
    if (!m_hasEntry) return;
    m_hasEntry = false;
    readDetails(m_details, m_row);
    const std::string reference = m_row[Member::BankReference];
    rows.entry(m_row, reference, m_entryLine);
    rows.addToTotals(m_row);
  }

  bool m_inEnvelope = false;
  bool m_isOpen = false;  ///< a statement has begun
  bool m_hadStatement = false;
  bool m_isClosed = false;   ///< it has its closing balance
  bool m_isInterim = false;  ///< an MT942: none is to come
  bool m_hasEntry = false;
  std::uint64_t m_statementLine = 0, m_fieldLine = 0, m_entryLine = 0;
  std::string m_tag;  ///< of the field whose lines are being gathered
  std::vector<std::string> m_lines;
  std::size_t m_bytes = 0;
  std::vector<std::string> m_details;  ///< lines of the entry's :86:
  std::size_t m_detailBytes = 0;
  Row m_row;
};

}  // namespace

std::unique_ptr<Transcoder> makeMt940Transcoder() {
  return std::make_unique<Mt940Transcoder>();
}

}  // namespace counterfoil::bank
