// SPDX-License-Identifier: GPL-3.0-or-later
// The rows that a Redis dump becomes, from a text that comes in pieces of any size.
#pragma once

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "importers/redis/redis_format.h"

namespace counterfoil::testing {

class TextInPieces final : public ByteSource {
 public:
  TextInPieces(std::string text, std::size_t step) : m_text(std::move(text)), m_step(step) {}
  [[nodiscard]] const FileNature& nature() const override { return m_nature; }
  Result<std::size_t> read(std::string& out, std::size_t count) override {
    const std::size_t size = std::min({count, m_step, m_text.size() - m_at});
    out.append(m_text, m_at, size);
    m_at += size;
    return size;
  }
  Result<std::size_t> readAt(std::uint64_t, char*, std::size_t) const override {
    return fail(ErrorCode::Internal, "");
  }

 private:
  std::string m_text;
  std::size_t m_step;
  std::size_t m_at = 0;
  FileNature m_nature;
};

struct RedisRow {
  std::uint64_t line = 0;
  bool isDefect = false;
  nlohmann::json json;  ///< of a defect: column, value, reason, raw
};

struct RedisRead {
  std::string text;
  std::string error;
  std::vector<RedisRow> rows;

  /// A member of all rows ("/value/x" as a JSON pointer), by ' '; "-" where a row has none, "!" a
  /// defect.
  [[nodiscard]] std::string all(const std::string& pointer) const {
    std::string joined;
    for (const RedisRow& row : rows) {
      std::string one = "-";
      const nlohmann::json::json_pointer place(pointer);
      if (row.isDefect) one = "!";
      if (!row.isDefect && row.json.contains(place)) {
        const nlohmann::json& found = row.json.at(place);
        one = found.is_string() ? found.get<std::string>() : found.dump();
      }
      joined += one + ' ';
    }
    return joined.substr(0, joined.size() - (joined.empty() ? 0 : 1));
  }
  [[nodiscard]] std::string lines() const {
    std::string joined;
    for (const RedisRow& row : rows)
      joined += (joined.empty() ? "" : " ") + std::to_string(row.line);
    return joined;
  }
  /// "line: reason" of all defects, by '|'.
  [[nodiscard]] std::string defects() const {
    std::string joined;
    for (const RedisRow& row : rows) {
      if (!row.isDefect) continue;
      joined += (joined.empty() ? "" : "|") + std::to_string(row.line) + ": " +
                row.json["reason"].get<std::string>();
    }
    return joined;
  }
};

inline RedisRow redisRow(std::string line) {
  RedisRow row;
  row.line = std::stoull(line.substr(1, line.find('\x1F') - 1));
  line.erase(0, line.find('\x1F') + 1);
  row.isDefect = line[0] == '\x15';
  if (!row.isDefect) {
    row.json = nlohmann::json::parse(line);
    return row;
  }
  std::size_t at = 1;
  for (const char* const name : {"column", "value", "reason", "raw"}) {
    const std::size_t end = line.find('\x1F', at);
    row.json[name] = line.substr(at, end - at);
    at = end + 1;
  }
  return row;
}

inline RedisRead redisRead(const RedisLayout& layout, const std::string& text,
                           std::size_t step = 4096) {
  RedisRead read;
  const SourceOpener open = [&]() -> Result<std::unique_ptr<ByteSource>> {
    return std::make_unique<TextInPieces>(text, step);
  };
  RedisIndex index;
  const Result<std::unique_ptr<ByteSource>> source = transcodeRedis(layout, open, index);
  if (!source) {
    read.error = source.error().message;
    return read;
  }
  while (true) {
    const Result<std::size_t> got = (*source)->read(read.text, step);
    if (!got) read.error = got.error().message;
    if (!got || *got == 0) break;
  }
  for (std::size_t at = 0; at < read.text.size();) {
    const std::size_t end = read.text.find('\n', at);
    read.rows.push_back(redisRow(read.text.substr(at, end - at)));
    at = end + 1;
  }
  return read;
}

inline RedisLayout redisLayout(RedisRows rows = RedisRows::Items,
                               const std::vector<std::string>& keys = {}) {
  RedisLayout layout;
  layout.rows = rows;
  for (const std::string& key : keys) layout.keys.push_back(*TextMatch::make(key));
  return layout;
}

/// A line of redis-dump.
inline std::string dumped(const std::string& key, const std::string& type, const std::string& value,
                          int db = 0, int ttl = -1) {
  return R"({"db":)" + std::to_string(db) + R"(,"key":")" + key + R"(","ttl":)" +
         std::to_string(ttl) + R"(,"type":")" + type + R"(","value":)" + value + R"(,"size":1})" +
         "\n";
}

}  // namespace counterfoil::testing
