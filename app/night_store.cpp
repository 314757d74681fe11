// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/night_store.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>

#include "app/all_units.h"
#include "app/carried_input.h"
#include "app/machine.h"
#include "app/open_input.h"
#include "app/output_file.h"
#include "app/raw_texts.h"
#include "app/recording_input.h"
#include "app/spill_files.h"
#include "core/base/hash.h"
#include "core/run/scan.h"
#include "importers/input/path_expansion.h"

namespace counterfoil {

namespace {

constexpr std::size_t kConfigBytesMost = 16u << 20;
/// Records beyond it wait in a file without a name; more memory gains little.
constexpr std::uint64_t kRecordBytesMost = 64ull << 20;
constexpr std::uint64_t kRecordBytesLeast = 4ull << 20;

std::optional<FileReceipt> receiptOf(const std::string& path) {
  struct stat facts{};
  if (stat(path.c_str(), &facts) != 0 || !S_ISREG(facts.st_mode)) return {};
  FileReceipt receipt;
  receipt.path = path;
  receipt.bytes = static_cast<std::uint64_t>(facts.st_size);
  receipt.mtimeNanos = static_cast<std::int64_t>(facts.st_mtim.tv_sec) * 1'000'000'000 + facts.st_mtim.tv_nsec;
  receipt.inode = facts.st_ino;
  receipt.device = facts.st_dev;
  return receipt;
}

/// One line a file: equal lines in equal order are equal inputs.
void addInput(std::string& text, std::string_view source, std::string_view path, std::string_view digest) {
  text += fmt::format("{}\n{}\n{}\n\n", source, path, digest);
}

/// A member of an archive is known by the archive and its own name.
std::optional<FileReceipt> receiptOf(const ExpandedPath& expanded) {
  if (expanded.problem) return {};
  auto receipt = receiptOf(expanded.place().onDisk());
  if (receipt) receipt->path = expanded.shown;
  return receipt;
}

Result<std::vector<FileReceipt>> receiptsOf(const Config& config) {
  std::vector<FileReceipt> receipts;
  for (const SourceSpec& source : config.sources) {
    const auto paths = expandPath(source.path, "", source.zone);
    if (!paths) continue;  // the engine says what is missing
    for (const ExpandedPath& expanded : *paths) {
      auto receipt = receiptOf(expanded);
      if (!receipt) continue;
      receipts.push_back(std::move(*receipt));
    }
  }
  return receipts;
}

/// The digest of the inputs, if every file is known from an earlier run under the same receipt.
Result<std::optional<std::string>> digestWithoutReading(const Config& config, const Store& store) {
  std::string text;
  for (const SourceSpec& source : config.sources) {
    const auto paths = expandPath(source.path, "", source.zone);
    if (!paths) return std::optional<std::string>();
    for (const ExpandedPath& expanded : *paths) {
      const auto receipt = receiptOf(expanded);
      if (!receipt) return std::optional<std::string>();
      const auto digest = store.knownDigest(*receipt);
      if (!digest) return fail(digest.error());
      if (!*digest) return std::optional<std::string>();
      addInput(text, source.name, expanded.shown, **digest);
    }
  }
  return std::optional("sha256:" + sha256Hex(text));
}

std::string digestOfReports(const Config& config, const std::vector<FileReport>& reports,
                            const std::vector<InputProblem>& problems) {
  std::string text;
  for (const FileReport& report : reports) {
    addInput(text, config.sources[report.source.value].name, report.path,
             report.complete ? report.digest : report.digest + " " + report.problem);
  }
  for (const InputProblem& problem : problems) {
    addInput(text, config.sources[problem.source.value].name, "", problem.error.message);
  }
  return "sha256:" + sha256Hex(text);
}

Result<std::string> configText(const Config& config) {
  if (config.path.empty()) return config.name;
  return readSmallFile(config.path, kConfigBytesMost);
}

/// How a bound of memory is shared between the engine and the records that wait for their blocks.
struct MemoryShares {
  std::uint64_t engine = 0, records = 0;
};
MemoryShares sharesOf(std::uint64_t memoryBytes) {
  const std::uint64_t records = std::clamp(memoryBytes / 4, kRecordBytesLeast, kRecordBytesMost);
  return {memoryBytes - std::min(memoryBytes / 2, records), records};
}

class NightIntoStore {
 public:
  NightIntoStore(const Config& config, const NightStoreOptions& options, Store& store)
      : m_config(config), m_options(options), m_store(store), m_executor(options.night.threads) {}

  Result<StoredNight> run() {
    const auto text = configText(m_config);
    if (!text) return fail(text.error());
    m_facts.config = *text;
    m_facts.identity.configDigest = "sha256:" + sha256Hex(*text);
    m_facts.identity.asOf = m_config.run.asOf;
    m_facts.program = m_options.program;
    m_facts.baseline = m_options.baseline;
    m_facts.policy = &m_config.policy;
    m_facts.started = wallClockNow();
    if (!m_options.reread) {
      const auto digest = digestWithoutReading(m_config, m_store);
      if (!digest) return fail(digest.error());
      if (*digest) {
        auto known = knownNight(**digest);
        if (!known || *known) return lift(std::move(known));
      }
    }
    return readAndCommit();
  }

 private:
  /// The earlier run of the same night, if there is one.
  Result<std::optional<StoredNight>> knownNight(const std::string& inputsDigest) {
    m_facts.identity.inputsDigest = inputsDigest;
    const auto number = m_store.findNight(m_facts.identity);
    if (!number) return fail(number.error());
    if (!*number) return std::optional<StoredNight>();
    auto run = m_store.run(**number);
    if (!run) return fail(run.error());
    return std::optional(StoredNight{std::move(*run), true, {}});
  }

  static Result<StoredNight> lift(Result<std::optional<StoredNight>>&& known) {
    if (!known) return fail(known.error());
    return std::move(**known);
  }

  /// An as-of before the last run is more often a mistake than meant.
  Result<> checkOrder() {
    const auto latest = m_store.latestAsOf();
    if (!latest) return fail(latest.error());
    m_facts.backfill = *latest && m_config.run.asOf < **latest;
    if (!m_facts.backfill || m_options.backfill) return {};
    return fail(ErrorCode::Config, fmt::format("as of {} lies before the last run ({}); --backfill adds a night in between",
                                               formatInstant(m_config.run.asOf), formatInstant(**latest)));
  }

  Result<StoredNight> readAndCommit() {
    if (auto ok = checkOrder(); !ok) return fail(ok.error());
    auto inner = openInput(m_config, m_options.night.memoryBytes);
    if (!inner) return fail(inner.error());
    auto receipts = receiptsOf(m_config);  // before reading: a file that changes meanwhile is read again next time
    if (!receipts) return fail(receipts.error());
    m_facts.receipts = std::move(*receipts);
    const MemoryShares shares = sharesOf(engineMemoryBytes(m_options.night.memoryBytes));
    NightWriter writer = m_store.beginNight(m_executor.threadCount(), shares.records);
    if (auto ok = writer.carryFrom(carryRulesOf(m_store, m_config.policy, m_config.run.asOf)); !ok) return fail(ok.error());
    RecordingInput input(std::move(*inner), writer, m_config.policy,
                         [&](const auto& reports, const auto& problems, Executor& executor) {
                           return stage(writer, reports, problems, executor);
                         });
    SpillFiles spill(spillFolderOf(m_config));
    RunOptions run = m_config.run;
    run.detail = Detail::Notable;
    run.memoryBytes = shares.engine;
    run.wantDigests = true;
    run.cancel = m_options.night.cancel;
    run.progress = m_options.night.progress;
    auto outcome = runEngine(input, m_config.policy, run, m_executor, spill);
    if (m_known) return std::move(*m_known);
    if (!outcome) return fail(outcome.error());
    m_facts.coverage = coverageOf(input.reports(), run);
    withdrawSilent(m_facts.coverage, input.reports(), input.problems(), m_config.policy, run.mayBeEmpty);
    m_facts.depths = input.depths();
    RawTexts raw(input, spill);
    if (auto ok = raw.read(*outcome->units, m_executor, run.cancel); !ok) return fail(ok.error());
    return commit(*outcome, raw, writer);
  }

  /// Everything was read: tells a night that is known already, else writes what was read and finds what belongs to it.
  Result<const CarriedRecords*> stage(NightWriter& writer, const std::vector<FileReport>& reports,
                                      const std::vector<InputProblem>& problems, Executor& executor) {
    auto known = knownNight(digestOfReports(m_config, reports, problems));
    if (!known) return fail(known.error());
    if (*known) {
      m_known = std::move(*known);
      return fail(ErrorCode::Cancelled, "the night is known");
    }
    return writer.stage(m_facts, reports, executor);
  }

  Result<StoredNight> commit(const RunOutcome& outcome, const RawTexts& raw, NightWriter& writer) {
    m_facts.finished = wallClockNow();
    auto run = writer.commit(m_facts, outcome.result, *outcome.units, [&](const Unit& unit) { return raw.of(unit); },
                             m_executor);
    if (!run) return fail(run.error());
    return StoredNight{std::move(*run), false, {}};
  }

  const Config& m_config;
  const NightStoreOptions& m_options;
  Store& m_store;
  Executor m_executor;
  NightFacts m_facts;
  std::optional<StoredNight> m_known;   ///< the night was there already
};

class StoredUnitList final : public UnitList {
 public:
  StoredUnitList(const Store& store, RunNumber run, Detail detail) : m_store(store) {
    m_filter.run = run;
    m_filter.detail = detail;
    if (detail == Detail::All) {
      const auto stored = store.run(run);
      m_size = stored ? stored->result.units : 0;  // the walk that prints says the error
      return;
    }
    const auto counted = forEach([this](const Unit&) {
      ++m_size;
      return true;
    });
    if (!counted) m_size = 0;
  }
  [[nodiscard]] std::uint64_t size() const override { return m_size; }
  Result<> forEach(const std::function<bool(const Unit&)>& fn) const override {
    return forEachUnitOf(m_store, m_filter, [&](const StoredUnit& stored) { return fn(stored.unit); });
  }

 private:
  const Store& m_store;
  ListFilter m_filter;
  std::uint64_t m_size = 0;
};

}  // namespace

Result<StoredNight> runIntoStore(const Config& config, const NightStoreOptions& options) {
  StoreOptions opening;
  opening.wait = options.wait;
  opening.cancel = options.night.cancel;
  auto store = Store::openForRun(config.storePath, opening);
  if (!store) return fail(store.error());
  auto night = NightIntoStore(config, options, *store).run();
  if (config.storePath == ":memory:") {
    if (night) night->store = std::move(*store);
    return night;
  }
  const auto closed = store->close();  // lets the lock go before anything is printed
  if (!night) return night;
  if (!closed) return fail(closed.error());
  auto reading = Store::openForReading(config.storePath);
  if (!reading) return fail(reading.error());
  night->store = std::move(*reading);
  return night;
}

std::unique_ptr<UnitList> storedUnits(const Store& store, RunNumber run, Detail detail) {
  return std::make_unique<StoredUnitList>(store, run, detail);
}

int exitCodeOf(const StoredRun& run, Severity failOn, bool neverFail, bool onlyNew) {
  if (!onlyNew && !run.baseline) return exitCodeOf(run.result, failOn, neverFail);
  RunResult counted = run.result;
  counted.breaksBySeverity = run.newBreaks;
  counted.overdue = run.newOverdue;
  return exitCodeOf(counted, failOn, neverFail);
}

}  // namespace counterfoil
