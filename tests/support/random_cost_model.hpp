// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// Prices without reason, so that a planner answers with plans of every kind: heavy on splitting,
// and different for each kind of operator, shard count and seed. The same question gets the same
// price.
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <string_view>

#include "autoshard/cost_model.hpp"

namespace autoshard::test {

class RandomCostModel : public CostModel {
 public:
  explicit RandomCostModel(std::uint64_t seed) : seed_(seed) {}

  double operator_seconds(const OperatorWork& work) const override {
    const std::uint64_t key = std::hash<std::string_view>{}(work.kind) ^
                              static_cast<std::uint64_t>(work.shards) * 0x9e3779b97f4a7c15u ^
                              static_cast<std::uint64_t>(work.flops + work.memory_bytes);
    return 1e-3 * noise(key) / static_cast<double>(work.shards * work.shards);
  }

  double collective_seconds(const Collective& collective) const override {
    std::uint64_t key = static_cast<std::uint64_t>(collective.kind) + 17;
    for (const AxisRef& part : collective.axes) {
      key = key * 31 + static_cast<std::uint64_t>(part.axis);
    }
    return 1e-7 + 1e-5 * noise(key * 131 + static_cast<std::uint64_t>(collective.split_dim));
  }

 private:
  /// Uniform in (0, 1].
  double noise(std::uint64_t key) const {
    std::uint64_t x = key + seed_ * 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return (static_cast<double>((x ^ (x >> 31)) >> 11) + 1) / 9007199254740992.0;
  }

  std::uint64_t seed_;
};

}  // namespace autoshard::test
