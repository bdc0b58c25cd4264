// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "io/hlo_operators.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "io/hlo_convolution.hpp"
#include "io/hlo_window.hpp"

namespace autoshard::internal {
namespace {

/// `rng_uniform` -> `UNIFORM`
std::string upper_without_prefix(std::string text, std::string_view prefix) {
  if (text.starts_with(prefix)) text.erase(0, prefix.size());
  std::transform(text.begin(), text.end(), text.begin(), [](char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  });
  return text;
}

void compare(HloAttributeReader& in, Attributes& out) {
  out["comparison_direction"] = in.text("direction");
}

void iota(HloAttributeReader& in, Attributes& out) {
  out["iota_dimension"] = in.integer("iota_dimension");
}

void broadcast(HloAttributeReader& in, Attributes& out) {
  out["broadcast_dimensions"] = in.integers("dimensions");
}

void transpose(HloAttributeReader& in, Attributes& out) {
  out["permutation"] = in.integers("dimensions");
}

void dot(HloAttributeReader& in, Attributes& out) {
  out["lhs_batching_dimensions"] = in.integers("lhs_batch_dims");
  out["rhs_batching_dimensions"] = in.integers("rhs_batch_dims");
  out["lhs_contracting_dimensions"] = in.integers("lhs_contracting_dims");
  out["rhs_contracting_dimensions"] = in.integers("rhs_contracting_dims");
}

/// The reducer is a computation, which the lowering recognises.
void dimensions(HloAttributeReader& in, Attributes& out) {
  out["dimensions"] = in.integers("dimensions");
}

void dimension(HloAttributeReader& in, Attributes& out) {
  out["dimension"] = in.integer("dimensions");
}

void gather(HloAttributeReader& in, Attributes& out) {
  for (const char* name : {"offset_dims", "collapsed_slice_dims", "operand_batching_dims",
                           "start_indices_batching_dims", "start_index_map", "slice_sizes"}) {
    out[name] = in.integers(name);
  }
  out["index_vector_dim"] = in.integer("index_vector_dim");
}

void scatter(HloAttributeReader& in, Attributes& out) {
  for (const char* name : {"update_window_dims", "inserted_window_dims", "input_batching_dims",
                           "scatter_indices_batching_dims", "scatter_dims_to_operand_dims"}) {
    out[name] = in.integers(name);
  }
  out["index_vector_dim"] = in.integer("index_vector_dim");
}

void slice(HloAttributeReader& in, Attributes& out) {
  HloSlice ranges = in.slice("slice");
  out["start_indices"] = std::move(ranges.starts);
  out["limit_indices"] = std::move(ranges.limits);
  out["strides"] = std::move(ranges.strides);
}

void dynamic_slice(HloAttributeReader& in, Attributes& out) {
  out["slice_sizes"] = in.integers("dynamic_slice_sizes");
}

void pad(HloAttributeReader& in, Attributes& out) {
  HloPadding counts = in.padding("padding");
  out["edge_padding_low"] = std::move(counts.low);
  out["edge_padding_high"] = std::move(counts.high);
  out["interior_padding"] = std::move(counts.interior);
}

void rng(HloAttributeReader& in, Attributes& out) {
  out["rng_distribution"] = upper_without_prefix(in.text("distribution"), "rng_");
}

void rng_bit_generator(HloAttributeReader& in, Attributes& out) {
  out["rng_algorithm"] = upper_without_prefix(in.text("algorithm"), "rng_");
}

void topk(HloAttributeReader& in, Attributes& out) {
  out["k"] = in.integer("k");
  if (in.instruction().attribute("largest") == "false") in.fail("the smallest are not known");
}

void custom_call(HloAttributeReader& in, Attributes& out) {
  out["call_target_name"] = in.text("custom_call_target");
}

constexpr int kAny = HloOperator::kAnyNumber;

constexpr HloOperator kOperators[] = {
    {"abs", "", 1},
    {"negate", "", 1},
    {"exponential", "", 1},
    {"exponential-minus-one", "", 1},
    {"log", "", 1},
    {"log-plus-one", "", 1},
    {"logistic", "", 1},
    {"tanh", "", 1},
    {"sqrt", "", 1},
    {"rsqrt", "", 1},
    {"cbrt", "", 1},
    {"sign", "", 1},
    {"floor", "", 1},
    {"ceil", "", 1},
    {"round-nearest-afz", "", 1},
    {"round-nearest-even", "", 1},
    {"cosine", "", 1},
    {"sine", "", 1},
    {"tan", "", 1},
    {"erf", "", 1},
    {"not", "", 1},
    {"popcnt", "", 1},
    {"count-leading-zeros", "", 1},
    {"is-finite", "", 1},
    {"convert", "", 1},
    {"bitcast-convert", "", 1},
    {"reduce-precision", "", 1},
    {"copy", "", 1},
    {"reshape", "", 1},
    {"add", "", 2},
    {"subtract", "", 2},
    {"multiply", "", 2},
    {"divide", "", 2},
    {"maximum", "", 2},
    {"minimum", "", 2},
    {"power", "", 2},
    {"remainder", "", 2},
    {"atan2", "", 2},
    {"and", "", 2},
    {"or", "", 2},
    {"xor", "", 2},
    {"shift-left", "", 2},
    {"shift-right-logical", "", 2},
    {"shift-right-arithmetic", "", 2},
    {"compare", "", 2, compare},
    {"select", "", 3},
    {"clamp", "", 3},
    {"constant", "", 0, read_hlo_literal},
    {"iota", "", 0, iota},
    {"broadcast", "broadcast_in_dim", 1, broadcast},
    {"transpose", "", 1, transpose},
    {"dot", "dot_general", 2, dot},
    {"reduce", "", kAny, dimensions},
    {"gather", "", 2, gather},
    {"scatter", "", kAny, scatter},
    {"slice", "", 1, slice},
    {"dynamic-slice", "", kAny, dynamic_slice},
    {"dynamic-update-slice", "", kAny},
    {"pad", "", 2, pad},
    {"concatenate", "", kAny, dimension},
    {"reverse", "", 1, dimensions},
    {"rng", "", 2, rng},
    {"rng-bit-generator", "", 1, rng_bit_generator},
    {"sort", "", kAny, dimension},
    {"topk", "top_k", 1, topk},
    {"convolution", "", 2, translate_hlo_convolution},
    {"reduce-window", "", kAny, translate_hlo_reduce_window},
    {"select-and-scatter", "", 3, translate_hlo_select_and_scatter},
    {"custom-call", "", kAny, custom_call},
};

std::unordered_map<std::string_view, const HloOperator*> index_by_opcode() {
  std::unordered_map<std::string_view, const HloOperator*> result;
  for (const HloOperator& entry : kOperators) result.emplace(entry.opcode, &entry);
  return result;
}

}  // namespace

const HloOperator* find_hlo_operator(std::string_view opcode) {
  static const auto index = index_by_opcode();
  const auto found = index.find(opcode);
  return found == index.end() ? nullptr : found->second;
}

std::string hlo_kind(std::string_view opcode) {
  std::string result(opcode);
  std::replace(result.begin(), result.end(), '-', '_');
  return result;
}

}  // namespace autoshard::internal
