// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "property/rule_proof.hpp"

namespace autoshard::test {
namespace {

using Kinds = std::vector<std::string>;

TEST_CASE("an elementwise operator with one operand computes the same however it is split") {
  Shapes shapes(1);
  ProofCount count;
  for (const std::string& kind :
       Kinds{"abs", "negate", "exponential", "exponential_minus_one", "logistic", "tanh", "cbrt",
             "sign", "floor", "ceil", "round_nearest_afz", "round_nearest_even", "cosine", "sine",
             "tan", "erf", "is_finite", "reduce_precision", "copy"}) {
    for (std::size_t rank = 0; rank < 3; ++rank) {
      prove({kind, {operand(DType::f32, shapes.shape(rank))}}, count);
    }
  }
  for (const std::string& kind : Kinds{"not", "popcnt", "count_leading_zeros", "abs", "negate"}) {
    prove({kind, {operand(DType::s32, shapes.shape(2))}}, count);
  }
  require_tried(count, 900);
}

TEST_CASE("the operators defined for positive numbers compute the same however they are split") {
  Shapes shapes(2);
  ProofCount count;
  for (const std::string& kind : Kinds{"sqrt", "rsqrt", "log", "log_plus_one"}) {
    prove({kind, {splat(DType::f32, shapes.shape(2), 2.5)}}, count);
  }
  require_tried(count, 50);
}

TEST_CASE("a conversion is linear between floating types only") {
  Shapes shapes(3);
  ProofCount count;
  for (const DType from : {DType::f32, DType::s32, DType::bf16}) {
    for (const DType to : {DType::f64, DType::s32, DType::bf16}) {
      const std::vector<std::int64_t> shape = shapes.shape(2);
      prove({"convert", {operand(from, shape)}, {}, {{to, shape}}}, count);
    }
  }
  require_tried(count, 100);
}

TEST_CASE("an elementwise operator with two operands computes the same however it is split") {
  Shapes shapes(4);
  ProofCount count;
  for (const std::string& kind :
       Kinds{"add", "subtract", "multiply", "divide", "maximum", "minimum", "atan2"}) {
    for (int repeat = 0; repeat < 3; ++repeat) {
      const auto shape = shapes.shape(static_cast<std::size_t>(repeat));
      prove({kind, {operand(DType::f32, shape), operand(DType::f32, shape)}}, count);
    }
  }
  for (const std::string& kind : Kinds{"add", "multiply", "maximum", "and", "or", "xor"}) {
    const auto shape = shapes.shape(2);
    prove({kind, {operand(DType::s32, shape), operand(DType::s32, shape)}}, count);
  }
  for (const std::string& kind : Kinds{"power", "remainder"}) {
    const auto shape = shapes.shape(2);
    prove({kind, {splat(DType::f32, shape, 3.5), operand(DType::f32, shape)}}, count);
  }
  for (const std::string& kind : Kinds{"divide", "remainder", "shift_left", "shift_right_logical",
                                       "shift_right_arithmetic"}) {
    const auto shape = shapes.shape(2);
    prove({kind, {operand(DType::s32, shape), splat(DType::s32, shape, 3)}}, count);
  }
  require_tried(count, 800);
}

TEST_CASE("compare, select and clamp compute the same however they are split") {
  Shapes shapes(5);
  ProofCount count;
  for (std::size_t rank = 0; rank < 4; ++rank) {
    const auto shape = shapes.shape(rank);
    const OperandCase numbers = operand(DType::f32, shape);
    const OperandCase scalar = operand(DType::f32, {});
    prove({"compare", {numbers, numbers}, {{"comparison_direction", std::string("LT")}}}, count);
    prove({"select", {operand(DType::pred, shape), numbers, numbers}}, count);
    prove({"select", {operand(DType::pred, {}), numbers, numbers}}, count);
    prove({"clamp", {numbers, numbers, numbers}}, count);
    prove({"clamp", {scalar, numbers, scalar}}, count);
  }
  require_tried(count, 300);
}

TEST_CASE("an optimization barrier passes unrelated tensors however each is split") {
  Shapes shapes(6);
  ProofCount count;
  for (int repeat = 0; repeat < 4; ++repeat) {
    prove({"optimization_barrier",
           {operand(DType::f32, shapes.shape(1)), operand(DType::f32, shapes.shape(2))}},
          count);
  }
  require_tried(count, 100);
}

TEST_CASE("constants, iota and random numbers are made piece by piece") {
  Shapes shapes(7);
  ProofCount count;
  for (std::size_t rank = 0; rank < 4; ++rank) {
    const TensorType type{DType::f32, shapes.shape(rank)};
    const OperandCase scalar = operand(DType::f32, {});
    prove({"constant", {}, {{"value", 0.0}}, {type}}, count);
    prove({"constant", {}, {{"value", 1.5}}, {type}}, count);
    prove({"constant", {}, {{"values", shapes.numbers(type.elements(), 0, 9)}}, {type}}, count);
    prove({"constant", {}, {}, {type}}, count);
    prove({"rng", {scalar, scalar}, {{"rng_distribution", std::string("UNIFORM")}}, {type}}, count);
    for (std::size_t dim = 0; dim < rank; ++dim) {
      prove({"iota", {}, {{"iota_dimension", static_cast<std::int64_t>(dim)}}, {type}}, count);
    }
  }
  prove({"rng_bit_generator",
         {operand(DType::u64, {2})},
         {{"rng_algorithm", std::string("THREE_FRY")}},
         {{DType::u64, {2}}, {DType::u32, {4, 6}}}},
        count);
  require_tried(count, 300);
}

}  // namespace
}  // namespace autoshard::test
