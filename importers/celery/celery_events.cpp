// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/celery/celery_events.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/text.h"
#include "importers/celery/event_line.h"
#include "importers/celery/event_runs.h"
#include "importers/celery/line_feed.h"
#include "importers/source/encoding.h"
#include "importers/tables/row_lines.h"

namespace counterfoil {

namespace {

using namespace celery;

constexpr std::size_t kHeldBytes = 96u << 20;
constexpr std::uint64_t kProbedBytes = 1u << 20;
constexpr std::size_t kStepBytes = 64u << 10;
constexpr std::size_t kBuckets = 256;
constexpr std::size_t kMaxWorkers = 100'000;  // processes, and times they came and went
constexpr std::size_t kBytesAnEvent = sizeof(HeldEvent) + 32;
constexpr std::size_t kBytesATask = 128;
constexpr std::size_t kLinesLookedAt = 5;

/// Which part of the tasks an id belongs to: always the same one.
std::size_t bucketOf(std::string_view uuid) {
  std::uint32_t hash = 2166136261u;
  for (const char c : uuid) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
  return (hash ^ hash >> 16) % kBuckets;
}

/// Holds the events of as many tasks as memory allows; the text is read again for the others.
class EventJoiner final : public tables::RowMaker {
 public:
  EventJoiner(ByteSource& source, SourceOpener open, bool headOnly, std::size_t heldBytes)
      : m_open(std::move(open)), m_headOnly(headOnly), m_heldMost(heldBytes), m_feed(source) {}

  Result<bool> step() override {
    while (rows.text().empty()) {
      if (m_isReading) {
        if (Result<> read = readSome(); !read) return fail(read.error());
        continue;
      }
      if (giveRuns()) continue;
      if (m_fault) return fail(*m_fault);
      if (m_to == kBuckets) return false;
      if (Result<> next = nextPart(); !next) return fail(next.error());
    }
    return true;
  }

 private:
  using Task = std::pair<const std::string, std::vector<HeldEvent>>;

  Result<> readSome() {
    const std::uint64_t from = m_feed.passed();
    while (m_feed.passed() - from < kStepBytes) {
      const Result<bool> more = m_feed.next();
      if (!more) m_fault = more.error();
      if (!more || !*more || (m_headOnly && m_feed.passed() > kProbedBytes)) {
        m_isReading = false;
        settleOrder();
        return {};
      }
      if (Result<> taken = takeLine(); !taken) return taken;
    }
    rows.blank();
    return {};
  }

  Result<> takeLine() {
    const std::string_view line = trim(m_feed.line());
    if (line.empty()) return {};
    if (m_feed.isTooLong()) {
      tell({"", "a line that is too long for an event", {}}, line);
      return {};
    }
    if (const auto fault = m_lines.read(line, m_event)) {
      // A last line without its end that is no JSON was not written in whole.
      if (!m_feed.hasEnd() && fault->column.empty() && isAscii(line)) {
        m_fault = Error{ErrorCode::Format,
                        fmt::format("line {}: the file ends in the middle of this line; it was not "
                                    "written or copied in whole",
                                    m_feed.number())};
        return {};
      }
      tell(*fault, line);
      return {};
    }
    return m_event.type == EventType::Other ? Result<>() : take();
  }

  void tell(const LineFault& fault, std::string_view line) {
    if (m_part > 0) return;  // told when it was read first
    std::string reason(fault.reason);
    const bool isDetail = fault.column.empty() && !fault.value.empty();
    if (isDetail) reason += ": " + fault.value;
    rows.defect(m_feed.number(), fault.column, isDetail ? "" : fault.value, reason, line);
  }

  Result<> take() {
    const Worker worker{m_event.hostname, m_event.pid};
    if (!isOfTask(m_event.type)) {
      if (m_part > 0) return {};
      if (m_event.type == EventType::WorkerOnline) m_times.cameOnline(worker, m_event.nanos);
      if (m_event.type == EventType::WorkerOffline) m_times.wentOffline(worker, m_event.nanos);
      return ++m_workerEvents > kMaxWorkers ? tooMany("comings and goings of workers") : Result<>();
    }
    const std::size_t bucket = bucketOf(m_event.uuid);
    const std::size_t bytes = kBytesAnEvent + m_event.facts.size();
    if (m_part == 0) m_bytes[bucket] += bytes + kBytesATask;
    if (bucket < m_from || bucket >= m_to) return {};
    const Result<std::uint32_t> number = numberOf(worker);
    if (!number) return fail(number.error());
    std::vector<HeldEvent>& events = m_tasks[m_event.uuid];
    if (events.empty()) m_held += kBytesATask + m_event.uuid.size();
    m_held += bytes;
    events.push_back(
        {m_event.nanos, m_event.clock, m_feed.number(), *number, m_event.type, m_event.facts});
    return m_held > m_heldMost ? holdLess() : Result<>();
  }

  Result<std::uint32_t> numberOf(const Worker& worker) {
    const auto [entry, isNew] =
        m_numbers.try_emplace(worker, static_cast<std::uint32_t>(m_workers.size()));
    if (!isNew) return entry->second;
    if (m_workers.size() >= kMaxWorkers) return fail(tooMany("workers").error());
    m_workers.push_back(worker);
    return entry->second;
  }

  static Result<> tooMany(std::string_view what) {
    return fail(ErrorCode::Limit,
                fmt::format("more than {} {} in one event stream; split the file by time",
                            kMaxWorkers, what));
  }

  /// Leaves some of the tasks to another reading.
  Result<> holdLess() {
    const Error fault{
        ErrorCode::Limit,
        fmt::format("events of a few tasks take more than {} MiB; split the file by time, "
                    "or leave out what is no task of yours",
                    m_heldMost >> 20)};
    if (m_part > 0 || m_to - m_from <= 1) return fail(fault);
    std::uint64_t sum = 0;
    std::size_t to = m_from;
    while (to < m_to && (to == m_from || sum + m_bytes[to] <= m_heldMost / 2)) sum += m_bytes[to++];
    m_to = std::min(to, m_to - 1);
    for (auto task = m_tasks.begin(); task != m_tasks.end();) {
      if (bucketOf(task->first) < m_to) {
        ++task;
        continue;
      }
      m_held -= std::min(m_held, bytesOf(*task));
      task = m_tasks.erase(task);
    }
    return m_held > m_heldMost ? holdLess() : Result<>();
  }

  static std::size_t bytesOf(const Task& task) {
    std::size_t bytes = kBytesATask + task.first.size();
    for (const HeldEvent& event : task.second) bytes += kBytesAnEvent + event.facts.size();
    return bytes;
  }

  /// Reads the text again for the tasks that come next.
  Result<> nextPart() {
    ++m_part;
    m_from = m_to;
    std::uint64_t sum = 0;
    while (m_to < kBuckets && (m_to == m_from || sum + m_bytes[m_to] <= m_heldMost / 2))
      sum += m_bytes[m_to++];
    m_tasks.clear();
    m_order.clear();
    m_held = 0;
    if (sum == 0) return {};
    Result<std::unique_ptr<ByteSource>> source = m_open();
    if (!source) return fail(source.error());
    m_again = std::move(*source);
    m_feed = LineFeed(*m_again);
    m_isReading = true;
    return {};
  }

  /// Tasks in the order of their first events.
  void settleOrder() {
    m_given = 0;
    m_order.clear();
    for (Task& task : m_tasks) {
      const auto first = std::min_element(
          task.second.begin(), task.second.end(),
          [](const HeldEvent& a, const HeldEvent& b) { return a.nanos < b.nanos; });
      m_order.emplace_back(first->nanos, &task);
    }
    std::sort(m_order.begin(), m_order.end(), [](const auto& a, const auto& b) {
      return std::tie(a.first, a.second->first) < std::tie(b.first, b.second->first);
    });
  }

  /// False: all are given.
  bool giveRuns() {
    const std::size_t from = m_given;
    while (m_given < m_order.size() && rows.text().size() < kStepBytes) {
      Task& task = *m_order[m_given++].second;
      const std::vector<Run> runs = runsOf(task.second);
      for (std::size_t i = 0; i < runs.size(); ++i) {
        rows.beginRow(runs[i].last()->line);
        appendRun(rows.text(), task.first, runs[i], i + 1, runs.size(), task.second, m_workers,
                  m_times);
        rows.endRow();
      }
      std::vector<HeldEvent>().swap(task.second);
    }
    return m_given > from;
  }

  SourceOpener m_open;
  bool m_headOnly;
  std::size_t m_heldMost;
  std::unique_ptr<ByteSource> m_again;
  LineFeed m_feed;
  EventLines m_lines;
  Event m_event;
  bool m_isReading = true;
  std::optional<Error> m_fault;
  std::size_t m_part = 0;                   ///< which reading
  std::size_t m_from = 0, m_to = kBuckets;  ///< buckets that it holds
  std::array<std::uint64_t, kBuckets> m_bytes{};
  std::size_t m_held = 0, m_workerEvents = 0;
  std::map<std::string, std::vector<HeldEvent>> m_tasks;
  std::vector<std::pair<std::int64_t, Task*>> m_order;
  std::size_t m_given = 0;
  std::map<Worker, std::uint32_t> m_numbers;
  std::vector<Worker> m_workers;
  WorkerTimes m_times;
};

}  // namespace

bool looksLikeCeleryEvents(std::string_view head) {
  EventLines lines;
  Event event;
  std::size_t seen = 0;
  while (!head.empty() && seen < kLinesLookedAt) {
    const std::size_t end = std::min(head.find('\n'), head.size());
    const std::string_view line = trim(head.substr(0, end));
    head.remove_prefix(std::min(end + 1, head.size()));
    if (line.empty()) continue;
    ++seen;
    const bool isOne =
        !lines.read(line, event) && (event.type != EventType::Other ||
                                     line.find("\"worker-heartbeat\"") != std::string_view::npos);
    if (isOne && !event.hostname.empty()) return true;
  }
  return false;
}

Result<std::unique_ptr<ByteSource>> transcodeCeleryEvents(const SourceOpener& open, bool headOnly) {
  return transcodeCeleryEventsWithin(open, headOnly, kHeldBytes);
}

Result<std::unique_ptr<ByteSource>> transcodeCeleryEventsWithin(const SourceOpener& open,
                                                                bool headOnly,
                                                                std::size_t heldBytes) {
  Result<std::unique_ptr<ByteSource>> source = open();
  if (!source) return fail(source.error());
  return tables::sourceOfRows(
      std::move(*source), [&](ByteSource& text) -> std::unique_ptr<tables::RowMaker> {
        return std::make_unique<EventJoiner>(text, open, headOnly, heldBytes);
      });
}

}  // namespace counterfoil
