// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "io/plan_json_sample.hpp"

#include <doctest/doctest.h>

#include "autoshard/graph_builder.hpp"

namespace autoshard::test {
namespace {

using Json = nlohmann::json;

/// y = x w, negated three times by a loop.
Graph loop_graph() {
  const TensorType x_type{DType::f32, {8, 4}};
  const TensorType w_type{DType::f32, {4, 6}};
  const TensorType y_type{DType::f32, {8, 6}};
  GraphBuilder builder("loop");
  const TensorId x = builder.argument("x", x_type);
  const TensorId w = builder.argument("w", w_type, Role::parameter);
  const std::vector<std::int64_t> none;
  const TensorId y = builder.add_one(
      {.name = "y",
       .kind = "dot_general",
       .operands = {x, w},
       .result_types = {y_type},
       .attributes = {{"lhs_batching_dimensions", none},
                      {"rhs_batching_dimensions", none},
                      {"lhs_contracting_dimensions", std::vector<std::int64_t>{1}},
                      {"rhs_contracting_dimensions", std::vector<std::int64_t>{0}}}});
  const LoopBody body = builder.begin_loop({.name = "loop",
                                            .kind = "while",
                                            .operands = {y},
                                            .result_types = {y_type},
                                            .attributes = {{"trip_count", std::int64_t{3}}}});
  const TensorId negated = builder.add_one(
      {.name = "negated", .kind = "negate", .operands = body.arguments, .result_types = {y_type}});
  builder.result(builder.end_loop({negated}).front());
  Result<Graph> graph = std::move(builder).build();
  REQUIRE_MESSAGE(graph.ok(), graph.error().message);
  return std::move(graph).value();
}

DeviceMesh mesh_of_eight() {
  const Device device{.name = "test",
                      .matmul_flops_per_second_16 = 2e14,
                      .matmul_flops_per_second_32 = 1.0 / 3,
                      .vector_flops_per_second = 1e13,
                      .memory_bytes_per_second = 1e12,
                      .memory_bytes = 16'000'000'000,
                      .link = {}};
  auto mesh = DeviceMesh::create({{"data", 2, {1e-6, 1e9}}, {"model", 4, {2e-6, 1e11}}}, device,
                                 {7, 6, 5, 4, 3, 2, 1, 0});
  REQUIRE_MESSAGE(mesh.ok(), mesh.error().message);
  return std::move(mesh).value();
}

TensorId tensor(const Graph& graph, std::string_view path) {
  for (std::size_t i = 0; i < graph.tensors().size(); ++i) {
    if (graph.path(TensorId(i)) == path) return TensorId(i);
  }
  FAIL("no tensor " << path);
  return {};
}

/// What docs/plan.md marks as derived: written for readers, not read back.
bool derived(const Json::json_pointer& at) {
  const std::string path = at.to_string();
  const std::string key = at.back();
  const bool list = path.starts_with("/parameters") || path.starts_with("/collectives");
  const bool in_step = path.find("/steps/") != path.npos && key == "sent_bytes_per_device";
  return list || in_step || key == "stage" || key == "type" || key == "local_bytes" ||
         key == "autoshard_version";
}

/// Every member of every object below `value`.
void collect_members(const Json& value, const Json::json_pointer& at,
                     std::vector<Json::json_pointer>& members) {
  if (value.is_array()) {
    for (std::size_t i = 0; i < value.size(); ++i) collect_members(value[i], at / i, members);
  }
  if (!value.is_object()) return;
  for (const auto& [key, member] : value.items()) {
    members.push_back(at / key);
    collect_members(member, at / key, members);
  }
}

}  // namespace

SamplePlan::SamplePlan() : graph_(loop_graph()) {
  plan_.mesh = mesh_of_eight();
  add_copies();
  plan_.operators = {{{CopyId(0), CopyId(1)}, {CopyId(2)}, 0.1, 1},
                     {{CopyId(3)}, {CopyId(6)}, 0, 1},
                     {{CopyId(4)}, {CopyId(5)}, 1e-300, 3}};
  plan_.regions = {{{CopyId(0), CopyId(1)}, {CopyId(7)}}, {{CopyId(4)}, {CopyId(5)}}};
  plan_.collectives = {{CollectiveKind::all_reduce, {{1, 1, 4}}, 1, 96, 144, 2.5e-6}};
  add_totals();
}

ShardingSpec SamplePlan::spec(std::string_view text) const {
  Result<ShardingSpec> spec = parse_sharding_spec(text, plan_.mesh);
  REQUIRE_MESSAGE(spec.ok(), spec.error().message);
  return std::move(spec).value();
}

void SamplePlan::make(std::string_view path, std::string_view spec_text) {
  TensorCopy& copy = plan_.copies.emplace_back();
  copy.tensor = tensor(graph_, path);
  copy.spec = spec(spec_text);
}

void SamplePlan::convert(std::string_view path, std::string_view spec_text, CopyId source,
                         Collective step) {
  make(path, spec_text);
  TensorCopy& copy = plan_.copies.back();
  copy.source = source;
  copy.steps = {std::move(step)};
  copy.step_specs = {copy.spec};
}

void SamplePlan::add_copies() {
  make("arg:x", R"([{"data"}, {"model"}])");
  make("arg:w", R"([{"model"}, {}])");
  make("y:0", R"([{"data"}, {}] partial={"model":sum})");
  convert("y:0", R"([{"data"}, {}])", CopyId(2),
          {.kind = CollectiveKind::all_reduce,
           .axes = {{1, 1, 4}},
           .group_size = 4,
           .buffer_bytes = 96});
  plan_.copies.back().seconds = 2.5e-6;
  plan_.copies.back().at_once = true;
  make("loop/arg:0", R"([{"data"}, {}])");
  make("loop/negated:0", R"([{"data"}, {}])");
  make("loop:0", R"([{"data"}, {}])");
  convert("loop:0", R"([{"data"}, {"model":(2)2}])", CopyId(6),
          {.kind = CollectiveKind::slice, .axes = {{1, 2, 2}}, .split_dim = 1, .group_size = 2});
  plan_.copies.back().phase = Phase::update;
}

void SamplePlan::add_totals() {
  plan_.graph_name = graph_.name();
  plan_.graph_fingerprint = graph_.fingerprint();
  plan_.target = "interpreter";
  plan_.status = SolveStatus::time_limit;
  plan_.reason = "the \"clock\" ended it";
  plan_.step_seconds = 0.1 + 2.5e-6;
  plan_.compute_seconds = 0.1;
  plan_.collective_seconds = 2.5e-6;
  plan_.peak_bytes = 1234;
  plan_.peak_at = "y";
  plan_.argument_bytes = 40;
  plan_.memory_limit_bytes = 5000;
  plan_.solver_cost = Int128{1'000'000'000'000} * 1'000'000'000'000;
  plan_.solver_lower_bound = Int128{0};
  plan_.solver_gap = 1;
  plan_.warnings = {"a", "b"};
  plan_.phases = {{"solve", 0.25}};
  plan_.planning_seconds = 0.5;
}

std::vector<nlohmann::json::json_pointer> members_read(const Json& json) {
  std::vector<Json::json_pointer> members;
  collect_members(json, Json::json_pointer(), members);
  std::erase_if(members, derived);
  return members;
}

}  // namespace autoshard::test
