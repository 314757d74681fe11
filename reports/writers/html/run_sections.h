// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of a page that are about a run or a period: numbers, proof, skips, queues, findings, inputs.
#pragma once

#include "reports/writers/html/page.h"
#include "reports/writers/report_format.h"

namespace counterfoil {

void writeTiles(const ReportFacts& facts, HtmlPage& page);
void writeTrendAndClasses(const ReportFacts& facts, HtmlPage& page);
void writeProof(const ReportFacts& facts, HtmlPage& page);
Result<> writeSkips(const ReportModel& model, HtmlPage& page);
Result<> writeDeadLetters(const ReportModel& model, HtmlPage& page);
void writeFindings(const ReportFacts& facts, HtmlPage& page);
void writeCoverage(const ReportFacts& facts, HtmlPage& page);
void writeQuarantined(const ReportFacts& facts, HtmlPage& page);
void writeInputs(const ReportFacts& facts, HtmlPage& page);

}  // namespace counterfoil
