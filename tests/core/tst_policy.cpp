// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <limits>

#include "core/policy/policy.h"

using namespace counterfoil;

namespace {

Currency currency(std::string_view code) {
  return Currency::parse(code).value_or(Currency());
}

}  // namespace

class TstPolicy : public QObject {
  Q_OBJECT

 private slots:
  void queuesNamedLikeDeadLetters_data() {
    QTest::addColumn<bool>("isDead");
    for (const char* const name :
         {"payments.dlq", "payments_dlq", "payments-dlq", "Payments-DLQ.fifo", "paymentsDLQ", "orders.DLT", "orders-dlt", "dlq-sink",
          "default.XQ", "dead", "sidekiq:dead", "mail.dead", "dead_letter", "dead-letters", "DeadLetterQueue", "orders_error", "orders.error",
          "error", "r.payouts.parked", "parking-lot", "bull:mail:failed", "failed", "failed_jobs", "jobs-failed"}) {
      QTest::newRow(name) << true;
    }
    for (const char* const name : {"payments", "deadlines", "dlqueue", "payment.failed", "errors-report", "parking-fees", "x-errored", "retry",
                                   "undead-mail", "terror", "unfailed", ""}) {
      QTest::newRow(name[0] == 0 ? "blank" : name) << false;
    }
  }
  void queuesNamedLikeDeadLetters() {
    QFETCH(bool, isDead);
    const std::string name = QTest::currentDataTag();
    QCOMPARE(isNamedLikeDeadLetters(name == "blank" ? "" : name), isDead);
  }

  void tolerances_data() {
    QTest::addColumn<qint64>("minor");
    QTest::addColumn<qint64>("millionths");
    QTest::addColumn<qint64>("expected");
    QTest::addColumn<qint64>("allowed");
    QTest::newRow("none") << qint64(0) << qint64(0) << qint64(1000) << qint64(0);
    QTest::newRow("fixed") << qint64(5) << qint64(0) << qint64(1000) << qint64(5);
    QTest::newRow("half a percent, rounded down")
        << qint64(0) << qint64(5000) << qint64(1999) << qint64(9);
    QTest::newRow("the larger of both") << qint64(20) << qint64(5000) << qint64(1999) << qint64(20);
    QTest::newRow("of a negative amount")
        << qint64(0) << qint64(5000) << qint64(-1999) << qint64(9);
    QTest::newRow("beyond 64 bits")
        << qint64(0) << qint64(2'000'000) << qint64(std::numeric_limits<qint64>::max())
        << qint64(std::numeric_limits<qint64>::max());
  }
  void tolerances() {
    QFETCH(qint64, minor);
    QFETCH(qint64, millionths);
    QFETCH(qint64, expected);
    QFETCH(qint64, allowed);
    Tolerance tolerance;
    tolerance.minor = minor;
    tolerance.percentMillionths = millionths;
    QCOMPARE(qint64(tolerance.allowed({expected, currency("USD")})), allowed);
  }

  void aCurrencysOwnToleranceWins() {
    Tolerance tolerance;
    tolerance.minor = 5;
    tolerance.minorByCurrency[currency("KWD")] = 1;
    QCOMPARE(qint64(tolerance.allowed({1000, currency("KWD")})), qint64(1));
    QCOMPARE(qint64(tolerance.allowed({1000, currency("USD")})), qint64(5));
  }

  void theFirstOperationStandsForNone() {
    Policy policy;
    policy.operations = {Operation{}, Operation{}};
    policy.operations[0].name = "charge";
    policy.operations[1].name = "refund";
    QCOMPARE(policy.operation(OperationId{}).name, std::string("charge"));
    QCOMPARE(policy.operation(OperationId{1}).name, std::string("refund"));
    QCOMPARE(policy.operation(OperationId{2}).name, std::string("charge"));
  }

  void profilesAreFoundByName() {
    Policy policy;
    policy.providers.resize(2);
    policy.providers[1].name = "stripe";
    QVERIFY(policy.provider("stripe") == &policy.providers[1]);
    QVERIFY(policy.provider("Stripe") == nullptr);
    QVERIFY(policy.provider("") == nullptr);
  }

  void queuesAreFoundByTheirDeadLettersToo() {
    Policy policy;
    policy.queues.resize(3);
    policy.queues[0].name = "mail";
    policy.queues[1].name = "payments";
    policy.queues[1].deadLetterQueue = "dead";
    policy.queues[2].name = "dead";
    QVERIFY(policy.queue("payments") == &policy.queues[1]);
    QVERIFY(policy.queue("dead") ==
            &policy.queues[2]);  // its own name before another's dead letters
    policy.queues.pop_back();
    QVERIFY(policy.queue("dead") == &policy.queues[1]);
    QVERIFY(policy.queue("") == nullptr);
    QVERIFY(policy.queue("other") == nullptr);
  }
};

QTEST_APPLESS_MAIN(TstPolicy)
#include "tst_policy.moc"
