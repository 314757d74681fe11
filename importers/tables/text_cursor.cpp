// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/tables/text_cursor.h"

#include <algorithm>

#include "importers/readers/text_reader.h"

namespace counterfoil::tables {

namespace {
constexpr std::size_t kBlockBytes = 64u << 10;
}

bool TextCursor::fill() {
  if (m_ended) return false;
  if (m_at >= kBlockBytes) {
    m_text.erase(0, m_at);
    m_base += m_at;
    m_at = 0;
  }
  if (m_cancel != nullptr && m_cancel->isCancelled()) {
    m_fault = Error{ErrorCode::Cancelled, "stopped"};
    m_ended = true;
    return false;
  }
  const Result<std::size_t> got = m_source.read(m_text, kBlockBytes);
  if (!got) m_fault = got.error();
  m_ended = !got || *got == 0;
  return !m_ended;
}

void TextCursor::skip(std::size_t count) {
  count = std::min(count, m_text.size() - m_at);
  m_line += countByte(std::string_view(m_text).substr(m_at, count), '\n');
  m_at += count;
}

bool TextCursor::line(std::string& out, std::size_t most, bool& tooLong) {
  out.clear();
  tooLong = false;
  bool any = false;
  m_sawLineEnd = false;
  for (std::string_view rest = held(); !rest.empty(); rest = held()) {
    any = true;
    const std::size_t end = rest.find('\n');
    const std::string_view part = rest.substr(0, end);
    tooLong = tooLong || out.size() + part.size() > most;
    if (!tooLong) out.append(part);
    m_sawLineEnd = end != std::string_view::npos;
    skip(m_sawLineEnd ? end + 1 : rest.size());
    if (m_sawLineEnd) break;
  }
  if (!out.empty() && out.back() == '\r') out.pop_back();
  return any;
}

void TextCursor::skipLine() {
  for (std::string_view rest = held(); !rest.empty(); rest = held()) {
    const std::size_t end = rest.find('\n');
    skip(end == std::string_view::npos ? rest.size() : end + 1);
    if (end != std::string_view::npos) return;
  }
}

}  // namespace counterfoil::tables
