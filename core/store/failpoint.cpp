// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/failpoint.h"

#ifdef COUNTERFOIL_FAILPOINTS
#include <atomic>
#include <charconv>
#include <csignal>
#include <cstdlib>

namespace counterfoil {

void failpoint(std::string_view name) {
  static std::atomic<int> passes{0};
  const char* wanted = std::getenv("COUNTERFOIL_FAILPOINT");
  if (wanted == nullptr) return;
  const std::string_view text(wanted);
  const std::size_t colon = text.find(':');
  if (text.substr(0, colon) != name) return;
  int at = 1;
  if (colon != std::string_view::npos) std::from_chars(text.data() + colon + 1, text.data() + text.size(), at);
  if (passes.fetch_add(1) + 1 == at) (void)std::raise(SIGKILL);
}

}  // namespace counterfoil
#endif
