// SPDX-License-Identifier: GPL-3.0-or-later
// The table of every list: rows to read and compare, keys cut in the middle, copying, opening by Enter, and
// a word where there is nothing.
#pragma once

#include <QTableView>

#include "app/desktop/rows_model.h"

namespace counterfoil::desktop {

class TableView final : public QTableView {
  Q_OBJECT

 public:
  explicit TableView(const QString& name, QWidget* parent = nullptr);

  /// Sets columns and their widths as the model wants them.
  void showModel(TableModel* model);
  /// What stands in the middle of a table without rows: what that means, and what to do.
  void setEmptyText(const QString& title, const QString& hint);
  [[nodiscard]] QString emptyTitle() const { return m_emptyTitle; }
  /// As high as all its rows: for tables within a page that scrolls.
  void showAllRows();

  [[nodiscard]] QString currentTarget() const;
  void copyRows(bool withTitles);
  void selectRow(int row);

 Q_SIGNALS:
  void opened(const QString& target);      ///< Enter or a double click
  void selected(const QString& target);    ///< the current row changed, or came in from the store
  void copied(int rows);

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  void changeEvent(QEvent* event) override;
  void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;
  bool viewportEvent(QEvent* event) override;

 private:
  [[nodiscard]] TableModel* table() const;
  [[nodiscard]] std::vector<int> selectedRows() const;
  [[nodiscard]] bool isCut(const QModelIndex& index) const;
  void putOnClipboard(const std::vector<const Row*>& rows, bool withTitles);
  void fitRowHeight();
  void fitHeight();
  void openCurrent();

  QString m_emptyTitle, m_emptyHint;
  bool m_allRows = false;
};

}  // namespace counterfoil::desktop
