// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/celery/event_line.h"

#include <array>
#include <charconv>

#include "core/base/text.h"
#include "importers/tables/row_lines.h"

namespace counterfoil::celery {

namespace {

constexpr std::size_t kFacts = 19;
constexpr std::array<std::string_view, kFacts> kFactNames = {
    "timestamp", "name",     "args",        "kwargs",  "retries",   "eta",    "expires",
    "queue",     "exchange", "routing_key", "root_id", "parent_id", "result", "exception",
    "runtime",   "requeue",  "terminated",  "signum",  "expired"};
// Behind the facts.
constexpr std::size_t kType = kFacts, kUuid = kFacts + 1, kHostname = kFacts + 2, kPid = kFacts + 3,
                      kClock = kFacts + 4;
constexpr std::array<std::string_view, 5> kOthers = {"type", "uuid", "hostname", "pid", "clock"};

constexpr std::array<std::pair<std::string_view, EventType>, 10> kTypes = {
    {{"task-sent", EventType::Sent},
     {"task-received", EventType::Received},
     {"task-started", EventType::Started},
     {"task-retried", EventType::Retried},
     {"task-rejected", EventType::Rejected},
     {"task-revoked", EventType::Revoked},
     {"task-failed", EventType::Failed},
     {"task-succeeded", EventType::Succeeded},
     {"worker-online", EventType::WorkerOnline},
     {"worker-offline", EventType::WorkerOffline}}};

std::vector<std::string> pathsRead() {
  std::vector<std::string> paths(kFactNames.begin(), kFactNames.end());
  paths.insert(paths.end(), kOthers.begin(), kOthers.end());
  return paths;
}

EventType typeOf(std::string_view name) {
  for (const auto& [text, type] : kTypes) {
    if (text == name) return type;
  }
  return EventType::Other;
}

void appendJson(std::string& out, const FieldView& field) {
  if (field.type == FieldType::Text) {
    tables::appendJsonText(out, field.text);
    return;
  }
  // A list or an object may have line ends between its tokens only where the line has: nowhere.
  out += field.text;
}

std::string jsonOf(const FieldView& field) {
  std::string out;
  if (!field.isBlank()) appendJson(out, field);
  return out;
}

void appendFact(std::string& facts, std::size_t which, const FieldView& field) {
  if (field.isBlank() && field.type != FieldType::Text) return;
  facts += static_cast<char>(which);
  const std::size_t at = facts.size();
  facts.append(4, '\0');
  appendJson(facts, field);
  const std::size_t size = facts.size() - at - 4;
  for (std::size_t i = 0; i < 4; ++i) facts[at + i] = static_cast<char>(size >> (8 * i) & 0xFF);
}

std::size_t sizeAt(std::string_view facts, std::size_t at) {
  std::size_t size = 0;
  for (std::size_t i = 0; i < 4; ++i)
    size |= std::size_t(static_cast<unsigned char>(facts[at + i])) << (8 * i);
  return size;
}

std::uint64_t clockOf(const FieldView& field) {
  std::uint64_t clock = 0;
  const char* const end = field.text.data() + field.text.size();
  const auto [stop, error] = std::from_chars(field.text.data(), end, clock);
  return error == std::errc() && stop == end ? clock : 0;
}

}  // namespace

std::string_view nameOf(Fact fact) {
  return kFactNames[static_cast<std::size_t>(fact)];
}

std::string_view factIn(std::string_view facts, Fact which) {
  for (std::size_t at = 0; at + 5 <= facts.size();) {
    const std::size_t size = sizeAt(facts, at + 1);
    if (facts[at] == static_cast<char>(which)) return facts.substr(at + 5, size);
    at += 5 + size;
  }
  return {};
}

std::optional<std::int64_t> nanosOf(std::string_view seconds) {
  if (seconds.empty() || seconds.size() > 30) return std::nullopt;
  std::int64_t whole = 0;
  std::size_t at = 0;
  while (at < seconds.size() && seconds[at] >= '0' && seconds[at] <= '9') {
    if (at >= 10) return std::nullopt;
    whole = whole * 10 + (seconds[at++] - '0');
  }
  constexpr std::int64_t mostSeconds = 8'835'955'200;
  if (at == 0 || whole > mostSeconds) return std::nullopt;
  std::int64_t nanos = whole * 1'000'000'000;
  if (at == seconds.size()) return nanos;
  if (seconds[at++] != '.' || at == seconds.size()) return std::nullopt;
  for (std::int64_t unit = 100'000'000; at < seconds.size(); ++at, unit /= 10) {
    if (seconds[at] < '0' || seconds[at] > '9') return std::nullopt;
    nanos += (seconds[at] - '0') * unit;
  }
  return nanos;
}

EventLines::EventLines() : m_paths(pathsRead()) {}

std::optional<LineFault> EventLines::read(std::string_view line, Event& event) {
  m_arena.clear();
  if (!isValidUtf8(line)) return LineFault{"", "bytes that are no UTF-8", {}};
  if (line.empty() || line.front() != '{') return LineFault{"", "no JSON object", {}};
  if (const auto fault = parseJsonRow(line, m_paths, m_fields, m_arena))
    return LineFault{"", "not valid JSON", fault->message};
  const FieldView& type = m_fields[kType];
  if (type.type != FieldType::Text || type.text.empty())
    return LineFault{"type", "an event has a type; this has none", {}};
  event.type = typeOf(type.text);
  event.hostname = jsonOf(m_fields[kHostname]);
  const FieldView& time = m_fields[static_cast<std::size_t>(Fact::Timestamp)];
  if (event.type == EventType::Other) {
    const bool isCelerys = type.text.substr(0, 5) == "task-" ||
                           type.text.substr(0, 7) == "worker-" ||
                           (!event.hostname.empty() && time.type == FieldType::Number);
    return isCelerys
               ? std::nullopt
               : std::optional(LineFault{"type", "no event of Celery", std::string(type.text)});
  }
  const auto nanos = time.type == FieldType::Number ? nanosOf(time.text) : std::nullopt;
  if (!nanos)
    return LineFault{"timestamp", "no time of an event; it has to be seconds since 1970",
                     std::string(time.text)};
  const FieldView& uuid = m_fields[kUuid];
  if (isOfTask(event.type) && (uuid.type != FieldType::Text || uuid.text.empty()))
    return LineFault{"uuid", "an event of a task names the task's id; this does not",
                     std::string(uuid.text)};
  event.nanos = *nanos;
  event.clock = clockOf(m_fields[kClock]);
  event.uuid = jsonOf(uuid);
  event.pid = jsonOf(m_fields[kPid]);
  event.facts.clear();
  for (std::size_t i = 0; i < kFacts; ++i) appendFact(event.facts, i, m_fields[i]);
  return std::nullopt;
}

}  // namespace counterfoil::celery
