// SPDX-License-Identifier: GPL-3.0-or-later
// Which stretch of time each source covers, below each other on one axis.
#pragma once

#include <QWidget>
#include <vector>

#include "core/policy/policy.h"
#include "core/run/run.h"

namespace counterfoil::desktop {

class CoverageStrip final : public QWidget {
  Q_OBJECT

 public:
  explicit CoverageStrip(QWidget* parent = nullptr);
  void setCoverage(const RunResult& result, const Coverage& coverage);
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  struct Line {
    QString name;
    std::vector<Interval> intervals;
    bool rows = true;
  };
  std::vector<Line> m_lines;
  Instant m_from{}, m_to{}, m_asOf{};
};

}  // namespace counterfoil::desktop
