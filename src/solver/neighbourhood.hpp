// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// Large-neighbourhood search: a random connected region is chosen anew, all at once, by exact
// elimination at prices; where memory breaks, the price of the worst time rises and the region is
// solved again. Region size and table limit follow what has paid off per unit of work.
#pragma once

#include <vector>

#include "solver/local_state.hpp"
#include "solver/random.hpp"

namespace autoshard::internal {

class Neighbourhoods {
 public:
  Neighbourhoods(const Core& core, std::uint64_t seed);

  /// One attempt on a state that fits. The state never gets worse and always fits afterwards.
  /// Returns the gain; `prices` are the dual's.
  double attempt(LocalState& state, const std::vector<double>& prices);
  std::uint64_t take_work();

 private:
  /// A way to choose regions, with its record.
  struct Arm {
    std::size_t nodes = 0, table_entries = 0;
    double gain = 0, work = 1;
  };

  Arm& choose_arm();
  std::vector<std::int32_t> grow_region(const LocalState& state, std::size_t count);
  std::size_t tight_time(const LocalState& state);
  bool include(std::size_t v, std::vector<std::int32_t>& region);
  void add_live_nodes(std::size_t t, std::size_t count, std::vector<std::int32_t>& region);

  const Core& core_;
  Random random_;
  std::vector<Arm> arms_;
  std::vector<std::uint32_t> marks_;
  std::uint32_t mark_ = 0;
  std::uint64_t work_ = 0;
};

}  // namespace autoshard::internal
