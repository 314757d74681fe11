// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/json/run_json.h"

#include "reports/json/json_writer.h"
#include "reports/list/lines.h"

namespace counterfoil {

namespace {

std::int64_t counted(std::uint64_t value) {
  return static_cast<std::int64_t>(value);
}

std::optional<std::string> instantText(const std::optional<Instant>& at) {
  if (!at) return std::nullopt;
  return formatInstant(*at);
}

void writeSource(const SourceReport& source, JsonWriter& json) {
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
  json.endObject();
}

template <class Counts>
void writeCounts(std::string_view name, const Counts& counts, JsonWriter& json) {
  json.key(name);
  json.beginObject();
  for (const auto& [code, count] : counts) {
    if (count != 0) json.integer(codeOf(code), counted(count));
  }
  json.endObject();
}

void writeFinding(const Finding& finding, JsonWriter& json) {
  json.beginObject();
  describe(finding, json);
  json.endObject();
}

void writeProof(const ProofLine& line, JsonWriter& json) {
  json.beginObject();
  json.text("scope", line.scope);
  json.text("currency", line.currency.text());
  json.text("kind", codeOf(line.kind));
  json.integer("local_minor", line.localMinor);
  json.integer("provider_minor", line.providerMinor);
  json.integer("unexplained_minor", line.unexplainedMinor);
  json.key("steps");
  json.beginObject();
  for (std::size_t i = 0; i < kBridgeStepCount; ++i) {
    if (line.steps[i] != 0) json.integer(codeOf(static_cast<BridgeStep>(i)), line.steps[i]);
  }
  json.endObject();
  json.endObject();
}

void writeKeys(const KeyMeeting& keys, JsonWriter& json) {
  json.key("keys");
  json.beginObject();
  json.integer("local", counted(keys.localKeys));
  json.integer("provider", counted(keys.providerKeys));
  json.integer("meeting", counted(keys.meeting));
  if (!keys.betterColumn.empty()) {
    json.text("better_column", keys.betterColumn);
    json.integer("better_meeting", counted(keys.betterMatches));
  }
  json.endObject();
}

}  // namespace

std::string runJson(const RunResult& result, std::optional<std::int64_t> runNumber) {
  std::string out;
  JsonWriter json(out);
  json.beginObject();
  json.integerOrNull("run", runNumber);
  json.text("as_of", formatInstant(result.asOf));
  json.key("complete");
  json.boolean(result.complete);
  json.list("incomplete_because", result.incompleteBecause);
  json.key("sources");
  json.beginArray();
  for (const SourceReport& source : result.sources) writeSource(source, json);
  json.endArray();
  json.integer("units", counted(result.units));
  json.integer("breaks", counted(result.breaks));
  json.integer("open", counted(result.open));
  json.integer("overdue", counted(result.overdue));
  json.integer("unjudged", counted(result.unjudged));
  writeCounts("classes", result.classes, json);
  writeCounts("skips", result.skips, json);
  json.money("saved", result.saved);
  writeCounts("dead_letters", result.deadLetters, json);
  json.money("exposure", result.exposure);
  json.key("findings");
  json.beginArray();
  for (const Finding& finding : result.findings) writeFinding(finding, json);
  json.endArray();
  json.key("proof");
  json.beginArray();
  for (const ProofLine& line : result.proof) writeProof(line, json);
  json.endArray();
  writeKeys(result.keys, json);
  json.integer("units_not_listed", counted(result.unitsNotListed));
  json.endObject();
  out += '\n';
  return out;
}

}  // namespace counterfoil
