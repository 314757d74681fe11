// SPDX-License-Identifier: GPL-3.0-or-later
// Mappings and the rows they read. Up to the first NUL the input is a mapping in JSON, after it
// rows: one a line, fields split at tabs. Both passes over a row have to give one fate and one
// record.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "core/ledger/slim.h"
#include "importers/json/json_document.h"
#include "importers/mapping/check_tally.h"
#include "importers/mapping/mapping_spec.h"
#include "importers/mapping/plan.h"

using namespace counterfoil;

namespace {

constexpr std::size_t kMaxRows = 32;

void require(bool holds) {
  if (!holds) std::abort();
}

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(at, begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

FieldView fieldOf(std::string_view text) {
  static constexpr FieldType kTypes[] = {FieldType::Text,   FieldType::Number, FieldType::Null,
                                         FieldType::Absent, FieldType::Json,   FieldType::Boolean,
                                         FieldType::Blob};
  const FieldType type =
      text.empty() ? FieldType::Text : kTypes[static_cast<unsigned char>(text[0]) % 7];
  return {text.size() % 3 == 0 ? type : FieldType::Text, text};
}

/// Checks say the same whether the rows are read in one piece or each for itself, in whatever order.
struct Checks {
  CheckTally whole;
  std::vector<CheckTally> rows;

  void add(const Plan& plan, const RowView& row, std::uint64_t number, RowScratch& scratch) {
    plan.check(row, number, scratch, whole);
    CheckTally one = plan.makeTally();
    plan.check(row, 0, scratch, one);
    one.shiftLines(number);
    one.setPlace(rows.size());
    rows.push_back(std::move(one));
  }
  void compare(const Plan& plan) const {
    CheckTally joined;
    for (std::size_t i = 0; i < rows.size(); i += 2) joined.add(rows[i]);
    for (std::size_t i = rows.size() & ~std::size_t{1}; i >= 2; i -= 2) joined.add(rows[i - 1]);
    if (rows.empty()) joined = plan.makeTally();
    std::vector<StatementCheck> a, b;
    std::vector<StatementBalance> x, y;
    plan.checkResults(whole, a, x);
    plan.checkResults(joined, b, y);
    require(a == b && x == y);
  }
};

void readRow(const Plan& plan, RowScratch& scratch, const KeyedHash& hash, std::string_view line, std::uint64_t number,
             Checks& checks) {
  RowView row;
  row.raw = line;
  const auto parts = split(line, '\t');
  for (std::size_t i = 0; i < plan.columns().size(); ++i)
    row.fields.push_back(fieldOf(parts[i % parts.size()]));
  SlimRecord slim;
  AnyRecord record;
  const RowFate first = plan.slim(row, 0, hash, scratch, slim);
  const std::string rule = plan.fault(scratch).rule;
  const RowFate second = plan.full(row, 0, scratch, record);
  require(first == second);
  if (first == RowFate::Quarantined) require(!rule.empty() && plan.fault(scratch).rule == rule);
  if (first != RowFate::NoRecord) checks.add(plan, row, number, scratch);
  if (first != RowFate::Recorded || plan.record() == RecordKind::QueueDepth) return;
  const SlimRecord expected = slimOf(record, hash);
  require(slim.key == expected.key && slim.content == expected.content &&
          slim.scope == expected.scope);
  require(slim.amountMinor == expected.amountMinor && slim.timeMicros == expected.timeMicros);
  require(slim.kind == expected.kind && slim.status == expected.status &&
          slim.jobId == expected.jobId);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t end = std::min(input.find('\0'), input.size());
  const auto node = parseJson(input.substr(0, end), "fuzz", {64u << 10, 64});
  if (!node) return 0;
  const auto spec = parseMapping(*node);
  if (!spec) return 0;
  (void)(*spec)->knownColumns();
  const std::string_view rows = end < input.size() ? input.substr(end + 1) : std::string_view();
  std::vector<std::string> header;
  for (const std::string_view name : split(split(rows, '\n').front(), '\t'))
    header.emplace_back(name);
  const KeyedHash hash(1);
  for (const auto& columns : {header, std::vector<std::string>{}}) {
    const auto plan = Plan::compile(**spec, columns, {});
    if (!plan) continue;
    const auto scratch = (*plan)->makeScratch();
    std::size_t count = 0;
    Checks checks;
    checks.whole = (*plan)->makeTally();
    for (const std::string_view line : split(rows, '\n')) {
      if (++count > kMaxRows) break;
      readRow(**plan, *scratch, hash, line, count, checks);
    }
    checks.compare(**plan);
  }
  return 0;
}
