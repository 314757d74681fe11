// SPDX-License-Identifier: GPL-3.0-or-later
// The store of the nightly run: one SQLite file that keeps every run, every record, the cases people work
// with and the history of all keys. A run computes without a write lock, writes its bulk where nobody sees
// it, and becomes visible in one short transaction; killed at any moment, the night before is whole.
//
// A Store belongs to one thread at a time; several Stores (and programs) may read one file, one may write.
// Errors: StoreTooNew, StoreBroken, Locked, WriteFailed (disk full, no permission), Missing, Cancelled.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/executor.h"
#include "core/base/hash.h"
#include "core/base/result.h"
#include "core/judge/unit.h"
#include "core/run/run.h"
#include "core/store/review_state.h"

namespace counterfoil {

/// Runs are numbered from 1 in the order of their commits.
using RunNumber = std::uint32_t;

/// What makes two runs the same night.
struct NightIdentity {
  Instant asOf{};
  std::string configDigest;
  std::string inputsDigest;   ///< over source names, paths and contents of all files
  bool operator==(const NightIdentity&) const = default;
};

/// How a file was known when it was read; equal receipts are taken for the same content.
struct FileReceipt {
  std::string path;
  std::uint64_t bytes = 0;
  std::int64_t mtimeNanos = 0;
  std::uint64_t inode = 0;
  std::uint64_t device = 0;
  std::string digest;         ///< "sha256:…"
};

/// What the caller knows of a night beside the engine's result.
struct NightFacts {
  NightIdentity identity;
  std::string config;         ///< its text, as it was read (it holds no secrets)
  std::string program;        ///< version
  bool backfill = false;      ///< an as-of before the last run was allowed
  bool baseline = false;      ///< what is found counts as known already
  const Policy* policy = nullptr; ///< tonight's rules; lives until the commit
  Instant started{}, finished{};  ///< execution times; they stand in no output
  std::vector<FileReceipt> receipts;
  Coverage coverage;
  std::vector<QueueDepth> depths;
};

struct StoredRun {
  RunNumber number = 0;
  NightIdentity identity;
  std::string config, program;
  bool backfill = false, baseline = false;
  std::uint64_t records = 0;
  std::map<Severity, std::uint64_t> newBreaks;  ///< breaks that are new or worse than before
  std::uint64_t newOverdue = 0;                 ///< open units that were not overdue before
  /// As the engine gave it.
  RunResult result;
};

/// The text of a record as written, kept for units that are not plain.
struct RawText {
  Place place;
  std::uint64_t line = 0;
  std::string path;
  std::string text;
  bool operator==(const RawText&) const = default;
};

struct StoredUnit {
  RunNumber run = 0;          ///< that judged it so first; later ones may have said the same again
  Instant asOf{};             ///< of the run that judged it last, or of the one that was asked for
  Unit unit;
  RunNumber untilRun = 0;     ///< the last run that said so
  bool isNew = false;         ///< new or worse in the run it is listed for
  bool plain = false;
  RunNumber firstRun = 0, lastRun = 0;
  Class judged{};                         ///< by the rules alone; another than the unit's where a person decided
  std::int64_t ignoredBy = 0;             ///< the rule that hides it; then the state is Dismissed
  ReviewState state = ReviewState::Open;
  std::string assignee;
  RunNumber clearedRun = 0;               ///< that found the case to be in order; 0: none
  std::optional<Duration> clearedLate;    ///< how long after it was due that run saw what was missing
  std::string recordsDigest;  ///< of the case: changes with the evidence it rests on
  std::vector<RawText> raw;   ///< only where asked for
};

enum class SortBy : std::uint8_t {
  Default, Key, Class, Severity, Age, FirstRun, LastRun, State, Operation, Scope,
  Exposure   ///< by currency, then amount: sums of two currencies have no order
};
[[nodiscard]] std::optional<SortBy> sortFromCode(std::string_view code);  ///< "key", "-age" is handled by the caller

/// Empty members let everything pass.
struct ListFilter {
  std::set<Class> classes;
  std::set<ReviewState> states;
  std::set<Severity> severities;
  std::set<std::string> codes;         ///< findings: their codes; skips, dead letters: verdicts
  std::string key;                     ///< as written or in its normal form
  std::string text;                    ///< cases: somewhere in keys, order, scope, operation, assignee or reason; or
                                       ///< the case id. ASCII letters of either case are equal
  std::string operation;
  std::string queue;
  std::optional<Instant> since;        ///< first seen (skips: time; dead letters: died) at or after
  std::optional<RunNumber> run;        ///< units of one run instead of what stands
  Detail detail = Detail::BreaksAndOpen;
  SortBy sort = SortBy::Default;
  bool descending = false;
  std::uint64_t limit = 0;             ///< 0: all
  bool withRaw = false;
};

struct SkipRow {
  RunNumber run = 0;
  CaseId caseId;
  std::string key, operation, worker;
  Instant time{};
  SkipVerdict verdict{};
  std::string reason;
  std::optional<Money> saved;
};

struct DeadLetterRow {
  RunNumber run = 0;
  CaseId caseId;
  std::string queue, messageId, key, operation, error;
  std::optional<std::int64_t> receiveCount;
  std::optional<Instant> enqueuedAt, diedAt, deadline;
  RedriveVerdict verdict{};
  std::string reason;
};

struct DecisionRow {
  CaseId caseId;
  Instant at{};
  std::string who, assignee, note;
  ReviewState state = ReviewState::Open;   ///< of the case behind it
  std::int64_t number = 0;
  std::string action;                      ///< "review", "undo"
  bool setsState = false, setsAssignee = false;
  std::string reason;
  std::int64_t bulk = 0, undoes = 0, undoneBy = 0;   ///< 0: none
};

/// A row of a list, for as long as its run is kept.
using RowId = std::int64_t;

struct FoundRecord {
  RunNumber run = 0;
  AnyRecord record;
};

/// Which rows of a block a run read, and as what: a file that several runs read is stored once.
struct BlockUse {
  std::map<FileId, std::pair<SourceId, FileId>> files;   ///< empty: every row, as it stands
  /// Whether a record read from `file` is the run's.
  [[nodiscard]] bool takes(FileId file) const { return files.empty() || files.contains(file); }
  /// Makes a record of the block one of the run. Only what takes() takes.
  void adopt(AnyRecord& record) const;
};

/// The record blocks of a run, own and borrowed, to be opened one at a time.
struct RunBlocks {
  struct Ref {
    std::int64_t segment = 0, block = 0;
    std::size_t use = 0;          ///< index into uses
  };
  std::vector<Ref> blocks;
  std::vector<BlockUse> uses;
};

/// Earlier runs that had records under a key.
struct KeySeen {
  std::size_t index = 0;      ///< into the keys asked for
  RunNumber run = 0;
  bool locally = false;
  bool atProvider = false;
};

struct StoreOptions {
  std::chrono::milliseconds wait{0};         ///< for another run's lock
  const CancelToken* cancel = nullptr;
  std::optional<std::uint64_t> secret;       ///< of the keyed hash in a store that is made (tests)
};

class NightWriter;
class CarriedRecords;
struct CarryRules;

class Store {
 public:
  /// For `run`: takes the lock, makes the file where there is none, brings it to this version, takes away
  /// what a killed run left. ":memory:" is a store that ends with the object.
  static Result<Store> openForRun(const std::string& path, const StoreOptions& options = {});
  /// For lists. Missing if there is none. A store that cannot be written is opened all the same.
  static Result<Store> openForReading(const std::string& path);
  /// For decisions of people: as openForReading, but it can be written. Takes no lock: a decision and a run that
  /// computes do not wait for each other. WriteFailed where the file cannot be written.
  static Result<Store> openForReview(const std::string& path);
  ~Store();
  Store(Store&&) noexcept;
  Store& operator=(Store&&) noexcept;

  /// A word for people about how it was opened ("read-only medium"); blank normally.
  [[nodiscard]] const std::string& note() const;
  /// Moves the WAL into the file and closes; errors that a destructor would swallow come back.
  Result<> close();

  // --- runs
  [[nodiscard]] Result<std::optional<RunNumber>> findNight(const NightIdentity& night) const;
  [[nodiscard]] Result<std::optional<RunNumber>> lastRun() const;
  /// The latest as-of of all runs.
  [[nodiscard]] Result<std::optional<Instant>> latestAsOf() const;
  [[nodiscard]] Result<StoredRun> run(RunNumber number) const;
  /// By SourceId.
  [[nodiscard]] Result<std::vector<std::string>> sourceNamesOf(RunNumber number) const;
  /// In order of number; those whose as-of is before `since` are left out.
  Result<> forEachRun(const ListFilter& filter, const std::function<bool(const StoredRun&)>& fn) const;
  /// The digest of a file that was read before under equal path, size, time and inode.
  [[nodiscard]] Result<std::optional<std::string>> knownDigest(const FileReceipt& receipt) const;
  [[nodiscard]] Result<Coverage> coverageOf(RunNumber number) const;
  [[nodiscard]] Result<std::vector<QueueDepth>> depthsOf(RunNumber number) const;

  // --- a night; only after openForRun. The Store must outlive the writer.
  [[nodiscard]] NightWriter beginNight(unsigned workers, std::uint64_t memoryBytes);

  // --- lists; fn returns false to stop
  Result<> forEachUnit(const ListFilter& filter, const std::function<bool(const StoredUnit&)>& fn) const;
  /// The unit of a case (or of one it took in) as one run judged it, where the run lists it.
  [[nodiscard]] Result<std::optional<StoredUnit>> unitOf(RunNumber run, const CaseId& caseId, bool withRaw) const;
  Result<> forEachFinding(const ListFilter& filter, const std::function<bool(RunNumber, const Finding&)>& fn) const;
  Result<> forEachSkip(const ListFilter& filter, const std::function<bool(const SkipRow&)>& fn) const;
  Result<> forEachDeadLetter(const ListFilter& filter, const std::function<bool(const DeadLetterRow&)>& fn) const;

  /// The worst severity of each class among the listed units of a run.
  [[nodiscard]] Result<std::map<Class, Severity>> worstOf(RunNumber number) const;
  /// Breaks that stand undecided although this run did not see them: they are of other nights.
  [[nodiscard]] Result<std::uint64_t> breaksNotSeenBy(RunNumber number) const;

  // --- pages, for lists of which only a part is looked at: first the rows in the list's order, then some
  // of them. A page costs the same wherever it lies in the list.
  [[nodiscard]] Result<std::vector<RowId>> unitRows(const ListFilter& filter) const;
  [[nodiscard]] Result<std::vector<RowId>> skipRows(const ListFilter& filter) const;
  [[nodiscard]] Result<std::vector<RowId>> deadLetterRows(const ListFilter& filter) const;
  /// fn gets the index within `rows`. Rows that are no longer there are left out.
  Result<> unitsAt(std::span<const RowId> rows, const std::function<void(std::size_t, StoredUnit&&)>& fn) const;
  Result<> skipsAt(std::span<const RowId> rows, const std::function<void(std::size_t, SkipRow&&)>& fn) const;
  Result<> deadLettersAt(std::span<const RowId> rows,
                         const std::function<void(std::size_t, DeadLetterRow&&)>& fn) const;
  /// Stops what another thread's call is doing, which then ends with Cancelled. The one function that any
  /// thread may call while the store is open.
  void interrupt() const;

  // --- one key or id
  /// The unit of this case as this run judged it.
  [[nodiscard]] Result<std::optional<StoredUnit>> unitOf(const CaseId& caseId, RunNumber number) const;
  /// Every record of every run that carries `text` as key (in its normal form), effect id, parent id, job
  /// id, message id, op_ref or other id. In order of run, then place.
  [[nodiscard]] Result<std::vector<FoundRecord>> findRecords(const std::string& text) const;
  /// Units that stand under this case id (or one it took in), key, or id of one of their records; newest of each case.
  [[nodiscard]] Result<std::vector<StoredUnit>> findUnits(const std::string& text) const;
  /// The same for a caller that has the records of `text`.
  [[nodiscard]] Result<std::vector<StoredUnit>> findUnits(const std::string& text,
                                                          const std::vector<FoundRecord>& records) const;
  /// Also those about cases that it took in.
  [[nodiscard]] Result<std::vector<DecisionRow>> decisionsOf(const CaseId& caseId) const;
  /// All records of a run; order carries no meaning.
  Result<> forEachRecord(RunNumber number, const std::function<bool(AnyRecord&&)>& fn) const;
  /// The same by blocks, for a caller that reads single records later.
  [[nodiscard]] Result<RunBlocks> blocksOf(RunNumber number) const;
  /// The bytes of RecordBlock::open(); like all of Store for one thread at a time.
  [[nodiscard]] Result<std::string> blockBytes(const RunBlocks::Ref& block) const;
  /// Its hash of keys puts blocks in order.
  [[nodiscard]] const KeyedHash& keyHash() const;
  /// Which earlier runs had which of these keys (normal forms). Chance equalities of hashes are possible
  /// (below one in a million): look at the records before relying on it.
  [[nodiscard]] Result<std::vector<KeySeen>> earlierRunsOf(std::span<const std::string> keys) const;

  /// The run that read a file of a run first, and its number there: it may be an earlier night's.
  [[nodiscard]] Result<std::pair<RunNumber, FileId>> originOf(RunNumber number, FileId file) const;
  /// What a run was judged with beside its own records (core/store/carried.h). Null: nothing.
  [[nodiscard]] Result<std::unique_ptr<CarriedRecords>> carriedOf(RunNumber number, CarryRules rules) const;

  // --- the file
  /// Canonical text of the content: independent of row numbers, hashes and execution times. Calls
  /// write() with whole lines.
  Result<> dump(const std::function<Result<>(std::string_view)>& write) const;
  /// An online copy in one file. The target must not exist.
  Result<> backup(const std::string& path) const;
  /// Sentences about what is damaged; empty when the store is whole.
  [[nodiscard]] Result<std::vector<std::string>> checkIntegrity() const;

  struct Impl;
  /// For the store's own parts (store_impl.h).
  [[nodiscard]] const Impl& impl() const { return *m_impl; }
 private:
  friend class NightWriter;
  explicit Store(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> m_impl;
};

/// Collects a night and commits it. Dropped without commit(), it leaves nothing.
class NightWriter {
 public:
  ~NightWriter();
  NightWriter(NightWriter&&) noexcept;
  /// The number the run will have.
  [[nodiscard]] RunNumber number() const;

  /// Thread-safe for different workers in [0, workers). Queue depths go into NightFacts.
  Result<> addRecord(const AnyRecord& record, unsigned worker);
  /// The same in two steps, for a record that may still be given up. encode() appends, from any thread;
  /// addEncoded() takes one record off the front, and is as addRecord().
  void encode(const AnyRecord& record, std::string& out) const;
  Result<> addEncoded(std::string_view& bytes, unsigned worker);

  /// Before the first record: earlier nights are searched for what tonight's records are linked to.
  Result<> carryFrom(CarryRules rules);
  /// Once, after the last record and before the engine groups: writes the records where nobody sees them, and finds what
  /// is carried forward (null: nothing; else it lives as long as the writer). `reports`: of tonight's files.
  Result<const CarriedRecords*> stage(const NightFacts& facts, const std::vector<FileReport>& reports, Executor& executor);

  /// Text as written of the records of a unit that is not plain.
  using RawOf = std::function<Result<std::vector<RawText>>(const Unit&)>;
  /// Once. After it the night is durable.
  Result<StoredRun> commit(const NightFacts& facts, const RunResult& result, const UnitList& units,
                           const RawOf& rawOf, Executor& executor);

 private:
  friend class Store;
  struct Impl;
  explicit NightWriter(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> m_impl;
};

/// Closed without a flag, a tolerance, a reversal or a decision: only counted, listed with `--all` alone.
[[nodiscard]] bool isPlain(const Unit& unit);

}  // namespace counterfoil
