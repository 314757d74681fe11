// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of a page as inline SVG. Geometry is in whole numbers; colours come from the page's style.
#pragma once

#include <string>
#include <vector>

#include "reports/model/report_model.h"
#include "reports/writers/html/page.h"

namespace counterfoil {

/// Breaks and open operations of the runs as bars, the depth of dead-letter queues as a line.
void drawTrend(const std::vector<RunCounts>& trend, HtmlPage& page);
/// The bridge from the local to the provider's total as rows of a table.
void drawBridge(const ProofLine& line, HtmlPage& page);
/// The events of a case on lanes. Long gaps are drawn shorter than they are and labelled.
void drawLanes(const std::vector<CaseEvent>& events, HtmlPage& page);

}  // namespace counterfoil
