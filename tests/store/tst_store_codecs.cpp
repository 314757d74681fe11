// SPDX-License-Identifier: GPL-3.0-or-later
// What goes into a column, a row, a block or a page of the store comes out again; damaged bytes are told.
#include <rapidcheck.h>
#include <zstd.h>

#include <QTest>
#include <random>

#include "core/store/columns.h"
#include "core/store/hash_page.h"
#include "core/store/packing.h"
#include "core/store/record_block.h"
#include "core/store/record_row.h"
#include "tests/store/store_night.h"

using namespace counterfoil;
using namespace counterfoil::test;

namespace {

std::string withPadding(const std::string& bytes) { return bytes + std::string(8, '\0'); }

template <class Record>
std::string rowOf(const Record& record) {
  std::string row;
  appendRow(record, row);
  return row;
}

std::string unpacked(std::string_view block) {
  std::string plain(ZSTD_getFrameContentSize(block.data(), block.size()), '\0');
  ZSTD_decompress(plain.data(), plain.size(), block.data(), block.size());
  return plain;
}

std::string packed(const std::string& plain) {
  std::string block(ZSTD_compressBound(plain.size()), '\0');
  block.resize(ZSTD_compress(block.data(), block.size(), plain.data(), plain.size(), 1));
  return block;
}

Skip fullSkip() {
  Skip skip;
  skip.key = "k";
  skip.keyText = "K";
  skip.time = at(5);
  skip.reason = SkipReason::InProgress;
  skip.firstFingerprint = "f";
  skip.live = Live::Test;
  skip.account = "acct";
  skip.amount = Money{-5, usd()};
  return skip;
}

Claim fullClaim() {
  Claim claim;
  claim.state = ClaimState::Failed;
  claim.claimedAt = at(1);
  claim.key = "";
  claim.keyText = "4.68E+18";
  claim.keyDamaged = true;
  return claim;
}

OutboxRow fullOutbox() {
  OutboxRow row;
  row.id = "o1";
  row.topic = "t";
  row.createdAt = at(-3);
  row.publishCount = 2;
  row.dead = true;
  return row;
}

DeadLetter fullLetter() {
  DeadLetter letter;
  letter.messageId = "m1";
  letter.diedAt = at(9);
  letter.receiveCount = 0;
  letter.error = "a \"quoted\"\nerror";
  return letter;
}

std::vector<std::string> someRows() {
  Effect refund = effect(1);
  refund.kind = EffectKind::Reversal;
  refund.parentId = "ch_1";
  refund.place.offset = ~std::uint64_t{0};
  Intent intent;
  intent.id = "i1";
  intent.status = IntentStatus::Cancelled;
  intent.createdAt = at(3);
  ProcessedEvent event;
  event.id = "8e03978e-40d5-43e8-bc93-6894a57f9324";
  return {rowOf(attempt(1)), rowOf(effect(1)), rowOf(refund),       rowOf(fullSkip()),   rowOf(fullClaim()),
          rowOf(intent),     rowOf(event),     rowOf(fullOutbox()), rowOf(fullLetter()), rowOf(attempt(2))};
}

std::string blockOf(const std::vector<std::string>& rows) {
  RecordBlockWriter writer;
  const std::vector<std::string_view> views(rows.begin(), rows.end());
  return std::string(writer.encode(views).value());
}

}  // namespace

class TstStoreCodecs : public QObject {
  Q_OBJECT
 private slots:
  void numbersComeBack() {
    QVERIFY(rc::check("any numbers", [](const std::vector<std::int64_t>& values) {
      std::string bytes;
      putNumbers(bytes, values);
      const std::string padded = withPadding(bytes);
      std::string_view rest = std::string_view(padded).substr(0, bytes.size());
      const auto column = NumberColumn::take(rest, values.size());
      RC_ASSERT(column.has_value());
      RC_ASSERT(rest.empty());
      for (std::size_t i = 0; i < values.size(); ++i) RC_ASSERT((*column)[i] == values[i]);
    }));
  }

  void extremeNumbersComeBack() {
    const std::vector<std::int64_t> values = {INT64_MIN, INT64_MAX, 0, -1, 1};
    std::string bytes;
    putNumbers(bytes, values);
    const std::string padded = withPadding(bytes);
    std::string_view rest = std::string_view(padded).substr(0, bytes.size());
    const auto column = NumberColumn::take(rest, values.size());
    QVERIFY(column.has_value());
    for (std::size_t i = 0; i < values.size(); ++i) QCOMPARE((*column)[i], values[i]);
  }

  void timesInWholeSecondsTakeTheirBits() {
    std::vector<std::int64_t> values;
    for (std::int64_t i = 0; i < 1000; ++i) values.push_back(1'775'000'000'000'000 + (i * 7919 % 86'400) * 1'000'000);
    std::string bytes;
    putNumbers(bytes, values);
    QVERIFY2(bytes.size() < 1000 * 17 / 8 + 32, std::to_string(bytes.size()).c_str());
  }

  void textsComeBack() {
    QVERIFY(rc::check("any texts", [](const std::vector<std::string>& texts) {
      const std::vector<std::string_view> views(texts.begin(), texts.end());
      std::string bytes;
      putTexts(bytes, views);
      const std::string padded = withPadding(bytes);
      std::string_view rest = std::string_view(padded).substr(0, bytes.size());
      const auto column = TextColumn::take(rest, texts.size());
      RC_ASSERT(column.has_value());
      RC_ASSERT(rest.empty());
      std::string scratch;
      for (std::size_t i = 0; i < texts.size(); ++i) RC_ASSERT(column->at(i, scratch) == texts[i]);
    }));
  }

  void uuidsTakeSixteenBytes() {
    const std::vector<std::string_view> uuids = {"8e03978e-40d5-43e8-bc93-6894a57f9324",
                                                 "00000000-0000-0000-0000-00000000000f"};
    std::string bytes;
    putTexts(bytes, uuids);
    QCOMPARE(bytes.size(), std::size_t{33});
    const std::string padded = withPadding(bytes);
    std::string_view rest = std::string_view(padded).substr(0, bytes.size());
    const auto column = TextColumn::take(rest, 2);
    std::string scratch;
    QCOMPARE(column->at(1, scratch), uuids[1]);
    QCOMPARE(column->find(uuids[1], 0), std::size_t{1});
    QCOMPARE(column->find("8E03978E-40D5-43E8-BC93-6894A57F9324", 0), std::size_t{2});
  }

  void listsComeBack() {
    QVERIFY(rc::check("texts as JSON", [](const std::vector<std::string>& texts) {
      RC_ASSERT(unpackTexts(packTexts(texts)) == texts);
    }));
    QVERIFY(!unpackTexts("[\"a\"\"b\"]"));
    QVERIFY(!unpackTexts("[\"a"));
    QCOMPARE(packMoney({Money{1500, usd()}, Money{-3, *Currency::parse("KES")}}), std::string("USD:1500 KES:-3"));
    QVERIFY(unpackMoney("USD:1500 KES:-3") == (std::vector{Money{1500, usd()}, Money{-3, *Currency::parse("KES")}}));
    QVERIFY(!unpackMoney("USD:1500 "));
    QVERIFY(!unpackMoney("USD"));
    QVERIFY(!unpackMoney("QQQ:1"));
  }

  void everyKindOfRecordComesBackFromABlock() {
    const std::vector<std::string> rows = someRows();
    const auto block = RecordBlock::open(blockOf(rows));
    QVERIFY(block.has_value());
    QCOMPARE(block->size(), rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto record = block->record(i);
      QVERIFY(record.has_value());
      std::string again;
      appendRow(*record, again);
      QCOMPARE(again, rows[i]);
    }
  }

  void rowsAreFoundByKeyAndId() {
    const auto block = RecordBlock::open(blockOf(someRows()));
    QVERIFY(block.has_value());
    QCOMPARE(block->rowsWithKey("charge:1"), (std::vector<std::size_t>{0, 1, 2}));
    QCOMPARE(block->rowsWithKey("charge:3"), (std::vector<std::size_t>{}));
    const std::array fields = {Field::EffectIdOf, Field::ParentId};
    QCOMPARE(block->rowsWith(fields, "ch_1"), (std::vector<std::size_t>{1, 2}));
  }

  void aDamagedBlockIsToldAndNeverCrashes() {
    const std::string block = blockOf(someRows());
    std::mt19937 random(7);
    for (int i = 0; i < 2000; ++i) {
      std::string damaged = block;
      damaged[random() % damaged.size()] ^= static_cast<char>(1u << (random() % 8));
      const auto opened = RecordBlock::open(damaged);
      if (!opened) QCOMPARE(opened.error().code, ErrorCode::StoreBroken);
    }
  }

  void aBlockWithNonsenseInsideNeverCrashes() {
    const std::string plain = unpacked(blockOf(someRows()));
    std::mt19937 random(11);
    for (int i = 0; i < 20'000; ++i) {
      std::string damaged = plain;
      for (auto n = random() % 4 + 1; n > 0; --n) damaged[random() % damaged.size()] = static_cast<char>(random());
      if (random() % 8 == 0) damaged.resize(random() % damaged.size() + 1);
      const auto opened = RecordBlock::open(packed(damaged));
      if (!opened) continue;
      for (std::size_t row = 0; row < opened->size(); ++row) {
        const auto record = opened->record(row);
        if (!record) QCOMPARE(record.error().code, ErrorCode::StoreBroken);
      }
      (void)opened->rowsWithKey("charge:1");
    }
  }

  void hashPagesComeBack() {
    QVERIFY(rc::check("sorted entries", [](std::vector<std::pair<std::uint64_t, std::uint32_t>> raw) {
      if (raw.empty()) return;
      std::vector<HashEntry> entries;
      for (const auto& [hash, number] : raw) {
        entries.push_back({hash >> 16, number, static_cast<std::uint8_t>(number % 4)});
      }
      std::sort(entries.begin(), entries.end());
      std::string bytes;
      putHashPage(bytes, entries);
      const auto again = readHashPage(bytes);
      RC_ASSERT(again.has_value());
      RC_ASSERT(*again == entries);
      for (std::size_t cut = 0; cut < bytes.size(); ++cut) RC_ASSERT(!readHashPage(std::string_view(bytes).substr(0, cut)));
    }));
  }
};

QTEST_APPLESS_MAIN(TstStoreCodecs)
#include "tst_store_codecs.moc"
