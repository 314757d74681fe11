// SPDX-License-Identifier: GPL-3.0-or-later
// One event of Celery's event stream. Internal to importers/celery.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "importers/readers/arena.h"
#include "importers/readers/json_row.h"

namespace counterfoil::celery {

enum class EventType : std::uint8_t {
  Sent,
  Received,
  Started,
  Retried,
  Rejected,
  Revoked,
  Failed,
  Succeeded,
  WorkerOnline,
  WorkerOffline,
  Other  ///< of Celery's manner, but it tells nothing of runs: heartbeats, events of the
         ///< application
};
[[nodiscard]] constexpr bool isOfTask(EventType type) {
  return type <= EventType::Succeeded;
}
/// After it the run is over, whatever became of it.
[[nodiscard]] constexpr bool isEnd(EventType type) {
  return type >= EventType::Retried && type <= EventType::Succeeded;
}

/// What is kept of an event for the row of its run. Values are JSON, as written.
enum class Fact : std::uint8_t {
  Timestamp,
  Name,
  Args,
  Kwargs,
  Retries,
  Eta,
  Expires,
  Queue,
  Exchange,
  RoutingKey,
  RootId,
  ParentId,
  Result,
  Exception,
  Runtime,
  Requeue,
  Terminated,
  Signum,
  Expired
};
[[nodiscard]] std::string_view nameOf(Fact fact);

struct Event {
  EventType type = EventType::Other;
  std::int64_t nanos = 0;     ///< since 1970, UTC
  std::uint64_t clock = 0;    ///< Lamport's; 0 = not told
  std::string uuid;           ///< as JSON; of tasks
  std::string hostname, pid;  ///< as JSON; "" = not told
  std::string facts;          ///< Fact, four bytes of length, JSON, and so on
};
[[nodiscard]] std::string_view factIn(std::string_view facts, Fact which);  ///< "" = not told

struct LineFault {
  std::string_view column, reason;
  std::string value;
};

/// Takes lines apart; keeps its memory from line to line. Not thread-safe.
class EventLines {
 public:
  EventLines();
  /// Nothing if the line is an event; `event` is filled then.
  [[nodiscard]] std::optional<LineFault> read(std::string_view line, Event& event);

 private:
  JsonPaths m_paths;
  std::vector<FieldView> m_fields;
  Arena m_arena;
};

/// Exact: "1795953630.9949594" are 1795953630994959400. Nothing for what is no time between 1970
/// and 2250.
[[nodiscard]] std::optional<std::int64_t> nanosOf(std::string_view seconds);

}  // namespace counterfoil::celery
