// SPDX-License-Identifier: GPL-3.0-or-later
// What people decide about cases: kept for ever, with who, when and why; each can be undone without touching others.
// Every function here is one short write transaction of a store opened with Store::openForReview(): a run that
// computes meanwhile neither waits nor loses the decision, it looks at decisions when it commits.
//
// Errors: Usage for what cannot be done as the case stands (nothing was changed then), Missing for no such case,
// decision or rule, WriteFailed, Locked after a minute behind another writer, StoreBroken.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/store/decision_chain.h"
#include "core/store/ignore_rules.h"
#include "core/store/store.h"

namespace counterfoil {

/// Who decides, and when.
struct Signature {
  std::string who;
  Instant at{};
};

/// What is to become of a case; what is left out stays as it is.
struct ReviewChange {
  std::optional<ReviewState> state;
  std::optional<std::string> assignee;   ///< "" takes the assignment away
  std::string note, reason;
  std::string caseVersion;               ///< begin of the case's records digest; "" = any
};

struct ReviewOutcome {
  CaseId caseId;                    ///< of the case that took the named one in, where one did
  std::int64_t decision = 0;        ///< 0: the case is like this already, nothing was changed
  ReviewState before{}, after{};
};

struct BulkOutcome {
  std::int64_t bulk = 0;            ///< 0: nothing was changed
  std::uint64_t changed = 0;
  std::uint64_t already = 0;        ///< are like this already
  std::vector<std::string> refused; ///< sentences, the first few
  std::uint64_t refusedCount = 0;
};

/// Whether a bulk is done: always, only if it changes that many, or never (to say what it would do).
struct BulkConsent {
  enum class Kind : std::uint8_t { Preview, Yes, Expect } kind = Kind::Preview;
  std::uint64_t expected = 0;
};

/// How long texts of decisions may be; in bytes.
inline constexpr std::size_t kNoteBytesMost = 4000;
inline constexpr std::size_t kReasonBytesMost = 1000;
inline constexpr std::size_t kNameBytesMost = 200;
inline constexpr std::uint64_t kBulkCasesMost = 100'000;

/// Error (Usage): a text that is too long, not UTF-8, or holds control characters.
[[nodiscard]] Result<> checkTexts(const ReviewChange& change, const Signature& signature);

[[nodiscard]] Result<ReviewOutcome> decideCase(const Store& store, const CaseId& caseId, const ReviewChange& change,
                                               const Signature& signature);
/// Every case of the list, or none: where one cannot be decided so, nothing is changed. `refused` says why.
[[nodiscard]] Result<BulkOutcome> decideAll(const Store& store, const ListFilter& filter, const ReviewChange& change,
                                            const Signature& signature, const BulkConsent& consent);

/// Takes one decision back: what it set and no later one set again is as it was before it.
[[nodiscard]] Result<ReviewOutcome> undoDecision(const Store& store, std::int64_t number, const std::string& why,
                                                 const Signature& signature);
/// Takes back what is left of a bulk.
[[nodiscard]] Result<BulkOutcome> undoBulk(const Store& store, std::int64_t bulk, const std::string& why,
                                           const Signature& signature);

struct RuleOutcome {
  std::int64_t rule = 0;
  std::uint64_t cases = 0;   ///< that it hides from here on, or gives back
};
/// `rule.number` is given here. The newest run's as-of counts for its end.
[[nodiscard]] Result<RuleOutcome> addIgnoreRule(const Store& store, IgnoreRule rule, const Signature& signature);
[[nodiscard]] Result<RuleOutcome> removeIgnoreRule(const Store& store, std::int64_t number, const std::string& why,
                                                   const Signature& signature);

/// Reads only.
[[nodiscard]] Result<ChainReport> auditDecisions(const Store& store, const std::string& expectedSeal);
[[nodiscard]] Result<std::vector<IgnoreRule>> ignoreRulesOf(const Store& store, RulesWanted wanted);
/// The id under which a case stands, asked by its own or by that of a case it took in. Missing for no such case.
[[nodiscard]] Result<CaseId> standingIdOf(const Store& store, const CaseId& named);

}  // namespace counterfoil
