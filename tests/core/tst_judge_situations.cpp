// SPDX-License-Identifier: GPL-3.0-or-later
// The ambiguous situations of classes.md §7, a row each, by their names there.
#include "tests/core/support/expectation.h"

using namespace counterfoil;
using namespace counterfoil::testing;

namespace {

const std::vector<Expectation>& situations() {
  static const std::vector<Expectation> rows = {
      {"decline, then success under a new key", [](Night& n) {
         n.add(attempt("k1").job("j").failed(), attempt("k2").job("j").at(10h + 9s),
               effect("a").key("k1").failed(), effect("b").key("k2").at(10h + 9s));
       }, "", "matched", "", ""},
      {"charge + refund share a key: the charge", [](Night& n) {
         n.addRefunds();
         n.add(attempt("k").job("c"), attempt("k").op(1).job("r").at(12h), effect("e").key("k"),
               refund("f").key("k").parent("e").at(12h));
       }, "c", "matched_compensated", nullptr, "", "reversed", nullptr, 2},
      {"charge + refund share a key: the refund", [](Night& n) {
         n.addRefunds();
         n.add(attempt("k").job("c"), attempt("k").op(1).job("r").at(12h), effect("e").key("k"),
               refund("f").key("k").parent("e").at(12h));
       }, "r", "matched", nullptr, ""},
      {"two captures of one authorisation, not a split", [](Night& n) {
         n.add(attempt("k").usd(5000), effect("h").key("k").usd(5000).parent("pi").pending().at(9h),
               effect("a").key("k").usd(3000).parent("pi"), effect("b").key("k").usd(3000).parent("pi").at(11h));
       }, "", "duplicate_effect", nullptr, "USD 1000", ""},
      {"two captures of one authorisation, a split", [](Night& n) {
         n.operation().expect = Expect::Split;
         n.add(attempt("k").usd(5000), effect("h").key("k").usd(5000).parent("pi").pending().at(9h),
               effect("a").key("k").usd(3000).parent("pi"), effect("b").key("k").usd(2000).parent("pi").at(11h));
       }, "", "matched", nullptr, "", ""},
      {"same customer, amount, minute, different orders", [](Night& n) {
         n.add(attempt("k1").job("a").order("o1").customer("c"), effect("e").key("k1").customer("c"),
               attempt("k2").job("b").order("o2").customer("c"), effect("f").key("k2").customer("c"));
       }, "a", "matched", nullptr, nullptr, nullptr, nullptr, 2},
      {"one job, two local amounts, one effect", [](Night& n) {
         n.add(attempt("k").job("j").usd(41000), attempt("k").job("j").usd(41500).at(11h),
               effect("e").key("k").usd(41000));
       }, "", "amount_mismatch", "", "USD -500"},
      {"one live, a second still pending", [](Night& n) {
         n.add(attempt("k"), effect("a").key("k"), effect("b").key("k").pending());
       }, "", "matched", nullptr, "", "pending_twin"},
      {"a posted row that names the pending one replaces it", [](Night& n) {
         n.add(attempt("k"), effect("a").key("k").pending(), effect("b").key("k").replaces("a").at(20h));
       }, "", "matched", nullptr, "", ""},
      {"both duplicates refunded", [](Night& n) {
         n.add(attempt("k"), effect("a").key("k"), effect("b").key("k"), refund("r").parent("a").at(12h),
               refund("s").parent("b").at(12h));
       }, "", "duplicate_reversed", nullptr, "", "net_zero reversed"},
      {"partial refund on one twin", [](Night& n) {
         n.add(attempt("k"), effect("a").key("k"), effect("b").key("k"),
               refund("r").parent("a").usd(500).at(12h));
       }, "", "duplicate_effect", nullptr, "USD 1000"},
      {"key changed between attempts of one job id", [](Night& n) {
         n.add(attempt("k1").job("j").failed(), attempt("k2").job("j").at(10h + 9s), effect("a").key("k1"),
               effect("b").key("k2").at(10h + 9s));
       }, "", "duplicate_effect", "key_per_attempt"},
      {"two local runs booked one effect: outbound", [](Night& n) {
         n.add(attempt("k1").recorded("e"), attempt("k2").recorded("e").at(11h), effect("e"));
       }, "", "matched", nullptr, "", "absorbed_duplicate"},
      {"two local runs booked one effect: inbound", [](Night& n) {
         n.operation().direction = Direction::Inbound;
         n.add(attempt("k1").recorded("e"), attempt("k2").recorded("e").at(11h), effect("e"));
       }, "", "duplicate_booking", nullptr, "USD 1500"},
      {"dispute on one twin: open", [](Night& n) {
         n.add(attempt("k"), effect("a").key("k"), effect("b").key("k"),
               dispute("d").parent("b").pending().at(12h));
       }, "", "duplicate_effect", nullptr, "USD 1500", ""},
      {"dispute on one twin: lost", [](Night& n) {
         n.add(attempt("k"), effect("a").key("k"), effect("b").key("k"), dispute("d").parent("b").at(12h));
       }, "", "duplicate_reversed", nullptr, "", "disputed"},
      {"dispute on one twin: won", [](Night& n) {
         n.add(attempt("k"), effect("a").key("k"), effect("b").key("k"),
               dispute("d").parent("b").failed().at(12h));
       }, "", "duplicate_effect", nullptr, "USD 1500", ""},
      {"skip, original before the window", [](Night& n) { n.add(skip("k")); }, "", "out_of_window"},
      {"skip, original in an earlier run", [](Night& n) {
         n.earlier.matchedKeys = {"k"};
         n.add(skip("k"));
       }, "", "matched"},
      {"skip in progress, original later succeeded", [](Night& n) {
         n.add(attempt("k").ran(10h, 12h), skip("k").at(11h), effect("e").key("k").at(12h));
       }, "", "matched", nullptr, "", "absorbed_duplicate"},
      {"skip in progress, original failed", [](Night& n) { n.add(attempt("k").failed(), skip("k")); }, "",
       "lost_after_claim", nullptr, "USD 1500"},
      {"skip in progress, original dead-lettered", [](Night& n) {
         n.add(attempt("k").failed(), skip("k"), deadLetter("m").key("k"));
       }, "", "unfulfilled"},
      {"same monthly key, effects in two months", [](Night& n) {
         n.add(attempt("user:77").order("june").job("a"), effect("e").key("user:77").order("june"),
               attempt("user:77").order("july").job("b").at(15h),
               effect("f").key("user:77").order("july").at(15h));
       }, "june", "matched", nullptr, nullptr, nullptr, nullptr, 2},
      {"success locally, provider row appears tomorrow", [](Night& n) {
         n.provider().statementLag = 24h;
         n.add(attempt("k"));
       }, "", "expected"},
      {"provider day in another time zone", [](Night& n) {
         n.cover(kJobs, 7h, 31h);
         n.add(effect("e").key("k").at(6h + 58min));
       }, "", "out_of_window"},
      {"net amounts only: within the profile's tolerance", [](Night& n) {
         n.operation().tolerance.percentMillionths = 30'000;
         n.add(attempt("k").usd(1500), effect("e").key("k").usd(1455));
       }, "", "matched_tolerance", nullptr, ""},
      {"net amounts only: beyond the profile's tolerance", [](Night& n) {
         n.operation().tolerance.percentMillionths = 30'000;
         n.add(attempt("k").usd(1500), effect("e").key("k").usd(1454));
       }, "", "amount_mismatch", nullptr, "USD -46"},
      {"settled in another currency", [](Night& n) {
         n.add(attempt("k").amount(money(6000, "GBP")), effect("e").key("k").amount(money(7014, "EUR")));
       }, "", "currency_mismatch"},
      {"amount unknown locally", [](Night& n) { n.add(attempt("k").noAmount(), effect("e").key("k")); }, "",
       "matched", nullptr, "", "amount_unverified"},
      {"a replayed provider answer logged as a second success", [](Night& n) {
         n.add(attempt("k").recorded("e"), attempt("k").recorded("e").at(11h), effect("e").key("k"));
       }, "", "matched", nullptr, "", "absorbed_duplicate"},
      {"local record overwritten on redelivery", [](Night& n) {
         n.policy.sources[0].blind = true;
         n.add(attempt("k"), effect("a").key("k"), effect("b").key("k").at(11h));
       }, "", "duplicate_effect"},
      {"dead letter and success elsewhere", [](Night& n) {
         n.add(deadLetter("m").key("k"), attempt("k").at(12h), effect("e").key("k").at(12h));
       }, "", "matched"},
      {"dead letter and live effect, no success", [](Night& n) {
         n.add(attempt("k").failed(), deadLetter("m").key("k"), effect("e").key("k"));
       }, "", "effect_despite_failure"},
      {"409 from the provider", [](Night& n) {
         n.add(attempt("k").status(AttemptStatus::RetryPending));
         n.asOf = atTime(10h + 3min);
       }, "", "in_flight"},
      {"effect before the attempt's start beyond σ", [](Night& n) {
         n.add(attempt("k"), effect("e").key("k").at(9h + 50min));
       }, "", "matched"},
      {"e-mail without an amount, bounced", [](Night& n) {
         n.add(attempt("k").noAmount(), effect("e").key("k").noAmount().failed());
       }, "", "false_success", nullptr, ""},
      {"provider without keys: receipt", [](Night& n) {
         n.add(attempt("k").recorded("e"), effect("e"));
       }, "", "matched", nullptr, "", ""},
      {"provider without keys: reference", [](Night& n) {
         n.add(attempt("k").order("o"), effect("e").order("o"));
       }, "", "matched", nullptr, "", "weak_evidence"},
      {"test and live rows mixed", [](Night& n) {
         n.add(attempt("k").job("j"), effect("e").key("k"), effect("t").key("k").test());
       }, "j", "matched", nullptr, nullptr, "", nullptr, 2},
      {"fp differs only by volatile fields", [](Night& n) {
         n.add(attempt("k").fp("1"), attempt("k").fp("2").at(11h), effect("e").key("k"));
       }, "", "matched", nullptr, "", "absorbed_duplicate"},
      {"blank keys are no shared key", [](Night& n) {
         n.add(attempt("").job("a"), attempt("").job("b"), effect("e"));
       }, "e", "unrecorded_effect", nullptr, nullptr, nullptr, nullptr, 3},
  };
  return rows;
}

}  // namespace

class TstJudgeSituations : public QObject {
  Q_OBJECT

 private slots:
  void situation_data() { addRows(situations()); }
  void situation() { verifyRow(situations()); }
};

QTEST_APPLESS_MAIN(TstJudgeSituations)
#include "tst_judge_situations.moc"
