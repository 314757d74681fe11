// SPDX-License-Identifier: GPL-3.0-or-later
// The tables behind the views: pages are fetched when they are looked at, late answers are dropped, and
// what files say is harmless.
#include <QAbstractItemModelTester>
#include <QtTest>

#include "app/desktop/lists.h"
#include "app/desktop/rows_model.h"
#include "app/desktop/time_axis.h"
#include "tests/desktop/demo_store.h"

using namespace counterfoil;
using namespace counterfoil::desktop;
using counterfoil::testing::DemoStore;

namespace {

Instant at(int seconds) { return Instant(std::chrono::seconds(1'775'000'000 + seconds)); }

/// A list of so many rows that never was in a store.
ListSource longList(std::size_t rows, std::atomic<int>& pages) {
  return {[rows](const Store&, const ListFilter&) -> Result<std::vector<RowId>> {
            std::vector<RowId> ids(rows);
            for (std::size_t i = 0; i < rows; ++i) ids[i] = static_cast<RowId>(i);
            return ids;
          },
          [&pages](const Store&, const std::vector<RowId>& ids) -> Result<std::vector<Row>> {
            ++pages;
            std::vector<Row> out;
            for (const RowId id : ids) out.push_back({{{QString::number(id)}}, QString::number(id)});
            return out;
          },
          nullptr};
}

}  // namespace

class TestWindowModels final : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() {
    QVERIFY(m_demo.isMade());
    Result<std::string> opened = fail(ErrorCode::Internal, "");
    bool answered = false;
    m_store.open(m_demo.path(), this, [&](const Result<std::string>& note) {
      opened = note;
      answered = true;
    });
    QTRY_VERIFY(answered);
    QVERIFY2(opened.has_value(), opened ? "" : opened.error().message.c_str());
  }

  void everyListPassesTheModelTester() {
    const auto test = [this](std::vector<Column> columns, ListSource source, int least) {
      PagedModel model(std::move(columns), std::move(source), m_store);
      const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
      QSignalSpy changed(&model, &PagedModel::listChanged);
      model.setFilter({});
      QVERIFY(changed.wait());
      QVERIFY2(model.rowCount() >= least, qPrintable(QString::number(model.rowCount())));
      QTRY_VERIFY(model.rowAt(0) != nullptr && model.rowAt(model.rowCount() - 1) != nullptr);
      for (int row = 0; row < model.rowCount(); ++row) QVERIFY(model.rowAt(row) != nullptr);
      model.clear();
      QCOMPARE(model.rowCount(), 0);
    };
    test(caseColumns(), caseSource(), 15);
    test(skipColumns(), skipSource(), 10);
    test(letterColumns(), letterSource(), 6);
    RowsModel rows(queueColumns());
    const QAbstractItemModelTester tester(&rows, QAbstractItemModelTester::FailureReportingMode::QtTest);
    rows.setRows({{{{QStringLiteral("a")}}, {}}, {{{QStringLiteral("b")}}, {}}});
    QCOMPARE(rows.rowCount(), 2);
    rows.setRows({});
  }

  void aMillionRowsAreNotLoaded() {
    std::atomic<int> pages = 0;
    PagedModel model({{QStringLiteral("n"), Column::Kind::Word, 80}}, longList(1'000'000, pages), m_store);
    QSignalSpy changed(&model, &PagedModel::listChanged);
    model.setFilter({});
    QVERIFY(changed.wait());
    QCOMPARE(model.rowCount(), 1'000'000);
    QCOMPARE(pages.load(), 0);
    for (const int row : {0, 999'999, 500'000}) {
      QTRY_COMPARE(model.index(row, 0).data().toString(), QString::number(row));
    }
    QCOMPARE(pages.load(), 3);
    QCOMPARE(model.rowOf(777'777), 777'777);
  }

  void scrollingPastPagesDoesNotFetchThemAll() {
    std::atomic<int> pages = 0;
    PagedModel model({{QStringLiteral("n"), Column::Kind::Word, 80}}, longList(1'000'000, pages), m_store);
    QSignalSpy changed(&model, &PagedModel::listChanged);
    model.setFilter({});
    QVERIFY(changed.wait());
    for (int row = 0; row < 1'000'000; row += 1000) (void)model.rowAt(row);   // as a dragged scroll bar does
    QTRY_COMPARE(m_store.waiting(), std::size_t{0});
    QVERIFY2(pages.load() < 200, qPrintable(QString::number(pages.load())));
    QTRY_VERIFY(model.rowAt(999'000) != nullptr);
  }

  void answersToAnEarlierQuestionAreDropped() {
    PagedModel model(caseColumns(), caseSource(), m_store);
    QSignalSpy changed(&model, &PagedModel::listChanged);
    ListFilter critical;
    critical.severities = {Severity::Critical};
    model.setFilter({});
    model.setFilter(critical);
    QTRY_COMPARE(m_store.waiting(), std::size_t{0});
    QCOMPARE(changed.count(), 1);
    QCOMPARE(model.rowCount(), static_cast<int>(m_demo.list({"cases", "--severity", "critical"}).size()));
  }

  void aModelThatIsGoneIsNotCalled() {
    std::atomic<int> pages = 0;
    {
      PagedModel model({{QStringLiteral("n"), Column::Kind::Word, 80}}, longList(10, pages), m_store);
      model.setFilter({});
    }
    QTRY_COMPARE(m_store.waiting(), std::size_t{0});
  }

  void aFailingPageIsSaidOnce() {
    std::atomic<int> pages = 0;
    ListSource source = longList(10, pages);
    source.rows = [](const Store&, const std::vector<RowId>&) -> Result<std::vector<Row>> {
      return fail(ErrorCode::StoreBroken, "case 1 is damaged");
    };
    PagedModel model({{QStringLiteral("n"), Column::Kind::Word, 80}}, source, m_store);
    QSignalSpy failed(&model, &PagedModel::failed);
    model.setFilter({});
    QTRY_COMPARE(model.rowCount(), 10);
    for (int row = 0; row < 10; ++row) QVERIFY(model.rowAt(row) == nullptr);
    QTRY_COMPARE(failed.count(), 1);
    QVERIFY(model.rowAt(3) == nullptr);
    QTest::qWait(20);
    QCOMPARE(failed.count(), 1);
  }

  void whatThrowsIsAnError() {
    ErrorCode code = ErrorCode::Usage;
    m_store.ask<int>(
        this, [](const Store&) -> Result<int> { throw std::bad_alloc(); },
        [&](const Result<int>& answer) { code = answer ? ErrorCode::Usage : answer.error().code; });
    QTRY_COMPARE(code, ErrorCode::Internal);
  }

  void textsOfFilesAreHarmless() {
    QCOMPARE(shown("a\x1b[31mb"), QStringLiteral("a\\x1B[31mb"));
    QVERIFY(!shown("a\xE2\x80\xAE""b").contains(QChar(0x202E)));
    QVERIFY(shown(std::string(100'000, 'k')).size() < 5'000);
    QVERIFY(shown(std::string(100'000, 'k')).contains(QStringLiteral("100000 bytes")));
    QVERIFY(!shown(std::string(4095, 'k') + "\xC3\xA9" + "tail").contains(QChar(0xFFFD)));   // cut between characters
    const QString tip = tipOf(QStringLiteral("<img src=x><b>bold</b>"));
    QVERIFY(tip.contains(QStringLiteral("&lt;img")));
    QVERIFY(!tip.contains(QStringLiteral("<b>")));
    QVERIFY(tipOf(QString(100'000, QLatin1Char('k'))).size() < 700);
    QCOMPARE(withoutMnemonic(QStringLiteral("a&b")), QStringLiteral("a&&b"));
    QCOMPARE(shownLines("a\nb\tc"), QStringLiteral("a\nb\\x09c"));
  }

  void aQuietNightIsFolded() {
    // Two runs of a job seconds long, a day and a half between them.
    const TimeAxis axis({at(0), at(3), at(4), at(130'000), at(130'002), at(130'005)}, 100, 900);
    QCOMPARE(axis.stretches().size(), std::size_t{5});
    QVERIFY(axis.stretches()[2].folded);
    QCOMPARE(std::count_if(axis.stretches().begin(), axis.stretches().end(), [](const auto& s) { return s.folded; }), 1);
    QCOMPARE(axis.xOf(at(0)), 100.0);
    QVERIFY(std::abs(axis.xOf(at(130'005)) - 900.0) < 0.01);
    QVERIFY(axis.xOf(at(4)) - axis.xOf(at(0)) > axis.xOf(at(130'000)) - axis.xOf(at(4)));
    double before = 0;
    for (const Instant time : axis.times()) {
      QVERIFY(axis.xOf(time) > before);
      before = axis.xOf(time);
    }
  }

  void anAxisKeepsItsPlace_data() {
    QTest::addColumn<int>("count");
    for (const int count : {0, 1, 2, 3, 5'000}) QTest::addRow("%d", count) << count;
  }
  void anAxisKeepsItsPlace() {
    QFETCH(int, count);
    std::vector<Instant> times;
    for (int i = 0; i < count; ++i) times.push_back(at(i * i));
    const TimeAxis axis(times, 50, 450);
    for (const Instant time : times) QVERIFY(axis.xOf(time) >= 50 && axis.xOf(time) <= 450.01);
  }

 private:
  DemoStore m_demo;
  StoreAccess m_store;
};

QTEST_MAIN(TestWindowModels)
#include "tst_window_models.moc"
