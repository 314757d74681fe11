// SPDX-License-Identifier: GPL-3.0-or-later
// `counterfoil run` where it cannot do its work: the right exit code, a line that says why and what to do,
// and nothing lost.
#include <sched.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include <QtTest>

#include "core/store/sqlite.h"
#include "tests/app/night_program.h"

using namespace counterfoil;
using namespace counterfoil::testing;

namespace {

constexpr int kKeys = 300;

/// A file of a run that goes on: locked as a run locks it.
class HeldStore {
 public:
  explicit HeldStore(const std::string& store) : m_path(store + ".lock") {
    m_file = ::open(m_path.c_str(), O_RDWR | O_CREAT, 0644);
    if (m_file < 0 || ::flock(m_file, LOCK_EX) != 0) qFatal("cannot lock");
    (void)!::write(m_file, "process 4711 on host, since today\n", 34);
  }
  ~HeldStore() { ::close(m_file); }
  HeldStore(const HeldStore&) = delete;
  HeldStore& operator=(const HeldStore&) = delete;

 private:
  std::string m_path;
  int m_file = -1;
};

}  // namespace

class TstFaultyPlaces : public QObject {
  Q_OBJECT

  NightProgram m_program;
  std::string m_before, m_after;

  /// The store is the one before; where there is room again, the night goes in.
  void nothingIsLost() {
    const std::string left = m_program.dump("trial");
    QVERIFY2(left == m_before || left == m_after, left.substr(0, 500).c_str());
    const Ended again = m_program.run(2);
    QVERIFY2(again.code == 1, again.err.c_str());
    QVERIFY(m_program.dump("trial") == m_after);
  }

 private slots:
  void initTestCase() {
    if (!m_program.isBuilt()) QSKIP("the program is not built");
    m_program.writeDay(1, kKeys, "first");
    m_program.writeDay(2, kKeys + 50, "trial");
    QCOMPARE(m_program.run(1).code, 1);
    m_before = m_program.dump("first");
    m_program.copyStore("first", "trial");
    QCOMPARE(m_program.run(2).code, 1);
    m_after = m_program.dump("trial");
  }

  void aFileThatMayNotGrow() {
    int failures = 0;
    for (rlim_t room = 0; room < 2'000'000; room += room < 400'000 ? 40'000 : 400'000) {
      m_program.copyStore("first", "trial");
      const auto starve = [room] {
        ::signal(SIGXFSZ, SIG_DFL);   // the program has to see to it itself
        const struct rlimit limit{room, room};
        ::setrlimit(RLIMIT_FSIZE, &limit);
      };
      const Ended ended = m_program.start(m_program.runWords(2), {}, starve);
      QVERIFY2(ended.code == 4 || ended.code == 1, (std::to_string(ended.code) + " " + ended.err).c_str());
      if (ended.code == 4) ++failures;
      nothingIsLost();
      if (QTest::currentTestFailed()) return;
    }
    QVERIFY(failures > 3);
  }

  void aFullDisk() {
    // A file system of its own, where the machine lets us make one.
    const std::string small = m_program.path("small");
    ::mkdir(small.c_str(), 0755);
    m_program.writeConfig(2, "small/trial");
    int ran = 0;
    for (const char* size : {"size=150k", "size=250k", "size=400k", "size=600k"}) {
      int mounted = 0;
      const auto mountSmall = [&] {
        if (::unshare(CLONE_NEWNS) != 0 || ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) ::_exit(98);
        if (::mount("tmpfs", small.c_str(), "tmpfs", 0, size) != 0) ::_exit(98);
        QFile::copy(QString::fromStdString(m_program.path("first")), QString::fromStdString(small + "/trial"));
      };
      const Ended ended = m_program.start(m_program.runWords(2), {}, mountSmall);
      if (ended.code == 98) continue;
      ++mounted;
      ran += mounted;
      if (ended.code == 1) continue;   // there was room
      QVERIFY2(ended.code == 4, (std::string(size) + " " + std::to_string(ended.code) + " " + ended.err).c_str());
      QVERIFY2(ended.err.find("full") != std::string::npos || ended.err.find("No space left") != std::string::npos,
               ended.err.c_str());
      QVERIFY(ended.out.empty());
    }
    m_program.writeConfig(2, "trial");
    if (ran == 0) QSKIP("no file system can be mounted here");
  }

  void aFolderThatCannotBeWritten() {
    if (::geteuid() == 0 && ::chmod(m_program.folder().c_str(), 0755) != 0) QSKIP("cannot open the folder");
    const std::string closed = m_program.path("closed");
    ::mkdir(closed.c_str(), 0755);
    m_program.writeConfig(2, "closed/trial");
    QVERIFY(QFile::copy(QString::fromStdString(m_program.path("first")), QString::fromStdString(closed + "/trial")));
    ::chmod((closed + "/trial").c_str(), 0444);
    ::chmod(closed.c_str(), 0555);
    const auto asNobody = [] {
      if (::geteuid() == 0 && ::setuid(65534) != 0) ::_exit(98);
    };
    const Ended run = m_program.start(m_program.runWords(2), {}, asNobody);
    const Ended cases = m_program.start({"cases", "closed/trial", "--format", "ndjson"}, {}, asNobody);
    ::chmod(closed.c_str(), 0755);
    m_program.writeConfig(2, "trial");
    if (run.code == 98 || run.code == 99) QSKIP("nobody else can start the program here");
    QCOMPARE(run.code, 4);
    QVERIFY2(run.err.find("closed/trial.lock") != std::string::npos && run.err.find("writable") != std::string::npos,
             run.err.c_str());
    QCOMPARE(cases.code, 0);   // lists go on
    QVERIFY2(cases.err.find("read-only") != std::string::npos, cases.err.c_str());
    QVERIFY(!cases.out.empty());
    QVERIFY(m_program.dump("closed/trial") == m_before);
  }

  void aSecondRunAtTheSameTime() {
    m_program.copyStore("first", "trial");
    const HeldStore held(m_program.path("trial"));
    const Ended second = m_program.run(2);
    QCOMPARE(second.code, 75);
    QVERIFY2(second.err.find("process 4711 on host") != std::string::npos, second.err.c_str());
    QVERIFY2(second.err.find("--wait") != std::string::npos, second.err.c_str());
    QCOMPARE(m_program.start(m_program.runWords(2, {"--wait", "300ms"})).code, 75);
    QCOMPARE(m_program.start({"cases", "trial", "--format", "csv"}).code, 0);   // lists are not kept waiting
    QVERIFY(m_program.dump("trial") == m_before);
  }

  void aRunThatWaitsForAnother() {
    m_program.copyStore("first", "trial");
    auto held = std::make_unique<HeldStore>(m_program.path("trial"));
    const pid_t letGo = ::fork();
    if (letGo == 0) {   // shares the lock: it is free when both have closed it
      ::usleep(400'000);
      ::_exit(0);
    }
    held.reset();
    const Ended waited = m_program.start(m_program.runWords(2, {"--wait", "30s"}));
    ::waitpid(letGo, nullptr, 0);
    QVERIFY2(waited.code == 1, waited.err.c_str());
    QVERIFY(m_program.dump("trial") == m_after);
  }

  void twoRunsAtOnceWithWaiting() {
    m_program.copyStore("first", "trial");
    const pid_t other = ::fork();
    if (other == 0) {
      const NightProgram* program = &m_program;
      ::_exit(program->start(program->runWords(2, {"--wait", "30s", "--output", "other.json"})).code);
    }
    const Ended own = m_program.start(m_program.runWords(2, {"--wait", "30s", "--output", "own.json"}));
    int status = 0;
    ::waitpid(other, &status, 0);
    QCOMPARE(own.code, 1);
    QCOMPARE(WEXITSTATUS(status), 1);
    QVERIFY(m_program.dump("trial") == m_after);   // one of them wrote the night, the other found it
    QCOMPARE(readAll(QString::fromStdString(m_program.path("own.json"))),
             readAll(QString::fromStdString(m_program.path("other.json"))));
  }

  void aStoreFromTheFuture() {
    m_program.copyStore("first", "trial");
    {
      auto database = Database::open(m_program.path("trial"), OpenMode::ReadWrite);
      QVERIFY(database->execute("PRAGMA user_version=9001").has_value());
    }
    const QByteArray bytes = readAll(QString::fromStdString(m_program.path("trial")));
    for (const auto& words : {m_program.runWords(2), std::vector<std::string>{"cases", "trial"},
                              std::vector<std::string>{"dump", "trial"}}) {
      const Ended ended = m_program.start(words);
      QCOMPARE(ended.code, 4);
      QVERIFY2(ended.err.find("later version") != std::string::npos && ended.err.find("9001") != std::string::npos,
               ended.err.c_str());
      QVERIFY(ended.out.empty());
    }
    QVERIFY(readAll(QString::fromStdString(m_program.path("trial"))) == bytes);
  }

  void aFileThatIsNoStore() {
    const QByteArray text = "id,amount\n1,2\n";
    writeAll(QString::fromStdString(m_program.path("trial")), text);
    const Ended ended = m_program.run(2);
    QCOMPARE(ended.code, 4);
    QVERIFY2(ended.err.find("not a SQLite file") != std::string::npos, ended.err.c_str());
    QCOMPARE(readAll(QString::fromStdString(m_program.path("trial"))), text);
  }
};

QTEST_APPLESS_MAIN(TstFaultyPlaces)
#include "tst_faulty_places.moc"
