// SPDX-License-Identifier: GPL-3.0-or-later
// Takes a customer's personal data out of a store. Amounts, times, classes and the provider's ids stay, so that
// sums and the proof hold; keys and references become hashes that are equal where they were equal.
#pragma once

#include <cstdint>
#include <string>

#include "core/store/store_file.h"

namespace counterfoil {

struct EraseCounts {
  std::uint64_t records = 0;       ///< in record blocks, as stored
  std::uint64_t units = 0, skips = 0, deadLetters = 0;
  std::uint64_t rowsOfFiles = 0;   ///< quarantined rows whose text held the customer
  std::uint64_t texts = 0;         ///< findings and lists that named a key
  std::uint64_t notes = 0;         ///< notes of decisions and holds that name the customer: they stay, they are signed
  std::uint64_t keysShared = 0;    ///< keys and references that other customers have too: left as they are
  [[nodiscard]] bool isEmpty() const { return records + units + skips + deadLetters + rowsOfFiles + texts == 0; }
};

/// Only counts. For a customer as written in the records.
[[nodiscard]] Result<EraseCounts> countErase(StoreFile& file, const std::string& customer);
/// One transaction: killed before its end, nothing is changed. Afterwards the file is written anew, so that the
/// bytes are gone from its free pages too. WriteFailed: no room for that, or another program keeps the log open;
/// then the data is out of all tables, but bytes may be left in the file until it is done again.
Result<EraseCounts> erase(StoreFile& file, const std::string& customer, Instant at, const std::string& who);

}  // namespace counterfoil
