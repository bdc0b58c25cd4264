// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "graph/checks/table.hpp"
#include "graph/operator_case.hpp"

using namespace autoshard;
using test::f32;
using test::integer;
using test::Ints;
using test::OperatorCase;
using test::pred;
using test::s32;

namespace {

void check_all(const std::vector<OperatorCase>& cases) {
  for (const OperatorCase& example : cases) {
    CAPTURE(example.kind);
    const Result<Graph> graph = test::build(example);
    CHECK_MESSAGE(graph.ok(), (graph.ok() ? "" : graph.error().message));
  }
}

/// The same, and the results are found without being told.
void check_inferred(const std::vector<OperatorCase>& cases) {
  check_all(cases);
  for (const OperatorCase& example : cases) {
    CAPTURE(example.kind);
    const auto types =
        internal::infer_result_types(example.kind, example.operands, example.attributes);
    REQUIRE(types.ok());
    CHECK(*types == example.results);
  }
}

const TensorType kScalar = f32({});

}  // namespace

TEST_CASE("elementwise operators give what they get") {
  check_inferred({
      {"tanh", {f32({2, 3})}, {f32({2, 3})}},
      {"not", {pred({2})}, {pred({2})}},
      {"abs", {{DType::c64, {2}}}, {f32({2})}},
      {"is_finite", {f32({2})}, {pred({2})}},
      {"add", {f32({2}), f32({2})}, {f32({2})}},
      {"and", {s32({2}), s32({2})}, {s32({2})}},
      {"compare", {f32({2}), f32({2})}, {pred({2})}, {{"comparison_direction", "GE"}}},
      {"select", {pred({2}), s32({2}), s32({2})}, {s32({2})}},
      {"select", {pred({}), f32({2}), f32({2})}, {f32({2})}},
      {"clamp", {kScalar, f32({2}), f32({2})}, {f32({2})}},
      {"optimization_barrier", {f32({2}), s32({3})}, {f32({2}), s32({3})}},
      {"optimization_barrier", {}, {}},
  });
}

TEST_CASE("operators whose result the host chooses accept what fits") {
  check_all({
      {"convert", {f32({2})}, {{DType::bf16, {2}}}},
      {"bitcast_convert", {f32({2})}, {s32({2})}},
      {"bitcast_convert", {f32({2})}, {{DType::u8, {2, 4}}}},
      {"bitcast_convert", {{DType::u8, {2, 4}}}, {f32({2})}},
      {"constant", {}, {f32({2, 2})}},
      {"constant", {}, {pred({})}, {{"value", true}}},
      {"constant", {}, {f32({3})}, {{"values", std::vector<double>{1, 2, 3}}}},
      {"iota", {}, {s32({4, 5})}, {{"iota_dimension", integer(1)}}},
      {"rng", {kScalar, kScalar}, {f32({4})}, {{"rng_distribution", "NORMAL"}}},
      {"rng_bit_generator",
       {{DType::u64, {2}}},
       {{DType::u64, {2}}, {DType::u32, {8}}},
       {{"rng_algorithm", "THREE_FRY"}}},
      {"broadcast_in_dim", {kScalar}, {f32({2, 3})}},
      {"broadcast_in_dim", {f32({1, 3})}, {f32({3, 2})}, {{"broadcast_dimensions", Ints{1, 0}}}},
      {"reshape", {f32({2, 3})}, {f32({3, 2, 1})}},
      {"reshape", {f32({0, 3})}, {f32({7, 0})}},
      {"dot_general", {{DType::bf16, {2}}, {DType::bf16, {3}}}, {f32({2, 3})}},
  });
}

TEST_CASE("the shapes of contractions and reductions follow from their dimensions") {
  check_inferred({
      {"dot_general",
       {f32({7, 2, 3}), f32({3, 5, 7})},
       {f32({7, 2, 5})},
       {{"lhs_batching_dimensions", Ints{0}},
        {"rhs_batching_dimensions", Ints{2}},
        {"lhs_contracting_dimensions", Ints{2}},
        {"rhs_contracting_dimensions", Ints{0}}}},
      {"dot_general", {f32({2}), f32({3})}, {f32({2, 3})}},
      {"transpose", {f32({2, 3, 4})}, {f32({4, 2, 3})}, {{"permutation", Ints{2, 0, 1}}}},
      {"transpose", {kScalar}, {kScalar}},
      {"reverse", {f32({2, 3})}, {f32({2, 3})}, {{"dimensions", Ints{1}}}},
      {"reduce",
       {f32({2, 3, 4}), kScalar},
       {f32({3})},
       {{"dimensions", Ints{0, 2}}, {"reducer", "max"}}},
      {"reduce",
       {f32({2, 3}), kScalar},
       {f32({2, 3})},
       {{"dimensions", Ints{}}, {"reducer", "sum"}}},
      {"reduce",
       {f32({2, 3}), s32({2, 3}), kScalar, s32({})},
       {f32({2}), s32({2})},
       {{"dimensions", Ints{1}}, {"reducer", "custom"}}},
  });
}

TEST_CASE("the shapes of slices follow from their positions") {
  check_inferred({
      {"slice",
       {f32({10, 4})},
       {f32({3, 4})},
       {{"start_indices", Ints{1, 0}}, {"limit_indices", Ints{8, 4}}, {"strides", Ints{3, 1}}}},
      {"slice",
       {f32({4})},
       {f32({0})},
       {{"start_indices", Ints{2}}, {"limit_indices", Ints{2}}, {"strides", Ints{INT64_MAX}}}},
      {"dynamic_slice",
       {f32({10, 4}), s32({}), s32({})},
       {f32({1, 4})},
       {{"slice_sizes", Ints{1, 4}}}},
      {"dynamic_slice", {kScalar}, {kScalar}},
      {"dynamic_update_slice", {f32({10, 4}), f32({1, 4}), s32({}), s32({})}, {f32({10, 4})}},
      {"pad",
       {f32({3}), kScalar},
       {f32({7})},
       {{"edge_padding_low", Ints{3}},
        {"edge_padding_high", Ints{-1}},
        {"interior_padding", Ints{1}}}},
      {"pad",
       {f32({0}), kScalar},
       {f32({2})},
       {{"edge_padding_low", Ints{1}},
        {"edge_padding_high", Ints{1}},
        {"interior_padding", Ints{9}}}},
      {"concatenate",
       {f32({2, 3}), f32({2, 4}), f32({2, 0})},
       {f32({2, 7})},
       {{"dimension", integer(1)}}},
  });
}

TEST_CASE("the shapes of gathers and scatters follow from their windows") {
  const Attributes rows = {{"offset_dims", Ints{1}},
                           {"collapsed_slice_dims", Ints{0}},
                           {"start_index_map", Ints{0}},
                           {"index_vector_dim", integer(1)},
                           {"slice_sizes", Ints{1, 4}}};
  Attributes implicit = rows;
  implicit["index_vector_dim"] = integer(2);
  implicit["offset_dims"] = Ints{0};
  const Attributes batched = {
      {"offset_dims", Ints{2}},           {"collapsed_slice_dims", Ints{1}},
      {"operand_batching_dims", Ints{0}}, {"start_indices_batching_dims", Ints{0}},
      {"start_index_map", Ints{1}},       {"index_vector_dim", integer(2)},
      {"slice_sizes", Ints{1, 1, 4}}};
  const Attributes scatter = {{"update_window_dims", Ints{1}},
                              {"inserted_window_dims", Ints{0}},
                              {"scatter_dims_to_operand_dims", Ints{0}},
                              {"index_vector_dim", integer(1)},
                              {"reducer", "assign"}};
  check_inferred({
      {"gather", {f32({10, 4}), s32({3, 1})}, {f32({3, 4})}, rows},
      {"gather", {f32({10, 4}), s32({3, 2})}, {f32({4, 3, 2})}, implicit},
      {"gather", {f32({5, 10, 4}), s32({5, 3, 1})}, {f32({5, 3, 4})}, batched},
      {"scatter", {f32({10, 4}), s32({3, 1}), f32({3, 4})}, {f32({10, 4})}, scatter},
      {"scatter", {f32({10, 4}), s32({3, 1}), f32({3, 2})}, {f32({10, 4})}, scatter},
  });
}

TEST_CASE("types that the operands do not determine are not inferred") {
  for (const auto kind : {"convert", "reshape", "broadcast_in_dim", "bitcast_convert"}) {
    const auto types = internal::infer_result_types(kind, {f32({2})}, {});
    REQUIRE_FALSE(types.ok());
    CHECK(types.error().message ==
          "the result's type does not follow from the operands and must be given");
  }
  CHECK_FALSE(internal::infer_result_types("constant", {}, {}).ok());
  CHECK(internal::infer_result_types("fft", {}, {}).error().message ==
        "operator kind 'fft' is unknown");
}

TEST_CASE("a list attribute that defaults to empty may be absent, or an empty list of any type") {
  check_all({
      {"dot_general",
       {f32({2}), f32({3})},
       {f32({2, 3})},
       {{"lhs_batching_dimensions", std::vector<double>{}},
        {"rhs_contracting_dimensions", Ints{}}}},
      {"reverse", {f32({2})}, {f32({2})}},
      {"broadcast_in_dim",
       {kScalar},
       {f32({2})},
       {{"broadcast_dimensions", std::vector<double>{}}}},
  });
}
