// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// The simplified problem in flat arrays, as the search reads it. Costs are doubles that hold whole
// numbers; a forbidden entry is a finite cost that no legal answer can reach, so the algorithms
// need no special cases, and whatever they find is judged by the referee in the end.
#pragma once

#include <span>
#include <vector>

#include "solver/working_graph.hpp"

namespace autoshard::internal {

/// An edge seen from one end: `table` has one contiguous row per strategy of this end.
struct Link {
  std::int32_t neighbour = 0;
  std::int32_t edge = 0;
  const double* table = nullptr;
};

struct CorePiece {
  std::int32_t begin = 0, end = 0;
  const std::int64_t* usage = nullptr;  ///< by strategy
};

struct CoreEdge {
  std::int32_t from = 0, to = 0;
  const double* by_from = nullptr;  ///< one row per strategy of `from`
  const double* by_to = nullptr;    ///< the transpose
  double largest = 0;
};

/// Not copyable: links and pieces point into its own arrays.
class Core {
 public:
  explicit Core(const WorkingGraph& graph);
  Core(const Core&) = delete;
  Core& operator=(const Core&) = delete;

  std::size_t size() const { return sizes.size(); }
  std::size_t strategies(std::size_t v) const { return static_cast<std::size_t>(sizes[v]); }
  std::span<const Link> links(std::size_t v) const {
    return {links_.data() + link_first_[v], links_.data() + link_first_[v + 1]};
  }
  std::span<const CorePiece> pieces(std::size_t v) const {
    return {pieces_.data() + piece_first_[v], pieces_.data() + piece_first_[v + 1]};
  }
  std::size_t entries() const { return entries_; }       ///< of all edges, each once
  std::size_t usages() const { return usage_entries_; }  ///< of all pieces, by strategy

  /// Cost of an assignment without the constant.
  double cost(const std::vector<std::int32_t>& x) const;
  /// The labels of an assignment for WorkingGraph::extend.
  std::vector<std::int32_t> labels(const std::vector<std::int32_t>& x,
                                   std::size_t original_nodes) const;

  /// The assignment that says of each node what `labels` says; the first strategy where that is
  /// gone.
  std::vector<std::int32_t> from_labels(const std::vector<std::int32_t>& labels) const;

  std::vector<std::int32_t> sizes;
  std::vector<std::size_t>
      first;  ///< where a node's strategies start in flat arrays; one more at the end
  std::vector<double> unary;
  std::vector<CoreEdge> edges;
  std::vector<std::int64_t> capacity;
  std::vector<std::int32_t> original;  ///< node of the WorkingGraph
  double largest_total = 0;            ///< no assignment without forbidden entries costs more
  double forbidden = 0;

 private:
  void place_nodes(const WorkingGraph& graph);
  void place_edges(const WorkingGraph& graph);
  void place_pieces(const WorkingGraph& graph);
  void index_links();

  std::vector<std::int32_t> position_;  ///< of each WorkingGraph node
  std::vector<std::int32_t> labels_;
  std::vector<std::vector<double>> tables_;
  std::vector<std::vector<std::int64_t>> usages_;
  std::vector<Link> links_;
  std::vector<std::size_t> link_first_;
  std::vector<CorePiece> pieces_;
  std::vector<std::size_t> piece_first_;
  std::size_t entries_ = 0, usage_entries_ = 0;
};

}  // namespace autoshard::internal
