// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/hash_page.h"

#include "core/store/columns.h"
#include "core/store/packing.h"

namespace counterfoil {
namespace {

constexpr std::uint64_t kMostEntries = 1u << 20;
constexpr StoreHash kMostHash = (StoreHash{1} << 48) - 1;

}  // namespace

void putHashPage(std::string& out, std::span<const HashEntry> entries) {
  std::vector<std::int64_t> gaps, numbers, flags;
  gaps.reserve(entries.size());
  numbers.reserve(entries.size());
  flags.reserve(entries.size());
  StoreHash before = entries.front().hash;
  for (const HashEntry& entry : entries) {
    gaps.push_back(static_cast<std::int64_t>(entry.hash - before));
    numbers.push_back(entry.number);
    flags.push_back(entry.flags);
    before = entry.hash;
  }
  putVarint(out, entries.size());
  putVarint(out, entries.front().hash);
  putNumbers(out, gaps);
  putNumbers(out, numbers);
  putNumbers(out, flags);
}

std::optional<std::vector<HashEntry>> readHashPage(std::string_view bytes) {
  const std::string padded = std::string(bytes) + std::string(8, '\0');  // NumberColumn loads 8 bytes at a time
  std::string_view rest = std::string_view(padded).substr(0, bytes.size());
  const auto count = takeVarint(rest);
  const auto first = takeVarint(rest);
  if (!count || *count == 0 || *count > kMostEntries || !first || *first > kMostHash) return {};
  const auto gaps = NumberColumn::take(rest, *count);
  const auto numbers = gaps ? NumberColumn::take(rest, *count) : std::nullopt;
  const auto flags = numbers ? NumberColumn::take(rest, *count) : std::nullopt;
  if (!flags || !rest.empty()) return {};
  std::vector<HashEntry> entries;
  entries.reserve(*count);
  StoreHash hash = *first;
  for (std::size_t i = 0; i < *count; ++i) {
    const auto gap = static_cast<std::uint64_t>((*gaps)[i]);
    const std::int64_t number = (*numbers)[i];
    if (gap > kMostHash - hash || number < 0 || number > 0xFFFFFFFFll) return {};
    hash += gap;
    entries.push_back({hash, static_cast<std::uint32_t>(number), static_cast<std::uint8_t>((*flags)[i])});
  }
  return entries;
}

}  // namespace counterfoil
