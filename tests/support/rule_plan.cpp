// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "support/rule_plan.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "base/try.hpp"

namespace autoshard::test {
namespace {

std::int64_t size_of(const std::vector<AxisRef>& axes) {
  std::int64_t product = 1;
  for (const AxisRef& axis : axes) product *= axis.size;
  return product;
}

bool is_possible_in(const ShardingRule& rule, const Assignment& assignment, const DimFactors& dim) {
  if (dim.size() < 2) return true;
  bool complete = true;
  for (const std::int32_t f : dim) {
    const auto index = static_cast<std::size_t>(f);
    const std::int64_t parts = size_of(assignment.factors[index]);
    const std::int64_t size = rule.factors[index].size;
    if (parts > 1 && (!complete || size % parts != 0)) return false;
    complete = complete && parts == size;
  }
  return true;
}

bool is_possible_in(const ShardingRule& rule, const Assignment& assignment,
                    const std::vector<std::vector<DimFactors>>& tensors) {
  return std::ranges::all_of(tensors, [&](const auto& dims) {
    return std::ranges::all_of(
        dims, [&](const DimFactors& dim) { return is_possible_in(rule, assignment, dim); });
  });
}

/// Adds one axis to every assignment so far, in every way.
std::vector<Assignment> with_axis(const ShardingRule& rule, const std::vector<Assignment>& so_far,
                                  const AxisRef& axis) {
  std::vector<Assignment> all = so_far;
  for (const Assignment& base : so_far) {
    for (std::size_t f = 0; f < rule.factors.size(); ++f) {
      if (rule.factors[f].kind == FactorKind::replicate) continue;
      for (std::size_t at = 0; at <= base.factors[f].size(); ++at) {
        std::vector<AxisRef>& axes = all.emplace_back(base).factors[f];
        axes.insert(axes.begin() + static_cast<std::ptrdiff_t>(at), axis);
      }
    }
    for (std::size_t group = 0; group < rule.linear.size(); ++group) {
      if (base.linear_group && *base.linear_group != group) continue;
      Assignment& next = all.emplace_back(base);
      next.linear_group = group;
      next.linear_axes.push_back(axis);
    }
  }
  return all;
}

void add_partial(ShardingSpec& spec, const std::vector<AxisRef>& axes, ReductionKind kind) {
  for (const AxisRef& axis : axes) spec.partial.push_back({axis, kind});
  std::ranges::sort(spec.partial);
}

std::vector<ShardingSpec> split(const std::vector<std::vector<DimFactors>>& tensors,
                                const Assignment& assignment) {
  std::vector<ShardingSpec> specs;
  for (const std::vector<DimFactors>& dims : tensors) {
    ShardingSpec spec = ShardingSpec::replicated(static_cast<std::int64_t>(dims.size()));
    for (std::size_t d = 0; d < dims.size(); ++d) {
      for (const std::int32_t f : dims[d]) {
        const auto& axes = assignment.factors[static_cast<std::size_t>(f)];
        spec.dims[d].insert(spec.dims[d].end(), axes.begin(), axes.end());
      }
    }
    specs.push_back(std::move(spec));
  }
  return specs;
}

/// A graph under construction together with its plan: every tensor has one copy.
class PlannedGraph {
 public:
  PlannedGraph() : builder_("rule") {}

  TensorId operand(const OperandCase& operand, const ShardingSpec& spec, std::size_t index) {
    const std::string name = fmt::format("operand{}", index);
    // A zero on every device is a partial zero as it stands.
    const bool zero = operand.constant && operand.constant->contains("value") &&
                      std::get<double>(operand.constant->at("value")) == 0;
    if (!spec.partial.empty() && !zero) return partial(operand.type, spec, name);
    if (!operand.constant) return argument(operand.type, spec, name);
    return constant(operand.type, *operand.constant, spec, name);
  }

  void operation(const OperatorCase& test, const std::vector<TensorId>& operands,
                 const std::vector<ShardingSpec>& specs) {
    const std::vector<TensorId> results = add(builder_, test, operands);
    place(operands, results);
    for (std::size_t i = 0; i < results.size(); ++i) {
      note_copy(results[i], specs[i]);
      builder_.result(results[i]);
      main_.results.push_back(copy_of(results[i]));
    }
  }

  Result<VerifyReport> run(const DeviceMesh& mesh) && {
    AUTOSHARD_TRY(const Graph graph, std::move(builder_).build());
    IntraOpPlan plan;
    plan.graph_name = graph.name();
    plan.graph_fingerprint = graph.fingerprint();
    plan.mesh = mesh;
    plan.target = "interpreter";
    plan.status = SolveStatus::feasible;
    plan.copies = std::move(copies_);
    plan.operators = std::move(operators_);
    plan.regions = {std::move(main_)};
    return verify(graph, plan);
  }

 private:
  static CopyId copy_of(TensorId tensor) { return CopyId(tensor.index()); }

  void note_copy(TensorId tensor, const ShardingSpec& spec) {
    TensorCopy& copy = copies_.emplace_back();
    copy.tensor = tensor;
    copy.spec = spec;
  }

  void place(const std::vector<TensorId>& operands, const std::vector<TensorId>& results) {
    OperatorPlacement& placement = operators_.emplace_back();
    for (const TensorId id : operands) placement.operands.push_back(copy_of(id));
    for (const TensorId id : results) placement.results.push_back(copy_of(id));
  }

  TensorId argument(const TensorType& type, const ShardingSpec& spec, const std::string& name) {
    const TensorId id = builder_.argument(name, type);
    note_copy(id, spec);
    main_.arguments.push_back(copy_of(id));
    return id;
  }

  TensorId constant(const TensorType& type, const Attributes& value, const ShardingSpec& spec,
                    const std::string& name) {
    const TensorId id = builder_.add_one({name, "constant", {}, {type}, value});
    place({}, {id});
    note_copy(id, spec);
    return id;
  }

  /// The sum of as many tensors as there are devices along the partial axes, one on each.
  TensorId partial(const TensorType& type, const ShardingSpec& spec, const std::string& name) {
    std::vector<AxisRef> axes;
    for (const PartialAxis& axis : spec.partial) axes.push_back(axis.axis);
    TensorType stacked = type;
    stacked.shape.insert(stacked.shape.begin(), size_of(axes));
    ShardingSpec stacked_spec{spec.dims, {}};
    stacked_spec.dims.insert(stacked_spec.dims.begin(), axes);
    const TensorId terms = argument(stacked, stacked_spec, name + "_terms");
    const TensorId zero =
        constant({type.dtype, {}}, {{"value", 0.0}}, ShardingSpec::replicated(0), name + "_zero");
    const TensorId sum = builder_.add_one(
        {name,
         "reduce",
         {terms, zero},
         {type},
         {{"dimensions", std::vector<std::int64_t>{0}}, {"reducer", std::string("sum")}}});
    place({terms, zero}, {sum});
    note_copy(sum, spec);
    return sum;
  }

  GraphBuilder builder_;
  std::vector<TensorCopy> copies_;
  std::vector<OperatorPlacement> operators_;
  RegionPlacement main_;
};

std::string text_of(const std::vector<ShardingSpec>& specs, const DeviceMesh& mesh) {
  std::vector<std::string> texts;
  for (const ShardingSpec& spec : specs) texts.push_back(autoshard::to_string(spec, mesh));
  return fmt::format("({})", fmt::join(texts, ", "));
}

}  // namespace

bool is_possible(const ShardingRule& rule, const Assignment& assignment) {
  return is_possible_in(rule, assignment, rule.operands) &&
         is_possible_in(rule, assignment, rule.results);
}

std::vector<Assignment> all_assignments(const ShardingRule& rule, const DeviceMesh& mesh) {
  std::vector<Assignment> all(1);
  all.front().factors.resize(rule.factors.size());
  for (std::size_t axis = 0; axis < mesh.axes().size(); ++axis) {
    all = with_axis(rule, all, whole_axis(mesh, static_cast<std::int32_t>(axis)));
  }
  std::erase_if(all, [&](const Assignment& one) { return !is_possible(rule, one); });
  return all;
}

OperatorSpecs implied_specs(const ShardingRule& rule, const Assignment& assignment) {
  OperatorSpecs specs{split(rule.operands, assignment), split(rule.results, assignment)};
  for (std::size_t f = 0; f < rule.factors.size(); ++f) {
    const Factor& factor = rule.factors[f];
    if (factor.kind != FactorKind::reduction) continue;
    for (const std::int32_t operand : factor.partial_operands) {
      add_partial(specs.operands[static_cast<std::size_t>(operand)], assignment.factors[f],
                  factor.reduction);
    }
    for (ShardingSpec& spec : specs.results) {
      add_partial(spec, assignment.factors[f], factor.reduction);
    }
  }
  if (!assignment.linear_group) return specs;
  for (const std::int32_t operand : rule.linear[*assignment.linear_group].operands) {
    add_partial(specs.operands[static_cast<std::size_t>(operand)], assignment.linear_axes,
                ReductionKind::sum);
  }
  for (ShardingSpec& spec : specs.results) {
    add_partial(spec, assignment.linear_axes, ReductionKind::sum);
  }
  return specs;
}

Result<VerifyReport> run_as(const OperatorCase& test, const OperatorSpecs& specs,
                            const DeviceMesh& mesh) {
  PlannedGraph planned;
  std::vector<TensorId> operands;
  for (std::size_t i = 0; i < test.operands.size(); ++i) {
    operands.push_back(planned.operand(test.operands[i], specs.operands[i], i));
  }
  planned.operation(test, operands, specs.results);
  return std::move(planned).run(mesh);
}

DeviceMesh mesh_of(const std::string& text) { return DeviceMesh::parse(text, Device{}).value(); }

std::string to_string(const OperatorSpecs& specs, const DeviceMesh& mesh) {
  return text_of(specs.operands, mesh) + " -> " + text_of(specs.results, mesh);
}

}  // namespace autoshard::test
