// SPDX-License-Identifier: GPL-3.0-or-later
// The tables behind Words.
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "reports/model/words.h"

namespace counterfoil::words {

/// One text in each language.
struct Text {
  std::string_view english, russian;
  [[nodiscard]] std::string_view in(Language language) const {
    return language == Language::Russian ? russian : english;
  }
};
/// English: one, many. Russian: 1, 2 to 4, 5 and more.
struct Plural {
  std::string_view one, many, odin, dva, pyat;
};
struct ClassText {
  Text withMoney, withoutMoney, explanation, advice;
};
struct CodeText {
  std::string_view code;
  Text label, explanation;
};

[[nodiscard]] std::span<const Text> texts();           ///< by Word
[[nodiscard]] std::span<const Plural> plurals();       ///< by Counted
[[nodiscard]] std::span<const ClassText> classes();    ///< by Class
[[nodiscard]] std::span<const CodeText> findings();
[[nodiscard]] std::span<const CodeText> events();      ///< no explanations
[[nodiscard]] std::span<const Text> severities();
[[nodiscard]] std::span<const Text> states();
[[nodiscard]] std::span<const Text> whys();
[[nodiscard]] std::span<const Text> hints();
[[nodiscard]] std::span<const Text> flags();
[[nodiscard]] std::span<const Text> skipVerdicts();
[[nodiscard]] std::span<const Text> redriveVerdicts();
[[nodiscard]] std::span<const Text> bridgeSteps();
[[nodiscard]] std::span<const Text> lanes();

}  // namespace counterfoil::words
