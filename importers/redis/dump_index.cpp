// SPDX-License-Identifier: GPL-3.0-or-later
#include "importers/redis/dump_index.h"

#include <algorithm>
#include <tuple>

namespace counterfoil::redis {

namespace {

constexpr std::size_t kLongIdBytes = 16;  // shorter ones may well stand in lists of something else
constexpr std::size_t kMaxColons = 64;

/// Positions of the first colons of a key.
std::vector<std::size_t> colonsOf(std::string_view key) {
  std::vector<std::size_t> colons;
  for (std::size_t at = key.find(':'); at != std::string_view::npos && colons.size() < kMaxColons;
       at = key.find(':', at + 1)) {
    colons.push_back(at);
  }
  return colons;
}

}  // namespace

std::string_view baseOf(std::string_view key) {
  constexpr std::string_view separator = "\x06\x16";
  if (key.size() <= separator.size() + 1) return key;
  const std::string_view end = key.substr(key.size() - separator.size() - 1);
  const bool isStep = end.back() == '3' || end.back() == '6' || end.back() == '9';
  if (!isStep || end.substr(0, separator.size()) != separator) return key;
  return key.substr(0, key.size() - end.size());
}

std::optional<std::uint32_t> DumpIndex::numberOfDb(std::string_view db) const {
  const auto found = std::find(m_databases.begin(), m_databases.end(), db);
  if (found == m_databases.end()) return std::nullopt;
  return static_cast<std::uint32_t>(found - m_databases.begin());
}

DumpIndex::Range DumpIndex::containersOf(std::uint32_t db, std::string_view prefix) const {
  const auto from = std::partition_point(
      m_containers.begin(), m_containers.end(), [&](const Container& container) {
        return container.db < db || (container.db == db && container.key < prefix);
      });
  const auto to = std::partition_point(from, m_containers.end(), [&](const Container& container) {
    return container.db == db && std::string_view(container.key).substr(0, prefix.size()) == prefix;
  });
  return {static_cast<std::uint32_t>(from - m_containers.begin()),
          static_cast<std::uint32_t>(to - m_containers.begin())};
}

MemberPlaces DumpIndex::placesOf(std::string_view member, Range containers) const {
  MemberPlaces found;
  if (member.empty() || member.size() > kMaxMemberBytes || containers.first == containers.second)
    return found;
  const Hash128 name = m_hash(member);
  auto at = std::partition_point(m_members.begin(), m_members.end(), [&](const Member& other) {
    return std::tie(other.name, other.container) < std::tie(name, containers.first);
  });
  for (; at != m_members.end() && at->name == name && at->container < containers.second; ++at) {
    const Container& container = m_containers[at->container];
    const bool isSame =
        !found.places.empty() && found.places.back().key.data() == container.key.data();
    if (isSame) continue;  // a list may hold a member twice
    if (found.places.size() == kMaxPlaces) {
      found.tooMany = true;
      return found;
    }
    found.places.push_back({container.key, at->score == 0 ? "" : m_scores.data() + at->score});
  }
  return found;
}

HashName DumpIndex::nameOfHash(std::string_view db, std::string_view key) const {
  const std::vector<std::size_t> colons = colonsOf(key);
  const std::optional<std::uint32_t> database = numberOfDb(db);
  for (std::size_t i = 0; i < colons.size() && database; ++i) {
    const std::string_view id = key.substr(colons[i] + 1);
    MemberPlaces places = placesOf(id, containersOf(*database, key.substr(0, colons[i] + 1)));
    if (!places.places.empty()) return {key.substr(0, colons[i]), id, std::move(places)};
  }
  const std::size_t last = key.rfind(':');
  if (last == std::string_view::npos) return {"", key, {}};
  return {key.substr(0, last), key.substr(last + 1), {}};
}

MemberPlaces DumpIndex::placesOfText(std::string_view db, std::string_view key) const {
  const std::vector<std::size_t> colons = colonsOf(key);
  const std::optional<std::uint32_t> database = numberOfDb(db);
  if (!database || colons.empty()) return {};
  const std::string_view family = key.substr(0, colons.front() + 1);
  for (const std::size_t colon : colons) {
    const std::string_view id = key.substr(colon + 1);
    const std::string_view prefix = id.size() >= kLongIdBytes ? std::string_view() : family;
    MemberPlaces places = placesOf(id, containersOf(*database, prefix));
    if (!places.places.empty()) return places;
  }
  return {};
}

MemberPlaces DumpIndex::placesOfField(std::string_view db, std::string_view field) const {
  const std::optional<std::uint32_t> database = numberOfDb(db);
  if (!database || field.size() < kLongIdBytes) return {};
  return placesOf(field, containersOf(*database, {}));
}

std::uint64_t DumpIndex::countBesides(std::string_view db, std::string_view queue) const {
  const auto found = m_besides.find({std::string(db), std::string(queue)});
  return found == m_besides.end() ? 0 : found->second;
}

std::string_view DumpIndex::namedBy(std::string_view db, std::string_view queue) const {
  const auto found = m_named.find({std::string(db), std::string(queue)});
  return found == m_named.end() ? std::string_view() : found->second;
}

bool DumpIndex::isRepeated(std::uint64_t number) const {
  return std::binary_search(m_repeated.begin(), m_repeated.end(), number);
}

}  // namespace counterfoil::redis
