// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// Data parallelism under a memory limit: weights with Adam's moments are split over the devices,
// gradients reduce-scattered and weights all-gathered (ZeRO), for as few weights as the limit
// forces, since each costs one more start of a collective than an all-reduce.
#include "intra/behaviour.hpp"

namespace autoshard::test {
namespace {

constexpr std::int64_t kDevices = 4;

/// Two layers, four times as wide inside, at batches where data parallelism is cheapest.
struct Sizes {
  std::int64_t batch = 0;
  std::int64_t width = 0;

  std::int64_t rows() const { return batch / kDevices; }
  std::int64_t weight() const { return 4 * width * width; }
};

/// Bytes at the peak of plain data parallelism. That is where the gradient before the ReLU is made
/// from the one after it and the forward value: three activations of the inner width, beside the
/// gradient of the second weight and the arguments (input, labels, two weights with two moments
/// each, the step counter).
std::int64_t replicated_bytes(const Sizes& sizes) {
  const std::int64_t arguments = 2 * sizes.rows() * sizes.width + 6 * sizes.weight() + 1;
  const std::int64_t inner = sizes.rows() * 4 * sizes.width;
  return 4 * (arguments + 3 * inner + sizes.weight());
}

/// Three quarters of a weight, its moments and its gradient go; at the peak nothing of it is
/// gathered.
std::int64_t second_split_bytes(const Sizes& sizes) {
  return replicated_bytes(sizes) - 4 * 4 * sizes.weight() * 3 / 4;
}

/// The gradient of the first weight is not there yet.
std::int64_t both_split_bytes(const Sizes& sizes) {
  return second_split_bytes(sizes) - 4 * 3 * sizes.weight() * 3 / 4;
}

class StateSweep {
 public:
  Graph graph(const Sizes& sizes) const {
    return mlp_step({.batch = sizes.batch,
                     .widths = {sizes.width, 4 * sizes.width, sizes.width},
                     .optimizer = Optimizer::adam});
  }

  IntraOpPlan plan(const Graph& graph, std::int64_t limit) const {
    return planned(graph, one_axis(kDevices), model_, limit);
  }

  std::vector<HandCost> that_fit(const Sizes& sizes, std::int64_t limit) const {
    const double weight = static_cast<double>(sizes.weight());
    const double matmuls =
        5 * 2 * static_cast<double>(sizes.rows()) * weight / model_.prices().flops_per_second;
    const double split = price_.reduce_scatter(weight) + price_.all_gather(weight);
    std::vector<HandCost> plans;
    const auto add = [&](const char* kind, std::int64_t bytes, double seconds) {
      if (bytes <= limit) plans.push_back({kind, matmuls + seconds});
    };
    add("replicated", replicated_bytes(sizes), 2 * price_.all_reduce(weight));
    add("one split", second_split_bytes(sizes), price_.all_reduce(weight) + split);
    add("both split", both_split_bytes(sizes), 2 * split);
    return plans;
  }

  static std::string kind(const Graph& graph, const IntraOpPlan& plan) {
    REQUIRE_MESSAGE(plan.has_answer(), plan.reason);
    const bool first = split_of(graph, plan, "m.w0") != "--";
    const bool second = split_of(graph, plan, "m.w1") != "--";
    if (first && second) return "both split";
    return first || second ? "one split" : "replicated";
  }

  void check(const Sizes& sizes, std::int64_t limit) const {
    CAPTURE(sizes.batch);
    CAPTURE(sizes.width);
    CAPTURE(limit - replicated_bytes(sizes));
    const Graph step = graph(sizes);
    const IntraOpPlan found = plan(step, limit);
    CHECK(found.peak_bytes <= limit);
    check_against(that_fit(sizes, limit), kind(step, found), step, found);
  }

 private:
  SimpleCostModel model_;
  HandPrices price_{model_, kDevices};
};

std::int64_t count(const IntraOpPlan& plan, CollectiveKind kind) {
  std::int64_t count = 0;
  for (const CollectiveTotal& total : plan.collectives) {
    if (total.kind == kind) count += total.count;
  }
  return count;
}

}  // namespace

TEST_CASE("state is split for as few weights as the memory limit forces") {
  const StateSweep sweep;
  for (const std::int64_t width : {128, 256}) {
    for (const std::int64_t batch : {12 * width, 16 * width, 24 * width}) {
      const Sizes sizes{batch, width};
      sweep.check(sizes, replicated_bytes(sizes));
      sweep.check(sizes, replicated_bytes(sizes) - 1);
      sweep.check(sizes, second_split_bytes(sizes));
      sweep.check(sizes, second_split_bytes(sizes) - 1);
      sweep.check(sizes, both_split_bytes(sizes));
    }
  }
}

TEST_CASE("a limit below what a plan with everything split needs is infeasible") {
  const StateSweep sweep;
  const Sizes sizes{2048, 128};
  const IntraOpPlan plan = sweep.plan(sweep.graph(sizes), both_split_bytes(sizes) - 1);
  CHECK(plan.status == SolveStatus::infeasible);
  CHECK(!plan.has_answer());
  CHECK(plan.reason != "");
}

TEST_CASE("state is split from the first batch that no longer fits") {
  const StateSweep sweep;
  for (const std::int64_t width : {128, 192}) {
    CAPTURE(width);
    const std::int64_t limit = replicated_bytes({16 * width, width}) + 1000;
    const std::int64_t by_formula =
        first_that(4 * width - 32, 4 * width + 32, [&](std::int64_t rows) {
          return replicated_bytes({rows * kDevices, width}) > limit;
        });
    const std::int64_t by_planner =
        first_that(4 * width - 32, 4 * width + 32, [&](std::int64_t rows) {
          const Graph step = sweep.graph({rows * kDevices, width});
          return StateSweep::kind(step, sweep.plan(step, limit)) != "replicated";
        });
    CHECK(by_planner == by_formula);
  }
}

TEST_CASE("split state takes a reduce-scatter and an all-gather in place of an all-reduce") {
  const StateSweep sweep;
  const Sizes sizes{2048, 128};
  const Graph step = sweep.graph(sizes);
  const IntraOpPlan loose = sweep.plan(step, replicated_bytes(sizes));
  CHECK(count(loose, CollectiveKind::all_reduce) == 2);
  CHECK(count(loose, CollectiveKind::reduce_scatter) == 0);
  const IntraOpPlan tight = sweep.plan(step, both_split_bytes(sizes));
  CHECK(count(tight, CollectiveKind::all_reduce) == 0);
  CHECK(count(tight, CollectiveKind::reduce_scatter) == 2);
  CHECK(count(tight, CollectiveKind::all_gather) == 2);
}

}  // namespace autoshard::test
