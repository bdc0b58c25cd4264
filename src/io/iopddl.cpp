// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "io/iopddl.hpp"

#include "base/errors.hpp"
#include "base/try.hpp"
#include "io/json_scanner.hpp"
#include "io/read_file.hpp"

namespace autoshard::internal {
namespace {

constexpr std::int64_t kContestInfinity = 1'000'000'000'000'000'000;

using Numbers = std::vector<std::int64_t>;

class IopddlReader {
 public:
  IopddlReader(std::string_view text, const IopddlOptions& options)
      : scanner_(text), options_(options) {}

  Result<CostGraph> run() {
    const bool read = scanner_.object([this](const std::string& key) {
      if (key != "problem") return scanner_.skip_value();
      found_ = true;
      return read_problem();
    });
    if (read && !scanner_.at_end()) scanner_.fail("text after the problem");
    if (scanner_.failed()) return scanner_.error();
    if (!found_) return invalid("there is no key 'problem'");
    return assemble();
  }

 private:
  bool read_problem() {
    return scanner_.object([this](const std::string& key) {
      if (key == "name") return scanner_.read_string(graph_.name);
      if (key == "nodes") return read_nodes();
      if (key == "edges") return read_edges();
      if (key == "usage_limit") return scanner_.read_int(graph_.usage_limit.emplace());
      return scanner_.skip_value();
    });
  }

  bool read_nodes() {
    return scanner_.object([this](const std::string& key) {
      if (key == "intervals") return read_lists("node", intervals_);
      if (key == "costs") return read_lists("node", costs_);
      if (key == "usages") return read_lists("node", usages_);
      return scanner_.skip_value();
    });
  }

  bool read_edges() {
    return scanner_.object([this](const std::string& key) {
      if (key == "nodes") return read_lists("edge", ends_);
      if (key == "costs") return read_lists("edge", tables_);
      return scanner_.skip_value();
    });
  }

  bool read_lists(const char* subject, std::vector<Numbers>& lists) {
    lists.clear();
    const bool read = scanner_.list([&] {
      scanner_.set_subject(fmt::format("{} {}", subject, lists.size()));
      Numbers& numbers = lists.emplace_back();
      return scanner_.list([&] { return scanner_.read_int(numbers.emplace_back()); });
    });
    if (read) scanner_.set_subject("");
    return read;
  }

  Result<CostGraph> assemble() {
    if (intervals_.size() != costs_.size() || usages_.size() != costs_.size()) {
      return invalid("nodes: {} intervals, {} costs, {} usages", intervals_.size(), costs_.size(),
                     usages_.size());
    }
    if (ends_.size() != tables_.size())
      return invalid("edges: {} pairs of nodes, {} costs", ends_.size(), tables_.size());
    for (std::size_t v = 0; v < costs_.size(); ++v) AUTOSHARD_CHECK_OK(add_node(v));
    for (std::size_t e = 0; e < ends_.size(); ++e) AUTOSHARD_CHECK_OK(add_edge(e));
    AUTOSHARD_CHECK_OK(validate(graph_));
    return std::move(graph_);
  }

  Result<void> add_node(std::size_t v) {
    if (intervals_[v].size() != 2)
      return invalid("node {}: its interval has {} numbers, expected 2", v, intervals_[v].size());
    if (usages_[v].size() != costs_[v].size()) {
      return invalid("node {}: {} usages for {} strategies", v, usages_[v].size(),
                     costs_[v].size());
    }
    CostNode& node = graph_.nodes.emplace_back();
    node.costs = forbid(std::move(costs_[v]));
    // An interval that is empty, whichever way round, holds no memory.
    if (intervals_[v][0] < intervals_[v][1])
      node.memory.push_back({intervals_[v][0], intervals_[v][1], std::move(usages_[v])});
    return {};
  }

  Result<void> add_edge(std::size_t e) {
    const Numbers& ends = ends_[e];
    if (ends.size() != 2) return invalid("edge {}: joins {} nodes, expected 2", e, ends.size());
    const auto count = static_cast<std::int64_t>(costs_.size());
    for (const std::int64_t end : ends) {
      if (end < 0 || end >= count)
        return invalid("edge {}: node {} is not in [0, {})", e, end, count);
    }
    auto table = std::make_shared<const Numbers>(forbid(std::move(tables_[e])));
    graph_.edges.push_back(
        {static_cast<std::int32_t>(ends[0]), static_cast<std::int32_t>(ends[1]), std::move(table)});
    return {};
  }

  Numbers forbid(Numbers costs) const {
    if (options_.literal_infinity) return costs;
    for (std::int64_t& cost : costs) {
      if (cost == kContestInfinity) cost = kForbidden;
    }
    return costs;
  }

  JsonScanner scanner_;
  const IopddlOptions& options_;
  CostGraph graph_;
  bool found_ = false;
  std::vector<Numbers> intervals_, costs_, usages_, ends_, tables_;
};

}  // namespace

Result<CostGraph> parse_iopddl(std::string_view text, const IopddlOptions& options) {
  return guarded([&]() -> Result<CostGraph> { return IopddlReader(text, options).run(); });
}

Result<CostGraph> load_iopddl(const std::string& path, const IopddlOptions& options) {
  AUTOSHARD_TRY(const std::string text, read_text_file(path));
  Result<CostGraph> graph = parse_iopddl(text, options);
  if (!graph.ok())
    return Error{graph.error().code, fmt::format("file '{}': {}", path, graph.error().message)};
  return graph;
}

}  // namespace autoshard::internal
