// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/batch/remedy_tables.h"

#include "core/base/text.h"
#include "reports/text/run_words.h"

namespace counterfoil {

namespace {

using Align = TextColumn::Align;
using Fit = TextColumn::Fit;

std::optional<std::string> instantText(const std::optional<Instant>& at) {
  if (!at) return std::nullopt;
  return formatInstant(*at);
}
std::vector<Money> listOf(const std::optional<Money>& money) {
  return money ? std::vector{*money} : std::vector<Money>();
}
TextColumn word(std::string title) { return {std::move(title), Align::Left, Fit::Whole, 0}; }
TextColumn id(std::string title) { return {std::move(title), Align::Left, Fit::Middle, 12, Ink::Blue}; }
TextColumn number(std::string title) { return {std::move(title), Align::Right, Fit::Whole, 0}; }
TextColumn sentence() { return {"", Align::Left, Fit::Below, 0}; }
TextCell cell(std::string_view text, Ink ink = Ink::Plain) { return {forTerminal(text), ink}; }
TextCell verdictCell(std::string_view verdict, bool isSafe) { return {std::string(verdict), isSafe ? Ink::Green : Ink::Yellow}; }

std::string withEarlier(const std::string& reason, const std::string& exportedBefore) {
  if (exportedBefore.empty()) return forTerminal(reason);
  return forTerminal(reason + " Handed out before, " + exportedBefore + ".");
}

std::string_view verdictOf(const RefundLine& line) { return line.isSafe ? "refund" : "check_first"; }
std::string_view verdictOf(const RerunLine& line) { return line.isSafe ? "rerun" : "check_first"; }

}  // namespace

void describe(const RefundLine& line, LineVisitor& visitor) {
  visitor.text("case", line.caseId);
  visitor.text("verdict", verdictOf(line));
  visitor.text("provider", line.provider);
  visitor.text("account", line.account);
  visitor.text("effect", line.effectId);
  visitor.money("amount", listOf(line.amount));
  visitor.text("refund_key", line.refundKey);
  visitor.text("keep", line.keep);
  visitor.money("gross", listOf(line.gross));
  visitor.money("reversed", listOf(line.reversed));
  visitor.text("operation", line.operation);
  visitor.text("key", line.key);
  visitor.text("op_ref", line.opRef);
  visitor.text("created", formatInstant(line.created));
  visitor.text("reason", line.reason);
  visitor.text("exported_before", line.exportedBefore);
}

void describe(const RedriveLine& line, LineVisitor& visitor) {
  visitor.text("case", line.caseId);
  visitor.text("verdict", codeOf(line.verdict));
  visitor.text("queue", line.queue);
  visitor.text("message_id", line.messageId);
  visitor.text("job_id", line.jobId);
  visitor.text("key", line.key);
  visitor.text("operation", line.operation);
  visitor.textOrNull("key_until", instantText(line.keyUntil));
  visitor.textOrNull("deadline", instantText(line.deadline));
  visitor.text("target", line.target);
  visitor.text("reason", line.reason);
  visitor.text("error", line.error);
  visitor.text("exported_before", line.exportedBefore);
}

void describe(const RerunLine& line, LineVisitor& visitor) {
  visitor.text("case", line.caseId);
  visitor.text("verdict", verdictOf(line));
  visitor.text("class", line.unitClass);
  visitor.text("operation", line.operation);
  visitor.text("key", line.key);
  visitor.text("op_ref", line.opRef);
  visitor.text("job_id", line.jobId);
  visitor.text("queue", line.queue);
  visitor.text("task", line.task);
  visitor.money("amount", listOf(line.amount));
  visitor.textOrNull("key_until", instantText(line.keyUntil));
  visitor.text("reason", line.reason);
  visitor.text("exported_before", line.exportedBefore);
}

std::vector<TextColumn> ListTable<RefundLine>::columns() {
  return {word("verdict"), number("amount"), id("effect"), word("provider"), word("refund key"), id("case"), sentence()};
}
std::vector<TextCell> ListTable<RefundLine>::cells(const RefundLine& line) {
  return {verdictCell(verdictOf(line), line.isSafe), {moneyWords(listOf(line.amount))}, cell(line.effectId),
          cell(line.provider), cell(line.refundKey), cell(line.caseId), {withEarlier(line.reason, line.exportedBefore)}};
}

std::vector<TextColumn> ListTable<RedriveLine>::columns() {
  return {word("verdict"), word("queue"), id("message"), id("key"), word("key until"), id("case"), sentence()};
}
std::vector<TextCell> ListTable<RedriveLine>::cells(const RedriveLine& line) {
  return {verdictCell(codeOf(line.verdict), isToActOn(line)), cell(line.queue),
          cell(line.messageId.empty() ? line.jobId : line.messageId), cell(line.key),
          {instantText(line.keyUntil).value_or("–")}, cell(line.caseId), {withEarlier(line.reason, line.exportedBefore)}};
}

std::vector<TextColumn> ListTable<RerunLine>::columns() {
  return {word("verdict"), word("class"), number("amount"), id("key"), word("key until"), id("case"), sentence()};
}
std::vector<TextCell> ListTable<RerunLine>::cells(const RerunLine& line) {
  return {verdictCell(verdictOf(line), line.isSafe), cell(line.unitClass), {moneyWords(listOf(line.amount))},
          cell(line.key.empty() ? line.opRef : line.key), {instantText(line.keyUntil).value_or("–")}, cell(line.caseId),
          {withEarlier(line.reason, line.exportedBefore)}};
}

}  // namespace counterfoil
