// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/mapping/pattern.h"

#include <re2/re2.h>

#include <array>
#include <utility>

namespace counterfoil {

namespace {

constexpr std::size_t kMaxPatternBytes = 16u << 10;
constexpr std::int64_t kMaxProgramBytes = 2 << 20;
constexpr std::size_t kMaxGroups = 100;

/// (?<name>…) as RE2 of this version writes it, outside escapes and character classes.
std::string translateNames(std::string_view text) {
  std::string out;
  bool inClass = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    out += c;
    if (c == '\\' && i + 1 < text.size()) {
      out += text[++i];
    } else if (inClass) {
      inClass = c != ']';
    } else if (c == '[') {
      inClass = true;
      if (i + 1 < text.size() && text[i + 1] == '^') out += text[++i];
      if (i + 1 < text.size() && text[i + 1] == ']') out += text[++i];
    } else if (c == '(' && text.substr(i, 3) == "(?<" && i + 3 < text.size() &&
               text[i + 3] != '=' && text[i + 3] != '!') {
      out += "?P<";
      i += 2;
    }
  }
  return out;
}

re2::StringPiece piece(std::string_view text) {
  return {text.data(), text.size()};
}
std::string_view view(const re2::StringPiece& text) {
  return {text.data(), text.size()};
}

}  // namespace

struct Pattern::Impl {
  Impl(const std::string& text, const RE2::Options& options) : regex(text, options) {}
  RE2 regex;
  std::vector<std::string> names;
};

Pattern::Pattern(std::unique_ptr<Impl> impl) : m_impl(std::move(impl)) {}
Pattern::Pattern(Pattern&&) noexcept = default;
Pattern& Pattern::operator=(Pattern&&) noexcept = default;
Pattern::~Pattern() = default;

Result<Pattern> Pattern::compile(std::string_view text) {
  if (text.size() > kMaxPatternBytes) return fail(ErrorCode::Config, "pattern longer than 16 KiB");
  RE2::Options options;
  options.set_log_errors(false);
  options.set_max_mem(kMaxProgramBytes);
  auto impl = std::make_unique<Impl>(translateNames(text), options);
  if (!impl->regex.ok()) {
    return fail(ErrorCode::Config,
                "pattern '" + std::string(text) + "' is not understood: " + impl->regex.error());
  }
  const auto groupCount = static_cast<std::size_t>(impl->regex.NumberOfCapturingGroups());
  if (groupCount > kMaxGroups) return fail(ErrorCode::Config, "pattern with more than 100 groups");
  impl->names.resize(groupCount);
  for (const auto& [number, name] : impl->regex.CapturingGroupNames()) {
    impl->names[static_cast<std::size_t>(number) - 1] = name;
  }
  return Pattern(std::move(impl));
}

bool Pattern::matches(std::string_view text) const {
  return m_impl->regex.Match(piece(text), 0, text.size(), RE2::UNANCHORED, nullptr, 0);
}

std::string_view Pattern::first(std::string_view text, bool& found) const {
  std::array<re2::StringPiece, 2> parts;
  const int wanted = m_impl->names.empty() ? 1 : 2;
  found = m_impl->regex.Match(piece(text), 0, text.size(), RE2::UNANCHORED, parts.data(), wanted);
  if (!found) return {};
  return view(parts[static_cast<std::size_t>(wanted) - 1]);
}

bool Pattern::groups(std::string_view text, std::vector<std::string_view>& out) const {
  std::array<re2::StringPiece, kMaxGroups + 1> parts;
  const std::size_t count = m_impl->names.size();
  const bool found = m_impl->regex.Match(piece(text), 0, text.size(), RE2::UNANCHORED, parts.data(),
                                         static_cast<int>(count) + 1);
  if (!found) return false;
  out.resize(count);
  for (std::size_t i = 0; i < count; ++i) out[i] = view(parts[i + 1]);
  return true;
}

const std::vector<std::string>& Pattern::groupNames() const {
  return m_impl->names;
}

}  // namespace counterfoil
