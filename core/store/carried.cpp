// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/carried.h"

#include <algorithm>
#include <numeric>
#include <optional>

#include "core/store/carry_sources.h"
#include "core/store/packing.h"
#include "core/store/record_row.h"
#include "core/store/store_impl.h"

namespace counterfoil {
namespace {

constexpr std::size_t kBlocksKept = 32;
constexpr std::size_t kUnitsKept = 256;

/// The records of a unit in one list, in the order of their kinds.
std::vector<AnyRecord> listed(Records&& records) {
  std::vector<AnyRecord> out;
  out.reserve(records.size());
  const auto add = [&](auto& list) {
    for (auto& record : list) out.emplace_back(std::move(record));
  };
  add(records.attempts);
  add(records.skips);
  add(records.claims);
  add(records.intents);
  add(records.outbox);
  add(records.processedEvents);
  add(records.effects);
  add(records.deadLetters);
  return out;
}

/// What was opened last, by its index in the list.
template <class Value>
class Kept {
 public:
  explicit Kept(std::size_t most) : m_most(most) {}
  std::shared_ptr<const Value> find(std::size_t index) {
    const auto at = std::find_if(m_list.begin(), m_list.end(), [&](const auto& each) { return each.first == index; });
    if (at == m_list.end()) return {};
    m_list.splice(m_list.begin(), m_list, at);
    return at->second;
  }
  void keep(std::size_t index, std::shared_ptr<const Value> value) {
    m_list.emplace_front(index, std::move(value));
    if (m_list.size() > m_most) m_list.pop_back();
  }

 private:
  std::size_t m_most;
  std::list<std::pair<std::size_t, std::shared_ptr<const Value>>> m_list;
};

/// A unit of an earlier night, opened: its records as tonight reads them. Those that tonight has itself are gone.
using OpenedUnit = std::vector<AnyRecord>;

}  // namespace

struct CarriedRecords::Impl {
  const Store::Impl* store = nullptr;
  CarriedForward carried;
  CarryRules rules;
  EarlierRuns runs;
  CarriedEvidence evidence;
  std::map<Origin, FileId> numbers;
  std::map<FileId, Origin> origins;
  mutable std::mutex mutex;
  mutable Statement unit, block, raw;
  mutable EarlierRuns* mutableRuns = nullptr;
  mutable Kept<OpenedUnit> units{kUnitsKept};
  mutable Kept<RecordBlock> blocks{kBlocksKept};
  mutable std::optional<std::map<std::pair<Origin, std::pair<std::uint64_t, std::uint32_t>>, RowId>> unitOfPlace;

  Result<> prepare();
  void describe();
  /// False: the record is not carried (its file was read again tonight).
  Result<bool> adopt(AnyRecord& record, RunNumber run) const;
  Result<std::shared_ptr<const OpenedUnit>> openUnit(std::size_t index) const;
  Result<std::shared_ptr<const RecordBlock>> openBlock(std::size_t index) const;
  Result<AnyRecord> rowOf(std::size_t index, std::uint32_t row) const;
};

Result<> CarriedRecords::Impl::prepare() {
  const std::pair<Statement*, const char*> statements[] = {
      {&unit, "SELECT run, records FROM units WHERE id = ?"},
      {&block, "SELECT data FROM record_blocks WHERE segment = ? AND block = ?"},
      {&raw, "SELECT run, raw FROM units WHERE id = ?"}};
  for (const auto& [target, sql] : statements) {
    auto prepared = store->database.prepare(sql);
    if (!prepared) return fail(prepared.error());
    *target = std::move(*prepared);
  }
  return {};
}

void CarriedRecords::Impl::describe() {
  evidence.firstFile = carried.firstFile;
  evidence.bySource = carried.coverage;
  for (const CarriedFile& file : carried.files) {
    evidence.sourceOfFile.push_back(file.source);
    evidence.byFile[file.file] = file.covers;
    numbers[{file.fromRun, file.fromFile}] = file.file;
    origins[file.file] = {file.fromRun, file.fromFile};
  }
}

Result<bool> CarriedRecords::Impl::adopt(AnyRecord& record, RunNumber run) const {
  RecordHead* const head = std::visit(
      [](auto& own) -> RecordHead* {
        if constexpr (std::is_base_of_v<RecordHead, std::decay_t<decltype(own)>>) return &own;
        else return nullptr;
      },
      record);
  const auto origin = mutableRuns->originOf(store->database, run, head->place.file);
  if (!origin) return fail(origin.error());
  const auto number = numbers.find(*origin);
  if (number == numbers.end()) return false;
  const auto source = runs.sourceOf(run, head->place.source);
  if (!source) return brokenStore("a carried record");
  head->place.source = *source;
  head->place.file = number->second;
  if (head->operation.isNone() || !rules.operationOf) return true;
  const auto operation = rules.operationOf(run, head->operation);
  if (!operation) return brokenStore("a carried record");
  head->operation = *operation;
  return true;
}

Result<std::shared_ptr<const OpenedUnit>> CarriedRecords::Impl::openUnit(std::size_t index) const {
  if (auto known = units.find(index)) return known;
  unit.bindAll(carried.units[index]);
  const auto row = unit.step();
  if (!row) return fail(row.error());
  if (!*row) return brokenStore("a carried case");
  const auto run = static_cast<RunNumber>(unit.integer(0));
  auto records = unpackRecords(unit.blob(1));
  unit.reset();
  if (!records) return fail(records.error());
  auto opened = std::make_shared<OpenedUnit>();
  for (AnyRecord& record : listed(std::move(*records))) {
    const auto taken = adopt(record, run);
    if (!taken) return fail(taken.error());
    if (*taken) opened->push_back(std::move(record));
  }
  units.keep(index, opened);
  return std::shared_ptr<const OpenedUnit>(std::move(opened));
}

Result<std::shared_ptr<const RecordBlock>> CarriedRecords::Impl::openBlock(std::size_t index) const {
  if (auto known = blocks.find(index)) return known;
  block.bindAll(carried.rows[index].segment, carried.rows[index].block);
  const auto row = block.step();
  if (!row) return fail(row.error());
  if (!*row) return brokenStore("a block of records");
  auto opened = RecordBlock::open(block.blob(0));
  block.reset();
  if (!opened) return fail(opened.error());
  auto shared = std::make_shared<const RecordBlock>(std::move(*opened));
  blocks.keep(index, shared);
  return shared;
}

Result<AnyRecord> CarriedRecords::Impl::rowOf(std::size_t index, std::uint32_t row) const {
  const auto opened = openBlock(index);
  if (!opened) return fail(opened.error());
  if (row >= (*opened)->size()) return brokenStore("a carried record");
  auto record = (*opened)->record(row);
  if (!record) return record;
  const auto taken = adopt(*record, carried.rows[index].run);
  if (!taken) return fail(taken.error());
  if (!*taken) return brokenStore("a carried record");
  return record;
}

CarriedRecords::CarriedRecords(std::unique_ptr<Impl> impl) : m_impl(std::move(impl)) {}
CarriedRecords::~CarriedRecords() = default;

Result<std::unique_ptr<CarriedRecords>> CarriedRecords::open(const Store::Impl& store, CarriedForward carried,
                                                             CarryRules rules) {
  auto runs = EarlierRuns::load(store.database, rules, {});
  if (!runs) return fail(runs.error());
  auto impl = std::make_unique<Impl>();
  impl->store = &store;
  impl->carried = std::move(carried);
  impl->rules = std::move(rules);
  impl->runs = std::move(*runs);
  impl->mutableRuns = &impl->runs;
  impl->describe();
  if (auto ok = impl->prepare(); !ok) return fail(ok.error());
  return std::unique_ptr<CarriedRecords>(new CarriedRecords(std::move(impl)));
}

const CarriedForward& CarriedRecords::list() const { return m_impl->carried; }
const CarriedEvidence& CarriedRecords::evidence() const { return m_impl->evidence; }

Result<> CarriedRecords::forEach(const std::function<Result<>(AnyRecord&&, const RecordRef&)>& fn) const {
  const std::lock_guard lock(m_impl->mutex);
  const std::size_t units = m_impl->carried.units.size();
  for (std::size_t i = 0; i < units; ++i) {
    const auto opened = m_impl->openUnit(i);
    if (!opened) return fail(opened.error());
    for (std::uint32_t at = 0; at < (*opened)->size(); ++at) {
      AnyRecord record = (**opened)[at];
      const RecordRef ref{headOf(record)->place.file, at, i};
      if (auto ok = fn(std::move(record), ref); !ok) return ok;
    }
  }
  for (std::size_t i = 0; i < m_impl->carried.rows.size(); ++i) {
    for (const std::uint32_t row : m_impl->carried.rows[i].rows) {
      auto record = m_impl->rowOf(i, row);
      if (!record) return fail(record.error());
      const RecordRef ref{headOf(*record)->place.file, row, units + i};
      if (auto ok = fn(std::move(*record), ref); !ok) return ok;
    }
  }
  return {};
}

Result<> CarriedRecords::fetch(std::span<const RecordRef> refs,
                               const std::function<void(std::size_t, AnyRecord&&)>& fn) const {
  std::vector<std::size_t> order(refs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return refs[a].offset < refs[b].offset; });
  const std::size_t units = m_impl->carried.units.size();
  const std::lock_guard lock(m_impl->mutex);
  for (const std::size_t i : order) {
    const RecordRef& ref = refs[i];
    if (ref.offset >= units) {
      if (ref.offset - units >= m_impl->carried.rows.size()) return brokenStore("a carried record");
      auto record = m_impl->rowOf(ref.offset - units, ref.part);
      if (!record) return fail(record.error());
      fn(i, std::move(*record));
      continue;
    }
    const auto opened = m_impl->openUnit(ref.offset);
    if (!opened) return fail(opened.error());
    if (ref.part >= (*opened)->size()) return brokenStore("a carried record");
    fn(i, AnyRecord((**opened)[ref.part]));
  }
  return {};
}

Result<std::optional<RawText>> CarriedRecords::rawTextOf(const Place& place) const {
  Impl& my = *m_impl;
  const std::lock_guard lock(my.mutex);
  const auto origin = my.origins.find(place.file);
  if (origin == my.origins.end()) return std::optional<RawText>();
  if (!my.unitOfPlace) {
    my.unitOfPlace.emplace();
    for (std::size_t i = 0; i < my.carried.units.size(); ++i) {
      const auto opened = my.openUnit(i);
      if (!opened) return fail(opened.error());
      for (const AnyRecord& record : **opened) {
        const Place& own = headOf(record)->place;
        (*my.unitOfPlace)[{my.origins.at(own.file), {own.offset, own.part}}] = my.carried.units[i];
      }
    }
  }
  const auto unit = my.unitOfPlace->find({origin->second, {place.offset, place.part}});
  if (unit == my.unitOfPlace->end()) return std::optional<RawText>();
  my.raw.bindAll(unit->second);
  const auto row = my.raw.step();
  if (!row) return fail(row.error());
  std::optional<RawText> found;
  if (*row) {
    const auto run = static_cast<RunNumber>(my.raw.integer(0));
    const auto texts = unpackRaw(my.raw.blob(1));
    if (!texts) return brokenStore("the source text of a case");
    for (const RawText& text : *texts) {
      const auto from = my.runs.originOf(my.store->database, run, text.place.file);
      if (!from) return fail(from.error());
      if (*from == origin->second && text.place.offset == place.offset && text.place.part == place.part) found = text;
    }
  }
  my.raw.reset();
  if (found) found->place = place;
  return found;
}

// --- the list, as a run keeps it

Result<> insertCarried(Database& database, RunNumber run, const CarriedForward& carried) {
  if (carried.isEmpty()) return {};
  std::string units, rows;
  std::uint64_t last = 0;
  putVarint(units, carried.units.size());
  for (const RowId unit : carried.units) {
    putVarint(units, static_cast<std::uint64_t>(unit) - last);
    last = static_cast<std::uint64_t>(unit);
  }
  putVarint(rows, carried.rows.size());
  for (const CarriedRows& block : carried.rows) {
    putVarint(rows, static_cast<std::uint64_t>(block.segment));
    putVarint(rows, static_cast<std::uint64_t>(block.block));
    putVarint(rows, block.run);
    putVarint(rows, block.rows.size());
    std::uint32_t before = 0;
    for (const std::uint32_t row : block.rows) {
      putVarint(rows, row - before);
      before = row;
    }
  }
  if (auto ok = database.run("INSERT INTO carried(run, first_file, units, rows) VALUES(?, ?, ?, ?)", run,
                             carried.firstFile.value, Blob{units}, Blob{rows});
      !ok) {
    return ok;
  }
  auto insert = database.prepare("INSERT INTO carried_files(run, file, source, from_run, from_file) VALUES(?, ?, ?, ?, ?)");
  if (!insert) return fail(insert.error());
  for (const CarriedFile& file : carried.files) {
    if (auto ok = insert->run(run, file.file.value, file.source.value, file.fromRun, file.fromFile.value); !ok) return ok;
  }
  return {};
}

namespace {

bool takeUnits(std::string_view bytes, std::vector<RowId>& units) {
  const auto count = takeVarint(bytes);
  if (!count || *count > bytes.size()) return false;
  std::uint64_t last = 0;
  for (std::uint64_t i = 0; i < *count; ++i) {
    const auto step = takeVarint(bytes);
    if (!step) return false;
    last += *step;
    units.push_back(static_cast<RowId>(last));
  }
  return bytes.empty();
}

bool takeRows(std::string_view bytes, std::vector<CarriedRows>& blocks) {
  const auto count = takeVarint(bytes);
  if (!count || *count > bytes.size()) return false;
  for (std::uint64_t i = 0; i < *count; ++i) {
    const auto segment = takeVarint(bytes), block = takeVarint(bytes), run = takeVarint(bytes), rows = takeVarint(bytes);
    if (!segment || !block || !run || !rows || *rows > bytes.size()) return false;
    CarriedRows& own = blocks.emplace_back();
    own.segment = static_cast<std::int64_t>(*segment);
    own.block = static_cast<std::int64_t>(*block);
    own.run = static_cast<RunNumber>(*run);
    std::uint64_t last = 0;
    for (std::uint64_t row = 0; row < *rows; ++row) {
      const auto step = takeVarint(bytes);
      if (!step) return false;
      last += *step;
      own.rows.push_back(static_cast<std::uint32_t>(last));
    }
  }
  return bytes.empty();
}

}  // namespace

Result<std::unique_ptr<CarriedRecords>> Store::carriedOf(RunNumber number, CarryRules rules) const {
  auto carried = loadCarried(*m_impl, number, rules);
  if (!carried) return fail(carried.error());
  if (carried->isEmpty() && carried->coverage.empty()) return std::unique_ptr<CarriedRecords>();
  return CarriedRecords::open(*m_impl, std::move(*carried), std::move(rules));
}

Result<CarriedForward> loadCarried(const Store::Impl& store, RunNumber run, const CarryRules& rules) {
  CarriedForward carried;
  auto runs = EarlierRuns::load(store.database, rules, run);
  if (!runs) return fail(runs.error());
  auto coverage = earlierCoverage(store.database, *runs);
  if (!coverage) return fail(coverage.error());
  carried.coverage = std::move(*coverage);
  const auto after = store.database.integer("SELECT coalesce(max(file) + 1, 0) FROM files WHERE run = ?", run);
  if (!after) return fail(after.error());
  carried.firstFile.value = static_cast<std::uint32_t>(after->value_or(0));
  auto list = store.database.prepare("SELECT first_file, units, rows FROM carried WHERE run = ?");
  if (!list) return fail(list.error());
  list->bindAll(run);
  auto ok = forEachRow(*list, [&](const Statement& row) -> Result<bool> {
    carried.firstFile.value = static_cast<std::uint32_t>(row.integer(0));
    if (!takeUnits(row.blob(1), carried.units) || !takeRows(row.blob(2), carried.rows)) {
      return brokenStore("the list of what was carried forward");
    }
    return true;
  });
  if (!ok) return fail(ok.error());
  auto files = store.database.prepare(
      "SELECT file, source, from_run, from_file FROM carried_files WHERE run = ? ORDER BY file");
  if (!files) return fail(files.error());
  files->bindAll(run);
  ok = forEachRow(*files, [&](const Statement& row) -> Result<bool> {
    CarriedFile& file = carried.files.emplace_back();
    file.file.value = static_cast<std::uint32_t>(row.integer(0));
    file.source.value = static_cast<std::uint16_t>(row.integer(1));
    file.fromRun = static_cast<RunNumber>(row.integer(2));
    file.fromFile.value = static_cast<std::uint32_t>(row.integer(3));
    return true;
  });
  if (!ok) return fail(ok.error());
  for (CarriedFile& file : carried.files) {
    auto covers = coverageOfFile(store.database, {file.fromRun, file.fromFile});
    if (!covers) return fail(covers.error());
    file.covers = std::move(*covers);
  }
  return carried;
}

}  // namespace counterfoil
