// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/table_view.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QFontDatabase>
#include <QHeaderView>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>
#include <QScrollBar>
#include <QStyledItemDelegate>
#include <QToolTip>
#include <set>

#include "app/desktop/marks.h"
#include "app/desktop/theme.h"

namespace counterfoil::desktop {

namespace {

constexpr int kPadding = 8;
constexpr std::size_t kCopiedRowsMost = 10'000;

Column::Kind kindOf(const QModelIndex& index) {
  return static_cast<Column::Kind>(index.data(KindRole).toInt());
}

Tone toneOf(const QModelIndex& index) { return static_cast<Tone>(index.data(ToneRole).toInt()); }

QFont fontFor(const QModelIndex& index, QFont font) {
  if (toneOf(index) == Tone::Critical && index.data(MarkedRole).toBool()) font.setWeight(QFont::DemiBold);
  return font;
}

class CellDelegate final : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    const bool chosen = option.state.testFlag(QStyle::State_Selected);
    if (chosen) painter->fillRect(option.rect, option.palette.color(QPalette::Highlight));
    QColor line = borderOf(option.palette);
    line.setAlphaF(0.6F);
    painter->setPen(line);
    painter->drawLine(option.rect.bottomLeft(), option.rect.bottomRight());
    QRect room = option.rect.adjusted(kPadding, 0, -kPadding, 0);
    const Tone tone = toneOf(index);
    if (index.data(MarkedRole).toBool()) {
      const int side = option.fontMetrics.height() * 2 / 3;
      const bool right = kindOf(index) == Column::Kind::Number;   // there the mark stands before the digits
      const int taken = right ? option.fontMetrics.horizontalAdvance(index.data().toString()) + side + kPadding : room.width();
      const int left = std::max(room.right() - taken, room.left());
      paintMark(*painter, QRectF(left, room.center().y() - side / 2.0 + 1, side, side), tone, option.palette);
      room.setLeft(left + side + kPadding - 2);
    }
    painter->setFont(fontFor(index, option.font));
    painter->setPen(colourOf(tone, option.palette));
    const auto mode = kindOf(index) == Column::Kind::Key ? Qt::ElideMiddle : Qt::ElideRight;
    const QString text = painter->fontMetrics().elidedText(index.data().toString(), mode, room.width());
    painter->drawText(room, index.data(Qt::TextAlignmentRole).toInt() | Qt::TextSingleLine, text);
    const auto* view = qobject_cast<const QTableView*>(option.widget);
    if (view != nullptr && view->hasFocus() && view->currentIndex().row() == index.row() && index.column() == 0) {
      painter->fillRect(QRect(option.rect.left(), option.rect.top(), 3, option.rect.height()), accentOf(option.palette));
    }
  }
};

}  // namespace

TableView::TableView(const QString& name, QWidget* parent) : QTableView(parent) {
  setAccessibleName(name);
  setShowGrid(false);
  setWordWrap(false);
  setItemDelegate(new CellDelegate(this));
  setSelectionBehavior(SelectRows);
  setSelectionMode(ExtendedSelection);
  setEditTriggers(NoEditTriggers);
  setHorizontalScrollMode(ScrollPerPixel);
  setTabKeyNavigation(false);
  verticalHeader()->hide();
  horizontalHeader()->setHighlightSections(false);
  horizontalHeader()->setStretchLastSection(true);
  horizontalHeader()->setMinimumSectionSize(48);
  connect(this, &QTableView::doubleClicked, this, [this] { openCurrent(); });
  fitRowHeight();
}

TableModel* TableView::table() const { return qobject_cast<TableModel*>(model()); }

void TableView::showModel(TableModel* model) {
  setModel(model);
  const double scale = fontMetrics().horizontalAdvance(QLatin1Char('0')) / 7.0;
  bool sortable = false;
  const int stretched = model->columnCount() - 1;
  for (int column = 0; column <= stretched; ++column) {
    const int wanted = static_cast<int>(model->headerData(column, Qt::Horizontal, WidthRole).toInt() * scale);
    setColumnWidth(column, column < stretched ? wanted : 0);   // the last one takes what is left
    sortable = sortable || model->columns()[static_cast<std::size_t>(column)].sortable;
  }
  if (sortable) {
    horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
    horizontalHeader()->setSortIndicatorClearable(true);
    setSortingEnabled(true);
  }
  connect(model, &QAbstractItemModel::dataChanged, this, [this](const QModelIndex& first, const QModelIndex& last) {
    const int row = currentIndex().row();
    if (row >= first.row() && row <= last.row()) Q_EMIT selected(currentTarget());
  });
  connect(model, &QAbstractItemModel::modelReset, this, [this] { fitHeight(); });
}

void TableView::setEmptyText(const QString& title, const QString& hint) {
  m_emptyTitle = title;
  m_emptyHint = hint;
  viewport()->update();
}

void TableView::showAllRows() {
  m_allRows = true;
  setProperty("flat", true);
  setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  fitHeight();
}

void TableView::fitRowHeight() {
  verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 11);
  verticalHeader()->setMinimumSectionSize(fontMetrics().height() + 4);
}

void TableView::fitHeight() {
  if (!m_allRows || model() == nullptr) return;
  const int rows = std::max(model()->rowCount(), 1);
  setFixedHeight(horizontalHeader()->sizeHint().height() + rows * verticalHeader()->defaultSectionSize() + 2);
}

void TableView::changeEvent(QEvent* event) {
  QTableView::changeEvent(event);
  if (event->type() != QEvent::FontChange && event->type() != QEvent::StyleChange) return;
  fitRowHeight();
  fitHeight();
}

QString TableView::currentTarget() const { return currentIndex().data(TargetRole).toString(); }

void TableView::currentChanged(const QModelIndex& current, const QModelIndex& previous) {
  QTableView::currentChanged(current, previous);
  if (current.row() != previous.row() || !previous.isValid()) Q_EMIT selected(currentTarget());
}

void TableView::selectRow(int row) {
  if (model() == nullptr || row < 0 || row >= model()->rowCount()) return;
  setCurrentIndex(model()->index(row, 0));
  scrollTo(currentIndex());
}

void TableView::openCurrent() {
  if (const QString target = currentTarget(); !target.isEmpty()) Q_EMIT opened(target);
}

void TableView::keyPressEvent(QKeyEvent* event) {
  const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
  if (event->matches(QKeySequence::Copy)) {
    copyRows(false);
  } else if (event->key() == Qt::Key_C && event->modifiers() == (Qt::ControlModifier | Qt::ShiftModifier)) {
    copyRows(true);
  } else if (enter && event->modifiers() == Qt::NoModifier && currentIndex().isValid()) {
    openCurrent();
  } else {
    QTableView::keyPressEvent(event);
  }
}

void TableView::contextMenuEvent(QContextMenuEvent* event) {
  if (!currentIndex().isValid()) return;
  QMenu menu(this);
  const QAction* open = currentTarget().isEmpty() ? nullptr : menu.addAction(tr("Open"));
  const QAction* cell = menu.addAction(tr("Copy this cell"));
  const QAction* rows = menu.addAction(tr("Copy rows"));
  const QAction* titled = menu.addAction(tr("Copy rows with column titles"));
  const QAction* chosen = menu.exec(event->globalPos());
  if (chosen == nullptr) return;
  if (chosen == open) openCurrent();
  if (chosen == cell) QGuiApplication::clipboard()->setText(currentIndex().data().toString());
  if (chosen == rows || chosen == titled) copyRows(chosen == titled);
}

std::vector<int> TableView::selectedRows() const {
  std::set<int> rows;
  for (const QItemSelectionRange& range : selectionModel()->selection()) {
    for (int row = range.top(); row <= range.bottom() && rows.size() < kCopiedRowsMost; ++row) rows.insert(row);
  }
  return {rows.begin(), rows.end()};
}

void TableView::copyRows(bool withTitles) {
  if (table() == nullptr || selectionModel() == nullptr) return;
  const std::vector<int> numbers = selectedRows();
  std::vector<const Row*> rows;
  for (const int number : numbers) {
    if (const Row* row = table()->rowAt(number)) rows.push_back(row);
  }
  auto* paged = qobject_cast<PagedModel*>(model());
  if (rows.size() == numbers.size() || paged == nullptr) {
    putOnClipboard(rows, withTitles);
    return;
  }
  paged->fetch(numbers, this, [this, withTitles](const Result<std::vector<Row>>& fetched) {
    if (!fetched) return;
    std::vector<const Row*> all;
    for (const Row& row : *fetched) all.push_back(&row);
    putOnClipboard(all, withTitles);
  });
}

void TableView::putOnClipboard(const std::vector<const Row*>& rows, bool withTitles) {
  if (rows.empty()) return;
  QStringList lines;
  QStringList titles;
  for (const Column& column : table()->columns()) titles += column.title;
  if (withTitles) lines += titles.join(QLatin1Char('\t'));
  for (const Row* row : rows) {
    QStringList texts;
    for (const Cell& cell : row->cells) texts += cell.text;   // tabs and line feeds are escapes in them
    lines += texts.join(QLatin1Char('\t'));
  }
  QGuiApplication::clipboard()->setText(lines.join(QLatin1Char('\n')));
  Q_EMIT copied(static_cast<int>(rows.size()));
}

bool TableView::isCut(const QModelIndex& index) const {
  const QFont font = fontFor(index, this->font());
  return QFontMetrics(font).horizontalAdvance(index.data().toString()) + 2 * kPadding + 20 > columnWidth(index.column());
}

bool TableView::viewportEvent(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    const QModelIndex index = indexAt(static_cast<QHelpEvent*>(event)->pos());
    if (!index.isValid() || !isCut(index)) {
      QToolTip::hideText();
      return true;
    }
  }
  return QTableView::viewportEvent(event);
}

void TableView::paintEvent(QPaintEvent* event) {
  QTableView::paintEvent(event);
  if (model() == nullptr || model()->rowCount() > 0 || m_emptyTitle.isEmpty()) return;
  QPainter painter(viewport());
  const QRect room = viewport()->rect().adjusted(24, 0, -24, 0);
  QFont bold = font();
  bold.setWeight(QFont::DemiBold);
  const int line = fontMetrics().height();
  painter.setFont(bold);
  painter.setPen(palette().color(QPalette::Text));
  const int middle = m_emptyHint.isEmpty() ? room.center().y() + line / 2 : room.center().y();
  painter.drawText(QRect(room.left(), middle - line * 2, room.width(), line * 2),
                   Qt::AlignHCenter | Qt::AlignBottom | Qt::TextSingleLine, m_emptyTitle);
  painter.setFont(font());
  painter.setPen(dimOf(palette()));
  painter.drawText(QRect(room.left(), middle + 4, room.width(), line * 3), Qt::AlignHCenter | Qt::TextWordWrap, m_emptyHint);
}

}  // namespace counterfoil::desktop
