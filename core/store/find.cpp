// SPDX-License-Identifier: GPL-3.0-or-later
// Records and units by key or id, over all nights.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include "core/base/text.h"
#include "core/store/borrowed.h"
#include "core/store/hash_page.h"
#include "core/store/history.h"
#include "core/store/packing.h"
#include "core/store/record_block.h"
#include "core/store/record_loader.h"
#include "core/store/store_impl.h"

namespace counterfoil {
namespace {

constexpr std::array kIdFields = {Field::EffectIdOf, Field::ParentId, Field::JobId, Field::MessageId, Field::OpRef, Field::Id};
constexpr std::array kEarlierIdSpaces = {IdSpace::EffectId, IdSpace::JobId, IdSpace::MessageId, IdSpace::OpRef, IdSpace::OtherId};

constexpr std::size_t kBlocksKept = 4;

/// Blocks that may hold what is looked for, by run.
using BlockSet = std::set<std::pair<RunNumber, std::pair<SegmentNumber, std::int64_t>>>;

struct RecordSegment {
  SegmentNumber segment = 0;
  RunNumber run = 0;
  bool joinedIds = false;
};

Result<std::vector<RecordSegment>> recordSegments(Database& database) {
  auto statement = database.prepare("SELECT segment, run, joined_ids FROM segments WHERE kind = 'records' AND committed = 1 ORDER BY run");
  if (!statement) return fail(statement.error());
  std::vector<RecordSegment> segments;
  auto ok = forEachRow(*statement, [&](const Statement& row) -> Result<bool> {
    segments.push_back({row.integer(0), static_cast<RunNumber>(row.integer(1)), row.integer(2) != 0});
    return true;
  });
  if (!ok) return fail(ok.error());
  return segments;
}

Result<> blocksOfKey(Database& database, StoreHash hash, const std::vector<RecordSegment>& segments, BlockSet& blocks) {
  std::set<RunNumber> runs;
  const std::array hashes = {hash};
  if (auto ok = lookUpHistory(database, hashes, [&](std::size_t, const HashEntry& entry) { runs.insert(entry.number); });
      !ok) {
    return ok;
  }
  auto statement = database.prepare("SELECT block FROM record_blocks WHERE segment = ?1 AND last_hash >= ?2 AND first_hash <= ?2");
  if (!statement) return fail(statement.error());
  for (const RecordSegment& segment : segments) {
    if (!runs.contains(segment.run)) continue;
    statement->bindAll(segment.segment, hash);
    auto ok = forEachRow(*statement, [&](const Statement& row) -> Result<bool> {
      blocks.insert({segment.run, {segment.segment, row.integer(0)}});
      return true;
    });
    if (!ok) return ok;
  }
  return {};
}

/// Pages of one space that may hold the hash; entries of one hash may go over several pages.
Result<> blocksOfId(Statement& seek, const RecordSegment& segment, IdSpace space, StoreHash hash, BlockSet& blocks) {
  seek.bindAll(segment.segment, space, hash);
  return forEachRow(seek, [&](const Statement& row) -> Result<bool> {
    const auto entries = readHashPage(row.blob(0));
    if (!entries) return brokenStore("a page of ids");
    const auto first = std::lower_bound(entries->begin(), entries->end(), hash,
                                        [](const HashEntry& entry, StoreHash wanted) { return entry.hash < wanted; });
    for (auto at = first; at != entries->end() && at->hash == hash; ++at) {
      blocks.insert({segment.run, {segment.segment, at->number}});
    }
    return entries->back().hash == hash;
  });
}

Result<> blocksOfIds(Database& database, const KeyedHash& keyed, std::string_view text,
                     const std::vector<RecordSegment>& segments, BlockSet& blocks) {
  auto seek = database.prepare("SELECT data FROM id_pages WHERE segment = ? AND space = ? AND last_hash >= ? ORDER BY last_hash, page");
  if (!seek) return fail(seek.error());
  const auto look = [&](IdSpace space, bool joined) -> Result<> {
    const StoreHash hash = idHashOf(keyed, space, text);
    for (const RecordSegment& segment : segments) {
      if (segment.joinedIds != joined) continue;
      if (auto ok = blocksOfId(*seek, segment, space, hash, blocks); !ok) return ok;
    }
    return {};
  };
  if (auto ok = look(IdSpace::Joined, true); !ok) return ok;
  for (const IdSpace space : kEarlierIdSpaces) {
    if (auto ok = look(space, false); !ok) return ok;
  }
  return {};
}

/// The block, from the few that were opened last.
Result<std::shared_ptr<const RecordBlock>> openBlock(const Store::Impl& store, Statement& select, SegmentNumber segment,
                                                     std::int64_t block) {
  const auto number = std::pair(segment, block);
  const auto known = std::find_if(store.opened.begin(), store.opened.end(), [&](const auto& kept) { return kept.first == number; });
  if (known != store.opened.end()) return known->second;
  select.bindAll(segment, block);
  const auto row = select.step();
  if (!row) return fail(row.error());
  if (!*row) return brokenStore("a block of records");
  auto opened = RecordBlock::open(select.blob(0));
  select.reset();
  if (!opened) return fail(opened.error());
  auto shared = std::make_shared<const RecordBlock>(std::move(*opened));
  store.opened.emplace_back(number, shared);
  if (store.opened.size() > kBlocksKept) store.opened.pop_front();
  return shared;
}

Result<> takeRows(const RecordBlock& block, RunNumber run, std::string_view key, std::string_view text,
                  std::vector<FoundRecord>& found) {
  std::vector<std::size_t> rows = block.rowsWith(kIdFields, text);
  if (!key.empty()) {
    const auto byKey = block.rowsWithKey(key);
    rows.insert(rows.end(), byKey.begin(), byKey.end());
  }
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  for (const std::size_t row : rows) {
    auto record = block.record(row);
    if (!record) return fail(record.error());
    found.push_back({run, std::move(*record)});
  }
  return {};
}

/// A record that later runs read in a file of the same content is theirs too.
Result<> addBorrowers(Database& database, std::vector<FoundRecord>& found) {
  std::map<RunNumber, std::vector<BorrowedFile>> borrowers;
  const std::size_t own = found.size();
  for (std::size_t i = 0; i < own; ++i) {
    const RunNumber run = found[i].run;
    if (!borrowers.contains(run)) {
      auto files = borrowedFrom(database, run);
      if (!files) return fail(files.error());
      borrowers.emplace(run, std::move(*files));
    }
    const FileId file = headOf(found[i].record)->place.file;
    for (const BorrowedFile& borrowed : borrowers[run]) {
      if (borrowed.fromFile != file) continue;
      const BlockUse use{{{file, {borrowed.source, borrowed.file}}}};
      FoundRecord again{borrowed.run, found[i].record};
      use.adopt(again.record);
      found.push_back(std::move(again));
    }
  }
  return {};
}

bool inOrder(const FoundRecord& a, const FoundRecord& b) {
  if (a.run != b.run) return a.run < b.run;
  return headOf(a.record)->place < headOf(b.record)->place;
}

Result<std::optional<CaseId>> caseOfAlias(Database& database, const std::string& alias) {
  auto statement = database.prepare("SELECT case_id FROM case_aliases WHERE alias = ?");
  if (!statement) return fail(statement.error());
  statement->bindAll(alias);
  const auto row = statement->step();
  if (!row) return fail(row.error());
  if (!*row) return std::optional<CaseId>();
  return std::optional<CaseId>(statement->text(0));
}

void addIds(const Records& records, std::set<std::string>& ids) {
  const auto addHeads = [&](const auto& list) {
    for (const auto& record : list) {
      for (const std::string* id : {&record.key, &record.effectId, &record.jobId, &record.messageId, &record.opRef}) {
        if (!id->empty()) ids.insert(*id);
      }
    }
  };
  addHeads(records.attempts);
  addHeads(records.skips);
  addHeads(records.claims);
  addHeads(records.intents);
  addHeads(records.outbox);
  addHeads(records.processedEvents);
  addHeads(records.effects);
  addHeads(records.deadLetters);
}

}  // namespace

Result<std::vector<FoundRecord>> findRecords(const Store::Impl& store, const std::string& text) {
  const auto segments = recordSegments(store.database);
  if (!segments) return fail(segments.error());
  std::string key = normalKey(text);
  if (isNoValue(key)) key.clear();
  BlockSet blocks;
  if (!key.empty()) {
    if (auto ok = blocksOfKey(store.database, keyHashOf(store.hash, key), *segments, blocks); !ok) return fail(ok.error());
  }
  if (auto ok = blocksOfIds(store.database, store.hash, text, *segments, blocks); !ok) return fail(ok.error());
  auto select = store.database.prepare("SELECT data FROM record_blocks WHERE segment = ? AND block = ?");
  if (!select) return fail(select.error());
  std::vector<FoundRecord> found;
  for (const auto& [run, at] : blocks) {
    const auto block = openBlock(store, *select, at.first, at.second);
    if (!block) return fail(block.error());
    if (auto ok = takeRows(**block, run, key, text, found); !ok) return fail(ok.error());
  }
  if (auto ok = addBorrowers(store.database, found); !ok) return fail(ok.error());
  std::sort(found.begin(), found.end(), inOrder);
  return found;
}

Result<std::vector<FoundRecord>> Store::findRecords(const std::string& text) const {
  return counterfoil::findRecords(*m_impl, text);
}

void BlockUse::adopt(AnyRecord& record) const {
  if (files.empty()) return;
  std::visit([this](auto& own) { std::tie(own.place.source, own.place.file) = files.at(own.place.file); }, record);
}

Result<std::vector<StoredUnit>> Store::findUnits(const std::string& text) const {
  const auto records = findRecords(text);
  if (!records) return fail(records.error());
  return findUnits(text, *records);
}

Result<std::vector<StoredUnit>> Store::findUnits(const std::string& text, const std::vector<FoundRecord>& records) const {
  Records all;
  for (const FoundRecord& found : records) all.add(AnyRecord(found.record));
  std::set<std::string> wanted = {text, normalKey(text)};
  const auto standing = caseOfAlias(m_impl->database, text);
  if (!standing) return fail(standing.error());
  if (*standing) wanted.insert(**standing);
  std::set<std::string> keys = wanted;
  addIds(all, keys);
  auto statement = m_impl->database.prepare(fmt::format(
      "SELECT {} FROM units u JOIN cases c ON c.case_id = u.case_id JOIN runs r ON r.run = u.until_run "
      "JOIN classes k ON k.class = u.class WHERE u.run = c.unit_run AND (u.case_id = ?1 OR u.key = ?1) "
      "AND NOT EXISTS (SELECT 1 FROM case_aliases a WHERE a.alias = u.case_id) "
      "ORDER BY k.position, u.key, u.case_id", kUnitColumns));
  if (!statement) return fail(statement.error());
  std::map<CaseId, StoredUnit> units;
  for (const std::string& key : keys) {
    statement->bindAll(key);
    auto ok = forEachRow(*statement, [&](const Statement& row) -> Result<bool> {
      auto unit = readUnit(row, true);
      if (!unit) return fail(unit.error());
      std::set<std::string> ids(unit->unit.keys.begin(), unit->unit.keys.end());
      ids.insert({unit->unit.id, unit->unit.key, unit->unit.opRef});
      addIds(unit->unit.records, ids);
      const bool fits = std::any_of(wanted.begin(), wanted.end(), [&](const std::string& id) { return ids.contains(id); });
      if (fits) units.emplace(unit->unit.id, std::move(*unit));
      return true;
    });
    if (!ok) return fail(ok.error());
  }
  std::vector<StoredUnit> out;
  for (auto& [id, unit] : units) out.push_back(std::move(unit));
  std::sort(out.begin(), out.end(), [](const StoredUnit& a, const StoredUnit& b) { return outputBefore(a.unit, b.unit); });
  return out;
}

Result<RunBlocks> Store::blocksOf(RunNumber number) const {
  const auto borrowed = borrowedBy(m_impl->database, number);
  if (!borrowed) return fail(borrowed.error());
  std::map<RunNumber, BlockUse> uses = {{number, {}}};
  for (const BorrowedFile& file : *borrowed) uses[file.fromRun].files[file.fromFile] = {file.source, file.file};
  auto statement = m_impl->database.prepare(
      "SELECT b.segment, b.block FROM segments s JOIN record_blocks b ON b.segment = s.segment "
      "WHERE s.run = ? AND s.kind = 'records' AND s.committed = 1 ORDER BY b.segment, b.block");
  if (!statement) return fail(statement.error());
  RunBlocks out;
  for (auto& [run, use] : uses) {
    statement->bindAll(run);
    auto ok = forEachRow(*statement, [&](const Statement& row) -> Result<bool> {
      out.blocks.push_back({row.integer(0), row.integer(1), out.uses.size()});
      return true;
    });
    if (!ok) return fail(ok.error());
    out.uses.push_back(std::move(use));
  }
  return out;
}

Result<std::string> Store::blockBytes(const RunBlocks::Ref& block) const {
  auto statement = m_impl->database.prepare("SELECT data FROM record_blocks WHERE segment = ? AND block = ?");
  if (!statement) return fail(statement.error());
  statement->bindAll(block.segment, block.block);
  const auto row = statement->step();
  if (!row) return fail(row.error());
  if (!*row) return brokenStore("a block of records");
  return std::string(statement->blob(0));
}

const KeyedHash& Store::keyHash() const {
  return m_impl->hash;
}

Result<> Store::forEachRecord(RunNumber number, const std::function<bool(AnyRecord&&)>& fn) const {
  const auto blocks = blocksOf(number);
  if (!blocks) return fail(blocks.error());
  for (const RunBlocks::Ref& ref : blocks->blocks) {
    const auto bytes = blockBytes(ref);
    if (!bytes) return fail(bytes.error());
    const auto block = RecordBlock::open(*bytes);
    if (!block) return fail(block.error());
    const BlockUse& use = blocks->uses[ref.use];
    for (std::size_t i = 0; i < block->size(); ++i) {
      if (!use.takes(block->file(i))) continue;
      auto record = block->record(i);
      if (!record) return fail(record.error());
      use.adopt(*record);
      if (!fn(std::move(*record))) return {};
    }
  }
  return {};
}

Result<std::vector<KeySeen>> Store::earlierRunsOf(std::span<const std::string> keys) const {
  std::vector<std::pair<StoreHash, std::size_t>> order;
  order.reserve(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) order.emplace_back(keyHashOf(m_impl->hash, keys[i]), i);
  std::sort(order.begin(), order.end());
  std::vector<StoreHash> hashes;
  std::vector<std::size_t> indexes;
  for (const auto& [hash, index] : order) {
    if (!hashes.empty() && hashes.back() == hash) continue;
    hashes.push_back(hash);
    indexes.push_back(index);
  }
  std::vector<KeySeen> seen;
  auto ok = lookUpHistory(m_impl->database, hashes, [&](std::size_t at, const HashEntry& entry) {
    seen.push_back({indexes[at], entry.number, (entry.flags & kSeenLocally) != 0, (entry.flags & kSeenAtProvider) != 0});
  });
  if (!ok) return fail(ok.error());
  std::sort(seen.begin(), seen.end(), [](const KeySeen& a, const KeySeen& b) {
    return a.index != b.index ? a.index < b.index : a.run < b.run;
  });
  return seen;
}

}  // namespace counterfoil
