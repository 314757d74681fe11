// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/writers/html/charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace counterfoil {
namespace {

constexpr std::int64_t kWidth = 520, kHeight = 168, kLeft = 40, kRight = 8, kTop = 10, kBottom = 24;
constexpr std::size_t kEventsDrawn = 40;

/// The least of 1, 2, 5, 10, 20 … that is at least `value`.
std::int64_t niceAtLeast(std::int64_t value) {
  for (std::int64_t step = 1; step < INT64_MAX / 20; step *= 10) {
    for (const std::int64_t factor : {1, 2, 4, 6, 8}) {
      if (step * factor >= value) return step * factor;
    }
  }
  return value;
}

/// value * length / whole without overflow; 0 for nothing.
std::int64_t scaled(std::int64_t value, std::int64_t whole, std::int64_t length) {
  if (whole <= 0) return 0;
  return static_cast<std::int64_t>(static_cast<__int128>(value) * length / whole);
}

std::string dayOf(Instant at, const Words& words) {
  const std::string text = words.instant(at);
  return text.substr(0, words.language() == Language::Russian ? 5 : 10);
}

std::int64_t bounded(std::uint64_t value) { return static_cast<std::int64_t>(std::min<std::uint64_t>(value, INT64_MAX / 4)); }

class Trend {
 public:
  Trend(const std::vector<RunCounts>& trend, HtmlPage& page) : m_trend(trend), m_page(page), m_words(page.words()) {
    std::int64_t most = 1;
    for (const RunCounts& counts : trend) {
      most = std::max(most, bounded(counts.breaks) + bounded(counts.open));
      most = std::max(most, std::min(counts.deadLetters.value_or(0), INT64_MAX / 4));
    }
    m_top = niceAtLeast(most);
    m_step = (kWidth - kLeft - kRight) / static_cast<std::int64_t>(trend.size());
  }

  void draw() {
    m_page.raw(fmt::format("<svg viewBox=\"0 0 {} {}\" role=img aria-label=\"", kWidth, kHeight)).text(m_words(Word::Trend)).raw("\">");
    for (int part = 0; part <= 2; ++part) {
      const std::int64_t value = m_top * part / 2;
      if (part == 1 && m_top % 2 != 0) continue;
      m_page.raw(fmt::format("<line class=grid x1={} x2={} y1={} y2={} /><text x={} y={} text-anchor=end>", kLeft, kWidth - kRight, y(value),
                             y(value), kLeft - 6, y(value) + 4));
      m_page.text(m_words.number(static_cast<std::uint64_t>(value))).raw("</text>");
    }
    for (std::size_t i = 0; i < m_trend.size(); ++i) drawBar(i);
    drawDepth();
    drawDays();
    m_page.raw("</svg><div class=legend>");
    legend("<rect class=b width=10 height=10 />", Word::Breaks);
    legend("<rect class=o width=10 height=10 />", Word::Open);
    if (m_hasDepth) legend("<line class=q x1=0 x2=10 y1=5 y2=5 />", Word::DeadLetterDepth);
    m_page.raw("</div>");
  }

 private:
  std::int64_t x(std::size_t i) const { return kLeft + m_step * static_cast<std::int64_t>(i); }
  std::int64_t y(std::int64_t value) const { return kHeight - kBottom - scaled(value, m_top, kHeight - kTop - kBottom); }

  void legend(std::string_view mark, Word word) {
    m_page.raw("<span><svg width=10 height=10 aria-hidden=true>").raw(mark).raw("</svg>").text(m_words(word)).raw("</span>");
  }

  void drawBar(std::size_t i) {
    const RunCounts& counts = m_trend[i];
    const std::int64_t width = std::clamp<std::int64_t>(m_step * 7 / 10, 2, 34), left = x(i) + (m_step - width) / 2;
    const std::int64_t breaks = bounded(counts.breaks), open = bounded(counts.open);
    m_page.raw("<g><title>").text(fmt::format("{} {}, {}: {}, {}", m_words(Word::Run), counts.number, m_words.instant(counts.asOf),
                                              m_words.count(Counted::Break, counts.breaks), m_words.count(Counted::Open, counts.open)));
    m_page.raw("</title>");
    if (breaks > 0) m_page.raw(fmt::format("<rect class=b x={} y={} width={} height={} />", left, y(breaks), width, std::max<std::int64_t>(y(0) - y(breaks), 1)));
    if (open > 0) {
      m_page.raw(fmt::format("<rect class=o x={} y={} width={} height={} />", left, y(breaks + open), width, std::max<std::int64_t>(y(breaks) - y(breaks + open), 1)));
    }
    m_page.raw("</g>");
  }

  /// A run whose depth is not known leaves a gap in the line.
  void drawDepth() {
    std::string path;
    bool pen = false;
    for (std::size_t i = 0; i < m_trend.size(); ++i) {
      const auto depth = m_trend[i].deadLetters;
      if (!depth || *depth < 0) {
        pen = false;
        continue;
      }
      const std::int64_t cx = x(i) + m_step / 2, cy = y(std::min(*depth, m_top));
      path += fmt::format("{}{} {}", pen ? "L" : "M", cx, cy);
      m_page.raw(fmt::format("<circle class=qd cx={} cy={} r=2.5 />", cx, cy));
      pen = true;
    }
    m_hasDepth = !path.empty();
    if (m_hasDepth) m_page.raw("<path class=q d=\"" + path + "\"/>");
  }

  void drawDays() {
    m_page.raw(fmt::format("<text x={} y={}>", kLeft, kHeight - 6)).text(dayOf(m_trend.front().asOf, m_words)).raw("</text>");
    if (m_trend.size() < 2) return;
    m_page.raw(fmt::format("<text x={} y={} text-anchor=end>", kWidth - kRight, kHeight - 6)).text(dayOf(m_trend.back().asOf, m_words)).raw("</text>");
  }

  const std::vector<RunCounts>& m_trend;
  HtmlPage& m_page;
  const Words& m_words;
  std::int64_t m_top = 1, m_step = 1;
  bool m_hasDepth = false;
};

std::string_view toneOf(const CaseEvent& event) {
  if (event.code == "succeeded" || event.code.ends_with(" live") || event.code == "done" || event.code == "completed") return "ok";
  if (event.lane == Lane::DeadLetter || event.code == "failed_final" || event.code == "lost" || event.code.ends_with("failed") || event.code == "dead") return "bad";
  return "wait";
}

class Lanes {
 public:
  Lanes(const std::vector<CaseEvent>& events, HtmlPage& page) : m_page(page), m_words(page.words()) {
    for (const CaseEvent& event : events) {
      if (event.time && m_events.size() < kEventsDrawn) m_events.push_back(&event);
    }
    for (const CaseEvent* event : m_events) {
      if (event->lane != Lane::Case) m_lanes.insert(event->lane);
    }
    place();
  }

  void draw() {
    if (m_events.size() < 2 || m_lanes.empty()) return;
    const std::int64_t height = kFirst + kStep * static_cast<std::int64_t>(m_lanes.size()) + 8;
    m_page.raw(fmt::format("<svg class=lanes viewBox=\"0 0 {} {}\" role=img aria-label=\"", kFull, height)).text(m_words(Word::TimeLine)).raw("\">");
    for (const Lane lane : m_lanes) {
      m_page.raw(fmt::format("<line class=lane x1={} x2={} y1={} y2={} /><text x=0 y={}>", kNames, kFull - 6, yOf(lane), yOf(lane), yOf(lane) + 4));
      m_page.text(m_words.label(lane)).raw("</text>");
    }
    for (std::size_t i = 0; i < m_events.size(); ++i) drawEvent(i, height);
    m_page.raw("</svg>");
  }

 private:
  static constexpr std::int64_t kFull = 1000, kNames = 110, kFirst = 30, kStep = 20;

  /// What happened within the same second stands close together; beyond, each factor of ten is one step more.
  static std::int64_t spacing(Duration gap) {
    std::int64_t units = gap.count() > 0 ? 2 : 1;
    for (std::int64_t seconds = gap.count() / 1'000'000; seconds > 0; seconds /= 10) ++units;
    return units;
  }

  void place() {
    std::vector<std::int64_t> units = {0};
    for (std::size_t i = 1; i < m_events.size(); ++i) units.push_back(units.back() + spacing(*m_events[i]->time - *m_events[i - 1]->time));
    for (const std::int64_t unit : units) m_x.push_back(kNames + 14 + scaled(unit, std::max<std::int64_t>(units.back(), 1), kFull - kNames - 34));
  }

  std::int64_t yOf(Lane lane) const {
    return kFirst + kStep / 2 + kStep * static_cast<std::int64_t>(std::distance(m_lanes.begin(), m_lanes.find(lane)));
  }

  void drawEvent(std::size_t i, std::int64_t height) {
    const CaseEvent& event = *m_events[i];
    if (i > 0) drawGap(i);
    if (event.lane == Lane::Case) {
      m_page.raw(fmt::format("<line class=judge x1={} x2={} y1={} y2={} />", m_x[i], m_x[i], kFirst - 4, height - 4));
      return;
    }
    m_page.raw(fmt::format("<circle class={} cx={} cy={} r=5><title>", toneOf(event), m_x[i], yOf(event.lane)));
    m_page.text(m_words.instant(*event.time) + " " + event.event + " " + event.id).raw("</title></circle>");
  }

  void drawGap(std::size_t i) {
    const Duration gap = *m_events[i]->time - *m_events[i - 1]->time;
    const std::int64_t room = m_x[i] - m_x[i - 1];
    const std::string label = m_words.duration(gap);
    if (gap < std::chrono::seconds(1) || room < static_cast<std::int64_t>(label.size()) * 6 + 8) return;
    m_page.raw(fmt::format("<text x={} y=16 text-anchor=middle>", (m_x[i] + m_x[i - 1]) / 2)).text(label).raw("</text>");
    m_page.raw(fmt::format("<line class=lane x1={} x2={} y1=22 y2=22 />", m_x[i - 1] + 4, m_x[i] - 4));
  }

  HtmlPage& m_page;
  const Words& m_words;
  std::vector<const CaseEvent*> m_events;
  std::set<Lane> m_lanes;
  std::vector<std::int64_t> m_x;
};

class Bridge {
 public:
  Bridge(const ProofLine& line, HtmlPage& page) : m_line(line), m_page(page), m_words(page.words()) {
    __int128 at = line.localMinor, least = std::min<__int128>(0, at), most = std::max<__int128>(0, at);
    for (const std::int64_t step : line.steps) {
      at += step;
      least = std::min(least, at);
      most = std::max(most, at);
    }
    most = std::max<__int128>(most, line.providerMinor);
    least = std::min<__int128>(least, line.providerMinor);
    m_least = least;
    m_span = std::max<__int128>(most - least, 1);
  }

  void draw() {
    m_page.raw("<table class=bridge><tbody>");
    row(m_words(Word::LocalTotal), m_line.localMinor, 0, m_line.localMinor, "sum", true);
    __int128 at = m_line.localMinor;
    for (std::size_t i = 0; i < kBridgeStepCount; ++i) {
      const std::int64_t step = m_line.steps[i];
      if (step == 0) continue;
      row(m_words.label(static_cast<BridgeStep>(i)), step, at, at + step, step > 0 ? "up" : "down", false);
      at += step;
    }
    row(m_words(Word::ProviderTotal), m_line.providerMinor, 0, m_line.providerMinor, "sum", true);
    m_page.raw("<tr><td class=dim>").text(m_words(Word::Unexplained)).raw("</td><td class=bar></td><td class=r>");
    m_page.raw(m_line.unexplainedMinor == 0 ? "<span>" : "<span class=\"sev critical\">");
    m_page.text(m_words.money(Money{m_line.unexplainedMinor, m_line.currency})).raw("</span></td></tr></tbody></table>");
  }

 private:
  std::int64_t x(__int128 value) const { return static_cast<std::int64_t>((value - m_least) * 1000 / m_span); }

  void row(std::string_view label, std::int64_t minor, __int128 from, __int128 to, std::string_view tone, bool total) {
    const std::int64_t left = std::min(x(from), x(to)), width = std::max<std::int64_t>(std::max(x(from), x(to)) - left, 4);
    m_page.raw(total ? "<tr class=total><td>" : "<tr><td>").text(label).raw("</td><td class=bar>");
    m_page.raw(fmt::format("<svg viewBox=\"0 0 1000 10\" preserveAspectRatio=none aria-hidden=true><rect class={} x={} y=1 width={} height=8 rx=1 /></svg>",
                           tone, std::min<std::int64_t>(left, 996), width));
    const std::string amount = m_words.money(Money{minor, m_line.currency});
    m_page.raw("</td><td class=r>").text(!total && minor > 0 ? "+" + amount : amount).raw("</td></tr>");
  }

  const ProofLine& m_line;
  HtmlPage& m_page;
  const Words& m_words;
  __int128 m_least = 0, m_span = 1;
};

}  // namespace

void drawTrend(const std::vector<RunCounts>& trend, HtmlPage& page) {
  if (!trend.empty()) Trend(trend, page).draw();
}
void drawBridge(const ProofLine& line, HtmlPage& page) { Bridge(line, page).draw(); }
void drawLanes(const std::vector<CaseEvent>& events, HtmlPage& page) { Lanes(events, page).draw(); }

}  // namespace counterfoil
