// SPDX-License-Identifier: GPL-3.0-or-later
// The life of a key as a picture: a lane for each kind of record, one axis for all. It shows what the table
// of events says; whoever cannot see it reads that.
#pragma once

#include <QWidget>
#include <optional>
#include <vector>

#include "app/desktop/cells.h"
#include "app/desktop/time_axis.h"
#include "app/life_of_key.h"

namespace counterfoil::desktop {

class TimeLine final : public QWidget {
  Q_OBJECT

 public:
  explicit TimeLine(QWidget* parent = nullptr);

  void setLife(const Life& life, Tone verdict);
  /// The event (index within Life::events) that is chosen elsewhere; -1: none.
  void choose(int event);
  [[nodiscard]] std::vector<QString> laneTitles() const;
  [[nodiscard]] std::size_t markCount() const { return m_marks.size(); }

  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

 Q_SIGNALS:
  void chosen(int event);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  bool event(QEvent* event) override;

 private:
  enum class Shape : std::uint8_t { Disc, Ring, Cross, Square, Diamond, Verdict };
  struct Mark {
    Instant from{}, to{};
    std::size_t lane = 0;         ///< index of m_lanes
    int track = 0;                ///< within the lane: what runs at the same time lies below each other
    Shape shape = Shape::Disc;    ///< at `to`
    Tone tone = Tone::Plain;
    QString label, tip;
    int firstEvent = 0, lastEvent = 0;
    std::optional<std::size_t> record;
  };
  struct Lane {
    QString title;
    int tracks = 1;
  };

  void addMark(const LifeEvent& event, int number, std::size_t lane, Tone verdict);
  [[nodiscard]] Mark& markFor(const LifeEvent& event, int number, std::size_t lane);
  static void giveShape(Mark& mark, const LifeEvent& event, Tone verdict);
  void placeTracks();
  void layOut();
  [[nodiscard]] int laneTop(std::size_t lane) const;
  [[nodiscard]] int rowHeight() const;
  [[nodiscard]] int axisHeight() const;
  [[nodiscard]] int rowCount() const;
  [[nodiscard]] QPointF endOf(const Mark& mark) const;
  [[nodiscard]] const Mark* markAt(const QPointF& at) const;
  void paintGround(QPainter& painter) const;
  void paintAxis(QPainter& painter) const;
  void paintMarkOf(QPainter& painter, const Mark& mark) const;
  void paintLabel(QPainter& painter, const Mark& mark) const;

  std::vector<Lane> m_lanes;
  std::vector<Mark> m_marks;      ///< in order of lane, time
  TimeAxis m_axis;
  std::size_t m_undated = 0;
  int m_gutter = 0;
  int m_chosen = -1;
};

}  // namespace counterfoil::desktop
