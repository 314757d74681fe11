// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/cells.h"

#include "core/base/text.h"
#include "reports/text/run_words.h"
#include "reports/text/text_style.h"

namespace counterfoil::desktop {

namespace {

constexpr std::size_t kBytesMost = 4096;
constexpr qsizetype kTipCharactersMost = 600;

/// At most so many bytes, cut at the end of a character.
std::string_view bounded(std::string_view text, std::size_t most) {
  if (text.size() <= most) return text;
  std::size_t end = most;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return text.substr(0, end);
}

QString fromUtf8(std::string_view text) {
  return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

}  // namespace

Tone toneOf(Severity severity) {
  switch (severity) {
    case Severity::Critical: return Tone::Critical;
    case Severity::High: return Tone::High;
    case Severity::Medium: return Tone::Medium;
    case Severity::Low: return Tone::Low;
    case Severity::None: return Tone::Plain;
  }
  return Tone::Plain;
}

QString shown(std::string_view text) {
  const std::string_view part = bounded(text, kBytesMost);
  QString out = fromUtf8(forTerminal(part));
  if (part.size() < text.size()) out += QStringLiteral("… (%1 bytes)").arg(text.size());
  return out;
}

QString shownLines(std::string_view text) {
  QStringList lines;
  const std::string_view part = bounded(text, 16 * kBytesMost);
  for (std::size_t from = 0; from <= part.size();) {
    const std::size_t end = std::min(part.find('\n', from), part.size());
    lines += fromUtf8(forTerminal(part.substr(from, end - from)));
    from = end + 1;
  }
  if (part.size() < text.size()) lines += QStringLiteral("… (%1 bytes)").arg(text.size());
  return lines.join(QLatin1Char('\n'));
}

QString tipOf(const QString& text) {
  if (text.isEmpty()) return {};
  QString part = text.left(kTipCharactersMost);
  if (part.size() < text.size()) part += QStringLiteral("…");
  return QStringLiteral("<p>%1</p>").arg(part.toHtmlEscaped().replace(QLatin1Char('\n'), QStringLiteral("<br>")));
}

QString withoutMnemonic(QString text) {
  return text.replace(QLatin1Char('&'), QStringLiteral("&&"));
}

QString shownOrDash(const std::optional<std::string>& text) {
  return text ? shown(*text) : QStringLiteral("–");
}

QString shownInstant(const std::string& iso) {
  const auto at = parseInstant(iso);
  return at ? fromUtf8(instantWords(*at)).remove(QStringLiteral(" UTC")) : shown(iso);   // the column says it
}

QString number(std::uint64_t value) {
  return fromUtf8(groupedNumber(value));
}

QString moneyText(const std::vector<Money>& values) {
  return fromUtf8(moneyWords(values));
}

}  // namespace counterfoil::desktop
