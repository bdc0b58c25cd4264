// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "solver/session.hpp"

#include <cmath>
#include <limits>

namespace autoshard::internal {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kExactTotal = 4503599627370496.0;  // 2^52: whole numbers are exact well beyond

}  // namespace

Session::Session(const CostGraph& graph, const SolveOptions& options)
    : graph_(graph), options_(options), budget_(options), upper_(kInfinity) {}

bool Session::over() const {
  if (budget_.spent() || reduced_.infeasible() || proven()) return true;
  if (!has_answer() || !bound_) return false;
  const double cost = upper_ + static_cast<double>(reduced_.constant);
  const double target = options_.gap_target.value_or(0);
  return target > 0 && cost - static_cast<double>(*bound_) <= target * std::abs(cost);
}

bool Session::proven() const {
  if (!has_answer() || !bound_) return false;
  return static_cast<Int128>(upper_) + reduced_.constant <= *bound_;
}

double Session::lower() const {
  return bound_ ? static_cast<double>(*bound_ - reduced_.constant) : 0;
}

void Session::simplify_graph() {
  reduced_ = simplify(graph_, budget_);
  if (reduced_.infeasible()) return;
  core_ = std::make_unique<Core>(reduced_);
  raise_bound(0);  // every table of the core has minimum 0
  if (core_->size() == 0) offer({});
}

void Session::offer(const std::vector<std::int32_t>& x) {
  const double cost = core_->cost(x);
  if (cost >= upper_) return;
  const std::vector<std::int32_t> candidate =
      reduced_.extend(core_->labels(x, graph_.nodes.size()));
  // The referee decides; core costs above this are clipped or forbidden and say nothing.
  if (cost >= core_->forbidden) {
    const Result<Evaluation> verdict = evaluate(graph_, candidate);
    if (!verdict.ok() || !verdict->legal()) return;
  }
  upper_ = cost;
  answered_ = true;
  best_ = x;
  best_original_ = candidate;
  report();
}

void Session::raise_bound(Int128 core_bound) {
  const bool beyond_all =
      core_->largest_total < kExactTotal && core_bound > static_cast<Int128>(core_->largest_total);
  if (beyond_all) return prove_infeasible("forbidden strategies and pairs leave no assignment");
  const Int128 bound = core_bound + reduced_.constant;
  if (!bound_ || bound > *bound_) bound_ = bound;
}

void Session::prove_infeasible(std::string reason) {
  // With an answer at hand, "nothing is left" means: nothing better is left.
  if (answered_) {
    bound_ = static_cast<Int128>(upper_) + reduced_.constant;
    reduced_.infeasible_because.clear();
  } else {
    reduced_.infeasible_because = std::move(reason);
  }
}

void Session::report() {
  std::optional<Int128> cost;
  if (answered_) cost = static_cast<Int128>(upper_) + reduced_.constant;
  budget_.report(phase_, cost, bound_, false);
}

SolveResult Session::finish() {
  SolveResult result;
  settle(result);
  describe_end(result);
  result.usage_limit = graph_.usage_limit;
  result.seconds = budget_.seconds();
  result.work = budget_.work_units();
  result.reproducible = budget_.stop() != Stop::clock && budget_.stop() != Stop::cancelled;
  result.phases = phases_;
  result.nodes_given = graph_.nodes.size();
  result.edges_given = graph_.edges.size();
  result.nodes_solved = core_ ? core_->size() : 0;
  result.edges_solved = core_ ? core_->edges.size() : 0;
  return result;
}

void Session::settle(SolveResult& result) const {
  result.lower_bound = bound_;
  if (!answered_) return;
  const Result<Evaluation> verdict = evaluate(graph_, best_original_);
  if (!verdict.ok() || !verdict->legal()) return;
  result.assignment = best_original_;
  result.cost = verdict->cost;
  result.peak_usage = verdict->peak_usage;
}

void Session::describe_end(SolveResult& result) const {
  if (result.cost && bound_ && *bound_ >= *result.cost) {
    result.status = SolveStatus::optimal;
    result.reason = "the cost equals the lower bound";
  } else if (!result.cost && reduced_.infeasible()) {
    result.status = SolveStatus::infeasible;
    result.reason = reduced_.infeasible_because;
    result.lower_bound.reset();
  } else if (budget_.stop() == Stop::cancelled) {
    result.status = SolveStatus::cancelled;
    result.reason = "cancelled by the caller";
  } else if (budget_.stop() == Stop::clock || !result.cost) {
    result.status = SolveStatus::time_limit;
    result.reason = budget_.stop() == Stop::clock ? "the time limit was reached"
                                                  : "the search ended without an answer";
  } else {
    result.status = SolveStatus::feasible;
    result.reason = budget_.stop() == Stop::work
                        ? "the work limit was reached"
                        : "the search ended within the gap target or without progress";
  }
}

}  // namespace autoshard::internal
