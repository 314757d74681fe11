// SPDX-License-Identifier: GPL-3.0-or-later
// Rows as the reader of transcoded rows takes them: a line of JSON each, which says in which line of the
// file it begins. Internal to importers/tables.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "importers/source/byte_source.h"

namespace counterfoil::tables {

/// "text" with its quotes. Requires valid UTF-8.
void appendJsonText(std::string& out, std::string_view text);
[[nodiscard]] bool isJsonNumber(std::string_view text);
/// A text for messages: short, harmless on terminals.
[[nodiscard]] std::string shown(std::string_view text);

class RowLines {
 public:
  /// Begins a row; append its JSON object to text(), then endRow().
  void beginRow(std::uint64_t line);
  void endRow() { m_text += '\n'; }
  /// A row that cannot be read.
  void defect(std::uint64_t line, std::string_view column, std::string_view value, std::string_view reason,
              std::string_view raw);
  /// A sign of life where much is read that gives no rows: whoever reads can stop then.
  void blank() { m_text += '\n'; }
  std::string& text() { return m_text; }

 private:
  std::string m_text;
};

/// Makes rows of a text, a few at a time.
class RowMaker {
 public:
  virtual ~RowMaker() = default;
  /// Reads on until there is something in rows.text(), or it has ended: false. An Error ends it too; rows
  /// that were made before it count.
  virtual Result<bool> step() = 0;
  RowLines rows;
};

/// A source of what `make` makes of `source`. It is no longer seekable.
[[nodiscard]] std::unique_ptr<ByteSource> sourceOfRows(
    std::unique_ptr<ByteSource> source, const std::function<std::unique_ptr<RowMaker>(ByteSource&)>& make);

}  // namespace counterfoil::tables
