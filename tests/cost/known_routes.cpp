// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "cost/routes.hpp"
#include "support/simple_cost_model.hpp"

using namespace autoshard;
using test::Routes;

namespace {

const TensorType kMatrix{DType::f32, {64, 128}};

}  // namespace

TEST_CASE("equal specs need no step") {
  const Routes mesh("x=2,y=4");
  for (const char* spec : {"[{}, {}]", R"([{"x"}, {"y"}])", R"([{}, {}] partial={"x":sum})"}) {
    CHECK(mesh.route(kMatrix, spec, spec) == "");
    CHECK(mesh.path(kMatrix, mesh.spec(spec), mesh.spec(spec))->seconds == 0);
  }
}

TEST_CASE("what every device has is sliced, for nothing") {
  const Routes mesh("x=2,y=4");
  CHECK(mesh.route(kMatrix, "[{}, {}]", R"([{"x"}, {}])") == "slice x");
  CHECK(mesh.route(kMatrix, "[{}, {}]", R"([{"x", "y"}, {}])") == "slice x y");
  CHECK(mesh.route(kMatrix, R"([{"x"}, {}])", R"([{"x"}, {"y"}])") == "slice y");
  const auto path = mesh.path(kMatrix, mesh.spec("[{}, {}]"), mesh.spec(R"([{"y"}, {"x"}])"));
  REQUIRE(path);
  CHECK(path->steps.size() == 2);
  CHECK(path->seconds == 0);
}

TEST_CASE("a split dimension becomes whole by an all-gather") {
  const Routes mesh("x=2,y=4");
  CHECK(mesh.route(kMatrix, R"([{"x"}, {}])", "[{}, {}]") == "all-gather x");
  CHECK(mesh.route(kMatrix, R"([{"x"}, {"y"}])", R"([{"x"}, {}])") == "all-gather y");
}

TEST_CASE("two axes of one dimension are gathered in one collective where starting one is dear") {
  const Routes mesh("x=2,y=4");
  const test::SimpleCostModel model;
  internal::ReshardingContext context = mesh.context();
  context.model = &model;
  const auto path = internal::find_resharding(context, kMatrix, mesh.spec(R"([{"x", "y"}, {}])"),
                                              ShardingSpec::replicated(2));
  REQUIRE(path);
  REQUIRE(path->steps.size() == 1);
  CHECK(path->steps[0].kind == CollectiveKind::all_gather);
  CHECK(path->steps[0].group_size == 8);
  CHECK(path->steps[0].buffer_bytes == kMatrix.bytes());
  CHECK(path->steps[0].gather_dim == 0);
}

TEST_CASE("two axes of one dimension are gathered one by one where latency grows with the group") {
  const Routes mesh("x=2,y=4");
  CHECK(mesh.route(kMatrix, R"([{"x", "y"}, {}])", "[{}, {}]") == "all-gather y, all-gather x");
}

TEST_CASE("a split goes from one dimension to another by an all-to-all") {
  const Routes mesh("x=2,y=4");
  CHECK(mesh.route(kMatrix, R"([{"x"}, {}])", R"([{}, {"x"}])") == "all-to-all x");
  CHECK(mesh.route(kMatrix, R"([{"x", "y"}, {}])", R"([{"x"}, {"y"}])") == "all-to-all y");
  const auto path = mesh.path(kMatrix, mesh.spec(R"([{"x"}, {}])"), mesh.spec(R"([{}, {"x"}])"));
  REQUIRE(path);
  CHECK(path->steps[0].gather_dim == 0);
  CHECK(path->steps[0].split_dim == 1);
}

TEST_CASE("partial values become whole by an all-reduce") {
  const Routes mesh("x=2,y=4");
  CHECK(mesh.route(kMatrix, R"([{}, {}] partial={"x":sum})", "[{}, {}]") == "all-reduce x");
  CHECK(mesh.route(kMatrix, R"([{"y"}, {}] partial={"x":max})", R"([{"y"}, {}])") ==
        "all-reduce x");
  const auto path =
      mesh.path(kMatrix, mesh.spec(R"([{}, {}] partial={"x":max})"), mesh.spec("[{}, {}]"));
  REQUIRE(path);
  CHECK(path->steps[0].reduction == ReductionKind::max);
}

TEST_CASE("partial values of two kinds are reduced one kind at a time") {
  const Routes mesh("x=2,y=4");
  const auto path = mesh.path(kMatrix, mesh.spec(R"([{}, {}] partial={"x":sum, "y":max})"),
                              mesh.spec("[{}, {}]"));
  REQUIRE(path);
  for (const Collective& step : path->steps) {
    if (step.kind == CollectiveKind::all_gather) continue;
    REQUIRE(step.axes.size() == 1);
    CHECK(step.reduction == (step.axes[0].axis == 0 ? ReductionKind::sum : ReductionKind::max));
  }
}

TEST_CASE("partial values become split by a reduce-scatter") {
  const Routes mesh("x=2,y=4");
  CHECK(mesh.route(kMatrix, R"([{}, {}] partial={"x":sum})", R"([{"x"}, {}])") ==
        "reduce-scatter x");
  CHECK(mesh.route(kMatrix, R"([{"y"}, {}] partial={"x":sum})", R"([{"y"}, {"x"}])") ==
        "reduce-scatter x");
}

TEST_CASE("an engine without reduce-scatter reduces and slices instead") {
  Target target;
  target.reduce_scatter = false;
  const Routes mesh("x=2,y=4", target);
  CHECK(mesh.route(kMatrix, R"([{}, {}] partial={"x":sum})", R"([{"x"}, {}])") ==
        "all-reduce x, slice x");
}

TEST_CASE("two axes of a dimension change places by a permute") {
  const Routes mesh("x=2,y=4");
  CHECK(mesh.route(kMatrix, R"([{"x", "y"}, {}])", R"([{"y", "x"}, {}])") ==
        "collective-permute x y");
}

TEST_CASE("a split moves from one axis to another of the same size by a permute") {
  const Routes mesh("x=2,y=2");
  CHECK(mesh.route(kMatrix, R"([{"x"}, {}])", R"([{"y"}, {}])") == "collective-permute x y");
}

TEST_CASE("nothing becomes partial that was not") {
  const Routes mesh("x=2,y=4");
  CHECK(mesh.route(kMatrix, "[{}, {}]", R"([{}, {}] partial={"x":sum})") == "none");
  CHECK(mesh.route(kMatrix, R"([{"x"}, {}])", R"([{}, {}] partial={"x":sum})") == "none");
  CHECK(mesh.route(kMatrix, R"([{}, {}] partial={"y":sum})",
                   R"([{}, {}] partial={"x":sum, "y":sum})") == "none");
}

TEST_CASE("a partial value of one kind does not pass for one of another kind") {
  const Routes mesh("x=2,y=4");
  CHECK(mesh.route(kMatrix, R"([{}, {}] partial={"x":max})", R"([{}, {}] partial={"x":sum})") ==
        "none");
}

TEST_CASE("a part of an axis is gathered, sliced and moved like a whole one") {
  const Routes mesh("x=2,y=4");
  CHECK(mesh.route(kMatrix, R"([{"y"}, {}])", R"([{"y":(1)2}, {}])") == "all-gather y:(2)2");
  CHECK(mesh.route(kMatrix, R"([{"y":(1)2}, {}])", R"([{"y"}, {}])") == "slice y:(2)2");
  CHECK(mesh.route(kMatrix, R"([{"y"}, {}])", R"([{"y":(1)2}, {"y":(2)2}])") ==
        "all-to-all y:(2)2");
  CHECK(mesh.route(kMatrix, R"([{"y":(1)2}, {}])", R"([{"y":(2)2}, {}])") ==
        "collective-permute y:(1)2 y:(2)2");
}

TEST_CASE("a partial axis may be split into parts on its way") {
  const Routes mesh("x=2,y=4");
  CHECK(mesh.route(kMatrix, R"([{}, {}] partial={"y":sum})", R"([{"y":(1)2}, {"y":(2)2}])") !=
        "none");
  CHECK(mesh.route(kMatrix, R"([{}, {}] partial={"y":sum})", R"([{"y":(1)2}, {}])") != "none");
}
