// SPDX-License-Identifier: GPL-3.0-or-later
// The ledger of a night: slim records of all sources, packed, scattered into partitions by group, and the
// links between groups. add() is called by several workers at once; everything else after the scan.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/ledger/links.h"
#include "core/ledger/partitioned_bytes.h"
#include "core/ledger/row.h"
#include "core/ledger/shapes.h"
#include "core/policy/policy.h"

namespace counterfoil {

/// A record whose full text tells which groups it belongs to.
struct SpecialRow {
  RecordRef ref;
  std::uint64_t group = 0;  ///< fingerprintOf()
};

/// Rows of one shape, and the sum of their amounts, as they were read.
struct ShapeSum {
  std::uint64_t rows = 0;
  __int128 minor = 0;
};

struct LedgerOptions {
  unsigned workers = 1;
  std::uint64_t memoryBytes = 1ull << 30;
  std::int64_t baseMicros = 0;                  ///< times of the night lie close to it
  std::optional<std::size_t> cutKeyBytes;       ///< local keys longer than this may be cut at a provider
};

class Ledger {
 public:
  static constexpr unsigned kPartitionBits = 9;
  static constexpr unsigned kPartitions = 1u << kPartitionBits;

  Ledger(const LedgerOptions& options, SpillSpace& spill);

  Result<> add(const SlimBatch& batch, unsigned worker);

  /// By number of the shape: what was read, whatever becomes of it later.
  [[nodiscard]] std::vector<ShapeSum> sums() const;
  /// Rows that need a look at their text before groups are known: keys that a provider may have cut,
  /// effects that name both a parent and a row they replace.
  [[nodiscard]] std::vector<SpecialRow> specialRows() const;
  /// Files in which a spreadsheet damaged keys.
  [[nodiscard]] std::vector<std::uint32_t> filesWithDamagedKeys() const;

  [[nodiscard]] LinkStore& links() { return *m_links; }
  void dropLinks() { m_links.reset(); }
  [[nodiscard]] const ShapeTable& shapes() const { return m_shapes; }
  [[nodiscard]] const RowCodec& codec() const { return m_codec; }
  [[nodiscard]] PartitionedBytes& rows() { return *m_rows; }
  /// Pools that later stages put their own rows in: memory of consumed partitions is used again.
  [[nodiscard]] std::vector<BlockPool>& pools() { return m_pools; }
  [[nodiscard]] std::uint64_t rowMemoryBytes() const { return m_options.memoryBytes / 8 * 5; }

  [[nodiscard]] static unsigned partitionOf(const GroupHash& group) {
    return static_cast<unsigned>(group.high >> (64 - kPartitionBits));
  }
  [[nodiscard]] static GroupHash groupOfKey(const Hash128& key) {
    return {key.high, static_cast<std::uint32_t>(key.low >> 32)};
  }

 private:
  struct alignas(64) Worker {
    explicit Worker(ShapeTable& table) : shapes(table) {}
    ShapeCache shapes;
    std::vector<SpecialRow> special;
    std::vector<std::uint32_t> damagedFiles;
    std::vector<ShapeSum> sums;
    void count(const LedgerRow& row);
  };

  bool addLinks(const SlimRecord& record, const GroupHash& group, unsigned worker);
  void noteSpecial(const SlimRecord& record, const GroupHash& group, Worker& mine) const;

  LedgerOptions m_options;
  RowCodec m_codec;
  ShapeTable m_shapes;
  std::vector<BlockPool> m_pools;
  std::vector<BlockPool> m_linkPools;
  std::unique_ptr<PartitionedBytes> m_rows;
  std::unique_ptr<LinkStore> m_links;
  std::vector<Worker> m_workers;
};

}  // namespace counterfoil
