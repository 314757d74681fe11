// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/night_store.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <map>

#include "app/machine.h"
#include "app/open_input.h"
#include "app/output_file.h"
#include "app/recording_input.h"
#include "app/spill_files.h"
#include "core/base/hash.h"
#include "core/run/scan.h"
#include "importers/input/path_expansion.h"

namespace counterfoil {

namespace {

constexpr std::size_t kConfigBytesMost = 16u << 20;
/// Texts as written that are kept of one unit; more are read back from the files.
constexpr std::size_t kRawTextsOfUnit = 50;

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

Result<std::vector<FileReceipt>> receiptsOf(const Config& config) {
  std::vector<FileReceipt> receipts;
  for (const SourceSpec& source : config.sources) {
    const auto paths = expandPath(source.path, "", source.zone);
    if (!paths) continue;  // the engine says what is missing
    for (const ExpandedPath& expanded : *paths) {
      auto receipt = receiptOf(expanded.path);
      if (!receipt) continue;
      receipt->path = expanded.shown;
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
      auto receipt = receiptOf(expanded.path);
      if (!receipt) return std::optional<std::string>();
      receipt->path = expanded.shown;
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

template <class Fn>
void forEachPlace(const Records& records, Fn&& fn) {
  const auto each = [&](const auto& list) {
    for (const auto& record : list) fn(record.place);
  };
  each(records.attempts);
  each(records.effects);
  each(records.skips);
  each(records.claims);
  each(records.intents);
  each(records.outbox);
  each(records.processedEvents);
  each(records.deadLetters);
}

RecordRef refOf(const Place& place) {
  return {place.file, place.part, place.offset};
}

/// Texts as written of the records of listed units, from the files that were just read.
class RawTexts {
 public:
  RawTexts(const RecordingInput& input, unsigned workers) : m_input(input), m_found(workers) {
    for (const FileReport& report : input.reports()) m_paths[report.file] = report.path;
  }

  /// Before the records are read: whose references are wanted.
  Result<> want(const UnitList& units) {
    auto walked = units.forEach([&](const Unit& unit) {
      if (!isPlain(unit)) forEachPlace(unit.records, [&](const Place& place) { m_wanted.push_back(place); });
      return true;
    });
    std::sort(m_wanted.begin(), m_wanted.end());
    return walked;
  }
  /// While they are read, from any worker: remembers a reference that does not follow from the place.
  void note(const AnyRecord& record, const RecordRef& ref, unsigned worker) {
    const Place& place = headOf(record)->place;
    if (refOf(place) == ref || !std::binary_search(m_wanted.begin(), m_wanted.end(), place)) return;
    m_found[worker].emplace_back(place, ref);
  }
  /// After they were read.
  void settle() {
    for (auto& found : m_found) m_refs.insert(found.begin(), found.end());
    m_wanted = {};
    m_found.clear();
  }

  [[nodiscard]] std::vector<RawText> of(const Unit& unit) const {
    std::vector<RawText> out;
    forEachPlace(unit.records, [&](const Place& place) {
      if (out.size() >= kRawTextsOfUnit) return;
      const auto own = m_refs.find(place);
      const RecordRef ref = own == m_refs.end() ? refOf(place) : own->second;
      const auto path = m_paths.find(place.file);
      out.push_back({place, m_input.lineOf(ref), path == m_paths.end() ? std::string() : path->second,
                     m_input.rawText(ref)});
    });
    return out;
  }

 private:
  const RecordingInput& m_input;
  std::map<FileId, std::string> m_paths;
  std::vector<Place> m_wanted;
  std::vector<std::vector<std::pair<Place, RecordRef>>> m_found;   ///< by worker
  std::map<Place, RecordRef> m_refs;
};

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
    auto inner = openInput(m_config);
    if (!inner) return fail(inner.error());
    auto receipts = receiptsOf(m_config);  // before reading: a file that changes meanwhile is read again next time
    if (!receipts) return fail(receipts.error());
    m_facts.receipts = std::move(*receipts);
    RecordingInput input(std::move(*inner));
    SpillFiles spill(spillFolderOf(m_config));
    RunOptions run = m_config.run;
    run.detail = Detail::Notable;
    run.memoryBytes = m_options.night.memoryBytes;
    run.wantDigests = true;
    run.cancel = m_options.night.cancel;
    run.progress = m_options.night.progress;
    auto outcome = runEngine(input, m_config.policy, run, m_executor, spill);
    if (!outcome) return fail(outcome.error());
    auto known = knownNight(digestOfReports(m_config, input.reports(), input.problems()));
    if (!known || *known) return lift(std::move(known));
    m_facts.coverage = coverageOf(input.reports(), run);
    withdrawUnread(m_facts.coverage, input.reports(), input.problems());
    m_facts.depths = input.depths();
    return commit(input, *outcome);
  }

  Result<StoredNight> commit(const RecordingInput& input, const RunOutcome& outcome) {
    NightWriter writer = m_store.beginNight(m_executor.threadCount(), m_options.night.memoryBytes / 2);
    RawTexts raw(input, m_executor.threadCount());
    if (auto ok = raw.want(*outcome.units); !ok) return fail(ok.error());
    auto kept = input.forEachRecord(m_executor, m_options.night.cancel,
                                    [&](AnyRecord&& record, const RecordRef& ref, unsigned worker) {
                                      raw.note(record, ref, worker);
                                      return writer.addRecord(record, worker);
                                    });
    if (!kept) return fail(kept.error());
    raw.settle();
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
};

class StoredUnitList final : public UnitList {
 public:
  StoredUnitList(const Store& store, RunNumber run, Detail detail) : m_store(store) {
    m_filter.run = run;
    m_filter.detail = detail;
    const auto counted = forEach([this](const Unit&) {
      ++m_size;
      return true;
    });
    if (!counted) m_size = 0;  // the walk that prints says the error
  }
  [[nodiscard]] std::uint64_t size() const override { return m_size; }
  Result<> forEach(const std::function<bool(const Unit&)>& fn) const override {
    return m_store.forEachUnit(m_filter, [&](const StoredUnit& stored) { return fn(stored.unit); });
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
  counted.overdue = 0;
  return exitCodeOf(counted, failOn, neverFail);
}

}  // namespace counterfoil
