// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/csv/csv_writer.h"

#include <array>
#include <charconv>

#include "core/base/text.h"

namespace counterfoil {

namespace {

void appendInteger(std::int64_t value, std::string& out) {
  std::array<char, 24> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  out.append(digits.data(), end);
}

void appendQuoted(std::string_view text, bool guard, std::string& out) {
  out += '"';
  if (guard) out += '\'';
  for (const char c : text) {
    if (c == '"') out += '"';
    // NUL ends the cell in many readers, escape sequences run on a terminal: neither belongs in a
    // table.
    const auto byte = static_cast<unsigned char>(c);
    const bool isControl = (byte < 0x20 && c != '\n' && c != '\r' && c != '\t') || byte == 0x7F;
    if (isControl) {
      out += "\xEF\xBF\xBD";
    } else {
      out += c;
    }
  }
  out += '"';
}

}  // namespace

void appendCsvText(std::string_view text, std::string& out) {
  if (text.empty()) return;
  if (!isValidUtf8(text)) {
    appendCsvText(toValidUtf8(text), out);
    return;
  }
  constexpr std::string_view formulaStarts = "=+-@\t\r";
  const bool guard = formulaStarts.find(text.front()) != std::string_view::npos;
  bool quote = text.front() == ' ' || text.back() == ' ';
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7F || c == '"' || c == ',') quote = true;
  }
  if (quote) {
    appendQuoted(text, guard, out);
    return;
  }
  if (guard) out += '\'';
  out += text;
}

void CsvWriter::separate() {
  if (!m_first) m_out += ',';
  m_first = false;
}

void CsvWriter::endLine() {
  m_out += "\r\n";
  m_first = true;
}

void CsvWriter::text(std::string_view, std::string_view value) {
  separate();
  appendCsvText(value, m_out);
}

void CsvWriter::textOrNull(std::string_view, const std::optional<std::string>& value) {
  separate();
  if (value) appendCsvText(*value, m_out);
}

void CsvWriter::integer(std::string_view, std::int64_t value) {
  separate();
  appendInteger(value, m_out);
}

void CsvWriter::integerOrNull(std::string_view, std::optional<std::int64_t> value) {
  separate();
  if (value) appendInteger(*value, m_out);
}

void CsvWriter::list(std::string_view, const std::vector<std::string>& values) {
  separate();
  if (values.size() == 1) {
    appendCsvText(values.front(), m_out);
    return;
  }
  m_joined.clear();
  for (const std::string& value : values) {
    if (!m_joined.empty()) m_joined += ' ';
    m_joined += value;
  }
  appendCsvText(m_joined, m_out);
}

void CsvWriter::money(std::string_view, const std::vector<Money>& values) {
  separate();
  bool first = true;
  for (const Money& value : values) {
    if (!first) m_out += ' ';
    first = false;
    m_out += value.currency.text();
    m_out += ' ';
    appendInteger(value.minor, m_out);
  }
}

void CsvHeader::add(std::string_view name) {
  if (!m_first) m_out += ',';
  m_first = false;
  m_out += name;
}

}  // namespace counterfoil
