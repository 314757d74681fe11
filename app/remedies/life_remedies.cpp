// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/remedies/life_remedies.h"

#include <algorithm>

#include "core/store/closing.h"

namespace counterfoil {

namespace {

/// Behind everything of the same moment: it was made of it.
void insertEvent(Life& life, LifeEvent event) {
  const auto at = std::upper_bound(life.events.begin(), life.events.end(), event,
                                   [](const LifeEvent& a, const LifeEvent& b) { return a.time < b.time; });
  life.events.insert(at, std::move(event));
}

Result<> addRestatements(StoreFile& file, const StoredUnit& stored, Life& life) {
  return forEachRestatement(file, stored.unit.id, [&](const Restatement& restated) {
    LifeEvent event;
    event.time = restated.asOf;
    event.lane = "case";
    event.event = "restated";
    event.id = stored.unit.id;
    event.key = stored.unit.key;
    if (restated.exposureNow.size() == 1) event.amount = restated.exposureNow.front();
    event.detail = (restated.classBefore.empty() ? "not listed" : restated.classBefore) + " before, " + restated.classNow +
                   " now; closed until " + formatInstant(restated.through);
    event.runs = {restated.run};
    insertEvent(life, std::move(event));
    return true;
  });
}

}  // namespace

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
      insertEvent(life, std::move(event));
    }
    if (auto ok = addRestatements(file, stored, life); !ok) return ok;
  }
  return {};
}

}  // namespace counterfoil
