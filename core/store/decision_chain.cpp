// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/decision_chain.h"

#include <fmt/format.h>

#include <map>

#include "core/base/hash.h"
#include "core/store/ignore_rules.h"
#include "core/store/packing.h"
#include "core/store/store_impl.h"

namespace counterfoil {
namespace {

constexpr std::size_t kFaultsMost = 20;
constexpr const char* kColumns =
    "id, action, case_id, at, who, sets, state, assignee, note, reason, judged, records_digest, bulk, undoes, rule, "
    "previous, digest";
constexpr const char* kHead = "decisions_head";

std::string textOf(const std::optional<std::int64_t>& value) {
  return value ? std::to_string(*value) : std::string();
}

Decision readDecision(const Statement& row) {
  Decision out;
  out.number = row.integer(0);
  out.action = row.text(1);
  out.caseId = row.text(2);
  out.at = row.instant(3);
  out.who = row.text(4);
  out.sets = static_cast<int>(row.integer(5));
  out.state = row.text(6);
  out.assignee = row.text(7);
  out.note = row.text(8);
  out.reason = row.text(9);
  out.judged = row.text(10);
  out.recordsDigest = row.text(11);
  out.bulk = row.maybeInteger(12);
  out.undoes = row.maybeInteger(13);
  out.rule = row.maybeInteger(14);
  out.previous = row.text(15);
  out.digest = row.text(16);
  return out;
}

Result<std::optional<Decision>> firstDecision(Statement& statement) {
  const auto row = statement.step();
  if (!row) return fail(row.error());
  if (!*row) return std::optional<Decision>();
  auto decision = readDecision(statement);
  statement.reset();
  return std::optional(std::move(decision));
}

Result<std::optional<std::string>> notedHead(Database& database) {
  auto statement = database.prepare("SELECT value FROM meta WHERE name = ?");
  if (!statement) return fail(statement.error());
  statement->bindAll(kHead);
  const auto row = statement->step();
  if (!row) return fail(row.error());
  if (!*row) return std::optional<std::string>();
  return std::optional(std::string(statement->text(0)));
}

std::string headText(std::int64_t count, const std::string& digest) {
  return fmt::format("{} {}", count, digest);
}

class ChainCheck {
 public:
  ChainCheck(Database& database, const std::string& expected) : m_database(database), m_expected(expected) {}

  Result<ChainReport> run() {
    if (auto ok = walk(); !ok) return fail(ok.error());
    const auto noted = notedHead(m_database);
    if (!noted) return fail(noted.error());
    const std::string wanted = m_report.decisions == 0 ? "" : headText(m_report.decisions, m_report.head);
    if (m_report.faults.empty() && noted->value_or("") != wanted) {
      add(fmt::format("the chain ends with decision {}, and the store notes another end: decisions at the end are missing",
                      m_report.decisions));
    }
    if (!m_expected.empty() && !m_sawExpected) add("the seal " + m_expected + " is not in the chain");
    if (auto ok = checkCases(); !ok) return fail(ok.error());
    if (auto ok = checkRules(); !ok) return fail(ok.error());
    return std::move(m_report);
  }

 private:
  void add(std::string fault) {
    if (m_report.faults.size() < kFaultsMost) m_report.faults.push_back(std::move(fault));
  }

  Result<> walk() {
    auto statement = m_database.prepare(fmt::format("SELECT {} FROM decisions ORDER BY id", kColumns));
    if (!statement) return fail(statement.error());
    std::int64_t next = 1;
    return forEachRow(*statement, [&](const Statement& row) -> Result<bool> {
      const Decision decision = readDecision(row);
      if (decision.number != next) add(fmt::format("decision {} is missing", next));
      checkLink(decision);
      if (decision.action == "ignore" && decision.rule) m_rules[*decision.rule] = decision;
      if (decision.action == "unignore" && decision.rule) m_removals[*decision.rule] = decision.number;
      next = decision.number + 1;
      ++m_report.decisions;
      m_report.head = decision.digest;
      m_sawExpected = m_sawExpected || decision.digest == m_expected;
      return true;
    });
  }

  void checkLink(const Decision& decision) {
    if (decision.previous != m_report.head) {
      add(fmt::format("decision {} does not follow the one before it: something was taken out, put in or moved", decision.number));
    }
    if (digestOf(decision) != decision.digest) add(fmt::format("decision {} was changed after it was made", decision.number));
  }

  /// A case that a person moved stands where the last decision left it.
  Result<> checkCases() {
    auto statement = m_database.prepare(
        "SELECT case_id, state, assignee FROM cases WHERE assignee <> '' OR "
        "state IN ('assigned', 'investigating', 'awaiting_fix', 'resolved', 'dismissed', 'force_closed') ORDER BY case_id");
    if (!statement) return fail(statement.error());
    return forEachRow(*statement, [&](const Statement& row) -> Result<bool> {
      const CaseId id(row.text(0));
      const std::string state(row.text(1)), assignee(row.text(2));
      const auto byState = standingDecision(m_database, id, kSetsState);
      const auto byAssignee = standingDecision(m_database, id, kSetsAssignee);
      if (!byState) return fail(byState.error());
      if (!byAssignee) return fail(byAssignee.error());
      const bool moved = state != "open" && state != "reopened" && state != "auto_cleared";
      if (moved && (!*byState || (*byState)->state != state)) {
        add(fmt::format("case {} is {}, and no decision says so", id, state));
      }
      if (!assignee.empty() && (!*byAssignee || (*byAssignee)->assignee != assignee)) {
        add(fmt::format("case {} is assigned to somebody, and no decision says so", id));
      }
      return m_report.faults.size() < kFaultsMost;
    });
  }

  Result<> checkRules() {
    const auto rules = loadIgnoreRules(m_database, RulesWanted::All);
    if (!rules) return fail(rules.error());
    for (const IgnoreRule& rule : *rules) {
      const auto made = m_rules.find(rule.number);
      if (made == m_rules.end() || made->second.note != counterfoil::textOf(rule) || made->second.reason != rule.reason) {
        add(fmt::format("ignore rule {} is not as it was decided", rule.number));
      }
      const auto removed = m_removals.find(rule.number);
      if (rule.removed != (removed == m_removals.end() ? 0 : removed->second)) {
        add(fmt::format("ignore rule {} is {} force, and the decisions say otherwise", rule.number, rule.removed == 0 ? "in" : "out of"));
      }
      if (made != m_rules.end()) m_rules.erase(made);
    }
    for (const auto& [number, decision] : m_rules) add(fmt::format("ignore rule {} is missing", number));
    return {};
  }

  Database& m_database;
  const std::string& m_expected;
  ChainReport m_report;
  bool m_sawExpected = false;
  std::map<std::int64_t, Decision> m_rules;
  std::map<std::int64_t, std::int64_t> m_removals;
};

}  // namespace

std::string digestOf(const Decision& decision) {
  return sha256Hex(packTexts({decision.previous, std::to_string(decision.number), decision.action, decision.caseId,
                              std::to_string(decision.at.time_since_epoch().count()), decision.who,
                              std::to_string(decision.sets), decision.state, decision.assignee, decision.note,
                              decision.reason, decision.judged, decision.recordsDigest, textOf(decision.bulk),
                              textOf(decision.undoes), textOf(decision.rule)}));
}

Result<Decision> appendDecision(Database& database, Decision decision) {
  auto last = database.prepare("SELECT id, digest FROM decisions ORDER BY id DESC LIMIT 1");
  if (!last) return fail(last.error());
  const auto row = last->step();
  if (!row) return fail(row.error());
  decision.number = *row ? last->integer(0) + 1 : 1;
  decision.previous = *row ? std::string(last->text(1)) : std::string();
  last->reset();
  decision.digest = digestOf(decision);
  auto ok = database.run(fmt::format("INSERT INTO decisions({}) VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)", kColumns),
                         decision.number, decision.action, decision.caseId, decision.at, decision.who, decision.sets,
                         decision.state, decision.assignee, decision.note, decision.reason, decision.judged,
                         decision.recordsDigest, decision.bulk, decision.undoes, decision.rule, decision.previous,
                         decision.digest);
  if (!ok) return fail(ok.error());
  const std::string head = headText(decision.number, decision.digest);
  ok = database.run("INSERT INTO meta(name, value) VALUES(?1, ?2) ON CONFLICT(name) DO UPDATE SET value = ?2", kHead, head);
  if (!ok) return fail(ok.error());
  return decision;
}

Result<std::optional<Decision>> loadDecision(Database& database, std::int64_t number) {
  auto statement = database.prepare(fmt::format("SELECT {} FROM decisions WHERE id = ?", kColumns));
  if (!statement) return fail(statement.error());
  statement->bindAll(number);
  return firstDecision(*statement);
}

Result<std::optional<Decision>> standingDecision(Database& database, const CaseId& caseId, int what, std::int64_t but) {
  auto statement = database.prepare(fmt::format(
      "SELECT {} FROM decisions d WHERE d.action = 'review' AND (d.sets & ?2) <> 0 AND d.id <> ?3 "
      "AND NOT EXISTS (SELECT 1 FROM decisions x WHERE x.undoes = d.id) AND (d.case_id = ?1 "
      "OR d.case_id IN (SELECT alias FROM case_aliases WHERE case_id = ?1)) ORDER BY d.id DESC LIMIT 1",
      kColumns));
  if (!statement) return fail(statement.error());
  statement->bindAll(caseId, what, but);
  return firstDecision(*statement);
}

Result<ChainReport> verifyChain(Database& database, const std::string& expected) {
  return ChainCheck(database, expected).run();
}

}  // namespace counterfoil
