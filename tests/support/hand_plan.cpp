// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "support/hand_plan.hpp"

#include <doctest/doctest.h>

#include <algorithm>

namespace autoshard::test {
namespace {

/// The axes that `more` splits a dimension by and `less` does not.
std::vector<AxisRef> added(const std::vector<AxisRef>& less, const std::vector<AxisRef>& more) {
  std::vector<AxisRef> axes;
  for (const AxisRef& axis : more) {
    if (std::find(less.begin(), less.end(), axis) == less.end()) axes.push_back(axis);
  }
  return axes;
}

struct Difference {
  std::vector<AxisRef> axes;
  std::int32_t dim = 0;
};

Difference difference(const ShardingSpec& less, const ShardingSpec& more) {
  for (std::size_t d = 0; d < less.dims.size(); ++d) {
    std::vector<AxisRef> axes = added(less.dims[d], more.dims[d]);
    if (!axes.empty()) return {std::move(axes), static_cast<std::int32_t>(d)};
  }
  return {};
}

std::vector<AxisRef> reduced_axes(const ShardingSpec& from, const ShardingSpec& to) {
  std::vector<AxisRef> axes;
  for (const PartialAxis& partial : from.partial) {
    if (std::find(to.partial.begin(), to.partial.end(), partial) == to.partial.end()) {
      axes.push_back(partial.axis);
    }
  }
  return axes;
}

std::vector<AxisRef> all_axes(const ShardingSpec& from, const ShardingSpec& to) {
  std::vector<AxisRef> axes;
  for (const ShardingSpec* spec : {&from, &to}) {
    for (const std::vector<AxisRef>& dim : spec->dims) {
      const std::vector<AxisRef> fresh = added(axes, dim);
      axes.insert(axes.end(), fresh.begin(), fresh.end());
    }
  }
  return axes;
}

}  // namespace

DeviceMesh mesh_of(std::string_view text) {
  auto mesh = DeviceMesh::parse(text, Device{});
  REQUIRE_MESSAGE(mesh.ok(), mesh.error().message);
  return *mesh;
}

ShardingSpec spec_of(std::string_view text, const DeviceMesh& mesh) {
  auto spec = parse_sharding_spec(text, mesh);
  REQUIRE_MESSAGE(spec.ok(), spec.error().message);
  return *spec;
}

Collective collective_of(CollectiveKind kind, const ShardingSpec& from, const ShardingSpec& to,
                         const TensorType& type, const DeviceMesh& mesh) {
  static_cast<void>(mesh);
  Collective collective;
  collective.kind = kind;
  const Difference gathered = difference(to, from);
  const Difference split = difference(from, to);
  collective.gather_dim = gathered.dim;
  collective.split_dim = split.dim;
  const bool reduces = kind == CollectiveKind::all_reduce || kind == CollectiveKind::reduce_scatter;
  if (reduces) {
    collective.axes = reduced_axes(from, to);
    if (!from.partial.empty()) collective.reduction = from.partial.front().kind;
  } else if (kind == CollectiveKind::collective_permute) {
    collective.axes = all_axes(from, to);
  } else {
    collective.axes = kind == CollectiveKind::slice ? split.axes : gathered.axes;
  }
  for (const AxisRef& axis : collective.axes) collective.group_size *= axis.size;
  collective.buffer_bytes = shard_bytes(kind == CollectiveKind::all_gather ? to : from, type);
  return collective;
}

HandPlan::HandPlan(const Graph& graph, DeviceMesh mesh) : graph_(graph) {
  plan_.graph_name = graph.name();
  plan_.mesh = std::move(mesh);
  plan_.graph_fingerprint = graph.fingerprint();
  plan_.status = SolveStatus::feasible;
  for (std::size_t i = 0; i < graph.tensors().size(); ++i) {
    const std::int64_t rank = graph.tensors()[i].type.rank();
    TensorCopy copy;
    copy.tensor = TensorId{i};
    copy.spec = ShardingSpec::replicated(rank);
    copy.count = count_of(TensorId{i});
    plan_.copies.push_back(std::move(copy));
  }
  const auto same = [](const std::vector<TensorId>& tensors) {
    std::vector<CopyId> copies;
    for (const TensorId tensor : tensors) copies.push_back(CopyId{tensor.index()});
    return copies;
  };
  for (const Operator& op : graph.operators()) {
    plan_.operators.push_back({same(op.operands), same(op.results), 0, 1});
  }
  for (const Region& region : graph.regions()) {
    plan_.regions.push_back({same(region.arguments), same(region.results)});
  }
}

HandPlan& HandPlan::made(std::string_view name, std::string_view spec) {
  plan_.copies[tensor(name).index()].spec = spec_of(spec, plan_.mesh);
  return *this;
}

CopyId HandPlan::converted(std::string_view name, std::vector<Step> steps) {
  const TensorId id = tensor(name);
  TensorCopy copy;
  copy.tensor = id;
  copy.source = CopyId{id.index()};
  ShardingSpec from = plan_[*copy.source].spec;
  for (const auto& [kind, text] : steps) {
    const ShardingSpec to = spec_of(text, plan_.mesh);
    copy.steps.push_back(collective_of(kind, from, to, graph_[id].type, plan_.mesh));
    copy.step_specs.push_back(to);
    from = to;
  }
  copy.spec = from;
  copy.count = count_of(id);
  plan_.copies.push_back(std::move(copy));
  return CopyId{plan_.copies.size() - 1};
}

HandPlan& HandPlan::reads(std::string_view name, std::size_t operand, CopyId copy) {
  plan_.operators[op(name).index()].operands[operand] = copy;
  return *this;
}

HandPlan& HandPlan::returns(RegionId region, std::size_t result, CopyId copy) {
  plan_.regions[region.index()].results[result] = copy;
  return *this;
}

IntraOpPlan HandPlan::build() const {
  IntraOpPlan plan = plan_;
  for (const TensorCopy& copy : plan.copies) {
    for (const Collective& step : copy.steps) {
      plan.collectives.push_back({step.kind, step.axes, copy.count, copy.count * step.buffer_bytes,
                                  copy.count * sent_bytes_per_device(step), 0});
    }
  }
  return plan;
}

TensorId HandPlan::tensor(std::string_view name) const {
  const auto tensors = graph_.tensors();
  const auto found = std::find_if(tensors.begin(), tensors.end(),
                                  [&](const Tensor& tensor) { return tensor.name == name; });
  REQUIRE_MESSAGE(found != tensors.end(), "no tensor " << name);
  return TensorId{static_cast<std::size_t>(found - tensors.begin())};
}

OperatorId HandPlan::op(std::string_view name) const {
  const auto operators = graph_.operators();
  const auto found = std::find_if(operators.begin(), operators.end(),
                                  [&](const Operator& op) { return op.name == name; });
  REQUIRE_MESSAGE(found != operators.end(), "no operator " << name);
  return OperatorId{static_cast<std::size_t>(found - operators.begin())};
}

std::int64_t HandPlan::count_of(TensorId tensor) const {
  std::int64_t count = 1;
  RegionId region = graph_[tensor].region;
  while (graph_[region].owner) {
    const Operator& loop = graph_[*graph_[region].owner];
    count *= loop.integer("trip_count").value_or(1);
    region = loop.region;
  }
  return count;
}

}  // namespace autoshard::test
