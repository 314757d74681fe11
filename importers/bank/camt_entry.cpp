// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/bank/camt_entry.h"

#include <fmt/format.h>

#include <array>

namespace counterfoil::bank {

namespace {

struct PathMember {
  std::string_view path;
  Member member;
};

constexpr std::array<PathMember, 37> kPaths = {{
    {"RvslInd", Member::Reversal},
    {"Sts", Member::Status},
    {"Sts/Cd", Member::Status},
    {"Sts/Prtry", Member::Status},
    {"BookgDt/Dt", Member::Booked},
    {"BookgDt/DtTm", Member::Booked},
    {"ValDt/Dt", Member::Valued},
    {"ValDt/DtTm", Member::Valued},
    {"AcctSvcrRef", Member::BankReference},
    {"NtryRef", Member::EntryReference},
    {"BkTxCd/Prtry/Cd", Member::TypeProprietary},
    {"AddtlNtryInf", Member::Info},
    {"NtryDtls/Btch/NbOfTxs", Member::BatchCount},
    {"NtryDtls/Btch/PmtInfId", Member::PaymentId},
    {"AmtDtls/InstdAmt/Amt", Member::InstructedAmount},
    {"Chrgs/TtlChrgsAndTaxAmt", Member::Fees},
    {"Refs/AcctSvcrRef", Member::BankReference},
    {"Refs/PmtInfId", Member::PaymentId},
    {"Refs/InstrId", Member::InstructionId},
    {"Refs/EndToEndId", Member::EndToEndId},
    {"Refs/TxId", Member::TransactionId},
    {"Refs/MndtId", Member::MandateId},
    {"Refs/ChqNb", Member::CheckNumber},
    {"Refs/ClrSysRef", Member::ClearingReference},
    {"Refs/AcctOwnrTxId", Member::CustomerReference},
    {"RtrInf/Rsn/Cd", Member::ReturnReason},
    {"RtrInf/Rsn/Prtry", Member::ReturnReason},
    {"RtrInf/RtrRsn/Cd", Member::ReturnReason},
    {"RtrInf/RtrRsn/Prtry", Member::ReturnReason},
    {"RmtInf/Ustrd", Member::Remittance},
    {"RmtInf/Strd/CdtrRefInf/Ref", Member::RemittanceReference},
    {"RmtInf/Strd/CdtrRefInf/CdtrRef", Member::RemittanceReference},
    {"RmtInf/Strd/RfrdDocInf/Nb", Member::RemittanceReference},
    {"RmtInf/Strd/RfrdDocInf/RfrdDocNb", Member::RemittanceReference},
    {"RmtInf/Strd/AddtlRmtInf", Member::Info},
    {"AddtlTxInf", Member::Info},
    {"CdtDbtInd", Member::Direction},
}};

struct PathText {
  std::string_view path;
  std::string CamtPart::*text;
};

constexpr std::array<PathText, 13> kTexts = {{
    {"BkTxCd/Domn/Cd", &CamtPart::domain},
    {"BkTxCd/Domn/Fmly/Cd", &CamtPart::family},
    {"BkTxCd/Domn/Fmly/SubFmlyCd", &CamtPart::subFamily},
    {"RltdPties/Dbtr/Nm", &CamtPart::debtor},
    {"RltdPties/Dbtr/Pty/Nm", &CamtPart::debtor},
    {"RltdPties/DbtrAcct/Id/IBAN", &CamtPart::debtorAccount},
    {"RltdPties/DbtrAcct/Id/Othr/Id", &CamtPart::debtorAccount},
    {"RltdPties/Cdtr/Nm", &CamtPart::creditor},
    {"RltdPties/Cdtr/Pty/Nm", &CamtPart::creditor},
    {"RltdPties/CdtrAcct/Id/IBAN", &CamtPart::creditorAccount},
    {"RltdPties/CdtrAcct/Id/Othr/Id", &CamtPart::creditorAccount},
    {"RltdPties/DbtrAcct/Id/PrtryAcct/Id", &CamtPart::debtorAccount},
    {"RltdPties/CdtrAcct/Id/PrtryAcct/Id", &CamtPart::creditorAccount},
}};

/// Texts that may come several times and belong together; of all others the first counts.
bool isJoined(Member member) {
  return member == Member::Remittance || member == Member::Info;
}

std::string directionOf(std::string_view indicator) {
  if (indicator == "CRDT") return "credit";
  if (indicator == "DBIT") return "debit";
  return std::string(indicator);
}

bool isDirection(std::string_view text) {
  return text == "credit" || text == "debit";
}

/// A date with a zone is the date: it is no instant.
void dropZoneOfDate(std::string& text) {
  if (text.size() > 10 && text[4] == '-' && text[7] == '-' && text[10] != 'T') text.resize(10);
}

bool isDateOrBlank(std::string_view text) {
  if (text.empty()) return true;
  return text.size() >= 10 && text[4] == '-' && text[7] == '-' &&
         isoDate(text.substr(0, 4), text.substr(5, 2), text.substr(8, 2)).has_value();
}

void fill(std::string& to, const std::string& from) {
  if (to.empty()) to = from;
}

}  // namespace

void CamtPart::clear() {
  row.clear();
  for (std::string* text :
       {&amount, &currency, &transactionAmount, &transactionCurrency, &domain, &family, &subFamily,
        &debtor, &debtorAccount, &creditor, &creditorAccount}) {
    text->clear();
  }
  isReturn = false;
}

bool CamtPart::set(std::string_view path, std::string_view text, std::string_view attribute) {
  if (path.substr(0, 6) == "RtrInf") isReturn = true;
  if (path == "Amt") {
    amount = std::string(text);
    currency = std::string(attribute);
    return true;
  }
  if (path == "AmtDtls/TxAmt/Amt") {
    transactionAmount = std::string(text);
    transactionCurrency = std::string(attribute);
    return true;
  }
  for (const PathMember& known : kPaths) {
    if (known.path != path) continue;
    if (known.member == Member::InstructedAmount)
      row[Member::InstructedCurrency] = std::string(attribute);
    if (known.member == Member::Fees) row[Member::FeesCurrency] = std::string(attribute);
    if (isJoined(known.member)) return join(row[known.member], text);
    if (row[known.member].empty()) row[known.member] = std::string(text);
    return true;
  }
  for (const PathText& known : kTexts) {
    if (known.path == path && (this->*known.text).empty()) this->*known.text = std::string(text);
  }
  return true;
}

void CamtPart::finish() {
  row[Member::Direction] = directionOf(row[Member::Direction]);
  for (const Member member : {Member::Booked, Member::Valued}) dropZoneOfDate(row[member]);
  if (!domain.empty()) row[Member::Type] = fmt::format("{}/{}/{}", domain, family, subFamily);
  if (isReturn && row[Member::ReturnReason].empty()) row[Member::ReturnReason] = "returned";
}

void CamtEntry::begin(std::uint64_t line) {
  m_entry.clear();
  m_entry.line = line;
  m_shape = Shape::Open;
  m_isChecked = false;
  m_transactions = 0;
  m_sum.reset();
}

std::string CamtEntry::raw(const CamtPart& part) const {
  const Row& row = part.row;
  return fmt::format("amount {} {}, {}, reference {} {}, end to end {}", part.amount, part.currency,
                     row[Member::Direction], row[Member::BankReference],
                     row[Member::EntryReference], row[Member::EndToEndId]);
}

void CamtEntry::check() {
  if (m_isChecked) return;
  m_isChecked = true;
  m_entry.finish();
  Row& row = m_entry.row;
  if (row[Member::Reversal] == "1") row[Member::Reversal] = "true";
  if (row[Member::Reversal].empty() || row[Member::Reversal] == "0")
    row[Member::Reversal] = "false";
  std::string_view column, value, reason;
  if (!isPlainDecimal(m_entry.amount)) {
    column = "Amt", value = m_entry.amount,
    reason = "the entry has no amount that is a number without sign";
  } else if (m_entry.currency.empty()) {
    column = "Amt/@Ccy", reason = "the entry's amount has no currency";
  } else if (!isDirection(row[Member::Direction])) {
    column = "CdtDbtInd", value = row[Member::Direction],
    reason = "the entry is neither CRDT nor DBIT";
  } else if (row[Member::Reversal] != "true" && row[Member::Reversal] != "false") {
    column = "RvslInd", value = row[Member::Reversal],
    reason = "the entry's reversal indicator is neither true nor false";
  } else if (!isDateOrBlank(row[Member::Booked])) {
    column = "BookgDt", value = row[Member::Booked],
    reason = "the entry's booking date is no date yyyy-mm-dd";
  } else if (!isDateOrBlank(row[Member::Valued])) {
    column = "ValDt", value = row[Member::Valued],
    reason = "the entry's value date is no date yyyy-mm-dd";
  } else {
    row[Member::Amount] = m_entry.amount;
    row[Member::Currency] = m_entry.currency;
    return;
  }
  m_shape = Shape::Broken;
  m_rows.defect(column, value, reason, raw(m_entry), m_entry.line);
}

/// The part's amount in the currency of the entry.
bool CamtEntry::findAmount(const CamtPart& part, std::string& amount) const {
  const auto take = [&](const std::string& text, const std::string& currency) {
    if (!isPlainDecimal(text) || currency != m_entry.currency) return false;
    amount = text;
    return true;
  };
  return take(part.amount, part.currency) ||
         take(part.transactionAmount, part.transactionCurrency) ||
         take(part.row[Member::InstructedAmount], part.row[Member::InstructedCurrency]);
}

void CamtEntry::endTransaction() {
  ++m_transactions;
  m_transaction.finish();
  check();
  if (m_shape == Shape::Broken || m_shape == Shape::Whole) return;
  if (m_transactions == 1) {  // whether it is one of several is seen with the next, or at the end
    std::swap(m_first, m_transaction);
    return;
  }
  if (m_shape == Shape::Open) {
    std::string amount;
    m_shape = findAmount(m_first, amount) ? Shape::Split : Shape::Whole;
    if (m_shape == Shape::Whole) return;
    m_transactions = 1;
    writePart(m_first);
    m_transactions = 2;
  }
  writePart(m_transaction);
}

void CamtEntry::mergeInto(Row& row, const CamtPart& part, bool isTransaction) const {
  for (std::size_t i = 0; i < kMembers; ++i) {
    const auto member = static_cast<Member>(i);
    if (!part.row[member].empty()) row[member] = part.row[member];
  }
  if (!isTransaction) return;
  // Parties keep their roles when a payment comes back.
  const bool comesBack = row[Member::Reversal] == "true" || part.isReturn;
  const bool isDebtor = (row[Member::Direction] == "credit") != comesBack;
  row[Member::Counterparty] = isDebtor ? part.debtor : part.creditor;
  row[Member::CounterpartyAccount] = isDebtor ? part.debtorAccount : part.creditorAccount;
  if (row[Member::Counterparty].empty() && row[Member::CounterpartyAccount].empty()) {
    const std::string& account = isDebtor ? part.creditorAccount : part.debtorAccount;
    if (account == m_rows.facts[Fact::Account]) return;
    row[Member::Counterparty] = isDebtor ? part.creditor : part.debtor;
    row[Member::CounterpartyAccount] = account;
  }
}

void CamtEntry::writePart(CamtPart& part) {
  std::string amount;
  if (!findAmount(part, amount)) {
    m_rows.defect("Amt", part.amount,
                  "a transaction of a batch without an amount in the entry's currency, though "
                  "others have one",
                  raw(part), part.line);
    return;
  }
  Row row;
  mergeInto(row, m_entry, false);
  row[Member::EntryReference] = m_entry.row[Member::BankReference].empty()
                                    ? m_entry.row[Member::EntryReference]
                                    : m_entry.row[Member::BankReference];
  row[Member::BankReference].clear();
  row[Member::Info].clear();
  const std::string entryDirection = row[Member::Direction];
  mergeInto(row, part, true);
  row[Member::EntryAmount] = m_entry.amount;
  row[Member::Amount] = amount;
  row[Member::Currency] = m_entry.currency;
  row[Member::BatchNumber] = fmt::format("{}", m_transactions);
  if (!isDirection(row[Member::Direction])) row[Member::Direction] = entryDirection;
  m_sum.add(amount, row[Member::Direction] != entryDirection);
  // The reference of the whole entry tells no transaction from another.
  const std::string& own = part.row[Member::BankReference];
  m_rows.entry(
      row, own == m_entry.row[Member::BankReference] ? std::string_view() : std::string_view(own),
      part.line);
}

void CamtEntry::writeWhole() {
  Row row = m_entry.row;
  std::string reference = row[Member::BankReference];
  if (m_transactions == 1) {
    const std::string direction = row[Member::Direction];
    mergeInto(row, m_first, true);
    row[Member::Amount] = m_entry.amount;
    row[Member::Currency] = m_entry.currency;
    row[Member::Direction] = direction;
    if (reference.empty()) reference = row[Member::BankReference];
    row[Member::BankReference] = reference;
  } else if (m_transactions > 1 && row[Member::BatchCount].empty()) {
    row[Member::BatchCount] = fmt::format("{}", m_transactions);
  }
  m_rows.entry(row, reference, m_entry.line);
}

/// What the entry holds besides its transactions: charges that were taken off, or what the bank
/// left out.
void CamtEntry::writeRemainder() {
  ExactSum left;
  left.add(m_entry.amount);
  const std::string sum = m_sum.text();
  if (sum.empty()) {
    m_rows.defect("Amt", m_entry.amount, "the transactions of this entry cannot be added up",
                  raw(m_entry), m_entry.line);
    return;
  }
  if (sum[0] == '-') {
    left.add(std::string_view(sum).substr(1));
  } else {
    left.add(sum, true);
  }
  if (!left.units() || *left.units() == 0) return;
  Row row = m_entry.row;
  const std::string text = left.text();
  const bool isNegative = text[0] == '-';
  row[Member::Amount] = isNegative ? text.substr(1) : text;
  if (isNegative) row[Member::Direction] = row[Member::Direction] == "credit" ? "debit" : "credit";
  row[Member::EntryAmount] = m_entry.amount;
  fill(row[Member::EntryReference], row[Member::BankReference]);
  m_rows.remainder(row, m_entry.line);
}

void CamtEntry::end() {
  check();
  if (m_shape != Shape::Broken) m_rows.addToTotals(m_entry.row);
  switch (m_shape) {
    case Shape::Broken:
      return;
    case Shape::Split:
      return writeRemainder();
    case Shape::Open:
    case Shape::Whole:
      return writeWhole();
  }
}

}  // namespace counterfoil::bank
