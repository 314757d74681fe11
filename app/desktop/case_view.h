// SPDX-License-Identifier: GPL-3.0-or-later
// One case, or the life of a key that is none: what it is, why, what it costs; its records on a time line,
// as a list, and each with its fields and its text as written.
#pragma once

#include <QPlainTextEdit>
#include <QSplitter>
#include <QVBoxLayout>
#include <QWidget>

#include "app/desktop/labels.h"
#include "app/desktop/table_view.h"
#include "app/desktop/time_line.h"

namespace counterfoil::desktop {

class CaseView final : public QWidget {
  Q_OBJECT

 public:
  explicit CaseView(StoreAccess& store, QWidget* parent = nullptr);

  /// A case id, or any key or id; blank: nothing.
  void showTarget(const QString& target);
  [[nodiscard]] QString target() const { return m_target; }
  [[nodiscard]] TableView* events() const { return m_events; }
  [[nodiscard]] TableView* fields() const { return m_fields; }
  [[nodiscard]] TimeLine* timeLine() const { return m_timeLine; }
  [[nodiscard]] QString title() const { return m_title->text(); }
  [[nodiscard]] QString key() const { return m_key->text(); }
  [[nodiscard]] QString reason() const { return m_reason->text(); }
  [[nodiscard]] QString about() const { return m_about->text(); }
  [[nodiscard]] QString rawText() const { return m_raw->toPlainText(); }
  void setEmptyText(const QString& title, const QString& hint);

 Q_SIGNALS:
  void shownChanged();                         ///< what was asked for is there

 private:
  QWidget* makeHead();
  QWidget* makeRecords();
  void take(const QString& target, const Result<Life>& life);
  void showHead(const Life& life, const StoredUnit* unit);
  void showFailure(const Error& error);
  void showRecord(int event);

  StoreAccess& m_store;
  Ticket m_ticket = 0;
  QString m_target;
  Life m_life;

  MarkLabel* m_mark;
  QLabel* m_title;
  ElidedLabel* m_key;
  QLabel* m_exposure;
  QLabel* m_state;
  QLabel* m_reason;
  QLabel* m_about;
  QWidget* m_head;
  QWidget* m_body;
  TimeLine* m_timeLine;
  TableView* m_events;
  TableView* m_fields;
  QLabel* m_recordTitle;
  QPlainTextEdit* m_raw;
  QLabel* m_emptyTitle;
  QLabel* m_emptyHint;
  RowsModel m_eventModel;
  RowsModel m_fieldModel;
};

/// A page's layout: the list, and below it the case of the row that is chosen. `listHeight` to begin with.
QVBoxLayout* layOutListOverCase(QWidget* page, TableView* list, CaseView* view, int listHeight);

}  // namespace counterfoil::desktop
