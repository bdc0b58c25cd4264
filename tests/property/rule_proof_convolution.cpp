// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <limits>

#include "property/rule_proof.hpp"
#include "support/convolutions.hpp"

namespace autoshard::test {
namespace {

using Ints = std::vector<std::int64_t>;

/// A tensor's dimensions in any order: where the first two, and the spatial ones after them, lie.
struct Order {
  Ints places;
  Order(Shapes& shapes, std::size_t rank) : places(shapes.permutation(rank)) {}

  std::int64_t first() const { return places[0]; }
  std::int64_t second() const { return places[1]; }
  Ints spatial() const { return {places.begin() + 2, places.end()}; }

  Ints shape(std::int64_t first_size, std::int64_t second_size, const Ints& spatial_sizes) const {
    Ints sizes = {first_size, second_size};
    sizes.insert(sizes.end(), spatial_sizes.begin(), spatial_sizes.end());
    Ints result(places.size());
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      result[static_cast<std::size_t>(places[i])] = sizes[i];
    }
    return result;
  }
};

/// How the window lies along each spatial dimension.
struct Spatial {
  Ints input, kernel, strides, padding, lhs_dilation, rhs_dilation, reversal;

  void add(std::int64_t rows, std::int64_t window, Ints around = {0, 0}) {
    input.push_back(rows);
    kernel.push_back(window);
    strides.push_back(1);
    padding.insert(padding.end(), around.begin(), around.end());
    lhs_dilation.push_back(1);
    rhs_dilation.push_back(1);
    reversal.push_back(0);
  }

  void add_sliding(Shapes& shapes) {
    add(shapes.number(3, 6), shapes.number(1, 3), shapes.numbers(2, -1, 2));
    strides.back() = shapes.number(1, 2);
    lhs_dilation.back() = shapes.number(1, 2);
    rhs_dilation.back() = shapes.number(1, 2);
    reversal.back() = shapes.number(0, 1);
  }

  void add_any(Shapes& shapes) {
    const std::int64_t rows = shapes.number(2, 5);
    switch (shapes.number(0, 2)) {
      case 0:
        return add(rows, 1);
      case 1:
        return add(rows, rows);
      default:
        return add_sliding(shapes);
    }
  }
};

struct Counts {
  std::int64_t feature_groups = 1;
  std::int64_t batch_groups = 1;
};

OperatorCase random_convolution(Shapes& shapes, DType dtype, const Counts& groups) {
  Spatial spatial;
  for (std::int64_t left = shapes.number(0, 2); left > 0; --left) spatial.add_any(shapes);
  const std::size_t rank = spatial.input.size() + 2;
  const Order input(shapes, rank);
  const Order kernel(shapes, rank);
  const Order output(shapes, rank);
  const std::int64_t batch = shapes.number(1, 4) * groups.batch_groups;
  const std::int64_t summed = shapes.number(1, 4);
  const std::int64_t made = shapes.number(1, 3) * groups.feature_groups * groups.batch_groups;
  return {"convolution",
          {operand(dtype, input.shape(batch, summed * groups.feature_groups, spatial.input)),
           operand(dtype, kernel.shape(summed, made, spatial.kernel))},
          {{"input_batch_dimension", input.first()},
           {"input_feature_dimension", input.second()},
           {"input_spatial_dimensions", input.spatial()},
           {"kernel_input_feature_dimension", kernel.first()},
           {"kernel_output_feature_dimension", kernel.second()},
           {"kernel_spatial_dimensions", kernel.spatial()},
           {"output_batch_dimension", output.first()},
           {"output_feature_dimension", output.second()},
           {"output_spatial_dimensions", output.spatial()},
           {"window_strides", spatial.strides},
           {"padding", spatial.padding},
           {"lhs_dilation", spatial.lhs_dilation},
           {"rhs_dilation", spatial.rhs_dilation},
           {"window_reversal", spatial.reversal},
           {"feature_group_count", groups.feature_groups},
           {"batch_group_count", groups.batch_groups}}};
}

TEST_CASE("a convolution with any dimension numbers and window computes the same however split") {
  Shapes shapes(51);
  ProofCount count;
  for (int repeat = 0; repeat < 60; ++repeat) {
    prove(random_convolution(shapes, DType::f32, {}), count);
  }
  for (int repeat = 0; repeat < 5; ++repeat) {
    prove(random_convolution(shapes, DType::s32, {}), count);
  }
  require_tried(count, 3000);
}

TEST_CASE("groups of features split, and their features once every group is alone") {
  Shapes shapes(52);
  ProofCount count;
  for (const std::int64_t groups : {2, 3, 4}) {
    for (int repeat = 0; repeat < 12; ++repeat) {
      prove(random_convolution(shapes, DType::f32, {.feature_groups = groups}), count,
            {"2", "3", "2x2", "2x3"});
    }
  }
  require_tried(count, 1500);
}

TEST_CASE("groups of the batch split, and their images once every group is alone") {
  Shapes shapes(53);
  ProofCount count;
  for (const std::int64_t groups : {2, 3, 4}) {
    for (int repeat = 0; repeat < 12; ++repeat) {
      prove(random_convolution(shapes, DType::f32, {.batch_groups = groups}), count,
            {"2", "3", "2x2", "2x3"});
    }
  }
  require_tried(count, 1500);
}

/// Some dimensions that windows leave alone, others along which they slide.
struct Pooling {
  Ints shape, window, strides, padding, base_dilations, window_dilations;

  Pooling(Shapes& shapes, std::size_t rank, bool dilated) : shape(shapes.shape(rank)) {
    for (const std::int64_t rows : shape) {
      const bool slides = shapes.coin();
      window.push_back(slides ? shapes.number(1, std::min<std::int64_t>(rows, 3)) : 1);
      strides.push_back(slides ? shapes.number(1, 2) : 1);
      const std::int64_t room = slides ? window.back() - 1 : 0;
      for (int side = 0; side < 2; ++side) padding.push_back(shapes.number(0, room));
      base_dilations.push_back(slides && dilated ? shapes.number(1, 2) : 1);
      window_dilations.push_back(slides && dilated ? shapes.number(1, 2) : 1);
    }
  }

  Attributes attributes(const std::string& reducer) const {
    return {{"window_dimensions", window},
            {"window_strides", strides},
            {"padding", padding},
            {"reducer", reducer}};
  }
};

double neutral(const std::string& reducer) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (reducer == "sum") return 0;
  if (reducer == "max") return -kInfinity;
  return reducer == "min" ? kInfinity : 1;
}

OperatorCase random_reduce_window(Shapes& shapes, const std::string& reducer, DType dtype) {
  const Pooling pooling(shapes, static_cast<std::size_t>(shapes.number(1, 3)), true);
  OperatorCase test{"reduce_window", {}, pooling.attributes(reducer)};
  test.attributes["base_dilations"] = pooling.base_dilations;
  test.attributes["window_dilations"] = pooling.window_dilations;
  const bool from_neutral = shapes.coin();
  const std::int64_t inputs = shapes.number(1, 2);
  for (std::int64_t i = 0; i < inputs; ++i) {
    test.operands.push_back(operand(dtype, pooling.shape));
  }
  for (std::int64_t i = 0; i < inputs; ++i) {
    test.operands.push_back(from_neutral ? splat(dtype, {}, neutral(reducer)) : operand(dtype, {}));
  }
  return test;
}

TEST_CASE("a pooling splits along the dimensions that its windows leave alone") {
  Shapes shapes(54);
  ProofCount count;
  for (const std::string reducer : {"sum", "product", "max", "min"}) {
    for (int repeat = 0; repeat < 20; ++repeat) {
      prove(random_reduce_window(shapes, reducer, DType::f32), count);
    }
  }
  for (int repeat = 0; repeat < 6; ++repeat) {
    prove(random_reduce_window(shapes, "sum", DType::s32), count);
  }
  require_tried(count, 1000);
}

OperatorCase random_selection(Shapes& shapes, const std::string& selector, DType dtype) {
  const Pooling pooling(shapes, static_cast<std::size_t>(shapes.number(1, 3)), false);
  Ints places;
  for (std::size_t d = 0; d < pooling.shape.size(); ++d) {
    const std::int64_t rows =
        pooling.shape[d] + pooling.padding[2 * d] + pooling.padding[2 * d + 1];
    places.push_back((rows - pooling.window[d]) / pooling.strides[d] + 1);
  }
  OperatorCase test{"select_and_scatter",
                    {operand(dtype, pooling.shape), operand(dtype, places),
                     shapes.coin() ? splat(dtype, {}, 0) : operand(dtype, {})},
                    pooling.attributes("sum")};
  test.attributes["selector"] = selector;
  return test;
}

TEST_CASE("the gradient of a pooling splits as the pooling does, and is linear in what it adds") {
  Shapes shapes(55);
  ProofCount count;
  for (const std::string selector : {"max", "min"}) {
    for (int repeat = 0; repeat < 25; ++repeat) {
      prove(random_selection(shapes, selector, DType::f32), count);
    }
    for (int repeat = 0; repeat < 4; ++repeat) {
      prove(random_selection(shapes, selector, DType::s32), count);
    }
  }
  require_tried(count, 800);
}

}  // namespace
}  // namespace autoshard::test
