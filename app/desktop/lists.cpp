// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/lists.h"

#include <algorithm>

#include "app/store_lists.h"
#include "reports/text/run_words.h"

namespace counterfoil::desktop {

namespace {

using Kind = Column::Kind;

QString fromView(std::string_view text) { return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())); }
QString text(const char* utf8) { return QString::fromUtf8(utf8); }

Cell dim(const QString& words) { return {words, Tone::Dim, false}; }

/// A severity is a mark and a word.
Cell severityCell(std::string_view code) {
  const auto severity = severityFromCode(code);
  return {capitalised(fromView(code)), severity ? toneOf(*severity) : Tone::Plain, severity && *severity != Severity::None};
}

QString countOrDash(const std::optional<std::int64_t>& value) {
  return value ? number(static_cast<std::uint64_t>(std::max<std::int64_t>(*value, 0))) : text("–");
}

SortBy caseSort(int column) {
  constexpr SortBy sorts[] = {SortBy::Severity, SortBy::Class, SortBy::Exposure, SortBy::Key, SortBy::State, SortBy::Age};
  return column >= 0 && column < 6 ? sorts[column] : SortBy::Default;
}

Row caseRow(const StoredUnit& unit, CaseLine& line) {
  fillCaseLine(unit, line);
  return {{severityCell(line.severity),
           {labelOf(unit)},
           {moneyText(line.exposure)},
           {shown(line.key.empty() ? line.opRef : line.key)},
           {capitalised(wordsOf(line.state))},
           {shown(line.age)},
           dim(shown(line.reason))},
          QString::fromStdString(line.caseId)};
}

template <class T>
std::string firstId(const std::vector<T>& records) {
  std::string least;
  for (const T& record : records) {
    const std::string& id = !record.effectId.empty() ? record.effectId : !record.jobId.empty() ? record.jobId : record.messageId;
    if (!id.empty() && (least.empty() || id < least)) least = id;
  }
  return least;
}

/// What a skip relied on: the job that did the work, and what the provider has of it.
QString originalOf(const SkipRow& skip, const std::optional<StoredUnit>& unit) {
  if (skip.verdict == SkipVerdict::LegitCarried) return text("before these files");
  if (skip.verdict == SkipVerdict::Suppressing) return text("other work under this key");
  if (skip.verdict == SkipVerdict::Unverifiable || !unit) return text("cannot be told");
  std::vector<Attempt> done;
  for (const Attempt& attempt : unit->unit.records.attempts) {
    if (attempt.status == AttemptStatus::Succeeded) done.push_back(attempt);
  }
  for (Attempt& attempt : done) attempt.effectId.clear();   // the job itself is meant
  std::vector<Effect> live;
  for (const Effect& effect : unit->unit.records.effects) {
    if (effect.kind == EffectKind::Forward && effect.status == EffectStatus::Live) live.push_back(effect);
  }
  QStringList parts;
  if (const std::string job = firstId(done); !job.empty()) parts += text("job ") + shown(job);
  if (const std::string effect = firstId(live); !effect.empty()) parts += shown(effect);
  return parts.isEmpty() ? text("none found") : parts.join(text(" → "));
}

Row skipRow(const SkipRow& skip, const std::optional<StoredUnit>& unit) {
  const SkipLine line = skipLineOf(skip);
  const bool wrong = skip.verdict == SkipVerdict::Suppressing || skip.verdict == SkipVerdict::Stranded;
  const Tone tone = wrong ? Tone::High : skip.verdict == SkipVerdict::Unverifiable ? Tone::Medium : Tone::Good;
  Cell verdict{capitalised(fromView(skipWords(skip.verdict))), wrong ? tone : Tone::Plain, true};
  if (!wrong) verdict.tone = tone == Tone::Good ? Tone::Low : tone;
  return {{verdict,
           {line.time ? shownInstant(*line.time) : text("–")},
           {shown(line.key)},
           {originalOf(skip, unit)},
           {moneyText(line.saved)},
           {shown(line.worker)},
           dim(shown(line.reason))},
          QString::fromStdString(skip.caseId)};
}

Tone toneOfRedrive(RedriveVerdict verdict) {
  switch (verdict) {
    case RedriveVerdict::Unsafe: return Tone::Critical;
    case RedriveVerdict::CheckFirst: return Tone::High;
    case RedriveVerdict::Obsolete: return Tone::Low;
    case RedriveVerdict::Safe: return Tone::Good;
  }
  return Tone::Plain;
}

Row letterRow(const DeadLetterRow& letter, const std::optional<StoredUnit>& unit) {
  const MessageLine line = messageLineOf(letter);
  const auto since = letter.diedAt ? letter.diedAt : letter.enqueuedAt;
  const QString age = since && unit ? shown(formatAge(unit->asOf - *since)) : text("–");
  return {{{capitalised(fromView(redriveWords(letter.verdict))), toneOfRedrive(letter.verdict), true},
           {shown(line.queue)},
           {shown(line.messageId)},
           {shown(line.key)},
           {age},
           {countOrDash(line.receiveCount)},
           {line.deadline ? shownInstant(*line.deadline) : text("–")},
           {shown(line.error)},
           dim(shown(line.reason))},
          QString::fromStdString(letter.caseId.empty() ? line.key : letter.caseId)};
}

/// Rows of a page; `units` of skips and dead letters are looked up by case.
template <class Item, class At, class Make>
Result<std::vector<Row>> pageOf(const Store& store, const std::vector<RowId>& ids, At at, Make make) {
  std::vector<std::optional<Item>> items(ids.size());
  auto read = (store.*at)(ids, [&](std::size_t i, Item&& item) { items[i] = std::move(item); });
  if (!read) return fail(read.error());
  std::vector<Row> rows(ids.size());
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (!items[i]) continue;
    auto unit = store.unitOf(items[i]->caseId, items[i]->run);
    if (!unit) return fail(unit.error());
    rows[i] = make(*items[i], *unit);
  }
  return rows;
}

QString kindWords(ClassGroup group) {
  switch (group) {
    case ClassGroup::Break: return text("break");
    case ClassGroup::Open: return text("open");
    case ClassGroup::Closed: return text("closed");
  }
  return {};
}

QString covered(const std::vector<Interval>& intervals) {
  if (intervals.empty()) return text("nothing");
  QString out = fromView(spanWords(intervals.front().from, intervals.back().to));
  if (intervals.size() > 1) out += text(", %1 gaps").arg(intervals.size() - 1);
  return out;
}

}  // namespace

QString wordsOf(std::string_view code) { return shown(code).replace(QLatin1Char('_'), QLatin1Char(' ')); }

QString capitalised(QString text) {
  if (!text.isEmpty()) text[0] = text[0].toUpper();
  return text;
}

QString labelOf(const StoredUnit& unit) {
  return fromView(counterfoil::labelOf(unit.unit.unitClass, !unit.unit.exposure.empty()));
}

QString laneWords(std::string_view lane) {
  if (lane == "attempt") return text("Jobs");
  if (lane == "effect") return text("Provider");
  if (lane == "skip") return text("Skips");
  if (lane == "claim") return text("Claims");
  if (lane == "intent") return text("Orders");
  if (lane == "outbox") return text("Outbox");
  if (lane == "processed_event") return text("Processed");
  if (lane == "dead_letter") return text("Dead letters");
  if (lane == "case") return text("Verdict");
  if (lane == "decision") return text("Decisions");
  return wordsOf(lane);
}

std::vector<Column> caseColumns() {
  return {{text("Severity"), Kind::Word, 92, true},    {text("Class"), Kind::Word, 184, true},
          {text("Exposure"), Kind::Number, 116, true}, {text("Key"), Kind::Key, 200, true},
          {text("State"), Kind::Word, 78, true},       {text("Age"), Kind::Number, 52, true},
          {text("Reason"), Kind::Sentence, 300}};
}

ListSource caseSource() {
  return {[](const Store& store, const ListFilter& filter) { return store.unitRows(filter); },
          [](const Store& store, const std::vector<RowId>& ids) -> Result<std::vector<Row>> {
            std::vector<Row> rows(ids.size());
            CaseLine line;
            auto read = store.unitsAt(ids, [&](std::size_t i, StoredUnit&& unit) { rows[i] = caseRow(unit, line); });
            if (!read) return fail(read.error());
            return rows;
          },
          caseSort};
}

std::vector<Column> skipColumns() {
  return {{text("Verdict"), Kind::Word, 214}, {text("Time (UTC)"), Kind::Word, 146}, {text("Key"), Kind::Key, 150},
          {text("Original"), Kind::Key, 190}, {text("Saved"), Kind::Number, 100},    {text("Worker"), Kind::Key, 78},
          {text("Reason"), Kind::Sentence, 200}};
}

ListSource skipSource() {
  return {[](const Store& store, const ListFilter& filter) { return store.skipRows(filter); },
          [](const Store& store, const std::vector<RowId>& ids) {
            return pageOf<SkipRow>(store, ids, &Store::skipsAt, skipRow);
          },
          nullptr};
}

std::vector<Column> letterColumns() {
  return {{text("Redrive"), Kind::Word, 128},       {text("Queue"), Kind::Key, 104},      {text("Message"), Kind::Key, 90},
          {text("Key"), Kind::Key, 140},            {text("Age"), Kind::Number, 48},      {text("Received"), Kind::Number, 74},
          {text("Deadline (UTC)"), Kind::Word, 146}, {text("Error"), Kind::Sentence, 120}, {text("Reason"), Kind::Sentence, 180}};
}

ListSource letterSource() {
  return {[](const Store& store, const ListFilter& filter) { return store.deadLetterRows(filter); },
          [](const Store& store, const std::vector<RowId>& ids) {
            return pageOf<DeadLetterRow>(store, ids, &Store::deadLettersAt, letterRow);
          },
          nullptr};
}

std::vector<Column> queueColumns() {
  return {{text("Queue"), Kind::Key, 240},       {text("Depth"), Kind::Number, 90}, {text("Limit"), Kind::Number, 80},
          {text("In flight"), Kind::Number, 90}, {text("Oldest"), Kind::Number, 90}, {text("As of (UTC)"), Kind::Word, 200}};
}

std::vector<Row> queueRows(const std::vector<QueueLine>& lines) {
  std::vector<Row> rows;
  for (const QueueLine& line : lines) {
    const bool over = line.depth && line.maxDepth && *line.depth > *line.maxDepth;
    rows.push_back({{{shown(line.queue)},
                     {countOrDash(line.depth), over ? Tone::High : Tone::Plain, over},
                     {countOrDash(line.maxDepth)},
                     {countOrDash(line.inFlight)},
                     {shownOrDash(line.oldest)},
                     {line.sampledAt ? shownInstant(*line.sampledAt) : text("–")}},
                    QString::fromStdString(line.queue)});
  }
  return rows;
}

std::vector<Column> classColumns() {
  return {{text("Class"), Kind::Word, 190}, {text("Operations"), Kind::Number, 84}, {text(""), Kind::Word, 62},
          {text("Severity"), Kind::Word, 86}, {text("At stake"), Kind::Sentence, 150}};
}

std::vector<Row> classRows(const RunResult& result, const std::map<Class, Severity>& worst) {
  std::vector<Row> rows;
  for (const ClassGroup group : {ClassGroup::Break, ClassGroup::Open, ClassGroup::Closed}) {
    std::vector<std::pair<Severity, Class>> order;
    for (const auto& [unitClass, count] : result.classes) {
      const auto severity = worst.find(unitClass);
      if (count > 0 && groupOf(unitClass) == group) {
        order.emplace_back(severity == worst.end() ? Severity::None : severity->second, unitClass);
      }
    }
    std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    for (const auto& [severity, unitClass] : order) {
      const auto sums = result.exposureByClass.find(unitClass);
      const auto money = sums == result.exposureByClass.end() ? std::vector<Money>() : moneyOf(sums->second);
      rows.push_back({{{fromView(counterfoil::labelOf(unitClass, !money.empty() || group != ClassGroup::Break))},
                       {number(result.classes.at(unitClass))},
                       dim(kindWords(group)),
                       severityCell(codeOf(severity)),
                       {moneyText(money)}},
                      fromView(codeOf(unitClass))});
    }
  }
  return rows;
}

std::vector<Column> sourceColumns() {
  return {{text("Source"), Kind::Key, 130},        {text("Format"), Kind::Key, 170},     {text("Rows"), Kind::Number, 70},
          {text("Recorded"), Kind::Number, 84},   {text("Set aside"), Kind::Number, 84}, {text("Covers (UTC)"), Kind::Word, 270}};
}

std::vector<Row> sourceRows(const RunResult& result, const Coverage& coverage) {
  std::vector<Row> rows;
  for (std::size_t i = 0; i < result.sources.size(); ++i) {
    const SourceReport& source = result.sources[i];
    const SourceId id{static_cast<std::uint16_t>(i)};
    const auto known = coverage.bySource.find(id);
    QString span = known != coverage.bySource.end() ? covered(known->second)
                   : source.from && source.to       ? fromView(spanWords(*source.from, *source.to))
                   : source.rows > 0                ? text("its rows have no times") : text("nothing");
    if (coverage.declared.contains(id)) span += text(", declared");
    const bool aside = source.quarantined > 0;
    rows.push_back({{{shown(source.name)},
                     dim(shown(source.format)),
                     {number(source.rows)},
                     {number(source.recorded)},
                     {number(source.quarantined), aside ? Tone::High : Tone::Plain, aside},
                     {span}},
                    {}});
  }
  return rows;
}

std::vector<Column> quarantineColumns() {
  return {{text("Where"), Kind::Key, 220}, {text("Column"), Kind::Key, 110}, {text("Value"), Kind::Key, 130},
          {text("Why it was set aside"), Kind::Sentence, 360}};
}

std::vector<Row> quarantineRows(const RunResult& result) {
  std::vector<Row> rows;
  for (const QuarantinedRow& row : result.quarantined) {
    rows.push_back({{{shown(row.file) + QLatin1Char(':') + QString::number(row.line)},
                     {shown(row.column)},
                     {shown(row.value)},
                     {shown(row.reason)}},
                    {}});
  }
  return rows;
}

std::vector<Column> proofColumns() {
  return {{text("Of"), Kind::Word, 200},          {text("Ours"), Kind::Number, 150}, {text("Provider"), Kind::Number, 150},
          {text("Unexplained"), Kind::Number, 130}, {text("The difference is"), Kind::Sentence, 300}};
}

std::vector<Row> proofRows(const RunResult& result) {
  std::vector<Row> rows;
  for (const ProofLine& line : result.proof) {
    QString of = fromView(line.currency.text());
    if (!line.scope.empty()) of += QLatin1Char(' ') + shown(line.scope);
    if (line.kind == ProofKind::Reversal) of += text(" refunds");
    QStringList steps;
    for (std::size_t i = 0; i < kBridgeStepCount; ++i) {
      if (line.steps[i] == 0) continue;
      const QString amount = fromView(formatForPeople({line.steps[i], line.currency}));
      steps += fromView(bridgeWords(static_cast<BridgeStep>(i))) + QLatin1Char(' ') + amount;
    }
    const bool wrong = line.unexplainedMinor != 0;
    rows.push_back({{{of},
                     {fromView(formatForPeople({line.localMinor, line.currency}))},
                     {fromView(formatForPeople({line.providerMinor, line.currency}))},
                     {fromView(formatForPeople({line.unexplainedMinor, line.currency})), wrong ? Tone::Critical : Tone::Plain, wrong},
                     dim(steps.isEmpty() ? text("none") : steps.join(text(" · ")))},
                    {}});
  }
  return rows;
}

std::vector<Column> eventColumns() {
  return {{text("Time (UTC)"), Kind::Word, 144}, {text("Lane"), Kind::Word, 94},    {text("Event"), Kind::Word, 92},
          {text("Id"), Kind::Key, 110},          {text("Amount"), Kind::Number, 100}, {text("Where"), Kind::Key, 92},
          {text("Detail"), Kind::Sentence, 100}};
}

std::vector<Row> eventRows(const Life& life) {
  std::vector<Row> rows;
  for (const LifeEvent& event : life.events) {
    const QString time = event.time ? fromView(formatInstant(*event.time)).replace(QLatin1Char('T'), QLatin1Char(' ')).chopped(1)
                                    : text("–");
    rows.push_back({{{time},
                     {laneWords(event.lane)},
                     {wordsOf(event.event)},
                     {shown(event.id)},
                     {event.amount ? fromView(formatForPeople(*event.amount)) : QString()},
                     {shown(event.place.empty() ? event.source : event.place).section(QLatin1Char('/'), -1)},
                     dim(shown(event.detail))},
                    {}});
  }
  return rows;
}

}  // namespace counterfoil::desktop
