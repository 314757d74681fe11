// SPDX-License-Identifier: GPL-3.0-or-later
// --format and --output of commands that print lists.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/batch/command.h"
#include "app/batch/print_to.h"
#include "reports/list/list_tables.h"

namespace counterfoil {

[[nodiscard]] std::vector<OptionSpec> listOptionSpecs();

struct ListChoices {
  ListFormat format = ListFormat::Table;
  std::string outputPath;  ///< blank: standard output
};
[[nodiscard]] ListChoices listChoicesOf(const Arguments& arguments);

/// Prints a list of lines that describe() and ListTable know; `fill` calls add for each.
template <class Line>
Result<> printList(const ListChoices& choices, Session& session,
                   const std::function<Result<>(ListPrinter<Line>&)>& fill) {
  return printTo(choices.outputPath, session, [&](Sink& sink, const TextStyle& style) -> Result<> {
    ListPrinter<Line> printer(sink, choices.format, style);
    if (Result<> filled = fill(printer); !filled) return filled;
    return printer.finish();
  });
}

/// The same for lines that are in memory.
template <class Line>
Result<> printList(const ListChoices& choices, Session& session, const std::vector<Line>& lines) {
  return printList<Line>(choices, session, [&lines](ListPrinter<Line>& printer) -> Result<> {
    for (const Line& line : lines) {
      if (Result<> added = printer.add(line); !added) return added;
    }
    return {};
  });
}

}  // namespace counterfoil
