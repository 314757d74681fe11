// SPDX-License-Identifier: GPL-3.0-or-later
// Temporary files of a run: bytes come back, nothing is left, a full disk is an error with a way out.
#include <sys/resource.h>

#include <QtTest>
#include <csignal>
#include <thread>
#include <vector>

#include "app/spill_files.h"

using namespace counterfoil;

class TstSpillFiles : public QObject {
  Q_OBJECT

 private slots:
  void whatWasAppendedIsReadBackAnywhere() {
    QTemporaryDir folder;
    SpillFiles spill(folder.path().toStdString());
    const auto stream = spill.open();
    QVERIFY(stream.has_value());
    QVERIFY(spill.append(*stream, "hello ").has_value());
    QVERIFY(spill.append(*stream, "world").has_value());
    std::string out;
    QVERIFY(spill.read(*stream, 4, 5, out).has_value());
    QCOMPARE(out, std::string("o wor"));
    QVERIFY(spill.read(*stream, 0, 11, out).has_value());
    QCOMPARE(out, std::string("hello world"));
  }

  void filesHaveNoName() {
    QTemporaryDir folder;
    SpillFiles spill(folder.path().toStdString());
    const auto stream = spill.open();
    QVERIFY(spill.append(*stream, "secret").has_value());
    QCOMPARE(QDir(folder.path()).entryList(QDir::AllEntries | QDir::NoDotAndDotDot | QDir::Hidden), QStringList());
  }

  void readingPastTheEndIsAnError() {
    SpillFiles spill;
    const auto stream = spill.open();
    QVERIFY(spill.append(*stream, "abc").has_value());
    std::string out;
    const auto read = spill.read(*stream, 1, 5, out);
    QVERIFY(!read.has_value());
    QCOMPARE(read.error().code, ErrorCode::WriteFailed);
  }

  void aFolderThatIsNotThereIsNamed() {
    SpillFiles spill("/nowhere/at/all");
    const auto stream = spill.open();
    QVERIFY(!stream.has_value());
    QCOMPARE(stream.error().code, ErrorCode::WriteFailed);
    QVERIFY(QString::fromStdString(stream.error().message).contains("/nowhere/at/all"));
    QVERIFY(QString::fromStdString(stream.error().message).contains("TMPDIR"));
  }

  void aFullDiskIsAnError() {
    // The limit on the size of files fails in the same place as a full disk.
    struct rlimit before {};
    getrlimit(RLIMIT_FSIZE, &before);
    struct rlimit small = before;
    small.rlim_cur = 1000;
    setrlimit(RLIMIT_FSIZE, &small);
    const auto ignored = std::signal(SIGXFSZ, SIG_IGN);
    SpillFiles spill;
    const auto stream = spill.open();
    const auto written = spill.append(*stream, std::string(5000, 'x'));
    setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, ignored);
    QVERIFY(!written.has_value());
    QCOMPARE(written.error().code, ErrorCode::WriteFailed);
    QVERIFY(QString::fromStdString(written.error().message).contains("--memory"));
  }

  void streamsAreApart() {
    SpillFiles spill;
    std::vector<std::uint32_t> streams;
    for (int i = 0; i < 4; ++i) streams.push_back(*spill.open());
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&, i] {
        for (int n = 0; n < 200; ++n) (void)spill.append(streams[std::size_t(i)], std::string(100, char('a' + i)));
      });
    }
    for (std::thread& thread : threads) thread.join();
    for (int i = 0; i < 4; ++i) {
      std::string out;
      QVERIFY(spill.read(streams[std::size_t(i)], 0, 20'000, out).has_value());
      QCOMPARE(out, std::string(20'000, char('a' + i)));
    }
    spill.close(streams[0]);
    spill.close(streams[0]);
  }
};

QTEST_APPLESS_MAIN(TstSpillFiles)
#include "tst_spill_files.moc"
