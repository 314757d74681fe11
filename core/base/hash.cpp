// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/hash.h"

#include <openssl/evp.h>
#include <sys/random.h>

#include <cerrno>

#include "core/base/require.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace counterfoil {

namespace {

/// Spreads one number over 64 bits (the finisher of SplitMix64), so that a small secret fills four
/// words.
std::uint64_t spread(std::uint64_t value) {
  value += 0x9E3779B97F4A7C15u;
  value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9u;
  value = (value ^ (value >> 27)) * 0x94D049BB133111EBu;
  return value ^ (value >> 31);
}

void fillWithRandom(void* target, std::size_t size) {
  auto* bytes = static_cast<unsigned char*>(target);
  while (size > 0) {
    const ssize_t got = getrandom(bytes, size, 0);
    if (got < 0 && errno == EINTR) continue;
    require(got > 0, "the system gives no random bytes");
    bytes += got;
    size -= static_cast<std::size_t>(got);
  }
}

}  // namespace

KeyedHash::KeyedHash() : m_secret{} {
  fillWithRandom(m_secret.data(), sizeof m_secret);
}

KeyedHash::KeyedHash(std::uint64_t secret) : m_secret{} {
  for (std::uint64_t& word : m_secret) word = secret = spread(secret);
}

Hash128 KeyedHash::operator()(std::string_view text, std::uint32_t space) const {
  const std::uint64_t seed = spread(m_secret[0] ^ space) ^ m_secret[1];
  const XXH128_hash_t raw = XXH3_128bits_withSeed(text.data(), text.size(), seed);
  Hash128 hash{raw.high64 ^ m_secret[2], raw.low64 ^ m_secret[3]};
  if (hash.high == 0) hash.high = 1;  // 0 means "none" in tables
  if (hash.low == 0) hash.low = 1;
  return hash;
}

namespace {

/// Fetched once: EVP_sha256() makes OpenSSL 3 look the algorithm up, under a lock, for every text.
const EVP_MD* sha256Method() {
  static const EVP_MD* const method = EVP_MD_fetch(nullptr, "SHA256", nullptr);
  require(method != nullptr, "SHA-256 is not available");
  return method;
}

}  // namespace

struct Sha256::Impl {
  EVP_MD_CTX* context = EVP_MD_CTX_new();
  Impl() {
    require(context != nullptr && EVP_DigestInit_ex(context, sha256Method(), nullptr) == 1,
            "SHA-256 is not available");
  }
  ~Impl() { EVP_MD_CTX_free(context); }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
};

Sha256::Sha256() : m_impl(std::make_unique<Impl>()) {}
Sha256::~Sha256() = default;
Sha256::Sha256(Sha256&&) noexcept = default;
Sha256& Sha256::operator=(Sha256&&) noexcept = default;

void Sha256::add(std::string_view bytes) {
  require(EVP_DigestUpdate(m_impl->context, bytes.data(), bytes.size()) == 1, "SHA-256 failed");
}

std::string Sha256::finishHex() {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  require(EVP_DigestFinal_ex(m_impl->context, digest.data(), &size) == 1, "SHA-256 failed");
  std::string hex;
  hex.reserve(2 * static_cast<std::size_t>(size));
  for (unsigned i = 0; i < size; ++i) {
    hex.push_back(kDigits[digest[i] >> 4]);
    hex.push_back(kDigits[digest[i] & 15]);
  }
  return hex;
}

std::string sha256Hex(std::string_view bytes) {
  Sha256 sha;
  sha.add(bytes);
  return sha.finishHex();
}

}  // namespace counterfoil
