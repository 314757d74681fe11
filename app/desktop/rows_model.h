// SPDX-License-Identifier: GPL-3.0-or-later
// Tables of the window. RowsModel holds a short list whole; PagedModel knows the rows of a long one by
// number and fetches a page when it is looked at.
#pragma once

#include <QAbstractTableModel>
#include <functional>
#include <unordered_map>
#include <vector>

#include "app/desktop/cells.h"
#include "app/desktop/store_access.h"

namespace counterfoil::desktop {

/// What painting needs beside Qt's roles.
enum ModelRole : int { ToneRole = Qt::UserRole + 1, MarkedRole, TargetRole, KindRole, WidthRole };

class TableModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  explicit TableModel(std::vector<Column> columns, QObject* parent = nullptr);

  [[nodiscard]] const std::vector<Column>& columns() const { return m_columns; }
  /// A row that is there already; nullptr: not yet.
  [[nodiscard]] virtual const Row* rowAt(int row) const = 0;

  [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const final;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const final;
  [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const final;

 private:
  [[nodiscard]] QVariant cellData(const Row& row, int column, int role) const;
  std::vector<Column> m_columns;
};

class RowsModel final : public TableModel {
  Q_OBJECT

 public:
  using TableModel::TableModel;
  void setRows(std::vector<Row> rows);
  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] const Row* rowAt(int row) const override;

 private:
  std::vector<Row> m_rows;
};

/// How a long list comes out of the store. Both run on the store's thread.
struct ListSource {
  std::function<Result<std::vector<RowId>>(const Store&, const ListFilter&)> ids;
  /// One row for each id, blank ones for what is gone.
  std::function<Result<std::vector<Row>>(const Store&, const std::vector<RowId>&)> rows;
  /// What a column sorts by; for sortable columns.
  std::function<SortBy(int column)> sortOf;
};

class PagedModel final : public TableModel {
  Q_OBJECT

 public:
  PagedModel(std::vector<Column> columns, ListSource source, StoreAccess& store, QObject* parent = nullptr);

  /// Asks the store again. Answers to earlier questions are dropped.
  void setFilter(const ListFilter& filter);
  [[nodiscard]] const ListFilter& filter() const { return m_filter; }
  void clear();
  [[nodiscard]] bool isLoading() const { return m_listTicket != 0; }
  [[nodiscard]] RowId idAt(int row) const;
  [[nodiscard]] int rowOf(RowId id) const;   ///< -1: not in the list
  /// These rows, whether they were looked at or not.
  void fetch(const std::vector<int>& rows, QObject* context,
             std::function<void(const Result<std::vector<Row>>&)> done) const;

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] const Row* rowAt(int row) const override;
  void sort(int column, Qt::SortOrder order) override;

 Q_SIGNALS:
  void listChanged();                      ///< a new list is there
  void failed(const counterfoil::Error& error);

 private:
  static constexpr std::size_t kPageRows = 128;
  static constexpr std::size_t kPagesMost = 48;
  static constexpr std::size_t kPendingMost = 6;   ///< more than a view shows at once: the rest scrolled by
  struct Page {
    std::vector<Row> rows;                 ///< empty: asked for, not there yet
    Ticket ticket = 0;                     ///< while it is not there
    std::uint64_t lastUse = 0;
  };

  void takeList(const Result<std::vector<RowId>>& ids);
  void askForPage(std::size_t page) const;
  void takePage(std::size_t page, std::uint64_t generation, const Result<std::vector<Row>>& rows);
  void dropOldPages() const;
  void dropOldest(bool pendingOnly) const;

  ListSource m_source;
  StoreAccess& m_store;
  ListFilter m_filter;
  std::vector<RowId> m_ids;
  Ticket m_listTicket = 0;
  std::uint64_t m_generation = 0;
  // Looking at a row fetches it: what is held of the list is no part of what the list is.
  mutable std::unordered_map<std::size_t, Page> m_pages;
  mutable std::size_t m_pending = 0;
  mutable std::uint64_t m_uses = 0;
};

}  // namespace counterfoil::desktop
