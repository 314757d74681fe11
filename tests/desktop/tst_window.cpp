// SPDX-License-Identifier: GPL-3.0-or-later
// The window as people meet it: each view shows what the batch program prints, the keyboard reaches
// everything, and what is no store is said and ends nothing.
#include <QAbstractItemModelTester>
#include <QtTest>
#include <QtWidgets>

#include "app/desktop/lists.h"
#include "app/desktop/main_window.h"
#include "tests/desktop/demo_store.h"

using namespace counterfoil;
using namespace counterfoil::desktop;
using counterfoil::testing::DemoStore;
using View = MainWindow::View;

namespace {

QString cell(const TableView* table, int row, int column) { return table->model()->index(row, column).data().toString(); }

QStringList column(const TableView* table, int column) {
  QStringList texts;
  for (int row = 0; row < table->model()->rowCount(); ++row) texts += cell(table, row, column);
  return texts;
}

QString json(const QJsonObject& line, const char* member) { return line.value(QLatin1String(member)).toString(); }

QStringList members(const QVector<QJsonObject>& lines, const char* member) {
  QStringList texts;
  for (const QJsonObject& line : lines) texts += json(line, member);
  return texts;
}

/// What the list shows of a case's key: its order where it has none.
QStringList keysOf(const QVector<QJsonObject>& cases) {
  QStringList keys;
  for (const QJsonObject& line : cases) keys += json(line, "key").isEmpty() ? json(line, "op_ref") : json(line, "key");
  return keys;
}

double luminance(const QColor& colour) {
  const auto part = [](double value) { return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4); };
  return 0.2126 * part(colour.redF()) + 0.7152 * part(colour.greenF()) + 0.0722 * part(colour.blueF());
}

double contrast(const QColor& a, const QColor& b) {
  const double light = std::max(luminance(a), luminance(b));
  const double dark = std::min(luminance(a), luminance(b));
  return (light + 0.05) / (dark + 0.05);
}

}  // namespace

class TestWindow final : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() {
    QVERIFY(m_demo.isMade());
    m_theme = std::make_unique<Theme>(*qApp);
  }

  void init() {
    m_settings = std::make_unique<QSettings>(m_folder.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat);
    m_settings->clear();
    m_window = std::make_unique<MainWindow>(*m_theme, *m_settings);
    m_window->show();
    QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
  }

  void cleanup() {
    m_window.reset();
    m_settings.reset();
  }

  void withoutAStoreItSaysWhatToDo() {
    QCOMPARE(m_window->view(), View::Start);
    QVERIFY(showsText(QStringLiteral("No store is open")));
    QVERIFY(showsText(QStringLiteral("counterfoil run demo/counterfoil.json")));
    m_window->showView(View::Cases);   // there is nothing to show yet
    QCOMPARE(m_window->view(), View::Start);
  }

  void theSummarySaysWhatBatchSays() {
    openDemo();
    QCOMPARE(m_window->view(), View::Summary);
    SummaryPage* page = m_window->summary();
    QVERIFY2(m_demo.runText().startsWith(page->verdict()), qPrintable(page->verdict()));
    m_demo.run({"run", m_demo.config().toStdString(), "--format", "json", "--quiet"});
    const QJsonObject run = QJsonDocument::fromJson(m_demo.out().toUtf8()).object();
    const QJsonObject classes = run.value(QStringLiteral("classes")).toObject();
    QCOMPARE(page->classes()->model()->rowCount(), static_cast<int>(classes.size()));
    for (int row = 0; row < page->classes()->model()->rowCount(); ++row) {
      const QString code = page->classes()->model()->index(row, 0).data(TargetRole).toString();
      QCOMPARE(cell(page->classes(), row, 1), QString::number(classes.value(code).toInt()));
    }
    QCOMPARE(cell(page->classes(), 0, 0), QStringLiteral("Double charge"));
    QCOMPARE(cell(page->classes(), 0, 4), QStringLiteral("KES 12,050.00"));
    const QJsonArray sources = run.value(QStringLiteral("sources")).toArray();
    QCOMPARE(page->sources()->model()->rowCount(), static_cast<int>(sources.size()));
    for (int row = 0; row < page->sources()->model()->rowCount(); ++row) {
      QCOMPARE(cell(page->sources(), row, 0), json(sources.at(row).toObject(), "name"));
      QCOMPARE(cell(page->sources(), row, 2), QString::number(sources.at(row).toObject().value(QStringLiteral("rows")).toInt()));
    }
    const auto findings = m_demo.list({"findings"});
    QCOMPARE(page->findingCount(), static_cast<int>(findings.size()));
    QString shownFindings;
    for (int i = 0; i < page->findingCount(); ++i) shownFindings += page->findingText(i);
    for (const QJsonObject& finding : findings) QVERIFY(shownFindings.contains(json(finding, "seen")));
  }

  void aClassOpensItsCases() {
    openDemo();
    TableView* classes = m_window->summary()->classes();
    classes->setFocus();
    classes->selectRow(0);
    QTest::keyClick(classes, Qt::Key_Return);
    QCOMPARE(m_window->view(), View::Cases);
    settle();
    QCOMPARE(sorted(cases(3)), sorted(keysOf(m_demo.list({"cases", "--class", "duplicate_effect"}))));
  }

  void casesAreThoseOfBatch() {
    openDemo();
    m_window->showView(View::Cases);
    const auto lines = m_demo.list({"cases"});
    QCOMPARE(cases(3), keysOf(lines));
    QCOMPARE(cases(0), capitals(members(lines, "severity")));
    QCOMPARE(cases(4), capitals(members(lines, "state")));
    QCOMPARE(cases(5), members(lines, "age"));
    QCOMPARE(cases(6), members(lines, "reason"));
    QCOMPARE(m_window->cases()->countText(), QStringLiteral("%1 cases").arg(lines.size()));
  }

  void filtersAreThoseOfBatch_data() {
    QTest::addColumn<QString>("filter");
    QTest::addColumn<QString>("value");
    const std::pair<const char*, const char*> rows[] = {
        {"severity", "high"}, {"class", "missing_effect"}, {"state", "open"}, {"state", "resolved"}, {"text", "RENEW:"},
        {"text", "forgets keys"}, {"text", "no case has this"}, {"closed", "notable"}};
    for (const auto& [filter, value] : rows) QTest::addRow("%s %s", filter, value) << QString::fromUtf8(filter) << QString::fromUtf8(value);
  }
  void filtersAreThoseOfBatch() {
    QFETCH(QString, filter);
    QFETCH(QString, value);
    openDemo();
    m_window->showView(View::Cases);
    CasesPage* page = m_window->cases();
    if (filter == QLatin1String("text")) {
      QTest::keyClicks(page->textFilter(), value);
      QTest::keyClick(page->textFilter(), Qt::Key_Return);
    } else {
      ChoiceButton* button = filter == QLatin1String("severity") ? page->severityFilter()
                             : filter == QLatin1String("class")  ? page->classFilter()
                             : filter == QLatin1String("state")  ? page->stateFilter() : page->closedFilter();
      for (QAction* action : button->menu()->actions()) {
        if (action->data().toString() == value) action->trigger();
      }
    }
    settle();
    std::vector<std::string> words = {"cases", "--" + filter.toStdString(), value.toStdString()};
    if (filter == QLatin1String("closed")) words = {"cases", "--notable"};
    const auto lines = m_demo.list(words);
    QCOMPARE(cases(3), keysOf(lines));
    if (lines.isEmpty()) {
      QCOMPARE(page->table()->emptyTitle(), QStringLiteral("No case matches these filters"));
      QCOMPARE(page->preview()->target(), QString());
    }
    page->clearFilters();
    settle();
    QCOMPARE(cases(3), keysOf(m_demo.list({"cases"})));
  }

  void columnsSortAsBatchSorts_data() {
    QTest::addColumn<int>("column");
    QTest::addColumn<QString>("sort");
    const char* sorts[] = {"severity", "class", "exposure", "key", "state", "age"};
    for (int i = 0; i < 6; ++i) QTest::newRow(sorts[i]) << i << QString::fromUtf8(sorts[i]);
  }
  void columnsSortAsBatchSorts() {
    QFETCH(int, column);
    QFETCH(QString, sort);
    openDemo();
    m_window->showView(View::Cases);
    TableView* table = m_window->cases()->table();
    for (const auto order : {Qt::AscendingOrder, Qt::DescendingOrder}) {
      table->sortByColumn(column, order);
      settle();
      const QString way = order == Qt::DescendingOrder ? QStringLiteral("-") : QString();
      QCOMPARE(cases(3), keysOf(m_demo.list({"cases", "--sort", (way + sort).toStdString()})));
    }
  }

  void everyCaseShowsItsLife() {
    openDemo();
    m_window->showView(View::Cases);
    TableView* table = m_window->cases()->table();
    CaseView* view = m_window->cases()->preview();
    const auto lines = m_demo.list({"cases", "--notable"});
    m_window->cases()->closedFilter()->menu()->actions().constFirst()->trigger();
    settle();
    QCOMPARE(table->model()->rowCount(), static_cast<int>(lines.size()));
    for (int row = 0; row < table->model()->rowCount(); ++row) {
      table->selectRow(row);
      settle();
      const std::string id = json(lines[row], "case").toStdString();
      QCOMPARE(view->target().toStdString(), id);
      QCOMPARE(view->reason(), json(lines[row], "reason"));
      const auto events = m_demo.list({"show", id});
      QVERIFY2(events.size() >= 2, id.c_str());   // a record at least, and the verdict
      QCOMPARE(view->events()->model()->rowCount(), static_cast<int>(events.size()));
      QCOMPARE(column(view->events(), 3), members(events, "id"));
      QVERIFY(view->timeLine()->markCount() > 0);
    }
  }

  void aRecordShowsItsFieldsAndItsText() {
    openDemo();
    m_window->openLife(QStringLiteral("charge:ord-10041"));
    settle();
    CaseView* view = m_window->life();
    QCOMPARE(m_window->view(), View::Life);
    QCOMPARE(view->title(), QStringLiteral("Double charge"));
    QCOMPARE(view->key(), QStringLiteral("charge:ord-10041"));
    QVERIFY(view->about().contains(QStringLiteral("same key after retention")));
    const auto events = m_demo.list({"show", "charge:ord-10041"});
    for (int row = 0; row < events.size(); ++row) {
      view->events()->selectRow(row);
      QStringList fields;
      for (const QJsonValue& field : events[row].value(QStringLiteral("fields")).toArray()) fields += field.toString().section(QLatin1Char('='), 1);
      if (!fields.isEmpty()) QCOMPARE(column(view->fields(), 1), fields);
      QCOMPARE(view->rawText(), json(events[row], "raw"));
    }
    QVERIFY(std::any_of(events.begin(), events.end(), [](const QJsonObject& event) { return json(event, "raw").contains(QStringLiteral("10041")); }));
  }

  void whatNobodyKnowsIsSaid() {
    openDemo();
    m_window->openLife(QStringLiteral("<b>no such key</b>"));
    settle();
    QVERIFY(showsText(QStringLiteral("Nothing found")));
    QVERIFY(showsText(QStringLiteral("Nothing in the store carries “<b>no such key</b>”")));
    m_window->openLife(m_demo.list({"cases", "--all", "--class", "matched"}).constFirst().value(QStringLiteral("key")).toString());
    settle();
    QCOMPARE(m_window->life()->title(), QStringLiteral("Agrees"));
    QVERIFY(m_window->life()->events()->model()->rowCount() >= 2);
  }

  void skipsAndDeadLettersAreThoseOfBatch() {
    openDemo();
    m_window->showView(View::Skips);
    const auto skips = m_demo.list({"skips"});
    TableView* table = m_window->skips()->table();
    look(table);
    QCOMPARE(column(table, 2), members(skips, "key"));
    QCOMPARE(column(table, 6), members(skips, "reason"));
    QVERIFY(!column(table, 3).contains(QString()));
    m_window->showView(View::Letters);
    const auto letters = m_demo.list({"dlq", "--messages"});
    table = m_window->letters()->table();
    look(table);
    QCOMPARE(column(table, 2), members(letters, "message_id"));
    QCOMPARE(column(table, 8), members(letters, "reason"));
    const auto queues = m_demo.list({"dlq"});
    QCOMPARE(column(m_window->letters()->queues(), 0), members(queues, "queue"));
    for (QAction* action : m_window->letters()->verdictFilter()->menu()->actions()) {
      if (action->data().toString() == QLatin1String("unsafe")) action->trigger();
    }
    look(table);
    QCOMPARE(column(table, 2), members(m_demo.list({"dlq", "--messages", "--verdict", "unsafe"}), "message_id"));
    table->selectRow(0);
    settle();
    QVERIFY(m_window->letters()->preview()->events()->model()->rowCount() > 0);
  }

  void whatIsNoStoreIsSaid_data() {
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("words");
    const QByteArray newer("\0\0\x03\xe7", 4);
    QTest::newRow("no such file") << m_folder.filePath(QStringLiteral("none.counterfoil")) << QStringLiteral("no such store.");
    QTest::newRow("a text") << m_demo.fileWith(QStringLiteral("text.counterfoil"), "not a database at all, only words") << QStringLiteral("not a store, or it is damaged");
    QTest::newRow("an empty file") << m_demo.fileWith(QStringLiteral("empty.counterfoil"), {}) << QStringLiteral("an empty store");
    QTest::newRow("a folder") << m_folder.path() << QStringLiteral("not a file");
    QTest::newRow("another program's database") << m_demo.damaged(QStringLiteral("other.counterfoil"), 68, QByteArray(4, '\1')) << QStringLiteral("not a store of Counterfoil");
    QTest::newRow("a store of the future") << m_demo.damaged(QStringLiteral("future.counterfoil"), 60, newer) << QStringLiteral("newer than the program");
    QTest::newRow("a damaged schema") << m_demo.damaged(QStringLiteral("schema.counterfoil"), 100, QByteArray(64, '\xff')) << QStringLiteral("damaged");
  }
  void whatIsNoStoreIsSaid() {
    QFETCH(QString, path);
    QFETCH(QString, words);
    m_window->openStore(path);
    settle();
    QVERIFY(m_window->problem()->isVisible());
    QVERIFY2(m_window->problem()->text().contains(words), qPrintable(m_window->problem()->text()));
    QCOMPARE(m_window->view(), View::Start);
    openDemo();   // and then one that is
    QVERIFY(!m_window->problem()->isVisible());
    m_window->openStore(path);   // the store that is open stays
    settle();
    QVERIFY(m_window->problem()->isVisible());
    QCOMPARE(m_window->view(), View::Summary);
    QVERIFY(m_window->cases()->table()->model()->rowCount() > 0);
  }

  void damageWithinEndsNothing() {
    const qint64 size = QFileInfo(m_demo.path()).size();
    int said = 0;
    for (qint64 page = 1; page < size / 8192; page += std::max<qint64>(size / 8192 / 6, 1)) {
      m_window->openStore(m_demo.damaged(QStringLiteral("pages.counterfoil"), page * 8192, QByteArray(8192, '\xff')));
      settle();
      for (const View view : {View::Summary, View::Cases, View::Skips, View::Letters}) m_window->showView(view);
      m_window->cases()->step(1);
      m_window->openLife(QStringLiteral("charge:ord-10041"));
      settle();
      said += m_window->problem()->isVisible() ? 1 : 0;
    }
    QVERIFY(said > 0);
  }

  void theKeyboardReachesEverything() {
    openDemo();
    const std::pair<Qt::Key, View> views[] = {{Qt::Key_2, View::Cases}, {Qt::Key_3, View::Skips}, {Qt::Key_4, View::Letters}, {Qt::Key_1, View::Summary}};
    for (const auto& [key, view] : views) {
      QTest::keyClick(m_window.get(), key, Qt::AltModifier);
      QTRY_COMPARE(m_window->view(), view);
    }
    QTest::keyClick(m_window.get(), Qt::Key_F, Qt::ControlModifier);
    QCOMPARE(m_window->view(), View::Cases);
    QTRY_VERIFY(m_window->cases()->textFilter()->hasFocus());
    TableView* table = m_window->cases()->table();
    table->setFocus();
    table->selectRow(0);
    QTest::keyClick(table, Qt::Key_Down);
    settle();
    QCOMPARE(m_window->cases()->preview()->key(), cell(table, 1, 3));
    QTest::keyClick(m_window.get(), Qt::Key_Down, Qt::AltModifier);
    QCOMPARE(table->currentIndex().row(), 2);
    QTest::keyClick(table, Qt::Key_Return);
    settle();
    QCOMPARE(m_window->view(), View::Life);
    QCOMPARE(m_window->life()->key(), cell(table, 2, 3));
    QTest::keyClick(m_window.get(), Qt::Key_Escape);
    QCOMPARE(m_window->view(), View::Cases);
    QTest::keyClick(m_window.get(), Qt::Key_K, Qt::ControlModifier);
    QTRY_VERIFY(m_window->search()->hasFocus());
    QTest::keyClicks(m_window->search(), QStringLiteral("charge:ord-10075"));
    QTest::keyClick(m_window->search(), Qt::Key_Return);
    settle();
    QCOMPARE(m_window->life()->key(), QStringLiteral("charge:ord-10075"));
    TimeLine* line = m_window->life()->timeLine();
    line->setFocus();
    m_window->life()->events()->selectRow(0);
    QTest::keyClick(line, Qt::Key_Right);
    QVERIFY(m_window->life()->events()->currentIndex().row() > 0);
  }

  void rowsAreCopiedAsText() {
    openDemo();
    m_window->showView(View::Cases);
    look(m_window->cases()->table());
    TableView* table = m_window->cases()->table();
    table->selectRow(1);
    QTest::keyClick(table, Qt::Key_C, Qt::ControlModifier);
    const QStringList cells = QGuiApplication::clipboard()->text().split(QLatin1Char('\t'));
    QCOMPARE(cells.size(), 7);
    QCOMPARE(cells[3], cell(table, 1, 3));
    table->selectAll();
    QTest::keyClick(table, Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
    const QStringList lines = QGuiApplication::clipboard()->text().split(QLatin1Char('\n'));
    QCOMPARE(lines.size(), table->model()->rowCount() + 1);
    QVERIFY(lines.front().startsWith(QStringLiteral("Severity\tClass")));
  }

  void aNewerRunIsTold() {
    DemoStore demo;
    QVERIFY(demo.isMade());
    m_window->watchEvery(30);
    m_window->openStore(demo.path());
    settle();
    QVERIFY(!m_window->news()->isVisible());
    demo.run({"run", demo.config().toStdString(), "--as-of", "2026-11-24T00:30:00Z"});
    QTRY_VERIFY(m_window->news()->isVisible());
    QCOMPARE(m_window->news()->text(), QStringLiteral("Run 2 is there; this is run 1."));
    QTest::keyClick(m_window.get(), Qt::Key_F5);
    settle();
    QTRY_VERIFY(!m_window->news()->isVisible());
    QVERIFY(m_window->heading().endsWith(QStringLiteral("run 2, as of 2026-11-24 00:30 UTC")));
    QCOMPARE(cases(3), keysOf(demo.list({"cases"})));
  }

  void aStoreIsDropped() {
    QMimeData data;
    data.setUrls({QUrl(QStringLiteral("https://example.com/x")), QUrl::fromLocalFile(m_demo.path())});
    QDragEnterEvent enter({10, 10}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(m_window.get(), &enter);
    QVERIFY(enter.isAccepted());
    QDropEvent drop({10, 10}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(m_window.get(), &drop);
    settle();
    QCOMPARE(m_window->view(), View::Summary);
    QCOMPARE(m_settings->value(QStringLiteral("recentStores")).toStringList(), QStringList(m_demo.path()));
  }

  void hostileTextsAreShownNotObeyed() {
    const QByteArray key = "<h1>x</h1>&amp;\x1b[2J\xE2\x80\xAE" + QByteArray(6000, 'k');
    m_demo.fileWith(QStringLiteral("hostile.csv"), "idempotency_key,job_id,status,start,end,amount,currency\n\"" + key +
                                                       "\",<b>job</b>,succeeded,2026-04-07T10:00:00Z,2026-04-07T10:00:01Z,5.00,USD\n");
    m_demo.fileWith(QStringLiteral("none.csv"), "effect_id,created,amount,currency,status\nch_1,2026-04-07T10:00:00Z,7.00,USD,live\n");
    const QString config = m_demo.fileWith(QStringLiteral("hostile.json"), R"({"name": "h", "store": "hostile.counterfoil", "as_of": "2026-04-09T00:00:00Z",
      "sources": [{"name": "<i>jobs</i>", "path": "hostile.csv", "format": "generic.attempts", "covers": {"from": "2026-04-07T00:00:00Z", "to": "2026-04-08T00:00:00Z"}},
                  {"name": "statement", "path": "none.csv", "format": "generic.effects", "provider": "p", "covers": {"from": "2026-04-07T00:00:00Z", "to": "2026-04-08T00:00:00Z"}}]})");
    QCOMPARE(m_demo.run({"run", config.toStdString()}), 1);
    m_window->openStore(QFileInfo(config).absolutePath() + QStringLiteral("/hostile.counterfoil"));
    settle();
    m_window->showView(View::Cases);
    look(m_window->cases()->table());
    const QString shownKey = cases(3).join(QString());
    QVERIFY(shownKey.contains(QStringLiteral("<h1>x</h1>&amp;\\x1B[2J")));
    QVERIFY(!shownKey.contains(QChar(0x1B)) && !shownKey.contains(QChar(0x202E)));
    QVERIFY(shownKey.size() < 6000);
    for (const QLabel* label : m_window->findChildren<QLabel*>()) {
      QVERIFY2(label->textFormat() == Qt::PlainText || label->text().isEmpty(), qPrintable(label->text()));
    }
    for (int row = 0; row < m_window->cases()->table()->model()->rowCount(); ++row) {
      const QString tip = m_window->cases()->model()->index(row, 3).data(Qt::ToolTipRole).toString();
      QVERIFY(!tip.contains(QStringLiteral("<h1>")) && tip.size() < 2000);
    }
    fitsInto({1280, 800});
  }

  void nothingIsCutOff_data() {
    QTest::addColumn<QSize>("size");
    QTest::newRow("1280x800") << QSize(1280, 800);
    QTest::newRow("a small window") << QSize(1000, 690);
  }
  void nothingIsCutOff() {
    QFETCH(QSize, size);
    openDemo();
    for (const View view : {View::Summary, View::Cases, View::Skips, View::Letters}) {
      m_window->showView(view);
      settle();
      fitsInto(size);
    }
    m_window->openLife(QStringLiteral("charge:ord-10041"));
    settle();
    fitsInto(size);
  }

  void lightAndDarkCanBeRead() {
    openDemo();
    for (const Scheme scheme : {Scheme::Light, Scheme::Dark}) {
      m_theme->apply(scheme);
      const QPalette palette = QApplication::palette();
      QCOMPARE(isDark(palette), scheme == Scheme::Dark);
      const QColor base = palette.color(QPalette::Base);
      for (const Tone tone : {Tone::Plain, Tone::Dim, Tone::Good, Tone::Low, Tone::Medium, Tone::High, Tone::Critical}) {
        QVERIFY2(contrast(colourOf(tone, palette), base) >= 4.5, qPrintable(colourOf(tone, palette).name()));
        QVERIFY(contrast(colourOf(tone, palette), palette.color(QPalette::Highlight)) >= 3.5);
      }
      for (const View view : {View::Summary, View::Cases}) {
        m_window->showView(view);
        const QImage image = m_window->grab().toImage().scaled(1, 1, Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
        QCOMPARE(image.pixelColor(0, 0).lightness() < 128, scheme == Scheme::Dark);
      }
    }
    m_theme->apply(Scheme::System);
  }

  void theThemeIsRemembered() {
    QAction* dark = nullptr;
    for (QAction* action : m_window->findChild<QActionGroup*>(QStringLiteral("themes"))->actions()) {
      if (action->data().toInt() == static_cast<int>(Scheme::Dark)) dark = action;
    }
    QVERIFY(dark != nullptr);
    dark->trigger();
    QVERIFY(isDark(QApplication::palette()));
    m_window = std::make_unique<MainWindow>(*m_theme, *m_settings);
    QVERIFY(isDark(QApplication::palette()));
    QCOMPARE(m_theme->scheme(), Scheme::Dark);
    m_theme->apply(Scheme::System);
  }

  void everythingHasAName() {
    openDemo();
    for (const QWidget* widget : m_window->findChildren<QWidget*>()) {
      const bool needsName = qobject_cast<const TableView*>(widget) != nullptr || qobject_cast<const TimeLine*>(widget) != nullptr ||
                             (qobject_cast<const QLineEdit*>(widget) != nullptr);
      if (needsName) QVERIFY2(!widget->accessibleName().isEmpty(), widget->metaObject()->className());
      if (const auto* button = qobject_cast<const QPushButton*>(widget)) {
        QVERIFY(!button->text().isEmpty() || !button->accessibleName().isEmpty() || !button->isVisible());
      }
    }
  }

 private:
  void settle() { QTRY_VERIFY_WITH_TIMEOUT(!m_window->isBusy(), 60'000); }
  void openDemo() {
    m_window->openStore(m_demo.path());
    settle();
    QVERIFY(m_window->cases()->model()->rowCount() > 0);
  }
  /// Has every row of a list fetched.
  void look(const TableView* table) {
    settle();
    auto* model = qobject_cast<PagedModel*>(table->model());
    for (int row = 0; row < model->rowCount(); ++row) QTRY_VERIFY(model->rowAt(row) != nullptr);
  }
  QStringList cases(int which) {
    look(m_window->cases()->table());
    return column(m_window->cases()->table(), which);
  }
  static QStringList sorted(QStringList texts) {
    texts.sort();
    return texts;
  }
  static QStringList capitals(QStringList texts) {
    for (QString& text : texts) text = capitalised(wordsOf(text.toStdString()));
    return texts;
  }
  [[nodiscard]] bool showsText(const QString& text) const {
    const auto labels = m_window->findChildren<QLabel*>();
    return std::any_of(labels.begin(), labels.end(), [&](const QLabel* label) { return label->isVisible() && label->text().contains(text); });
  }
  void fitsInto(QSize size) {
    m_window->resize(size);
    QCoreApplication::processEvents();
    QVERIFY2(m_window->width() <= size.width() && m_window->height() <= size.height(),
             qPrintable(QStringLiteral("%1x%2").arg(m_window->width()).arg(m_window->height())));
    for (const QWidget* widget : m_window->findChildren<QWidget*>()) {
      const bool shows = qobject_cast<const QLabel*>(widget) != nullptr || qobject_cast<const QAbstractButton*>(widget) != nullptr;
      if (!shows || !widget->isVisible()) continue;
      const auto* label = qobject_cast<const QLabel*>(widget);
      const int needed = label != nullptr && label->wordWrap() ? 0 : widget->minimumSizeHint().width();
      QVERIFY2(widget->width() >= needed, qPrintable(widget->accessibleName() + (label ? label->text() : QString())));
      const int tall = label != nullptr && label->wordWrap() ? label->heightForWidth(label->width()) : 0;
      QVERIFY2(widget->height() >= tall, qPrintable(label ? label->text() : QString()));
    }
  }

  QTemporaryDir m_folder;
  DemoStore m_demo;
  std::unique_ptr<Theme> m_theme;
  std::unique_ptr<QSettings> m_settings;
  std::unique_ptr<MainWindow> m_window;
};

QTEST_MAIN(TestWindow)
#include "tst_window.moc"
