// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "property/rule_proof.hpp"

namespace autoshard::test {
namespace {

using Ints = std::vector<std::int64_t>;

struct Along {
  Ints shape;
  std::int64_t dimension = 0;
};

Along random_along(Shapes& shapes) {
  const std::int64_t rank = shapes.number(1, 3);
  return {shapes.shape(static_cast<std::size_t>(rank)), shapes.number(0, rank - 1)};
}

/// Few different numbers, so that many are equal.
OperandCase with_ties(Shapes& shapes, const Ints& shape) {
  std::int64_t elements = 1;
  for (const std::int64_t size : shape) elements *= size;
  return positions(shape, shapes.numbers(elements, -2, 2));
}

TEST_CASE("a sort computes the same however its other dimensions are split") {
  Shapes shapes(41);
  ProofCount count;
  for (int repeat = 0; repeat < 40; ++repeat) {
    const Along along = random_along(shapes);
    OperatorCase test{"sort", {with_ties(shapes, along.shape)}, {{"dimension", along.dimension}}};
    const std::int64_t more = shapes.number(0, 2);
    for (std::int64_t i = 0; i < more; ++i) {
      test.operands.push_back(shapes.coin() ? operand(DType::f32, along.shape)
                                            : with_ties(shapes, along.shape));
    }
    test.attributes["num_keys"] = shapes.number(1, 1 + more);
    test.attributes["descending"] = shapes.number(0, 1);
    prove(test, count);
  }
  require_tried(count, 300);
}

TEST_CASE("top_k, argmax and argmin compute the same however other dimensions are split") {
  Shapes shapes(42);
  ProofCount count;
  for (int repeat = 0; repeat < 30; ++repeat) {
    const Along along = random_along(shapes);
    const OperandCase x =
        shapes.coin() ? operand(DType::f32, along.shape) : with_ties(shapes, along.shape);
    prove({"argmax", {x}, {{"dimension", along.dimension}}}, count);
    prove({"argmin", {x}, {{"dimension", along.dimension}}}, count);
    prove({"top_k", {x}, {{"k", shapes.number(0, along.shape.back())}}}, count);
  }
  require_tried(count, 600);
}

TEST_CASE("a cumulative reduction computes the same however other dimensions are split") {
  Shapes shapes(43);
  ProofCount count;
  for (const std::string reducer : {"sum", "product", "max", "min", "logsumexp"}) {
    for (int repeat = 0; repeat < 12; ++repeat) {
      const Along along = random_along(shapes);
      const Attributes attributes = {
          {"dimension", along.dimension}, {"reducer", reducer}, {"reverse", shapes.number(0, 1)}};
      prove({"cumulative", {operand(DType::f32, along.shape)}, attributes}, count);
      if (reducer == "logsumexp") continue;
      prove({"cumulative", {operand(DType::s32, along.shape)}, attributes}, count);
    }
  }
  require_tried(count, 800);
}

TEST_CASE("the elementwise functions of CHLO compute the same however they are split") {
  Shapes shapes(44);
  ProofCount count;
  for (const std::string kind : {"sinh", "cosh", "asin", "acos", "atan", "asinh", "atanh", "erfc",
                                 "erf_inv", "lgamma", "digamma"}) {
    for (std::size_t rank = 0; rank < 3; ++rank) {
      prove({kind, {operand(DType::f32, shapes.shape(rank))}}, count);
    }
  }
  prove({"acosh", {splat(DType::f32, {5, 7}, 1.5)}}, count);
  require_tried(count, 400);
}

}  // namespace
}  // namespace autoshard::test
