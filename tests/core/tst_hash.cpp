// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <set>

#include "core/base/hash.h"

using namespace counterfoil;

class TstHash : public QObject {
  Q_OBJECT

 private slots:
  void sha256OfKnownTexts_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QByteArray>("digest");
    QTest::newRow("nothing")
        << QByteArray("")
        << QByteArray("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    QTest::newRow("abc") << QByteArray("abc")
                         << QByteArray(
                                "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    QTest::newRow("a million a")
        << QByteArray(1'000'000, 'a')
        << QByteArray("cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
  }
  void sha256OfKnownTexts() {
    QFETCH(QByteArray, bytes);
    QFETCH(QByteArray, digest);
    QCOMPARE(QByteArray::fromStdString(sha256Hex(bytes.toStdString())), digest);
  }

  void sha256InPiecesIsThatOfTheWhole() {
    Sha256 sha;
    sha.add("ab");
    Sha256 moved = std::move(sha);
    moved.add("");
    moved.add("c");
    QCOMPARE(moved.finishHex(), sha256Hex("abc"));
  }

  void theSecretDecides() {
    const KeyedHash one(1);
    const KeyedHash two(2);
    QVERIFY(one("key") == KeyedHash(1)("key"));
    QVERIFY(one("key") != two("key"));
    QVERIFY(KeyedHash()("key") != KeyedHash()("key"));
  }

  void spacesAndTextsAreApart() {
    const KeyedHash hash(7);
    std::set<std::pair<std::uint64_t, std::uint64_t>> seen;
    std::set<std::uint64_t> lows;
    std::size_t asked = 0;
    for (std::uint32_t space = 0; space < 10; ++space) {
      std::string text;
      for (int i = 0; i < 600; ++i, text += 'a') {
        const Hash128 value = hash(text, space);
        QVERIFY(value.high != 0 && value.low != 0);
        seen.insert({value.high, value.low});
        lows.insert(value.low);
        ++asked;
      }
    }
    QCOMPARE(seen.size(), asked);
    QCOMPARE(lows.size(), asked);
  }
};

QTEST_APPLESS_MAIN(TstHash)
#include "tst_hash.moc"
