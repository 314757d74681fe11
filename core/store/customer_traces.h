// SPDX-License-Identifier: GPL-3.0-or-later
// What in a store is one customer's: records that name him, and those that have a key or reference that only he has.
// And what becomes of it.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/hash.h"
#include "core/base/result.h"
#include "core/record/record.h"

namespace counterfoil {

inline constexpr std::string_view kErasedCustomer = "erased";

/// Keys and references by which records without a customer are his.
class CustomerTraces {
 public:
  explicit CustomerTraces(std::string customer) : m_customer(std::move(customer)) {}

  [[nodiscard]] const std::string& customer() const { return m_customer; }
  [[nodiscard]] bool isHis(const RecordHead& head) const;
  /// First look at every record: what he has. Limit: more than can be held.
  Result<> note(const RecordHead& head);
  /// Second look: what others have too is no trace of him.
  void share(const RecordHead& head);
  /// Keys and references that others have too.
  [[nodiscard]] std::uint64_t shared() const { return m_shared; }

  /// "erased:" and 16 hex digits: equal texts stay equal, and cannot be read back.
  [[nodiscard]] static std::string hashed(const KeyedHash& hash, const std::string& text);
  /// A key, a reference, an id that may be one of the two: hashed where it is only his.
  [[nodiscard]] std::string keyWithout(const KeyedHash& hash, const std::string& key) const;
  [[nodiscard]] std::string referenceWithout(const KeyedHash& hash, const std::string& reference) const;
  [[nodiscard]] std::string idWithout(const KeyedHash& hash, const std::string& id) const;
  void eraseHead(const KeyedHash& hash, RecordHead& head) const;

  /// Every text of his that is long enough to be found inside of sentences, the longest first.
  [[nodiscard]] std::vector<std::string> texts() const;

 private:
  std::string m_customer;
  std::set<std::string> m_keys, m_spelled, m_references;
  std::uint64_t m_shared = 0;
};

}  // namespace counterfoil
