// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/decisions.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/text.h"
#include "core/store/case_review.h"
#include "core/store/failpoint.h"
#include "core/store/store_impl.h"

namespace counterfoil {
namespace {

constexpr int kLockTries = 6;   ///< of ten seconds each
constexpr std::size_t kRefusedShown = 5;

Result<Transaction> beginReview(Database& database) {
  for (int i = 1;; ++i) {
    auto transaction = Transaction::begin(database, Transaction::Kind::Write);
    if (transaction || transaction.error().code != ErrorCode::Locked || i == kLockTries) return transaction;
  }
}

Result<> commitReview(Transaction& transaction) {
  failpoint("decide");
  if (auto ok = transaction.commit(); !ok) return ok;
  failpoint("decided");
  return {};
}

Result<> checkText(std::string_view name, const std::string& text, std::size_t most, bool isNote) {
  if (text.size() > most) return fail(ErrorCode::Usage, fmt::format("{} is longer than {} bytes", name, most));
  if (!isValidUtf8(text)) return fail(ErrorCode::Usage, fmt::format("{} is not UTF-8", name));
  const bool hasControls = std::any_of(text.begin(), text.end(), [&](char c) {
    return (static_cast<unsigned char>(c) < 0x20 && !(isNote && (c == '\n' || c == '\t'))) || c == 0x7f;
  });
  if (hasControls) return fail(ErrorCode::Usage, fmt::format("{} holds control characters", name));
  return {};
}

Decision rowOf(const ReviewedCase& of, const ReviewChange& change, const NextReview& next, const Signature& signature,
               std::optional<std::int64_t> bulk) {
  Decision row;
  row.action = "review";
  row.caseId = of.id;
  row.at = signature.at;
  row.who = signature.who;
  row.sets = next.sets;
  row.state = codeOf(next.state);
  row.assignee = next.assignee;
  row.note = change.note;
  row.reason = change.reason;
  row.judged = of.judged;
  row.recordsDigest = of.recordsDigest;
  row.bulk = bulk;
  return row;
}

/// Inside of a transaction.
Result<ReviewOutcome> decide(Database& database, const CaseId& named, const ReviewChange& change, const Signature& signature,
                             std::optional<std::int64_t> bulk) {
  const auto found = loadCase(database, named);
  if (!found) return fail(found.error());
  const auto next = nextReview(database, *found, change);
  if (!next) return fail(next.error());
  ReviewOutcome out{found->id, 0, found->state, found->state};
  if (!*next) return out;
  const auto row = appendDecision(database, rowOf(*found, change, **next, signature, bulk));
  if (!row) return fail(row.error());
  if (auto ok = writeReview(database, *found, (*next)->state, (*next)->assignee); !ok) return fail(ok.error());
  out.decision = row->number;
  out.after = (*next)->state;
  return out;
}

/// The state that a case has without one of its decisions.
Result<ReviewState> stateWithout(Database& database, const ReviewedCase& of, const Decision& undone) {
  const auto last = standingDecision(database, of.id, kSetsState);
  if (!last) return fail(last.error());
  // A later decision, or a run, has said something else since: that stands.
  if (!*last || (*last)->number != undone.number || undone.state != codeOf(of.state)) return of.state;
  const auto before = standingDecision(database, of.id, kSetsState, undone.number);
  if (!before) return fail(before.error());
  ReviewState state = ReviewState::Open;
  if (*before) {
    const auto known = reviewStateFromCode((*before)->state);
    if (!known) return brokenStore("a decision");
    state = *known;
    // That one was made about other records.
    if (isDecided(state) && (*before)->recordsDigest != of.recordsDigest) state = ReviewState::Reopened;
  }
  if (!isDecided(state) && of.wasCleared) state = ReviewState::AutoCleared;
  return state;
}

Result<std::string> assigneeWithout(Database& database, const ReviewedCase& of, const Decision& undone) {
  const auto last = standingDecision(database, of.id, kSetsAssignee);
  if (!last) return fail(last.error());
  if (!*last || (*last)->number != undone.number) return of.assignee;
  const auto before = standingDecision(database, of.id, kSetsAssignee, undone.number);
  if (!before) return fail(before.error());
  return *before ? (*before)->assignee : std::string();
}

Result<ReviewOutcome> undo(Database& database, const Decision& undone, const std::string& why, const Signature& signature,
                           std::optional<std::int64_t> bulk) {
  const auto found = loadCase(database, undone.caseId);
  if (!found) return fail(found.error());
  const auto state = (undone.sets & kSetsState) != 0 ? stateWithout(database, *found, undone) : Result<ReviewState>(found->state);
  if (!state) return fail(state.error());
  auto assignee = (undone.sets & kSetsAssignee) != 0 ? assigneeWithout(database, *found, undone)
                                                     : Result<std::string>(found->assignee);
  if (!assignee) return fail(assignee.error());
  Decision row = rowOf(*found, {{}, {}, {}, why, {}}, {*state, *assignee, 0}, signature, bulk);
  row.action = "undo";
  row.undoes = undone.number;
  const auto added = appendDecision(database, std::move(row));
  if (!added) return fail(added.error());
  if (auto ok = writeReview(database, *found, *state, *assignee); !ok) return fail(ok.error());
  return ReviewOutcome{found->id, added->number, found->state, *state};
}

Result<> checkUndo(Database& database, const std::optional<Decision>& decision, std::int64_t number) {
  if (!decision) return fail(ErrorCode::Missing, fmt::format("there is no decision {}", number));
  if (decision->action == "ignore" || decision->action == "unignore") {
    return fail(ErrorCode::Usage, fmt::format("decision {} is about an ignore rule; counterfoil ignore STORE remove {} ends it", number,
                                              decision->rule.value_or(0)));
  }
  if (decision->action != "review") {
    return fail(ErrorCode::Usage, fmt::format("decision {} is an undo itself; decide again instead", number));
  }
  const auto by = database.integer("SELECT id FROM decisions WHERE undoes = ?", number);
  if (!by) return fail(by.error());
  if (*by) return fail(ErrorCode::Usage, fmt::format("decision {} is undone already, by decision {}", number, **by));
  return {};
}

Result<std::int64_t> nextBulk(Database& database) {
  const auto last = database.integer("SELECT max(bulk) FROM decisions");
  if (!last) return fail(last.error());
  return last->value_or(0) + 1;
}

Result<std::vector<CaseId>> casesOf(const Store& store, const ListFilter& filter) {
  std::vector<CaseId> ids;
  bool isTooMany = false;
  auto ok = store.forEachUnit(filter, [&](const StoredUnit& unit) {
    isTooMany = ids.size() == kBulkCasesMost;
    if (!isTooMany) ids.push_back(unit.unit.id);
    return !isTooMany;
  });
  if (!ok) return fail(ok.error());
  if (isTooMany) return fail(ErrorCode::Usage, fmt::format("more than {} cases at once; narrow the filter", kBulkCasesMost));
  return ids;
}

void noteRefusal(BulkOutcome& out, const Error& error) {
  ++out.refusedCount;
  if (out.refused.size() < kRefusedShown) out.refused.push_back(error.message);
}

Result<bool> consents(const BulkConsent& consent, const BulkOutcome& out) {
  if (out.refusedCount > 0 || out.changed == 0 || consent.kind == BulkConsent::Kind::Preview) return false;
  if (consent.kind == BulkConsent::Kind::Expect && consent.expected != out.changed) {
    return fail(ErrorCode::Usage, fmt::format("{} cases would change, not {}; nothing was changed", out.changed, consent.expected));
  }
  return true;
}

/// Sets what the rule hides; a person's work is not touched.
Result<std::uint64_t> hideByRule(const Store& store, const IgnoreRule& rule) {
  Database& database = store.impl().database;
  const auto asOf = store.latestAsOf();
  if (!asOf) return fail(asOf.error());
  ListFilter filter;
  filter.states = {ReviewState::Open, ReviewState::Reopened};
  filter.classes = rule.classes;
  std::vector<CaseId> hidden;
  auto ok = store.forEachUnit(filter, [&](const StoredUnit& stored) {
    if (fitsRule(rule, stored.unit, asOf->value_or(Instant()))) hidden.push_back(stored.unit.id);
    return true;
  });
  if (!ok) return fail(ok.error());
  auto update = database.prepare("UPDATE cases SET ignored_by = ? WHERE case_id = ? AND standing = 1");
  if (!update) return fail(update.error());
  std::uint64_t count = 0;
  for (const CaseId& id : hidden) {
    if (ok = update->run(rule.number, id); !ok) return fail(ok.error());
    count += static_cast<std::uint64_t>(database.changes());
  }
  return count;
}

Decision ruleRow(const IgnoreRule& rule, std::string_view action, const std::string& reason, const Signature& signature) {
  Decision row;
  row.action = action;
  row.at = signature.at;
  row.who = signature.who;
  row.note = textOf(rule);
  row.reason = reason;
  row.rule = rule.number;
  return row;
}

Result<> checkRule(const IgnoreRule& rule) {
  if (rule.classes.empty()) return fail(ErrorCode::Usage, "a rule names the classes it hides: add --class");
  for (const Class each : rule.classes) {
    if (groupOf(each) != ClassGroup::Closed) continue;
    return fail(ErrorCode::Usage, fmt::format("{} is no break and not open: there is nothing to hide", codeOf(each)));
  }
  if (rule.reason.empty()) return fail(ErrorCode::Usage, "a rule needs a reason: add --reason");
  const std::pair<std::string_view, const std::string*> texts[] = {{"--key", &rule.key}, {"--operation", &rule.operation},
                                                                   {"--queue", &rule.queue}};
  for (const auto& [name, text] : texts) {
    if (auto ok = checkText(name, *text, kReasonBytesMost, false); !ok) return ok;
  }
  return checkText("--scope", rule.scope.value_or(""), kReasonBytesMost, false);
}

}  // namespace

Result<> checkTexts(const ReviewChange& change, const Signature& signature) {
  if (signature.who.empty()) return fail(ErrorCode::Usage, "nobody is named who decides: set COUNTERFOIL_USER, or add --as NAME");
  if (auto ok = checkText("the name of who decides", signature.who, kNameBytesMost, false); !ok) return ok;
  if (auto ok = checkText("the assignee", change.assignee.value_or(""), kNameBytesMost, false); !ok) return ok;
  if (auto ok = checkText("the note", change.note, kNoteBytesMost, true); !ok) return ok;
  return checkText("the reason", change.reason, kReasonBytesMost, false);
}

Result<ReviewOutcome> decideCase(const Store& store, const CaseId& caseId, const ReviewChange& change, const Signature& signature) {
  if (auto ok = checkTexts(change, signature); !ok) return fail(ok.error());
  Database& database = store.impl().database;
  auto transaction = beginReview(database);
  if (!transaction) return fail(transaction.error());
  auto out = decide(database, caseId, change, signature, {});
  if (!out || out->decision == 0) return out;
  if (auto ok = commitReview(*transaction); !ok) return fail(ok.error());
  return out;
}

Result<BulkOutcome> decideAll(const Store& store, const ListFilter& filter, const ReviewChange& change,
                              const Signature& signature, const BulkConsent& consent) {
  if (auto ok = checkTexts(change, signature); !ok) return fail(ok.error());
  Database& database = store.impl().database;
  auto transaction = beginReview(database);
  if (!transaction) return fail(transaction.error());
  const auto ids = casesOf(store, filter);
  if (!ids) return fail(ids.error());
  const auto bulk = nextBulk(database);
  if (!bulk) return fail(bulk.error());
  BulkOutcome out;
  for (const CaseId& id : *ids) {
    const auto decided = decide(database, id, change, signature, *bulk);
    if (!decided && decided.error().code != ErrorCode::Usage) return fail(decided.error());
    if (!decided) {
      noteRefusal(out, decided.error());
    } else {
      ++(decided->decision == 0 ? out.already : out.changed);
    }
  }
  const auto consented = consents(consent, out);
  if (!consented) return fail(consented.error());
  if (!*consented) return out;   // the transaction is rolled back
  if (auto ok = commitReview(*transaction); !ok) return fail(ok.error());
  out.bulk = *bulk;
  return out;
}

Result<ReviewOutcome> undoDecision(const Store& store, std::int64_t number, const std::string& why, const Signature& signature) {
  if (auto ok = checkTexts({{}, {}, {}, why, {}}, signature); !ok) return fail(ok.error());
  Database& database = store.impl().database;
  auto transaction = beginReview(database);
  if (!transaction) return fail(transaction.error());
  const auto decision = loadDecision(database, number);
  if (!decision) return fail(decision.error());
  if (auto ok = checkUndo(database, *decision, number); !ok) return fail(ok.error());
  auto out = undo(database, **decision, why, signature, {});
  if (!out) return out;
  if (auto ok = commitReview(*transaction); !ok) return fail(ok.error());
  return out;
}

Result<BulkOutcome> undoBulk(const Store& store, std::int64_t bulk, const std::string& why, const Signature& signature) {
  if (auto ok = checkTexts({{}, {}, {}, why, {}}, signature); !ok) return fail(ok.error());
  Database& database = store.impl().database;
  auto transaction = beginReview(database);
  if (!transaction) return fail(transaction.error());
  auto statement = database.prepare(
      "SELECT id, (SELECT 1 FROM decisions x WHERE x.undoes = d.id) FROM decisions d "
      "WHERE bulk = ? AND action = 'review' ORDER BY id DESC");
  if (!statement) return fail(statement.error());
  statement->bindAll(bulk);
  std::vector<std::int64_t> numbers;
  BulkOutcome out;
  auto ok = forEachRow(*statement, [&](const Statement& row) -> Result<bool> {
    if (row.isNull(1)) numbers.push_back(row.integer(0));
    else ++out.already;
    return true;
  });
  if (!ok) return fail(ok.error());
  if (numbers.empty() && out.already == 0) return fail(ErrorCode::Missing, fmt::format("there is no bulk {}", bulk));
  const auto own = nextBulk(database);
  if (!own) return fail(own.error());
  for (const std::int64_t number : numbers) {
    const auto decision = loadDecision(database, number);
    if (!decision) return fail(decision.error());
    const auto undone = undo(database, **decision, why, signature, *own);
    if (!undone) return fail(undone.error());
    ++out.changed;
  }
  if (numbers.empty()) return out;
  if (ok = commitReview(*transaction); !ok) return fail(ok.error());
  out.bulk = *own;
  return out;
}

Result<RuleOutcome> addIgnoreRule(const Store& store, IgnoreRule rule, const Signature& signature) {
  if (auto ok = checkTexts({{}, {}, {}, rule.reason, {}}, signature); !ok) return fail(ok.error());
  if (auto ok = checkRule(rule); !ok) return fail(ok.error());
  Database& database = store.impl().database;
  auto transaction = beginReview(database);
  if (!transaction) return fail(transaction.error());
  const auto last = database.integer("SELECT max(rule) FROM ignore_rules");
  if (!last) return fail(last.error());
  rule.number = last->value_or(0) + 1;
  const auto row = appendDecision(database, ruleRow(rule, "ignore", rule.reason, signature));
  if (!row) return fail(row.error());
  if (auto ok = insertIgnoreRule(database, rule); !ok) return fail(ok.error());
  const auto hidden = hideByRule(store, rule);
  if (!hidden) return fail(hidden.error());
  if (auto ok = commitReview(*transaction); !ok) return fail(ok.error());
  return RuleOutcome{rule.number, *hidden};
}

Result<RuleOutcome> removeIgnoreRule(const Store& store, std::int64_t number, const std::string& why, const Signature& signature) {
  if (auto ok = checkTexts({{}, {}, {}, why, {}}, signature); !ok) return fail(ok.error());
  Database& database = store.impl().database;
  auto transaction = beginReview(database);
  if (!transaction) return fail(transaction.error());
  const auto rules = loadIgnoreRules(database, RulesWanted::All);
  if (!rules) return fail(rules.error());
  const auto rule = std::find_if(rules->begin(), rules->end(), [&](const IgnoreRule& each) { return each.number == number; });
  if (rule == rules->end()) return fail(ErrorCode::Missing, fmt::format("there is no ignore rule {}", number));
  if (rule->removed != 0) return fail(ErrorCode::Usage, fmt::format("ignore rule {} is removed already", number));
  const auto row = appendDecision(database, ruleRow(*rule, "unignore", why, signature));
  if (!row) return fail(row.error());
  if (auto ok = database.run("UPDATE ignore_rules SET removed = ? WHERE rule = ?", row->number, number); !ok) return fail(ok.error());
  if (auto ok = database.run("UPDATE cases SET ignored_by = NULL WHERE ignored_by = ?", number); !ok) return fail(ok.error());
  const auto count = static_cast<std::uint64_t>(rule->hidden);
  // Another rule may hide some of them.
  for (const IgnoreRule& other : *rules) {
    if (other.removed != 0 || other.number == number) continue;
    if (const auto hidden = hideByRule(store, other); !hidden) return fail(hidden.error());
  }
  if (auto ok = commitReview(*transaction); !ok) return fail(ok.error());
  return RuleOutcome{number, count};
}

Result<ChainReport> auditDecisions(const Store& store, const std::string& expectedSeal) {
  Database& database = store.impl().database;
  auto transaction = Transaction::begin(database, Transaction::Kind::Read);
  if (!transaction) return fail(transaction.error());
  return verifyChain(database, expectedSeal);
}

Result<CaseId> standingIdOf(const Store& store, const CaseId& named) {
  const auto found = loadCase(store.impl().database, named);
  if (!found) return fail(found.error());
  return found->id;
}

Result<std::vector<IgnoreRule>> ignoreRulesOf(const Store& store, RulesWanted wanted) {
  return loadIgnoreRules(store.impl().database, wanted);
}

}  // namespace counterfoil
