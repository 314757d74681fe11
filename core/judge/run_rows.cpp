// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/run_rows.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>

#include "core/judge/job_views.h"

namespace counterfoil::judging {

namespace {

using Indexes = std::vector<NodeIndex>;

constexpr NodeIndex kNone = static_cast<NodeIndex>(-1);

/// Rows that tell of one end are written at once.
constexpr Duration kToldAtOnce = std::chrono::seconds(2);

using Job = std::tuple<SourceId, bool, std::string_view>;

std::string_view idOf(const RecordHead& head) { return head.jobId.empty() ? head.messageId : head.jobId; }

bool agree(std::string_view a, std::string_view b) { return a.empty() || b.empty() || a == b; }

void fill(std::string& to, const std::string& from) {
  if (to.empty()) to = from;
}

/// What only the row says that is given up.
void fillHead(RecordHead& to, const RecordHead& from) {
  if (to.key.empty() && !to.keyDamaged) {
    to.key = from.key;
    to.keyText = from.keyText;
    to.keyDamaged = from.keyDamaged;
  }
  fill(to.jobId, from.jobId);
  fill(to.messageId, from.messageId);
  fill(to.opRef, from.opRef);
  fill(to.effectId, from.effectId);
  fill(to.account, from.account);
  fill(to.task, from.task);
  fill(to.queue, from.queue);
  fill(to.worker, from.worker);
  fill(to.customer, from.customer);
  fill(to.fingerprint, from.fingerprint);
  if (to.live == Live::Unstated) to.live = from.live;
  if (to.operation.isNone()) to.operation = from.operation;
  if (!to.amount) to.amount = from.amount;
}

/// The rows of one job in one source, in order of time.
struct JobRows {
  Indexes parts;   ///< attempts with a start or an end only
  Indexes skips;
};

class RunRows {
 public:
  RunRows(std::vector<Node>& nodes, const Policy& policy, Judgement& judgement)
      : m_nodes(nodes), m_policy(policy), m_judgement(judgement), m_dropped(nodes.size(), false) {}

  void run() {
    collect();
    for (auto& [job, rows] : m_jobs) {
      joinJob(rows);
    }
    joinSkipsOfSources();
    if (m_any) removeNodes(m_nodes, m_dropped);
  }

 private:
  [[nodiscard]] Attempt& attempt(NodeIndex i) { return static_cast<Attempt&>(*m_nodes[i].head); }
  [[nodiscard]] Skip& skip(NodeIndex i) { return static_cast<Skip&>(*m_nodes[i].head); }
  [[nodiscard]] static bool isStart(const Attempt& row) { return row.start && !row.end; }
  [[nodiscard]] static bool isEnd(const Attempt& row) { return row.end && !row.start; }

  void collect() {
    for (NodeIndex i = 0; i < m_nodes.size(); ++i) {
      const RecordHead& head = *m_nodes[i].head;
      const std::string_view id = idOf(head);
      if (id.empty()) continue;
      const Job job{head.place.source, isTest(head), id};
      if (m_nodes[i].kind == RecordKind::Attempt && (isStart(attempt(i)) || isEnd(attempt(i)))) {
        m_jobs[job].parts.push_back(i);
      } else if (m_nodes[i].kind == RecordKind::Skip) {
        m_jobs[job].skips.push_back(i);
      }
    }
  }

  /// Nodes of one moment come as they lie in their file: there a run ends before the next one starts.
  void sortByTime(Indexes& rows) const {
    std::sort(rows.begin(), rows.end(), [this](NodeIndex a, NodeIndex b) {
      return std::tie(*m_nodes[a].time, m_nodes[a].head->place) < std::tie(*m_nodes[b].time, m_nodes[b].head->place);
    });
  }

  void joinJob(JobRows& rows) {
    if (rows.parts.empty()) return;
    sortByTime(rows.parts);
    m_open.clear();
    m_joined.clear();
    NodeIndex ended = kNone;   // with its start
    bool hasEnd = false;
    for (const NodeIndex i : rows.parts) {
      if (isStart(attempt(i))) {
        m_open.push_back(i);
        ended = kNone;
        continue;
      }
      hasEnd = true;
      const NodeIndex start = startOfRun(i);
      if (start != kNone) {
        joinToEnd(i, start);
        ended = i;
      } else if (ended != kNone && isSameEnd(ended, i)) {
        joinEnds(ended, i);
      }
    }
    joinToSkips(rows.skips);
    if (hasEnd) markLost(rows.parts);
  }

  [[nodiscard]] bool mayBeOneRun(NodeIndex a, NodeIndex b) {
    const Attempt& one = attempt(a);
    const Attempt& other = attempt(b);
    const bool haveNumbers = one.number && other.number;
    return agree(one.worker, other.worker) && agree(one.task, other.task) && agree(one.key, other.key) &&
           agree(one.account, other.account) && (!haveNumbers || one.number == other.number);
  }

  /// Of the runs that are open: one of the same worker, else the latest.
  [[nodiscard]] NodeIndex startOfRun(NodeIndex end) {
    const std::string& worker = attempt(end).worker;
    NodeIndex latest = kNone, latestOfWorker = kNone;
    for (const NodeIndex i : m_open) {
      if (!mayBeOneRun(i, end)) continue;
      latest = i;
      if (!worker.empty() && attempt(i).worker == worker) latestOfWorker = i;
    }
    return latestOfWorker != kNone ? latestOfWorker : latest;
  }

  void joinToEnd(NodeIndex end, NodeIndex start) {
    Attempt& run = attempt(end);
    const Attempt& begin = attempt(start);
    run.start = begin.start;
    if (!run.number) run.number = begin.number;
    fillHead(run, begin);
    m_nodes[end].time = run.start;
    std::erase(m_open, start);
    m_joined.push_back(end);
    drop(start);
  }

  /// "fail", and a line that says why; a retry that is given up at once.
  [[nodiscard]] bool isSameEnd(NodeIndex ended, NodeIndex again) {
    const Attempt& first = attempt(ended);
    const Attempt& second = attempt(again);
    const auto isFailure = [](AttemptStatus status) {
      return status == AttemptStatus::RetryPending || status == AttemptStatus::FailedFinal;
    };
    return isFailure(first.status) && isFailure(second.status) && mayBeOneRun(ended, again) &&
           *second.end - *first.end <= kToldAtOnce;
  }

  void joinEnds(NodeIndex ended, NodeIndex again) {
    Attempt& run = attempt(ended);
    const Attempt& more = attempt(again);
    if (more.status == AttemptStatus::FailedFinal) run.status = more.status;
    if (!run.number) run.number = more.number;
    fill(run.error, more.error);
    fillHead(run, more);
    drop(again);
  }

  /// A run that says that it skipped its work is that skip: of those begun before it, the latest.
  void joinToSkips(Indexes& skips) {
    if (skips.empty()) return;
    sortByTime(skips);
    Indexes runs = m_open;
    runs.insert(runs.end(), m_joined.begin(), m_joined.end());
    sortByTime(runs);
    for (const NodeIndex s : skips) {
      const auto behind = std::upper_bound(runs.begin(), runs.end(), skip(s).time, [this](Instant at, NodeIndex run) {
        return at < *m_nodes[run].time;
      });
      if (behind == runs.begin()) continue;
      const NodeIndex run = *std::prev(behind);
      if (m_dropped[run] || !isRunOfSkip(attempt(run), skip(s))) continue;
      fillHead(skip(s), attempt(run));
      std::erase(m_open, run);
      drop(run);
    }
  }

  [[nodiscard]] static bool isRunOfSkip(const Attempt& run, const Skip& skip) {
    if (!agree(run.key, skip.key) || !agree(run.opRef, skip.opRef)) return false;
    if (!run.end) return true;
    return run.status == AttemptStatus::Succeeded && run.effectId.empty() && skip.time <= *run.end + kToldAtOnce;
  }

  /// A start that another one of its job follows, and no end: its worker went away, or never came to it.
  void markLost(const Indexes& parts) {
    const auto lastStart = std::find_if(parts.rbegin(), parts.rend(), [this](NodeIndex i) {
      return m_dropped[i] ? attempt(i).start.has_value() : isStart(attempt(i));
    });
    for (const NodeIndex i : m_open) {
      const bool isLast = lastStart != parts.rend() && *lastStart == i;
      if (!isLast && attempt(i).status == AttemptStatus::Running) attempt(i).status = AttemptStatus::Lost;
    }
  }

  /// One skip, told by the job in its log and by what it returned.
  void joinSkipsOfSources() {
    std::map<Job, Indexes> byJob;
    for (NodeIndex i = 0; i < m_nodes.size(); ++i) {
      const RecordHead& head = *m_nodes[i].head;
      if (m_nodes[i].kind != RecordKind::Skip || head.jobId.empty()) continue;
      byJob[{sourceOfId(head, m_policy), isTest(head), head.jobId}].push_back(i);
    }
    for (auto& [job, rows] : byJob) {
      if (rows.size() < 2) continue;
      sortByTime(rows);
      NodeIndex kept = rows.front();
      Instant last = skip(kept).time;
      for (std::size_t r = 1; r < rows.size(); ++r) {
        const bool isAgain = skip(rows[r]).time - last <= kToldAtOnce && isSameSkip(skip(kept), skip(rows[r]));
        last = skip(rows[r]).time;
        if (isAgain) joinSkips(kept, rows[r]);
        else kept = rows[r];
      }
    }
  }

  [[nodiscard]] static bool isSameSkip(const Skip& a, const Skip& b) {
    const bool haveAmounts = a.amount && b.amount;
    return agree(a.key, b.key) && agree(a.opRef, b.opRef) && agree(a.account, b.account) &&
           agree(a.fingerprint, b.fingerprint) && (!haveAmounts || a.amount == b.amount);
  }

  void joinSkips(NodeIndex kept, NodeIndex again) {
    Skip& to = skip(kept);
    const Skip& from = skip(again);
    fillHead(to, from);
    fill(to.firstFingerprint, from.firstFingerprint);
    fill(to.firstOpRef, from.firstOpRef);
    if (to.reason == SkipReason::Unspecified) to.reason = from.reason;
    drop(again);
  }

  void drop(NodeIndex row) {
    m_dropped[row] = true;
    m_any = true;
    ++m_judgement.repeats[m_nodes[row].head->place.source];
  }

  std::vector<Node>& m_nodes;
  const Policy& m_policy;
  Judgement& m_judgement;
  std::vector<bool> m_dropped;
  std::map<Job, JobRows> m_jobs;
  Indexes m_open;     ///< of the job at hand: starts without an end yet
  Indexes m_joined;   ///< and ends that have their start
  bool m_any = false;
};

}  // namespace

void joinRunRows(std::vector<Node>& nodes, const Policy& policy, Judgement& judgement) {
  if (nodes.size() < 2) return;
  RunRows(nodes, policy, judgement).run();
}

}  // namespace counterfoil::judging
