// SPDX-License-Identifier: GPL-3.0-or-later
// Half a year of nights of a shop, made from a seed: late rows, overlapping exports, corrections, refunds and second
// charges weeks later. Knows which cases stand at the end, and as what.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace counterfoil::testing {

class HalfYear {
 public:
  static constexpr int kNights = 180;
  static constexpr int kLastBreak = kNights - 12;   ///< what happens later has no time to settle

  HalfYear(unsigned seed, int keysANight) : m_random(seed), m_jobs(kNights), m_statement(kNights), m_skips(kNights) {
    for (int day = 0; day < kNights; ++day) {
      for (int i = 0; i < keysANight; ++i) addOperation(day);
    }
    for (int day = 1; day < kNights; ++day) overlap(day);
  }

  static constexpr const char* kJobsHead = "job_id,idempotency_key,op_ref,queue,status,started_at,finished_at,amount,currency\n";
  static constexpr const char* kStatementHead = "id,type,status,amount,currency,created,idempotency_key,parent_id\n";
  static constexpr const char* kSkipsHead = "idempotency_key,job_id,time,worker,reason,amount,currency\n";
  [[nodiscard]] std::string jobs(int day) const { return kJobsHead + joined(m_jobs[day]); }
  [[nodiscard]] std::string statement(int day) const { return kStatementHead + joined(m_statement[day]); }
  [[nodiscard]] std::string skips(int day) const { return kSkipsHead + joined(m_skips[day]); }

  struct Case {
    std::string unitClass;
    long cents = 0;          ///< exposure
    int since = 0;           ///< night that can know it first
    auto operator<=>(const Case&) const = default;
  };
  /// By key: what stands after the last night.
  [[nodiscard]] const std::map<std::string, Case>& truth() const { return m_truth; }
  [[nodiscard]] int skipsOfEarlierWork() const { return m_earlierSkips; }
  [[nodiscard]] int lateRows() const { return m_lateRows; }
  /// The last night that brings a row of the operation, repeats of exports left out.
  [[nodiscard]] int lastNightOf(const std::string& key) const {
    const auto known = m_lastNight.find(key);
    return known == m_lastNight.end() ? -1 : known->second;
  }

  /// "2026-01-05T06:00:00Z" for day 4 at minute 360.
  static std::string at(int day, int minute, int second = 0) {
    static constexpr int kMonths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    int month = 0;
    while (day >= kMonths[month]) day -= kMonths[month++];
    return fmt::format("2026-{:02}-{:02}T{:02}:{:02}:{:02}Z", month + 1, day + 1, minute / 60, minute % 60, second);
  }

 private:
  enum class Story {
    Plain, LateRow, Missing, Double, DoubleWeeksLater, DoubleRefundedLater, RefundedLater, Unrecorded, LateJob,
    PendingThenPosted, RunningThenDone, SkippedLater, FailedWithEffect, FailedThenDone, KeyChanged, OverMidnight,
    OtherAmount, PartlyRefundedDouble, kCount
  };

  struct Operation {
    int day = 0, minute = 0, number = 0;
    long cents = 0;
    [[nodiscard]] std::string key() const { return fmt::format("charge:{}", number); }
  };

  int below(int bound) { return static_cast<int>(m_random() % static_cast<unsigned>(bound)); }
  static std::string money(long cents) { return fmt::format("{}.{:02}", cents / 100, cents % 100); }
  static std::string joined(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) text += line;
    return text;
  }

  void touch(int night, const Operation& of) { m_lastNight[of.key()] = std::max(m_lastNight[of.key()], night); }

  void job(int night, const Operation& of, const std::string& status, int day, int minute, const std::string& key = {},
           const std::string& jobId = {}) {
    touch(night, of);
    m_jobs[night].push_back(fmt::format("{},{},order-{},payments,{},{},{},{},USD\n", jobId.empty() ? fmt::format("job-{}", of.number) : jobId,
                                        key.empty() ? of.key() : key, of.number, status, at(day, minute),
                                        status == "running" ? "" : at(day, minute, 20), money(of.cents)));
  }
  void effect(int night, const Operation& of, const std::string& id, int day, int minute, const std::string& status = "succeeded",
              const std::string& key = {}, long cents = 0) {
    touch(night, of);
    m_statement[night].push_back(fmt::format("{},charge,{},{},USD,{},{},\n", id, status, money(cents == 0 ? of.cents : cents), at(day, minute, 15),
                                             key.empty() ? of.key() : key));
  }
  /// Names the charge and nothing else.
  void refund(int night, const std::string& parent, long cents) {
    m_statement[night].push_back(fmt::format("re_{},refund,succeeded,{},USD,{},,{}\n", parent, money(cents), at(night, 700), parent));
  }
  void stands(const Operation& of, const std::string& unitClass, long cents, int since) {
    m_truth[of.key()] = {unitClass, cents, since};
  }

  void addOperation(int day) {
    const Operation of{day, 60 + below(1300), m_next++, 500 + below(20'000)};
    auto story = static_cast<Story>(below(static_cast<int>(Story::kCount) * 3));
    if (story >= Story::kCount || day > kLastBreak) story = Story::Plain;
    tell(story, of, std::min(day + 5 + below(60), kNights - 5));
  }

  void tell(Story story, const Operation& of, int later) {
    if (story == Story::DoubleRefundedLater || story == Story::PartlyRefundedDouble) touch(later, of);
    const int day = of.day, minute = of.minute;
    const std::string id = fmt::format("ch_{}", of.number), second = id + "b";
    const auto plain = [&] {
      job(day, of, "done", day, minute);
      effect(day, of, id, day, minute);
    };
    switch (story) {
      case Story::Plain: plain(); break;
      case Story::LateRow:
        job(day, of, "done", day, minute);
        effect(day + 1 + below(4), of, id, day, minute);
        ++m_lateRows;
        break;
      case Story::Missing:
        job(day, of, "done", day, minute);
        stands(of, "missing_effect", of.cents, day + 2);
        break;
      case Story::Double:
        plain();
        effect(day, of, second, day, minute + 1);
        stands(of, "duplicate_effect", of.cents, day);
        break;
      case Story::DoubleWeeksLater:
        plain();
        effect(later, of, second, later, minute);
        stands(of, "duplicate_effect", of.cents, later);
        break;
      case Story::DoubleRefundedLater:
        plain();
        effect(day, of, second, day, minute + 1);
        refund(later, second, of.cents);
        break;
      case Story::PartlyRefundedDouble:
        plain();
        effect(day, of, second, day, minute + 1);
        refund(later, second, 200);
        stands(of, "duplicate_effect", of.cents - 200, day);
        break;
      case Story::RefundedLater:
        plain();
        refund(later, id, of.cents);
        break;
      case Story::Unrecorded:
        effect(day, of, id, day, minute);
        stands(of, "unrecorded_effect", of.cents, day + 1);
        break;
      case Story::LateJob:
        effect(day, of, id, day, minute);
        job(day + 2, of, "done", day, minute);
        break;
      case Story::PendingThenPosted:
        job(day, of, "done", day, minute);
        effect(day, of, id, day, minute, "pending");
        effect(day + 2, of, id, day, minute);
        break;
      case Story::RunningThenDone:
        job(day, of, "running", day, minute);
        effect(day, of, id, day, minute);
        job(day + 1, of, "done", day, minute);
        break;
      case Story::SkippedLater:
        plain();
        m_skips[later].push_back(fmt::format("{},job-{}-again,{},w1,already_done,{},USD\n", of.key(), of.number, at(later, minute), money(of.cents)));
        ++m_earlierSkips;
        break;
      case Story::FailedWithEffect:
        job(day, of, "failed", day, minute);
        effect(day, of, id, day, minute);
        stands(of, "effect_despite_failure", of.cents, day);
        break;
      case Story::FailedThenDone:
        job(day, of, "failed", day, minute);
        job(day + 1, of, "done", day + 1, minute);
        effect(day + 1, of, id, day + 1, minute);
        break;
      case Story::KeyChanged:
        plain();
        job(day + 1, of, "done", day + 1, minute, of.key() + ":retry");
        effect(day + 1, of, second, day + 1, minute, "succeeded", of.key() + ":retry");
        stands(of, "duplicate_effect", of.cents, day + 1);
        break;
      case Story::OverMidnight:
        job(day, of, "done", day, 1439);
        m_statement[day + 1].push_back(fmt::format("{},charge,succeeded,{},USD,{},{},\n", id, money(of.cents), at(day + 1, 0, 10), of.key()));
        break;
      case Story::OtherAmount:
        job(day, of, "done", day, minute);
        effect(day, of, id, day, minute, "succeeded", {}, of.cents + 100);
        stands(of, "amount_mismatch", 100, day);
        break;
      case Story::kCount: break;
    }
  }

  /// Each seventh statement begins a day early, each ninth job export repeats the day before.
  void overlap(int day) {
    if (day % 7 == 3) m_statement[day].insert(m_statement[day].begin(), m_statement[day - 1].begin(), m_statement[day - 1].end());
    if (day % 9 == 4) m_jobs[day].insert(m_jobs[day].begin(), m_jobs[day - 1].begin(), m_jobs[day - 1].end());
  }

  std::mt19937 m_random;
  int m_next = 1, m_earlierSkips = 0, m_lateRows = 0;
  std::vector<std::vector<std::string>> m_jobs, m_statement, m_skips;
  std::map<std::string, Case> m_truth;
  std::map<std::string, int> m_lastNight;
};

}  // namespace counterfoil::testing
