// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/batch/list_options.h"

namespace counterfoil {

std::vector<OptionSpec> listOptionSpecs() {
  return {
      {"--format",
       "FORMAT",
       "table for people; json: an array; ndjson, csv: a line each",
       OptionSpec::Count::One,
       {"table", "json", "ndjson", "csv"}},
      {"--output", "FILE", "write the list there, whole or not at all"},
  };
}

ListChoices listChoicesOf(const Arguments& arguments) {
  return {listFormatFromCode(arguments.valueOr("--format", "table")).value_or(ListFormat::Table),
          arguments.valueOr("--output", "")};
}

}  // namespace counterfoil
