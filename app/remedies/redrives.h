// SPDX-License-Identifier: GPL-3.0-or-later
// Which dead letters may be sent again. Only those that were judged safe, and that still are: a key that the
// provider has forgotten since the run makes a letter one to look at.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/remedies/run_configs.h"

namespace counterfoil {

struct RedriveLine {
  RedriveVerdict verdict = RedriveVerdict::CheckFirst;
  std::string queue, messageId, jobId, key, operation;
  std::optional<Instant> keyUntil;      ///< the provider knows the key until then
  std::optional<Instant> deadline;      ///< when the broker deletes the message
  std::string reason, error;
  CaseId caseId;
  std::string target;                   ///< the queue it goes back to, where the configuration says
  std::string format;                   ///< of the source it was read from: "sqs.dead_letters"
  std::string exportedBefore;
};

class RedriveLines {
 public:
  /// `now`: safe means safe at this moment.
  RedriveLines(const Store& store, Instant now) : m_store(store), m_now(now), m_configs(store) {}
  /// The line of a dead letter; nothing where a person closed its case.
  Result<std::optional<RedriveLine>> lineOf(const DeadLetterRow& letter);
  [[nodiscard]] std::uint64_t decided() const { return m_decided; }

 private:
  void readRecord(const StoredUnit& stored, const DeadLetterRow& letter, RedriveLine& line);
  void ageVerdict(const StoredUnit& stored, const DeadLetterRow& letter, const Config* config, RedriveLine& line) const;

  const Store& m_store;
  Instant m_now;
  RunConfigs m_configs;
  std::map<std::pair<RunNumber, std::uint16_t>, std::string> m_formats;
  std::uint64_t m_decided = 0;
};

/// The format of a run's source, as identified; "" where it is not known.
[[nodiscard]] std::string formatOfSource(const StoredRun& run, SourceId source);

}  // namespace counterfoil
