// SPDX-License-Identifier: GPL-3.0-or-later
// Two kinds of hashes. Digest: SHA-256, for people and for identity that outlives a run. KeyedHash:
// a 128-bit hash keyed with a secret of the run, for tables (files are hostile: no output may
// follow its order). Thread-safe after construction.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace counterfoil {

struct Hash128 {
  std::uint64_t high = 0;
  std::uint64_t low = 0;
  auto operator<=>(const Hash128&) const = default;
};

class KeyedHash {
 public:
  KeyedHash();                               ///< a fresh random secret
  explicit KeyedHash(std::uint64_t secret);  ///< tests
  /// `space` keeps name spaces apart (a key, a job id, an order with the same text). Neither half
  /// of the result is ever 0, so that tables can use 0 for "none".
  [[nodiscard]] Hash128 operator()(std::string_view text, std::uint32_t space = 0) const;

 private:
  std::array<std::uint64_t, 4> m_secret;
};

/// Streaming SHA-256.
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(Sha256&&) noexcept;
  Sha256& operator=(Sha256&&) noexcept;
  void add(std::string_view bytes);
  [[nodiscard]] std::string finishHex();  ///< 64 lower-case hex digits; call once
  struct Impl;

 private:
  std::unique_ptr<Impl> m_impl;
};

[[nodiscard]] std::string sha256Hex(std::string_view bytes);

}  // namespace counterfoil
