// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// Which strategies branching still allows, with a trail to go back, and propagation of memory and
// of forbidden pairs. It computes no bounds.
#pragma once

#include <vector>

#include "solver/core.hpp"
#include "solver/range_minimum.hpp"

namespace autoshard::internal {

class Domains {
 public:
  struct Choice {
    std::size_t node = 0, strategy = 0;
  };

  explicit Domains(const Core& core);

  std::size_t mark() const { return trail_.size(); }
  void undo_to(std::size_t mark);

  void take(Choice choice);
  void remove(Choice choice);
  /// Removes all strategies whose amount passes `allowed`; true when there was one.
  bool remove_above(const std::vector<std::int64_t>& amounts, Int128 allowed);
  /// Removes what cannot fit in memory any more; false when some node or time has nothing left.
  bool propagate();

  bool decided() const { return open_ == 0; }
  std::vector<std::int32_t> assignment() const;  ///< the first allowed strategies
  void set_penalties(std::vector<double>& penalties, double penalty) const;
  /// A node that is still open, and its most promising strategy. Not to be called when decided().
  Choice branching_choice(const std::vector<std::int64_t>& reduced,
                          const std::vector<std::int32_t>& preferred) const;

 private:
  void drop(std::size_t v, std::size_t i);
  bool propagate_memory(bool& changed);
  std::int64_t least_usage(std::size_t v, const CorePiece& piece) const;
  bool drop_oversized(std::size_t v, const CorePiece& piece, const RangeMinimum& room);

  const Core& core_;
  std::vector<std::uint8_t> allowed_;  // not vector<bool>: read in the innermost loops
  std::vector<std::size_t> counts_;
  std::vector<Choice> trail_;
  std::size_t open_ = 0, empty_ = 0;
};

}  // namespace autoshard::internal
