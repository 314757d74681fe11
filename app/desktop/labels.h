// SPDX-License-Identifier: GPL-3.0-or-later
// Labels for texts that come from files: never rich text, never wider than their place.
#pragma once

#include <QFrame>
#include <QLabel>
#include <QPushButton>

#include "app/desktop/cells.h"

namespace counterfoil::desktop {

/// A label of plain text that wraps and can be marked and copied.
[[nodiscard]] QLabel* textLabel(const QString& text, QWidget* parent = nullptr);
[[nodiscard]] QLabel* dimLabel(const QString& text, QWidget* parent = nullptr);
/// `size`: of the letters, against those of the program.
void setLetters(QWidget* widget, double size, bool bold);
[[nodiscard]] QFont monospaced(const QFont& like);

/// One line, cut in the middle where it does not fit; its whole text is in the tool tip and is copied.
class ElidedLabel final : public QWidget {
  Q_OBJECT

 public:
  explicit ElidedLabel(QWidget* parent = nullptr);
  void setText(const QString& text);
  [[nodiscard]] QString text() const { return m_text; }
  void setTone(Tone tone);
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;

 private:
  QString m_text;
  Tone m_tone = Tone::Plain;
};

/// The mark of a severity, as a widget.
class MarkLabel final : public QWidget {
  Q_OBJECT

 public:
  explicit MarkLabel(QWidget* parent = nullptr);
  void setTone(Tone tone);
  [[nodiscard]] QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  Tone m_tone = Tone::Plain;
};

/// A number of the summary with what it means; opens where it comes from.
class Tile final : public QPushButton {
  Q_OBJECT

 public:
  explicit Tile(const QString& caption, QWidget* parent = nullptr);
  void setFacts(const QString& value, const QString& detail, Tone tone);
  [[nodiscard]] QString value() const;
  [[nodiscard]] QString detail() const;
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QLabel* m_value;
  QLabel* m_detail;
  MarkLabel* m_mark;
  QString m_caption;
};

/// A view's name at the side, with the number of what needs someone.
class SideButton final : public QPushButton {
  Q_OBJECT

 public:
  explicit SideButton(const QString& title, QWidget* parent = nullptr);
  void setCount(std::uint64_t count);
  [[nodiscard]] QString count() const { return m_count->text(); }

 private:
  QLabel* m_count;
};

/// A message across the window.
class NoteBar final : public QFrame {
  Q_OBJECT

 public:
  explicit NoteBar(QWidget* parent = nullptr);
  /// `action`: a button's text; blank: none.
  void say(Tone tone, const QString& text, const QString& action = {});
  [[nodiscard]] QString text() const { return m_text->text(); }
  [[nodiscard]] QPushButton* action() const { return m_action; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  Tone m_tone = Tone::Plain;
  MarkLabel* m_mark;
  QLabel* m_text;
  QPushButton* m_action;
};

}  // namespace counterfoil::desktop
