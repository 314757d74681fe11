// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/list/list_tables.h"

#include "core/base/text.h"
#include "reports/text/run_words.h"

namespace counterfoil {

namespace {

using Align = TextColumn::Align;
using Fit = TextColumn::Fit;

TextColumn id(std::string title, std::size_t least = 12) {
  return {std::move(title), Align::Left, Fit::Middle, least, Ink::Blue};
}
TextColumn word(std::string title) {
  return {std::move(title), Align::Left, Fit::Whole, 0};
}
TextColumn number(std::string title) {
  return {std::move(title), Align::Right, Fit::Whole, 0};
}
TextColumn sentence() {
  return {"", Align::Left, Fit::Below, 0};
}

TextCell cell(std::string_view text, Ink ink = Ink::Plain) {
  return {forTerminal(text), ink};
}
TextCell cellOrDash(const std::optional<std::string>& text) {
  return text ? cell(*text) : TextCell{"–", Ink::Dim};
}
TextCell cellOrDash(std::optional<std::int64_t> value) {
  return value ? TextCell{std::to_string(*value)} : TextCell{"–", Ink::Dim};
}

Ink inkOfSeverity(std::string_view code) {
  return inkOf(severityFromCode(code).value_or(Severity::None));
}

std::string labelOfCode(const CaseLine& line) {
  const auto unitClass = classFromCode(line.unitClass);
  return unitClass ? std::string(labelOf(*unitClass, !line.exposure.empty())) : line.unitClass;
}

}  // namespace

std::vector<TextColumn> ListTable<CaseLine>::columns() {
  return {id("case", 16), word("severity"), word("class"), number("exposure"),
          id("key", 16),  word("state"),    number("age"), sentence()};
}

std::vector<TextCell> ListTable<CaseLine>::cells(const CaseLine& line) {
  return {cell(line.caseId),
          cell(line.severity, inkOfSeverity(line.severity)),
          cell(labelOfCode(line)),
          {moneyWords(line.exposure)},
          cell(line.key.empty() ? line.opRef : line.key),
          cell(line.state),
          cell(line.age),
          cell(line.reason)};
}

std::vector<TextColumn> ListTable<SkipLine>::columns() {
  return {word("time"),    id("key", 16),   id("worker", 8),
          word("verdict"), number("saved"), sentence()};
}

std::vector<TextCell> ListTable<SkipLine>::cells(const SkipLine& line) {
  const bool wrong = line.verdict == codeOf(SkipVerdict::Suppressing) ||
                     line.verdict == codeOf(SkipVerdict::Stranded);
  return {cellOrDash(line.time),    cell(line.key),
          cell(line.worker),        cell(line.verdict, wrong ? Ink::Red : Ink::Plain),
          {moneyWords(line.saved)}, cell(line.reason)};
}

std::vector<TextColumn> ListTable<QueueLine>::columns() {
  return {id("queue", 16),  word("kind"),    number("depth"),    number("in flight"),
          number("oldest"), number("limit"), word("sampled at"), number("before")};
}

std::vector<TextCell> ListTable<QueueLine>::cells(const QueueLine& line) {
  const bool over = line.depth && line.maxDepth && *line.depth > *line.maxDepth;
  TextCell depth = cellOrDash(line.depth);
  if (over) depth.ink = Ink::Red;
  return {cell(line.queue),         cell(line.kind),           depth,
          cellOrDash(line.inFlight), cellOrDash(line.oldest),   cellOrDash(line.maxDepth),
          cellOrDash(line.sampledAt), cellOrDash(line.firstDepth)};
}

std::vector<TextColumn> ListTable<MessageLine>::columns() {
  return {id("queue", 10),    id("message", 12), id("key", 12), word("verdict"),
          number("received"), word("deadline"),  sentence()};
}

std::vector<TextCell> ListTable<MessageLine>::cells(const MessageLine& line) {
  const bool unsafe = line.verdict == codeOf(RedriveVerdict::Unsafe);
  return {cell(line.queue),
          cell(line.messageId),
          cell(line.key),
          cell(line.verdict, unsafe ? Ink::Red : Ink::Plain),
          cellOrDash(line.receiveCount),
          cellOrDash(line.deadline),
          cell(line.reason)};
}

std::vector<TextColumn> ListTable<Finding>::columns() {
  return {word("severity"), word("code"), id("subject", 12), number("count"), sentence()};
}

std::vector<TextCell> ListTable<Finding>::cells(const Finding& line) {
  const std::string both = line.advice.empty() ? line.seen : line.seen + " → " + line.advice;
  return {cell(codeOf(line.severity), inkOf(line.severity)),
          cell(line.code),
          cell(line.subject),
          {std::to_string(line.count)},
          cell(both)};
}

std::vector<TextColumn> ListTable<ProofLine>::columns() {
  return {id("scope", 10), word("kind"), number("local"), number("provider"),
          number("unexplained")};
}

std::vector<TextCell> ListTable<ProofLine>::cells(const ProofLine& line) {
  return {cell(line.scope),
          cell(codeOf(line.kind)),
          {formatForPeople({line.localMinor, line.currency})},
          {formatForPeople({line.providerMinor, line.currency})},
          {formatForPeople({line.unexplainedMinor, line.currency}),
           line.unexplainedMinor == 0 ? Ink::Plain : Ink::Red}};
}

}  // namespace counterfoil
