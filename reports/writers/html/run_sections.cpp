// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/writers/html/run_sections.h"

#include <fmt/format.h>

#include <algorithm>

#include "reports/writers/html/charts.h"

namespace counterfoil {
namespace {

constexpr std::size_t kRows = 300;

void beginSection(std::string_view id, Word title, HtmlPage& page) {
  page.raw("<section id=").raw(id).raw("><h2>").text(page.words()(title)).raw("</h2>");
}

struct Head {
  Word title;
  bool right = false;
};

void beginTable(std::initializer_list<Head> heads, HtmlPage& page) {
  page.raw("<div class=wrap><table><thead><tr>");
  for (const Head& head : heads) page.raw(head.right ? "<th class=r>" : "<th>").text(page.words()(head.title)).raw("</th>");
  page.raw("</tr></thead><tbody>");
}
void endTable(HtmlPage& page) { page.raw("</tbody></table></div>"); }

void writeMore(std::size_t rows, HtmlPage& page) {
  if (rows <= kRows) return;
  page.raw("<p class=dim>").number(rows - kRows).raw(" ").text(page.words()(Word::MoreRows)).raw("</p>");
}

void paragraph(Word word, HtmlPage& page) { page.raw("<p>").text(page.words()(word)).raw("</p>"); }

void writeVerdict(std::string_view words, bool bad, HtmlPage& page) {
  page.raw(bad ? "<span class=\"sev critical\">▲ " : "<span>").text(words).raw("</span>");
}

void writeComparison(const ReportFacts& facts, HtmlPage& page) {
  const Words& words = page.words();
  if (!facts.comparison) return paragraph(Word::NoTrend, page);
  const Comparison& c = *facts.comparison;
  page.raw("<p class=small>").text(words.count(Counted::Break, c.change.newBreaks)).raw(" ").text(words(Word::NewBreaks)).raw(" · ");
  page.number(c.change.cleared).raw(" ").text(words(Word::Cleared)).raw(" · ").number(c.change.grown).raw(" ").text(words(Word::Grown));
  page.raw(" <span class=dim>(").text(words(Word::ComparedTo)).raw(" ").text(words(c.ofPeriods ? Word::WithPeriod : Word::WithRun));
  if (c.runsBefore == 0) page.raw(": ").text(words(Word::NoData));
  page.raw(")</span></p>");
  if (!c.changeBefore) return;
  page.raw("<p class=\"small dim\">").text(words(Word::WithPeriod)).raw(": ").number(c.changeBefore->newBreaks).raw(" ").text(words(Word::NewBreaks));
  page.raw(" · ").number(c.changeBefore->cleared).raw(" ").text(words(Word::Cleared)).raw("</p>");
}

void writeClassRows(const ReportFacts& facts, ClassGroup group, bool compared, HtmlPage& page) {
  const Words& words = page.words();
  for (const ClassRow& row : facts.classes) {
    if (row.group != group) continue;
    page.raw("<tr><td title=\"").text(words.explanation(row.unitClass)).raw("\">");
    const bool linked = group != ClassGroup::Closed && row.count > 0;
    if (linked) page.raw("<a href=#class-").raw(codeOf(row.unitClass)).raw(">");
    page.text(row.label).raw(linked ? "</a>" : "").raw("</td><td class=r>").number(row.count).raw("</td>");
    if (compared) {
      page.raw("<td class=\"r dim\">");
      if (row.before) page.number(*row.before);
      page.raw("</td>");
    }
    page.raw("<td class=r>").text(words.money(row.exposure)).raw("</td></tr>");
  }
}

std::string countsOf(const ReportFacts& facts, const Words& words) {
  std::string out;
  for (const auto& [verdict, count] : facts.skips) {
    if (count > 0) out += fmt::format("{}{}: {}", out.empty() ? "" : " · ", words.label(verdict), words.number(count));
  }
  if (!facts.saved.empty()) out += fmt::format(" · {}: {}", words(Word::Saved), words.money(facts.saved));
  return out;
}

void writeQueues(const ReportFacts& facts, HtmlPage& page) {
  const Words& words = page.words();
  if (facts.queues.empty()) return paragraph(Word::NoQueues, page);
  beginTable({{Word::Queue}, {Word::Kind}, {Word::Depth, true}, {Word::InFlight, true}, {Word::Oldest, true}, {Word::Limit, true}, {Word::SampledAt}}, page);
  const auto number = [&](const std::optional<std::int64_t>& value, std::string_view none) {
    page.raw("<td class=r>").text(value ? std::to_string(*value) : std::string(none)).raw("</td>");
  };
  for (const QueueLine& queue : facts.queues) {
    const bool over = queue.depth && queue.maxDepth && *queue.depth > *queue.maxDepth;
    page.raw("<tr><td class=id>").text(queue.queue).raw("</td><td>").text(words.queueKind(queue.kind)).raw("</td><td class=r>");
    writeVerdict(queue.depth ? std::to_string(*queue.depth) : std::string(words(Word::NotKnown)), over, page);
    page.raw("</td>");
    number(queue.inFlight, "");
    page.raw("<td class=r>").text(words.age(queue.oldest)).raw("</td>");
    number(queue.maxDepth, "");
    const auto at = queue.sampledAt ? parseInstant(*queue.sampledAt) : Result<Instant>(fail(ErrorCode::Format, ""));
    page.raw("<td class=w>").text(at ? words.instant(*at) : std::string()).raw("</td></tr>");
  }
  endTable(page);
}

}  // namespace

void writeTiles(const ReportFacts& facts, HtmlPage& page) {
  if (facts.tiles.empty()) return;
  constexpr std::string_view tones[] = {"", " good", " warn", " bad"};
  page.raw("<div class=tiles>");
  for (const ReportTile& tile : facts.tiles) {
    page.raw("<div class=\"tile").raw(tones[static_cast<std::size_t>(tile.tone)]).raw(tile.state == ValueState::NoData ? " nodata" : "").raw("\">");
    page.raw("<div class=\"dim small\">").text(tile.label).raw("</div><div class=\"v").raw(tile.value.size() > 9 ? " long" : "").raw("\">");
    page.text(tile.value).raw("</div><div class=\"dim small\">").text(tile.detail).raw("</div></div>");
  }
  page.raw("</div>");
}

void writeTrendAndClasses(const ReportFacts& facts, HtmlPage& page) {
  const bool compared = std::any_of(facts.classes.begin(), facts.classes.end(), [](const ClassRow& row) { return row.before.has_value(); });
  page.raw("<div class=\"two pair\">");
  beginSection("classes", Word::Classes, page);
  page.raw("<div class=wrap><table><thead><tr><th>").text(page.words()(Word::Class)).raw("</th><th class=r>").text(page.words()(Word::Count)).raw("</th>");
  if (compared) page.raw("<th class=r>").text(page.words()(Word::Before)).raw("</th>");
  page.raw("<th class=r>").text(page.words()(Word::Exposure)).raw("</th></tr></thead><tbody>");
  for (const ClassGroup group : {ClassGroup::Break, ClassGroup::Open, ClassGroup::Closed}) writeClassRows(facts, group, compared, page);
  endTable(page);
  page.raw("</section><div class=side>");
  beginSection("trend", Word::Trend, page);
  if (facts.trend.size() > 1) drawTrend(facts.trend, page);
  writeComparison(facts, page);
  page.raw("</section>");
  writeProof(facts, page);
  page.raw("</div></div>");
}

void writeProof(const ReportFacts& facts, HtmlPage& page) {
  beginSection("proof", Word::Proof, page);
  if (facts.proof.empty()) {
    paragraph(Word::NoProof, page);
    page.raw("</section>");
    return;
  }
  const bool holds = std::all_of(facts.proof.begin(), facts.proof.end(), [](const ProofLine& line) { return line.unexplainedMinor == 0; });
  if (holds) {
    paragraph(Word::ProofHolds, page);
  } else {
    page.raw("<div class=\"note bad\">").text(page.words()(Word::ProofBroken)).raw("</div>");
  }
  constexpr std::size_t most = 60;
  for (std::size_t i = 0; i < facts.proof.size() && i < most; ++i) {
    const ProofLine& line = facts.proof[i];
    page.raw("<h3>").text(fmt::format("{} · {}", line.currency.text(), page.words().label(line.kind)));
    if (!line.scope.empty()) page.raw(" · ").text(line.scope);
    page.raw("</h3>");
    drawBridge(line, page);
  }
  page.raw("</section>");
}

Result<> writeSkips(const ReportModel& model, HtmlPage& page) {
  const Words& words = page.words();
  const ReportFacts& facts = model.facts();
  beginSection("skips", Word::Skips, page);
  const std::string counts = countsOf(facts, words);
  if (counts.empty()) {
    paragraph(Word::NoSkips, page);
  } else {
    page.raw("<p>").text(counts).raw("</p>");
  }
  std::size_t rows = 0;
  auto ok = model.forEachSkip({SkipVerdict::Suppressing, SkipVerdict::Stranded, SkipVerdict::Unverifiable}, [&](const SkipRow& row) {
    if (rows++ == 0) beginTable({{Word::Time}, {Word::Key}, {Word::Worker}, {Word::Verdict}, {Word::Reason}}, page);
    if (rows > kRows) return Result<>{};
    page.raw("<tr><td class=w>").text(words.instant(row.time)).raw("</td><td class=id>").text(shortened(row.key, 200)).raw("</td><td>");
    page.text(shortened(row.worker, 120)).raw("</td><td>");
    writeVerdict(words.label(row.verdict), row.verdict != SkipVerdict::Unverifiable, page);
    page.raw("</td><td>").text(row.reason).raw("</td></tr>");
    return page.pass();
  });
  if (rows > 0) endTable(page);
  writeMore(rows, page);
  page.raw("</section>");
  return ok;
}

Result<> writeDeadLetters(const ReportModel& model, HtmlPage& page) {
  const Words& words = page.words();
  beginSection("dead-letters", Word::DeadLetters, page);
  writeQueues(model.facts(), page);
  std::size_t rows = 0;
  auto ok = model.forEachDeadLetter({}, [&](const DeadLetterRow& row) {
    if (rows++ == 0) {
      page.raw("<p></p>");
      beginTable({{Word::Queue}, {Word::Message}, {Word::Key}, {Word::Verdict}, {Word::Deadline}, {Word::Error}, {Word::Reason}}, page);
    }
    if (rows > kRows) return Result<>{};
    page.raw("<tr><td class=id>").text(shortened(row.queue, 120)).raw("</td><td class=id>").text(shortened(row.messageId, 120)).raw("</td><td class=id>");
    page.text(shortened(row.key, 200)).raw("</td><td>");
    writeVerdict(words.label(row.verdict), row.verdict == RedriveVerdict::Unsafe, page);
    page.raw("</td><td class=w>").text(row.deadline ? words.instant(*row.deadline) : "").raw("</td><td>").text(shortened(row.error, 300));
    page.raw("</td><td>").text(row.reason).raw("</td></tr>");
    return page.pass();
  });
  if (rows > 0) endTable(page);
  if (rows == 0) paragraph(Word::NoDeadLetters, page);
  writeMore(rows, page);
  page.raw("</section>");
  return ok;
}

void writeFindings(const ReportFacts& facts, HtmlPage& page) {
  const Words& words = page.words();
  beginSection("findings", Word::Findings, page);
  if (facts.findings.empty()) paragraph(Word::NoFindings, page);
  std::vector<const FindingRow*> rows;
  for (const FindingRow& row : facts.findings) rows.push_back(&row);
  std::stable_sort(rows.begin(), rows.end(), [](const FindingRow* a, const FindingRow* b) { return a->finding.severity > b->finding.severity; });
  for (std::size_t i = 0; i < rows.size() && i < kRows; ++i) {
    const FindingRow& row = *rows[i];
    const Finding& finding = row.finding;
    page.raw("<div class=group><div class=head><h3>").text(row.label).raw("</h3><span class=\"sev ").raw(codeOf(finding.severity)).raw("\">");
    page.text(words.label(finding.severity)).raw("</span><span class=id>").text(shortened(finding.subject, 200)).raw("</span><span class=\"m dim small\">");
    page.text(finding.code).raw(" × ").text(words.number(static_cast<std::uint64_t>(std::max<std::int64_t>(finding.count, 0)))).raw("</span></div><p>");
    if (words.language() != Language::English) page.text(row.explanation).raw(" ");
    page.text(finding.seen).raw("</p>");
    if (!finding.advice.empty()) page.raw("<p><b>").text(words(Word::Advice)).raw(":</b> ").text(finding.advice).raw("</p>");
    if (!finding.examples.empty()) {
      page.raw("<p class=\"small dim\">").text(words(Word::Examples)).raw(":");
      for (const std::string& example : finding.examples) page.raw(" <span class=\"tag id\">").text(shortened(example, 100)).raw("</span>");
      page.raw("</p>");
    }
    page.raw("</div>");
  }
  if (!facts.findings.empty() && !words(Word::ReasonsInEnglish).empty()) page.raw("<p class=\"small dim\">").text(words(Word::ReasonsInEnglish)).raw("</p>");
  writeMore(rows.size(), page);
  page.raw("</section>");
}

void writeCoverage(const ReportFacts& facts, HtmlPage& page) {
  const Words& words = page.words();
  beginSection("coverage", Word::Coverage, page);
  beginTable({{Word::Source}, {Word::From}, {Word::To}, {Word::Declared}}, page);
  constexpr std::size_t mostIntervals = 20;
  for (const CoverageRow& row : facts.coverage) {
    for (std::size_t i = 0; i < std::max<std::size_t>(row.intervals.size(), 1) && i < mostIntervals; ++i) {
      const bool known = i < row.intervals.size();
      page.raw("<tr><td>").text(i == 0 ? row.source : "").raw("</td><td class=w>").text(known ? words.instant(row.intervals[i].from) : std::string(words(Word::NotKnown)));
      page.raw("</td><td class=w>").text(known ? words.instant(row.intervals[i].to) : "").raw("</td><td>").raw(row.declared ? "✓" : "").raw("</td></tr>");
    }
  }
  endTable(page);
  page.raw("<h3>").text(words(Word::NotJudged)).raw("</h3><p>").number(facts.unjudged);
  page.raw(": ").text(words(Word::OutOfWindowNote)).raw(".</p><p class=dim>").text(words(Word::KeysMeet)).raw(": ");
  page.text(fmt::format("{} ({}: {}, {}: {})", words.number(facts.keys.meeting), words(Word::Local), words.number(facts.keys.localKeys),
                        words(Word::Provider), words.number(facts.keys.providerKeys))).raw("</p>");
  if (facts.notListed > 0) page.raw("<div class=note>").text(words(Word::NotListed)).raw(" ").number(facts.notListed).raw("</div>");
  page.raw("</section>");
}

void writeQuarantined(const ReportFacts& facts, HtmlPage& page) {
  const Words& words = page.words();
  beginSection("quarantined", Word::Quarantined, page);
  if (facts.quarantinedCount == 0) {
    paragraph(Word::NoQuarantined, page);
    page.raw("</section>");
    return;
  }
  beginTable({{Word::Place}, {Word::Column}, {Word::Value}, {Word::Rule}, {Word::Reason}}, page);
  for (std::size_t i = 0; i < facts.quarantined.size() && i < kRows; ++i) {
    const QuarantinedRow& row = facts.quarantined[i];
    page.raw("<tr><td class=id>").text(fmt::format("{}:{}", row.file, row.line)).raw("</td><td>").text(row.column).raw("</td><td class=id>");
    page.text(row.value).raw("</td><td>").text(row.rule).raw("</td><td>").text(row.reason);
    if (!row.raw.empty()) page.raw("<br><code>").text(row.raw).raw("</code>");
    page.raw("</td></tr>");
  }
  endTable(page);
  if (facts.quarantinedCount > std::min(facts.quarantined.size(), kRows)) {
    page.raw("<p class=dim>").number(facts.quarantinedCount - std::min(facts.quarantined.size(), kRows)).raw(" ").text(words(Word::MoreRows)).raw("</p>");
  }
  if (!facts.unmasked) page.raw("<p class=\"small dim\">").text(words(Word::MaskedRaw)).raw("</p>");
  page.raw("</section>");
}

void writeInputs(const ReportFacts& facts, HtmlPage& page) {
  const Words& words = page.words();
  beginSection("inputs", Word::Inputs, page);
  beginTable({{Word::Source}, {Word::Format}, {Word::Rows, true}, {Word::Recorded, true}, {Word::TileQuarantined, true}, {Word::Excluded, true},
              {Word::Repeated, true}, {Word::From}, {Word::To}},
             page);
  for (const SourceReport& source : facts.sources) {
    page.raw("<tr><td>").text(source.name).raw("</td><td>").text(source.format).raw("</td>");
    for (const std::uint64_t count : {source.rows, source.recorded, source.quarantined, source.excluded, source.repeated}) {
      page.raw("<td class=r>").number(count).raw("</td>");
    }
    page.raw("<td class=w>").text(source.from ? words.instant(*source.from) : "").raw("</td><td class=w>").text(source.to ? words.instant(*source.to) : "");
    page.raw("</td></tr><tr><td></td><td colspan=8 class=\"dim id\">").text(source.digest).raw("</td></tr>");
  }
  endTable(page);
  page.raw("</section>");
  if (facts.configuration.empty()) return;
  page.raw("<section id=configuration><h2>").text(words(Word::Configuration)).raw("</h2><details><summary>").text(words(Word::Show)).raw("</summary><pre class=conf>");
  std::size_t from = 0;
  constexpr std::size_t most = 256u << 10;
  const std::string_view text = std::string_view(facts.configuration).substr(0, most);
  while (from < text.size()) {   // line by line: line ends stay
    const std::size_t to = std::min(text.find('\n', from), text.size());
    page.text(text.substr(from, to - from)).raw("\n");
    from = to + 1;
  }
  page.raw("</pre></details></section>");
}

}  // namespace counterfoil
