// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/summary_page.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <algorithm>
#include <limits>

#include "app/desktop/coverage_strip.h"
#include "app/desktop/lists.h"
#include "app/desktop/theme.h"
#include "reports/text/run_words.h"

namespace counterfoil::desktop {

namespace {

constexpr std::size_t kFindingsShown = 40;
constexpr std::size_t kQuarantinedShown = 12;

QString fromStd(const std::string& text) { return QString::fromStdString(text); }

template <class Counts, class Wanted>
std::uint64_t sumOf(const Counts& counts, Wanted wanted) {
  std::uint64_t sum = 0;
  for (const auto& [code, count] : counts) {
    if (wanted(code)) sum += count;
  }
  return sum;
}

std::uint64_t quarantinedOf(const RunResult& result) {
  std::uint64_t count = 0;
  for (const SourceReport& source : result.sources) count += source.quarantined;
  return count;
}

QString numbersOf(const RunResult& result) {
  const std::uint64_t notClosed = result.breaks + result.open;
  const std::uint64_t agree = result.units - std::min(result.units, notClosed);
  QString out = SummaryPage::tr("%1 operations, %2 agree, %3 breaks, %4 open")
                    .arg(number(result.units), number(agree), number(result.breaks), number(result.open));
  if (result.unjudged > 0) out += SummaryPage::tr(", %1 not judged").arg(number(result.unjudged));
  return out + QLatin1Char('.');
}

}  // namespace

SummaryPage::SummaryPage(QWidget* parent)
    : QScrollArea(parent), m_classModel(classColumns()), m_sourceModel(sourceColumns()),
      m_quarantineModel(quarantineColumns()), m_proofModel(proofColumns()) {
  setWidgetResizable(true);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setFrameShape(NoFrame);
  m_body = new QWidget(this);
  auto* layout = new QVBoxLayout(m_body);
  layout->setContentsMargins(20, 16, 20, 20);
  layout->setSpacing(12);
  m_verdict = textLabel({}, m_body);
  setLetters(m_verdict, 1.45, true);
  m_numbers = dimLabel({}, m_body);
  m_incomplete = textLabel({}, m_body);
  layout->addWidget(m_verdict);
  layout->addWidget(m_numbers);
  layout->addWidget(m_incomplete);
  addTiles(layout);

  m_classes = new TableView(tr("Operations by class"), m_body);
  m_classes->showModel(&m_classModel);
  m_classes->showAllRows();
  auto* row = new QHBoxLayout;
  row->setSpacing(12);
  layout->addLayout(row);
  QFrame* classes = addCard(row, tr("What it came to"));
  classes->layout()->addWidget(m_classes);
  static_cast<QVBoxLayout*>(classes->layout())->addStretch(1);
  connect(m_classes, &TableView::opened, this, &SummaryPage::classOpened);

  auto* findings = addCard(row, tr("What to change"), &m_findingNote);
  m_findings = new QWidget(findings);
  new QVBoxLayout(m_findings);
  findings->layout()->addWidget(m_findings);
  static_cast<QVBoxLayout*>(findings->layout())->addStretch(1);
  row->setStretch(0, 3);
  row->setStretch(1, 2);

  auto* coverage = addCard(layout, tr("What was covered, and what was not judged"), &m_coverageNote);
  m_strip = new CoverageStrip(coverage);
  m_sources = new TableView(tr("Sources"), coverage);
  m_sources->showModel(&m_sourceModel);
  m_sources->showAllRows();
  m_quarantine = new TableView(tr("Rows that were set aside"), coverage);
  m_quarantine->showModel(&m_quarantineModel);
  m_quarantine->showAllRows();
  for (QWidget* widget : std::initializer_list<QWidget*>{m_strip, m_sources, m_quarantine}) coverage->layout()->addWidget(widget);

  auto* proof = addCard(layout, tr("Proof"), &m_proofNote);
  m_proof = new TableView(tr("Proof by currency"), proof);
  m_proof->showModel(&m_proofModel);
  m_proof->showAllRows();
  proof->layout()->addWidget(m_proof);
  layout->addStretch(1);
  setWidget(m_body);
}

void SummaryPage::addTiles(QVBoxLayout* layout) {
  auto* tiles = new QHBoxLayout;
  tiles->setSpacing(10);
  m_breaks = new Tile(tr("Breaks"), m_body);
  m_open = new Tile(tr("Open"), m_body);
  m_skips = new Tile(tr("Skips to check"), m_body);
  m_letters = new Tile(tr("Dead letters"), m_body);
  m_notJudged = new Tile(tr("Not judged"), m_body);
  for (Tile* tile : {m_breaks, m_open, m_skips, m_letters, m_notJudged}) tiles->addWidget(tile, 1);
  layout->addLayout(tiles);
  connect(m_breaks, &Tile::clicked, this, &SummaryPage::casesOpened);
  connect(m_open, &Tile::clicked, this, &SummaryPage::casesOpened);
  connect(m_skips, &Tile::clicked, this, &SummaryPage::skipsOpened);
  connect(m_letters, &Tile::clicked, this, &SummaryPage::lettersOpened);
  connect(m_notJudged, &Tile::clicked, this, [this] { ensureWidgetVisible(m_strip); });
}

QFrame* SummaryPage::addCard(QBoxLayout* layout, const QString& title, QLabel** note) {
  auto* card = new QFrame(m_body);
  card->setObjectName(QStringLiteral("card"));
  auto* inner = new QVBoxLayout(card);
  inner->setContentsMargins(8, 10, 8, 10);
  inner->setSpacing(6);
  QLabel* head = textLabel(title, card);
  setLetters(head, 1.08, true);
  head->setContentsMargins(8, 0, 8, 0);
  inner->addWidget(head);
  if (note != nullptr) {
    *note = dimLabel({}, card);
    (*note)->setContentsMargins(8, 0, 8, 0);
    inner->addWidget(*note);
  }
  layout->addWidget(card);
  return card;
}

void SummaryPage::showOverview(const Overview& overview) {
  if (!overview.run) {
    m_verdict->setText(tr("No runs yet."));
    m_numbers->setText(tr("Run “counterfoil run CONFIG” with this store in the configuration, then reload (F5)."));
    for (QWidget* child : m_body->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly)) {
      child->setVisible(child == m_verdict || child == m_numbers);
    }
    return;
  }
  for (QWidget* child : m_body->findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly)) child->setVisible(true);
  const RunResult& result = overview.run->result;
  m_verdict->setText(fromStd(healthSentence(result)));
  m_numbers->setText(numbersOf(result));
  QStringList because;
  for (const std::string& sentence : result.incompleteBecause) because += shown(sentence);
  m_incomplete->setText(because.mid(0, 8).join(QLatin1Char('\n')));
  m_incomplete->setVisible(!because.isEmpty());
  showTiles(result);
  m_classModel.setRows(classRows(result, overview.worst));
  m_sourceModel.setRows(sourceRows(result, overview.coverage));
  m_strip->setCoverage(result, overview.coverage);
  showNotJudged(result);
  showFindings(result.findings);
  showProof(result);
}

void SummaryPage::showTiles(const RunResult& result) {
  const auto critical = result.breaksBySeverity.find(Severity::Critical);
  const bool worst = critical != result.breaksBySeverity.end() && critical->second > 0;
  m_breaks->setFacts(number(result.breaks), result.breaks == 0 ? tr("none found") : moneyText(result.exposure),
                     result.breaks == 0 ? Tone::Good : worst ? Tone::Critical : Tone::High);
  const auto unfulfilled = result.classes.find(Class::Unfulfilled);
  const std::uint64_t waiting = unfulfilled == result.classes.end() ? 0 : unfulfilled->second;
  m_open->setFacts(number(result.open), result.overdue > 0 ? tr("%1 overdue").arg(number(result.overdue))
                                        : waiting > 0      ? tr("%1 wait for a redrive").arg(number(waiting)) : tr("none overdue"),
                   result.overdue > 0 ? Tone::High : Tone::Plain);
  const auto wrong = [](SkipVerdict verdict) { return verdict == SkipVerdict::Suppressing || verdict == SkipVerdict::Stranded; };
  const std::uint64_t skips = sumOf(result.skips, [](SkipVerdict) { return true; });
  const std::uint64_t wrongSkips = sumOf(result.skips, wrong);
  m_skips->setFacts(number(wrongSkips), skips == 0 ? tr("no skips were imported") : tr("of %1 skips").arg(number(skips)),
                    wrongSkips > 0 ? Tone::High : Tone::Plain);
  std::int64_t depth = 0;
  bool known = false;
  bool over = false;
  for (const auto& queue : result.queues) {
    if (!queue.deadLetter || !queue.depth) continue;
    known = true;
    depth = addChecked(depth, *queue.depth).value_or(std::numeric_limits<std::int64_t>::max());
    over = over || (queue.maxDepth && *queue.depth > *queue.maxDepth);
  }
  const std::uint64_t unsafe = sumOf(result.deadLetters, [](RedriveVerdict verdict) { return verdict == RedriveVerdict::Unsafe; });
  m_letters->setFacts(known ? number(static_cast<std::uint64_t>(std::max<std::int64_t>(depth, 0))) : tr("–"),
                      !known ? tr("no queue was imported") : unsafe > 0 ? tr("%1 unsafe to redrive").arg(number(unsafe)) : tr("none unsafe to redrive"),
                      unsafe > 0 ? Tone::Critical : over ? Tone::High : Tone::Plain);
  m_notJudged->setFacts(number(result.unjudged), result.unjudged == 0 ? tr("all of it was covered") : tr("outside what is covered"),
                        result.unjudged > 0 ? Tone::Medium : Tone::Plain);
}

void SummaryPage::showNotJudged(const RunResult& result) {
  const std::uint64_t aside = quarantinedOf(result);
  std::vector<Row> rows = quarantineRows(result);
  if (rows.size() > kQuarantinedShown) rows.resize(kQuarantinedShown);
  QStringList notes;
  if (result.unjudged == 0) notes += tr("Everything that was read could be judged.");
  if (result.unjudged > 0) notes += tr("%1 could not be judged: their counterpart lies outside what the files cover, or the row "
                                       "was set aside.").arg(number(result.unjudged));
  if (aside > rows.size()) notes += tr("The first %1 of %2 rows that were set aside:").arg(rows.size()).arg(number(aside));
  m_coverageNote->setText(notes.join(QLatin1Char(' ')));
  m_quarantine->setVisible(!rows.empty());
  m_quarantineModel.setRows(std::move(rows));
}

/// The worst first; each with what was seen and what to do about it.
void SummaryPage::showFindings(const std::vector<Finding>& findings) {
  auto* layout = m_findings->layout();
  while (QLayoutItem* item = layout->takeAt(0)) {
    delete item->widget();
    delete item;
  }
  std::vector<const Finding*> order;
  for (const Finding& finding : findings) order.push_back(&finding);
  std::stable_sort(order.begin(), order.end(), [](const Finding* a, const Finding* b) { return a->severity > b->severity; });
  if (order.size() > kFindingsShown) order.resize(kFindingsShown);
  m_findingCount = static_cast<int>(order.size());
  m_findingNote->setText(findings.empty() ? tr("No findings: keys, queues and sources look right.")
                         : findings.size() > order.size() ? tr("The worst %1 of %2 findings.").arg(order.size()).arg(findings.size())
                                                          : m_findingCount == 1 ? tr("1 finding about keys, queues and sources.")
                                                                 : tr("%1 findings about keys, queues and sources.").arg(m_findingCount));
  layout->setContentsMargins(8, 0, 8, 0);
  layout->setSpacing(8);
  for (const Finding* finding : order) {
    auto* row = new QWidget(m_findings);
    auto* grid = new QGridLayout(row);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(9);
    grid->setVerticalSpacing(1);
    auto* mark = new MarkLabel(row);
    mark->setTone(toneOf(finding->severity));
    mark->setToolTip(tipOf(wordsOf(codeOf(finding->severity))));
    QLabel* head = textLabel(capitalised(wordsOf(finding->code)) + QStringLiteral("  ·  ") + shown(finding->subject) +
                                 QStringLiteral("  ·  ") + wordsOf(codeOf(finding->severity)), row);
    setLetters(head, 1.0, true);
    QLabel* seen = textLabel(shown(finding->seen), row);
    grid->addWidget(mark, 0, 0, Qt::AlignVCenter);
    grid->addWidget(head, 0, 1);
    grid->addWidget(seen, 1, 1);
    if (!finding->advice.empty()) grid->addWidget(dimLabel(QStringLiteral("→ ") + shown(finding->advice), row), 2, 1);
    grid->setColumnStretch(1, 1);
    row->setObjectName(QStringLiteral("finding"));
    row->setProperty("code", fromStd(finding->code));
    layout->addWidget(row);
  }
}

QString SummaryPage::findingText(int finding) const {
  const QLayoutItem* item = m_findings->layout()->itemAt(finding);
  if (item == nullptr) return {};
  QStringList texts;
  for (const QLabel* label : item->widget()->findChildren<QLabel*>()) texts += label->text();
  return texts.join(QLatin1Char('\n'));
}

void SummaryPage::showProof(const RunResult& result) {
  const bool closes = std::all_of(result.proof.begin(), result.proof.end(),
                                  [](const ProofLine& line) { return line.unexplainedMinor == 0; });
  m_proofNote->setText(closes ? tr("Every minor unit between our total and the provider's is explained.")
                              : tr("A record was lost or counted twice: this run's result must not be used."));
  m_proofModel.setRows(proofRows(result));
}

}  // namespace counterfoil::desktop
