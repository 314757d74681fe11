// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/formats/refusals.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

#include "core/base/text.h"
#include "importers/mapping/pattern.h"
#include "importers/source/byte_source.h"

namespace counterfoil {

namespace {

constexpr std::size_t kHeadBytes = 64u << 10;
constexpr std::size_t kQuotedBytes = 80;
constexpr std::string_view kKeyIsMissing =
    "an answer of redis-cli for one key does not hold the key's name: give it a mapping with \"layout\": "
    "{\"kind\": \"redis\", \"key\": …}, or export the whole database";

/// Words that only one kind of file has, and what that file is.
struct Mark {
  std::string_view first, second;   ///< both have to be there
  std::string_view meaning;
};
constexpr std::array<Mark, 7> kMarks = {{
    {"\"management_version\"", "\"queue_totals\"",
     "it is RabbitMQ's overview, which counts all queues together; export GET /api/queues, which names them"},
    {"\"QueueUrls\"", "[", "it is a list of SQS queues without anything about them; export GetQueueAttributes of each"},
    {"\"queueUrls\"", "[", "it is a list of SQS queues without anything about them; export GetQueueAttributes of each"},
    {"\"MD5OfMessageBody\"", "\"MessageId\"", "it is an answer of SQS to a message that was sent; it says nothing of what became of it"},
    {"\"originating_broker\"", "\"topics\"",
     "it is Kafka's metadata, which holds neither records nor offsets; export those with kcat -C -J and kcat -Q"},
    {"flower_events_total{", "type=\"task-",
     "it is what Flower counts of each task and worker, and names no job; export GET /api/tasks, or write the events down"},
    {"Metadata for ", " brokers:",
     "it is Kafka's metadata, which holds neither records nor offsets; export those with kcat -C -J and kcat -Q"},
}};

std::vector<std::string_view> firstLines(std::string_view text, std::size_t most) {
  std::vector<std::string_view> lines;
  while (!text.empty() && lines.size() < most) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(trim(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

/// The first group of a pattern in a text, fit for a message.
std::string foundIn(std::string_view text, std::string_view patternText) {
  const Result<Pattern> pattern = Pattern::compile(patternText);
  if (!pattern) return {};
  bool found = false;
  const std::string_view group = pattern->first(text, found);
  return found ? forTerminal(toValidUtf8(std::string(group.substr(0, kQuotedBytes)))) : std::string();
}

/// "QueueDoesNotExist" of an AWS error in JSON or XML.
std::string awsError(std::string_view text) {
  std::string ofJson = foundIn(text, "^\\s*\\{\\s*\"__type\"\\s*:\\s*\"(?:[^\"#]*#)?([^\"]+)\"");
  if (!ofJson.empty()) return ofJson;
  return foundIn(text, "^\\s*(?:<\\?xml[^>]*>\\s*)?<ErrorResponse[^>]*>(?s:.){0,400}?<Code>([^<]+)</Code>");
}

/// What RabbitMQ's management API says where it does not answer, and Redis.
std::string brokerError(std::string_view text) {
  const std::string error = foundIn(text, "^\\s*\\{\\s*\"error\"\\s*:\\s*\"([^\"]+)\"\\s*,\\s*\"reason\"\\s*:");
  return !error.empty() ? error : foundIn(text, "^(?:\\(error\\) )?((?:NOAUTH|WRONGTYPE|NOPERM|ERR|LOADING) [^\r\n]+)");
}

std::string httpAnswer(std::string_view head) {
  const std::string status = foundIn(head, "^HTTP/[0-9.]+ ([0-9]{3}[^\r\n]*)");
  if (status.empty()) return {};
  const std::size_t crlf = head.find("\r\n\r\n"), lf = head.find("\n\n");
  const std::size_t gap = std::min(crlf, lf);
  const std::string error = gap == std::string_view::npos ? std::string() : awsError(trim(head.substr(gap)));
  if (!error.empty()) return fmt::format("it is an error and no export: {} ({})", error, status);
  if (status[0] != '2') return fmt::format("it is an error and no export: {}", status);
  return "it is an HTTP answer with its headers; save the body alone (curl without -i)";
}

bool isBareWord(std::string_view line) {
  return !line.empty() && line.size() <= 64 &&
         std::all_of(line.begin(), line.end(), [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }) &&
         std::isalpha(static_cast<unsigned char>(line.front())) != 0;
}

/// Members and scores, entries of a stream, fields and values, or a count: what redis-cli prints.
bool looksLikeRedisAnswer(std::string_view text) {
  if (text.empty()) return false;
  if (text.substr(0, 2) == "[[" || text.substr(0, 2) == "[\"") return true;
  if (text.front() == '{') return !foundIn(text, "^(\\{\\s*\"[^\"]{1,200}\"\\s*:\\s*\")").empty();
  const std::vector<std::string_view> lines = firstLines(text, 6);
  const bool isCount = lines.size() == 1 && lines[0].size() < 20 && lines[0].find_first_not_of("0123456789") == std::string_view::npos;
  return isCount || (lines.size() == 6 && isBareWord(lines[0]) && isBareWord(lines[2]) && isBareWord(lines[4]));
}

}  // namespace

std::string whatElseText(std::string_view head) {
  const std::string_view text = trim(head);
  if (std::string answer = httpAnswer(text); !answer.empty()) return answer;
  for (const std::string& error : {awsError(text), brokerError(text)}) {
    if (!error.empty()) return "it is an error and no export: " + error;
  }
  for (const Mark& mark : kMarks) {
    if (text.find(mark.first) != std::string_view::npos && text.find(mark.second) != std::string_view::npos)
      return std::string(mark.meaning);
  }
  if (!foundIn(text, "^([0-9]{10,13} [^ \\[\\n]+\\[[0-9]+\\]@[0-9]+) ").empty())
    return "it looks like lines of kcat -f, whose shape everybody chooses; export with kcat -C -J";
  if (isEmptyList(text)) return "it is an empty list, and nothing in it says of what";
  return looksLikeRedisAnswer(text) ? std::string(kKeyIsMissing) : std::string();
}

std::string whatElse(const FilePlace& place) {
  const Result<std::unique_ptr<ByteSource>> source = openFile(place);
  std::string head;
  while (source && head.size() < kHeadBytes) {
    const Result<std::size_t> got = (*source)->read(head, kHeadBytes - head.size());
    if (!got || *got == 0) break;
  }
  return whatElseText(head);
}

bool isEmptyList(std::string_view text) {
  text = trim(text);
  return text.size() >= 2 && text.front() == '[' && text.back() == ']' && trim(text.substr(1, text.size() - 2)).empty();
}

}  // namespace counterfoil
