// SPDX-License-Identifier: GPL-3.0-or-later
// A run and everything the engine said of it as a whole, as rows.
#include <algorithm>

#include "core/store/packing.h"
#include "core/store/store_impl.h"

namespace counterfoil {
namespace {

/// Prepares once, runs for each element.
template <class Range, class Fn>
Result<> insertEach(Database& database, const char* sql, const Range& range, Fn&& fn) {
  auto statement = database.prepare(sql);
  if (!statement) return fail(statement.error());
  std::int64_t seq = 0;
  for (const auto& element : range) {
    if (Result<> ok = fn(*statement, seq++, element); !ok) return ok;
  }
  return {};
}

struct Tally {
  std::string_view kind, code;
  std::uint64_t count = 0;
};

struct Amount {
  std::string_view kind, code;
  Money money;
};

std::vector<Tally> talliesOf(const StoredRun& run) {
  std::vector<Tally> out;
  for (const auto& [value, count] : run.result.classes) out.push_back({"class", codeOf(value), count});
  for (const auto& [value, count] : run.result.breaksBySeverity) out.push_back({"severity", codeOf(value), count});
  for (const auto& [value, count] : run.result.skips) out.push_back({"skip", codeOf(value), count});
  for (const auto& [value, count] : run.result.deadLetters) out.push_back({"dead_letter", codeOf(value), count});
  for (const auto& [value, count] : run.newBreaks) out.push_back({"new", codeOf(value), count});
  if (run.newOverdue > 0) out.push_back({"new_overdue", "", run.newOverdue});
  return out;
}

std::vector<Amount> amountsOf(const RunResult& result) {
  std::vector<Amount> out;
  for (const Money& money : result.exposure) out.push_back({"exposure", "", money});
  for (const Money& money : result.saved) out.push_back({"saved", "", money});
  for (const auto& [value, byCurrency] : result.exposureByClass) {
    for (const auto& [currency, minor] : byCurrency) out.push_back({"class", codeOf(value), {minor, currency}});
  }
  return out;
}

Result<> insertHead(Database& database, const StoredRun& run, const NightFacts& facts) {
  const RunResult& result = run.result;
  const std::string because = packTexts(result.incompleteBecause);
  return database.run(
      "INSERT INTO runs(run, as_of, config_digest, inputs_digest, config, program, backfill, baseline, started, "
      "finished, complete, units, breaks, open, overdue, unjudged, lists_bounded, units_not_listed, local_keys, "
      "provider_keys, keys_meeting, better_column, better_matches, incomplete_because, records) "
      "VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
      run.number, run.identity.asOf, run.identity.configDigest, run.identity.inputsDigest, run.config, run.program,
      run.backfill, run.baseline, facts.started, facts.finished, result.complete, result.units, result.breaks,
      result.open, result.overdue, result.unjudged, result.listsBounded, result.unitsNotListed,
      result.keys.localKeys, result.keys.providerKeys, result.keys.meeting, result.keys.betterColumn,
      result.keys.betterMatches, because, run.records);
}

Result<> insertSums(Database& database, const StoredRun& run) {
  if (auto ok = insertEach(database, "INSERT INTO run_tallies(run, kind, code, count) VALUES(?,?,?,?)", talliesOf(run),
                           [&](Statement& insert, std::int64_t, const Tally& tally) {
                             return insert.run(run.number, tally.kind, tally.code, tally.count);
                           });
      !ok) {
    return ok;
  }
  return insertEach(database, "INSERT INTO run_amounts(run, kind, code, currency, minor) VALUES(?,?,?,?,?)",
                    amountsOf(run.result), [&](Statement& insert, std::int64_t, const Amount& amount) {
                      const std::string currency = amount.money.currency.text();
                      return insert.run(run.number, amount.kind, amount.code, currency, amount.money.minor);
                    });
}

Result<> insertFiles(Database& database, const StoredRun& run, const NightFacts& facts) {
  auto insert = database.prepare(
      "INSERT INTO files(run, seq, source, file, path, format, digest, bytes, mtime, inode, device, rows, recorded, "
      "quarantined, excluded, repeated, unmatched, first, last, covers_from, covers_to, complete, problem, data_rows, "
      "declared_basis) VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)");
  if (!insert) return fail(insert.error());
  std::int64_t seq = 0;
  for (std::size_t source = 0; source < run.result.sources.size(); ++source) {
    for (const FileReport& file : run.result.sources[source].files) {
      const auto receipt = std::find_if(facts.receipts.begin(), facts.receipts.end(),
                                        [&](const FileReceipt& known) { return known.path == file.path; });
      const FileReceipt known = receipt == facts.receipts.end() ? FileReceipt{} : *receipt;
      const std::string& digest = file.digest.empty() ? known.digest : file.digest;
      const std::string basis = packMoney(file.declaredBasis);
      std::optional<Instant> from, to;
      if (file.covers) {
        from = file.covers->from;
        to = file.covers->to;
      }
      if (auto ok = insert->run(run.number, seq++, source, file.file.value, file.path, file.format, digest, file.bytes,
                                known.mtimeNanos, known.inode, known.device, file.rows, file.recorded,
                                file.quarantined, file.excluded, file.repeated, file.unmatchedLines, file.from,
                                file.to, from, to, file.complete, file.problem, file.dataRows, basis);
          !ok) {
        return ok;
      }
    }
  }
  return {};
}

Result<> insertCoverage(Database& database, const StoredRun& run, const Coverage& coverage) {
  auto insert = database.prepare("INSERT INTO coverage(run, source, seq, first, last, declared) VALUES(?,?,?,?,?,?)");
  if (!insert) return fail(insert.error());
  for (const auto& [source, intervals] : coverage.bySource) {
    std::int64_t seq = 0;
    for (const Interval& interval : intervals) {
      if (auto ok = insert->run(run.number, source.value, seq++, interval.from, interval.to,
                                coverage.declared.contains(source));
          !ok) {
        return ok;
      }
    }
  }
  return {};
}

Result<> insertSources(Database& database, const StoredRun& run, const NightFacts& facts) {
  if (auto ok = insertEach(
          database,
          "INSERT INTO sources(run, source, name, format, digest, rows, recorded, quarantined, excluded, repeated, "
          "first, last) VALUES(?,?,?,?,?,?,?,?,?,?,?,?)",
          run.result.sources,
          [&](Statement& insert, std::int64_t seq, const SourceReport& source) {
            return insert.run(run.number, seq, source.name, source.format, source.digest, source.rows, source.recorded,
                              source.quarantined, source.excluded, source.repeated, source.from, source.to);
          });
      !ok) {
    return ok;
  }
  if (auto ok = insertFiles(database, run, facts); !ok) return ok;
  if (auto ok = insertCoverage(database, run, facts.coverage); !ok) return ok;
  return insertEach(
      database,
      "INSERT INTO quarantined(run, seq, source, file, place, part, line, path, column_name, value, rule, reason, raw) "
      "VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?)",
      run.result.quarantined, [&](Statement& insert, std::int64_t seq, const QuarantinedRow& row) {
        return insert.run(run.number, seq, row.place.source.value, row.place.file.value, row.place.offset,
                          row.place.part, row.line, row.file, row.column, row.value, row.rule, row.reason, row.raw);
      });
}

Result<> insertFindings(Database& database, const StoredRun& run) {
  return insertEach(
      database,
      "INSERT INTO findings(run, seq, code, subject, count, severity, seen, advice, examples) VALUES(?,?,?,?,?,?,?,?,?)",
      run.result.findings, [&](Statement& insert, std::int64_t seq, const Finding& finding) {
        const std::string examples = packTexts(finding.examples);
        return insert.run(run.number, seq, finding.code, finding.subject, finding.count, codeOf(finding.severity),
                          finding.seen, finding.advice, examples);
      });
}

Result<> insertQueues(Database& database, const StoredRun& run, const NightFacts& facts) {
  if (auto ok = insertEach(
          database,
          "INSERT INTO queues(run, seq, queue, dead_letter, depth, in_flight, oldest, max_depth, sampled_at, kind, samples, "
          "first_depth, first_at) VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?)",
          run.result.queues,
          [&](Statement& insert, std::int64_t seq, const FindingsCollector::QueueState& queue) {
            return insert.run(run.number, seq, queue.queue, queue.deadLetter, queue.depth, queue.inFlight,
                              queue.oldest, queue.maxDepth, queue.sampledAt, codeOf(queue.kind), queue.samples,
                              queue.firstDepth, queue.firstAt);
          });
      !ok) {
    return ok;
  }
  return insertEach(
      database,
      "INSERT INTO queue_depths(run, seq, queue, dead_letter, depth, in_flight, oldest, sampled_at, kind, source, part, "
      "dead_letter_queue, log_offset) VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?)",
      facts.depths, [&](Statement& insert, std::int64_t seq, const QueueDepth& depth) {
        return insert.run(run.number, seq, depth.queue, depth.kind == QueueKind::Dead, depth.depth, depth.inFlight,
                          depth.oldestAge, depth.sampledAt, codeOf(depth.kind), depth.place.source.value, depth.part,
                          depth.deadLetterQueue, depth.offset);
      });
}

Result<> insertProof(Database& database, const StoredRun& run) {
  return insertEach(
      database,
      "INSERT INTO proof(run, seq, scope, currency, kind, local_minor, provider_minor, unexplained_minor, steps) "
      "VALUES(?,?,?,?,?,?,?,?,?)",
      run.result.proof, [&](Statement& insert, std::int64_t seq, const ProofLine& line) {
        const std::string currency = line.currency.text();
        const std::string steps = packIntegers(line.steps.data(), line.steps.size());
        return insert.run(run.number, seq, line.scope, currency, codeOf(line.kind), line.localMinor,
                          line.providerMinor, line.unexplainedMinor, steps);
      });
}

}  // namespace

Result<> insertRun(Database& database, const StoredRun& run, const NightFacts& facts) {
  if (auto ok = insertHead(database, run, facts); !ok) return ok;
  if (auto ok = insertSums(database, run); !ok) return ok;
  if (auto ok = insertSources(database, run, facts); !ok) return ok;
  if (auto ok = insertFindings(database, run); !ok) return ok;
  if (auto ok = insertQueues(database, run, facts); !ok) return ok;
  return insertProof(database, run);
}

}  // namespace counterfoil
