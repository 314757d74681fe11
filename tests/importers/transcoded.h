// SPDX-License-Identifier: GPL-3.0-or-later
// The rows that a bank file becomes, in pieces of any size.
#pragma once

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "importers/bank/bank_rows.h"

namespace counterfoil::testing {

struct TranscodedRow {
  std::uint64_t line = 0;
  bool isDefect = false;
  nlohmann::json json;  ///< of a defect: column, value, reason, raw
  /// "" where the row has no such member; "statement.x" looks inside.
  [[nodiscard]] std::string at(const std::string& name) const {
    const bool isFact = name.rfind("statement.", 0) == 0;
    const nlohmann::json& from = isFact ? json.at("statement") : json;
    return from.value(isFact ? name.substr(10) : name, std::string());
  }
};

struct Transcoded {
  std::string text;
  std::string error;
  std::vector<TranscodedRow> rows;

  /// A member of all rows, by ' '.
  [[nodiscard]] std::string all(const std::string& name) const {
    std::string joined;
    for (const TranscodedRow& row : rows) joined += (row.isDefect ? "!" : row.at(name)) + " ";
    return joined.substr(0, joined.empty() ? 0 : joined.size() - 1);
  }
  [[nodiscard]] std::string lines() const {
    std::string joined;
    for (const TranscodedRow& row : rows)
      joined += (joined.empty() ? "" : " ") + std::to_string(row.line);
    return joined;
  }
};

inline TranscodedRow transcodedRow(const std::string& line, std::uint64_t number) {
  TranscodedRow row;
  row.line = number;
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

inline Transcoded transcoded(std::unique_ptr<bank::Transcoder> transcoder, std::string_view text,
                             std::size_t step = 4096) {
  Transcoded result;
  const auto take = [&](const Result<>& done) {
    result.text += transcoder->rows.text();
    transcoder->rows.text().clear();
    if (!done) result.error = done.error().message;
    return done.has_value();
  };
  bool good = true;
  for (std::size_t at = 0; good && at < text.size(); at += step)
    good = take(transcoder->feed(text.substr(at, step)));
  if (good) take(transcoder->finish());
  std::uint64_t number = 0;
  for (std::size_t at = 0; at < result.text.size();) {
    const std::size_t end = result.text.find('\n', at);
    ++number;
    if (end > at) result.rows.push_back(transcodedRow(result.text.substr(at, end - at), number));
    at = end + 1;
  }
  return result;
}

}  // namespace counterfoil::testing
