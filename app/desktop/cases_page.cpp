// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/cases_page.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QVBoxLayout>

#include "app/desktop/lists.h"

namespace counterfoil::desktop {

namespace {

constexpr int kTypingPauseMs = 200;

QString fromView(std::string_view text) { return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())); }

std::vector<ChoiceButton::Choice> classChoices() {
  std::vector<ChoiceButton::Choice> choices;
  for (std::size_t i = 0; i < kClassCount; ++i) {
    const auto value = static_cast<Class>(i);
    if (groupOf(value) == ClassGroup::Closed) continue;
    choices.push_back({fromView(codeOf(value)), fromView(counterfoil::labelOf(value, true))});
  }
  return choices;
}

std::vector<ChoiceButton::Choice> severityChoices() {
  std::vector<ChoiceButton::Choice> choices;
  for (const Severity value : {Severity::Critical, Severity::High, Severity::Medium, Severity::Low}) {
    choices.push_back({fromView(codeOf(value)), capitalised(wordsOf(codeOf(value)))});
  }
  return choices;
}

std::vector<ChoiceButton::Choice> stateChoices() {
  std::vector<ChoiceButton::Choice> choices;
  for (std::size_t i = 0; i < kReviewStateCount; ++i) {
    const auto value = static_cast<ReviewState>(i);
    choices.push_back({fromView(codeOf(value)), capitalised(wordsOf(codeOf(value)))});
  }
  return choices;
}

template <class Value, class Parse>
std::set<Value> valuesOf(const QSet<QString>& codes, Parse parse) {
  std::set<Value> values;
  for (const QString& code : codes) {
    if (const auto value = parse(code.toStdString())) values.insert(*value);
  }
  return values;
}

}  // namespace

CasesPage::CasesPage(StoreAccess& store, QWidget* parent) : QWidget(parent) {
  m_model = new PagedModel(caseColumns(), caseSource(), store, this);
  m_table = new TableView(tr("Cases"), this);
  m_table->showModel(m_model);
  m_case = new CaseView(store, this);
  m_case->setEmptyText(tr("No case chosen"), tr("Choose a case above: its records stand here on one time line."));
  auto* layout = layOutListOverCase(this, m_table, m_case, 260);
  layout->insertWidget(0, makeFilters());
  m_typing.setSingleShot(true);
  m_typing.setInterval(kTypingPauseMs);
  connect(&m_typing, &QTimer::timeout, this, &CasesPage::applyFilter);
  connect(m_model, &PagedModel::listChanged, this, &CasesPage::takeList);
  connect(m_table, &TableView::opened, this, &CasesPage::opened);
  connect(m_table, &TableView::selected, this, [this](const QString& target) {
    if (target != m_case->target()) m_case->showTarget(target);
  });
}

QWidget* CasesPage::makeFilters() {
  auto* bar = new QWidget(this);
  m_text = new QLineEdit(bar);
  m_text->setPlaceholderText(tr("Filter by key, order or reason"));
  m_text->setAccessibleName(tr("Filter by text"));
  m_text->setClearButtonEnabled(true);
  m_text->setMaxLength(512);
  m_text->setMinimumWidth(220);
  m_class = new ChoiceButton(tr("Class"), classChoices(), bar);
  m_severity = new ChoiceButton(tr("Severity"), severityChoices(), bar);
  m_state = new ChoiceButton(tr("State"), stateChoices(), bar);
  m_closed = new ChoiceButton(tr("Also"), {{QStringLiteral("notable"), tr("closed, but notable")}}, bar);
  m_clear = new QPushButton(tr("Clear filters"), bar);
  m_clear->setProperty("link", true);
  m_clear->setCursor(Qt::PointingHandCursor);
  m_count = dimLabel({}, bar);
  m_count->setWordWrap(false);
  auto* layout = new QHBoxLayout(bar);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(8);
  layout->addWidget(m_text, 2);
  for (QWidget* widget : std::initializer_list<QWidget*>{m_class, m_severity, m_state, m_closed, m_clear}) layout->addWidget(widget);
  layout->addStretch(1);
  layout->addWidget(m_count);
  for (const ChoiceButton* button : {m_class, m_severity, m_state, m_closed}) {
    connect(button, &ChoiceButton::changed, this, &CasesPage::applyFilter);
  }
  connect(m_text, &QLineEdit::textChanged, &m_typing, qOverload<>(&QTimer::start));
  connect(m_text, &QLineEdit::returnPressed, this, [this] {
    applyFilter();
    m_table->setFocus();
  });
  connect(m_clear, &QPushButton::clicked, this, &CasesPage::clearFilters);
  return bar;
}

ListFilter CasesPage::filter() const {
  ListFilter filter;
  filter.text = m_text->text().trimmed().toStdString();
  filter.classes = valuesOf<Class>(m_class->chosen(), classFromCode);
  filter.severities = valuesOf<Severity>(m_severity->chosen(), severityFromCode);
  filter.states = valuesOf<ReviewState>(m_state->chosen(), reviewStateFromCode);
  filter.detail = m_closed->chosen().isEmpty() ? Detail::BreaksAndOpen : Detail::Notable;
  filter.sort = m_model->filter().sort;
  filter.descending = m_model->filter().descending;
  return filter;
}

bool CasesPage::isFiltered() const {
  const ListFilter now = m_model->filter();
  return !now.text.empty() || !now.classes.empty() || !now.severities.empty() || !now.states.empty() ||
         now.detail != Detail::BreaksAndOpen;
}

void CasesPage::applyFilter() {
  m_typing.stop();
  if (m_table->currentIndex().isValid()) m_kept = m_model->idAt(m_table->currentIndex().row());
  m_model->setFilter(filter());
}

void CasesPage::reload() {
  m_all = -1;
  applyFilter();
}

void CasesPage::showClass(const QString& code) {
  m_text->clear();
  m_severity->setChosen({});
  m_state->setChosen({});
  const auto value = classFromCode(code.toStdString());
  const bool closed = value && groupOf(*value) == ClassGroup::Closed;
  m_class->setChosen(closed ? QSet<QString>() : QSet<QString>{code});
  m_closed->setChosen(closed ? QSet<QString>{QStringLiteral("notable")} : QSet<QString>());
  applyFilter();
}

void CasesPage::clearFilters() {
  m_text->clear();
  for (ChoiceButton* button : {m_class, m_severity, m_state, m_closed}) button->setChosen({});
  applyFilter();
}

void CasesPage::takeList() {
  const int rows = m_model->rowCount();
  const bool filtered = isFiltered();
  if (!filtered) m_all = rows;
  m_count->setText(filtered && m_all >= 0 && m_all >= rows ? tr("%1 of %2 cases").arg(rows).arg(m_all)
                                                           : rows == 1 ? tr("1 case") : tr("%1 cases").arg(number(static_cast<std::uint64_t>(rows))));
  m_clear->setVisible(filtered);
  if (filtered) m_table->setEmptyText(tr("No case matches these filters"), tr("Clear the filters to see all of them."));
  else m_table->setEmptyText(tr("Nothing stands open"), tr("Both sides agree on everything that could be judged. The summary says what was covered."));
  const int row = m_kept >= 0 ? m_model->rowOf(m_kept) : -1;
  if (rows > 0) m_table->selectRow(std::max(row, 0));
  else m_case->showTarget({});
  Q_EMIT listChanged();
}

void CasesPage::step(int rows) {
  const int row = m_table->currentIndex().row() + rows;
  m_table->selectRow(std::clamp(row, 0, std::max(m_model->rowCount() - 1, 0)));
}

void CasesPage::focusFilter() {
  m_text->setFocus(Qt::ShortcutFocusReason);
  m_text->selectAll();
}

}  // namespace counterfoil::desktop
