// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/remedies/redrives.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/text.h"
#include "core/judge/clock.h"

namespace counterfoil {

namespace {

std::optional<Instant> firstUse(const StoredUnit& stored, const DeadLetterRow& letter) {
  std::optional<Instant> first;
  for (const Attempt& attempt : stored.unit.records.attempts) {
    const auto start = attempt.start ? attempt.start : attempt.end;
    if (start && (!first || *start < *first)) first = start;
  }
  if (first) return first;
  return letter.enqueuedAt ? letter.enqueuedAt : letter.diedAt;
}

const QueueProfile* queueOf(const Config* config, const std::string& queue) {
  return config == nullptr ? nullptr : config->policy.queue(queue);
}

}  // namespace

std::string formatOfSource(const StoredRun& run, SourceId source) {
  if (source.value >= run.result.sources.size()) return {};
  return run.result.sources[source.value].format;
}

void RedriveLines::readRecord(const StoredUnit& stored, const DeadLetterRow& letter, RedriveLine& line) {
  for (const DeadLetter& record : stored.unit.records.deadLetters) {
    if (record.messageId != letter.messageId || record.queue != letter.queue) continue;
    line.jobId = record.jobId;
    const auto place = std::pair(letter.run, record.place.source.value);
    if (!m_formats.contains(place)) {
      const auto run = m_store.run(letter.run);
      m_formats[place] = run ? formatOfSource(*run, record.place.source) : std::string();
    }
    line.format = m_formats[place];
    return;
  }
}

/// The verdict is of the run's moment; keys grow older while a list waits to be used.
void RedriveLines::ageVerdict(const StoredUnit& stored, const DeadLetterRow& letter, const Config* config,
                              RedriveLine& line) const {
  const Operation* operation = operationOf(config, stored.unit);
  const auto retention = operation == nullptr ? std::nullopt : judging::keyRetentionOf(*operation, config->policy);
  const auto first = firstUse(stored, letter);
  if (retention && first) line.keyUntil = *first + *retention;
  if (line.verdict != RedriveVerdict::Safe) return;
  if (!line.keyUntil) {
    line.verdict = RedriveVerdict::CheckFirst;
    line.reason = "How long the provider keeps this key is not known.";
  } else if (m_now >= *line.keyUntil) {
    line.verdict = RedriveVerdict::CheckFirst;
    line.reason = fmt::format("It was safe when it was judged; the provider has forgotten the key since {}.",
                              formatInstant(*line.keyUntil));
  }
}

Result<std::optional<RedriveLine>> RedriveLines::lineOf(const DeadLetterRow& letter) {
  const auto stored = m_store.unitOf(letter.run, letter.caseId, false);
  if (!stored) return fail(stored.error());
  if (*stored && isDecided((*stored)->state)) {
    ++m_decided;
    return std::optional<RedriveLine>();
  }
  const auto config = m_configs.of(letter.run);
  if (!config) return fail(config.error());
  RedriveLine line;
  line.verdict = letter.verdict;
  line.queue = letter.queue;
  line.messageId = letter.messageId;
  line.key = letter.key;
  line.operation = letter.operation;
  line.deadline = letter.deadline;
  line.reason = letter.reason;
  line.error = letter.error;
  line.caseId = letter.caseId;
  const QueueProfile* queue = queueOf(config->get(), letter.queue);
  if (queue != nullptr && queue->deadLetterQueue == letter.queue) line.target = queue->name;
  if (*stored) {
    readRecord(**stored, letter, line);
    ageVerdict(**stored, letter, config->get(), line);
  } else if (line.verdict == RedriveVerdict::Safe) {
    line.verdict = RedriveVerdict::CheckFirst;
    line.reason = "The store does not list its operation any more: judge it again.";
  }
  if (line.deadline && m_now >= *line.deadline && line.verdict != RedriveVerdict::Obsolete) {
    line.reason += fmt::format(" The broker deletes the message at {}: it may be gone.", formatInstant(*line.deadline));
  }
  return std::optional(std::move(line));
}

}  // namespace counterfoil
