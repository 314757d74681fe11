// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/judge/split.h"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <set>

#include "core/judge/best_fit.h"
#include "core/judge/split_fingerprints.h"
#include "core/judge/split_reference.h"

namespace counterfoil::judging {

namespace {

using Members = std::vector<NodeIndex>;
using Parts = std::vector<SubOperation>;

class Splitter {
 public:
  Splitter(const std::vector<Node>& nodes, const Links& links, const JudgeContext& context,
           Judgement& judgement)
      : m_nodes(nodes), m_links(links), m_context(context), m_judgement(judgement) {}

  Parts run(const Members& members) {
    Parts parts;
    for (SubOperation& account : splitByAccount(members)) {
      for (SubOperation& reference : splitByReference(std::move(account))) {
        for (SubOperation& part : splitFurther(std::move(reference))) {
          Parts own = takeOutUndoneSkips(part);
          parts.push_back(std::move(part));
          std::move(own.begin(), own.end(), std::back_inserter(parts));
        }
      }
    }
    if (parts.size() > 1) nameCoarseKeys(parts);
    return parts;
  }

 private:
  /// Records with a mark lie in the part of their mark, the others where they fit best.
  Parts splitBy(SubOperation whole, const std::map<NodeIndex, std::string>& marks) {
    std::map<std::string_view, std::size_t> partOf;
    for (const auto& [node, mark] : marks) partOf.emplace(mark, 0);
    Parts parts(partOf.size());
    std::size_t next = 0;
    for (auto& [mark, part] : partOf) {
      part = next++;
      parts[part].mark = joinMarks(whole.mark, mark);
      parts[part].sharesReference = whole.sharesReference;
      parts[part].isAmbiguous = whole.isAmbiguous;
    }
    BestFit fit(parts.size(), m_nodes, m_links, m_context);
    Members unmarked;
    for (NodeIndex i : whole.nodes) {
      const auto mark = marks.find(i);
      if (mark == marks.end()) {
        unmarked.push_back(i);
        continue;
      }
      const std::size_t part = partOf[mark->second];
      parts[part].nodes.push_back(i);
      fit.add(part, i);
    }
    for (NodeIndex i : unmarked) place(parts, fit, i);
    for (SubOperation& part : parts) {
      std::sort(part.nodes.begin(), part.nodes.end());
      keepUnsure(whole.unsureSkips, part);
    }
    return parts;
  }

  void place(Parts& parts, BestFit& fit, NodeIndex i) const {
    const Fit best = fit.of(i);
    parts[best.part].nodes.push_back(i);
    fit.add(best.part, i);
    if (m_nodes[i].kind == RecordKind::Skip) {
      if (best.isUnsure || best.isTied) parts[best.part].unsureSkips.push_back(i);
    } else if (best.isTied) {
      parts[best.part].isAmbiguous = true;
    }
  }

  static void keepUnsure(const Members& skips, SubOperation& part) {
    std::copy_if(skips.begin(), skips.end(), std::back_inserter(part.unsureSkips), [&](NodeIndex i) {
      return std::binary_search(part.nodes.begin(), part.nodes.end(), i);
    });
  }

  static std::string joinMarks(const std::string& outer, std::string_view inner) {
    if (outer.empty()) return std::string(inner);
    return outer + " " + std::string(inner);
  }

  /// Only where our own records name several accounts; the account stands in the scope, not in the mark.
  Parts splitByAccount(const Members& members) {
    SubOperation whole;
    whole.nodes = members;
    std::set<std::string_view> ours;
    for (NodeIndex i : members) {
      if (m_nodes[i].isLocal() && !m_nodes[i].head->account.empty()) {
        ours.insert(m_nodes[i].head->account);
      }
    }
    Parts parts;
    if (ours.size() < 2) {
      parts.push_back(std::move(whole));
      return parts;
    }
    std::map<NodeIndex, std::string> marks;
    for (NodeIndex i : members) {
      if (!m_nodes[i].head->account.empty()) marks.emplace(i, m_nodes[i].head->account);
    }
    parts = splitBy(std::move(whole), marks);
    for (SubOperation& part : parts) {
      part.mark.clear();
      part.isAmbiguous = part.isAmbiguous ||
                         std::any_of(part.nodes.begin(), part.nodes.end(), [&](NodeIndex i) {
                           return m_nodes[i].head->account.empty();
                         });
    }
    return parts;
  }

  Parts splitByReference(SubOperation whole) {
    std::string_view first;
    bool several = false;
    for (NodeIndex i : whole.nodes) {
      const std::string_view opRef = m_links.opRef[i];
      if (opRef.empty()) continue;
      if (first.empty()) first = opRef;
      if (opRef != first) several = true;
    }
    Parts parts;
    if (!several) {
      parts.push_back(std::move(whole));
      return parts;
    }
    std::map<NodeIndex, std::string> marks;
    for (NodeIndex i : whole.nodes) {
      if (!m_links.opRef[i].empty()) marks.emplace(i, m_links.opRef[i]);
    }
    return splitBy(std::move(whole), marks);
  }

  Parts splitFurther(SubOperation whole) {
    const auto amounts = marksOfReference(whole.nodes, m_nodes, m_links, m_context.policy);
    if (!amounts.empty()) {
      whole.sharesReference = true;
      return splitBy(std::move(whole), amounts);
    }
    const auto fingerprints = marksOfFingerprints(whole.nodes, m_nodes, m_links, m_context.policy);
    if (!fingerprints.empty()) return splitBy(std::move(whole), fingerprints);
    Parts parts;
    parts.push_back(std::move(whole));
    return parts;
  }

  /// Skips whose known amount differs from everything done, and which nothing but the key ties to it.
  Parts takeOutUndoneSkips(SubOperation& part) const {
    const bool hasSkip = std::any_of(part.nodes.begin(), part.nodes.end(), [&](NodeIndex i) {
      return m_nodes[i].kind == RecordKind::Skip && m_nodes[i].head->amount;
    });
    if (!hasSkip) return {};
    std::set<Money> done;
    std::set<std::string_view> references;
    std::set<std::string_view> jobs;
    for (NodeIndex i : part.nodes) {
      if (m_nodes[i].kind == RecordKind::Skip) continue;
      const RecordHead& head = *m_nodes[i].head;
      const bool isDone = m_nodes[i].kind == RecordKind::Attempt || m_nodes[i].isForward() ||
                          m_nodes[i].isReversal() || m_nodes[i].kind == RecordKind::Intent;
      if (isDone && head.amount) done.insert(*head.amount);
      if (!m_links.opRef[i].empty()) references.insert(m_links.opRef[i]);
      if (m_nodes[i].isLocal() && !head.jobId.empty()) jobs.insert(head.jobId);
    }
    if (done.empty()) return {};
    std::map<Money, SubOperation> own;
    Members staying;
    for (NodeIndex i : part.nodes) {
      const RecordHead& head = *m_nodes[i].head;
      const bool isUndone = m_nodes[i].kind == RecordKind::Skip && head.amount &&
                            done.count(*head.amount) == 0 &&
                            references.count(m_links.opRef[i]) == 0 && jobs.count(head.jobId) == 0;
      if (isUndone) own[*head.amount].nodes.push_back(i);
      else staying.push_back(i);
    }
    part.nodes = std::move(staying);
    Parts parts;
    for (auto& [amount, sub] : own) {
      sub.mark = joinMarks(part.mark, "skip " + formatPlain(amount) + " " + amount.currency.text());
      parts.push_back(std::move(sub));
    }
    return parts;
  }

  /// One key, several different operations: the key is too coarse (accounts are another matter).
  void nameCoarseKeys(const Parts& parts) {
    std::map<std::string_view, std::set<std::string_view>> marksOfKey;
    for (const SubOperation& part : parts) {
      if (part.sharesReference) continue;
      for (NodeIndex i : part.nodes) {
        if (!m_links.key[i].empty()) marksOfKey[m_links.key[i]].insert(part.mark);
      }
    }
    for (const auto& [key, marks] : marksOfKey) {
      if (marks.size() > 1) m_judgement.coarseKeys.emplace_back(key);
    }
  }

  const std::vector<Node>& m_nodes;
  const Links& m_links;
  const JudgeContext& m_context;
  Judgement& m_judgement;
};

}  // namespace

std::vector<SubOperation> splitCase(const std::vector<NodeIndex>& members,
                                    const std::vector<Node>& nodes, const Links& links,
                                    const JudgeContext& context, Judgement& judgement) {
  if (members.size() == 1) {
    std::vector<SubOperation> one(1);
    one[0].nodes = members;
    return one;
  }
  return Splitter(nodes, links, context, judgement).run(members);
}

}  // namespace counterfoil::judging
