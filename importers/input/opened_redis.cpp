// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/input/opened_redis.h"

#include <fmt/format.h>

#include "core/base/text.h"
#include "importers/xlsx/workbook.h"

namespace counterfoil {

namespace {

RedisRows rowsOf(const Layout& layout) {
  if (layout.rows == "hashes") return RedisRows::Hashes;
  return layout.rows == "keys" ? RedisRows::Keys : RedisRows::Items;
}

SourceOpener openerOf(const OpenedFile& file) {
  OpenOptions options;
  options.encoding = file.encoding;
  return [place = file.place, options] { return openFile(place, options); };
}

std::string_view nameOf(RedisForm form) {
  switch (form) {
    case RedisForm::DumpLines:
      return "dump of redis-dump";
    case RedisForm::RdbJson:
      return "dump of rdb-tools";
    case RedisForm::CliJson:
      return "answer of redis-cli --json";
    case RedisForm::CliText:
      return "answer of redis-cli";
  }
  return "";
}

}  // namespace

Result<> settleRedisKind(OpenedFile& file, std::string_view head, bool isEncodingOpen) {
  Layout& layout = file.layout;
  const std::optional<RedisForm> found = redisFormOf(head);
  file.redis.isFound = found.has_value();
  file.redis.form = found.value_or(RedisForm::DumpLines);
  const bool isOpen = layout.kind == LayoutKind::Find && layout.patterns.empty();
  if (isOpen && found) layout.kind = LayoutKind::Redis;
  if (layout.kind != LayoutKind::Redis) return {};
  if (isEncodingOpen && file.encoding != "utf-8" && file.nature.bomBytes == 0) {
    return fail(
        ErrorCode::Encoding,
        file.path +
            ": bytes that are no UTF-8 text; write them as {\"base64\": \"…\"} in the dump");
  }
  file.encodingIsGuess = false;  // JSON is UTF-8
  return {};
}

Result<> openRedis(OpenedFile& file, std::string_view head) {
  const Layout& layout = file.layout;
  file.redis.rows = rowsOf(layout);
  file.redis.key = layout.key;
  file.redis.type = layout.type;
  for (const std::string& key : layout.keys) {
    auto match = TextMatch::make(key);
    if (!match) return fail(match.error());
    file.redis.keys.push_back(std::move(*match));
  }
  if (!layout.key.empty()) {
    if (file.redis.isFound && file.redis.form == RedisForm::DumpLines)
      return fail(
          ErrorCode::Format,
          file.path + ": a dump of many keys; 'key' in the layout is for an answer of redis-cli");
    const Result<RedisForm> form = cliFormOf(openerOf(file));
    if (!form) return fail(form.error().within(file.path));
    file.redis.form = *form;
    return {};
  }
  const std::string_view start = trim(head).substr(0, 1);
  if (file.redis.isFound) return {};
  if (start != "{" && start != "[") {
    return fail(ErrorCode::Format, file.path +
                                       ": no Redis dump (lines of redis-dump, or JSON of "
                                       "rdb-tools); an answer of redis-cli needs "
                                       "\"key\" in the layout: the name of the key it is of");
  }
  file.redis.form = start == "[" ? RedisForm::RdbJson : RedisForm::DumpLines;
  return {};
}

Result<std::unique_ptr<ByteSource>> openRedisSource(const OpenedFile& file) {
  RedisIndex own;
  BookShelf* const shelf = file.place.shelf.get();
  return transcodeRedis(file.redis, openerOf(file), shelf != nullptr ? shelf->redisIndex : own);
}

std::string describeRedis(const RedisLayout& layout) {
  std::string text = fmt::format(", {}", nameOf(layout.form));
  if (layout.rows == RedisRows::Hashes) text += ", hashes";
  if (layout.rows == RedisRows::Keys) text += ", keys";
  return text;
}

bool readsPlaces(const std::string& column) {
  return column == "place" || column == "places" || column.rfind("places.", 0) == 0;
}

Error rdbFault(const FilePlace& place) {
  return {
      ErrorCode::Format,
      place.path +
          ": the binary dump of a Redis server (RDB), which is not read; write it as text first, "
          "with "
          "`redis-dump -u 127.0.0.1:6379 > dump.jsonl` from a server that has loaded it, or with "
          "`rdb --command json dump.rdb > dump.json` (redis-rdb-tools)"};
}

}  // namespace counterfoil
