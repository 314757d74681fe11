// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/bad_night.h"

#include <array>
#include <compare>
#include <set>

#include "core/run/row_groups.h"
#include "core/run/slim_sums.h"
#include "core/run/slim_verdict.h"
#include "core/run/smallest.h"
#include "core/run/suggestions.h"
#include "core/run/unit_codec.h"

namespace counterfoil {

namespace {

/// Keys of each side that columns are tried with.
constexpr std::size_t kSampledKeys = 10'000;

/// An order of rows that follows neither the run's secret nor the order of files and lines.
struct RowOrder {
  std::int64_t time = 0;
  std::int64_t start = 0;
  std::int64_t amount = 0;
  auto operator<=>(const RowOrder&) const = default;
};

RowOrder orderOf(const LedgerRow& row) { return {row.time, row.start, row.amount}; }

/// A row that may be among the first ones.
struct Candidate {
  RowOrder order;
  LedgerRow row;
  bool operator<(const Candidate& other) const { return order < other.order; }
};

/// The first rows of many. Which of several equally early ones it holds at its end follows chance: those
/// count only when all of them are there.
class FirstRows {
 public:
  explicit FirstRows(std::size_t count) : m_rows(count) {}

  void add(const LedgerRow& row) { add(Candidate{orderOf(row), row}); }
  void merge(FirstRows&& other) {
    for (Candidate& candidate : other.m_rows.values()) add(std::move(candidate));
    if (other.m_firstLeftOut) noteLeftOut(*other.m_firstLeftOut);
  }
  /// The order that rows inside and outside share; nothing if there is none.
  [[nodiscard]] std::optional<RowOrder> tie() const {
    if (!m_firstLeftOut || m_rows.isEmpty() || m_rows.largest().order < *m_firstLeftOut) return {};
    return m_firstLeftOut;
  }
  /// All rows that are there for sure.
  [[nodiscard]] std::vector<LedgerRow> sure() {
    const auto shared = tie();
    std::vector<LedgerRow> rows;
    for (const Candidate& candidate : m_rows.values()) {
      if (!shared || candidate.order < *shared) rows.push_back(candidate.row);
    }
    return rows;
  }

 private:
  void add(Candidate candidate) {
    if (const auto out = m_rows.add(std::move(candidate))) noteLeftOut(out->order);
  }
  void noteLeftOut(const RowOrder& order) {
    if (!m_firstLeftOut || order < *m_firstLeftOut) m_firstLeftOut = order;
  }
  Smallest<Candidate> m_rows;
  std::optional<RowOrder> m_firstLeftOut;
};

/// A unit of a bounded list.
struct ListedUnit {
  RowOrder order;        ///< of its row, where the list goes by rows first
  std::string sortKey;
  Unit unit;
  bool operator<(const ListedUnit& other) const {
    if (order != other.order) return order < other.order;
    return sortKey < other.sortKey;
  }
};
using ListsByClass = std::vector<Smallest<ListedUnit>>;

/// Counts of units that were decided from their rows.
struct SlimCounts {
  struct Slot {
    std::uint64_t units = 0;
    std::uint64_t overdue = 0;
    std::uint64_t provisional = 0;
  };
  std::map<std::pair<Class, Severity>, Slot> units;
  std::map<std::pair<Class, Currency>, __int128> exposure;
  /// By shape, class and operation: the sum and which side of the proof it belongs to.
  struct Line {
    std::uint32_t shape = 0;
    Class unitClass = Class::Matched;
    std::int16_t operation = 0;
    bool isLocal = false;
    auto operator<=>(const Line&) const = default;
  };
  std::map<Line, __int128> proof;

  void add(const SlimVerdict& verdict, const LedgerRow& row, const Shape& shape) {
    Slot& slot = units[{verdict.unitClass, verdict.severity}];
    ++slot.units;
    slot.overdue += verdict.isOverdue ? 1 : 0;
    slot.provisional += verdict.isProvisional ? 1 : 0;
    if (verdict.hasExposure) exposure[{verdict.unitClass, Currency::fromPacked(shape.currency)}] += row.amount;
    if (verdict.countsLocally || verdict.countsAtProvider) {
      proof[{row.shape, verdict.unitClass, verdict.operation.value, verdict.countsLocally}] += row.amount;
    }
  }
  void merge(const SlimCounts& other) {
    for (const auto& [key, slot] : other.units) {
      Slot& own = units[key];
      own.units += slot.units;
      own.overdue += slot.overdue;
      own.provisional += slot.provisional;
    }
    for (const auto& [key, sum] : other.exposure) exposure[key] += sum;
    for (const auto& [key, sum] : other.proof) proof[key] += sum;
  }
};

bool isListedAtAll(Class unitClass, bool isProvisional, Detail detail) {
  Unit unit;
  unit.unitClass = unitClass;
  if (isProvisional) unit.raise(Flag::Provisional);
  return isListed(unit, detail);
}

class BadNightJudge {
 public:
  BadNightJudge(NightState& night, PartitionedBytes& left, const UnitSinks& sinks, const KeyMeeting& keys)
      : m_night(night),
        m_left(left),
        m_sinks(sinks),
        m_policy(night.policy),
        m_context{m_policy, night.coverage, night.options.asOf, night.options.earlier, &night.knowledge},
        m_rowsAimed(GroupBatch::rowsAimed(night.options.memoryBytes, night.executor.threadCount())) {
    m_result.keys = keys;
    // Probable duplicates are sought among all units or not at all.
    for (Operation& operation : m_policy.operations) operation.probableDuplicateWithin.reset();
    for (unsigned i = 0; i < night.executor.threadCount(); ++i) m_workers.emplace_back(night);
  }

  Result<BadNight> run() {
    if (auto done = countAll(); !done) return fail(done.error());
    if (auto done = readSelected(); !done) return fail(done.error());
    if (auto done = list(); !done) return fail(done.error());
    if (auto done = findBetterColumn(); !done) return fail(done.error());
    return m_result;
  }

 private:
  static constexpr std::size_t kClasses = kClassCount;
  struct alignas(64) Worker {
    explicit Worker(const NightState& night) : slim(night) {}
    SlimJudge slim;
    GroupBatch batch;
    std::string scratch;
    SlimCounts counts;
    std::vector<FirstRows> first = std::vector<FirstRows>(kClasses, FirstRows(kListedOnBadNight));
    FirstRows localKeys{kSampledKeys};
    FirstRows providerKeys{kSampledKeys};
    std::vector<std::pair<RowOrder, Class>> selected;   ///< of the batch, by group
    ListsByClass ofRows = ListsByClass(kClasses, Smallest<ListedUnit>(kListedOnBadNight));
    ListsByClass ofGroups = ListsByClass(kClasses, Smallest<ListedUnit>(kListedOnBadNight));
    std::uint64_t listable = 0;                         ///< units of groups that the detail asks for
  };

  /// Calls fn(rows, worker) for every group that is left.
  template <class Fn>
  Result<> forEachGroup(std::string_view stage, const Fn& fn) {
    StageErrors errors(m_night.executor.threadCount());
    std::atomic<std::uint64_t> done{0};
    m_night.executor.forEach(m_left.partitionCount(), [&](std::size_t partition, unsigned worker) {
      if (errors.hasFailed()) return;
      if (m_night.isCancelled()) {
        errors.set(worker, Error{ErrorCode::Cancelled, "stopped while judging"});
        return;
      }
      auto read = readGroups(m_left, static_cast<unsigned>(partition), m_workers[worker].scratch, m_night.ledger.codec(),
                             [&](std::span<const LedgerRow> rows) -> Result<> { return fn(rows, worker); });
      if (!read) errors.set(worker, read.error());
      m_night.progress.tell(stage, ++done, m_left.partitionCount());
    });
    return errors.result();
  }

  std::optional<SlimVerdict> slimVerdictOf(std::span<const LedgerRow> rows, unsigned worker) {
    if (rows.size() != 1) return {};
    return m_workers[worker].slim.verdictOf(rows[0], m_night.ledger.shapes()[rows[0].shape]);
  }

  // First pass: everything is counted, and where each bounded list ends is found.
  Result<> countAll() {
    auto done = forEachGroup("judging", [this](std::span<const LedgerRow> rows, unsigned worker) -> Result<> {
      noteKeys(rows, worker);
      Worker& mine = m_workers[worker];
      if (const auto verdict = slimVerdictOf(rows, worker)) {
        mine.counts.add(*verdict, rows[0], m_night.ledger.shapes()[rows[0].shape]);
        if (isWeighed(*verdict, rows[0])) mine.first[static_cast<std::size_t>(verdict->unitClass)].add(rows[0]);
        return {};
      }
      for (const LedgerRow& row : rows) mine.batch.add(row, m_night.ledger.shapes());
      return mine.batch.rowCount() < m_rowsAimed ? Result<>{} : judgeFully(worker);
    });
    if (!done) return done;
    for (unsigned worker = 0; worker < m_workers.size(); ++worker) {
      if (auto rest = judgeFully(worker); !rest) return rest;
    }
    return addCounts();
  }

  bool isListedAtAll(const SlimVerdict& verdict) const {
    return counterfoil::isListedAtAll(verdict.unitClass, verdict.isProvisional, m_sinks.detail);
  }

  /// Listed, or looking for its counterpart among those that are.
  bool isWeighed(const SlimVerdict& verdict, const LedgerRow& row) const {
    const Shape& shape = m_night.ledger.shapes()[row.shape];
    const bool isFailedJob = verdict.unitClass == Class::MatchedFailure && shape.kind == RecordKind::Attempt;
    return isFailedJob || isListedAtAll(verdict);
  }

  void noteKeys(std::span<const LedgerRow> rows, unsigned worker) {
    if (m_night.ledger.shapes()[rows[0].shape].space != 0) return;
    Worker& mine = m_workers[worker];
    for (const LedgerRow& row : rows) {
      const bool isEffect = m_night.ledger.shapes()[row.shape].kind == RecordKind::Effect;
      (isEffect ? mine.providerKeys : mine.localKeys).add(row);
    }
  }

  /// Groups of several records, and what rows do not tell. Counted at once: no class hangs on suggestions.
  Result<> judgeFully(unsigned worker) {
    Worker& mine = m_workers[worker];
    if (mine.batch.rowCount() == 0) return {};
    auto done = judgeBatch(m_night, mine.batch, m_sinks.verdicts[worker], [&](Unit&& unit) -> Result<> {
      m_sinks.verdicts[worker].addUnit(unit);
      const bool isWanted = isListed(unit, m_sinks.detail);
      mine.listable += isWanted ? 1 : 0;
      if (isWanted || isOneSided(unit)) {
        std::string sortKey = sortKeyOf(unit);
        mine.ofGroups[static_cast<std::size_t>(unit.unitClass)].add({{}, std::move(sortKey), std::move(unit)});
      }
      return {};
    });
    mine.batch.clear();
    return done;
  }

  Result<> addCounts() {
    for (Worker& worker : m_workers) m_counts.merge(worker.counts);
    Verdicts& verdicts = m_sinks.verdicts.front();
    for (const auto& [key, slot] : m_counts.units) {
      verdicts.addCounted(key.first, key.second, slot.units, {}, slot.overdue);
      const bool isPlainListed = counterfoil::isListedAtAll(key.first, false, m_sinks.detail);
      const bool isFlaggedListed = counterfoil::isListedAtAll(key.first, true, m_sinks.detail);
      m_listable += isPlainListed ? slot.units : isFlaggedListed ? slot.provisional : 0;
    }
    for (const auto& [key, sum] : m_counts.exposure) {
      verdicts.addCounted(key.first, Severity::None, 0, {{key.second, sum}}, 0);
    }
    ScopeTexts scopes(m_night);
    for (const auto& [line, sum] : m_counts.proof) {
      const Shape& shape = m_night.ledger.shapes()[line.shape];
      const auto scope = scopes.of(shape.scope);
      if (!scope) return fail(scope.error());
      addProof(line, Currency::fromPacked(shape.currency), *scope, sum, verdicts.proof());
    }
    return {};
  }

  /// The proof is linear: one unit with the sum counts as all of them.
  void addProof(const SlimCounts::Line& line, Currency currency, const std::string& scope, __int128 sum, Proof& proof) {
    inParts(sum, [&](std::int64_t minor) {
      Unit unit;
      unit.unitClass = line.unitClass;
      unit.operation = OperationId{line.operation};
      unit.scope = scope;
      if (line.isLocal) {
        unit.local = LocalSummary::Succeeded;
        unit.expectedAmount = Money{minor, currency};
      } else {
        Effect effect;
        effect.account = scope;
        effect.amount = Money{minor, currency};
        unit.records.effects.push_back(std::move(effect));
      }
      proof.addUnit(unit, m_night.policy);
    });
  }

  // The first units of each class are read.
  Result<> readSelected() {
    Worker& all = m_workers.front();
    for (std::size_t i = 1; i < m_workers.size(); ++i) {
      for (std::size_t c = 0; c < kClasses; ++c) all.first[c].merge(std::move(m_workers[i].first[c]));
      all.localKeys.merge(std::move(m_workers[i].localKeys));
      all.providerKeys.merge(std::move(m_workers[i].providerKeys));
    }
    bool anyTie = false;
    for (std::size_t c = 0; c < kClasses; ++c) {
      anyTie = anyTie || all.first[c].tie().has_value();
      for (const LedgerRow& row : all.first[c].sure()) {
        if (auto done = select(row, static_cast<Class>(c), 0); !done) return done;
      }
    }
    if (anyTie) {
      if (auto done = selectTies(); !done) return done;
    }
    for (unsigned worker = 0; worker < m_workers.size(); ++worker) {
      if (auto rest = readBatch(worker); !rest) return rest;
    }
    return {};
  }

  /// Where a list ends among equally early rows, their texts decide: all of them are read.
  Result<> selectTies() {
    std::vector<std::optional<RowOrder>> ties;
    for (const FirstRows& first : m_workers.front().first) ties.push_back(first.tie());
    return forEachGroup("judging", [&](std::span<const LedgerRow> rows, unsigned worker) -> Result<> {
      if (rows.size() != 1 || std::find(ties.begin(), ties.end(), orderOf(rows[0])) == ties.end()) return {};
      const auto verdict = slimVerdictOf(rows, worker);
      if (!verdict || !isWeighed(*verdict, rows[0])) return {};
      if (ties[static_cast<std::size_t>(verdict->unitClass)] != orderOf(rows[0])) return {};
      return select(rows[0], verdict->unitClass, worker);
    });
  }

  Result<> select(const LedgerRow& row, Class unitClass, unsigned worker) {
    Worker& mine = m_workers[worker];
    mine.batch.add(row, m_night.ledger.shapes());
    mine.selected.emplace_back(orderOf(row), unitClass);
    return mine.batch.rowCount() < m_rowsAimed ? Result<>{} : readBatch(worker);
  }

  Result<> readBatch(unsigned worker) {
    Worker& mine = m_workers[worker];
    if (mine.batch.rowCount() == 0) return {};
    if (auto done = mine.batch.fetch(m_night.input); !done) return done;
    for (std::size_t i = 0; i < mine.batch.groupCount(); ++i) {
      auto records = mine.batch.recordsOf(i);
      if (!records) return fail(records.error());
      Judgement judgement = judge(std::move(*records), m_context);
      for (Unit& unit : judgement.units) {
        std::string sortKey = sortKeyOf(unit);
        mine.ofRows[static_cast<std::size_t>(mine.selected[i].second)].add(
            {mine.selected[i].first, std::move(sortKey), std::move(unit)});
      }
    }
    mine.batch.clear();
    mine.selected.clear();
    return {};
  }

  Result<> takeAsWaiting(ListsByClass Worker::*lists) {
    for (std::size_t c = 0; c < kClasses; ++c) {
      auto& merged = (m_workers[0].*lists)[c];
      for (std::size_t i = 1; i < m_workers.size(); ++i) merged.merge(std::move((m_workers[i].*lists)[c]));
      for (const ListedUnit& listed : merged.values()) {
        if (!isListed(listed.unit, m_sinks.detail)) m_onlyWeighed.insert(listed.sortKey);
        if (auto done = m_sinks.waiting.add(listed.unit); !done) return done;
      }
      merged.values().clear();
    }
    return {};
  }

  /// Suggestions among what is listed, and of that the first of each class.
  Result<> list() {
    if (auto done = takeAsWaiting(&Worker::ofRows); !done) return done;
    if (auto done = takeAsWaiting(&Worker::ofGroups); !done) return done;
    for (const Worker& worker : m_workers) m_listable += worker.listable;
    std::array<std::size_t, kClasses> taken{};
    auto done = weighWaiting(m_night, m_context, m_sinks.waiting, [&](const Unit& unit) -> Result<> {
      if (!isListed(unit, m_sinks.detail)) return {};
      m_listable += m_onlyWeighed.count(sortKeyOf(unit));  // its suggestion makes it worth a look
      if (taken[static_cast<std::size_t>(unit.unitClass)]++ >= kListedOnBadNight) return {};
      return m_sinks.listed.add(unit);
    });
    m_result.unitsNotListed = m_listable - std::min(m_listable, m_sinks.listed.size());
    return done;
  }

  // The field that would fit better.
  Result<> findBetterColumn() {
    auto local = keysOf(m_workers.front().localKeys.sure());
    if (!local) return fail(local.error());
    auto provider = keysOf(m_workers.front().providerKeys.sure());
    if (!provider) return fail(provider.error());
    std::vector<Tried> tried;
    for (std::size_t i = 0; i < m_night.policy.sources.size(); ++i) {
      const auto& kinds = m_night.policy.sources[i].kinds;
      const bool holdsEffects = kinds.count(RecordKind::Effect) > 0;
      if (!holdsEffects && kinds.count(RecordKind::Attempt) == 0) continue;
      const std::vector<Hash128>& keys = holdsEffects ? *local : *provider;
      if (!keys.empty()) tried.push_back({SourceId{static_cast<std::uint16_t>(i)}, &keys, {}});
    }
    m_night.executor.forEach(tried.size(), [&](std::size_t i, unsigned) {
      tried[i].rates = m_night.input.columnRates(tried[i].source, m_night.hash, *tried[i].keys);
    });
    for (const Tried& one : tried) {
      if (auto done = noteRates(one.rates, *one.keys); !done) return done;
    }
    return {};
  }

  struct Tried {
    SourceId source;
    const std::vector<Hash128>* keys = nullptr;   ///< of the other side
    Result<std::vector<Input::ColumnRate>> rates;
  };

  Result<> noteRates(const Result<std::vector<Input::ColumnRate>>& rates, const std::vector<Hash128>& keys) {
    if (!rates) return fail(rates.error());
    if (rates->empty()) return {};
    const Input::ColumnRate& best = rates->front();
    const auto percent = static_cast<std::uint64_t>(m_night.policy.thresholds.keysMeetPercent);
    KeyMeeting& known = m_result.keys;
    const std::uint64_t fewer = std::min(known.localKeys, known.providerKeys);
    const bool isBetter = best.distinctMatches * 100 >= percent * keys.size() &&
                          best.distinctMatches * fewer > known.meeting * keys.size() &&
                          best.distinctMatches * std::max<std::uint64_t>(known.betterOf, 1) >
                              known.betterMatches * keys.size();
    if (!isBetter) return {};
    known.betterColumn = best.column;
    known.betterMatches = best.distinctMatches;
    known.betterOf = keys.size();
    return {};
  }

  Result<std::vector<Hash128>> keysOf(const std::vector<LedgerRow>& rows) const {
    std::vector<Hash128> keys;
    std::vector<RecordRef> sample;
    for (const LedgerRow& row : rows) sample.push_back(refOf(row, m_night.ledger.shapes()[row.shape]));
    std::sort(sample.begin(), sample.end());
    auto done = m_night.input.fetch(sample, [&](std::size_t, AnyRecord&& record) {
      const RecordHead* head = headOf(record);
      if (head == nullptr || head->key.empty()) return;
      keys.push_back(m_night.hash(head->key, static_cast<std::uint32_t>(HashSpace::Key)));
    });
    if (!done) return fail(done.error());
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    return keys;
  }

  NightState& m_night;
  PartitionedBytes& m_left;
  const UnitSinks& m_sinks;
  Policy m_policy;          ///< without probable duplicates
  JudgeContext m_context;
  std::size_t m_rowsAimed;
  std::vector<Worker> m_workers;
  SlimCounts m_counts;
  std::uint64_t m_listable = 0;   ///< units that the detail asks for
  std::set<std::string> m_onlyWeighed;   ///< sort keys of units that the detail does not ask for
  BadNight m_result;
};

}  // namespace

bool keysDoNotMeet(const SiftTally& tally, const Thresholds& thresholds) {
  const auto least = static_cast<std::uint64_t>(std::max<std::int64_t>(thresholds.keysMeetMinimum, 1));
  if (tally.localKeys < least || tally.providerKeys < least) return false;
  const std::uint64_t fewer = std::min(tally.localKeys, tally.providerKeys);
  const bool fewMeet = tally.meetingKeys * 100 < fewer * static_cast<std::uint64_t>(thresholds.keysMeetPercent);
  const bool joinedOtherwise = tally.joinedLocalRows * 2 >= tally.localRows;
  return fewMeet && !joinedOtherwise;
}

Result<BadNight> judgeBadNight(NightState& night, PartitionedBytes& left, const UnitSinks& sinks,
                               const KeyMeeting& keys) {
  return BadNightJudge(night, left, sinks, keys).run();
}

}  // namespace counterfoil
