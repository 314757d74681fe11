// SPDX-License-Identifier: GPL-3.0-or-later
// A console of strings: commands run in the test's process, with its own environment, clock and
// signals.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/batch/program.h"

namespace counterfoil::testing {

class TestConsole {
 public:
  std::map<std::string, std::string> variables;
  Interrupt interrupt;
  Instant clock = std::chrono::sys_days{std::chrono::year{2026} / 4 / 8} + std::chrono::hours{6};
  bool outIsTerminal = false;
  bool errIsTerminal = false;
  std::size_t width = 100;

  /// Runs "match --local a.csv": words are separated by single spaces.
  int run(const std::string& line) {
    std::vector<std::string> words;
    for (std::size_t begin = 0; begin < line.size();) {
      const std::size_t end = std::min(line.find(' ', begin), line.size());
      words.push_back(line.substr(begin, end - begin));
      begin = end + 1;
    }
    return run(words);
  }

  int run(const std::vector<std::string>& words) {
    StringSink outSink;
    StringSink errSink;
    Console console{outSink,
                    errSink,
                    interrupt,
                    outIsTerminal,
                    errIsTerminal,
                    width,
                    [this](std::string_view name) -> std::optional<std::string> {
                      const auto found = variables.find(std::string(name));
                      if (found == variables.end()) return std::nullopt;
                      return found->second;
                    },
                    [this] { return clock; }};
    const int code = runProgram(words, console);
    m_out = outSink.text();
    m_err = errSink.text();
    return code;
  }

  [[nodiscard]] const std::string& out() const { return m_out; }
  [[nodiscard]] const std::string& err() const { return m_err; }

 private:
  std::string m_out, m_err;
};

}  // namespace counterfoil::testing
