// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/writers/html/case_sections.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/text.h"
#include "reports/text/text_style.h"
#include "reports/writers/html/charts.h"

namespace counterfoil {
namespace {

constexpr std::size_t kRowsOfClass = 150, kRowsTotal = 1500;   // beyond: lines of text
constexpr std::size_t kLinesInBlock = 1000;
constexpr std::size_t kEventsShown = 60;
constexpr std::size_t kLongestInLine = 120;

std::string_view markOf(Severity severity) {
  switch (severity) {
    case Severity::Critical: return "◆";
    case Severity::High: return "▲";
    case Severity::Medium: return "■";
    case Severity::Low: return "●";
    case Severity::None: return "";
  }
  return "";
}

void writeSeverity(Severity severity, HtmlPage& page) {
  if (severity == Severity::None) return;
  page.raw("<span class=\"sev ").raw(codeOf(severity)).raw("\">").raw(markOf(severity)).raw(" ").text(page.words().label(severity)).raw("</span>");
}

void writeEventRow(const CaseEvent& event, const CaseEvent* before, HtmlPage& page) {
  const Words& words = page.words();
  page.raw("<tr><td class=w>").text(event.time ? words.instant(*event.time) : std::string(words(Word::NotKnown))).raw("</td><td class=gap>");
  if (before != nullptr && event.time && before->time && *event.time - *before->time >= std::chrono::seconds(1)) {
    page.text("+" + words.duration(*event.time - *before->time));
  }
  page.raw("</td><td class=w>").text(words.label(event.lane)).raw("</td><td>").text(event.event).raw("</td><td class=id>").text(event.id);
  page.raw("</td><td class=r>");
  if (event.amount) page.text(words.money(*event.amount));
  page.raw("</td><td>").text(shortened(event.detail, 300)).raw("</td><td class=\"dim id\">").text(event.place.empty() ? event.source : event.place);
  page.raw("</td></tr>");
  if (!event.raw.empty()) page.raw("<tr><td></td><td colspan=7><code>").text(event.raw).raw("</code></td></tr>");
}

void writeEvidence(const ReportCase& line, HtmlPage& page) {
  page.raw("<div class=ev>");
  drawLanes(line.events, page);
  page.raw("<div class=wrap><table><tbody>");
  const CaseEvent* before = nullptr;
  std::size_t shown = 0;
  for (const CaseEvent& event : line.events) {
    if (++shown > kEventsShown) break;
    writeEventRow(event, before, page);
    before = &event;
  }
  page.raw("</tbody></table></div>");
  if (line.events.size() > kEventsShown) {
    page.raw("<p class=\"dim small\">").text(page.words().count(Counted::More, line.events.size() - kEventsShown)).raw("</p>");
  }
  page.raw("</div>");
}

void writeTags(const ReportCase& line, HtmlPage& page) {
  const Words& words = page.words();
  const auto tag = [&page](std::string_view text) { page.raw("<span class=tag>").text(text).raw("</span>"); };
  if (line.isNew) page.raw("<span class=\"tag new\">").text(words(Word::NewBreaks)).raw("</span>");
  for (const Flag flag : line.flags) tag(words.label(flag));
  for (const Hint hint : line.hints) tag(words.label(hint));
}

/// Cases of one group after another.
class Section {
 public:
  Section(const ReportModel& model, CaseSet set, HtmlPage& page) : m_model(model), m_set(set), m_page(page), m_words(page.words()) {}

  Result<> write(std::string_view id, Word title) {
    m_id = id;
    m_title = title;
    const bool byClass = m_model.request().filter.sort == SortBy::Default;
    auto ok = m_model.forEachCase(m_set, [&](const ReportCase& line) {
      if (!m_begun) begin();
      if (!m_class || (byClass && *m_class != line.unitClass)) {
        endGroup();
        beginGroup(line, byClass);
      }
      add(line);
      return m_page.pass();
    });
    endGroup();
    if (m_begun) m_page.raw("</section>");
    if (!m_begun && ok) writeNone();
    return ok;
  }

 private:
  void begin() {
    m_begun = true;
    m_page.raw("<section id=").raw(m_id).raw("><h2>").text(m_words(m_title)).raw("</h2>");
    if (m_set == CaseSet::Earlier) m_page.raw("<p class=dim>").text(m_words(Word::EarlierNote)).raw("</p>");
  }

  void writeNone() {
    if (m_set == CaseSet::Earlier) return;
    const Word none = m_set == CaseSet::Breaks ? Word::NoBreaks : m_set == CaseSet::Open ? Word::NoOpen : Word::NoCases;
    m_page.raw("<section id=").raw(m_id).raw("><h2>").text(m_words(m_title)).raw("</h2><p>").text(m_words(none)).raw("</p></section>");
  }

  const ClassRow* rowOf(Class unitClass) const {
    const auto& rows = m_model.facts().classes;
    const auto found = std::find_if(rows.begin(), rows.end(), [&](const ClassRow& row) { return row.unitClass == unitClass; });
    return found == rows.end() ? nullptr : &*found;
  }

  void beginGroup(const ReportCase& line, bool byClass) {
    m_class = line.unitClass;
    m_rows = m_lines = 0;
    m_page.raw("<div class=group");
    if (byClass && m_set != CaseSet::Earlier) m_page.raw(" id=class-").raw(codeOf(line.unitClass));
    m_page.raw(">");
    if (byClass) writeGroupHead(line);
    m_page.raw("<table class=cases><thead><tr>");
    const auto head = [&](std::string_view column, Word word, std::string_view sort) {
      m_page.raw("<th class=\"").raw(column).raw("\" data-s=").raw(sort).raw(">").text(m_words(word)).raw("</th>");
    };
    head("c1", Word::Severity, "n");
    head("c2", Word::Key, "t");
    head("c3 r", Word::Exposure, "n");
    head("c4", Word::State, "t");
    head("c5 r", Word::Age, "n");
    head("c6", Word::Reason, "t");
    m_page.raw("</tr></thead>");
  }

  void writeGroupHead(const ReportCase& line) {
    const ClassRow* row = m_set == CaseSet::Earlier ? nullptr : rowOf(line.unitClass);
    m_page.raw("<div class=head><h3>").text(row ? row->label : line.label).raw("</h3>");
    if (row) {
      m_page.raw("<span>").text(m_words.number(row->count)).raw("</span>");
      if (row->before) m_page.raw("<span class=\"dim small\">").text(m_words(Word::Before)).raw(" ").number(*row->before).raw("</span>");
      if (!row->exposure.empty()) m_page.raw("<span class=m>").text(m_words.money(row->exposure)).raw("</span>");
    }
    m_page.raw("</div><p class=\"what small\"><span class=dim>").text(m_words.explanation(line.unitClass)).raw("</span>");
    if (!line.advice.empty()) m_page.raw(" ").text(line.advice);
    m_page.raw("</p>");
  }

  void add(const ReportCase& line) {
    if (m_rows < kRowsOfClass && m_total < kRowsTotal) {
      ++m_rows;
      ++m_total;
      addRow(line);
    } else {
      addLine(line);
    }
  }

  void addRow(const ReportCase& line) {
    const std::string& name = line.key.empty() ? line.opRef : line.key;
    m_page.raw(line.detailed ? "<tbody><tr class=h>" : "<tbody><tr class=o>");
    m_page.raw("<td class=c1 data-v=").raw(std::to_string(static_cast<int>(line.severity))).raw(">");
    writeSeverity(line.severity, m_page);
    m_page.raw("</td><td class=\"c2 id\">").text(shortened(name.empty() ? line.caseId : name, 200));
    if (!line.opRef.empty() && line.opRef != name) m_page.raw("<br><span class=\"dim\">").text(shortened(line.opRef, 120)).raw("</span>");
    m_page.raw("</td><td class=\"c3 r\"");
    if (!line.exposure.empty()) m_page.raw(" data-v=\"").raw(formatPlain(line.exposure.front())).raw("\"");
    m_page.raw(">").text(m_words.money(line.exposure)).raw("</td><td class=c4>");
    m_page.text(line.isClosed ? m_words(Word::Closed) : m_words.label(line.state));
    if (!line.assignee.empty()) m_page.raw("<br><span class=\"dim small\">").text(shortened(line.assignee, 80)).raw("</span>");
    m_page.raw("</td><td class=\"c5 r\" data-v=").raw(std::to_string(line.age ? line.age->count() / 1'000'000 : 0)).raw(">");
    if (line.age) m_page.text(m_words.duration(*line.age));
    m_page.raw("</td><td class=c6>").text(shortened(line.reason, 500)).raw(" ");
    writeTags(line, m_page);
    m_page.raw("</td></tr>");
    if (line.detailed) {
      m_page.raw("<tr class=d><td colspan=6><details><summary>").text(m_words(Word::Evidence)).raw(" · <span class=id>").text(line.caseId);
      m_page.raw("</span></summary>");
      writeEvidence(line, m_page);
      m_page.raw("</details></td></tr>");
    }
    m_page.raw("</tbody>");
  }

  void addLine(const ReportCase& line) {
    if (m_lines == 0) {
      m_page.raw("</table><details class=far><summary>").text(m_words(Word::CompactNote)).raw("</summary><pre class=lines>");
    } else if (m_lines % kLinesInBlock == 0) {
      m_page.raw("</pre><pre class=lines>");
    }
    ++m_lines;
    const std::string& name = line.key.empty() ? line.opRef : line.key;
    const std::string key = shortened(name, kLongestInLine), money = m_words.money(line.exposure);
    m_page.text(line.caseId).raw("  ").text(padLeft(money, 16)).raw("  ").text(padRight(key, 28)).raw("  ");
    m_page.text(shortened(line.reason, kLongestInLine)).raw("\n");
  }

  void endGroup() {
    if (!m_class) return;
    m_page.raw(m_lines > 0 ? "</pre></details></div>" : "</table></div>");
    m_class.reset();
  }

  const ReportModel& m_model;
  CaseSet m_set;
  HtmlPage& m_page;
  const Words& m_words;
  std::string_view m_id;
  Word m_title{};
  bool m_begun = false;
  std::optional<Class> m_class;
  std::size_t m_rows = 0, m_lines = 0, m_total = 0;
};

void writeFact(Word word, std::string_view text, HtmlPage& page) {
  if (text.empty()) return;
  page.raw("<dt>").text(page.words()(word)).raw("</dt><dd>").text(text).raw("</dd>");
}

std::string joined(const std::vector<std::string>& texts) {
  std::string out;
  for (const std::string& text : texts) out += (out.empty() ? "" : ", ") + text;
  return out;
}

void writeCaseFacts(const ReportCase& line, HtmlPage& page) {
  const Words& words = page.words();
  page.raw("<dl class=facts>");
  writeFact(Word::Case, line.caseId, page);
  writeFact(Word::Class, fmt::format("{} ({})", line.label, codeOf(line.unitClass)), page);
  writeFact(Word::State, line.isClosed ? words(Word::Closed) : words.label(line.state), page);
  writeFact(Word::Assignee, line.assignee, page);
  writeFact(Word::Keys, joined(line.keys), page);
  writeFact(Word::OpRef, line.opRef, page);
  writeFact(Word::Operation, line.operation, page);
  writeFact(Word::Scope, line.scope, page);
  writeFact(Word::Expected, line.amount ? words.money(*line.amount) : "", page);
  writeFact(Word::Exposure, words.money(line.exposure), page);
  writeFact(Word::Why, words.label(line.why), page);
  writeFact(Word::Due, line.due ? words.instant(*line.due) : "", page);
  writeFact(Word::Age, line.age ? words.duration(*line.age) : "", page);
  writeFact(Word::Attempts, joined(line.attempts), page);
  writeFact(Word::Effects, joined(line.effects), page);
  writeFact(Word::DeadLetters, joined(line.deadLetters), page);
  writeFact(Word::Candidates, joined(line.candidates), page);
  writeFact(Word::FirstRun, std::to_string(line.firstRun), page);
  writeFact(Word::LastRun, std::to_string(line.lastRun), page);
  writeFact(Word::CaseVersion, line.version, page);
  page.raw("</dl>");
}

}  // namespace

Result<> writeCaseSection(const ReportModel& model, CaseSet set, std::string_view id, Word title, HtmlPage& page) {
  return Section(model, set, page).write(id, title);
}

Result<> writeCasePages(const ReportModel& model, HtmlPage& page) {
  const Words& words = page.words();
  return model.forEachCase(CaseSet::Listed, [&](const ReportCase& line) {
    page.raw("<section><div class=head><h2>").text(line.label);
    if (!line.exposure.empty()) page.raw(" – ").text(words.money(line.exposure));
    page.raw("</h2></div><p>");
    writeSeverity(line.severity, page);
    page.raw(" ");
    writeTags(line, page);
    page.raw("</p><p class=health>").text(line.reason).raw("</p>");
    if (!line.advice.empty()) page.raw("<div class=note><b>").text(words(Word::Advice)).raw(":</b> ").text(line.advice).raw("</div>");
    writeCaseFacts(line, page);
    page.raw("</section><section><h2>").text(words(Word::TimeLine)).raw("</h2>");
    writeEvidence(line, page);
    page.raw("</section>");
    return page.pass();
  });
}

}  // namespace counterfoil
