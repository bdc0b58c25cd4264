// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// What the opaque handles of autoshard.h hold. A handle owns or shares all that its getters lend.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "autoshard.h"
#include "autoshard/device_mesh.hpp"
#include "autoshard/graph_builder.hpp"
#include "autoshard/intra_op.hpp"
#include "autoshard/plan.hpp"
#include "autoshard/problem_io.hpp"

namespace autoshard::internal {

/// Text that is made at most once and then lent; several threads may ask for it.
class LazyText {
 public:
  template <class Make>
  const char* get(Make&& make) const {
    const std::lock_guard lock(mutex_);
    if (!text_) text_ = make();
    return text_->c_str();
  }

 private:
  mutable std::mutex mutex_;
  mutable std::optional<std::string> text_;
};

struct PlannedGraph {
  std::shared_ptr<const Graph> graph;
  IntraOpPlan plan;
};

}  // namespace autoshard::internal

struct autoshard_graph {
  explicit autoshard_graph(autoshard::Graph value)
      : graph(std::make_shared<const autoshard::Graph>(std::move(value))) {}
  std::shared_ptr<const autoshard::Graph> graph;  ///< shared with its plans
  autoshard::internal::LazyText json, fingerprint;
};

struct autoshard_graph_builder {
  explicit autoshard_graph_builder(std::string name) : builder(std::move(name)) {}
  autoshard::GraphBuilder builder;
  std::optional<autoshard::OperatorSpec> next;  ///< the operator that is being described
  std::optional<autoshard::Error> error;        ///< the first; every later call repeats it
};

struct autoshard_mesh {
  explicit autoshard_mesh(autoshard::DeviceMesh value) : mesh(std::move(value)) {}
  autoshard::DeviceMesh mesh;
  autoshard::internal::LazyText text;
};

struct autoshard_options {
  explicit autoshard_options(autoshard::IntraOpOptions value) : options(std::move(value)) {}
  autoshard::IntraOpOptions options;
};

struct autoshard_plan {
  explicit autoshard_plan(autoshard::internal::PlannedGraph content);
  std::shared_ptr<const autoshard::Graph> graph;
  autoshard::IntraOpPlan plan;
  std::string status;
  std::vector<std::string> argument_specs, result_specs;  ///< empty without an answer
  autoshard::internal::LazyText json, report;
};

struct autoshard_problem {
  explicit autoshard_problem(autoshard::CostGraph value) : graph(std::move(value)) {}
  autoshard::CostGraph graph;
};

struct autoshard_solution {
  explicit autoshard_solution(autoshard::SolveResult value);
  autoshard::SolveResult result;
  std::string status, cost;
  autoshard::internal::LazyText json;
};
