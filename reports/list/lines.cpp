// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/list/lines.h"

#include <algorithm>
#include <tuple>

namespace counterfoil {

namespace {

template <class Values>
void sortUnique(Values& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

template <class Codes>
void fillCodes(const Codes& codes, std::vector<std::string>& out) {
  out.clear();
  for (const auto code : codes) out.emplace_back(codeOf(code));
}

void fillAttempts(const Records& records, std::vector<std::string>& out) {
  out.clear();
  for (const Attempt& attempt : records.attempts) {
    const std::string& id = attempt.jobId.empty() ? attempt.messageId : attempt.jobId;
    if (!id.empty()) out.push_back(id);
  }
  sortUnique(out);
}

/// The effects of the operation itself: charges, or refunds where the operation is a refund. A
/// charge's own reversals and disputes are evidence of the unit, not effects of its operation.
void fillEffects(const Records& records, std::vector<std::string>& out) {
  const bool hasForward =
      std::any_of(records.effects.begin(), records.effects.end(),
                  [](const Effect& effect) { return effect.kind == EffectKind::Forward; });
  std::vector<const Effect*> effects;
  effects.reserve(records.effects.size());
  for (const Effect& effect : records.effects) {
    const bool ofOperation = !hasForward || effect.kind == EffectKind::Forward;
    if (ofOperation && !effect.effectId.empty()) effects.push_back(&effect);
  }
  std::sort(effects.begin(), effects.end(), [](const Effect* a, const Effect* b) {
    return std::tie(a->created, a->effectId) < std::tie(b->created, b->effectId);
  });
  out.clear();
  for (const Effect* effect : effects) {
    if (std::find(out.begin(), out.end(), effect->effectId) == out.end()) {
      out.push_back(effect->effectId);
    }
  }
}

void fillDeadLetters(const Records& records, std::vector<std::string>& out) {
  out.clear();
  for (const DeadLetter& letter : records.deadLetters) {
    const std::string& id = letter.messageId.empty() ? letter.jobId : letter.messageId;
    if (!id.empty()) out.push_back(id);
  }
  sortUnique(out);
}

std::optional<std::string> instantText(const std::optional<Instant>& at) {
  if (!at) return std::nullopt;
  return formatInstant(*at);
}

/// "26h", "5d": the age rounded down to one unit.
std::string ageText(Duration age) {
  using namespace std::chrono;
  if (age < minutes(1)) return formatShortDuration(floor<seconds>(age));
  if (age < hours(1)) return formatShortDuration(floor<minutes>(age));
  if (age < hours(72)) return formatShortDuration(floor<hours>(age));
  return formatShortDuration(floor<days>(age));
}

/// People look for the key as it was written.
const std::string& shownKey(const RecordHead& head) {
  return head.keyText.empty() ? head.key : head.keyText;
}

}  // namespace

void describe(const CaseLine& line, LineVisitor& visitor) {
  visitor.text("case", line.caseId);
  visitor.text("key", line.key);
  visitor.text("scope", line.scope);
  visitor.text("operation", line.operation);
  visitor.text("class", line.unitClass);
  visitor.text("why", line.why);
  visitor.list("hints", line.hints);
  visitor.list("flags", line.flags);
  visitor.text("severity", line.severity);
  visitor.text("state", line.state);
  visitor.money("exposure", line.exposure);
  visitor.list("attempts", line.attempts);
  visitor.list("effects", line.effects);
  visitor.integer("skips", line.skips);
  visitor.list("dead_letters", line.deadLetters);
  visitor.list("keys", line.keys);
  visitor.text("op_ref", line.opRef);
  visitor.list("candidates", line.candidates);
  visitor.integerOrNull("first_run", line.firstRun);
  visitor.integerOrNull("last_run", line.lastRun);
  visitor.text("age", line.age);
  visitor.text("reason", line.reason);
}

void describe(const SkipLine& line, LineVisitor& visitor) {
  visitor.text("key", line.key);
  visitor.textOrNull("time", line.time);
  visitor.text("worker", line.worker);
  visitor.text("verdict", line.verdict);
  visitor.text("reason", line.reason);
  visitor.money("saved", line.saved);
  visitor.text("case", line.caseId);
}

void describe(const QueueLine& line, LineVisitor& visitor) {
  visitor.text("queue", line.queue);
  visitor.integerOrNull("depth", line.depth);
  visitor.integerOrNull("in_flight", line.inFlight);
  visitor.textOrNull("oldest", line.oldest);
  visitor.integerOrNull("max_depth", line.maxDepth);
  visitor.textOrNull("sampled_at", line.sampledAt);
  visitor.text("kind", line.kind);
  visitor.integer("samples", line.samples);
  visitor.integerOrNull("first_depth", line.firstDepth);
  visitor.textOrNull("first_sampled_at", line.firstAt);
}

void describe(const MessageLine& line, LineVisitor& visitor) {
  visitor.text("queue", line.queue);
  visitor.text("message_id", line.messageId);
  visitor.text("key", line.key);
  visitor.text("error", line.error);
  visitor.integerOrNull("receive_count", line.receiveCount);
  visitor.textOrNull("died_at", line.diedAt);
  visitor.textOrNull("deadline", line.deadline);
  visitor.text("verdict", line.verdict);
  visitor.text("reason", line.reason);
  visitor.text("case", line.caseId);
}

void describe(const Finding& line, LineVisitor& visitor) {
  visitor.text("code", line.code);
  visitor.text("subject", line.subject);
  visitor.integer("count", line.count);
  visitor.text("severity", codeOf(line.severity));
  visitor.text("seen", line.seen);
  visitor.text("advice", line.advice);
  visitor.list("examples", line.examples);
}

void describe(const ProofLine& line, LineVisitor& visitor) {
  visitor.text("scope", line.scope);
  visitor.text("currency", line.currency.text());
  visitor.text("kind", codeOf(line.kind));
  visitor.integer("local_minor", line.localMinor);
  visitor.integer("provider_minor", line.providerMinor);
  for (std::size_t i = 0; i < kBridgeStepCount; ++i) {
    const std::string name = std::string(codeOf(static_cast<BridgeStep>(i))) + "_minor";
    visitor.integer(name, line.steps[i]);
  }
  visitor.integer("unexplained_minor", line.unexplainedMinor);
}

void fillCaseLine(const Unit& unit, Instant asOf, CaseLine& line) {
  line.caseId = unit.id;
  line.key = unit.key;
  line.scope = unit.scope;
  line.operation = unit.operationName;
  line.unitClass = codeOf(unit.unitClass);
  line.why = codeOf(unit.why);
  fillCodes(unit.hints, line.hints);
  fillCodes(unit.flags, line.flags);
  line.severity = codeOf(unit.severity);
  line.state = groupOf(unit.unitClass) == ClassGroup::Closed ? "closed" : "open";
  line.exposure = unit.exposure;
  fillAttempts(unit.records, line.attempts);
  fillEffects(unit.records, line.effects);
  line.skips = static_cast<std::int64_t>(unit.records.skips.size());
  fillDeadLetters(unit.records, line.deadLetters);
  line.keys = unit.keys;
  line.opRef = unit.opRef;
  line.candidates = unit.candidates;
  line.firstRun.reset();
  line.lastRun.reset();
  line.age.clear();
  if (unit.firstSeen) {
    line.age = ageText(std::max(Duration{0}, asOf - *unit.firstSeen));
  }
  line.reason = unit.reason;
}

std::vector<SkipLine> skipLinesOf(const Unit& unit) {
  std::vector<SkipLine> lines;
  const std::size_t count = std::min(unit.records.skips.size(), unit.skipVerdicts.size());
  for (std::size_t i = 0; i < count; ++i) {
    const Skip& skip = unit.records.skips[i];
    const JudgedSkip& judged = unit.skipVerdicts[i];
    SkipLine& line = lines.emplace_back();
    line.key = shownKey(skip);
    line.time = formatInstant(skip.time);
    line.worker = skip.worker;
    line.verdict = codeOf(judged.verdict);
    line.reason = judged.reason;
    if (judged.saved) line.saved = {*judged.saved};
    line.caseId = unit.id;
  }
  return lines;
}

std::vector<MessageLine> messageLinesOf(const Unit& unit) {
  std::vector<MessageLine> lines;
  const std::size_t count =
      std::min(unit.records.deadLetters.size(), unit.deadLetterVerdicts.size());
  for (std::size_t i = 0; i < count; ++i) {
    const DeadLetter& letter = unit.records.deadLetters[i];
    const JudgedDeadLetter& judged = unit.deadLetterVerdicts[i];
    MessageLine& line = lines.emplace_back();
    line.queue = letter.queue;
    line.messageId = letter.messageId;
    line.key = shownKey(letter);
    line.error = letter.error;
    line.receiveCount = letter.receiveCount;
    line.diedAt = instantText(letter.diedAt);
    line.deadline = instantText(judged.deadline);
    line.verdict = codeOf(judged.verdict);
    line.reason = judged.reason;
    line.caseId = unit.id;
  }
  return lines;
}

QueueLine queueLineOf(const FindingsCollector::QueueState& state) {
  QueueLine line;
  line.queue = state.queue;
  line.kind = codeOf(state.kind);
  line.depth = state.depth;
  line.inFlight = state.inFlight;
  if (state.oldest) line.oldest = ageText(*state.oldest);
  line.maxDepth = state.maxDepth;
  line.sampledAt = instantText(state.sampledAt);
  line.samples = state.samples;
  line.firstDepth = state.firstDepth;
  line.firstAt = instantText(state.firstAt);
  return line;
}

}  // namespace counterfoil
