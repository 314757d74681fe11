// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/remedies/shell_words.h"

#include <algorithm>

#include "core/base/text.h"

namespace counterfoil {

namespace {

constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-/+,:@%";

}  // namespace

bool isPlainId(std::string_view word) {
  // What a terminal would act on, or show as something else, is no id that a person can check.
  return !word.empty() && word.front() != '-' && word.size() <= 512 && forTerminal(word) == word;
}

std::string shellWord(std::string_view word) {
  if (forTerminal(word) != word) return {};
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string_view::npos) return std::string(word);
  std::string out = "'";
  for (const char c : word) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      out += c;
    }
  }
  return out + "'";
}

}  // namespace counterfoil
