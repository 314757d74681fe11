// SPDX-License-Identifier: GPL-3.0-or-later
// How long `counterfoil show` takes inside: bench_look_up STORE < ids. Opens the store for every id, as the
// program does, and prints the median, the 95th of a hundred and the longest, of the clock and of the
// processor. With --cold the file's pages leave the cache of the system before each.
#include <fcntl.h>
#include <fmt/format.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "app/life_of_key.h"

namespace {

double milliseconds(clockid_t clock) {
  timespec now{};
  ::clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

void dropFromCache(const char* path) {
  const int file = ::open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0 || ::fdatasync(file) != 0 || ::posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED) != 0) {
    std::cerr << path << ": cannot be dropped from the cache\n";
  }
  ::close(file);
}

void print(std::string_view name, std::vector<double> times) {
  std::sort(times.begin(), times.end());
  const auto at = [&](double part) { return times[static_cast<std::size_t>(part * static_cast<double>(times.size() - 1))]; };
  std::cout << fmt::format("{}: median {:.2f} ms, p95 {:.2f} ms, longest {:.2f} ms\n", name, at(0.5), at(0.95), at(1));
}

}  // namespace

int main(int count, char** words) {
  using namespace counterfoil;
  if (count < 2) return 2;
  const bool cold = count > 2 && std::string_view(words[2]) == "--cold";
  std::vector<double> clock, processor;
  std::size_t events = 0;
  for (std::string id; std::getline(std::cin, id);) {
    if (cold) dropFromCache(words[1]);
    const double wall = milliseconds(CLOCK_MONOTONIC), cpu = milliseconds(CLOCK_THREAD_CPUTIME_ID);
    const auto store = Store::openForReading(words[1]);
    const auto life = store ? lifeOf(*store, id) : Result<Life>(fail(store.error()));
    clock.push_back(milliseconds(CLOCK_MONOTONIC) - wall);
    processor.push_back(milliseconds(CLOCK_THREAD_CPUTIME_ID) - cpu);
    if (!life) {
      std::cerr << id << ": " << life.error().message << "\n";
      return 1;
    }
    events += life->events.size();
  }
  if (clock.empty()) return 2;
  std::cout << fmt::format("{} look-ups, {} events\n", clock.size(), events);
  print("clock", clock);
  print("processor", processor);
  return 0;
}
