// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/labels.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>
#include <QVBoxLayout>

#include "app/desktop/marks.h"
#include "app/desktop/theme.h"

namespace counterfoil::desktop {

QLabel* textLabel(const QString& text, QWidget* parent) {
  auto* label = new QLabel(parent);
  label->setTextFormat(Qt::PlainText);
  label->setWordWrap(true);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  label->setText(text);
  return label;
}

QLabel* dimLabel(const QString& text, QWidget* parent) {
  auto* label = textLabel(text, parent);
  label->setProperty("dim", true);
  return label;
}

void setLetters(QWidget* widget, double size, bool bold) {
  QFont font = QApplication::font();
  font.setPointSizeF(font.pointSizeF() * size);
  if (bold) font.setWeight(QFont::DemiBold);
  widget->setFont(font);
}

QFont monospaced(const QFont& like) {
  QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
  font.setPointSizeF(like.pointSizeF());
  font.setWeight(static_cast<QFont::Weight>(like.weight()));
  return font;
}

ElidedLabel::ElidedLabel(QWidget* parent) : QWidget(parent) {
  setFocusPolicy(Qt::StrongFocus);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
}

void ElidedLabel::setText(const QString& text) {
  m_text = text;
  setToolTip(tipOf(text));
  setAccessibleName(text);
  updateGeometry();
  update();
}

void ElidedLabel::setTone(Tone tone) {
  m_tone = tone;
  update();
}

QSize ElidedLabel::sizeHint() const {
  constexpr int widest = 700;
  return {std::min(fontMetrics().horizontalAdvance(m_text) + 4, widest), fontMetrics().height() + 4};
}

QSize ElidedLabel::minimumSizeHint() const { return {60, fontMetrics().height() + 4}; }

void ElidedLabel::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setPen(colourOf(m_tone, palette()));
  painter.drawText(rect(), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                   fontMetrics().elidedText(m_text, Qt::ElideMiddle, width()));
  if (!hasFocus()) return;
  painter.setPen(accentOf(palette()));
  painter.drawLine(0, height() - 1, std::min(width(), fontMetrics().horizontalAdvance(m_text)), height() - 1);
}

void ElidedLabel::keyPressEvent(QKeyEvent* event) {
  if (!event->matches(QKeySequence::Copy)) {
    QWidget::keyPressEvent(event);
    return;
  }
  QApplication::clipboard()->setText(m_text);
}

void ElidedLabel::contextMenuEvent(QContextMenuEvent* event) {
  QMenu menu(this);
  if (menu.addAction(tr("Copy")) == menu.exec(event->globalPos())) QApplication::clipboard()->setText(m_text);
}

MarkLabel::MarkLabel(QWidget* parent) : QWidget(parent) {
  setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

void MarkLabel::setTone(Tone tone) {
  m_tone = tone;
  update();
}

QSize MarkLabel::sizeHint() const {
  const int side = fontMetrics().height() * 4 / 5;
  return {side, side};
}

void MarkLabel::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  paintMark(painter, QRectF(rect()).adjusted(1, 1, -1, -1), m_tone, palette());
}

Tile::Tile(const QString& caption, QWidget* parent)
    : QPushButton(parent), m_value(textLabel({}, this)), m_detail(dimLabel({}, this)), m_mark(new MarkLabel(this)), m_caption(caption) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  setCursor(Qt::PointingHandCursor);
  for (QLabel* label : {m_value, m_detail}) {
    label->setTextInteractionFlags(Qt::NoTextInteraction);
    label->setAttribute(Qt::WA_TransparentForMouseEvents);
  }
  m_value->setWordWrap(false);
  setLetters(m_value, 1.7, true);
  setLetters(m_detail, 0.92, false);
  auto* top = new QHBoxLayout;
  QLabel* title = dimLabel(caption, this);
  title->setAttribute(Qt::WA_TransparentForMouseEvents);
  title->setTextInteractionFlags(Qt::NoTextInteraction);
  top->addWidget(title, 1);
  top->addWidget(m_mark);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(14, 10, 12, 10);
  layout->setSpacing(2);
  layout->addLayout(top);
  layout->addWidget(m_value);
  layout->addWidget(m_detail);
  layout->addStretch(1);
}

void Tile::setFacts(const QString& value, const QString& detail, Tone tone) {
  m_value->setText(value);
  m_detail->setText(detail);
  m_mark->setTone(tone);
  m_mark->setVisible(tone != Tone::Plain);
  setAccessibleName(m_caption + QStringLiteral(": ") + value + QStringLiteral(", ") + detail);
}

QString Tile::value() const { return m_value->text(); }
QString Tile::detail() const { return m_detail->text(); }
QSize Tile::sizeHint() const { return layout()->sizeHint(); }
QSize Tile::minimumSizeHint() const { return {96, layout()->minimumSize().height()}; }

void Tile::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(hasFocus() ? accentOf(palette()) : underMouse() ? dimOf(palette()) : borderOf(palette()));
  painter.setBrush(palette().color(QPalette::Base));
  painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 8, 8);
}

SideButton::SideButton(const QString& title, QWidget* parent) : QPushButton(title, parent), m_count(dimLabel({}, this)) {
  setCheckable(true);
  m_count->setWordWrap(false);
  m_count->setTextInteractionFlags(Qt::NoTextInteraction);
  m_count->setAttribute(Qt::WA_TransparentForMouseEvents);
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(10, 0, 10, 0);
  layout->addStretch(1);
  layout->addWidget(m_count);
}

void SideButton::setCount(std::uint64_t count) {
  m_count->setText(count == 0 ? QString() : number(count));
  setAccessibleName(count == 0 ? text() : text() + QStringLiteral(", ") + number(count));
}

NoteBar::NoteBar(QWidget* parent)
    : QFrame(parent), m_mark(new MarkLabel(this)), m_text(textLabel({}, this)), m_action(new QPushButton(this)) {
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(16, 8, 12, 8);
  layout->setSpacing(10);
  layout->addWidget(m_mark, 0, Qt::AlignTop);
  layout->addWidget(m_text, 1);
  layout->addWidget(m_action, 0, Qt::AlignVCenter);
  hide();
}

void NoteBar::say(Tone tone, const QString& text, const QString& action) {
  m_tone = tone;
  m_mark->setTone(tone);
  m_text->setText(text);
  m_action->setText(action);
  m_action->setVisible(!action.isEmpty());
  setVisible(!text.isEmpty());
}

void NoteBar::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), palette().color(QPalette::Base));
  painter.fillRect(rect(), groundOf(m_tone, palette()));
  painter.setPen(borderOf(palette()));
  painter.drawLine(rect().bottomLeft(), rect().bottomRight());
}

}  // namespace counterfoil::desktop
