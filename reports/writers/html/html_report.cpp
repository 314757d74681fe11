// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include "reports/writers/html/case_sections.h"
#include "reports/writers/html/run_sections.h"

namespace counterfoil {
namespace {

bool isOfRun(const ReportFacts& facts) { return facts.kind == ReportKind::Run || facts.kind == ReportKind::Period; }

void writeHead(const ReportFacts& facts, HtmlPage& page) {
  const Words& words = page.words();
  page.raw("<header class=top><h1>").text(facts.title).raw("</h1><div class=dim>");
  if (facts.period) {
    page.text(fmt::format("{} – {} · {}", words.instant(facts.period->from), words.instant(facts.period->to), words.count(Counted::Run, facts.runs.size())));
    page.raw(" · ");
  }
  page.text(fmt::format("{} {} · {} {}", words(Word::Run), facts.run, words(Word::Generated), words.instant(facts.asOf)));
  page.raw("</div>");
  if (!facts.health.empty()) page.raw("<p class=health>").text(facts.health).raw("</p>");
  if (facts.earlierBreaks > 0) {
    page.raw("<p><a href=#earlier>").text(words.count(Counted::EarlierBreak, facts.earlierBreaks)).raw(".</a></p>");
  }
  if (!facts.complete && isOfRun(facts)) {
    page.raw("<div class=\"note bad\"><b>").text(words(Word::IncompleteBecause)).raw("</b><ul>");
    constexpr std::size_t most = 30;
    for (std::size_t i = 0; i < facts.incompleteBecause.size() && i < most; ++i) page.raw("<li>").text(facts.incompleteBecause[i]).raw("</li>");
    page.raw("</ul></div>");
  }
  writeTiles(facts, page);
  page.raw("</header>");
}

void writeNavigation(const ReportFacts& facts, HtmlPage& page) {
  const Words& words = page.words();
  page.raw("<nav aria-label=\"").text(facts.title).raw("\"><ul>");
  const auto item = [&](std::string_view id, Word word, std::optional<std::uint64_t> count = {}) {
    page.raw("<li><a href=#").raw(id).raw(">").text(words(word));
    if (count) page.raw(" <span class=n>").number(*count).raw("</span>");
    page.raw("</a></li>");
  };
  item("classes", Word::Classes);
  item("proof", Word::Proof);
  item("breaks", Word::Breaks, facts.breaks);
  item("open", Word::Open, facts.open);
  if (facts.earlierBreaks > 0) item("earlier", Word::Before, facts.earlierBreaks);
  item("skips", Word::Skips);
  item("dead-letters", Word::DeadLetters);
  item("findings", Word::Findings, facts.findings.size());
  item("coverage", Word::Coverage);
  item("quarantined", Word::TileQuarantined, facts.quarantinedCount);
  item("inputs", Word::Inputs);
  page.raw("</ul></nav>");
}

/// Shown by the script, which is what makes them work.
void writeTools(const ReportFacts& facts, HtmlPage& page) {
  const Words& words = page.words();
  page.raw("<div class=tools hidden><input type=search aria-label=\"").text(words(Word::Filter)).raw("\" placeholder=\"").text(words(Word::Filter));
  page.raw("\"><select aria-label=\"").text(words(Word::Class)).raw("\"><option value=\"\">").text(words(Word::AllClasses)).raw("</option>");
  for (const ClassRow& row : facts.classes) {
    if (row.group == ClassGroup::Closed || row.count == 0) continue;
    page.raw("<option value=").raw(codeOf(row.unitClass)).raw(">").text(row.label).raw("</option>");
  }
  page.raw("</select><output class=dim aria-live=polite></output></div>");
}

Result<> writeRunParts(const ReportModel& model, HtmlPage& page) {
  const ReportFacts& facts = model.facts();
  writeTrendAndClasses(facts, page);
  writeTools(facts, page);
  if (auto ok = writeCaseSection(model, CaseSet::Breaks, "breaks", Word::Breaks, page); !ok) return ok;
  if (facts.earlierBreaks > 0) {
    if (auto ok = writeCaseSection(model, CaseSet::Earlier, "earlier", Word::EarlierBreaks, page); !ok) return ok;
  }
  if (auto ok = writeCaseSection(model, CaseSet::Open, "open", Word::OpenUnits, page); !ok) return ok;
  if (auto ok = writeSkips(model, page); !ok) return ok;
  if (auto ok = writeDeadLetters(model, page); !ok) return ok;
  writeFindings(facts, page);
  writeCoverage(facts, page);
  writeQuarantined(facts, page);
  writeInputs(facts, page);
  return {};
}

}  // namespace

Result<> writeHtml(const ReportModel& model, const WriterOptions&, Sink& sink) {
  const ReportFacts& facts = model.facts();
  HtmlPage page(sink, model.words());
  page.begin(facts.title);
  writeHead(facts, page);
  if (isOfRun(facts)) writeNavigation(facts, page);
  page.raw("<main>");
  if (facts.kind == ReportKind::Case) {
    if (auto ok = writeCasePages(model, page); !ok) return ok;
  } else if (facts.kind == ReportKind::List) {
    writeTools(facts, page);
    if (auto ok = writeCaseSection(model, CaseSet::Listed, "cases", Word::Cases, page); !ok) return ok;
  } else if (auto ok = writeRunParts(model, page); !ok) {
    return ok;
  }
  page.raw("</main><footer><p>").text(model.words()(Word::MadeBy)).raw(" ").text(facts.program).raw("</p>");
  if (!facts.unmasked) page.raw("<p>").text(model.words()(Word::MaskedNote)).raw("</p>");
  page.raw("</footer>");
  return page.end();
}

}  // namespace counterfoil
