// SPDX-License-Identifier: GPL-3.0-or-later
// The proof of a night: one side from the records as given, the other from the units.
#pragma once

#include <algorithm>

#include "core/judge/proof.h"
#include "tests/core/support/night.h"

namespace counterfoil::testing {

inline std::optional<ProofKind> proofKindOf(const Effect& effect, const Policy& policy) {
  if (effect.status != EffectStatus::Live || !effect.amount) return {};
  if (effect.kind == EffectKind::Forward) return ProofKind::Forward;
  const bool refundsCount =
      std::any_of(policy.operations.begin(), policy.operations.end(), [](const Operation& o) {
        return o.effect == OperationEffect::Reversal;
      });
  if (effect.kind == EffectKind::Reversal && refundsCount) return ProofKind::Reversal;
  return {};
}

inline std::string scopeOf(const Effect& effect) {
  return effect.account + (effect.live == Live::Test ? "/test" : "");
}

inline std::vector<ProofLine> provedLines(const Night& night) {
  Proof proof;
  for (const Effect& effect : night.records.effects) {
    const auto kind = proofKindOf(effect, night.policy);
    if (kind) proof.addEffectRead(scopeOf(effect), *effect.amount, *kind);
  }
  const Judgement judgement = night.judged();
  for (const Effect& effect : judgement.repeatedEffects) {
    const auto kind = proofKindOf(effect, night.policy);
    if (kind) proof.removeEffectRead(scopeOf(effect), *effect.amount, *kind);
  }
  for (const Unit& unit : judgement.units) proof.addUnit(unit, night.policy);
  return proof.lines().value();
}

}  // namespace counterfoil::testing
