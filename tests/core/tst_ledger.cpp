// SPDX-License-Identifier: GPL-3.0-or-later
// The ledger: rows come back as they were packed, partitions hold what was put in whatever the memory
// bound, links bring together what shares an id and nothing that shares too common a one.
#include <QtTest>
#include <limits>
#include <map>
#include <random>

#include "core/judge/judge.h"
#include "core/ledger/group_table.h"
#include "core/ledger/ledger.h"
#include "core/ledger/plain.h"
#include "tests/core/support/night.h"
#include "tests/core/support_run/memory_input.h"

using namespace counterfoil;
using namespace counterfoil::testing;

namespace {

LedgerRow randomRow(std::mt19937_64& random) {
  const auto wide = [&](int bits) { return bits == 0 ? 0 : random() >> (64 - bits); };
  const auto anyBits = [&] { return static_cast<int>(random() % 65); };
  LedgerRow row;
  row.group = {random(), static_cast<std::uint32_t>(random())};
  row.shape = static_cast<std::uint32_t>(wide(static_cast<int>(random() % 33)));
  row.part = static_cast<std::uint32_t>(wide(static_cast<int>(random() % 33)));
  row.offset = wide(anyBits());
  row.opRef = random() % 2 == 0 ? 0 : random();
  row.amount = static_cast<std::int64_t>(wide(anyBits()));
  row.time = static_cast<std::int64_t>(wide(anyBits()));
  row.start = static_cast<std::int64_t>(wide(anyBits()));
  return row;
}

/// Groups of equal numbers: what is linked has the same one.
std::map<std::uint64_t, std::uint64_t> rootsOf(const Components& components, int groups) {
  std::map<std::uint64_t, std::uint64_t> roots;
  for (int i = 1; i <= groups; ++i) {
    if (const auto root = components.rootOf(static_cast<std::uint64_t>(i))) roots[static_cast<std::uint64_t>(i)] = *root;
  }
  return roots;
}

struct Links {
  std::vector<BlockPool> pools = std::vector<BlockPool>(2);
  MemorySpill spill;
  LinkStore store{pools, 1u << 20, spill};

  Links& add(LinkSpace space, std::uint64_t value, std::uint64_t group, LinkCount count = LinkCount::Key, int operation = -1) {
    LinkEntry entry;
    entry.space = space;
    entry.value = value;
    entry.group = group;
    entry.count = count;
    entry.operation = OperationId{static_cast<std::int16_t>(operation)};
    if (!store.add(entry, group % 2)) throw std::runtime_error("spill");
    return *this;
  }
  Components resolved(std::int64_t limit = 50) {
    Executor executor(2);
    auto components = store.resolve(executor, limit, nullptr);
    if (!components) throw std::runtime_error(components.error().message);
    return std::move(*components);
  }
};

}  // namespace

class TstLedger : public QObject {
  Q_OBJECT

 private slots:
  void rowsComeBackAsTheyWerePacked() {
    std::mt19937_64 random(1);
    for (int i = 0; i < 20'000; ++i) {
      const RowCodec codec(static_cast<std::int64_t>(random()));
      const LedgerRow row = randomRow(random);
      char bytes[RowCodec::kBytesMax];
      char* const end = codec.pack(row, bytes);
      QVERIFY(end - bytes <= static_cast<std::ptrdiff_t>(RowCodec::kBytesMax));
      const std::string exact(bytes, end);  // nothing behind the last byte may be needed
      LedgerRow back;
      QCOMPARE(codec.unpack(exact.data(), exact.data() + exact.size(), back), exact.data() + exact.size());
      QVERIFY(back == row);
    }
  }

  void extremeTimesAndAmountsArePackedToo() {
    const RowCodec codec(1'775'000'000'000'000);
    for (std::int64_t value : {std::numeric_limits<std::int64_t>::min(), std::int64_t{0}, std::numeric_limits<std::int64_t>::max()}) {
      LedgerRow row;
      row.time = value;
      row.start = -1 - value;
      row.amount = value;
      char bytes[RowCodec::kBytesMax];
      char* const end = codec.pack(row, bytes);
      LedgerRow back;
      (void)codec.unpack(bytes, end, back);
      QVERIFY(back == row);
    }
  }

  void aUsualRowIsSmall() {
    const RowCodec codec(atTime(24h).time_since_epoch().count());
    LedgerRow row;
    row.group = {0x123456789ABCDEFull, 0x12345678u};
    row.offset = 300'000'000;
    row.amount = 12'345;
    row.time = atTime(10h).time_since_epoch().count();
    row.start = row.time - 1'500'000;
    char bytes[RowCodec::kBytesMax];
    QVERIFY(codec.pack(row, bytes) - bytes <= 32);
  }

  /// More shapes than a worker's cache has places, each in every field a little different.
  void everyShapeKeepsItsNumber() {
    ShapeTable table;
    ShapeCache one(table), other(table);
    std::mt19937_64 random(7);
    std::vector<Shape> shapes;
    for (std::size_t i = 0; i < 6000; ++i) {
      Shape shape;
      shape.scope = i % 3 == 0 ? random() : 0;
      shape.file = static_cast<std::uint32_t>(i % 5);
      shape.queue = static_cast<std::uint32_t>(random() % 40);
      shape.currency = static_cast<std::uint16_t>(random() % 4);
      shape.operation = static_cast<std::int16_t>(static_cast<int>(random() % 4) - 1);
      shape.kind = random() % 2 == 0 ? RecordKind::Attempt : RecordKind::Effect;
      shape.status = static_cast<std::uint8_t>(random() % 4);
      shape.effectKind = static_cast<std::uint8_t>(random() % 3);
      shape.hasAmount = random() % 2 == 0;
      shape.needsJudge = random() % 2 == 0;
      shape.dayOnly = random() % 2 == 0;
      shape.space = static_cast<std::uint8_t>(random() % 5);
      shapes.push_back(shape);
    }
    for (int round = 0; round < 2; ++round) {
      for (const Shape& shape : shapes) {
        const std::uint32_t number = one.numberOf(shape, {});
        QCOMPARE(other.numberOf(shape, {}), number);
        QVERIFY(table[number] == shape);
      }
    }
  }

  void blocksAreUsedAgain() {
    BlockPool pool;
    Block* first = pool.take(0);
    QCOMPARE(pool.inUseBytes(), 512);
    first->used = 77;
    pool.giveBack(first);
    QCOMPARE(pool.inUseBytes(), 0);
    QCOMPARE(pool.take(0), first);
    QCOMPARE(first->used, 0u);
    QVERIFY(pool.take(1) != first);
    QCOMPARE(pool.inUseBytes(), 1536);
  }

  void partitionsKeepEverythingWithAndWithoutSpilling_data() {
    QTest::addColumn<int>("entries");
    QTest::addColumn<bool>("spills");
    QTest::newRow("nothing") << 0 << false;
    QTest::newRow("a few") << 100 << false;
    QTest::newRow("beyond the bound") << 100'000 << true;
  }
  void partitionsKeepEverythingWithAndWithoutSpilling() {
    QFETCH(int, entries);
    QFETCH(bool, spills);
    std::vector<BlockPool> pools(2);
    MemorySpill spill;
    std::map<unsigned, std::uint64_t> sums;
    {
      PartitionedBytes store(pools, 8, 0, spill);
      for (int i = 0; i < entries; ++i) {
        const auto worker = static_cast<unsigned>(i % 2);
        const auto partition = static_cast<unsigned>(i * 7 % 8);
        char* at = store.reserve(worker, partition);
        QVERIFY(at != nullptr);
        const std::uint64_t words[4] = {static_cast<std::uint64_t>(i), 1, 2, 3};
        std::memcpy(at, words, sizeof words);
        store.commit(worker, partition, at + sizeof words);
        sums[partition] += words[0];
      }
      QCOMPARE(store.spilledBytes() > 0, spills);
      std::string scratch;
      int seen = 0;
      for (unsigned partition = 0; partition < 8; ++partition) {
        std::uint64_t sum = 0;
        QVERIFY(store.read(partition, scratch, [&](std::string_view bytes) {
          for (; bytes.size() >= 32; bytes.remove_prefix(32)) {
            std::uint64_t word = 0;
            std::memcpy(&word, bytes.data(), 8);
            sum += word;
            ++seen;
          }
          QCOMPARE(bytes.size(), std::size_t{0});
        }).has_value());
        QCOMPARE(sum, sums[partition]);
        store.release(partition, 0);
      }
      QCOMPARE(seen, entries);
    }
    QCOMPARE(spill.openStreams(), std::size_t{0});
  }

  void aFullDiskIsReported() {
    std::vector<BlockPool> pools(1);
    MemorySpill spill;
    spill.failsToOpen = true;
    PartitionedBytes store(pools, 2, 0, spill);
    char* at = nullptr;
    for (int i = 0; i < 100'000; ++i) {
      at = store.reserve(0, 0);
      if (at == nullptr) break;
      store.commit(0, 0, at + 90);
    }
    QVERIFY(at == nullptr);
    QVERIFY(store.errorOf(0).has_value());
    QCOMPARE(store.errorOf(0)->code, ErrorCode::WriteFailed);
  }

  void rowsAreGatheredByGroup() {
    std::mt19937_64 random(3);
    const RowCodec codec;
    std::string bytes;
    std::map<std::uint64_t, int> sizes;
    for (int i = 0; i < 5000; ++i) {
      LedgerRow row = randomRow(random);
      row.group = {random() % 700, 1};
      ++sizes[row.group.high];
      char packed[RowCodec::kBytesMax];
      bytes.append(packed, static_cast<std::size_t>(codec.pack(row, packed) - packed));
    }
    GroupTable table;
    for (int round = 0; round < 2; ++round) {  // it is used again
      table.clear();
      table.append(bytes, codec);
      table.group();
      QCOMPARE(table.groupCount(), sizes.size());
      std::map<std::uint64_t, int> seen;
      for (std::size_t group = 0; group < table.groupCount(); ++group) {
        const auto rows = table.rowsOf(group);
        for (const LedgerRow* row : rows) QVERIFY(row->group == rows[0]->group);
        seen[rows[0]->group.high] += static_cast<int>(rows.size());
      }
      QVERIFY(seen == sizes);
    }
  }

  void whatSharesAnIdIsLinked() {
    Links links;
    links.add(LinkSpace::EffectId, 7, 1).add(LinkSpace::EffectId, 7, 2);
    links.add(LinkSpace::OpRef, 9, 2, LinkCount::Key, 0).add(LinkSpace::OpRef, 9, 3, LinkCount::Key, 0);
    links.add(LinkSpace::JobId, 7, 4).add(LinkSpace::MessageId, 7, 5);  // another name space
    links.add(LinkSpace::JobId, 11, 6).add(LinkSpace::JobId, 11, 6);    // within one group
    links.store.addEdge(7, 8, 0);
    const auto roots = rootsOf(links.resolved(), 9);
    QCOMPARE(roots.size(), std::size_t{5});
    QCOMPARE(roots.at(1), roots.at(2));
    QCOMPARE(roots.at(1), roots.at(3));
    QCOMPARE(roots.at(7), roots.at(8));
    QVERIFY(roots.at(1) != roots.at(7));
  }

  void ordersOfSeveralOperationsAreApart() {
    Links links;
    links.add(LinkSpace::OpRef, 9, 1, LinkCount::Key, 0).add(LinkSpace::OpRef, 9, 2, LinkCount::Key, 1);
    links.add(LinkSpace::OpRef, 8, 3, LinkCount::Key, 0).add(LinkSpace::OpRef, 8, 4, LinkCount::Effect);
    links.add(LinkSpace::OpRef, 8, 5, LinkCount::Key, 1);
    const auto roots = rootsOf(links.resolved(), 5);
    QCOMPARE(roots.count(1) + roots.count(2), std::size_t{0});
    QCOMPARE(roots.at(3), roots.at(4));  // an effect may belong to either
    QCOMPARE(roots.at(4), roots.at(5));
  }

  void tooCommonValuesAreNoLinks_data() {
    QTest::addColumn<int>("groups");
    QTest::addColumn<int>("count");
    QTest::addColumn<bool>("isLink");
    QTest::newRow("as many keys as both of live and test may have") << 6 << int(LinkCount::Key) << true;
    QTest::newRow("one key more") << 7 << int(LinkCount::Key) << false;
    QTest::newRow("jobs without keys") << 7 << int(LinkCount::Job) << false;
    QTest::newRow("effects without keys") << 7 << int(LinkCount::Effect) << false;
    QTest::newRow("refunds of one charge") << 500 << int(LinkCount::Nothing) << true;
  }
  void tooCommonValuesAreNoLinks() {
    QFETCH(int, groups);
    QFETCH(int, count);
    QFETCH(bool, isLink);
    Links links;
    for (int i = 1; i <= groups; ++i) {
      links.add(LinkSpace::OpRef, 9, static_cast<std::uint64_t>(i), static_cast<LinkCount>(count), 2);
    }
    const Components components = links.resolved(3);
    QCOMPARE(rootsOf(components, groups).size(), isLink ? static_cast<std::size_t>(groups) : 0);
    QCOMPARE(components.isCommonOpRef(9, OperationId{2}), !isLink);
    QCOMPARE(components.isCommonOpRef(9, OperationId{}), !isLink);
    QCOMPARE(components.isCommonOpRef(9, OperationId{1}), false);
    QCOMPARE(components.isCommonOpRef(10, OperationId{2}), false);
    QCOMPARE(components.commonValues(), isLink ? 0u : 1u);
  }

  void slimRecordsHoldWhatLinks() {
    const KeyedHash hash(5);
    const SlimRecord local = slimOf(attempt("k").job("j").order("o").recorded("e").record(), hash);
    const SlimRecord remote = slimOf(effect("e").key("k").order("o").parent("p").record(), hash);
    QVERIFY(local.key == remote.key);
    QCOMPARE(local.effectId, remote.effectId);
    QCOMPARE(local.opRef, opRefOf(remote.opRef, OperationId{0}));
    QVERIFY(local.jobId != 0);
    QCOMPARE(remote.parentId, linkHash(hash, "p", HashSpace::EffectId));
    QCOMPARE(int(local.keyBytes), 1);
    QCOMPARE(linkHash(hash, "null", HashSpace::OpRef), std::uint64_t{0});
    QVERIFY(linkHashWithin(SourceId{0}, hash, "j", HashSpace::JobId) != linkHashWithin(SourceId{1}, hash, "j", HashSpace::JobId));
    QCOMPARE(slimOf(attempt("k").job("j").source(SourceId{1}).record(), hash, SourceId{0}).jobId, local.jobId);
    QVERIFY(slimOf(attempt("k").job("j").source(SourceId{1}).record(), hash).jobId != local.jobId);
    QCOMPARE(scopeHash(hash, "", Live::Live), std::uint64_t{0});
    QCOMPARE(scopeHash(hash, "", Live::Test), scopeHash(hash, "/test", Live::Live));
    const SlimRecord damaged = slimOf(effect("e").damagedKey("1E+18").record(), hash);
    QVERIFY(damaged.key == Hash128{});
    QVERIFY(damaged.keyDamaged);
    QVERIFY(damaged.needsJudge);
  }

  void equalRowsOfTwoFilesHaveEqualContent() {
    const KeyedHash hash(5);
    const auto one = effect("").at(9h);
    const SlimRecord here = slimOf(Build(one).file(3).offset(10).record(), hash);
    const SlimRecord there = slimOf(Build(one).file(4).offset(90).record(), hash);
    QCOMPARE(here.content, there.content);
    QVERIFY(here.content != slimOf(Build(one).usd(1).record(), hash).content);
  }

  void plainPairs_data() {
    QTest::addColumn<Attempt>("local");
    QTest::addColumn<Effect>("remote");
    QTest::addColumn<bool>("isPlain");
    const auto a = attempt("k").at(10h);
    const auto e = effect("e").key("k").at(10h);
    const auto row = [](const char* name, const Attempt& local, const Effect& remote, bool isPlain) {
      QTest::newRow(name) << local << remote << isPlain;
    };
    row("success and live effect", a, e, true);
    row("no amounts on either side", Build(a).noAmount(), Build(e).noAmount(), true);
    row("an amount on one side", Build(a).noAmount(), e, false);
    row("another amount", Build(a).usd(1), e, false);
    row("another currency", Build(a).amount(money(1500, "EUR")), e, false);
    row("a failed attempt", Build(a).failed(), e, false);
    row("a pending effect", a, Build(e).pending(), false);
    row("a failed effect", a, Build(e).failed(), false);
    row("a refund", a, Build(e).kind(EffectKind::Reversal), false);
    row("the same account", Build(a).account("A"), Build(e).account("A"), true);
    row("an account on one side", a, Build(e).account("A"), false);
    row("test and live", Build(a).test(), e, false);
    row("the same order", Build(a).order("o"), Build(e).order("o"), true);
    row("an order on one side", Build(a).order("o"), e, true);
    row("two orders", Build(a).order("o"), Build(e).order("p"), false);
    row("just within the clocks' difference", Build(a).at(10h + 5min), e, true);
    row("the effect before its attempt", Build(a).at(10h + 5min + 1s), e, false);
    row("a day without a clock", Build(a).at(20h), Build(e).at(0h).day(), true);
    row("another operation", a, Build(e).op(1), false);
    row("a damaged key", Build(a).key(""), Build(e).damagedKey("1E+9"), false);
    row("tied by the recorded id", Build(a).key("").recorded("e"), Build(e).key(""), true);
  }
  void plainPairs() {
    QFETCH(Attempt, local);
    QFETCH(Effect, remote);
    QFETCH(bool, isPlain);
    Night night;
    QCOMPARE(isPlainBy(night, local, remote), isPlain);
    if (!isPlain) return;
    night.records.add(AnyRecord(local));
    night.records.add(AnyRecord(remote));
    const Unit unit = night.unit();  // what is plain is matched without a flag
    QCOMPARE(unit.unitClass, Class::Matched);
    QCOMPARE(codes(unit.flags), QString());
    QCOMPARE(codes(unit.hints), QString());
    QCOMPARE(unit.exposure.size(), std::size_t{0});
  }

  void operationsThatArePlain_data() {
    QTest::addColumn<int>("change");
    QTest::addColumn<bool>("isPlain");
    QTest::newRow("as it comes") << 0 << true;
    QTest::newRow("split") << 1 << false;
    QTest::newRow("inbound") << 2 << false;
    QTest::newRow("a refund") << 3 << false;
    QTest::newRow("keys that live so long") << 4 << false;
    QTest::newRow("probable duplicates wanted") << 5 << false;
    QTest::newRow("customers compared") << 6 << false;
    QTest::newRow("another provider's") << 7 << false;
    QTest::newRow("its provider's") << 8 << true;
    QTest::newRow("zero or one") << 9 << false;
  }
  void operationsThatArePlain() {
    QFETCH(int, change);
    QFETCH(bool, isPlain);
    Night night;
    Operation& operation = night.operation();
    switch (change) {
      case 1: operation.expect = Expect::Split; break;
      case 2: operation.direction = Direction::Inbound; break;
      case 3: operation.effect = OperationEffect::Reversal; break;
      case 4: operation.keyLifetime = 1h; break;
      case 5: operation.probableDuplicateWithin = 1h; break;
      case 6: operation.compare.insert(CompareField::Customer); break;
      case 7: operation.provider = "other"; break;
      case 8: operation.provider = "stripe"; break;
      case 9: operation.expect = Expect::ZeroOrOne; break;
      default: break;
    }
    QCOMPARE(isPlainBy(night, attempt("k"), effect("e").key("k")), isPlain);
  }

 private:
  static bool isPlainBy(const Night& night, const Attempt& local, const Effect& remote) {
    const KeyedHash hash(1);
    MemorySpill spill;
    Ledger ledger({}, spill);
    if (!ledger.add({slimOf(local, hash), slimOf(remote, hash)}, 0)) throw std::runtime_error("ledger");
    GroupTable groups;
    std::string scratch;
    for (unsigned partition = 0; partition < Ledger::kPartitions; ++partition) {
      auto read = ledger.rows().read(partition, scratch, [&](std::string_view bytes) { groups.append(bytes, ledger.codec()); });
      if (!read) throw std::runtime_error("read");
    }
    groups.group();
    std::vector<SourceId> files(8);
    for (std::uint16_t i = 0; i < 8; ++i) files[i] = SourceId{i};
    const PlainRules rules(night.policy, files);
    return groups.groupCount() == 1 && isPlainPair({groups.rowsOf(0)}, ledger.shapes(), rules);
  }
};


QTEST_APPLESS_MAIN(TstLedger)
#include "tst_ledger.moc"
