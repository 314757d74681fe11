// SPDX-License-Identifier: GPL-3.0-or-later
// Messages for the person who runs the program: a level and a line of text. Thread-safe.
#pragma once

#include <cstdint>
#include <mutex>
#include <string_view>

#include "reports/sink.h"

namespace counterfoil {

/// Values are those of syslog: the journal reads "<3>" at the start of a line.
enum class LogLevel : std::uint8_t { Error = 3, Warning = 4, Info = 6, Debug = 7 };

class Log {
 public:
  struct Options {
    LogLevel upTo = LogLevel::Warning;  ///< more talkative levels are dropped
    bool forJournal = false;            ///< prefix lines with their level (JOURNAL_STREAM is set)
  };

  Log(Sink& sink, Options options) : m_sink(sink), m_options(options) {}

  /// `text` may hold anything from files: control characters are made visible. Line feeds in it
  /// begin further lines of the same level.
  void write(LogLevel level, std::string_view text);
  void error(std::string_view text) { write(LogLevel::Error, text); }
  void warning(std::string_view text) { write(LogLevel::Warning, text); }
  void info(std::string_view text) { write(LogLevel::Info, text); }
  void debug(std::string_view text) { write(LogLevel::Debug, text); }

 private:
  std::mutex m_mutex;
  Sink& m_sink;
  Options m_options;
};

}  // namespace counterfoil
