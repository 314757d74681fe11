// SPDX-License-Identifier: GPL-3.0-or-later
// Killed at any moment, a run leaves the night before whole, and running again gives what an undisturbed
// run gives. Disk full, folders that cannot be written, damaged files.
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <random>

#include "core/store/schema.h"
#include "core/store/sqlite.h"
#include "tests/store/kill_trials.h"
#include "tests/store/store_night.h"

using namespace counterfoil;
using namespace counterfoil::test;

namespace {

constexpr std::uint64_t kKeys = 400;
constexpr std::uint64_t kMemory = 20'000;  // so little that it spills

/// The second night, as a program would run it. 0, or the error's code + 1.
int secondNight(const std::string& path) {
  Executor executor(2);
  auto store = Store::openForRun(path);
  if (!store) return static_cast<int>(store.error().code) + 1;
  const auto known = store->findNight(facts(1).identity);
  if (!known) return static_cast<int>(known.error().code) + 1;
  if (!*known) {
    if (const auto run = commitNight(*store, 1, kKeys, executor, kMemory); !run) {
      return static_cast<int>(run.error().code) + 1;
    }
  }
  const auto closed = store->close();
  return closed ? 0 : static_cast<int>(closed.error().code) + 1;
}

/// Runs `work` in a child; its exit code, or minus the signal that ended it.
template <class Work>
int inChild(Work&& work, int killAfterMicros = -1) {
  const pid_t child = fork();
  if (child < 0) qFatal("cannot fork");  // a kill of -1 would be one of everything
  if (child == 0) _exit(work());
  if (killAfterMicros >= 0) {
    usleep(static_cast<useconds_t>(killAfterMicros));
    kill(child, SIGKILL);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

std::string readDump(const std::string& path) {
  auto store = Store::openForReading(path);
  return store ? dumpOf(*store) : "cannot open: " + store.error().message;
}

}  // namespace

class TstStoreKill : public QObject {
  Q_OBJECT

  QTemporaryDir m_folder;
  std::string m_first, m_firstDump, m_bothDump;
  std::string path(const std::string& name) const { return m_folder.path().toStdString() + "/" + name; }

  std::string freshCopy() const {
    const std::string copy = path("trial");
    for (const char* end : {"", "-wal", "-shm", ".lock"}) unlink((copy + end).c_str());
    if (!QFile::copy(QString::fromStdString(m_first), QString::fromStdString(copy))) qFatal("cannot copy");
    return copy;
  }

  /// After a kill: the file is one of the two whole states, and the next run makes it the second.
  void recovers(const std::string& file) {
    const std::string after = readDump(file);
    QVERIFY2(after == m_firstDump || after == m_bothDump, after.substr(0, 300).c_str());
    QCOMPARE(inChild([&] { return secondNight(file); }), 0);
    QVERIFY(readDump(file) == m_bothDump);
    {
      const auto faults = Store::openForReading(file)->checkIntegrity();
      QVERIFY2(faults->empty(), faults->empty() ? "" : faults->front().c_str());
    }
    QCOMPARE(access((file + "-wal").c_str(), F_OK), -1);
    auto database = Database::open(file, OpenMode::ReadWrite);
    QCOMPARE(database->integer("SELECT count(*) FROM segments WHERE committed = 0")->value(), std::int64_t{0});
  }

 private slots:
  void initTestCase() {
    m_first = path("first");
    {
      Executor executor(1);
      auto store = Store::openForRun(m_first);
      QVERIFY(commitNight(*store, 0, kKeys, executor).has_value());
      QVERIFY(store->close().has_value());
    }
    m_firstDump = readDump(m_first);
    const std::string both = freshCopy();
    QCOMPARE(inChild([&] { return secondNight(both); }), 0);
    m_bothDump = readDump(both);
    QVERIFY(m_bothDump.size() > m_firstDump.size() * 3 / 2);
  }

  void killedAtAStage_data() {
    QTest::addColumn<QString>("stage");
    QTest::addColumn<int>("passes");  // at which pass it dies, in turn
    QTest::newRow("reading") << "read" << 400;
    QTest::newRow("spilling") << "spill" << 10;
    QTest::newRow("judging") << "judge" << 1;
    QTest::newRow("writing bulk") << "stage" << 2;
    QTest::newRow("before the commit") << "commit" << 1;
    QTest::newRow("after the commit") << "committed" << 1;
    QTest::newRow("merging the history") << "merge" << 1;
    QTest::newRow("before the checkpoint") << "checkpoint" << 1;
  }
  void killedAtAStage() {
    QFETCH(QString, stage);
    QFETCH(int, passes);
    for (int trial = 0; trial < kKillTrials; ++trial) {
      const std::string file = freshCopy();
      const std::string point = stage.toStdString() + ":" + std::to_string(1 + trial * 37 % passes);
      const int end = inChild([&] {
        setenv("COUNTERFOIL_FAILPOINT", point.c_str(), 1);
        return secondNight(file);
      });
      QCOMPARE(end, -SIGKILL);
      recovers(file);
      if (QTest::currentTestFailed()) return;
    }
  }

  void killedAtRandom() {
    std::mt19937 random(5);
    for (int trial = 0; trial < kKillTrials + 10; ++trial) {
      const std::string file = freshCopy();
      (void)inChild([&] { return secondNight(file); }, static_cast<int>(random() % 60'000));
      recovers(file);
      if (QTest::currentTestFailed()) return;
    }
  }

  void killedWhileTheStoreIsMade() {
    for (int trial = 0; trial < kKillTrials; ++trial) {
      const std::string file = path("made");
      for (const char* end : {"", "-wal", "-shm", ".lock"}) unlink((file + end).c_str());
      QCOMPARE(inChild([&] {
        setenv("COUNTERFOIL_FAILPOINT", "migration", 1);
        return secondNight(file);
      }), -SIGKILL);
      QCOMPARE(inChild([&] { return secondNight(file); }), 0);
      QVERIFY(Store::openForReading(file)->checkIntegrity()->empty());
    }
  }

  void killedInALaterMigration() {
    const int version = storeMigrations().back().to;
    std::vector<Migration> later(storeMigrations().begin(), storeMigrations().end());
    later.push_back({version + 1, "CREATE TABLE later(a INTEGER) STRICT"});
    later.push_back({version + 2, "ALTER TABLE later ADD COLUMN b TEXT"});
    for (int trial = 0; trial < kKillTrials; ++trial) {
      const std::string file = freshCopy();
      const auto migrating = [&] {
        auto database = Database::open(file, OpenMode::ReadWrite);
        return database && migrate(*database, later) ? 0 : 1;
      };
      QCOMPARE(inChild([&] {
        setenv("COUNTERFOIL_FAILPOINT", trial % 2 == 0 ? "migration:1" : "migration:2", 1);
        return migrating();
      }), -SIGKILL);
      QCOMPARE(inChild(migrating), 0);
      auto database = Database::open(file, OpenMode::ReadWrite);
      QCOMPARE(database->integer("PRAGMA user_version")->value(), std::int64_t{version + 2});
      QCOMPARE(database->integer("SELECT count(*) FROM runs")->value(), std::int64_t{1});
    }
  }

  void aFullDiskLosesNothing() {
    for (int trial = 0; trial < kKillTrials; ++trial) {
      const std::string file = freshCopy();
      struct stat facts{};
      stat(file.c_str(), &facts);
      const int end = inChild([&] {
        signal(SIGXFSZ, SIG_IGN);
        const auto room = static_cast<rlim_t>(trial) * 20'000;
        const struct rlimit limit{room, room};
        setrlimit(RLIMIT_FSIZE, &limit);
        return secondNight(file);
      });
      QVERIFY2(end == static_cast<int>(ErrorCode::WriteFailed) + 1 || end == 0, std::to_string(end).c_str());
      if (trial < 3) QVERIFY(end != 0);
      recovers(file);
      if (QTest::currentTestFailed()) return;
    }
  }

  void aFolderThatCannotBeWrittenIsRead() {
    const std::string folder = path("closed");
    mkdir(folder.c_str(), 0755);
    const std::string file = folder + "/store";
    QVERIFY(QFile::copy(QString::fromStdString(m_first), QString::fromStdString(file)));
    chmod(m_folder.path().toStdString().c_str(), 0755);
    chmod(file.c_str(), 0444);
    chmod(folder.c_str(), 0555);
    const int end = inChild([&] {
      if (geteuid() == 0 && setuid(65534) != 0) return 1;
      auto store = Store::openForReading(file);
      if (!store || store->note().empty() || dumpOf(*store) != m_firstDump) return 2;
      const auto run = Store::openForRun(file);
      return !run && run.error().code == ErrorCode::WriteFailed ? 0 : 3;
    });
    chmod(folder.c_str(), 0755);
    QCOMPARE(end, 0);
  }

  void aRunWaitsForAnother() {
    const std::string file = freshCopy();
    int ready[2];
    QCOMPARE(pipe(ready), 0);
    const pid_t holder = fork();
    if (holder == 0) {
      auto store = Store::openForRun(file);
      (void)!write(ready[1], "x", 1);
      usleep(300'000);
      _exit(store ? 0 : 1);  // ends without closing: the kernel lets the lock go
    }
    char byte = 0;
    QCOMPARE(read(ready[0], &byte, 1), ssize_t{1});
    QCOMPARE(Store::openForRun(file).error().code, ErrorCode::Locked);
    StoreOptions options;
    options.wait = std::chrono::seconds(20);
    QVERIFY(Store::openForRun(file, options).has_value());
    waitpid(holder, nullptr, 0);
    close(ready[0]);
    close(ready[1]);
  }

  void flippedBytesNeverCrash() {
    QFile original(QString::fromStdString(m_first));
    QVERIFY(original.open(QIODevice::ReadOnly));
    const QByteArray whole = original.readAll();
    std::mt19937 random(3);
    for (int trial = 0; trial < 250; ++trial) {
      QByteArray damaged = whole;
      for (auto flips = random() % 3 + 1; flips > 0; --flips) {
        const auto at = static_cast<qsizetype>(random() % static_cast<std::size_t>(damaged.size()));
        damaged[at] = static_cast<char>(damaged[at] ^ static_cast<char>(1u << (random() % 8)));
      }
      const std::string file = path("damaged");
      QFile out(QString::fromStdString(file));
      QVERIFY(out.open(QIODevice::WriteOnly | QIODevice::Truncate));
      out.write(damaged);
      out.close();
      const int end = inChild([&] {
        auto store = Store::openForReading(file);
        if (!store) return 0;
        (void)dumpOf(*store);
        (void)store->run(1);
        (void)store->findUnits("charge:10");
        (void)store->checkIntegrity();
        return 0;
      });
      QCOMPARE(end, 0);
    }
  }
};

QTEST_APPLESS_MAIN(TstStoreKill)
#include "tst_store_kill.moc"
