// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/batch/inspection_checks.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/text.h"
#include "reports/text/run_words.h"

namespace counterfoil {

namespace {

std::string exampleText(const StatementExample& example) {
  return example.line == 0 ? example.seen : fmt::format("line {}: {}", example.line, example.seen);
}

/// What stands behind the name: "holds", or what does not.
std::string outcomeOf(const StatementCheck& check) {
  std::string text;
  if (check.breaks > 0) {
    text = fmt::format("does not hold in {} of {}", groupedNumber(check.breaks),
                       groupedNumber(std::max(check.tried, check.breaks)));
    for (const StatementExample& example : check.examples) text += "; " + exampleText(example);
    if (check.examples.size() < check.breaks) text += "; …";
  } else if (check.tried > 0) {
    text = fmt::format("holds ({})", groupedNumber(check.tried));
  }
  if (check.remark.empty()) return text;
  return text.empty() ? check.remark : text + "; " + check.remark;
}

}  // namespace

std::string checksText(const std::vector<StatementCheck>& checks, const TextStyle& style) {
  std::string out;
  for (const StatementCheck& check : checks) {
    const Ink ink = check.breaks > 0 ? Ink::Yellow : Ink::Plain;
    const std::string text =
        "check " + forTerminal(check.name) + ": " + forTerminal(outcomeOf(check));
    for (const std::string& part : wrapped(text, style.width - 2))
      out += "  " + paint(part, ink, style) + "\n";
  }
  return out;
}

void writeChecks(const std::vector<StatementCheck>& checks, JsonWriter& json) {
  if (checks.empty()) return;
  json.key("checks");
  json.beginArray();
  for (const StatementCheck& check : checks) {
    json.beginObject();
    json.text("check", check.name);
    json.integer("rows", static_cast<std::int64_t>(check.tried));
    json.integer("breaks", static_cast<std::int64_t>(check.breaks));
    json.text("seen", outcomeOf(check));
    json.endObject();
  }
  json.endArray();
}

}  // namespace counterfoil
