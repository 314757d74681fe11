// SPDX-License-Identifier: GPL-3.0-or-later
// Where a record without a mark belongs: the sub-operation it fits best by recorded id, job, key,
// plausible time, amount, fewest effects, nearest time, in that order.
#pragma once

#include <map>
#include <set>
#include <string_view>
#include <vector>

#include "core/judge/link.h"

namespace counterfoil::judging {

struct Fit {
  std::size_t part = 0;
  bool isTied = false;    ///< another part fits exactly as well
  bool isUnsure = false;  ///< only time or the number of effects decided
};

/// Grows with the parts: add() every record that is placed.
class BestFit {
 public:
  BestFit(std::size_t partCount, const std::vector<Node>& nodes, const Links& links,
          const JudgeContext& context);
  void add(std::size_t part, NodeIndex node);
  [[nodiscard]] Fit of(NodeIndex node) const;

 private:
  struct Part {
    std::optional<Instant> first;
    std::optional<Instant> last;
    bool hasLocal = false;
    std::int64_t effects = 0;
    std::set<Money> amounts;   ///< of local records for effects, of all for local ones
  };
  struct Score;
  using PartList = std::vector<std::size_t>;
  using InTime = std::set<std::pair<Instant, std::size_t>>;
  using Index = std::map<std::string_view, PartList>;

  [[nodiscard]] Score scoreOf(NodeIndex node, std::size_t part) const;
  [[nodiscard]] PartList candidates(NodeIndex node) const;
  [[nodiscard]] static bool holds(const Index& index, std::string_view value, std::size_t part);
  /// Up to some parts on either side of a time.
  static void takeNearest(PartList& result, const InTime& parts, Instant at);
  [[nodiscard]] static PartList unique(PartList result);
  static void note(Index& index, std::string_view value, std::size_t part);

  const std::vector<Node>& m_nodes;
  const Links& m_links;
  const JudgeContext& m_context;
  std::vector<Part> m_parts;
  Index m_ids;
  Index m_jobs;
  Index m_keys;
  std::map<Money, InTime> m_amounts;   ///< parts that know the amount, by the time they do
  InTime m_times;                             ///< all parts by their first time
};

}  // namespace counterfoil::judging
