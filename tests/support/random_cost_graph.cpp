// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "support/random_cost_graph.hpp"

namespace autoshard::test {
namespace {

class Builder {
 public:
  Builder(std::uint64_t seed, const RandomGraphOptions& options)
      : random_(seed), options_(options) {}

  CostGraph build() {
    largest_ = one_in(3) ? 3 : one_in(2) ? 100 : 1'000'000'000'000;
    hard_ = options_.forbidden && one_in(3);
    add_nodes();
    const std::size_t edges = below(2 * graph_.nodes.size() + 1);
    for (std::size_t e = 0; graph_.nodes.size() > 1 && e < edges; ++e) add_edge();
    if (options_.memory && !one_in(4)) set_limit();
    return std::move(graph_);
  }

 private:
  std::uint64_t below(std::uint64_t count) { return random_() % count; }
  bool one_in(std::uint64_t count) { return below(count) == 0; }

  std::int64_t cost() {
    if (options_.forbidden && one_in(hard_ ? 3 : 15)) return kForbidden;
    return static_cast<std::int64_t>(below(static_cast<std::uint64_t>(largest_) + 1)) -
           (one_in(10) ? largest_ / 2 : 0);
  }

  void add_nodes() {
    const std::size_t count = 1 + below(static_cast<std::uint64_t>(options_.max_nodes));
    std::int64_t assignments = 1;
    for (std::size_t v = 0; v < count; ++v) {
      const auto strategies = 1 + below(static_cast<std::uint64_t>(options_.max_strategies));
      assignments *= static_cast<std::int64_t>(strategies);
      if (assignments > options_.max_assignments) return;
      CostNode& node = graph_.nodes.emplace_back();
      for (std::size_t s = 0; s < strategies; ++s) node.costs.push_back(one_in(2) ? 0 : cost());
      const std::size_t pieces = options_.memory ? below(4) : 0;
      for (std::size_t p = 0; p < pieces; ++p) add_piece(node);
    }
  }

  void add_piece(CostNode& node) {
    MemoryPiece& piece = node.memory.emplace_back();
    piece.begin = static_cast<std::int64_t>(below(12));
    piece.end = piece.begin + static_cast<std::int64_t>(below(6));  // may be empty
    for (std::size_t s = 0; s < node.costs.size(); ++s)
      piece.usage.push_back(static_cast<std::int64_t>(below(one_in(2) ? 4 : 50)));
  }

  void add_edge() {
    const std::size_t from = below(graph_.nodes.size());
    std::size_t to = below(graph_.nodes.size() - 1);
    if (to >= from) ++to;
    const std::size_t rows = graph_.nodes[from].costs.size(),
                      columns = graph_.nodes[to].costs.size();
    std::vector<std::int64_t> table(rows * columns);
    const bool tie = options_.forbidden && one_in(5);  // a hard edge: one partner for each strategy
    for (std::size_t i = 0; i < table.size(); ++i) {
      const bool partner = i % columns == (i / columns) % columns;
      table[i] = tie && !partner ? kForbidden : cost();
      if (tie && partner) table[i] = static_cast<std::int64_t>(below(10));
    }
    const auto shared = std::make_shared<const std::vector<std::int64_t>>(std::move(table));
    graph_.edges.push_back(
        {static_cast<std::int32_t>(from), static_cast<std::int32_t>(to), shared});
  }

  void set_limit() {
    std::vector<std::int32_t> some;
    for (const CostNode& node : graph_.nodes)
      some.push_back(static_cast<std::int32_t>(below(node.costs.size())));
    const auto peak = static_cast<std::int64_t>(evaluate(graph_, some).value().peak_usage);
    graph_.usage_limit =
        one_in(3) ? peak : static_cast<std::int64_t>(below(static_cast<std::uint64_t>(peak) + 2));
  }

  std::mt19937_64 random_;
  const RandomGraphOptions& options_;
  CostGraph graph_;
  std::int64_t largest_ = 1;
  bool hard_ = false;
};

bool next(const CostGraph& graph, std::vector<std::int32_t>& x) {
  for (std::size_t v = 0; v < x.size(); ++v) {
    if (static_cast<std::size_t>(++x[v]) < graph.nodes[v].costs.size()) return true;
    x[v] = 0;
  }
  return false;
}

}  // namespace

CostGraph random_cost_graph(std::uint64_t seed, const RandomGraphOptions& options) {
  return Builder(seed, options).build();
}

std::optional<BestAnswer> best_by_brute_force(const CostGraph& graph) {
  std::optional<BestAnswer> best;
  std::vector<std::int32_t> x(graph.nodes.size(), 0);
  do {
    const Evaluation evaluation = evaluate(graph, x).value();
    if (evaluation.legal() && (!best || evaluation.cost < best->cost)) best = {evaluation.cost, x};
  } while (next(graph, x));
  return best;
}

}  // namespace autoshard::test
