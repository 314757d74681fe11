// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/customer_traces.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/text.h"

namespace counterfoil {

namespace {

constexpr std::size_t kTextsMost = 2'000'000;   ///< keys and references of one customer
constexpr std::size_t kTextBytesLeast = 4;      ///< shorter ones are not looked for inside of sentences
constexpr std::uint32_t kHashSpace = 0x45524153;

bool has(const std::set<std::string>& set, const std::string& text) {
  return !text.empty() && set.contains(text);
}

}  // namespace

bool CustomerTraces::isHis(const RecordHead& head) const {
  if (head.customer == m_customer) return true;
  return head.customer.empty() && (has(m_keys, head.key) || has(m_references, head.opRef));
}

Result<> CustomerTraces::note(const RecordHead& head) {
  if (head.customer != m_customer) return {};
  if (!head.key.empty()) m_keys.insert(head.key);
  if (!head.keyText.empty()) m_spelled.insert(head.keyText);
  if (!head.opRef.empty()) m_references.insert(head.opRef);
  if (m_keys.size() + m_references.size() <= kTextsMost) return {};
  return fail(ErrorCode::Limit, "more keys and references of one customer than can be held");
}

void CustomerTraces::share(const RecordHead& head) {
  if (head.customer.empty() || head.customer == m_customer) {
    if (isHis(head) && !head.keyText.empty()) m_spelled.insert(head.keyText);
    return;
  }
  m_shared += m_keys.erase(head.key) + m_references.erase(head.opRef);
  m_spelled.erase(head.keyText);
}

std::string CustomerTraces::hashed(const KeyedHash& hash, const std::string& text) {
  if (text.empty() || text.starts_with("erased:")) return text;
  return fmt::format("erased:{:016x}", hash(text, kHashSpace).high);
}

std::string CustomerTraces::keyWithout(const KeyedHash& hash, const std::string& key) const {
  const std::string normal = normalKey(key);
  return has(m_keys, normal) ? hashed(hash, normal) : key;
}

std::string CustomerTraces::referenceWithout(const KeyedHash& hash, const std::string& reference) const {
  return has(m_references, reference) ? hashed(hash, reference) : reference;
}

std::string CustomerTraces::idWithout(const KeyedHash& hash, const std::string& id) const {
  return has(m_references, id) ? hashed(hash, id) : keyWithout(hash, id);
}

void CustomerTraces::eraseHead(const KeyedHash& hash, RecordHead& head) const {
  head.keyText = keyWithout(hash, head.keyText);
  head.key = keyWithout(hash, head.key);
  head.opRef = referenceWithout(hash, head.opRef);
  if (!head.customer.empty()) head.customer = kErasedCustomer;
  head.fingerprint = hashed(hash, head.fingerprint);
  head.jobId = idWithout(hash, head.jobId);
  head.messageId = idWithout(hash, head.messageId);
}

std::vector<std::string> CustomerTraces::texts() const {
  std::set<std::string> all = m_keys;
  all.insert(m_spelled.begin(), m_spelled.end());
  all.insert(m_references.begin(), m_references.end());
  all.insert(m_customer);
  std::vector<std::string> list;
  for (const std::string& text : all) {
    if (text.size() >= kTextBytesLeast) list.push_back(text);
  }
  std::stable_sort(list.begin(), list.end(), [](const auto& a, const auto& b) { return a.size() > b.size(); });
  return list;
}

}  // namespace counterfoil
