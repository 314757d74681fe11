// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/writers/escape.h"

#include <algorithm>

#include "core/base/text.h"

namespace counterfoil {
namespace {

bool isTame(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x20 && byte < 0x7f && c != '&' && c != '<' && c != '>' && c != '"' && c != '\'';
}

void appendEscaped(std::string_view text, std::string& out) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    switch (text[i]) {
      case '&': out += "&amp;"; continue;
      case '<': out += "&lt;"; continue;
      case '>': out += "&gt;"; continue;
      case '"': out += "&quot;"; continue;
      case '\'': out += "&#39;"; continue;
      default: break;
    }
    const std::string_view three = text.substr(i, 3);
    if (three == "\xEF\xBF\xBE" || three == "\xEF\xBF\xBF") {   // no characters, and forbidden in XML
      out += "\xEF\xBF\xBD";
      i += 2;
    } else {
      out += text[i];
    }
  }
}

}  // namespace

void appendMarkup(std::string_view text, std::string& out) {
  if (std::all_of(text.begin(), text.end(), isTame)) {
    out += text;
  } else {
    appendEscaped(forTerminal(text), out);
  }
}

std::string forMarkup(std::string_view text) {
  std::string out;
  appendMarkup(text, out);
  return out;
}

std::string forMarkdown(std::string_view text) {
  std::string out;
  for (const char c : forTerminal(text)) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '\\': case '`': case '*': case '_': case '{': case '}': case '[': case ']': case '(': case ')': case '#':
      case '+': case '!': case '|': case '~': case '@':
        out += '\\';
        [[fallthrough]];
      default: out += c;
    }
  }
  return out;
}

std::string shortened(std::string_view text, std::size_t bytes) {
  if (text.size() <= bytes) return std::string(text);
  std::size_t end = bytes;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
  return std::string(text.substr(0, end)) + "…";
}

}  // namespace counterfoil
