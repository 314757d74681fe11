// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "importers/mapping/operation_matcher.h"

using namespace counterfoil;

class TstOperationMatcher : public QObject {
  Q_OBJECT

 private slots:
  void firstHitWins() {
    const auto matcher =
        OperationMatcher::make({{"charge", {{"task", "charge_card"}, {"queue", "re:^pay"}}},
                                {"refund", {{"task", "re:refund"}}},
                                {"rest", {{"queue", "payments"}}}});
    QVERIFY(matcher.has_value());
    const std::vector<std::string> fields = {"operation", "task", "queue"};
    QCOMPARE((*matcher)->fields(), fields);
    QCOMPARE((*matcher)->match({"", "charge_card", "payments"}).value, std::int16_t(0));
    QCOMPARE((*matcher)->match({"", "charge_card", "mail"}).value, std::int16_t(-1));
    QCOMPARE((*matcher)->match({"", "x.refund_order", "mail"}).value, std::int16_t(1));
    QCOMPARE((*matcher)->match({"", "other", "payments"}).value, std::int16_t(2));
    QVERIFY((*matcher)->match({"", "Charge_card", "mail"}).isNone());
  }

  void namedOperationWins() {
    const auto matcher =
        OperationMatcher::make({{"charge", {{"task", "a"}}}, {"refund", {{"task", "b"}}}});
    QCOMPARE((*matcher)->match({"refund", "a"}).value, std::int16_t(1));
    QCOMPARE((*matcher)->match({"unheard", "a"}).value, std::int16_t(0));
  }

  void ruleWithoutConditionsFitsAll() {
    const auto matcher = OperationMatcher::make({{"effect", {}}});
    QCOMPARE((*matcher)->match({""}).value, std::int16_t(0));
  }

  void refusals() {
    const auto field = OperationMatcher::make({{"charge", {{"taks", "a"}}}});
    QVERIFY(!field.has_value());
    QCOMPARE(field.error().code, ErrorCode::Config);
    QCOMPARE(field.error().message,
             std::string("operation 'charge': no record has a field 'taks', did you mean 'task'?"));
    const auto pattern = OperationMatcher::make({{"charge", {{"task", "re:("}}}});
    QVERIFY(!pattern.has_value());
    QVERIFY(QByteArray::fromStdString(pattern.error().message)
                .startsWith("operation 'charge', task: pattern '('"));
  }
};

QTEST_APPLESS_MAIN(TstOperationMatcher)
#include "tst_operation_matcher.moc"
