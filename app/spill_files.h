// SPDX-License-Identifier: GPL-3.0-or-later
// Temporary files for what does not fit the memory bound of a run. They have no name (or lose it at once),
// so nothing is left behind however the program ends; only the owner can read them.
#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "core/ledger/spill_space.h"

namespace counterfoil {

class SpillFiles : public SpillSpace {
 public:
  /// `folder`: where the files are made, beside the store. Blank: TMPDIR, else /tmp. Nothing is opened
  /// before the first open().
  explicit SpillFiles(std::string folder = {});
  ~SpillFiles() override;

  /// WriteFailed when no file can be made or the disk is full; the message names the folder.
  Result<std::uint32_t> open() override;
  Result<> append(std::uint32_t stream, std::string_view bytes) override;
  Result<> read(std::uint32_t stream, std::uint64_t offset, std::size_t count, std::string& out) override;
  void close(std::uint32_t stream) override;

  [[nodiscard]] const std::string& folder() const { return m_folder; }

 private:
  [[nodiscard]] int descriptorOf(std::uint32_t stream);

  std::string m_folder;
  std::mutex m_mutex;
  std::vector<int> m_descriptors;   ///< by stream; -1: closed
};

}  // namespace counterfoil
