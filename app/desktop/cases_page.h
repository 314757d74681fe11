// SPDX-License-Identifier: GPL-3.0-or-later
// The cases that stand: filters, the list, and below it the chosen case.
#pragma once

#include <QLineEdit>
#include <QPushButton>
#include <QTimer>

#include "app/desktop/case_view.h"
#include "app/desktop/choice_button.h"

namespace counterfoil::desktop {

class CasesPage final : public QWidget {
  Q_OBJECT

 public:
  explicit CasesPage(StoreAccess& store, QWidget* parent = nullptr);

  void reload();                              ///< asks the store again, keeps filters and the chosen case
  void showClass(const QString& code);        ///< only this class
  void clearFilters();
  void step(int rows);                        ///< next or previous case
  void focusFilter();

  [[nodiscard]] TableView* table() const { return m_table; }
  [[nodiscard]] PagedModel* model() const { return m_model; }
  [[nodiscard]] CaseView* preview() const { return m_case; }
  [[nodiscard]] QLineEdit* textFilter() const { return m_text; }
  [[nodiscard]] ChoiceButton* classFilter() const { return m_class; }
  [[nodiscard]] ChoiceButton* severityFilter() const { return m_severity; }
  [[nodiscard]] ChoiceButton* stateFilter() const { return m_state; }
  [[nodiscard]] ChoiceButton* closedFilter() const { return m_closed; }
  [[nodiscard]] QString countText() const { return m_count->text(); }

 Q_SIGNALS:
  void opened(const QString& target);
  void listChanged();

 private:
  QWidget* makeFilters();
  [[nodiscard]] ListFilter filter() const;
  [[nodiscard]] bool isFiltered() const;
  void applyFilter();
  void takeList();

  PagedModel* m_model;
  TableView* m_table;
  CaseView* m_case;
  QLineEdit* m_text;
  ChoiceButton* m_class;
  ChoiceButton* m_severity;
  ChoiceButton* m_state;
  ChoiceButton* m_closed;
  QPushButton* m_clear;
  QLabel* m_count;
  QTimer m_typing;
  int m_all = -1;                             ///< cases without a filter; -1: not known
  RowId m_kept = -1;                          ///< chosen before the list was asked for again
};

}  // namespace counterfoil::desktop
