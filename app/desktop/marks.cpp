// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/marks.h"

#include <QPainter>
#include <QPolygonF>

#include "app/desktop/theme.h"

namespace counterfoil::desktop {

void paintMark(QPainter& painter, const QRectF& room, Tone tone, const QPalette& palette) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  const QColor colour = colourOf(tone, palette);
  const QPointF middle = room.center();
  const double reach = std::min(room.width(), room.height()) / 2 - 0.5;
  painter.setPen(Qt::NoPen);
  painter.setBrush(colour);
  switch (tone) {
    case Tone::Critical:
      painter.drawPolygon(QPolygonF({middle + QPointF(0, -reach), middle + QPointF(reach, 0), middle + QPointF(0, reach),
                                     middle + QPointF(-reach, 0)}));
      break;
    case Tone::High:
      painter.drawPolygon(QPolygonF({middle + QPointF(0, -reach), middle + QPointF(reach, reach * 0.8),
                                     middle + QPointF(-reach, reach * 0.8)}));
      break;
    case Tone::Medium:
      painter.setBrush(dimOf(palette));
      painter.drawEllipse(middle, reach * 0.7, reach * 0.7);
      break;
    case Tone::Good:
      painter.setPen(QPen(colour, 1.8, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
      painter.setBrush(Qt::NoBrush);
      painter.drawPolyline(QPolygonF({middle + QPointF(-reach * 0.8, 0), middle + QPointF(-reach * 0.2, reach * 0.6),
                                      middle + QPointF(reach * 0.8, -reach * 0.6)}));
      break;
    case Tone::Plain:
    case Tone::Dim:
    case Tone::Low:
      painter.setPen(QPen(dimOf(palette), 1.4));
      painter.setBrush(Qt::NoBrush);
      painter.drawEllipse(middle, reach * 0.6, reach * 0.6);
      break;
  }
  painter.restore();
}

}  // namespace counterfoil::desktop
