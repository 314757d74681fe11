// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/model/report_tiles.h"

#include <fmt/format.h>

#include <algorithm>

#include "reports/text/run_words.h"

namespace counterfoil {
namespace {

class Tiles {
 public:
  Tiles(const ReportFacts& facts, const Words& words) : m_facts(facts), m_words(words) {}

  std::vector<ReportTile> take() {
    addBreaks();
    addExposure();
    addOpen();
    addDeadLetters();
    addSaved();
    addNotJudged();
    addUnits();
    return std::move(m_tiles);
  }

 private:
  ReportTile& add(std::string_view id, Word label) {
    ReportTile& tile = m_tiles.emplace_back();
    tile.id = id;
    tile.label = m_words(label);
    return tile;
  }
  void setNone(ReportTile& tile) {
    tile.state = ValueState::None;
    tile.value = "0";
  }
  void setNoData(ReportTile& tile) {
    tile.state = ValueState::NoData;
    tile.value = m_words(Word::NoData);
  }

  /// Where nothing was compared, or not everything was read, no breaks is no good news.
  void addBreaks() {
    ReportTile& tile = add("breaks", Word::TileBreaks);
    if (m_facts.breaks > 0) {
      tile.value = m_words.number(m_facts.breaks);
      tile.tone = Tone::Bad;
    } else if (m_facts.units == 0) {
      setNoData(tile);
      tile.tone = Tone::Warning;
    } else {
      setNone(tile);
      tile.tone = m_facts.complete ? Tone::Good : Tone::Warning;
    }
    if (m_facts.comparison) {
      const RunChange& change = m_facts.comparison->change;
      tile.detail = fmt::format("{} {}, {} {}", m_words.number(change.newBreaks), m_words(Word::NewBreaks),
                                m_words.number(change.cleared), m_words(Word::Cleared));
    }
    if (!m_facts.complete) {
      tile.detail += (tile.detail.empty() ? "" : ", ") + std::string(m_words(Word::Incomplete));
      if (m_facts.breaks == 0) tile.state = ValueState::Error;
    }
  }

  void addExposure() {
    ReportTile& tile = add("exposure", Word::TileExposure);
    if (m_facts.exposure.empty()) {
      setNone(tile);
      tile.value = m_words(Word::None);
      if (m_facts.units == 0) setNoData(tile);
      return;
    }
    tile.value = m_words.money(m_facts.exposure.front());
    tile.tone = Tone::Bad;
    const std::vector<Money> others(m_facts.exposure.begin() + 1, m_facts.exposure.end());
    if (!others.empty()) tile.detail = "+ " + m_words.money(others);
  }

  void addOpen() {
    ReportTile& tile = add("open", Word::TileOpen);
    if (m_facts.open == 0) return m_facts.units == 0 ? setNoData(tile) : setNone(tile);
    tile.value = m_words.number(m_facts.open);
    if (m_facts.overdue == 0) return;
    tile.detail = m_words.count(Counted::Overdue, m_facts.overdue);
    tile.tone = Tone::Warning;
  }

  /// A queue that was not sampled is not empty.
  void addDeadLetters() {
    ReportTile& tile = add("dead_letters", Word::TileDeadLetters);
    std::uint64_t read = 0;
    for (const auto& [verdict, count] : m_facts.deadLetters) read += count;
    std::optional<std::int64_t> depth;
    bool known = true;
    for (const QueueLine& queue : m_facts.queues) {
      if (queue.kind != codeOf(QueueKind::Dead)) continue;
      known = known && queue.depth.has_value();
      if (queue.depth) depth = addChecked(depth.value_or(0), *queue.depth);
    }
    if (depth && known) {
      tile.value = m_words.number(static_cast<std::uint64_t>(std::max<std::int64_t>(*depth, 0)));
      tile.state = *depth == 0 ? ValueState::None : ValueState::Value;
    } else if (read > 0) {
      tile.value = m_words.number(read);
    } else {
      setNoData(tile);
    }
    if (tile.state == ValueState::Value) tile.tone = Tone::Warning;
    const auto unsafe = m_facts.deadLetters.find(RedriveVerdict::Unsafe);
    if (unsafe == m_facts.deadLetters.end() || unsafe->second == 0) return;
    tile.detail = fmt::format("{}: {}", m_words.label(RedriveVerdict::Unsafe), m_words.number(unsafe->second));
    tile.tone = Tone::Bad;
  }

  void addSaved() {
    ReportTile& tile = add("saved", Word::TileSaved);
    std::uint64_t right = 0, all = 0;
    for (const auto& [verdict, count] : m_facts.skips) {
      all += count;
      if (verdict == SkipVerdict::Legit || verdict == SkipVerdict::LegitCarried) right += count;
    }
    if (all == 0) return setNoData(tile);
    if (right == 0) {
      setNone(tile);
    } else {
      tile.value = m_words.number(right);
      tile.tone = Tone::Good;
    }
    if (!m_facts.saved.empty()) tile.detail = m_words.money(m_facts.saved);
  }

  void addNotJudged() {
    ReportTile& tile = add("not_judged", Word::TileNotJudged);
    if (m_facts.unjudged == 0) {
      setNone(tile);
    } else {
      tile.value = m_words.number(m_facts.unjudged);
      tile.tone = Tone::Warning;
    }
    if (m_facts.quarantinedCount == 0) return;
    tile.detail = fmt::format("{}: {}", m_words(Word::TileQuarantined), m_words.number(m_facts.quarantinedCount));
  }

  void addUnits() {
    ReportTile& tile = add("units", Word::TileUnits);
    if (m_facts.units == 0) return setNoData(tile);
    tile.value = m_words.number(m_facts.units);
    const std::uint64_t open = std::min(m_facts.units, m_facts.breaks + m_facts.open);
    tile.detail = fmt::format("{} {}", m_words.number(m_facts.units - open), m_words(Word::Agree));
  }

  const ReportFacts& m_facts;
  const Words& m_words;
  std::vector<ReportTile> m_tiles;
};

}  // namespace

std::string titleOf(const ReportFacts& facts, const Words& words) {
  std::string name = facts.name.empty() ? "" : facts.name + " – ";
  switch (facts.kind) {
    case ReportKind::Run: return name + std::string(words(Word::ReportTitle));
    case ReportKind::Period: return name + std::string(words(Word::PeriodTitle));
    case ReportKind::Case: return name + std::string(words(Word::CaseTitle));
    case ReportKind::List: return name + std::string(words(Word::ListTitle));
  }
  return name;
}

std::vector<ReportTile> tilesOf(const ReportFacts& facts, const Words& words) {
  if (facts.kind == ReportKind::Case) return {};
  std::vector<ReportTile> tiles = Tiles(facts, words).take();
  if (facts.kind == ReportKind::List) {   // the other numbers are those of a whole run
    std::erase_if(tiles, [](const ReportTile& tile) { return tile.id != "breaks" && tile.id != "exposure" && tile.id != "open"; });
  }
  return tiles;
}

std::vector<ClassRow> classRowsOf(const RunResult& result, const std::map<Class, Severity>& worst, const Words& words) {
  std::vector<ClassRow> rows;
  for (const auto& [unitClass, count] : result.classes) {
    if (count == 0) continue;
    ClassRow& row = rows.emplace_back();
    row.unitClass = unitClass;
    row.group = groupOf(unitClass);
    const auto sums = result.exposureByClass.find(unitClass);
    if (sums != result.exposureByClass.end()) row.exposure = moneyOf(sums->second);
    // Closed ones have nothing at stake: whether money is about tells the proof.
    const bool money = groupOf(unitClass) == ClassGroup::Break ? !row.exposure.empty() : !result.proof.empty();
    row.label = words.label(unitClass, money);
    row.count = count;
    const auto found = worst.find(unitClass);
    if (found != worst.end()) row.worst = found->second;
  }
  return rows;
}

void fillBefore(const RunCounts& before, std::vector<ClassRow>& rows, const Words& words) {
  for (ClassRow& row : rows) row.before = 0;
  for (const auto& [unitClass, count] : before.classes) {
    const auto found = std::find_if(rows.begin(), rows.end(), [c = unitClass](const ClassRow& row) { return row.unitClass == c; });
    if (found != rows.end()) {
      found->before = count;
      continue;
    }
    if (count == 0) continue;
    ClassRow row;
    row.unitClass = unitClass;
    row.group = groupOf(unitClass);
    row.label = words.label(unitClass, true);
    row.before = count;
    rows.push_back(std::move(row));
  }
  std::sort(rows.begin(), rows.end(), [](const ClassRow& a, const ClassRow& b) { return a.unitClass < b.unitClass; });
}

std::vector<CoverageRow> coverageRowsOf(const Coverage& coverage, const std::vector<std::string>& sources) {
  std::vector<CoverageRow> rows;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const SourceId source{static_cast<std::uint16_t>(i)};
    CoverageRow& row = rows.emplace_back();
    row.source = sources[i];
    row.declared = coverage.declared.contains(source);
    const auto found = coverage.bySource.find(source);
    if (found != coverage.bySource.end()) row.intervals = found->second;
  }
  return rows;
}

Result<> ListingCounts::add(const ReportCase& line) {
  ++units;
  if (line.group == ClassGroup::Break) ++breaks;
  if (line.group == ClassGroup::Open) ++open;
  if (std::find(line.flags.begin(), line.flags.end(), Flag::Overdue) != line.flags.end()) ++overdue;
  OfClass& ofClass = m_classes[line.unitClass];
  ++ofClass.count;
  ofClass.worst = std::max(ofClass.worst, line.severity);
  for (const Money& money : line.exposure) {
    if (auto ok = ofClass.exposure.add(money); !ok) return ok;
    if (line.group != ClassGroup::Break) continue;
    if (auto ok = exposure.add(money); !ok) return ok;
  }
  return {};
}

std::vector<ClassRow> ListingCounts::rows(const Words& words) const {
  std::vector<ClassRow> rows;
  for (const auto& [unitClass, counts] : m_classes) {
    ClassRow& row = rows.emplace_back();
    row.unitClass = unitClass;
    row.group = groupOf(unitClass);
    row.exposure = counts.exposure.values();
    row.label = words.label(unitClass, !row.exposure.empty());
    row.worst = counts.worst;
    row.count = counts.count;
  }
  return rows;
}

}  // namespace counterfoil
