// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

#include "app/batch/commands.h"
#include "app/batch/exit_codes.h"
#include "app/batch/list_options.h"
#include "core/base/text.h"
#include "importers/mapping/named_formats.h"

namespace counterfoil {

struct FormatLine {
  std::string name, title;
  std::vector<std::string> records;
  bool blind = false;
};

void describe(const FormatLine& line, LineVisitor& visitor) {
  visitor.text("name", line.name);
  visitor.text("title", line.title);
  visitor.list("records", line.records);
  visitor.integer("blind", line.blind ? 1 : 0);
}

template <>
struct ListTable<FormatLine> {
  static std::vector<TextColumn> columns() {
    using Align = TextColumn::Align;
    using Fit = TextColumn::Fit;
    return {{"format", Align::Left, Fit::Whole, 0, Ink::Bold},
            {"records", Align::Left, Fit::Whole},
            {"what it reads", Align::Left, Fit::Wrap}};
  }
  static std::vector<TextCell> cells(const FormatLine& line) {
    return {{forTerminal(line.name)},
            {fmt::format("{}", fmt::join(line.records, ", "))},
            {forTerminal(line.title)}};
  }
};

namespace {

FormatLine lineOf(const NamedFormat& format) {
  FormatLine line{format.name, format.title, {}, format.blind};
  std::set<std::string> records;
  for (const auto& mapping : format.mappings) records.emplace(codeOf(mapping->record()));
  line.records.assign(records.begin(), records.end());
  return line;
}

std::string pageOf(const NamedFormat& format, const TextStyle& style) {
  std::string out = paint(format.name, Ink::Bold, style) + "  " + forTerminal(format.title) + "\n";
  const auto paragraph = [&](const std::string& text) {
    for (const std::string& line : wrapped(forTerminal(text), style.width - 2))
      out += "  " + line + "\n";
  };
  if (!format.about.empty()) paragraph(format.about);
  if (format.blind)
    paragraph(
        "Blind: it keeps no successes, or one row per job; how often a job took effect comes from "
        "the provider.");
  for (const auto& mapping : format.mappings) {
    out += fmt::format("\n  makes {} records from the columns\n", codeOf(mapping->record()));
    std::string columns;
    for (const std::string& column : mapping->knownColumns()) {
      if (!columns.empty()) columns += ", ";
      columns += column;
    }
    for (const std::string& line : wrapped(forTerminal(columns), style.width - 4))
      out += "    " + line + "\n";
  }
  return out;
}

class FormatsCommand final : public Command {
 public:
  [[nodiscard]] const CommandSpec& spec() const override {
    static const CommandSpec spec = {
        "formats",
        "the formats it knows and what each reads",
        {{"counterfoil formats", "all of them"},
         {"counterfoil formats generic.attempts", "one, with its columns"}},
        {{"NAME", "name of a format", PositionalSpec::Count::Optional}},
        listOptionSpecs()};
    return spec;
  }

  Result<int> run(const Arguments& arguments, Session& session) const override {
    const ListChoices choices = listChoicesOf(arguments);
    const auto name = arguments.value("NAME");
    if (name) {
      const auto format = loadFormat(*name);
      if (!format) return fail(format.error());
      if (choices.format == ListFormat::Table) return printPage(*format, choices, session);
      return printLines({lineOf(*format)}, choices, session);
    }
    std::vector<FormatLine> lines;
    for (const std::string& known : formatNames()) {
      const auto format = loadFormat(known);
      if (!format) return fail(format.error());
      lines.push_back(lineOf(*format));
    }
    return printLines(lines, choices, session);
  }

 private:
  static Result<int> printPage(const NamedFormat& format, const ListChoices& choices,
                               Session& session) {
    const Result<> printed = printTo(
        choices.outputPath, session,
        [&](Sink& sink, const TextStyle& style) { return sink.write(pageOf(format, style)); });
    if (!printed) return fail(printed.error());
    return kExitReconciled;
  }

  static Result<int> printLines(const std::vector<FormatLine>& lines, const ListChoices& choices,
                                Session& session) {
    if (Result<> printed = printList(choices, session, lines); !printed)
      return fail(printed.error());
    return kExitReconciled;
  }
};

}  // namespace

std::unique_ptr<const Command> makeFormatsCommand() {
  return std::make_unique<FormatsCommand>();
}

}  // namespace counterfoil
