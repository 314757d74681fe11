// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "app/config.h"
#include "app/first_config.h"
#include "tests/golden/golden.h"
#include "tests/golden/sample_outcome.h"

using namespace counterfoil;
using counterfoil::testing::day;

namespace {

FirstSource source(std::string path, std::string format, RecordKind kind) {
  FirstSource made;
  made.path = std::move(path);
  made.format = std::move(format);
  made.kinds = {kind};
  made.rows = made.records = made.withKey = 12;
  made.from = day(7, 0);
  made.to = day(7, 23, 59);
  return made;
}

std::vector<FirstSource> shop() {
  FirstSource jobs = source("jobs.csv", "generic.attempts", RecordKind::Attempt);
  jobs.tasks = {"shop.charge", "shop.refund"};
  jobs.queues = {"payments"};
  FirstSource statement = source("exports/stripe.csv", "generic.effects", RecordKind::Effect);
  statement.withKey = 0;
  FirstSource unknown;
  unknown.path = "notes.csv";
  unknown.problem = "Columns: a, b.";
  return {jobs, unknown, statement};
}

}  // namespace

class TstFirstConfig : public QObject {
  Q_OBJECT
 private slots:
  void asksWhatOnlyAPersonKnows() {
    VERIFY_GOLDEN("first-config.json", firstConfig("shop", shop()));
  }

  void isAConfiguration_data() {
    QTest::addColumn<int>("sources");
    for (const int count : {1, 2, 3}) QTest::addRow("%d files", count) << count;
  }
  void isAConfiguration() {
    QFETCH(int, sources);
    std::vector<FirstSource> files = shop();
    files.resize(static_cast<std::size_t>(sources));
    const auto config = parseConfig(firstConfig("shop", files), "counterfoil.json", {}, day(8, 6));
    QVERIFY2(config.has_value(), config ? "" : config.error().message.c_str());
    QCOMPARE(config->sources.size(), std::size_t(sources == 3 ? 2 : std::min(sources, 1)));
  }

  void hostileNamesStayInTheirStrings() {
    FirstSource jobs = source("a\"b\n// \\\x01.csv", "generic.attempts", RecordKind::Attempt);
    jobs.tasks = {"t\"\n}", "u"};
    jobs.queues = {"q\"\n]"};
    FirstSource broken;
    broken.path = "x\n{";
    broken.problem = "y\n\"sources\": 1";
    const auto config =
        parseConfig(firstConfig("n\"\n", {jobs, broken}), "counterfoil.json", {}, day(8, 6));
    QVERIFY2(config.has_value(), config ? "" : config.error().message.c_str());
    QCOMPARE(config->sources.size(), std::size_t(1));
    QCOMPARE(config->name, std::string("n\"\n"));
    QCOMPARE(config->policy.queues.front().name, std::string("q\"\n]"));
  }

  void equalFileNamesGetDifferentNames() {
    const auto config = parseConfig(
        firstConfig("shop", {source("a/jobs.csv", "generic.attempts", RecordKind::Attempt),
                             source("b/jobs.csv", "generic.attempts", RecordKind::Attempt)}),
        "counterfoil.json", {}, day(8, 6));
    QVERIFY2(config.has_value(), config ? "" : config.error().message.c_str());
    QCOMPARE(config->sources[0].name, std::string("jobs"));
    QCOMPARE(config->sources[1].name, std::string("jobs-2"));
  }
};

QTEST_APPLESS_MAIN(TstFirstConfig)
#include "tst_first_config.moc"
