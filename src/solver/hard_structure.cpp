// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// Rules about what is forbidden and about edges that carry no real choice: arc consistency,
// contraction of hard edges, folding of separable edges.
#include <algorithm>
#include <optional>

#include "solver/simplify.hpp"

namespace autoshard::internal {
namespace {

using Costs = std::vector<std::int64_t>;

bool row_has_partner(const TableView& table, std::size_t row) {
  for (std::size_t j = 0; j < table.columns; ++j) {
    if (table.at(row, j) != kForbidden) return true;
  }
  return false;
}

std::vector<bool> supported(const WorkingGraph& graph, std::int32_t v) {
  const WorkingNode& node = graph.node(v);
  std::vector<bool> keep(node.costs.size());
  for (std::size_t s = 0; s < keep.size(); ++s) keep[s] = node.costs[s] != kForbidden;
  for (const std::int32_t e : node.edges) {
    const TableView table = graph.view(e, v);
    for (std::size_t s = 0; s < keep.size(); ++s) {
      if (keep[s] && !row_has_partner(table, s)) keep[s] = false;
    }
  }
  return keep;
}

/// Index of the only allowed partner of each row; nothing if some row has another number of them.
std::optional<std::vector<std::size_t>> only_partners(const TableView& table) {
  std::vector<std::size_t> partners(table.rows);
  for (std::size_t i = 0; i < table.rows; ++i) {
    std::size_t count = 0;
    for (std::size_t j = 0; j < table.columns && count < 2; ++j) {
      if (table.at(i, j) == kForbidden) continue;
      partners[i] = j;
      ++count;
    }
    if (count != 1) return std::nullopt;
  }
  return partners;
}

bool is_separable(const TableView& table) {
  const std::int64_t corner = table.at(0, 0);
  for (std::size_t i = 0; i < table.rows; ++i) {
    for (std::size_t j = 0; j < table.columns; ++j) {
      const std::int64_t row = table.at(i, 0), column = table.at(0, j), cost = table.at(i, j);
      if (row == kForbidden || column == kForbidden || cost == kForbidden) return false;
      if (cost - row != column - corner) return false;
    }
  }
  return true;
}

void fold(WorkingGraph& graph, std::int32_t e) {
  const std::int32_t u = graph.edge(e).from, v = graph.edge(e).to;
  const TableView table = graph.view(e, u);
  Costs rows(table.rows), columns(table.columns);
  for (std::size_t i = 0; i < table.rows; ++i) rows[i] = table.at(i, 0);
  for (std::size_t j = 0; j < table.columns; ++j) columns[j] = table.at(0, j) - table.at(0, 0);
  graph.remove_edge(e);
  graph.add_costs(u, rows);
  graph.add_costs(v, columns);
}

Costs gather_rows(const TableView& table, const std::vector<std::size_t>& rows) {
  Costs gathered;
  gathered.reserve(rows.size() * table.columns);
  for (const std::size_t row : rows) {
    for (std::size_t j = 0; j < table.columns; ++j) gathered.push_back(table.at(row, j));
  }
  return gathered;
}

void move_memory(WorkingNode& from, WorkingNode& to, const std::vector<std::size_t>& partners) {
  for (const WorkingPiece& piece : from.memory) {
    WorkingPiece& moved = to.memory.emplace_back(WorkingPiece{piece.begin, piece.end, {}});
    for (const std::size_t partner : partners) moved.usage.push_back(piece.usage[partner]);
  }
}

/// Makes w a part of v: strategy s of v stands for partners[s] of w as well.
void absorb(WorkingGraph& graph, std::int32_t v, std::int32_t tie,
            const std::vector<std::size_t>& partners) {
  const std::int32_t w = graph.other_end(tie, v);
  const TableView tied = graph.view(tie, v);
  Costs added(partners.size());
  Extension extension = depends_on(graph, w, {v});
  for (std::size_t s = 0; s < partners.size(); ++s) {
    added[s] = add_cost(tied.at(s, partners[s]), graph.node(w).costs[partners[s]]);
    extension.choice[static_cast<std::size_t>(graph.node(v).labels[s])] =
        graph.node(w).labels[partners[s]];
  }
  graph.remove_edge(tie);
  const std::vector<std::int32_t> moved = graph.node(w).edges;
  for (const std::int32_t e : moved) {
    graph.add_table(v, graph.other_end(e, w), gather_rows(graph.view(e, w), partners));
  }
  move_memory(graph.node(w), graph.node(v), partners);
  graph.remove_node(w, std::move(extension));
  graph.add_costs(v, added);
}

/// Merges the ends of an edge when the choice of one decides the other.
bool contract(WorkingGraph& graph, std::int32_t v, std::int32_t e) {
  const std::int32_t w = graph.other_end(e, v);
  const std::optional<std::vector<std::size_t>> partners = only_partners(graph.view(e, v));
  if (!partners) return false;
  // The node with more edges stays when either may be absorbed: fewer tables move.
  const bool prefer_other = graph.node(w).edges.size() > graph.node(v).edges.size();
  const auto reverse = prefer_other ? only_partners(graph.view(e, w)) : std::nullopt;
  if (reverse) {
    absorb(graph, w, e, *reverse);
  } else {
    absorb(graph, v, e, *partners);
  }
  return true;
}

}  // namespace

bool drop_unsupported(WorkingGraph& graph, std::int32_t v) {
  const std::vector<bool> keep = supported(graph, v);
  if (std::find(keep.begin(), keep.end(), false) == keep.end()) return false;
  graph.keep_strategies(v, keep);
  return true;
}

bool fold_separable(WorkingGraph& graph, std::int32_t v) {
  const std::vector<std::int32_t> incident = graph.node(v).edges;
  bool changed = false;
  for (const std::int32_t e : incident) {
    if (!is_separable(graph.view(e, v))) continue;
    fold(graph, e);
    changed = true;
  }
  return changed;
}

bool contract_hard_edges(WorkingGraph& graph, std::int32_t v) {
  bool changed = false;
  // All of them in one go: going back to the other rules after each would be quadratic at hubs.
  for (std::size_t i = 0; graph.node(v).alive && i < graph.node(v).edges.size();) {
    if (contract(graph, v, graph.node(v).edges[i])) {
      changed = true;
    } else {
      ++i;
    }
  }
  return changed;
}

}  // namespace autoshard::internal
