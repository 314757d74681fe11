// SPDX-License-Identifier: GPL-3.0-or-later
// The window: one store, its views, and what the program says about opening it.
#pragma once

#include <QButtonGroup>
#include <QLineEdit>
#include <QMainWindow>
#include <QSettings>
#include <QStackedWidget>
#include <QTimer>

#include "app/desktop/cases_page.h"
#include "app/desktop/list_pages.h"
#include "app/desktop/overview.h"
#include "app/desktop/start_page.h"
#include "app/desktop/summary_page.h"
#include "app/desktop/theme.h"

namespace counterfoil::desktop {

class MainWindow final : public QMainWindow {
  Q_OBJECT

 public:
  enum class View : std::uint8_t { Start, Summary, Cases, Skips, Letters, Life };

  /// Both must outlive the window.
  MainWindow(Theme& theme, QSettings& settings);
  ~MainWindow() override;

  void openStore(const QString& path);
  void reload();
  void showView(View view);
  /// A key or id, in a view of its own.
  void openLife(const QString& target);
  void watchEvery(int milliseconds);

  [[nodiscard]] View view() const;
  [[nodiscard]] bool isBusy() const { return m_store.waiting() > 0; }
  [[nodiscard]] SummaryPage* summary() const { return m_summary; }
  [[nodiscard]] CasesPage* cases() const { return m_cases; }
  [[nodiscard]] SkipsPage* skips() const { return m_skips; }
  [[nodiscard]] LettersPage* letters() const { return m_letters; }
  [[nodiscard]] CaseView* life() const { return m_life; }
  [[nodiscard]] NoteBar* problem() const { return m_problem; }
  [[nodiscard]] NoteBar* news() const { return m_news; }
  [[nodiscard]] QLineEdit* search() const { return m_search; }
  [[nodiscard]] QString heading() const { return m_name->text(); }

 protected:
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;
  void closeEvent(QCloseEvent* event) override;

 private:
  void makeMenus();
  void makeFileMenu();
  void makeViewMenu();
  void makeHelpMenu();
  void makePages();
  QFrame* makeSideBar();
  QFrame* makeTopBar();
  void connectPages();
  void takeStore(const QString& path, const Result<std::string>& note);
  void takeOverview(const Result<Overview>& overview);
  void showBadges(const RunResult& result);
  void look();                              ///< is there a newer run?
  void showProblem(const Error& error, const QString& title = {});
  void goBack();
  void chooseFile();
  void remember(const QString& path);
  void showRecent();
  void setScheme(Scheme scheme);
  void restore();

  Theme& m_theme;
  QSettings& m_settings;
  StoreAccess m_store;
  QString m_path;
  std::optional<RunNumber> m_run;           ///< that is shown
  bool m_isOpen = false;

  QStackedWidget* m_stack;
  StartPage* m_start;
  SummaryPage* m_summary;
  CasesPage* m_cases;
  SkipsPage* m_skips;
  LettersPage* m_letters;
  CaseView* m_life;
  QWidget* m_lifePage;
  NoteBar* m_problem;
  NoteBar* m_news;
  NoteBar* m_incomplete;
  QLineEdit* m_search;
  ElidedLabel* m_name;
  QFrame* m_sideBar;
  QFrame* m_topBar;
  QButtonGroup* m_views;
  QMenu* m_recentMenu;
  QAction* m_reload;
  QTimer m_watch;
  View m_before = View::Summary;            ///< where Back goes
};

}  // namespace counterfoil::desktop
