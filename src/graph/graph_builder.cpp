// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// Recording. What the builder checks by itself is in graph_builder_checks.cpp; what each kind of
// operator asks of its operands is in checks/.
#include "autoshard/graph_builder.hpp"

#include <algorithm>

#include "base/errors.hpp"
#include "base/try.hpp"
#include "graph/infer_phases.hpp"

namespace autoshard {
namespace {

using internal::invalid;

/// Paths, fingerprints and the text formats walk nested loops recursively.
constexpr std::size_t kMaximumLoopDepth = 32;

}  // namespace

GraphBuilder::GraphBuilder(std::string name) {
  graph_.name_ = std::move(name);
  graph_.regions_.emplace_back();
}

RegionId GraphBuilder::open_region() const {
  if (open_loops_.empty()) return RegionId{};
  return *graph_[open_loops_.back().loop].body;
}

TensorId GraphBuilder::new_tensor(Tensor tensor) {
  graph_.tensors_.push_back(std::move(tensor));
  return TensorId(graph_.tensors_.size() - 1);
}

TensorId GraphBuilder::argument(std::string name, TensorType type, Role role) {
  if (failed()) return {};
  if (name.empty()) name = fresh_name("arg");
  if (!check_argument(name, type, role)) return {};
  auto& arguments = graph_.regions_.front().arguments;
  Tensor tensor{std::move(name),
                std::move(type),
                {},
                static_cast<std::int32_t>(arguments.size()),
                RegionId{},
                role};
  arguments.push_back(new_tensor(std::move(tensor)));
  return arguments.back();
}

std::string GraphBuilder::fresh_name(const std::string& stem) {
  std::string name;
  do name = stem + '.' + std::to_string(++generated_names_);
  while (names_.contains(name));
  return name;
}

OperatorId GraphBuilder::append(OperatorSpec spec) {
  const OperatorId id(graph_.operators_.size());
  const RegionId region = open_region();
  graph_.operators_.push_back({std::move(spec.name),
                               std::move(spec.kind),
                               std::move(spec.operands),
                               {},
                               std::move(spec.attributes),
                               {},
                               region,
                               spec.phase});
  graph_.regions_[region.index()].operators.push_back(id);
  return id;
}

std::vector<TensorId> GraphBuilder::append_results(OperatorId id, std::vector<TensorType> types) {
  Operator& op = graph_.operators_[id.index()];
  for (std::size_t i = 0; i < types.size(); ++i) {
    std::string name = types.size() == 1 ? op.name : op.name + ':' + std::to_string(i);
    op.results.push_back(new_tensor(
        {std::move(name), std::move(types[i]), id, static_cast<std::int32_t>(i), op.region}));
  }
  return op.results;
}

std::vector<TensorId> GraphBuilder::add(OperatorSpec spec) {
  const std::size_t count = spec.result_types.size();
  if (!check_new_operator(spec)) return std::vector<TensorId>(count);
  if (spec.kind == "while") {
    fail(invalid("operator '{}': a while needs a body; use begin_loop", spec.name));
    return std::vector<TensorId>(count);
  }
  auto types = std::move(spec.result_types);
  return append_results(append(std::move(spec)), std::move(types));
}

TensorId GraphBuilder::add_one(OperatorSpec spec) {
  const std::size_t count = spec.result_types.size();
  if (count != 1) {
    const std::string& label = spec.name.empty() ? spec.kind : spec.name;
    fail(invalid("operator '{}': has {} results, expected 1", label, count));
    return {};
  }
  return add(std::move(spec)).front();
}

LoopBody GraphBuilder::begin_loop(OperatorSpec spec) {
  const std::size_t carried = spec.operands.size();
  const bool good = check_loop(spec);
  const OperatorId loop = good ? append(std::move(spec)) : OperatorId{};
  open_loops_.push_back({loop, carried});
  if (!good) return {loop, std::vector<TensorId>(carried)};
  append_body(loop);
  return {loop, graph_.regions_.back().arguments};
}

bool GraphBuilder::check_loop(OperatorSpec& spec) {
  if (failed()) return false;
  if (spec.kind.empty()) spec.kind = "while";
  if (spec.kind != "while") {
    fail(invalid("operator '{}': kind '{}' has no body, expected 'while'", spec.name, spec.kind));
  } else if (open_loops_.size() >= kMaximumLoopDepth) {
    fail(invalid("operator '{}': loops are nested deeper than {}", spec.name, kMaximumLoopDepth));
  }
  if (failed()) return false;
  if (spec.result_types.empty()) spec.result_types = types_or_scalars(spec.operands);
  return check_new_operator(spec);
}

void GraphBuilder::append_body(OperatorId loop) {
  const RegionId body(graph_.regions_.size());
  Operator& op = graph_.operators_[loop.index()];
  op.body = body;
  Region region;
  region.owner = loop;
  for (std::size_t i = 0; i < op.operands.size(); ++i) {
    std::string name = op.name + "/arg:" + std::to_string(i);
    region.arguments.push_back(new_tensor(
        {std::move(name), graph_[op.operands[i]].type, {}, static_cast<std::int32_t>(i), body}));
  }
  graph_.regions_.push_back(std::move(region));
}

std::vector<TensorId> GraphBuilder::end_loop(std::vector<TensorId> results) {
  if (open_loops_.empty()) {
    fail(invalid("end_loop: no loop is open"));
    return std::vector<TensorId>(results.size());
  }
  const auto [loop, carried] = open_loops_.back();
  const bool good = !failed() && check_body_results(loop, results);
  open_loops_.pop_back();
  if (!good) return std::vector<TensorId>(carried);
  const Operator& op = graph_[loop];
  graph_.regions_[op.body->index()].results = std::move(results);
  return append_results(loop, types_or_scalars(op.operands));
}

void GraphBuilder::result(TensorId tensor) {
  if (failed()) return;
  auto& results = graph_.regions_.front().results;
  if (check_main_result(results.size(), tensor)) results.push_back(tensor);
}

void GraphBuilder::state_pair(TensorId argument, std::int32_t result_index) {
  if (!failed()) graph_.state_pairs_.push_back({argument, result_index});
}

void GraphBuilder::warn(std::string message) { graph_.warnings_.push_back(std::move(message)); }

void GraphBuilder::fail(Error error) {
  if (!failed()) error_ = std::move(error);
}

void GraphBuilder::apply_training_roles() {
  const internal::TrainingRoles inferred = internal::infer_phases(graph_);
  for (std::size_t i = 0; i < graph_.operators_.size(); ++i) {
    graph_.operators_[i].phase = inferred.phases[i];
  }
  for (std::size_t i = 0; i < graph_.tensors_.size(); ++i) {
    graph_.tensors_[i].role = inferred.roles[i];
  }
}

Result<Graph> GraphBuilder::build() && {
  return internal::guarded([this]() -> Result<Graph> {
    if (error_) return *error_;
    AUTOSHARD_CHECK_OK(check_complete());
    AUTOSHARD_CHECK_OK(check_state_pairs());
    AUTOSHARD_CHECK_OK(check_paths());
    if (infer_training_roles_) apply_training_roles();
    return std::move(graph_);
  });
}

}  // namespace autoshard
