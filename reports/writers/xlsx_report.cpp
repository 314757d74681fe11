// SPDX-License-Identifier: GPL-3.0-or-later
// A report as a workbook. Lists of cases have the columns that `counterfoil review --from` reads back.
#include <fmt/format.h>

#include "core/store/review_state.h"
#include "reports/writers/report_format.h"
#include "reports/xlsx/xlsx_book.h"

namespace counterfoil {
namespace {

using Cells = std::vector<CellValue>;

std::vector<XlsxColumn> columnsOf(const Words& words, std::initializer_list<std::pair<Word, double>> titles) {
  std::vector<XlsxColumn> columns;
  for (const auto& [title, width] : titles) columns.push_back({std::string(words(title)), width});
  return columns;
}

double widthOf(const CaseColumn& column) {
  switch (column.kind) {
    case CellKind::Id: return 20;
    case CellKind::Text: return column.code == "reason" ? 70 : 24;
    case CellKind::Number: return 9;
    case CellKind::Amount: return 14;
    case CellKind::Code: return 16;
    case CellKind::ToFill: return 20;
  }
  return 14;
}

/// The states that a person may set.
std::vector<std::string> decisionWords() {
  std::vector<std::string> words;
  for (const ReviewState state : {ReviewState::Assigned, ReviewState::Investigating, ReviewState::AwaitingFix, ReviewState::Resolved,
                                  ReviewState::Dismissed, ReviewState::ForceClosed, ReviewState::Reopened}) {
    words.emplace_back(codeOf(state));
  }
  return words;
}

CellValue cellOf(const std::optional<Money>& amount) { return amount ? CellValue(*amount) : CellValue(); }
CellValue cellOf(const std::optional<Instant>& at) { return at ? CellValue(*at) : CellValue(); }
CellValue cellOf(const std::optional<std::int64_t>& number) { return number ? CellValue(*number) : CellValue(); }
CellValue cellOf(const std::optional<std::string>& text) { return text ? CellValue(*text) : CellValue(); }
CellValue currencyOf(const std::optional<Money>& amount) { return amount ? CellValue(amount->currency.text()) : CellValue(); }
CellValue count(std::uint64_t number) { return static_cast<std::int64_t>(number); }

class XlsxReport {
 public:
  XlsxReport(const ReportModel& model, XlsxBook& book) : m_model(model), m_facts(model.facts()), m_words(model.words()), m_book(book) {}

  Result<> write() {
    addSummary();
    const bool isList = m_facts.kind == ReportKind::Case || m_facts.kind == ReportKind::List;
    if (isList) {
      if (auto ok = addCases(Word::Cases, CaseSet::Listed); !ok) return ok;
    } else {
      if (auto ok = addCases(Word::Breaks, CaseSet::Breaks); !ok) return ok;
      if (auto ok = addCases(Word::OpenUnits, CaseSet::Open); !ok) return ok;
    }
    if (m_facts.earlierBreaks > 0) {
      if (auto ok = addCases(Word::EarlierBreaks, CaseSet::Earlier); !ok) return ok;
    }
    if (auto ok = addSkips(); !ok) return ok;
    addQueues();
    if (auto ok = addDeadLetters(); !ok) return ok;
    addFindings();
    addProof();
    addSources();
    addQuarantined();
    return m_book.finish();
  }

 private:
  void addSummary() {
    m_book.addSheet(m_words(Word::Summary), {{std::string(m_words(Word::Summary)), 34}, {"", 26}, {"", 40}, {"", 26}});
    m_book.addRow({m_facts.title, m_facts.name});
    if (!m_facts.health.empty()) m_book.addRow({m_facts.health});
    if (m_facts.run != 0) m_book.addRow({std::string(m_words(Word::Run)), count(m_facts.run)});
    m_book.addRow({std::string(m_words(Word::AsOf)), m_facts.asOf});
    m_book.addRow({std::string(m_words(m_facts.complete ? Word::Complete : Word::Incomplete))});
    for (const std::string& because : m_facts.incompleteBecause) m_book.addRow({"", because});
    m_book.addRow({});
    for (const ReportTile& tile : m_facts.tiles) m_book.addRow({tile.label, tile.value, tile.detail});
    if (m_facts.classes.empty()) return;
    m_book.addRow({});
    m_book.addRow({std::string(m_words(Word::Class)), std::string(m_words(Word::Count)), std::string(m_words(Word::Severity)),
                   std::string(m_words(Word::Exposure))});
    for (const ClassRow& row : m_facts.classes) {
      m_book.addRow({row.label, count(row.count), std::string(row.worst == Severity::None ? "" : m_words.label(row.worst)),
                     m_words.money(row.exposure)});
    }
  }

  Result<> addCases(Word title, CaseSet set) {
    std::vector<XlsxColumn> columns;
    for (const CaseColumn& column : caseColumns()) {
      columns.push_back({std::string(m_words(column.title)), widthOf(column)});
      if (column.code == "decision") columns.back().choices = decisionWords();
    }
    m_book.addSheet(m_words(title), std::move(columns));
    Cells cells;
    return m_model.forEachCase(set, [&](const ReportCase& line) -> Result<> {
      cells.clear();
      for (const CaseColumn& column : caseColumns()) cells.push_back(column.cell(line, m_words, true));
      m_book.addRow(cells);
      return {};
    });
  }

  Result<> addSkips() {
    m_book.addSheet(m_words(Word::Skips), columnsOf(m_words, {{Word::Time, 20}, {Word::Key, 28}, {Word::Worker, 18}, {Word::Verdict, 22},
                                                              {Word::Saved, 14}, {Word::Currency, 9}, {Word::Reason, 70}, {Word::Case, 20}}));
    return m_model.forEachSkip({}, [&](const SkipRow& row) -> Result<> {
      m_book.addRow({row.time, row.key, row.worker, std::string(m_words.label(row.verdict)), cellOf(row.saved), currencyOf(row.saved),
                     row.reason, row.caseId});
      return {};
    });
  }

  void addQueues() {
    m_book.addSheet(m_words(Word::Queues), columnsOf(m_words, {{Word::Queue, 28}, {Word::Kind, 14}, {Word::Depth, 10}, {Word::InFlight, 10},
                                                               {Word::Oldest, 10}, {Word::Limit, 10}, {Word::SampledAt, 22}}));
    for (const QueueLine& line : m_facts.queues) {
      m_book.addRow({line.queue, m_words.queueKind(line.kind), cellOf(line.depth), cellOf(line.inFlight), cellOf(line.oldest),
                     cellOf(line.maxDepth), cellOf(line.sampledAt)});
    }
  }

  Result<> addDeadLetters() {
    m_book.addSheet(m_words(Word::DeadLetters),
                    columnsOf(m_words, {{Word::Queue, 24}, {Word::Message, 28}, {Word::Key, 28}, {Word::Verdict, 24}, {Word::Reason, 60},
                                        {Word::Error, 40}, {Word::Received, 10}, {Word::Died, 20}, {Word::Deadline, 20}, {Word::Case, 20}}));
    return m_model.forEachDeadLetter({}, [&](const DeadLetterRow& row) -> Result<> {
      m_book.addRow({row.queue, row.messageId, row.key, std::string(m_words.label(row.verdict)), row.reason, row.error,
                     cellOf(row.receiveCount), cellOf(row.diedAt), cellOf(row.deadline), row.caseId});
      return {};
    });
  }

  void addFindings() {
    m_book.addSheet(m_words(Word::Findings), columnsOf(m_words, {{Word::Code, 26}, {Word::Label, 34}, {Word::Subject, 28}, {Word::Count, 9},
                                                                 {Word::Severity, 12}, {Word::Seen, 70}, {Word::Advice, 70}, {Word::Examples, 50}}));
    for (const FindingRow& row : m_facts.findings) {
      std::string examples;
      for (const std::string& example : row.finding.examples) examples += (examples.empty() ? "" : ", ") + example;
      m_book.addRow({row.finding.code, row.label, row.finding.subject, CellValue(static_cast<std::int64_t>(row.finding.count)),
                     std::string(m_words.label(row.finding.severity)), row.finding.seen, row.finding.advice, examples});
    }
  }

  void addProof() {
    std::vector<XlsxColumn> columns = columnsOf(m_words, {{Word::Scope, 18}, {Word::Currency, 9}, {Word::Kind, 14}, {Word::LocalTotal, 18}});
    for (std::size_t i = 0; i < kBridgeStepCount; ++i) columns.push_back({std::string(m_words.label(static_cast<BridgeStep>(i))), 16});
    for (const Word title : {Word::ProviderTotal, Word::Unexplained}) columns.push_back({std::string(m_words(title)), 18});
    m_book.addSheet(m_words(Word::Proof), std::move(columns));
    for (const ProofLine& line : m_facts.proof) {
      Cells cells = {line.scope, line.currency.text(), std::string(m_words.label(line.kind)), Money{line.localMinor, line.currency}};
      for (const std::int64_t step : line.steps) cells.push_back(step == 0 ? CellValue() : CellValue(Money{step, line.currency}));
      cells.push_back(Money{line.providerMinor, line.currency});
      cells.push_back(Money{line.unexplainedMinor, line.currency});
      m_book.addRow(cells);
    }
  }

  void addSources() {
    m_book.addSheet(m_words(Word::Inputs), columnsOf(m_words, {{Word::Source, 20}, {Word::Format, 22}, {Word::File, 40}, {Word::Rows, 10},
                                                               {Word::Recorded, 10}, {Word::Quarantined, 12}, {Word::Excluded, 10},
                                                               {Word::Repeated, 10}, {Word::From, 20}, {Word::To, 20}, {Word::Digest, 70}}));
    for (const SourceReport& source : m_facts.sources) {
      for (const FileReport& file : source.files) {
        m_book.addRow({source.name, file.format, file.path, count(file.rows), count(file.recorded), count(file.quarantined),
                       count(file.excluded), count(file.repeated), cellOf(file.from), cellOf(file.to), file.digest});
      }
    }
  }

  void addQuarantined() {
    m_book.addSheet(m_words(Word::Quarantined), columnsOf(m_words, {{Word::File, 40}, {Word::Line, 9}, {Word::Column, 20}, {Word::Value, 30},
                                                                    {Word::Rule, 20}, {Word::Reason, 70}}));
    for (const QuarantinedRow& row : m_facts.quarantined) {
      m_book.addRow({row.file, count(row.line), row.column, row.value, row.rule, row.reason});
    }
    if (m_facts.quarantinedCount > m_facts.quarantined.size()) {
      m_book.addRow({m_words.count(Counted::More, m_facts.quarantinedCount - m_facts.quarantined.size())});
    }
  }

  const ReportModel& m_model;
  const ReportFacts& m_facts;
  const Words& m_words;
  XlsxBook& m_book;
};

}  // namespace

Result<> writeXlsx(const ReportModel& model, const WriterOptions&, const std::string& path) {
  auto book = XlsxBook::create(path);
  if (!book) return fail(book.error());
  return XlsxReport(model, *book).write();
}

}  // namespace counterfoil
