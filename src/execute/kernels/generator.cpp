// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
// Operators that make their result from nothing or from a few scalars: a device makes just its own
// piece, and random numbers depend on the global index, so that any split gives the same tensor. In
// a loop they are the same every turn.
#include <cmath>
#include <numbers>

#include "base/errors.hpp"
#include "base/try.hpp"
#include "execute/element.hpp"
#include "execute/kernels/families.hpp"

namespace autoshard::internal {
namespace {

/// result[index] = function(position of index in the whole tensor).
template <class Function>
Value generate(const Box& box, const TensorType& type, Function function) {
  Value result = filled(box, 0.0);
  const std::vector<std::int64_t> strides = row_major_strides(type.shape);
  std::int64_t first = 0;
  for (std::size_t d = 0; d < box.size(); ++d) first += box[d].begin * strides[d];
  double* write = result.data.data();
  for (IndexWalk walk(extents(box)); !walk.done(); walk.next()) {
    *write++ = function(static_cast<std::uint64_t>(first + linear_index(walk.index(), strides)));
  }
  return result;
}

std::uint64_t stream(const PieceCall& call) {
  return mix(call.signature.seed, hash_text(call.op().name));
}

/// What stands for a constant whose elements the file leaves out.
double stand_in(std::uint64_t bits, DType dtype) {
  if (dtype == DType::pred) return static_cast<double>(bits & 1);
  return is_integer(dtype) ? static_cast<double>(bits % 8) : 2 * unit_interval(bits) - 1;
}

std::optional<double> number_of(const Operator& op, std::string_view key) {
  const auto found = op.attributes.find(key);
  if (found == op.attributes.end()) return std::nullopt;
  if (const bool* flag = std::get_if<bool>(&found->second)) return *flag ? 1.0 : 0.0;
  return op.number(key);
}

template <class Number>
const std::vector<Number>* list_of(const Operator& op, std::string_view key) {
  const auto found = op.attributes.find(key);
  return found == op.attributes.end() ? nullptr : std::get_if<std::vector<Number>>(&found->second);
}

template <class Number>
Result<Values> listed(const PieceCall& call, const std::vector<Number>& values) {
  if (static_cast<std::int64_t>(values.size()) != call.result_type().elements()) {
    return invalid("{} values for {} elements", values.size(), call.result_type().elements());
  }
  return Values{generate(call.result_box(), call.result_type(), [&](std::uint64_t index) {
    return converted(static_cast<double>(values[index]), call.result_type().dtype);
  })};
}

Result<Values> constant(const PieceCall& call) {
  const DType dtype = call.result_type().dtype;
  if (const auto value = number_of(call.op(), "value")) {
    return Values{filled(call.result_box(), converted(*value, dtype))};
  }
  if (const auto* values = list_of<double>(call.op(), "values")) return listed(call, *values);
  if (const auto* values = list_of<std::int64_t>(call.op(), "values")) return listed(call, *values);
  return Values{generate(call.result_box(), call.result_type(), [&](std::uint64_t index) {
    return stand_in(mix(stream(call), index), dtype);
  })};
}

Result<Values> iota(const PieceCall& call) {
  const auto dimension = static_cast<std::size_t>(call.op().integer("iota_dimension").value_or(0));
  if (dimension >= call.result_box().size()) return invalid("iota_dimension out of range");
  Value result = filled(call.result_box(), 0.0);
  double* write = result.data.data();
  for (IndexWalk walk(extents(result.box)); !walk.done(); walk.next()) {
    *write++ = static_cast<double>(result.box[dimension].begin + walk.index()[dimension]);
  }
  return Values{std::move(result)};
}

/// Box and Muller.
double normal(std::uint64_t bits) {
  const double radius = std::sqrt(-2 * std::log(1 - unit_interval(bits)));
  return radius * std::cos(2 * std::numbers::pi * unit_interval(mix(bits, 1)));
}

Result<Values> rng(const PieceCall& call) {
  AUTOSHARD_TRY(const double a, scalar(call, 0));
  AUTOSHARD_TRY(const double b, scalar(call, 1));
  const DType dtype = call.result_type().dtype;
  const std::string* distribution = call.op().text("rng_distribution");
  const bool is_normal = distribution && *distribution == "NORMAL";
  return Values{generate(call.result_box(), call.result_type(), [&](std::uint64_t index) {
    const std::uint64_t bits = mix(stream(call), index);
    return converted(is_normal ? a + b * normal(bits) : a + (b - a) * unit_interval(bits), dtype);
  })};
}

/// Any generator will do, as long as state and bits depend on the state alone. Sixty-four bit
/// results get 53 bits, all that an element holds.
Result<Values> rng_bit_generator(const PieceCall& call) {
  AUTOSHARD_CHECK_OK(require_box(call, 0, whole_box(call.operand_type(0).shape)));
  std::uint64_t state = hash_text("rng_bit_generator");
  for (const double word : call.operand(0).data) state = mix(state, to_bits(word));
  const auto bits_of = [](std::uint64_t bits, DType dtype) {
    return from_bits(dtype, autoshard::bits(dtype) == 64 ? bits >> 11 : bits);
  };
  Values results;
  for (std::size_t i = 0; i < 2; ++i) {
    const TensorType& type = call.signature.result_types[i];
    const std::uint64_t salted = mix(state, i);
    results.push_back(generate(call.result_boxes[i], type, [&](std::uint64_t index) {
      return bits_of(mix(salted, index), type.dtype);
    }));
  }
  return results;
}

constexpr NamedKernel kKernels[] = {
    {"constant", constant},
    {"iota", iota},
    {"rng", rng},
    {"rng_bit_generator", rng_bit_generator},
};

}  // namespace

Values stand_in_results(const PieceCall& call) {
  Values results;
  for (std::size_t i = 0; i < call.result_boxes.size(); ++i) {
    const TensorType& type = call.signature.result_types[i];
    const std::uint64_t salted = mix(stream(call), i);
    results.push_back(generate(call.result_boxes[i], type, [&](std::uint64_t index) {
      return stand_in(mix(salted, index), type.dtype);
    }));
  }
  return results;
}

std::span<const NamedKernel> generator_kernels() { return kKernels; }

}  // namespace autoshard::internal
