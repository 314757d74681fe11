// SPDX-License-Identifier: GPL-3.0-or-later
// Findings on keys: shape, reuse, forwarding.
#include <algorithm>
#include <set>

#include "core/base/text.h"
#include "core/judge/clock.h"
#include "core/judge/findings_state.h"
#include "core/judge/nodes.h"

namespace counterfoil::judging {

namespace {

constexpr std::size_t kLongestUsualKey = 255;

std::string templateSubject(const std::string& key) { return "key " + keyTemplate(key); }

bool isDigit(char c) { return c >= '0' && c <= '9'; }

bool isDelimiter(char c) {
  return c == '-' || c == '_' || c == ':' || c == '.' || c == '/' || c == '@' || c == '#';
}

/// A run of digits that reads as a time of this century in seconds or milliseconds.
bool isTimestamp(std::string_view digits) {
  if (digits.size() != 10 && digits.size() != 13) return false;
  return digits >= "1000000000" && digits.substr(0, 10) <= "2200000000";
}

/// "12345-1712480000": a process number and a timestamp; names an execution, not the work.
bool hasProcessAndTime(std::string_view key) {
  bool hasTime = false;
  bool hasProcess = false;
  for (std::size_t i = 0; i < key.size();) {
    if (!isDigit(key[i])) {
      ++i;
      continue;
    }
    std::size_t end = i;
    while (end < key.size() && isDigit(key[end])) ++end;
    const std::string_view digits = key.substr(i, end - i);
    const bool standsAlone = (i == 0 || isDelimiter(key[i - 1])) &&
                             (end == key.size() || isDelimiter(key[end]));
    if (standsAlone && isTimestamp(digits)) hasTime = true;
    else if (standsAlone && digits.size() >= 2 && digits.size() <= 7) hasProcess = true;
    i = end;
  }
  return hasTime && hasProcess;
}

class KeyNotes {
 public:
  KeyNotes(FindingsState& state, const Unit& unit, const JudgeContext& context)
      : m_state(state), m_unit(unit), m_context(context) {}

  void run() {
    for (const Attempt& attempt : m_unit.records.attempts) noteAttempt(attempt);
    for (const Effect& effect : m_unit.records.effects) noteEffect(effect);
    if (m_unit.records.attempts.size() > 1) noteSeveralAttempts();
    if (m_unit.why == Why::SameKeyAfterRetention) {
      tally("key_reused_after_retention", templateSubject(m_unit.key), m_unit.key);
    }
    noteSpelling();
  }

 private:
  void tally(std::string_view code, std::string subject, const std::string& example) {
    m_state.tally(code, std::move(subject)).add(example, m_state.mostExamples);
  }

  void noteShape(const RecordHead& head) {
    if (head.keyDamaged) {
      tally("key_format_risk", sourceSubject(head.place.source, m_context.policy), head.keyText);
      return;
    }
    const bool isLong = head.key.size() > kLongestUsualKey;
    if (isLong || hasProcessAndTime(head.key)) {
      tally("key_format_risk", templateSubject(head.key), head.keyText);
    }
  }

  void noteAttempt(const Attempt& attempt) {
    noteShape(attempt);
    if (attempt.key.empty()) {
      if (!attempt.keyDamaged) {
        const std::string& example = attempt.jobId.empty() ? attempt.messageId : attempt.jobId;
        tally("key_missing", queueSubject(attempt.queue), example);
      }
      return;
    }
    if (!attempt.messageId.empty() && normalKey(attempt.messageId) == attempt.key) {
      tally("message_id_as_key", queueSubject(attempt.queue), attempt.keyText);
    }
  }

  void noteEffect(const Effect& effect) {
    noteShape(effect);
    const bool isOwnKind = effect.kind == EffectKind::Forward;
    if (!isOwnKind || m_unit.records.attempts.empty() || effect.keyDamaged) return;
    const auto& attempts = m_unit.records.attempts;
    const bool hasKey = std::any_of(attempts.begin(), attempts.end(),
                                    [](const Attempt& a) { return !a.key.empty(); });
    const bool arrived =
        !effect.key.empty() && std::any_of(attempts.begin(), attempts.end(), [&](const Attempt& a) {
          return a.key == effect.key || a.key.substr(0, effect.key.size()) == effect.key;
        });
    if (hasKey && !arrived && !isInbound()) {
      tally("key_not_forwarded", sourceSubject(effect.place.source, m_context.policy),
            effect.effectId);
    }
    if (isBeforeItsAttempts(effect)) {
      tally("clock_skew", sourceSubject(effect.place.source, m_context.policy), effect.effectId);
    }
  }

  /// A webhook's key names the event; it is neither sent to the provider nor kept across events.
  [[nodiscard]] bool isInbound() const {
    return m_context.policy.operation(m_unit.operation).direction == Direction::Inbound;
  }

  [[nodiscard]] bool isBeforeItsAttempts(const Effect& effect) const {
    if (effect.createdSpan > Duration(0)) return false;
    const auto& attempts = m_unit.records.attempts;
    return std::all_of(attempts.begin(), attempts.end(), [&](const Attempt& attempt) {
      return attempt.start && effect.created < *attempt.start - m_context.policy.clockSkew;
    });
  }

  void noteSeveralAttempts() {
    std::set<std::string_view> keys;
    std::set<std::string_view> payloads;
    std::set<std::string_view> queues;
    std::set<std::string_view> jobs;
    std::set<Money> amounts;
    for (const Attempt& attempt : m_unit.records.attempts) {
      if (attempt.key.empty()) continue;
      keys.insert(attempt.key);
      if (!attempt.fingerprint.empty()) payloads.insert(attempt.fingerprint);
      if (!attempt.queue.empty()) queues.insert(attempt.queue);
      if (!attempt.jobId.empty()) jobs.insert(attempt.jobId);
      if (attempt.amount) amounts.insert(*attempt.amount);
    }
    const std::string& key = m_unit.key;
    if (keys.size() > 1 && isInbound()) return;
    if (keys.size() > 1) {
      tally("key_too_fine", templateSubject(key), m_unit.opRef.empty() ? key : m_unit.opRef);
      return;
    }
    if (keys.empty()) return;
    if (payloads.size() > 1 || amounts.size() > 1) {
      tally("key_reused_other_payload", templateSubject(key), key);
    }
    if (queues.size() > 1) tally("key_scope_collision", templateSubject(key), key);
    if (key == "0" && jobs.size() > 1) {
      tally("key_format_risk", "key 0", std::string(*jobs.begin()));
    }
    noteReuseAfterRetention();
  }

  void noteReuseAfterRetention() {
    if (m_unit.why == Why::SameKeyAfterRetention) return;
    const auto retention =
        keyRetentionOf(m_context.policy.operation(m_unit.operation), m_context.policy);
    if (!retention) return;
    std::optional<Instant> first;
    std::optional<Instant> last;
    for (const Attempt& attempt : m_unit.records.attempts) {
      const Instant start = startOf(attempt);
      if (!first || start < *first) first = start;
      if (!last || start > *last) last = start;
    }
    if (first && *last - *first >= *retention) {
      tally("key_reused_after_retention", templateSubject(m_unit.key), m_unit.key);
    }
  }

  /// Keys of one-sided units that differ only in spelling are told apart when all are known.
  void noteSpelling() {
    if (!isOneSided(m_unit) || m_unit.key.empty()) return;
    m_state.spellings[keyFold(m_unit.key)].insert(m_unit.key);
  }

  FindingsState& m_state;
  const Unit& m_unit;
  const JudgeContext& m_context;
};

}  // namespace

void noteKeys(FindingsState& state, const Unit& unit, const JudgeContext& context) {
  KeyNotes(state, unit, context).run();
}

}  // namespace counterfoil::judging
