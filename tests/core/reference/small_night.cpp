// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/reference/small_night.h"

#include <QByteArray>
#include <algorithm>
#include <sstream>

#if defined(__has_feature)
#define COUNTERFOIL_CLANG_SANITIZER (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#else
#define COUNTERFOIL_CLANG_SANITIZER 0
#endif

namespace counterfoil::testing::reference {

unsigned nightCount(unsigned plain, unsigned sanitized) {
  const QByteArray wanted = qgetenv("COUNTERFOIL_NIGHTS");
  if (!wanted.isEmpty()) return wanted.toUInt();
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || COUNTERFOIL_CLANG_SANITIZER
  return std::min(plain, sanitized);
#else
  return std::max(plain, sanitized);
#endif
}

SmallNight::SmallNight(unsigned seed) : m_random(seed) {
  chooseRules();
  const int attempts = below(4);
  const int effects = below(4);
  const int others = oneIn(2) ? 0 : 1 + below(3);
  for (int i = 0; i < attempts; ++i) addAttempt();
  for (int i = 0; i < effects; ++i) addEffect();
  for (int i = 0; i < others; ++i) addOther();
  if (effects > 0 && !m_hasUnknownAmounts && oneIn(3)) addReversal();
  if (effects > 0 && !m_hasUnknownAmounts && oneIn(8)) addReversal();
  if (effects > 0 && oneIn(6)) addRepeat();
  chooseEdges();
}

void SmallNight::chooseRules() {
  Operation& operation = night.operation();
  if (oneIn(8)) operation.expect = Expect::Split;
  else if (oneIn(10)) operation.expect = Expect::ZeroOrOne;
  if (oneIn(3)) operation.reversalsRecordedLocally = true;
  if (oneIn(4)) operation.maxRuntime = 1h;
  if (oneIn(4)) operation.tolerance.minor = 100;
  if (oneIn(3)) night.provider().statementLag = 1h;
  if (oneIn(3)) night.provider().keyRetention = pick<Duration>({1h, 24h});
  if (oneIn(3)) night.provider().pendingLimit = 2h;
  m_hasRefunds = oneIn(4);
  if (m_hasRefunds) night.addRefunds();
  m_hasOrders = oneIn(3);
  m_hasPayloads = !m_hasOrders && oneIn(4);
  m_hasUnknownAmounts = oneIn(6);
  const int accounts = below(6);
  if (accounts == 4 && !m_hasOrders) m_accounts = Accounts::OnlyEffects;
  if (accounts == 5) m_accounts = Accounts::Everywhere;
}

/// The same nights whatever order a compiler evaluates operands in.
Duration SmallNight::when() {
  const int halfHours = below(12);
  const int seconds = below(3);
  return 8h + halfHours * 30min + seconds * 1s;
}

template <class Record>
void SmallNight::fillHead(Build<Record>& build, bool isEffect) {
  build.key(pick<const char*>({"k", "k", "k", "l", ""}));
  if (m_hasOrders) build.order(pick<const char*>({"", "o", "o", "p"}));
  if (m_accounts == Accounts::Everywhere || (m_accounts == Accounts::OnlyEffects && isEffect)) {
    build.account(oneIn(4) ? "B" : "A");
  }
  if (oneIn(15)) build.test();
  build.usd(pick<std::int64_t>({1000, 1000, 1000, 1100, 500, 2000}));
  if (oneIn(20)) build.amount(money(1000, "EUR"));
  if (m_hasUnknownAmounts && oneIn(3)) build.noAmount();
}

void SmallNight::addAttempt() {
  Build<Attempt> build = attempt();
  fillHead(build, false);
  // Two attempts of one job and key that start together are one attempt read twice.
  const Duration start = when() + 10s * static_cast<int>(night.records.attempts.size());
  build.ran(start, start + below(3) * 2min).job(pick<const char*>({"", "j", "j", "i"}));
  if (m_hasRefunds && oneIn(3)) build.op(1).recorded(pick<const char*>({"", "", "r0", "r1"}));
  else build.recorded(pick<const char*>({"", "", "", "e0", "e1"}));
  if (m_hasPayloads) build.fp(pick<const char*>({"", "1", "2"}));
  build.status(pick<AttemptStatus>({AttemptStatus::Succeeded, AttemptStatus::Succeeded, AttemptStatus::Succeeded,
                                    AttemptStatus::FailedFinal, AttemptStatus::FailedFinal, AttemptStatus::Running,
                                    AttemptStatus::Lost, AttemptStatus::RetryPending, AttemptStatus::Unknown}));
  if (build.record().status == AttemptStatus::Running) build.noEnd();
  night.add(build);
}

void SmallNight::addEffect() {
  Build<Effect> build = effect("e" + std::to_string(m_effects++));
  fillHead(build, true);
  build.at(when());
  const int status = below(6);
  if (status == 0) build.pending();
  if (status == 1) build.failed();
  if (status == 2 && m_effects > 1 && night.records.effects.back().parentId.empty() &&
      night.records.effects.back().replaces.empty()) {
    Effect& last = night.records.effects.back();
    const bool isReplaced = oneIn(2);
    if (isReplaced) build.replaces(last.effectId);
    else if (last.created <= build.record().created) build.parent(last.effectId);
    if (isReplaced || oneIn(2)) last.status = EffectStatus::Pending;
    build.key(last.key).account(last.account).order(last.opRef);
    last.live = build.record().live;
  }
  night.add(build);
}

void SmallNight::addReversal() {
  Build<Effect> build = refund(oneIn(2) ? "r0" : "r1");
  if (!m_hasRefunds && oneIn(3)) build.kind(EffectKind::Dispute);
  fillHead(build, true);
  const bool isOfSecond = night.records.effects.size() > 1 && oneIn(4);
  const Effect& charge = night.records.effects[isOfSecond ? 1 : 0];
  build.at(when() + 4h).account(charge.account);
  if (!oneIn(4)) build.amount(*charge.amount);
  if (charge.live == Live::Test) build.test();
  build.parent(pick<std::string>({charge.effectId, charge.effectId, charge.effectId, "", "older"}));
  if (m_accounts == Accounts::OnlyEffects) build.parent(charge.effectId);
  if (oneIn(6)) build.failed();
  else if (oneIn(6)) build.pending();
  for (const Effect& other : night.records.effects) {
    if (other.effectId == build.record().effectId) return;
  }
  night.add(build);
}

void SmallNight::addOther() {
  const auto finish = [&](auto build) {
    fillHead(build, false);
    if (build.record().key.empty()) build.key("k");
    if (build.record().place.source != kIntents && !oneIn(4)) build.noAmount();
    return build;
  };
  switch (below(8)) {
    case 0: case 1: case 2: {
      Build<Skip> build = finish(skip(""));
      if (!oneIn(4)) build.noAmount();
      night.add(build.at(when()));
      return;
    }
    case 3: case 4: {
      const auto state = pick<ClaimState>({ClaimState::InProgress, ClaimState::Completed, ClaimState::Failed});
      const Duration at = when() + 10s * static_cast<int>(night.records.claims.size());
      Build<Claim> build = finish(claim("", state)).at(at);
      if (oneIn(2)) build.expires(at + 30min);
      night.add(build);
      return;
    }
    case 5: {
      Build<Intent> build = finish(intent("i" + std::to_string(night.records.intents.size())));
      build.status(pick<IntentStatus>({IntentStatus::Open, IntentStatus::Open, IntentStatus::Done, IntentStatus::Cancelled}));
      night.add(build.at(when()));
      return;
    }
    case 6: {
      night.add(finish(outbox("b" + std::to_string(night.records.outbox.size()))).noAmount().at(when()));
      return;
    }
    default: {
      const Duration at = when();
      night.add(finish(deadLetter("m" + std::to_string(night.records.deadLetters.size()))).enqueued(at).died(at + 1h));
      return;
    }
  }
}

/// The same effect in a second export, perhaps with another status and time.
void SmallNight::addRepeat() {
  Effect again = night.records.effects[static_cast<std::size_t>(below(static_cast<int>(night.records.effects.size())))];
  for (const Effect& other : night.records.effects) {
    if (other.replaces == again.effectId || other.parentId == again.effectId) return;
  }
  again.place.source = kSecondStatement;
  again.place.file = {kSecondStatement.value};
  again.place.offset += 1'000'000;
  again.status = pick<EffectStatus>({EffectStatus::Live, EffectStatus::Pending, EffectStatus::Failed});
  again.created += pick<Duration>({-1h, 0s, 1h});
  night.records.effects.push_back(again);
}

/// The time of some record, moved to where a rule may tip.
Instant SmallNight::somewhereNear() {
  Instant at = atTime(when());
  if (!night.records.effects.empty() && oneIn(2)) at = night.records.effects[0].created;
  if (!night.records.attempts.empty() && oneIn(2)) at = *night.records.attempts[0].start;
  if (!night.records.attempts.empty() && night.records.attempts[0].end && oneIn(2)) at = *night.records.attempts[0].end;
  at += pick<Duration>({0s, 5min, -5min, 10min, 1h, 1h + 5min, 20min, 65min + 5min});
  return at + pick<Duration>({-1us, 0us, 1us});
}

void SmallNight::chooseEdges() {
  if (oneIn(2)) night.asOf = somewhereNear();
  if (oneIn(3)) night.coverage.bySource[kStatement][0].from = somewhereNear();
  if (oneIn(3)) night.coverage.bySource[kStatement][0].to = somewhereNear();
  if (oneIn(3)) night.coverage.bySource[kJobs][0].from = somewhereNear();
  if (oneIn(3)) night.coverage.bySource[kJobs][0].to = somewhereNear();
  if (oneIn(3)) night.coverage.declared.insert(kStatement);
  if (oneIn(3)) night.coverage.declared.insert(kJobs);
}

Window SmallNight::window() const {
  return {night.coverage.bySource.at(kJobs)[0], night.coverage.bySource.at(kStatement)[0],
          night.coverage.declared.contains(kJobs), night.coverage.declared.contains(kStatement)};
}

namespace {

std::string clock(Instant at) {
  const std::string text = formatInstant(at);
  return text.substr(text.find('T') - 2);
}

std::string headText(const RecordHead& head) {
  std::string text = " key=" + head.key;
  const auto add = [&](const char* name, const std::string& value) {
    if (!value.empty()) text += std::string(" ") + name + "=" + value;
  };
  add("job", head.jobId);
  add("order", head.opRef);
  add("effect", head.effectId);
  add("account", head.account);
  add("fp", head.fingerprint);
  if (head.live == Live::Test) text += " test";
  if (head.operation.value > 0) text += " refunds";
  if (head.amount) text += " " + std::to_string(head.amount->minor) + head.amount->currency.text();
  return text;
}

}  // namespace

std::string SmallNight::text() const {
  std::ostringstream out;
  const Operation& o = night.policy.operations[0];
  out << "as of " << clock(night.asOf) << " expect " << int(o.expect) << " runtime " << formatDuration(o.maxRuntime)
      << " lag " << formatDuration(night.policy.providers[0].statementLag) << " tolerance " << o.tolerance.minor
      << " pending " << formatDuration(night.policy.providers[0].pendingLimit)
      << (o.reversalsRecordedLocally ? " reversals local" : "") << (m_hasRefunds ? " refunds" : "");
  for (SourceId source : {kJobs, kStatement}) {
    const Interval& covered = night.coverage.bySource.at(source)[0];
    out << "\n  covers " << clock(covered.from) << " to " << clock(covered.to)
        << (night.coverage.declared.contains(source) ? " declared" : "");
  }
  const auto line = [&](RecordKind kind, const RecordHead& head) -> std::ostringstream& {
    out << "\n  " << codeOf(kind) << ":" << head.place.offset << headText(head) << " ";
    return out;
  };
  const Records& r = night.records;
  for (const Attempt& a : r.attempts) {
    line(RecordKind::Attempt, a) << "status " << int(a.status) << " " << clock(*a.start) << " " << (a.end ? clock(*a.end) : "-");
  }
  for (const Skip& s : r.skips) line(RecordKind::Skip, s) << clock(s.time);
  for (const Claim& c : r.claims) {
    line(RecordKind::Claim, c) << "state " << int(c.state) << " " << clock(*c.claimedAt) << " " << (c.expiresAt ? clock(*c.expiresAt) : "-");
  }
  for (const Intent& i : r.intents) line(RecordKind::Intent, i) << i.id << " status " << int(i.status) << " " << clock(i.createdAt);
  for (const OutboxRow& o2 : r.outbox) line(RecordKind::Outbox, o2) << o2.id << " " << clock(o2.createdAt);
  for (const DeadLetter& d : r.deadLetters) line(RecordKind::DeadLetter, d) << clock(*d.enqueuedAt) << " " << clock(*d.diedAt);
  for (const Effect& e : r.effects) {
    line(RecordKind::Effect, e) << "kind " << int(e.kind) << " status " << int(e.status) << " " << clock(e.created) << " parent "
                                << e.parentId << " replaces " << e.replaces;
  }
  return out.str();
}

}  // namespace counterfoil::testing::reference
