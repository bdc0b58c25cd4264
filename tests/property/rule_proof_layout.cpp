// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>

#include "property/rule_proof.hpp"

namespace autoshard::test {
namespace {

using Ints = std::vector<std::int64_t>;

OperandCase numbers(Ints shape) { return operand(DType::f32, std::move(shape)); }

/// The prime factors of a number of elements, shuffled and grouped into dimensions.
Ints random_factoring(Shapes& shapes, Ints primes) {
  const Ints order = shapes.permutation(primes.size());
  Ints shape;
  for (const std::int64_t i : order) {
    const bool grow = !shape.empty() && shapes.coin();
    if (!grow) shape.push_back(1);
    shape.back() *= primes[static_cast<std::size_t>(i)];
  }
  if (shapes.coin()) shape.insert(shape.begin() + shapes.number(0, std::ssize(shape)), 1);
  return shape;
}

TEST_CASE("a reshape splits along the factors that its two shapes share") {
  Shapes shapes(11);
  ProofCount count;
  for (const auto& [from, to] : std::vector<std::pair<Ints, Ints>>{
           {{4, 6, 5}, {24, 5}},
           {{12}, {4, 3}},
           {{6, 4}, {4, 6}},
           {{7, 1}, {1, 7}},
           {{4, 7}, {28}},
           {{2, 6, 4}, {12, 2, 2}},
           {{8, 3}, {2, 12}},
           {{1}, {}},
           {{0, 3}, {3, 0}},
       }) {
    prove({"reshape", {numbers(from)}, {}, {{DType::f32, to}}}, count, {"2", "3", "2x3", "2x2x2"});
  }
  for (int repeat = 0; repeat < 60; ++repeat) {
    const Ints primes = shapes.coin() ? Ints{2, 2, 2, 3} : Ints{2, 2, 3, 5};
    const Ints from = random_factoring(shapes, primes);
    const Ints to = random_factoring(shapes, primes);
    prove({"reshape", {numbers(from)}, {}, {{DType::f32, to}}}, count, {"2", "3", "2x3", "2x2x2"});
  }
  require_tried(count, 1000);
}

TEST_CASE("a broadcast splits with its operand and along its new dimensions") {
  Shapes shapes(12);
  ProofCount count;
  for (int repeat = 0; repeat < 30; ++repeat) {
    const std::size_t rank = static_cast<std::size_t>(shapes.number(1, 3));
    const Ints result = shapes.shape(rank);
    const Ints targets = shapes.subset(rank);
    Ints from;
    for (const std::int64_t dim : targets) {
      from.push_back(shapes.number(0, 3) == 0 ? 1 : result[static_cast<std::size_t>(dim)]);
    }
    prove({"broadcast_in_dim",
           {numbers(from)},
           {{"broadcast_dimensions", targets}},
           {{DType::f32, result}}},
          count);
  }
  require_tried(count, 500);
}

TEST_CASE("a broadcast may transpose, and its operand then splits by the result's dimensions") {
  ProofCount count;
  prove({"broadcast_in_dim",
         {numbers({7, 4})},
         {{"broadcast_dimensions", Ints{2, 0}}},
         {{DType::f32, {4, 3, 7}}}},
        count);
  require_tried(count, 30);
}

TEST_CASE("a transposition computes the same however it is split") {
  Shapes shapes(13);
  ProofCount count;
  for (int repeat = 0; repeat < 20; ++repeat) {
    const std::size_t rank = static_cast<std::size_t>(shapes.number(1, 4));
    const Ints shape = shapes.shape(rank);
    prove({"transpose", {numbers(shape)}, {{"permutation", shapes.permutation(rank)}}}, count);
  }
  require_tried(count, 500);
}

TEST_CASE("a reversal splits along the dimensions that it keeps") {
  Shapes shapes(14);
  ProofCount count;
  for (int repeat = 0; repeat < 20; ++repeat) {
    const Ints shape = shapes.shape(3);
    prove({"reverse", {numbers(shape)}, {{"dimensions", shapes.subset(3)}}}, count);
  }
  require_tried(count, 300);
}

TEST_CASE("a concatenation splits along the dimensions that it does not join") {
  Shapes shapes(15);
  ProofCount count;
  for (int repeat = 0; repeat < 20; ++repeat) {
    const std::int64_t joined = shapes.number(0, 2);
    const Ints shape = shapes.shape(3);
    std::vector<OperandCase> operands(static_cast<std::size_t>(shapes.number(1, 3)),
                                      numbers(shape));
    for (OperandCase& each : operands)
      each.type.shape[static_cast<std::size_t>(joined)] = shapes.size();
    prove({"concatenate", operands, {{"dimension", joined}}}, count);
  }
  require_tried(count, 300);
}

TEST_CASE("a padding splits along the dimensions that it does not pad") {
  Shapes shapes(16);
  ProofCount count;
  for (int repeat = 0; repeat < 30; ++repeat) {
    Ints low(3), high(3), interior(3);
    for (const std::int64_t dim : shapes.subset(3)) {
      const auto at = static_cast<std::size_t>(dim);
      low[at] = shapes.number(0, 2);
      high[at] = shapes.number(0, 2);
      interior[at] = shapes.number(0, 1);
    }
    const OperandCase padding = shapes.coin() ? splat(DType::f32, {}, 0) : numbers({});
    prove(
        {"pad",
         {numbers(shapes.shape(3)), padding},
         {{"edge_padding_low", low}, {"edge_padding_high", high}, {"interior_padding", interior}}},
        count);
  }
  require_tried(count, 500);
}

TEST_CASE("a slice splits along the dimensions that it takes whole") {
  Shapes shapes(17);
  ProofCount count;
  for (int repeat = 0; repeat < 30; ++repeat) {
    const Ints shape = shapes.shape(3);
    Ints start(3), limit = shape, strides(3, 1);
    for (const std::int64_t dim : shapes.subset(3)) {
      const auto at = static_cast<std::size_t>(dim);
      start[at] = shapes.number(0, shape[at] - 1);
      limit[at] = shapes.number(start[at] + 1, shape[at]);
      strides[at] = shapes.number(1, 2);
    }
    prove({"slice",
           {numbers(shape)},
           {{"start_indices", start}, {"limit_indices", limit}, {"strides", strides}}},
          count);
  }
  require_tried(count, 500);
}

/// One scalar position per dimension, some of them out of range.
std::vector<OperandCase> random_positions(Shapes& shapes, std::size_t rank) {
  std::vector<OperandCase> list;
  for (std::size_t i = 0; i < rank; ++i) list.push_back(positions({}, {shapes.number(-1, 7)}));
  return list;
}

/// Some dimensions smaller than those of `shape`.
Ints random_window(Shapes& shapes, const Ints& shape) {
  Ints window = shape;
  for (const std::int64_t dim : shapes.subset(shape.size())) {
    window[static_cast<std::size_t>(dim)] = shapes.number(1, shape[static_cast<std::size_t>(dim)]);
  }
  return window;
}

TEST_CASE("a dynamic slice splits along the dimensions that it takes whole") {
  Shapes shapes(18);
  ProofCount count;
  for (int repeat = 0; repeat < 30; ++repeat) {
    const Ints shape = shapes.shape(3);
    std::vector<OperandCase> operands = random_positions(shapes, 3);
    operands.insert(operands.begin(), numbers(shape));
    prove({"dynamic_slice", operands, {{"slice_sizes", random_window(shapes, shape)}}}, count);
  }
  require_tried(count, 500);
}

TEST_CASE("a dynamic update splits along every dimension, each device writing its own rows") {
  Shapes shapes(19);
  ProofCount count;
  for (int repeat = 0; repeat < 30; ++repeat) {
    const Ints shape = shapes.shape(3);
    std::vector<OperandCase> operands = random_positions(shapes, 3);
    operands.insert(operands.begin(), {numbers(shape), numbers(random_window(shapes, shape))});
    prove({"dynamic_update_slice", operands}, count);
  }
  require_tried(count, 500);
}

}  // namespace
}  // namespace autoshard::test
