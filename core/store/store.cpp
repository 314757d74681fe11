// SPDX-License-Identifier: GPL-3.0-or-later
// Opening, closing, and what is asked of runs and files.
#include "core/store/store.h"

#include <fmt/format.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <limits>
#include <system_error>
#include <utility>

#include "core/store/decision_chain.h"
#include "core/store/failpoint.h"
#include "core/store/schema.h"
#include "core/store/segment.h"
#include "core/store/store_impl.h"

namespace counterfoil {
namespace {

constexpr const char* kMemory = ":memory:";

std::string folderOf(const std::string& path) {
  const std::size_t slash = path.find_last_of('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

/// The keyed hash's secret; made with the store, so that the order of blocks cannot be aimed at by files.
Result<KeyedHash> storeSecret(Database& database, bool writable, std::optional<std::uint64_t> wanted) {
  auto statement = database.prepare("SELECT value FROM meta WHERE name = 'hash_secret'");
  if (!statement) return fail(statement.error());
  const auto row = statement->step();
  if (!row) return fail(row.error());
  std::uint64_t secret = 0;
  if (*row) {
    const std::string_view text = statement->text(0);
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), secret);
    if (error != std::errc() || end != text.data() + text.size()) return brokenStore("the secret of the key hash");
    return KeyedHash(secret);
  }
  if (!writable) return brokenStore("the table of facts");
  if (wanted) {
    secret = *wanted;
  } else if (getrandom(&secret, sizeof secret, 0) != static_cast<ssize_t>(sizeof secret)) {
    return fail(ErrorCode::Internal, "the system gives no random bytes");
  }
  statement->reset();
  if (auto ok = database.run("INSERT INTO meta(name, value) VALUES('hash_secret', ?)", std::to_string(secret)); !ok) {
    return fail(ok.error());
  }
  return KeyedHash(secret);
}

Result<> prepareForWriting(Database& database, SchemaState state) {
  if (state == SchemaState::Empty) {
    if (auto ok = database.execute("PRAGMA page_size=8192"); !ok) return ok;
  }
  if (auto ok = database.execute("PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA cache_size=-16384; "
                                 "PRAGMA wal_autocheckpoint=4096");
      !ok) {
    return ok;
  }
  if (state == SchemaState::Current) return {};
  return migrate(database, storeMigrations());
}

/// Does the path name something that is no plain file?
Result<bool> plainFileExists(const std::string& path) {
  struct stat facts{};
  if (stat(path.c_str(), &facts) != 0) {
    if (errno == ENOENT) return false;
    return fail(ErrorCode::Io, fmt::format("{}: {}", path, std::generic_category().message(errno)));
  }
  if (!S_ISREG(facts.st_mode)) return fail(ErrorCode::StoreBroken, path + ": not a file, so not a store");
  return true;
}

bool hasFilledWal(const std::string& path) {
  struct stat facts{};
  return stat((path + "-wal").c_str(), &facts) == 0 && facts.st_size > 0;
}

bool canBeWritten(const std::string& path) {
  return access(path.c_str(), W_OK) == 0 && access(folderOf(path).c_str(), W_OK) == 0 &&
         networkFileSystemOf(path).empty();
}

std::optional<RunNumber> asRun(const std::optional<std::int64_t>& value) {
  if (!value || *value <= 0 || *value > std::numeric_limits<std::int32_t>::max()) return {};
  return static_cast<RunNumber>(*value);
}

}  // namespace

std::string Store::Impl::folder() const {
  return path == kMemory ? std::string() : folderOf(path);
}

Store::Store(std::unique_ptr<Impl> impl) : m_impl(std::move(impl)) {}
Store::Store(Store&&) noexcept = default;
Store& Store::operator=(Store&&) noexcept = default;
Store::~Store() = default;

Result<Store> Store::openForRun(const std::string& path, const StoreOptions& options) {
  auto impl = std::make_unique<Impl>();
  impl->path = path;
  impl->writable = true;
  if (path != kMemory) {
    if (const auto exists = plainFileExists(path); !exists) return fail(exists.error());
    if (const std::string network = networkFileSystemOf(path); !network.empty()) {
      return fail(ErrorCode::WriteFailed, fmt::format("{}: lies on a network file system ({}), where a store can only "
                                                      "be read; keep it on a local disk", path, network));
    }
    auto lock = StoreLock::acquire(path, options.wait, options.cancel);
    if (!lock) return fail(lock.error());
    impl->lock = std::move(*lock);
  }
  auto database = Database::open(path, OpenMode::Create);
  if (!database) return fail(database.error());
  impl->database = std::move(*database);
  const auto state = inspectSchema(impl->database, storeMigrations());
  if (!state) return fail(state.error().within(path));
  if (auto ok = prepareForWriting(impl->database, *state); !ok) return fail(ok.error().within(path));
  const auto hash = storeSecret(impl->database, true, options.secret);
  if (!hash) return fail(hash.error().within(path));
  impl->hash = *hash;
  if (auto ok = dropStagedSegments(impl->database); !ok) return fail(ok.error().within(path));
  return Store(std::move(impl));
}

Result<Store> Store::openForReading(const std::string& path) {
  auto impl = std::make_unique<Impl>();
  impl->path = path;
  const auto exists = plainFileExists(path);
  if (!exists) return fail(exists.error());
  if (!*exists) return fail(ErrorCode::Missing, path + ": no such store; counterfoil run makes it");
  OpenMode mode = OpenMode::ReadWrite;  // so that the last one to close empties the WAL
  if (!canBeWritten(path)) {
    mode = hasFilledWal(path) ? OpenMode::ReadOnly : OpenMode::Immutable;
    impl->note = path + ": opened read-only (the file, its folder or the medium cannot be written)";
  }
  auto database = Database::open(path, mode);
  if (!database) return fail(database.error());
  impl->database = std::move(*database);
  auto state = inspectSchema(impl->database, storeMigrations());
  if (!state) return fail(state.error().within(path));
  if (*state == SchemaState::Empty) return fail(ErrorCode::Missing, path + ": an empty store; counterfoil run fills it");
  if (*state == SchemaState::Older) {
    return fail(ErrorCode::StoreBroken, path + ": written by an earlier version; the next counterfoil run converts it");
  }
  if (auto ok = impl->database.execute("PRAGMA query_only=1; PRAGMA cache_size=-8192"); !ok) {
    return fail(ok.error().within(path));
  }
  const auto hash = storeSecret(impl->database, false, {});
  if (!hash) return fail(hash.error().within(path));
  impl->hash = *hash;
  return Store(std::move(impl));
}

Result<Store> Store::openForReview(const std::string& path) {
  auto store = openForReading(path);
  if (!store) return store;
  if (!store->note().empty()) {
    return fail(ErrorCode::WriteFailed, path + ": cannot be written, so no decision can be kept in it");
  }
  if (auto ok = store->m_impl->database.execute("PRAGMA query_only=0; PRAGMA synchronous=FULL"); !ok) {
    return fail(ok.error().within(path));
  }
  return store;
}

const std::string& Store::note() const {
  return m_impl->note;
}

Result<> Store::close() {
  Result<> ok;
  if (m_impl->writable && m_impl->database.isOpen()) {
    failpoint("checkpoint");
    ok = m_impl->database.checkpoint();
  }
  m_impl->database.close();
  m_impl->lock = StoreLock();
  return ok;
}

Result<std::optional<RunNumber>> Store::findNight(const NightIdentity& night) const {
  const auto run = m_impl->database.integer(
      "SELECT max(run) FROM runs WHERE as_of = ? AND inputs_digest = ? AND config_digest = ?", night.asOf,
      night.inputsDigest, night.configDigest);
  if (!run) return fail(run.error());
  return asRun(*run);
}

Result<std::optional<RunNumber>> Store::lastRun() const {
  const auto run = m_impl->database.integer("SELECT max(run) FROM runs");
  if (!run) return fail(run.error());
  return asRun(*run);
}

Result<std::optional<Instant>> Store::latestAsOf() const {
  const auto at = m_impl->database.integer("SELECT max(as_of) FROM runs");
  if (!at) return fail(at.error());
  if (!*at) return std::optional<Instant>();
  return std::optional(Instant(Duration(**at)));
}

Result<StoredRun> Store::run(RunNumber number) const {
  return loadRun(m_impl->database, number);
}

Result<> Store::forEachRun(const ListFilter& filter, const std::function<bool(const StoredRun&)>& fn) const {
  auto statement = m_impl->database.prepare(
      "SELECT run FROM runs WHERE (?1 IS NULL OR as_of >= ?1) AND (?2 IS NULL OR run = ?2) ORDER BY run");
  if (!statement) return fail(statement.error());
  statement->bindAll(filter.since, filter.run);
  std::uint64_t left = filter.limit;
  return forEachRow(*statement, [&](const Statement& row) -> Result<bool> {
    const auto run = loadRun(m_impl->database, static_cast<RunNumber>(row.integer(0)));
    if (!run) return fail(run.error());
    return fn(*run) && (filter.limit == 0 || --left > 0);
  });
}

Result<std::vector<std::string>> Store::sourceNamesOf(RunNumber number) const {
  auto statement = m_impl->database.prepare("SELECT name FROM sources WHERE run = ? ORDER BY source");
  if (!statement) return fail(statement.error());
  statement->bindAll(number);
  std::vector<std::string> names;
  auto ok = forEachRow(*statement, [&](const Statement& row) -> Result<bool> {
    names.emplace_back(row.text(0));
    return true;
  });
  if (!ok) return fail(ok.error());
  return names;
}

Result<std::optional<std::string>> Store::knownDigest(const FileReceipt& receipt) const {
  auto statement = m_impl->database.prepare(
      "SELECT digest FROM files WHERE path = ? AND bytes = ? AND mtime = ? AND inode = ? AND device = ? "
      "AND digest <> '' AND complete = 1 ORDER BY run DESC LIMIT 1");
  if (!statement) return fail(statement.error());
  statement->bindAll(receipt.path, receipt.bytes, receipt.mtimeNanos, receipt.inode, receipt.device);
  const auto row = statement->step();
  if (!row) return fail(row.error());
  if (!*row) return std::optional<std::string>();
  return std::optional(std::string(statement->text(0)));
}

Result<std::vector<DecisionRow>> Store::decisionsOf(const CaseId& caseId) const {
  auto statement = m_impl->database.prepare(
      "SELECT d.case_id, d.at, d.who, d.assignee, d.note, d.state, d.id, d.action, d.sets, d.reason, d.bulk, d.undoes, "
      "(SELECT u.id FROM decisions u WHERE u.undoes = d.id) FROM decisions d WHERE d.case_id = ?1 "
      "OR d.case_id IN (SELECT alias FROM case_aliases WHERE case_id = ?1) ORDER BY d.id");
  if (!statement) return fail(statement.error());
  statement->bindAll(caseId);
  std::vector<DecisionRow> decisions;
  auto ok = forEachRow(*statement, [&](const Statement& row) -> Result<bool> {
    const auto state = reviewStateFromCode(row.text(5));
    if (!state) return brokenStore("a decision");
    DecisionRow decision{std::string(row.text(0)), row.instant(1), std::string(row.text(2)), std::string(row.text(3)),
                         std::string(row.text(4)), *state, row.integer(6), std::string(row.text(7)), false, false,
                         std::string(row.text(9))};
    decision.setsState = (row.integer(8) & kSetsState) != 0;
    decision.setsAssignee = (row.integer(8) & kSetsAssignee) != 0;
    decision.bulk = row.maybeInteger(10).value_or(0);
    decision.undoes = row.maybeInteger(11).value_or(0);
    decision.undoneBy = row.maybeInteger(12).value_or(0);
    decisions.push_back(std::move(decision));
    return true;
  });
  if (!ok) return fail(ok.error());
  return decisions;
}

Result<> Store::backup(const std::string& path) const {
  const auto exists = plainFileExists(path);
  if (!exists) return fail(exists.error());
  if (*exists) return fail(ErrorCode::WriteFailed, path + ": is there already; a backup overwrites nothing");
  const std::string partial = path + ".part";
  unlink(partial.c_str());
  if (auto ok = m_impl->database.copyTo(partial); !ok) {
    unlink(partial.c_str());
    return ok;
  }
  if (rename(partial.c_str(), path.c_str()) == 0) return {};
  return fail(ErrorCode::WriteFailed, fmt::format("{}: {}", path, std::generic_category().message(errno)));
}

}  // namespace counterfoil
