// SPDX-License-Identifier: GPL-3.0-or-later
// What the rows of a stretch of a file come to under a mapping's checks. Stretches may be read by
// any thread in any order; joined they say the same.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/run/statement_check.h"
#include "importers/mapping/balance_chain.h"

namespace counterfoil {

/// The first few by line.
class FirstExamples {
 public:
  static constexpr std::size_t kMost = 5;
  /// Whether an example of that line would be kept.
  [[nodiscard]] bool wants(std::uint64_t line) const;
  void add(std::uint64_t line, std::string seen);
  void add(const FirstExamples& other);
  void shiftLines(std::uint64_t by);
  [[nodiscard]] const std::vector<StatementExample>& all() const { return m_all; }

 private:
  std::vector<StatementExample> m_all;
};

/// A stable number of a group's name.
[[nodiscard]] std::uint64_t groupNumber(std::string_view name);

/// Values by name, of which too many are thinned out: which are left depends on the names alone,
/// not on the order in which they came, and those left are whole.
template <class Value>
class ThinnedGroups {
 public:
  explicit ThinnedGroups(std::size_t most) : m_most(most) {}

  /// Null if the name is not among those kept.
  Value* at(std::string_view name) {
    const auto known = m_values.find(name);
    if (known != m_values.end()) return &known->second;
    if (!keeps(name)) return nullptr;
    Value* added = &m_values.emplace(std::string(name), Value()).first->second;
    if (m_values.size() <= m_most) return added;
    thin();
    const auto left = m_values.find(name);
    return left == m_values.end() ? nullptr : &left->second;
  }

  /// Joins other's values into these, in order of name: join(mine, theirs).
  void add(const ThinnedGroups& other, const std::function<void(Value&, const Value&)>& join) {
    if (other.m_halvings > m_halvings) {
      m_halvings = other.m_halvings;
      dropOthers();
    }
    for (const auto& [name, value] : other.m_values) {
      if (Value* mine = at(name)) join(*mine, value);
    }
  }

  [[nodiscard]] const std::map<std::string, Value, std::less<>>& values() const { return m_values; }
  [[nodiscard]] std::map<std::string, Value, std::less<>>& values() { return m_values; }
  /// 0: all of them are there; else one of 2^n.
  [[nodiscard]] unsigned halvings() const { return m_halvings; }

 private:
  [[nodiscard]] bool keeps(std::string_view name) const {
    return m_halvings == 0 || groupNumber(name) >> (64 - m_halvings) == 0;
  }
  void thin() {
    while (m_values.size() > m_most && m_halvings < 63) {
      ++m_halvings;
      dropOthers();
    }
  }
  void dropOthers() {
    std::erase_if(m_values, [this](const auto& entry) { return !keeps(entry.first); });
  }

  std::size_t m_most;
  unsigned m_halvings = 0;
  std::map<std::string, Value, std::less<>> m_values;
};

/// What the rows of a group came to.
struct GroupSum {
  Nano sum = 0;
  Nano is = 0;  ///< what the rows themselves say that it should be
  std::uint64_t rows = 0;
  std::uint64_t saying = 0;         ///< rows that say it
  bool isAsked = false;             ///< "when_has": a row of that kind is among them
  std::uint64_t line = UINT64_MAX;  ///< of its first row
  void add(const GroupSum& other);
};

/// A balance that the rows repeat, or the file states: the first by line, and whether others
/// differ.
struct StatedBalance {
  std::optional<Nano> value;
  std::uint64_t line = UINT64_MAX;
  bool differs = false;
  void add(Nano stated, std::uint64_t atLine);
  void add(const StatedBalance& other);
};

struct GroupBalance {
  BalanceChain chain;
  Nano moved = 0;
  std::uint64_t rows = 0;
  std::uint64_t line = UINT64_MAX;
  StatedBalance opening, closing;
  std::string from, to;  ///< the first and the last day, yyyy-mm-dd, or ""
  void addDays(std::string_view first, std::string_view last);
  void append(const GroupBalance& later);
  void shiftLines(std::uint64_t by);
};

/// Balances need the order of rows: stretches of the file by their place, joined where they touch.
class BalancePieces {
 public:
  static constexpr std::size_t kMostGroups = 256;
  using Groups = ThinnedGroups<GroupBalance>;
  BalancePieces();
  /// The groups of the piece at hand.
  [[nodiscard]] Groups& groups() { return m_pieces.begin()->second.groups; }
  void setPlace(std::uint64_t place);
  void add(const BalancePieces& other);
  void shiftLines(std::uint64_t by);
  /// All pieces as one.
  [[nodiscard]] Groups joined() const;

 private:
  struct Piece {
    std::uint64_t last = 0;
    Groups groups{kMostGroups};
  };
  static void join(Groups& earlier, const Groups& later);
  std::map<std::uint64_t, Piece> m_pieces;  ///< by first place
};

struct CheckState {
  static constexpr std::size_t kMostGroups = 8192;
  std::uint64_t tried = 0;
  std::uint64_t breaks = 0;  ///< with the numbers that cannot be read
  FirstExamples examples;
  ThinnedGroups<GroupSum> groups{kMostGroups};
  std::optional<BalancePieces> balances;
};

/// By check of the mapping.
struct CheckTally {
  std::vector<CheckState> checks;
  /// Which part of the file the rows are of: 0, 1, 2, … without a hole in the end.
  void setPlace(std::uint64_t place);
  void add(const CheckTally& other);
  void shiftLines(std::uint64_t by);
};

}  // namespace counterfoil
