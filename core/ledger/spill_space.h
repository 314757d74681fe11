// SPDX-License-Identifier: GPL-3.0-or-later
// Where bytes beyond the memory bound go. Handed in: core itself opens no files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace counterfoil {

/// Somewhere to put bytes that do not fit the memory bound. Files are unnamed (gone with the process).
/// append is thread-safe for different streams, read for any; read gives exactly `count` bytes or an Error.
class SpillSpace {
 public:
  virtual ~SpillSpace() = default;
  virtual Result<std::uint32_t> open() = 0;                                    ///< a new stream
  virtual Result<> append(std::uint32_t stream, std::string_view bytes) = 0;
  virtual Result<> read(std::uint32_t stream, std::uint64_t offset, std::size_t count, std::string& out) = 0;
  virtual void close(std::uint32_t stream) = 0;
};

}  // namespace counterfoil
