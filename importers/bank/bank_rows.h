// SPDX-License-Identifier: GPL-3.0-or-later
// What the transcoders of bank files share: rows with fixed members, the facts of a statement,
// exact sums. Internal to importers/bank.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace counterfoil::bank {

inline constexpr std::size_t kMaxValueBytes = 64u << 10;  ///< of one member of a row
inline constexpr std::size_t kMaxFactBytes =
    2u << 10;  ///< of one fact of a statement: each row repeats them

/// Members of a row, in this order. Up to Booked each row has them; a mapping that finds none of a
/// kind or a status takes the usual one, which a blank must not become. Of the others those that
/// are not blank are written.
enum class Member : std::uint8_t {
  Row,
  Amount,
  Currency,
  Direction,
  Reversal,
  Status,
  Type,
  Booked,
  Valued,
  Reference,
  BankReference,
  CustomerReference,
  EndToEndId,
  InstructionId,
  TransactionId,
  PaymentId,
  MandateId,
  ClearingReference,
  CheckNumber,
  TypeProprietary,
  ReturnReason,
  Counterparty,
  CounterpartyAccount,
  Remittance,
  RemittanceReference,
  Info,
  Fees,
  FeesCurrency,
  InstructedAmount,
  InstructedCurrency,
  FundsType,
  BatchCount,
  BatchNumber,
  EntryReference,
  EntryAmount,
  Corrects,
  CorrectAction
};
inline constexpr std::size_t kMembers = static_cast<std::size_t>(Member::CorrectAction) + 1;

/// Facts of a statement: members of the object "statement" of each of its rows.
enum class Fact : std::uint8_t {
  Format,
  Id,
  Number,
  Created,
  From,
  To,
  Account,
  Currency,
  Owner,
  Bank,
  Opening,
  OpeningCurrency,
  OpeningDate,
  Closing,
  ClosingCurrency,
  ClosingDate,
  Available,
  AvailableDate,
  DeclaredEntries,
  DeclaredCredits,
  DeclaredDebits,
  DeclaredTotal,
  DeclaredRecords,
  DeclaredParts,
  Entries,
  Credits,
  Debits,
  Check,
  Level,
  Status,
  CountedEntries,
  CountedCredits,
  CountedDebits,
  CountedTotal,
  CountedRecords,
  CountedParts
};
inline constexpr std::size_t kFacts = static_cast<std::size_t>(Fact::CountedParts) + 1;

template <class Name, std::size_t Count>
class Texts {
 public:
  std::string& operator[](Name name) { return m_texts[static_cast<std::size_t>(name)]; }
  const std::string& operator[](Name name) const { return m_texts[static_cast<std::size_t>(name)]; }
  void clear() {
    for (std::string& text : m_texts) text.clear();
  }

 private:
  std::array<std::string, Count> m_texts;
};
using Row = Texts<Member, kMembers>;
using Facts = Texts<Fact, kFacts>;

/// A sum of plain decimals ("-12.5") of up to five places. Once something cannot be added it says
/// nothing.
class ExactSum {
 public:
  void add(std::string_view plain, bool negative = false);
  void reset() { *this = ExactSum(); }
  [[nodiscard]] std::optional<std::int64_t> units() const;  ///< of 0.00001
  [[nodiscard]] std::string text() const;                   ///< "" if unknown

 private:
  std::int64_t m_units = 0;
  bool m_known = true;
};

/// What the entries of a statement come to as the bank wrote them: whole entries, pending ones too.
class EntryTotals {
 public:
  void add(std::string_view amount, bool isCredit, bool isReversal, bool isBooked);
  /// Writes the totals beside those that `facts` declares.
  void compare(Facts& facts) const;

 private:
  struct Side {
    ExactSum credits, debits, total;
    std::uint64_t entries = 0;
    void add(std::string_view amount, bool isCredit);
  };
  Side m_all, m_booked;
  Side m_asMarked;  ///< a credit that was taken back counts as a credit
};

/// Which references a statement has had, by their hashes: 16 bytes each, a bound on all.
class ReferenceSet {
 public:
  /// False if it was there before, or if no more are held.
  bool insert(std::string_view text);
  void clear();

 private:
  void grow();
  std::vector<std::uint64_t> m_slots;  ///< 0: free; of a power of two
  std::size_t m_count = 0;
};

/// Writes rows as lines. Requires valid UTF-8 of what it is given.
class RowWriter {
 public:
  Facts
      facts;  ///< of the statement at hand; change them through setFact while its rows are written

  /// Error (Limit) if it is too long to be repeated.
  Result<> setFact(Fact fact, std::string_view value);
  void beginStatement(std::string_view format);
  /// `row` with Reference filled from `unique`, unless the statement has had that one.
  void entry(Row& row, std::string_view unique, std::uint64_t line);
  /// What an entry holds besides the transactions it was written as.
  void remainder(Row& row, std::uint64_t line);
  /// An entry as the bank wrote it, for its own totals.
  void addToTotals(const Row& row);
  /// An entry that cannot be read: `raw` is what it looks like.
  void defect(std::string_view column, std::string_view value, std::string_view reason,
              std::string_view raw, std::uint64_t line);
  /// Whether a statement gives all of its entries, so that its balances have to agree with them.
  enum class Entries : std::uint8_t { All, PerhapsSome };
  /// The statement's own row: its facts, the number of entries and their sums, and whether they
  /// agree. Where all entries are given and do not agree, a defect says so too.
  void endStatement(std::uint64_t line, Entries entries);
  /// A row for what stands around statements: the facts at hand.
  void trailer(std::uint64_t line);

  std::string& text() { return m_text; }

 private:
  void goToLine(std::uint64_t line);
  void append(const Row& row);
  void count(const Row& row);

  std::string m_text;
  std::uint64_t m_lines = 0;  ///< written
  std::string m_factsJson;
  bool m_factsChanged = true;
  ReferenceSet m_references;  ///< of the statement
  std::uint64_t m_entries = 0;
  std::uint64_t m_defects = 0;
  ExactSum m_credits, m_debits;
  EntryTotals m_totals;
};

/// Turns text into rows. Fed in pieces of any size.
class Transcoder {
 public:
  virtual ~Transcoder() = default;
  virtual Result<> feed(std::string_view text) = 0;
  /// The text has ended: what is not complete is an Error.
  virtual Result<> finish() = 0;
  RowWriter rows;
};

[[nodiscard]] std::unique_ptr<Transcoder> makeCamtTranscoder();
[[nodiscard]] std::unique_ptr<Transcoder> makeMt940Transcoder();
[[nodiscard]] std::unique_ptr<Transcoder> makeOfxTranscoder();
[[nodiscard]] std::unique_ptr<Transcoder> makeBai2Transcoder();

/// Lines of a text that comes in pieces.
class LineTranscoder : public Transcoder {
 public:
  Result<> feed(std::string_view text) final;
  Result<> finish() final;

 protected:
  virtual Result<> line(std::string_view text) = 0;  ///< without its end
  virtual Result<> end() = 0;
  [[nodiscard]] std::uint64_t lineNumber() const { return m_line; }

 private:
  Result<> give(std::string_view text);
  std::string m_rest;
  std::uint64_t m_line = 0;
  bool m_sawReturn = false;  ///< the last line ended in CR: a LF behind it is its own
};

/// "1.234,50" stays; "1234,50" is "1234.50", ",5" "0.5", "7," "7". Nothing but digits and one sign:
/// plain.
[[nodiscard]] std::string plainDecimal(std::string_view text);
[[nodiscard]] bool isPlainDecimal(std::string_view text);  ///< digits, perhaps a point and digits
[[nodiscard]] bool isDigits(std::string_view text);        ///< at least one, nothing else
/// "2024-02-29" of a year, month and day in digits; nothing if there is no such day.
[[nodiscard]] std::optional<std::string> isoDate(std::string_view year, std::string_view month,
                                                 std::string_view day);
/// Of yymmdd: 80 to 99 are of the last century.
[[nodiscard]] std::optional<std::string> isoDateOfSix(std::string_view text);
/// `text` behind `to`, with a blank between them if both are there. False if it becomes too long.
[[nodiscard]] bool join(std::string& to, std::string_view text, std::string_view between = " ");
[[nodiscard]] Error formatError(std::uint64_t line, std::string_view what);
/// A piece of text for messages: bounded, no control characters.
[[nodiscard]] std::string shown(std::string_view text);

}  // namespace counterfoil::bank
