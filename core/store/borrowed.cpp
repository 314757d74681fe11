// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/borrowed.h"

#include "core/base/require.h"
#include "core/store/store_impl.h"

namespace counterfoil {
namespace {

Result<std::vector<BorrowedFile>> read(Database& database, const char* sql, RunNumber run) {
  auto statement = database.prepare(sql);
  if (!statement) return fail(statement.error());
  statement->bindAll(run);
  std::vector<BorrowedFile> files;
  auto ok = forEachRow(*statement, [&](const Statement& row) -> Result<bool> {
    BorrowedFile& file = files.emplace_back();
    file.run = static_cast<RunNumber>(row.integer(0));
    file.file.value = static_cast<std::uint32_t>(row.integer(1));
    file.source.value = static_cast<std::uint16_t>(row.integer(2));
    file.fromRun = static_cast<RunNumber>(row.integer(3));
    file.fromFile.value = static_cast<std::uint32_t>(row.integer(4));
    file.records = static_cast<std::uint64_t>(row.integer(5));
    return true;
  });
  if (!ok) return fail(ok.error());
  return files;
}

}  // namespace

Result<std::vector<BorrowedFile>> findStoredFiles(Database& database, RunNumber run, const NightFacts& facts,
                                                  const std::vector<std::string>& sources,
                                                  const std::vector<FileReport>& reports) {
  // A file that was itself borrowed has no records in its run; the one it came from is found instead.
  auto find = database.prepare(
      "SELECT f.run, f.file FROM files f JOIN runs r ON r.run = f.run "
      "JOIN sources s ON s.run = f.run AND s.source = f.source "
      "WHERE f.digest = ? AND f.complete = 1 AND f.recorded = ? AND s.name = ? AND r.config_digest = ? AND r.program = ? "
      "AND NOT EXISTS (SELECT 1 FROM borrowed_files b WHERE b.run = f.run AND b.file = f.file) ORDER BY f.run LIMIT 1");
  if (!find) return fail(find.error());
  std::vector<BorrowedFile> files;
  for (const FileReport& file : reports) {
    if (!file.complete || file.digest.empty() || file.recorded == 0) continue;
    require(file.source.value < sources.size(), "a file of no source");
    find->bindAll(file.digest, file.recorded, sources[file.source.value], facts.identity.configDigest, facts.program);
    const auto row = find->step();
    if (!row) return fail(row.error());
    if (*row) {
      files.push_back({run, file.file, file.source, static_cast<RunNumber>(find->integer(0)),
                       FileId{static_cast<std::uint32_t>(find->integer(1))}, 0});
    }
    find->reset();
  }
  return files;
}

Result<> insertBorrowed(Database& database, const std::vector<BorrowedFile>& files) {
  auto insert = database.prepare(
      "INSERT INTO borrowed_files(run, file, source, from_run, from_file, records) VALUES(?, ?, ?, ?, ?, ?)");
  if (!insert) return fail(insert.error());
  for (const BorrowedFile& file : files) {
    if (file.records == 0) continue;   // queue depths only: they lie in no block
    if (auto ok = insert->run(file.run, file.file.value, file.source.value, file.fromRun, file.fromFile.value, file.records);
        !ok) {
      return ok;
    }
  }
  return {};
}

Result<std::vector<BorrowedFile>> borrowedBy(Database& database, RunNumber run) {
  return read(database,
              "SELECT run, file, source, from_run, from_file, records FROM borrowed_files WHERE run = ? "
              "ORDER BY from_run, from_file, file", run);
}

Result<std::vector<BorrowedFile>> borrowedFrom(Database& database, RunNumber run) {
  return read(database,
              "SELECT run, file, source, from_run, from_file, records FROM borrowed_files WHERE from_run = ? "
              "ORDER BY run, file", run);
}

}  // namespace counterfoil
