// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
// Elementwise operators of two operands. Floats are computed in f64, integers and predicates on
// their bits, so that they wrap and shift as their width says.
#include <algorithm>
#include <cmath>

#include "base/errors.hpp"
#include "base/try.hpp"
#include "execute/element.hpp"
#include "execute/kernels/families.hpp"

namespace autoshard::internal {
namespace {

using Bits = std::uint64_t;

/// `F` works on doubles, `I` on the type and the bits of both operands.
template <auto F, auto I>
Result<Values> binary(const PieceCall& call) {
  AUTOSHARD_CHECK_OK(require_box(call, 0, call.result_box()));
  AUTOSHARD_CHECK_OK(require_box(call, 1, call.result_box()));
  const std::vector<double>& a = call.operand(0).data;
  const std::vector<double>& b = call.operand(1).data;
  const DType dtype = call.result_type().dtype;
  Value result = filled(call.result_box(), 0.0);
  if (is_bits(dtype)) {
    std::transform(a.begin(), a.end(), b.begin(), result.data.begin(), [dtype](double x, double y) {
      return from_bits(dtype, I(dtype, to_bits(x), to_bits(y)));
    });
  } else {
    std::transform(a.begin(), a.end(), b.begin(), result.data.begin(), F);
  }
  return Values{std::move(result)};
}

std::int64_t as_signed(Bits x) { return static_cast<std::int64_t>(x); }

// Division by zero is what XLA makes of it: all ones, and the dividend as the remainder.
Bits divide_bits(DType dtype, Bits x, Bits y) {
  if (y == 0) return ~Bits{0};
  if (!is_signed_integer(dtype)) return x / y;
  return as_signed(y) == -1 ? Bits{0} - x : static_cast<Bits>(as_signed(x) / as_signed(y));
}

Bits remainder_bits(DType dtype, Bits x, Bits y) {
  if (y == 0) return x;
  if (!is_signed_integer(dtype)) return x % y;
  return as_signed(y) == -1 ? Bits{0} : static_cast<Bits>(as_signed(x) % as_signed(y));
}

bool less_bits(DType dtype, Bits x, Bits y) {
  return is_signed_integer(dtype) ? as_signed(x) < as_signed(y) : x < y;
}

Bits power_bits(DType dtype, Bits x, Bits y) {
  if (is_signed_integer(dtype) && as_signed(y) < 0) return x == 1 ? 1 : 0;
  Bits result = 1;
  for (; y != 0; y >>= 1, x *= x) {
    if (y & 1) result *= x;
  }
  return result;
}

/// What is shifted out is gone; a shift by the width or more leaves nothing.
Bits shift_left_bits(DType dtype, Bits x, Bits y) {
  return y < static_cast<Bits>(bits(dtype)) ? x << y : 0;
}

Bits shift_right_logical_bits(DType dtype, Bits x, Bits y) {
  const auto width = static_cast<Bits>(bits(dtype));
  return y < width ? (x << (64 - width) >> (64 - width)) >> y : 0;
}

Bits shift_right_arithmetic_bits(DType dtype, Bits x, Bits y) {
  const auto width = static_cast<Bits>(bits(dtype));
  const std::int64_t extended = as_signed(x << (64 - width)) >> (64 - width);
  return static_cast<Bits>(extended >> std::min(y, width - 1));
}

Bits add_bits(DType dtype, Bits x, Bits y) { return dtype == DType::pred ? x | y : x + y; }

/// The operator exists on integers and predicates only.
double no_float(double, double) { return std::nan(""); }

/// The operator exists on floats only.
Bits no_bits(DType, Bits, Bits) { return 0; }

constexpr NamedKernel kKernels[] = {
    {"add", binary<[](double x, double y) { return x + y; }, add_bits>},
    {"subtract",
     binary<[](double x, double y) { return x - y; }, [](DType, Bits x, Bits y) { return x - y; }>},
    {"multiply",
     binary<[](double x, double y) { return x * y; }, [](DType, Bits x, Bits y) { return x * y; }>},
    {"divide", binary<[](double x, double y) { return x / y; }, divide_bits>},
    {"remainder", binary<[](double x, double y) { return std::fmod(x, y); }, remainder_bits>},
    {"power", binary<[](double x, double y) { return std::pow(x, y); }, power_bits>},
    {"maximum",
     binary<maximum, [](DType d, Bits x, Bits y) { return less_bits(d, x, y) ? y : x; }>},
    {"minimum",
     binary<minimum, [](DType d, Bits x, Bits y) { return less_bits(d, x, y) ? x : y; }>},
    {"atan2", binary<[](double x, double y) { return std::atan2(x, y); }, no_bits>},
    {"and", binary<no_float, [](DType, Bits x, Bits y) { return x & y; }>},
    {"or", binary<no_float, [](DType, Bits x, Bits y) { return x | y; }>},
    {"xor", binary<no_float, [](DType, Bits x, Bits y) { return x ^ y; }>},
    {"shift_left", binary<no_float, shift_left_bits>},
    {"shift_right_logical", binary<no_float, shift_right_logical_bits>},
    {"shift_right_arithmetic", binary<no_float, shift_right_arithmetic_bits>},
};

}  // namespace

std::span<const NamedKernel> binary_kernels() { return kKernels; }

}  // namespace autoshard::internal
