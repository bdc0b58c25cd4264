// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// Dominance between the strategies of one node: s falls when some t costs no more whatever the
// neighbours choose and uses no more memory at any time. Equal strategies: the first one stays.
#include <algorithm>

#include "solver/simplify.hpp"

namespace autoshard::internal {
namespace {

/// The least that s costs over t on one edge, over all choices of the neighbour.
std::int64_t least_difference(const TableView& table, std::size_t s, std::size_t t) {
  std::int64_t least = kForbidden;
  for (std::size_t j = 0; j < table.columns; ++j) {
    const std::int64_t of_s = table.at(s, j), of_t = table.at(t, j);
    if (of_s == kForbidden) continue;
    if (of_t == kForbidden) return -kForbidden;
    least = std::min(least, of_s - of_t);
  }
  return least;
}

bool uses_no_more(const WorkingNode& node, std::size_t t, std::size_t s) {
  return std::all_of(node.memory.begin(), node.memory.end(),
                     [&](const WorkingPiece& piece) { return piece.usage[t] <= piece.usage[s]; });
}

class DominanceTest {
 public:
  DominanceTest(const WorkingGraph& graph, std::int32_t v) : node_(graph.node(v)) {
    for (const std::int32_t e : node_.edges) {
      tables_.push_back(graph.view(e, v));
      ranges_.push_back(largest_of(tables_.back()));
      total_range_ += ranges_.back();
    }
  }

  /// True when t may replace s.
  bool dominates(std::size_t t, std::size_t s) const {
    std::int64_t slack = node_.costs[s] - node_.costs[t];
    if (slack + total_range_ < 0 || !uses_no_more(node_, t, s)) return false;
    std::int64_t hope = total_range_;
    for (std::size_t i = 0; i < tables_.size(); ++i) {
      touched_ += tables_[i].columns;
      const std::int64_t difference = least_difference(tables_[i], s, t);
      if (difference == -kForbidden) return false;
      if (difference == kForbidden) return true;  // s has no partner at all
      hope -= ranges_[i];
      slack += difference;
      if (slack + hope < 0) return false;
    }
    return slack >= 0;
  }

  std::uint64_t touched() const { return touched_; }

 private:
  static std::int64_t largest_of(const TableView& table) {
    std::int64_t largest = 0;
    for (std::size_t i = 0; i < table.rows * table.columns; ++i) {
      if (table.data[i] != kForbidden) largest = std::max(largest, table.data[i]);
    }
    return largest;
  }

  const WorkingNode& node_;
  std::vector<TableView> tables_;
  std::vector<std::int64_t> ranges_;
  std::int64_t total_range_ = 0;
  mutable std::uint64_t touched_ = 0;
};

bool falls(const DominanceTest& test, const std::vector<bool>& keep, std::size_t s) {
  for (std::size_t t = 0; t < keep.size(); ++t) {
    if (t != s && keep[t] && test.dominates(t, s)) return true;
  }
  return false;
}

}  // namespace

bool drop_dominated(WorkingGraph& graph, std::int32_t v) {
  const std::size_t count = graph.strategies(v);
  if (count < 2) return false;
  const DominanceTest test(graph, v);
  std::vector<bool> keep(count, true);
  bool changed = false;
  // From the back, so that of equal strategies the first one stays.
  for (std::size_t s = count; s-- > 0;) {
    if (!falls(test, keep, s)) continue;
    keep[s] = false;
    changed = true;
  }
  graph.work += test.touched();
  if (changed) graph.keep_strategies(v, keep);
  return changed;
}

}  // namespace autoshard::internal
