// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "solver/core.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace autoshard::internal {
namespace {

using Costs = std::vector<std::int64_t>;

// Whole numbers up to here, and differences of a few of them, are exact in a double.
constexpr double kMaxForbidden = 1125899906842624.0;  // 2^50
// Sums over the whole graph, scaled, stay below this in 64-bit certificates.
constexpr double kMaxTotal = 1152921504606846976.0;  // 2^60

std::int64_t largest_finite(const Costs& costs) {
  std::int64_t largest = 0;
  for (const std::int64_t cost : costs) {
    if (cost != kForbidden) largest = std::max(largest, cost);
  }
  return largest;
}

struct CostRange {
  double total = 0;  ///< the most that an assignment without forbidden entries can cost
  double terms = 1;
};

CostRange range_of(const WorkingGraph& graph) {
  CostRange range;
  const auto count = [&range](const Costs& costs) {
    range.total += static_cast<double>(largest_finite(costs));
    ++range.terms;
  };
  for (const WorkingNode& node : graph.nodes) {
    if (node.alive) count(node.costs);
  }
  for (const WorkingEdge& edge : graph.edges) {
    if (edge.alive) count(*edge.costs);
  }
  return range;
}

std::vector<double> as_doubles(const Costs& costs, double forbidden) {
  std::vector<double> values(costs.size());
  std::transform(costs.begin(), costs.end(), values.begin(), [forbidden](std::int64_t cost) {
    return cost == kForbidden ? forbidden : std::min(static_cast<double>(cost), forbidden);
  });
  return values;
}

std::vector<double> transposed(const std::vector<double>& table, std::size_t rows,
                               std::size_t columns) {
  std::vector<double> result(table.size());
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) result[j * rows + i] = table[i * columns + j];
  }
  return result;
}

}  // namespace

Core::Core(const WorkingGraph& graph) : capacity(graph.capacity) {
  const CostRange range = range_of(graph);
  largest_total = range.total;
  forbidden = std::floor(std::min({range.total + 1, kMaxForbidden, kMaxTotal / range.terms}));
  place_nodes(graph);
  place_edges(graph);
  index_links();
  place_pieces(graph);
}

void Core::place_nodes(const WorkingGraph& graph) {
  position_.assign(graph.nodes.size(), -1);
  first.push_back(0);
  for (std::size_t v = 0; v < graph.nodes.size(); ++v) {
    const WorkingNode& node = graph.nodes[v];
    if (!node.alive) continue;
    position_[v] = static_cast<std::int32_t>(sizes.size());
    original.push_back(static_cast<std::int32_t>(v));
    sizes.push_back(static_cast<std::int32_t>(node.costs.size()));
    const std::vector<double> costs = as_doubles(node.costs, forbidden);
    unary.insert(unary.end(), costs.begin(), costs.end());
    labels_.insert(labels_.end(), node.labels.begin(), node.labels.end());
    first.push_back(unary.size());
  }
}

void Core::place_edges(const WorkingGraph& graph) {
  // Equal layers share their tables here too. Sizes are part of the key: a table may serve as
  // 4 x 6 and as 6 x 4.
  std::unordered_map<const Costs*, std::unordered_map<std::size_t, std::size_t>> placed;
  for (const WorkingEdge& edge : graph.edges) {
    if (!edge.alive) continue;
    const std::int32_t from = position_[static_cast<std::size_t>(edge.from)],
                       to = position_[static_cast<std::size_t>(edge.to)];
    const std::size_t rows = graph.strategies(edge.from), columns = graph.strategies(edge.to);
    const auto [place, fresh] = placed[edge.costs.get()].try_emplace(rows, tables_.size());
    if (fresh) {
      tables_.push_back(as_doubles(*edge.costs, forbidden));
      tables_.push_back(transposed(tables_.back(), rows, columns));
    }
    const std::vector<double>& table = tables_[place->second];
    const double largest = *std::max_element(table.begin(), table.end());
    edges.push_back({from, to, table.data(), tables_[place->second + 1].data(), largest});
    entries_ += table.size();
  }
}

void Core::index_links() {
  std::vector<std::vector<Link>> incident(size());
  for (std::size_t e = 0; e < edges.size(); ++e) {
    const CoreEdge& edge = edges[e];
    incident[static_cast<std::size_t>(edge.from)].push_back(
        {edge.to, static_cast<std::int32_t>(e), edge.by_from});
    incident[static_cast<std::size_t>(edge.to)].push_back(
        {edge.from, static_cast<std::int32_t>(e), edge.by_to});
  }
  link_first_.push_back(0);
  for (const std::vector<Link>& links : incident) {
    links_.insert(links_.end(), links.begin(), links.end());
    link_first_.push_back(links_.size());
  }
}

void Core::place_pieces(const WorkingGraph& graph) {
  piece_first_.push_back(0);
  for (const std::int32_t v : original) {
    for (const WorkingPiece& piece : graph.node(v).memory) {
      usages_.push_back(piece.usage);
      usage_entries_ += piece.usage.size();
      pieces_.push_back({piece.begin, piece.end, usages_.back().data()});
    }
    piece_first_.push_back(pieces_.size());
  }
}

double Core::cost(const std::vector<std::int32_t>& x) const {
  double total = 0;
  for (std::size_t v = 0; v < size(); ++v)
    total += unary[first[v] + static_cast<std::size_t>(x[v])];
  for (const CoreEdge& edge : edges) {
    const auto from = static_cast<std::size_t>(edge.from), to = static_cast<std::size_t>(edge.to);
    total += edge.by_from[static_cast<std::size_t>(x[from]) * strategies(to) +
                          static_cast<std::size_t>(x[to])];
  }
  return total;
}

std::vector<std::int32_t> Core::from_labels(const std::vector<std::int32_t>& labels) const {
  std::vector<std::int32_t> x(size(), 0);
  for (std::size_t v = 0; v < size(); ++v) {
    const auto begin = labels_.begin() + static_cast<std::ptrdiff_t>(first[v]);
    const auto end = labels_.begin() + static_cast<std::ptrdiff_t>(first[v + 1]);
    const auto found = std::find(begin, end, labels[static_cast<std::size_t>(original[v])]);
    if (found != end) x[v] = static_cast<std::int32_t>(found - begin);
  }
  return x;
}

std::vector<std::int32_t> Core::labels(const std::vector<std::int32_t>& x,
                                       std::size_t original_nodes) const {
  std::vector<std::int32_t> labels(original_nodes, 0);
  for (std::size_t v = 0; v < size(); ++v) {
    labels[static_cast<std::size_t>(original[v])] =
        labels_[first[v] + static_cast<std::size_t>(x[v])];
  }
  return labels;
}

}  // namespace autoshard::internal
