// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// Compression of time: from all instants down to the few at which memory can bind. Usage that a
// node holds under every strategy is moved into the capacity first, so that pieces describe only
// what a choice changes.
#include <algorithm>

#include "solver/range_minimum.hpp"
#include "solver/simplify.hpp"

namespace autoshard::internal {
namespace {

using Usage = std::vector<std::int64_t>;

/// Rows add up on [begin, end): collected as differences, read by a prefix sum.
class RangeSums {
 public:
  explicit RangeSums(std::size_t times) : differences_(times + 1, 0) {}
  void add(std::int32_t begin, std::int32_t end, std::int64_t amount) {
    differences_[static_cast<std::size_t>(begin)] += amount;
    differences_[static_cast<std::size_t>(end)] -= amount;
  }
  Usage totals() const {
    Usage totals(differences_.size() - 1);
    std::int64_t level = 0;
    for (std::size_t t = 0; t < totals.size(); ++t) totals[t] = level += differences_[t];
    return totals;
  }

 private:
  Usage differences_;
};

struct Event {
  std::int32_t time = 0;
  std::size_t piece = 0;
  std::int64_t sign = 1;
};

void append_piece(std::vector<WorkingPiece>& pieces, WorkingPiece piece) {
  if (std::all_of(piece.usage.begin(), piece.usage.end(), [](std::int64_t u) { return u == 0; }))
    return;
  if (!pieces.empty() && pieces.back().end == piece.begin && pieces.back().usage == piece.usage) {
    pieces.back().end = piece.end;
  } else {
    pieces.push_back(std::move(piece));
  }
}

/// Rewrites a node's pieces so that they are sorted, disjoint and as few as possible.
void make_disjoint(WorkingNode& node) {
  std::vector<Event> events;
  for (std::size_t i = 0; i < node.memory.size(); ++i) {
    events.push_back({node.memory[i].begin, i, 1});
    events.push_back({node.memory[i].end, i, -1});
  }
  std::sort(events.begin(), events.end(),
            [](const Event& a, const Event& b) { return a.time < b.time; });
  std::vector<WorkingPiece> pieces;
  Usage level(node.costs.size(), 0);
  for (std::size_t i = 0; i < events.size(); ++i) {
    const Usage& usage = node.memory[events[i].piece].usage;
    for (std::size_t s = 0; s < level.size(); ++s) level[s] += events[i].sign * usage[s];
    if (i + 1 == events.size() || events[i + 1].time == events[i].time) continue;
    append_piece(pieces, {events[i].time, events[i + 1].time, level});
  }
  node.memory = std::move(pieces);
}

/// Moves the least usage of every piece into the capacity.
void take_minimum(WorkingNode& node, RangeSums& taken) {
  std::vector<WorkingPiece> pieces;
  for (WorkingPiece& piece : node.memory) {
    const std::int64_t least = *std::min_element(piece.usage.begin(), piece.usage.end());
    taken.add(piece.begin, piece.end, least);
    for (std::int64_t& usage : piece.usage) usage -= least;
    append_piece(pieces, std::move(piece));
  }
  node.memory = std::move(pieces);
}

template <class Visit>
void for_each_alive(WorkingGraph& graph, Visit&& visit) {
  for (std::size_t v = 0; v < graph.nodes.size(); ++v) {
    if (graph.nodes[v].alive) visit(static_cast<std::int32_t>(v), graph.nodes[v]);
  }
}

void settle_minimum(WorkingGraph& graph) {
  RangeSums taken(graph.capacity.size());
  for_each_alive(graph, [&](std::int32_t, WorkingNode& node) {
    make_disjoint(node);
    take_minimum(node, taken);
  });
  const Usage totals = taken.totals();
  for (std::size_t t = 0; t < totals.size(); ++t) {
    graph.capacity[t] -= totals[t];
    if (graph.capacity[t] < 0 && !graph.infeasible()) {
      graph.infeasible_because =
          "at time " + std::to_string(graph.times[t]) + " even the least usage passes the limit";
    }
  }
}

bool drop_oversized(WorkingGraph& graph) {
  if (graph.capacity.empty()) return false;
  const RangeMinimum capacity(graph.capacity);
  bool changed = false;
  for_each_alive(graph, [&](std::int32_t v, WorkingNode& node) {
    std::vector<bool> keep(node.costs.size(), true);
    for (const WorkingPiece& piece : node.memory) {
      const std::int64_t room = capacity.over(piece.begin, piece.end);
      for (std::size_t s = 0; s < keep.size(); ++s) keep[s] = keep[s] && piece.usage[s] <= room;
    }
    if (std::find(keep.begin(), keep.end(), false) == keep.end()) return;
    graph.keep_strategies(v, keep);
    changed = true;
  });
  return changed;
}

/// Renumbers time to the instants that are kept.
void keep_times(WorkingGraph& graph, const std::vector<bool>& keep) {
  std::vector<std::int32_t> rank(keep.size() + 1, 0);
  for (std::size_t t = 0; t < keep.size(); ++t) {
    const auto from = t, to = static_cast<std::size_t>(rank[t]);
    rank[t + 1] = rank[t] + (keep[t] ? 1 : 0);
    if (!keep[t]) continue;
    graph.capacity[to] = graph.capacity[from];
    graph.times[to] = graph.times[from];
  }
  graph.capacity.resize(static_cast<std::size_t>(rank.back()));
  graph.times.resize(graph.capacity.size());
  for_each_alive(graph, [&](std::int32_t, WorkingNode& node) {
    std::vector<WorkingPiece> pieces;
    for (WorkingPiece& piece : node.memory) {
      piece.begin = rank[static_cast<std::size_t>(piece.begin)];
      piece.end = rank[static_cast<std::size_t>(piece.end)];
      if (piece.begin < piece.end) append_piece(pieces, std::move(piece));
    }
    node.touched = node.touched || pieces.size() < node.memory.size();
    node.memory = std::move(pieces);
  });
}

std::vector<bool> times_that_can_bind(WorkingGraph& graph) {
  RangeSums largest(graph.capacity.size());
  for_each_alive(graph, [&](std::int32_t, WorkingNode& node) {
    for (const WorkingPiece& piece : node.memory) {
      largest.add(piece.begin, piece.end,
                  *std::max_element(piece.usage.begin(), piece.usage.end()));
    }
  });
  const Usage totals = largest.totals();
  std::vector<bool> keep(totals.size());
  for (std::size_t t = 0; t < totals.size(); ++t) keep[t] = totals[t] > graph.capacity[t];
  return keep;
}

/// For each boundary t | t+1: may usage fall, may it rise, when time crosses it?
struct Crossing {
  std::vector<bool> falls, rises;
};

void compare(const Usage& before, const Usage& after, std::size_t boundary, Crossing& crossing) {
  for (std::size_t s = 0; s < before.size(); ++s) {
    if (before[s] > after[s]) crossing.falls[boundary] = true;
    if (before[s] < after[s]) crossing.rises[boundary] = true;
  }
}

Crossing crossings(WorkingGraph& graph) {
  const std::size_t times = graph.capacity.size();
  Crossing crossing{std::vector<bool>(times + 1), std::vector<bool>(times + 1)};
  for_each_alive(graph, [&](std::int32_t, WorkingNode& node) {
    const Usage nothing(node.costs.size(), 0);
    for (std::size_t i = 0; i < node.memory.size(); ++i) {
      const WorkingPiece& piece = node.memory[i];
      const bool joined = i > 0 && node.memory[i - 1].end == piece.begin;
      compare(joined ? node.memory[i - 1].usage : nothing, piece.usage,
              static_cast<std::size_t>(piece.begin), crossing);
      const bool continued = i + 1 < node.memory.size() && node.memory[i + 1].begin == piece.end;
      if (!continued) compare(piece.usage, nothing, static_cast<std::size_t>(piece.end), crossing);
    }
  });
  return crossing;
}

/// A time goes when a neighbour has at least its usage, whatever is chosen, and no more capacity.
std::vector<bool> times_not_implied(WorkingGraph& graph) {
  const Crossing crossing = crossings(graph);
  const std::size_t times = graph.capacity.size();
  const auto implied_by_next = [&](std::size_t t) {
    return t + 1 < times && !crossing.falls[t + 1] && graph.capacity[t] >= graph.capacity[t + 1];
  };
  const auto implied_by_last = [&](std::size_t t) {
    return t > 0 && !crossing.rises[t] && graph.capacity[t] >= graph.capacity[t - 1];
  };
  std::vector<bool> keep(times);
  for (std::size_t t = 0; t < times; ++t) {
    // Of two equal times the later one stays.
    const bool by_last = implied_by_last(t) && !implied_by_next(t - 1);
    keep[t] = !implied_by_next(t) && !by_last;
  }
  return keep;
}

bool all(const std::vector<bool>& flags) {
  return std::find(flags.begin(), flags.end(), false) == flags.end();
}

/// Where each original node went: the node that stands for it (or none) and its strategy there.
struct Place {
  std::int32_t node = -1;
  std::vector<std::int32_t> choice;  ///< by label of `node`; a single entry when there is none
};

std::vector<Place> find_places(const WorkingGraph& graph) {
  std::vector<Place> places(graph.nodes.size());
  for (std::size_t v = 0; v < places.size(); ++v) {
    if (!graph.nodes[v].alive) continue;
    places[v].node = static_cast<std::int32_t>(v);
    const std::size_t labels = graph.label_count(static_cast<std::int32_t>(v));
    for (std::size_t s = 0; s < labels; ++s)
      places[v].choice.push_back(static_cast<std::int32_t>(s));
  }
  for (auto step = graph.extensions.rbegin(); step != graph.extensions.rend(); ++step) {
    Place& place = places[static_cast<std::size_t>(step->node)];
    if (step->parents.empty()) {
      place.choice = step->choice;
      continue;
    }
    const Place& parent = places[static_cast<std::size_t>(step->parents[0])];
    place.node = parent.node;
    for (const std::int32_t label : parent.choice) {
      place.choice.push_back(label < 0 ? -1 : step->choice[static_cast<std::size_t>(label)]);
    }
  }
  return places;
}

std::vector<std::int64_t> boundaries(const CostGraph& given) {
  std::vector<std::int64_t> times;
  for (const CostNode& node : given.nodes) {
    for (const MemoryPiece& piece : node.memory) {
      if (piece.begin < piece.end) times.insert(times.end(), {piece.begin, piece.end});
    }
  }
  std::sort(times.begin(), times.end());
  times.erase(std::unique(times.begin(), times.end()), times.end());
  return times;
}

void place_piece(WorkingGraph& graph, const MemoryPiece& piece, const Place& place,
                 RangeSums& taken) {
  const auto index = [&graph](std::int64_t time) {
    return static_cast<std::int32_t>(
        std::lower_bound(graph.times.begin(), graph.times.end(), time) - graph.times.begin());
  };
  const std::int32_t begin = index(piece.begin), end = index(piece.end);
  if (place.node < 0) {
    taken.add(begin, end, piece.usage[static_cast<std::size_t>(place.choice[0])]);
    return;
  }
  WorkingNode& node = graph.node(place.node);
  WorkingPiece& placed = node.memory.emplace_back(WorkingPiece{begin, end, {}});
  for (const std::int32_t label : node.labels) {
    placed.usage.push_back(
        piece.usage[static_cast<std::size_t>(place.choice[static_cast<std::size_t>(label)])]);
  }
}

}  // namespace

void place_memory(WorkingGraph& graph, const CostGraph& given) {
  if (!given.usage_limit) return;
  graph.times = boundaries(given);
  graph.capacity.assign(graph.times.size(), *given.usage_limit);
  RangeSums taken(graph.times.size());
  const std::vector<Place> places = find_places(graph);
  for (std::size_t v = 0; v < given.nodes.size(); ++v) {
    for (const MemoryPiece& piece : given.nodes[v].memory) {
      if (piece.begin < piece.end) place_piece(graph, piece, places[v], taken);
    }
  }
  const Usage totals = taken.totals();
  for (std::size_t t = 0; t < totals.size(); ++t) graph.capacity[t] -= totals[t];
}

bool compress_time(WorkingGraph& graph) {
  settle_minimum(graph);
  if (graph.infeasible()) return false;
  if (drop_oversized(graph)) return true;
  bool changed = false;
  for (bool again = true; again;) {
    const std::vector<bool> binding = times_that_can_bind(graph);
    keep_times(graph, binding);
    const std::vector<bool> independent = times_not_implied(graph);
    keep_times(graph, independent);
    again = !all(binding) || !all(independent);
    changed = changed || again;
  }
  return changed;
}

}  // namespace autoshard::internal
