// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/closing.h"

#include <fmt/format.h>

#include "core/store/failpoint.h"
#include "core/store/packing.h"
#include "core/store/store_impl.h"

namespace counterfoil {

Result<> closePeriod(StoreFile& file, const ClosedPeriod& period) {
  Database& database = file.database();
  auto transaction = Transaction::begin(database, Transaction::Kind::Write);
  if (!transaction) return fail(transaction.error());
  const auto latest = database.integer("SELECT max(as_of) FROM runs");
  if (!latest) return fail(latest.error());
  const std::int64_t through = period.through.time_since_epoch().count();
  if (!*latest || through > **latest) {
    return fail(ErrorCode::Usage, "no night has judged this period to its end yet; run first, then close");
  }
  const auto closed = database.integer("SELECT max(through) FROM closed_periods");
  if (!closed) return fail(closed.error());
  if (*closed && through <= **closed) {
    return fail(ErrorCode::Usage, fmt::format("closed already, until {}", formatInstant(Instant(Duration(**closed)))));
  }
  auto ok = database.run("INSERT INTO closed_periods(through, at, who, note) VALUES(?, ?, ?, ?)", period.through, period.at,
                         period.who, period.note);
  if (!ok) return ok;
  failpoint("close");
  return transaction->commit();
}

Result<std::optional<ClosedPeriod>> reopenPeriod(StoreFile& file) {
  auto transaction = Transaction::begin(file.database(), Transaction::Kind::Write);
  if (!transaction) return fail(transaction.error());
  const auto periods = closedPeriods(file);
  if (!periods) return fail(periods.error());
  if (periods->empty()) return std::optional<ClosedPeriod>();
  if (auto ok = file.database().run("DELETE FROM closed_periods WHERE through = ?", periods->back().through); !ok) {
    return fail(ok.error());
  }
  if (auto ok = transaction->commit(); !ok) return fail(ok.error());
  return std::optional(periods->back());
}

Result<std::vector<ClosedPeriod>> closedPeriods(StoreFile& file) {
  auto statement = file.database().prepare("SELECT through, at, who, note FROM closed_periods ORDER BY through");
  if (!statement) return fail(statement.error());
  std::vector<ClosedPeriod> periods;
  auto ok = forEachRow(*statement, [&](const Statement& row) -> Result<bool> {
    periods.push_back({row.instant(0), row.instant(1), std::string(row.text(2)), std::string(row.text(3))});
    return true;
  });
  if (!ok) return fail(ok.error());
  return periods;
}

Result<> forEachRestatement(StoreFile& file, const CaseId& caseId, const std::function<bool(const Restatement&)>& fn) {
  auto statement = file.database().prepare(
      "SELECT s.run, r.as_of, s.through, s.case_id, coalesce((SELECT u.key FROM units u WHERE u.case_id = s.case_id "
      "ORDER BY u.run DESC LIMIT 1), ''), coalesce((SELECT u.operation FROM units u WHERE u.case_id = s.case_id "
      "ORDER BY u.run DESC LIMIT 1), ''), s.class_before, s.class_now, s.exposure_before, s.exposure_now "
      "FROM restatements s JOIN runs r ON r.run = s.run WHERE ?1 = '' OR s.case_id = ?1 OR s.case_id IN "
      "(SELECT alias FROM case_aliases WHERE case_id = ?1) ORDER BY s.run, s.case_id");
  if (!statement) return fail(statement.error());
  statement->bindAll(caseId);
  return forEachRow(*statement, [&](const Statement& row) -> Result<bool> {
    const auto before = unpackMoney(row.text(8));
    const auto now = unpackMoney(row.text(9));
    if (!before || !now) return brokenStore("a restatement");
    return fn({static_cast<RunNumber>(row.integer(0)), row.instant(1), row.instant(2), std::string(row.text(3)),
               std::string(row.text(4)), std::string(row.text(5)), std::string(row.text(6)), std::string(row.text(7)),
               *before, *now});
  });
}

Result<> noteRestatements(Database& database, RunNumber run, Instant asOf) {
  const auto through = database.integer("SELECT max(through) FROM closed_periods");
  if (!through) return fail(through.error());
  if (!*through) return {};
  const auto latest = database.integer("SELECT max(as_of) FROM runs WHERE run < ?", run);
  if (!latest) return fail(latest.error());
  if (latest->value_or(0) > asOf.time_since_epoch().count()) return {};
  // Judged tonight, and otherwise than the last time; for the first time only where something is wrong or open.
  auto ok = database.run(
      "INSERT INTO restatements(run, case_id, through, class_before, exposure_before, class_now, exposure_now) "
      "SELECT u.run, u.case_id, ?2, coalesce(b.class, ''), coalesce(b.exposure, ''), u.class, u.exposure FROM units u "
      "JOIN classes k ON k.class = u.class LEFT JOIN units b ON b.id = (SELECT p.id FROM units p WHERE p.case_id = u.case_id "
      "AND p.run < ?1 ORDER BY p.run DESC LIMIT 1) WHERE u.run = ?1 AND u.first_seen < ?2 AND "
      "CASE WHEN b.id IS NULL THEN k.kind <> 'closed' ELSE b.class <> u.class OR b.exposure <> u.exposure END "
      "ON CONFLICT DO NOTHING", run, **through);
  if (!ok) return ok;
  // Cleared tonight: nothing of it is listed any more.
  return database.run(
      "INSERT INTO restatements(run, case_id, through, class_before, exposure_before, class_now, exposure_now) "
      "SELECT ?1, c.case_id, ?2, u.class, u.exposure, 'matched', '' FROM cases c "
      "JOIN units u ON u.case_id = c.case_id AND u.run = c.unit_run "
      "WHERE c.cleared_run = ?1 AND c.unit_run < ?1 AND u.first_seen < ?2 ON CONFLICT DO NOTHING", run, **through);
}

}  // namespace counterfoil
