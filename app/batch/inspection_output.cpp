// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/batch/inspection_output.h"

#include <fmt/format.h>

#include "app/batch/inspection_checks.h"
#include "core/base/text.h"
#include "reports/json/json_writer.h"
#include "reports/list/record_fields.h"
#include "reports/text/run_words.h"
#include "reports/text/text_table.h"

namespace counterfoil {

namespace {

constexpr std::string_view kDot = " · ";

std::string rowsLine(const FileReport& report) {
  std::string out = fmt::format("{}: {} recorded", counted(report.rows, "row", "rows"),
                                groupedNumber(report.recorded));
  const auto add = [&out](std::uint64_t count, std::string_view words) {
    if (count > 0) out += fmt::format(", {} {}", groupedNumber(count), words);
  };
  add(report.quarantined, "quarantined");
  add(report.excluded, "excluded");
  add(report.repeated, "repeated");
  if (report.unmatchedLines > 0) {
    out +=
        fmt::format("{}{} fit no pattern", kDot, counted(report.unmatchedLines, "line", "lines"));
  }
  return out;
}

class LookText {
 public:
  LookText(const FileLook& look, const TextStyle& style) : m_look(look), m_style(style) {}

  std::string print() {
    m_out += paint(forTerminal(m_look.path), Ink::Bold, m_style);
    const InspectReport& report = *m_look.report;
    m_out += "  " + paint(forTerminal(report.format), Ink::Blue, m_style) + "\n";
    line(forTerminal(report.layout), Ink::Dim);
    line(rowsLine(report.file));
    if (!report.file.complete) line("NOT COMPLETE: " + forTerminal(report.file.problem), Ink::Red);
    if (report.file.from && report.file.to)
      line("from " + spanWords(*report.file.from, *report.file.to) + " UTC");
    if (report.file.covers)
      line("covers " + spanWords(report.file.covers->from, report.file.covers->to) + " UTC");
    printTotals(report);
    m_out += checksText(report.file.checks, m_style);
    printFirst(report);
    printQuarantined(report);
    return std::move(m_out);
  }

 private:
  void line(std::string_view text, Ink ink = Ink::Plain) {
    for (const std::string& part : wrapped(text, m_style.width - 2)) {
      m_out += "  " + paint(part, ink, m_style) + "\n";
    }
  }

  void printTotals(const InspectReport& report) {
    using Align = TextColumn::Align;
    using Fit = TextColumn::Fit;
    TextTable table({{"", Align::Right, Fit::Whole},
                     {"", Align::Left, Fit::Whole},
                     {"", Align::Right, Fit::Whole}},
                    2);
    for (const InspectTotal& total : report.totals) {
      const bool hasAmount = !total.amount.currency.isNone();
      table.add({{groupedNumber(total.count)},
                 {total.kind},
                 {hasAmount ? formatForPeople(total.amount) : std::string()}});
    }
    table.print(m_style, false, m_out);
    for (const InspectTotal& total : report.totals) printFees(total);
    for (const ExcludedTotal& total : report.file.excludedTotals) printExcluded(total);
  }

  void printFees(const InspectTotal& total) {
    for (const auto& [currency, amount] : total.fees) {
      line(fmt::format("fees of {}: {} {}", total.kind, currency.text(), amount), Ink::Dim);
    }
  }

  void printExcluded(const ExcludedTotal& total) {
    const std::string sum = total.currency.isNone()
                                ? std::string()
                                : fmt::format(", {} as written", formatForPeople({total.minor, total.currency}));
    line(fmt::format("left out as {}: {}{}", total.kind, groupedNumber(total.count), sum), Ink::Dim);
  }

  void printFirst(const InspectReport& report) {
    if (report.records.empty()) return;
    line("first records:", Ink::Dim);
    TextTable table({{"", TextColumn::Align::Right, TextColumn::Fit::Whole, 0, Ink::Dim},
                     {"", TextColumn::Align::Left, TextColumn::Fit::Wrap}},
                    2);
    for (const auto& [place, record] : report.records) {
      std::string text;
      for (const auto& [name, value] : fieldsOf(record)) {
        if (!text.empty()) text += ' ';
        text += fmt::format("{}={}", name, forTerminal(value));
      }
      table.add({{place == 0 ? std::string() : fmt::format("line {}", place)}, {std::move(text)}});
    }
    table.print(m_style, false, m_out);
  }

  void printQuarantined(const InspectReport& report) {
    if (report.quarantined.empty()) return;
    line("quarantined:", Ink::Yellow);
    TextTable table({{"", TextColumn::Align::Right, TextColumn::Fit::Whole, 0, Ink::Yellow},
                     {"", TextColumn::Align::Left, TextColumn::Fit::Wrap}},
                    2);
    for (const QuarantinedRow& row : report.quarantined) {
      table.add({{fmt::format("line {}", row.line)}, {forTerminal(row.reason)}});
    }
    table.print(m_style, false, m_out);
    if (report.file.quarantined > report.quarantined.size()) {
      line(fmt::format("… {} more",
                       groupedNumber(report.file.quarantined - report.quarantined.size())),
           Ink::Dim);
    }
  }

  const FileLook& m_look;
  const TextStyle& m_style;
  std::string m_out;
};

std::optional<std::string> instantText(const std::optional<Instant>& at) {
  if (!at) return std::nullopt;
  return formatInstant(*at);
}

void writeTotals(const InspectReport& report, JsonWriter& json) {
  json.key("totals");
  json.beginArray();
  for (const InspectTotal& total : report.totals) {
    json.beginObject();
    json.text("kind", total.kind);
    json.integer("count", static_cast<std::int64_t>(total.count));
    const bool hasAmount = !total.amount.currency.isNone();
    json.text("currency", total.amount.currency.text());
    json.integerOrNull("minor", hasAmount ? std::optional(total.amount.minor) : std::nullopt);
    json.key("fees");
    json.beginArray();
    for (const auto& [currency, amount] : total.fees) {
      json.beginObject();
      json.text("currency", currency.text());
      json.text("amount", amount);
      json.endObject();
    }
    json.endArray();
    json.endObject();
  }
  json.endArray();
}

void writeExcluded(const FileReport& file, JsonWriter& json) {
  json.key("excluded_totals");
  json.beginArray();
  for (const ExcludedTotal& total : file.excludedTotals) {
    json.beginObject();
    json.text("kind", total.kind);
    json.integer("count", static_cast<std::int64_t>(total.count));
    json.text("currency", total.currency.text());
    json.integerOrNull("minor", total.currency.isNone() ? std::nullopt : std::optional(total.minor));
    json.endObject();
  }
  json.endArray();
}

/// What the rows come to by currency, fees and what is left out with them, signs as written.
void writeSums(const FileReport& file, JsonWriter& json) {
  json.key("as_written");
  json.beginArray();
  for (const Money& money : file.declaredBasis) {
    json.beginObject();
    json.text("currency", money.currency.text());
    json.integer("minor", money.minor);
    json.endObject();
  }
  json.endArray();
}

void writeQuarantined(const InspectReport& report, JsonWriter& json) {
  json.key("quarantined_rows");
  json.beginArray();
  for (const QuarantinedRow& row : report.quarantined) {
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

void writeRecords(const InspectReport& report, JsonWriter& json) {
  json.key("records");
  json.beginArray();
  for (const auto& [place, record] : report.records) {
    json.beginObject();
    json.integer("line", static_cast<std::int64_t>(place));
    json.text("record", codeOf(kindOf(record)));
    for (const auto& [name, value] : fieldsOf(record)) json.text(name, value);
    json.endObject();
  }
  json.endArray();
}

void writeReport(const InspectReport& report, JsonWriter& json) {
  const FileReport& file = report.file;
  json.text("format", report.format);
  json.text("layout", report.layout);
  json.list("columns", report.columns);
  json.text("digest", file.digest);
  json.integer("bytes", static_cast<std::int64_t>(file.bytes));
  json.integer("rows", static_cast<std::int64_t>(file.rows));
  json.integer("recorded", static_cast<std::int64_t>(file.recorded));
  json.integer("quarantined", static_cast<std::int64_t>(file.quarantined));
  json.integer("excluded", static_cast<std::int64_t>(file.excluded));
  json.integer("repeated", static_cast<std::int64_t>(file.repeated));
  json.integer("unmatched_lines", static_cast<std::int64_t>(file.unmatchedLines));
  json.key("complete");
  json.boolean(file.complete);
  json.text("problem", file.problem);
  json.textOrNull("from", instantText(file.from));
  json.textOrNull("to", instantText(file.to));
  writeTotals(report, json);
  writeChecks(report.file.checks, json);
  writeExcluded(file, json);
  writeSums(file, json);
  writeQuarantined(report, json);
  writeRecords(report, json);
}

}  // namespace

std::string inspectionText(const FileLook& look, const TextStyle& style) {
  return LookText(look, style).print();
}

std::string inspectionJson(const std::vector<FileLook>& looks) {
  std::string out;
  JsonWriter json(out, 3);
  json.beginArray();
  for (const FileLook& look : looks) {
    json.beginObject();
    json.text("file", look.path);
    if (look.report) {
      writeReport(*look.report, json);
    } else {
      json.key("complete");
      json.boolean(false);
      json.text("problem", look.error.message);
    }
    json.endObject();
  }
  json.endArray();
  out += '\n';
  return out;
}

}  // namespace counterfoil
