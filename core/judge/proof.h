// SPDX-License-Identifier: GPL-3.0-or-later
// The proof of classes.md §6: a bridge from the local total to the provider total, per scope, currency
// and kind, that closes to zero unless a record was lost or counted twice. Sums are 128-bit inside;
// a result outside int64 is an error.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/judge/unit.h"
#include "core/policy/policy.h"

namespace counterfoil {

enum class ProofKind : std::uint8_t { Forward, Reversal };
[[nodiscard]] std::string_view codeOf(ProofKind kind);

/// The steps of the bridge, in print order.
enum class BridgeStep : std::uint8_t {
  Duplicates, Unrecorded, DespiteFailure, Unacknowledged, AmountDifferences, Missing, FalseSuccess, Expected,
  OutOfWindow, Dismissed, Other
};
inline constexpr std::size_t kBridgeStepCount = 11;
[[nodiscard]] std::string_view codeOf(BridgeStep step);

struct ProofLine {
  std::string scope;
  Currency currency;
  ProofKind kind = ProofKind::Forward;
  std::int64_t localMinor = 0;      ///< Σ expected amounts
  std::int64_t providerMinor = 0;   ///< Σ live effects, counted from the records read, not from the units
  std::array<std::int64_t, kBridgeStepCount> steps{};
  std::int64_t unexplainedMinor = 0;
  bool operator==(const ProofLine&) const = default;
};

/// Adds up from two independent sides: records as they were read, and units as they were judged.
/// Not thread-safe: one per worker, then merge().
class Proof {
 public:
  /// Every live row as read, repeats too (Judgement::repeatedEffects are taken off again): kind forward always,
  /// kind reversal only where an operation has "effect": "reversal"; disputes, fees and others never.
  void addEffectRead(const std::string& scope, const Money& amount, ProofKind kind);
  void removeEffectRead(const std::string& scope, const Money& amount, ProofKind kind);
  void addUnit(const Unit& unit, const Policy& policy);
  /// A plain pair decided on the fast path: local = provider = amount.
  void addPlainMatch(const std::string& scope, const Money& amount, ProofKind kind, std::int64_t count = 1);
  void merge(const Proof& other);
  /// Sorted by scope, currency, kind. Overflow of a sum: Error naming scope and currency.
  [[nodiscard]] Result<std::vector<ProofLine>> lines() const;

 private:
  struct Sums {
    __int128 local = 0;
    __int128 providerRead = 0;
    __int128 providerJudged = 0;
    std::array<__int128, kBridgeStepCount> steps{};
  };
  struct Slot {
    std::string scope;
    Currency currency;
    ProofKind kind;
    auto operator<=>(const Slot&) const = default;
  };
  std::map<Slot, Sums> m_sums;
};

}  // namespace counterfoil
