// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/slim_sums.h"

#include "core/judge/nodes.h"

namespace counterfoil {

ScopeTexts::ScopeTexts(const NightState& night) : m_night(night) { m_texts[0] = ""; }

Result<std::string> ScopeTexts::of(std::uint64_t scope) {
  if (const auto known = m_texts.find(scope); known != m_texts.end()) return known->second;
  const auto example = m_night.ledger.shapes().exampleOf(scope);
  if (!example) return fail(ErrorCode::Internal, "a scope without a record");
  std::string text;
  const RecordRef refs[] = {*example};
  auto done = m_night.input.fetch(refs, [&](std::size_t, AnyRecord&& record) {
    const RecordHead* head = headOf(record);
    if (head != nullptr) text = judging::scopeText(head->account, judging::isTest(*head));
  });
  if (!done) return fail(done.error());
  return m_texts[scope] = text;
}

}  // namespace counterfoil
