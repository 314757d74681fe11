// SPDX-License-Identifier: GPL-3.0-or-later
// Small shapes that say by form what colour says too.
#pragma once

#include <QPalette>
#include <QRectF>

#include "app/desktop/cells.h"

class QPainter;

namespace counterfoil::desktop {

/// Critical: a filled diamond, high: a triangle, medium: a disc, low: a ring, good: a tick.
void paintMark(QPainter& painter, const QRectF& room, Tone tone, const QPalette& palette);

}  // namespace counterfoil::desktop
