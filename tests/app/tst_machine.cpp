// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "app/machine.h"

using namespace counterfoil;

class TstMachine : public QObject {
  Q_OBJECT
 private slots:
  void readsSizes_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<quint64>("bytes");
    QTest::newRow("mega") << "256M" << quint64(268435456);
    QTest::newRow("giga, small letter") << "1g" << quint64(1073741824);
    QTest::newRow("MiB") << "64MiB" << quint64(67108864);
    QTest::newRow("MB") << "64MB" << quint64(67108864);
    QTest::newRow("kilo") << "32768K" << quint64(33554432);
    QTest::newRow("bytes") << "16777216" << quint64(16777216);
  }
  void readsSizes() {
    QFETCH(QString, text);
    QFETCH(quint64, bytes);
    QCOMPARE(quint64(parseMemory(text.toStdString()).value()), bytes);
  }

  void refusesOtherText_data() {
    QTest::addColumn<QString>("text");
    for (const char* text : {"", "M", "much", "1.5G", "-1G", "1X", "1M", "99999999999999999999G",
                             "99999999999T", "256 M", "16MM"}) {
      QTest::newRow(text) << QString::fromLatin1(text);
    }
  }
  void refusesOtherText() {
    QFETCH(QString, text);
    const auto bytes = parseMemory(text.toStdString());
    QVERIFY(!bytes.has_value());
    QCOMPARE(bytes.error().code, ErrorCode::Usage);
  }

  void theEngineLeavesRoomWhereLittleIsGiven() {
    constexpr std::uint64_t mib = 1u << 20;
    QCOMPARE(quint64(engineMemoryBytes(16 * mib)), quint64(11 * mib));
    QCOMPARE(quint64(engineMemoryBytes(256 * mib)), quint64(176 * mib));
    QCOMPARE(quint64(engineMemoryBytes(1024 * mib)), quint64(1024 * mib));
  }

  void takesHalfOfWhatIsFree_data() {
    QTest::addColumn<QByteArray>("meminfo");
    QTest::addColumn<quint64>("bytes");
    QTest::newRow("half") << QByteArray("MemTotal: 1 kB\nMemAvailable:     819200 kB\n")
                          << quint64(419430400);
    QTest::newRow("1 GiB at most")
        << QByteArray("MemAvailable: 999999999 kB\n") << quint64(1073741824);
    QTest::newRow("a little at least") << QByteArray("MemAvailable: 10 kB\n") << quint64(33554432);
    QTest::newRow("not said") << QByteArray("MemTotal: 5 kB\n") << quint64(268435456);
    QTest::newRow("damaged") << QByteArray("MemAvailable: lots\n") << quint64(268435456);
  }
  void takesHalfOfWhatIsFree() {
    QFETCH(QByteArray, meminfo);
    QFETCH(quint64, bytes);
    QCOMPARE(quint64(defaultMemoryBytes(meminfo.toStdString())), bytes);
  }

  void hasAProcessor() { QVERIFY(defaultThreadCount() >= 1); }
};

QTEST_APPLESS_MAIN(TstMachine)
#include "tst_machine.moc"
