// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/case_identity.h"

#include <algorithm>

#include "core/base/text.h"
#include "core/store/packing.h"
#include "core/store/record_row.h"
#include "core/store/store_impl.h"

namespace counterfoil {
namespace {

using SourceNames = std::vector<std::string>;

std::string traceOf(char kind, std::initializer_list<std::string_view> parts) {
  std::string out(1, kind);
  for (const std::string_view part : parts) putText(out, part);
  return out;
}

/// What makes two units of different nights one case: an effect in common (of one source), or a key under
/// the same scope, operation and mark. An effect alone names no operation.
struct UnitFacts {
  std::string_view scope, operation, mark;
  std::vector<std::string> keys;
};

std::vector<std::string> tracesOf(const UnitFacts& unit, const Records& records, const SourceNames& sources) {
  std::vector<std::string> traces;
  for (const std::string& key : unit.keys) {
    traces.push_back(traceOf('k', {unit.scope, unit.operation, unit.mark, normalKey(key)}));
  }
  for (const Effect& effect : records.effects) {
    if (effect.effectId.empty() || effect.place.source.value >= sources.size()) continue;
    traces.push_back(traceOf('e', {unit.scope, sources[effect.place.source.value], effect.effectId}));
  }
  return traces;
}

Result<std::map<RunNumber, SourceNames>> sourceNames(Database& database) {
  auto statement = database.prepare("SELECT run, name FROM sources ORDER BY run, source");
  if (!statement) return fail(statement.error());
  std::map<RunNumber, SourceNames> names;
  auto ok = forEachRow(*statement, [&](const Statement& row) -> Result<bool> {
    names[static_cast<RunNumber>(row.integer(0))].emplace_back(row.text(1));
    return true;
  });
  if (!ok) return fail(ok.error());
  return names;
}

}  // namespace

Result<CaseIdentity> CaseIdentity::load(Database& database, const std::vector<std::string>& sources) {
  CaseIdentity identity;
  identity.m_sources = sources;
  if (auto ok = identity.loadAliases(database); !ok) return fail(ok.error());
  if (auto ok = identity.loadStanding(database); !ok) return fail(ok.error());
  return identity;
}

Result<> CaseIdentity::loadAliases(Database& database) {
  auto statement = database.prepare("SELECT alias, case_id FROM case_aliases");
  if (!statement) return fail(statement.error());
  return forEachRow(*statement, [&](const Statement& row) -> Result<bool> {
    m_aliases.emplace(row.text(0), row.text(1));
    return true;
  });
}

Result<> CaseIdentity::loadStanding(Database& database) {
  const auto sources = sourceNames(database);
  if (!sources) return fail(sources.error());
  auto statement = database.prepare(
      "SELECT c.case_id, c.first_run, u.run, u.scope, u.operation, u.mark, u.keys, u.records FROM cases c "
      "JOIN units u ON u.case_id = c.case_id AND u.run = c.unit_run WHERE c.standing = 1");
  if (!statement) return fail(statement.error());
  return forEachRow(*statement, [&](const Statement& row) -> Result<bool> {
    const Known known{CaseId(row.text(0)), static_cast<RunNumber>(row.integer(1))};
    auto keys = unpackTexts(row.text(6));
    const auto records = unpackRecords(row.blob(7));
    const auto names = sources->find(static_cast<RunNumber>(row.integer(2)));
    if (!keys || !records || names == sources->end()) return brokenStore("case " + known.id);
    m_firstRuns.emplace(known.id, known.firstRun);
    const UnitFacts facts{row.text(3), row.text(4), row.text(5), std::move(*keys)};
    for (std::string& trace : tracesOf(facts, *records, names->second)) m_byTrace[std::move(trace)].push_back(known);
    return true;
  });
}

CaseId CaseIdentity::resolved(const CaseId& id) const {
  const auto alias = m_aliases.find(id);
  return alias == m_aliases.end() ? id : alias->second;
}

CaseIdentity::Joined CaseIdentity::join(const Unit& unit) const {
  const CaseId own = resolved(unit.id);
  std::map<CaseId, RunNumber> cases;
  if (const auto known = m_firstRuns.find(own); known != m_firstRuns.end()) cases.insert(*known);
  const auto look = [&](const UnitFacts& facts, const Records& records) {
    for (const std::string& trace : tracesOf(facts, records, m_sources)) {
      const auto found = m_byTrace.find(trace);
      if (found == m_byTrace.end()) continue;
      for (const Known& known : found->second) {
        if (known.id == own || !m_tonight.contains(known.id)) cases.emplace(known.id, known.firstRun);
      }
    }
  };
  look({unit.scope, unit.operationName, unit.mark, unit.keys}, unit.records);
  if (!unit.operationName.empty()) look({unit.scope, "", unit.mark, unit.keys}, {});
  Joined joined{own, {}};
  if (cases.empty()) return joined;
  joined.id = std::min_element(cases.begin(), cases.end(), [](const auto& a, const auto& b) {
                return std::pair(a.second, a.first) < std::pair(b.second, b.first);
              })->first;
  for (const auto& [id, firstRun] : cases) {
    if (id != joined.id) joined.others.push_back(id);
  }
  return joined;
}

Result<> CaseIdentity::record(Database& database, const CaseId& engineId, const Joined& joined) {
  std::set<CaseId> aliases(joined.others.begin(), joined.others.end());
  if (engineId != joined.id) aliases.insert(engineId);
  for (const CaseId& alias : aliases) {
    // Aliases of an alias lead to the case at once: looking one up takes one step.
    if (auto ok = database.run("UPDATE case_aliases SET case_id = ? WHERE case_id = ?", joined.id, alias); !ok) return ok;
    if (auto ok = database.run("INSERT INTO case_aliases(alias, case_id) VALUES(?, ?) "
                               "ON CONFLICT(alias) DO UPDATE SET case_id = excluded.case_id", alias, joined.id);
        !ok) {
      return ok;
    }
  }
  return {};
}

}  // namespace counterfoil
