// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/writers/html/page.h"

#include <span>

#include "core/base/embedded_file.h"
#include "core/base/hash.h"

namespace counterfoil {

std::span<const EmbeddedFile> embeddedReportAssets();  // made by the build from resources/report

namespace {

constexpr std::size_t kLongestText = 800;

std::string_view asset(std::string_view name) {
  for (const EmbeddedFile& file : embeddedReportAssets()) {
    if (file.name == name) return file.bytes;
  }
  return "";
}

int hexDigit(char c) { return c <= '9' ? c - '0' : c - 'a' + 10; }

std::string base64OfHex(std::string_view hex) {
  constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes, out;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) bytes += static_cast<char>(hexDigit(hex[i]) * 16 + hexDigit(hex[i + 1]));
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const auto at = [&](std::size_t k) { return k < bytes.size() ? static_cast<unsigned>(static_cast<unsigned char>(bytes[k])) : 0u; };
    const unsigned group = at(i) << 16 | at(i + 1) << 8 | at(i + 2);
    out += alphabet[group >> 18];
    out += alphabet[group >> 12 & 63];
    out += i + 1 < bytes.size() ? alphabet[group >> 6 & 63] : '=';
    out += i + 2 < bytes.size() ? alphabet[group & 63] : '=';
  }
  return out;
}

std::string sourceOf(std::string_view code) { return "'sha256-" + base64OfHex(sha256Hex(code)) + "'"; }

}  // namespace

std::string percentEncoded(std::string_view fileName) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  constexpr std::string_view unreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
  std::string out;
  for (const char c : fileName) {
    if (unreserved.find(c) != std::string_view::npos) {
      out += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    out += {'%', digits[byte >> 4], digits[byte & 15]};
  }
  return out;
}

void HtmlPage::begin(std::string_view title) {
  raw("<!doctype html>\n<html lang=").raw(codeOf(m_words.language())).raw("><head><meta charset=utf-8>\n");
  raw("<meta http-equiv=Content-Security-Policy content=\"default-src 'none'; style-src ").raw(sourceOf(asset("report.css")));
  raw("; script-src ").raw(sourceOf(asset("report.js"))).raw("; base-uri 'none'; form-action 'none'\">\n");
  raw("<meta name=viewport content=\"width=device-width,initial-scale=1\"><meta name=color-scheme content=\"light dark\">");
  raw("<meta name=referrer content=no-referrer><meta name=robots content=noindex><title>").text(title);
  raw("</title>\n<style>").raw(asset("report.css")).raw("</style></head>\n<body>\n");
}

Result<> HtmlPage::end() {
  raw("\n<script>").raw(asset("report.js")).raw("</script></body></html>\n");
  return m_buffer.finish();
}

HtmlPage& HtmlPage::text(std::string_view text) {
  if (text.size() <= kLongestText) {
    appendMarkup(text, m_buffer.text());
  } else {
    appendMarkup(shortened(text, kLongestText), m_buffer.text());
  }
  return *this;
}

}  // namespace counterfoil
