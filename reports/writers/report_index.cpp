// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/writers/report_index.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "reports/json/json_writer.h"
#include "reports/writers/html/page.h"

namespace counterfoil {
namespace {

constexpr std::size_t kMost = 10'000;
constexpr std::string_view kMark = "counterfoil-reports";

std::string textIn(const nlohmann::json& node, const char* name) {
  const auto found = node.find(name);
  return found != node.end() && found->is_string() ? found->get<std::string>() : std::string();
}
std::uint64_t numberIn(const nlohmann::json& node, const char* name) {
  const auto found = node.find(name);
  return found != node.end() && found->is_number_unsigned() ? found->get<std::uint64_t>() : 0;
}

/// Names of files only: an index that was tampered with must not point out of its folder.
bool isFileName(const std::string& name) {
  return !name.empty() && name.find('/') == std::string::npos && name != "." && name != "..";
}

}  // namespace

IndexEntry indexEntryOf(const ReportFacts& facts, const Words& words, std::string_view format, std::string file) {
  return {std::move(file), std::string(format), facts.title,    facts.name, facts.run,
          formatInstant(facts.asOf), facts.breaks, facts.open, facts.complete, words.money(facts.exposure)};
}

Result<std::vector<IndexEntry>> readIndex(std::string_view json) {
  const auto root = nlohmann::json::parse(json, nullptr, false);
  if (!root.is_object() || textIn(root, "index") != kMark || !root.contains("reports") || !root["reports"].is_array()) {
    return fail(ErrorCode::Format, "it was not made by this program");
  }
  std::vector<IndexEntry> entries;
  for (const auto& node : root["reports"]) {
    if (!node.is_object() || entries.size() >= kMost) continue;
    IndexEntry entry{textIn(node, "file"), textIn(node, "format"), textIn(node, "title"), textIn(node, "name"), numberIn(node, "run"),
                     textIn(node, "as_of"), numberIn(node, "breaks"), numberIn(node, "open"), true, textIn(node, "exposure")};
    const auto complete = node.find("complete");
    entry.complete = complete != node.end() && complete->is_boolean() && complete->get<bool>();
    if (isFileName(entry.file)) entries.push_back(std::move(entry));
  }
  return entries;
}

void addToIndex(std::vector<IndexEntry>& entries, IndexEntry entry) {
  std::erase_if(entries, [&](const IndexEntry& other) { return other.file == entry.file; });
  entries.push_back(std::move(entry));
  std::sort(entries.begin(), entries.end(), [](const IndexEntry& a, const IndexEntry& b) {
    return a.asOf != b.asOf ? a.asOf > b.asOf : a.file < b.file;
  });
  if (entries.size() > kMost) entries.resize(kMost);
}

std::string indexJson(const std::vector<IndexEntry>& entries) {
  std::string out;
  JsonWriter json(out, 2);
  json.beginObject();
  json.text("index", kMark);
  json.key("reports");
  json.beginArray();
  for (const IndexEntry& entry : entries) {
    json.beginObject();
    json.text("file", entry.file);
    json.text("format", entry.format);
    json.text("title", entry.title);
    json.text("name", entry.name);
    json.integer("run", static_cast<std::int64_t>(entry.run));
    json.text("as_of", entry.asOf);
    json.integer("breaks", static_cast<std::int64_t>(entry.breaks));
    json.integer("open", static_cast<std::int64_t>(entry.open));
    json.key("complete");
    json.boolean(entry.complete);
    json.text("exposure", entry.exposure);
    json.endObject();
  }
  json.endArray();
  json.endObject();
  out += '\n';
  return out;
}

std::string indexHtml(const std::vector<IndexEntry>& entries, const Words& words) {
  StringSink sink;
  HtmlPage page(sink, words);
  page.begin(words(Word::IndexTitle));
  page.raw("<header class=top><h1>").text(words(Word::IndexTitle)).raw("</h1></header><main><section><div class=wrap><table><thead><tr>");
  for (const Word title : {Word::AsOf, Word::ReportTitle, Word::Format, Word::Run}) page.raw("<th>").text(words(title)).raw("</th>");
  for (const Word title : {Word::Breaks, Word::Open, Word::Exposure}) page.raw("<th class=r>").text(words(title)).raw("</th>");
  page.raw("</tr></thead><tbody>");
  for (const IndexEntry& entry : entries) {
    const auto at = parseInstant(entry.asOf);
    page.raw("<tr><td class=w>").text(at ? words.instant(*at) : entry.asOf).raw("</td><td><a href=\"./").text(percentEncoded(entry.file));
    page.raw("\">").text(entry.title.empty() ? entry.file : entry.title).raw("</a> <span class=\"dim small\">").text(entry.file);
    page.raw("</span></td><td>").text(entry.format).raw("</td><td>").text(std::to_string(entry.run)).raw("</td><td class=r>");
    page.text(words.number(entry.breaks));
    if (!entry.complete) page.raw(" <span class=tag>").text(words(Word::Incomplete)).raw("</span>");
    page.raw("</td><td class=r>").text(words.number(entry.open)).raw("</td><td class=r>").text(entry.exposure).raw("</td></tr>");
  }
  page.raw("</tbody></table></div></section></main>");
  const Result<> ended = page.end();   // a string takes everything
  return ended ? sink.text() : std::string();
}

}  // namespace counterfoil
