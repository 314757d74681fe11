// SPDX-License-Identifier: GPL-3.0-or-later
// The cases of a page: by class, the first of each with their evidence, then rows, then lines of text, so that
// a night of a hundred thousand stays a page that opens.
#pragma once

#include "reports/writers/html/page.h"
#include "reports/writers/report_format.h"

namespace counterfoil {

Result<> writeCaseSection(const ReportModel& model, CaseSet set, std::string_view id, Word title, HtmlPage& page);
/// Everything about one case: of a report about a case.
Result<> writeCasePages(const ReportModel& model, HtmlPage& page);

}  // namespace counterfoil
