// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/time_line.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPolygonF>
#include <QToolTip>
#include <algorithm>

#include "app/desktop/lists.h"
#include "app/desktop/marks.h"
#include "app/desktop/theme.h"

namespace counterfoil::desktop {

namespace {

constexpr int kTracksMost = 4;
constexpr int kRowsShown = 9;
constexpr double kReach = 5.5;
constexpr int kLabelGap = 7;
constexpr int kRightRoom = 128;     // for the label of the last mark

QString isoSeconds(Instant at) {
  const std::string text = formatInstant(std::chrono::floor<std::chrono::seconds>(at));
  return QString::fromStdString(text).left(19).replace(QLatin1Char('T'), QLatin1Char(' '));
}

QString tipFor(const LifeEvent& event) {
  QStringList lines = {event.time ? isoSeconds(*event.time) + QStringLiteral(" UTC") : QStringLiteral("no time"),
                       laneWords(event.lane) + QStringLiteral(": ") + wordsOf(event.event)};
  if (!event.id.empty()) lines += shown(event.id);
  if (event.amount) lines += moneyText({*event.amount});
  if (!event.detail.empty()) lines += shown(event.detail);
  if (const std::string& where = event.place.empty() ? event.source : event.place; !where.empty()) lines += shown(where);
  return lines.join(QLatin1Char('\n'));
}

/// The class in words for people.
QString verdictOf(const Life& life, const LifeEvent& event) {
  for (const StoredUnit& unit : life.units) {
    if (unit.unit.id == event.id) return labelOf(unit);
  }
  return wordsOf(event.event);
}

}  // namespace

TimeLine::TimeLine(QWidget* parent) : QWidget(parent) {
  setFocusPolicy(Qt::StrongFocus);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setAccessibleName(tr("Time line"));
}

void TimeLine::setLife(const Life& life, Tone verdict) {
  m_lanes.clear();
  m_marks.clear();
  m_undated = 0;
  m_chosen = -1;
  std::vector<Instant> times;
  for (const std::string_view lane : lifeLanes()) {
    const auto inLane = [&](const LifeEvent& event) { return event.lane == lane; };
    if (std::none_of(life.events.begin(), life.events.end(), inLane)) continue;
    m_lanes.push_back({laneWords(lane), 1});
    for (std::size_t i = 0; i < life.events.size(); ++i) {
      const LifeEvent& event = life.events[i];
      if (event.lane != lane) continue;
      if (!event.time) {
        ++m_undated;
        continue;
      }
      times.push_back(*event.time);
      addMark(event, static_cast<int>(i), m_lanes.size() - 1, verdict);
      if (lane == "case") m_marks.back().label = verdictOf(life, event);
    }
  }
  placeTracks();
  m_axis = TimeAxis(std::move(times), 0, 0);
  setAccessibleDescription(tr("%1 events in %2 lanes; the table below says the same").arg(life.events.size()).arg(m_lanes.size()));
  updateGeometry();
  layOut();
}

/// The start and the end of a job are one mark.
TimeLine::Mark& TimeLine::markFor(const LifeEvent& event, int number, std::size_t lane) {
  if (event.lane == "attempt" && event.record) {
    const auto started = std::find_if(m_marks.rbegin(), m_marks.rend(), [&](const Mark& mark) {
      return mark.record == event.record;
    });
    if (started != m_marks.rend()) return *started;
  }
  Mark& mark = m_marks.emplace_back();
  mark.from = *event.time;
  mark.lane = lane;
  mark.firstEvent = number;
  mark.record = event.record;
  return mark;
}

/// The last event of a mark says how it went.
void TimeLine::addMark(const LifeEvent& event, int number, std::size_t lane, Tone verdict) {
  Mark& mark = markFor(event, number, lane);
  mark.to = *event.time;
  mark.lastEvent = number;
  mark.label = wordsOf(event.event);
  mark.tip = tipFor(event);
  giveShape(mark, event, verdict);
  if (event.lane != "effect") return;
  mark.label = shown(event.id);
  if (event.amount) mark.label += QStringLiteral("  ") + moneyText({*event.amount});
}

void TimeLine::giveShape(Mark& mark, const LifeEvent& event, Tone verdict) {
  const std::string& what = event.event;
  const auto has = [&](std::string_view word) { return what.find(word) != std::string::npos; };
  const bool dead = event.lane == "dead_letter";
  mark.shape = Shape::Disc;
  mark.tone = Tone::Plain;
  if (event.lane == "case") {
    mark.shape = Shape::Verdict;
    mark.tone = verdict;
  } else if (dead || has("failed") || what == "lost" || what == "dead") {
    mark.shape = dead ? Shape::Square : Shape::Cross;
    mark.tone = dead ? Tone::High : Tone::Critical;
  } else if (event.lane == "skip") {
    mark.shape = Shape::Diamond;
  } else if (has("pending") || what == "running" || what == "unknown" || what == "in_progress" || what == "open") {
    mark.shape = Shape::Ring;
  } else if (event.lane == "effect") {
    const bool back = has("reversal") || has("dispute");
    mark.shape = back ? Shape::Ring : Shape::Disc;
    mark.tone = back ? Tone::Dim : Tone::Good;
  }
}

void TimeLine::placeTracks() {
  std::stable_sort(m_marks.begin(), m_marks.end(), [](const Mark& a, const Mark& b) {
    return a.lane != b.lane ? a.lane < b.lane : a.from < b.from;
  });
  std::vector<Instant> ends;      // of the last mark in each track of the lane
  std::size_t lane = m_lanes.size();
  for (Mark& mark : m_marks) {
    if (mark.lane != lane) ends.clear();
    lane = mark.lane;
    const auto free = std::find_if(ends.begin(), ends.end(), [&](Instant end) { return end < mark.from; });
    mark.track = std::min(static_cast<int>(free - ends.begin()), kTracksMost - 1);
    if (free == ends.end() && ends.size() < kTracksMost) ends.push_back(mark.to);
    ends[static_cast<std::size_t>(mark.track)] = mark.to;
    m_lanes[lane].tracks = std::max(m_lanes[lane].tracks, mark.track + 1);
  }
}

void TimeLine::layOut() {
  m_gutter = 0;
  for (const Lane& lane : m_lanes) m_gutter = std::max(m_gutter, fontMetrics().horizontalAdvance(lane.title));
  m_gutter += 24;
  std::vector<Instant> times = m_axis.times();
  m_axis = TimeAxis(std::move(times), m_gutter + kReach + 4, std::max(width() - kRightRoom, m_gutter + 60));
  update();
}

void TimeLine::choose(int event) {
  m_chosen = event;
  update();
}

std::vector<QString> TimeLine::laneTitles() const {
  std::vector<QString> titles;
  for (const Lane& lane : m_lanes) titles.push_back(lane.title);
  return titles;
}

int TimeLine::rowHeight() const { return fontMetrics().height() + 9; }
int TimeLine::axisHeight() const { return fontMetrics().height() + 10; }

int TimeLine::rowCount() const {
  int rows = 0;
  for (const Lane& lane : m_lanes) rows += lane.tracks;
  return rows;
}

QSize TimeLine::sizeHint() const {
  return {600, axisHeight() + std::clamp(rowCount(), 1, kRowsShown) * rowHeight() + 6};
}

QSize TimeLine::minimumSizeHint() const { return {320, sizeHint().height()}; }

int TimeLine::laneTop(std::size_t lane) const {
  int top = axisHeight();
  for (std::size_t i = 0; i < lane && i < m_lanes.size(); ++i) top += m_lanes[i].tracks * rowHeight();
  return top;
}

QPointF TimeLine::endOf(const Mark& mark) const {
  return {m_axis.xOf(mark.to), laneTop(mark.lane) + mark.track * rowHeight() + rowHeight() / 2.0};
}

void TimeLine::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  paintGround(painter);
  paintAxis(painter);
  for (const Mark& mark : m_marks) paintMarkOf(painter, mark);
  for (const Mark& mark : m_marks) paintLabel(painter, mark);
  if (hasFocus()) {
    painter.setBrush(Qt::NoBrush);
    painter.setPen(accentOf(palette()));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
  }
}

void TimeLine::paintGround(QPainter& painter) const {
  for (std::size_t i = 0; i < m_lanes.size(); ++i) {
    const QRect room(0, laneTop(i), width(), m_lanes[i].tracks * rowHeight());
    painter.setPen(borderOf(palette()));
    painter.drawLine(room.topLeft(), room.topRight());
    painter.setPen(dimOf(palette()));
    painter.drawText(QRect(8, room.top(), m_gutter, rowHeight()), Qt::AlignLeft | Qt::AlignVCenter, m_lanes[i].title);
  }
}

/// The first time of a day in full, then clocks, as many as fit; in a fold how long it is.
void TimeLine::paintAxis(QPainter& painter) const {
  QFont small = font();
  small.setPointSizeF(small.pointSizeF() * 0.88);
  painter.setFont(small);
  const QFontMetrics metrics(small);
  const int bottom = laneTop(m_lanes.size());
  for (const TimeAxis::Stretch& stretch : m_axis.stretches()) {
    if (!stretch.folded) continue;
    const QRectF band(stretch.fromX + 9, axisHeight(), std::max(stretch.toX - stretch.fromX - 18, 2.0), bottom - axisHeight());
    QColor wash = borderOf(palette());
    wash.setAlphaF(0.35F);
    painter.fillRect(band, QBrush(wash, Qt::BDiagPattern));
    const QString words = QString::fromStdString(formatDuration(stretch.to - stretch.from));
    if (metrics.horizontalAdvance(words) + 4 > stretch.toX - stretch.fromX) continue;
    painter.setPen(dimOf(palette()));
    const QRectF box(band.center().x() - metrics.horizontalAdvance(words) / 2.0 - 3, band.bottom() - metrics.height() - 2,
                     metrics.horizontalAdvance(words) + 6, metrics.height());
    painter.fillRect(box, palette().color(QPalette::Base));
    painter.drawText(box, Qt::AlignCenter, words);
  }
  painter.setPen(dimOf(palette()));
  double free = m_gutter;
  QString day;
  for (const Instant at : m_axis.times()) {
    const QString whole = isoSeconds(at);
    const QString words = whole.left(10) == day ? whole.mid(11) : whole.mid(5);
    const double x = m_axis.xOf(at);
    const double left = std::min(std::max(x - kReach, static_cast<double>(m_gutter)), width() - 4.0 - metrics.horizontalAdvance(words));
    if (left < free) continue;
    painter.drawText(QPointF(left, metrics.ascent() + 4), words);
    painter.drawLine(QPointF(x, axisHeight() - 4), QPointF(x, axisHeight()));
    free = left + metrics.horizontalAdvance(words) + 12;
    day = whole.left(10);
  }
  painter.setFont(font());
}

void TimeLine::paintMarkOf(QPainter& painter, const Mark& mark) const {
  const QPointF end = endOf(mark);
  const QColor colour = colourOf(mark.tone, palette());
  if (mark.from != mark.to) {
    const double begin = m_axis.xOf(mark.from);
    QColor wash = dimOf(palette());
    wash.setAlphaF(0.35F);
    painter.setPen(Qt::NoPen);
    painter.setBrush(wash);
    painter.drawRoundedRect(QRectF(begin, end.y() - 4, std::max(end.x() - begin, 3.0), 8), 4, 4);
  }
  if (m_chosen >= 0 && (m_chosen == mark.firstEvent || m_chosen == mark.lastEvent)) {
    painter.setPen(QPen(accentOf(palette()), 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawEllipse(end, kReach + 4, kReach + 4);
  }
  const QRectF room(end.x() - kReach, end.y() - kReach, 2 * kReach, 2 * kReach);
  painter.setPen(QPen(palette().color(QPalette::Base), 1));
  painter.setBrush(colour);
  switch (mark.shape) {
    case Shape::Disc: painter.drawEllipse(end, kReach, kReach); break;
    case Shape::Square: painter.drawRect(room.adjusted(1, 1, -1, -1)); break;
    case Shape::Diamond:
      painter.drawPolygon(QPolygonF({end + QPointF(0, -kReach), end + QPointF(kReach, 0), end + QPointF(0, kReach),
                                     end + QPointF(-kReach, 0)}));
      break;
    case Shape::Ring:
      painter.setPen(QPen(colour, 2));
      painter.setBrush(palette().color(QPalette::Base));
      painter.drawEllipse(end, kReach - 1, kReach - 1);
      break;
    case Shape::Cross:
      painter.setPen(QPen(colour, 2.4, Qt::SolidLine, Qt::RoundCap));
      painter.drawLine(room.topLeft() + QPointF(1, 1), room.bottomRight() - QPointF(1, 1));
      painter.drawLine(room.topRight() + QPointF(-1, 1), room.bottomLeft() + QPointF(1, -1));
      break;
    case Shape::Verdict: paintMark(painter, room.adjusted(-1, -1, 1, 1), mark.tone, palette()); break;
  }
}

/// Beside the mark, as far as the next one lets it.
void TimeLine::paintLabel(QPainter& painter, const Mark& mark) const {
  const QPointF end = endOf(mark);
  double room = width() - 6 - end.x();
  const Mark* last = m_marks.data() + m_marks.size();
  for (const Mark* next = &mark + 1; next != last && next->lane == mark.lane; ++next) {
    if (next->track != mark.track) continue;
    const double begin = m_axis.xOf(next->from);
    if (begin <= end.x()) return;
    room = std::min(room, begin - end.x() - 2 * kReach - 4);
    break;
  }
  room -= kReach + kLabelGap;
  const QString words = fontMetrics().elidedText(mark.label, Qt::ElideMiddle, static_cast<int>(room));
  if (words.size() < std::min<qsizetype>(mark.label.size(), 4)) return;
  painter.setPen(mark.tone == Tone::Critical || mark.tone == Tone::High ? colourOf(mark.tone, palette())
                                                                        : palette().color(QPalette::Text));
  painter.drawText(QRectF(end.x() + kReach + kLabelGap, end.y() - rowHeight() / 2.0, room + 2, rowHeight()),
                   Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, words);
}

const TimeLine::Mark* TimeLine::markAt(const QPointF& at) const {
  const Mark* nearest = nullptr;
  double best = 12;
  for (const Mark& mark : m_marks) {
    const QPointF end = endOf(mark);
    if (std::abs(end.y() - at.y()) > rowHeight() / 2.0) continue;
    const double begin = m_axis.xOf(mark.from);
    const double away = at.x() < begin ? begin - at.x() : at.x() > end.x() ? at.x() - end.x() : 0;
    if (away < best || (away == best && nearest == nullptr)) {
      best = away;
      nearest = &mark;
    }
  }
  return nearest;
}

void TimeLine::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  layOut();
}

void TimeLine::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() != QEvent::FontChange && event->type() != QEvent::StyleChange) return;
  updateGeometry();
  layOut();
}

void TimeLine::mousePressEvent(QMouseEvent* event) {
  const Mark* mark = markAt(event->position());
  if (mark == nullptr) return;
  choose(mark->lastEvent);
  Q_EMIT chosen(mark->lastEvent);
}

/// Left and right go through the marks in order of time.
void TimeLine::keyPressEvent(QKeyEvent* event) {
  const int step = event->key() == Qt::Key_Right ? 1 : event->key() == Qt::Key_Left ? -1 : 0;
  if (step == 0 || m_marks.empty()) {
    QWidget::keyPressEvent(event);
    return;
  }
  std::vector<int> events;
  for (const Mark& mark : m_marks) events.push_back(mark.lastEvent);
  std::sort(events.begin(), events.end());
  const auto at = step > 0 ? std::upper_bound(events.begin(), events.end(), m_chosen)
                           : std::lower_bound(events.begin(), events.end(), m_chosen);
  if (step > 0 && at == events.end()) return;
  if (step < 0 && at == events.begin()) return;
  choose(step > 0 ? *at : *std::prev(at));
  Q_EMIT chosen(m_chosen);
}

bool TimeLine::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  if (const Mark* mark = markAt(help->pos())) {
    QToolTip::showText(help->globalPos(), tipOf(mark->tip), this);
  } else {
    QToolTip::hideText();
  }
  return true;
}

}  // namespace counterfoil::desktop
