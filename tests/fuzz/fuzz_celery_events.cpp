// SPDX-License-Identifier: GPL-3.0-or-later
// Any text as a stream of Celery's events, in one piece and in small ones, held as a whole and part
// by part.
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string_view>

#include "importers/celery/celery_events.h"
#include "text_pieces.h"

using namespace counterfoil;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  (void)looksLikeCeleryEvents(text);
  const auto read = [&](std::size_t step, std::size_t heldBytes) {
    const auto open = [&]() -> Result<std::unique_ptr<ByteSource>> {
      return Result<std::unique_ptr<ByteSource>>(std::make_unique<Pieces>(text, step));
    };
    const auto source = transcodeCeleryEventsWithin(open, false, heldBytes);
    if (!source) std::abort();
    return readTranscoded(**source);
  };
  if (read(size + 1, 1u << 26) != read(5, 1u << 26)) std::abort();
  (void)read(size + 1, 2000);
  return 0;
}
