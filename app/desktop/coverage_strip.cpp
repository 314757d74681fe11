// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/coverage_strip.h"

#include <QPainter>
#include <algorithm>

#include "app/desktop/cells.h"
#include "app/desktop/theme.h"

namespace counterfoil::desktop {

namespace {

constexpr std::size_t kLinesMost = 24;
constexpr int kGutter = 150;

double secondsBetween(Instant from, Instant to) { return std::chrono::duration<double>(to - from).count(); }

}  // namespace

CoverageStrip::CoverageStrip(QWidget* parent) : QWidget(parent) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setAccessibleName(tr("Covered times; the table says the same"));
}

void CoverageStrip::setCoverage(const RunResult& result, const Coverage& coverage) {
  m_lines.clear();
  m_asOf = result.asOf;
  m_from = m_to = result.asOf;
  for (std::size_t i = 0; i < result.sources.size() && m_lines.size() < kLinesMost; ++i) {
    const SourceReport& source = result.sources[i];
    Line line{shown(source.name), {}, source.rows > 0};
    const auto known = coverage.bySource.find(SourceId{static_cast<std::uint16_t>(i)});
    if (known != coverage.bySource.end()) line.intervals = known->second;
    if (line.intervals.empty() && source.from && source.to) line.intervals = {{*source.from, *source.to}};
    for (const Interval& interval : line.intervals) {
      m_from = std::min(m_from, interval.from);
      m_to = std::max(m_to, interval.to);
    }
    m_lines.push_back(std::move(line));
  }
  updateGeometry();
  update();
}

QSize CoverageStrip::sizeHint() const {
  const int line = fontMetrics().height() + 6;
  return {400, static_cast<int>(m_lines.size() + 1) * line + 8};
}

void CoverageStrip::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const int line = fontMetrics().height() + 6;
  const double left = kGutter;
  const double wide = width() - left - 12;
  const double span = std::max(secondsBetween(m_from, m_to), 1.0);
  const auto xOf = [&](Instant at) { return left + wide * secondsBetween(m_from, at) / span; };
  for (std::size_t i = 0; i < m_lines.size(); ++i) {
    const double top = static_cast<double>(i) * line + 4;
    painter.setPen(palette().color(QPalette::Text));
    painter.drawText(QRectF(10, top, kGutter - 20, line), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                     fontMetrics().elidedText(m_lines[i].name, Qt::ElideMiddle, kGutter - 20));
    const QRectF ground(left, top + line / 2.0 - 4, wide, 8);
    painter.setPen(Qt::NoPen);
    painter.setBrush(QBrush(borderOf(palette()), Qt::BDiagPattern));
    painter.drawRoundedRect(ground, 3, 3);
    QColor colour = accentOf(palette());
    colour.setAlphaF(0.75F);
    painter.setBrush(colour);
    for (const Interval& interval : m_lines[i].intervals) {
      const double from = xOf(interval.from);
      painter.drawRoundedRect(QRectF(from, ground.top(), std::max(xOf(interval.to) - from, 2.0), 8), 3, 3);
    }
  }
  const double bottom = static_cast<double>(m_lines.size()) * line + 4;
  painter.setPen(dimOf(palette()));
  const QRectF axis(left, bottom, wide, line);
  const auto day = [](Instant at) { return QString::fromStdString(formatInstant(at)).left(16).replace(QLatin1Char('T'), QLatin1Char(' ')); };
  painter.drawText(axis, Qt::AlignLeft | Qt::AlignVCenter, day(m_from));
  painter.drawText(axis, Qt::AlignRight | Qt::AlignVCenter, day(m_to));
  const double asOf = xOf(m_asOf);
  painter.setPen(QPen(palette().color(QPalette::Text), 1, Qt::DotLine));
  painter.drawLine(QPointF(asOf, 2), QPointF(asOf, bottom));
}

}  // namespace counterfoil::desktop
