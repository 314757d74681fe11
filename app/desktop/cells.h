// SPDX-License-Identifier: GPL-3.0-or-later
// What stands in a table of the window: texts made harmless and bounded, ready to be painted. Plain values;
// they are made on the thread of the store.
#pragma once

#include <QString>
#include <QStringList>
#include <optional>
#include <string_view>
#include <vector>

#include "core/base/money.h"
#include "core/judge/unit.h"

namespace counterfoil::desktop {

/// How much a cell asks for attention. The word stands beside the colour, always.
enum class Tone : std::uint8_t { Plain, Dim, Good, Low, Medium, High, Critical };
[[nodiscard]] Tone toneOf(Severity severity);

struct Cell {
  QString text;
  Tone tone = Tone::Plain;
  bool marked = false;      ///< with the mark of its tone before the text
};

struct Row {
  std::vector<Cell> cells;
  QString target;           ///< what opens: a case id, else a key or id; blank: nothing
};

struct Column {
  enum class Kind : std::uint8_t { Word, Number, Key, Sentence };
  QString title;
  Kind kind = Kind::Word;
  int width = 120;          ///< at first, in pixels of a 96 dpi screen
  bool sortable = false;
};

/// Texts of files may hold anything: control characters become visible, the length is bounded.
[[nodiscard]] QString shown(std::string_view text);
/// The same over several lines: line feeds stay.
[[nodiscard]] QString shownLines(std::string_view text);
/// For a tool tip, which Qt would take for rich text if it looked like it: escaped and bounded.
[[nodiscard]] QString tipOf(const QString& text);
/// For menus and buttons, where & marks a letter.
[[nodiscard]] QString withoutMnemonic(QString text);

[[nodiscard]] QString shownOrDash(const std::optional<std::string>& text);
[[nodiscard]] QString shownInstant(const std::string& iso);
[[nodiscard]] QString number(std::uint64_t value);
[[nodiscard]] QString moneyText(const std::vector<Money>& values);

}  // namespace counterfoil::desktop
