// SPDX-License-Identifier: GPL-3.0-or-later
// The built program on small nights in a folder of its own: started, killed, starved, and looked at.
#pragma once

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QFile>
#include <QTemporaryDir>
#include <csignal>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/store/store.h"
#include "tests/golden/golden.h"

namespace counterfoil::testing {

/// How one start of the program ended: exit code, or minus the signal that ended it.
struct Ended {
  int code = 0;
  std::string out, err;
};

class NightProgram {
 public:
  NightProgram() : m_program(qgetenv("COUNTERFOIL_PROGRAM").toStdString()) {}
  [[nodiscard]] bool isBuilt() const { return !m_program.empty() && ::access(m_program.c_str(), X_OK) == 0; }
  [[nodiscard]] std::string path(const std::string& name) const { return m_folder.path().toStdString() + "/" + name; }
  [[nodiscard]] std::string folder() const { return m_folder.path().toStdString(); }

  /// Files and configuration of one day: `keys` jobs and their effects; each seventh has no effect, each
  /// eleventh two, each thirteenth has jobs without an end. `note` makes records long.
  void writeDay(int day, int keys, const std::string& store, const std::string& note = {}) const {
    const std::string number = std::to_string(day);
    const std::string date = "2026-04-0" + number;
    QByteArray jobs = "job_id,idempotency_key,op_ref,queue,status,started_at,finished_at,amount,currency,error\n";
    QByteArray effects = "id,type,status,amount,currency,created,idempotency_key\n";
    for (int i = 0; i < keys; ++i) {
      const std::string id = number + "-" + std::to_string(i);
      const std::string clock = "T10:" + twoDigits(i / 60 % 60) + ":" + twoDigits(i % 60);
      const std::string money = std::to_string(5 + i % 90) + ".00,USD";
      const bool unfinished = i % 13 == 0;
      jobs += QByteArray::fromStdString("job-" + id + ",charge:" + id + ",order-" + id + ",payments," +
                                        (unfinished ? "running," : "done,") + date + clock + "Z," +
                                        (unfinished ? "" : date + clock + "Z") + "," + money + "," + note + "\n");
      for (int copy = i % 7 == 0 ? 1 : i % 11 == 0 ? -1 : 0; copy < 1; ++copy) {
        effects += QByteArray::fromStdString("ch_" + id + (copy < 0 ? "b" : "") + ",charge,succeeded," + money + "," + date +
                                             clock + "Z,charge:" + id + "\n");
      }
    }
    writeAll(QString::fromStdString(path("jobs-" + number + ".csv")), jobs);
    writeAll(QString::fromStdString(path("statement-" + number + ".csv")), effects);
    writeConfig(day, store);
  }

  /// night-DAY.json over the files of that day; `moreSources` is JSON behind the two sources.
  void writeConfig(int day, const std::string& store, const std::string& moreSources = {}) const {
    const std::string number = std::to_string(day);
    const std::string text = R"({"name": "shop", "store": ")" + store + R"(", "as_of": "2026-04-0)" +
                             std::to_string(day + 1) + R"(T06:00:00Z",
 "operations": [{"name": "charge", "max_runtime": "5m"}],
 "sources": [
  {"name": "jobs", "path": "jobs-)" + number + R"(.csv", "format": "generic.attempts"},
  {"name": "statement", "path": "statement-)" + number + R"(.csv", "format": "generic.effects", "provider": "bank"})" +
                             moreSources + "]}\n";
    writeAll(QString::fromStdString(path("night-" + number + ".json")), QByteArray::fromStdString(text));
  }

  /// Starts the program in the folder and waits for its end. `prepare` runs in the child before it;
  /// `killAfter` is in microseconds.
  Ended start(const std::vector<std::string>& words, const std::string& failpoint = {},
              const std::function<void()>& prepare = {}, std::optional<int> killAfter = {}) const {
    const std::string out = path("stdout"), err = path("stderr");
    ::unlink(out.c_str());
    ::unlink(err.c_str());
    const pid_t child = ::fork();
    if (child < 0) qFatal("cannot fork");   // a kill of -1 would be one of everything
    if (child == 0) become(words, failpoint, prepare, out, err);
    if (killAfter) {
      ::usleep(static_cast<useconds_t>(*killAfter));
      ::kill(child, SIGKILL);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    const int code = WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
    return {code, readAll(QString::fromStdString(out)).toStdString(), readAll(QString::fromStdString(err)).toStdString()};
  }

  /// `counterfoil run night-DAY.json`.
  Ended run(int day, const std::string& failpoint = {}, std::optional<int> killAfter = {}) const {
    return start(runWords(day), failpoint, {}, killAfter);
  }
  [[nodiscard]] static std::vector<std::string> runWords(int day, const std::vector<std::string>& more = {}) {
    std::vector<std::string> words = {"run", "night-" + std::to_string(day) + ".json", "--format", "json",
                                      "--threads", "2", "--memory", "16M"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }

  /// What `counterfoil dump` prints; the error where it prints none. In this process: many are wanted.
  [[nodiscard]] std::string dump(const std::string& store) const {
    const auto opened = Store::openForReading(path(store));
    if (!opened) return "cannot open: " + opened.error().message;
    std::string text;
    const auto done = opened->dump([&](std::string_view line) -> Result<> {
      text += line;
      return {};
    });
    return done ? text : "cannot dump: " + done.error().message;
  }

  void copyStore(const std::string& from, const std::string& to) const {
    removeStore(to);
    if (!QFile::copy(QString::fromStdString(path(from)), QString::fromStdString(path(to)))) qFatal("cannot copy a store");
  }
  void removeStore(const std::string& store) const {
    for (const char* end : {"", "-wal", "-shm", ".lock"}) ::unlink((path(store) + end).c_str());
  }

 private:
  static std::string twoDigits(int value) { return (value < 10 ? "0" : "") + std::to_string(value); }

  [[noreturn]] void become(const std::vector<std::string>& words, const std::string& failpoint,
                           const std::function<void()>& prepare, const std::string& out, const std::string& err) const {
    const int outFile = ::open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    const int errFile = ::open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    ::dup2(outFile, STDOUT_FILENO);
    ::dup2(errFile, STDERR_FILENO);
    if (::chdir(folder().c_str()) != 0) ::_exit(99);
    if (failpoint.empty()) {
      ::unsetenv("COUNTERFOIL_FAILPOINT");
    } else {
      ::setenv("COUNTERFOIL_FAILPOINT", failpoint.c_str(), 1);
    }
    std::vector<char*> arguments = {const_cast<char*>(m_program.c_str())};
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    if (prepare) prepare();
    ::execv(m_program.c_str(), arguments.data());
    ::_exit(99);
  }

  std::string m_program;
  QTemporaryDir m_folder;
};

}  // namespace counterfoil::testing
