// SPDX-License-Identifier: GPL-3.0-or-later
// Classes, sub-codes, flags, hints and exposures that the table of single effects does not show.
#include "tests/core/support/expectation.h"

using namespace counterfoil;
using namespace counterfoil::testing;

namespace {

void expectSplit(Night& n) { n.operation().expect = Expect::Split; }

const std::vector<Expectation>& duplicates() {
  static const std::vector<Expectation> rows = {
      {"same key, soon", [](Night& n) {
         n.add(attempt("k"), effect("a").key("k"), effect("b").key("k").at(10h + 1s));
       }, "", "duplicate_effect", "same_key_in_retention", "USD 1500", ""},
      {"same key, after retention", [](Night& n) {
         n.provider().keyRetention = 24h;
         n.add(attempt("k"), effect("a").key("k"), effect("b").key("k").at(34h + 10min));
         n.asOf = atTime(47h);
       }, "", "duplicate_effect", "same_key_after_retention", "USD 1500", ""},
      {"same key, a second before retention ends", [](Night& n) {
         n.provider().keyRetention = 24h;
         n.add(attempt("k"), effect("a").key("k"), effect("b").key("k").at(34h - 1s));
         n.asOf = atTime(47h);
       }, "", "duplicate_effect", "same_key_in_retention"},
      {"unknown retention counts as a day", [](Night& n) {
         n.add(attempt("k"), effect("a").key("k"), effect("b").key("k").at(34h));
         n.asOf = atTime(47h);
       }, "", "duplicate_effect", "same_key_after_retention"},
      {"a key per attempt", [](Night& n) {
         n.add(attempt("k1").job("j").failed(), attempt("k2").job("j").at(10h + 30s),
               effect("a").key("k1"), effect("b").key("k2").at(10h + 31s));
       }, "", "duplicate_effect", "key_per_attempt", "USD 1500", ""},
      {"no key at the provider", [](Night& n) {
         n.add(attempt("k").order("o"), effect("a").order("o"), effect("b").order("o").at(10h + 9s));
       }, "", "duplicate_effect", "no_key", "USD 1500"},
      {"one of them without a key", [](Night& n) {
         n.add(attempt("k").order("o"), effect("a").key("k").order("o"),
               effect("b").order("o").at(12h));
       }, "", "duplicate_effect", "outside_queue", "USD 1500"},
      {"all attempts failed", [](Night& n) {
         n.add(attempt("k").failed(), effect("a").key("k"), effect("b").key("k"));
       }, "", "duplicate_effect", "same_key_in_retention", "USD 1500", "despite_failure"},
      {"nobody asked", [](Night& n) { n.add(effect("a").key("k"), effect("b").key("k")); }, "",
       "duplicate_effect", "same_key_in_retention", "USD 1500", ""},
      {"zero or one", [](Night& n) {
         n.operation().expect = Expect::ZeroOrOne;
         n.add(attempt("k"), effect("a").key("k"), effect("b").key("k"));
       }, "", "duplicate_effect"},
      {"two amounts: the excess over the last success", [](Night& n) {
         n.add(attempt("k").usd(3100), attempt("k").at(12h).usd(3500), effect("a").key("k").usd(3100),
               effect("b").key("k").usd(3500).at(12h));
       }, "", "duplicate_effect", nullptr, "USD 3100"},
      {"never nothing at stake", [](Night& n) {
         n.add(attempt("k").usd(5000), effect("a").key("k").usd(2000), effect("b").key("k").usd(3000));
       }, "", "duplicate_effect", nullptr, "USD 2000"},
      {"part of one twin refunded", [](Night& n) {
         n.add(attempt("k").usd(4500), effect("a").key("k").usd(4500),
               effect("b").key("k").usd(4500).at(10h + 1s), refund("r").key("k").usd(2000).at(12h));
       }, "", "duplicate_effect", nullptr, "USD 2500", "reversed"},
      {"open dispute changes nothing", [](Night& n) {
         n.add(attempt("k"), effect("a").key("k"), effect("b").key("k"),
               dispute("d").parent("b").pending().at(12h));
       }, "", "duplicate_effect", nullptr, "USD 1500", ""},
      {"pending twin is no second effect", [](Night& n) {
         n.add(attempt("k"), effect("a").key("k"), effect("b").key("k").pending());
       }, "", "matched", nullptr, "", "pending_twin"},
      {"failed twin is no second effect", [](Night& n) {
         n.add(attempt("k"), effect("a").key("k"), effect("b").key("k").failed());
       }, "", "matched", nullptr, "", ""},
      {"zero amounts count", [](Night& n) {
         n.add(attempt("k").usd(0), effect("a").key("k").usd(0), effect("b").key("k").usd(0).at(11h));
       }, "", "duplicate_effect", nullptr, ""},
      {"two currencies are both shown", [](Night& n) {
         n.add(attempt("k"), effect("a").key("k"),
               effect("b").key("k").amount(money(1400, "EUR")).at(11h));
       }, "", "duplicate_effect", nullptr, "EUR 1400"},
  };
  return rows;
}

const std::vector<Expectation>& takenBack() {
  static const std::vector<Expectation> rows = {
      {"the second refunded", [](Night& n) {
         n.add(attempt("k"), effect("a").key("k"), effect("b").key("k").at(10h + 1s),
               refund("r").key("k").at(12h));
       }, "", "duplicate_reversed", "", "", "reversed"},
      {"both refunded", [](Night& n) {
         n.add(attempt("k"), effect("a").key("k"), effect("b").key("k").at(10h + 1s),
               refund("r").key("k").at(12h), refund("s").key("k").at(12h + 1s));
       }, "", "duplicate_reversed", "", "", "net_zero reversed"},
      {"lost dispute is a reversal", [](Night& n) {
         n.add(attempt("k"), effect("a").key("k"), effect("b").key("k").at(10h + 1s),
               dispute("d").parent("a").at(12h));
       }, "", "duplicate_reversed", "", "", "disputed"},
      {"what is left was not due", [](Night& n) {
         n.add(attempt("k").failed(), effect("a").key("k"), effect("b").key("k").at(10h + 1s),
               refund("r").parent("b").at(12h));
       }, "", "effect_despite_failure", "", "USD 1500", "duplicate_reversed reversed"},
      {"what is left has the wrong amount", [](Night& n) {
         n.add(attempt("k").usd(1000), effect("a").key("k").usd(1200),
               effect("b").key("k").usd(1200).at(10h + 1s), refund("r").parent("b").usd(1200).at(12h));
       }, "", "amount_mismatch", "", "USD 200", "duplicate_reversed reversed"},
      {"one refunded twin of three leaves a duplicate", [](Night& n) {
         n.add(attempt("k"), effect("a").key("k"), effect("b").key("k"), effect("c").key("k"),
               refund("r").parent("c").at(12h));
       }, "", "duplicate_effect", nullptr, "USD 1500"},
  };
  return rows;
}

const std::vector<Expectation>& splits() {
  static const std::vector<Expectation> rows = {
      {"parts add up", [](Night& n) {
         expectSplit(n);
         n.add(attempt("k").usd(5000), effect("a").key("k").usd(3000), effect("b").key("k").usd(2000));
       }, "", "matched", "", "", ""},
      {"a part twice", [](Night& n) {
         expectSplit(n);
         n.add(attempt("k").usd(2000), effect("a").key("k").usd(2000), effect("b").key("k").usd(2000));
       }, "", "duplicate_effect", nullptr, "USD 2000"},
      {"too much, but no part of that size", [](Night& n) {
         expectSplit(n);
         n.add(attempt("k").usd(5000), effect("a").key("k").usd(3000), effect("b").key("k").usd(2500));
       }, "", "split_mismatch", "", "USD 500"},
      {"too little when due", [](Night& n) {
         expectSplit(n);
         n.add(attempt("k").usd(5000), effect("a").key("k").usd(3000));
       }, "", "split_mismatch", "", "USD -2000"},
      {"too little, the rest may come", [](Night& n) {
         expectSplit(n);
         n.add(attempt("k").usd(5000), effect("a").key("k").usd(3000));
         n.asOf = atTime(10h + 2min);
       }, "", "expected", "", ""},
      {"too little, the rest pending", [](Night& n) {
         expectSplit(n);
         n.add(attempt("k").usd(5000), effect("a").key("k").usd(3000),
               effect("b").key("k").usd(2000).pending());
       }, "", "expected"},
      {"a part of another currency", [](Night& n) {
         expectSplit(n);
         n.add(attempt("k").usd(5000), effect("a").key("k").usd(5000),
               effect("b").key("k").amount(money(2000, "EUR")));
       }, "", "currency_mismatch"},
      {"an effect of nothing is no part", [](Night& n) {
         expectSplit(n);
         n.add(attempt("k").usd(5000), effect("a").key("k").usd(5000), effect("b").key("k").usd(0));
       }, "", "matched"},
      {"net of a refund fits", [](Night& n) {
         expectSplit(n);
         n.add(attempt("k").usd(5000), effect("a").key("k").usd(5000), effect("b").key("k").usd(700),
               refund("r").parent("b").usd(700).at(12h));
       }, "", "matched"},
      {"one part for all", [](Night& n) {
         expectSplit(n);
         n.add(attempt("k").usd(600), effect("a").key("k").usd(10000));
       }, "", "split_mismatch", "", "USD 9400"},
      {"nothing at all", [](Night& n) { expectSplit(n); n.add(attempt("k").usd(600)); }, "",
       "missing_effect", "", "USD 600"},
  };
  return rows;
}

const std::vector<Expectation>& differences() {
  static const std::vector<Expectation> rows = {
      {"other amount", [](Night& n) { n.add(attempt("k").usd(1999), effect("e").key("k").usd(1998)); },
       "", "amount_mismatch", "", "USD -1", "", ""},
      {"a hundredfold", [](Night& n) { n.add(attempt("k").usd(500), effect("e").key("k").usd(50000)); },
       "", "amount_mismatch", "", "USD 49500", "", "minor_unit_scale"},
      {"tenfold too little", [](Night& n) {
         n.add(attempt("k").usd(5000), effect("e").key("k").usd(500));
       }, "", "amount_mismatch", "", "USD -4500", "", "minor_unit_scale"},
      {"elevenfold is no scale", [](Night& n) {
         n.add(attempt("k").usd(500), effect("e").key("k").usd(5500));
       }, "", "amount_mismatch", "", "USD 5000", "", ""},
      {"within tolerance", [](Night& n) {
         n.operation().tolerance.minor = 1;
         n.add(attempt("k").usd(1999), effect("e").key("k").usd(1998));
       }, "", "matched_tolerance", "", ""},
      {"equal to tolerance plus one", [](Night& n) {
         n.operation().tolerance.minor = 1;
         n.add(attempt("k").usd(1999), effect("e").key("k").usd(1997));
       }, "", "amount_mismatch", "", "USD -2"},
      {"amount not compared", [](Night& n) {
         n.operation().compare = {CompareField::Currency};
         n.add(attempt("k").usd(1999), effect("e").key("k").usd(1));
       }, "", "matched"},
      {"other currency", [](Night& n) {
         n.add(attempt("k").amount(money(6000, "GBP")), effect("e").key("k").amount(money(6000, "EUR")));
       }, "", "currency_mismatch", "", "EUR 6000"},
      {"other customer", [](Night& n) {
         n.operation().compare.insert(CompareField::Customer);
         n.add(attempt("k").customer("c1"), effect("e").key("k").customer("c2"));
       }, "", "field_mismatch", "", ""},
      {"customer not compared", [](Night& n) {
         n.add(attempt("k").customer("c1"), effect("e").key("k").customer("c2"));
       }, "", "matched"},
      {"customer unknown to one side", [](Night& n) {
         n.operation().compare.insert(CompareField::Customer);
         n.add(attempt("k").customer("c1"), effect("e").key("k"));
       }, "", "matched"},
      {"amount unknown locally", [](Night& n) { n.add(attempt("k").noAmount(), effect("e").key("k")); },
       "", "matched", "", "", "amount_unverified"},
      {"no amounts on either side", [](Night& n) {
         n.add(attempt("k").noAmount(), effect("e").key("k").noAmount());
       }, "", "matched", "", "", ""},
      {"cancelled order carried out", [](Night& n) {
         n.add(intent("i").key("k").status(IntentStatus::Cancelled), attempt("k"), effect("e").key("k"));
       }, "", "amount_mismatch", "", "USD 1500", "cancelled"},
      {"cancelled order, nothing done", [](Night& n) {
         n.add(intent("i").key("k").status(IntentStatus::Cancelled));
       }, "", "matched_failure", "", "", ""},
      {"the intent's amount counts, not the attempt's", [](Night& n) {
         n.add(intent("i").key("k").usd(1400), attempt("k"), effect("e").key("k"));
       }, "", "amount_mismatch", "", "USD 100"},
      {"the newest intent that stands counts", [](Night& n) {
         n.add(intent("i").key("k").usd(1400).at(8h), intent("j").key("k").at(9h),
               intent("l").key("k").usd(1).at(9h + 1s).status(IntentStatus::Cancelled), attempt("k"),
               effect("e").key("k"));
       }, "", "matched"},
  };
  return rows;
}

const std::vector<Expectation>& others() {
  static const std::vector<Expectation> rows = {
      {"done intent without an attempt, effect there", [](Night& n) {
         n.add(intent("i").key("k").status(IntentStatus::Done), effect("e").key("k"));
       }, "", "matched", "", "", ""},
      {"done intent without an effect", [](Night& n) {
         n.add(intent("i").key("k").status(IntentStatus::Done));
       }, "", "missing_effect", "", "USD 1500"},
      {"zero or one and none", [](Night& n) {
         n.operation().expect = Expect::ZeroOrOne;
         n.add(attempt("k"));
       }, "", "matched", "", "", ""},
      {"pending beyond the limit", [](Night& n) {
         n.provider().pendingLimit = 3h;
         n.add(attempt("k"), effect("e").key("k").pending());
       }, "", "stale_pending", "", "USD 1500"},
      {"pending at the limit", [](Night& n) {
         n.provider().pendingLimit = 20h;
         n.add(attempt("k"), effect("e").key("k").pending());
       }, "", "expected", "", ""},
      {"booked twice", [](Night& n) {
         n.operation().direction = Direction::Inbound;
         n.add(attempt("k").recorded("e"), attempt("l").recorded("e").at(10h + 5s), effect("e"));
       }, "", "duplicate_booking", "", "USD 1500"},
      {"booked once", [](Night& n) {
         n.operation().direction = Direction::Inbound;
         n.add(attempt("k").recorded("e"), effect("e"));
       }, "", "matched"},
      {"last booking says unpaid", [](Night& n) {
         n.operation().direction = Direction::Inbound;
         n.add(attempt("k").order("o").recorded("e"),
               attempt("l").order("o").recorded("f").at(10h + 9s).failed(), effect("e").order("o"),
               effect("f").order("o").failed());
       }, "", "effect_despite_failure", "", "USD 1500"},
      {"refund nobody recorded", [](Night& n) {
         n.operation().reversalsRecordedLocally = true;
         n.add(attempt("k"), effect("e").key("k"), refund("r").parent("e").usd(500).at(12h));
       }, "", "unexplained_reversal", "refund", "USD 500", "reversed"},
      {"void before it settled", [](Night& n) {
         n.operation().reversalsRecordedLocally = true;
         n.add(attempt("k"), effect("e").key("k").effective(40h), refund("r").parent("e").at(12h));
       }, "", "unexplained_reversal", "void", "USD 1500", "reversed"},
      {"lost dispute nobody recorded", [](Night& n) {
         n.operation().reversalsRecordedLocally = true;
         n.add(attempt("k"), effect("e").key("k"), dispute("d").parent("e").at(12h));
       }, "", "unexplained_reversal", "dispute", "USD 1500", "disputed"},
      {"refund of ours, whole", [](Night& n) {
         n.operation().reversalsRecordedLocally = true;
         n.addRefunds();
         n.add(attempt("k").job("c"), effect("e").key("k"), attempt("r").op(1).job("rj").at(12h),
               refund("f").key("r").parent("e").at(12h));
       }, "c", "matched_compensated", "", "", "reversed", nullptr, 2},
      {"refund of ours, a part", [](Night& n) {
         n.operation().reversalsRecordedLocally = true;
         n.addRefunds();
         n.add(attempt("k").job("c"), effect("e").key("k"),
               attempt("r").op(1).job("rj").usd(500).at(12h),
               refund("f").key("r").parent("e").usd(500).at(12h));
       }, "c", "matched", "", "", "reversed", nullptr, 2},
      {"the refund itself", [](Night& n) {
         n.addRefunds();
         n.add(attempt("k").job("c"), effect("e").key("k"), attempt("r").op(1).job("rj").at(12h),
               refund("f").key("r").parent("e").at(12h));
       }, "rj", "matched", "", "", ""},
      {"older failure, the statement ends before it is due", [](Night& n) {
         n.cover(kStatement, -24h, 10h + 2min);
         n.add(attempt("k"), effect("e").key("k").failed().at(9h + 54min));
       }, "", "out_of_window", "", "", ""},
      {"older failure, due and covered", [](Night& n) {
         n.add(attempt("k"), effect("e").key("k").failed().at(9h + 54min));
       }, "", "false_success", "", "USD 1500", ""},
      {"older failure, not yet due", [](Night& n) {
         n.asOf = atTime(10h + 2min);
         n.add(attempt("k"), effect("e").key("k").failed().at(9h + 54min));
       }, "", "expected", "", "", ""},
      {"the same where none may come", [](Night& n) {
         n.operation().expect = Expect::ZeroOrOne;
         n.asOf = atTime(10h + 2min);
         n.add(attempt("k"), effect("e").key("k").failed().at(9h + 54min));
       }, "", "expected", "", "", ""},
      {"failure of the effect that the success recorded", [](Night& n) {
         n.asOf = atTime(10h + 2min);
         n.add(attempt("k").recorded("e"), effect("e").key("k").failed().at(2h));
       }, "", "false_success", "", "USD 1500", ""},
      {"completed claim, failure, not yet due", [](Night& n) {
         n.asOf = atTime(10h + 2min);
         n.add(claim("k"), effect("e").key("k").failed());
       }, "", "expected", "", "", ""},
      {"claim past its end, within the longest run", [](Night& n) {
         n.operation().maxRuntime = 1h;
         n.asOf = atTime(10h + 59min);
         n.add(claim("k", ClaimState::InProgress).expires(10h + 5min));
       }, "", "in_flight", "", "", ""},
      {"claim past its end and the longest run", [](Night& n) {
         n.operation().maxRuntime = 1h;
         n.asOf = atTime(11h);
         n.add(claim("k", ClaimState::InProgress).expires(10h + 5min));
       }, "", "stalled_attempt", "", "", ""},
      {"a pending twin is not at stake", [](Night& n) {
         n.add(attempt("k").failed(), effect("e").key("k"), effect("f").key("k").pending());
       }, "", "effect_despite_failure", "", "USD 1500", "pending_twin"},
      {"a cancelled order that was refunded", [](Night& n) {
         n.add(intent("i").key("k").status(IntentStatus::Cancelled), attempt("k"), effect("e").key("k"),
               refund("r").parent("e").at(12h));
       }, "", "matched", "", "", "reversed"},
      {"refund of a row that another says it replaced", [](Night& n) {
         n.add(attempt("k"), effect("e").key("k"), effect("f").key("k").replaces("e").usd(1600).at(11h),
               refund("r").parent("e").at(12h));
       }, "", "amount_mismatch", "", "USD 100", "duplicate_reversed reversed"},
      {"refund that names the replaced id", [](Night& n) {
         n.add(attempt("k"), effect("e").key("k").pending(), effect("f").key("k").replaces("e").at(11h),
               refund("r").parent("e").at(12h));
       }, "", "matched", "", "", "reversed"},
      {"refund goes to its own payment, not to one of the same parent", [](Night& n) {
         n.add(attempt("k").job("a"), effect("e").key("k"),
               attempt("l").job("b").at(11h), effect("f").key("l").parent("e").at(11h),
               refund("r").parent("e").at(12h));
       }, "a", "matched", "", "", "reversed", nullptr, 2},
      {"refund twice", [](Night& n) {
         n.addRefunds();
         n.add(attempt("r").op(1).job("rj"), refund("f").key("r"), refund("g").key("r").at(12h));
       }, "rj", "duplicate_effect", "same_key_in_retention", "USD 1500"},
      {"refund never made", [](Night& n) { n.addRefunds(); n.add(attempt("r").op(1).job("rj")); }, "rj",
       "missing_effect", "", "USD 1500"},
      {"refund of an older charge, ours", [](Night& n) {
         n.addRefunds();
         n.add(attempt("r").op(1).job("rj").order("o"), refund("f").order("o"));
       }, "rj", "matched"},
      {"stray refund where refunds are an operation", [](Night& n) {
         n.addRefunds();
         n.add(refund("f").parent("older").at(10h));
       }, "f", "unrecorded_effect", "", "USD 1500"},
      {"stray refund where they are none", [](Night& n) { n.add(refund("f").parent("older")); }, "f",
       "out_of_window", "", ""},
      {"stray dispute", [](Night& n) { n.addRefunds(); n.add(dispute("d").parent("older")); }, "d",
       "out_of_window", "", ""},
      {"absorbed repeat", [](Night& n) {
         n.add(attempt("k"), attempt("k").at(12h), effect("e").key("k"));
       }, "", "matched", "", "", "absorbed_duplicate"},
      {"absorbed by a skip", [](Night& n) { n.add(attempt("k"), skip("k"), effect("e").key("k")); }, "",
       "matched", "", "", "absorbed_duplicate"},
      {"a failed try before is no absorbed repeat", [](Night& n) {
         n.add(attempt("k").failed(), attempt("k").at(12h), effect("e").key("k").at(12h));
       }, "", "matched", "", "", ""},
      {"original matched in an earlier run", [](Night& n) {
         n.earlier.matchedKeys = {"k"};
         n.add(attempt("k"));
       }, "", "matched", "", "", "absorbed_duplicate"},
      {"weak evidence", [](Night& n) { n.add(attempt("k").order("o"), effect("e").order("o")); }, "",
       "matched", "", "", "weak_evidence"},
      {"recorded id is strong", [](Night& n) { n.add(attempt("k").recorded("e"), effect("e")); }, "",
       "matched", "", "", ""},
      {"lost dispute on a plain charge", [](Night& n) {
         n.add(attempt("k"), effect("e").key("k"), dispute("d").parent("e").at(12h));
       }, "", "matched", "", "", "disputed"},
      {"blind source sees no success", [](Night& n) {
         n.policy.sources[0].blind = true;
         n.add(skip("k"), effect("e").key("k"));
       }, "", "matched", "", "", "absorbed_duplicate amount_unverified no_attempt_seen"},
      {"a claim never completed is no success of a blind source", [](Night& n) {
         n.policy.sources[0].blind = true;
         n.add(claim("k", ClaimState::InProgress).expires(10h + 5min), effect("e").key("k"));
       }, "", "unrecorded_effect", "", "USD 1500", ""},
      {"outbox given up", [](Night& n) { n.add(outbox("o").key("k").dead()); }, "", "unpublished_intent",
       "", "USD 1500"},
      {"outbox published, nobody came", [](Night& n) { n.add(outbox("o").key("k").published(9h)); }, "",
       "unpublished_intent", "", "USD 1500"},
      {"outbox published and worked", [](Night& n) {
         n.add(outbox("o").key("k").published(9h), attempt("k"), effect("e").key("k"));
       }, "", "matched"},
      {"provisional failure", [](Night& n) {
         n.provider().statementLag = 72h;
         n.add(attempt("k").failed());
       }, "", "matched_failure", "", "", "provisional"},
      {"overdue work", [](Night& n) {
         n.asOf = atTime(24h * 9);
         n.add(deadLetter("m").key("k"));
       }, "", "unfulfilled", "", "", "overdue"},
      {"work within the open limit", [](Night& n) {
         n.asOf = atTime(24h * 7);
         n.add(deadLetter("m").key("k"));
       }, "", "unfulfilled", "", "", ""},
      {"before all coverage is never overdue", [](Night& n) {
         n.asOf = atTime(24h * 30);
         n.cover(kJobs, 0h, 48h);
         n.add(effect("e").key("k").at(-10h));
       }, "", "out_of_window", "", "", ""},
      {"after coverage it becomes overdue", [](Night& n) {
         n.asOf = atTime(24h * 30);
         n.cover(kJobs, -24h, 9h);
         n.add(effect("e").key("k"));
       }, "", "out_of_window", "", "", "overdue"},
  };
  return rows;
}

const std::vector<Expectation>& hintRows() {
  static const std::vector<Expectation> rows = {
      {"overlap", [](Night& n) {
         n.add(attempt("k").ran(10h, 10h + 38s), attempt("k").ran(10h + 33s, 10h + 36s),
               effect("e").key("k"));
       }, "", "matched", "", nullptr, nullptr, "overlap"},
      {"one after the other", [](Night& n) {
         n.add(attempt("k").ran(10h, 10h + 38s), attempt("k").ran(10h + 38s, 10h + 50s),
               effect("e").key("k"));
       }, "", "matched", "", nullptr, nullptr, ""},
      {"periodic gap of a known timer", [](Night& n) {
         n.add(attempt("k").at(10h), attempt("k").at(11h + 20s), effect("e").key("k"));
       }, "", "matched", "", nullptr, nullptr, "periodic_gap"},
      {"gap six percent off", [](Night& n) {
         n.add(attempt("k").at(10h), attempt("k").at(11h + 216s), effect("e").key("k"));
       }, "", "matched", "", nullptr, nullptr, ""},
      {"gap of the queue's own timeout", [](Night& n) {
         n.policy.queues.push_back({});
         n.policy.queues[0].name = "payments";
         n.policy.queues[0].visibilityTimeout = 97s;
         n.add(attempt("k").queue("payments"), attempt("k").queue("payments").at(10h + 98s),
               effect("e").key("k"));
       }, "", "matched", "", nullptr, nullptr, "periodic_gap"},
      {"growing waits", [](Night& n) {
         n.add(attempt("k").failed(), attempt("k").failed().at(10h + 10s),
               attempt("k").failed().at(10h + 31s), attempt("k").at(10h + 90s), effect("e").key("k"));
       }, "", "matched", "", nullptr, nullptr, "retry_backoff"},
      {"even waits", [](Night& n) {
         n.add(attempt("k").failed(), attempt("k").failed().at(10h + 10s),
               attempt("k").failed().at(10h + 20s), attempt("k").at(10h + 32s), effect("e").key("k"));
       }, "", "matched", "", nullptr, nullptr, ""},
      {"crash window", [](Night& n) {
         n.add(attempt("k").status(AttemptStatus::Lost), effect("e").key("k"));
       }, "", "unacknowledged_effect", "", nullptr, nullptr, "crash_window"},
      {"client gave up", [](Night& n) {
         n.add(attempt("k").failed().error("read timeout after 2000 ms"), effect("e").key("k"));
       }, "", "effect_despite_failure", "", nullptr, nullptr, "client_retry"},
      {"another error", [](Night& n) {
         n.add(attempt("k").failed().error("card_declined"), effect("e").key("k"));
       }, "", "effect_despite_failure", "", nullptr, nullptr, ""},
      {"redriven", [](Night& n) {
         n.add(attempt("k").failed(), deadLetter("m").key("k").died(10h + 5s), attempt("k").at(20h),
               effect("e").key("k").at(20h));
       }, "", "matched", "", nullptr, nullptr, "redrive"},
      {"published twice", [](Night& n) {
         n.add(outbox("o").key("k").published(9h, 2), attempt("k"), effect("e").key("k"));
       }, "", "matched", "", nullptr, nullptr, "outbox_double_publish"},
      {"several accounts", [](Night& n) {
         n.add(attempt("k"), effect("a").key("k").account("A"), effect("b").key("k").account("B"));
       }, "", "duplicate_effect", "same_key_in_retention", nullptr, nullptr, "several_accounts"},
  };
  return rows;
}

}  // namespace

class TstJudgeClasses : public QObject {
  Q_OBJECT

 private slots:
  void duplicate_data() { addRows(duplicates()); }
  void duplicate() { verifyRow(duplicates()); }
  void duplicateTakenBack_data() { addRows(takenBack()); }
  void duplicateTakenBack() { verifyRow(takenBack()); }
  void split_data() { addRows(splits()); }
  void split() { verifyRow(splits()); }
  void difference_data() { addRows(differences()); }
  void difference() { verifyRow(differences()); }
  void other_data() { addRows(others()); }
  void other() { verifyRow(others()); }
  void hint_data() { addRows(hintRows()); }
  void hint() { verifyRow(hintRows()); }
  void severityRises_data();
  void severityRises();
  void reasonOfADuplicate();
};

void TstJudgeClasses::severityRises_data() {
  QTest::addColumn<qint64>("minor");
  QTest::addColumn<int>("days");
  QTest::addColumn<QString>("severity");
  QTest::newRow("default") << qint64(1500) << 1 << "high";
  QTest::newRow("just below large") << qint64(999'999) << 1 << "high";
  QTest::newRow("large") << qint64(1'000'000) << 1 << "critical";
  QTest::newRow("old") << qint64(1500) << 9 << "critical";
}

void TstJudgeClasses::severityRises() {
  QFETCH(qint64, minor);
  QFETCH(int, days);
  Night night;
  night.asOf = atTime(24h * days + 6h);
  night.add(attempt("k").usd(minor));
  const Unit unit = night.unit();
  QCOMPARE(classText(unit), QString("missing_effect"));
  QTEST(QString::fromStdString(textOf(codeOf(unit.severity))), "severity");
}

void TstJudgeClasses::reasonOfADuplicate() {
  Night night;
  night.provider().keyRetention = 24h;
  night.asOf = atTime(47h);
  night.add(attempt("k"), effect("a").key("k"), effect("b").key("k").at(34h + 10min));
  QCOMPARE(night.unit().reason,
           std::string("2 live charges under one key, 24 h 10 min apart; stripe forgets keys after 24 h."));
}

QTEST_APPLESS_MAIN(TstJudgeClasses)
#include "tst_judge_classes.moc"
