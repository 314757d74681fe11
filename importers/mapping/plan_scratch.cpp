// SPDX-License-Identifier: GPL-3.0-or-later
// The working memory of a plan, and what is asked of it after a row.
#include <algorithm>

#include "importers/mapping/plan_internal.h"

namespace counterfoil {

namespace {

constexpr std::size_t kMatchCacheSize = 256;

}  // namespace

std::unique_ptr<RowScratch> PlanImpl::makeScratch() const {
  auto scratch = std::make_unique<PlanScratch>();
  scratch->caches.resize(m_cacheCount);
  scratch->decodings = std::vector<SharedDecoding>(m_decodingCount);
  scratch->open = m_open;
  scratch->matchValues.resize(m_matchFields.size());
  scratch->matchCache.resize(m_onlyOperation || m_operations == nullptr ? 0 : kMatchCacheSize);
  scratch->lastMatchKey.assign(1, '\x01');  // no key of values: they end in NUL
  if (m_kind == RecordKind::Claim)
    scratch->row.status = static_cast<std::uint8_t>(ClaimState::Completed);
  if (m_kind == RecordKind::Attempt)
    scratch->row.status = static_cast<std::uint8_t>(AttemptStatus::Unknown);
  return scratch;
}

const RowFault& PlanImpl::fault(const RowScratch& scratch) const {
  return static_cast<const PlanScratch&>(scratch).lastFault;
}

const OpenEvidence& PlanImpl::evidence(const RowScratch& scratch) const {
  return static_cast<const PlanScratch&>(scratch).open;
}

std::optional<Money> PlanImpl::amountAsWritten(const RowScratch& scratch) const {
  return static_cast<const PlanScratch&>(scratch).asWritten;
}

std::string_view PlanImpl::excludedAs(const RowScratch& scratch) const {
  return static_cast<const PlanScratch&>(scratch).excludedAs;
}

void OpenEvidence::merge(const OpenEvidence& other) {
  for (std::size_t i = 0; i < columns.size() && i < other.columns.size(); ++i) {
    columns[i].decimal |= other.columns[i].decimal;
    columns[i].date |= other.columns[i].date;
  }
}

}  // namespace counterfoil
