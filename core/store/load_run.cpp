// SPDX-License-Identifier: GPL-3.0-or-later
// The rows of a run read back into what the engine said.
#include "core/store/packing.h"
#include "core/store/store_impl.h"

namespace counterfoil {
namespace {

std::optional<Currency> currencyOf(std::string_view code) {
  if (code.empty()) return Currency{};
  return Currency::parse(code);
}

Result<Statement> rowsOf(Database& database, const char* sql, RunNumber number) {
  auto statement = database.prepare(sql);
  if (statement) statement->bindAll(number);
  return statement;
}

/// Runs fn over the rows of `sql` for this run; fn returns false for damage, which is named by `what`.
template <class Fn>
Result<> readRows(Database& database, const char* sql, RunNumber number, std::string_view what, Fn&& fn) {
  auto statement = rowsOf(database, sql, number);
  if (!statement) return fail(statement.error());
  return forEachRow(*statement, [&](const Statement& row) -> Result<bool> {
    if (!fn(row)) return brokenStore(what);
    return true;
  });
}

Result<> loadHead(Database& database, StoredRun& run) {
  auto row = rowsOf(database,
                    "SELECT as_of, config_digest, inputs_digest, config, program, backfill, baseline, complete, units, "
                    "breaks, open, overdue, unjudged, lists_bounded, units_not_listed, local_keys, provider_keys, "
                    "keys_meeting, better_column, better_matches, incomplete_because, records FROM runs WHERE run = ?",
                    run.number);
  if (!row) return fail(row.error());
  const auto there = row->step();
  if (!there) return fail(there.error());
  if (!*there) return fail(ErrorCode::Missing, "the store has no run " + std::to_string(run.number));
  RunResult& result = run.result;
  run.identity = {row->instant(0), std::string(row->text(1)), std::string(row->text(2))};
  run.config = row->text(3);
  run.program = row->text(4);
  run.backfill = row->integer(5) != 0;
  run.baseline = row->integer(6) != 0;
  result.asOf = run.identity.asOf;
  result.complete = row->integer(7) != 0;
  result.units = static_cast<std::uint64_t>(row->integer(8));
  result.breaks = static_cast<std::uint64_t>(row->integer(9));
  result.open = static_cast<std::uint64_t>(row->integer(10));
  result.overdue = static_cast<std::uint64_t>(row->integer(11));
  result.unjudged = static_cast<std::uint64_t>(row->integer(12));
  result.listsBounded = row->integer(13) != 0;
  result.unitsNotListed = static_cast<std::uint64_t>(row->integer(14));
  result.keys.localKeys = static_cast<std::uint64_t>(row->integer(15));
  result.keys.providerKeys = static_cast<std::uint64_t>(row->integer(16));
  result.keys.meeting = static_cast<std::uint64_t>(row->integer(17));
  result.keys.betterColumn = row->text(18);
  result.keys.betterMatches = static_cast<std::uint64_t>(row->integer(19));
  auto because = unpackTexts(row->text(20));
  if (!because) return brokenStore("a run");
  result.incompleteBecause = std::move(*because);
  run.records = static_cast<std::uint64_t>(row->integer(21));
  return {};
}

template <class Enum, class Map>
bool addTally(std::string_view code, std::size_t count, std::uint64_t value, Map& map) {
  const auto key = enumFromCode<Enum>(code, count);
  if (key) map[*key] = value;
  return key.has_value();
}

Result<> loadTallies(Database& database, StoredRun& run) {
  RunResult& result = run.result;
  return readRows(database, "SELECT kind, code, count FROM run_tallies WHERE run = ?", run.number, "a tally",
                  [&](const Statement& row) {
                    const std::string_view kind = row.text(0), code = row.text(1);
                    const auto count = static_cast<std::uint64_t>(row.integer(2));
                    if (kind == "class") return addTally<Class>(code, kClassCount, count, result.classes);
                    if (kind == "severity") return addTally<Severity>(code, kSeverityCount, count, result.breaksBySeverity);
                    if (kind == "skip") return addTally<SkipVerdict>(code, kSkipVerdictCount, count, result.skips);
                    if (kind == "new") return addTally<Severity>(code, kSeverityCount, count, run.newBreaks);
                    if (kind == "new_overdue") {
                      run.newOverdue = count;
                      return true;
                    }
                    if (kind != "dead_letter") return false;
                    return addTally<RedriveVerdict>(code, kRedriveVerdictCount, count, result.deadLetters);
                  });
}

Result<> loadAmounts(Database& database, StoredRun& run) {
  return readRows(database, "SELECT kind, code, currency, minor FROM run_amounts WHERE run = ? ORDER BY kind, code, currency",
                  run.number, "an amount", [&](const Statement& row) {
                    const auto currency = currencyOf(row.text(2));
                    if (!currency) return false;
                    const std::string_view kind = row.text(0);
                    const Money money{row.integer(3), *currency};
                    if (kind == "exposure") {
                      run.result.exposure.push_back(money);
                    } else if (kind == "saved") {
                      run.result.saved.push_back(money);
                    } else {
                      const auto unitClass = classFromCode(row.text(1));
                      if (!unitClass) return false;
                      run.result.exposureByClass[*unitClass][money.currency] = money.minor;
                    }
                    return true;
                  });
}

bool readFile(const Statement& row, FileReport& file) {
  file.source.value = static_cast<std::uint16_t>(row.integer(0));
  file.file.value = static_cast<std::uint32_t>(row.integer(1));
  file.path = row.text(2);
  file.format = row.text(3);
  file.digest = row.text(4);
  file.bytes = static_cast<std::uint64_t>(row.integer(5));
  file.rows = static_cast<std::uint64_t>(row.integer(6));
  file.recorded = static_cast<std::uint64_t>(row.integer(7));
  file.quarantined = static_cast<std::uint64_t>(row.integer(8));
  file.excluded = static_cast<std::uint64_t>(row.integer(9));
  file.repeated = static_cast<std::uint64_t>(row.integer(10));
  file.unmatchedLines = static_cast<std::uint64_t>(row.integer(11));
  file.from = row.maybeInstant(12);
  file.to = row.maybeInstant(13);
  if (!row.isNull(14) && !row.isNull(15)) file.covers = Interval{row.instant(14), row.instant(15)};
  file.complete = row.integer(16) != 0;
  file.problem = row.text(17);
  file.dataRows = static_cast<std::uint64_t>(row.integer(18));
  const auto basis = unpackMoney(row.text(19));
  if (basis) file.declaredBasis = *basis;
  return basis.has_value();
}

Result<> loadSources(Database& database, StoredRun& run) {
  auto& sources = run.result.sources;
  if (auto ok = readRows(database,
                         "SELECT name, format, digest, rows, recorded, quarantined, excluded, repeated, first, last "
                         "FROM sources WHERE run = ? ORDER BY source",
                         run.number, "a source",
                         [&](const Statement& row) {
                           SourceReport& source = sources.emplace_back();
                           source.name = row.text(0);
                           source.format = row.text(1);
                           source.digest = row.text(2);
                           source.rows = static_cast<std::uint64_t>(row.integer(3));
                           source.recorded = static_cast<std::uint64_t>(row.integer(4));
                           source.quarantined = static_cast<std::uint64_t>(row.integer(5));
                           source.excluded = static_cast<std::uint64_t>(row.integer(6));
                           source.repeated = static_cast<std::uint64_t>(row.integer(7));
                           source.from = row.maybeInstant(8);
                           source.to = row.maybeInstant(9);
                           return true;
                         });
      !ok) {
    return ok;
  }
  return readRows(database,
                  "SELECT source, file, path, format, digest, bytes, rows, recorded, quarantined, excluded, repeated, "
                  "unmatched, first, last, covers_from, covers_to, complete, problem, data_rows, declared_basis "
                  "FROM files WHERE run = ? ORDER BY seq",
                  run.number, "a file", [&](const Statement& row) {
                    FileReport file;
                    if (!readFile(row, file) || file.source.value >= sources.size()) return false;
                    sources[file.source.value].files.push_back(std::move(file));
                    return true;
                  });
}

Result<> loadQuarantined(Database& database, StoredRun& run) {
  return readRows(database,
                  "SELECT source, file, place, part, line, path, column_name, value, rule, reason, raw "
                  "FROM quarantined WHERE run = ? ORDER BY seq",
                  run.number, "a quarantined row", [&](const Statement& row) {
                    QuarantinedRow& out = run.result.quarantined.emplace_back();
                    out.place = {SourceId{static_cast<std::uint16_t>(row.integer(0))},
                                 FileId{static_cast<std::uint32_t>(row.integer(1))},
                                 static_cast<std::uint64_t>(row.integer(2)), static_cast<std::uint32_t>(row.integer(3))};
                    out.line = static_cast<std::uint64_t>(row.integer(4));
                    out.file = row.text(5);
                    out.column = row.text(6);
                    out.value = row.text(7);
                    out.rule = row.text(8);
                    out.reason = row.text(9);
                    out.raw = row.text(10);
                    return true;
                  });
}

Result<> loadFindings(Database& database, StoredRun& run) {
  return readRows(database,
                  "SELECT code, subject, count, severity, seen, advice, examples FROM findings WHERE run = ? ORDER BY seq",
                  run.number, "a finding", [&](const Statement& row) {
                    Finding& finding = run.result.findings.emplace_back();
                    finding.code = row.text(0);
                    finding.subject = row.text(1);
                    finding.count = row.integer(2);
                    finding.seen = row.text(4);
                    finding.advice = row.text(5);
                    const auto severity = enumFromCode<Severity>(row.text(3), kSeverityCount);
                    auto examples = unpackTexts(row.text(6));
                    if (!severity || !examples) return false;
                    finding.severity = *severity;
                    finding.examples = std::move(*examples);
                    return true;
                  });
}

Result<> loadQueues(Database& database, StoredRun& run) {
  return readRows(database,
                  "SELECT queue, dead_letter, depth, in_flight, oldest, max_depth, sampled_at, kind, samples, first_depth, "
                  "first_at FROM queues WHERE run = ? ORDER BY seq",
                  run.number, "a queue", [&](const Statement& row) {
                    auto& queue = run.result.queues.emplace_back();
                    queue.queue = row.text(0);
                    queue.deadLetter = row.integer(1) != 0;
                    queue.depth = row.maybeInteger(2);
                    queue.inFlight = row.maybeInteger(3);
                    if (const auto oldest = row.maybeInteger(4)) queue.oldest = Duration(*oldest);
                    queue.maxDepth = row.maybeInteger(5);
                    queue.sampledAt = row.maybeInstant(6);
                    queue.kind = queueKindFromCode(row.text(7));
                    queue.samples = row.integer(8);
                    queue.firstDepth = row.maybeInteger(9);
                    queue.firstAt = row.maybeInstant(10);
                    return true;
                  });
}

Result<> loadProof(Database& database, StoredRun& run) {
  return readRows(database,
                  "SELECT scope, currency, kind, local_minor, provider_minor, unexplained_minor, steps FROM proof "
                  "WHERE run = ? ORDER BY seq",
                  run.number, "a proof line", [&](const Statement& row) {
                    ProofLine& line = run.result.proof.emplace_back();
                    const auto currency = currencyOf(row.text(1));
                    const auto kind = enumFromCode<ProofKind>(row.text(2), 2);
                    const auto steps = unpackIntegers(row.text(6));
                    if (!currency || !kind || !steps || steps->size() != line.steps.size()) return false;
                    line.scope = row.text(0);
                    line.currency = *currency;
                    line.kind = *kind;
                    line.localMinor = row.integer(3);
                    line.providerMinor = row.integer(4);
                    line.unexplainedMinor = row.integer(5);
                    std::copy(steps->begin(), steps->end(), line.steps.begin());
                    return true;
                  });
}

}  // namespace

tl::unexpected<Error> brokenStore(std::string_view what) {
  return fail(ErrorCode::StoreBroken, std::string(what) + " in the store is damaged; restore the store from a backup");
}

Result<StoredRun> loadRun(Database& database, RunNumber number) {
  StoredRun run;
  run.number = number;
  for (auto* part : {loadHead, loadTallies, loadAmounts, loadSources, loadQuarantined, loadFindings, loadQueues, loadProof}) {
    if (auto ok = part(database, run); !ok) return fail(ok.error());
  }
  return run;
}

Result<Coverage> Store::coverageOf(RunNumber number) const {
  Coverage coverage;
  auto ok = readRows(m_impl->database, "SELECT source, first, last, declared FROM coverage WHERE run = ? ORDER BY source, seq",
                     number, "coverage", [&](const Statement& row) {
                       const SourceId source{static_cast<std::uint16_t>(row.integer(0))};
                       coverage.bySource[source].push_back({row.instant(1), row.instant(2)});
                       if (row.integer(3) != 0) coverage.declared.insert(source);
                       return true;
                     });
  if (!ok) return fail(ok.error());
  return coverage;
}

Result<std::vector<QueueDepth>> Store::depthsOf(RunNumber number) const {
  std::vector<QueueDepth> depths;
  auto ok = readRows(m_impl->database,
                     "SELECT queue, kind, depth, in_flight, oldest, sampled_at, source, part, dead_letter_queue, log_offset "
                     "FROM queue_depths WHERE run = ? ORDER BY seq",
                     number, "a queue depth", [&](const Statement& row) {
                       QueueDepth& depth = depths.emplace_back();
                       depth.queue = row.text(0);
                       depth.kind = queueKindFromCode(row.text(1));
                       depth.depth = row.maybeInteger(2);
                       depth.inFlight = row.maybeInteger(3);
                       if (const auto oldest = row.maybeInteger(4)) depth.oldestAge = Duration(*oldest);
                       depth.sampledAt = row.maybeInstant(5);
                       depth.place.source.value = static_cast<std::uint16_t>(row.integer(6));
                       depth.part = row.text(7);
                       depth.deadLetterQueue = row.text(8);
                       depth.offset = row.maybeInteger(9);
                       return true;
                     });
  if (!ok) return fail(ok.error());
  return depths;
}

}  // namespace counterfoil
