// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// Splitting the vocabulary of a tied embedding, on one axis. The prices let no plan gain by an
// all-to-all, so the embedding keeps one split from the lookup to the logits.
#include "intra/behaviour.hpp"

namespace autoshard::test {
namespace {

constexpr std::int64_t kDevices = 4;
constexpr std::int64_t kSequence = 16;

struct EmbeddingCase {
  std::int64_t vocabulary = 2048;
  std::int64_t hidden = 32;
};

class EmbeddingSweep {
 public:
  Graph graph(const EmbeddingCase& sizes, std::int64_t batch) const {
    return tied_embedding_step({.batch = batch,
                                .sequence = kSequence,
                                .vocabulary = sizes.vocabulary,
                                .hidden = sizes.hidden});
  }

  IntraOpPlan plan(const Graph& graph) const { return planned(graph, one_axis(kDevices), model_); }

  /// Three products: the logits, and the gradients of both their operands.
  std::vector<HandCost> by_hand(const EmbeddingCase& sizes, std::int64_t batch) const {
    const auto tokens = static_cast<double>(batch * kSequence);
    const auto vocabulary = static_cast<double>(sizes.vocabulary);
    const auto hidden = static_cast<double>(sizes.hidden);
    const double matmuls = 3 * price_.matmul(tokens / kDevices, hidden, vocabulary);
    return {{"data", matmuls + price_.all_reduce(vocabulary * hidden)},
            // Rows come from the device that holds them and their gradients go back to it; the
            // softmax needs the largest logit and the sum of the exponentials of each token.
            {"vocabulary",
             matmuls + 2 * price_.all_reduce(tokens * hidden) + 2 * price_.all_reduce(tokens)},
            // A part of every row on each device: only the logits are sums over the devices. For
            // few tokens one such sum starts sooner than four of the others.
            {"hidden", matmuls + price_.all_reduce(tokens * vocabulary)}};
  }

  static std::string kind(const Graph& graph, const IntraOpPlan& plan) {
    const std::string split = split_of(graph, plan, "embedding");
    if (split == "--") return "data";
    if (split == "-x") return "hidden";
    return split == "x-" ? "vocabulary" : split;
  }

  void check(const EmbeddingCase& sizes, std::int64_t batch) const {
    CAPTURE(sizes.vocabulary);
    CAPTURE(sizes.hidden);
    CAPTURE(batch);
    const Graph step = graph(sizes, batch);
    const IntraOpPlan found = plan(step);
    check_against(by_hand(sizes, batch), kind(step, found), step, found);
  }

  std::int64_t switch_by_formula(const EmbeddingCase& sizes) const {
    return first_that(1, 4096, [&](std::int64_t batch) {
      return cheapest(by_hand(sizes, batch)).kind == "data";
    });
  }

  std::int64_t switch_by_planner(const EmbeddingCase& sizes) const {
    return first_that(1, 4096, [&](std::int64_t batch) {
      const Graph step = graph(sizes, batch);
      return kind(step, plan(step)) == "data";
    });
  }

 private:
  SimpleCostModel model_{{.all_to_all_by_gathering = true}};
  HandPrices price_{model_, kDevices};
};

}  // namespace

TEST_CASE("a tied embedding is split by its vocabulary when the batch is small against it") {
  const EmbeddingSweep sweep;
  for (const EmbeddingCase& sizes : {EmbeddingCase{2048, 32}, {4096, 64}, {8192, 16}}) {
    for (const std::int64_t batch : {1, 16, 48, 64, 96, 128, 256, 512}) sweep.check(sizes, batch);
  }
}

TEST_CASE("a tied embedding becomes data parallel where the hand-computed costs cross") {
  const EmbeddingSweep sweep;
  for (const EmbeddingCase& sizes : {EmbeddingCase{2048, 32}, {4096, 64}, {8192, 16}}) {
    CAPTURE(sizes.vocabulary);
    const std::int64_t batch = sweep.switch_by_formula(sizes);
    CHECK(sweep.switch_by_planner(sizes) == batch);
    for (std::int64_t near = batch - 2; near <= batch + 1; ++near) sweep.check(sizes, near);
  }
}

TEST_CASE("the moments of a split embedding are split with it") {
  const EmbeddingSweep sweep;
  const Graph step = sweep.graph({4096, 64}, 8);
  const IntraOpPlan plan = sweep.plan(step);
  for (const char* name : {"embedding", "m.embedding", "v.embedding"}) {
    CHECK(split_of(step, plan, name) == "x-");
  }
}

}  // namespace autoshard::test
