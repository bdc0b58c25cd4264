// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// Data parallel or Megatron's split, and what lies between, in MLPs without biases on one axis.
// Every plan below splits each product evenly over the devices, so only collectives tell them
// apart; and every weight gradient that is summed is summed once.
#include <fmt/ranges.h>

#include "intra/behaviour.hpp"

namespace autoshard::test {
namespace {

constexpr std::int64_t kDevices = 4;

/// A sweep asks for the same things at every batch and width.
class MlpCase {
 public:
  virtual ~MlpCase() = default;
  virtual std::vector<std::int64_t> widths(std::int64_t width) const = 0;
  virtual std::vector<HandCost> by_hand(double batch, double width) const = 0;
  /// Named after the splits of the first product and then of the weights, first layer first.
  virtual std::string kind(const std::vector<std::string>& splits) const = 0;

  Graph graph(std::int64_t batch, std::int64_t width) const {
    return mlp_step({.batch = batch, .widths = widths(width)});
  }

  IntraOpPlan plan(const Graph& graph) const { return planned(graph, one_axis(kDevices), model_); }

  std::string kind(const Graph& graph, const IntraOpPlan& plan) const {
    std::vector<std::string> splits = {first_product_split(graph, plan)};
    for (std::size_t i = 0; i + 1 < widths(4).size(); ++i) {
      splits.push_back(split_of(graph, plan, fmt::format("w{}", i)));
    }
    return kind(splits);
  }

  void check(std::int64_t batch, std::int64_t width) const {
    CAPTURE(batch);
    CAPTURE(width);
    const Graph step = graph(batch, width);
    const IntraOpPlan found = plan(step);
    const auto hand = by_hand(static_cast<double>(batch), static_cast<double>(width));
    check_against(hand, kind(step, found), step, found);
  }

  /// The planner changes to `to`, and not back, at the least multiple of the devices at which that
  /// is cheapest by hand; where it ties with another plan at that batch, at the next one at latest.
  void check_switch(const std::string& to, std::int64_t width, std::int64_t low,
                    std::int64_t high) const {
    CAPTURE(to);
    CAPTURE(width);
    const auto wins = [&](std::int64_t share, double handicap) {
      auto hand = by_hand(static_cast<double>(share * kDevices), static_cast<double>(width));
      for (HandCost& plan : hand) plan.seconds *= plan.kind == to ? 1 + handicap : 1;
      return cheapest(hand).kind == to;
    };
    const auto by_planner = first_that(low, high, [&](std::int64_t share) {
      const Graph step = graph(share * kDevices, width);
      return kind(step, plan(step)) == to;
    });
    CHECK(by_planner >= first_that(low, high, [&](auto share) { return wins(share, -1e-9); }));
    CHECK(by_planner <= first_that(low, high, [&](auto share) { return wins(share, 1e-9); }));
  }

 protected:
  SimpleCostModel model_;
  HandPrices price_{model_, kDevices};
};

/// Two layers, four times as wide inside.
class TwoLayers : public MlpCase {
 public:
  std::vector<std::int64_t> widths(std::int64_t width) const override {
    return {width, 4 * width, width};
  }

  std::vector<HandCost> by_hand(double batch, double width) const override {
    const double inside = 4 * width;
    const double by_rows = 5 * price_.matmul(price_.share(batch), width, inside);
    const double by_width = 5 * price_.matmul(batch, width, price_.share(inside));
    return {{"data", by_rows + 2 * price_.all_reduce(width * inside)},
            // The second product leaves partial sums; the first needs no input gradient.
            {"column-row", by_width + price_.all_reduce(batch * width)}};
  }

  std::string kind(const std::vector<std::string>& splits) const override {
    if (splits == std::vector<std::string>{"x-", "--", "--"}) return "data";
    if (splits == std::vector<std::string>{"-x", "-x", "x-"}) return "column-row";
    return fmt::format("{}", fmt::join(splits, " "));
  }
};

/// Two layers, all of one width: at batches between the two regimes above, the first layer is split
/// by columns (its input is there in full and needs no gradient) and an all-to-all leads to rows.
class TwoEqualLayers : public MlpCase {
 public:
  std::vector<std::int64_t> widths(std::int64_t width) const override {
    return {width, width, width};
  }

  std::vector<HandCost> by_hand(double batch, double width) const override {
    const double matmuls = 5 * price_.matmul(batch / kDevices, width, width);
    const double weight = price_.all_reduce(width * width);
    return {{"data", matmuls + 2 * weight},
            {"column-data", matmuls + weight + 2 * price_.all_to_all(batch * width)},
            {"column-row", matmuls + price_.all_reduce(batch * width)}};
  }

  std::string kind(const std::vector<std::string>& splits) const override {
    if (splits == std::vector<std::string>{"x-", "--", "--"}) return "data";
    if (splits == std::vector<std::string>{"-x", "-x", "--"}) return "column-data";
    if (splits == std::vector<std::string>{"-x", "-x", "x-"}) return "column-row";
    return fmt::format("{}", fmt::join(splits, " "));
  }
};

/// Two of the pairs of TwoLayers. As the batch grows the second pair becomes data parallel first:
/// the first then scatters its output over the batch and gathers its gradient, no more than the
/// one sum that it did before.
class TwoPairs : public MlpCase {
 public:
  std::vector<std::int64_t> widths(std::int64_t width) const override {
    return {width, 4 * width, width, 4 * width, width};
  }

  std::vector<HandCost> by_hand(double batch, double width) const override {
    const double matmuls = 11 * price_.matmul(batch / kDevices, width, 4 * width);
    const double weight = price_.all_reduce(4 * width * width);
    const double activation = price_.all_reduce(batch * width);
    const double crossing = price_.reduce_scatter(batch * width) + price_.all_gather(batch * width);
    return {{"data", matmuls + 4 * weight},
            {"column-row, data", matmuls + 2 * weight + crossing},
            {"column-row", matmuls + 3 * activation}};
  }

  std::string kind(const std::vector<std::string>& splits) const override {
    if (splits == std::vector<std::string>{"x-", "--", "--", "--", "--"}) return "data";
    if (splits == std::vector<std::string>{"-x", "-x", "x-", "--", "--"}) return "column-row, data";
    if (splits == std::vector<std::string>{"-x", "-x", "x-", "-x", "x-"}) return "column-row";
    return fmt::format("{}", fmt::join(splits, " "));
  }
};

}  // namespace

TEST_CASE("an MLP is data parallel at large batches and split column-row at small ones") {
  const TwoLayers two_layers;
  for (const std::int64_t width : {64, 128, 256, 512}) {
    for (const std::int64_t batch : {width, 4 * width, 8 * width, 16 * width, 32 * width}) {
      two_layers.check(batch, width);
    }
  }
}

TEST_CASE("an MLP becomes data parallel where the hand-computed costs cross") {
  const TwoLayers two_layers;
  for (const std::int64_t width : {64, 100, 256}) {
    two_layers.check_switch("data", width, 1, 16 * width);
  }
}

TEST_CASE("a batch that the devices do not divide pays for its padding") {
  // By the formula the sums cross at batch 772 (192 rows a device); the padding of an uneven batch
  // moves that up.
  const TwoLayers two_layers;
  for (std::int64_t batch = 764; batch <= 782; ++batch) two_layers.check(batch, 64);
}

TEST_CASE("between the two, only the first layer is split by columns") {
  const TwoEqualLayers equal_layers;
  for (const std::int64_t width : {256, 512, 1024}) {
    for (const std::int64_t quarters : {2, 4, 6, 10, 14, 20, 32}) {
      equal_layers.check(quarters * width / 4, width);
    }
    equal_layers.check_switch("data", width, 1, 8 * width);
  }
}

TEST_CASE("a deep MLP becomes data parallel from its end") {
  const TwoPairs two_pairs;
  for (const std::int64_t width : {128, 256}) {
    for (const std::int64_t batch :
         {width, 3 * width, 5 * width, 6 * width, 12 * width, 24 * width}) {
      two_pairs.check(batch, width);
    }
    two_pairs.check_switch("data", width, 1, 8 * width);
  }
}

}  // namespace autoshard::test
