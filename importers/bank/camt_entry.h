// SPDX-License-Identifier: GPL-3.0-or-later
// One entry (Ntry) of a CAMT statement while it is read. Internal to importers/bank.
#pragma once

#include <string>
#include <string_view>

#include "importers/bank/bank_rows.h"

namespace counterfoil::bank {

/// What Ntry and TxDtls have in common, by the path of the element below them.
struct CamtPart {
  Row row;
  std::string amount, currency;                        ///< Amt of the part itself
  std::string transactionAmount, transactionCurrency;  ///< AmtDtls/TxAmt
  std::string domain, family, subFamily;
  std::string debtor, debtorAccount, creditor, creditorAccount;
  bool isReturn = false;  ///< it has a RtrInf
  std::uint64_t line = 0;

  void clear();
  /// `path` below Ntry or TxDtls, `currency` the element's attribute. False: longer than a value
  /// may be.
  [[nodiscard]] bool set(std::string_view path, std::string_view text, std::string_view currency);
  /// Members that several elements make.
  void finish();
};

/// Collects an entry and writes it as one row, or as one for each of its transactions.
class CamtEntry {
 public:
  explicit CamtEntry(RowWriter& rows) : m_rows(rows) {}
  void begin(std::uint64_t line);
  void beginTransaction(std::uint64_t line) {
    m_transaction.clear();
    m_transaction.line = line;
  }
  void endTransaction();
  void end();

  CamtPart& entry() { return m_entry; }
  CamtPart& transaction() { return m_transaction; }

 private:
  enum class Shape : std::uint8_t { Open, Whole, Split, Broken };

  /// Turns the shape to Broken, and says why, where the entry itself cannot be read.
  void check();
  void writePart(CamtPart& part);
  void writeWhole();
  void writeRemainder();
  void mergeInto(Row& row, const CamtPart& part, bool isTransaction) const;
  [[nodiscard]] bool findAmount(const CamtPart& part, std::string& amount) const;
  [[nodiscard]] std::string raw(const CamtPart& part) const;

  RowWriter& m_rows;
  CamtPart m_entry, m_transaction, m_first;
  Shape m_shape = Shape::Open;
  bool m_isChecked = false;
  std::uint64_t m_transactions = 0;
  ExactSum m_sum;  ///< of the transactions, in the entry's direction
};

}  // namespace counterfoil::bank
