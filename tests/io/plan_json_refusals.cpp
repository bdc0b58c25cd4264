// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "io/plan_json_sample.hpp"

namespace autoshard {
namespace {

using Json = nlohmann::json;
using test::members_read;
using test::SamplePlan;

/// The error of a text that must not be read.
std::string refusal(const std::string& text, const Graph& graph) {
  const Result<IntraOpPlan> plan = parse_plan_json(text, graph);
  if (plan.ok()) return "";
  CHECK(plan.error().code == ErrorCode::invalid_argument);
  return plan.error().message;
}

std::string changed(const SamplePlan& sample, const char* pointer, const Json& value) {
  Json json = Json::parse(sample.text());
  json.at(Json::json_pointer(pointer)) = value;
  return refusal(json.dump(), sample.graph());
}

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != text.npos;
}

}  // namespace

TEST_CASE("a missing key is refused by name, whichever it is") {
  const SamplePlan sample;
  const Json json = Json::parse(sample.text());
  for (const Json::json_pointer& at : members_read(json)) {
    Json without = json;
    without.at(at.parent_pointer()).erase(at.back());
    CAPTURE(at.to_string());
    CHECK(contains(refusal(without.dump(), sample.graph()),
                   fmt::format("key '{}' is missing", at.back())));
  }
}

TEST_CASE("a value of another type is refused by its place, whichever it is") {
  const SamplePlan sample;
  const Json json = Json::parse(sample.text());
  for (const Json::json_pointer& at : members_read(json)) {
    for (const Json& wrong : {Json(true), Json(-1.5), Json(Json::object())}) {
      if (wrong.type() == json.at(at).type() && !wrong.is_number()) continue;
      Json other = json;
      other.at(at) = wrong;
      CAPTURE(at.to_string());
      CHECK(contains(refusal(other.dump(), sample.graph()), at.back()));
    }
  }
}

TEST_CASE("a plan's text that ends early is refused wherever it ends") {
  const SamplePlan sample;
  const std::string text = sample.text();
  for (std::size_t length = 0; length + 2 < text.size(); ++length) {
    CHECK(contains(refusal(text.substr(0, length), sample.graph()), "is not JSON"));
  }
}

TEST_CASE("a plan of another graph is refused") {
  const SamplePlan sample;
  CHECK(contains(changed(sample, "/graph_fingerprint", "0123456789abcdef"),
                 "graph_fingerprint: the plan is of another graph"));
}

TEST_CASE("a plan that does not fit its graph is refused") {
  const SamplePlan sample;
  CHECK(contains(changed(sample, "/schema_version", 2), "schema_version: 2"));
  CHECK(contains(changed(sample, "/tensors/0/tensor_id", 99), "tensors[0].tensor_id: 99"));
  CHECK(contains(changed(sample, "/tensors/0/tensor", "arg:w"), "tensors[0].tensor"));
  CHECK(contains(changed(sample, "/tensors/1/copy", 0), "tensors[1].copy"));
  CHECK(contains(changed(sample, "/operators/0/operands/1", 8), "operators[0].operands[1]: 8"));
  CHECK(contains(changed(sample, "/operators/0/operands/1", 0), "is not of tensor 'arg:w'"));
  CHECK(contains(changed(sample, "/operators/0/operands", Json::array()), "expected 2"));
  CHECK(contains(changed(sample, "/operators/0/name", "z"), "operators[0].name"));
  CHECK(contains(changed(sample, "/operators", Json::array()), "operators: has 0 entries"));
  CHECK(contains(changed(sample, "/regions/1/results/0", -1), "regions[1].results[0]: -1"));
  CHECK(contains(changed(sample, "/tensors", Json::array()), "operators[0].operands[0]"));
}

TEST_CASE("a plan whose sharding does not fit its mesh is refused") {
  const SamplePlan sample;
  CHECK(contains(changed(sample, "/tensors/0/spec", R"([{"expert"}, {}])"), "no axis 'expert'"));
  CHECK(contains(changed(sample, "/tensors/0/spec", R"([{"data"}])"), "tensors[0].spec"));
  CHECK(contains(changed(sample, "/tensors/0/spec", R"([{"data"}, {"data"}])"), "used twice"));
  CHECK(contains(changed(sample, "/tensors/3/steps/0/axes/0", "expert"),
                 "tensors[3].steps[0].axes[0]"));
  CHECK(contains(changed(sample, "/tensors/3/steps/0/axes/0", "data\", \"model"), "axes[0]"));
  CHECK(contains(changed(sample, "/tensors/3/steps/0/axes", {"model", "model"}), "used twice"));
  CHECK(contains(changed(sample, "/tensors/3/steps/0/group_size", 2), "group_size"));
  CHECK(contains(changed(sample, "/tensors/3/steps/0/split_dim", 2), "split_dim"));
  CHECK(contains(changed(sample, "/stages/0/device_ids", {0, 1}), "stages[0]"));
  CHECK(contains(changed(sample, "/stages/0/axes/0/size", 0), "stages[0].axes[0].size"));
  CHECK(contains(changed(sample, "/stages", Json::array()), "stages: 0 stages"));
}

TEST_CASE("a copy whose source is no form of its tensor is refused") {
  const SamplePlan sample;
  CHECK(contains(changed(sample, "/tensors/3/source", 0), "tensors[3].source: is of another"));
  CHECK(contains(changed(sample, "/tensors/3/source", 3), "leads back to itself"));
  CHECK(contains(changed(sample, "/tensors/3/source", nullptr), "steps without a source"));
  CHECK(contains(changed(sample, "/tensors/3/steps", Json::array()), "do not end in the spec"));
}

TEST_CASE("numbers that are none are refused") {
  const SamplePlan sample;
  const std::string number = "\"planning_seconds\": 0.5";
  for (const char* wrong : {"NaN", "1e999", "null", "-1", "Infinity"}) {
    std::string text = sample.text();
    text.replace(text.find(number), number.size(), fmt::format("\"planning_seconds\": {}", wrong));
    CAPTURE(wrong);
    CHECK(refusal(text, sample.graph()) != "");
  }
  CHECK(contains(changed(sample, "/solver/cost", "12x"), "solver.cost: '12x'"));
  CHECK(contains(changed(sample, "/solver/cost", std::string(39, '9')), "solver.cost"));
  CHECK(contains(changed(sample, "/peak_bytes", 1ull << 63), "peak_bytes: expected an integer"));
}

}  // namespace autoshard
