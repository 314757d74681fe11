// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/case_view.h"

#include <QHBoxLayout>
#include <QScrollArea>
#include <QVBoxLayout>

#include "app/desktop/lists.h"
#include "app/desktop/theme.h"

namespace counterfoil::desktop {

namespace {

std::vector<Column> fieldColumns() {
  return {{CaseView::tr("Field"), Column::Kind::Word, 100}, {CaseView::tr("Value"), Column::Kind::Key, 160}};
}

/// The case that was asked for; a key may have several: then the worst.
const StoredUnit* chosenUnit(const Life& life, const QString& target) {
  const StoredUnit* worst = nullptr;
  for (const StoredUnit& unit : life.units) {
    if (QString::fromStdString(unit.unit.id) == target) return &unit;
    if (worst == nullptr || unit.unit.severity > worst->unit.severity) worst = &unit;
  }
  return worst;
}

template <class Codes>
void addCodes(const Codes& codes, QStringList& parts) {
  for (const auto code : codes) parts += wordsOf(codeOf(code));
}

/// Everything else that is known of the case, in one line.
QString aboutOf(const StoredUnit& stored) {
  const Unit& unit = stored.unit;
  QStringList parts;
  if (unit.why != Why::None) parts += wordsOf(codeOf(unit.why));
  addCodes(unit.hints, parts);
  addCodes(unit.flags, parts);
  if (!unit.operationName.empty()) parts += CaseView::tr("operation %1").arg(shown(unit.operationName));
  if (!unit.opRef.empty()) parts += CaseView::tr("order %1").arg(shown(unit.opRef));
  if (!unit.scope.empty()) parts += CaseView::tr("scope %1").arg(shown(unit.scope));
  if (unit.keys.size() > 1) parts += CaseView::tr("%1 keys").arg(unit.keys.size());
  if (unit.firstSeen) parts += CaseView::tr("%1 old").arg(shown(formatAge(stored.asOf - *unit.firstSeen)));
  parts += stored.firstRun == stored.lastRun ? CaseView::tr("run %1").arg(stored.lastRun)
                                             : CaseView::tr("runs %1 to %2").arg(stored.firstRun).arg(stored.lastRun);
  QStringList candidates;
  for (const std::string& candidate : unit.candidates) candidates += shown(candidate);
  if (unit.moreCandidates > 0) candidates += CaseView::tr("%1 more").arg(unit.moreCandidates);
  if (!candidates.isEmpty()) parts += CaseView::tr("perhaps the same as %1").arg(candidates.join(QStringLiteral(", ")));
  return parts.join(QStringLiteral("  ·  "));
}

QString stateOf(const StoredUnit& unit) {
  QString state = capitalised(wordsOf(codeOf(unit.state)));
  const bool untouched = unit.state == ReviewState::Open && groupOf(unit.unit.unitClass) == ClassGroup::Closed;
  if (untouched) state = CaseView::tr("Closed");
  if (!unit.assignee.empty()) state += QStringLiteral(" · ") + shown(unit.assignee);
  return state;
}

}  // namespace

CaseView::CaseView(StoreAccess& store, QWidget* parent)
    : QWidget(parent), m_store(store), m_eventModel(eventColumns()), m_fieldModel(fieldColumns()) {
  m_emptyTitle = textLabel({}, this);
  m_emptyHint = dimLabel({}, this);
  for (QLabel* label : {m_emptyTitle, m_emptyHint}) label->setAlignment(Qt::AlignHCenter);
  setLetters(m_emptyTitle, 1.0, true);
  m_head = makeHead();
  m_timeLine = new TimeLine(this);
  m_body = makeRecords();
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(8);
  layout->addWidget(m_head);
  layout->addWidget(m_body, 1);
  layout->addWidget(m_emptyTitle);
  layout->addWidget(m_emptyHint);
  connect(m_timeLine, &TimeLine::chosen, m_events, &TableView::selectRow);
  connect(m_events->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          [this](const QModelIndex& index) { showRecord(index.row()); });
  showTarget({});
}

QWidget* CaseView::makeHead() {
  auto* head = new QWidget(this);
  m_mark = new MarkLabel(head);
  m_title = textLabel({}, head);
  m_title->setWordWrap(false);
  setLetters(m_title, 1.25, true);
  m_key = new ElidedLabel(head);
  m_key->setFont(monospaced(font()));
  m_exposure = textLabel({}, head);
  m_exposure->setWordWrap(false);
  setLetters(m_exposure, 1.25, true);
  m_state = dimLabel({}, head);
  m_state->setWordWrap(false);
  m_state->setProperty("chip", true);
  m_reason = textLabel({}, head);
  m_about = dimLabel({}, head);
  setLetters(m_about, 0.92, false);
  auto* top = new QHBoxLayout;
  top->setSpacing(10);
  top->addWidget(m_mark);
  top->addWidget(m_title);
  top->addWidget(m_key, 1);
  top->addWidget(m_exposure);
  top->addWidget(m_state);
  auto* layout = new QVBoxLayout(head);
  layout->setContentsMargins(2, 0, 2, 0);
  layout->setSpacing(3);
  layout->addLayout(top);
  layout->addWidget(m_reason);
  layout->addWidget(m_about);
  return head;
}

QWidget* CaseView::makeRecords() {
  m_events = new TableView(tr("Events"), this);
  m_events->showModel(&m_eventModel);
  m_events->setSelectionMode(QAbstractItemView::ExtendedSelection);
  m_fields = new TableView(tr("Fields of the record"), this);
  m_fields->showModel(&m_fieldModel);
  m_fields->setEmptyText(tr("No record chosen"), tr("Choose an event; its fields stand here."));
  m_recordTitle = dimLabel({}, this);
  m_raw = new QPlainTextEdit(this);
  m_raw->setReadOnly(true);
  m_raw->setFont(monospaced(font()));
  m_raw->setAccessibleName(tr("The record as written"));
  m_raw->setMaximumHeight(fontMetrics().height() * 4 + 16);
  m_raw->setTabChangesFocus(true);

  auto* card = new QFrame(this);
  card->setObjectName(QStringLiteral("card"));
  auto* lanes = new QVBoxLayout(card);
  lanes->setContentsMargins(1, 1, 1, 1);
  lanes->addWidget(m_timeLine);
  auto* left = new QWidget(this);
  auto* leftLayout = new QVBoxLayout(left);
  leftLayout->setContentsMargins(0, 0, 0, 0);
  leftLayout->addWidget(card);
  leftLayout->addWidget(m_events, 1);
  auto* right = new QWidget(this);
  auto* rightLayout = new QVBoxLayout(right);
  rightLayout->setContentsMargins(0, 0, 0, 0);
  rightLayout->addWidget(m_fields, 1);
  rightLayout->addWidget(m_recordTitle);
  rightLayout->addWidget(m_raw);
  auto* split = new QSplitter(Qt::Horizontal, this);
  split->addWidget(left);
  split->addWidget(right);
  split->setSizes({700, 310});
  split->setStretchFactor(0, 7);
  split->setStretchFactor(1, 3);
  split->setChildrenCollapsible(false);
  split->setHandleWidth(8);
  return split;
}

void CaseView::setEmptyText(const QString& title, const QString& hint) {
  m_emptyTitle->setText(title);
  m_emptyHint->setText(hint);
}

void CaseView::showTarget(const QString& target) {
  m_store.takeBack(m_ticket);
  m_ticket = 0;
  m_target = target;
  if (target.isEmpty()) {
    take(target, Life());
    return;
  }
  m_ticket = m_store.ask<Life>(
      this, [text = target.toStdString()](const Store& store) { return lifeOf(store, text); },
      [this, target](const Result<Life>& life) { take(target, life); });
}

void CaseView::take(const QString& target, const Result<Life>& life) {
  m_ticket = 0;
  m_life = life ? *life : Life();
  const bool there = life && !target.isEmpty();
  m_head->setVisible(there);
  m_body->setVisible(there);
  m_emptyTitle->setVisible(!there);
  m_emptyHint->setVisible(!there);
  const StoredUnit* unit = chosenUnit(m_life, target);
  m_timeLine->setLife(m_life, unit ? toneOf(unit->unit.severity) : Tone::Plain);
  m_eventModel.setRows(eventRows(m_life));
  showRecord(-1);
  if (there) {
    showHead(m_life, unit);
    if (!m_life.events.empty()) m_events->selectRow(0);
  } else if (!life) {
    showFailure(life.error());
  }
  Q_EMIT shownChanged();
}

void CaseView::showHead(const Life& life, const StoredUnit* unit) {
  if (unit == nullptr) {   // found, and nothing to say about it: a plain match is only counted
    m_mark->setTone(Tone::Good);
    m_title->setText(tr("Agrees"));
    m_key->setText(shown(life.events.empty() ? std::string() : life.events.front().key));
    m_exposure->clear();
    m_state->setText(tr("Closed"));
    m_reason->setText(tr("These records are in no case: both sides say the same, or they belong to no operation."));
    m_about->clear();
    return;
  }
  m_mark->setTone(toneOf(unit->unit.severity));
  m_title->setText(labelOf(*unit));
  m_key->setText(shown(unit->unit.key.empty() ? unit->unit.opRef : unit->unit.key));
  m_exposure->setText(moneyText(unit->unit.exposure));
  m_state->setText(stateOf(*unit));
  m_reason->setText(shown(unit->unit.reason));
  QString about = aboutOf(*unit);
  if (life.units.size() > 1) about += tr("  ·  %1 cases carry this key").arg(life.units.size());
  m_about->setText(about);
}

void CaseView::showFailure(const Error& error) {
  const bool missing = error.code == ErrorCode::Missing;
  m_emptyTitle->setText(missing ? tr("Nothing found") : tr("This cannot be shown"));
  m_emptyHint->setText(missing ? tr("Nothing in the store carries “%1”. Whole keys and ids are found: of jobs, messages, "
                                    "orders, effects and cases.").arg(shown(m_target.toStdString()))
                               : shown(error.message));
}

void CaseView::showRecord(int event) {
  m_timeLine->choose(event);
  std::vector<Row> rows;
  QString title;
  QString raw;
  if (event >= 0 && static_cast<std::size_t>(event) < m_life.events.size()) {
    const LifeEvent& chosen = m_life.events[static_cast<std::size_t>(event)];
    for (const auto& [name, value] : chosen.fields) {
      rows.push_back({{{wordsOf(name), Tone::Dim}, {shown(value)}}, {}});
    }
    if (chosen.fields.empty()) rows.push_back({{{laneWords(chosen.lane), Tone::Dim}, {shown(chosen.detail)}}, {}});
    raw = shownLines(chosen.raw);
    title = raw.isEmpty() ? tr("The text as written is kept for cases only; source: %1").arg(shown(chosen.source))
                          : tr("As written in %1").arg(shown(chosen.place.empty() ? chosen.source : chosen.place));
    if (chosen.source.empty()) title.clear();
  }
  m_fieldModel.setRows(std::move(rows));
  m_recordTitle->setText(title);
  m_recordTitle->setVisible(!title.isEmpty());
  m_raw->setPlainText(raw);
  m_raw->setVisible(!raw.isEmpty());
}

QVBoxLayout* layOutListOverCase(QWidget* page, TableView* list, CaseView* view, int listHeight) {
  constexpr int kCaseHeight = 400;
  auto* split = new QSplitter(Qt::Vertical, page);
  split->addWidget(list);
  split->addWidget(view);
  split->setStretchFactor(0, 2);
  split->setStretchFactor(1, 3);
  split->setSizes({listHeight, kCaseHeight});
  split->setHandleWidth(12);
  split->setChildrenCollapsible(false);
  auto* layout = new QVBoxLayout(page);
  layout->setContentsMargins(20, 14, 20, 14);
  layout->setSpacing(10);
  layout->addWidget(split, 1);
  return layout;
}

}  // namespace counterfoil::desktop
