// SPDX-License-Identifier: GPL-3.0-or-later
// What holds for any group of records, however odd.
#include <rapidcheck.h>

#include "tests/core/support/expectation.h"
#include "tests/core/support/proving.h"

using namespace counterfoil;
using namespace counterfoil::testing;

namespace {

std::string oneOf(std::initializer_list<const char*> words) {
  return *rc::gen::elementOf(std::vector<std::string>(words.begin(), words.end()));
}
int upTo(int most) { return *rc::gen::inRange(0, most + 1); }
Duration someTime() { return upTo(40) * 30min; }
Money someMoney() { return money(*rc::gen::element<std::int64_t>(0, 500, 1500, 2000), oneOf({"USD", "EUR"})); }

template <class Record>
void fillHead(Build<Record>& build) {
  build.key(oneOf({"", "k", "l", "m"})).job(oneOf({"", "j", "i"})).order(oneOf({"", "", "o", "p"}));
  build.account(oneOf({"", "", "A", "B"})).fp(oneOf({"", "1", "2"}));
  if (upTo(9) == 0) build.test();
  if (upTo(4) == 0) build.noAmount();
  else build.amount(someMoney());
}

AnyRecord someAttempt(int operations) {
  Build<Attempt> build(kJobs);
  fillHead(build);
  build.at(someTime()).op(upTo(operations - 1)).recorded(oneOf({"", "", "e1", "e2", "e3"}));
  build.status(*rc::gen::element(AttemptStatus::Succeeded, AttemptStatus::Succeeded, AttemptStatus::FailedFinal,
                                 AttemptStatus::Running, AttemptStatus::Lost, AttemptStatus::RetryPending));
  return build.record();
}

AnyRecord someEffect() {
  Build<Effect> build(kStatement);
  fillHead(build);
  build.at(someTime()).op(-1).recorded(oneOf({"", "e1", "e2", "e3", "e4", "e5"}));
  build.parent(oneOf({"", "", "e1", "e2", "pi"})).replaces(oneOf({"", "", "", "e1"}));
  build.kind(*rc::gen::element(EffectKind::Forward, EffectKind::Forward, EffectKind::Forward, EffectKind::Reversal,
                               EffectKind::Dispute, EffectKind::Fee));
  const int status = upTo(5);
  if (status == 0) build.pending();
  if (status == 1) build.failed();
  return build.record();
}

AnyRecord someOther() {
  switch (upTo(5)) {
    case 0: {
      Build<Skip> build(kSkips);
      fillHead(build);
      return build.at(someTime()).op(-1).record();
    }
    case 1: {
      Build<Claim> build(kClaims);
      fillHead(build);
      build.state(*rc::gen::element(ClaimState::InProgress, ClaimState::Completed, ClaimState::Failed));
      return build.at(someTime()).record();
    }
    case 2: {
      Build<Intent> build(kIntents);
      fillHead(build);
      build.id(oneOf({"", "i1", "i2"})).at(someTime());
      build.status(*rc::gen::element(IntentStatus::Open, IntentStatus::Done, IntentStatus::Cancelled));
      return build.record();
    }
    case 3: {
      Build<OutboxRow> build(kOutbox);
      fillHead(build);
      return build.id(oneOf({"", "b1", "b2"})).at(someTime()).record();
    }
    case 4: {
      Build<ProcessedEvent> build(kClaims);
      fillHead(build);
      return build.id(oneOf({"", "b1"})).at(someTime()).record();
    }
    default: {
      Build<DeadLetter> build(kDeadLetters);
      fillHead(build);
      return build.message(oneOf({"", "m1", "m2"})).died(someTime()).record();
    }
  }
}

Night someNight() {
  Night night;
  if (upTo(1) == 1) night.addRefunds();
  const auto operations = static_cast<int>(night.policy.operations.size());
  if (upTo(3) == 0) night.operation().expect = Expect::Split;
  if (upTo(5) == 0) night.operation().direction = Direction::Inbound;
  night.operation().reversalsRecordedLocally = upTo(3) == 0;
  const int attempts = upTo(5);
  const int effects = upTo(7);
  const int others = upTo(4);
  for (int i = 0; i < attempts; ++i) night.records.add(someAttempt(operations));
  for (int i = 0; i < effects; ++i) night.records.add(someEffect());
  for (int i = 0; i < others; ++i) night.records.add(someOther());
  return night;
}

/// Everything of a unit that callers see, but the places of its records.
std::string textOfUnit(const Unit& unit) {
  std::string text = unit.id + '|' + unit.key + '|' + unit.scope + '|' + unit.mark + '|' + unit.opRef + '|' +
                     textOf(codeOf(unit.unitClass)) + '|' + codes(unit.flags).toStdString() + '|' +
                     codes(unit.hints).toStdString() + '|' + exposureText(unit).toStdString() + '|' +
                     unit.reason + '|' + textOf(codeOf(unit.severity)) + '|' + textOf(codeOf(unit.why));
  for (const JudgedSkip& skip : unit.skipVerdicts) text += '|' + skip.reason;
  for (const JudgedDeadLetter& letter : unit.deadLetterVerdicts) text += '|' + letter.reason;
  for (const Attempt& a : unit.records.attempts) text += "|a " + a.jobId + a.key + formatInstant(*a.start);
  for (const Effect& e : unit.records.effects) text += "|e " + e.effectId + e.key + formatInstant(e.created);
  return text;
}

std::vector<std::string> textsOf(const Night& night) {
  std::vector<std::string> texts;
  for (const Unit& unit : night.judged().units) texts.push_back(textOfUnit(unit));
  return texts;
}

template <class Record>
void shuffle(std::vector<Record>& records, std::uint64_t& seed) {
  for (std::size_t i = records.size(); i > 1; --i) {
    seed = seed * 6364136223846793005ull + 1442695040888963407ull;
    std::swap(records[i - 1], records[(seed >> 33) % i]);
  }
}

template <class Record>
void renumber(std::vector<Record>& records) {
  std::uint64_t offset = 1;
  for (Record& record : records) record.place.offset = offset++;
}

void permute(Records& records, std::uint64_t seed) {
  const auto apply = [&](auto& list) {
    shuffle(list, seed);
    renumber(list);
  };
  apply(records.attempts);
  apply(records.skips);
  apply(records.claims);
  apply(records.intents);
  apply(records.outbox);
  apply(records.processedEvents);
  apply(records.effects);
  apply(records.deadLetters);
}

}  // namespace

class TstJudgeProperties : public QObject {
  Q_OBJECT

 private slots:
  void everyRecordLiesInOneUnitOrIsARepeat();
  void orderOfRecordsChangesNothing();
  void proofCloses();
  void withoutEffectsNothingMatches();
  void anotherLiveEffectMakesABreak();
  void idsAreUnique();
};

void TstJudgeProperties::everyRecordLiesInOneUnitOrIsARepeat() {
  QVERIFY(rc::check("every record is in exactly one unit, or a repeat", [] {
    const Night night = someNight();
    const Judgement judgement = night.judged();
    std::set<std::pair<RecordKind, Place>> seen;
    std::size_t count = 0;
    const auto take = [&](RecordKind kind, const auto& records) {
      for (const auto& record : records) {
        ++count;
        RC_ASSERT(seen.insert({kind, record.place}).second);
      }
    };
    for (const Unit& unit : judgement.units) {
      RC_ASSERT(unit.records.size() > 0u);
      take(RecordKind::Attempt, unit.records.attempts);
      take(RecordKind::Skip, unit.records.skips);
      take(RecordKind::Claim, unit.records.claims);
      take(RecordKind::Intent, unit.records.intents);
      take(RecordKind::Outbox, unit.records.outbox);
      take(RecordKind::ProcessedEvent, unit.records.processedEvents);
      take(RecordKind::Effect, unit.records.effects);
      take(RecordKind::DeadLetter, unit.records.deadLetters);
      RC_ASSERT(unit.skipVerdicts.size() == unit.records.skips.size());
      RC_ASSERT(unit.deadLetterVerdicts.size() == unit.records.deadLetters.size());
    }
    std::uint64_t repeats = 0;
    for (const auto& [source, times] : judgement.repeats) repeats += times;
    RC_ASSERT(count + repeats == night.records.size());
  }));
}

void TstJudgeProperties::orderOfRecordsChangesNothing() {
  QVERIFY(rc::check("rows in another order give the same units", [] {
    Night night = someNight();
    const auto before = textsOf(night);
    permute(night.records, *rc::gen::arbitrary<std::uint64_t>());
    RC_ASSERT(textsOf(night) == before);
  }));
}

void TstJudgeProperties::proofCloses() {
  QVERIFY(rc::check("nothing is unexplained", [] {
    for (const ProofLine& line : provedLines(someNight())) {
      RC_ASSERT(line.unexplainedMinor == 0);
      std::int64_t bridge = line.localMinor;
      for (std::int64_t step : line.steps) bridge += step;
      RC_ASSERT(bridge == line.providerMinor);
    }
  }));
}

void TstJudgeProperties::withoutEffectsNothingMatches() {
  QVERIFY(rc::check("a success without any effect is never matched", [] {
    Night night = someNight();
    night.records.effects.clear();
    for (const Unit& unit : night.judged().units) {
      const bool hasSuccess = unit.local == LocalSummary::Succeeded;
      RC_ASSERT(!(hasSuccess && groupOf(unit.unitClass) == ClassGroup::Closed));
      RC_ASSERT(unit.unitClass != Class::Matched);
    }
  }));
}

void TstJudgeProperties::anotherLiveEffectMakesABreak() {
  QVERIFY(rc::check("a second live effect under a matched key is a break", [] {
    Night night = someNight();
    night.operation().expect = Expect::ExactlyOne;
    const Judgement judgement = night.judged();
    const auto matched = std::find_if(
        judgement.units.begin(), judgement.units.end(), [&](const Unit& unit) {
          const bool hasLive =
              std::any_of(unit.records.effects.begin(), unit.records.effects.end(), [&](const Effect& e) {
                return e.kind == EffectKind::Forward && e.status == EffectStatus::Live &&
                       e.key == unit.key && !e.key.empty();
              });
          return unit.unitClass == Class::Matched && hasLive && unit.operation.value == 0 &&
                 !unit.has(Flag::Reversed) && !unit.has(Flag::Disputed) &&
                 !unit.has(Flag::AmbiguousMatch) && unit.mark.empty();
        });
    if (matched == judgement.units.end()) return;
    const auto live = std::find_if(
        matched->records.effects.begin(), matched->records.effects.end(), [&](const Effect& e) {
          return e.kind == EffectKind::Forward && e.status == EffectStatus::Live && e.key == matched->key;
        });
    Effect twin = *live;
    twin.effectId = "twin";
    twin.replaces.clear();
    twin.parentId.clear();
    twin.place.offset += 1'000'000;
    night.records.effects.push_back(twin);
    const Unit unit = night.unitWith("twin");
    RC_LOG() << textOfUnit(*matched) << "\n" << textOfUnit(unit) << "\n";
    RC_ASSERT(groupOf(unit.unitClass) == ClassGroup::Break);
  }));
}

void TstJudgeProperties::idsAreUnique() {
  QVERIFY(rc::check("no two units of a group have one id", [] {
    std::set<CaseId> ids;
    const Judgement judgement = someNight().judged();
    for (const Unit& unit : judgement.units) ids.insert(unit.id);
    RC_ASSERT(ids.size() == judgement.units.size());
  }));
}

QTEST_APPLESS_MAIN(TstJudgeProperties)
#include "tst_judge_properties.moc"
