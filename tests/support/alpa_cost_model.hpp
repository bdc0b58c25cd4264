// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// The prices with which Alpa (OSDI 2022) published the objectives of its own tests: alpha-beta per
// mesh axis, a small constant per kind of collective that breaks ties, and nothing for computation
// but a penalty P on replicated weights. One unit of theirs is a microsecond here, so that all
// their digits are whole picoseconds.
#pragma once

#include <vector>

#include "autoshard/cost_model.hpp"

namespace autoshard::test {

struct AlpaAxis {
  std::int64_t size = 1;
  double alpha = 1;
  double beta = 1;
  bool gathers = true;  ///< otherwise neither all-gather nor all-to-all, as Alpa forces plans
};

class AlpaCostModel : public CostModel {
 public:
  /// One or two axes, as in the mesh. Two of size > 1 have no all-to-all, as in Alpa.
  explicit AlpaCostModel(std::vector<AlpaAxis> axes);

  /// An argument that is a parameter or optimizer state and wholly replicated costs P. A product
  /// has to be split over all devices: Alpa has no strategy that repeats one.
  double operator_seconds(const OperatorWork& work) const override;
  double collective_seconds(const Collective& collective) const override;

  // Alpa's own functions, in its units; `bytes` is the whole tensor of a group.
  double all_reduce(double bytes, std::size_t axis) const;
  double all_gather(double bytes, std::size_t axis) const;
  double all_to_all(double bytes, std::size_t axis) const;
  /// P = floor(AR(1, 0) + AR(1, 1)) as its tests have it.
  double replicated_penalty() const;

 private:
  std::int64_t devices() const;
  double over_axes(const Collective& collective) const;
  double transfer(double bytes, std::size_t axis) const;

  std::vector<AlpaAxis> axes_;
};

/// Seconds of Alpa's units.
double alpa_seconds(double units);

}  // namespace autoshard::test
