// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/prune.h"

#include <fmt/format.h>
#include <sys/statvfs.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "core/base/text.h"
#include "core/store/failpoint.h"
#include "core/store/history.h"
#include "core/store/packing.h"
#include "core/store/segment.h"
#include "core/store/store_impl.h"

namespace counterfoil {

namespace {

using Plan = std::map<RunNumber, RunToPrune>;

void keep(Plan& plan, RunNumber run, RunFate fate, const std::string& because) {
  const auto known = plan.find(run);
  if (known == plan.end() || known->second.fate != RunFate::Goes) return;
  known->second.fate = fate;
  known->second.because = because;
}

/// Keeps the runs that a statement names, with what it says beside them.
template <class... Values>
Result<> keepNamed(Database& database, Plan& plan, RunFate fate, const char* sql, const Values&... values) {
  auto statement = database.prepare(sql);
  if (!statement) return fail(statement.error());
  statement->bindAll(values...);
  return forEachRow(*statement, [&](const Statement& row) -> Result<bool> {
    keep(plan, static_cast<RunNumber>(row.integer(0)), fate, std::string(row.text(1)));
    return true;
  });
}

Result<Plan> allRuns(Database& database, Instant cutoff) {
  auto statement = database.prepare("SELECT run, as_of, records FROM runs ORDER BY run");
  if (!statement) return fail(statement.error());
  Plan plan;
  auto ok = forEachRow(*statement, [&](const Statement& row) -> Result<bool> {
    const auto run = static_cast<RunNumber>(row.integer(0));
    const RunFate fate = row.instant(1) < cutoff ? RunFate::Goes : RunFate::Recent;
    plan[run] = {run, row.instant(1), static_cast<std::uint64_t>(row.integer(2)), fate, {}};
    return true;
  });
  if (!ok) return fail(ok.error());
  return plan;
}

/// Runs in which units lie that a run was judged with.
Result<> keepCarriedUnits(Database& database, Plan& plan, RunNumber run) {
  auto list = database.prepare("SELECT units, rows FROM carried WHERE run = ?");
  auto home = database.prepare("SELECT run FROM units WHERE id = ?");
  if (!list) return fail(list.error());
  if (!home) return fail(home.error());
  list->bindAll(run);
  const std::string because = fmt::format("run {} was judged with it", run);
  return forEachRow(*list, [&](const Statement& row) -> Result<bool> {
    std::string_view bytes = row.blob(0);
    const auto count = takeVarint(bytes);
    std::uint64_t unit = 0;
    for (std::uint64_t i = 0; count && i < *count; ++i) {
      const auto step = takeVarint(bytes);
      if (!step) return brokenStore("the list of what was carried forward");
      unit += *step;
      home->bindAll(unit);
      const auto found = home->step();
      if (!found) return fail(found.error());
      if (*found) keep(plan, static_cast<RunNumber>(home->integer(0)), RunFate::Lender, because);
      home->reset();
    }
    return true;
  });
}

/// What the runs that stay whole take from others, one step: a lender's own lenders may go.
Result<> keepLenders(Database& database, Plan& plan, const std::vector<RunNumber>& whole) {
  for (const RunNumber run : whole) {
    for (const char* sql :
         {"SELECT DISTINCT from_run, 'run ' || run || ' was judged with records of it' FROM carried_files WHERE run = ?",
          "SELECT DISTINCT run, 'its judgement holds for run ' || ?1 FROM units WHERE until_run > run AND run < ?1 AND until_run >= ?1"}) {
      if (auto ok = keepNamed(database, plan, RunFate::Lender, sql, run); !ok) return ok;
    }
    if (auto ok = keepCarriedUnits(database, plan, run); !ok) return ok;
  }
  return {};
}

Result<> keepHeld(Database& database, Plan& plan) {
  auto ok = keepNamed(database, plan, RunFate::Held, "SELECT CAST(target AS INTEGER), reason FROM holds WHERE kind = 'run'");
  if (!ok) return ok;
  return keepNamed(database, plan, RunFate::CaseHeld,
                   "SELECT DISTINCT u.run, h.target || ': ' || h.reason FROM holds h JOIN units u ON u.case_id = h.target "
                   "WHERE h.kind = 'case'");
}

/// What standing and decided cases rest on: their judgement, and the runs that read its records.
Result<> keepCases(Database& database, Plan& plan) {
  auto ok = keepNamed(database, plan, RunFate::StandingCase, "SELECT unit_run, case_id FROM cases WHERE standing = 1");
  if (!ok) return ok;
  ok = keepNamed(database, plan, RunFate::DecidedCase,
                 "SELECT unit_run, case_id FROM cases WHERE state IN ('resolved', 'dismissed', 'force_closed') "
                 "OR case_id IN (SELECT case_id FROM decisions)");
  if (!ok) return ok;
  return keepNamed(database, plan, RunFate::Lender,
                   "SELECT DISTINCT f.from_run, 'case ' || c.case_id || ' has records of it' FROM cases c "
                   "JOIN carried_files f ON f.run = c.unit_run WHERE c.standing = 1");
}

/// Every run that stays has the files that it reads in another's blocks.
Result<> keepBorrowed(Database& database, Plan& plan) {
  std::vector<RunNumber> kept;
  for (const auto& [run, each] : plan) {
    if (each.fate != RunFate::Goes) kept.push_back(run);
  }
  // Files are borrowed from the run that stored them, so one step is enough.
  for (const RunNumber run : kept) {
    auto ok = keepNamed(database, plan, RunFate::Lender,
                        "SELECT DISTINCT from_run, 'run ' || run || ' has a file of it' FROM borrowed_files WHERE run = ?", run);
    if (!ok) return ok;
  }
  return {};
}

Result<> removeRun(Database& database, const RunToPrune& run, Instant at, const std::string& who, PruneDone& done) {
  auto transaction = Transaction::begin(database, Transaction::Kind::Write);
  if (!transaction) return fail(transaction.error());
  auto segments = database.prepare("SELECT segment FROM segments WHERE run = ? AND kind = 'records'");
  if (!segments) return fail(segments.error());
  segments->bindAll(run.run);
  std::vector<SegmentNumber> numbers;
  auto ok = forEachRow(*segments, [&](const Statement& row) -> Result<bool> {
    numbers.push_back(row.integer(0));
    return true;
  });
  for (std::size_t i = 0; ok && i < numbers.size(); ++i) ok = dropSegment(database, numbers[i]);
  // A case whose last judgement goes with the run is over, and nobody decided about it.
  if (ok) ok = database.run("DELETE FROM case_aliases WHERE case_id IN (SELECT case_id FROM cases WHERE unit_run = ?)", run.run);
  if (ok) ok = database.run("DELETE FROM cases WHERE unit_run = ?", run.run);
  const std::int64_t cases = ok ? database.changes() : 0;
  if (ok) ok = database.run("DELETE FROM runs WHERE run = ?", run.run);
  if (ok) {
    ok = database.run("INSERT INTO removals(kind, at, who, what, counts) VALUES('run', ?, ?, ?, ?)", at, who,
                      fmt::format("run {} of {}", run.run, formatInstant(run.asOf)), fmt::format("{} records", run.records));
  }
  if (!ok) return ok;
  failpoint("prune");
  if (ok = transaction->commit(); !ok) return ok;
  ++done.runs;
  done.records += run.records;
  done.cases += static_cast<std::uint64_t>(cases);
  return {};
}

Result<> markStripped(Database& database, const std::vector<RunToPrune>& plan) {
  auto transaction = Transaction::begin(database, Transaction::Kind::Write);
  if (!transaction) return fail(transaction.error());
  for (const RunToPrune& run : plan) {
    const bool isWhole = run.fate == RunFate::Goes || run.fate == RunFate::Recent || run.fate == RunFate::Newest ||
                         run.fate == RunFate::Held || run.fate == RunFate::CaseHeld;
    if (isWhole) continue;
    if (auto ok = database.run("UPDATE runs SET stripped = 1 WHERE run = ?", run.run); !ok) return ok;
  }
  return transaction->commit();
}

}  // namespace

std::string_view wordsOf(RunFate fate) {
  constexpr std::array<std::string_view, 8> words = {"recent",       "newest",        "held", "case held",
                                                     "standing case", "decided case", "lends records", "goes"};
  return words[static_cast<std::size_t>(fate)];
}

Result<std::vector<RunToPrune>> planPrune(StoreFile& file, Instant cutoff) {
  Database& database = file.database();
  auto plan = allRuns(database, cutoff);
  if (!plan) return fail(plan.error());
  if (!plan->empty()) keep(*plan, plan->rbegin()->first, RunFate::Newest, "");
  auto ok = keepHeld(database, *plan);
  std::vector<RunNumber> whole;
  for (const auto& [run, each] : *plan) {
    if (each.fate != RunFate::Goes) whole.push_back(run);
  }
  if (ok) ok = keepCases(database, *plan);
  if (ok) ok = keepLenders(database, *plan, whole);
  if (ok) ok = keepBorrowed(database, *plan);
  if (!ok) return fail(ok.error());
  std::vector<RunToPrune> list;
  for (const auto& [run, each] : *plan) {
    if (each.fate != RunFate::Recent) list.push_back(each);
  }
  return list;
}

Result<PruneDone> prune(StoreFile& file, const std::vector<RunToPrune>& plan, Instant at, const std::string& who) {
  Database& database = file.database();
  PruneDone done;
  if (auto ok = markStripped(database, plan); !ok) return fail(ok.error());
  // The newest first: one that borrows goes before the one it borrows from.
  for (auto run = plan.rbegin(); run != plan.rend(); ++run) {
    if (run->fate != RunFate::Goes) continue;
    if (auto ok = removeRun(database, *run, at, who, done); !ok) return fail(ok.error());
  }
  if (done.runs > 0) {
    if (auto ok = compactHistory(database); !ok) return fail(ok.error());
  }
  return done;
}

Result<> addHold(StoreFile& file, const Hold& hold) {
  Database& database = file.database();
  auto transaction = Transaction::begin(database, Transaction::Kind::Write);
  if (!transaction) return fail(transaction.error());
  const auto there = hold.kind == "run"
                         ? database.integer("SELECT count(*) FROM runs WHERE run = CAST(? AS INTEGER)", hold.target)
                         : database.integer("SELECT count(*) FROM cases WHERE case_id = ?", hold.target);
  if (!there) return fail(there.error());
  if (there->value_or(0) == 0) {
    return fail(ErrorCode::Usage, fmt::format("the store has no {} '{}'", hold.kind, forTerminal(hold.target)));
  }
  auto ok = database.run("INSERT INTO holds(kind, target, at, who, reason) VALUES(?, ?, ?, ?, ?) "
                         "ON CONFLICT DO UPDATE SET at = excluded.at, who = excluded.who, reason = excluded.reason",
                         hold.kind, hold.target, hold.at, hold.who, hold.reason);
  return ok ? transaction->commit() : ok;
}

Result<> releaseHold(StoreFile& file, const std::string& target) {
  auto transaction = Transaction::begin(file.database(), Transaction::Kind::Write);
  if (!transaction) return fail(transaction.error());
  if (auto ok = file.database().run("DELETE FROM holds WHERE target = ?", target); !ok) return ok;
  if (file.database().changes() == 0) {
    return fail(ErrorCode::Usage, fmt::format("'{}' is not held", forTerminal(target)));
  }
  return transaction->commit();
}

Result<std::vector<Hold>> holdsOf(StoreFile& file) {
  auto statement = file.database().prepare("SELECT kind, target, at, who, reason FROM holds ORDER BY kind, target");
  if (!statement) return fail(statement.error());
  std::vector<Hold> holds;
  auto ok = forEachRow(*statement, [&](const Statement& row) -> Result<bool> {
    holds.push_back({std::string(row.text(0)), std::string(row.text(1)), row.instant(2), std::string(row.text(3)),
                     std::string(row.text(4))});
    return true;
  });
  if (!ok) return fail(ok.error());
  return holds;
}

Result<Rewritten> giveSpaceBack(StoreFile& file) {
  Database& database = file.database();
  const auto pages = database.integer("PRAGMA page_count");
  const auto free = database.integer("PRAGMA freelist_count");
  const auto size = database.integer("PRAGMA page_size");
  if (!pages || !free || !size) return fail(ErrorCode::StoreBroken, file.path() + ": does not say how large it is");
  const auto live = static_cast<std::uint64_t>(pages->value_or(0) - free->value_or(0)) * static_cast<std::uint64_t>(size->value_or(0));
  struct statvfs room{};
  // A copy while it is written, and the log of the same size.
  if (statvfs(file.path().c_str(), &room) != 0 || room.f_bavail * room.f_frsize < live * 2 + (live >> 2) + (1u << 20)) {
    return Rewritten::NoRoom;
  }
  failpoint("rewrite");
  if (auto ok = database.rewrite(); !ok) {
    if (ok.error().code == ErrorCode::WriteFailed) return Rewritten::NoRoom;   // where temporary files lie
    return fail(ok.error());
  }
  if (auto ok = database.checkpoint(); !ok) return fail(ok.error());
  return Rewritten::Yes;
}

}  // namespace counterfoil
