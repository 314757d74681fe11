// SPDX-License-Identifier: GPL-3.0-or-later
// Every class, sub-code, hint, flag, severity and verdict is raised by a night and not by its near miss. The
// codes come from the enums: a code that is added without a row here fails.
#include "tests/core/support/expectation.h"

using namespace counterfoil;
using namespace counterfoil::testing;

namespace {

/// Makes the night that raises the code; `near`: the same but for the one thing it hangs on.
using Make = void (*)(Night&, bool near);
struct Row {
  std::string_view code;
  Make make;
};

void twice(Night& n, const char* second = "k") { n.add(attempt("k"), effect("a").key("k"), effect("b").key(second)); }

const std::vector<Row> kClassRows = {
    {"duplicate_effect", [](Night& n, bool near) { twice(n, near ? "l" : "k"); }},
    {"duplicate_reversed", [](Night& n, bool near) { twice(n); n.add(refund("r").parent(near ? "x" : "b").at(12h)); }},
    {"duplicate_booking", [](Night& n, bool near) {
       if (!near) n.operation().direction = Direction::Inbound;
       n.add(attempt("k"), attempt("k").at(11h), effect("e").key("k"));
     }},
    {"split_mismatch", [](Night& n, bool near) {
       n.operation().expect = Expect::Split;
       n.add(attempt("k"), effect("a").key("k").usd(1000), effect("b").key("k").usd(near ? 500 : 501));
     }},
    {"suppressed_work", [](Night& n, bool near) {
       n.add(attempt("k"), effect("e").key("k"), skip("k").usd(near ? 1500 : 99));
     }},
    {"lost_after_claim", [](Night& n, bool near) {
       n.add(attempt("k").status(near ? AttemptStatus::RetryPending : AttemptStatus::Lost), skip("k"));
     }},
    {"effect_despite_failure", [](Night& n, bool near) {
       n.add(attempt("k").failed(), effect("e").key("k"));
       if (near) n.records.effects[0].status = EffectStatus::Failed;
     }},
    {"unacknowledged_effect", [](Night& n, bool near) {
       n.add(attempt("k").running(), effect("e").key("k"));
       n.asOf = near ? atTime(10h + 5min - 1us) : atTime(10h + 5min);
     }},
    {"false_success", [](Night& n, bool near) {
       n.add(attempt("k"), effect("e").key("k").failed());
       if (near) n.records.effects[0].status = EffectStatus::Pending;
     }},
    {"unexplained_reversal", [](Night& n, bool near) {
       n.operation().reversalsRecordedLocally = !near;
       n.add(attempt("k"), effect("e").key("k"), refund("r").parent("e").at(12h));
     }},
    {"missing_effect", [](Night& n, bool near) {
       if (near) n.operation().expect = Expect::ZeroOrOne;
       n.add(attempt("k"));
     }},
    {"unrecorded_effect", [](Night& n, bool near) {
       n.cover(kJobs, near ? 9h + 55min + 1us : Duration(9h + 55min), 48h);
       n.add(effect("e"));
     }},
    {"unpublished_intent", [](Night& n, bool near) {
       n.add(intent("i").key("k").status(near ? IntentStatus::Cancelled : IntentStatus::Open));
     }},
    {"stalled_attempt", [](Night& n, bool near) {
       n.add(attempt("k").running());
       n.asOf = near ? atTime(10h + 10min - 1us) : atTime(10h + 10min);
     }},
    {"stale_pending", [](Night& n, bool near) {
       n.provider().pendingLimit = near ? 20h : Duration(20h) - 1us;
       n.add(attempt("k"), effect("e").key("k").pending());
     }},
    {"currency_mismatch", [](Night& n, bool near) {
       n.add(attempt("k"), effect("e").key("k").amount(money(1500, near ? "USD" : "EUR")));
     }},
    {"amount_mismatch", [](Night& n, bool near) {
       n.operation().tolerance.minor = near ? 2 : 1;
       n.add(attempt("k"), effect("e").key("k").usd(1502));
     }},
    {"field_mismatch", [](Night& n, bool near) {
       n.operation().compare.insert(CompareField::Customer);
       n.add(attempt("k").customer("c"), effect("e").key("k").customer(near ? "c" : "d"));
     }},
    {"probable_duplicate", [](Night& n, bool near) {
       n.operation().probableDuplicateWithin = near ? 10min - 1us : Duration(10min);
       n.add(attempt("k").customer("c"), effect("e").key("k").customer("c"), attempt("l").customer("c").at(10h + 10min),
             effect("f").key("l").customer("c").at(10h + 10min));
     }},
    {"in_flight", [](Night& n, bool near) {
       n.add(attempt("k").running());
       n.asOf = near ? atTime(10h + 10min) : atTime(10h + 10min - 1us);
     }},
    {"expected", [](Night& n, bool near) {
       n.add(attempt("k"));
       n.asOf = near ? atTime(10h + 301s) : atTime(10h + 301s - 1us);
     }},
    {"out_of_window", [](Night& n, bool near) {
       n.cover(kStatement, -24h, near ? 10h + 301s : Duration(10h + 301s) - 1us);
       n.add(attempt("k"));
     }},
    {"unfulfilled", [](Night& n, bool near) {
       n.add(attempt("k").failed(), deadLetter("m").key(near ? "l" : "k"));
       if (near) n.records.deadLetters.clear();
     }},
    {"matched_tolerance", [](Night& n, bool near) {
       n.operation().tolerance.minor = 2;
       n.add(attempt("k"), effect("e").key("k").usd(near ? 1500 : 1502));
     }},
    {"matched_compensated", [](Night& n, bool near) {
       n.add(effect("e").key("k"), refund("r").parent("e").usd(near ? 1499 : 1500).at(12h));
     }},
    {"matched_failure", [](Night& n, bool near) {
       n.add(attempt("k").failed());
       if (near) n.add(intent("i").key("k"));
     }},
    {"matched", [](Night& n, bool near) { n.add(attempt("k"), effect("e").key("k").usd(near ? 1501 : 1500)); }},
};

const std::vector<Row> kWhyRows = {
    {"same_key_in_retention", [](Night& n, bool near) { twice(n); n.records.effects[1].created += near ? 24h : 24h - 1us; }},
    {"same_key_after_retention", [](Night& n, bool near) { twice(n); n.records.effects[1].created += near ? 24h - 1us : 24h; }},
    {"key_per_attempt", [](Night& n, bool near) {
       n.add(attempt("k").job("j").failed(), attempt("l").job("j").at(11h), effect("a").key("k"), effect("b").key(near ? "k" : "l"));
     }},
    {"no_key", [](Night& n, bool near) {
       n.add(attempt("k").order("o"), effect("a").order("o"), effect("b").order("o").key(near ? "k" : ""));
     }},
    {"outside_queue", [](Night& n, bool near) {
       n.add(attempt("k").order("o"), effect("a").order("o").key("k"), effect("b").order("o").key(near ? "k" : ""));
     }},
    {"refund", [](Night& n, bool near) {
       n.operation().reversalsRecordedLocally = true;
       n.add(attempt("k"), effect("e").key("k"), (near ? dispute("r") : refund("r")).parent("e").at(12h));
     }},
    {"void", [](Night& n, bool near) {
       n.operation().reversalsRecordedLocally = true;
       n.add(attempt("k"), effect("e").key("k").effective(near ? 11h : 13h), refund("r").parent("e").at(12h));
     }},
    {"dispute", [](Night& n, bool near) {
       n.operation().reversalsRecordedLocally = true;
       n.add(attempt("k"), effect("e").key("k"), (near ? refund("r") : dispute("r")).parent("e").at(12h));
     }},
};

const std::vector<Row> kHintRows = {
    {"client_retry", [](Night& n, bool near) {
       n.add(attempt("k").failed().error(near ? "card declined" : "read timeout"), effect("e").key("k"));
     }},
    {"crash_window", [](Night& n, bool near) {
       n.add(attempt("k").status(near ? AttemptStatus::Succeeded : AttemptStatus::Lost), effect("e").key("k"));
     }},
    {"minor_unit_scale", [](Night& n, bool near) { n.add(attempt("k"), effect("e").key("k").usd(near ? 150'001 : 150'000)); }},
    {"outbox_double_publish", [](Night& n, bool near) {
       n.add(outbox("o").key("k").published(9h, near ? 1 : 2), attempt("k"), effect("e").key("k"));
     }},
    {"overlap", [](Night& n, bool near) {
       n.add(attempt("k").ran(10h, 10h + 38s), attempt("k").ran(near ? 10h + 38s : 10h + 37s, 10h + 50s), effect("e").key("k"));
     }},
    {"periodic_gap", [](Night& n, bool near) {
       n.add(attempt("k"), attempt("k").at(near ? 11h + 181s : 11h + 180s), effect("e").key("k"));
     }},
    {"redrive", [](Night& n, bool near) {
       n.add(attempt("k").failed(), attempt("k").at(20h), effect("e").key("k").at(20h));
       if (!near) n.add(deadLetter("m").key("k").died(10h + 5s));
     }},
    {"retry_backoff", [](Night& n, bool near) {
       n.add(attempt("k").failed(), attempt("k").failed().at(10h + 10s), attempt("k").failed().at(near ? 10h + 20s : 10h + 31s),
             attempt("k").at(near ? 10h + 30s : 10h + 90s), effect("e").key("k"));
     }},
    {"several_accounts", [](Night& n, bool near) {
       n.add(attempt("k"), effect("a").key("k").account("A"), effect("b").key("k").account(near ? "A" : "B"));
     }},
};

const std::vector<Row> kFlagRows = {
    {"absorbed_duplicate", [](Night& n, bool near) {
       n.add(attempt("k"), attempt("k").at(11h).status(near ? AttemptStatus::FailedFinal : AttemptStatus::Succeeded),
             effect("e").key("k"));
     }},
    {"ambiguous_match", [](Night& n, bool near) {
       n.add(attempt("k").job("j"), effect("e"), effect("f").usd(near ? 1 : 1500));
     }},
    {"amount_unverified", [](Night& n, bool near) {
       n.add(attempt("k").noAmount(), effect("e").key("k"));
       if (near) n.records.attempts[0].amount = money(1500);
     }},
    {"cancelled", [](Night& n, bool near) {
       n.add(intent("i").key("k").status(near ? IntentStatus::Open : IntentStatus::Cancelled), attempt("k"), effect("e").key("k"));
     }},
    {"despite_failure", [](Night& n, bool near) {
       twice(n);
       n.records.attempts[0].status = near ? AttemptStatus::Lost : AttemptStatus::FailedFinal;
     }},
    {"disputed", [](Night& n, bool near) {
       n.add(attempt("k"), effect("e").key("k"), dispute("d").parent("e").at(12h));
       if (near) n.records.effects[1].status = EffectStatus::Pending;
     }},
    {"duplicate_reversed", [](Night& n, bool near) {
       twice(n);
       n.records.attempts[0].status = near ? AttemptStatus::Succeeded : AttemptStatus::FailedFinal;
       n.add(refund("r").parent("b").at(12h));
     }},
    {"net_zero", [](Night& n, bool near) {
       twice(n);
       n.add(refund("r").parent("a").at(12h), refund("s").parent("b").usd(near ? 1499 : 1500).at(12h));
     }},
    {"no_attempt_seen", [](Night& n, bool near) {
       n.add(claim("k", near ? ClaimState::Failed : ClaimState::Completed), effect("e").key("k"));
     }},
    {"overdue", [](Night& n, bool near) {
       n.asOf = atTime(10h + 24h * 7 + (near ? 0us : 1us));
       n.add(deadLetter("m").key("k"));
     }},
    {"pending_twin", [](Night& n, bool near) {
       n.add(attempt("k"), effect("e").key("k"), effect("f").key("k").pending());
       if (near) n.records.effects[1].status = EffectStatus::Failed;
     }},
    {"provisional", [](Night& n, bool near) {
       n.add(attempt("k").failed());
       n.asOf = near ? atTime(10h + 301s) : atTime(10h + 301s - 1us);
     }},
    {"reversed", [](Night& n, bool near) {
       n.add(attempt("k"), effect("e").key("k"), refund("r").parent("e").at(12h));
       if (near) n.records.effects[1].status = EffectStatus::Failed;
     }},
    {"same_reference", [](Night& n, bool near) {
       n.add(attempt("k1").job("a").order("o").usd(900), attempt("k2").job("b").order("o").usd(near ? 900 : 2100),
             effect("e").key("k1").order("o").usd(900));
     }},
    {"suggested_match", [](Night& n, bool near) { n.add(attempt("k"), effect("e").at(near ? 10h + 302s : 10h + 301s)); }},
    {"weak_evidence", [](Night& n, bool near) {
       n.add(attempt("k").order("o"), effect("e").order("o").key(near ? "k" : ""));
     }},
};

const std::vector<Row> kSeverityRows = {
    {"low", [](Night& n, bool near) {
       n.operation().compare.insert(CompareField::Customer);
       n.add(attempt("k").customer("c"), effect("e").key("k").customer(near ? "c" : "d"));
     }},
    {"medium", [](Night& n, bool near) { n.add(attempt("k"), effect("e").key("k").usd(near ? 1500 : 1501)); }},
    {"high", [](Night& n, bool near) { n.add(attempt("k").usd(near ? 1'000'000 : 999'999)); }},
    {"critical", [](Night& n, bool near) { n.add(attempt("k").usd(near ? 999'999 : 1'000'000)); }},
};

const std::vector<Row> kSkipRows = {
    {"legit", [](Night& n, bool near) { n.add(attempt("k"), skip("k"), effect("e").key(near ? "l" : "k")); }},
    {"legit_carried", [](Night& n, bool near) {
       n.cover(kJobs, near ? 1h : 1h + 1us, 48h);
       n.add(skip("k"), effect("e").key("k").at(1h));
     }},
    {"suppressing", [](Night& n, bool near) {
       n.add(attempt("k"), effect("e").key("k"), skip("k").order("o2").firstOrder(near ? "o2" : "o1"));
     }},
    {"stranded", [](Night& n, bool near) {
       n.add(attempt("k").running(), skip("k").at(10h + 1s));
       n.asOf = near ? atTime(10h + 10min - 1us) : atTime(10h + 10min);
     }},
    {"unverifiable", [](Night& n, bool near) {
       n.add(skip("k"));
       if (near) n.coverage.declared.insert(kJobs);
     }},
};

void letterWithKey(Night& n, Duration kept) {
  n.provider().keyRetention = kept;
  n.add(deadLetter("m").key("k").enqueued(9h));
}

const std::vector<Row> kRedriveRows = {
    {"obsolete", [](Night& n, bool near) {
       n.add(deadLetter("m").key("k"), attempt("k"), effect("e").key("k"));
       if (near) n.records.attempts[0].status = AttemptStatus::FailedFinal;
     }},
    {"unsafe", [](Night& n, bool near) {
       n.add(deadLetter("m").key("k"), effect("e").key("k"));
       if (near) n.records.effects[0].status = EffectStatus::Failed;
     }},
    {"check_first", [](Night& n, bool near) { letterWithKey(n, near ? 21h + 1us : Duration(21h)); }},
    {"safe", [](Night& n, bool near) { letterWithKey(n, near ? 21h : Duration(21h) + 1us); }},
};

std::vector<Unit> judgedWithSuggestions(const Night& night) {
  std::vector<Unit> units = std::move(night.judged().units);
  std::vector<Unit*> wanting;
  for (Unit& unit : units) {
    if (wantsSuggestions(unit, night.policy)) wanting.push_back(&unit);
  }
  suggestMatches(wanting, night.context());
  return units;
}

/// All codes that the units of a night show, by what they are ("flag duplicate_reversed" is no class).
using Shown = std::map<std::string_view, std::set<std::string_view>>;
Shown codesShown(const Night& night) {
  Shown shown;
  for (const Unit& unit : judgedWithSuggestions(night)) {
    shown["class"].insert(codeOf(unit.unitClass));
    shown["why"].insert(codeOf(unit.why));
    shown["severity"].insert(codeOf(unit.severity));
    for (Hint hint : unit.hints) shown["hint"].insert(codeOf(hint));
    for (Flag flag : unit.flags) shown["flag"].insert(codeOf(flag));
    for (const JudgedSkip& skip : unit.skipVerdicts) shown["skip"].insert(codeOf(skip.verdict));
    for (const JudgedDeadLetter& letter : unit.deadLetterVerdicts) shown["redrive"].insert(codeOf(letter.verdict));
  }
  return shown;
}

/// The codes of an enum whose codeOf() is blank for what is no code.
template <class Code>
std::set<std::string_view> codesOf(int first) {
  std::set<std::string_view> codes;
  for (int i = first; !codeOf(static_cast<Code>(i)).empty(); ++i) codes.insert(codeOf(static_cast<Code>(i)));
  return codes;
}

void verify(std::string_view what, const std::vector<Row>& rows, const std::set<std::string_view>& codes) {
  std::set<std::string_view> raised;
  for (const Row& row : rows) {
    Night night;
    row.make(night, false);
    QVERIFY2(codesShown(night)[what].contains(row.code), std::string(row.code).c_str());
    Night nearMiss;
    row.make(nearMiss, true);
    QVERIFY2(!codesShown(nearMiss)[what].contains(row.code), (std::string(row.code) + " by its near miss").c_str());
    raised.insert(row.code);
  }
  for (std::string_view code : codes) {
    QVERIFY2(raised.contains(code), (std::string(code) + " has no row").c_str());
  }
}

}  // namespace

class TstEveryCode : public QObject {
  Q_OBJECT

 private slots:
  void classes() {
    std::set<std::string_view> codes;
    for (std::size_t i = 0; i < kClassCount; ++i) codes.insert(codeOf(static_cast<Class>(i)));
    // What people decide is laid over the judge's class by the store.
    codes.erase(codeOf(Class::MatchedManual));
    codes.erase(codeOf(Class::Dismissed));
    verify("class", kClassRows, codes);
  }
  void whys() { verify("why", kWhyRows, codesOf<Why>(1)); }
  void hints() { verify("hint", kHintRows, codesOf<Hint>(0)); }
  void flags() { verify("flag", kFlagRows, codesOf<Flag>(0)); }
  void severities() { verify("severity", kSeverityRows, {"low", "medium", "high", "critical"}); }
  void skipVerdicts() { verify("skip", kSkipRows, codesOf<SkipVerdict>(0)); }
  void redriveVerdicts() { verify("redrive", kRedriveRows, codesOf<RedriveVerdict>(0)); }
};

QTEST_APPLESS_MAIN(TstEveryCode)
#include "tst_every_code.moc"
