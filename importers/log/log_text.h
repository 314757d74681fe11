// SPDX-License-Identifier: GPL-3.0-or-later
// What a program wrote in a line of text: its time, level and message, and the key=value pairs in it. Internal to
// importers/log. Pure; views point into the text or into the arena.
#pragma once

#include <string_view>
#include <vector>

#include "importers/log/log_time.h"
#include "importers/readers/arena.h"

namespace counterfoil::logs {

struct Prefix {
  LogTime time;
  std::string_view level;     ///< as written
  std::string_view message;   ///< behind both, and what usually stands between them
};

/// Of "[2026-11-29 12:00:31,644: INFO/MainProcess] …", "2026-…Z pid=1 tid=k INFO: …", "INFO  2026-…Z pid=1: …",
/// "[time] [PID 8] [Thread-7] [logger] [ERROR] …", "I, [2026-… #8]  INFO -- : …", "12:00:31: …".
[[nodiscard]] Prefix readPrefix(std::string_view text);

struct Pair {
  std::string_view name, value;
};

/// Whether a line begins with a pair, as logfmt does.
[[nodiscard]] bool isLogfmt(std::string_view text);
enum class PairStyle { Logfmt, Prose };
/// Appends the pairs of a text, in its order, at most kMaxPairs. In prose a pair begins behind white space or an
/// opening bracket, and commas, closing brackets and the like at the end of a value belong to the prose.
inline constexpr std::size_t kMaxPairs = 256;
void appendPairs(std::string_view text, PairStyle style, Arena& arena, std::vector<Pair>& out);

/// The JSON object that ends a text ("Task already processed {…}"): its candidates' beginnings, first to last, at
/// most three. Blank if the text does not end with a brace.
[[nodiscard]] std::vector<std::string_view> jsonTails(std::string_view text);

}  // namespace counterfoil::logs
