// SPDX-License-Identifier: GPL-3.0-or-later
// A running balance: whether the rows of a statement follow each other without a gap. Each row
// leads from the balance before it to the one it states. Rows may stand forward or backward in
// time, and rows of one moment in any order; stretches of a file are joined in the order of the
// file, whoever read them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "importers/mapping/exact_number.h"

namespace counterfoil {

/// Rows that follow each other, in the order of the file.
struct BalanceStretch {
  Nano from = 0;
  Nano to = 0;
  std::uint64_t line = 0;  ///< of its first row
};

/// The stretches under one direction of time. Of a file that breaks all the time only the first are
/// kept.
class BalanceSide {
 public:
  static constexpr std::size_t kMostKept = 128;
  void append(const BalanceStretch& stretch);
  void append(const BalanceSide& later, Nano shiftOfFirst);
  void shiftLines(std::uint64_t by);
  [[nodiscard]] const std::vector<BalanceStretch>& kept() const { return m_kept; }
  [[nodiscard]] std::uint64_t total() const { return m_total; }
  [[nodiscard]] const BalanceStretch& last() const { return m_last; }

 private:
  std::vector<BalanceStretch> m_kept;
  std::uint64_t m_total = 0;
  BalanceStretch m_last;
};

struct BalanceBreak {
  std::uint64_t line = 0;
  Nano expected = 0;  ///< where the rows before it ended
  Nano found = 0;     ///< where it begins
};

struct BalanceOutcome {
  std::uint64_t breaks = 0;
  std::vector<BalanceBreak> first;  ///< by line, bounded
  Nano opening = 0, closing = 0;    ///< in time
  /// False where the rows fit in several orders that begin elsewhere: movements that come to
  /// nothing.
  bool hasCertainEnds = true;
};

class BalanceChain {
 public:
  /// `balance` as the row states it after itself; nothing if it states none.
  void add(const std::optional<Nano>& balance, Nano moved, std::uint64_t line);
  /// `later`: rows behind those of this one in the file.
  void append(const BalanceChain& later);
  void shiftLines(std::uint64_t by);
  [[nodiscard]] std::uint64_t rows() const { return m_rows; }  ///< that state a balance
  /// Requires rows() > 0. In the direction that fits better.
  [[nodiscard]] BalanceOutcome outcome() const;

 private:
  BalanceSide m_forward, m_backward;
  Nano m_pending = 0;  ///< moved by rows without a balance behind the last one that has it
  std::uint64_t m_rows = 0;
};

}  // namespace counterfoil
