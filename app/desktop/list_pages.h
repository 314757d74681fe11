// SPDX-License-Identifier: GPL-3.0-or-later
// Skips and dead letters: a list each, with the case of the chosen row below it.
#pragma once

#include <QWidget>

#include "app/desktop/case_view.h"
#include "app/desktop/choice_button.h"
#include "app/desktop/overview.h"

namespace counterfoil::desktop {

class ListPage : public QWidget {
  Q_OBJECT

 public:
  /// `codes`: verdicts to filter by.
  ListPage(const QString& name, std::vector<Column> columns, ListSource source,
           const std::vector<ChoiceButton::Choice>& codes, StoreAccess& store, QWidget* parent = nullptr);

  void reload();
  [[nodiscard]] TableView* table() const { return m_table; }
  [[nodiscard]] PagedModel* model() const { return m_model; }
  [[nodiscard]] CaseView* preview() const { return m_case; }
  [[nodiscard]] ChoiceButton* verdictFilter() const { return m_verdict; }
  [[nodiscard]] QLabel* lead() const { return m_lead; }

 Q_SIGNALS:
  void opened(const QString& target);

 protected:
  void setWords(const QString& title, const QString& hint) { m_title = title; m_hint = hint; }
  /// What stands above the list, left of the filter.
  void setTop(QWidget* top);

 private:
  void takeList();
  PagedModel* m_model;
  TableView* m_table;
  CaseView* m_case;
  ChoiceButton* m_verdict;
  QLabel* m_lead;
  QString m_title, m_hint;
};

class SkipsPage final : public ListPage {
  Q_OBJECT

 public:
  explicit SkipsPage(StoreAccess& store, QWidget* parent = nullptr);
  void showOverview(const Overview& overview);
};

class LettersPage final : public ListPage {
  Q_OBJECT

 public:
  explicit LettersPage(StoreAccess& store, QWidget* parent = nullptr);
  void showOverview(const Overview& overview);
  [[nodiscard]] TableView* queues() const { return m_queues; }

 private:
  TableView* m_queues;
  RowsModel m_queueModel;
};

}  // namespace counterfoil::desktop
