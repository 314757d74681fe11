// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/first_config.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <utility>

#include "core/base/text.h"

namespace counterfoil {

namespace {

/// A JSON string; the same escapes hide line ends, so that a name from a file cannot leave its
/// comment.
std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : toValidUtf8(text)) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte < 0x20 || byte == 0x7F) {
      out += fmt::format("\\u{:04x}", byte);
    } else {
      out += c;
    }
  }
  return out + "\"";
}

bool isProviderSide(const FirstSource& source) {
  return source.kinds.contains(RecordKind::Effect);
}

/// "exports/stripe-2026.csv" -> "stripe-2026"; a table of it by its own name, a part by what reads it ("worker-skips");
/// taken names get a number.
std::string nameOf(const FirstSource& source, bool isPart, std::map<std::string, int>& taken) {
  const std::string& path = source.path;
  const std::size_t slash = path.rfind('/');
  std::string name = path.substr(slash == std::string::npos ? 0 : slash + 1);
  name = name.substr(0, name.find('.', 1));
  if (isPart) name += "-" + source.format.substr(source.format.rfind('.') + 1);
  if (!source.table.empty()) name = source.table;
  if (name.empty()) name = "source";
  const int count = ++taken[name];
  return count == 1 ? name : fmt::format("{}-{}", name, count);
}

/// "generic.effects" tells nothing of whose statement it is; "stripe.balance" does.
std::string providerOf(const FirstSource& source) {
  const std::string family = source.format.substr(0, source.format.find('.'));
  return family.empty() || family == "generic" ? "provider" : family;
}

std::string list(const std::vector<std::string>& values) {
  std::vector<std::string> shown;
  for (const std::string& value : values) shown.push_back(quoted(value));
  return fmt::format("{}", fmt::join(shown, ", "));
}

class Writer {
 public:
  Writer(const std::string& name, const std::vector<FirstSource>& sources)
      : m_name(name), m_sources(sources) {}

  std::string print() {
    m_out +=
        "// A first configuration, written by counterfoil init. It runs as it stands:\n"
        "//   counterfoil match --config counterfoil.json\n"
        "// Lines that begin with \"// ?\" ask what only a person can know; the answers make the "
        "verdicts sharper.\n"
        "{\n";
    m_out += fmt::format("  \"name\": {},\n", quoted(m_name));
    m_out += fmt::format("  \"store\": {},   // one SQLite file that keeps the nights\n",
                         quoted(m_name + ".counterfoil"));
    m_out +=
        "\n  // ? The zone of timestamps that carry no offset, as an IANA name such as "
        "\"Africa/Nairobi\".\n"
        "  \"time_zone\": \"UTC\",\n";
    printOperations();
    printProviders();
    printQueues();
    printSources();
    m_out += "}\n";
    return std::move(m_out);
  }

 private:
  void printOperations() {
    std::set<std::string> tasks;
    for (const FirstSource& source : m_sources)
      tasks.insert(source.tasks.begin(), source.tasks.end());
    m_out +=
        "\n  // ? What one job does. Several kinds of work need an entry each, told apart by "
        "\"when\":\n";
    if (tasks.size() > 1) {
      m_out += fmt::format("  //   tasks seen: {}\n", list({tasks.begin(), tasks.end()}));
    }
    const std::string task = tasks.empty() ? std::string("shop.charge_card") : *tasks.begin();
    m_out += fmt::format(
        "  //   {{\"name\": \"charge\", \"when\": {{\"task\": {}}}, \"provider\": \"…\"}}\n",
        quoted(task));
    m_out +=
        "  // ? \"max_runtime\": how long a job may run before it is taken for gone.\n"
        "  // ? \"expect\": \"split\" where one operation may have several partial effects.\n"
        "  \"operations\": [\n"
        "    {\"name\": \"effect\", \"expect\": \"exactly_one\", \"max_runtime\": \"5m\"}\n"
        "  ],\n";
  }

  void printProviders() {
    std::set<std::string> providers;
    for (const FirstSource& source : m_sources) {
      if (isProviderSide(source)) providers.insert(providerOf(source));
    }
    if (providers.empty()) providers.insert("provider");
    m_out +=
        "\n  // ? \"statement_lag\": how late a row may enter the statement. Too short, and late "
        "rows are called missing.\n"
        "  // ? \"key_retention\": how long the provider remembers an idempotency key, such as "
        "\"24h\"; leave it out if\n"
        "  //   nobody knows. \"other_payload\": what it does on the same key with other content "
        "(\"error\", \"replay\").\n"
        "  \"providers\": [\n";
    std::vector<std::string> lines;
    for (const std::string& provider : providers) {
      lines.push_back(
          fmt::format("    {{\"name\": {}, \"statement_lag\": \"0s\", \"pending_limit\": \"7d\"}}",
                      quoted(provider)));
    }
    m_out += fmt::format("{}\n  ],\n", fmt::join(lines, ",\n"));
  }

  void printQueues() {
    std::set<std::string> queues;
    for (const FirstSource& source : m_sources)
      queues.insert(source.queues.begin(), source.queues.end());
    if (queues.empty()) return;
    m_out +=
        "\n  // ? What the queues are set to; each value given is checked against what the records "
        "show:\n"
        "  //   \"visibility_timeout\", \"dedupe_ttl\", \"claim_ttl\", \"retry_horizon\", "
        "\"dead_letter_queue\", \"max_depth\".\n"
        "  \"queues\": [\n";
    std::vector<std::string> lines;
    for (const std::string& queue : queues)
      lines.push_back(fmt::format("    {{\"name\": {}}}", quoted(queue)));
    m_out += fmt::format("{}\n  ],\n", fmt::join(lines, ",\n"));
  }

  void printSources() {
    m_out +=
        "\n  // ? \"covers\": the time for which an export is complete. Without it that is first "
        "to last record, and\n"
        "  //   nothing is called missing at the edges. Dates in names: "
        "\"exports/card-{date}.csv\" covers that day.\n"
        "  \"sources\": [\n";
    std::map<std::string, int> taken;
    const auto usable =
        std::count_if(m_sources.begin(), m_sources.end(),
                      [](const FirstSource& source) { return source.problem.empty(); });
    std::ptrdiff_t written = 0;
    for (const FirstSource& source : m_sources) {
      if (source.problem.empty()) {
        const auto ofPath = std::count_if(m_sources.begin(), m_sources.end(), [&](const FirstSource& other) {
          return other.path == source.path && other.table.empty();
        });
        printSource(source, nameOf(source, ofPath > 1, taken), ++written < usable);
      } else {
        printProblem(source);
      }
    }
    m_out += "  ]\n";
  }

  void printSource(const FirstSource& source, const std::string& name, bool more) {
    std::vector<std::string> kinds;
    for (const RecordKind kind : source.kinds) kinds.emplace_back(codeOf(kind));
    m_out += fmt::format("    // {} rows, {} records", source.rows, fmt::join(kinds, " and "));
    if (source.from && source.to)
      m_out += fmt::format(", {} to {}", formatInstant(*source.from), formatInstant(*source.to));
    m_out += '\n';
    printKeyQuestion(source);
    printOpenTables(source);
    m_out += fmt::format("    {{\"name\": {}, \"path\": {}, \"format\": {}", quoted(name),
                         quoted(source.path), quoted(source.format));
    if (!source.table.empty()) m_out += fmt::format(", \"table\": {}", quoted(source.table));
    if (isProviderSide(source))
      m_out += fmt::format(", \"provider\": {}", quoted(providerOf(source)));
    m_out += more ? "},\n" : "}\n";
  }

  void printOpenTables(const FirstSource& source) {
    if (source.openTables.empty()) return;
    m_out += fmt::format("    // ? Its other tables are not read: {}\n", list(source.openTables));
  }

  /// Of jobs: where the key stands differs from task to task.
  void printTaskQuestion(const FirstSource& source) {
    m_out +=
        "    // ? No record here has an idempotency key or a business reference. Where do they stand in each task?\n"
        "    //   Arguments are args.0, args.1, … and kwargs.NAME, see \"Key rules\" in mapping.md.\n"
        "    //   \"tasks\": {\n";
    for (const std::string& task : source.tasks) {
      m_out += fmt::format("    //     {}: {{\"key\": {{\"template\": \"charge:{{args.0}}\"}}, \"op_ref\": \"args.0\"}},\n",
                           quoted(task));
    }
    m_out += "    //     \"*\": {\"exclude\": true}}\n";
  }

  void printKeyQuestion(const FirstSource& source) {
    const bool hasKeys = source.records == 0 || source.withKey > 0;
    if (hasKeys) return;
    if (!source.tasks.empty()) {
      printTaskQuestion(source);
      return;
    }
    m_out +=
        "    // ? No record here has an idempotency key. Which column holds it, or from what is it "
        "made?\n"
        "    //   \"mapping\": {\"extends\": " +
        quoted(source.format) + ", \"fields\": {\"key\": {\"template\": \"charge:{order}\"}}}\n";
  }

  void printProblem(const FirstSource& source) {
    m_out += fmt::format("    // ? Left out: {}\n", quoted(source.problem));
    if (source.several) {
      m_out += fmt::format("    //   {{\"name\": \"…\", \"path\": {}, \"format\": \"…\"}}\n",
                           quoted(source.path));
      return;
    }
    if (std::exchange(m_exampleGiven, true)) return;
    m_out +=
        "    //   Say with a mapping which column is what:\n    //   {\"name\": \"…\", \"path\": " +
        quoted(source.path) +
        ", \"provider\": \"provider\",\n"
        "    //    \"mapping\": {\"record\": \"effect\", \"fields\": {\n"
        "    //      \"effect_id\": \"…\", \"created\": \"…\", \"key\": \"…\", \"status\": \"…\",\n"
        "    //      \"amount\": {\"column\": \"…\", \"unit\": \"major\"}, \"currency\": "
        "\"…\"}}}\n";
  }

  const std::string& m_name;
  const std::vector<FirstSource>& m_sources;
  bool m_exampleGiven = false;   ///< of a mapping, once
  std::string m_out;
};

}  // namespace

std::string firstConfig(const std::string& name, const std::vector<FirstSource>& sources) {
  return Writer(name, sources).print();
}

}  // namespace counterfoil
