// SPDX-License-Identifier: GPL-3.0-or-later
// One line of a log taken apart: text, message, time, level and members, whatever it was wrapped in and whichever
// way it was written. Internal to importers/log.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "importers/log/log_text.h"
#include "importers/log/log_wrapper.h"
#include "importers/readers/json_row.h"

namespace counterfoil::logs {

/// What is known of the line at hand. Views are valid until the next one is taken.
struct LogContent {
  enum class Form : std::uint8_t { Text, Json, Logfmt, BrokenJson };
  Form form = Form::Text;
  LogLine line;
  std::string_view message, level;
  bool isInvalid = false;         ///< bytes that are no text were replaced

  // Where members come from, in this order; filled as far as they are asked for.
  std::vector<FieldView> own;     ///< of the JSON object that the line is
  std::vector<Pair> pairs;        ///< of the line, or of the message in it
  std::vector<FieldView> inner;   ///< of the JSON object that ends the line or its message
  std::vector<FieldView> outer;   ///< of the JSON object around the line
  bool hasInner = false, hasOuter = false, hasSearched = false;
  LogTime prefixTime;
  Arena arena;
};

class LogShape {
 public:
  explicit LogShape(const std::vector<std::string>& wanted);

  /// Takes a line; what was taken before is gone.
  void take(std::string_view line, LogContent& content) const;
  /// Takes a line of a container that was written in pieces: `text` is all of them, `first` the first as it lies.
  void takeJoined(std::string_view first, std::string_view text, LogContent& content) const;
  /// The container's part of a line, for joining. Blank if it is no container's.
  [[nodiscard]] std::string_view pieceText(std::string_view line, LogContent& content) const;

  /// The member that wanted[i] names.
  [[nodiscard]] FieldView member(std::size_t i, LogContent& content) const;
  /// The line's own time as far as it is one, else the carrier's; as written where it is not understood.
  [[nodiscard]] LogTime timeOf(LogContent& content) const;

 private:
  void clear(LogContent& content) const;
  void unwrap(LogContent& content) const;
  bool unwrapJson(LogContent& content) const;
  void takeForm(LogContent& content) const;
  void search(LogContent& content) const;
  [[nodiscard]] FieldView firstOf(std::size_t from, std::size_t count, const LogContent& content) const;
  [[nodiscard]] FieldView extra(std::size_t place, const LogContent& content) const;

  std::vector<std::string> m_names;   ///< wanted, then those that every line is asked for
  std::size_t m_extras = 0;           ///< where those begin
  JsonPaths m_paths;
};

}  // namespace counterfoil::logs
