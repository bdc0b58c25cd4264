// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "cost/routes.hpp"

#include <algorithm>

namespace autoshard::test {
namespace {

DeviceMesh slow_first_axis(std::string_view text) {
  const DeviceMesh plain = DeviceMesh::parse(text, *find_device("a100")).value();
  std::vector<MeshAxis> axes(plain.axes().begin(), plain.axes().end());
  axes[0].link = {2e-5, 1e10};
  return DeviceMesh::create(std::move(axes), plain.device()).value();
}

std::string axis_text(const AxisRef& part, const DeviceMesh& mesh) {
  ShardingSpec alone{{{part}}, {}};
  std::string text = to_string(alone, mesh);  // [{"x":(1)2}]
  text = text.substr(2, text.size() - 4);
  std::erase(text, '"');
  return text;
}

std::int64_t devices_of(const std::vector<AxisRef>& axes) {
  std::int64_t count = 1;
  for (const AxisRef& part : axes) count *= part.size;
  return count;
}

std::int64_t expected_buffer(const Collective& step, const ShardingSpec& before,
                             const ShardingSpec& after, const TensorType& type) {
  const bool gathers = step.kind == CollectiveKind::all_gather;
  return shard_bytes(gathers ? after : before, type);
}

}  // namespace

Routes::Routes(std::string_view mesh, Target target)
    : mesh_(slow_first_axis(mesh)),
      target_(std::move(target)),
      model_(mesh_),
      context_{&mesh_, &target_, &model_, internal::whole_axes(mesh_)} {}

ShardingSpec Routes::spec(std::string_view text) const {
  auto spec = parse_sharding_spec(text, mesh_);
  if (!spec.ok()) FAIL(spec.error().message);
  return std::move(spec).value();
}

std::optional<ReshardingPath> Routes::path(const TensorType& type, const ShardingSpec& from,
                                           const ShardingSpec& to) const {
  return internal::find_resharding(context_, type, from, to);
}

std::string Routes::route(const TensorType& type, std::string_view from,
                          std::string_view to) const {
  const auto found = path(type, spec(from), spec(to));
  if (!found) return "none";
  check_steps(*this, type, spec(from), spec(to), *found);
  std::string text;
  for (const Collective& step : found->steps) {
    text += (text.empty() ? "" : ", ") + std::string(name(step.kind));
    for (const AxisRef& part : step.axes) text += " " + axis_text(part, mesh_);
  }
  return text;
}

void check_steps(const Routes& routes, const TensorType& type, const ShardingSpec& from,
                 const ShardingSpec& to, const ReshardingPath& path) {
  REQUIRE(path.steps.size() == path.specs.size());
  ShardingSpec at = from;
  double seconds = 0;
  for (std::size_t i = 0; i < path.steps.size(); ++i) {
    const Collective& step = path.steps[i];
    const ShardingSpec& after = path.specs[i];
    CHECK(validate(after, type, routes.mesh()).ok());
    CHECK(step.group_size == devices_of(step.axes));
    CHECK(step.group_size > 1);
    CHECK(step.buffer_bytes == expected_buffer(step, at, after, type));
    if (step.kind != CollectiveKind::slice) seconds += routes.model().collective_seconds(step);
    at = after;
  }
  CHECK(to_string(at, routes.mesh()) == to_string(to, routes.mesh()));
  CHECK(path.seconds == doctest::Approx(seconds).epsilon(1e-12));
}

}  // namespace autoshard::test
