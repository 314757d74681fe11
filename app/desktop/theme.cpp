// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/theme.h"

#include <QApplication>
#include <QFont>
#include <QStyleFactory>

namespace counterfoil::desktop {

namespace {

struct Colours {
  QRgb window, base, raised, border, text, dim, accent, soft, critical, high;
};

constexpr Colours kLight = {0xfff4f5f7, 0xffffffff, 0xfffafbfc, 0xffdde1e6, 0xff1a1e24, 0xff5a6472,
                            0xff1f5bc4, 0xffe3ecfb, 0xffb8390e, 0xff9a5b00};
constexpr Colours kDark = {0xff14171b, 0xff1a1e23, 0xff20252b, 0xff313840, 0xffe4e8ed, 0xff98a3b1,
                           0xff82aaff, 0xff25385c, 0xffff8f66, 0xfff0b453};

const Colours& coloursOf(bool dark) { return dark ? kDark : kLight; }

QPalette paletteOf(const Colours& colours) {
  QPalette palette;
  const auto set = [&](QPalette::ColorRole role, QRgb rgb) { palette.setColor(role, QColor::fromRgb(rgb)); };
  set(QPalette::Window, colours.window);
  set(QPalette::Base, colours.base);
  set(QPalette::AlternateBase, colours.raised);
  set(QPalette::Button, colours.raised);
  set(QPalette::Mid, colours.border);
  set(QPalette::Midlight, colours.border);
  set(QPalette::Dark, colours.border);
  set(QPalette::Light, colours.raised);
  set(QPalette::Shadow, colours.window);
  for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::HighlightedText,
                          QPalette::BrightText, QPalette::ToolTipText}) {
    set(role, colours.text);
  }
  set(QPalette::ToolTipBase, colours.raised);
  set(QPalette::PlaceholderText, colours.dim);
  set(QPalette::Link, colours.accent);
  set(QPalette::LinkVisited, colours.accent);
  set(QPalette::Highlight, colours.soft);
  for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText}) {
    palette.setColor(QPalette::Disabled, role, QColor::fromRgb(colours.dim));
  }
  return palette;
}

QString hex(QRgb rgb) { return QColor::fromRgb(rgb).name(); }

QString styleSheetOf(const Colours& colours) {
  const QString sheet = QStringLiteral(R"(
QToolTip { color: {text}; background: {raised}; border: 1px solid {border}; padding: 4px; }
QMainWindow, QStackedWidget, QScrollArea, QScrollArea > QWidget > QWidget { background: {window}; border: none; }
QFrame#card { background: {base}; border: 1px solid {border}; border-radius: 8px; }
QFrame#sideBar { background: {base}; border: none; border-right: 1px solid {border}; }
QFrame#topBar { background: {base}; border: none; border-bottom: 1px solid {border}; }
QLabel { background: transparent; }
QLabel[dim="true"] { color: {dim}; }
QLabel[chip="true"] { color: {dim}; background: {raised}; border: 1px solid {border}; border-radius: 8px;
  padding: 1px 7px; }
QTableView { background: {base}; border: 1px solid {border}; border-radius: 8px; outline: none;
  selection-background-color: {soft}; selection-color: {text}; }
QTableView[flat="true"] { border: none; border-radius: 0; background: transparent; }
QTableView:focus { border-color: {accent}; }
QHeaderView { background: transparent; border: none; }
QHeaderView::section { background: transparent; color: {dim}; border: none; border-bottom: 1px solid {border};
  padding: 5px 8px; }
QTableCornerButton::section { background: transparent; border: none; }
QLineEdit, QPlainTextEdit { background: {base}; color: {text}; border: 1px solid {border}; border-radius: 6px;
  padding: 4px 8px; selection-background-color: {soft}; selection-color: {text}; }
QLineEdit:focus, QPlainTextEdit:focus { border-color: {accent}; }
QPushButton, QToolButton { background: {base}; color: {text}; border: 1px solid {border}; border-radius: 6px;
  padding: 4px 10px; }
QToolButton::menu-indicator { image: none; }
QPushButton:hover, QToolButton:hover { background: {raised}; border-color: {dim}; }
QPushButton:focus, QToolButton:focus { border-color: {accent}; }
QPushButton:disabled, QToolButton:disabled { color: {dim}; }
QPushButton[primary="true"] { background: {accent}; color: {base}; border-color: {accent}; }
QPushButton[link="true"] { background: transparent; border: none; color: {accent}; padding: 0; text-align: left; }
QPushButton[link="true"]:hover, QPushButton[link="true"]:focus { text-decoration: underline; }
QFrame#sideBar QPushButton { background: transparent; border: 1px solid transparent; border-radius: 6px;
  padding: 7px 10px; text-align: left; }
QFrame#sideBar QPushButton:hover { background: {raised}; }
QFrame#sideBar QPushButton:focus { border-color: {accent}; }
QFrame#sideBar QPushButton:checked { background: {soft}; color: {accent}; font-weight: 600; }
QAbstractScrollArea::corner { background: transparent; border: none; }
QSplitter::handle { background: transparent; }
QStatusBar { background: {base}; border-top: 1px solid {border}; color: {dim}; }
QStatusBar::item { border: none; }
QMenuBar { background: {base}; color: {text}; }
QMenuBar::item { background: transparent; padding: 4px 8px; }
QMenuBar::item:selected { background: {soft}; border-radius: 4px; }
QMenu { background: {base}; color: {text}; border: 1px solid {border}; padding: 4px; }
QMenu::item { padding: 5px 22px; border-radius: 4px; }
QMenu::item:selected { background: {soft}; color: {text}; }
QMenu::item:disabled { color: {dim}; }
QMenu::separator { height: 1px; background: {border}; margin: 4px 8px; }
QScrollBar:vertical { background: transparent; width: 11px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: 11px; margin: 0; }
QScrollBar::handle { background: {border}; border-radius: 4px; margin: 2px; min-height: 28px; min-width: 28px; }
QScrollBar::handle:hover { background: {dim}; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
)");
  QString out = sheet;
  const std::pair<const char*, QRgb> names[] = {
      {"{window}", colours.window}, {"{base}", colours.base}, {"{raised}", colours.raised},
      {"{border}", colours.border}, {"{text}", colours.text}, {"{dim}", colours.dim},
      {"{accent}", colours.accent}, {"{soft}", colours.soft}};
  for (const auto& [name, rgb] : names) out.replace(QLatin1String(name), hex(rgb));
  return out;
}

}  // namespace

Theme::Theme(QApplication& application) : m_application(application), m_systemIsDark(isDark(application.palette())) {
  application.setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
  QFont font = application.font();
  constexpr double smallest = 10;   // where no desktop says how large letters are
  if (font.pointSizeF() < smallest) font.setPointSizeF(smallest);
  application.setFont(font);
  apply(Scheme::System);
}

void Theme::apply(Scheme scheme) {
  m_scheme = scheme;
  const bool dark = scheme == Scheme::Dark || (scheme == Scheme::System && m_systemIsDark);
  m_application.setPalette(paletteOf(coloursOf(dark)));
  m_application.setStyleSheet(styleSheetOf(coloursOf(dark)));
}

bool isDark(const QPalette& palette) {
  constexpr int middle = 128;   // of the letters: a ground may be transparent
  return palette.color(QPalette::WindowText).lightness() > middle;
}

QColor accentOf(const QPalette& palette) { return palette.color(QPalette::Link); }
QColor borderOf(const QPalette& palette) { return palette.color(QPalette::Mid); }
QColor dimOf(const QPalette& palette) { return palette.color(QPalette::PlaceholderText); }

QColor colourOf(Tone tone, const QPalette& palette) {
  const Colours& colours = coloursOf(isDark(palette));
  switch (tone) {
    case Tone::Critical: return QColor::fromRgb(colours.critical);
    case Tone::High: return QColor::fromRgb(colours.high);
    case Tone::Dim:
    case Tone::Low: return dimOf(palette);
    case Tone::Good: return accentOf(palette);
    case Tone::Plain:
    case Tone::Medium: break;
  }
  return palette.color(QPalette::Text);
}

QColor groundOf(Tone tone, const QPalette& palette) {
  QColor colour = tone == Tone::Plain || tone == Tone::Good ? accentOf(palette) : colourOf(tone, palette);
  colour.setAlphaF(isDark(palette) ? 0.16F : 0.09F);
  return colour;
}

}  // namespace counterfoil::desktop
