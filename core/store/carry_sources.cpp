// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/carry_sources.h"

#include <algorithm>
#include <tuple>

#include "core/store/store_impl.h"

namespace counterfoil {
namespace {

Result<std::map<FileId, Origin>> originsOf(Database& database, RunNumber run) {
  std::map<FileId, Origin> origins;
  for (const char* sql : {"SELECT file, from_run, from_file FROM borrowed_files WHERE run = ?",
                          "SELECT file, from_run, from_file FROM carried_files WHERE run = ?"}) {
    auto statement = database.prepare(sql);
    if (!statement) return fail(statement.error());
    statement->bindAll(run);
    auto ok = forEachRow(*statement, [&](const Statement& row) -> Result<bool> {
      const Origin origin{static_cast<RunNumber>(row.integer(1)), FileId{static_cast<std::uint32_t>(row.integer(2))}};
      origins.emplace(FileId{static_cast<std::uint32_t>(row.integer(0))}, origin);
      return true;
    });
    if (!ok) return fail(ok.error());
  }
  return origins;
}

}  // namespace

Result<EarlierRuns> EarlierRuns::load(Database& database, const CarryRules& rules, std::optional<RunNumber> before) {
  EarlierRuns runs;
  auto statement = database.prepare("SELECT run, as_of FROM runs WHERE ?1 IS NULL OR run < ?1");
  if (!statement) return fail(statement.error());
  statement->bindAll(before);
  auto ok = forEachRow(*statement, [&](const Statement& row) -> Result<bool> {
    if (row.instant(1) > rules.asOf) {
      runs.m_hasLater = true;
    } else {
      runs.m_runs[static_cast<RunNumber>(row.integer(0))].asOf = row.instant(1);
    }
    return true;
  });
  if (ok) ok = runs.loadSources(database, rules);
  if (ok) ok = runs.loadSegments(database);
  if (!ok) return fail(ok.error());
  return runs;
}

Result<> EarlierRuns::loadSources(Database& database, const CarryRules& rules) {
  std::map<std::string_view, SourceId> tonight;
  for (std::size_t i = 0; i < rules.sources.size(); ++i) {
    tonight.emplace(rules.sources[i], SourceId{static_cast<std::uint16_t>(i)});
  }
  auto statement = database.prepare("SELECT run, source, name FROM sources ORDER BY run, source");
  if (!statement) return fail(statement.error());
  return forEachRow(*statement, [&](const Statement& row) -> Result<bool> {
    const auto run = m_runs.find(static_cast<RunNumber>(row.integer(0)));
    if (run == m_runs.end()) return true;
    const auto number = static_cast<std::size_t>(row.integer(1));
    if (number > 0xffff) return brokenStore("a source");
    auto& sources = run->second.sources;
    if (number >= sources.size()) sources.resize(number + 1);
    const auto known = tonight.find(row.text(2));
    if (known != tonight.end()) sources[number] = known->second;
    return true;
  });
}

Result<> EarlierRuns::loadSegments(Database& database) {
  auto statement = database.prepare(
      "SELECT run, segment, joined_ids FROM segments WHERE kind = 'records' AND committed = 1");
  if (!statement) return fail(statement.error());
  return forEachRow(*statement, [&](const Statement& row) -> Result<bool> {
    const auto run = m_runs.find(static_cast<RunNumber>(row.integer(0)));
    if (run == m_runs.end()) return true;
    run->second.recordSegment = row.integer(1);
    run->second.joinedIds = row.integer(2) != 0;
    return true;
  });
}

const EarlierRuns::Run* EarlierRuns::find(RunNumber run) const {
  const auto known = m_runs.find(run);
  return known == m_runs.end() ? nullptr : &known->second;
}

std::optional<SourceId> EarlierRuns::sourceOf(RunNumber run, SourceId source) const {
  const Run* known = find(run);
  if (known == nullptr || source.value >= known->sources.size()) return {};
  return known->sources[source.value];
}

Result<Origin> EarlierRuns::originOf(Database& database, RunNumber run, FileId file) {
  auto known = m_origins.find(run);
  if (known == m_origins.end()) {
    auto origins = originsOf(database, run);
    if (!origins) return fail(origins.error());
    known = m_origins.emplace(run, std::move(*origins)).first;
  }
  const auto origin = known->second.find(file);
  return origin == known->second.end() ? Origin{run, file} : origin->second;
}

Result<std::pair<RunNumber, FileId>> Store::originOf(RunNumber number, FileId file) const {
  const auto origins = originsOf(m_impl->database, number);
  if (!origins) return fail(origins.error());
  const auto origin = origins->find(file);
  return origin == origins->end() ? Origin{number, file} : origin->second;
}

Result<std::map<SourceId, std::vector<Interval>>> earlierCoverage(Database& database, const EarlierRuns& runs) {
  std::map<SourceId, std::vector<Interval>> coverage;
  auto statement = database.prepare("SELECT run, source, first, last FROM coverage ORDER BY run, source, seq");
  if (!statement) return fail(statement.error());
  auto ok = forEachRow(*statement, [&](const Statement& row) -> Result<bool> {
    const SourceId own{static_cast<std::uint16_t>(row.integer(1))};
    const auto source = runs.sourceOf(static_cast<RunNumber>(row.integer(0)), own);
    if (source) coverage[*source].push_back({row.instant(2), row.instant(3)});
    return true;
  });
  if (!ok) return fail(ok.error());
  return coverage;
}

/// As the night that read it saw it: what was declared for the source, what the path or file said, else its span.
Result<std::vector<Interval>> coverageOfFile(Database& database, const Origin& origin) {
  std::vector<Interval> covers;
  auto declared = database.prepare(
      "SELECT c.first, c.last FROM files f JOIN coverage c ON c.run = f.run AND c.source = f.source "
      "WHERE f.run = ? AND f.file = ? AND f.covers_from IS NULL AND c.declared = 1 ORDER BY c.seq");
  if (!declared) return fail(declared.error());
  declared->bindAll(origin.first, origin.second.value);
  auto ok = forEachRow(*declared, [&](const Statement& row) -> Result<bool> {
    covers.push_back({row.instant(0), row.instant(1)});
    return true;
  });
  if (!ok) return fail(ok.error());
  if (!covers.empty()) return covers;
  auto own = database.prepare("SELECT covers_from, covers_to, first, last FROM files WHERE run = ? AND file = ?");
  if (!own) return fail(own.error());
  own->bindAll(origin.first, origin.second.value);
  ok = forEachRow(*own, [&](const Statement& row) -> Result<bool> {
    const auto from = row.maybeInstant(0), to = row.maybeInstant(1), first = row.maybeInstant(2), last = row.maybeInstant(3);
    if (from && to) {
      covers.push_back({*from, *to});
    } else if (first && last) {
      covers.push_back({*first, *last + Duration(1)});   // the last record's instant is covered too
    }
    return false;
  });
  if (!ok) return fail(ok.error());
  return covers;
}

}  // namespace counterfoil
