// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "autoshard/verify.hpp"

#include <doctest/doctest.h>

#include "execute/small_graphs.hpp"

namespace autoshard::test {
namespace {

using Ints = std::vector<std::int64_t>;

VerifyReport verified(const Graph& graph, const IntraOpPlan& plan) {
  auto report = verify(graph, plan);
  REQUIRE_MESSAGE(report.ok(), report.error().message);
  return *report;
}

void check_passes(const Graph& graph, const IntraOpPlan& plan) {
  const VerifyReport report = verified(graph, plan);
  CHECK_MESSAGE(report.passed(), report.full_report());
  CHECK(report.mismatches.empty());
}

bool mentions(const VerifyReport& report, const std::string& text) {
  for (const std::string& mismatch : report.mismatches) {
    if (mismatch.find(text) != std::string::npos) return true;
  }
  return false;
}

std::string verify_error(const Graph& graph, const IntraOpPlan& plan,
                         const VerifyOptions& options = {}) {
  const auto report = verify(graph, plan, options);
  REQUIRE(!report.ok());
  return report.error().message;
}

TEST_CASE("a right plan passes and the bytes are the formula's") {
  const Graph graph = column_sums();
  const VerifyReport report = verified(graph, data_parallel(graph, mesh_of("4")).build());
  CHECK_MESSAGE(report.passed(), report.full_report());
  CHECK(report.collectives_run == 1);
  CHECK(report.bytes_predicted == 4 * 2 * 3 * 6);  // 2 (n-1)/n S on each of four devices
  CHECK(report.bytes_moved == report.bytes_predicted);
  CHECK(report.tensors_compared == 7);
  CHECK(report.brief_report().find("passed") == 0);
}

TEST_CASE("right plans pass on meshes that split unevenly or have more devices than rows") {
  const Graph sums = column_sums();
  const Graph layers = two_layers();
  const Graph rows = lookup();
  const Graph turns = loop();
  for (const char* text : {"2", "3", "5", "7", "11", "2x3"}) {
    CAPTURE(text);
    check_passes(sums, data_parallel(sums, mesh_of(text)).build());
    check_passes(layers, column_row_split(layers, mesh_of(text)).build());
    check_passes(rows, vocabulary_split(rows, mesh_of(text)).build());
    check_passes(turns, loop_plan(turns, mesh_of(text)).build());
  }
}

TEST_CASE("what a loop does not change is converted once, the rest every turn") {
  const Graph graph = loop();
  const VerifyReport report = verified(graph, loop_plan(graph, mesh_of("2")).build());
  CHECK_MESSAGE(report.passed(), report.full_report());
  CHECK(report.collectives_run == 1 + 5);
  CHECK(report.bytes_moved == 4 * 4 * 4 + 5 * 8 * 4 * 4);
}

TEST_CASE("a wrong count of turns is noticed in the bytes") {
  const Graph graph = loop();
  IntraOpPlan plan = loop_plan(graph, mesh_of("2")).build();
  for (TensorCopy& copy : plan.copies) {
    if (copy.steps.size() == 2) copy.count = 5;
  }
  const VerifyReport report = verified(graph, plan);
  CHECK(report.values_equal);
  CHECK(!report.bytes_equal);
  CHECK(mentions(report, "converted 1 times, planned 5"));
}

TEST_CASE("a missing all-reduce is noticed where the value is made") {
  const Graph graph = two_layers();
  HandPlan plan = column_row_split(graph, mesh_of("4"));
  plan.made("down", "[{}, {}]").reads("out", 0, CopyId{plan.tensor("down").index()});
  IntraOpPlan wrong = plan.build();
  wrong.copies.pop_back();
  wrong.collectives.clear();
  const VerifyReport report = verified(graph, wrong);
  CHECK(!report.values_equal);
  REQUIRE(report.mismatches.size() == 1);
  CHECK(report.mismatches[0].find("tensor 'down:0' as [{}, {}]: device 0 has ") == 0);
}

TEST_CASE("partial values must not pass through an operator that is not linear") {
  const Graph graph = two_layers();
  HandPlan plan = column_row_split(graph, mesh_of("4"));
  plan.made("out", R"([{}, {}] partial={"a0":sum})");
  plan.reads("out", 0, CopyId{plan.tensor("down").index()});
  CHECK(mentions(verified(graph, plan.build()), "tensor 'out:0'"));
}

TEST_CASE("pieces that do not fit each other are noticed and the operator is named") {
  const Graph graph = two_layers();
  HandPlan plan = column_row_split(graph, mesh_of("4"));
  plan.made("w2", "[{}, {}]");
  const VerifyReport report = verified(graph, plan.build());
  CHECK(!report.values_equal);
  CHECK(mentions(report, "operator 'down': operand 1 holds rows 0:12 of dimension 0"));
  CHECK(report.mismatches.size() == 1);
}

TEST_CASE("a wrong kind of partial value is noticed") {
  const Graph graph = column_sums();
  HandPlan plan(graph, mesh_of("4"));
  plan.made("x", R"([{"a0"}, {}])").made("product", R"([{"a0"}, {}])");
  plan.made("hidden", R"([{"a0"}, {}])").made("sums", R"([{}] partial={"a0":max})");
  plan.returns(RegionId{0}, 0, plan.converted("sums", {{CollectiveKind::all_reduce, "[{}]"}}));
  CHECK(mentions(verified(graph, plan.build()), "tensor 'sums:0'"));
}

TEST_CASE("wrong collectives, groups and bytes are noticed") {
  const Graph graph = column_sums();
  const IntraOpPlan right = data_parallel(graph, mesh_of("2x2")).build();
  const auto report_of = [&](const std::function<void(Collective&)>& change) {
    IntraOpPlan plan = right;
    change(plan.copies.back().steps[0]);
    return verified(graph, plan);
  };
  CHECK(right.copies.back().steps.size() == 1);
  const VerifyReport kind = report_of([](Collective& c) { c.kind = CollectiveKind::all_gather; });
  CHECK(!kind.values_equal);
  CHECK(mentions(kind, "step 1 (all-gather): the partial axes are not what is reduced"));
  CHECK(!report_of([](Collective& c) { c.axes = {{1, 1, 2}}; }).values_equal);
  CHECK(!report_of([](Collective& c) { c.reduction = ReductionKind::max; }).values_equal);
  CHECK(!report_of([](Collective& c) { c.group_size = 4; }).passed());
  const VerifyReport bytes = report_of([](Collective& c) { c.buffer_bytes /= 2; });
  CHECK(bytes.values_equal);
  CHECK(!bytes.bytes_equal);
  CHECK(mentions(bytes, "buffer_bytes is 12, but the pieces make 24"));
}

TEST_CASE("totals that are not the sum of the steps are noticed") {
  const Graph graph = column_sums();
  IntraOpPlan plan = data_parallel(graph, mesh_of("4")).build();
  plan.collectives.clear();
  const VerifyReport report = verified(graph, plan);
  CHECK(!report.bytes_equal);
  CHECK(mentions(report, "totals of the plan: 0 bytes sent per device, its steps send 36"));
}

TEST_CASE("the input of a scatter of split updates is counted once") {
  GraphBuilder builder;
  const TensorId table = builder.argument("table", f32_type({5, 2}));
  const TensorId indices = builder.argument("indices", {DType::s32, {8, 1}});
  const TensorId updates = builder.argument("updates", f32_type({8, 2}));
  builder.result(builder.add_one({"sum",
                                  "scatter",
                                  {table, indices, updates},
                                  {f32_type({5, 2})},
                                  {{"update_window_dims", Ints{1}},
                                   {"inserted_window_dims", Ints{0}},
                                   {"input_batching_dims", Ints{}},
                                   {"scatter_indices_batching_dims", Ints{}},
                                   {"scatter_dims_to_operand_dims", Ints{0}},
                                   {"index_vector_dim", std::int64_t{1}},
                                   {"reducer", std::string("sum")}}}));
  const Graph graph = finished(std::move(builder));
  HandPlan plan(graph, mesh_of("2x2"));
  plan.made("indices", R"([{"a1"}, {}])").made("updates", R"([{"a1"}, {}])");
  plan.made("sum", R"([{}, {}] partial={"a1":sum})");
  check_passes(graph, plan.build());
}

TEST_CASE("a broadcast may be made as a partial value") {
  GraphBuilder builder;
  const TensorId one = builder.add_one({"one", "constant", {}, {f32_type({})}, {{"value", 1.0}}});
  builder.result(builder.add_one(
      {"ones", "broadcast_in_dim", {one}, {f32_type({4})}, {{"broadcast_dimensions", Ints{}}}}));
  const Graph graph = finished(std::move(builder));
  HandPlan plan(graph, mesh_of("2x2"));
  plan.made("ones", R"([{"a0"}] partial={"a1":max})");
  check_passes(graph, plan.build());
}

TEST_CASE("an operator that nobody knows is named and what follows is verified") {
  GraphBuilder builder;
  const TensorId x = builder.argument("x", f32_type({4}));
  const TensorId sorted = builder.add_one({"sorted", "my_sort", {x}, {f32_type({4})}});
  builder.result(builder.add_one({"out", "tanh", {sorted}, {f32_type({4})}}));
  const Graph graph = finished(std::move(builder));
  const VerifyReport report = verified(graph, HandPlan(graph, mesh_of("2")).build());
  CHECK(report.passed());
  CHECK(report.skipped == std::vector<std::string>{"sorted (my_sort)"});
  CHECK(report.full_report().find("not verified: sorted (my_sort)") != std::string::npos);
}

TEST_CASE("plans that cannot be run are refused with the name of the culprit") {
  const Graph graph = two_layers();
  const IntraOpPlan right = column_row_split(graph, mesh_of("4")).build();
  const auto error_of = [&](const std::function<void(IntraOpPlan&)>& change) {
    IntraOpPlan plan = right;
    change(plan);
    return verify_error(graph, plan);
  };
  CHECK(error_of([](IntraOpPlan& p) {
          p.graph_fingerprint = "0";
        }).find("the plan is of graph 0") == 0);
  CHECK(error_of([](IntraOpPlan& p) { p.regions.clear(); }).find("the plan has no answer") == 0);
  CHECK(error_of([](IntraOpPlan& p) { p.operators.pop_back(); }) ==
        "the plan does not place every operator and region");
  CHECK(error_of([](IntraOpPlan& p) {
          p.operators[0].operands[0] = CopyId{1};
        }).find("operator 'up', operands: 0 is no copy of 'arg:x'") == 0);
  CHECK(error_of([](IntraOpPlan& p) {
          p.copies[0].spec = ShardingSpec::replicated(1);
        }).find("copy 0 of tensor 'arg:x'") == 0);
  CHECK(error_of([](IntraOpPlan& p) {
          p.copies.back().step_specs.clear();
        }).find("not one spec per step") != std::string::npos);
  CHECK(error_of([](IntraOpPlan& p) {
          p.copies.back().source = CopyId{p.copies.size() - 1};
        }).find("made from itself") != std::string::npos);
}

TEST_CASE("tensors above the limit are refused") {
  const Graph graph = two_layers();
  VerifyOptions options;
  options.max_elements = 50;
  CHECK(verify_error(graph, column_row_split(graph, mesh_of("4")).build(), options) ==
        "tensor 'up:0': 96 elements, more than max_elements = 50");
  options.max_elements = 0;
  CHECK(!options.validate().ok());
}

TEST_CASE("the same seed gives the same run and another seed another one") {
  const Graph graph = two_layers();
  const IntraOpPlan plan = column_row_split(graph, mesh_of("3")).build();
  const auto error_with = [&](std::uint64_t seed) {
    VerifyOptions options;
    options.seed = seed;
    return verify(graph, plan, options).value().largest_relative_error;
  };
  CHECK(error_with(1) == error_with(1));
  CHECK(error_with(1) < 1e-12);
}

}  // namespace
}  // namespace autoshard::test
