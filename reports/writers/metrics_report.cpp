// SPDX-License-Identifier: GPL-3.0-or-later
// Metrics for the textfile collector of Prometheus: gauges in base units, no timestamps, no label that grows with
// the number of cases.
#include <fmt/format.h>

#include "core/base/text.h"
#include "reports/writers/buffer.h"
#include "reports/writers/report_format.h"

namespace counterfoil {
namespace {

using Labels = std::vector<std::pair<std::string_view, std::string>>;

std::string escapedLabel(std::string_view value) {
  std::string out;
  for (const char c : forTerminal(value)) {
    if (c == '\\' || c == '"') out += '\\';
    out += c;
  }
  return out;
}

std::string secondsOf(Instant at) {
  return std::to_string(std::chrono::floor<std::chrono::seconds>(at).time_since_epoch().count());
}

class Metrics {
 public:
  explicit Metrics(std::string& out) : m_out(out) {}
  void family(std::string_view name, std::string_view help) {
    m_name = name;
    m_out += fmt::format("# HELP counterfoil_{} {}\n# TYPE counterfoil_{} gauge\n", name, help, name);
  }
  void value(const Labels& labels, std::string_view number) {
    m_out += "counterfoil_" + m_name;
    for (std::size_t i = 0; i < labels.size(); ++i) {
      m_out += fmt::format("{}{}=\"{}\"", i == 0 ? "{" : ",", labels[i].first, escapedLabel(labels[i].second));
    }
    m_out += fmt::format("{} {}\n", labels.empty() ? "" : "}", number);
  }
  void value(const Labels& labels, std::uint64_t number) { value(labels, std::to_string(number)); }

 private:
  std::string& m_out;
  std::string m_name;
};

void writeRun(const ReportFacts& facts, const WriterOptions& options, Metrics& metrics) {
  metrics.family("build_info", "The version that made the run; always 1.");
  metrics.value({{"version", facts.program}}, 1);
  metrics.family("last_run_as_of_timestamp_seconds", "The time up to which the last run judged.");
  metrics.value({}, secondsOf(facts.asOf));
  if (options.now) {
    metrics.family("last_run_timestamp_seconds", "When the last run ended.");
    metrics.value({}, secondsOf(*options.now));
    if (options.exitCode && *options.exitCode <= 1) {
      metrics.family("last_success_timestamp_seconds", "When a run ended last with a complete result.");
      metrics.value({}, secondsOf(*options.now));
    }
  }
  if (options.took) {
    metrics.family("last_run_duration_seconds", "How long the last run took.");
    const auto micros = options.took->count();
    metrics.value({}, fmt::format("{}.{:03}", micros / 1'000'000, micros / 1000 % 1000));
  }
  if (options.exitCode) {
    metrics.family("last_run_exit_code", "0 reconciled, 1 breaks, 3 incomplete, 4 failed.");
    metrics.value({}, static_cast<std::uint64_t>(*options.exitCode));
  }
  metrics.family("last_run_complete", "1 if everything could be read.");
  metrics.value({}, facts.complete ? 1 : 0);
  metrics.family("operations", "Operations that were compared.");
  metrics.value({}, facts.units);
  metrics.family("not_judged", "Operations and rows about which nothing could be said.");
  metrics.value({}, facts.unjudged);
  metrics.family("earlier_breaks", "Breaks of other nights that still stand.");
  metrics.value({}, facts.earlierBreaks);
}

Result<> writeCases(const ReportModel& model, Metrics& metrics) {
  std::map<std::pair<Class, Severity>, std::uint64_t> counts;
  auto ok = model.forEachCase(CaseSet::Listed, [&](const ReportCase& line) -> Result<> {
    if (line.group != ClassGroup::Closed && !isDecided(line.state)) ++counts[{line.unitClass, line.severity}];
    return {};
  });
  if (!ok) return ok;
  metrics.family("open_cases", "Breaks and open operations that nobody has decided, by class and severity.");
  for (const auto& [slot, count] : counts) {
    metrics.value({{"kind", std::string(codeOf(slot.first))}, {"severity", std::string(codeOf(slot.second))}}, count);
  }
  const ReportFacts& facts = model.facts();
  metrics.family("open_amount", "What is at stake, in major units of the currency.");
  for (const ClassRow& row : facts.classes) {
    for (const Money& money : row.exposure) {
      metrics.value({{"kind", std::string(codeOf(row.unitClass))}, {"currency", money.currency.text()}}, formatPlain(money));
    }
  }
  metrics.family("new_cases", "Breaks that are new or worse than before.");
  for (const auto& [unitClass, count] : facts.change.newByClass) {
    metrics.value({{"kind", std::string(codeOf(unitClass))}}, count);
  }
  return {};
}

void writeQueues(const ReportFacts& facts, Metrics& metrics) {
  metrics.family("skips", "Skipped duplicates, by verdict.");
  for (const auto& [verdict, count] : facts.skips) metrics.value({{"verdict", std::string(codeOf(verdict))}}, count);
  metrics.family("dead_letters", "Dead letters that were read, by redrive verdict.");
  for (const auto& [verdict, count] : facts.deadLetters) metrics.value({{"verdict", std::string(codeOf(verdict))}}, count);
  metrics.family("dlq_depth", "Messages in a dead-letter queue.");
  const auto isDead = [](const QueueLine& queue) { return queue.kind == codeOf(QueueKind::Dead); };
  for (const QueueLine& queue : facts.queues) {
    if (isDead(queue) && queue.depth) metrics.value({{"queue", queue.queue}}, std::to_string(*queue.depth));
  }
  metrics.family("dlq_oldest_age_seconds", "Age of the oldest message in a dead-letter queue.");
  for (const QueueLine& queue : facts.queues) {
    if (!isDead(queue) || !queue.oldest) continue;
    const auto age = parseDuration(*queue.oldest);
    if (age) metrics.value({{"queue", queue.queue}}, std::to_string(std::chrono::floor<std::chrono::seconds>(*age).count()));
  }
}

void writeSources(const ReportFacts& facts, Metrics& metrics) {
  metrics.family("source_rows", "Rows read of a source, by what became of them.");
  for (const SourceReport& source : facts.sources) {
    metrics.value({{"source", source.name}, {"result", "recorded"}}, source.recorded);
    metrics.value({{"source", source.name}, {"result", "quarantined"}}, source.quarantined);
    metrics.value({{"source", source.name}, {"result", "excluded"}}, source.excluded);
    metrics.value({{"source", source.name}, {"result", "repeated"}}, source.repeated);
  }
  metrics.family("source_last_record_timestamp_seconds", "Time of the last record of a source.");
  for (const SourceReport& source : facts.sources) {
    if (source.to) metrics.value({{"source", source.name}}, secondsOf(*source.to));
  }
  std::map<std::pair<std::string, std::string>, std::uint64_t> findings;
  for (const FindingRow& row : facts.findings) ++findings[{row.finding.code, std::string(codeOf(row.finding.severity))}];
  metrics.family("findings", "Findings, by code and severity.");
  for (const auto& [slot, count] : findings) metrics.value({{"code", slot.first}, {"severity", slot.second}}, count);
}

}  // namespace

Result<> writeMetrics(const ReportModel& model, const WriterOptions& options, Sink& sink) {
  Buffer buffer(sink);
  Metrics metrics(buffer.text());
  writeRun(model.facts(), options, metrics);
  if (auto ok = writeCases(model, metrics); !ok) return ok;
  writeQueues(model.facts(), metrics);
  writeSources(model.facts(), metrics);
  return buffer.finish();
}

}  // namespace counterfoil
