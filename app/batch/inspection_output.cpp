// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/batch/inspection_output.h"

#include <fmt/format.h>

#include <limits>

#include "core/base/text.h"
#include "reports/json/json_writer.h"
#include "reports/list/record_fields.h"
#include "reports/text/run_words.h"
#include "reports/text/text_table.h"

namespace counterfoil {

namespace {

constexpr std::string_view kDot = " · ";

/// Sums of a file may not fit: then they are left out rather than shown wrong.
std::optional<Money> sumOf(const TallyKey& key, const Tally& tally) {
  if (key.currency == 0) return std::nullopt;
  if (tally.minor > std::numeric_limits<std::int64_t>::max()) return std::nullopt;
  return Money{static_cast<std::int64_t>(tally.minor), Currency::fromPacked(key.currency)};
}

std::string_view kindOf(const TallyKey& key) {
  return key.record == RecordKind::Effect ? codeOf(static_cast<EffectKind>(key.effectKind)) : std::string_view();
}

std::string_view statusOf(const TallyKey& key) {
  switch (key.record) {
    case RecordKind::Effect: return codeOf(static_cast<EffectStatus>(key.status));
    case RecordKind::Attempt: return codeOf(static_cast<AttemptStatus>(key.status));
    default: return "";
  }
}

std::string rowsLine(const FileReport& report) {
  std::string out = fmt::format("{}: {} recorded", counted(report.rows, "row", "rows"), groupedNumber(report.recorded));
  const auto add = [&out](std::uint64_t count, std::string_view words) {
    if (count > 0) out += fmt::format(", {} {}", groupedNumber(count), words);
  };
  add(report.quarantined, "quarantined");
  add(report.excluded, "excluded");
  add(report.repeated, "repeated");
  if (report.unmatchedLines > 0) {
    out += fmt::format("{}{} fit no pattern", kDot, counted(report.unmatchedLines, "line", "lines"));
  }
  return out;
}

class FileText {
 public:
  FileText(const FileInspection& file, const TextStyle& style) : m_file(file), m_style(style) {}

  std::string print() {
    const FileReport& report = m_file.report;
    m_out += paint(forTerminal(report.path), Ink::Bold, m_style) + "  " + paint(forTerminal(report.format), Ink::Blue, m_style) + "\n";
    line(rowsLine(report));
    if (!report.complete) line("NOT COMPLETE: " + forTerminal(report.problem), Ink::Red);
    if (report.from && report.to) line("from " + spanWords(*report.from, *report.to) + " UTC");
    if (report.covers) line("covers " + spanWords(report.covers->from, report.covers->to) + " UTC");
    printKeys();
    printTallies();
    printFirst();
    printQuarantined();
    return std::move(m_out);
  }

 private:
  void line(std::string_view text, Ink ink = Ink::Plain) {
    for (const std::string& part : wrapped(text, m_style.width - 2)) m_out += "  " + paint(part, ink, m_style) + "\n";
  }

  void printKeys() {
    if (m_file.records == 0) return;
    line(fmt::format("{} of {} with an idempotency key", groupedNumber(m_file.withKey),
                     counted(m_file.records, "record", "records")));
  }

  void printTallies() {
    using Align = TextColumn::Align;
    using Fit = TextColumn::Fit;
    TextTable table({{"", Align::Right, Fit::Whole}, {"", Align::Left, Fit::Whole}, {"", Align::Left, Fit::Whole},
                     {"", Align::Left, Fit::Whole}, {"", Align::Right, Fit::Whole}},
                    2);
    for (const auto& [key, tally] : m_file.tallies) {
      const auto sum = sumOf(key, tally);
      table.add({{groupedNumber(tally.count)}, {std::string(codeOf(key.record))}, {std::string(kindOf(key))},
                 {std::string(statusOf(key))}, {sum ? formatForPeople(*sum) : std::string()}});
    }
    table.print(m_style, false, m_out);
  }

  void printFirst() {
    for (const AnyRecord& record : m_file.first) {
      std::string text;
      for (const auto& [name, value] : fieldsOf(record)) {
        if (!text.empty()) text += "  ";
        text += fmt::format("{}={}", name, forTerminal(value));
      }
      const auto parts = wrapped(text, m_style.width - 4);
      for (std::size_t i = 0; i < parts.size(); ++i) {
        m_out += (i == 0 ? "  " : "    ") + paint(parts[i], Ink::Dim, m_style) + "\n";
      }
    }
  }

  void printQuarantined() {
    if (m_file.quarantined.empty()) return;
    line("quarantined:", Ink::Yellow);
    TextTable table({{"", TextColumn::Align::Right, TextColumn::Fit::Whole},
                     {"", TextColumn::Align::Left, TextColumn::Fit::Wrap}},
                    2);
    for (const QuarantinedRow& row : m_file.quarantined) {
      table.add({{fmt::format("line {}", row.line)}, {forTerminal(row.reason)}});
    }
    table.print(m_style, false, m_out);
    if (m_file.report.quarantined > m_file.quarantined.size()) {
      line(fmt::format("… {} more", groupedNumber(m_file.report.quarantined - m_file.quarantined.size())), Ink::Dim);
    }
  }

  const FileInspection& m_file;
  const TextStyle& m_style;
  std::string m_out;
};

std::optional<std::string> instantText(const std::optional<Instant>& at) {
  if (!at) return std::nullopt;
  return formatInstant(*at);
}

void writeTallies(const FileInspection& file, JsonWriter& json) {
  json.key("totals");
  json.beginArray();
  for (const auto& [key, tally] : file.tallies) {
    json.beginObject();
    json.text("record", codeOf(key.record));
    json.text("kind", kindOf(key));
    json.text("status", statusOf(key));
    json.integer("count", static_cast<std::int64_t>(tally.count));
    const auto sum = sumOf(key, tally);
    json.text("currency", sum ? sum->currency.text() : std::string());
    json.integerOrNull("minor", sum ? std::optional(sum->minor) : std::nullopt);
    json.endObject();
  }
  json.endArray();
}

void writeQuarantined(const FileInspection& file, JsonWriter& json) {
  json.key("quarantined_rows");
  json.beginArray();
  for (const QuarantinedRow& row : file.quarantined) {
    json.beginObject();
    json.integer("line", static_cast<std::int64_t>(row.line));
    json.text("column", row.column);
    json.text("value", row.value);
    json.text("rule", row.rule);
    json.text("reason", row.reason);
    json.text("raw", row.raw);
    json.endObject();
  }
  json.endArray();
}

void writeRecords(const FileInspection& file, JsonWriter& json) {
  json.key("records");
  json.beginArray();
  for (const AnyRecord& record : file.first) {
    json.beginObject();
    json.text("record", codeOf(kindOf(record)));
    for (const auto& [name, value] : fieldsOf(record)) json.text(name, value);
    json.endObject();
  }
  json.endArray();
}

void writeFile(const FileInspection& file, JsonWriter& json) {
  const FileReport& report = file.report;
  json.beginObject();
  json.text("file", report.path);
  json.text("format", report.format);
  json.text("digest", report.digest);
  json.integer("bytes", static_cast<std::int64_t>(report.bytes));
  json.integer("rows", static_cast<std::int64_t>(report.rows));
  json.integer("recorded", static_cast<std::int64_t>(report.recorded));
  json.integer("quarantined", static_cast<std::int64_t>(report.quarantined));
  json.integer("excluded", static_cast<std::int64_t>(report.excluded));
  json.integer("repeated", static_cast<std::int64_t>(report.repeated));
  json.integer("unmatched_lines", static_cast<std::int64_t>(report.unmatchedLines));
  json.integer("with_key", static_cast<std::int64_t>(file.withKey));
  json.key("complete");
  json.boolean(report.complete);
  json.text("problem", report.problem);
  json.textOrNull("from", instantText(report.from));
  json.textOrNull("to", instantText(report.to));
  writeTallies(file, json);
  writeQuarantined(file, json);
  writeRecords(file, json);
  json.endObject();
}

}  // namespace

std::string inspectionText(const FileInspection& file, const TextStyle& style) { return FileText(file, style).print(); }

std::string inspectionJson(const std::vector<FileInspection>& files) {
  std::string out;
  JsonWriter json(out, 3);
  json.beginArray();
  for (const FileInspection& file : files) writeFile(file, json);
  json.endArray();
  out += '\n';
  return out;
}

std::string problemText(const InputProblem& problem, const TextStyle& style) {
  std::string out;
  for (const std::string& part : wrapped(forTerminal(problem.error.message), style.width)) {
    out += paint(part, Ink::Red, style) + "\n";
  }
  return out;
}

}  // namespace counterfoil
