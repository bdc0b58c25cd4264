// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
// Elementwise operators of one operand, and conversions between element types.
#include <Eigen/Core>
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>

#include "base/errors.hpp"
#include "base/try.hpp"
#include "execute/element.hpp"
#include "execute/kernels/families.hpp"

namespace autoshard::internal {
namespace {

template <class Function>
Result<Values> map_elements(const PieceCall& call, Function function) {
  AUTOSHARD_CHECK_OK(require_box(call, 0, call.result_box()));
  Value result = filled(call.result_box(), 0.0);
  std::transform(call.operand(0).data.begin(), call.operand(0).data.end(), result.data.begin(),
                 function);
  return Values{std::move(result)};
}

/// Computed in f64; integer results wrap.
template <auto F>
Result<Values> unary(const PieceCall& call) {
  const DType dtype = call.result_type().dtype;
  if (!is_bits(dtype)) return map_elements(call, F);
  return map_elements(call, [dtype](double x) { return from_bits(dtype, to_bits(F(x))); });
}

/// Computed on the operand's bits.
template <auto F>
Result<Values> unary_bits(const PieceCall& call) {
  const DType dtype = call.result_type().dtype;
  return map_elements(call, [dtype](double x) { return from_bits(dtype, F(dtype, to_bits(x))); });
}

/// The bits without the sign extension.
std::uint64_t unsigned_bits(DType dtype, std::uint64_t bits) {
  const std::int64_t unused = 64 - autoshard::bits(dtype);
  return bits << unused >> unused;
}

double sign(double x) { return std::isnan(x) ? x : static_cast<double>((x > 0) - (x < 0)); }

/// Winitzki's approximation, then Newton's steps on the complement, which keeps its digits near 1.
double erf_inv(double y) {
  if (std::isnan(y) || std::fabs(y) > 1) return std::nan("");
  if (y == 0 || std::fabs(y) == 1)
    return y == 0 ? y : std::copysign(std::numeric_limits<double>::infinity(), y);
  constexpr double kShape = 0.147;
  constexpr int kSteps = 4;
  const double log_rest = std::log1p(-y * y);
  const double middle = 2 / (std::numbers::pi * kShape) + log_rest / 2;
  const double goal = std::fabs(y);
  double x = std::sqrt(std::sqrt(middle * middle - log_rest / kShape) - middle);
  for (int step = 0; step < kSteps; ++step) {
    const double error = goal < 0.5 ? std::erf(x) - goal : (1 - goal) - std::erfc(x);
    x -= error * std::sqrt(std::numbers::pi) / 2 * std::exp(x * x);
  }
  return std::copysign(x, y);
}

/// The reflection for negative numbers, the recurrence up to 10, and the asymptotic series there.
double digamma(double x) {
  if (x <= 0 && x == std::floor(x)) return std::nan("");
  if (x < 0) return digamma(1 - x) - std::numbers::pi / std::tan(std::numbers::pi * x);
  double below = 0;
  for (; x < 10; ++x) below -= 1 / x;
  const double r = 1 / (x * x);
  const double series =
      r * (1.0 / 12 - r * (1.0 / 120 -
                           r * (1.0 / 252 -
                                r * (1.0 / 240 - r * (1.0 / 132 - r * (691.0 / 32760 - r / 12))))));
  return below + std::log(x) - 0.5 / x - series;
}

Result<Values> convert(const PieceCall& call) {
  const DType to = call.result_type().dtype;
  return map_elements(call, [to](double x) { return converted(x, to); });
}

Result<Values> keep(const PieceCall& call) {
  return map_elements(call, [](double x) { return x; });
}

/// An optimization barrier returns all its operands.
Result<Values> keep_all(const PieceCall& call) {
  Values results;
  for (std::size_t i = 0; i < call.operands.size(); ++i) {
    AUTOSHARD_CHECK_OK(require_box(call, i, call.result_boxes[i]));
    results.push_back(call.operand(i));
  }
  return results;
}

template <class Float, class Bits>
Result<Values> floats_to_bits(const PieceCall& call) {
  const DType dtype = call.result_type().dtype;
  return map_elements(call, [dtype](double x) {
    return from_bits(dtype, std::bit_cast<Bits>(static_cast<Float>(x)));
  });
}

template <class Float, class Bits>
Result<Values> bits_to_floats(const PieceCall& call) {
  return map_elements(call, [](double x) {
    return static_cast<double>(std::bit_cast<Float>(static_cast<Bits>(to_bits(x))));
  });
}

template <class Float, class Bits>
Result<Values> reinterpret(const PieceCall& call) {
  return is_bits(call.result_type().dtype) ? floats_to_bits<Float, Bits>(call)
                                           : bits_to_floats<Float, Bits>(call);
}

/// Between a floating type and the integer of its width; between integers it wraps.
Result<Values> bitcast_convert(const PieceCall& call) {
  const DType from = call.operand_type(0).dtype;
  const DType to = call.result_type().dtype;
  if (bits(from) != bits(to)) return not_found("cannot reinterpret elements of another width");
  if (from == to) return keep(call);
  if (is_bits(from) && is_bits(to)) return convert(call);
  const DType floating = is_bits(from) ? to : from;
  if (is_bits(from) == is_bits(to)) return not_found("cannot reinterpret floats as other floats");
  if (floating == DType::f32) return reinterpret<float, std::uint32_t>(call);
  if (floating == DType::f16) return reinterpret<Eigen::half, std::uint16_t>(call);
  if (floating == DType::bf16) return reinterpret<Eigen::bfloat16, std::uint16_t>(call);
  return not_found("cannot reinterpret {}, its bits do not fit the interpreter's elements",
                   name(floating));
}

constexpr NamedKernel kKernels[] = {
    {"abs", unary<[](double x) { return std::fabs(x); }>},
    {"negate", unary<[](double x) { return -x; }>},
    {"exponential", unary<[](double x) { return std::exp(x); }>},
    {"exponential_minus_one", unary<[](double x) { return std::expm1(x); }>},
    {"log", unary<[](double x) { return std::log(x); }>},
    {"log_plus_one", unary<[](double x) { return std::log1p(x); }>},
    {"logistic", unary<[](double x) { return 1 / (1 + std::exp(-x)); }>},
    {"tanh", unary<[](double x) { return std::tanh(x); }>},
    {"sqrt", unary<[](double x) { return std::sqrt(x); }>},
    {"rsqrt", unary<[](double x) { return 1 / std::sqrt(x); }>},
    {"cbrt", unary<[](double x) { return std::cbrt(x); }>},
    {"sign", unary<sign>},
    {"floor", unary<[](double x) { return std::floor(x); }>},
    {"ceil", unary<[](double x) { return std::ceil(x); }>},
    {"round_nearest_afz", unary<[](double x) { return std::round(x); }>},
    {"round_nearest_even", unary<[](double x) { return std::nearbyint(x); }>},
    {"cosine", unary<[](double x) { return std::cos(x); }>},
    {"sine", unary<[](double x) { return std::sin(x); }>},
    {"tan", unary<[](double x) { return std::tan(x); }>},
    {"erf", unary<[](double x) { return std::erf(x); }>},
    {"erfc", unary<[](double x) { return std::erfc(x); }>},
    {"erf_inv", unary<erf_inv>},
    {"lgamma", unary<[](double x) { return std::lgamma(x); }>},
    {"digamma", unary<digamma>},
    {"sinh", unary<[](double x) { return std::sinh(x); }>},
    {"cosh", unary<[](double x) { return std::cosh(x); }>},
    {"asin", unary<[](double x) { return std::asin(x); }>},
    {"acos", unary<[](double x) { return std::acos(x); }>},
    {"atan", unary<[](double x) { return std::atan(x); }>},
    {"asinh", unary<[](double x) { return std::asinh(x); }>},
    {"acosh", unary<[](double x) { return std::acosh(x); }>},
    {"atanh", unary<[](double x) { return std::atanh(x); }>},
    {"is_finite", unary<[](double x) { return std::isfinite(x) ? 1.0 : 0.0; }>},
    {"not", unary_bits<[](DType, std::uint64_t x) { return ~x; }>},
    {"popcnt", unary_bits<[](DType dtype, std::uint64_t x) {
       return static_cast<std::uint64_t>(std::popcount(unsigned_bits(dtype, x)));
     }>},
    {"count_leading_zeros", unary_bits<[](DType dtype, std::uint64_t x) {
       const std::int64_t unused = 64 - bits(dtype);
       return static_cast<std::uint64_t>(std::countl_zero(unsigned_bits(dtype, x)) - unused);
     }>},
    {"convert", convert},
    {"bitcast_convert", bitcast_convert},
    {"copy", keep},
    // Everything is computed in f64, so there is no precision to give up.
    {"reduce_precision", keep},
    {"optimization_barrier", keep_all},
};

}  // namespace

std::span<const NamedKernel> unary_kernels() { return kKernels; }

}  // namespace autoshard::internal
