// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/batch/signals.h"

#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstring>

#include "app/output_file.h"

namespace counterfoil {

namespace {

// A handler can be handed nothing: this is the one thing it knows.
std::atomic<Interrupt*> installedInterrupt{nullptr};

void say(const char* text) {
  static_cast<void>(!::write(STDERR_FILENO, text, std::strlen(text)));
}

void onSignal(int number) {
  Interrupt* interrupt = installedInterrupt.load();
  if (interrupt == nullptr) return;
  int none = 0;
  if (interrupt->signalNumber.compare_exchange_strong(none, number)) {
    interrupt->token.cancel();
    say("\ncounterfoil: stopping; once more ends it at once\n");
    return;
  }
  if (const char* path = temporaryBeingWritten()) ::unlink(path);
  ::_exit(128 + number);
}

}  // namespace

void installSignalHandlers(Interrupt& interrupt) {
  installedInterrupt.store(&interrupt);
  struct sigaction action {};
  action.sa_handler = onSignal;
  ::sigemptyset(&action.sa_mask);
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
  struct sigaction ignore {};
  ignore.sa_handler = SIG_IGN;
  ::sigaction(SIGPIPE, &ignore, nullptr);
  ::sigaction(SIGXFSZ, &ignore, nullptr);   // a file that may not grow is an error like a full disk
}

}  // namespace counterfoil
