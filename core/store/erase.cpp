// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/erase.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <map>
#include <set>
#include <type_traits>
#include <variant>

#include "core/base/text.h"
#include "core/judge/case_id.h"
#include "core/store/customer_traces.h"
#include "core/store/failpoint.h"
#include "core/store/packing.h"
#include "core/store/prune.h"
#include "core/store/record_block.h"
#include "core/store/record_row.h"
#include "core/store/store_impl.h"

namespace counterfoil {

namespace {

RecordHead* headOf(AnyRecord& record) {
  return std::visit(
      [](auto& each) -> RecordHead* {
        if constexpr (std::is_base_of_v<RecordHead, std::remove_reference_t<decltype(each)>>) {
          return &each;
        } else {
          return nullptr;
        }
      },
      record);
}

template <class Fn>
void forEachHead(Records& records, Fn&& fn) {
  for (auto& each : records.attempts) fn(each);
  for (auto& each : records.skips) fn(each);
  for (auto& each : records.claims) fn(each);
  for (auto& each : records.intents) fn(each);
  for (auto& each : records.outbox) fn(each);
  for (auto& each : records.processedEvents) fn(each);
  for (auto& each : records.effects) fn(each);
  for (auto& each : records.deadLetters) fn(each);
}

/// Errors and other free texts may quote him; ids may be his key or reference.
void eraseOwn(const CustomerTraces&, const KeyedHash&, Attempt& record) { record.error.clear(); }
void eraseOwn(const CustomerTraces&, const KeyedHash&, DeadLetter& record) { record.error.clear(); }
void eraseOwn(const CustomerTraces&, const KeyedHash&, Skip& record) {
  record.firstFingerprint.clear();
  record.firstOpRef.clear();
}
template <class Record>
void eraseOwn(const CustomerTraces& traces, const KeyedHash& hash, Record& record) {
  if constexpr (requires { record.id; }) record.id = traces.idWithout(hash, record.id);
}

template <class Record>
void eraseRecordOf(const CustomerTraces& traces, const KeyedHash& hash, Record& record) {
  if constexpr (std::is_base_of_v<RecordHead, Record>) {
    traces.eraseHead(hash, record);
    eraseOwn(traces, hash, record);
  }
}

class Eraser {
 public:
  Eraser(StoreFile& file, std::string customer, bool writes)
      : m_database(file.database()), m_hash(file.store().keyHash()), m_traces(std::move(customer)), m_writes(writes) {}

  Result<EraseCounts> run() {
    for (const bool isFirst : {true, false}) {
      auto ok = forEachStored([&](const RecordHead& head) -> Result<> {
        if (isFirst) return m_traces.note(head);
        m_traces.share(head);
        return {};
      });
      if (!ok) return fail(ok.error());
    }
    m_counts.keysShared = m_traces.shared();
    m_texts = m_traces.texts();
    Result<> ok = eraseBlocks();
    if (ok) ok = eraseUnits();
    if (ok) ok = eraseLists();
    if (ok) ok = eraseRowsOfFiles();
    if (ok) ok = eraseSentences();
    if (ok) ok = countNotes();
    if (!ok) return fail(ok.error());
    return m_counts;
  }

 private:
  /// Of all blocks and of the evidence of units.
  Result<> forEachStored(const std::function<Result<>(const RecordHead&)>& fn) {
    auto blocks = m_database.prepare("SELECT data FROM record_blocks ORDER BY segment, block");
    if (!blocks) return fail(blocks.error());
    auto ok = forEachRow(*blocks, [&](const Statement& row) -> Result<bool> {
      const auto block = RecordBlock::open(row.blob(0));
      if (!block) return fail(block.error());
      for (std::size_t i = 0; i < block->size(); ++i) {
        const auto record = block->record(i);
        if (!record) return fail(record.error());
        if (auto done = fn(*counterfoil::headOf(*record)); !done) return fail(done.error());
      }
      return true;
    });
    if (!ok) return ok;
    auto units = m_database.prepare("SELECT records FROM units ORDER BY id");
    if (!units) return fail(units.error());
    return forEachRow(*units, [&](const Statement& row) -> Result<bool> {
      auto records = unpackRecords(row.blob(0));
      if (!records) return fail(records.error());
      Result<> done;
      forEachHead(*records, [&](const RecordHead& head) {
        if (done) done = fn(head);
      });
      if (!done) return fail(done.error());
      return true;
    });
  }

  /// One block at a time: he may be in all of them.
  Result<> eraseBlocks() {
    std::vector<std::pair<std::int64_t, std::int64_t>> places;
    auto list = m_database.prepare("SELECT segment, block FROM record_blocks ORDER BY segment, block");
    if (!list) return fail(list.error());
    auto ok = forEachRow(*list, [&](const Statement& row) -> Result<bool> {
      places.emplace_back(row.integer(0), row.integer(1));
      return true;
    });
    if (!ok) return ok;
    auto select = m_database.prepare("SELECT data FROM record_blocks WHERE segment = ? AND block = ?");
    auto update = m_database.prepare("UPDATE record_blocks SET data = ? WHERE segment = ? AND block = ?");
    if (!select) return fail(select.error());
    if (!update) return fail(update.error());
    for (const auto& place : places) {
      select->bindAll(place.first, place.second);
      const auto row = select->step();
      if (!row) return fail(row.error());
      if (!*row) return brokenStore("a block of records");
      const auto bytes = rewrittenBlock(select->blob(0));
      select->reset();
      if (!bytes) return fail(bytes.error());
      if (bytes->empty() || !m_writes) continue;
      if (ok = update->run(Blob{*bytes}, place.first, place.second); !ok) return ok;
    }
    return {};
  }

  /// The block without him; blank where he is not in it. Rows keep their order, so places and pages stay right.
  Result<std::string> rewrittenBlock(std::string_view bytes) {
    const auto block = RecordBlock::open(bytes);
    if (!block) return fail(block.error());
    std::vector<std::string> rows(block->size());
    std::uint64_t his = 0;
    for (std::size_t i = 0; i < block->size(); ++i) {
      auto record = block->record(i);
      if (!record) return fail(record.error());
      his += eraseRecord(*record) ? 1 : 0;
      appendRow(*record, rows[i]);
    }
    m_counts.records += his;
    if (his == 0) return std::string();
    const std::vector<std::string_view> views(rows.begin(), rows.end());
    const auto encoded = m_blockWriter.encode(views);
    if (!encoded) return fail(encoded.error());
    return std::string(*encoded);
  }

  bool eraseRecord(AnyRecord& record) {
    RecordHead* head = headOf(record);
    if (head == nullptr || !m_traces.isHis(*head) || isErased(*head)) return false;
    std::visit([this](auto& each) { eraseRecordOf(m_traces, m_hash, each); }, record);
    return true;
  }
  static bool isErased(const RecordHead& head) { return head.customer == kErasedCustomer; }

  /// A unit that holds one of his records is his as a whole: its sentence and source texts name him.
  Result<> eraseUnits() {
    auto list = m_database.prepare("SELECT id, case_id, key, op_ref, mark, reason, keys, records, scope, operation FROM units ORDER BY id");
    auto update = m_database.prepare(
        "UPDATE units SET key = ?, op_ref = ?, mark = ?, reason = ?, keys = ?, records = ?, raw = x'' WHERE id = ?");
    if (!list) return fail(list.error());
    if (!update) return fail(update.error());
    return forEachRow(*list, [&](const Statement& row) -> Result<bool> {
      auto records = unpackRecords(row.blob(7));
      if (!records) return fail(records.error());
      std::uint64_t his = 0;
      forEachHead(*records, [&](auto& each) {
        if (!m_traces.isHis(each) || isErased(each)) return;
        eraseRecordOf(m_traces, m_hash, each);
        ++his;
      });
      if (his == 0) return true;
      ++m_counts.units;
      m_cases.insert(std::string(row.text(1)));
      if (!m_writes) return true;
      auto keys = unpackTexts(row.text(6));
      if (!keys) return brokenStore("the keys of a unit");
      if (auto ok = keepIdentity(row, *keys); !ok) return fail(ok.error());
      for (std::string& key : *keys) key = m_traces.keyWithout(m_hash, key);
      std::sort(keys->begin(), keys->end());
      keys->erase(std::unique(keys->begin(), keys->end()), keys->end());
      const std::string key = m_traces.keyWithout(m_hash, std::string(row.text(2)));
      const std::string opRef = m_traces.referenceWithout(m_hash, std::string(row.text(3)));
      const std::string mark = without(row.text(4));
      const std::string reason = without(row.text(5));
      const std::string packedKeys = packTexts(*keys);
      const std::string packed = packRecords(*records);
      if (auto ok = update->run(key, opRef, mark, reason, packedKeys, Blob{packed}, row.integer(0)); !ok) return fail(ok.error());
      return true;
    });
  }

  /// Judged again from its records, the unit has an id of the hashed key: that is the same case.
  Result<> keepIdentity(const Statement& row, const std::vector<std::string>& keys) {
    std::vector<std::string> names = {std::string(row.text(3))};
    for (const std::string& key : keys) names.push_back(normalKey(key));
    for (const std::string& name : names) {
      if (judging::caseIdOf(row.text(8), row.text(9), name, row.text(4)) != row.text(1)) continue;
      const std::string id = judging::caseIdOf(row.text(8), row.text(9), m_traces.idWithout(m_hash, name), without(row.text(4)));
      if (id == row.text(1)) continue;
      auto ok = m_database.run("INSERT INTO case_aliases(alias, case_id) VALUES(?, ?) ON CONFLICT DO NOTHING", id, row.text(1));
      if (!ok) return ok;
    }
    return {};
  }

  /// A sentence without his texts.
  [[nodiscard]] std::string without(std::string_view text) const {
    std::string out(text);
    for (const std::string& his : m_texts) {
      for (std::size_t at = out.find(his); at != std::string::npos; at = out.find(his, at)) {
        const std::string put = his == m_traces.customer() ? std::string(kErasedCustomer) : m_traces.hashed(m_hash, normalKey(his));
        out.replace(at, his.size(), put);
        at += put.size();
      }
    }
    return out;
  }

  Result<> eraseLists() {
    for (const std::string& id : m_cases) {
      if (auto ok = eraseRowsOf("skips", "key, reason, ''", id, m_counts.skips); !ok) return ok;
      if (auto ok = eraseRowsOf("dead_letters", "key, reason, message_id", id, m_counts.deadLetters); !ok) return ok;
    }
    return {};
  }

  Result<> eraseRowsOf(std::string_view table, std::string_view columns, const std::string& caseId, std::uint64_t& count) {
    auto list = m_database.prepare(fmt::format("SELECT rowid, {} FROM {} WHERE case_id = ?", columns, table));
    if (!list) return fail(list.error());
    const bool isSkip = table == "skips";
    auto update = m_database.prepare(isSkip ? "UPDATE skips SET key = ?1, reason = ?2 WHERE rowid = ?4"
                                            : "UPDATE dead_letters SET key = ?1, reason = ?2, message_id = ?3, error = '' WHERE rowid = ?4");
    if (!update) return fail(update.error());
    list->bindAll(caseId);
    return forEachRow(*list, [&](const Statement& row) -> Result<bool> {
      ++count;
      if (!m_writes) return true;
      const std::string key = m_traces.keyWithout(m_hash, std::string(row.text(1)));
      const std::string reason = without(row.text(2));
      const std::string id = m_traces.idWithout(m_hash, std::string(row.text(3)));
      if (auto ok = update->run(key, reason, id, row.integer(0)); !ok) return fail(ok.error());
      return true;
    });
  }

  /// Rows that could not be read are kept as they were written: those that hold his id or a key lose their text.
  Result<> eraseRowsOfFiles() {
    auto list = m_database.prepare("SELECT run, seq, raw || ' ' || value || ' ' || reason FROM quarantined ORDER BY run, seq");
    auto update = m_database.prepare("UPDATE quarantined SET raw = '', value = '', reason = 'erased: ' || rule WHERE run = ? AND seq = ?");
    if (!list) return fail(list.error());
    if (!update) return fail(update.error());
    return forEachRow(*list, [&](const Statement& row) -> Result<bool> {
      if (!mentions(row.text(2))) return true;
      ++m_counts.rowsOfFiles;
      if (!m_writes) return true;
      if (auto ok = update->run(row.integer(0), row.integer(1)); !ok) return fail(ok.error());
      return true;
    });
  }

  [[nodiscard]] bool mentions(std::string_view text) const {
    return std::any_of(m_texts.begin(), m_texts.end(), [&](const std::string& his) { return text.find(his) != std::string_view::npos; });
  }

  /// Findings quote keys, lists that were handed out name them.
  Result<> eraseSentences() {
    struct Column {
      const char* table;
      const char* name;
    };
    for (const Column column : {Column{"findings", "subject"}, {"findings", "seen"}, {"findings", "advice"}, {"findings", "examples"},
                                {"runs", "better_column"}}) {
      auto list = m_database.prepare(fmt::format("SELECT rowid, {1} FROM {0} ORDER BY rowid", column.table, column.name));
      auto update = m_database.prepare(fmt::format("UPDATE {0} SET {1} = ? WHERE rowid = ?", column.table, column.name));
      if (!list) return fail(list.error());
      if (!update) return fail(update.error());
      auto ok = forEachRow(*list, [&](const Statement& row) -> Result<bool> {
        if (!mentions(row.text(1))) return true;
        ++m_counts.texts;
        if (!m_writes) return true;
        const std::string text = without(row.text(1));
        if (auto done = update->run(text, row.integer(0)); !done) return fail(done.error());
        return true;
      });
      if (!ok) return ok;
    }
    return eraseItems();
  }

  Result<> eraseItems() {
    auto list = m_database.prepare("SELECT remedy, case_id, item FROM remedy_cases ORDER BY remedy, case_id, item");
    if (!list) return fail(list.error());
    std::vector<std::tuple<std::int64_t, std::string, std::string>> his;
    auto ok = forEachRow(*list, [&](const Statement& row) -> Result<bool> {
      if (mentions(row.text(2))) his.emplace_back(row.integer(0), row.text(1), row.text(2));
      return true;
    });
    m_counts.texts += his.size();
    for (std::size_t i = 0; ok && m_writes && i < his.size(); ++i) {
      const auto& [remedy, caseId, item] = his[i];
      ok = m_database.run("UPDATE OR REPLACE remedy_cases SET item = ? WHERE remedy = ? AND case_id = ? AND item = ?", without(item),
                          remedy, caseId, item);
    }
    return ok;
  }

  /// Decisions are signed one by one: what people wrote stays, and is only counted.
  Result<> countNotes() {
    for (const char* sql : {"SELECT note || ' ' || reason FROM decisions", "SELECT key || ' ' || reason FROM ignore_rules",
                            "SELECT reason FROM holds", "SELECT note FROM closed_periods"}) {
      auto list = m_database.prepare(sql);
      if (!list) return fail(list.error());
      auto ok = forEachRow(*list, [&](const Statement& row) -> Result<bool> {
        m_counts.notes += mentions(row.text(0)) ? 1 : 0;
        return true;
      });
      if (!ok) return ok;
    }
    return {};
  }

  Database& m_database;
  const KeyedHash& m_hash;
  CustomerTraces m_traces;
  bool m_writes;
  EraseCounts m_counts;
  std::set<std::string> m_cases;
  std::vector<std::string> m_texts;
  RecordBlockWriter m_blockWriter;
};

bool hasFilledLog(const std::string& path) {
  struct stat facts{};
  return stat((path + "-wal").c_str(), &facts) == 0 && facts.st_size > 0;
}

}  // namespace

Result<EraseCounts> countErase(StoreFile& file, const std::string& customer) {
  auto transaction = Transaction::begin(file.database(), Transaction::Kind::Read);
  if (!transaction) return fail(transaction.error());
  return Eraser(file, customer, false).run();
}

Result<EraseCounts> erase(StoreFile& file, const std::string& customer, Instant at, const std::string& who) {
  Database& database = file.database();
  if (auto ok = database.execute("PRAGMA secure_delete=ON"); !ok) return fail(ok.error());
  Result<EraseCounts> counts;
  {
    auto transaction = Transaction::begin(database, Transaction::Kind::Write);
    if (!transaction) return fail(transaction.error());
    counts = Eraser(file, customer, true).run();
    if (!counts) return counts;
    auto ok = database.run("INSERT INTO removals(kind, at, who, what, counts) VALUES('customer', ?, ?, ?, ?)", at, who,
                           CustomerTraces::hashed(file.store().keyHash(), customer),
                           fmt::format("{} records, {} units", counts->records, counts->units));
    if (!ok) return fail(ok.error());
    failpoint("erase");
    if (ok = transaction->commit(); !ok) return fail(ok.error());
  }
  failpoint("erased");
  const auto rewritten = giveSpaceBack(file);
  if (!rewritten) return fail(rewritten.error());
  if (*rewritten == Rewritten::NoRoom) {
    return fail(ErrorCode::WriteFailed, "the data is out of all tables, but there is no room to write the file anew: bytes may be left "
                                        "in its free pages. Make room and run erase again");
  }
  if (hasFilledLog(file.path())) {
    return fail(ErrorCode::WriteFailed, "the data is out of all tables, but another program keeps the store open, so that bytes may be "
                                        "left in its log. Close it and run erase again");
  }
  return counts;
}

}  // namespace counterfoil
