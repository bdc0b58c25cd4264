// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include <random>

#include "cost/brute_force.hpp"
#include "cost/routes.hpp"
#include "support/simple_cost_model.hpp"

using namespace autoshard;
using test::Routes;

namespace {

using Random = std::mt19937;

std::int64_t below(Random& random, std::int64_t limit) {
  return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(limit));
}

TensorType random_type(Random& random) {
  static constexpr std::int64_t kSizes[] = {2, 3, 5, 6, 7, 8, 12, 16, 24, 30};
  TensorType type{DType::f32, {}};
  const std::int64_t rank = 1 + below(random, 3);
  for (std::int64_t dim = 0; dim < rank; ++dim) type.shape.push_back(kSizes[below(random, 10)]);
  return type;
}

/// Each axis splits a dimension, is partial, or is unused; at most one row a shard.
ShardingSpec random_spec(Random& random, const TensorType& type, const DeviceMesh& mesh,
                         bool partial) {
  ShardingSpec spec = ShardingSpec::replicated(type.rank());
  for (const AxisRef& axis : internal::whole_axes(mesh)) {
    const std::int64_t place = below(random, type.rank() + 2) - 1;
    if (place < 0 && partial) {
      spec.partial.push_back(
          {axis, below(random, 3) == 0 ? ReductionKind::max : ReductionKind::sum});
    }
    if (place < 0 || place >= type.rank()) continue;
    const auto dim = static_cast<std::size_t>(place);
    if (spec.shards(dim) * axis.size > type.shape[dim]) continue;
    auto& axes = spec.dims[dim];
    axes.insert(below(random, 2) == 0 ? axes.begin() : axes.end(), axis);
  }
  return spec;
}

void compare_with_brute_force(const Routes& routes, const CostModel& model, std::uint32_t seed) {
  Random random(seed);
  const TensorType type = random_type(random);
  const ShardingSpec from = random_spec(random, type, routes.mesh(), true);
  CAPTURE(to_string(type));
  CAPTURE(to_string(from, routes.mesh()));
  const test::ConversionProblem problem{&routes.mesh(), &routes.target(), &model, type};
  const auto best = test::cheapest_conversions(problem, from);
  internal::ReshardingContext context = routes.context();
  context.model = &model;
  internal::ReshardingSearch search(context, type, from);
  for (const auto& [to, seconds] : best) {
    CAPTURE(to_string(to, routes.mesh()));
    const auto found = search.seconds(to);
    REQUIRE(found);
    CHECK(*found == doctest::Approx(seconds).epsilon(1e-9));
  }
  for (int i = 0; i < 8; ++i) {
    const ShardingSpec to = random_spec(random, type, routes.mesh(), true);
    CAPTURE(to_string(to, routes.mesh()));
    CHECK(search.seconds(to).has_value() == best.contains(to));
  }
}

}  // namespace

TEST_CASE("every cheapest route costs what a brute-force search finds") {
  Target even;
  even.uneven_intermediates = false;
  Target no_scatter;
  no_scatter.reduce_scatter = false;
  const test::SimpleCostModel dear_starts;
  for (const char* text : {"x=2,y=4", "x=6", "x=2,y=3,z=2"}) {
    CAPTURE(text);
    for (const Target& target : {Target{}, even, no_scatter}) {
      const Routes routes(text, target);
      for (std::uint32_t seed = 0; seed < 12; ++seed) {
        CAPTURE(seed);
        compare_with_brute_force(routes, routes.model(), seed);
        compare_with_brute_force(routes, dear_starts, seed + 1000);
      }
    }
  }
}

TEST_CASE("the steps of every route follow one another and end in the goal") {
  for (const char* text : {"x=2,y=4", "x=6", "x=2,y=3,z=2", "x=7"}) {
    const Routes routes(text);
    Random random(1);
    for (int i = 0; i < 60; ++i) {
      const TensorType type = random_type(random);
      const ShardingSpec from = random_spec(random, type, routes.mesh(), true);
      const ShardingSpec to = random_spec(random, type, routes.mesh(), false);
      CAPTURE(to_string(type));
      CAPTURE(to_string(from, routes.mesh()));
      CAPTURE(to_string(to, routes.mesh()));
      const auto path = routes.path(type, from, to);
      REQUIRE(path);
      test::check_steps(routes, type, from, to, *path);
    }
  }
}

TEST_CASE("no route is dearer than one over a third spec") {
  const Routes routes("x=2,y=3,z=2");
  Random random(5);
  for (int i = 0; i < 40; ++i) {
    const TensorType type = random_type(random);
    const ShardingSpec a = random_spec(random, type, routes.mesh(), true);
    const ShardingSpec b = random_spec(random, type, routes.mesh(), false);
    const ShardingSpec c = random_spec(random, type, routes.mesh(), false);
    const auto direct = routes.path(type, a, c);
    const auto first = routes.path(type, a, b);
    const auto second = routes.path(type, b, c);
    REQUIRE((direct && first && second));
    CHECK(direct->seconds <= (first->seconds + second->seconds) * (1 + 1e-12));
  }
}
