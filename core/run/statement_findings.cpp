// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/statement_findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

namespace counterfoil {

namespace {

using Files = std::vector<const FileReport*>;

std::string placeOf(const FileReport& file, const StatementExample& example) {
  return example.line == 0 ? file.path : fmt::format("{}:{}", file.path, example.line);
}

std::string_view adviceFor(std::string_view code) {
  if (code == "control_total_break") {
    return "Ask for the file again or compare it with its sender: rows are missing or were added.";
  }
  if (code == "continuity_break") {
    return "Rows are missing or stand twice there: ask for the file again, and compare the "
           "balances with the provider's.";
  }
  return "Look these places up at the provider: a number was changed, cut or rounded, or the "
         "mapping reads another column.";
}

/// One check over all files of a source.
struct CheckOfSource {
  std::uint64_t tried = 0, breaks = 0;
  std::vector<std::tuple<const FileReport*, StatementExample>> examples;
};

Finding findingOf(const std::string& code, const std::string& name, const std::string& subject,
                  const CheckOfSource& check, std::size_t maxExamples) {
  Finding finding;
  finding.code = code;
  finding.subject =
      subject + ", check " + name;  // of one subject and code only one finding is told
  finding.count = static_cast<std::int64_t>(check.breaks);
  finding.severity = Severity::High;
  finding.advice = adviceFor(code);
  finding.seen = fmt::format("`{}` does not hold in {} of {}", name, check.breaks,
                             std::max(check.tried, check.breaks));
  for (const auto& [file, example] : check.examples) {
    if (finding.examples.size() == maxExamples) break;
    finding.examples.push_back(placeOf(*file, example) + ": " + example.seen);
  }
  finding.seen += finding.examples.empty() ? "." : "; " + finding.examples.front() + ".";
  return finding;
}

void addChecks(const std::string& subject, const Files& files, std::size_t maxExamples,
               std::vector<Finding>& out) {
  std::map<std::pair<std::string, std::string>, CheckOfSource> checks;
  for (const FileReport* file : files) {
    for (const StatementCheck& check : file->checks) {
      CheckOfSource& of = checks[{check.finding, check.name}];
      of.tried += check.tried;
      of.breaks += check.breaks;
      for (const StatementExample& example : check.examples)
        of.examples.emplace_back(file, example);
    }
  }
  for (const auto& [name, check] : checks) {
    if (check.breaks > 0)
      out.push_back(findingOf(name.first, name.second, subject, check, maxExamples));
  }
}

/// Files in time: by the days that their statements tell, else by their records. Those that overlap
/// tell nothing of each other, and where one has no time none can be told to follow another.
class FilesInTime {
 public:
  explicit FilesInTime(const Files& files) {
    for (const FileReport* file : files) {
      for (const StatementBalance& balance : file->balances) {
        m_groups[{balance.check, balance.group}].push_back({0, 0, file, &balance});
      }
    }
  }

  void addBreaks(const std::string& subject, std::size_t maxExamples, std::vector<Finding>& out) {
    std::map<std::string, Finding> byCheck;
    for (auto& [name, stretches] : m_groups)
      follow(name, stretches, maxExamples, byCheck[name.first]);
    for (auto& [check, finding] : byCheck) {
      if (finding.count == 0) continue;
      finding.code = "continuity_break";
      finding.subject = fmt::format("{}, check {} between files", subject, check);
      finding.severity = Severity::High;
      finding.seen =
          fmt::format("`{}` does not go on from file to file in {}; {}.", check,
                      finding.count == 1 ? "1 place" : fmt::format("{} places", finding.count),
                      finding.examples.front());
      finding.advice =
          "A file between these two is missing, or one of them is not whole: fetch it again.";
      out.push_back(std::move(finding));
    }
  }

 private:
  struct Stretch {
    std::int64_t from = 0, to = 0;  ///< days as yyyymmdd, or instants
    const FileReport* file = nullptr;
    const StatementBalance* balance = nullptr;
  };

  static bool hasDays(const Stretch& stretch) {
    return !stretch.balance->from.empty() && !stretch.balance->to.empty();
  }

  /// Of yyyy-mm-dd: the number yyyymmdd.
  static std::int64_t dayNumber(std::string_view text) {
    std::int64_t number = 0;
    for (const char c : text) {
      if (c >= '0' && c <= '9') number = number * 10 + (c - '0');
    }
    return number;
  }

  /// False where the times of the stretch are not known.
  static bool setTimes(Stretch& stretch, bool byDays) {
    if (byDays) {
      stretch.from = dayNumber(stretch.balance->from);
      stretch.to = dayNumber(stretch.balance->to);
      return true;
    }
    const FileReport& file = *stretch.file;
    std::optional<Interval> span = file.covers;
    if (file.from && file.to) span = Interval{*file.from, *file.to};
    if (!span) return false;
    stretch.from = span->from.time_since_epoch().count();
    stretch.to = span->to.time_since_epoch().count();
    return true;
  }

  static void follow(const std::pair<std::string, std::string>& name,
                     std::vector<Stretch>& stretches, std::size_t maxExamples, Finding& finding) {
    const bool byDays = std::all_of(stretches.begin(), stretches.end(), hasDays);
    for (Stretch& stretch : stretches) {
      if (!setTimes(stretch, byDays)) return;
    }
    std::sort(stretches.begin(), stretches.end(), [](const Stretch& a, const Stretch& b) {
      return std::tie(a.from, a.to, a.file->path) < std::tie(b.from, b.to, b.file->path);
    });
    std::vector<const Stretch*> last;  // those that end latest: several of one day
    for (const Stretch& next : stretches) {
      const bool follows = !last.empty() && last.front()->to < next.from;
      const bool goesOn = std::any_of(last.begin(), last.end(), [&next](const Stretch* before) {
        return before->balance->closing == next.balance->opening;
      });
      if (follows && !goesOn) {
        ++finding.count;
        if (finding.examples.size() < maxExamples)
          finding.examples.push_back(sentence(name.second, *last.front(), next));
      }
      if (!last.empty() && last.front()->to < next.to) last.clear();
      if (last.empty() || last.front()->to == next.to) last.push_back(&next);
    }
  }

  static std::string sentence(const std::string& group, const Stretch& before,
                              const Stretch& next) {
    return fmt::format("{}{} closes at {}, {} opens at {}", group.empty() ? "" : group + ": ",
                       before.file->path, before.balance->closing, next.file->path,
                       next.balance->opening);
  }

  std::map<std::pair<std::string, std::string>, std::vector<Stretch>> m_groups;
};

}  // namespace

std::vector<Finding> statementFindings(const std::string& subject,
                                       const std::vector<const FileReport*>& files,
                                       std::size_t maxExamples) {
  Files byPath = files;
  std::sort(byPath.begin(), byPath.end(),
            [](const FileReport* a, const FileReport* b) { return a->path < b->path; });
  std::vector<Finding> findings;
  addChecks(subject, byPath, maxExamples, findings);
  FilesInTime(byPath).addBreaks(subject, maxExamples, findings);
  return findings;
}

}  // namespace counterfoil
