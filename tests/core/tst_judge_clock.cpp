// SPDX-License-Identifier: GPL-3.0-or-later
// classes.md §2: absence waits, presence does not; edges of coverage, lag and skew.
#include "tests/core/support/expectation.h"

using namespace counterfoil;
using namespace counterfoil::testing;

namespace {

/// The success of the tests below ends at 10:00:01, so with 5 min of skew it is due at 10:05:01.
const std::vector<Expectation>& clockRows() {
  static const std::vector<Expectation> rows = {
      {"due now", [](Night& n) { n.add(attempt("k")); n.asOf = atTime(10h + 301s); }, "",
       "missing_effect"},
      {"due in a microsecond", [](Night& n) {
         n.add(attempt("k"));
         n.asOf = atTime(10h + 301s - 1us);
       }, "", "expected"},
      {"lag of the statement counts", [](Night& n) {
         n.provider().statementLag = 2h;
         n.add(attempt("k"));
         n.asOf = atTime(12h + 300s);
       }, "", "expected"},
      {"the largest lag counts", [](Night& n) {
         n.policy.providers.push_back({});
         n.policy.providers[1].name = "slow";
         n.policy.providers[1].statementLag = 100h;
         n.add(attempt("k"));
       }, "", "expected"},
      {"but not of a provider that does not act here", [](Night& n) {
         n.policy.providers.push_back({});
         n.policy.providers[1].name = "slow";
         n.policy.providers[1].statementLag = 100h;
         n.operation().provider = "stripe";
         n.add(attempt("k"));
       }, "", "missing_effect"},
      {"coverage ends when it is due", [](Night& n) {
         n.cover(kStatement, -24h, 10h + 301s);
         n.add(attempt("k"));
       }, "", "missing_effect"},
      {"coverage ends a microsecond before", [](Night& n) {
         n.cover(kStatement, -24h, 10h + 301s - 1us);
         n.add(attempt("k"));
       }, "", "out_of_window"},
      {"coverage begins with the skew", [](Night& n) {
         n.cover(kStatement, 9h + 55min, 48h);
         n.add(attempt("k"));
       }, "", "missing_effect"},
      {"coverage begins a microsecond later", [](Night& n) {
         n.cover(kStatement, 9h + 55min + 1us, 48h);
         n.add(attempt("k"));
       }, "", "out_of_window"},
      {"a declared window needs no skew at its beginning", [](Night& n) {
         n.cover(kStatement, 10h, 48h);
         n.coverage.declared.insert(kStatement);
         n.add(attempt("k"));
       }, "", "missing_effect"},
      {"an empty file of the provider takes nothing from it", [](Night& n) {
         n.cover(kStatement, 10h, 48h);
         n.coverage.declared.insert(kStatement);
         n.coverage.bySource[kSecondStatement] = {};
         n.add(attempt("k"));
       }, "", "missing_effect"},
      {"but nothing before its beginning", [](Night& n) {
         n.cover(kStatement, 10h + 1us, 48h);
         n.coverage.declared.insert(kStatement);
         n.add(attempt("k"));
       }, "", "out_of_window"},
      {"a declared window of ours neither", [](Night& n) {
         n.cover(kJobs, 10h, 48h);
         n.coverage.declared.insert(kJobs);
         n.add(effect("e"));
       }, "", "unrecorded_effect"},
      {"a gap between files", [](Night& n) {
         n.coverage.bySource[kStatement] = {{atTime(-24h), atTime(10h)}, {atTime(11h), atTime(48h)}};
         n.add(attempt("k"));
       }, "", "out_of_window"},
      {"files that touch", [](Night& n) {
         n.coverage.bySource[kStatement] = {{atTime(10h), atTime(48h)}, {atTime(-24h), atTime(10h)}};
         n.add(attempt("k"));
       }, "", "missing_effect"},
      {"two sources of one provider are one coverage", [](Night& n) {
         n.cover(kStatement, -24h, 10h);
         n.cover(kSecondStatement, 10h, 48h);
         n.add(attempt("k"));
       }, "", "missing_effect"},
      {"another provider that may act must cover too", [](Night& n) {
         n.policy.sources[7].provider = "paypal";
         n.add(attempt("k"));
       }, "", "out_of_window"},
      {"unless the operation names its provider", [](Night& n) {
         n.policy.sources[7].provider = "paypal";
         n.operation().provider = "stripe";
         n.add(attempt("k"));
       }, "", "missing_effect"},
      {"no effects were read at all", [](Night& n) {
         n.coverage.bySource.erase(kStatement);
         n.add(attempt("k"));
       }, "", "out_of_window"},
      {"effect inside local coverage by the skew", [](Night& n) {
         n.cover(kJobs, 9h + 55min, 48h);
         n.add(effect("e"));
       }, "", "unrecorded_effect"},
      {"effect not inside by the skew", [](Night& n) {
         n.cover(kJobs, 9h + 55min + 1us, 48h);
         n.add(effect("e"));
       }, "", "out_of_window"},
      {"effect too near the end of local coverage", [](Night& n) {
         n.cover(kJobs, -24h, 10h + 5min - 1us);
         n.add(effect("e"));
       }, "", "out_of_window"},
      {"effect too fresh", [](Night& n) { n.add(effect("e")); n.asOf = atTime(10h + 5min); }, "",
       "out_of_window"},
      {"effect just old enough", [](Night& n) {
         n.add(effect("e"));
         n.asOf = atTime(10h + 5min + 1us);
       }, "", "unrecorded_effect"},
      {"every source of attempts must cover", [](Night& n) {
         n.policy.sources[2].kinds = {RecordKind::Attempt};
         n.add(effect("e"));
       }, "", "out_of_window"},
      {"intents witness where there are no attempts", [](Night& n) {
         n.policy.sources[0].kinds = {RecordKind::Intent};
         n.policy.sources[4].kinds = {};
         n.add(effect("e"));
       }, "", "unrecorded_effect"},
      {"a day touches the window", [](Night& n) {
         n.cover(kJobs, 23h, 48h);
         n.add(effect("e").at(0h).day());
       }, "", "unrecorded_effect"},
      {"a day outside the window", [](Night& n) {
         n.cover(kJobs, 24h, 48h);
         n.add(effect("e").at(0h).day());
       }, "", "out_of_window"},
      {"an attempt without an end ends after its longest run", [](Night& n) {
         n.add(attempt("k").noEnd());
         n.asOf = atTime(10h + 10min - 1us);
       }, "", "expected"},
      {"running within its time", [](Night& n) {
         n.operation().maxRuntime = 1h;
         n.add(attempt("k").running());
         n.asOf = atTime(11h + 1min);
       }, "", "in_flight"},
      {"an end before the start takes the start", [](Night& n) {
         n.add(attempt("k").ran(10h, 9h));
         n.asOf = atTime(10h + 4min);
       }, "", "expected"},
      {"an intent waits for its limit", [](Night& n) {
         n.add(intent("i").key("k").due(12h));
         n.asOf = atTime(12h + 15min);
       }, "", "expected"},
      {"an intent past its limit", [](Night& n) {
         n.add(intent("i").key("k").due(12h));
         n.asOf = atTime(12h + 20min);
       }, "", "unpublished_intent"},
      {"two live effects are a break at once", [](Night& n) {
         n.add(attempt("k"), effect("a").key("k"), effect("b").key("k"));
         n.asOf = atTime(10h);
       }, "", "duplicate_effect"},
  };
  return rows;
}

}  // namespace

class TstJudgeClock : public QObject {
  Q_OBJECT

 private slots:
  void clock_data() { addRows(clockRows()); }
  void clock() { verifyRow(clockRows()); }
};

QTEST_APPLESS_MAIN(TstJudgeClock)
#include "tst_judge_clock.moc"
