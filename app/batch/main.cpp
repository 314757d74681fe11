// SPDX-License-Identifier: GPL-3.0-or-later
#include <malloc.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "app/batch/program.h"
#include "app/batch/signals.h"
#include "app/machine.h"
#include "app/output_file.h"

namespace counterfoil {

namespace {

std::size_t widthOfTerminal() {
  constexpr std::size_t notATerminal = 100;
  if (::isatty(STDOUT_FILENO) == 0) return notATerminal;
  struct winsize size {};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return notATerminal;
  return std::clamp<std::size_t>(size.ws_col, 60, 200);
}

std::optional<std::string> environmentVariable(std::string_view name) {
  const char* value = std::getenv(std::string(name).c_str());
  if (value == nullptr) return std::nullopt;
  return std::string(value);
}

/// A run fills and empties buffers of some megabytes all the time. Given back to the system each time, their
/// pages would have to be made anew: a fifth of the run.
void keepFreedMemory() {
  ::mallopt(M_MMAP_THRESHOLD, 64 << 20);
  ::mallopt(M_TRIM_THRESHOLD, 256 << 20);
}

int runProcess(int count, char** words) {
  keepFreedMemory();
  static Interrupt interrupt;  // signals may come until the process is gone
  installSignalHandlers(interrupt);
  DescriptorSink out(STDOUT_FILENO, "standard output");
  DescriptorSink err(STDERR_FILENO, "standard error");
  Console console{out,
                  err,
                  interrupt,
                  ::isatty(STDOUT_FILENO) != 0,
                  ::isatty(STDERR_FILENO) != 0,
                  widthOfTerminal(),
                  environmentVariable,
                  wallClockNow};
  return runProgram({words + std::min(count, 1), words + count}, console);
}

}  // namespace

}  // namespace counterfoil

int main(int count, char** words) {
  return counterfoil::runProcess(count, words);
}
