// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <limits>

#include "property/rule_proof.hpp"

namespace autoshard::test {
namespace {

using Ints = std::vector<std::int64_t>;

/// One operand of a dot_general: its dimensions in any order.
struct DotSide {
  Ints shape;
  Ints batching;
  Ints contracting;
};

/// `shared` are the sizes of the batching dimensions, `summed` of the contracting ones.
DotSide random_side(Shapes& shapes, const Ints& shared, const Ints& summed, std::size_t free) {
  Ints sizes = shared;
  sizes.insert(sizes.end(), summed.begin(), summed.end());
  const Ints own = shapes.shape(free);
  sizes.insert(sizes.end(), own.begin(), own.end());
  DotSide side{Ints(sizes.size()), {}, {}};
  const Ints places = shapes.permutation(sizes.size());
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    side.shape[static_cast<std::size_t>(places[i])] = sizes[i];
    if (i < shared.size()) {
      side.batching.push_back(places[i]);
    } else if (i < shared.size() + summed.size()) {
      side.contracting.push_back(places[i]);
    }
  }
  return side;
}

OperatorCase random_dot(Shapes& shapes, DType dtype) {
  const Ints shared = shapes.shape(static_cast<std::size_t>(shapes.number(0, 1)));
  const Ints summed = shapes.shape(static_cast<std::size_t>(shapes.number(0, 2)));
  const auto free = [&] { return static_cast<std::size_t>(shapes.number(0, 1)); };
  const DotSide lhs = random_side(shapes, shared, summed, free());
  const DotSide rhs = random_side(shapes, shared, summed, free());
  return {"dot_general",
          {operand(dtype, lhs.shape), operand(dtype, rhs.shape)},
          {{"lhs_batching_dimensions", lhs.batching},
           {"rhs_batching_dimensions", rhs.batching},
           {"lhs_contracting_dimensions", lhs.contracting},
           {"rhs_contracting_dimensions", rhs.contracting}}};
}

TEST_CASE("a dot with any dimension numbers computes the same however it is split") {
  Shapes shapes(21);
  ProofCount count;
  for (int repeat = 0; repeat < 60; ++repeat) prove(random_dot(shapes, DType::f32), count);
  for (int repeat = 0; repeat < 5; ++repeat) prove(random_dot(shapes, DType::s32), count);
  require_tried(count, 2000);
}

double neutral(const std::string& reducer) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (reducer == "sum" || reducer == "or") return 0;
  if (reducer == "max") return -kInfinity;
  return reducer == "min" ? kInfinity : 1;
}

OperatorCase random_reduce(Shapes& shapes, const std::string& reducer, DType dtype) {
  const auto rank = static_cast<std::size_t>(shapes.number(1, 3));
  const Ints shape = shapes.shape(rank);
  OperatorCase test{"reduce", {}, {{"dimensions", shapes.subset(rank)}, {"reducer", reducer}}};
  const bool from_neutral = shapes.coin();
  const std::int64_t inputs = shapes.number(1, 2);
  for (std::int64_t i = 0; i < inputs; ++i) test.operands.push_back(operand(dtype, shape));
  for (std::int64_t i = 0; i < inputs; ++i) {
    test.operands.push_back(from_neutral ? splat(dtype, {}, neutral(reducer)) : operand(dtype, {}));
  }
  return test;
}

TEST_CASE("a reduction leaves partial values of its own kind, and counts initial values once") {
  Shapes shapes(22);
  ProofCount count;
  for (const std::string reducer : {"sum", "product", "max", "min"}) {
    for (int repeat = 0; repeat < 15; ++repeat) {
      prove(random_reduce(shapes, reducer, DType::f32), count);
    }
  }
  for (const std::string reducer : {"and", "or"}) {
    for (int repeat = 0; repeat < 6; ++repeat) {
      prove(random_reduce(shapes, reducer, DType::pred), count);
    }
  }
  for (int repeat = 0; repeat < 6; ++repeat) {
    prove(random_reduce(shapes, "sum", DType::s32), count);
  }
  require_tried(count, 1500);
}

}  // namespace
}  // namespace autoshard::test
