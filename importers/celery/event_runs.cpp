// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/celery/event_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <tuple>

namespace counterfoil::celery {

namespace {

auto orderOf(const HeldEvent& event) {
  return std::tie(event.nanos, event.clock, event.type, event.worker, event.facts, event.line);
}

void dropRepeats(std::vector<HeldEvent>& events) {
  std::sort(events.begin(), events.end(), [](const HeldEvent& a, const HeldEvent& b) {
    return std::tie(a.worker, a.type, a.nanos, a.facts, a.clock, a.line) <
           std::tie(b.worker, b.type, b.nanos, b.facts, b.clock, b.line);
  });
  const auto isSame = [](const HeldEvent& a, const HeldEvent& b) {
    return a.worker == b.worker && a.type == b.type && a.nanos == b.nanos;
  };
  events.erase(std::unique(events.begin(), events.end(), isSame), events.end());
  std::sort(events.begin(), events.end(),
            [](const HeldEvent& a, const HeldEvent& b) { return orderOf(a) < orderOf(b); });
}

/// What one process did with the task, in the order of time. It may work on a task twice at the
/// same time: the broker gives it out again while it runs.
class ProcessRuns {
 public:
  void take(const HeldEvent& event) {
    if (event.type == EventType::Received) m_received.push_back(&event);
    if (event.type == EventType::Started) start(event);
    if (isEnd(event.type)) end(event);
  }
  void giveTo(std::vector<Run>& runs) {
    runs.insert(runs.end(), m_over.begin(), m_over.end());
    runs.insert(runs.end(), m_open.begin(), m_open.end());
  }

 private:
  /// The newest message that was received and not used: one before it was given back.
  const HeldEvent* takeReceived() {
    if (m_received.empty()) return nullptr;
    const HeldEvent* const newest = m_received.back();
    m_received.clear();
    return newest;
  }

  void start(const HeldEvent& event) {
    Run& run = m_open.emplace_back();
    run.started = &event;
    run.received = takeReceived();
  }

  void end(const HeldEvent& event) {
    Run run;
    if (m_open.empty()) {  // its start was not seen
      run.received = takeReceived();
    } else {
      const auto open = m_open.begin() + static_cast<std::ptrdiff_t>(openRunOf(event));
      run = *open;
      m_open.erase(open);
    }
    run.ended = &event;
    m_over.push_back(run);
  }

  /// Which of several: where the event tells how long it took, the one that began then; else the
  /// newest, for older ones are often lost.
  [[nodiscard]] std::size_t openRunOf(const HeldEvent& event) const {
    const std::optional<std::int64_t> took = nanosOf(factIn(event.facts, Fact::Runtime));
    std::size_t best = m_open.size() - 1;
    if (!took) return best;
    const auto distance = [&](std::size_t i) {
      return std::abs(m_open[i].started->nanos + *took - event.nanos);
    };
    for (std::size_t i = m_open.size(); i-- > 0;) {
      if (distance(i) < distance(best)) best = i;
    }
    return best;
  }

  std::vector<const HeldEvent*> m_received;
  std::vector<Run> m_open, m_over;
};

std::string_view factOf(const HeldEvent& event, Fact fact) {
  return factIn(event.facts, fact);
}

/// The message that the run is of: the last that was sent before it, of those that count as many
/// retries.
const HeldEvent* sentFor(const Run& run, const std::vector<HeldEvent>& events) {
  const std::string_view retries =
      run.received != nullptr ? factOf(*run.received, Fact::Retries) : std::string_view();
  const HeldEvent* found = nullptr;
  for (const HeldEvent& event : events) {
    if (event.type != EventType::Sent) continue;
    const bool fits = retries.empty() || factOf(event, Fact::Retries) == retries;
    const bool isBefore =
        event.nanos <= run.first()->nanos || found == nullptr;  // clocks of two machines
    if (fits && isBefore) found = &event;
  }
  return found;
}

std::string_view stateOf(const Run& run, bool isGone) {
  if (run.ended != nullptr) {
    switch (run.ended->type) {
      case EventType::Succeeded:
        return "succeeded";
      case EventType::Failed:
        return "failed";
      case EventType::Retried:
        return "retried";
      case EventType::Rejected:
        return "rejected";
      case EventType::Revoked:
        return "revoked";
      default:
        break;
    }
  }
  if (run.started != nullptr) return isGone ? "lost" : "started";
  return run.received != nullptr ? "received" : "sent";
}

constexpr Fact kOfJob[] = {Fact::Name,       Fact::Args,    Fact::Kwargs,  Fact::Retries,
                           Fact::Eta,        Fact::Expires, Fact::Queue,   Fact::Exchange,
                           Fact::RoutingKey, Fact::RootId,  Fact::ParentId};
constexpr Fact kOfEnd[] = {Fact::Result,     Fact::Exception, Fact::Runtime, Fact::Requeue,
                           Fact::Terminated, Fact::Signum,    Fact::Expired};

void appendMember(std::string& out, std::string_view name, std::string_view json) {
  if (json.empty()) return;
  out += fmt::format(",\"{}\":", name);
  out += json;
}

/// What the run's own messages say; what only belongs to the task also from others of it.
std::string_view jobFact(Fact fact, const Run& run, const std::vector<HeldEvent>& events) {
  for (const HeldEvent* event : {run.received, run.sent}) {
    const std::string_view text = event != nullptr ? factOf(*event, fact) : std::string_view();
    if (!text.empty()) return text;
  }
  const bool isOfMessage = fact == Fact::Retries || fact == Fact::Eta || fact == Fact::Expires;
  for (const HeldEvent& event : events) {
    if (isOfMessage) break;
    const std::string_view text = factOf(event, fact);
    if (!text.empty()) return text;
  }
  return {};
}

}  // namespace

void WorkerTimes::wentOffline(const Worker& worker, std::int64_t nanos) {
  const auto [entry, isNew] = m_offline.try_emplace(worker, nanos);
  if (!isNew) entry->second = std::max(entry->second, nanos);
}

bool WorkerTimes::isGoneAfter(const Worker& worker, std::int64_t nanos) const {
  const auto offline = m_offline.find(worker);
  if (offline != m_offline.end() && offline->second > nanos) return true;
  const auto online = m_online.find(worker.hostname);
  if (online == m_online.end() || worker.hostname.empty() || worker.pid.empty()) return false;
  return std::any_of(online->second.begin(), online->second.end(), [&](const auto& came) {
    return came.first > nanos && !came.second.empty() && came.second != worker.pid;
  });
}

std::size_t WorkerTimes::count() const {
  std::size_t count = m_offline.size();
  for (const auto& [name, times] : m_online) count += times.size();
  return count;
}

const HeldEvent* Run::first() const {
  for (const HeldEvent* event : {started, ended, received, sent}) {
    if (event != nullptr) return event;
  }
  return nullptr;
}

std::vector<Run> runsOf(std::vector<HeldEvent>& events) {
  dropRepeats(events);
  std::map<std::uint32_t, ProcessRuns> processes;
  for (const HeldEvent& event : events) {
    if (event.type != EventType::Sent) processes[event.worker].take(event);
  }
  std::vector<Run> runs;
  for (auto& [worker, process] : processes) process.giveTo(runs);
  if (runs.empty()) {
    const HeldEvent* received = nullptr;
    const HeldEvent* sent = nullptr;
    for (const HeldEvent& event : events) {
      if (event.type == EventType::Received) received = &event;
      if (event.type == EventType::Sent) sent = &event;
    }
    if (received != nullptr || sent != nullptr) runs.push_back({received, nullptr, nullptr, sent});
  }
  for (Run& run : runs) {
    if (run.sent == nullptr) run.sent = sentFor(run, events);
  }
  std::sort(runs.begin(), runs.end(),
            [](const Run& a, const Run& b) { return orderOf(*a.first()) < orderOf(*b.first()); });
  return runs;
}

void appendRun(std::string& out, std::string_view uuid, const Run& run, std::size_t number,
               std::size_t count, const std::vector<HeldEvent>& events,
               const std::vector<Worker>& workers, const WorkerTimes& times) {
  const HeldEvent& last = *run.last();
  const Worker& worker = workers[last.worker];
  const bool isRun = run.started != nullptr || run.ended != nullptr;
  const bool isGone = run.started != nullptr && times.isGoneAfter(worker, run.started->nanos);
  out += fmt::format("{{\"uuid\":{},\"state\":\"{}\"", uuid, stateOf(run, isGone));
  if (isRun) out += fmt::format(",\"run\":{},\"runs\":{}", number, count);
  for (const Fact fact : kOfJob) appendMember(out, nameOf(fact), jobFact(fact, run, events));
  // Who sends a task is no worker.
  if (isRun || run.received != nullptr) {
    appendMember(out, "hostname", worker.hostname);
    appendMember(out, "pid", worker.pid);
  }
  const std::pair<std::string_view, const HeldEvent*> moments[] = {{"sent", run.sent},
                                                                   {"received", run.received},
                                                                   {"started", run.started},
                                                                   {"ended", run.ended}};
  for (const auto& [name, event] : moments) {
    if (event != nullptr) appendMember(out, name, factOf(*event, Fact::Timestamp));
  }
  for (const Fact fact : kOfEnd) {
    if (run.ended != nullptr) appendMember(out, nameOf(fact), factOf(*run.ended, fact));
  }
  out += '}';
}

}  // namespace counterfoil::celery
