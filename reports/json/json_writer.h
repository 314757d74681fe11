// SPDX-License-Identifier: GPL-3.0-or-later
// Writes JSON into a buffer: members in the order given, complete escaping, always valid UTF-8
// (invalid bytes become U+FFFD), integers only (no number of ours is a fraction). Not thread-safe.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/money.h"
#include "reports/list/line.h"

namespace counterfoil {

/// Appends `text` as a JSON string. '<', '>' and '&' stay; control characters, DEL and U+2028/2029
/// are escaped, so that the bytes are harmless in a terminal and in a script.
void appendJsonString(std::string_view text, std::string& out);

class JsonWriter final : public LineVisitor {
 public:
  /// `brokenLevels`: how many outer levels put each element on a line of its own; 0 = all on one
  /// line.
  explicit JsonWriter(std::string& out, int brokenLevels = 0)
      : m_out(out), m_brokenLevels(brokenLevels) {}

  void beginObject();
  void endObject();
  void beginArray();
  void endArray();
  void key(std::string_view name);
  void string(std::string_view value);
  void number(std::int64_t value);
  void boolean(bool value);
  void null();
  void moneyArray(const std::vector<Money>& values);  ///< [{"currency": "USD", "minor": 1500}]

  void text(std::string_view name, std::string_view value) override;
  void textOrNull(std::string_view name, const std::optional<std::string>& value) override;
  void integer(std::string_view name, std::int64_t value) override;
  void integerOrNull(std::string_view name, std::optional<std::int64_t> value) override;
  void list(std::string_view name, const std::vector<std::string>& values) override;
  void money(std::string_view name, const std::vector<Money>& values) override;

 private:
  void separate();
  void open(char bracket);
  void close(char bracket);
  void breakLine();

  std::string& m_out;
  int m_brokenLevels;
  std::vector<bool> m_hasElements;  ///< by open bracket
  bool m_afterKey = false;
};

}  // namespace counterfoil
