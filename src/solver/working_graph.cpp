// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "solver/working_graph.hpp"

#include <algorithm>

namespace autoshard::internal {
namespace {

using Costs = std::vector<std::int64_t>;

// All entries together stay below this, so that sums fit 64 bits with room to spare.
constexpr std::int64_t kTotalCost = std::int64_t{1} << 60;

std::int64_t minimum_of(const Costs& costs) {
  return *std::min_element(costs.begin(), costs.end());
}

/// Subtracts the minimum (returned) and clips at `ceiling`.
std::int64_t normalise(Costs& costs, std::int64_t ceiling) {
  const std::int64_t minimum = minimum_of(costs);
  if (minimum == kForbidden) return 0;
  for (std::int64_t& cost : costs) {
    if (cost != kForbidden)
      cost = static_cast<std::int64_t>(std::min<Int128>(Int128{cost} - minimum, ceiling));
  }
  return minimum;
}

/// Tables are shared by equal layers; each is normalised once.
class TableLoader {
 public:
  explicit TableLoader(std::int64_t ceiling) : ceiling_(ceiling) {}

  std::pair<CostTable, std::int64_t> load(const CostTable& table) {
    const auto found = done_.find(table.get());
    if (found != done_.end()) return found->second;
    return done_[table.get()] = normalised(table);
  }

 private:
  std::pair<CostTable, std::int64_t> normalised(const CostTable& table) const {
    const bool fits = minimum_of(*table) == 0 &&
                      std::all_of(table->begin(), table->end(), [this](std::int64_t cost) {
                        return cost == kForbidden || cost <= ceiling_;
                      });
    if (fits) return {table, 0};
    auto copy = std::make_shared<Costs>(*table);
    const std::int64_t minimum = normalise(*copy, ceiling_);
    return {copy, minimum};
  }

  std::int64_t ceiling_;
  std::unordered_map<const Costs*, std::pair<CostTable, std::int64_t>> done_;
};

}  // namespace

WorkingGraph WorkingGraph::from(const CostGraph& graph) {
  WorkingGraph working;
  const auto terms = static_cast<std::int64_t>(graph.nodes.size() + graph.edges.size() + 1);
  TableLoader loader(kTotalCost / terms);
  for (const CostNode& given : graph.nodes) {
    WorkingNode& node = working.nodes.emplace_back();
    node.costs = given.costs;
    working.constant += normalise(node.costs, kTotalCost / terms);
    for (std::size_t s = 0; s < given.costs.size(); ++s)
      node.labels.push_back(static_cast<std::int32_t>(s));
    working.label_counts_.push_back(given.costs.size());
  }
  for (const CostEdge& given : graph.edges) {
    const auto [table, minimum] = loader.load(given.costs);
    working.constant += minimum;
    const std::int32_t found = working.find_edge(given.from, given.to);
    if (found >= 0) {
      working.add_table(given.from, given.to, *table);
      continue;
    }
    const auto e = static_cast<std::int32_t>(working.edges.size());
    working.edges.push_back({given.from, given.to, table});
    working.node(given.from).edges.push_back(e);
    working.node(given.to).edges.push_back(e);
  }
  return working;
}

std::int32_t WorkingGraph::other_end(std::int32_t e, std::int32_t v) const {
  return edge(e).from == v ? edge(e).to : edge(e).from;
}

TableView WorkingGraph::view(std::int32_t e, std::int32_t v) const {
  const WorkingEdge& seen = edge(e);
  const std::size_t rows = strategies(seen.from), columns = strategies(seen.to);
  if (seen.from == v) return {seen.costs->data(), rows, columns, columns, 1};
  return {seen.costs->data(), columns, rows, 1, columns};
}

void WorkingGraph::keep_strategies(std::int32_t v, const std::vector<bool>& keep) {
  WorkingNode& kept = node(v);
  const auto filter = [&keep](auto& values) {
    std::size_t count = 0;
    for (std::size_t s = 0; s < keep.size(); ++s) {
      if (keep[s]) values[count++] = values[s];
    }
    values.resize(count);
  };
  for (const std::int32_t e : kept.edges) shrink_table(e, v, keep);
  filter(kept.costs);
  filter(kept.labels);
  for (WorkingPiece& piece : kept.memory) filter(piece.usage);
  touch_around(v);
  if (kept.costs.empty()) {
    infeasible_because = "node " + std::to_string(v) + " has no strategy left";
    return;
  }
  add_costs(v, Costs(kept.costs.size(), 0));
}

void WorkingGraph::shrink_table(std::int32_t e, std::int32_t v, const std::vector<bool>& keep) {
  const WorkingEdge& shrunk = edge(e);
  const std::size_t columns = strategies(shrunk.to);
  auto table = std::make_shared<Costs>();
  for (std::size_t i = 0; i < shrunk.costs->size(); ++i) {
    if (keep[shrunk.from == v ? i / columns : i % columns]) table->push_back((*shrunk.costs)[i]);
  }
  if (!table->empty()) constant += normalise(*table, kForbidden - 1);
  edge(e).costs = std::move(table);
}

void WorkingGraph::add_table(std::int32_t u, std::int32_t v, Costs table) {
  const std::int32_t found = find_edge(u, v);
  if (found >= 0) {
    const TableView old = view(found, u);
    for (std::size_t i = 0; i < table.size(); ++i) {
      table[i] = add_cost(table[i], old.at(i / old.columns, i % old.columns));
    }
    edge(found).from = u;
    edge(found).to = v;
  }
  constant += normalise(table, kForbidden - 1);
  auto shared = std::make_shared<const Costs>(std::move(table));
  if (found >= 0) {
    edge(found).costs = std::move(shared);
  } else {
    node(u).edges.push_back(static_cast<std::int32_t>(edges.size()));
    node(v).edges.push_back(static_cast<std::int32_t>(edges.size()));
    edges.push_back({u, v, std::move(shared)});
  }
  node(u).touched = node(v).touched = true;
}

void WorkingGraph::add_costs(std::int32_t v, const Costs& costs) {
  WorkingNode& paying = node(v);
  for (std::size_t s = 0; s < costs.size(); ++s)
    paying.costs[s] = add_cost(paying.costs[s], costs[s]);
  constant += normalise(paying.costs, kForbidden - 1);
  paying.touched = true;
}

void WorkingGraph::remove_edge(std::int32_t e) {
  detach(e, edge(e).from);
  detach(e, edge(e).to);
  edge(e).alive = false;
  edge(e).costs.reset();
}

void WorkingGraph::remove_node(std::int32_t v, Extension extension) {
  touch_around(v);
  while (!node(v).edges.empty()) remove_edge(node(v).edges.back());
  node(v).alive = false;
  extensions.push_back(std::move(extension));
}

void WorkingGraph::touch_around(std::int32_t v) {
  node(v).touched = true;
  for (const std::int32_t e : node(v).edges) node(other_end(e, v)).touched = true;
}

std::size_t WorkingGraph::alive_nodes() const {
  return static_cast<std::size_t>(
      std::count_if(nodes.begin(), nodes.end(), [](const WorkingNode& n) { return n.alive; }));
}

std::size_t WorkingGraph::alive_edges() const {
  return static_cast<std::size_t>(
      std::count_if(edges.begin(), edges.end(), [](const WorkingEdge& e) { return e.alive; }));
}

std::vector<std::int32_t> WorkingGraph::extend(std::vector<std::int32_t> labels) const {
  for (auto step = extensions.rbegin(); step != extensions.rend(); ++step) {
    std::size_t index = 0;
    if (!step->parents.empty())
      index = static_cast<std::size_t>(labels[static_cast<std::size_t>(step->parents[0])]);
    if (step->parents.size() == 2) {
      index = index * step->columns +
              static_cast<std::size_t>(labels[static_cast<std::size_t>(step->parents[1])]);
    }
    labels[static_cast<std::size_t>(step->node)] = step->choice[index];
  }
  return labels;
}

std::int32_t WorkingGraph::find_edge(std::int32_t u, std::int32_t v) const {
  const bool swap = node(u).edges.size() > node(v).edges.size();
  const std::int32_t few = swap ? v : u, many = swap ? u : v;
  for (const std::int32_t e : node(few).edges) {
    if (other_end(e, few) == many) return e;
  }
  return -1;
}

void WorkingGraph::detach(std::int32_t e, std::int32_t v) {
  std::vector<std::int32_t>& incident = node(v).edges;
  const auto place = std::find(incident.rbegin(), incident.rend(), e);
  *place = incident.back();
  incident.pop_back();
}

Extension depends_on(const WorkingGraph& graph, std::int32_t v, std::vector<std::int32_t> parents) {
  Extension extension;
  extension.node = v;
  std::size_t size = 1;
  for (const std::int32_t parent : parents) size *= graph.label_count(parent);
  if (parents.size() == 2) extension.columns = graph.label_count(parents[1]);
  extension.parents = std::move(parents);
  extension.choice.assign(size, -1);
  return extension;
}

}  // namespace autoshard::internal
