// SPDX-License-Identifier: GPL-3.0-or-later
// The `layout` member of a mapping.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "core/base/instant.h"
#include "core/base/text.h"
#include "importers/mapping/mapping_model.h"
#include "importers/redis/redis_format.h"

namespace counterfoil {

namespace {

constexpr std::array<std::string_view, 23> kMembers = {
    "kind", "encoding", "delimiter", "decimal", "grouping", "header",    "columns",
    "rows", "each",     "table",     "query",   "pattern",  "unmatched", "footer",
    "unwrap", "sheet",    "lines",     "date",  "invalid_text", "keys",    "key",
    "type",   "optional"};
constexpr std::array<std::string_view, 19> kKinds = {"find",  "csv",    "json",  "ndjson",   "xlsx",    "sqlite",
                                                     "lines", "logfmt", "log",   "camt",     "mt940",   "ofx",
                                                     "bai2",  "sql",    "psql",  "dumpdata", "sqs_xml", "redis",
                                                     "celery_events"};

Result<> parseKind(const JsonNode& node, Layout& layout) {
  for (std::size_t i = 0; i < kKinds.size(); ++i) {
    if (kKinds[i] != node.text) continue;
    layout.kind = static_cast<LayoutKind>(i);
    return {};
  }
  if (node.text == "tsv") {
    layout.kind = LayoutKind::Csv;
    layout.delimiter = '\t';
    return {};
  }
  return failAt(
      node,
      fmt::format(
          "'{}' is no kind of layout{}; known are csv, json, ndjson, xlsx, sqlite, lines, logfmt, "
          "log, camt, mt940, ofx, bai2, sql, psql, dumpdata, sqs_xml, redis, celery_events",
          node.text, didYouMean(node.text, kKinds.data(), kKinds.size())));
}

Result<> parseDelimiter(const JsonNode& node, Layout& layout) {
  if (node.text == "tab") {
    layout.delimiter = '\t';
    return {};
  }
  if (node.text.size() != 1 || node.text[0] == '"' || node.text[0] == '\n' ||
      node.text[0] == '\r') {
    return failAt(node, "'delimiter' has to be one character, or \"tab\"");
  }
  layout.delimiter = node.text[0];
  return {};
}

Result<> parseHeader(const JsonNode& node, Layout& layout) {
  if (node.type == JsonNode::Type::Number) {
    std::uint64_t line = 0;
    const auto [end, error] =
        std::from_chars(node.text.data(), node.text.data() + node.text.size(), line);
    if (error != std::errc() || end != node.text.data() + node.text.size() || line == 0) {
      return failAt(node, "'header' has to be a line number from 1, \"find\" or \"none\"");
    }
    layout.header = Layout::Header::AtLine;
    layout.headerLine = line;
    return {};
  }
  if (node.text == "find") {
    layout.header = Layout::Header::Find;
  } else if (node.text == "none") {
    layout.header = Layout::Header::None;
  } else {
    return failAt(node, "'header' has to be a line number from 1, \"find\" or \"none\"");
  }
  return {};
}

Result<> parsePatterns(const JsonNode& node, Layout& layout) {
  auto patterns = textsOf(node, "pattern");
  if (!patterns) return fail(patterns.error());
  if (patterns->empty()) return failAt(node, "'pattern' is an empty list");
  for (const std::string& text : *patterns) {
    auto pattern = Pattern::compile(text);
    if (!pattern) return failAt(node, pattern.error().message);
  }
  layout.patterns = std::move(*patterns);
  return {};
}

Result<> parseDecimal(const JsonNode& node, Layout& layout) {
  if (node.text != "," && node.text != ".")
    return failAt(node, "'decimal' has to be \".\" or \",\"");
  layout.decimal = node.text == "," ? DecimalSign::Comma : DecimalSign::Point;
  return {};
}

Result<> parseFooter(const JsonNode& node, Layout& layout) {
  if (node.text.rfind("re:", 0) == 0) {
    auto pattern = Pattern::compile(std::string_view(node.text).substr(3));
    if (!pattern) return failAt(node, pattern.error().message);
  }
  layout.footer = node.text;
  return {};
}

/// A name, or a number from 1.
Result<> parseSheet(const JsonNode& node, Layout& layout) {
  if (node.type != JsonNode::Type::Number) {
    if (auto text = textOf(node, "sheet"); !text) return fail(text.error());
  } else if (node.text == "0" || node.text.find_first_not_of("0123456789") != std::string::npos) {
    return failAt(node, "'sheet' is the name of a sheet, or its number from 1");
  }
  layout.sheet = node.text;
  return {};
}

/// The day of a log's first line, or "name": the file's name holds it.
Result<> parseDate(const JsonNode& node, Layout& layout) {
  const bool isDate = node.text.size() == 10 && parseInstant(node.text + "T00:00:00Z").has_value();
  if (!isDate && node.text != "name")
    return failAt(node, "'date' is the day of the first line (\"2026-11-29\"), or \"name\"");
  layout.date = node.text;
  return {};
}

bool isRedisRows(std::string_view rows) { return rows == "items" || rows == "hashes" || rows == "keys"; }

Result<> parseKeys(const JsonNode& node, Layout& layout) {
  auto keys = textsOf(node, "keys");
  if (!keys) return fail(keys.error());
  if (keys->empty()) return failAt(node, "'keys' is an empty list");
  for (const std::string& key : *keys) {
    if (key.rfind("re:", 0) != 0) continue;
    auto pattern = Pattern::compile(std::string_view(key).substr(3));
    if (!pattern) return failAt(node, pattern.error().message);
  }
  layout.keys = std::move(*keys);
  return {};
}

/// Of a list the first place that the document has.
Result<> parseRows(const JsonNode& node, Layout& layout) {
  auto places = textsOf(node, "rows");
  if (!places) return fail(places.error());
  if (places->empty()) return failAt(node, "'rows' is an empty list");
  for (std::size_t i = 0; i < places->size(); ++i) {
    const std::string& place = (*places)[i];
    const bool isPointer = place == "#" || (!place.empty() && place[0] == '/');
    if (!isPointer && !(isRedisRows(place) && places->size() == 1) && !place.empty())
      return failAt(node, "'rows' is a JSON pointer, it begins with '/'; of kind redis it is \"items\", \"hashes\" "
                          "or \"keys\"");
    if (place.empty() && i + 1 < places->size())
      return failAt(node, "\"\" in 'rows' is looked for last: put it at the end");
  }
  layout.rows = places->front();
  layout.rowsElse.assign(places->begin() + 1, places->end());
  return {};
}

Result<> parseMember(const std::string& name, const JsonNode& node, Layout& layout) {
  if (name == "header") return parseHeader(node, layout);
  if (name == "sheet") return parseSheet(node, layout);
  if (name == "pattern") return parsePatterns(node, layout);
  if (name == "columns") {
    auto columns = textsOf(node, name);
    if (!columns) return fail(columns.error());
    layout.columns = std::move(*columns);
    return {};
  }
  if (name == "each") {
    auto paths = textsOf(node, name);
    if (!paths) return fail(paths.error());
    const auto self = std::find(paths->begin(), paths->end(), ".");
    if (self != paths->end() && (self == paths->begin() || self + 1 != paths->end()))
      return failAt(node, "\".\" in 'each' is the row itself, where no list is there: put it behind the lists");
    layout.each = std::move(*paths);
    return {};
  }
  if (name == "lines") {   // its conditions are the mapping's: parseRowLines
    if (node.type != JsonNode::Type::Array) return failAt(node, "'lines' has to be a list of conditions");
    layout.givesEveryLine = !node.items.empty();
    return {};
  }
  if (name == "keys") return parseKeys(node, layout);
  if (name == "rows") return parseRows(node, layout);
  if (name == "optional") {
    if (node.type != JsonNode::Type::Boolean) return failAt(node, "'optional' has to be true or false");
    layout.optional = node.text == "true";
    return {};
  }
  if (auto text = textOf(node, name); !text) return fail(text.error());
  if (name == "date") return parseDate(node, layout);
  if (name == "kind") return parseKind(node, layout);
  if (name == "delimiter") return parseDelimiter(node, layout);
  if (name == "decimal") return parseDecimal(node, layout);
  if (name == "footer") return parseFooter(node, layout);
  if (name == "encoding") layout.encoding = toLowerAscii(node.text);
  if (name == "grouping") layout.grouping = node.text;
  if (name == "unwrap") layout.unwrap = node.text;
  if (name == "table") layout.table = node.text;
  if (name == "query") layout.query = node.text;
  if (name == "invalid_text") {
    if (node.text != "replace" && node.text != "quarantine") {
      return failAt(node, "'invalid_text' has to be \"quarantine\" or \"replace\"");
    }
    layout.replacesInvalid = node.text == "replace";
  }
  if (name == "key") layout.key = node.text;
  if (name == "type") {
    if (!isRedisType(node.text))
      return failAt(node, fmt::format("'{}' is no type of a Redis key; known are {}", node.text, kRedisTypes));
    layout.type = node.text;
  }
  if (name == "unmatched") {
    if (node.text != "pass" && node.text != "quarantine") {
      return failAt(node, "'unmatched' has to be \"pass\" or \"quarantine\"");
    }
    layout.quarantineUnmatched = node.text == "quarantine";
  }
  return {};
}

Result<> checkRedis(const JsonNode& node, const Layout& layout) {
  if (layout.kind != LayoutKind::Redis) {
    if (isRedisRows(layout.rows))
      return failAt(node, fmt::format("\"rows\": \"{}\" needs \"kind\": \"redis\"", layout.rows));
    if (layout.keys.empty() && layout.key.empty() && layout.type.empty()) return {};
    return failAt(node, "'keys', 'key' and 'type' need \"kind\": \"redis\"");
  }
  if (!layout.rows.empty() && !isRedisRows(layout.rows))
    return failAt(node, "'rows' of kind redis is \"items\", \"hashes\" or \"keys\"");
  if (!layout.type.empty() && layout.key.empty())
    return failAt(node, "'type' needs 'key': the key whose answer of redis-cli the file is");
  return {};
}

Result<> checkWhole(const JsonNode& node, const Layout& layout) {
  if (layout.header == Layout::Header::None && layout.columns.empty() &&
      (layout.kind == LayoutKind::Csv || layout.kind == LayoutKind::Xlsx || layout.kind == LayoutKind::Find)) {
    return failAt(node, "\"header\": \"none\" needs \"columns\": the names in order");
  }
  if (layout.kind == LayoutKind::Lines && layout.patterns.empty()) {
    return failAt(node, "layout of kind lines needs a 'pattern' with named groups");
  }
  const bool isLog = layout.kind == LayoutKind::Log;
  if (!isLog && (layout.givesEveryLine || !layout.date.empty()))
    return failAt(node, "'lines' and 'date' belong to a layout of kind log");
  if (Result<> redis = checkRedis(node, layout); !redis) return redis;
  if (layout.optional && (layout.rows.empty() || isRedisRows(layout.rows)))
    return failAt(node, "'optional' needs 'rows': the place of a JSON document that may have none");
  if (!layout.table.empty() && !layout.query.empty())
    return failAt(node, "only one of 'table' and 'query' can be given");
  return {};
}

}  // namespace

Result<Layout> parseLayout(const JsonNode& node, Layout base) {
  if (node.type != JsonNode::Type::Object) return failAt(node, "'layout' has to be an object");
  if (auto ok = checkMembers(node, kMembers.data(), kMembers.size()); !ok) return fail(ok.error());
  if (node.find("columns") != nullptr && node.find("header") == nullptr)
    base.header = Layout::Header::None;
  if (node.find("table") != nullptr) base.query.clear();
  if (node.find("query") != nullptr) base.table.clear();
  for (const auto& [name, value] : node.members) {
    if (auto ok = parseMember(name, value, base); !ok) return fail(ok.error());
  }
  if (base.kind == LayoutKind::Find && !base.patterns.empty()) base.kind = LayoutKind::Lines;
  if (base.kind == LayoutKind::Find && !base.sheet.empty()) base.kind = LayoutKind::Xlsx;
  if (base.kind == LayoutKind::Find && !base.query.empty()) base.kind = LayoutKind::Sqlite;
  if (auto ok = checkWhole(node, base); !ok) return fail(ok.error());
  return base;
}

}  // namespace counterfoil
