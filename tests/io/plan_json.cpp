// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "autoshard/graph_builder.hpp"
#include "io/plan_json_sample.hpp"

namespace autoshard {
namespace {

using Json = nlohmann::json;
using test::members_read;
using test::SamplePlan;

/// y = x w.
Graph dot_graph() {
  using Dims = std::vector<std::int64_t>;
  GraphBuilder builder("dot");
  const TensorId x = builder.argument("x", {DType::f32, {8, 4}});
  const TensorId w = builder.argument("w", {DType::f32, {4, 6}}, Role::parameter);
  builder.result(builder.add_one({.name = "y",
                                  .kind = "dot_general",
                                  .operands = {x, w},
                                  .result_types = {{DType::f32, {8, 6}}},
                                  .attributes = {{"lhs_batching_dimensions", Dims{}},
                                                 {"rhs_batching_dimensions", Dims{}},
                                                 {"lhs_contracting_dimensions", Dims{1}},
                                                 {"rhs_contracting_dimensions", Dims{0}}}}));
  return std::move(builder).build().value();
}

void check_equal(const TensorCopy& a, const TensorCopy& b) {
  CHECK(a.tensor == b.tensor);
  CHECK(a.spec == b.spec);
  CHECK(a.source == b.source);
  CHECK(a.steps == b.steps);
  CHECK(a.step_specs == b.step_specs);
  CHECK(a.phase == b.phase);
  CHECK(a.at_once == b.at_once);
  CHECK(a.count == b.count);
  CHECK(a.seconds == b.seconds);
}

}  // namespace

TEST_CASE("a plan comes back from JSON as it was") {
  const SamplePlan sample;
  const Result<IntraOpPlan> parsed = parse_plan_json(sample.text(), sample.graph());
  REQUIRE_MESSAGE(parsed.ok(), parsed.error().message);
  const IntraOpPlan& expected = sample.plan();
  REQUIRE(parsed->copies.size() == expected.copies.size());
  for (std::size_t i = 0; i < expected.copies.size(); ++i) {
    check_equal(parsed->copies[i], expected.copies[i]);
  }
  CHECK(parsed->operators[2].seconds == expected.operators[2].seconds);
  CHECK(parsed->regions[1].results == expected.regions[1].results);
  CHECK(parsed->mesh.device().matmul_flops_per_second_32 == 1.0 / 3);
  CHECK(parsed->solver_cost == expected.solver_cost);
  CHECK(parsed->status == SolveStatus::time_limit);
  CHECK(write_plan_json(*parsed, sample.graph()) == sample.text());
}

TEST_CASE("a plan without an answer comes back from JSON") {
  const SamplePlan sample;
  IntraOpPlan plan;
  plan.mesh = sample.plan().mesh;
  plan.graph_fingerprint = sample.graph().fingerprint();
  plan.reason = "needs 20 GB";
  const std::string text = write_plan_json(plan, sample.graph());
  const Result<IntraOpPlan> parsed = parse_plan_json(text, sample.graph());
  REQUIRE_MESSAGE(parsed.ok(), parsed.error().message);
  CHECK(!parsed->has_answer());
  CHECK(!parsed->solver_cost);
  CHECK(write_plan_json(*parsed, sample.graph()) == text);
}

TEST_CASE("the plan's JSON lists parameters and collectives for readers") {
  const Json json = Json::parse(SamplePlan().text());
  CHECK(json["parameters"][1] == Json({{"tensor", "arg:w"},
                                       {"tensor_id", 1},
                                       {"stage", 0},
                                       {"type", "f32[4,6]"},
                                       {"spec", R"([{"model"}, {}])"},
                                       {"local_bytes", 24},
                                       {"role", "parameter"}}));
  REQUIRE(json["collectives"].size() == 1);
  CHECK(json["collectives"][0] == Json({{"kind", "all-reduce"},
                                        {"axes", {"model"}},
                                        {"group_size", 4},
                                        {"buffer_bytes", 96},
                                        {"sent_bytes_per_device", 144},
                                        {"count", 1},
                                        {"frequency", "microbatch"},
                                        {"tensor", "y:0"},
                                        {"copy", 3},
                                        {"stage", 0}}));
  CHECK(json["tensors"][7]["steps"][0]["axes"] == Json({"model:(2)2"}));
}

TEST_CASE("every number in the plan's JSON names its unit") {
  const SamplePlan sample;
  for (const Json::json_pointer& at : members_read(Json::parse(sample.text()))) {
    const Json value = Json::parse(sample.text()).at(at);
    const std::string& key = at.back();
    if (value.is_number_float()) {
      CAPTURE(key);
      CHECK((key.ends_with("_seconds") || key.find("_per_second") != key.npos || key == "gap"));
    }
  }
}

TEST_CASE("the example of docs/plan.md is a plan as it is written") {
  std::ifstream file(AUTOSHARD_TEST_DATA "/../../docs/plan.md");
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  const std::string fence = "```json\n";
  const std::size_t begin = page.find(fence) + fence.size();
  const std::string example = page.substr(begin, page.find("```", begin) - begin);
  const Graph graph = dot_graph();
  const Result<IntraOpPlan> parsed = parse_plan_json(example, graph);
  REQUIRE_MESSAGE(parsed.ok(), parsed.error().message);
  CHECK(write_plan_json(*parsed, graph) == example);
}

}  // namespace autoshard
