// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/tables/row_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "core/base/text.h"

namespace counterfoil::tables {

namespace {

constexpr std::size_t kShownBytes = 80;
constexpr std::size_t kRawBytes = 2000;

bool isDigit(char c) { return c >= '0' && c <= '9'; }

std::size_t digitsAt(std::string_view text, std::size_t at) {
  std::size_t count = 0;
  while (at + count < text.size() && isDigit(text[at + count])) ++count;
  return count;
}

class RowsSource final : public ByteSource {
 public:
  RowsSource(std::unique_ptr<ByteSource> source, const std::function<std::unique_ptr<RowMaker>(ByteSource&)>& make)
      : m_source(std::move(source)), m_maker(make(*m_source)), m_nature(m_source->nature()) {
    m_nature.seekable = false;
  }
  [[nodiscard]] const FileNature& nature() const override { return m_nature; }
  Result<std::size_t> readAt(std::uint64_t, char*, std::size_t) const override {
    return fail(ErrorCode::Internal, "readAt on a file that is read as a stream");
  }

  Result<std::size_t> read(std::string& out, std::size_t count) override {
    std::string& made = m_maker->rows.text();
    while (m_given == made.size() && !m_fault && !m_ended && count > 0) {
      made.clear();
      m_given = 0;
      const Result<bool> more = m_maker->step();
      if (!more) m_fault = more.error();
      m_ended = more && !*more;
    }
    const std::size_t size = std::min(count, made.size() - m_given);
    out.append(made, m_given, size);
    m_given += size;
    if (size == 0 && count > 0 && m_fault) return fail(*m_fault);
    return size;
  }

 private:
  std::unique_ptr<ByteSource> m_source;
  std::unique_ptr<RowMaker> m_maker;
  FileNature m_nature;
  std::size_t m_given = 0;
  bool m_ended = false;
  std::optional<Error> m_fault;
};

}  // namespace

void appendJsonText(std::string& out, std::string_view text) {
  out += '"';
  std::size_t plain = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const auto byte = static_cast<unsigned char>(c);
    if (c != '"' && c != '\\' && byte >= 0x20) continue;
    out.append(text, plain, i - plain);
    plain = i + 1;
    if (byte < 0x20) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(byte));
    } else {
      out += '\\';
      out += c;
    }
  }
  out.append(text, plain, text.size() - plain);
  out += '"';
}

bool isJsonNumber(std::string_view text) {
  std::size_t at = !text.empty() && text[0] == '-' ? 1 : 0;
  const std::size_t whole = digitsAt(text, at);
  if (whole == 0 || (whole > 1 && text[at] == '0')) return false;
  at += whole;
  if (at < text.size() && text[at] == '.') {
    const std::size_t places = digitsAt(text, at + 1);
    if (places == 0) return false;
    at += 1 + places;
  }
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
    const std::size_t power = digitsAt(text, at);
    if (power == 0) return false;
    at += power;
  }
  return at == text.size();
}

std::string shown(std::string_view text) {
  const bool isCut = text.size() > kShownBytes;
  return forTerminal(toValidUtf8(text.substr(0, kShownBytes))) + (isCut ? "…" : "");
}

void RowLines::beginRow(std::uint64_t line) { m_text += fmt::format("\x16{}\x1F", line); }

void RowLines::defect(std::uint64_t line, std::string_view column, std::string_view value,
                      std::string_view reason, std::string_view raw) {
  const bool isCut = raw.size() > kRawBytes;
  beginRow(line);
  m_text += fmt::format("\x15{}\x1F{}\x1F{}\x1F{}{}\x1F\n", shown(column), shown(value), forTerminal(reason),
                        forTerminal(toValidUtf8(raw.substr(0, kRawBytes))), isCut ? "…" : "");
}

std::unique_ptr<ByteSource> sourceOfRows(std::unique_ptr<ByteSource> source,
                                         const std::function<std::unique_ptr<RowMaker>(ByteSource&)>& make) {
  return std::make_unique<RowsSource>(std::move(source), make);
}

}  // namespace counterfoil::tables
