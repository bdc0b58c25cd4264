// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// The mutable graph that simplification works on: nodes lose strategies, edges merge, nodes are
// absorbed by neighbours, and a stack remembers how to extend an answer to what was removed.
// It offers sound single steps only; which steps to take is decided elsewhere.
//
// Every table is kept with minimum 0 (the rest is in `constant`), and entries are clipped so that
// no sum can overflow. Clipping is a relaxation: bounds stay true, and answers are judged by the
// referee on the original graph.
#pragma once

#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "autoshard/cost_graph.hpp"

namespace autoshard::internal {

/// Memory held in compressed time [begin, end); `usage` has its minimum moved into the capacity.
struct WorkingPiece {
  std::int32_t begin = 0, end = 0;
  std::vector<std::int64_t> usage;
};

struct WorkingNode {
  std::vector<std::int64_t> costs;
  std::vector<std::int32_t> labels;  ///< strategy indices in the original node
  std::vector<std::int32_t> edges;   ///< incident edges, all alive
  std::vector<WorkingPiece> memory;  ///< filled once time has been compressed
  bool alive = true;
  bool touched = true;  ///< something around it changed since it was last examined
};

struct WorkingEdge {
  std::int32_t from = 0, to = 0;
  CostTable costs;  ///< row-major from x to; kForbidden where absent
  bool alive = true;
};

/// A table seen from one of its ends: rows are that end's strategies.
struct TableView {
  const std::int64_t* data = nullptr;
  std::size_t rows = 0, columns = 0, row_step = 0, column_step = 0;
  std::int64_t at(std::size_t row, std::size_t column) const {
    return data[row * row_step + column * column_step];
  }
};

/// How to extend an answer: `node` takes choice[labels of the parents], row-major.
struct Extension {
  std::int32_t node = 0;
  std::vector<std::int32_t> parents;  ///< none, one or two
  std::size_t columns = 1;            ///< number of labels of the second parent
  std::vector<std::int32_t>
      choice;  ///< label of `node`; -1 where the parents cannot take these labels
};

class WorkingGraph {
 public:
  static WorkingGraph from(const CostGraph& graph);

  std::vector<WorkingNode> nodes;
  std::vector<WorkingEdge> edges;
  std::vector<std::int64_t> capacity;  ///< per compressed time
  std::vector<std::int64_t> times;     ///< an original time for each compressed one
  std::vector<Extension> extensions;
  Int128 constant = 0;
  std::uint64_t work = 0;  ///< table entries that rules touched beyond one look at each table
  std::string infeasible_because;  ///< empty while nothing is proven

  bool infeasible() const { return !infeasible_because.empty(); }
  std::size_t strategies(std::int32_t v) const {
    return nodes[static_cast<std::size_t>(v)].costs.size();
  }
  WorkingNode& node(std::int32_t v) { return nodes[static_cast<std::size_t>(v)]; }
  const WorkingNode& node(std::int32_t v) const { return nodes[static_cast<std::size_t>(v)]; }
  WorkingEdge& edge(std::int32_t e) { return edges[static_cast<std::size_t>(e)]; }
  const WorkingEdge& edge(std::int32_t e) const { return edges[static_cast<std::size_t>(e)]; }
  std::int32_t other_end(std::int32_t e, std::int32_t v) const;
  TableView view(std::int32_t e, std::int32_t v) const;

  /// Keeps the strategies whose flag is set, in order. Infeasible when none is.
  void keep_strategies(std::int32_t v, const std::vector<bool>& keep);
  /// Adds a table (rows: strategies of u) to the edge u-v, creating it if need be.
  void add_table(std::int32_t u, std::int32_t v, std::vector<std::int64_t> table);
  /// Adds to the costs of v and moves the new minimum into the constant.
  void add_costs(std::int32_t v, const std::vector<std::int64_t>& costs);
  void remove_edge(std::int32_t e);
  /// Takes v out of the graph with its edges; the extension says how to get it back.
  void remove_node(std::int32_t v, Extension extension);
  void touch_around(std::int32_t v);

  /// Strategies of v in the graph as given.
  std::size_t label_count(std::int32_t v) const {
    return label_counts_[static_cast<std::size_t>(v)];
  }
  std::size_t alive_nodes() const;
  std::size_t alive_edges() const;

  /// One original strategy per original node, from one for each node that is alive.
  std::vector<std::int32_t> extend(std::vector<std::int32_t> labels) const;

 private:
  std::int32_t find_edge(std::int32_t u, std::int32_t v) const;
  void detach(std::int32_t e, std::int32_t v);
  void shrink_table(std::int32_t e, std::int32_t v, const std::vector<bool>& keep);

  std::vector<std::size_t> label_counts_;
};

/// An extension of v whose choices are all still open (-1).
Extension depends_on(const WorkingGraph& graph, std::int32_t v, std::vector<std::int32_t> parents);

/// Sum in which a forbidden term makes the sum forbidden.
inline std::int64_t add_cost(std::int64_t a, std::int64_t b) {
  return a == kForbidden || b == kForbidden ? kForbidden : a + b;
}

}  // namespace autoshard::internal
