// SPDX-License-Identifier: GPL-3.0-or-later
// The report model: words in every language, masking, what a run, a period, a case and a list hold.
#include <QtTest>

#include "core/base/text.h"
#include "reports/model/report_model.h"
#include "tests/reports/report_store.h"

using namespace counterfoil;
using namespace counterfoil::testing;

namespace {

std::vector<std::string> keysOf(const ReportModel& model, CaseSet set) {
  std::vector<std::string> keys;
  const auto ok = model.forEachCase(set, [&](const ReportCase& line) -> Result<> {
    keys.push_back(line.key);
    return {};
  });
  return ok ? keys : std::vector<std::string>{"error: " + ok.error().message};
}

const ReportTile& tile(const ReportModel& model, std::string_view id) {
  static const ReportTile none;
  for (const ReportTile& each : model.facts().tiles) {
    if (each.id == id) return each;
  }
  return none;
}

}  // namespace

class TstReportModel : public QObject {
  Q_OBJECT
 private slots:
  void everyTextIsInEveryLanguage() {
    for (const BothTexts& text : allTexts()) {
      // Notes that only one language needs, and what is blank in both, are no gaps.
      const bool onlyRussian = text.russian.find("приводятся по-английски") != std::string_view::npos;
      if (!onlyRussian) QVERIFY2(text.english.empty() == text.russian.empty(), std::string(text.english).c_str());
      QVERIFY(isValidUtf8(text.russian));
    }
  }

  void classesReadAsElsewhere() {
    const Words words(Language::English);
    for (std::size_t i = 0; i < kClassCount; ++i) {
      const auto unitClass = static_cast<Class>(i);
      QCOMPARE(words.label(unitClass, true), labelOf(unitClass, true));
      QCOMPARE(words.label(unitClass, false), labelOf(unitClass, false));
      QVERIFY(!words.explanation(unitClass).empty());
      QCOMPARE(words.advice(unitClass).empty(), groupOf(unitClass) == ClassGroup::Closed || unitClass == Class::InFlight ||
                                                    unitClass == Class::Expected);
    }
  }

  void numbersAndPlurals() {
    const Words english(Language::English), russian(Language::Russian);
    QCOMPARE(english.count(Counted::Break, 1), std::string("1 break"));
    QCOMPARE(english.count(Counted::Break, 1204), std::string("1,204 breaks"));
    const std::pair<std::uint64_t, const char*> forms[] = {{1, "1 расхождение"}, {2, "2 расхождения"}, {5, "5 расхождений"}, {11, "11 расхождений"},
                                                           {14, "14 расхождений"}, {21, "21 расхождение"}, {112, "112 расхождений"}, {0, "0 расхождений"}};
    for (const auto& [number, text] : forms) QCOMPARE(russian.count(Counted::Break, number), std::string(text));
    QCOMPARE(russian.money(usd(-125000)), std::string("−1\u00a0250,00\u00a0USD"));
    QCOMPARE(russian.money(Money{1500, *Currency::parse("JPY")}), std::string("1\u00a0500\u00a0JPY"));
    QCOMPARE(russian.money(Money{1234567, *Currency::parse("KWD")}), std::string("1\u00a0234,567\u00a0KWD"));
    QCOMPARE(russian.instant(day(8, 6)), std::string("08.04.2026 06:00 UTC"));
    QCOMPARE(russian.duration(std::chrono::hours(26) + std::chrono::minutes(3)), std::string("26 ч 3 мин"));
  }

  void contactsAreMasked() {
    QCOMPARE(maskContacts("mail to ann.lee@example.co.ke now"), std::string("mail to a•••@••• now"));
    QCOMPARE(maskContacts("a@b and user@host"), std::string("a@b and user@host"));   // no domain with a dot
    QCOMPARE(maskContacts("call +254 712 345 678."), std::string("call +•••78."));
    QCOMPARE(maskContacts("+5 +12"), std::string("+5 +12"));
    QCOMPARE(maskContacts("charge:4471 2026-04-08"), std::string("charge:4471 2026-04-08"));
    QCOMPARE(maskContacts("имя@пример.рф!"), std::string("и•••@•••!"));
    const Masker masker(Masker::Show::Masked), plain(Masker::Show::Plain);
    QCOMPARE(masker.customer("254712345678"), std::string("2•••78"));
    QCOMPARE(masker.customer("Ann"), std::string("A•••"));
    QCOMPARE(masker.text("renew:cus_4711:x", {"cus_4711"}), std::string("renew:c•••11:x"));
    QCOMPARE(masker.text("order 44710 of 4471", {"4471"}), std::string("order 44710 of 4•••"));
    QCOMPARE(masker.text("x", {""}), std::string("x"));
    QCOMPARE(plain.text("ann@example.com", {"ann"}), std::string("ann@example.com"));
  }

  void aRun() {
    const auto store = sampleStore();
    QVERIFY2(store.has_value(), store ? "" : store.error().message.c_str());
    ReportRequest request;
    request.name = "shop";
    const auto model = ReportModel::load(*store, request);
    QVERIFY(model.has_value());
    const ReportFacts& facts = model->facts();
    QCOMPARE(facts.run, RunNumber(2));
    QCOMPARE(facts.title, std::string("shop – Reconciliation report"));
    QCOMPARE(facts.trend.size(), std::size_t(2));
    QVERIFY(facts.comparison.has_value());
    QCOMPARE(facts.comparison->change.newBreaks, std::uint64_t(4));   // four further missing effects
    QCOMPARE(tile(*model, "breaks").value, std::string("9"));
    QCOMPARE(tile(*model, "dead_letters").value, std::string("12"));
    QCOMPARE(keysOf(*model, CaseSet::Breaks).size(), std::size_t(9));
    QCOMPARE(keysOf(*model, CaseSet::Open).size(), std::size_t(2));
    QVERIFY(keysOf(*model, CaseSet::Earlier).empty());
  }

  void whatIsNotKnownIsNotZero() {
    auto store = Store::openForRun(":memory:");
    QVERIFY(store.has_value());
    RunResult result;
    result.asOf = day(8, 6);
    QVERIFY(addNight(*store, result, {}, "{}").has_value());
    const auto model = ReportModel::load(*store, {});
    QVERIFY(model.has_value());
    for (const ReportTile& each : model->facts().tiles) {
      const bool counted = each.id == "not_judged";
      QCOMPARE(each.state, counted ? ValueState::None : ValueState::NoData);
      QVERIFY(each.tone != Tone::Good);
    }
    QVERIFY(!model->facts().comparison.has_value());
  }

  void aPeriod() {
    const auto store = sampleStore();
    QVERIFY(store.has_value());
    ReportRequest request;
    request.kind = ReportKind::Period;
    request.since = day(8, 0);
    request.until = day(9, 0);
    const auto model = ReportModel::load(*store, request);
    QVERIFY(model.has_value());
    QCOMPARE(model->facts().runs.size(), std::size_t(1));
    QCOMPARE(model->facts().comparison->runsBefore, std::size_t(1));
    QCOMPARE(model->facts().comparison->before.breaks, std::uint64_t(5));
    request.since = day(20, 0);
    request.until = day(21, 0);
    const auto none = ReportModel::load(*store, request);
    QVERIFY(!none.has_value());
    QCOMPARE(none.error().code, ErrorCode::Usage);
  }

  void aCaseAndAList() {
    const auto store = sampleStore();
    QVERIFY(store.has_value());
    ReportRequest request;
    request.kind = ReportKind::Case;
    request.caseId = "charge:4471";
    const auto model = ReportModel::load(*store, request);
    QVERIFY(model.has_value());
    QCOMPARE(keysOf(*model, CaseSet::Listed), std::vector<std::string>{"charge:4471"});
    request.caseId = "nobody";
    QCOMPARE(ReportModel::load(*store, request).error().code, ErrorCode::Usage);
    request.kind = ReportKind::List;
    request.filter.classes = {Class::MissingEffect};
    const auto list = ReportModel::load(*store, request);
    QVERIFY(list.has_value());
    QCOMPARE(list->facts().breaks, std::uint64_t(7));
    QCOMPARE(list->facts().exposure, std::vector<Money>{usd(7028)});
    QCOMPARE(keysOf(*list, CaseSet::Listed).size(), std::size_t(7));
  }

  void customersOfCasesAreMasked() {
    const auto store = sampleStore();
    QVERIFY(store.has_value());
    ReportRequest request;
    for (const bool unmask : {false, true}) {
      request.unmask = unmask;
      const auto model = ReportModel::load(*store, request);
      QVERIFY(model.has_value());
      std::string customer;
      QVERIFY(model->forEachCase(CaseSet::Breaks, [&](const ReportCase& line) -> Result<> {
        if (!line.customer.empty()) customer = line.customer;
        return {};
      }).has_value());
      QCOMPARE(customer, std::string(unmask ? "cus_42" : "c•••"));
    }
  }

  void columnsAreStable() {
    std::string codes;
    for (const CaseColumn& column : caseColumns()) codes += std::string(column.code) + " ";
    QCOMPARE(codes, std::string("case class label severity state key op_ref operation scope exposure currency other_exposure why hints flags "
                                "reason first_run last_run age attempts effects assignee note case_version decision decision_reason "));
  }
};

QTEST_APPLESS_MAIN(TstReportModel)
#include "tst_report_model.moc"
