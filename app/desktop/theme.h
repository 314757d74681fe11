// SPDX-License-Identifier: GPL-3.0-or-later
// The looks of the program: one palette for light, one for dark, and few rules on top of the Fusion style.
// Everything that paints takes its colours from the palette it is given.
#pragma once

#include <QColor>
#include <QPalette>

#include "app/desktop/cells.h"

class QApplication;

namespace counterfoil::desktop {

enum class Scheme : std::uint8_t { System, Light, Dark };

/// Remembers what the system looked like before the program gave itself a palette.
class Theme {
 public:
  explicit Theme(QApplication& application);
  void apply(Scheme scheme);
  [[nodiscard]] Scheme scheme() const { return m_scheme; }

 private:
  QApplication& m_application;
  bool m_systemIsDark;
  Scheme m_scheme = Scheme::System;
};

[[nodiscard]] bool isDark(const QPalette& palette);
[[nodiscard]] QColor accentOf(const QPalette& palette);
[[nodiscard]] QColor borderOf(const QPalette& palette);
[[nodiscard]] QColor dimOf(const QPalette& palette);
[[nodiscard]] QColor colourOf(Tone tone, const QPalette& palette);
/// A wash of the tone's colour, for the ground of notes.
[[nodiscard]] QColor groundOf(Tone tone, const QPalette& palette);

}  // namespace counterfoil::desktop
