// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/store_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include "core/store/lock.h"
#include "core/store/schema.h"

namespace counterfoil {

namespace {

std::string folderOf(const std::string& path) {
  const std::size_t slash = path.find_last_of('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

Result<> requireFile(const std::string& path) {
  struct stat facts{};
  if (stat(path.c_str(), &facts) != 0) {
    return fail(ErrorCode::Missing, path + ": no such store; counterfoil run makes it");
  }
  if (!S_ISREG(facts.st_mode)) return fail(ErrorCode::StoreBroken, path + ": not a file, so not a store");
  return {};
}

bool hasFilledWal(const std::string& path) {
  struct stat facts{};
  return stat((path + "-wal").c_str(), &facts) == 0 && facts.st_size > 0;
}

Result<> requireThisVersion(Database& database, const std::string& path) {
  const auto state = inspectSchema(database, storeMigrations());
  if (!state) return fail(state.error().within(path));
  if (*state == SchemaState::Current) return {};
  if (*state == SchemaState::Empty) return fail(ErrorCode::Missing, path + ": an empty store; counterfoil run fills it");
  return fail(ErrorCode::StoreBroken, path + ": written by an earlier version; the next counterfoil run converts it");
}

}  // namespace

bool isWritableStore(const std::string& path) {
  return access(path.c_str(), W_OK) == 0 && access(folderOf(path).c_str(), W_OK) == 0 &&
         networkFileSystemOf(path).empty();
}

Result<StoreFile> StoreFile::openForReading(const std::string& path) {
  if (auto ok = requireFile(path); !ok) return fail(ok.error());
  OpenMode mode = OpenMode::ReadWrite;
  if (!isWritableStore(path)) mode = hasFilledWal(path) ? OpenMode::ReadOnly : OpenMode::Immutable;
  auto database = Database::open(path, mode);
  if (!database) return fail(database.error());
  if (auto ok = requireThisVersion(*database, path); !ok) return fail(ok.error());
  if (auto ok = database->execute("PRAGMA query_only=1"); !ok) return fail(ok.error().within(path));
  StoreFile file;
  file.m_path = path;
  file.m_database = std::move(*database);
  return file;
}

Result<StoreFile> StoreFile::openForChange(const std::string& path) {
  if (auto ok = requireFile(path); !ok) return fail(ok.error());
  if (!isWritableStore(path)) {
    return fail(ErrorCode::WriteFailed, path + ": the file, its folder or the medium cannot be written");
  }
  auto database = Database::open(path, OpenMode::ReadWrite);
  if (!database) return fail(database.error());
  if (auto ok = requireThisVersion(*database, path); !ok) return fail(ok.error());
  // What a person did is durable when the command ends.
  if (auto ok = database->execute("PRAGMA synchronous=FULL"); !ok) return fail(ok.error().within(path));
  StoreFile file;
  file.m_path = path;
  file.m_database = std::move(*database);
  return file;
}

Result<StoreFile> StoreFile::openForUpkeep(const std::string& path, const StoreOptions& options) {
  if (auto ok = requireFile(path); !ok) return fail(ok.error());
  auto store = Store::openForRun(path, options);
  if (!store) return fail(store.error());
  StoreFile file;
  file.m_path = path;
  file.m_store = std::move(*store);
  auto database = Database::open(path, OpenMode::ReadWrite);
  if (!database) return fail(database.error());
  if (auto ok = database->execute("PRAGMA synchronous=FULL"); !ok) return fail(ok.error().within(path));
  file.m_database = std::move(*database);
  return file;
}

Result<> StoreFile::close() {
  m_database.close();
  if (!m_store) return {};
  Result<> closed = m_store->close();
  m_store.reset();
  return closed;
}

}  // namespace counterfoil
