// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/main_window.h"

#include <QDragEnterEvent>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QMimeData>
#include <QStatusBar>
#include <QVBoxLayout>

#include "app/desktop/lists.h"
#include "reports/text/run_words.h"

namespace counterfoil::desktop {

namespace {

constexpr int kWatchMs = 5000;

QString titleOf(const Error& error) {
  switch (error.code) {
    case ErrorCode::Missing: return MainWindow::tr("There is no such store.");
    case ErrorCode::StoreTooNew: return MainWindow::tr("This store is newer than the program.");
    case ErrorCode::StoreBroken: return MainWindow::tr("This is not a store, or it is damaged.");
    case ErrorCode::Locked: return MainWindow::tr("The store is in use.");
    default: return MainWindow::tr("The store cannot be read.");
  }
}

QString firstFile(const QMimeData* data) {
  for (const QUrl& url : data->urls()) {
    if (url.isLocalFile()) return url.toLocalFile();
  }
  return {};
}

}  // namespace

MainWindow::MainWindow(Theme& theme, QSettings& settings) : m_theme(theme), m_settings(settings) {
  setWindowTitle(tr("Counterfoil"));
  setAcceptDrops(true);
  makePages();
  makeMenus();
  connectPages();
  connect(&m_watch, &QTimer::timeout, this, &MainWindow::look);
  m_watch.setInterval(kWatchMs);
  restore();
  showRecent();
  showView(View::Start);
}

MainWindow::~MainWindow() = default;

void MainWindow::makePages() {
  m_stack = new QStackedWidget(this);
  m_start = new StartPage(m_stack);
  m_summary = new SummaryPage(m_stack);
  m_cases = new CasesPage(m_store, m_stack);
  m_skips = new SkipsPage(m_store, m_stack);
  m_letters = new LettersPage(m_store, m_stack);
  m_lifePage = new QWidget(m_stack);
  m_life = new CaseView(m_store, m_lifePage);
  auto* back = new QPushButton(tr("← Back"), m_lifePage);
  back->setProperty("link", true);
  back->setCursor(Qt::PointingHandCursor);
  connect(back, &QPushButton::clicked, this, &MainWindow::goBack);
  auto* life = new QVBoxLayout(m_lifePage);
  life->setContentsMargins(20, 12, 20, 14);
  life->addWidget(back, 0, Qt::AlignLeft);
  life->addWidget(m_life, 1);
  for (QWidget* page : std::initializer_list<QWidget*>{m_start, m_summary, m_cases, m_skips, m_letters, m_lifePage}) m_stack->addWidget(page);

  m_problem = new NoteBar(this);
  m_news = new NoteBar(this);
  m_incomplete = new NoteBar(this);
  auto* right = new QVBoxLayout;
  right->setContentsMargins(0, 0, 0, 0);
  right->setSpacing(0);
  m_topBar = makeTopBar();
  for (QWidget* widget : std::initializer_list<QWidget*>{m_topBar, m_problem, m_news, m_incomplete}) right->addWidget(widget);
  right->addWidget(m_stack, 1);
  auto* middle = new QWidget(this);
  auto* layout = new QHBoxLayout(middle);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  m_sideBar = makeSideBar();
  layout->addWidget(m_sideBar);
  layout->addLayout(right, 1);
  setCentralWidget(middle);
  statusBar()->setSizeGripEnabled(false);
}

QFrame* MainWindow::makeSideBar() {
  auto* bar = new QFrame(this);
  bar->setObjectName(QStringLiteral("sideBar"));
  bar->setFixedWidth(fontMetrics().averageCharWidth() * 24);
  auto* layout = new QVBoxLayout(bar);
  layout->setContentsMargins(10, 14, 10, 14);
  layout->setSpacing(3);
  m_views = new QButtonGroup(this);
  const std::pair<View, QString> views[] = {{View::Summary, tr("Summary")}, {View::Cases, tr("Cases")},
                                            {View::Skips, tr("Skips")}, {View::Letters, tr("Dead letters")}};
  for (const auto& [view, title] : views) {
    auto* button = new SideButton(title, bar);
    button->setShortcut(QKeySequence(QStringLiteral("Alt+%1").arg(static_cast<int>(view))));
    button->setToolTip(QStringLiteral("Alt+%1").arg(static_cast<int>(view)));
    m_views->addButton(button, static_cast<int>(view));
    layout->addWidget(button);
  }
  layout->addStretch(1);
  connect(m_views, &QButtonGroup::idClicked, this, [this](int id) { showView(static_cast<View>(id)); });
  return bar;
}

QFrame* MainWindow::makeTopBar() {
  auto* bar = new QFrame(this);
  bar->setObjectName(QStringLiteral("topBar"));
  m_name = new ElidedLabel(bar);
  m_name->setFocusPolicy(Qt::NoFocus);
  setLetters(m_name, 1.0, true);
  m_search = new QLineEdit(bar);
  m_search->setPlaceholderText(tr("Find a key or id  (Ctrl+K)"));
  m_search->setAccessibleName(tr("Find a key or id"));
  m_search->setClearButtonEnabled(true);
  m_search->setMaxLength(4096);
  m_search->setMinimumWidth(320);
  auto* layout = new QHBoxLayout(bar);
  layout->setContentsMargins(20, 8, 20, 8);
  layout->addWidget(m_name, 1);
  layout->addWidget(m_search);
  connect(m_search, &QLineEdit::returnPressed, this, [this] {
    if (const QString text = m_search->text().trimmed(); !text.isEmpty()) openLife(text);
  });
  return bar;
}

void MainWindow::connectPages() {
  connect(m_start, &StartPage::openWanted, this, &MainWindow::chooseFile);
  connect(m_start, &StartPage::recentWanted, this, &MainWindow::openStore);
  connect(m_summary, &SummaryPage::classOpened, this, [this](const QString& code) {
    m_cases->showClass(code);
    showView(View::Cases);
  });
  connect(m_summary, &SummaryPage::casesOpened, this, [this] { showView(View::Cases); });
  connect(m_summary, &SummaryPage::skipsOpened, this, [this] { showView(View::Skips); });
  connect(m_summary, &SummaryPage::lettersOpened, this, [this] { showView(View::Letters); });
  connect(m_cases, &CasesPage::opened, this, &MainWindow::openLife);
  for (ListPage* page : std::initializer_list<ListPage*>{m_skips, m_letters}) connect(page, &ListPage::opened, this, &MainWindow::openLife);
  for (PagedModel* model : {m_cases->model(), m_skips->model(), m_letters->model()}) {
    connect(model, &PagedModel::failed, this, [this](const Error& error) { showProblem(error); });
  }
  for (const TableView* table : findChildren<TableView*>()) {
    connect(table, &TableView::copied, this, [this](int rows) {
      statusBar()->showMessage(rows == 1 ? tr("1 row copied") : tr("%1 rows copied").arg(rows), 4000);
    });
  }
  connect(&m_store, &StoreAccess::busyChanged, this, [this](bool busy) {
    if (busy) statusBar()->showMessage(tr("Reading…"));
    else if (statusBar()->currentMessage() == tr("Reading…")) statusBar()->clearMessage();
  });
  connect(m_problem->action(), &QPushButton::clicked, m_problem, &QWidget::hide);
  connect(m_news->action(), &QPushButton::clicked, this, &MainWindow::reload);
}

void MainWindow::openStore(const QString& path) {
  const QString whole = QFileInfo(path).absoluteFilePath();
  m_store.open(whole, this, [this, whole](const Result<std::string>& note) { takeStore(whole, note); });
}

void MainWindow::takeStore(const QString& path, const Result<std::string>& note) {
  if (!note) {
    showProblem(note.error(), titleOf(note.error()));
    return;
  }
  m_problem->hide();
  m_news->hide();
  const bool another = path != m_path || !m_isOpen;
  m_path = path;
  m_isOpen = true;
  m_reload->setEnabled(true);
  const QString name = shown(QFileInfo(path).fileName().toStdString());
  m_name->setText(name);
  m_name->setToolTip(tipOf(shown(path.toStdString())));
  setWindowTitle(tr("%1 – Counterfoil").arg(name));
  statusBar()->showMessage(shown(*note), 10000);
  remember(path);
  m_store.ask<Overview>(this, readOverview, [this](const Result<Overview>& overview) { takeOverview(overview); });
  if (another) m_cases->clearFilters();
  else m_cases->reload();
  m_skips->reload();
  m_letters->reload();
  if (view() == View::Life && !another) m_life->showTarget(m_life->target());
  else if (another) showView(View::Summary);
  m_watch.start();
}

void MainWindow::takeOverview(const Result<Overview>& overview) {
  if (!overview) {
    showProblem(overview.error(), titleOf(overview.error()));
    return;
  }
  m_run.reset();
  if (overview->run) m_run = overview->run->number;
  m_summary->showOverview(*overview);
  m_skips->showOverview(*overview);
  m_letters->showOverview(*overview);
  m_incomplete->hide();
  if (!overview->run) return;
  const RunResult& result = overview->run->result;
  m_name->setText(shown(QFileInfo(m_path).fileName().toStdString()) + QStringLiteral("  ·  ") +
                  tr("run %1, as of %2").arg(overview->run->number).arg(QString::fromStdString(instantWords(result.asOf))));
  m_name->setToolTip(tipOf(shown(m_path.toStdString())));
  if (!result.complete) m_incomplete->say(Tone::High, tr("The last run is incomplete; what is missing stands in the summary. “No breaks” would mean nothing."));
  showBadges(result);
}

/// Counts of what needs someone, behind the names of the views.
void MainWindow::showBadges(const RunResult& result) {
  std::uint64_t skips = 0;
  for (const auto& [verdict, count] : result.skips) {
    if (verdict == SkipVerdict::Suppressing || verdict == SkipVerdict::Stranded) skips += count;
  }
  std::uint64_t letters = 0;
  for (const auto& [verdict, count] : result.deadLetters) letters += verdict == RedriveVerdict::Obsolete ? 0 : count;
  const std::pair<View, std::uint64_t> badges[] = {{View::Cases, result.breaks + result.open}, {View::Skips, skips}, {View::Letters, letters}};
  for (const auto& [view, count] : badges) {
    static_cast<SideButton*>(m_views->button(static_cast<int>(view)))->setCount(count);
  }
}

void MainWindow::reload() {
  if (m_isOpen) openStore(m_path);
}

void MainWindow::watchEvery(int milliseconds) { m_watch.setInterval(milliseconds); }

void MainWindow::look() {
  if (isBusy()) return;
  m_store.ask<std::optional<RunNumber>>(
      this, [](const Store& store) { return store.lastRun(); },
      [this](const Result<std::optional<RunNumber>>& last) {
        if (!last || !*last || last->value() <= m_run.value_or(0)) return;
        m_news->say(Tone::Plain, tr("Run %1 is there; this is run %2.").arg(last->value()).arg(m_run.value_or(0)), tr("Show it (F5)"));
      });
}

void MainWindow::showProblem(const Error& error, const QString& title) {
  if (error.code == ErrorCode::Cancelled) return;
  const QString lead = title.isEmpty() ? titleOf(error) : title;
  m_problem->say(Tone::Critical, lead + QLatin1Char(' ') + shown(error.message), tr("Close"));
}

void MainWindow::showView(View view) {
  if (!m_isOpen) view = View::Start;
  m_sideBar->setVisible(view != View::Start);
  m_topBar->setVisible(view != View::Start);
  if (view == View::Life && this->view() != View::Life) m_before = this->view();
  m_stack->setCurrentIndex(static_cast<int>(view));
  if (QAbstractButton* button = m_views->button(static_cast<int>(view))) button->setChecked(true);
  switch (view) {
    case View::Start: m_start->setFocus(); break;
    case View::Summary: m_summary->classes()->setFocus(); break;
    case View::Cases: m_cases->table()->setFocus(); break;
    case View::Skips: m_skips->table()->setFocus(); break;
    case View::Letters: m_letters->table()->setFocus(); break;
    case View::Life: m_life->events()->setFocus(); break;
  }
}

MainWindow::View MainWindow::view() const { return static_cast<View>(m_stack->currentIndex()); }

void MainWindow::openLife(const QString& target) {
  if (!m_isOpen || target.isEmpty()) return;
  m_life->showTarget(target);
  showView(View::Life);
}

void MainWindow::goBack() {
  if (view() == View::Life) showView(m_before);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  if (!firstFile(event->mimeData()).isEmpty()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
  const QString file = firstFile(event->mimeData());
  if (file.isEmpty()) return;
  event->acceptProposedAction();
  openStore(file);
}

void MainWindow::closeEvent(QCloseEvent* event) {
  m_settings.setValue(QStringLiteral("geometry"), saveGeometry());
  QMainWindow::closeEvent(event);
}

}  // namespace counterfoil::desktop
