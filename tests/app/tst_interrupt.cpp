// SPDX-License-Identifier: GPL-3.0-or-later
// SIGINT and SIGTERM: in-process through the cancel token, and on the real program.
#include <fcntl.h>
#include <spawn.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QDir>
#include <QTemporaryDir>
#include <QtTest>
#include <array>
#include <csignal>

#include "tests/app/test_console.h"
#include "tests/golden/golden.h"

using namespace counterfoil;
using namespace counterfoil::testing;

namespace {

/// The program with its standard output in a pipe that nobody reads.
class StuckProgram {
 public:
  StuckProgram(const QByteArray& program, const QList<QByteArray>& arguments) {
    std::array<int, 2> pipe{};
    if (::pipe(pipe.data()) != 0) return;
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_adddup2(&actions, pipe[1], STDOUT_FILENO);
    ::posix_spawn_file_actions_addclose(&actions, pipe[0]);
    ::posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    std::vector<char*> words = {const_cast<char*>(program.constData())};
    for (const QByteArray& argument : arguments)
      words.push_back(const_cast<char*>(argument.constData()));
    words.push_back(nullptr);
    if (::posix_spawn(&m_process, program.constData(), &actions, nullptr, words.data(), environ) !=
        0)
      m_process = 0;
    ::posix_spawn_file_actions_destroy(&actions);
    ::close(pipe[1]);
    m_output = pipe[0];
  }
  ~StuckProgram() {
    if (m_process > 0) {
      ::kill(m_process, SIGKILL);
      ::waitpid(m_process, nullptr, 0);
    }
    ::close(m_output);
  }

  [[nodiscard]] bool waitUntilPipeIsFull() const {
    return QTest::qWaitFor(
        [this] {
          int bytes = 0;
          return ::ioctl(m_output, FIONREAD, &bytes) == 0 && bytes >= 60000;
        },
        20000);
  }
  void send(int signal) const { ::kill(m_process, signal); }
  [[nodiscard]] bool isRunning() const { return ::waitpid(m_process, nullptr, WNOHANG) == 0; }
  int waitForExit() {
    int status = 0;
    ::waitpid(m_process, &status, 0);
    m_process = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }

 private:
  pid_t m_process = 0;
  int m_output = -1;
};

QByteArray manyJobs(int count) {
  QByteArray text = "job_id,idempotency_key,status,started_at,finished_at,amount,currency\n";
  for (int i = 0; i < count; ++i) {
    const QByteArray number = QByteArray::number(i);
    text += "j-" + number + ",charge:" + number +
            ",done,2026-04-07T10:00:00Z,2026-04-07T10:00:01Z,15.00,USD\n";
  }
  return text;
}

}  // namespace

class TstInterrupt : public QObject {
  Q_OBJECT
 private slots:
  void aCancelledRunEndsWithItsSignal_data() {
    QTest::addColumn<int>("signal");
    QTest::addColumn<int>("code");
    QTest::newRow("SIGINT") << SIGINT << 130;
    QTest::newRow("SIGTERM") << SIGTERM << 143;
  }
  void aCancelledRunEndsWithItsSignal() {
    QFETCH(int, signal);
    QFETCH(int, code);
    QVERIFY(QDir::setCurrent(QStringLiteral(TEST_SOURCE_DIR "/tests/app/fixtures")));
    const QTemporaryDir folder;
    TestConsole console;
    console.interrupt.signalNumber = signal;
    console.interrupt.token.cancel();
    const std::string output = folder.filePath("breaks.csv").toStdString();
    QCOMPARE(console.run("match --config shop.json --format csv --output " + output), code);
    QVERIFY(console.out().empty());
    QVERIFY(QDir(folder.path()).isEmpty());
  }

  void theSecondSignalStopsAtOnce() {
    const QByteArray program = qgetenv("COUNTERFOIL_PROGRAM");
    if (program.isEmpty() || !QFile::exists(QString::fromLocal8Bit(program)))
      QSKIP("the program is not built");
    const QTemporaryDir folder;
    writeAll(folder.filePath("jobs.csv"), manyJobs(2000));
    writeAll(folder.filePath("statement.csv"),
             "txn_id,created_utc,type,status,amount,currency,idempotency_key\n"
             "ch_1,2026-04-07T10:00:01Z,charge,succeeded,15.00,USD,charge:1\n");
    StuckProgram running(
        program, {"match", "--local", folder.filePath("jobs.csv").toLocal8Bit(), "--provider",
                  folder.filePath("statement.csv").toLocal8Bit(), "--all", "--format", "ndjson"});
    QVERIFY(running.waitUntilPipeIsFull());
    running.send(SIGTERM);
    QTest::qWait(100);
    QVERIFY(running.isRunning());
    running.send(SIGINT);
    QCOMPARE(running.waitForExit(), 130);
  }
};

QTEST_APPLESS_MAIN(TstInterrupt)
#include "tst_interrupt.moc"
