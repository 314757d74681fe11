// SPDX-License-Identifier: GPL-3.0-or-later
// The whole report as one JSON object, and its cases as a line each.
#include "reports/json/json_writer.h"
#include "reports/writers/buffer.h"
#include "reports/writers/report_format.h"

namespace counterfoil {
namespace {

std::int64_t counted(std::uint64_t value) { return static_cast<std::int64_t>(value); }

std::optional<std::string> instantText(const std::optional<Instant>& at) {
  if (!at) return {};
  return formatInstant(*at);
}

template <class Code>
std::vector<std::string> codesOf(const std::vector<Code>& codes) {
  std::vector<std::string> out;
  for (const Code code : codes) out.emplace_back(codeOf(code));
  return out;
}

/// The members of `cases --format ndjson`, then what only reports have.
void describeCase(const ReportCase& line, JsonWriter& json) {
  CaseLine list;
  list.caseId = line.caseId;
  list.key = line.key;
  list.scope = line.scope;
  list.operation = line.operation;
  list.unitClass = codeOf(line.unitClass);
  list.why = codeOf(line.why);
  list.hints = codesOf(line.hints);
  list.flags = codesOf(line.flags);
  list.severity = codeOf(line.severity);
  list.state = line.isClosed ? "closed" : codeOf(line.state);
  list.exposure = line.exposure;
  list.attempts = line.attempts;
  list.effects = line.effects;
  list.skips = counted(line.skipCount);
  list.deadLetters = line.deadLetters;
  list.keys = line.keys;
  list.opRef = line.opRef;
  list.candidates = line.candidates;
  list.firstRun = line.firstRun;
  list.lastRun = line.lastRun;
  if (line.age) list.age = formatAge(*line.age);
  list.reason = line.reason;
  describe(list, json);
  json.text("label", line.label);
  json.text("assignee", line.assignee);
  json.text("note", line.note);
  json.text("case_version", line.version);
}

void writeEvents(const ReportCase& line, JsonWriter& json) {
  json.key("events");
  json.beginArray();
  for (const CaseEvent& event : line.events) {
    json.beginObject();
    json.textOrNull("time", instantText(event.time));
    json.text("lane", codeOf(event.lane));
    json.text("event", event.code);
    json.text("id", event.id);
    json.money("amount", event.amount ? std::vector{*event.amount} : std::vector<Money>());
    json.text("detail", event.detail);
    json.text("source", event.source);
    json.text("place", event.place);
    if (!event.raw.empty()) json.text("raw", event.raw);
    json.endObject();
  }
  json.endArray();
}

void writeTiles(const ReportFacts& facts, JsonWriter& json) {
  constexpr std::string_view states[] = {"value", "none", "no_data", "error"};
  json.key("tiles");
  json.beginArray();
  for (const ReportTile& tile : facts.tiles) {
    json.beginObject();
    json.text("id", tile.id);
    json.text("state", states[static_cast<std::size_t>(tile.state)]);
    json.text("label", tile.label);
    json.text("value", tile.value);
    json.text("detail", tile.detail);
    json.endObject();
  }
  json.endArray();
}

void writeClasses(const ReportFacts& facts, const Words& words, JsonWriter& json) {
  json.key("classes");
  json.beginArray();
  for (const ClassRow& row : facts.classes) {
    json.beginObject();
    json.text("class", codeOf(row.unitClass));
    json.text("label", row.label);
    json.text("explanation", words.explanation(row.unitClass));
    json.text("severity", codeOf(row.worst));
    json.integer("count", counted(row.count));
    json.integerOrNull("before", row.before ? std::optional(counted(*row.before)) : std::nullopt);
    json.money("exposure", row.exposure);
    json.endObject();
  }
  json.endArray();
}

void writeCounts(std::string_view name, const RunCounts& counts, JsonWriter& json) {
  if (!name.empty()) json.key(name);
  json.beginObject();
  json.integer("run", counts.number);
  json.text("as_of", formatInstant(counts.asOf));
  json.key("complete");
  json.boolean(counts.complete);
  json.integer("units", counted(counts.units));
  json.integer("breaks", counted(counts.breaks));
  json.integer("open", counted(counts.open));
  json.integerOrNull("dead_letters", counts.deadLetters);
  json.money("exposure", counts.exposure);
  json.key("classes");
  json.beginObject();
  for (const auto& [unitClass, count] : counts.classes) {
    if (count != 0) json.integer(codeOf(unitClass), counted(count));
  }
  json.endObject();
  json.endObject();
}

void writeChange(std::string_view name, const RunChange& change, JsonWriter& json) {
  json.key(name);
  json.beginObject();
  json.integer("new", counted(change.newBreaks));
  json.integer("cleared", counted(change.cleared));
  json.integer("grown", counted(change.grown));
  json.endObject();
}

void writeTrend(const ReportFacts& facts, JsonWriter& json) {
  json.key("trend");
  json.beginArray();
  for (const RunCounts& counts : facts.trend) writeCounts("", counts, json);
  json.endArray();
  json.key("comparison");
  if (!facts.comparison) return json.null();
  const Comparison& comparison = *facts.comparison;
  json.beginObject();
  if (comparison.runsBefore > 0) writeCounts("before", comparison.before, json);
  writeCounts("now", comparison.now, json);
  writeChange("change", comparison.change, json);
  if (comparison.changeBefore) writeChange("change_before", *comparison.changeBefore, json);
  json.endObject();
}

template <class Line>
void writeLines(std::string_view name, const std::vector<Line>& lines, JsonWriter& json) {
  json.key(name);
  json.beginArray();
  for (const Line& line : lines) {
    json.beginObject();
    describe(line, json);
    json.endObject();
  }
  json.endArray();
}

void writeFindings(const ReportFacts& facts, JsonWriter& json) {
  json.key("findings");
  json.beginArray();
  for (const FindingRow& row : facts.findings) {
    json.beginObject();
    describe(row.finding, json);
    json.text("label", row.label);
    json.text("explanation", row.explanation);
    json.endObject();
  }
  json.endArray();
}

void writeSources(const ReportFacts& facts, JsonWriter& json) {
  json.key("sources");
  json.beginArray();
  for (std::size_t i = 0; i < facts.sources.size(); ++i) {
    const SourceReport& source = facts.sources[i];
    json.beginObject();
    json.text("name", source.name);
    json.text("format", source.format);
    json.text("digest", source.digest);
    json.integer("rows", counted(source.rows));
    json.integer("recorded", counted(source.recorded));
    json.integer("quarantined", counted(source.quarantined));
    json.integer("excluded", counted(source.excluded));
    json.integer("repeated", counted(source.repeated));
    json.textOrNull("from", instantText(source.from));
    json.textOrNull("to", instantText(source.to));
    json.key("coverage");
    json.beginArray();
    if (i < facts.coverage.size()) {
      for (const Interval& interval : facts.coverage[i].intervals) {
        json.beginObject();
        json.text("from", formatInstant(interval.from));
        json.text("to", formatInstant(interval.to));
        json.endObject();
      }
    }
    json.endArray();
    json.endObject();
  }
  json.endArray();
}

void writeQuarantined(const ReportFacts& facts, JsonWriter& json) {
  json.key("quarantined");
  json.beginArray();
  for (const QuarantinedRow& row : facts.quarantined) {
    json.beginObject();
    json.text("file", row.file);
    json.integer("line", counted(row.line));
    json.text("column", row.column);
    json.text("value", row.value);
    json.text("rule", row.rule);
    json.text("reason", row.reason);
    if (facts.unmasked) json.text("raw", row.raw);
    json.endObject();
  }
  json.endArray();
}

void writeHead(const ReportFacts& facts, JsonWriter& json) {
  constexpr std::string_view kinds[] = {"run", "period", "case", "list"};
  json.text("report", kinds[static_cast<std::size_t>(facts.kind)]);
  json.text("title", facts.title);
  json.text("name", facts.name);
  json.text("language", codeOf(facts.language));
  json.key("masked");
  json.boolean(!facts.unmasked);
  json.integer("run", facts.run);
  json.text("as_of", formatInstant(facts.asOf));
  if (facts.period) {
    json.text("since", formatInstant(facts.period->from));
    json.text("until", formatInstant(facts.period->to));
  }
  json.key("runs");
  json.beginArray();
  for (const RunMark& mark : facts.runs) json.number(mark.number);
  json.endArray();
  json.key("complete");
  json.boolean(facts.complete);
  json.list("incomplete_because", facts.incompleteBecause);
  json.text("health", facts.health);
  json.integer("units", counted(facts.units));
  json.integer("breaks", counted(facts.breaks));
  json.integer("open", counted(facts.open));
  json.integer("overdue", counted(facts.overdue));
  json.integer("unjudged", counted(facts.unjudged));
  json.integer("earlier_breaks", counted(facts.earlierBreaks));
  json.money("exposure", facts.exposure);
  json.money("saved", facts.saved);
}

Result<> writeCaseArray(std::string_view name, CaseSet set, const ReportModel& model, JsonWriter& json, Buffer& buffer) {
  json.key(name);
  json.beginArray();
  auto ok = model.forEachCase(set, [&](const ReportCase& line) {
    json.beginObject();
    describeCase(line, json);
    if (line.detailed) writeEvents(line, json);
    json.endObject();
    return buffer.pass();
  });
  json.endArray();
  return ok;
}

Result<> writeSkipsAndLetters(const ReportModel& model, JsonWriter& json, Buffer& buffer) {
  json.key("skips");
  json.beginArray();
  auto ok = model.forEachSkip({}, [&](const SkipRow& row) {
    SkipLine line{row.key, formatInstant(row.time), row.worker, std::string(codeOf(row.verdict)), row.reason, {}, row.caseId};
    if (row.saved) line.saved = {*row.saved};
    json.beginObject();
    describe(line, json);
    json.endObject();
    return buffer.pass();
  });
  json.endArray();
  if (!ok) return ok;
  json.key("dead_letters");
  json.beginArray();
  ok = model.forEachDeadLetter({}, [&](const DeadLetterRow& row) {
    json.beginObject();
    describe(MessageLine{row.queue, row.messageId, row.key, row.error, row.receiveCount, instantText(row.diedAt),
                         instantText(row.deadline), std::string(codeOf(row.verdict)), row.reason, row.caseId},
             json);
    json.endObject();
    return buffer.pass();
  });
  json.endArray();
  return ok;
}

}  // namespace

Result<> writeReportJson(const ReportModel& model, const WriterOptions&, Sink& sink) {
  Buffer buffer(sink);
  const ReportFacts& facts = model.facts();
  JsonWriter json(buffer.text(), 2);
  json.beginObject();
  writeHead(facts, json);
  writeTiles(facts, json);
  writeClasses(facts, model.words(), json);
  writeTrend(facts, json);
  writeLines("proof", facts.proof, json);
  writeFindings(facts, json);
  writeSources(facts, json);
  writeQuarantined(facts, json);
  writeLines("queues", facts.queues, json);
  if (auto ok = writeSkipsAndLetters(model, json, buffer); !ok) return ok;
  if (auto ok = writeCaseArray("cases", CaseSet::Listed, model, json, buffer); !ok) return ok;
  if (auto ok = writeCaseArray("earlier_cases", CaseSet::Earlier, model, json, buffer); !ok) return ok;
  json.text("configuration", facts.configuration);
  json.endObject();
  buffer << "\n";
  return buffer.finish();
}

Result<> writeCasesNdjson(const ReportModel& model, const WriterOptions&, Sink& sink) {
  Buffer buffer(sink);
  const auto write = [&](const ReportCase& line) {
    JsonWriter json(buffer.text());
    json.beginObject();
    describeCase(line, json);
    json.endObject();
    buffer << "\n";
    return buffer.pass();
  };
  if (auto ok = model.forEachCase(CaseSet::Listed, write); !ok) return ok;
  if (model.facts().earlierBreaks > 0) {
    if (auto ok = model.forEachCase(CaseSet::Earlier, write); !ok) return ok;
  }
  return buffer.finish();
}

}  // namespace counterfoil
