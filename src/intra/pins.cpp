// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "intra/pins.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>

#include "base/errors.hpp"
#include "base/try.hpp"

namespace autoshard::internal {
namespace {

Result<TensorId> find_path(const Graph& graph, std::string_view path) {
  for (std::size_t i = 0; i < graph.tensors().size(); ++i) {
    if (graph.path(TensorId(i)) == path) return TensorId(i);
  }
  return invalid(
      "option 'pin': the graph has no tensor '{}'; paths look like arg:x, dot.5:0, "
      "while.3/dot.5:0",
      path);
}

Error of_tensor(const Graph& graph, TensorId tensor, const Error& error) {
  return {error.code, fmt::format("tensor '{}': {}", graph.path(tensor), error.message)};
}

Result<PinnedSpec> resolve(const Graph& graph, const DeviceMesh& mesh, const PinnedPath& pin) {
  AUTOSHARD_TRY(const TensorId tensor, find_path(graph, pin.path));
  Result<ShardingSpec> spec = parse_sharding_spec(pin.spec, mesh);
  if (!spec.ok()) return of_tensor(graph, tensor, spec.error());
  return PinnedSpec{tensor, *std::move(spec)};
}

/// Axes of size 1 split nothing, and strategies leave them out.
void drop_trivial_axes(ShardingSpec& spec) {
  for (auto& axes : spec.dims) {
    std::erase_if(axes, [](const AxisRef& axis) { return axis.size == 1; });
  }
  std::erase_if(spec.partial, [](const PartialAxis& partial) { return partial.axis.size == 1; });
}

Result<void> check(const Graph& graph, const DeviceMesh& mesh, const PinnedSpec& pin) {
  if (pin.tensor.index() >= graph.tensors().size()) {
    return invalid("pinned spec: the graph has no tensor number {}", pin.tensor.value);
  }
  const Result<void> valid = validate(pin.spec, graph[pin.tensor].type, mesh);
  return valid.ok() ? Result<void>() : of_tensor(graph, pin.tensor, valid.error());
}

bool has_parts_of_axes(const ShardingSpec& spec, const DeviceMesh& mesh) {
  const auto part = [&](const AxisRef& axis) { return axis != whole_axis(mesh, axis.axis); };
  return std::any_of(spec.dims.begin(), spec.dims.end(),
                     [&](const auto& axes) { return std::any_of(axes.begin(), axes.end(), part); });
}

/// The first dimension that is cut into pieces of different sizes.
std::optional<std::size_t> uneven_dim(const ShardingSpec& spec, const TensorType& type) {
  for (std::size_t dim = 0; dim < spec.dims.size(); ++dim) {
    if (type.shape[dim] % spec.shards(dim) != 0) return dim;
  }
  return std::nullopt;
}

}  // namespace

Result<std::vector<PinnedSpec>> resolve_pins(const Graph& graph, const DeviceMesh& mesh,
                                             const IntraOpOptions& options) {
  std::vector<PinnedSpec> pins = options.pinned;
  for (const PinnedPath& pin : options.pinned_paths) {
    AUTOSHARD_TRY(PinnedSpec found, resolve(graph, mesh, pin));
    pins.push_back(std::move(found));
  }
  std::map<TensorId, ShardingSpec> specs;
  for (PinnedSpec& pin : pins) {
    AUTOSHARD_CHECK_OK(check(graph, mesh, pin));
    drop_trivial_axes(pin.spec);
    const auto [it, fresh] = specs.try_emplace(pin.tensor, pin.spec);
    if (fresh || it->second == pin.spec) continue;
    return invalid("tensor '{}': it is pinned to {} and to {}", graph.path(pin.tensor),
                   to_string(it->second, mesh), to_string(pin.spec, mesh));
  }
  return pins;
}

ShardingSpec in_mesh_order(ShardingSpec spec) {
  for (auto& axes : spec.dims) std::sort(axes.begin(), axes.end());
  return spec;
}

std::optional<ShardingSpec> reordered_pin(std::span<const PinnedSpec> pins, TensorId argument,
                                          std::span<const ShardingSpec> specs) {
  for (const PinnedSpec& pin : pins) {
    if (pin.tensor != argument) continue;
    const ShardingSpec ordered = in_mesh_order(pin.spec);
    if (ordered == pin.spec) continue;
    if (std::find(specs.begin(), specs.end(), ordered) != specs.end()) return pin.spec;
  }
  return std::nullopt;
}

std::string pin_obstacle(const Graph& graph, const DeviceMesh& mesh, const Target& target,
                         const PinnedSpec& pin) {
  const Tensor& tensor = graph[pin.tensor];
  const bool argument = !tensor.producer && !graph[tensor.region].owner;
  if (argument && !pin.spec.partial.empty()) return "an argument is never partial";
  if (has_parts_of_axes(pin.spec, mesh)) return "only whole axes are planned";
  const std::optional<std::size_t> dim = uneven_dim(pin.spec, tensor.type);
  const bool uneven = argument ? target.uneven_arguments : target.uneven_intermediates;
  if (dim && !uneven) {
    return fmt::format("{} rows of dimension {} do not split evenly by {}, as target '{}' needs it",
                       tensor.type.shape[*dim], *dim, pin.spec.shards(*dim), target.name);
  }
  if (in_mesh_order(pin.spec) != pin.spec) {
    return "its axes stand in another order than the mesh's, which only an argument may have";
  }
  if (!tensor.producer) return "nothing in the step can hold it so";
  const Operator& op = graph[*tensor.producer];
  return fmt::format("no strategy of operator '{}' ({}) makes it so", op.name, op.kind);
}

}  // namespace autoshard::internal
