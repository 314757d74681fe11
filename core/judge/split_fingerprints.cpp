// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/split_fingerprints.h"

#include <numeric>
#include <tuple>

#include "core/judge/job_views.h"

namespace counterfoil::judging {

namespace {

class Payloads {
 public:
  Payloads(const std::vector<NodeIndex>& members, const std::vector<Node>& nodes,
           const Links& links, const Policy& policy)
      : m_members(members), m_nodes(nodes), m_links(links), m_policy(policy) {}

  std::map<NodeIndex, std::string> marks() {
    for (NodeIndex i : m_members) {
      const std::string_view fingerprint = fingerprintOf(i);
      if (!fingerprint.empty()) m_numbers.emplace(fingerprint, 0);
    }
    if (m_numbers.size() < 2) return {};
    std::size_t next = 0;
    for (auto& [fingerprint, number] : m_numbers) number = next++;
    m_parent.resize(next);
    std::iota(m_parent.begin(), m_parent.end(), std::size_t{0});
    joinTied();
    return marksOfGroups();
  }

 private:
  [[nodiscard]] std::string_view fingerprintOf(NodeIndex i) const {
    return m_nodes[i].isLocal() ? std::string_view(m_nodes[i].head->fingerprint)
                                : std::string_view();
  }
  std::size_t find(std::size_t i) {
    while (m_parent[i] != i) i = m_parent[i] = m_parent[m_parent[i]];
    return i;
  }
  void join(std::size_t a, std::size_t b) {
    a = find(a);
    b = find(b);
    m_parent[std::max(a, b)] = std::min(a, b);
  }

  /// Joins all payloads that share a value; blank values share nothing.
  template <class Value>
  void joinSharing(std::map<Value, std::size_t>& firstWith, const Value& value, std::size_t number) {
    const auto [at, isNew] = firstWith.emplace(value, number);
    if (!isNew) join(at->second, number);
  }

  void joinTied() {
    using Destination = std::tuple<Money, std::string_view>;
    std::map<std::string_view, std::size_t> byReference;
    std::map<std::pair<SourceId, std::string_view>, std::size_t> byJob;
    std::map<Destination, std::size_t> byAgreement;
    std::map<std::string_view, std::size_t> byCustomer;
    for (NodeIndex i : m_members) {
      const std::string_view fingerprint = fingerprintOf(i);
      if (fingerprint.empty()) continue;
      const std::size_t number = m_numbers[fingerprint];
      const RecordHead& head = *m_nodes[i].head;
      if (!m_links.opRef[i].empty()) joinSharing(byReference, m_links.opRef[i], number);
      if (!head.jobId.empty()) {
        joinSharing(byJob, {sourceOfId(head, m_policy), std::string_view(head.jobId)}, number);
      }
      if (head.amount) {
        joinSharing(byAgreement, Destination{*head.amount, head.customer}, number);
      } else if (!head.customer.empty()) {
        joinSharing(byCustomer, std::string_view(head.customer), number);
      }
    }
    joinUnknownDestinations(byAgreement);
  }

  /// An amount without a destination agrees with the same amount to any one.
  void joinUnknownDestinations(
      const std::map<std::tuple<Money, std::string_view>, std::size_t>& byAgreement) {
    std::optional<std::size_t> unknown;
    Money of;
    for (const auto& [agreement, number] : byAgreement) {
      const auto& [amount, customer] = agreement;
      if (customer.empty()) {
        unknown = number;
        of = amount;
      } else if (unknown && of == amount) {
        join(*unknown, number);
      }
    }
  }

  std::map<NodeIndex, std::string> marksOfGroups() {
    std::map<std::size_t, std::string_view> nameOfGroup;
    for (const auto& [fingerprint, number] : m_numbers) {
      nameOfGroup.emplace(find(number), fingerprint);
    }
    if (nameOfGroup.size() < 2) return {};
    std::map<NodeIndex, std::string> marks;
    for (NodeIndex i : m_members) {
      const std::string_view fingerprint = fingerprintOf(i);
      if (fingerprint.empty()) continue;
      marks.emplace(i, nameOfGroup[find(m_numbers[fingerprint])]);
    }
    return marks;
  }

  const std::vector<NodeIndex>& m_members;
  const std::vector<Node>& m_nodes;
  const Links& m_links;
  const Policy& m_policy;
  std::map<std::string_view, std::size_t> m_numbers;
  std::vector<std::size_t> m_parent;
};

}  // namespace

std::map<NodeIndex, std::string> marksOfFingerprints(const std::vector<NodeIndex>& members,
                                                     const std::vector<Node>& nodes,
                                                     const Links& links, const Policy& policy) {
  return Payloads(members, nodes, links, policy).marks();
}

}  // namespace counterfoil::judging
