// SPDX-License-Identifier: GPL-3.0-or-later
// Each finding of classes.md §5 raised once, and not raised by its near miss.
#include "core/judge/findings.h"
#include "tests/core/support/expectation.h"

using namespace counterfoil;
using namespace counterfoil::testing;

namespace {

std::vector<Finding> found(const Night& night, const std::vector<QueueDepth>& depths = {}) {
  FindingsCollector collector(night.context());
  const Judgement judgement = night.judged();
  for (const Unit& unit : judgement.units) collector.addUnit(unit);
  collector.addJudgement(judgement);
  for (const QueueDepth& depth : depths) collector.addQueueDepth(depth);
  return collector.finish();
}

const Finding* findingOf(const std::vector<Finding>& findings, std::string_view code) {
  for (const Finding& finding : findings) {
    if (finding.code == code) return &finding;
  }
  return nullptr;
}

QueueProfile& queue(Night& night) {
  if (night.policy.queues.empty()) {
    night.policy.queues.push_back({});
    night.policy.queues[0].name = "payments";
    night.policy.queues[0].deadLetterQueue = "payments.dlq";
  }
  return night.policy.queues[0];
}

QueueDepth depth(std::int64_t messages, Duration at, std::string name = "payments.dlq") {
  QueueDepth sample;
  sample.queue = std::move(name);
  sample.kind = QueueKind::Dead;
  sample.depth = messages;
  sample.sampledAt = atTime(at);
  return sample;
}

/// `yes` raises the code, `no` is as near as may be and does not.
struct Row {
  const char* code;
  const char* subject;
  std::int64_t count;
  std::function<void(Night&)> yes;
  std::function<void(Night&)> no;
};

void repeats(Night& n, int times, Duration gap, Duration runs = 1s) {
  for (int i = 0; i < times; ++i) {
    n.add(attempt("k").job("j").queue("payments").ran(10h + i * gap, 10h + i * gap + runs));
  }
}

void guardsAt(Night& n, int fromHour, int toHour) {
  for (int hour = fromHour; hour <= toHour; ++hour) {
    n.add(skip("g" + std::to_string(hour)).at(hour * 1h + 1min));
  }
}

void repeatsAt(Night& n, int hour, int times) {
  for (int i = 0; i < times; ++i) {
    const std::string key = "r" + std::to_string(hour) + "-" + std::to_string(i);
    n.add(attempt(key).at(hour * 1h), attempt(key).at(hour * 1h + 10s), effect(key).key(key).at(hour * 1h));
  }
}

const std::vector<Row>& rows() {
  static const std::vector<Row> all = {
      {"key_too_coarse", "key charge:{n}", 1,
       [](Night& n) { n.add(attempt("charge:7").order("a"), attempt("charge:7").order("b")); },
       [](Night& n) { n.add(attempt("charge:7").order("a"), attempt("charge:8").order("b")); }},
      {"key_too_fine", "key k{n}", 1,
       [](Night& n) { n.add(attempt("k1").job("j").failed(), attempt("k2").job("j").at(11h)); },
       [](Night& n) { n.add(attempt("k1").job("j").failed(), attempt("k1").job("j").at(11h)); }},
      {"key_missing", "queue payments", 1, [](Night& n) { n.add(attempt("").job("j").queue("payments")); },
       [](Night& n) { n.add(attempt("0").job("j").queue("payments")); }},
      {"key_not_forwarded", "source statement", 1,
       [](Night& n) { n.add(attempt("k").recorded("e"), effect("e").key("other")); },
       [](Night& n) { n.add(attempt("k").recorded("e"), effect("e").key("k")); }},
      {"key_format_risk", "key {n}-{n}", 1, [](Night& n) { n.add(attempt("4711-1712480000")); },
       [](Night& n) { n.add(attempt("4711-9912480000")); }},
      {"key_format_risk", nullptr, 1, [](Night& n) { n.add(attempt(std::string(256, 'x'))); },
       [](Night& n) { n.add(attempt(std::string(255, 'x'))); }},
      {"key_format_risk", "source statement", 1, [](Night& n) { n.add(effect("e").damagedKey("4.6E+18")); },
       [](Night& n) { n.add(effect("e").key("4.6E")); }},
      {"key_format_risk", "spelling", 1, [](Night& n) { n.add(attempt("ord-7"), effect("e").key("ORD-7")); },
       [](Night& n) { n.add(attempt("ord-7"), effect("e").key("ord-8")); }},
      {"key_format_risk", "key 0", 1, [](Night& n) { n.add(attempt("0").job("a"), attempt("0").job("b")); },
       [](Night& n) { n.add(attempt("0").job("a"), attempt("0").job("a").at(11h)); }},
      {"key_reused_after_retention", "key k", 1,
       [](Night& n) {
         n.provider().keyRetention = 1h;
         n.add(attempt("k"), attempt("k").at(11h), effect("e").key("k"));
       },
       [](Night& n) {
         n.provider().keyRetention = 1h;
         n.add(attempt("k"), attempt("k").at(11h - 1us), effect("e").key("k"));
       }},
      {"key_reused_other_payload", "key k", 1,
       [](Night& n) { n.add(attempt("k").fp("1"), attempt("k").fp("2").at(11h)); },
       [](Night& n) { n.add(attempt("k").fp("1"), attempt("k").fp("1").at(11h)); }},
      {"key_scope_collision", "key {n}", 1,
       [](Night& n) { n.add(attempt("1001").account("A"), attempt("1001").account("B")); },
       [](Night& n) { n.add(attempt("1001").account("A"), attempt("1002").account("B")); }},
      {"key_scope_collision", "key k", 1,
       [](Night& n) { n.add(attempt("k").queue("a"), attempt("k").queue("b").at(11h)); },
       [](Night& n) { n.add(attempt("k").queue("a"), attempt("k").queue("a").at(11h)); }},
      {"message_id_as_key", "run", 1, [](Night& n) { n.add(attempt("m1").message("m1")); },
       [](Night& n) { n.add(attempt("m1").message("m2")); }},
      {"dedupe_ttl_too_short", "queue payments", 1,
       [](Night& n) { queue(n).dedupeTtl = 9min; repeats(n, 2, 10min); },
       [](Night& n) { queue(n).dedupeTtl = 10min; repeats(n, 2, 10min); }},
      {"dedupe_ttl_too_short", "queue payments", 1,
       [](Night& n) { queue(n).dedupeTtl = 1h; queue(n).retryHorizon = 2h; repeats(n, 1, 0s); },
       [](Night& n) { queue(n).dedupeTtl = 2h; queue(n).retryHorizon = 2h; repeats(n, 1, 0s); }},
      {"claim_ttl_below_p99", "queue payments", 1,
       [](Night& n) { queue(n).claimTtl = 30s; repeats(n, 1, 0s, 31s); },
       [](Night& n) { queue(n).claimTtl = 30s; repeats(n, 1, 0s, 30s); }},
      {"timeout_below_p99", "queue payments", 1,
       [](Night& n) { queue(n).visibilityTimeout = 30s; repeats(n, 1, 0s, 92s); },
       [](Night& n) { queue(n).visibilityTimeout = 92s; repeats(n, 1, 0s, 92s); }},
      {"stuck_claim", "run", 1, [](Night& n) { n.add(claim("k", ClaimState::InProgress)); },
       [](Night& n) { n.add(claim("k")); }},
      {"overlapping_execution", "queue payments", 1, [](Night& n) { repeats(n, 2, 33s, 38s); },
       [](Night& n) { repeats(n, 2, 38s, 38s); }},
      {"periodic_redelivery", "queue payments", 3, [](Night& n) { repeats(n, 4, 3610s); },
       [](Night& n) { repeats(n, 3, 3610s); }},
      {"periodic_redelivery", "queue payments", 3, [](Night& n) { repeats(n, 4, 700s); },
       [](Night& n) { repeats(n, 3, 700s); }},
      {"unguarded_interval", "2026-04-07T12:00:00Z", 3,
       [](Night& n) { guardsAt(n, 10, 11); repeatsAt(n, 12, 3); guardsAt(n, 13, 14); },
       [](Night& n) { guardsAt(n, 10, 14); repeatsAt(n, 12, 3); }},
      {"poison_message", "queue payments", 1,
       [](Night& n) {
         for (int i = 0; i < 5; ++i) {
           n.add(attempt("k").queue("payments").failed().error("boom").at(10h + i * 1min));
         }
       },
       [](Night& n) {
         for (int i = 0; i < 4; ++i) {
           n.add(attempt("k").queue("payments").failed().error("boom").at(10h + i * 1min));
         }
       }},
      {"poison_message", "queue payments.dlq", 1,
       [](Night& n) { n.add(deadLetter("m").key("k").error("boom").received(5)); },
       [](Night& n) { n.add(deadLetter("m").key("k").error("boom").received(4)); }},
      {"retry_storm", "queue payments", 10, [](Night& n) { repeats(n, 11, 13min, 60s); },
       [](Night& n) { repeats(n, 10, 13min, 60s); }},
      {"permanent_error_retried", "queue payments", 1,
       [](Night& n) {
         n.add(attempt("k").queue("payments").failed().error("ValidationError: currency"),
               attempt("k").queue("payments").failed().error("ValidationError: currency").at(11h));
       },
       [](Night& n) {
         n.add(attempt("k").queue("payments").failed().error("HTTP 504"),
               attempt("k").queue("payments").failed().error("HTTP 504").at(11h));
       }},
      {"early_ack_loss", "queue payments", 1,
       [](Night& n) { n.add(attempt("k").queue("payments").status(AttemptStatus::Lost)); },
       [](Night& n) {
         n.add(attempt("k").queue("payments").status(AttemptStatus::Lost),
               attempt("k").queue("payments").status(AttemptStatus::Lost).at(11h));
       }},
      {"early_ack_loss", "queue payments", 1,
       [](Night& n) {
         n.add(attempt("k").queue("payments").status(AttemptStatus::Lost), skip("k").at(10h - 1s));
       },
       [](Night& n) {   // it came again, and was skipped
         n.add(attempt("k").queue("payments").status(AttemptStatus::Lost), skip("k").at(10h + 1s));
       }},
      {"early_ack_loss", "queue payments", 1,
       [](Night& n) { n.add(attempt("k").queue("payments").status(AttemptStatus::Lost)); },
       [](Night& n) {
         n.add(attempt("k").queue("payments").status(AttemptStatus::Lost), deadLetter("m").key("k"));
       }},
      {"partial_task", "run", 1,
       [](Night& n) {
         n.policy.operations.push_back(n.policy.operations[0]);
         n.add(attempt("a").job("j").op(0), effect("e").key("a"), attempt("b").job("j").op(1));
       },
       [](Night& n) {
         n.policy.operations.push_back(n.policy.operations[0]);
         n.add(attempt("a").job("j").op(0), effect("e").key("a"), attempt("b").job("i").op(1));
       }},
      {"skip_rate_anomaly", "run", 1,
       [](Night& n) { n.add(attempt("k"), attempt("k").at(11h), effect("e").key("k")); },
       [](Night& n) { n.add(attempt("k"), attempt("k").at(11h), effect("e").key("k"), skip("k")); }},
      {"skip_rate_anomaly", "queue payments", 6,
       [](Night& n) {
         for (int i = 0; i < 4; ++i) n.add(attempt("k" + std::to_string(i)).queue("payments"));
         for (int i = 0; i < 6; ++i) n.add(skip("k1").queue("payments").at(11h + i * 1s));
       },
       [](Night& n) {
         for (int i = 0; i < 5; ++i) n.add(attempt("k" + std::to_string(i)).queue("payments"));
         for (int i = 0; i < 5; ++i) n.add(skip("k1").queue("payments").at(11h + i * 1s));
       }},
      {"outbox_lag", "source outbox", 1, [](Night& n) { n.add(outbox("o").key("k").at(29h + 44min)); },
       [](Night& n) { n.add(outbox("o").key("k").at(29h + 45min)); }},
      {"outbox_double_publish", "source outbox", 1,
       [](Night& n) { n.add(outbox("o").key("k").published(9h, 2)); },
       [](Night& n) { n.add(outbox("o").key("k").published(9h, 1)); }},
      {"outbox_dead", "source outbox", 1, [](Night& n) { n.add(outbox("o").key("k").dead()); },
       [](Night& n) { n.add(outbox("o").key("k")); }},
      {"outbox_gap", "source outbox", 1, [](Night& n) { n.add(outbox("o").key("k").published(9h)); },
       [](Night& n) { n.add(outbox("o").key("k").published(9h), attempt("k")); }},
      {"dlq_expiring", "queue payments.dlq", 1,
       [](Night& n) { queue(n).deadLetterRetention = 45h; n.add(deadLetter("m").key("k")); },
       [](Night& n) { queue(n).deadLetterRetention = 45h + 1us; n.add(deadLetter("m").key("k")); }},
      {"dlq_depth", "queue payments.dlq", 2,
       [](Night& n) { queue(n).maxDepth = 1; n.add(deadLetter("m").key("k"), deadLetter("l").key("l")); },
       [](Night& n) { queue(n).maxDepth = 2; n.add(deadLetter("m").key("k"), deadLetter("l").key("l")); }},
      {"dlq_at_cap", "queue payments.dlq", 1,
       [](Night& n) { queue(n).depthCap = 1; n.add(deadLetter("m").key("k")); },
       [](Night& n) { queue(n).depthCap = 2; n.add(deadLetter("m").key("k")); }},
      {"blind_source", "source jobs", 1, [](Night& n) { n.policy.sources[0].blind = true; n.add(attempt("k")); },
       [](Night& n) { n.policy.sources[1].blind = true; n.add(attempt("k")); }},
      {"clock_skew", "source statement", 1,
       [](Night& n) { n.add(attempt("k"), effect("e").key("k").at(9h + 55min - 1us)); },
       [](Night& n) { n.add(attempt("k"), effect("e").key("k").at(9h + 55min)); }},
      {"link_value_too_common", "op_ref N/A", 1,
       [](Night& n) { for (int i = 0; i < 51; ++i) n.add(attempt("k" + std::to_string(i)).order("N/A")); },
       [](Night& n) { for (int i = 0; i < 50; ++i) n.add(attempt("k" + std::to_string(i)).order("N/A")); }},
  };
  return all;
}

}  // namespace

class TstFindings : public QObject {
  Q_OBJECT

 private slots:
  void finding_data();
  void finding();
  void adviceIsComputed();
  void timerIsNamed();
  void depthOfSnapshotsAndSamples();
  void growingQueue();
  void partsOfAQueueAddUp();
  void aLogsDepthIsItsEndLessItsBeginning();
  void kindsOfQueues();
  void workQueuesRaiseNoDeadLetterFindings();
  void historyOfAQueue();
  void goneMessagesDoNotCount();
  void orderAndMergingDoNotMatter();
  void findingsFromOutside();
  void histogram();
  void plainRunHasNone();
};

void TstFindings::finding_data() {
  QTest::addColumn<int>("row");
  for (std::size_t i = 0; i < rows().size(); ++i) {
    QTest::addRow("%s %s %d", rows()[i].code, rows()[i].subject ? rows()[i].subject : "", int(i))
        << static_cast<int>(i);
  }
}

void TstFindings::finding() {
  QFETCH(int, row);
  const Row& expected = rows()[static_cast<std::size_t>(row)];
  Night raised;
  expected.yes(raised);
  const auto findings = found(raised);
  const Finding* own = nullptr;
  for (const Finding& finding : findings) {
    const bool isIt = finding.code == expected.code &&
                      (expected.subject == nullptr || finding.subject == expected.subject);
    if (isIt) own = &finding;
  }
  QVERIFY2(own != nullptr, "not raised");
  QCOMPARE(own->count, expected.count);
  QVERIFY(!own->seen.empty());
  QVERIFY(!own->advice.empty());
  Night near;
  expected.no(near);
  for (const Finding& finding : found(near)) {
    const bool isIt = finding.code == expected.code &&
                      (expected.subject == nullptr || finding.subject == expected.subject);
    QVERIFY2(!isIt, finding.seen.c_str());
  }
}

void TstFindings::adviceIsComputed() {
  Night night;
  queue(night).visibilityTimeout = 30s;
  for (int i = 0; i < 41; ++i) {
    const std::string key = "k" + std::to_string(i);
    night.add(attempt(key).queue("payments").ran(10h, 10h + 92s),
              attempt(key).queue("payments").ran(10h + 30s, 10h + 40s), effect(key).key(key));
  }
  const auto findings = found(night);
  const Finding* timeout = findingOf(findings, "timeout_below_p99");
  QVERIFY(timeout != nullptr);
  QCOMPARE(timeout->seen, std::string("visibility timeout 30 s is below the p99 of 1 min 32 s (82 runs)."));
  QCOMPARE(timeout->advice, std::string("set the visibility timeout to at least 1 min 40 s: it would have "
                                        "absorbed 41 of 41 overlaps."));
  const Finding* overlap = findingOf(findings, "overlapping_execution");
  QCOMPARE(overlap->count, std::int64_t(41));
  QCOMPARE(overlap->examples.size(), std::size_t(5));
  QCOMPARE(overlap->examples[0], std::string("k0"));
}

void TstFindings::timerIsNamed() {
  Night night;
  repeats(night, 4, 3610s);
  const auto findings = found(night);
  const Finding* periodic = findingOf(findings, "periodic_redelivery");
  QVERIFY(periodic->seen.find("Celery's visibility timeout on Redis") != std::string::npos);
}

void TstFindings::depthOfSnapshotsAndSamples() {
  Night night;
  queue(night).maxDepth = 5;
  night.add(deadLetter("m").key("k"));
  FindingsCollector collector(night.context());
  for (const Unit& unit : night.judged().units) collector.addUnit(unit);
  collector.addQueueDepth(depth(9, 20h));
  collector.addQueueDepth(depth(4, 10h));
  const auto queues = collector.queues();
  QCOMPARE(queues.size(), std::size_t(1));
  QCOMPARE(queues[0].depth.value(), std::int64_t(9));
  QCOMPARE(queues[0].maxDepth.value(), std::int64_t(5));
  QVERIFY(queues[0].deadLetter);
  QVERIFY(queues[0].sampledAt == atTime(20h));
  QVERIFY(findingOf(collector.finish(), "dlq_depth") != nullptr);
}

void TstFindings::growingQueue() {
  Night night;
  QVERIFY(findingOf(found(night, {depth(1, 1h), depth(2, 2h), depth(3, 3h)}), "dlq_depth") != nullptr);
  QVERIFY(findingOf(found(night, {depth(1, 1h), depth(3, 2h), depth(2, 3h)}), "dlq_depth") == nullptr);
  QVERIFY(findingOf(found(night, {depth(1, 1h), depth(2, 2h)}), "dlq_depth") == nullptr);
}

namespace {

QueueDepth partOf(std::string name, std::string part, std::optional<std::int64_t> messages, std::uint16_t source = 0) {
  QueueDepth sample;
  sample.place.source.value = source;
  sample.queue = std::move(name);
  sample.part = std::move(part);
  sample.depth = messages;
  sample.sampledAt = atTime(10h);
  return sample;
}

/// "payments 5 work, payments.dlq ? dead"
std::string statesOf(const Night& night, const std::vector<QueueDepth>& depths) {
  FindingsCollector left(night.context()), right(night.context());
  for (std::size_t i = 0; i < depths.size(); ++i) (i % 2 == 0 ? left : right).addQueueDepth(depths[i]);
  right.merge(std::move(left));
  std::string all;
  for (const auto& state : right.queues()) {
    all += (all.empty() ? "" : ", ") + state.queue + " " + (state.depth ? std::to_string(*state.depth) : "?");
    if (state.inFlight) all += "+" + std::to_string(*state.inFlight);
    if (state.kind != QueueKind::Unstated) all += " " + std::string(codeOf(state.kind));
  }
  return all;
}

}  // namespace

void TstFindings::partsOfAQueueAddUp() {
  const Night night;
  QCOMPARE(statesOf(night, {partOf("q", "0", 3), partOf("q", "3", 4), partOf("q", "3", 4)}), std::string("q 7"));
  QCOMPARE(statesOf(night, {partOf("q", "0", 3), partOf("q", "3", std::nullopt)}), std::string("q ?"));
  // The whole beside its parts, and another source's count of the same, do not.
  QCOMPARE(statesOf(night, {partOf("q", "0", 3), partOf("q", "1", 4), partOf("q", "", 6)}), std::string("q 7"));
  QCOMPARE(statesOf(night, {partOf("q", "0", std::nullopt), partOf("q", "", 6)}), std::string("q 6"));
  QCOMPARE(statesOf(night, {partOf("q", "0", 3), partOf("q", "0", 4, 1), partOf("q", "1", 4, 1)}), std::string("q 8"));
  QueueDepth ready = partOf("q", "0", 3), second = partOf("q", "1", 4);
  ready.inFlight = 1;
  second.inFlight = 2;
  QCOMPARE(statesOf(night, {ready, second}), std::string("q 7+3"));
  second.inFlight.reset();
  QCOMPARE(statesOf(night, {ready, second}), std::string("q 7"));
}

void TstFindings::aLogsDepthIsItsEndLessItsBeginning() {
  const Night night;
  const auto at = [](std::string part, std::int64_t offset) {
    QueueDepth row = partOf("t", std::move(part), std::nullopt);
    row.offset = offset;
    return row;
  };
  QCOMPARE(statesOf(night, {at("0", 9), at("0", 4), at("1", 2), at("1", 2)}), std::string("t 5"));
  QCOMPARE(statesOf(night, {at("0", 9), at("0", 4), at("1", 2)}), std::string("t ?"));
  QCOMPARE(statesOf(night, {at("0", 9), at("0", 4), at("0", 2)}), std::string("t ?"));
  QCOMPARE(statesOf(night, {at("0", INT64_MAX), at("0", INT64_MIN)}), std::string("t ?"));
}

void TstFindings::kindsOfQueues() {
  Night night;
  const auto told = [](std::string name, QueueKind kind, std::string letters = "") {
    QueueDepth row = partOf(std::move(name), "", 1);
    row.kind = kind;
    row.deadLetterQueue = std::move(letters);
    return row;
  };
  QCOMPARE(statesOf(night, {told("a.dlq", QueueKind::Unstated), told("a", QueueKind::Unstated)}), std::string("a 1, a.dlq 1 dead"));
  QCOMPARE(statesOf(night, {told("a.dlq", QueueKind::Work), told("b", QueueKind::Retry)}), std::string("a.dlq 1 work, b 1 retry"));
  // The target of dead letters is one, unless it sends its own back: then it is where retries wait.
  QCOMPARE(statesOf(night, {told("a", QueueKind::Unstated, "b"), told("b", QueueKind::Unstated)}), std::string("a 1, b 1 dead"));
  QCOMPARE(statesOf(night, {told("a", QueueKind::Unstated, "b"), told("b", QueueKind::Unstated, "a")}), std::string("a 1, b 1"));
  // The configuration wins.
  queue(night);   // payments, with payments.dlq
  QCOMPARE(statesOf(night, {told("payments", QueueKind::Dead), told("payments.dlq", QueueKind::Work)}),
           std::string("payments 1 work, payments.dlq 1 dead"));
  night.policy.queues[0].deadLetterQueue = "parked";
  QCOMPARE(statesOf(night, {told("parked", QueueKind::Unstated)}), std::string("parked 1 dead"));
}

void TstFindings::workQueuesRaiseNoDeadLetterFindings() {
  Night night;
  queue(night).depthCap = 3;
  const auto work = [](std::int64_t messages, Duration at) {
    QueueDepth sample = depth(messages, at, "payments");
    sample.kind = QueueKind::Work;
    return sample;
  };
  const auto findings = found(night, {work(1, 1h), work(2, 2h), work(9, 3h)});
  QVERIFY(findingOf(findings, "dlq_depth") == nullptr);
  QVERIFY(findingOf(findings, "dlq_at_cap") == nullptr);
}

void TstFindings::historyOfAQueue() {
  const Night night;
  FindingsCollector collector(night.context());
  collector.addQueueDepth(depth(9, 20h));
  collector.addQueueDepth(depth(4, 10h));
  collector.addQueueDepth(depth(5, 12h));
  const auto state = collector.queues()[0];
  QCOMPARE(state.samples, std::int64_t(3));
  QCOMPARE(state.firstDepth.value(), std::int64_t(4));
  QVERIFY(state.firstAt == atTime(10h));
  QCOMPARE(state.depth.value(), std::int64_t(9));
}

void TstFindings::goneMessagesDoNotCount() {
  Night night;
  night.add(deadLetter("m").key("k").sampled(12h), deadLetter("l").key("l").sampled(20h));
  FindingsCollector collector(night.context());
  for (const Unit& unit : night.judged().units) collector.addUnit(unit);
  QCOMPARE(collector.queues()[0].depth.value(), std::int64_t(1));
}

void TstFindings::orderAndMergingDoNotMatter() {
  Night night;
  queue(night).visibilityTimeout = 30s;
  repeats(night, 5, 33s, 38s);
  for (int i = 0; i < 12; ++i) {
    const std::string n = std::to_string(i);
    night.add(attempt("a" + n).job("j" + n).failed(), attempt("b" + n).job("j" + n).at(11h),
              deadLetter("m" + n).key("a" + n));
  }
  const Judgement judgement = night.judged();
  FindingsCollector forward(night.context());
  FindingsCollector left(night.context());
  FindingsCollector right(night.context());
  for (const Unit& unit : judgement.units) forward.addUnit(unit);
  for (std::size_t i = judgement.units.size(); i-- > 0;) {
    (i % 2 == 0 ? left : right).addUnit(judgement.units[i]);
  }
  forward.addJudgement(judgement);
  right.addJudgement(judgement);
  left.merge(std::move(right));
  QVERIFY(!forward.finish().empty());
  QVERIFY(forward.finish() == left.finish());
  QVERIFY(forward.queues() == left.queues());
}

void TstFindings::findingsFromOutside() {
  Night night;
  FindingsCollector collector(night.context());
  Finding gap;
  gap.code = "coverage_gap";
  gap.subject = "source statement";
  gap.count = 1;
  collector.addFinding(gap);
  collector.addFinding(gap);
  const auto findings = collector.finish();
  QCOMPARE(findings.size(), std::size_t(1));
  QCOMPARE(findings[0].count, std::int64_t(2));
}

void TstFindings::histogram() {
  DurationHistogram histogram;
  for (int i = 1; i <= 100; ++i) histogram.add(i * 1s);
  QCOMPARE(histogram.total(), std::int64_t(100));
  QVERIFY(histogram.longest() == 100s);
  QVERIFY(histogram.sum() == 5050s);
  const Duration median = histogram.atPercentile(50);
  QVERIFY(median >= 50s && median <= 53s);
  QVERIFY(histogram.atPercentile(100) == 100s);
  QCOMPARE(histogram.countUpTo(100s), std::int64_t(100));
  DurationHistogram other;
  other.add(0us);
  other.add(Duration(24h * 365));
  other.merge(histogram);
  QCOMPARE(other.total(), std::int64_t(102));
  QVERIFY(other.longest() == Duration(24h * 365));
}

void TstFindings::plainRunHasNone() {
  Night night;
  night.add(attempt("k").job("j").queue("payments"), effect("e").key("k"));
  QVERIFY(found(night).empty());
}

QTEST_APPLESS_MAIN(TstFindings)
#include "tst_findings.moc"
