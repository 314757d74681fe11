// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/remedies/life_remedies.h"

#include <algorithm>

namespace counterfoil {

Result<> addRemedies(StoreFile& file, Life& life) {
  for (const StoredUnit& stored : life.units) {
    const auto exports = exportsOfCase(file, stored.unit.id);
    if (!exports) return fail(exports.error());
    for (const auto& [item, made] : *exports) {
      LifeEvent event;
      event.time = made.at;
      event.lane = "remedy";
      event.event = made.kind;
      event.id = item;
      event.key = stored.unit.key;
      event.detail = "handed out by " + made.who;
      // Behind everything of the same moment: it was made of it.
      const auto at = std::upper_bound(life.events.begin(), life.events.end(), event, [](const LifeEvent& a, const LifeEvent& b) {
        return a.time < b.time;
      });
      life.events.insert(at, std::move(event));
    }
  }
  return {};
}

}  // namespace counterfoil
