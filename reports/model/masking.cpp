// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/model/masking.h"

#include "core/base/text.h"

namespace counterfoil {
namespace {

constexpr std::string_view kDots = "•••";
constexpr std::size_t kShortestPhone = 8, kLongestPhone = 15;
/// A shorter name may stand inside other words by chance.
constexpr std::size_t kShortestName = 4;
constexpr std::size_t kLongEnough = 8;

bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool isLocalPart(char c) {
  return isDigit(c) || isLetter(c) || static_cast<unsigned char>(c) >= 0x80 || std::string_view("._%+-'").find(c) != std::string_view::npos;
}
bool isDomain(char c) { return isDigit(c) || isLetter(c) || c == '-' || c == '.' || static_cast<unsigned char>(c) >= 0x80; }

/// The first character, whole.
std::string_view firstCharacter(std::string_view text) {
  std::size_t length = text.empty() ? 0 : 1;
  while (length < text.size() && (static_cast<unsigned char>(text[length]) & 0xc0) == 0x80) ++length;
  return text.substr(0, length);
}

/// End of the e-mail address whose '@' is at `at`; 0: there is none.
std::size_t endOfAddress(std::string_view text, std::size_t at) {
  std::size_t end = at + 1;
  bool dot = false;
  while (end < text.size() && isDomain(text[end])) {
    dot = dot || (text[end] == '.' && end > at + 1);
    ++end;
  }
  while (end > at && text[end - 1] == '.') --end;
  return dot && end > at + 3 ? end : 0;
}

/// End of the phone number whose '+' is at `at`; 0: there is none. `lastDigits` gets its last two.
std::size_t endOfPhone(std::string_view text, std::size_t at, std::string& lastDigits) {
  std::size_t digits = 0, end = 0;
  for (std::size_t i = at + 1; i < text.size() && digits <= kLongestPhone; ++i) {
    if (isDigit(text[i])) {
      ++digits;
      end = i + 1;
      lastDigits += text[i];
    } else if (std::string_view(" -().").find(text[i]) == std::string_view::npos) {
      break;
    }
  }
  if (digits < kShortestPhone || digits > kLongestPhone) return 0;
  lastDigits.erase(0, lastDigits.size() - 2);
  return end;
}

bool isInWord(std::string_view text, std::size_t at) {
  return at < text.size() && (isDigit(text[at]) || isLetter(text[at]) || static_cast<unsigned char>(text[at]) >= 0x80);
}

/// Where it stands as a word: customer 2026 is no part of a date's year.
void replaceWords(std::string& text, std::string_view what, std::string_view by) {
  std::string out;
  std::size_t from = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + what.size())) {
    if ((at > 0 && isInWord(text, at - 1)) || isInWord(text, at + what.size())) continue;
    out.append(text, from, at - from);
    out += by;
    from = at + what.size();
  }
  if (from == 0) return;
  out.append(text, from, std::string::npos);
  text = std::move(out);
}

}  // namespace

std::string maskContacts(std::string_view text) {
  std::string out;
  std::size_t done = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '@') {
      std::size_t begin = i;
      while (begin > done && isLocalPart(text[begin - 1])) --begin;
      const std::size_t end = begin < i ? endOfAddress(text, i) : 0;
      if (end == 0) continue;
      out += text.substr(done, begin - done);
      out += firstCharacter(text.substr(begin, i - begin));
      out += "•••@•••";
      done = end;
      i = end - 1;
    } else if (text[i] == '+') {
      std::string last;
      const std::size_t end = endOfPhone(text, i, last);
      if (end == 0) continue;
      out += text.substr(done, i - done);
      out += "+•••" + last;
      done = end;
      i = end - 1;
    }
  }
  if (done == 0) return std::string(text);
  out += text.substr(done);
  return out;
}

std::string Masker::customer(std::string_view value) const {
  if (m_plain || value.empty()) return std::string(value);
  std::string out = std::string(firstCharacter(value)) + std::string(kDots);
  if (value.size() < kLongEnough) return out;
  std::size_t last = value.size() - 2;   // the end tells two of them apart
  while (last > 0 && (static_cast<unsigned char>(value[last]) & 0xc0) == 0x80) --last;
  return out += value.substr(last);
}

std::string Masker::text(std::string_view value) const {
  return m_plain ? std::string(value) : maskContacts(value);
}

std::string Masker::text(std::string_view value, const std::set<std::string>& customers) const {
  if (m_plain) return std::string(value);
  std::string out(value);
  for (const std::string& name : customers) {
    if (name.size() >= kShortestName) replaceWords(out, name, customer(name));
  }
  return maskContacts(out);
}

}  // namespace counterfoil
