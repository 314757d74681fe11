// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/rows_model.h"

#include <algorithm>

namespace counterfoil::desktop {

TableModel::TableModel(std::vector<Column> columns, QObject* parent)
    : QAbstractTableModel(parent), m_columns(std::move(columns)) {}

int TableModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_columns.size());
}

QVariant TableModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) return {};
  const Column& column = m_columns[static_cast<std::size_t>(index.column())];
  if (role == KindRole) return static_cast<int>(column.kind);
  if (role == Qt::TextAlignmentRole) {
    const Qt::Alignment side = column.kind == Column::Kind::Number ? Qt::AlignRight : Qt::AlignLeft;
    return static_cast<int>(side | Qt::AlignVCenter);
  }
  const Row* row = rowAt(index.row());
  if (row == nullptr) return role == Qt::DisplayRole && index.column() == 0 ? QVariant(QStringLiteral("…")) : QVariant();
  return cellData(*row, index.column(), role);
}

QVariant TableModel::cellData(const Row& row, int column, int role) const {
  if (role == TargetRole) return row.target;
  if (static_cast<std::size_t>(column) >= row.cells.size()) return {};
  const Cell& cell = row.cells[static_cast<std::size_t>(column)];
  switch (role) {
    case Qt::DisplayRole:
    case Qt::AccessibleTextRole: return cell.text;
    case Qt::ToolTipRole: return tipOf(cell.text);
    case ToneRole: return static_cast<int>(cell.tone);
    case MarkedRole: return cell.marked;
    default: return {};
  }
}

QVariant TableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) return {};
  const Column& column = m_columns[static_cast<std::size_t>(section)];
  if (role == Qt::DisplayRole) return column.title;
  if (role == WidthRole) return column.width;
  if (role != Qt::TextAlignmentRole) return {};
  const Qt::Alignment side = column.kind == Column::Kind::Number ? Qt::AlignRight : Qt::AlignLeft;
  return static_cast<int>(side | Qt::AlignVCenter);
}

void RowsModel::setRows(std::vector<Row> rows) {
  beginResetModel();
  m_rows = std::move(rows);
  endResetModel();
}

int RowsModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

const Row* RowsModel::rowAt(int row) const {
  return row >= 0 && row < rowCount() ? &m_rows[static_cast<std::size_t>(row)] : nullptr;
}

PagedModel::PagedModel(std::vector<Column> columns, ListSource source, StoreAccess& store, QObject* parent)
    : TableModel(std::move(columns), parent), m_source(std::move(source)), m_store(store) {}

void PagedModel::setFilter(const ListFilter& filter) {
  m_filter = filter;
  m_store.takeBack(m_listTicket);
  m_listTicket = m_store.ask<std::vector<RowId>>(
      this, [ids = m_source.ids, filter](const Store& store) { return ids(store, filter); },
      [this](const Result<std::vector<RowId>>& ids) { takeList(ids); });
}

void PagedModel::clear() {
  m_store.takeBack(m_listTicket);
  takeList(std::vector<RowId>());
}

void PagedModel::takeList(const Result<std::vector<RowId>>& ids) {
  m_listTicket = 0;
  beginResetModel();
  ++m_generation;
  for (const auto& [number, page] : m_pages) m_store.takeBack(page.ticket);
  m_pages.clear();
  m_pending = 0;
  m_ids = ids ? *ids : std::vector<RowId>();
  endResetModel();
  Q_EMIT listChanged();
  if (!ids) Q_EMIT failed(ids.error());
}

RowId PagedModel::idAt(int row) const {
  return row >= 0 && static_cast<std::size_t>(row) < m_ids.size() ? m_ids[static_cast<std::size_t>(row)] : -1;
}

int PagedModel::rowOf(RowId id) const {
  const auto at = std::find(m_ids.begin(), m_ids.end(), id);
  return at == m_ids.end() ? -1 : static_cast<int>(at - m_ids.begin());
}

int PagedModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_ids.size());
}

const Row* PagedModel::rowAt(int row) const {
  if (row < 0 || static_cast<std::size_t>(row) >= m_ids.size()) return nullptr;
  const std::size_t page = static_cast<std::size_t>(row) / kPageRows;
  const auto at = m_pages.find(page);
  if (at == m_pages.end()) {
    askForPage(page);
    return nullptr;
  }
  at->second.lastUse = ++m_uses;
  const std::size_t within = static_cast<std::size_t>(row) % kPageRows;
  return within < at->second.rows.size() ? &at->second.rows[within] : nullptr;
}

void PagedModel::askForPage(std::size_t page) const {
  dropOldPages();
  const auto begin = m_ids.begin() + static_cast<std::ptrdiff_t>(page * kPageRows);
  const auto end = m_ids.end() - begin > static_cast<std::ptrdiff_t>(kPageRows)
                       ? begin + static_cast<std::ptrdiff_t>(kPageRows) : m_ids.end();
  auto* self = const_cast<PagedModel*>(this);
  ++m_pending;
  Page& added = m_pages[page];
  added.lastUse = ++m_uses;
  added.ticket = m_store.ask<std::vector<Row>>(
      self, [rows = m_source.rows, ids = std::vector<RowId>(begin, end)](const Store& store) { return rows(store, ids); },
      [self, page, generation = m_generation](const Result<std::vector<Row>>& rows) {
        self->takePage(page, generation, rows);
      });
}

void PagedModel::takePage(std::size_t page, std::uint64_t generation, const Result<std::vector<Row>>& rows) {
  const auto at = m_pages.find(page);
  if (generation != m_generation || at == m_pages.end()) return;
  at->second.ticket = 0;
  --m_pending;
  if (!rows) {
    Q_EMIT failed(rows.error());
    return;
  }
  at->second.rows = *rows;
  const int first = static_cast<int>(page * kPageRows);
  const int last = std::min(first + static_cast<int>(kPageRows), rowCount()) - 1;
  Q_EMIT dataChanged(index(first, 0), index(last, columnCount() - 1));
}

void PagedModel::dropOldPages() const {
  while (m_pages.size() >= kPagesMost) dropOldest(false);
  while (m_pending >= kPendingMost) dropOldest(true);
}

void PagedModel::dropOldest(bool pendingOnly) const {
  auto oldest = m_pages.end();
  for (auto at = m_pages.begin(); at != m_pages.end(); ++at) {
    if (pendingOnly && at->second.ticket == 0) continue;
    if (oldest == m_pages.end() || at->second.lastUse < oldest->second.lastUse) oldest = at;
  }
  if (oldest == m_pages.end()) return;
  if (oldest->second.ticket != 0) {
    m_store.takeBack(oldest->second.ticket);
    --m_pending;
  }
  m_pages.erase(oldest);
}

void PagedModel::fetch(const std::vector<int>& rows, QObject* context,
                       std::function<void(const Result<std::vector<Row>>&)> done) const {
  std::vector<RowId> ids;
  for (const int row : rows) ids.push_back(idAt(row));
  m_store.ask<std::vector<Row>>(
      context, [fetch = m_source.rows, ids = std::move(ids)](const Store& store) { return fetch(store, ids); },
      std::move(done));
}

void PagedModel::sort(int column, Qt::SortOrder order) {
  ListFilter filter = m_filter;
  const bool known = column >= 0 && column < columnCount() && columns()[static_cast<std::size_t>(column)].sortable;
  filter.sort = known && m_source.sortOf ? m_source.sortOf(column) : SortBy::Default;
  filter.descending = filter.sort != SortBy::Default && order == Qt::DescendingOrder;
  if (filter.sort == m_filter.sort && filter.descending == m_filter.descending) return;
  setFilter(filter);
}

}  // namespace counterfoil::desktop
