// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/writers/document.h"

#include <fmt/format.h>

#include <algorithm>

#include "reports/writers/escape.h"

namespace counterfoil {
namespace {

using Kind = DocumentColumn::Kind;

constexpr std::size_t kLongestCell = 600;
constexpr std::size_t kCasesOfClass = 50;   // a document is read by people; lists have formats of their own
constexpr std::size_t kRows = 50;

class Writer {
 public:
  Writer(const ReportModel& model, Document& out) : m_model(model), m_facts(model.facts()), m_words(model.words()), m_out(out) {}

  Result<> write() {
    writeHead();
    writeTiles();
    writeClasses();
    if (auto ok = writeCases(CaseSet::Listed, Word::Cases); !ok) return ok;
    if (m_facts.earlierBreaks > 0) {
      if (auto ok = writeCases(CaseSet::Earlier, Word::EarlierBreaks); !ok) return ok;
    }
    if (m_facts.kind == ReportKind::Run || m_facts.kind == ReportKind::Period) {
      if (auto ok = writeRunParts(); !ok) return ok;
    }
    if (!m_facts.unmasked) m_out.paragraph(m_words(Word::MaskedNote));
    return m_out.pass();
  }

 private:
  std::string word(Word word) const { return std::string(m_words(word)); }
  DocumentColumn column(Word title, Kind kind = Kind::Word) const { return {word(title), kind}; }
  static std::string cell(std::string_view text) { return shortened(text, kLongestCell); }
  std::string number(std::uint64_t value) const { return m_words.number(value); }

  void writeHead() {
    m_out.title(m_facts.title);
    std::string when = fmt::format("{} {}, {} {}", m_words(Word::Run), m_facts.run, m_words(Word::Generated), m_words.instant(m_facts.asOf));
    if (m_facts.period) {
      when = fmt::format("{} – {}, {}", m_words.instant(m_facts.period->from), m_words.instant(m_facts.period->to),
                         m_words.count(Counted::Run, m_facts.runs.size()));
    }
    m_out.paragraph(when);
    if (!m_facts.health.empty()) m_out.paragraph(m_facts.health);
    if (m_facts.earlierBreaks > 0) m_out.paragraph(m_words.count(Counted::EarlierBreak, m_facts.earlierBreaks) + ".");
    if (m_facts.incompleteBecause.empty()) return;
    m_out.heading(m_words(Word::IncompleteBecause));
    for (const std::string& sentence : m_facts.incompleteBecause) m_out.paragraph(cell(sentence));
  }

  void writeTiles() {
    if (m_facts.tiles.empty()) return;
    m_out.heading(m_words(Word::Summary));
    m_out.beginTable({{"", Kind::Word}, {"", Kind::Number}, {"", Kind::Word}});
    for (const ReportTile& tile : m_facts.tiles) m_out.row({tile.label, tile.value, tile.detail});
    m_out.endTable();
  }

  void writeClasses() {
    if (m_facts.classes.empty() || m_facts.kind == ReportKind::Case) return;
    m_out.heading(m_words(Word::Classes));
    const bool compared = std::any_of(m_facts.classes.begin(), m_facts.classes.end(), [](const ClassRow& row) { return row.before.has_value(); });
    std::vector<DocumentColumn> columns = {column(Word::Class), column(Word::Severity), column(Word::Count, Kind::Number)};
    if (compared) columns.push_back(column(Word::Before, Kind::Number));
    columns.push_back(column(Word::Exposure, Kind::Number));
    m_out.beginTable(columns);
    for (const ClassRow& row : m_facts.classes) {
      std::vector<std::string> cells = {row.label, std::string(m_words.label(row.worst)), number(row.count)};
      if (compared) cells.push_back(row.before ? number(*row.before) : "");
      cells.push_back(m_words.money(row.exposure));
      m_out.row(cells);
    }
    m_out.endTable();
  }

  Result<> writeCases(CaseSet set, Word title) {
    std::map<Class, std::uint64_t> counts;
    std::optional<Class> current;
    auto ok = m_model.forEachCase(set, [&](const ReportCase& line) -> Result<> {
      if (line.group == ClassGroup::Closed && m_facts.kind == ReportKind::Run && line.isClosed && m_model.request().filter.detail == Detail::BreaksAndOpen) return {};
      std::uint64_t& count = counts[line.unitClass];
      if (++count > kCasesOfClass) return {};
      if (current != line.unitClass) {
        if (current) m_out.endTable();
        m_out.heading(fmt::format("{}: {}", m_words(title), line.label));
        if (!line.advice.empty()) m_out.paragraph(line.advice);
        m_out.beginTable({column(Word::Case, Kind::Id), column(Word::Severity), column(Word::Key, Kind::Id), column(Word::Exposure, Kind::Number),
                          column(Word::State), column(Word::Age, Kind::Number), column(Word::Reason, Kind::Sentence)});
        current = line.unitClass;
      }
      const std::string& name = line.key.empty() ? line.opRef : line.key;
      m_out.row({line.caseId, line.severity == Severity::None ? "" : std::string(m_words.label(line.severity)), cell(name),
                 m_words.money(line.exposure), std::string(line.isClosed ? m_words(Word::Closed) : m_words.label(line.state)),
                 line.age ? m_words.duration(*line.age) : "", cell(line.reason)});
      if (m_facts.kind == ReportKind::Case) {
        m_out.endTable();
        current.reset();
        writeTimeLine(line);
      }
      return m_out.pass();
    });
    if (current) m_out.endTable();
    for (const auto& [unitClass, count] : counts) {
      if (count <= kCasesOfClass) continue;
      m_out.paragraph(fmt::format("{}: {} {}", m_words.label(unitClass, true), number(count - kCasesOfClass), m_words(Word::MoreRows)));
    }
    return ok;
  }

  void writeTimeLine(const ReportCase& line) {
    if (line.events.empty()) return;
    m_out.heading(m_words(Word::TimeLine));
    m_out.beginTable({column(Word::Time), column(Word::Lane), column(Word::Event), column(Word::Id, Kind::Id), column(Word::Amount, Kind::Number),
                      column(Word::Place), column(Word::Detail, Kind::Sentence)});
    for (const CaseEvent& event : line.events) {
      m_out.row({event.time ? m_words.instant(*event.time) : word(Word::NotKnown), std::string(m_words.label(event.lane)), event.event,
                 cell(event.id), event.amount ? m_words.money(*event.amount) : "", event.place.empty() ? event.source : event.place,
                 cell(event.detail)});
    }
    m_out.endTable();
  }

  Result<> writeRunParts() {
    writeComparison();
    writeProof();
    writeFindings();
    if (auto ok = writeLetters(); !ok) return ok;
    writeQueues();
    writeCoverage();
    writeQuarantined();
    writeSources();
    return {};
  }

  void writeComparison() {
    m_out.heading(m_words(Word::Comparison));
    if (!m_facts.comparison) return m_out.paragraph(m_words(Word::NoTrend));
    const Comparison& c = *m_facts.comparison;
    m_out.beginTable({column(Word::Change), column(Word::Now, Kind::Number), column(Word::Before, Kind::Number)});
    const bool hasBefore = c.runsBefore > 0;
    const auto before = [&](std::uint64_t value) { return hasBefore ? number(value) : ""; };
    m_out.row({word(Word::Breaks), number(c.now.breaks), before(c.before.breaks)});
    m_out.row({word(Word::Open), number(c.now.open), before(c.before.open)});
    const auto changed = [&](std::uint64_t RunChange::*member) { return c.changeBefore ? number((*c.changeBefore).*member) : ""; };
    m_out.row({word(Word::NewBreaks), number(c.change.newBreaks), changed(&RunChange::newBreaks)});
    m_out.row({word(Word::Cleared), number(c.change.cleared), changed(&RunChange::cleared)});
    m_out.row({word(Word::Grown), number(c.change.grown), changed(&RunChange::grown)});
    m_out.endTable();
  }

  void writeProof() {
    m_out.heading(m_words(Word::Proof));
    if (m_facts.proof.empty()) return m_out.paragraph(m_words(Word::NoProof));
    const bool holds = std::all_of(m_facts.proof.begin(), m_facts.proof.end(), [](const ProofLine& line) { return line.unexplainedMinor == 0; });
    m_out.paragraph(m_words(holds ? Word::ProofHolds : Word::ProofBroken));
    m_out.beginTable({column(Word::Scope), column(Word::Kind), {"", Kind::Word}, column(Word::Amount, Kind::Number)});
    for (const ProofLine& line : m_facts.proof) {
      const auto add = [&](std::string_view label, std::int64_t minor) {
        m_out.row({line.scope, std::string(m_words.label(line.kind)), std::string(label), m_words.money(Money{minor, line.currency})});
      };
      add(m_words(Word::LocalTotal), line.localMinor);
      for (std::size_t i = 0; i < kBridgeStepCount; ++i) {
        if (line.steps[i] != 0) add(m_words.label(static_cast<BridgeStep>(i)), line.steps[i]);
      }
      add(m_words(Word::ProviderTotal), line.providerMinor);
      add(m_words(Word::Unexplained), line.unexplainedMinor);
    }
    m_out.endTable();
  }

  void writeFindings() {
    m_out.heading(m_words(Word::Findings));
    if (m_facts.findings.empty()) return m_out.paragraph(m_words(Word::NoFindings));
    m_out.beginTable({column(Word::Severity), column(Word::Label), column(Word::Subject, Kind::Id), column(Word::Count, Kind::Number),
                      column(Word::Seen, Kind::Sentence)});
    for (const FindingRow& row : m_facts.findings) {
      const Finding& finding = row.finding;
      m_out.row({std::string(m_words.label(finding.severity)), row.label, cell(finding.subject),
                 number(static_cast<std::uint64_t>(std::max<std::int64_t>(finding.count, 0))),
                 cell(finding.advice.empty() ? finding.seen : finding.seen + " → " + finding.advice)});
    }
    m_out.endTable();
  }

  /// Skips and dead letters that need somebody.
  Result<> writeLetters() {
    std::size_t rows = 0;
    m_out.heading(m_words(Word::Skips));
    m_out.beginTable({column(Word::Time), column(Word::Key, Kind::Id), column(Word::Worker, Kind::Id), column(Word::Verdict), column(Word::Reason, Kind::Sentence)});
    auto ok = m_model.forEachSkip({SkipVerdict::Suppressing, SkipVerdict::Stranded}, [&](const SkipRow& row) -> Result<> {
      if (++rows <= kRows) m_out.row({m_words.instant(row.time), cell(row.key), cell(row.worker), std::string(m_words.label(row.verdict)), cell(row.reason)});
      return {};
    });
    endRows(rows, Word::NoSkips, !m_facts.skips.empty());
    if (!ok) return ok;
    rows = 0;
    m_out.heading(m_words(Word::DeadLetters));
    m_out.beginTable({column(Word::Queue, Kind::Id), column(Word::Message, Kind::Id), column(Word::Key, Kind::Id), column(Word::Verdict),
                      column(Word::Deadline), column(Word::Reason, Kind::Sentence)});
    ok = m_model.forEachDeadLetter({}, [&](const DeadLetterRow& row) -> Result<> {
      if (++rows <= kRows) {
        m_out.row({cell(row.queue), cell(row.messageId), cell(row.key), std::string(m_words.label(row.verdict)),
                   row.deadline ? m_words.instant(*row.deadline) : "", cell(row.reason)});
      }
      return {};
    });
    endRows(rows, Word::NoDeadLetters, false);
    return ok;
  }

  void endRows(std::size_t rows, Word none, bool fine) {
    m_out.endTable();
    if (rows > kRows) m_out.paragraph(fmt::format("{} {}", number(rows - kRows), m_words(Word::MoreRows)));
    if (rows > 0) return;
    if (!fine) return m_out.paragraph(m_words(none));
    std::string counts;
    for (const auto& [verdict, count] : m_facts.skips) counts += fmt::format("{}{}: {}", counts.empty() ? "" : ", ", m_words.label(verdict), number(count));
    m_out.paragraph(counts + ".");
  }

  void writeQueues() {
    m_out.heading(m_words(Word::Queues));
    if (m_facts.queues.empty()) return m_out.paragraph(m_words(Word::NoQueues));
    m_out.beginTable({column(Word::Queue, Kind::Id), column(Word::Kind), column(Word::Depth, Kind::Number), column(Word::Oldest, Kind::Number), column(Word::Limit, Kind::Number)});
    const auto orDash = [this](const std::optional<std::int64_t>& value) { return value ? std::to_string(*value) : word(Word::NotKnown); };
    for (const QueueLine& queue : m_facts.queues) {
      m_out.row({cell(queue.queue), m_words.queueKind(queue.kind), orDash(queue.depth), m_words.age(queue.oldest), queue.maxDepth ? std::to_string(*queue.maxDepth) : ""});
    }
    m_out.endTable();
  }

  void writeCoverage() {
    m_out.heading(m_words(Word::Coverage));
    m_out.beginTable({column(Word::Source, Kind::Id), column(Word::From), column(Word::To)});
    for (const CoverageRow& row : m_facts.coverage) {
      if (row.intervals.empty()) m_out.row({row.source, word(Word::NotKnown), ""});
      for (const Interval& interval : row.intervals) m_out.row({row.source, m_words.instant(interval.from), m_words.instant(interval.to)});
    }
    m_out.endTable();
    if (m_facts.unjudged > 0) m_out.paragraph(fmt::format("{} {}: {}.", m_words(Word::TileNotJudged), number(m_facts.unjudged), m_words(Word::OutOfWindowNote)));
  }

  void writeQuarantined() {
    m_out.heading(m_words(Word::Quarantined));
    if (m_facts.quarantinedCount == 0) return m_out.paragraph(m_words(Word::NoQuarantined));
    m_out.beginTable({column(Word::File, Kind::Id), column(Word::Line, Kind::Number), column(Word::Column), column(Word::Value, Kind::Id), column(Word::Reason, Kind::Sentence)});
    for (std::size_t i = 0; i < m_facts.quarantined.size() && i < kRows; ++i) {
      const QuarantinedRow& row = m_facts.quarantined[i];
      m_out.row({cell(row.file), std::to_string(row.line), cell(row.column), cell(row.value), cell(row.reason)});
    }
    m_out.endTable();
    if (m_facts.quarantinedCount > kRows) m_out.paragraph(fmt::format("{} {}", number(m_facts.quarantinedCount - kRows), m_words(Word::MoreRows)));
  }

  void writeSources() {
    m_out.heading(m_words(Word::Inputs));
    m_out.beginTable({column(Word::Source, Kind::Id), column(Word::Format), column(Word::Rows, Kind::Number), column(Word::Recorded, Kind::Number),
                      column(Word::Excluded, Kind::Number), column(Word::Repeated, Kind::Number), column(Word::Digest, Kind::Sentence)});
    for (const SourceReport& source : m_facts.sources) {
      m_out.row({cell(source.name), source.format, number(source.rows), number(source.recorded), number(source.excluded), number(source.repeated), source.digest});
    }
    m_out.endTable();
  }

  const ReportModel& m_model;
  const ReportFacts& m_facts;
  const Words& m_words;
  Document& m_out;
};

}  // namespace

Result<> writeDocument(const ReportModel& model, Document& document) { return Writer(model, document).write(); }

}  // namespace counterfoil
