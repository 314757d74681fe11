// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/machine.h"

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>
#include <string>

#include "core/base/text.h"

namespace counterfoil {

namespace {

constexpr std::uint64_t kMiB = 1ull << 20;
constexpr std::uint64_t kLeastMemory = 16 * kMiB;

}  // namespace

std::uint64_t defaultMemoryBytes(std::string_view meminfo) {
  constexpr std::string_view label = "MemAvailable:";
  const std::size_t at = meminfo.find(label);
  if (at == std::string_view::npos) return 256 * kMiB;
  const std::string_view rest = trim(meminfo.substr(at + label.size()).substr(0, 40));
  std::uint64_t kibibytes = 0;
  const auto parsed = std::from_chars(rest.data(), rest.data() + rest.size(), kibibytes);
  if (parsed.ec != std::errc() || kibibytes > (1ull << 40)) return 256 * kMiB;
  return std::clamp(kibibytes * 1024 / 2, 2 * kLeastMemory, 1024 * kMiB);
}

std::uint64_t defaultMemoryBytes() {
  std::ifstream file("/proc/meminfo");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  return defaultMemoryBytes(text);
}

std::uint64_t engineMemoryBytes(std::uint64_t memoryBytes) {
  constexpr std::uint64_t kBeside = 80 * kMiB;
  if (memoryBytes >= 8 * kBeside) return memoryBytes;
  return memoryBytes - std::min(kBeside, memoryBytes / 16 * 5);
}

unsigned defaultThreadCount() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (::sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  return static_cast<unsigned>(std::max(1, CPU_COUNT(&set)));
}

Result<std::uint64_t> parseMemory(std::string_view text) {
  const auto wrong = [text] {
    return fail(ErrorCode::Usage,
                fmt::format("'{}' is no amount of memory; write 256M or 1G (at least 16M)", text));
  };
  std::uint64_t value = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
  if (parsed.ec != std::errc()) return wrong();
  std::string unit = toLowerAscii(text.substr(static_cast<std::size_t>(parsed.ptr - text.data())));
  if (unit.ends_with("ib")) {
    unit.resize(unit.size() - 2);
  } else if (unit.ends_with('b')) {
    unit.resize(unit.size() - 1);
  }
  constexpr std::string_view units = "kmgt";
  unsigned shift = 0;
  if (!unit.empty()) {
    const std::size_t at = unit.size() == 1 ? units.find(unit.front()) : std::string_view::npos;
    if (at == std::string_view::npos) return wrong();
    shift = 10 * (static_cast<unsigned>(at) + 1);
  }
  if (value > (std::uint64_t{1} << 50) >> shift) return wrong();
  value <<= shift;
  if (value < kLeastMemory) return wrong();
  return value;
}

Instant wallClockNow() {
  return std::chrono::time_point_cast<Duration>(std::chrono::system_clock::now());
}

}  // namespace counterfoil
