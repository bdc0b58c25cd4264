// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// What the builder checks of names, ids, regions, results and state. Each check records the first
// mistake and answers whether all is well.
#include <fmt/format.h>

#include <algorithm>

#include "autoshard/graph_builder.hpp"
#include "base/errors.hpp"
#include "graph/checks/table.hpp"

namespace autoshard {

using internal::invalid;

bool GraphBuilder::claim(const std::string& what, const std::string& name) {
  if (names_.insert(name).second) return true;
  fail(invalid("{}: the name '{}' is used twice", what, name));
  return false;
}

bool GraphBuilder::check_argument(const std::string& name, const TensorType& type, Role role) {
  const std::string what = fmt::format("argument '{}'", name);
  if (!open_loops_.empty()) {
    fail(invalid("{}: added while the loop '{}' is open", what,
                 graph_[open_loops_.back().loop].name));
  } else if (const auto sane = internal::check_type(type); !sane) {
    fail(invalid("{}: {}", what, sane.error().message));
  } else if (role == Role::intermediate) {
    fail(invalid("{}: the role of an argument cannot be intermediate", what));
  } else {
    claim(what, name);
  }
  return !failed();
}

/// An operator claims its own name and, if it has other than one result, those of its results.
bool GraphBuilder::claim_names(OperatorSpec& spec) {
  if (spec.name.empty()) spec.name = fresh_name(spec.kind);
  const std::string what = fmt::format("operator '{}'", spec.name);
  claim(what, spec.name);
  const std::size_t results = spec.result_types.size();
  for (std::size_t i = 0; results != 1 && i < results && !failed(); ++i) {
    claim(what, fmt::format("{}:{}", spec.name, i));
  }
  return !failed();
}

bool GraphBuilder::check_tensor(const std::string& what, TensorId tensor) {
  if (tensor.value < 0 || tensor.index() >= graph_.tensors_.size()) {
    fail(invalid("{} is not a tensor of this graph: id {}", what, tensor.value));
    return false;
  }
  const Tensor& used = graph_[tensor];
  const auto is_open = [&](const OpenLoop& open) { return graph_[open.loop].body == used.region; };
  if (used.region == RegionId{} || std::ranges::any_of(open_loops_, is_open)) return true;
  fail(invalid("{} is '{}', which exists only in the body of '{}'", what, used.name,
               graph_[*graph_[used.region].owner].name));
  return false;
}

bool GraphBuilder::check_operands(const OperatorSpec& spec) {
  for (std::size_t i = 0; i < spec.operands.size(); ++i) {
    const std::string what = fmt::format("operator '{}': operand {}", spec.name, i);
    if (!check_tensor(what, spec.operands[i])) return false;
  }
  return true;
}

bool GraphBuilder::check_result_types(const OperatorSpec& spec) {
  for (std::size_t i = 0; i < spec.result_types.size(); ++i) {
    const auto sane = internal::check_type(spec.result_types[i]);
    if (sane) continue;
    fail(invalid("operator '{}': result {}: {}", spec.name, i, sane.error().message));
    return false;
  }
  return true;
}

bool GraphBuilder::check_kind(const OperatorSpec& spec) {
  const auto operands = types_or_scalars(spec.operands);
  const auto good = internal::check_call(spec.kind, {operands, spec.result_types, spec.attributes});
  if (!good) fail(invalid("operator '{}': {}", spec.name, good.error().message));
  return good.ok();
}

bool GraphBuilder::check_new_operator(OperatorSpec& spec) {
  if (failed()) return false;
  if (spec.kind.empty()) {
    fail(invalid("operator '{}': the kind is empty", spec.name));
    return false;
  }
  return claim_names(spec) && check_operands(spec) && check_result_types(spec) && check_kind(spec);
}

std::vector<TensorType> GraphBuilder::types_or_scalars(std::span<const TensorId> tensors) const {
  std::vector<TensorType> types;
  types.reserve(tensors.size());
  for (const TensorId id : tensors) {
    const bool exists = id.value >= 0 && id.index() < graph_.tensors_.size();
    types.push_back(exists ? graph_[id].type : TensorType{});
  }
  return types;
}

bool GraphBuilder::check_body_results(OperatorId loop, const std::vector<TensorId>& results) {
  const Operator& op = graph_[loop];
  if (results.size() != op.operands.size()) {
    fail(invalid("operator '{}': the body has {} results, expected {}", op.name, results.size(),
                 op.operands.size()));
    return false;
  }
  for (std::size_t i = 0; i < results.size(); ++i) {
    const std::string what = fmt::format("operator '{}': body result {}", op.name, i);
    if (!check_tensor(what, results[i])) return false;
    const TensorType& type = graph_[results[i]].type;
    const TensorType& expected = graph_[op.operands[i]].type;
    if (type == expected) continue;
    fail(invalid("{} has type {}, expected {}", what, to_string(type), to_string(expected)));
    return false;
  }
  return true;
}

bool GraphBuilder::check_main_result(std::size_t index, TensorId tensor) {
  const std::string what = fmt::format("result {} of '{}'", index, graph_.name_);
  if (!check_tensor(what, tensor)) return false;
  if (graph_[tensor].region == RegionId{}) return true;
  fail(invalid("{} is '{}', which exists only in the body of '{}'", what, graph_[tensor].name,
               graph_[*graph_[graph_[tensor].region].owner].name));
  return false;
}

Result<void> GraphBuilder::check_complete() const {
  if (open_loops_.empty()) return {};
  return invalid("operator '{}': the loop is not closed", graph_[open_loops_.back().loop].name);
}

Result<void> GraphBuilder::check_state_pairs() const {
  std::vector<bool> used_inputs(graph_.tensors_.size());
  std::vector<bool> used_outputs(graph_.main().results.size());
  for (std::size_t i = 0; i < graph_.state_pairs_.size(); ++i) {
    const auto& [input, output] = graph_.state_pairs_[i];
    if (auto good = check_state_pair(i); !good) return good;
    if (used_inputs[input.index()]) {
      return invalid("state pair {}: argument '{}' is in two pairs", i, graph_[input].name);
    }
    if (used_outputs[static_cast<std::size_t>(output)]) {
      return invalid("state pair {}: result {} is in two pairs", i, output);
    }
    used_inputs[input.index()] = true;
    used_outputs[static_cast<std::size_t>(output)] = true;
  }
  return {};
}

Result<void> GraphBuilder::check_state_pair(std::size_t index) const {
  const auto& [input, output] = graph_.state_pairs_[index];
  const auto& results = graph_.main().results;
  const bool exists = input.value >= 0 && input.index() < graph_.tensors_.size();
  if (!exists || graph_[input].producer || graph_[input].region != RegionId{}) {
    return invalid("state pair {}: tensor {} is not an argument of '{}'", index, input.value,
                   graph_.name_);
  }
  if (output < 0 || static_cast<std::size_t>(output) >= results.size()) {
    return invalid("state pair {}: result {} does not exist, '{}' has {}", index, output,
                   graph_.name_, results.size());
  }
  const TensorType& before = graph_[input].type;
  const TensorType& after = graph_[results[static_cast<std::size_t>(output)]].type;
  if (before == after) return {};
  return invalid("state pair {}: argument '{}' has type {}, result {} has type {}", index,
                 graph_[input].name, to_string(before), output, to_string(after));
}

/// Names with '/' or ':' could spell the path of another tensor.
Result<void> GraphBuilder::check_paths() const {
  std::unordered_set<std::string> paths;
  for (std::size_t i = 0; i < graph_.tensors_.size(); ++i) {
    std::string path = graph_.path(TensorId(i));
    if (paths.contains(path)) return invalid("tensor '{}': the path is used twice", path);
    paths.insert(std::move(path));
  }
  return {};
}

}  // namespace autoshard
