// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <queue>
#include <string_view>
#include <unordered_map>

#include "base/errors.hpp"
#include "base/try.hpp"
#include "io/graph_json_source.hpp"

namespace autoshard::internal {
namespace {

/// All names that an operator reads, and those that its body reads.
void collect_names(const OperatorSource& source, std::vector<std::string_view>& names) {
  names.insert(names.end(), source.operands.begin(), source.operands.end());
  if (source.body == nullptr) return;
  for (const OperatorSource& inner : source.body->operators) collect_names(inner, names);
  names.insert(names.end(), source.body->results.begin(), source.body->results.end());
}

/// Kahn's algorithm; of the operators that are ready, the first in the text comes first.
class Order {
 public:
  explicit Order(const RegionSource& region)
      : region_(region), before_(region.operators.size()), after_(region.operators.size()) {}

  Result<std::vector<std::size_t>> compute() {
    AUTOSHARD_CHECK_OK(find_producers());
    find_dependencies();
    place_all();
    if (order_.size() < region_.operators.size()) return cycle_error();
    return order_;
  }

 private:
  Result<void> find_producers() {
    for (std::size_t i = 0; i < region_.operators.size(); ++i) {
      for (std::string& name : result_names(region_.operators[i])) {
        if (producers_.contains(name)) {
          return invalid("operator '{}': the name '{}' is used twice",
                         region_.operators[i].spec.name, name);
        }
        producers_.emplace(std::move(name), i);
      }
    }
    return {};
  }

  /// A name without a producer here is an argument, a tensor of a region around, or unknown.
  void find_dependencies() {
    std::vector<std::string_view> names;
    for (std::size_t i = 0; i < region_.operators.size(); ++i) {
      names.clear();
      collect_names(region_.operators[i], names);
      for (const std::string_view name : names) {
        const auto found = producers_.find(std::string(name));
        if (found == producers_.end()) continue;
        before_[i].push_back(found->second);
        after_[found->second].push_back(i);
      }
    }
  }

  void place_all() {
    std::vector<std::size_t> waits_for;
    std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>> ready;
    for (std::size_t i = 0; i < before_.size(); ++i) {
      waits_for.push_back(before_[i].size());
      if (before_[i].empty()) ready.push(i);
    }
    while (!ready.empty()) {
      const std::size_t placed = ready.top();
      ready.pop();
      order_.push_back(placed);
      for (const std::size_t user : after_[placed]) {
        if (--waits_for[user] == 0) ready.push(user);
      }
    }
  }

  /// Every operator that is left waits for another that is left; so walking back meets a cycle.
  Error cycle_error() const {
    std::vector<bool> left(before_.size(), true);
    for (const std::size_t placed : order_) left[placed] = false;
    const auto is_left = [&](std::size_t i) { return left[i]; };
    std::vector<std::size_t> walk = {
        static_cast<std::size_t>(std::ranges::find(left, true) - left.begin())};
    while (true) {
      const std::size_t next = *std::ranges::find_if(before_[walk.back()], is_left);
      const auto seen = std::ranges::find(walk, next);
      if (seen != walk.end()) return name_cycle({seen, walk.end()});
      walk.push_back(next);
    }
  }

  /// `cycle` runs from user to producer; the message runs along the data, from the first in the
  /// text.
  Error name_cycle(std::vector<std::size_t> cycle) const {
    constexpr std::size_t kNamed = 20;
    const std::size_t length = cycle.size();
    std::ranges::reverse(cycle);
    std::ranges::rotate(cycle, std::ranges::min_element(cycle));
    cycle.resize(std::min(length, kNamed));
    std::vector<std::string> names;
    for (const std::size_t i : cycle) {
      names.push_back(fmt::format("'{}'", region_.operators[i].spec.name));
    }
    if (length > kNamed) names.push_back(fmt::format("({} more)", length - kNamed));
    return invalid("operators {} form a cycle", fmt::join(names, ", "));
  }

  const RegionSource& region_;
  std::unordered_map<std::string, std::size_t> producers_;
  std::vector<std::vector<std::size_t>> before_;  ///< by operator: the ones it uses
  std::vector<std::vector<std::size_t>> after_;   ///< by operator: the ones that use it
  std::vector<std::size_t> order_;
};

}  // namespace

Result<std::vector<std::size_t>> topological_order(const RegionSource& region) {
  return Order(region).compute();
}

}  // namespace autoshard::internal
