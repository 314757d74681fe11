// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/list_pages.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QVBoxLayout>

#include "app/desktop/lists.h"
#include "app/store_lists.h"
#include "reports/text/run_words.h"

namespace counterfoil::desktop {

namespace {

QString fromView(std::string_view text) { return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())); }

template <class Verdict, class Words>
std::vector<ChoiceButton::Choice> verdictChoices(Verdict last, Words words) {
  std::vector<ChoiceButton::Choice> choices;
  for (std::uint8_t i = 0; i <= static_cast<std::uint8_t>(last); ++i) {
    const auto verdict = static_cast<Verdict>(i);
    choices.push_back({fromView(codeOf(verdict)), capitalised(fromView(words(verdict)))});
  }
  return choices;
}

template <class Counts, class Words>
QString countedVerdicts(const Counts& counts, Words words) {
  QStringList parts;
  for (const auto& [verdict, count] : counts) {
    if (count > 0) parts += number(count) + QLatin1Char(' ') + fromView(words(verdict));
  }
  return parts.join(QStringLiteral("  ·  "));
}

}  // namespace

ListPage::ListPage(const QString& name, std::vector<Column> columns, ListSource source,
                   const std::vector<ChoiceButton::Choice>& codes, StoreAccess& store, QWidget* parent)
    : QWidget(parent) {
  m_model = new PagedModel(std::move(columns), std::move(source), store, this);
  m_table = new TableView(name, this);
  m_table->showModel(m_model);
  m_case = new CaseView(store, this);
  m_case->setEmptyText(tr("Nothing chosen"), tr("Choose a row above: the case it belongs to stands here."));
  m_verdict = new ChoiceButton(tr("Verdict"), codes, this);
  m_lead = dimLabel({}, this);
  auto* bar = new QHBoxLayout;
  bar->addWidget(m_lead, 1);
  bar->addWidget(m_verdict);
  auto* layout = layOutListOverCase(this, m_table, m_case, 220);
  layout->insertLayout(0, bar);
  connect(m_verdict, &ChoiceButton::changed, this, &ListPage::reload);
  connect(m_model, &PagedModel::listChanged, this, &ListPage::takeList);
  connect(m_table, &TableView::opened, this, &ListPage::opened);
  connect(m_table, &TableView::selected, this, [this](const QString& target) {
    if (target != m_case->target()) m_case->showTarget(target);
  });
}

void ListPage::setTop(QWidget* top) { static_cast<QVBoxLayout*>(layout())->insertWidget(1, top); }

void ListPage::reload() {
  ListFilter filter;
  for (const QString& code : m_verdict->chosen()) filter.codes.insert(code.toStdString());
  m_model->setFilter(filter);
}

void ListPage::takeList() {
  const bool filtered = !m_model->filter().codes.empty();
  m_table->setEmptyText(filtered ? tr("None has this verdict") : m_title, filtered ? tr("Choose other verdicts.") : m_hint);
  if (m_model->rowCount() > 0) m_table->selectRow(0);
  else m_case->showTarget({});
}

SkipsPage::SkipsPage(StoreAccess& store, QWidget* parent)
    : ListPage(tr("Skips"), skipColumns(), skipSource(), verdictChoices(SkipVerdict::Unverifiable, skipWords), store, parent) {
  setWords(tr("No skips in the newest run"),
           tr("Add your workers' skip log as a source (format generic.skips or log.skips) to see which skips were right."));
}

void SkipsPage::showOverview(const Overview& overview) {
  if (!overview.run) return;
  const RunResult& result = overview.run->result;
  QString words = countedVerdicts(result.skips, skipWords);
  if (!result.saved.empty()) words += tr("  ·  %1 not charged again").arg(moneyText(result.saved));
  lead()->setText(words);
}

LettersPage::LettersPage(StoreAccess& store, QWidget* parent)
    : ListPage(tr("Dead letters"), letterColumns(), letterSource(), verdictChoices(RedriveVerdict::Safe, redriveWords), store, parent),
      m_queueModel(queueColumns()) {
  m_queues = new TableView(tr("Queues"), this);
  m_queues->showModel(&m_queueModel);
  m_queues->setEmptyText(tr("No queue depths were imported"), {});
  setTop(m_queues);
  setWords(tr("No dead letters in the newest run"),
           tr("Add the messages of your dead-letter queues as a source (format generic.dead_letters) to see which may be sent again."));
}

void LettersPage::showOverview(const Overview& overview) {
  if (!overview.run) return;
  m_queueModel.setRows(queueRows(queueLinesOf(*overview.run)));
  constexpr int shown = 4;
  const int rows = std::clamp(m_queueModel.rowCount(), 1, shown);
  m_queues->setFixedHeight(m_queues->horizontalHeader()->sizeHint().height() +
                           rows * m_queues->verticalHeader()->defaultSectionSize() + 4);
  const QString verdicts = countedVerdicts(overview.run->result.deadLetters, redriveWords);
  lead()->setText(verdicts.isEmpty() ? QString() : tr("Redrive: %1").arg(verdicts));
}

}  // namespace counterfoil::desktop
