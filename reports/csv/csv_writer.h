// SPDX-License-Identifier: GPL-3.0-or-later
// Writes lines as CSV: RFC 4180 (comma, CRLF, quotes doubled), UTF-8 without a byte order mark.
// Lists are joined by spaces; money is "USD 1500" (currency, minor units), several sums joined by
// spaces. A cell that a spreadsheet could take for a formula (first character = + - @ TAB or CR)
// gets a leading apostrophe; columns of numbers and of money are ours and stay as they are. Not
// thread-safe.
#pragma once

#include <string>
#include <string_view>

#include "reports/list/line.h"

namespace counterfoil {

/// Appends a text cell: made harmless, valid UTF-8, quoted where needed.
void appendCsvText(std::string_view text, std::string& out);

class CsvWriter final : public LineVisitor {
 public:
  explicit CsvWriter(std::string& out) : m_out(out) {}

  /// Call after the members of each line.
  void endLine();

  void text(std::string_view name, std::string_view value) override;
  void textOrNull(std::string_view name, const std::optional<std::string>& value) override;
  void integer(std::string_view name, std::int64_t value) override;
  void integerOrNull(std::string_view name, std::optional<std::int64_t> value) override;
  void list(std::string_view name, const std::vector<std::string>& values) override;
  void money(std::string_view name, const std::vector<Money>& values) override;

 private:
  void separate();

  std::string& m_out;
  std::string m_joined;
  bool m_first = true;
};

/// The header line of the same members.
class CsvHeader final : public LineVisitor {
 public:
  explicit CsvHeader(std::string& out) : m_out(out) {}
  void endLine() { m_out += "\r\n"; }

  void text(std::string_view name, std::string_view) override { add(name); }
  void textOrNull(std::string_view name, const std::optional<std::string>&) override { add(name); }
  void integer(std::string_view name, std::int64_t) override { add(name); }
  void integerOrNull(std::string_view name, std::optional<std::int64_t>) override { add(name); }
  void list(std::string_view name, const std::vector<std::string>&) override { add(name); }
  void money(std::string_view name, const std::vector<Money>&) override { add(name); }

 private:
  void add(std::string_view name);

  std::string& m_out;
  bool m_first = true;
};

}  // namespace counterfoil
