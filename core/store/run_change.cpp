// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/run_change.h"

#include <algorithm>

#include "core/store/packing.h"
#include "core/store/store_impl.h"

namespace counterfoil {
namespace {

/// Runs fn over the rows of `sql` with this run bound; fn returns false for damage.
template <class Fn>
Result<> eachRow(const Store& store, const char* sql, RunNumber number, Fn&& fn) {
  auto statement = store.impl().database.prepare(sql);
  if (!statement) return fail(statement.error());
  statement->bindAll(number);
  return forEachRow(*statement, [&](const Statement& row) -> Result<bool> {
    if (!fn(row)) return brokenStore("a run");
    return true;
  });
}

Result<> loadHead(const Store& store, RunCounts& counts) {
  bool found = false;
  auto ok = eachRow(store, "SELECT as_of, complete, units, breaks, open FROM runs WHERE run = ?", counts.number,
                    [&](const Statement& row) {
                      found = true;
                      counts.asOf = row.instant(0);
                      counts.complete = row.integer(1) != 0;
                      counts.units = static_cast<std::uint64_t>(row.integer(2));
                      counts.breaks = static_cast<std::uint64_t>(row.integer(3));
                      counts.open = static_cast<std::uint64_t>(row.integer(4));
                      return true;
                    });
  if (ok && !found) return fail(ErrorCode::Missing, "the store has no run " + std::to_string(counts.number));
  return ok;
}

Result<> loadClasses(const Store& store, RunCounts& counts) {
  return eachRow(store, "SELECT code, count FROM run_tallies WHERE run = ? AND kind = 'class'", counts.number,
                 [&](const Statement& row) {
                   const auto unitClass = classFromCode(row.text(0));
                   if (unitClass) counts.classes[*unitClass] = static_cast<std::uint64_t>(row.integer(1));
                   return unitClass.has_value();
                 });
}

Result<> loadExposure(const Store& store, RunCounts& counts) {
  return eachRow(store, "SELECT currency, minor FROM run_amounts WHERE run = ? AND kind = 'exposure' ORDER BY currency",
                 counts.number, [&](const Statement& row) {
                   const auto currency = Currency::parse(row.text(0));
                   if (currency) counts.exposure.push_back({row.integer(1), *currency});
                   return currency.has_value() || row.text(0).empty();
                 });
}

/// Does a break have more at stake than when it was judged before? Sums of other currencies do not compare.
bool hasGrown(const std::vector<Money>& now, const std::vector<Money>& before) {
  return std::any_of(now.begin(), now.end(), [&](const Money& money) {
    const auto same = std::find_if(before.begin(), before.end(),
                                   [&](const Money& other) { return other.currency == money.currency; });
    if (same == before.end()) return !before.empty();
    return money.minor > 0 ? money.minor > same->minor : money.minor < same->minor;
  });
}

constexpr const char* kBreaksOfRun =
    "SELECT u.class, u.is_new, u.exposure, (SELECT p.exposure FROM units p WHERE p.case_id = u.case_id AND "
    "p.run < u.run ORDER BY p.run DESC LIMIT 1) FROM units u JOIN classes k ON k.class = u.class "
    "WHERE u.run = ? AND k.kind = 'break'";
constexpr const char* kClearedByRun =
    "SELECT (SELECT p.class FROM units p WHERE p.case_id = c.case_id AND p.run < ?1 ORDER BY p.run DESC LIMIT 1) "
    "FROM cases c WHERE c.cleared_run = ?1";

}  // namespace

Result<std::vector<RunMark>> runMarks(const Store& store) {
  auto statement = store.impl().database.prepare("SELECT run, as_of FROM runs ORDER BY as_of, run");
  if (!statement) return fail(statement.error());
  std::vector<RunMark> marks;
  auto ok = forEachRow(*statement, [&](const Statement& row) -> Result<bool> {
    marks.push_back({static_cast<RunNumber>(row.integer(0)), row.instant(1)});
    return true;
  });
  if (!ok) return fail(ok.error());
  return marks;
}

Result<RunCounts> runCounts(const Store& store, RunNumber number) {
  RunCounts counts;
  counts.number = number;
  if (auto ok = loadHead(store, counts); !ok) return fail(ok.error());
  if (auto ok = loadClasses(store, counts); !ok) return fail(ok.error());
  if (auto ok = loadExposure(store, counts); !ok) return fail(ok.error());
  // A queue whose depth is not known makes the sum of all of them unknown, not smaller.
  bool known = true;
  std::optional<std::int64_t> depth;
  auto ok = eachRow(store, "SELECT depth FROM queues WHERE run = ? AND (dead_letter = 1 OR kind = 'dead')", number,
                    [&](const Statement& row) {
                      const auto value = row.maybeInteger(0);
                      const auto sum = value ? addChecked(depth.value_or(0), *value) : std::nullopt;
                      known = known && sum.has_value();
                      depth = sum;
                      return true;
                    });
  if (!ok) return fail(ok.error());
  if (known) counts.deadLetters = depth;
  return counts;
}

void RunChange::add(const RunChange& other) {
  newBreaks += other.newBreaks;
  cleared += other.cleared;
  grown += other.grown;
  for (const auto& [unitClass, count] : other.newByClass) newByClass[unitClass] += count;
  for (const auto& [unitClass, count] : other.clearedByClass) clearedByClass[unitClass] += count;
}

Result<RunChange> runChange(const Store& store, RunNumber number) {
  RunChange change;
  auto ok = eachRow(store, kBreaksOfRun, number, [&](const Statement& row) {
    const auto unitClass = classFromCode(row.text(0));
    const auto now = unpackMoney(row.text(2));
    const auto before = row.isNull(3) ? std::optional(std::vector<Money>()) : unpackMoney(row.text(3));
    if (!unitClass || !now || !before) return false;
    if (row.integer(1) != 0) {
      ++change.newBreaks;
      ++change.newByClass[*unitClass];
    } else if (hasGrown(*now, *before)) {
      ++change.grown;
    }
    return true;
  });
  if (!ok) return fail(ok.error());
  ok = eachRow(store, kClearedByRun, number, [&](const Statement& row) {
    ++change.cleared;
    const auto unitClass = row.isNull(0) ? std::nullopt : classFromCode(row.text(0));
    if (unitClass) ++change.clearedByClass[*unitClass];
    return true;
  });
  if (!ok) return fail(ok.error());
  return change;
}

}  // namespace counterfoil
