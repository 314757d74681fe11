// SPDX-License-Identifier: GPL-3.0-or-later
// Rows that lie group by group, read back that way. Internal to core/run.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/ledger/partitioned_bytes.h"
#include "core/ledger/row.h"

namespace counterfoil {

/// Calls fn(span of rows) -> Result<> for each group of a partition until one fails. The rows of a group
/// must have been written one after the other by one worker.
template <class Fn>
Result<> readGroups(PartitionedBytes& store, unsigned partition, std::string& scratch, const RowCodec& codec, const Fn& fn) {
  std::vector<LedgerRow> rows;
  Result<> outcome;
  const auto flush = [&] {
    if (!rows.empty() && outcome) outcome = fn(std::span<const LedgerRow>(rows));
    rows.clear();
  };
  auto read = store.read(partition, scratch, [&](std::string_view bytes) {
    const char* at = bytes.data();
    const char* const end = at + bytes.size();
    LedgerRow row;
    while (at < end && outcome) {
      at = codec.unpack(at, end, row);
      if (!rows.empty() && rows.back().group != row.group) flush();
      rows.push_back(row);
    }
  });
  flush();
  return read ? outcome : read;
}

}  // namespace counterfoil
