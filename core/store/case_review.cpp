// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/case_review.h"

#include <fmt/format.h>

#include "core/base/text.h"
#include "core/store/store_impl.h"

namespace counterfoil {
namespace {

tl::unexpected<Error> refuse(const ReviewedCase& of, std::string_view why) {
  return fail(ErrorCode::Usage, fmt::format("case {}: {}", of.id, why));
}

/// Decisions of runs are not for people to make, and closing one needs a reason.
Result<> checkWanted(const ReviewedCase& of, ReviewState to, const ReviewChange& change) {
  if (to == ReviewState::Open) {
    return refuse(of, "open is how a case begins; a closed one is opened again with reopened, a decision is taken back with --undo");
  }
  if (to == ReviewState::AutoCleared) return refuse(of, "auto_cleared is what a run decides; use resolved or force_closed");
  if (isDecided(to) && change.reason.empty()) return refuse(of, fmt::format("{} needs a reason: add --reason", codeOf(to)));
  if (to == ReviewState::Assigned && change.assignee.value_or(of.assignee).empty()) {
    return refuse(of, "assigned needs somebody: add --assignee");
  }
  return {};
}

Result<> checkTransition(const ReviewedCase& of, ReviewState to) {
  const bool isClosed = isDecided(of.state) || of.state == ReviewState::AutoCleared;
  if (!of.isOpenByRules) {
    return refuse(of, fmt::format("the books agree about it ({}): there is nothing to decide; notes can be added", of.judged));
  }
  if (to == ReviewState::Reopened && !isClosed) {
    return refuse(of, fmt::format("it is {} and so not closed", codeOf(of.state)));
  }
  if (isClosed && to != ReviewState::Reopened && !(isDecided(of.state) && to == of.state)) {
    return refuse(of, fmt::format("it is {}; set it to reopened first, or take the decision back with --undo", codeOf(of.state)));
  }
  return {};
}

/// Is the last word about the case this one already?
Result<bool> isSaid(Database& database, const ReviewedCase& of, const ReviewChange& change) {
  const auto standing = standingDecision(database, of.id, kSetsState);
  if (!standing) return fail(standing.error());
  return change.reason.empty() || (*standing && (*standing)->reason == change.reason);
}

Result<bool> isNoted(Database& database, const ReviewedCase& of, const std::string& note) {
  if (note.empty()) return true;
  const auto seen = database.integer(
      "SELECT 1 FROM decisions d WHERE d.note = ?2 AND d.action = 'review' AND (d.case_id = ?1 OR d.case_id IN "
      "(SELECT alias FROM case_aliases WHERE case_id = ?1)) AND NOT EXISTS (SELECT 1 FROM decisions x WHERE x.undoes = d.id)",
      of.id, note);
  if (!seen) return fail(seen.error());
  return seen->has_value();
}

}  // namespace

Result<ReviewedCase> loadCase(Database& database, const CaseId& named) {
  auto statement = database.prepare(
      "SELECT c.case_id, c.state, c.assignee, c.records_digest, u.class, c.cleared_run, c.ignored_by FROM cases c "
      "JOIN units u ON u.case_id = c.case_id AND u.run = c.unit_run "
      "WHERE c.case_id = coalesce((SELECT a.case_id FROM case_aliases a WHERE a.alias = ?1), ?1)");
  if (!statement) return fail(statement.error());
  statement->bindAll(named);
  const auto row = statement->step();
  if (!row) return fail(row.error());
  if (!*row) {
    return fail(ErrorCode::Missing, fmt::format("no case has the id '{}'; counterfoil cases lists them", forTerminal(named)));
  }
  ReviewedCase out;
  out.id = statement->text(0);
  const auto state = reviewStateFromCode(statement->text(1));
  const auto judged = classFromCode(statement->text(4));
  if (!state || !judged) return brokenStore("the state of case " + out.id);
  out.state = *state;
  out.assignee = statement->text(2);
  out.recordsDigest = statement->text(3);
  out.judged = statement->text(4);
  out.isOpenByRules = groupOf(*judged) != ClassGroup::Closed;
  // A plain night that cleared it left no row: the last one that is there says what it was.
  out.wasCleared = !statement->isNull(5);
  if (out.wasCleared) out.isOpenByRules = false;
  out.ignoredBy = statement->maybeInteger(6).value_or(0);
  return out;
}

Result<std::optional<NextReview>> nextReview(Database& database, const ReviewedCase& of, const ReviewChange& change) {
  if (!of.recordsDigest.starts_with(change.caseVersion)) {
    return refuse(of, "its records have changed since; look at it again");
  }
  NextReview next{of.state, change.assignee.value_or(of.assignee), 0};
  auto state = change.state;
  if (!state && change.assignee && !change.assignee->empty() && isHideable(of.state) && of.isOpenByRules) {
    state = ReviewState::Assigned;
  }
  if (state) {
    if (auto ok = checkWanted(of, *state, change); !ok) return fail(ok.error());
    const auto said = isSaid(database, of, change);
    if (!said) return fail(said.error());
    if (*state != of.state || !*said) {
      if (auto ok = checkTransition(of, *state); !ok) return fail(ok.error());
      next.state = *state;
      next.sets |= kSetsState;
    }
  } else if (change.assignee && change.assignee->empty() && of.state == ReviewState::Assigned) {
    next.state = ReviewState::Open;
    next.sets |= kSetsState;
  }
  if (next.assignee != of.assignee) next.sets |= kSetsAssignee;
  const auto noted = isNoted(database, of, change.note);
  if (!noted) return fail(noted.error());
  if (next.sets == 0 && *noted) return std::optional<NextReview>();
  return std::optional(next);
}

Result<> writeReview(Database& database, const ReviewedCase& of, ReviewState state, const std::string& assignee) {
  return database.run(
      "UPDATE cases SET state = ?2, assignee = ?3, standing = CASE WHEN ?4 THEN 1 ELSE standing END WHERE case_id = ?1", of.id,
      codeOf(state), assignee, of.isOpenByRules && !isDecided(state) && state != ReviewState::AutoCleared);
}

}  // namespace counterfoil
