// SPDX-License-Identifier: GPL-3.0-or-later
// Which records of earlier nights a night is judged with.
#include <algorithm>
#include <set>
#include <tuple>
#include <unordered_set>

#include "core/store/carried.h"
#include "core/store/carry_sources.h"
#include "core/store/history.h"
#include "core/store/record_loader.h"
#include "core/store/record_row.h"
#include "core/store/store_impl.h"

namespace counterfoil {
namespace {

/// An id that stands in more blocks is looked at no further: nothing that names one operation does.
constexpr std::size_t kBlocksOfOneId = 4096;
/// Links lead on from record to record; a chain that is longer goes on tomorrow.
constexpr int kRoundsMost = 64;

using BlockRef = std::pair<SegmentNumber, std::int64_t>;

struct BlockHits {
  RunNumber run = 0;
  std::vector<WantedKey> keys;   ///< sorted
  std::vector<WantedId> ids;     ///< sorted
};
using Hits = std::map<BlockRef, BlockHits>;

/// One row that something wanted leads to.
struct Lead {
  std::uint64_t wanted = 0;
  std::uint64_t key = 0;         ///< of the row; 0: none
  BlockRef block;
  std::uint32_t row = 0;
  auto operator<=>(const Lead&) const = default;
};

std::vector<StoreHash> pageHashes(const std::vector<std::uint64_t>& wanted) {
  std::vector<StoreHash> hashes;
  hashes.reserve(wanted.size());
  for (const std::uint64_t number : wanted) {
    if (hashes.empty() || hashes.back() != pageHash(number)) hashes.push_back(pageHash(number));
  }
  return hashes;
}

/// fn(wanted) for each of the numbers whose page hash this is.
template <class Fn>
void forEachOf(const std::vector<std::uint64_t>& wanted, StoreHash hash, const Fn& fn) {
  auto at = std::lower_bound(wanted.begin(), wanted.end(), hash << 16);
  for (; at != wanted.end() && pageHash(*at) == hash; ++at) fn(*at);
}

/// Whether the judge knows two readings of this record by what it names, not by its content.
bool isNamed(const AnyRecord& record) {
  const RecordHead& head = *headOf(record);
  if (const auto* attempt = std::get_if<Attempt>(&record)) {
    return attempt->start.has_value() && !(head.jobId.empty() && head.messageId.empty());
  }
  if (const auto* claim = std::get_if<Claim>(&record)) return !head.key.empty() && claim->claimedAt.has_value();
  if (const auto* intent = std::get_if<Intent>(&record)) return !intent->id.empty();
  if (const auto* outbox = std::get_if<OutboxRow>(&record)) return !outbox->id.empty();
  if (const auto* event = std::get_if<ProcessedEvent>(&record)) return !event->id.empty();
  if (std::holds_alternative<Effect>(record)) return !head.effectId.empty();
  return std::holds_alternative<DeadLetter>(record) && !head.messageId.empty();
}

struct PlaceKey {
  RunNumber run = 0;
  std::uint32_t file = 0, part = 0;
  std::uint64_t offset = 0;
  auto operator<=>(const PlaceKey&) const = default;
};

/// Looks up sorted hashes, each once, in the id pages of one segment.
class IdLookup {
 public:
  static Result<Statement> prepare(Database& database) {
    return database.prepare(
        "SELECT data FROM id_pages WHERE segment = ? AND space = ? AND last_hash >= ? ORDER BY last_hash, page");
  }
  IdLookup(Statement& seek, SegmentNumber segment) : m_seek(seek), m_segment(segment) {}
  ~IdLookup() { m_seek.reset(); }
  IdLookup(const IdLookup&) = delete;
  IdLookup& operator=(const IdLookup&) = delete;

  template <class Fn>
  Result<> find(StoreHash hash, const Fn& visit) {
    if (m_exhausted) return {};
    if (m_entries.empty() || m_entries.back().hash < hash) {
      m_seek.reset();
      m_seek.bindAll(m_segment, IdSpace::Joined, hash);
      if (auto ok = nextPage(); !ok) return ok;
      m_exhausted = m_entries.empty();
    }
    for (;;) {
      auto at = std::lower_bound(m_entries.begin(), m_entries.end(), hash,
                                 [](const HashEntry& entry, StoreHash wanted) { return entry.hash < wanted; });
      for (; at != m_entries.end() && at->hash == hash; ++at) visit(at->number);
      // Entries of one hash may go on in the next page.
      if (at != m_entries.end() || m_entries.empty() || m_entries.back().hash != hash) return {};
      if (auto ok = nextPage(); !ok) return ok;
    }
  }

 private:
  Result<> nextPage() {
    m_entries.clear();
    const auto row = m_seek.step();
    if (!row) return fail(row.error());
    if (!*row) return {};
    auto entries = readHashPage(m_seek.blob(0));
    if (!entries) return brokenStore("a page of ids");
    m_entries = std::move(*entries);
    return {};
  }
  Statement& m_seek;
  SegmentNumber m_segment;
  std::vector<HashEntry> m_entries;
  bool m_exhausted = false;
};

class Search {
 public:
  Search(const Store::Impl& store, const CarryRules& rules, EarlierRuns runs,
         const std::set<std::pair<RunNumber, FileId>>& borrowed)
      : m_store(store), m_rules(rules), m_runs(std::move(runs)), m_borrowed(borrowed) {
    for (const auto& [number, run] : m_runs.all()) {
      if (run.recordSegment) m_runOfSegment[*run.recordSegment] = number;
    }
    for (const Origin& file : borrowed) m_lenders.insert(file.first);
  }

  Result<CarriedForward> run(FileId firstFile, WantedNight& wanted) {
    m_out.firstFile = firstFile;
    if (!m_runs.hasLater()) {
      if (auto ok = takeStanding(wanted); !ok) return fail(ok.error());
    }
    Hits hits;
    for (std::size_t part = 0; part < WantedNight::partCount(); ++part) {
      const auto numbers = wanted.take(part);
      if (!numbers) return fail(numbers.error());
      if (auto ok = find(*numbers, hits); !ok) return fail(ok.error());
    }
    if (auto ok = follow(hits); !ok) return fail(ok.error());
    for (int round = 0; round < kRoundsMost && !(m_next.keys.empty() && m_next.ids.empty()); ++round) {
      Hits further;
      if (auto ok = find(sortedOnce(std::exchange(m_next, {})), further); !ok) return fail(ok.error());
      if (auto ok = follow(further); !ok) return fail(ok.error());
    }
    return finish();
  }

 private:
  Database& database() const { return m_store.database; }

  // --- cases that stand

  Result<> takeStanding(WantedNight& wanted) {
    auto statement = database().prepare(
        "SELECT u.id, u.run, u.case_id, u.records, c.last_run FROM cases c JOIN units u ON u.case_id = c.case_id AND u.run = c.unit_run "
        "WHERE c.standing = 1 AND c.state NOT IN ('resolved', 'dismissed', 'force_closed') ORDER BY u.id");
    if (!statement) return fail(statement.error());
    return forEachRow(*statement, [&](const Statement& row) -> Result<bool> {
      const auto records = unpackRecords(row.blob(3));
      if (!records) return fail(records.error());
      // The night that judged it last found all that belongs to it; nights filled in since may have more.
      const bool isSearched = !m_runs.all().empty() && m_runs.all().rbegin()->first <= static_cast<RunNumber>(row.integer(4));
      const auto taken = takeUnit(static_cast<RunNumber>(row.integer(1)), *records, isSearched ? nullptr : &wanted);
      if (!taken) return fail(taken.error());
      if (!*taken) return true;
      m_out.units.push_back(row.integer(0));
      m_out.cases.emplace(row.text(2));
      return true;
    });
  }

  /// False: the unit rests on a source or an operation that there is no more, and stands as it is.
  Result<bool> takeUnit(RunNumber run, const Records& records, WantedNight* wanted) {
    std::vector<std::pair<PlaceKey, SourceId>> places;
    WantedOf numbers;
    Result<bool> usable = true;
    const auto each = [&](const auto& list) {
      for (const auto& record : list) {
        if (!usable || !*usable) return;
        usable = takeRecord(run, record, places, numbers);
      }
    };
    each(records.attempts);
    each(records.skips);
    each(records.claims);
    each(records.intents);
    each(records.outbox);
    each(records.processedEvents);
    each(records.effects);
    each(records.deadLetters);
    if (!usable || !*usable) return usable;
    for (const auto& [place, source] : places) {
      m_inUnits.insert(place);
      const Origin origin{place.run, FileId{place.file}};
      if (!m_borrowed.contains(origin)) m_files.emplace(origin, source);
    }
    if (wanted == nullptr) return true;
    if (auto ok = wanted->add(numbers, 0); !ok) return fail(ok.error());
    return true;
  }

  template <class Record>
  Result<bool> takeRecord(RunNumber run, const Record& record, std::vector<std::pair<PlaceKey, SourceId>>& places,
                          WantedOf& numbers) {
    const auto source = m_runs.sourceOf(run, record.place.source);
    if (!source || (!record.operation.isNone() && !operationOf(run, record.operation))) return false;
    const auto origin = m_runs.originOf(database(), run, record.place.file);
    if (!origin) return fail(origin.error());
    if (m_runs.find(origin->first) == nullptr) return false;   // its night was pruned
    places.emplace_back(PlaceKey{origin->first, origin->second.value, record.place.part, record.place.offset}, *source);
    m_row.clear();
    appendRow(record, m_row);
    appendWanted(m_store.hash, m_row, m_rules.jobSpaces, *source, numbers);
    return true;
  }

  [[nodiscard]] std::optional<OperationId> operationOf(RunNumber run, OperationId operation) const {
    return m_rules.operationOf ? m_rules.operationOf(run, operation) : std::optional(operation);
  }

  // --- links

  Result<> find(const WantedOf& wanted, Hits& hits) {
    if (auto ok = findByKey(wanted.keys, hits); !ok) return ok;
    return findById(wanted.ids, hits);
  }

  /// Opens each block once, however many of its rows are led to.
  Result<> follow(Hits& hits) {
    std::vector<Lead> byKey, byId;
    for (auto& [ref, hit] : hits) {
      if (auto ok = look(ref, hit, byKey, byId); !ok) return ok;
    }
    dropCommon(byId);
    byKey.insert(byKey.end(), byId.begin(), byId.end());
    return take(std::move(byKey));
  }

  Result<> findByKey(const std::vector<WantedKey>& wanted, Hits& hits) {
    const std::vector<StoreHash> hashes = pageHashes(wanted);
    std::map<RunNumber, std::vector<StoreHash>> byRun;
    auto ok = lookUpHistory(database(), hashes, [&](std::size_t index, const HashEntry& entry) {
      byRun[entry.number].push_back(hashes[index]);
    });
    if (!ok) return ok;
    for (auto& [run, ofRun] : byRun) {
      const EarlierRuns::Run* known = m_runs.find(run);
      if (known == nullptr || !known->recordSegment) continue;
      std::sort(ofRun.begin(), ofRun.end());
      if (ok = placeKeys(run, *known->recordSegment, ofRun, wanted, hits); !ok) return ok;
    }
    return {};
  }

  /// Blocks stand in order of hash: walked once along the hashes.
  Result<> placeKeys(RunNumber run, SegmentNumber segment, const std::vector<StoreHash>& hashes,
                     const std::vector<WantedKey>& wanted, Hits& hits) {
    auto seek = database().prepare(
        "SELECT block, first_hash, last_hash FROM record_blocks WHERE segment = ? AND last_hash >= ? ORDER BY last_hash, block");
    if (!seek) return fail(seek.error());
    for (const StoreHash hash : hashes) {
      seek->bindAll(segment, hash);
      auto ok = forEachRow(*seek, [&](const Statement& row) -> Result<bool> {
        if (static_cast<StoreHash>(row.integer(1)) > hash) return false;
        BlockHits& hit = hits[{segment, row.integer(0)}];
        hit.run = run;
        forEachOf(wanted, hash, [&](WantedKey key) { hit.keys.push_back(key); });
        return static_cast<StoreHash>(row.integer(2)) == hash;   // more blocks may begin with it
      });
      if (!ok) return ok;
    }
    return {};
  }

  Result<> findById(const std::vector<WantedId>& wanted, Hits& hits) {
    if (wanted.empty()) return {};
    std::map<StoreHash, std::vector<std::pair<RunNumber, BlockRef>>> found;
    const std::vector<StoreHash> hashes = pageHashes(wanted);
    auto seek = IdLookup::prepare(database());
    if (!seek) return fail(seek.error());
    for (const auto& [number, run] : m_runs.all()) {
      if (!run.recordSegment) continue;
      if (!run.joinedIds) {
        if (auto ok = lookEverywhere(number, *run.recordSegment, wanted, hits); !ok) return ok;
        continue;
      }
      IdLookup lookup(*seek, *run.recordSegment);
      for (const StoreHash hash : hashes) {
        auto ok = lookup.find(hash, [&, known = number, segment = *run.recordSegment](std::uint32_t block) {
          auto& blocks = found[hash];
          if (blocks.size() <= kBlocksOfOneId) blocks.emplace_back(known, BlockRef{segment, block});
        });
        if (!ok) return ok;
      }
    }
    for (const auto& [hash, blocks] : found) {
      if (blocks.size() > kBlocksOfOneId) continue;
      for (const auto& [run, ref] : blocks) {
        BlockHits& hit = hits[ref];
        hit.run = run;
        forEachOf(wanted, hash, [&, &ids = hit.ids](WantedId id) { ids.push_back(id); });
      }
    }
    return {};
  }

  /// Stores of the first version keep ids by kind, under other hashes: every block may hold them.
  Result<> lookEverywhere(RunNumber run, SegmentNumber segment, const std::vector<WantedId>& wanted, Hits& hits) {
    auto statement = database().prepare("SELECT block FROM record_blocks WHERE segment = ?");
    if (!statement) return fail(statement.error());
    statement->bindAll(segment);
    return forEachRow(*statement, [&](const Statement& row) -> Result<bool> {
      BlockHits& hit = hits[{segment, row.integer(0)}];
      hit.run = run;
      hit.ids.insert(hit.ids.end(), wanted.begin(), wanted.end());
      return true;
    });
  }

  Result<> look(const BlockRef& ref, BlockHits& hit, std::vector<Lead>& byKey, std::vector<Lead>& byId) {
    for (auto* const list : {&hit.keys, &hit.ids}) {
      std::sort(list->begin(), list->end());
      list->erase(std::unique(list->begin(), list->end()), list->end());
    }
    const auto block = openBlock(ref);
    if (!block) return fail(block.error());
    std::vector<std::uint64_t> keyOfRow((*block)->size());
    std::vector<bool> isTonights((*block)->size());   // its file is read again tonight
    if (m_lenders.contains(hit.run)) {
      for (std::size_t row = 0; row < isTonights.size(); ++row) isTonights[row] = m_borrowed.contains({hit.run, (*block)->file(row)});
    }
    (*block)->forEachKey([&](std::size_t first, std::size_t last, std::string_view key) {
      if (key.empty()) return;
      const WantedKey number = wantedKey(m_store.hash, key);
      std::fill(keyOfRow.begin() + static_cast<std::ptrdiff_t>(first), keyOfRow.begin() + static_cast<std::ptrdiff_t>(last), number);
      if (!std::binary_search(hit.keys.begin(), hit.keys.end(), number)) return;
      for (std::size_t row = first; row < last; ++row) {
        if (!isTonights[row]) byKey.push_back({number, number, ref, static_cast<std::uint32_t>(row)});
      }
    });
    if (hit.ids.empty()) return {};
    (*block)->forEachText(kWantedFields, [&](std::size_t row, Field field, std::string_view text) {
      if (isTonights[row] || !mayHold(hit.ids, idHashOf(m_store.hash, IdSpace::Joined, text))) return;
      const SourceId own{static_cast<std::uint16_t>((*block)->number(row, Field::Source))};
      const auto source = m_runs.sourceOf(hit.run, own);
      if (!source) return;
      const auto id = wantedIdOf(m_store.hash, field, text, m_rules.jobSpaces, *source);
      if (!id || !std::binary_search(hit.ids.begin(), hit.ids.end(), *id)) return;
      byId.push_back({*id, keyOfRow[row], ref, static_cast<std::uint32_t>(row)});
    });
    return {};
  }

  static bool mayHold(const std::vector<WantedId>& ids, StoreHash hash) {
    const auto at = std::lower_bound(ids.begin(), ids.end(), hash << 16);
    return at != ids.end() && pageHash(*at) == hash;
  }

  /// A value that joins more keys (or records without one) than the limit is no link (classes.md §3).
  void dropCommon(std::vector<Lead>& leads) const {
    std::sort(leads.begin(), leads.end());
    std::vector<Lead> kept;
    for (auto first = leads.begin(); first != leads.end();) {
      auto last = first;
      std::set<std::pair<std::uint64_t, std::pair<BlockRef, std::uint32_t>>> joined;
      for (; last != leads.end() && last->wanted == first->wanted; ++last) {
        const auto self = last->key != 0 ? std::pair<BlockRef, std::uint32_t>() : std::pair(last->block, last->row);
        if (joined.size() <= static_cast<std::size_t>(m_rules.commonLinkValueLimit)) joined.emplace(last->key, self);
      }
      if (joined.size() <= static_cast<std::size_t>(m_rules.commonLinkValueLimit)) kept.insert(kept.end(), first, last);
      first = last;
    }
    leads = std::move(kept);
  }

  Result<> take(std::vector<Lead> leads) {
    // Of equal records the newest night's is kept; order within a night does not matter.
    std::sort(leads.begin(), leads.end(), [](const Lead& a, const Lead& b) {
      return std::tie(b.block, a.row) < std::tie(a.block, b.row);
    });
    const auto sameRow = [](const Lead& a, const Lead& b) { return a.block == b.block && a.row == b.row; };
    leads.erase(std::unique(leads.begin(), leads.end(), sameRow), leads.end());
    for (const Lead& lead : leads) {
      if (!m_taken.insert({lead.block, lead.row}).second) continue;
      if (auto ok = takeRow(lead); !ok) return ok;
    }
    return {};
  }

  Result<> takeRow(const Lead& lead) {
    const auto block = openBlock(lead.block);
    if (!block) return fail(block.error());
    auto record = (*block)->record(lead.row);
    if (!record) return fail(record.error());
    const RecordHead& head = *headOf(*record);
    const RunNumber run = m_runOfSegment.at(lead.block.first);
    const auto source = m_runs.sourceOf(run, head.place.source);
    if (!source || (!head.operation.isNone() && !operationOf(run, head.operation))) return {};
    const Origin origin{run, head.place.file};
    if (m_inUnits.contains({run, head.place.file.value, head.place.part, head.place.offset})) return {};
    if (isKnownCopy(*record, *source)) return {};
    m_files.emplace(origin, *source);
    m_rows[lead.block].push_back(lead.row);
    m_row.clear();
    appendRow(*record, m_row);
    WantedOf numbers;
    appendWanted(m_store.hash, m_row, m_rules.jobSpaces, *source, numbers);
    addNext(numbers);
    return {};
  }

  void addNext(const WantedOf& numbers) {
    for (const WantedKey key : numbers.keys) {
      if (m_followed.insert(key).second) m_next.keys.push_back(key);
    }
    for (const WantedId id : numbers.ids) {
      if (m_followed.insert(id).second) m_next.ids.push_back(id);
    }
  }

  /// The same row of an export that overlaps with another night's. Rows without an id are counted by the judge.
  bool isKnownCopy(const AnyRecord& record, SourceId source) {
    if (!isNamed(record)) return false;
    AnyRecord plain = record;
    std::visit([&](auto& own) { own.place = {}; own.place.source = source; }, plain);
    std::string row;
    appendRow(plain, row);
    const Hash128 content = m_store.hash(row, static_cast<std::uint32_t>(HashSpace::Content));
    return !m_copies.insert(content.high ^ content.low).second;
  }

  static WantedOf sortedOnce(WantedOf numbers) {
    for (auto* const list : {&numbers.keys, &numbers.ids}) {
      std::sort(list->begin(), list->end());
      list->erase(std::unique(list->begin(), list->end()), list->end());
    }
    return numbers;
  }

  Result<std::shared_ptr<const RecordBlock>> openBlock(const BlockRef& ref) {
    if (m_open && m_openRef == ref) return m_open;
    if (!m_select) {
      auto select = database().prepare("SELECT data FROM record_blocks WHERE segment = ? AND block = ?");
      if (!select) return fail(select.error());
      m_select = std::move(*select);
    }
    m_select->bindAll(ref.first, ref.second);
    const auto row = m_select->step();
    if (!row) return fail(row.error());
    if (!*row) return brokenStore("a block of records");
    auto opened = RecordBlock::open(m_select->blob(0));
    m_select->reset();
    if (!opened) return fail(opened.error());
    m_open = std::make_shared<const RecordBlock>(std::move(*opened));
    m_openRef = ref;
    return m_open;
  }

  Result<CarriedForward> finish() {
    std::uint32_t next = m_out.firstFile.value;
    for (const auto& [origin, source] : m_files) {
      auto covers = coverageOfFile(database(), origin);
      if (!covers) return fail(covers.error());
      m_out.files.push_back({FileId{next++}, source, origin.first, origin.second, std::move(*covers)});
    }
    for (auto& [ref, rows] : m_rows) {
      std::sort(rows.begin(), rows.end());
      m_out.rows.push_back({ref.first, ref.second, m_runOfSegment.at(ref.first), std::move(rows)});
    }
    auto coverage = earlierCoverage(database(), m_runs);
    if (!coverage) return fail(coverage.error());
    m_out.coverage = std::move(*coverage);
    return std::move(m_out);
  }

  const Store::Impl& m_store;
  const CarryRules& m_rules;
  EarlierRuns m_runs;
  const std::set<std::pair<RunNumber, FileId>>& m_borrowed;
  CarriedForward m_out;
  std::map<Origin, SourceId> m_files;
  std::set<PlaceKey> m_inUnits;                                 ///< records that come with a case
  std::map<BlockRef, std::vector<std::uint32_t>> m_rows;
  std::set<std::pair<BlockRef, std::uint32_t>> m_taken;         ///< rows that were looked at
  std::unordered_set<std::uint64_t> m_followed, m_copies;
  std::set<RunNumber> m_lenders;                                ///< runs of which tonight borrows files
  WantedOf m_next;
  std::map<SegmentNumber, RunNumber> m_runOfSegment;
  std::optional<Statement> m_select;
  std::shared_ptr<const RecordBlock> m_open;
  BlockRef m_openRef;
  std::string m_row;
};

}  // namespace

Result<bool> hasEarlierNights(const Store::Impl& store) {
  const auto any = store.database.integer("SELECT 1 FROM runs LIMIT 1");
  if (!any) return fail(any.error());
  return any->has_value();
}

Result<CarriedForward> findCarried(const Store::Impl& store, const CarryRules& rules, FileId firstFile,
                                   const std::set<std::pair<RunNumber, FileId>>& borrowed, WantedNight& wanted) {
  auto runs = EarlierRuns::load(store.database, rules, {});
  if (!runs) return fail(runs.error());
  return Search(store, rules, std::move(*runs), borrowed).run(firstFile, wanted);
}

}  // namespace counterfoil
