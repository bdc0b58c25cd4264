// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "execute/element.hpp"

#include <cmath>
#include <limits>

namespace autoshard::internal {
namespace {

constexpr double kTwoTo63 = 9223372036854775808.0;

double combine_bits(ReductionKind kind, DType dtype, double a, double b) {
  const std::uint64_t x = to_bits(a);
  const std::uint64_t y = to_bits(b);
  switch (kind) {
    case ReductionKind::sum:
      return from_bits(dtype, dtype == DType::pred ? x | y : x + y);
    case ReductionKind::product:
      return from_bits(dtype, x * y);
    case ReductionKind::logical_and:
      return from_bits(dtype, x & y);
    case ReductionKind::logical_or:
      return from_bits(dtype, x | y);
    default:
      return 0;
  }
}

double combine_floats(ReductionKind kind, double a, double b) {
  switch (kind) {
    case ReductionKind::sum:
      return a + b;
    case ReductionKind::product:
      return a * b;
    case ReductionKind::logical_and:
      return a != 0 && b != 0 ? 1 : 0;
    case ReductionKind::logical_or:
      return a != 0 || b != 0 ? 1 : 0;
    default:
      return 0;
  }
}

}  // namespace

bool is_complex(DType dtype) { return dtype == DType::c64 || dtype == DType::c128; }

bool is_signed_integer(DType dtype) { return DType::s4 <= dtype && dtype <= DType::s64; }

bool is_bits(DType dtype) { return dtype == DType::pred || is_integer(dtype); }

std::uint64_t to_bits(double element) {
  if (std::isnan(element)) return 0;
  if (element >= 2 * kTwoTo63) return std::numeric_limits<std::uint64_t>::max();
  if (element >= 0) return static_cast<std::uint64_t>(element);
  if (element <= -kTwoTo63) return std::uint64_t{1} << 63;
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(element));
}

double from_bits(DType dtype, std::uint64_t bits) {
  const std::int64_t width = dtype == DType::pred ? 1 : autoshard::bits(dtype);
  const std::int64_t unused = 64 - width;
  const std::uint64_t high = bits << unused;
  if (!is_signed_integer(dtype)) return static_cast<double>(high >> unused);
  return static_cast<double>(static_cast<std::int64_t>(high) >> unused);
}

double converted(double element, DType to) {
  if (to == DType::pred) return element != 0 ? 1 : 0;
  return is_integer(to) ? from_bits(to, to_bits(std::trunc(element))) : element;
}

double identity(ReductionKind kind, DType dtype) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  switch (kind) {
    case ReductionKind::sum:
      return 0;
    case ReductionKind::product:
      return 1;
    case ReductionKind::max:
      return -kInfinity;
    case ReductionKind::min:
      return kInfinity;
    case ReductionKind::logical_and:
      return is_bits(dtype) ? from_bits(dtype, ~std::uint64_t{0}) : 1;
    case ReductionKind::logical_or:
      return 0;
  }
  return 0;
}

double combine(ReductionKind kind, DType dtype, double a, double b) {
  if (kind == ReductionKind::max) return maximum(a, b);
  if (kind == ReductionKind::min) return minimum(a, b);
  return is_bits(dtype) ? combine_bits(kind, dtype, a, b) : combine_floats(kind, a, b);
}

double maximum(double a, double b) { return std::isnan(a) || a > b ? a : b; }

double minimum(double a, double b) { return std::isnan(a) || a < b ? a : b; }

// FNV-1a.
std::uint64_t hash_text(std::string_view text) {
  std::uint64_t hash = 14695981039346656037ULL;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  return hash;
}

// The finaliser of splitmix64 over both words.
std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  std::uint64_t z = a + 0x9e3779b97f4a7c15ULL * (b + 1);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

double unit_interval(std::uint64_t bits) {
  return std::ldexp(static_cast<double>(bits >> 11), -53);
}

}  // namespace autoshard::internal
