// SPDX-License-Identifier: GPL-3.0-or-later
// The first reading of a dump.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <tuple>
#include <unordered_set>

#include "importers/redis/dump_index.h"

namespace counterfoil::redis {

namespace {

constexpr std::size_t kMaxDatabases = 65536;
constexpr std::size_t kMaxNamedQueues = 100'000;
constexpr std::uint64_t kMaxHeadNames = 64u << 20;
constexpr std::size_t kBytesAKey = 56;  // a node of a set of hashes, and its bucket
constexpr std::string_view kKombuBinding = "_kombu.binding.";

bool endsWith(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

bool startsWith(std::string_view text, std::string_view start) {
  return text.substr(0, start.size()) == start;
}

/// The queue that a member of a set names; "" = the set names none.
std::string queueNamed(std::string_view set, std::string_view member) {
  if (set == "queues" || endsWith(set, ":queues")) {  // Sidekiq, below a namespace perhaps
    const std::string prefix = std::string(set.substr(0, set.size() - 6)) + "queue:";
    return startsWith(member, prefix) ? std::string(member) : prefix + std::string(member);
  }
  const std::size_t at = set.find(kKombuBinding);
  if (at == std::string_view::npos) return {};
  const std::size_t separator = member.rfind("\x06\x16");
  if (separator == std::string_view::npos) return {};
  const std::string_view queue = member.substr(separator + 2);
  const bool isControl =
      queue.find(".pidbox") != std::string_view::npos || startsWith(queue, "celeryev");
  return queue.empty() || isControl ? std::string()
                                    : std::string(set.substr(0, at)) + std::string(queue);
}

/// "dramatiq:pay" of "dramatiq:pay.XQ", "dramatiq:pay.DQ.msgs" and the like; "" of other keys.
/// Names without such an end count below the usual name space only.
std::string_view dramatiqQueueOf(std::string_view key) {
  constexpr std::string_view messages = ".msgs";
  if (key.find(':') == std::string_view::npos) return {};
  std::string_view queue = key;
  if (endsWith(queue, messages)) queue.remove_suffix(messages.size());
  const bool isOther = endsWith(queue, ".XQ") || endsWith(queue, ".DQ");
  if (isOther) queue.remove_suffix(3);
  const bool isOurs = startsWith(key, "dramatiq:") && !startsWith(key, "dramatiq:__");
  return isOther || isOurs ? queue : std::string_view();
}

/// What a key of BullMQ may be that tells that there is such a queue: "bull:payments:meta".
bool mayBeBullMeta(std::string_view key) {
  return endsWith(key, ":meta") && std::count(key.begin(), key.end(), ':') >= 2;
}

/// A field of it that others would hardly have.
bool isBullMark(const Element& element) {
  const std::string& field = element.field.text;
  return field == "opts.maxLenEvents" ||
         (field == "version" && startsWith(element.value.text, "bullmq"));
}

bool isQueueSet(const Key& key) {
  const std::string& name = key.name.text;
  const bool mayBe =
      key.type == KeyType::Set || key.type == KeyType::List;  // rdb-tools writes both alike
  return mayBe && key.name.kind == Value::Kind::Text &&
         (name == "queues" || endsWith(name, ":queues") ||
          name.find(kKombuBinding) != std::string::npos);
}

struct HashOfHash {
  std::size_t operator()(const Hash128& hash) const { return hash.low; }
};

}  // namespace

class IndexBuilder {
 public:
  IndexBuilder(DumpReader& dump, const DumpLook& look)
      : m_dump(dump), m_index(std::make_shared<DumpIndex>()) {
    m_index->m_look = look;
    if (look.maxBytes != UINT64_MAX) m_index->m_headKeys.emplace();
    m_index->m_scores.push_back('\0');  // place 0 is none
  }

  Result<std::shared_ptr<const DumpIndex>> build() {
    const bool isWhole = m_index->m_look.maxBytes == UINT64_MAX;
    while (isWhole || m_dump.passed() < m_index->m_look.maxBytes) {
      const Result<Event> event = m_dump.next();
      if (!event && isWhole) return fail(event.error());
      if (!event || *event == Event::End) break;
      if (const Result<> taken = take(*event); !taken) return fail(taken.error());
    }
    finish();
    return std::shared_ptr<const DumpIndex>(std::move(m_index));
  }

 private:
  Result<> take(Event event) {
    switch (event) {
      case Event::Key:
        return beginKey();
      case Event::Element:
        return element();
      case Event::KeyEnd:
        return endKey();
      case Event::Defect:
      case Event::End:
        return {};
    }
    return {};
  }

  Result<> beginKey() {
    const Key& key = m_dump.key;
    const Result<std::uint32_t> db = databaseOf(key.db);
    if (!db) return fail(db.error());
    m_db = *db;
    m_number = m_keys++;
    m_count = 0;
    rememberName(key.name.text);
    m_isRepeated = !m_seen.insert(m_index->m_hash(key.name.content(), m_db)).second;
    if (m_isRepeated) m_index->m_repeated.push_back(m_number);
    const bool isContainer =
        key.type == KeyType::List || key.type == KeyType::Set || key.type == KeyType::Zset;
    m_namesQueues = !m_isRepeated && isQueueSet(key);
    m_isBeside =
        !m_isRepeated && key.type == KeyType::List && baseOf(key.name.text) != key.name.text;
    m_holdsMembers = !m_isRepeated && m_index->m_look.wantsPlaces && isContainer;
    m_membersBefore = m_index->m_members.size();
    m_wasZset = key.type == KeyType::Zset;
    if (m_holdsMembers) m_index->m_containers.push_back({m_db, key.name.text});
    if (const Result<> named = nameSiblings(); !named) return named;
    m_mayBeBullMeta = !m_isRepeated && mayBeBullMeta(key.name.text);
    if (!m_namesQueues && !m_isBeside && !m_holdsMembers && !m_mayBeBullMeta) m_dump.skipElements();
    m_bytes +=
        kBytesAKey + (m_holdsMembers ? sizeof(DumpIndex::Container) + key.name.text.size() : 0);
    return checkSize();
  }

  void rememberName(const std::string& name) {
    if (!m_index->m_headKeys) return;
    m_nameBytes += name.size() + sizeof name;
    if (m_nameBytes > kMaxHeadNames) {
      m_index->m_headKeys.reset();
    } else {
      m_index->m_headKeys->push_back(name);
    }
  }

  Result<std::uint32_t> databaseOf(const std::string& db) {
    std::vector<std::string>& known = m_index->m_databases;
    if (m_db < known.size() && known[m_db] == db) return m_db;
    const auto found = std::find(known.begin(), known.end(), db);
    if (found == known.end()) {
      if (known.size() == kMaxDatabases)
        return fail(ErrorCode::Limit, fmt::format("more than {} databases", kMaxDatabases));
      known.push_back(db);
      return static_cast<std::uint32_t>(known.size() - 1);
    }
    return static_cast<std::uint32_t>(found - known.begin());
  }

  Result<> element() {
    ++m_count;
    const Element& element = m_dump.element;
    const std::string& member = element.value.content();
    if (m_namesQueues) {
      const std::string queue = queueNamed(m_dump.key.name.text, member);
      // RQ keeps the whole keys of its queues there, and has no such sets.
      if (const Result<> named = queue == member ? Result<>() : nameSidekiqSets(); !named)
        return named;
      if (const Result<> named = nameQueue(queue); !named) return named;
    }
    if (m_mayBeBullMeta && isBullMark(element)) {
      if (const Result<> named = nameBullStates(); !named) return named;
    }
    if (!m_holdsMembers || member.size() > kMaxMemberBytes || member.empty()) return {};
    DumpIndex::Member held;
    held.name = m_index->m_hash(member);
    held.container = static_cast<std::uint32_t>(m_index->m_containers.size() - 1);
    if (!element.score.empty()) {
      held.score = static_cast<std::uint32_t>(m_index->m_scores.size());
      m_index->m_scores += element.score;
      m_index->m_scores.push_back('\0');
      m_bytes += element.score.size() + 1;
    }
    m_index->m_members.push_back(held);
    m_bytes += sizeof held;
    return checkSize();
  }

  /// What a program has of each of its queues, and what goes with any.
  Result<> nameSiblings() {
    const std::string_view queue = dramatiqQueueOf(m_dump.key.name.text);
    if (m_isRepeated || queue.empty()) return {};
    for (const std::string_view end : {"", ".DQ", ".XQ"}) {
      if (const Result<> named = nameQueue(std::string(queue) + std::string(end)); !named)
        return named;
    }
    return {};
  }

  /// The sets that Sidekiq has beside its queues.
  Result<> nameSidekiqSets() {
    const std::string& queues = m_dump.key.name.text;
    if (queues != "queues" && !endsWith(queues, ":queues")) return {};
    for (const std::string_view set : {"dead", "retry", "schedule"}) {
      const Result<> named = nameQueue(queues.substr(0, queues.size() - 6) + std::string(set));
      if (!named) return named;
    }
    return {};
  }

  /// The lists of a queue of BullMQ that stand for a state each.
  Result<> nameBullStates() {
    const std::string& meta = m_dump.key.name.text;
    for (const std::string_view state : {"wait", "active", "delayed", "prioritized", "failed"}) {
      const Result<> named = nameQueue(meta.substr(0, meta.size() - 4) + std::string(state));
      if (!named) return named;
    }
    return {};
  }

  Result<> nameQueue(std::string queue) {
    const Key& by = m_dump.key;
    if (queue.empty()) return {};
    const auto [known, isNew] = m_index->m_named.try_emplace({by.db, queue}, by.name.text);
    // A set says more than a list that goes with it.
    const bool isBetter =
        baseOf(known->second) != known->second && baseOf(by.name.text) == by.name.text;
    if (isBetter) known->second = by.name.text;
    if (!isNew) return {};
    if (m_index->m_named.size() > kMaxNamedQueues)
      return fail(ErrorCode::Limit, fmt::format("more than {} queues are named", kMaxNamedQueues));
    m_index->m_absent.push_back({by.db, std::move(queue), by.line});
    return {};
  }

  Result<> endKey() {
    const Key& key = m_dump.key;
    if (m_wasZset && key.type == KeyType::Hash) {  // not all of its values were numbers
      m_index->m_numberHashes.push_back(m_number);
      m_index->m_members.resize(m_membersBefore);
      if (m_holdsMembers) m_index->m_containers.pop_back();
    }
    if (!m_isBeside) return {};
    const std::string base(baseOf(key.name.text));
    m_index->m_besides[{key.db, base}] += m_count;
    // Who has a list by priority is a queue, also while its plain list is empty.
    return nameQueue(base);
  }

  [[nodiscard]] Result<> checkSize() const {
    if (m_bytes <= kMaxIndexBytes) return {};
    return fail(
        ErrorCode::Limit,
        fmt::format(
            "the dump has more keys and members than can be held ({} MiB) to tell where each job "
            "stands; dump fewer keys, or a database at a time",
            kMaxIndexBytes >> 20));
  }

  void finish() {
    dropPresentQueues();
    sortContainers();
    std::vector<DumpIndex::Member>& members = m_index->m_members;
    std::sort(
        members.begin(), members.end(), [](const DumpIndex::Member& a, const DumpIndex::Member& b) {
          return std::tie(a.name, a.container, a.score) < std::tie(b.name, b.container, b.score);
        });
  }

  void dropPresentQueues() {
    std::vector<AbsentQueue>& absent = m_index->m_absent;
    const auto isPresent = [&](const AbsentQueue& queue) {
      const auto db = m_index->numberOfDb(queue.db);
      return db && m_seen.count(m_index->m_hash(queue.key, *db)) > 0;
    };
    absent.erase(std::remove_if(absent.begin(), absent.end(), isPresent), absent.end());
    m_seen.clear();
  }

  /// Members name their containers by place: those change with them.
  void sortContainers() {
    std::vector<DumpIndex::Container>& containers = m_index->m_containers;
    std::vector<std::uint32_t> order(containers.size());
    std::iota(order.begin(), order.end(), 0u);
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      return std::tie(containers[a].db, containers[a].key) <
             std::tie(containers[b].db, containers[b].key);
    });
    std::vector<std::uint32_t> place(order.size());
    std::vector<DumpIndex::Container> sorted;
    sorted.reserve(order.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) {
      place[order[i]] = i;
      sorted.push_back(std::move(containers[order[i]]));
    }
    containers.swap(sorted);
    for (DumpIndex::Member& member : m_index->m_members) member.container = place[member.container];
  }

  DumpReader& m_dump;
  std::shared_ptr<DumpIndex> m_index;
  std::unordered_set<Hash128, HashOfHash> m_seen;  ///< keys
  std::uint64_t m_bytes = 0;
  std::uint64_t m_nameBytes = 0;  ///< of names in a head
  std::uint64_t m_keys = 0;
  // Of the key at hand:
  std::uint32_t m_db = 0;
  std::uint64_t m_number = 0;
  std::uint64_t m_count = 0;
  std::size_t m_membersBefore = 0;
  bool m_isRepeated = false;
  bool m_namesQueues = false;
  bool m_isBeside = false;
  bool m_mayBeBullMeta = false;
  bool m_holdsMembers = false;
  bool m_wasZset = false;
};

Result<std::shared_ptr<const DumpIndex>> DumpIndex::make(DumpReader& dump, const DumpLook& look) {
  return IndexBuilder(dump, look).build();
}

}  // namespace counterfoil::redis
