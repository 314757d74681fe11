// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/record.h"

#include <array>
#include <string_view>
#include <type_traits>
#include <utility>

#include "core/base/require.h"

namespace counterfoil {

namespace {

constexpr std::array<std::string_view, kRecordKindCount> kKindCodes = {
    "attempt",         "skip",   "claim",       "intent",     "outbox",
    "processed_event", "effect", "dead_letter", "queue_depth"};

}  // namespace

std::string_view codeOf(RecordKind kind) {
  return kKindCodes[static_cast<std::size_t>(kind)];
}

namespace {
constexpr std::array<std::string_view, kQueueKindCount> kQueueKinds = {"", "work", "dead", "retry", "delayed", "in_flight"};
}

std::string_view codeOf(QueueKind kind) { return kQueueKinds[static_cast<std::size_t>(kind)]; }

QueueKind queueKindFromCode(std::string_view code) {
  const auto found = std::find(kQueueKinds.begin(), kQueueKinds.end(), code);
  return found == kQueueKinds.end() ? QueueKind::Unstated : static_cast<QueueKind>(found - kQueueKinds.begin());
}

std::optional<RecordKind> recordKindFromCode(std::string_view code) {
  for (std::size_t i = 0; i < kKindCodes.size(); ++i) {
    if (kKindCodes[i] == code) return static_cast<RecordKind>(i);
  }
  return std::nullopt;
}

// The alternatives of the variant stand in the order of the kinds.
static_assert(std::variant_size_v<AnyRecord> == kRecordKindCount);
static_assert(std::is_same_v<std::variant_alternative_t<3, AnyRecord>, Intent>);
static_assert(std::is_same_v<std::variant_alternative_t<8, AnyRecord>, QueueDepth>);

RecordKind kindOf(const AnyRecord& record) {
  return static_cast<RecordKind>(record.index());
}

const RecordHead* headOf(const AnyRecord& record) {
  return std::visit(
      [](const auto& value) -> const RecordHead* {
        if constexpr (std::is_base_of_v<RecordHead, std::decay_t<decltype(value)>>) {
          return &value;
        } else {
          return nullptr;
        }
      },
      record);
}

namespace {

struct Adder {
  Records& to;
  void operator()(Attempt&& value) const { to.attempts.push_back(std::move(value)); }
  void operator()(Skip&& value) const { to.skips.push_back(std::move(value)); }
  void operator()(Claim&& value) const { to.claims.push_back(std::move(value)); }
  void operator()(Intent&& value) const { to.intents.push_back(std::move(value)); }
  void operator()(OutboxRow&& value) const { to.outbox.push_back(std::move(value)); }
  void operator()(ProcessedEvent&& value) const { to.processedEvents.push_back(std::move(value)); }
  void operator()(Effect&& value) const { to.effects.push_back(std::move(value)); }
  void operator()(DeadLetter&& value) const { to.deadLetters.push_back(std::move(value)); }
  void operator()(QueueDepth&&) const { require(false, "a queue depth belongs to no group"); }
};

}  // namespace

void Records::add(AnyRecord&& record) {
  std::visit(Adder{*this}, std::move(record));
}

std::size_t Records::size() const {
  return attempts.size() + skips.size() + claims.size() + intents.size() + outbox.size() +
         processedEvents.size() + effects.size() + deadLetters.size();
}

}  // namespace counterfoil
