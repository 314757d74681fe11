// SPDX-License-Identifier: GPL-3.0-or-later
// OFX and QFX: SGML, whose elements with a value need no end tag, and XML. Both are read as tags
// and values.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "core/base/text.h"
#include "importers/bank/bank_rows.h"
#include "importers/bank/ofx_values.h"

namespace counterfoil::bank {

namespace {

constexpr std::size_t kMaxDepth = 64;
constexpr std::size_t kMaxTagBytes = 1024;

/// Elements that hold others, of those that are looked into. Everything else without a value is
/// blank.
constexpr std::array<std::string_view, 27> kAggregates = {"OFX",
                                                          "SIGNONMSGSRSV1",
                                                          "BANKMSGSRSV1",
                                                          "CREDITCARDMSGSRSV1",
                                                          "INVSTMTMSGSRSV1",
                                                          "STMTTRNRS",
                                                          "CCSTMTTRNRS",
                                                          "INVSTMTTRNRS",
                                                          "STMTRS",
                                                          "CCSTMTRS",
                                                          "INVSTMTRS",
                                                          "BANKACCTFROM",
                                                          "CCACCTFROM",
                                                          "BANKTRANLIST",
                                                          "BANKTRANLISTP",
                                                          "INVTRANLIST",
                                                          "INVBANKTRAN",
                                                          "STMTTRN",
                                                          "STMTTRNP",
                                                          "LEDGERBAL",
                                                          "AVAILBAL",
                                                          "CURRENCY",
                                                          "ORIGCURRENCY",
                                                          "PAYEE",
                                                          "BANKACCTTO",
                                                          "CCACCTTO",
                                                          "BALLIST"};

bool isAggregate(std::string_view name) {
  return std::find(kAggregates.begin(), kAggregates.end(), name) != kAggregates.end();
}

struct ValueMember {
  std::string_view name;
  Member member;
};
constexpr std::array<ValueMember, 11> kValues = {{
    {"TRNTYPE", Member::Type},
    {"FITID", Member::BankReference},
    {"CORRECTFITID", Member::Corrects},
    {"CORRECTACTION", Member::CorrectAction},
    {"SRVRTID", Member::TransactionId},
    {"CHECKNUM", Member::CheckNumber},
    {"REFNUM", Member::CustomerReference},
    {"NAME", Member::Counterparty},
    {"MEMO", Member::Remittance},
    {"EXTDNAME", Member::Info},
    {"SIC", Member::TypeProprietary},
}};

class OfxTranscoder final : public Transcoder {
 public:
  Result<> feed(std::string_view text) override {
    m_text += text;
    return take(false);
  }

  Result<> finish() override {
    const Result<> done = take(true);
    if (!done) return done;
    if (m_open.empty() && m_sawOfx) return {};
    if (!m_sawOfx) return fail(formatError(m_line, "cut off: the file ends before its <OFX>"));
    return fail(formatError(
        m_line, fmt::format("cut off: the file ends inside of <{}>, which begins in line {}",
                            m_open.back().name, m_open.back().line)));
  }

 private:
  struct Open {
    std::string name;
    std::uint64_t line;
  };

  static bool beginsTag(std::string_view text, std::size_t at) {
    const char c = at + 1 < text.size() ? text[at + 1] : '\0';
    return c == '/' || c == '!' || c == '?' || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
  }

  /// Tags with all of the text behind them; the rest waits.
  Result<> take(bool last) {
    std::size_t at = 0;
    while (true) {
      const std::size_t tag = nextTag(at);
      if (tag == std::string_view::npos || tag + 1 >= m_text.size()) break;
      const std::size_t close = tagEnd(tag);
      if (close == std::string_view::npos) {
        if (m_text.size() - tag > kMaxTagBytes) return limit("a tag", kMaxTagBytes);
        break;
      }
      const std::size_t end = nextTag(close);
      if (end == std::string_view::npos && !last) {
        if (m_text.size() - close > kMaxValueBytes) return limit("a value", kMaxValueBytes);
        break;
      }
      const std::size_t valueEnd = std::min(end, m_text.size());
      if (valueEnd - close > kMaxValueBytes) return limit("a value", kMaxValueBytes);
      countLines(at, tag);
      const Result<> done = element(std::string_view(m_text).substr(tag + 1, close - tag - 2),
                                    std::string_view(m_text).substr(close, valueEnd - close));
      if (!done) return done;
      countLines(tag, valueEnd);
      at = valueEnd;
      if (end == std::string_view::npos) break;
    }
    if (last) countLines(at, m_text.size());
    m_text.erase(0, at);
    if (m_text.size() > 4 * kMaxValueBytes)
      return limit("the text before a tag", 4 * kMaxValueBytes);
    return {};
  }

  [[nodiscard]] std::size_t nextTag(std::size_t from) const {
    std::size_t at = m_text.find('<', from);
    while (at != std::string::npos && at + 1 < m_text.size() && !beginsTag(m_text, at))
      at = m_text.find('<', at + 1);
    return at;
  }

  /// Behind the tag, comment or CDATA section that begins at `tag`.
  [[nodiscard]] std::size_t tagEnd(std::size_t tag) const {
    const std::size_t end = m_text.find('>', tag);
    return end == std::string::npos ? end : end + 1;
  }

  void countLines(std::size_t from, std::size_t to) {
    m_line += static_cast<std::uint64_t>(
        std::count(m_text.begin() + static_cast<std::ptrdiff_t>(from),
                   m_text.begin() + static_cast<std::ptrdiff_t>(to), '\n'));
  }

  Result<> limit(std::string_view what, std::size_t bytes) const {
    return fail(ErrorCode::Limit,
                fmt::format("line {}: {} of more than {} bytes", m_line, what, bytes));
  }

  /// `tag` between its brackets, `value` up to the next tag.
  Result<> element(std::string_view tag, std::string_view value) {
    value = trim(value);
    constexpr std::string_view kCdata = "![CDATA[";
    if (tag.substr(0, kCdata.size()) == kCdata) {
      const std::string_view inner = tag.substr(kCdata.size());
      return m_leaf.empty() ? Result<>() : leaf(m_leaf, inner.substr(0, inner.find("]]")));
    }
    if (tag.empty() || tag[0] == '!' || tag[0] == '?') return {};
    const bool isEmpty = tag.back() == '/';
    if (isEmpty) tag.remove_suffix(1);
    const bool isEnd = tag[0] == '/';
    if (isEnd) tag.remove_prefix(1);
    std::string name = toLowerAscii(tag.substr(0, tag.find_first_of(" \t\r\n")));
    std::transform(name.begin(), name.end(), name.begin(),
                   [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; });
    if (isEnd) return close(name);
    m_leaf = name;
    if (isAggregate(name)) return isEmpty ? Result<>() : open(name);
    if (value.empty()) return {};
    const std::string text = withoutEntities(value);
    return leaf(name, trim(text));
  }

  Result<> open(const std::string& name) {
    if (name == "STMTTRN" || name == "STMTTRNP") {
      if (isIn(name)) {  // its end tag is missing
        const Result<> closed = close(name);
        if (!closed) return closed;
      }
      m_row.clear();
      m_posted.clear();
      m_available.clear();
      m_currency.clear();
      m_amount.clear();
      m_entryLine = m_line;
    }
    if (m_open.size() >= kMaxDepth) return limit("elements nested", kMaxDepth);
    if (name == "OFX") m_sawOfx = true;
    if (name == "STMTRS" || name == "CCSTMTRS") rows.beginStatement("ofx");
    m_open.push_back({name, m_line});
    return {};
  }

  [[nodiscard]] bool isIn(std::string_view name) const {
    return std::any_of(m_open.begin(), m_open.end(),
                       [&](const Open& open) { return open.name == name; });
  }
  [[nodiscard]] bool inStatement() const { return isIn("STMTRS") || isIn("CCSTMTRS"); }

  Result<> close(const std::string& name) {
    m_leaf.clear();
    if (!isIn(name)) return {};  // the end of a value
    while (!m_open.empty()) {
      const std::string ended = std::move(m_open.back().name);
      m_open.pop_back();
      if (ended == "STMTTRN" || ended == "STMTTRNP") writeEntry(ended == "STMTTRNP");
      if (ended == "STMTRS" || ended == "CCSTMTRS")
        rows.endStatement(m_line, RowWriter::Entries::PerhapsSome);
      if (ended == name) break;
    }
    return {};
  }

  Result<> leaf(std::string_view name, std::string_view value) {
    if (m_open.empty()) return {};
    const std::string& parent = m_open.back().name;
    if (isIn("STMTTRN") || isIn("STMTTRNP")) return entryValue(parent, name, value);
    if (!inStatement()) return {};
    if (name == "CURDEF") return rows.setFact(Fact::Currency, value);
    if (parent == "BANKACCTFROM" || parent == "CCACCTFROM") {
      if (name == "ACCTID") return rows.setFact(Fact::Account, value);
      if (name == "BANKID") return rows.setFact(Fact::Bank, value);
    }
    if (name == "DTSTART") return rows.setFact(Fact::From, isoTime(value).value_or(""));
    if (name == "DTEND") return rows.setFact(Fact::To, isoTime(value).value_or(""));
    if (parent != "LEDGERBAL" && parent != "AVAILBAL") return {};
    const bool isLedger = parent == "LEDGERBAL";
    if (name == "BALAMT") {
      if (isLedger) rows.facts[Fact::ClosingCurrency] = rows.facts[Fact::Currency];
      return rows.setFact(isLedger ? Fact::Closing : Fact::Available, plainDecimal(value));
    }
    if (name == "DTASOF")
      return rows.setFact(isLedger ? Fact::ClosingDate : Fact::AvailableDate,
                          isoTime(value).value_or(""));
    return {};
  }

  Result<> entryValue(const std::string& parent, std::string_view name, std::string_view value) {
    if (parent == "CURRENCY") {  // TRNAMT is in it; of ORIGCURRENCY it only was
      if (name == "CURSYM") m_currency = std::string(value);
      return {};
    }
    if (parent == "ORIGCURRENCY") {
      if (name == "CURSYM") m_row[Member::InstructedCurrency] = std::string(value);
      return {};
    }
    if (parent == "BANKACCTTO" || parent == "CCACCTTO") {
      if (name == "ACCTID") m_row[Member::CounterpartyAccount] = std::string(value);
      return {};
    }
    if (name == "TRNAMT") m_amount = std::string(value);
    if (name == "DTPOSTED" || (name == "DTTRAN" && m_posted.empty())) m_posted = std::string(value);
    if (name == "DTAVAIL") m_available = std::string(value);
    for (const ValueMember& known : kValues) {
      if (known.name == name && m_row[known.member].empty())
        m_row[known.member] = std::string(value);
    }
    return {};
  }

  void writeEntry(bool isPending) {
    const auto broken = [&](std::string_view column, std::string_view value,
                            std::string_view reason) {
      rows.defect(column, value, reason,
                  fmt::format("{} {} {} {} {}", m_row[Member::Type], m_posted, m_amount,
                              m_row[Member::BankReference], m_row[Member::Counterparty]),
                  m_entryLine);
    };
    if (!inStatement()) {
      return broken(
          "STMTTRN", "",
          "an entry outside of a bank or card statement (investment statements are not read)");
    }
    std::string amount = plainDecimal(m_amount);
    const bool isNegative = !amount.empty() && amount[0] == '-';
    if (!amount.empty() && (amount[0] == '-' || amount[0] == '+')) amount.erase(0, 1);
    if (!isPlainDecimal(amount))
      return broken("TRNAMT", m_amount, "the entry has no amount of digits with one decimal sign");
    const std::optional<std::string> posted = isoTime(m_posted);
    if (!posted)
      return broken("DTPOSTED", m_posted,
                    "the entry has no date yyyymmdd, perhaps with hhmmss.xxx[offset:zone]");
    const std::optional<std::string> available =
        m_available.empty() ? std::string() : isoTime(m_available);
    if (!available)
      return broken("DTAVAIL", m_available,
                    "no date yyyymmdd, perhaps with hhmmss.xxx[offset:zone]");
    m_row[Member::Amount] = amount;
    m_row[Member::Currency] = m_currency.empty() ? rows.facts[Fact::Currency] : m_currency;
    if (m_row[Member::Currency].empty())
      return broken("CURDEF", "", "the statement has no currency (CURDEF)");
    m_row[Member::Direction] = isNegative ? "debit" : "credit";
    m_row[Member::Reversal] = "false";
    m_row[Member::Status] = isPending ? "PDNG" : "BOOK";
    m_row[Member::Booked] = *posted;
    m_row[Member::Valued] = *available;
    const std::string reference = m_row[Member::BankReference];
    rows.entry(m_row, reference, m_entryLine);
  }

  std::string m_text;  ///< not yet taken
  std::uint64_t m_line = 1;
  std::vector<Open> m_open;
  std::string m_leaf;
  bool m_sawOfx = false;
  Row m_row;
  std::string m_amount, m_posted, m_available, m_currency;
  std::uint64_t m_entryLine = 0;
};

}  // namespace

std::unique_ptr<Transcoder> makeOfxTranscoder() {
  return std::make_unique<OfxTranscoder>();
}

}  // namespace counterfoil::bank
