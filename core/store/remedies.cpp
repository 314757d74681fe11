// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/remedies.h"

#include <set>

#include "core/store/store_impl.h"

namespace counterfoil {

Result<> recordRemedy(StoreFile& file, const RemedyExport& made) {
  Database& database = file.database();
  auto transaction = Transaction::begin(database, Transaction::Kind::Write);
  if (!transaction) return fail(transaction.error());
  const std::set<RemedyItem> items(made.items.begin(), made.items.end());
  auto ok = database.run("INSERT INTO remedies(kind, at, who, digest, lines) VALUES(?, ?, ?, ?, ?)", made.kind, made.at,
                         made.who, made.digest, items.size());
  if (!ok) return ok;
  const auto number = database.integer("SELECT max(remedy) FROM remedies");
  if (!number) return fail(number.error());
  auto insert = database.prepare("INSERT INTO remedy_cases(remedy, case_id, item) VALUES(?, ?, ?)");
  if (!insert) return fail(insert.error());
  for (const RemedyItem& item : items) {
    if (ok = insert->run(number->value_or(0), item.first, item.second); !ok) return ok;
  }
  return transaction->commit();
}

Result<std::map<RemedyItem, ExportedBefore>> exportedBefore(StoreFile& file, const std::string& kind) {
  // The bare columns of a max() are those of its row.
  auto statement = file.database().prepare(
      "SELECT c.case_id, c.item, max(r.at), r.who, r.digest, count(*) FROM remedies r "
      "JOIN remedy_cases c ON c.remedy = r.remedy WHERE r.kind = ? GROUP BY c.case_id, c.item");
  if (!statement) return fail(statement.error());
  statement->bindAll(kind);
  std::map<RemedyItem, ExportedBefore> exports;
  auto ok = forEachRow(*statement, [&](const Statement& row) -> Result<bool> {
    exports[{std::string(row.text(0)), std::string(row.text(1))}] = {kind, row.instant(2), std::string(row.text(3)),
                                                                     std::string(row.text(4)), row.integer(5)};
    return true;
  });
  if (!ok) return fail(ok.error());
  return exports;
}

Result<std::vector<std::pair<std::string, ExportedBefore>>> exportsOfCase(StoreFile& file, const CaseId& caseId) {
  auto statement = file.database().prepare(
      "SELECT c.item, r.kind, r.at, r.who, r.digest FROM remedy_cases c JOIN remedies r ON r.remedy = c.remedy "
      "WHERE c.case_id = ?1 OR c.case_id IN (SELECT alias FROM case_aliases WHERE case_id = ?1) "
      "ORDER BY r.at, r.remedy, c.item");
  if (!statement) return fail(statement.error());
  statement->bindAll(caseId);
  std::vector<std::pair<std::string, ExportedBefore>> exports;
  auto ok = forEachRow(*statement, [&](const Statement& row) -> Result<bool> {
    exports.push_back({std::string(row.text(0)),
                       {std::string(row.text(1)), row.instant(2), std::string(row.text(3)), std::string(row.text(4)), 1}});
    return true;
  });
  if (!ok) return fail(ok.error());
  return exports;
}

}  // namespace counterfoil
