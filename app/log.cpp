// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/log.h"

#include <string>

#include "core/base/text.h"

namespace counterfoil {

void Log::write(LogLevel level, std::string_view text) {
  if (level > m_options.upTo) return;
  std::string lines;
  while (true) {
    const std::size_t end = text.find('\n');
    if (m_options.forJournal) {
      lines += '<';
      lines += static_cast<char>('0' + static_cast<int>(level));
      lines += '>';
    }
    lines += forTerminal(text.substr(0, end));
    lines += '\n';
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  const std::lock_guard lock(m_mutex);
  // A message that cannot be written has nowhere else to go; results have their own, checked, sink.
  static_cast<void>(m_sink.write(lines));
}

}  // namespace counterfoil
