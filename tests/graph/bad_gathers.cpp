// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "graph/operator_case.hpp"

using namespace autoshard;
using test::f32;
using test::integer;
using test::Ints;
using test::OperatorCase;
using test::s32;

namespace {

/// Rows of a table: operand f32[10,4], indices s32[3,1], result f32[3,4].
Attributes row_gather() {
  return {{"offset_dims", Ints{1}},
          {"collapsed_slice_dims", Ints{0}},
          {"start_index_map", Ints{0}},
          {"index_vector_dim", integer(1)},
          {"slice_sizes", Ints{1, 4}}};
}

Attributes row_scatter() {
  return {{"update_window_dims", Ints{1}},
          {"inserted_window_dims", Ints{0}},
          {"scatter_dims_to_operand_dims", Ints{0}},
          {"index_vector_dim", integer(1)},
          {"reducer", "sum"}};
}

Attributes with(Attributes attributes, const std::string& name, Attribute value) {
  attributes[name] = std::move(value);
  return attributes;
}

Attributes without(Attributes attributes, const std::string& name) {
  attributes.erase(name);
  return attributes;
}

OperatorCase gather(Attributes attributes, std::string message) {
  return {"gather", {f32({10, 4}), s32({3, 1})}, {f32({3, 4})}, std::move(attributes), message};
}

OperatorCase scatter(Attributes attributes, std::string message) {
  return {"scatter", {f32({10, 4}), s32({3, 1}), f32({3, 4})}, {f32({10, 4})}, attributes, message};
}

}  // namespace

TEST_CASE("a bad gather or scatter is refused with the attribute at fault") {
  test::check_refused({
      gather(without(row_gather(), "index_vector_dim"), "attribute 'index_vector_dim' is missing"),
      gather(with(row_gather(), "index_vector_dim", integer(3)),
             "attribute 'index_vector_dim': 3 is out of range for rank 2"),
      gather(with(row_gather(), "start_index_map", Ints{0, 1}),
             "attribute 'start_index_map' has 2 entries, expected 1"),
      gather(with(row_gather(), "start_index_map", Ints{2}),
             "attribute 'start_index_map': dimension 2 is out of range for rank 2"),
      gather(with(row_gather(), "collapsed_slice_dims", Ints{0, 0}),
             "attribute 'collapsed_slice_dims' names dimension 0 twice"),
      gather(with(row_gather(), "offset_dims", Ints{}),
             "attribute 'offset_dims' has 0 entries, expected 1"),
      gather(with(row_gather(), "offset_dims", Ints{2}),
             "attribute 'offset_dims': dimension 2 is out of range for rank 2"),
      gather(without(row_gather(), "slice_sizes"),
             "attribute 'slice_sizes' has 0 entries, expected 2"),
      gather(with(row_gather(), "slice_sizes", Ints{2, 4}),
             "attribute 'slice_sizes': 2 in dimension 0, expected at most 1"),
      gather(with(row_gather(), "slice_sizes", Ints{1, 5}),
             "attribute 'slice_sizes': 5 in dimension 1, expected at most 4"),
      gather(with(row_gather(), "slice_sizes", Ints{1, 2}),
             "result 0 has type f32[3,4], expected f32[3,2]"),
      gather(with(row_gather(), "operand_batching_dims", Ints{0}),
             "attribute 'operand_batching_dims': dimension 0 is also in 'collapsed_slice_dims'"),
      gather(with(row_gather(), "operand_batching_dims", Ints{1}),
             "attribute 'start_indices_batching_dims' has 0 entries, expected 1"),
      gather(with(with(row_gather(), "operand_batching_dims", Ints{1}),
                  "start_indices_batching_dims", Ints{1}),
             "attribute 'start_indices_batching_dims' names the index vector's dimension 1"),
      gather(with(with(row_gather(), "operand_batching_dims", Ints{1}),
                  "start_indices_batching_dims", Ints{0}),
             "operand 1: batching dimension 0 has size 3, expected 4"),
      {"gather",
       {f32({10, 4}), f32({3, 1})},
       {f32({3, 4})},
       row_gather(),
       "operand 1 has element type f32, expected an integer"},
      scatter(without(row_scatter(), "reducer"), "attribute 'reducer' is missing"),
      scatter(with(row_scatter(), "reducer", "replace"),
              "attribute 'reducer' is 'replace', expected one of sum product max min and or assign "
              "custom"),
      scatter(with(row_scatter(), "update_window_dims", Ints{0}),
              "operand 2 has type f32[3,4], expected f32[3,3]"),
      scatter(with(row_scatter(), "inserted_window_dims", Ints{}),
              "attribute 'update_window_dims' has 1 entries, expected 2"),
      {"scatter",
       {f32({10, 4}), s32({3, 1}), f32({3})},
       {f32({10, 4})},
       row_scatter(),
       "operand 2 has rank 1, expected 2"},
      {"scatter",
       {f32({10, 4}), s32({3, 1}), f32({3, 5})},
       {f32({10, 4})},
       row_scatter(),
       "operand 2: window dimension 1 has size 5, expected at most 4"},
      {"scatter",
       {f32({10, 4}), s32({3, 1}), s32({3, 4})},
       {f32({10, 4})},
       row_scatter(),
       "operand 2 has type s32[3,4], expected f32[3,4]"},
      {"scatter",
       {f32({10, 4}), s32({3, 1})},
       {f32({10, 4})},
       row_scatter(),
       "has 2 operands, expected 3"},
  });
}
