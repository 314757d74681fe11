// SPDX-License-Identifier: GPL-3.0-or-later
// The words of reports, in every language they come in: texts, codes as labels, numbers, money and times.
// All writers take their words from here, so that formats cannot drift apart. Pure, thread-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/judge/proof.h"
#include "core/judge/unit.h"
#include "core/run/run.h"
#include "core/store/review_state.h"

namespace counterfoil {

enum class Language : std::uint8_t { English, Russian };
inline constexpr std::size_t kLanguageCount = 2;
[[nodiscard]] std::string_view codeOf(Language language);   ///< "en", "ru"
[[nodiscard]] std::optional<Language> languageFromCode(std::string_view code);

/// Fixed texts. The table is words_texts.cpp, in this order.
enum class Word : std::uint16_t {
  // titles
  ReportTitle, CaseTitle, PeriodTitle, ListTitle, IndexTitle, Summary, Breaks, Open, OpenUnits, Trend, Classes, Proof, Cases,
  Skips, DeadLetters, Queues, Findings, Coverage, Quarantined, Inputs, Configuration, Comparison, NotJudged,
  EarlierBreaks, TimeLine, Evidence, Advice, Decisions, Records, RunsCovered,
  // columns
  Case, Class, Label, Severity, State, Key, Keys, OpRef, Operation, Scope, Amount, Currency, Exposure, Why, Hints, Flags,
  Reason, FirstRun, LastRun, Age, Attempts, Effects, Assignee, Note, CaseVersion, Decision, DecisionReason,
  Time, Worker, Verdict, Saved, Queue, Message, Error, Received, Died, Deadline, Depth, InFlight, Oldest, Limit,
  SampledAt, Kind, Code, Subject, Count, Seen, Examples, Local, Provider, Unexplained, Source, Format, Digest, Rows,
  Recorded, Excluded, Repeated, File, Line, Column, Value, Rule, From, To, Declared, Run, AsOf, Before, Now, Change,
  Lane, Event, Id, Detail, Place, Who, Expected, Due, Candidates, Group, OtherExposure,
  // tiles
  TileBreaks, TileOpen, TileExposure, TileDeadLetters, TileSaved, TileUnits, TileQuarantined, TileNotJudged,
  // words and sentences
  Complete, Incomplete, IncompleteBecause, None, NoData, NotKnown, Failed, NoBreaks, NoOpen, NoSkips, NoDeadLetters,
  NoQueues, NoFindings, NoQuarantined, NoTrend, NoProof, NoCases, ProofHolds, ProofBroken, DeadLetterDepth,
  NewBreaks, Cleared, Grown, MaskedNote, MaskedRaw, ReasonsInEnglish, MadeBy, Matched, Agree, ComparedTo, WithRun,
  WithPeriod, EarlierNote, KeysMeet, LocalTotal, ProviderTotal, NotListed, MoreRows, OutOfWindowNote, Filter, Show,
  AllClasses, NoScript, CompactNote, Blank, Page, OfPages, DecisionHint, Overdue, Retained, Closed, Generated,
  Of, Total,
  End
};
inline constexpr std::size_t kWordCount = static_cast<std::size_t>(Word::End);

/// What can be counted: "1 break", "5 breaks", "2 расхождения".
enum class Counted : std::uint8_t {
  Break, Open, Operation, Case, Skip, DeadLetter, Row, Run, Finding, Attempt, Effect, More, Currency, Overdue, EarlierBreak,
  Source, Message, End
};
inline constexpr std::size_t kCountedCount = static_cast<std::size_t>(Counted::End);

/// Where a unit's record stands on its time line.
enum class Lane : std::uint8_t {
  Intent, Outbox, Attempt, Claim, Skip, ProcessedEvent, DeadLetter, Effect, Case, Decision
};
inline constexpr std::size_t kLaneCount = 10;
[[nodiscard]] std::string_view codeOf(Lane lane);

/// A code with a name for people and a sentence that explains it.
struct CodeWords {
  std::string_view code, label, explanation;
};

class Words {
 public:
  explicit Words(Language language) : m_language(language) {}
  [[nodiscard]] Language language() const { return m_language; }

  [[nodiscard]] std::string_view operator()(Word word) const;
  /// With the number: "1,204 breaks".
  [[nodiscard]] std::string count(Counted what, std::uint64_t number) const;

  [[nodiscard]] std::string_view label(Class value, bool hasMoney) const;
  [[nodiscard]] std::string_view explanation(Class value) const;
  [[nodiscard]] std::string_view advice(Class value) const;   ///< what to do; "" where nothing is to be done
  [[nodiscard]] std::string_view label(ClassGroup value) const;
  [[nodiscard]] std::string_view label(counterfoil::Severity value) const;
  [[nodiscard]] std::string_view label(ReviewState value) const;
  [[nodiscard]] std::string_view label(Why value) const;
  [[nodiscard]] std::string_view label(Hint value) const;
  [[nodiscard]] std::string_view label(Flag value) const;
  [[nodiscard]] std::string_view label(SkipVerdict value) const;
  [[nodiscard]] std::string_view label(RedriveVerdict value) const;
  [[nodiscard]] std::string_view label(BridgeStep value) const;
  [[nodiscard]] std::string_view label(ProofKind value) const;
  [[nodiscard]] std::string_view label(Lane value) const;
  /// Of what a time line says: "started", "succeeded", "live" …; a code that is not known stands as it is.
  [[nodiscard]] std::string event(std::string_view code) const;
  [[nodiscard]] std::string queueKind(std::string_view code) const;   ///< "work", "dead" …; "" for ""
  /// A short duration of a list line ("26h") for people.
  [[nodiscard]] std::string age(const std::optional<std::string>& text) const;
  /// Finding codes; one that is not known has its code as label and no explanation.
  [[nodiscard]] CodeWords finding(std::string_view code) const;

  [[nodiscard]] std::string number(std::uint64_t value) const;          ///< "1,234", "1 234"
  [[nodiscard]] std::string money(const Money& value) const;            ///< "USD 1,250.00", "1 250,00 USD"
  [[nodiscard]] std::string money(const std::vector<Money>& values) const;  ///< joined by " + ", never added up
  [[nodiscard]] std::string instant(Instant at) const;                  ///< "2026-04-08 06:00 UTC", "08.04.2026 06:00 UTC"
  [[nodiscard]] std::string duration(Duration value) const;             ///< "26 h", "26 ч"
  [[nodiscard]] std::string health(const RunResult& result) const;      ///< the sentence at the top

 private:
  Language m_language;
};

/// For tests of completeness: a text in one language, blank if it is missing.
struct BothTexts {
  std::string_view id, english, russian;
};
[[nodiscard]] std::vector<BothTexts> allTexts();

}  // namespace counterfoil
