// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/wanted.h"

#include <algorithm>
#include <cstring>

#include "core/base/text.h"
#include "core/ledger/slim.h"
#include "core/record/shared_id.h"
#include "core/store/packing.h"
#include "core/store/record_loader.h"

namespace counterfoil {
namespace {

constexpr std::size_t kPartBits = 5;
constexpr std::size_t kParts = std::size_t{1} << kPartBits;
constexpr std::uint32_t kClassSpace = 0x200;    ///< of the keyed hash; store files hold none of it
constexpr std::uint64_t kEverySource = 0xffff;  ///< no source has this number

std::optional<IdClass> classOf(Field field) {
  switch (field) {
    case Field::EffectIdOf:
    case Field::ParentId:
    case Field::Replaces: return IdClass::Effect;
    case Field::JobId: return IdClass::Job;
    case Field::MessageId:
    case Field::Id: return IdClass::Message;
    case Field::OpRef: return IdClass::Reference;
    default: return {};
  }
}

/// Jobs and messages of two sources are two, unless their ids say otherwise.
std::uint64_t spaceOf(IdClass idClass, std::string_view text, const JobSpaces& spaces, SourceId source) {
  const bool isWithinSource = idClass == IdClass::Job || idClass == IdClass::Message;
  if (!isWithinSource || isSharedId(text)) return kEverySource;
  return source.value < spaces.size() ? spaces[source.value].value : source.value;
}

WantedId wantedId(const KeyedHash& hash, IdClass idClass, std::uint64_t space, std::string_view text) {
  const std::uint64_t page = idHashOf(hash, IdSpace::Joined, text);
  const auto spaceNumber = kClassSpace + static_cast<std::uint32_t>(space << 3) + static_cast<std::uint32_t>(idClass);
  const std::uint64_t own = hash(text, spaceNumber).low & 0xfffu;
  return page << 16 | own << 4 | static_cast<std::uint64_t>(idClass);
}

}  // namespace

WantedKey wantedKey(const KeyedHash& hash, std::string_view normalKey) {
  return hash(normalKey, static_cast<std::uint32_t>(HashSpace::Key)).high;
}

std::optional<WantedId> wantedIdOf(const KeyedHash& hash, Field field, std::string_view text, const JobSpaces& spaces,
                                   SourceId source) {
  const auto idClass = classOf(field);
  if (!idClass || text.empty() || isNoValue(text)) return {};
  return wantedId(hash, *idClass, spaceOf(*idClass, text, spaces, source), text);
}

SourceId sourceOfRow(std::string_view row) {
  row.remove_prefix(1);
  while (!row.empty()) {
    const auto field = static_cast<Field>(row[0]);
    row.remove_prefix(1);
    if (isText(field)) {
      (void)takeText(row);
      continue;
    }
    const auto value = takeVarint(row);
    if (field == Field::Source) return SourceId{static_cast<std::uint16_t>(unzigzag(value.value_or(0)))};
    break;   // numbers stand in order, the source is the first
  }
  return SourceId{0};
}

void appendWanted(const KeyedHash& hash, std::string_view row, const JobSpaces& spaces, SourceId source, WantedOf& out) {
  row.remove_prefix(1);
  while (!row.empty()) {
    const auto field = static_cast<Field>(row[0]);
    row.remove_prefix(1);
    if (!isText(field)) {
      (void)takeVarint(row);
      continue;
    }
    const std::string_view text = takeText(row).value_or(std::string_view());
    if (field == Field::Key) {
      if (!text.empty()) out.keys.push_back(wantedKey(hash, text));
    } else if (const auto id = wantedIdOf(hash, field, text, spaces, source)) {
      out.ids.push_back(*id);
    }
  }
}

WantedNight::WantedNight(unsigned workers, const std::string& folder, std::uint64_t memoryBytes)
    : m_keys(kParts, workers, folder, memoryBytes / 4), m_ids(kParts, workers, folder, memoryBytes / 4 * 3) {}

std::size_t WantedNight::partCount() { return kParts; }

Result<> WantedNight::put(RowPartitions& parts, std::span<const std::uint64_t> numbers, unsigned worker) {
  for (const std::uint64_t number : numbers) {
    const auto part = static_cast<std::size_t>(number >> (64 - kPartBits));
    parts.buffer(worker, part).append(reinterpret_cast<const char*>(&number), sizeof number);
    if (auto ok = parts.settle(worker, part); !ok) return ok;
  }
  return {};
}

Result<> WantedNight::add(const WantedOf& wanted, unsigned worker) {
  if (auto ok = put(m_keys, wanted.keys, worker); !ok) return ok;
  return put(m_ids, wanted.ids, worker);
}

Result<WantedOf> WantedNight::take(std::size_t part) {
  WantedOf wanted;
  std::string bytes;
  for (auto* const each : {&m_keys, &m_ids}) {
    if (auto ok = each->take(part, bytes); !ok) return fail(ok.error());
    auto& numbers = each == &m_keys ? wanted.keys : wanted.ids;
    numbers.resize(bytes.size() / sizeof(std::uint64_t));
    if (!numbers.empty()) std::memcpy(numbers.data(), bytes.data(), numbers.size() * sizeof(std::uint64_t));
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  }
  return wanted;
}

}  // namespace counterfoil
