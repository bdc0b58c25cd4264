// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// One solve from the door to the result: the graph as given, what is left of it, what may still
// be spent, the best answer and the best bound so far. It does not search.
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "solver/budget.hpp"
#include "solver/core.hpp"
#include "solver/simplify.hpp"

namespace autoshard::internal {

class Session {
 public:
  Session(const CostGraph& graph, const SolveOptions& options);

  const SolveOptions& options() const { return options_; }
  Budget& budget() { return budget_; }
  const Core& core() const { return *core_; }
  bool has_core() const { return core_ != nullptr; }
  WorkingGraph& reduced() { return reduced_; }

  /// Runs a phase unless the solve is over: names it and times it.
  template <class Body>
  void phase(std::string_view name, Body&& body) {
    if (over()) return;
    const double start = budget_.seconds();
    phase_ = name;
    body(*this);
    phases_.push_back({std::string(name), budget_.seconds() - start});
    budget_.look();
    report();
  }

  /// Proven, infeasible, close enough, or nothing left to spend.
  bool over() const;
  bool proven() const;

  void simplify_graph();
  /// A core assignment within the memory limit; kept when it is the best so far.
  void offer(const std::vector<std::int32_t>& x);
  /// A certified lower bound on the core cost (without the constant).
  void raise_bound(Int128 core_bound);
  void prove_infeasible(std::string reason);

  /// Core assignment; empty when there is none.
  const std::vector<std::int32_t>& best() const { return best_; }
  bool has_answer() const { return answered_; }
  /// Core costs, without the constant; infinite where there is none.
  double upper() const { return upper_; }
  double lower() const;
  void report();

  /// Prices that one phase leaves to the next on the same core.
  void keep_prices(std::vector<double> prices) { prices_ = std::move(prices); }
  const std::vector<double>& prices() const { return prices_; }

  SolveResult finish();

 private:
  void settle(SolveResult& result) const;
  void describe_end(SolveResult& result) const;

  const CostGraph& graph_;
  const SolveOptions& options_;
  Budget budget_;
  WorkingGraph reduced_;
  std::unique_ptr<Core> core_;
  std::vector<std::int32_t> best_;
  std::vector<std::int32_t> best_original_;
  double upper_;
  bool answered_ = false;
  std::optional<Int128> bound_;  ///< constant included
  std::string_view phase_;
  std::vector<PhaseTime> phases_;
  std::vector<double> prices_;
};

}  // namespace autoshard::internal
