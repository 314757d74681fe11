// SPDX-License-Identifier: GPL-3.0-or-later
// Records of files that cannot be read again by position (packed, other encodings, JSON documents, tables),
// kept from the first pass on: in memory up to a bound, beyond it in an unnamed temporary file.
// Thread-safe.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace counterfoil {

class PayloadLog {
 public:
  /// `folder` for the temporary file; "" = $TMPDIR, else /tmp. The file has no name: it is gone with the
  /// process.
  PayloadLog(std::uint64_t memoryBytes, std::string folder);
  ~PayloadLog();
  PayloadLog(const PayloadLog&) = delete;
  PayloadLog& operator=(const PayloadLog&) = delete;

  /// Appends one entry and returns where it is. Error WriteFailed.
  Result<std::uint64_t> append(std::string_view bytes);
  /// The entry at a position that append gave.
  Result<std::string> read(std::uint64_t position) const;
  [[nodiscard]] bool usesFile() const;

 private:
  Result<> openFile();
  Result<> flush();
  Result<> copyOut(std::uint64_t position, char* to, std::size_t count) const;

  const std::uint64_t m_memoryBytes;
  const std::string m_folder;
  mutable std::mutex m_mutex;
  std::vector<std::string> m_blocks;   ///< of kBlockBytes each, the first m_inMemory bytes
  std::uint64_t m_size = 0;            ///< of all entries
  std::uint64_t m_inMemory = 0;
  std::string m_pending;               ///< not yet in the file
  std::uint64_t m_inFile = 0;
  int m_descriptor = -1;
};

}  // namespace counterfoil
