// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/batch/case_lines.h"

#include "app/all_units.h"
#include "app/store_lists.h"

namespace counterfoil {

Result<> printCases(const Store& store, const ListFilter& filter, const ListChoices& choices, Session& session) {
  return printList<CaseLine>(choices, session, [&](ListPrinter<CaseLine>& printer) -> Result<> {
    CaseLine line;
    Result<> printed;
    const auto walked = forEachUnitOf(store, filter, [&](const StoredUnit& stored) {
      fillCaseLine(stored, line);
      printed = printer.add(line);
      return printed.has_value();
    });
    return walked ? printed : walked;
  });
}

}  // namespace counterfoil
