// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "execute/plan_check.hpp"

#include <span>

#include "base/errors.hpp"
#include "base/try.hpp"

namespace autoshard::internal {
namespace {

class PlanCheck {
 public:
  PlanCheck(const Graph& graph, const IntraOpPlan& plan) : graph_(graph), plan_(plan) {}

  Result<void> run() const {
    AUTOSHARD_CHECK_OK(check_sizes());
    for (std::size_t i = 0; i < plan_.copies.size(); ++i) AUTOSHARD_CHECK_OK(check_copy(i));
    for (std::size_t i = 0; i < plan_.operators.size(); ++i) {
      AUTOSHARD_CHECK_OK(check_operator(OperatorId{i}));
    }
    for (std::size_t i = 0; i < plan_.regions.size(); ++i) {
      AUTOSHARD_CHECK_OK(check_region(RegionId{i}));
    }
    return {};
  }

 private:
  Result<void> check_sizes() const {
    const bool complete = plan_.operators.size() == graph_.operators().size() &&
                          plan_.regions.size() == graph_.regions().size();
    if (!complete) return invalid("the plan does not place every operator and region");
    return {};
  }

  std::string copy_name(std::size_t i) const {
    return fmt::format("copy {} of tensor '{}'", i, graph_.path(plan_.copies[i].tensor));
  }

  Result<void> check_copy(std::size_t i) const {
    const TensorCopy& copy = plan_.copies[i];
    if (copy.tensor.index() >= graph_.tensors().size()) {
      return invalid("copy {}: no tensor {}", i, copy.tensor.value);
    }
    AUTOSHARD_CHECK_OK(check_spec(i, copy.spec));
    for (const ShardingSpec& spec : copy.step_specs) AUTOSHARD_CHECK_OK(check_spec(i, spec));
    for (const Collective& step : copy.steps) AUTOSHARD_CHECK_OK(check_collective(i, step));
    return check_source(i);
  }

  Result<void> check_spec(std::size_t i, const ShardingSpec& spec) const {
    const auto valid = validate(spec, graph_[plan_.copies[i].tensor].type, plan_.mesh);
    if (!valid.ok()) return invalid("{}: {}", copy_name(i), valid.error().message);
    return {};
  }

  Result<void> check_collective(std::size_t i, const Collective& step) const {
    const std::int64_t rank = graph_[plan_.copies[i].tensor].type.rank();
    const auto in_range = [&](std::int32_t dim) { return dim >= 0 && (dim < rank || rank == 0); };
    if (!in_range(step.split_dim) || !in_range(step.gather_dim)) {
      return invalid("{}: {} of a dimension out of range", copy_name(i), name(step.kind));
    }
    // A group is a list of axes without repetitions, like the axes of one dimension.
    const auto valid = validate({{step.axes}, {}}, {DType::f32, {1}}, plan_.mesh);
    if (!valid.ok()) return invalid("{}: {}", copy_name(i), valid.error().message);
    if (step.group_size < 1) return invalid("{}: group_size < 1", copy_name(i));
    return {};
  }

  Result<void> check_source(std::size_t i) const {
    const TensorCopy& copy = plan_.copies[i];
    if (copy.steps.size() != copy.step_specs.size()) {
      return invalid("{}: not one spec per step", copy_name(i));
    }
    if (!copy.source) {
      if (!copy.steps.empty()) return invalid("{}: steps without a source", copy_name(i));
      return {};
    }
    if (copy.source->index() >= plan_.copies.size() || plan_[*copy.source].tensor != copy.tensor) {
      return invalid("{}: its source is no copy of the tensor", copy_name(i));
    }
    const ShardingSpec& last =
        copy.steps.empty() ? plan_[*copy.source].spec : copy.step_specs.back();
    if (last != copy.spec) return invalid("{}: its steps end in another spec", copy_name(i));
    return check_acyclic(i);
  }

  Result<void> check_acyclic(std::size_t i) const {
    std::optional<CopyId> at = plan_.copies[i].source;
    for (std::size_t n = 0; at && at->index() < plan_.copies.size(); ++n) {
      if (n > plan_.copies.size()) return invalid("{}: is made from itself", copy_name(i));
      at = plan_[*at].source;
    }
    return {};
  }

  /// The copies are of the tensors; `where` names who asks.
  Result<void> check_ids(const std::string& where, std::span<const CopyId> copies,
                         std::span<const TensorId> tensors) const {
    if (copies.size() != tensors.size()) {
      return invalid("{}: {} copies for {} tensors", where, copies.size(), tensors.size());
    }
    for (std::size_t i = 0; i < copies.size(); ++i) {
      const bool right =
          copies[i].index() < plan_.copies.size() && plan_[copies[i]].tensor == tensors[i];
      if (!right) return invalid("{}: {} is no copy of '{}'", where, i, graph_.path(tensors[i]));
    }
    return {};
  }

  Result<void> check_first_forms(const std::string& where, std::span<const CopyId> copies) const {
    for (const CopyId id : copies) {
      if (plan_[id].source) return invalid("{}: {} has a source", where, copy_name(id.index()));
    }
    return {};
  }

  /// Following the sources of the copies ends at what the producer made.
  Result<void> check_made(const std::string& where, std::span<const CopyId> copies) const {
    for (const CopyId id : copies) {
      CopyId root = id;
      while (plan_[root].source) root = *plan_[root].source;
      if (root != first_form(plan_[id].tensor)) {
        return invalid("{}: nobody makes {}", where, copy_name(id.index()));
      }
    }
    return {};
  }

  CopyId first_form(TensorId id) const {
    const Tensor& tensor = graph_[id];
    const auto index = static_cast<std::size_t>(tensor.index);
    return tensor.producer ? plan_.operators[tensor.producer->index()].results[index]
                           : plan_.regions[tensor.region.index()].arguments[index];
  }

  Result<void> check_operator(OperatorId id) const {
    const Operator& op = graph_[id];
    const OperatorPlacement& placement = plan_.operators[id.index()];
    const std::string where = fmt::format("operator '{}'", op.name);
    AUTOSHARD_CHECK_OK(check_ids(where + ", operands", placement.operands, op.operands));
    AUTOSHARD_CHECK_OK(check_ids(where + ", results", placement.results, op.results));
    return check_first_forms(where, placement.results);
  }

  Result<void> check_region(RegionId id) const {
    const Region& region = graph_[id];
    const RegionPlacement& placement = plan_.regions[id.index()];
    const std::string where =
        region.owner ? fmt::format("body of '{}'", graph_[*region.owner].name) : "main";
    AUTOSHARD_CHECK_OK(check_ids(where + ", arguments", placement.arguments, region.arguments));
    AUTOSHARD_CHECK_OK(check_ids(where + ", results", placement.results, region.results));
    AUTOSHARD_CHECK_OK(check_first_forms(where, placement.arguments));
    AUTOSHARD_CHECK_OK(check_made(where, placement.results));
    for (const OperatorId op : region.operators) {
      AUTOSHARD_CHECK_OK(check_made(fmt::format("operator '{}'", graph_[op].name),
                                    plan_.operators[op.index()].operands));
    }
    if (region.owner) return check_carried(*region.owner, placement);
    return check_main_arguments(placement);
  }

  Result<void> check_main_arguments(const RegionPlacement& placement) const {
    for (const CopyId id : placement.arguments) {
      if (!plan_[id].spec.partial.empty()) {
        return invalid("main: {} is an argument and cannot be partial", copy_name(id.index()));
      }
    }
    return {};
  }

  /// A carried value lies alike as it enters, in the body, as it leaves it, and after the loop.
  Result<void> check_carried(OperatorId loop, const RegionPlacement& body) const {
    const OperatorPlacement& outside = plan_.operators[loop.index()];
    for (std::size_t i = 0; i < body.arguments.size(); ++i) {
      const ShardingSpec& spec = plan_[body.arguments[i]].spec;
      const bool alike = i < outside.operands.size() && i < body.results.size() &&
                         i < outside.results.size() && plan_[outside.operands[i]].spec == spec &&
                         plan_[body.results[i]].spec == spec &&
                         plan_[outside.results[i]].spec == spec;
      if (!alike) {
        return invalid("operator '{}': carried value {} changes its spec", graph_[loop].name, i);
      }
    }
    return {};
  }

  const Graph& graph_;
  const IntraOpPlan& plan_;
};

}  // namespace

Result<void> check_plan(const Graph& graph, const IntraOpPlan& plan) {
  return PlanCheck(graph, plan).run();
}

}  // namespace autoshard::internal
