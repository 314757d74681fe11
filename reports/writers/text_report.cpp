// SPDX-License-Identifier: GPL-3.0-or-later
// The report as text for a terminal or a mail, and as Markdown for a ticket.
#include <optional>

#include "core/base/text.h"
#include "reports/text/text_table.h"
#include "reports/writers/buffer.h"
#include "reports/writers/document.h"
#include "reports/writers/escape.h"

namespace counterfoil {
namespace {

class TextDocument final : public Document {
 public:
  TextDocument(Sink& sink, std::size_t width) : m_buffer(sink), m_style{width, false} {}
  void title(std::string_view text) override {
    const std::string shown = forTerminal(text);
    m_buffer << shown << "\n" << std::string(displayWidth(shown), '=') << "\n";
  }
  void heading(std::string_view text) override {
    const std::string shown = forTerminal(text);
    m_buffer << "\n" << shown << "\n" << std::string(displayWidth(shown), '-') << "\n";
  }
  void paragraph(std::string_view text) override {
    for (const std::string& line : wrapped(forTerminal(text), m_style.width)) m_buffer << line << "\n";
  }
  void beginTable(std::vector<DocumentColumn> columns) override {
    std::vector<TextColumn> table;
    for (DocumentColumn& column : columns) {
      const bool number = column.kind == DocumentColumn::Kind::Number, sentence = column.kind == DocumentColumn::Kind::Sentence;
      table.push_back({sentence ? "" : std::move(column.title), number ? TextColumn::Align::Right : TextColumn::Align::Left,
                       sentence ? TextColumn::Fit::Below : column.kind == DocumentColumn::Kind::Id ? TextColumn::Fit::Middle : TextColumn::Fit::Whole,
                       12});
    }
    m_table.emplace(std::move(table), 2);
  }
  void row(const std::vector<std::string>& cells) override {
    std::vector<TextCell> row;
    for (const std::string& cell : cells) row.push_back({forTerminal(cell)});
    m_table->add(std::move(row));
  }
  void endTable() override {
    if (!m_table->isEmpty()) m_table->print(m_style, true, m_buffer.text());
    m_table.reset();
  }
  Result<> pass() override { return m_buffer.pass(); }
  Result<> finish() { return m_buffer.finish(); }

 private:
  Buffer m_buffer;
  TextStyle m_style;
  std::optional<TextTable> m_table;
};

class MarkdownDocument final : public Document {
 public:
  explicit MarkdownDocument(Sink& sink) : m_buffer(sink) {}
  void title(std::string_view text) override { m_buffer << "# " << forMarkdown(text) << "\n"; }
  void heading(std::string_view text) override { m_buffer << "\n## " << forMarkdown(text) << "\n"; }
  void paragraph(std::string_view text) override { m_buffer << "\n" << forMarkdown(text) << "\n"; }
  void beginTable(std::vector<DocumentColumn> columns) override {
    m_head = "\n|";
    for (const DocumentColumn& column : columns) m_head += " " + forMarkdown(column.title) + " |";
    m_head += "\n|";
    for (const DocumentColumn& column : columns) m_head += column.kind == DocumentColumn::Kind::Number ? "--:|" : "---|";
    m_head += "\n";
  }
  void row(const std::vector<std::string>& cells) override {
    m_buffer << m_head << "|";   // the head of a table without rows is left out
    m_head.clear();
    for (const std::string& cell : cells) m_buffer << " " << forMarkdown(cell) << " |";
    m_buffer << "\n";
  }
  void endTable() override { m_head.clear(); }
  Result<> pass() override { return m_buffer.pass(); }
  Result<> finish() { return m_buffer.finish(); }

 private:
  Buffer m_buffer;
  std::string m_head;
};

}  // namespace

Result<> writeReportText(const ReportModel& model, const WriterOptions& options, Sink& sink) {
  TextDocument document(sink, options.width);
  if (auto ok = writeDocument(model, document); !ok) return ok;
  return document.finish();
}

Result<> writeMarkdown(const ReportModel& model, const WriterOptions&, Sink& sink) {
  MarkdownDocument document(sink);
  if (auto ok = writeDocument(model, document); !ok) return ok;
  return document.finish();
}

}  // namespace counterfoil
