// SPDX-License-Identifier: GPL-3.0-or-later
// Every dead letter gets a redrive verdict and, where it can be told, a deadline.
#include "tests/core/support/expectation.h"

using namespace counterfoil;
using namespace counterfoil::testing;

namespace {

struct Row {
  const char* name;
  std::function<void(Night&)> make;
  const char* verdict;
};

const std::vector<Row>& rows() {
  static const std::vector<Row> all = {
      {"done by another run", [](Night& n) {
         n.add(deadLetter("m").key("k"), attempt("k"), effect("e").key("k"));
       }, "obsolete"},
      {"effect though it failed", [](Night& n) {
         n.add(deadLetter("m").key("k"), attempt("k").failed(), effect("e").key("k"));
       }, "unsafe"},
      {"effect pending", [](Night& n) { n.add(deadLetter("m").key("k"), effect("e").key("k").pending()); },
       "unsafe"},
      {"no key", [](Night& n) { n.provider().keyRetention = 240h; n.add(deadLetter("m")); }, "check_first"},
      {"retention unknown", [](Night& n) { n.add(deadLetter("m").key("k")); }, "check_first"},
      {"key forgotten", [](Night& n) {
         n.provider().keyRetention = 21h;
         n.add(deadLetter("m").key("k"));
       }, "check_first"},
      {"age counts from the first attempt", [](Night& n) {
         n.provider().keyRetention = 24h;
         n.add(deadLetter("m").key("k"), attempt("k").failed().at(2h));
       }, "check_first"},
      {"success without an effect", [](Night& n) {
         n.provider().keyRetention = 240h;
         n.add(deadLetter("m").key("k"), attempt("k"));
       }, "check_first"},
      {"effect reversed", [](Night& n) {
         n.provider().keyRetention = 240h;
         n.add(deadLetter("m").key("k"), effect("e").key("k"), refund("r").parent("e").at(12h));
       }, "check_first"},
      {"nothing done, key still known", [](Night& n) {
         n.provider().keyRetention = 22h;
         n.add(deadLetter("m").key("k"));
       }, "safe"},
      {"failed at the provider", [](Night& n) {
         n.provider().keyRetention = 22h;
         n.add(deadLetter("m").key("k"), attempt("k").failed(), effect("e").key("k").failed());
       }, "safe"},
  };
  return all;
}

}  // namespace

class TstRedrive : public QObject {
  Q_OBJECT

 private slots:
  void verdict_data();
  void verdict();
  void deadline();
};

void TstRedrive::verdict_data() {
  QTest::addColumn<int>("row");
  for (std::size_t i = 0; i < rows().size(); ++i) QTest::newRow(rows()[i].name) << static_cast<int>(i);
}

void TstRedrive::verdict() {
  QFETCH(int, row);
  const Row& expected = rows()[static_cast<std::size_t>(row)];
  Night night;
  expected.make(night);
  const Unit unit = night.unit();
  QCOMPARE(unit.deadLetterVerdicts.size(), std::size_t(1));
  QCOMPARE(QString::fromStdString(textOf(codeOf(unit.deadLetterVerdicts[0].verdict))),
           QString(expected.verdict));
  QVERIFY(!unit.deadLetterVerdicts[0].reason.empty());
}

void TstRedrive::deadline() {
  Night night;
  night.add(deadLetter("m").key("k"));
  QVERIFY(!night.unit().deadLetterVerdicts[0].deadline);
  night.policy.queues.push_back({});
  night.policy.queues[0].name = "payments";
  night.policy.queues[0].deadLetterQueue = "payments.dlq";
  night.policy.queues[0].deadLetterRetention = 96h;
  QVERIFY(night.unit().deadLetterVerdicts[0].deadline == atTime(9h + 96h));
  night.records.deadLetters[0].deadline = atTime(50h);
  QVERIFY(night.unit().deadLetterVerdicts[0].deadline == atTime(50h));
}

QTEST_APPLESS_MAIN(TstRedrive)
#include "tst_redrive.moc"
