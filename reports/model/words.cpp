// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/model/words.h"

#include <fmt/format.h>

#include <algorithm>

#include "reports/model/words_texts.h"
#include "reports/text/run_words.h"

namespace counterfoil {
namespace {

constexpr std::string_view kNarrowSpace = "\u00a0";   // keeps a number on one line

template <class Enum>
std::string_view textOf(std::span<const words::Text> table, Enum value, Language language) {
  const auto index = static_cast<std::size_t>(value);
  return index < table.size() ? table[index].in(language) : std::string_view();
}

/// Digits in groups of three.
std::string grouped(std::string_view digits, std::string_view sign) {
  std::string out;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) out += sign;
    out += digits[i];
  }
  return out;
}

std::string russianMoney(const Money& value) {
  const std::string plain = formatPlain(value);
  const bool negative = plain.starts_with('-');
  const std::string_view digits = std::string_view(plain).substr(negative ? 1 : 0);
  const std::size_t point = std::min(digits.find('.'), digits.size());
  std::string out = (negative ? "−" : "") + grouped(digits.substr(0, point), kNarrowSpace);
  if (point < digits.size()) out += "," + std::string(digits.substr(point + 1));
  if (!value.currency.isNone()) out += std::string(kNarrowSpace) + value.currency.text();
  return out;
}

std::string russianDuration(std::string text) {
  constexpr std::pair<std::string_view, std::string_view> units[] = {
      {" min", " мин"}, {" ms", " мс"}, {" us", " мкс"}, {" µs", " мкс"}, {" h", " ч"}, {" d", " д"}, {" s", " с"}};
  for (const auto& [english, russian] : units) {
    for (std::size_t at = text.find(english); at != std::string::npos; at = text.find(english, at + russian.size())) {
      text.replace(at, english.size(), russian);
    }
  }
  return text;
}

std::size_t russianForm(std::uint64_t number) {
  const std::uint64_t last = number % 10, lastTwo = number % 100;
  if (lastTwo >= 11 && lastTwo <= 14) return 2;
  return last == 1 ? 0 : last >= 2 && last <= 4 ? 1 : 2;
}

/// The classes of breaks, the worst first.
constexpr Class kWorstFirst[] = {
    Class::DuplicateEffect,   Class::EffectDespiteFailure, Class::UnacknowledgedEffect, Class::SuppressedWork,
    Class::LostAfterClaim,    Class::FalseSuccess,         Class::MissingEffect,        Class::UnrecordedEffect,
    Class::DuplicateBooking,  Class::SplitMismatch,        Class::UnexplainedReversal,  Class::UnpublishedIntent,
    Class::StalledAttempt,    Class::StalePending,         Class::CurrencyMismatch,     Class::AmountMismatch,
    Class::FieldMismatch,     Class::ProbableDuplicate};

std::string russianAgreement(const RunResult& result, const Words& words) {
  const std::uint64_t closed = result.units - std::min(result.units, result.open);
  if (result.units == 0) return "Сравнивать нечего.";
  if (closed == 0) return "Судить пока не о чем.";
  std::string out = fmt::format("Всё, о чём можно судить, сошлось ({}).", words.count(Counted::Operation, closed));
  if (result.overdue > 0) out += fmt::format(" Просрочено: {}.", words.number(result.overdue));
  return out;
}

std::string russianHealth(const RunResult& result, const Words& words) {
  constexpr std::size_t mostSentences = 3;
  std::string out = result.complete ? "" : "Результат неполный. ";
  if (result.breaks == 0) return out + russianAgreement(result, words);
  std::uint64_t named = 0;
  std::size_t sentences = 0;
  for (const Class unitClass : kWorstFirst) {
    const auto count = result.classes.find(unitClass);
    if (count == result.classes.end() || count->second == 0 || sentences == mostSentences) continue;
    const auto sums = result.exposureByClass.find(unitClass);
    const auto money = sums == result.exposureByClass.end() ? std::vector<Money>{} : moneyOf(sums->second);
    if (sentences > 0) out += ' ';
    out += fmt::format("{}: {}", words.label(unitClass, !money.empty()), words.number(count->second));
    if (!money.empty()) out += fmt::format(" ({})", words.money(money));
    out += '.';
    named += count->second;
    ++sentences;
  }
  if (named < result.breaks) out += fmt::format(" Ещё {}.", words.count(Counted::Break, result.breaks - named));
  return out;
}

}  // namespace

std::string_view codeOf(Language language) { return language == Language::Russian ? "ru" : "en"; }

std::optional<Language> languageFromCode(std::string_view code) {
  if (code == "en") return Language::English;
  if (code == "ru") return Language::Russian;
  return {};
}

std::string_view codeOf(Lane lane) {
  constexpr std::string_view codes[] = {"intent", "outbox",      "attempt", "claim", "skip", "processed_event",
                                        "dead_letter", "effect", "case",    "decision"};
  return codes[static_cast<std::size_t>(lane)];
}

std::string_view Words::operator()(Word word) const { return textOf(words::texts(), word, m_language); }

std::string Words::count(Counted what, std::uint64_t value) const {
  const words::Plural& plural = words::plurals()[static_cast<std::size_t>(what)];
  if (m_language == Language::English) return fmt::format("{} {}", number(value), value == 1 ? plural.one : plural.many);
  const std::string_view forms[] = {plural.odin, plural.dva, plural.pyat};
  return fmt::format("{} {}", number(value), forms[russianForm(value)]);
}

std::string_view Words::label(Class value, bool hasMoney) const {
  const words::ClassText& texts = words::classes()[static_cast<std::size_t>(value)];
  return (hasMoney ? texts.withMoney : texts.withoutMoney).in(m_language);
}
std::string_view Words::explanation(Class value) const {
  return words::classes()[static_cast<std::size_t>(value)].explanation.in(m_language);
}
std::string_view Words::advice(Class value) const {
  return words::classes()[static_cast<std::size_t>(value)].advice.in(m_language);
}
std::string_view Words::label(ClassGroup value) const {
  switch (value) {
    case ClassGroup::Break: return (*this)(Word::Breaks);
    case ClassGroup::Open: return (*this)(Word::Open);
    case ClassGroup::Closed: return (*this)(Word::Closed);
  }
  return "";
}
std::string_view Words::label(counterfoil::Severity value) const { return textOf(words::severities(), value, m_language); }
std::string_view Words::label(ReviewState value) const { return textOf(words::states(), value, m_language); }
std::string_view Words::label(Why value) const { return textOf(words::whys(), value, m_language); }
std::string_view Words::label(Hint value) const { return textOf(words::hints(), value, m_language); }
std::string_view Words::label(Flag value) const { return textOf(words::flags(), value, m_language); }
std::string_view Words::label(SkipVerdict value) const { return textOf(words::skipVerdicts(), value, m_language); }
std::string_view Words::label(RedriveVerdict value) const { return textOf(words::redriveVerdicts(), value, m_language); }
std::string_view Words::label(BridgeStep value) const { return textOf(words::bridgeSteps(), value, m_language); }
std::string_view Words::label(Lane value) const { return textOf(words::lanes(), value, m_language); }
std::string_view Words::label(ProofKind value) const {
  constexpr words::Text forward{"charges", "списания"}, reversal{"refunds", "возвраты"};
  return (value == ProofKind::Forward ? forward : reversal).in(m_language);
}

std::string Words::event(std::string_view code) const {
  for (const words::CodeText& entry : words::events()) {
    if (entry.code == code) return std::string(entry.label.in(m_language));
  }
  return std::string(code);
}

std::string Words::queueKind(std::string_view code) const {
  return code.empty() ? std::string() : event("queue " + std::string(code));
}

std::string Words::age(const std::optional<std::string>& text) const {
  const auto age = text ? parseDuration(*text) : Result<Duration>(fail(ErrorCode::Format, ""));
  return age ? duration(*age) : text.value_or("");
}

CodeWords Words::finding(std::string_view code) const {
  for (const words::CodeText& entry : words::findings()) {
    if (entry.code == code) return {entry.code, entry.label.in(m_language), entry.explanation.in(m_language)};
  }
  return {code, code, ""};
}

std::string Words::number(std::uint64_t value) const {
  return grouped(std::to_string(value), m_language == Language::Russian ? kNarrowSpace : ",");
}

std::string Words::money(const Money& value) const {
  return m_language == Language::Russian ? russianMoney(value) : formatForPeople(value);
}

std::string Words::money(const std::vector<Money>& values) const {
  constexpr std::size_t writtenOut = 3;
  std::string out;
  for (std::size_t i = 0; i < values.size() && i < writtenOut; ++i) {
    if (i > 0) out += " + ";
    out += money(values[i]);
  }
  if (values.size() > writtenOut) out += " + " + count(Counted::Currency, values.size() - writtenOut);
  return out;
}

std::string Words::instant(Instant at) const {
  std::string text = instantWords(at);
  if (m_language == Language::English || text.size() < 16) return text;
  return text.substr(8, 2) + "." + text.substr(5, 2) + "." + text.substr(0, 4) + text.substr(10);
}

std::string Words::duration(Duration value) const {
  std::string text = formatDuration(value);
  return m_language == Language::Russian ? russianDuration(std::move(text)) : text;
}

std::string Words::health(const RunResult& result) const {
  return m_language == Language::Russian ? russianHealth(result, *this) : healthSentence(result);
}

std::vector<BothTexts> allTexts() {
  std::vector<BothTexts> all;
  const auto add = [&all](std::string_view id, const words::Text& text) {
    all.push_back({id, text.english, text.russian});
  };
  for (const words::Text& text : words::texts()) add("word", text);
  for (const words::Plural& plural : words::plurals()) {
    all.push_back({"plural", plural.one, plural.odin});
    all.push_back({"plural", plural.many, plural.dva});
    all.push_back({"plural", plural.many, plural.pyat});
  }
  for (const words::ClassText& texts : words::classes()) {
    for (const words::Text* text : {&texts.withMoney, &texts.withoutMoney, &texts.explanation, &texts.advice}) add("class", *text);
  }
  for (const words::CodeText& entry : words::findings()) {
    add(entry.code, entry.label);
    add(entry.code, entry.explanation);
  }
  for (const words::CodeText& entry : words::events()) add(entry.code, entry.label);
  for (const auto table : {words::severities(), words::states(), words::whys(), words::hints(), words::flags(),
                           words::skipVerdicts(), words::redriveVerdicts(), words::bridgeSteps(), words::lanes()}) {
    for (const words::Text& text : table) add("code", text);
  }
  return all;
}

}  // namespace counterfoil
