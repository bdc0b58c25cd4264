// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "autoshard/verify.hpp"

#include <cmath>

#include "base/errors.hpp"
#include "base/try.hpp"
#include "execute/argument_values.hpp"
#include "execute/lockstep.hpp"
#include "execute/plan_check.hpp"

namespace autoshard {
namespace internal {
namespace {

Result<void> check_sizes(const Graph& graph, const VerifyOptions& options) {
  // What dies early is dropped, so the sum may be some times the largest.
  constexpr std::int64_t kTensorsOfTheLimit = 16;
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < graph.tensors().size(); ++i) {
    const std::int64_t elements = graph.tensors()[i].type.elements();
    if (elements > options.max_elements) {
      return invalid("tensor '{}': {} elements, more than max_elements = {}",
                     graph.path(TensorId{i}), elements, options.max_elements);
    }
    sum += elements;
  }
  if (sum / kTensorsOfTheLimit > options.max_elements) {
    return invalid("the tensors have {} elements together, more than {} times max_elements = {}",
                   sum, kTensorsOfTheLimit, options.max_elements);
  }
  return {};
}

Result<void> check_match(const Graph& graph, const IntraOpPlan& plan) {
  if (!plan.has_answer()) return invalid("the plan has no answer: {}", plan.reason);
  const std::string fingerprint = graph.fingerprint();
  if (plan.graph_fingerprint == fingerprint) return {};
  return invalid("the plan is of graph {}, this is graph {}", plan.graph_fingerprint, fingerprint);
}

Result<VerifyReport> verify_checked(const Graph& graph, const IntraOpPlan& plan,
                                    const VerifyOptions& options) {
  AUTOSHARD_CHECK_OK(options.validate());
  AUTOSHARD_CHECK_OK(check_match(graph, plan));
  AUTOSHARD_CHECK_OK(check_sizes(graph, options));
  AUTOSHARD_CHECK_OK(check_plan(graph, plan));
  return Lockstep(graph, plan, options).run(argument_values(graph, options.seed));
}

}  // namespace
}  // namespace internal

Result<void> VerifyOptions::validate() const {
  if (!(relative_tolerance >= 0) || std::isinf(relative_tolerance)) {
    return internal::invalid("relative_tolerance: {} is not a number >= 0", relative_tolerance);
  }
  if (max_elements < 1) return internal::invalid("max_elements: {} is less than 1", max_elements);
  return {};
}

Result<VerifyReport> verify(const Graph& graph, const IntraOpPlan& plan,
                            const VerifyOptions& options) {
  return internal::guarded([&] { return internal::verify_checked(graph, plan, options); });
}

}  // namespace autoshard
