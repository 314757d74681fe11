// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/text/run_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/text.h"
#include "reports/text/run_digest.h"
#include "reports/text/run_words.h"
#include "reports/text/text_table.h"

namespace counterfoil {

namespace {

constexpr std::string_view kDot = " · ";

class RunText {
 public:
  RunText(const RunResult& result, const RunDigest& digest, const RunTextOptions& options)
      : m_result(result), m_digest(digest), m_options(options), m_style(options.style) {}

  std::string print() {
    printHealth();
    printIncomplete();
    printBreaks();
    printOpen();
    printQuarantined();
    printSkips();
    printDeadLetters();
    printFindings();
    printProof();
    printSources();
    printKeys();
    if (m_options.closedToo) printClosed();
    printNext();
    return std::move(m_out);
  }

 private:
  /// A heading with what it comes to, after an empty line.
  void heading(std::string_view title, std::string_view detail) {
    m_out += '\n';
    m_out += paint(title, Ink::Bold, m_style);
    const std::size_t used = displayWidth(title) + 2;
    if (used + displayWidth(detail) > m_style.width) {
      m_out += '\n';
      paragraph(detail, 2);
      return;
    }
    if (!detail.empty()) {
      m_out += "  ";
      m_out += detail;
    }
    m_out += '\n';
  }

  void paragraph(std::string_view text, std::size_t indent, Ink ink = Ink::Plain) {
    for (const std::string& line : wrapped(text, m_style.width - indent)) {
      m_out.append(indent, ' ');
      m_out += paint(line, ink, m_style);
      m_out += '\n';
    }
  }

  void printHealth() {
    const bool good = m_result.breaks == 0 && m_result.complete;
    paragraph(healthSentence(m_result), 0, good ? Ink::Green : Ink::Red);
    const std::uint64_t notClosed = m_result.breaks + m_result.open;
    const std::uint64_t closed = m_result.units - std::min(m_result.units, notClosed);
    std::string line =
        fmt::format("{}: {}, {} agree", instantWords(m_result.asOf),
                    counted(m_result.units, "operation", "operations"), groupedNumber(closed));
    if (m_result.breaks > 0) line += ", " + counted(m_result.breaks, "break", "breaks");
    if (!m_result.exposure.empty()) line += fmt::format(" ({})", moneyWords(m_result.exposure));
    if (m_result.open > 0) line += fmt::format(", {} open", groupedNumber(m_result.open));
    if (m_result.overdue > 0) line += fmt::format(", {} overdue", groupedNumber(m_result.overdue));
    if (m_result.unjudged > 0) {
      line += fmt::format(", {} not judged", groupedNumber(m_result.unjudged));
    }
    paragraph(line, 0, Ink::Dim);
  }

  void printIncomplete() {
    if (m_result.incompleteBecause.empty()) return;
    heading("Incomplete", "");
    constexpr std::size_t most = 8;
    for (std::size_t i = 0; i < m_result.incompleteBecause.size() && i < most; ++i) {
      paragraph(forTerminal(m_result.incompleteBecause[i]), 2, Ink::Yellow);
    }
    printMore(m_result.incompleteBecause.size(), most, "");
  }

  void printMore(std::uint64_t count, std::uint64_t shown, std::string_view how) {
    if (count <= shown) return;
    paragraph(fmt::format("… {} more{}", groupedNumber(count - shown), how), 2, Ink::Dim);
  }

  void printUnits(Class unitClass, std::uint64_t count) {
    const auto found = m_digest.units.find(unitClass);
    if (found == m_digest.units.end()) return;
    TextTable table({{"", TextColumn::Align::Right, TextColumn::Fit::Whole},
                     {"", TextColumn::Align::Left, TextColumn::Fit::Middle, 10},
                     {"", TextColumn::Align::Left, TextColumn::Fit::Middle, 16, Ink::Blue},
                     {"", TextColumn::Align::Left, TextColumn::Fit::Below}},
                    2);
    const std::vector<UnitRow>& rows = found->second;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      // Rows in a run that have one reason share the line below them.
      const bool same = i + 1 < rows.size() && rows[i + 1].reason == rows[i].reason;
      table.add({{moneyWords(rows[i].exposure)},
                 {rows[i].customer},
                 {rows[i].key},
                 {same ? std::string() : rows[i].reason}});
    }
    table.print(m_style, false, m_out);
    printMore(count, found->second.size(), " like this");
  }

  [[nodiscard]] std::uint64_t countOf(Class unitClass) const {
    const auto found = m_result.classes.find(unitClass);
    return found == m_result.classes.end() ? 0 : found->second;
  }

  [[nodiscard]] std::vector<Money> exposureOf(Class unitClass) const {
    const auto found = m_result.exposureByClass.find(unitClass);
    return found == m_result.exposureByClass.end() ? std::vector<Money>{} : moneyOf(found->second);
  }

  [[nodiscard]] Severity worstOf(Class unitClass) const {
    const auto found = m_digest.worst.find(unitClass);
    return found == m_digest.worst.end() ? Severity::None : found->second;
  }

  void printClass(Class unitClass) {
    const std::uint64_t count = countOf(unitClass);
    const std::vector<Money> exposure = exposureOf(unitClass);
    const Severity severity = worstOf(unitClass);
    std::string detail = groupedNumber(count);
    if (!exposure.empty()) detail += fmt::format("{}{}", kDot, moneyWords(exposure));
    if (unitClass == Class::DuplicateEffect && !exposure.empty()) detail += " to give back";
    m_out += '\n';
    m_out += paint(labelOf(unitClass, !exposure.empty()), Ink::Bold, m_style);
    m_out += "  " + detail;
    if (severity != Severity::None)
      m_out += "  " + paint(codeOf(severity), inkOf(severity), m_style);
    m_out += '\n';
    printUnits(unitClass, count);
  }

  /// The worst classes first; among equals in the order of the decision list.
  void printBreaks() {
    std::vector<std::pair<Severity, Class>> broken;
    for (std::size_t i = 0; i < kClassCount; ++i) {
      const auto unitClass = static_cast<Class>(i);
      if (groupOf(unitClass) != ClassGroup::Break || countOf(unitClass) == 0) continue;
      broken.emplace_back(worstOf(unitClass), unitClass);
    }
    std::stable_sort(broken.begin(), broken.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    for (const auto& [severity, unitClass] : broken) printClass(unitClass);
    if (m_result.unitsNotListed > 0) {
      paragraph(
          fmt::format("{} units are not listed: keys of the two sides hardly meet, see below.",
                      groupedNumber(m_result.unitsNotListed)),
          2, Ink::Dim);
    }
  }

  void printOpen() {
    if (m_result.open == 0) return;
    heading("Open", groupedNumber(m_result.open) + ", no breaks");
    TextTable table({{"", TextColumn::Align::Right, TextColumn::Fit::Whole},
                     {"", TextColumn::Align::Left, TextColumn::Fit::End, 16},
                     {"", TextColumn::Align::Left, TextColumn::Fit::End, 8, Ink::Dim}},
                    2);
    for (std::size_t i = 0; i < kClassCount; ++i) {
      const auto unitClass = static_cast<Class>(i);
      if (groupOf(unitClass) != ClassGroup::Open || countOf(unitClass) == 0) continue;
      const auto rows = m_digest.units.find(unitClass);
      std::string example;
      if (rows != m_digest.units.end() && !rows->second.empty()) {
        example = fmt::format("{}: {}", fittedMiddle(rows->second.front().key, 32),
                              rows->second.front().reason);
      }
      table.add({{groupedNumber(countOf(unitClass))},
                 {std::string(openWords(unitClass))},
                 {std::move(example)}});
    }
    table.print(m_style, false, m_out);
  }

  [[nodiscard]] std::uint64_t quarantinedCount() const {
    std::uint64_t count = 0;
    for (const SourceReport& source : m_result.sources) count += source.quarantined;
    return count;
  }

  void printQuarantined() {
    const std::uint64_t count =
        std::max<std::uint64_t>(quarantinedCount(), m_result.quarantined.size());
    if (count == 0) return;
    heading("Quarantined rows", groupedNumber(count) + ", not used");
    TextTable table({{"", TextColumn::Align::Left, TextColumn::Fit::Middle, 16, Ink::Blue},
                     {"", TextColumn::Align::Left, TextColumn::Fit::Wrap}},
                    2);
    for (const QuarantinedRow& row : m_result.quarantined) {
      if (table.rowCount() == m_options.rowsPerClass) break;
      table.add(
          {{fmt::format("{}:{}", forTerminal(row.file), row.line)}, {forTerminal(row.reason)}});
    }
    table.print(m_style, false, m_out);
    printMore(count, table.rowCount(), "; counterfoil inspect lists them");
  }

  template <class Counts, class Words>
  std::string verdictCounts(const Counts& counts, const Words& words) {
    std::string out;
    for (const auto& [verdict, count] : counts) {
      if (count == 0) continue;
      if (!out.empty()) out += kDot;
      out += fmt::format("{} {}", groupedNumber(count), words(verdict));
    }
    return out;
  }

  void printVerdictRows(const std::vector<VerdictRow>& rows) {
    TextTable table({{"", TextColumn::Align::Left, TextColumn::Fit::Middle, 12, Ink::Blue},
                     {"", TextColumn::Align::Left, TextColumn::Fit::End, 12},
                     {"", TextColumn::Align::Left, TextColumn::Fit::Wrap}},
                    2);
    std::string_view above;
    for (const VerdictRow& row : rows) {
      table.add({{row.key}, {row.words}, {row.reason == above ? "(the same)" : row.reason}});
      above = row.reason;
    }
    table.print(m_style, false, m_out);
  }

  void printSkips() {
    const std::string detail = verdictCounts(m_result.skips, skipWords);
    if (detail.empty()) return;
    heading("Skips", detail);
    if (!m_result.saved.empty()) {
      paragraph(fmt::format("{} not charged again", moneyWords(m_result.saved)), 2);
    }
    printVerdictRows(m_digest.wrongSkips);
  }

  void printDeadLetters() {
    const std::string detail = verdictCounts(m_result.deadLetters, redriveWords);
    if (detail.empty() && m_result.queues.empty()) return;
    heading("Dead letters", detail);
    printVerdictRows(m_digest.riskyLetters);
    printQueues();
  }

  void printQueues() {
    TextTable table({{"", TextColumn::Align::Left, TextColumn::Fit::Middle, 12},
                     {"", TextColumn::Align::Left, TextColumn::Fit::Whole}},
                    2);
    for (const FindingsCollector::QueueState& queue : m_result.queues) {
      const bool isEmpty = queue.depth && *queue.depth == 0;
      if (!queue.deadLetter || isEmpty) continue;
      std::string state = queue.depth ? fmt::format("{} waiting", *queue.depth) : "depth unknown";
      if (queue.maxDepth) state += fmt::format(" (limit {})", *queue.maxDepth);
      if (queue.oldest) state += fmt::format(", oldest {}", formatDuration(*queue.oldest));
      table.add({{forTerminal(queue.queue)}, {std::move(state)}});
    }
    table.print(m_style, false, m_out);
  }

  void printFindings() {
    if (m_result.findings.empty()) return;
    heading("Findings", groupedNumber(m_result.findings.size()));
    std::vector<const Finding*> findings;
    for (const Finding& finding : m_result.findings) findings.push_back(&finding);
    std::stable_sort(findings.begin(), findings.end(),
                     [](const Finding* a, const Finding* b) { return a->severity > b->severity; });
    constexpr std::size_t most = 12;
    for (std::size_t i = 0; i < findings.size() && i < most; ++i) {
      const bool nextSaysIt = i + 1 < std::min(findings.size(), most) &&
                              findings[i + 1]->code == findings[i]->code &&
                              findings[i + 1]->advice == findings[i]->advice;
      printFinding(*findings[i], !nextSaysIt);
    }
    printMore(findings.size(), most, "");
  }

  void printFinding(const Finding& finding, bool withAdvice) {
    m_out += "  " + paint(finding.code, inkOf(finding.severity), m_style) + "  " +
             forTerminal(finding.subject) + "\n";
    const std::string both = finding.advice.empty() || !withAdvice
                                 ? finding.seen
                                 : finding.seen + " → " + finding.advice;
    paragraph(forTerminal(both), 6);
  }

  static std::string signedStep(std::string_view words, std::int64_t minor, Currency currency) {
    const std::uint64_t size =
        minor < 0 ? 0 - static_cast<std::uint64_t>(minor) : static_cast<std::uint64_t>(minor);
    const std::int64_t shown = static_cast<std::int64_t>(std::min<std::uint64_t>(size, INT64_MAX));
    return fmt::format(" {} {} {}", minor < 0 ? "−" : "+", amountOnly({shown, currency}), words);
  }

  /// "1,250.00": the currency stands at the start of the line.
  static std::string amountOnly(const Money& money) {
    const std::string text = formatForPeople(money);
    const std::string code = money.currency.text() + " ";
    return text.starts_with(code) ? text.substr(code.size()) : text;
  }

  void printProof() {
    if (m_result.proof.empty()) return;
    const bool closes =
        std::all_of(m_result.proof.begin(), m_result.proof.end(),
                    [](const ProofLine& line) { return line.unexplainedMinor == 0; });
    heading("Proof", closes ? "every minor unit is explained" : "");
    TextTable table({{"", TextColumn::Align::Left, TextColumn::Fit::Whole},
                     {"", TextColumn::Align::Left, TextColumn::Fit::Wrap}},
                    2);
    constexpr std::size_t most = 12;
    for (std::size_t i = 0; i < m_result.proof.size() && i < most; ++i) {
      const ProofLine& line = m_result.proof[i];
      std::string left = line.currency.text();
      if (!line.scope.empty()) left += " " + forTerminal(line.scope);
      if (line.kind == ProofKind::Reversal) left += " refunds";
      std::string bridge = fmt::format("{} ours", amountOnly({line.localMinor, line.currency}));
      for (std::size_t step = 0; step < kBridgeStepCount; ++step) {
        if (line.steps[step] == 0) continue;
        bridge +=
            signedStep(bridgeWords(static_cast<BridgeStep>(step)), line.steps[step], line.currency);
      }
      if (line.unexplainedMinor != 0)
        bridge += signedStep("UNEXPLAINED", line.unexplainedMinor, line.currency);
      bridge += fmt::format(" = {} provider", amountOnly({line.providerMinor, line.currency}));
      table.add({{std::move(left)},
                 {std::move(bridge), line.unexplainedMinor == 0 ? Ink::Plain : Ink::Red}});
    }
    table.print(m_style, false, m_out);
    printMore(m_result.proof.size(), most, "");
  }

  void printSources() {
    if (m_result.sources.empty()) return;
    heading("Sources", "");
    TextTable table({{"", TextColumn::Align::Left, TextColumn::Fit::Middle, 12},
                     {"", TextColumn::Align::Left, TextColumn::Fit::Middle, 12, Ink::Dim},
                     {"", TextColumn::Align::Right, TextColumn::Fit::Whole},
                     {"", TextColumn::Align::Left, TextColumn::Fit::Wrap}},
                    2);
    for (const SourceReport& source : m_result.sources) {
      std::string rest;
      const auto add = [&rest](std::uint64_t count, std::string_view words) {
        if (count == 0) return;
        if (!rest.empty()) rest += ", ";
        rest += fmt::format("{} {}", groupedNumber(count), words);
      };
      add(source.quarantined, "quarantined");
      add(source.excluded, "excluded");
      add(source.repeated, "repeated");
      if (source.from && source.to) {
        if (!rest.empty()) rest += kDot;
        rest += spanWords(*source.from, *source.to);
      }
      table.add({{forTerminal(source.name)},
                 {forTerminal(source.format)},
                 {counted(source.rows, "row", "rows")},
                 {std::move(rest)}});
    }
    table.print(m_style, false, m_out);
  }

  void printKeys() {
    const KeyMeeting& keys = m_result.keys;
    if (keys.localKeys == 0 && keys.providerKeys == 0) return;
    std::string line = fmt::format("{} of {} local keys are at the provider, which has {}",
                                   groupedNumber(keys.meeting), groupedNumber(keys.localKeys),
                                   groupedNumber(keys.providerKeys));
    if (!keys.betterColumn.empty()) {
      line += fmt::format("; {} would match {}", forTerminal(keys.betterColumn),
                          groupedNumber(keys.betterMatches));
    }
    heading("Keys", line);
  }

  void printClosed() {
    for (std::size_t i = 0; i < kClassCount; ++i) {
      const auto unitClass = static_cast<Class>(i);
      if (groupOf(unitClass) == ClassGroup::Closed && m_digest.units.contains(unitClass))
        printClass(unitClass);
    }
  }

  void printNext() {
    if (m_options.nextCommands.empty()) return;
    heading("Next", "");
    for (const std::string& command : m_options.nextCommands) {
      m_out += "  " + paint(command, Ink::Blue, m_style) + "\n";
    }
  }

  const RunResult& m_result;
  const RunDigest& m_digest;
  const RunTextOptions& m_options;
  const TextStyle& m_style;
  std::string m_out;
};

}  // namespace

Result<std::string> runText(const RunOutcome& outcome, const RunTextOptions& options) {
  RunDigest digest;
  if (outcome.units) {
    auto made = digestOf(*outcome.units, {options.rowsPerClass, 5, options.closedToo});
    if (!made) return fail(made.error());
    digest = std::move(*made);
  }
  return RunText(outcome.result, digest, options).print();
}

}  // namespace counterfoil
