// SPDX-License-Identifier: GPL-3.0-or-later
// A page of HTML that needs nothing beside itself: style and script stand in it, and its policy lets nothing
// else run or load. Texts go through text(); raw() is for what this program wrote.
#pragma once

#include <string>
#include <string_view>

#include "reports/model/words.h"
#include "reports/writers/buffer.h"
#include "reports/writers/escape.h"

namespace counterfoil {

[[nodiscard]] std::string percentEncoded(std::string_view fileName);

class HtmlPage {
 public:
  HtmlPage(Sink& sink, const Words& words) : m_buffer(sink), m_words(words) {}

  /// Up to and with <body>.
  void begin(std::string_view title);
  /// The script and the end; hands on everything.
  Result<> end();
  Result<> pass() { return m_buffer.pass(); }

  HtmlPage& raw(std::string_view markup) {
    m_buffer << markup;
    return *this;
  }
  /// Harmless, and no longer than people read.
  HtmlPage& text(std::string_view text);
  HtmlPage& number(std::uint64_t value) { return text(m_words.number(value)); }
  [[nodiscard]] const Words& words() const { return m_words; }

 private:
  Buffer m_buffer;
  const Words& m_words;
};

}  // namespace counterfoil
