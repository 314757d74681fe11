// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/remedies/remedy_lines.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/hash.h"

namespace counterfoil {

namespace {

template <class Line>
void finishList(RemedyList<Line>& list, const EarlierExports& earlier, std::uint64_t limit) {
  std::stable_partition(list.lines.begin(), list.lines.end(), [](const Line& line) { return isToActOn(line); });
  if (limit > 0 && list.lines.size() > limit) list.lines.erase(list.lines.begin() + static_cast<std::ptrdiff_t>(limit), list.lines.end());
  for (Line& line : list.lines) {
    const auto known = earlier.find(itemOf(line));
    if (known == earlier.end()) continue;
    line.exportedBefore = fmt::format("{} by {}", formatInstant(known->second.at), known->second.who);
  }
}

/// Cases of these classes that a person closed.
Result<std::uint64_t> countDecided(const Store& store, const ListFilter& filter, const std::set<Class>& classes) {
  ListFilter decided = filter;
  decided.limit = 0;
  decided.severities.clear();   // a decided case has none
  decided.states = {ReviewState::Resolved, ReviewState::Dismissed, ReviewState::ForceClosed};
  std::uint64_t count = 0;
  const auto walked = store.forEachUnit(decided, [&](const StoredUnit& stored) {
    count += classes.contains(stored.judged) && stored.clearedRun == 0 ? 1 : 0;
    return true;
  });
  if (!walked) return fail(walked.error());
  return count;
}

/// Walks the cases of some classes that stand undecided. What was cleared is never among them: to run it again, or
/// to give it back, would be the fault that it was not.
template <class Line, class Add>
Result<RemedyList<Line>> walkCases(const Store& store, const ListFilter& filter, const std::set<Class>& classes, Add add) {
  ListFilter standing = filter;
  standing.limit = 0;
  standing.detail = Detail::BreaksAndOpen;
  RemedyList<Line> list;
  RunConfigs configs(store);
  Result<> ok;
  const auto walked = store.forEachUnit(standing, [&](const StoredUnit& stored) {
    if (!classes.contains(stored.unit.unitClass) || isDecided(stored.state)) return true;
    const auto config = configs.of(stored.run);
    if (!config) {
      ok = fail(config.error());
      return false;
    }
    add(stored, config->get(), list);
    return true;
  });
  if (!ok) return fail(ok.error());
  if (!walked) return fail(walked.error());
  const auto decided = countDecided(store, filter, classes);
  if (!decided) return fail(decided.error());
  list.decided = *decided;
  return list;
}

}  // namespace

Result<RemedyList<RefundLine>> refundsOf(const Store& store, const ListFilter& filter, const EarlierExports& earlier) {
  auto list = walkCases<RefundLine>(store, filter, {Class::DuplicateEffect},
                                    [](const StoredUnit& stored, const Config* config, RemedyList<RefundLine>& out) {
                                      for (RefundLine& line : refundLinesOf(stored, config)) out.lines.push_back(std::move(line));
                                    });
  if (!list) return list;
  finishList(*list, earlier, filter.limit);
  return list;
}

Result<RemedyList<RerunLine>> rerunsOf(const Store& store, const ListFilter& filter, Instant now, const EarlierExports& earlier) {
  auto list = walkCases<RerunLine>(store, filter, rerunClasses(),
                                   [now](const StoredUnit& stored, const Config* config, RemedyList<RerunLine>& out) {
                                     out.lines.push_back(rerunLineOf(stored, config, now));
                                   });
  if (!list) return list;
  finishList(*list, earlier, filter.limit);
  return list;
}

Result<RemedyList<RedriveLine>> redrivesOf(const Store& store, const ListFilter& filter, Instant now, const EarlierExports& earlier) {
  ListFilter wanted = filter;
  wanted.limit = 0;
  // Rows first: each is looked up together with its case.
  std::vector<DeadLetterRow> letters;
  const auto walked = store.forEachDeadLetter(wanted, [&](const DeadLetterRow& letter) {
    letters.push_back(letter);
    return true;
  });
  if (!walked) return fail(walked.error());
  RemedyList<RedriveLine> list;
  RedriveLines lines(store, now);
  for (const DeadLetterRow& letter : letters) {
    auto line = lines.lineOf(letter);
    if (!line) return fail(line.error());
    if (!*line) continue;
    if ((*line)->verdict == RedriveVerdict::Obsolete) {
      ++list.obsolete;
    } else {
      list.lines.push_back(std::move(**line));
    }
  }
  list.decided = lines.decided();
  finishList(list, earlier, filter.limit);
  return list;
}

RemedyItem itemOf(const RefundLine& line) { return {line.caseId, line.refundKey.empty() ? line.effectId : line.refundKey}; }
RemedyItem itemOf(const RedriveLine& line) {
  return {line.caseId, line.queue + " " + (line.messageId.empty() ? line.jobId : line.messageId)};
}
RemedyItem itemOf(const RerunLine& line) { return {line.caseId, line.key.empty() ? line.jobId : line.key}; }

std::string digestOf(const std::vector<RemedyItem>& items) {
  std::string text;
  for (const RemedyItem& item : items) text += fmt::format("{}\n{}:{}\n", item.first, item.second.size(), item.second);
  return "sha256:" + sha256Hex(text);
}

}  // namespace counterfoil
