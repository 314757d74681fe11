// SPDX-License-Identifier: GPL-3.0-or-later
// The cases as CSV, to be read by programs and edited by people: codes as in all outputs for programs.
#include "core/base/text.h"
#include "reports/csv/csv_writer.h"
#include "reports/writers/buffer.h"
#include "reports/writers/report_format.h"

namespace counterfoil {
namespace {

struct CsvCell {
  std::string& out;
  void operator()(std::monostate) const {}
  void operator()(const std::string& text) const { appendCsvText(forTerminal(text), out); }
  void operator()(std::int64_t number) const { out += std::to_string(number); }
  void operator()(const Money& money) const { out += formatPlain(money); }
  void operator()(Instant at) const { out += formatInstant(at); }
};

Result<> writeCases(const ReportModel& model, CaseSet set, Buffer& buffer) {
  return model.forEachCase(set, [&](const ReportCase& line) {
    bool first = true;
    for (const CaseColumn& column : caseColumns()) {
      if (!first) buffer << ",";
      first = false;
      std::visit(CsvCell{buffer.text()}, column.cell(line, model.words(), false));
    }
    buffer << "\r\n";
    return buffer.pass();
  });
}

}  // namespace

Result<> writeCasesCsv(const ReportModel& model, const WriterOptions&, Sink& sink) {
  Buffer buffer(sink);
  bool first = true;
  for (const CaseColumn& column : caseColumns()) {
    if (!first) buffer << ",";
    first = false;
    buffer << column.code;
  }
  buffer << "\r\n";
  if (auto ok = writeCases(model, CaseSet::Listed, buffer); !ok) return ok;
  if (model.facts().earlierBreaks > 0) {
    if (auto ok = writeCases(model, CaseSet::Earlier, buffer); !ok) return ok;
  }
  return buffer.finish();
}

}  // namespace counterfoil
