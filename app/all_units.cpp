// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/all_units.h"

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

#include "app/config.h"
#include "app/machine.h"
#include "app/spill_files.h"
#include "app/store_input.h"
#include "core/base/text.h"

namespace counterfoil {

namespace {

bool hasPlainUnits(const ListFilter& filter) {
  if (!filter.states.empty()) return false;  // nobody reviews a plain operation
  const bool asked = filter.classes.contains(Class::Matched) || filter.classes.contains(Class::MatchedFailure);
  return filter.classes.empty() ? filter.detail == Detail::All : asked;
}

bool fitsKey(const ListFilter& filter, const Unit& unit) {
  if (filter.key.empty()) return true;
  const std::string wanted = normalKey(filter.key);
  return normalKey(unit.key) == wanted ||
         std::any_of(unit.keys.begin(), unit.keys.end(), [&](const std::string& key) { return normalKey(key) == wanted; });
}

bool fitsText(const ListFilter& filter, const Unit& unit) {
  if (filter.text.empty()) return true;
  const std::string wanted = toLowerAscii(filter.text);
  const auto holds = [&](const std::string& text) { return toLowerAscii(text).find(wanted) != std::string::npos; };
  return unit.id == wanted || holds(unit.key) || holds(unit.opRef) || holds(unit.reason) || holds(unit.scope) ||
         holds(unit.operationName) || std::any_of(unit.keys.begin(), unit.keys.end(), holds);
}

/// What the store's own list filters in SQL, for units that are not in it.
bool fits(const ListFilter& filter, const Unit& unit) {
  if (!filter.classes.empty() && !filter.classes.contains(unit.unitClass)) return false;
  if (!filter.severities.empty() && !filter.severities.contains(unit.severity)) return false;
  if (!filter.operation.empty() && filter.operation != unit.operationName) return false;
  if (filter.since && (!unit.firstSeen || *unit.firstSeen < *filter.since)) return false;
  return fitsKey(filter, unit) && fitsText(filter, unit);
}

template <class Value>
int compare(const Value& a, const Value& b) {
  return a < b ? -1 : b < a ? 1 : 0;
}

int compareExposure(const std::vector<Money>& a, const std::vector<Money>& b) {
  if (a.empty() || b.empty()) return compare(a.size(), b.size());
  const int byCurrency = compare(a.front().currency.text(), b.front().currency.text());
  return byCurrency != 0 ? byCurrency : compare(a.front().minor, b.front().minor);
}

int compareBy(SortBy sort, const StoredUnit& a, const StoredUnit& b) {
  switch (sort) {
    case SortBy::Default: return 0;
    case SortBy::Key: return compare(a.unit.key, b.unit.key);
    case SortBy::Class: return compare(a.unit.unitClass, b.unit.unitClass);
    case SortBy::Severity: return compare(a.unit.severity, b.unit.severity);
    case SortBy::Age: return compare(b.unit.firstSeen, a.unit.firstSeen);
    case SortBy::FirstRun: return compare(a.firstRun, b.firstRun);
    case SortBy::LastRun: return compare(a.lastRun, b.lastRun);
    case SortBy::State: return compare(codeOf(a.state), codeOf(b.state));
    case SortBy::Operation: return compare(a.unit.operationName, b.unit.operationName);
    case SortBy::Scope: return compare(a.unit.scope, b.unit.scope);
    case SortBy::Exposure: return compareExposure(a.unit.exposure, b.unit.exposure);
  }
  return 0;
}

/// Takes units in output order; gives them on as the filter wants them: bounded, or sorted at the end.
class Output {
 public:
  Output(const ListFilter& filter, const std::function<bool(const StoredUnit&)>& fn)
      : m_filter(filter), m_fn(fn), m_left(filter.limit) {}

  bool take(const StoredUnit& unit) {
    if (m_filter.sort == SortBy::Default) return give(unit);
    m_sorted.push_back(unit);
    return true;
  }
  void finish() {
    std::stable_sort(m_sorted.begin(), m_sorted.end(), [&](const StoredUnit& a, const StoredUnit& b) {
      const int order = compareBy(m_filter.sort, a, b);
      return m_filter.descending ? order > 0 : order < 0;
    });
    for (const StoredUnit& unit : m_sorted) {
      if (!give(unit)) return;
    }
  }

 private:
  bool give(const StoredUnit& unit) { return m_fn(unit) && (m_filter.limit == 0 || --m_left > 0); }

  const ListFilter& m_filter;
  const std::function<bool(const StoredUnit&)>& m_fn;
  std::uint64_t m_left;
  std::vector<StoredUnit> m_sorted;
};

/// Units that stand from other runs, in output order. Only what puts them in order is held of them.
class StandingOfOthers {
 public:
  static Result<StandingOfOthers> load(const Store& store, const ListFilter& filter, RunNumber run) {
    StandingOfOthers others;
    if (filter.run) return others;
    ListFilter standing = filter;
    standing.sort = SortBy::Default;
    standing.limit = 0;
    standing.withRaw = false;
    const auto ok = store.forEachUnit(standing, [&](const StoredUnit& stored) {
      if (stored.run == run) return true;
      Entry& entry = others.m_entries.emplace_back();
      entry.run = stored.run;
      entry.unit.id = stored.unit.id;
      entry.unit.unitClass = stored.unit.unitClass;
      entry.unit.key = stored.unit.key;
      entry.unit.scope = stored.unit.scope;
      entry.unit.operationName = stored.unit.operationName;
      return true;
    });
    if (!ok) return fail(ok.error());
    return others;
  }

  /// Those that this night judged too: what it says of them is newer, though plain ones are not stored.
  Result<> leaveOut(const Store& store, RunNumber run, const UnitList& tonight) {
    if (m_entries.empty()) return {};
    std::set<CaseId> ids;
    for (const Entry& entry : m_entries) ids.insert(entry.unit.id);
    std::set<CaseId> again;
    Result<> asked;
    auto walked = tonight.forEach([&](const Unit& unit) {
      if (ids.contains(unit.id)) {
        again.insert(unit.id);
      } else if (!isPlain(unit)) {   // it may stand under an older id
        const auto known = store.unitOf(run, unit.id, false);
        if (!known) asked = fail(known.error());
        if (known && *known) again.insert((*known)->unit.id);
      }
      return asked.has_value();
    });
    if (!asked) return asked;
    if (!walked) return walked;
    std::erase_if(m_entries, [&](const Entry& entry) { return again.contains(entry.unit.id); });
    return {};
  }

  /// The next one, if it stands before `unit` (null: any).
  Result<std::optional<StoredUnit>> takeBefore(const Store& store, const Unit* unit, bool withRaw) {
    if (m_next == m_entries.size()) return std::optional<StoredUnit>();
    const Entry& entry = m_entries[m_next];
    if (unit != nullptr && !outputBefore(entry.unit, *unit)) return std::optional<StoredUnit>();
    ++m_next;
    return store.unitOf(entry.run, entry.unit.id, withRaw);
  }

 private:
  struct Entry {
    RunNumber run = 0;
    Unit unit;   ///< the members that order output
  };
  std::vector<Entry> m_entries;
  std::size_t m_next = 0;
};

/// A night judged again, every operation listed.
struct JudgedAgain {
  SpillFiles spill;
  RunOutcome outcome;   ///< its list lies in `spill`
};

Result<> judgeAgain(const Store& store, const StoredRun& run, JudgedAgain& night) {
  const auto config = parseConfig(run.config, "the configuration of run " + std::to_string(run.number),
                                  run.identity.asOf, run.identity.asOf);
  if (!config) return fail(config.error());
  auto input = StoreInput::open(store, run, config->policy);
  if (!input) return fail(input.error());
  RunOptions options = config->run;
  options.asOf = run.identity.asOf;
  options.detail = Detail::All;
  options.memoryBytes = defaultMemoryBytes();
  options.wantDigests = false;
  options.hash = &store.keyHash();   // so that blocks are opened in their order
  Executor executor(defaultThreadCount());
  auto outcome = runEngine(**input, config->policy, options, executor, night.spill);
  if (!outcome) return fail(outcome.error());
  night.outcome = std::move(*outcome);
  return {};
}

/// The units of one run judged again, those of others that stand between them.
class ListWithPlain {
 public:
  ListWithPlain(const Store& store, const ListFilter& filter, Output& output)
      : m_store(store), m_filter(filter), m_output(output) {}

  Result<> print(RunNumber number) {
    const auto run = m_store.run(number);
    if (!run) return fail(run.error());
    auto others = StandingOfOthers::load(m_store, m_filter, number);
    if (!others) return fail(others.error());
    m_others = std::move(*others);
    JudgedAgain night;
    if (auto ok = judgeAgain(m_store, *run, night); !ok) return ok;
    if (auto ok = m_others.leaveOut(m_store, number, *night.outcome.units); !ok) return ok;
    Result<> printed;
    auto walked = night.outcome.units->forEach([&](const Unit& unit) {
      printed = take(*run, unit);
      return printed.has_value() && m_goOn;
    });
    if (!walked) return walked;
    if (!printed) return printed;
    if (auto ok = takeOthers(nullptr); !ok) return ok;
    if (m_goOn) m_output.finish();
    return {};
  }

 private:
  Result<> takeOthers(const Unit* before) {
    while (m_goOn) {
      const auto other = m_others.takeBefore(m_store, before, m_filter.withRaw);
      if (!other) return fail(other.error());
      if (!*other) return {};
      m_goOn = m_output.take(**other);
    }
    return {};
  }

  Result<> take(const StoredRun& run, const Unit& unit) {
    if (auto ok = takeOthers(&unit); !ok || !m_goOn) return ok;
    if (!fits(m_filter, unit)) return {};
    if (!isPlain(unit)) {
      const auto known = m_store.unitOf(run.number, unit.id, m_filter.withRaw);
      if (!known) return fail(known.error());
      if (*known) {
        m_goOn = m_output.take(**known);
        return {};
      }
    }
    StoredUnit plain;
    plain.run = plain.firstRun = plain.lastRun = run.number;
    plain.asOf = run.identity.asOf;
    plain.unit = unit;
    plain.plain = true;
    m_goOn = m_output.take(plain);
    return {};
  }

  const Store& m_store;
  const ListFilter& m_filter;
  Output& m_output;
  StandingOfOthers m_others;
  bool m_goOn = true;
};

}  // namespace

Result<> forEachUnitOf(const Store& store, const ListFilter& filter, const std::function<bool(const StoredUnit&)>& fn) {
  if (!hasPlainUnits(filter)) return store.forEachUnit(filter, fn);
  std::optional<RunNumber> number = filter.run;
  if (!number) {
    const auto last = store.lastRun();
    if (!last) return fail(last.error());
    number = *last;
  }
  if (!number) return {};
  Output output(filter, fn);
  return ListWithPlain(store, filter, output).print(*number);
}

}  // namespace counterfoil
