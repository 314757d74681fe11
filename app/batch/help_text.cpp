// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/batch/help_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/batch/exit_codes.h"
#include "reports/text/text_table.h"

namespace counterfoil {

namespace {

TextTable twoColumns() {
  return TextTable({{"", TextColumn::Align::Left, TextColumn::Fit::Whole, 0, Ink::Bold},
                    {"", TextColumn::Align::Left, TextColumn::Fit::Wrap}},
                   2);
}

void printHeading(std::string_view heading, const TextStyle& style, std::string& out) {
  out += '\n';
  out += paint(heading, Ink::Bold, style);
  out += '\n';
}

void printExamples(const std::vector<ExampleSpec>& examples, const TextStyle& style,
                   std::string& out) {
  out += paint("Examples:", Ink::Bold, style) + "\n";
  for (const ExampleSpec& example : examples) {
    out += "  " + paint(example.command, Ink::Blue, style) + "\n";
    out += "      " + std::string(example.meaning) + "\n";
  }
}

std::string usageOf(const PositionalSpec& positional) {
  switch (positional.count) {
    case PositionalSpec::Count::One:
      return fmt::format(" {}", positional.name);
    case PositionalSpec::Count::Optional:
      return fmt::format(" [{}]", positional.name);
    case PositionalSpec::Count::Many:
      return fmt::format(" {}…", positional.name);
  }
  return {};
}

void printOptions(const std::vector<OptionSpec>& options, const TextStyle& style,
                  std::string& out) {
  TextTable table = twoColumns();
  for (const OptionSpec& option : options) {
    std::string left(option.name);
    if (option.choices.empty()) {
      if (!option.value.empty()) left += fmt::format(" {}", option.value);
    } else {
      left += fmt::format(" {}", fmt::join(option.choices, "|"));
    }
    if (option.count == OptionSpec::Count::Many) left += "…";
    table.add({{std::move(left)}, {std::string(option.help)}});
  }
  table.print(style, false, out);
}

}  // namespace

std::string programHelp(const CommandList& commands, const TextStyle& style) {
  std::string out;
  printExamples({{"counterfoil demo demo",
                  "writes a made-up week with planted faults, and what to type next"},
                 {"counterfoil match --local jobs.csv --provider statement.csv",
                  "which jobs charged twice, which never happened, and why"},
                 {"counterfoil init jobs.csv statement.csv --output counterfoil.json",
                  "a first configuration from your files"},
                 {"counterfoil match --config counterfoil.json --format csv --output breaks.csv",
                  "the same with your rules, as a table for a spreadsheet"}},
                style, out);
  printHeading("Counterfoil compares what your jobs say with what the provider did.", style, out);
  out += "Usage: counterfoil COMMAND [OPTIONS]\n";
  printHeading("Commands:", style, out);
  TextTable table = twoColumns();
  for (const auto& command : commands) {
    table.add({{std::string(command->spec().name)}, {std::string(command->spec().summary)}});
  }
  table.print(style, false, out);
  printHeading("Common options:", style, out);
  printOptions(commonOptions(), style, out);
  out += '\n';
  out += exitCodeHelp();
  out += "\nMore: counterfoil help COMMAND\n";
  return out;
}

std::string commandHelp(const CommandSpec& spec, const TextStyle& style) {
  std::string out;
  printExamples(spec.examples, style, out);
  printHeading(fmt::format("{}: {}", spec.name, spec.summary), style, out);
  out += fmt::format("Usage: counterfoil {}", spec.name);
  for (const PositionalSpec& positional : spec.positionals) out += usageOf(positional);
  out += spec.options.empty() ? "\n" : " [OPTIONS]\n";
  if (!spec.positionals.empty()) {
    TextTable table = twoColumns();
    for (const PositionalSpec& positional : spec.positionals) {
      std::string help(positional.help);
      if (!positional.choices.empty())
        help += fmt::format(": {}", fmt::join(positional.choices, ", "));
      table.add({{std::string(positional.name)}, {std::move(help)}});
    }
    table.print(style, false, out);
  }
  if (!spec.options.empty()) {
    printHeading("Options:", style, out);
    printOptions(spec.options, style, out);
  }
  printHeading("Common options:", style, out);
  printOptions(commonOptions(), style, out);
  if (!spec.notes.empty()) {
    out += '\n';
    for (const std::string& line : wrapped(spec.notes, style.width)) out += line + "\n";
  }
  out += '\n';
  out += exitCodeHelp();
  return out;
}

std::string versionText() {
  return "counterfoil " COUNTERFOIL_VERSION "\n";
}

}  // namespace counterfoil
