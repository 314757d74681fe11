// SPDX-License-Identifier: GPL-3.0-or-later
// Menus, keys, what the window remembers.
#include <QActionGroup>
#include <QApplication>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenuBar>
#include <QMessageBox>

#include "app/desktop/main_window.h"

namespace counterfoil::desktop {

namespace {

constexpr qsizetype kRecentMost = 8;

QString recentKey() { return QStringLiteral("recentStores"); }
QString schemeKey() { return QStringLiteral("theme"); }

void tell(QWidget* parent, const QString& title, const QString& text) {
  QMessageBox box(QMessageBox::NoIcon, title, text, QMessageBox::Close, parent);
  box.setTextFormat(Qt::PlainText);
  box.exec();
}

}  // namespace

void MainWindow::makeMenus() {
  makeFileMenu();
  makeViewMenu();
  makeHelpMenu();
}

void MainWindow::makeFileMenu() {
  QMenu* file = menuBar()->addMenu(tr("&File"));
  file->addAction(tr("&Open…"), QKeySequence::Open, this, &MainWindow::chooseFile);
  m_recentMenu = file->addMenu(tr("Open &recent"));
  m_reload = file->addAction(tr("Re&load"), QKeySequence::Refresh, this, &MainWindow::reload);
  m_reload->setEnabled(false);
  file->addSeparator();
  file->addAction(tr("&Quit"), QKeySequence::Quit, this, &QWidget::close);

  QMenu* edit = menuBar()->addMenu(tr("&Edit"));
  edit->addAction(tr("&Filter the cases"), QKeySequence::Find, this, [this] {
    if (!m_isOpen) return;
    showView(View::Cases);
    m_cases->focusFilter();
  });
  edit->addAction(tr("Find a &key or id"), QKeySequence(Qt::CTRL | Qt::Key_K), this, [this] {
    m_search->setFocus(Qt::ShortcutFocusReason);
    m_search->selectAll();
  });
  edit->addAction(tr("&Clear filters"), QKeySequence(Qt::CTRL | Qt::Key_Backspace), this, [this] { m_cases->clearFilters(); });
}

void MainWindow::makeViewMenu() {
  QMenu* view = menuBar()->addMenu(tr("&View"));
  const std::pair<View, QString> views[] = {{View::Summary, tr("&Summary")}, {View::Cases, tr("&Cases")},
                                            {View::Skips, tr("S&kips")}, {View::Letters, tr("&Dead letters")}};
  for (const auto& [which, title] : views) {
    QAction* action = view->addAction(title + QStringLiteral("\tAlt+%1").arg(static_cast<int>(which)));
    connect(action, &QAction::triggered, this, [this, target = which] { showView(target); });
  }
  view->addSeparator();
  view->addAction(tr("&Next case"), QKeySequence(Qt::ALT | Qt::Key_Down), this, [this] { m_cases->step(1); });
  view->addAction(tr("&Previous case"), QKeySequence(Qt::ALT | Qt::Key_Up), this, [this] { m_cases->step(-1); });
  view->addAction(tr("&Back"), QKeySequence(Qt::Key_Escape), this, &MainWindow::goBack);
  view->addSeparator();
  QMenu* theme = view->addMenu(tr("&Theme"));
  auto* group = new QActionGroup(this);
  const std::pair<Scheme, QString> schemes[] = {{Scheme::System, tr("&System")}, {Scheme::Light, tr("&Light")}, {Scheme::Dark, tr("&Dark")}};
  for (const auto& [scheme, title] : schemes) {
    QAction* action = theme->addAction(title);
    action->setCheckable(true);
    action->setData(static_cast<int>(scheme));
    group->addAction(action);
    connect(action, &QAction::triggered, this, [this, wanted = scheme] { setScheme(wanted); });
  }
  group->setObjectName(QStringLiteral("themes"));
}

void MainWindow::makeHelpMenu() {
  QMenu* help = menuBar()->addMenu(tr("&Help"));
  help->addAction(tr("&Keys"), QKeySequence(Qt::CTRL | Qt::Key_Slash), this, [this] {
    tell(this, tr("Keys"), tr("Alt+1 … Alt+4\tsummary, cases, skips, dead letters\nCtrl+F\tfilter the cases\n"
                              "Ctrl+K\tfind a key or id\nEnter, Esc\topen a case, go back\nAlt+↓, Alt+↑\tnext, previous case\n"
                              "Ctrl+C\tcopy the rows\nCtrl+Shift+C\tcopy them with column titles\nCtrl+Backspace\tclear filters\n"
                              "F5\treload\n← →\twithin a time line: previous, next event"));
  });
  help->addAction(tr("&About Counterfoil"), this, [this] {
    tell(this, tr("About Counterfoil"), tr("Counterfoil %1\n\nReads what your job queue and your provider say, and names what differs. "
                                           "This window reads a store and changes nothing.\n\nGPL-3.0-or-later")
                                            .arg(QStringLiteral(COUNTERFOIL_VERSION)));
  });
}

void MainWindow::chooseFile() {
  const QString folder = m_path.isEmpty() ? QString() : QFileInfo(m_path).absolutePath();
  const QString file = QFileDialog::getOpenFileName(this, tr("Open a store"), folder, tr("Stores (*.counterfoil);;All files (*)"));
  if (!file.isEmpty()) openStore(file);
}

void MainWindow::remember(const QString& path) {
  QStringList paths = m_settings.value(recentKey()).toStringList();
  paths.removeAll(path);
  paths.prepend(path);
  m_settings.setValue(recentKey(), QStringList(paths.mid(0, kRecentMost)));
  showRecent();
}

void MainWindow::showRecent() {
  const QStringList paths = m_settings.value(recentKey()).toStringList().mid(0, kRecentMost);
  m_recentMenu->clear();
  m_recentMenu->setEnabled(!paths.isEmpty());
  for (const QString& path : paths) {
    m_recentMenu->addAction(withoutMnemonic(shown(path.toStdString())), this, [this, path] { openStore(path); });
  }
  m_start->showRecent(paths);
}

void MainWindow::setScheme(Scheme scheme) {
  m_theme.apply(scheme);
  m_settings.setValue(schemeKey(), static_cast<int>(scheme));
}

void MainWindow::restore() {
  const int stored = m_settings.value(schemeKey(), 0).toInt();
  const auto scheme = stored >= 0 && stored <= static_cast<int>(Scheme::Dark) ? static_cast<Scheme>(stored) : Scheme::System;
  m_theme.apply(scheme);
  for (QAction* action : findChild<QActionGroup*>(QStringLiteral("themes"))->actions()) {
    action->setChecked(action->data().toInt() == static_cast<int>(scheme));
  }
  constexpr QSize usual(1280, 800);
  if (!restoreGeometry(m_settings.value(QStringLiteral("geometry")).toByteArray())) resize(usual);
}

}  // namespace counterfoil::desktop
