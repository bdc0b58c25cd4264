// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>

#include "property/rule_proof.hpp"

namespace autoshard::test {
namespace {

using Ints = std::vector<std::int64_t>;

/// What gather and scatter have in common, under neither's names. `windowed` is the tensor made of
/// windows: the result of a gather, the updates of a scatter.
struct WindowCase {
  Ints operand, indices, windowed;
  Ints window_dims;  ///< of `windowed`
  Ints dropped;      ///< of the operand
  Ints operand_batching, indices_batching;
  Ints index_map;
  std::int64_t index_vector_dim = 0;
  Ints slice_sizes;
};

enum class Part { looked_up, whole, moved_whole, moved_part, batching };

Part random_part(Shapes& shapes) { return static_cast<Part>(shapes.number(0, 4)); }

/// Decides what each dimension of the operand is. Returns the sizes of the window.
Ints choose_parts(Shapes& shapes, WindowCase& test) {
  const std::size_t rank = static_cast<std::size_t>(shapes.number(1, 3));
  test.operand = shapes.shape(rank);
  test.slice_sizes = test.operand;
  Ints window;
  for (std::size_t i = 0; i < rank; ++i) {
    const auto dim = static_cast<std::int64_t>(i);
    const bool last_chance = i + 1 == rank && test.index_map.empty();
    const Part part = last_chance ? Part::looked_up : random_part(shapes);
    std::int64_t& size = test.slice_sizes[i];
    if (part == Part::looked_up || part == Part::batching) size = 1;
    if (part == Part::moved_part) size = shapes.number(1, size);
    if (part == Part::looked_up) test.dropped.push_back(dim);
    if (part == Part::batching) test.operand_batching.push_back(dim);
    if (part != Part::whole && part != Part::batching) test.index_map.push_back(dim);
    if (part != Part::looked_up && part != Part::batching) window.push_back(size);
  }
  return window;
}

/// Lays out the dimensions of the indices: those of the operand's batches and one or two more, in
/// any order, and the index vector among them. Returns the sizes without the index vector.
Ints choose_indices(Shapes& shapes, WindowCase& test) {
  const std::size_t batches = test.operand_batching.size();
  const std::size_t count = batches + static_cast<std::size_t>(shapes.number(0, 2));
  const Ints places = shapes.permutation(count);
  Ints sizes(count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto place = static_cast<std::size_t>(places[i]);
    sizes[place] = shapes.size();
    if (i < batches)
      sizes[place] = test.operand[static_cast<std::size_t>(test.operand_batching[i])];
  }
  const auto rank = static_cast<std::int64_t>(count);
  const bool implicit = test.index_map.size() == 1 && shapes.coin();
  test.index_vector_dim = implicit ? rank : shapes.number(0, rank);
  test.indices = sizes;
  if (!implicit) {
    test.indices.insert(test.indices.begin() + test.index_vector_dim, std::ssize(test.index_map));
  }
  for (std::size_t i = 0; i < batches; ++i) {
    test.indices_batching.push_back(places[i] + (places[i] < test.index_vector_dim ? 0 : 1));
  }
  return sizes;
}

WindowCase random_windows(Shapes& shapes) {
  WindowCase test;
  const Ints window = choose_parts(shapes, test);
  const Ints counts = choose_indices(shapes, test);
  Ints places = shapes.permutation(window.size() + counts.size());
  places.resize(window.size());
  std::ranges::sort(places);
  test.window_dims = places;
  std::size_t of_window = 0, of_count = 0;
  for (std::size_t i = 0; i < window.size() + counts.size(); ++i) {
    const bool in_window = std::ranges::find(places, static_cast<std::int64_t>(i)) != places.end();
    test.windowed.push_back(in_window ? window[of_window++] : counts[of_count++]);
  }
  return test;
}

/// Some of the positions are out of range.
OperandCase random_indices(Shapes& shapes, const WindowCase& test) {
  std::int64_t elements = 1;
  for (const std::int64_t size : test.indices) elements *= size;
  return positions(test.indices, shapes.numbers(elements, -1, 7));
}

OperatorCase gather_case(Shapes& shapes, DType dtype) {
  const WindowCase test = random_windows(shapes);
  return {"gather",
          {operand(dtype, test.operand), random_indices(shapes, test)},
          {{"offset_dims", test.window_dims},
           {"collapsed_slice_dims", test.dropped},
           {"operand_batching_dims", test.operand_batching},
           {"start_indices_batching_dims", test.indices_batching},
           {"start_index_map", test.index_map},
           {"index_vector_dim", test.index_vector_dim},
           {"slice_sizes", test.slice_sizes}}};
}

OperatorCase scatter_case(Shapes& shapes, DType dtype, const std::string& reducer) {
  const WindowCase test = random_windows(shapes);
  const OperandCase input =
      shapes.coin() ? splat(dtype, test.operand, 0) : operand(dtype, test.operand);
  return {"scatter",
          {input, random_indices(shapes, test), operand(dtype, test.windowed)},
          {{"update_window_dims", test.window_dims},
           {"inserted_window_dims", test.dropped},
           {"input_batching_dims", test.operand_batching},
           {"scatter_indices_batching_dims", test.indices_batching},
           {"scatter_dims_to_operand_dims", test.index_map},
           {"index_vector_dim", test.index_vector_dim},
           {"reducer", reducer}}};
}

TEST_CASE("a gather computes the same however it is split, each device finding its own rows") {
  Shapes shapes(31);
  ProofCount count;
  for (int repeat = 0; repeat < 80; ++repeat) prove(gather_case(shapes, DType::f32), count);
  for (int repeat = 0; repeat < 10; ++repeat) prove(gather_case(shapes, DType::pred), count);
  require_tried(count, 2000);
}

TEST_CASE("a scatter computes the same however it is split, each device dropping others' rows") {
  Shapes shapes(32);
  ProofCount count;
  for (const std::string reducer : {"sum", "max", "min", "product", "assign"}) {
    for (int repeat = 0; repeat < 30; ++repeat) {
      prove(scatter_case(shapes, DType::f32, reducer), count);
    }
  }
  for (const std::string reducer : {"and", "or"}) {
    for (int repeat = 0; repeat < 10; ++repeat) {
      prove(scatter_case(shapes, DType::pred, reducer), count);
    }
  }
  require_tried(count, 3000);
}

}  // namespace
}  // namespace autoshard::test
