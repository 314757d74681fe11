// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "app/config.h"
#include "importers/json/json_document.h"

using namespace counterfoil;

namespace {

Instant at(const char* text) {
  return *parseInstant(text);
}

const Instant kNow = at("2026-04-09T09:30:00Z");

std::string withSources(const std::string& members) {
  return "{" + members + (members.empty() ? "" : ",\n") +
         R"("sources": [{"name": "jobs", "path": "jobs.csv", "format": "generic.attempts"}]})";
}

std::string messageOf(const std::string& text) {
  const auto config = parseConfig(text, "c.json", {}, kNow);
  return config ? std::string("accepted") : config.error().message;
}

Config configOf(const std::string& text, const std::string& path = "c.json") {
  auto config = parseConfig(text, path, {}, kNow);
  if (!config) qFatal("%s", config.error().message.c_str());
  return std::move(*config);
}

}  // namespace

class TstConfig : public QObject {
  Q_OBJECT

 private slots:
  void everyMemberOfTheContract() {
    const Config config = configOf(R"x({
      "$schema": "counterfoil.schema.json",
      "name": "shop",
      "store": "shop.counterfoil",             // one SQLite file
      "time_zone": "Africa/Nairobi",
      "as_of": "2026-04-08T06:00:00Z",
      "operations": [{
        "name": "charge", "when": {"task": "shop.charge_card", "queue": "re:^pay"}, "expect": "split",
        "effect": "reversal", "direction": "inbound", "provider": "stripe", "max_runtime": "7m",
        "key_lifetime": "400d", "compare": ["amount", "customer"],
        "tolerance": {"amount": {"KWD": 5}, "percent": 0.5}, "reversals": "local", "intent_limit": "20m",
        "probable_duplicate_within": "10m"
      }, {"name": "rest", "tolerance": {"amount": 3}}],
      "providers": [{
        "name": "stripe", "key_retention": "24h", "statement_lag": "1d", "pending_limit": "8d",
        "other_payload": "error", "key_length": 255
      }],
      "queues": [{
        "name": "payments", "visibility_timeout": "30s", "retry_horizon": "2h", "dedupe_ttl": "24h",
        "claim_ttl": "5m", "dead_letter_queue": "payments.dlq", "max_depth": 10, "depth_cap": 10000,
        "dead_letter_retention": "4d"
      }],
      "clock_skew": "4m", "open_limit": "8d", "max_quarantined": 2,
      "accept_findings": ["stale_source", "coverage_gap"],
      "thresholds": {"poison_attempts": 7, "stuck_claim_after": "9m", "max_examples": 3},
      "sources": [
        {"name": "jobs", "path": "jobs.csv", "format": "generic.attempts", "blind": true, "may_be_empty": true},
        {"name": "statement", "path": "exports/stripe-*.csv", "format": "generic.effects", "provider": "stripe",
         "covers": {"from": "2026-04-07T00:00:00Z", "to": "2026-04-08T00:00:00Z"}, "must_reach": "-2h",
         "time_zone": "Europe/Berlin",
         "declared": {"count": 812, "total": {"USD": "10,412.00", "JPY": 500}}},
        {"name": "skips", "path": "/var/log/worker.log",
         "mapping": [{"record": "skip", "layout": {"pattern": "key=(?<key>.*)"}, "fields": {"key": "key"}},
                     {"extends": "generic.skips"}]}
      ],
      "reports": [{"format": "html", "path": "reports/{date}.html"}, {"format": "csv", "path": "/tmp/x.csv", "detail": "all"}],
      "alerts": [{"when": "new_breaks > 0 or dlq_depth('payments.dlq') > 10", "webhook": {"env": "ALERT_URL"}}],
      "pings": {"start": {"file": "secrets/ping"}, "failure": {"credential": "ping-fail"}},
      "retention": {"runs": "400d", "raw_text": "90d"}
    })x",
                                   "/etc/counterfoil/shop.json");

    QCOMPARE(config.name, std::string("shop"));
    QCOMPARE(config.storePath, std::string("/etc/counterfoil/shop.counterfoil"));
    QCOMPARE(config.zone, std::string("Africa/Nairobi"));
    QVERIFY(config.asOf == std::optional(at("2026-04-08T06:00:00Z")));
    QVERIFY(config.run.asOf == at("2026-04-08T06:00:00Z"));

    const Operation& charge = config.policy.operations[0];
    QCOMPARE(config.policy.operations.size(), std::size_t(2));
    QCOMPARE(charge.name, std::string("charge"));
    QCOMPARE(charge.expect, Expect::Split);
    QCOMPARE(charge.effect, OperationEffect::Reversal);
    QCOMPARE(charge.direction, Direction::Inbound);
    QCOMPARE(charge.provider, std::string("stripe"));
    QVERIFY(charge.maxRuntime == std::chrono::minutes(7));
    QVERIFY(charge.keyLifetime == std::optional<Duration>(std::chrono::hours(24 * 400)));
    QVERIFY(charge.compare ==
            (std::set<CompareField>{CompareField::Amount, CompareField::Customer}));
    QCOMPARE(charge.tolerance.minorByCurrency.at(*Currency::parse("KWD")), std::int64_t(5));
    QCOMPARE(charge.tolerance.percentMillionths, std::int64_t(5000));
    QVERIFY(charge.reversalsRecordedLocally);
    QVERIFY(charge.intentLimit == std::chrono::minutes(20));
    QVERIFY(charge.probableDuplicateWithin == std::optional<Duration>(std::chrono::minutes(10)));
    QCOMPARE(config.policy.operations[1].tolerance.minor, std::int64_t(3));
    QVERIFY(config.policy.operations[1].compare ==
            (std::set<CompareField>{CompareField::Amount, CompareField::Currency}));

    QCOMPARE(config.operations->fields(), (std::vector<std::string>{"operation", "task", "queue"}));
    QCOMPARE(config.operations->match({"", "shop.charge_card", "payments"}).value, std::int16_t(0));
    QCOMPARE(config.operations->match({"", "mail", "payments"}).value, std::int16_t(1));

    const ProviderProfile* stripe = config.policy.provider("stripe");
    QVERIFY(stripe != nullptr);
    QVERIFY(stripe->keyRetention == std::optional<Duration>(std::chrono::hours(24)));
    QVERIFY(stripe->statementLag == std::chrono::hours(24));
    QVERIFY(stripe->pendingLimit == std::chrono::hours(24 * 8));
    QCOMPARE(stripe->otherPayload, OtherPayload::Error);
    QVERIFY(stripe->keyLength == std::optional<std::size_t>(255));

    const QueueProfile* queue = config.policy.queue("payments.dlq");
    QVERIFY(queue != nullptr);
    QVERIFY(queue->visibilityTimeout == std::optional<Duration>(std::chrono::seconds(30)));
    QVERIFY(queue->deadLetterRetention == std::optional<Duration>(std::chrono::hours(96)));
    QVERIFY(queue->maxDepth == std::optional<std::int64_t>(10));
    QVERIFY(queue->depthCap == std::optional<std::int64_t>(10000));

    QVERIFY(config.policy.clockSkew == std::chrono::minutes(4));
    QVERIFY(config.policy.openLimit == std::chrono::hours(24 * 8));
    QCOMPARE(config.policy.thresholds.poisonAttempts, std::int64_t(7));
    QVERIFY(config.policy.thresholds.stuckClaimAfter == std::chrono::minutes(9));
    QCOMPARE(config.policy.thresholds.maxExamples, std::size_t(3));
    QCOMPARE(config.run.maxQuarantined, std::uint64_t(2));
    QCOMPARE(config.run.acceptFindings, (std::vector<std::string>{"stale_source", "coverage_gap"}));

    QCOMPARE(config.sources.size(), std::size_t(3));
    QCOMPARE(config.sources[0].path, std::string("/etc/counterfoil/jobs.csv"));
    QCOMPARE(config.sources[0].format, std::string("generic.attempts"));
    QVERIFY(config.sources[0].mappings.empty());
    QVERIFY(config.sources[0].blind);
    QCOMPARE(config.sources[0].zone, std::string("Africa/Nairobi"));
    QCOMPARE(config.sources[1].path, std::string("/etc/counterfoil/exports/stripe-*.csv"));
    QCOMPARE(config.sources[1].zone, std::string("Europe/Berlin"));
    QVERIFY(config.sources[1].covers ==
            std::optional(Interval{at("2026-04-07T00:00:00Z"), at("2026-04-08T00:00:00Z")}));
    QCOMPARE(config.sources[2].path, std::string("/var/log/worker.log"));
    QCOMPARE(config.sources[2].mappings.size(), std::size_t(2));
    QVERIFY(config.policy.sources[0].blind);
    QVERIFY(config.policy.sources[0].kinds == std::set<RecordKind>{RecordKind::Attempt});
    QCOMPARE(config.policy.sources[1].provider, std::string("stripe"));
    QVERIFY(config.policy.sources[2].kinds == std::set<RecordKind>{RecordKind::Skip});

    QCOMPARE(config.run.mayBeEmpty, std::vector<std::string>{"jobs"});
    QCOMPARE(config.run.mustReach.size(), std::size_t(1));
    QVERIFY(config.run.mustReach[0].source == SourceId{1});
    QVERIFY(config.run.mustReach[0].at == at("2026-04-08T04:00:00Z"));
    QCOMPARE(config.run.declared.size(), std::size_t(1));
    QVERIFY(config.run.declared[0].count == std::optional<std::uint64_t>(812));
    QCOMPARE(config.run.declared[0].totals.size(), std::size_t(2));
    QVERIFY(config.run.declared[0].totals[0] == (Money{1041200, *Currency::parse("USD")}));
    QVERIFY(config.run.declared[0].totals[1] == (Money{500, *Currency::parse("JPY")}));
    QVERIFY(config.run.declaredCoverage.at(SourceId{1}).front() == *config.sources[1].covers);

    QCOMPARE(config.reports.size(), std::size_t(2));
    QCOMPARE(config.reports[0].path, std::string("/etc/counterfoil/reports/{date}.html"));
    QCOMPARE(config.reports[1].detail, Detail::All);
    QCOMPARE(config.alerts.size(), std::size_t(1));
    QCOMPARE(config.alerts[0].webhook->kind, Secret::Kind::Env);
    QCOMPARE(config.alerts[0].webhook->name, std::string("ALERT_URL"));
    QCOMPARE(config.pings.start->name, std::string("/etc/counterfoil/secrets/ping"));
    QCOMPARE(config.pings.failure->kind, Secret::Kind::Credential);
    QVERIFY(!config.pings.success.has_value());
    QVERIFY(config.retention.runs == std::optional<Duration>(std::chrono::hours(24 * 400)));
  }

  void defaults() {
    const Config config = configOf(withSources(""));
    QCOMPARE(config.storePath, std::string(":memory:"));
    QCOMPARE(config.zone, std::string("UTC"));
    QVERIFY(config.run.asOf == kNow);
    QVERIFY(!config.asOf.has_value());
    QCOMPARE(config.policy.operations.size(), std::size_t(1));
    QCOMPARE(config.policy.operations[0].name, std::string("effect"));
    QVERIFY(config.policy.operations[0].maxRuntime == std::chrono::minutes(5));
    QVERIFY(config.policy.clockSkew == std::chrono::minutes(5));
    QCOMPARE(config.operations->match({""}).value, std::int16_t(0));
    QCOMPARE(config.sources[0].path, std::string("jobs.csv"));
    QVERIFY(!config.sources[0].covers.has_value());
    QCOMPARE(config.run.maxQuarantined, std::uint64_t(0));
  }

  void asOfOfTheCommandLineWins() {
    const auto config = parseConfig(withSources(R"("as_of": "2026-04-08T06:00:00Z")"), "c.json",
                                    at("2026-05-01T00:00:00Z"), kNow);
    QVERIFY(config.has_value());
    QVERIFY(config->run.asOf == at("2026-05-01T00:00:00Z"));
  }

  void relativeTimes_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("zone");
    QTest::addColumn<QByteArray>("asOf");
    QTest::addColumn<QByteArray>("result");
    const auto row = [](const char* name, const char* text, const char* zone, const char* asOf,
                        const char* result) {
      QTest::newRow(name) << QByteArray(text) << QByteArray(zone) << QByteArray(asOf)
                          << QByteArray(result);
    };
    row("yesterday", "-1d@00:00", "UTC", "2026-04-08T06:00:00Z", "2026-04-07T00:00:00Z");
    row("today", "0d@00:00", "UTC", "2026-04-08T06:00:00Z", "2026-04-08T00:00:00Z");
    row("tomorrow", "+1d@12:30", "UTC", "2026-04-08T06:00:00Z", "2026-04-09T12:30:00Z");
    row("end of a day", "-1d@24:00", "UTC", "2026-04-08T06:00:00Z", "2026-04-08T00:00:00Z");
    row("with seconds", "-1d@23:59:58", "UTC", "2026-04-08T06:00:00Z", "2026-04-07T23:59:58Z");
    row("the zone's own day", "0d@00:00", "Africa/Nairobi", "2026-04-07T22:00:00Z",
        "2026-04-07T21:00:00Z");
    row("across a change of clocks", "-1d@12:00", "Europe/Berlin", "2026-03-30T06:00:00Z",
        "2026-03-29T10:00:00Z");
    row("a clock time that is skipped", "0d@02:30", "Europe/Berlin", "2026-03-29T12:00:00Z",
        "2026-03-29T01:00:00Z");
    row("a clock time that comes twice", "0d@02:30", "Europe/Berlin", "2025-10-26T12:00:00Z",
        "2025-10-26T00:30:00Z");
    row("hours ago", "-2h", "Africa/Nairobi", "2026-04-08T06:00:00Z", "2026-04-08T04:00:00Z");
    row("absolute", "2026-04-07T00:00:00+03:00", "UTC", "2026-04-08T06:00:00Z",
        "2026-04-06T21:00:00Z");
    row("without a clock", "-1d@", "UTC", "2026-04-08T06:00:00Z", "refused");
    row("hour 25", "-1d@25:00", "UTC", "2026-04-08T06:00:00Z", "refused");
    row("no unit", "-1@00:00", "UTC", "2026-04-08T06:00:00Z", "refused");
    row("one digit", "-1d@0:00", "UTC", "2026-04-08T06:00:00Z", "refused");
    row("a date alone", "2026-04-07", "UTC", "2026-04-08T06:00:00Z", "refused");
    row("blank", "", "UTC", "2026-04-08T06:00:00Z", "refused");
  }
  void relativeTimes() {
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, zone);
    QFETCH(QByteArray, asOf);
    QFETCH(QByteArray, result);
    const auto instant =
        resolveTime(text.toStdString(), at(asOf.constData()), *Zone::named(zone.toStdString()));
    QCOMPARE(QByteArray::fromStdString(instant ? formatInstant(*instant) : "refused"), result);
  }

  void coversAreResolvedInTheConfigurationsZone() {
    const Config config =
        configOf(R"({"time_zone": "Africa/Nairobi", "as_of": "2026-04-08T06:00:00Z", "sources": [
      {"name": "s", "path": "s.csv", "covers": {"from": "-1d@00:00", "to": "0d@00:00"}}]})");
    QVERIFY(config.sources[0].covers ==
            std::optional(Interval{at("2026-04-06T21:00:00Z"), at("2026-04-07T21:00:00Z")}));
  }

  void refusals_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("message");
    const auto row = [](const char* name, const std::string& text, const char* message) {
      QTest::newRow(name) << QByteArray::fromStdString(text) << QByteArray(message);
    };
    row("unknown member", withSources("\n\"stores\": \"x\""),
        "c.json:2:11: unknown member 'stores', did you mean 'store'?");
    row("unknown member of an operation",
        withSources(R"("operations": [{"name": "a", "expects": "split"}])"),
        "c.json:1:42: unknown member 'expects', did you mean 'expect'?");
    row("unknown word", withSources(R"("operations": [{"name": "a", "expect": "exactly-one"}])"),
        "c.json:1:41: 'exactly-one' is not known here, did you mean 'exactly_one'?; known are "
        "exactly_one, split, zero_or_one");
    row("unknown field in when",
        withSources(R"("operations": [{"name": "a", "when": {"taks": "x"}}])"),
        "c.json:1:48: no record has a field 'taks', did you mean 'task'?");
    row("bad duration", withSources(R"("clock_skew": 5)"),
        "c.json:1:16: a duration is expected here: \"30s\", \"5m\", \"7d\"");
    row("secret in plain",
        withSources("\"alerts\": [{\"webhook\": \"https://hooks.example.com/x\"}]"),
        R"(c.json:1:25: a secret is never written here: give {"file": "path"}, {"credential": "name"} or {"env": "NAME"})");
    row("secret of two kinds", withSources(R"("alerts": [{"webhook": {"env": "A", "file": "b"}}])"),
        R"(c.json:1:25: a secret is never written here: give {"file": "path"}, {"credential": "name"} or {"env": "NAME"})");
    row("unknown kind of secret", withSources(R"("alerts": [{"webhook": {"envv": "A"}}])"),
        "c.json:1:34: unknown member 'envv', did you mean 'env'?");
    row("alert without a way", withSources(R"("alerts": [{"when": "breaks > 0"}])"),
        R"(c.json:1:13: an alert needs one of "webhook", "slack" and "mail")");
    row("no sources", "{}", "c.json:1:1: 'sources' is missing: what files are to be read?");
    row("source without path", R"({"sources": [{"name": "a"}]})",
        "c.json:1:14: source 'a' needs a 'path'");
    row("source without name", R"({"sources": [{"path": "a"}]})",
        "c.json:1:14: a source needs a 'name'");
    row("two sources of one name",
        R"({"sources": [{"name": "a", "path": "a"}, {"name": "a", "path": "b"}]})",
        "c.json:1:42: the name 'a' is given twice");
    row("unknown format",
        R"({"sources": [{"name": "a", "path": "a", "format": "generic.atempts"}]})",
        "c.json:1:51: unknown format 'generic.atempts', did you mean 'generic.attempts'?");
    row("mapping error",
        R"({"sources": [{"name": "a", "path": "a", "mapping": {"record": "skip", "fields": {"kez": "k"}}}]})",
        "c.json:1:89: unknown member 'kez' of fields: a record of kind skip has no such field, did "
        "you mean 'key'?");
    row("covers the wrong way round",
        R"({"sources": [{"name": "a", "path": "a", "covers": {"from": "-1d@00:00", "to": "-2d@00:00"}}]})",
        "c.json:1:51: 'covers' is empty: from 2026-04-08T00:00:00Z to 2026-04-07T00:00:00Z");
    row("half a cover",
        R"({"sources": [{"name": "a", "path": "a", "covers": {"from": "-1d@00:00"}}]})",
        R"(c.json:1:51: 'covers' needs "from" and "to")");
    row("unknown zone", withSources(R"("time_zone": "Africa/Nairobbi")"), "c.json:1:15: ");
    row("provider that nobody is",
        withSources(
            R"("operations": [{"name": "a", "provider": "strip"}], "providers": [{"name": "stripe"}])"),
        "c.json:1:43: no provider and no source is named 'strip', did you mean 'stripe'?");
    row("finding that cannot be accepted", withSources(R"("accept_findings": ["retry_storm"])"),
        "c.json:1:22: 'retry_storm' is not known here");
    row("percent with many decimals",
        withSources(R"("operations": [{"name": "a", "tolerance": {"percent": 0.12345}}])"),
        "c.json:1:56: 'percent' is a number from 0 to 100 with at most four decimals");
    row("declared amount with too many decimals",
        R"({"sources": [{"name": "a", "path": "a", "declared": {"total": {"JPY": "1.5"}}}]})",
        "c.json:1:71: '1.5' is no amount of JPY: ");
    row("operation without name", withSources(R"("operations": [{"expect": "split"}])"),
        "c.json:1:17: 'name' is missing");
    row("negative count", withSources(R"("max_quarantined": -1)"),
        "c.json:1:21: a whole number of at least 0 is expected here");
    row("fraction", withSources(R"("max_quarantined": 1.5)"),
        "c.json:1:21: a whole number of at least 0 is expected here");
    row("unknown report", withSources(R"("reports": [{"format": "htlm", "path": "x"}])"),
        "c.json:1:25: 'htlm' is not known here, did you mean 'html'?");
    row("as_of without a zone", withSources(R"("as_of": "2026-04-08 06:00")"), "c.json:1:11: ");
  }
  void refusals() {
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, message);
    const QByteArray got = QByteArray::fromStdString(messageOf(text.toStdString()));
    QCOMPARE(got.left(message.size()), message);
    QCOMPARE(parseConfig(text.toStdString(), "c.json", {}, kNow).error().code, ErrorCode::Config);
  }

  void aMappingBesideAFormatAddsToIt() {
    const Config config =
        configOf(R"({"sources": [{"name": "s", "path": "s.csv", "format": "generic.effects",
      "mapping": {"fields": {"key": "reference"}}}]})");
    QCOMPARE(config.sources[0].mappings.size(), std::size_t(1));
    QCOMPARE(config.sources[0].mappings[0]->record(), RecordKind::Effect);
    const auto columns = config.sources[0].mappings[0]->knownColumns();
    QVERIFY(std::find(columns.begin(), columns.end(), "reference") != columns.end());
    QVERIFY(std::find(columns.begin(), columns.end(), "txn_id") != columns.end());
  }

  /// Rules by task, a table and a sheet beside a format say what a mapping that extends it would.
  void additionsBesideAFormat() {
    const Config config = configOf(R"({"sources": [
      {"name": "a", "path": "a.csv", "format": "generic.attempts",
       "tasks": {"shop.charge": {"key": {"template": "charge:{order}"}}, "re:^mail": {"exclude": true}}},
      {"name": "b", "path": "b.sqlite", "format": "generic.intents", "table": "shop_order"},
      {"name": "c", "path": "c.xlsx", "format": "generic.effects", "sheet": 2},
      {"name": "d", "path": "d.sqlite", "format": "generic.attempts", "table": "jobs",
       "mapping": {"layout": {"decimal": ","}, "fields": {"key": "k"}}}]})");
    const auto known = config.sources[0].mappings.at(0)->knownColumns();
    QVERIFY(std::find(known.begin(), known.end(), "order") != known.end());
    QVERIFY(std::find(known.begin(), known.end(), "task_id") != known.end());
    QCOMPARE(config.sources[0].format, std::string("generic.attempts"));
    QVERIFY(config.policy.sources[0].kinds == std::set<RecordKind>{RecordKind::Attempt});
    QCOMPARE(config.sources[1].mappings.at(0)->layout().table, std::string("shop_order"));
    QCOMPARE(config.sources[1].mappings.at(0)->layout().kind, LayoutKind::Find);   // a dump may hold it as well
    QCOMPARE(config.sources[2].mappings.at(0)->layout().sheet, std::string("2"));
    QCOMPARE(config.sources[3].mappings.at(0)->layout().table, std::string("jobs"));
    QVERIFY(config.sources[3].mappings.at(0)->layout().decimal == DecimalSign::Comma);
  }

  /// What a source says of a task stands in front of what the whole configuration says of it.
  void commonTasksGoBehindThoseOfASource() {
    const Config config = configOf(R"({"tasks": {"charge": {"key": "common_key"}, "mail": {"key": "mail_key"}}, "sources": [
      {"name": "a", "path": "a.csv", "format": "generic.attempts", "tasks": {"charge": {"key": "own_key"}}},
      {"name": "b", "path": "b.csv", "format": "generic.attempts"}]})");
    const auto knows = [&](std::size_t source, const char* column) {
      const auto known = config.sources[source].mappings.at(0)->knownColumns();
      return std::find(known.begin(), known.end(), column) != known.end();
    };
    QVERIFY(knows(0, "own_key") && knows(0, "mail_key") && !knows(0, "common_key"));
    QVERIFY(knows(1, "common_key") && knows(1, "mail_key") && !knows(1, "own_key"));
  }

  /// The lines of a log that tell of skips have no arguments: what needs them is not asked of them.
  void rulesThatNeedArgumentsLeaveSkipLinesAlone() {
    const Config config = configOf(R"({"sources": [
      {"name": "a", "path": "a.log", "format": "sidekiq.log",
       "tasks": {"Charge": {"key": {"template": "charge:{args.0}"}, "op_ref": ["args.0", "my_order"]}}}]})");
    const auto knows = [&](RecordKind kind, std::string_view column) {
      for (const auto& mapping : config.sources[0].mappings) {
        if (mapping->record() != kind) continue;
        const auto known = mapping->knownColumns();
        if (std::find(known.begin(), known.end(), column) != known.end()) return true;
      }
      return false;
    };
    QVERIFY(knows(RecordKind::Attempt, "job.args") && knows(RecordKind::Attempt, "my_order"));
    QVERIFY(knows(RecordKind::Skip, "my_order") && !knows(RecordKind::Skip, "args.0"));
    QVERIFY(knows(RecordKind::Skip, "idempotency_key"));
  }

  void sourcesThatCountJobsTogetherHaveOneSpace() {
    const Config config = configOf(R"({"sources": [
      {"name": "a", "path": "a.csv", "format": "generic.attempts"},
      {"name": "b", "path": "b.csv", "format": "generic.attempts", "jobs": "bull"},
      {"name": "c", "path": "c.csv", "format": "generic.attempts", "jobs": "bull"},
      {"name": "d", "path": "d.csv", "format": "generic.attempts", "jobs": "sidekiq"}]})");
    const std::vector<std::optional<SourceId>> spaces = {std::nullopt, SourceId{1}, SourceId{1}, SourceId{3}};
    for (std::size_t i = 0; i < spaces.size(); ++i) {
      QVERIFY(config.policy.sources[i].jobSpace == spaces[i]);
      QVERIFY(config.sources[i].jobSpace == spaces[i]);
    }
  }

  void additionsThatAreRefused_data() {
    QTest::addColumn<QByteArray>("source");
    QTest::addColumn<QByteArray>("message");
    QTest::newRow("tasks alone") << QByteArray(R"("tasks": {"*": {"key": "k"}})")
                                 << QByteArray("c.json:1:54: 'tasks' needs a 'format' or a 'mapping' beside it");
    QTest::newRow("twice") << QByteArray(R"("table": "x", "mapping": {"extends": "generic.skips", "layout": {"table": "y"}})")
                           << QByteArray("c.json:1:54: 'table' is given here and in the mapping");
    QTest::newRow("of effects") << QByteArray(R"("format": "generic.effects", "tasks": {"a": {"key": "k"}})")
                                << QByteArray("c.json:1:83: a record of kind effect has no task");
    QTest::newRow("a table that is a list") << QByteArray(R"("format": "generic.skips", "table": [])")
                                            << QByteArray("c.json:1:81: 'table' has to be a text");
  }
  void additionsThatAreRefused() {
    QFETCH(QByteArray, source);
    QFETCH(QByteArray, message);
    const QByteArray text = "{\"sources\": [{\"name\": \"a\", \"path\": \"a.csv\", " + source + "}]}";
    QCOMPARE(QByteArray::fromStdString(messageOf(text.toStdString())), message);
  }

  void secrets() {
    QTemporaryDir folder;
    QFile file(folder.filePath("secret"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("s3cret\n");
    file.close();
    Secret secret{Secret::Kind::File, folder.filePath("secret").toStdString(), "c.json:1:1"};
    file.setPermissions(QFile::ReadOwner | QFile::WriteOwner);
    QCOMPARE(*readSecret(secret), std::string("s3cret"));
    file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ReadGroup);
    QVERIFY(!readSecret(secret).has_value());
    QVERIFY(readSecret(secret).error().message.find("chmod 600") != std::string::npos);
    secret.name += ".none";
    QVERIFY(!readSecret(secret).has_value());
    qputenv("COUNTERFOIL_TEST_SECRET", "abc");
    QCOMPARE(*readSecret({Secret::Kind::Env, "COUNTERFOIL_TEST_SECRET", ""}), std::string("abc"));
    qunsetenv("COUNTERFOIL_TEST_SECRET");
    QVERIFY(!readSecret({Secret::Kind::Env, "COUNTERFOIL_TEST_SECRET", ""}).has_value());
    qputenv("CREDENTIALS_DIRECTORY", folder.path().toUtf8());
    QCOMPARE(*readSecret({Secret::Kind::Credential, "secret", ""}), std::string("s3cret"));
    qunsetenv("CREDENTIALS_DIRECTORY");
  }

  void configurationsOfTheSharedCases() {
    const QDir cases(TEST_SOURCE_DIR "/../shared/cases");
    if (!cases.exists()) QSKIP("the cases do not lie beside the checkout");
    int count = 0;
    for (const QFileInfo& folder : cases.entryInfoList(QDir::Dirs | QDir::NoDotAndDotDot)) {
      const QString path = folder.filePath() + "/counterfoil.json";
      const auto config = loadConfig(path.toStdString(), {}, kNow);
      QVERIFY2(config.has_value(), config ? "" : config.error().message.c_str());
      ++count;
    }
    QCOMPARE(count, 28);
  }

  void theSchemaKnowsTheSameMembers_data() {
    QTest::addColumn<QByteArray>("definition");
    QTest::addColumn<QByteArray>("before");
    QTest::addColumn<QByteArray>("after");
    QTest::newRow("top level") << QByteArray() << QByteArray("{") << QByteArray("}");
    for (const char* section : {"operation", "provider", "queue", "source", "report", "alert"}) {
      QTest::newRow(section) << QByteArray(section) << "{\"" + QByteArray(section) + "s\": [{"
                             << QByteArray("}]}");
    }
  }
  void theSchemaKnowsTheSameMembers() {
    QFETCH(QByteArray, definition);
    QFETCH(QByteArray, before);
    QFETCH(QByteArray, after);
    const auto schema =
        parseJsonFile(std::string(TEST_SOURCE_DIR) + "/resources/schema/counterfoil.schema.json");
    QVERIFY2(schema.has_value(), schema ? "" : schema.error().message.c_str());
    const JsonNode* object =
        definition.isEmpty() ? &*schema : schema->find("$defs")->find(definition.toStdString());
    QVERIFY(object != nullptr);
    QVERIFY(!object->find("properties")->members.empty());
    for (const auto& [name, value] : object->find("properties")->members) {
      const QByteArray text = before + "\"" + QByteArray::fromStdString(name) + "\": []" + after;
      const std::string message = messageOf(text.toStdString());
      QVERIFY2(message.find("unknown member") == std::string::npos, message.c_str());
    }
    const std::string message = messageOf((before + "\"nonsense\": 1" + after).toStdString());
    QVERIFY2(message.find("unknown member 'nonsense'") != std::string::npos, message.c_str());
  }

  void aMissingFileIsSaid() {
    const auto config = loadConfig("/nonexistent/c.json", {}, kNow);
    QVERIFY(!config.has_value());
    QCOMPARE(config.error().code, ErrorCode::Missing);
  }
};

QTEST_APPLESS_MAIN(TstConfig)
#include "tst_config.moc"
