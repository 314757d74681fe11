// SPDX-License-Identifier: GPL-3.0-or-later
// The runs of one task by its events. Internal to importers/celery.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "importers/celery/event_line.h"

namespace counterfoil::celery {

/// A process that ran tasks: its host name and process id, as JSON.
struct Worker {
  std::string hostname, pid;
  auto operator<=>(const Worker&) const = default;
};

/// An event as it is held until all of its task are known.
struct HeldEvent {
  std::int64_t nanos = 0;
  std::uint64_t clock = 0, line = 0;
  std::uint32_t worker = 0;
  EventType type = EventType::Other;
  std::string facts;
};

/// When workers came and went.
class WorkerTimes {
 public:
  void cameOnline(const Worker& worker, std::int64_t nanos) {
    m_online[worker.hostname].emplace_back(nanos, worker.pid);
  }
  void wentOffline(const Worker& worker, std::int64_t nanos);
  /// Whether a run that began then cannot go on: its process went away, or another one took its
  /// place.
  [[nodiscard]] bool isGoneAfter(const Worker& worker, std::int64_t nanos) const;
  [[nodiscard]] std::size_t count() const;

 private:
  std::map<std::string, std::vector<std::pair<std::int64_t, std::string>>> m_online;
  std::map<Worker, std::int64_t> m_offline;  ///< the last time
};

/// One run, or what there is of a task that was never run: then neither `started` nor `ended`.
/// Events of the task's own; null = not seen.
struct Run {
  const HeldEvent* received = nullptr;
  const HeldEvent* started = nullptr;
  const HeldEvent* ended = nullptr;
  const HeldEvent* sent = nullptr;
  /// Never null of a run that runsOf() gave.
  [[nodiscard]] const HeldEvent* first() const;
  [[nodiscard]] const HeldEvent* last() const { return ended != nullptr ? ended : first(); }
};

/// All runs in the order of their time, or one that tells that there was none; none where no event
/// tells of the task. Puts the events in order and drops those that come twice. What is told does
/// not depend on the order of events: it follows their times, and Lamport's clock where those are
/// equal.
[[nodiscard]] std::vector<Run> runsOf(std::vector<HeldEvent>& events);

/// The JSON object of a run. `number` of `count` is its place among the runs.
void appendRun(std::string& out, std::string_view uuid, const Run& run, std::size_t number,
               std::size_t count, const std::vector<HeldEvent>& events,
               const std::vector<Worker>& workers, const WorkerTimes& times);

}  // namespace counterfoil::celery
