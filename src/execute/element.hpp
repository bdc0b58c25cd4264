// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// Arithmetic on single elements that depends on their type: integers wrap as their width says,
// and every kind of reduction has an identity. Elements travel as f64 (see value.hpp).
#pragma once

#include <cstdint>
#include <string_view>

#include "autoshard/types.hpp"

namespace autoshard::internal {

bool is_complex(DType dtype);
bool is_signed_integer(DType dtype);
/// Integers and predicates, which are computed on their bits.
bool is_bits(DType dtype);

/// Two's complement; saturates what 64 bits cannot hold, and NaN is 0.
std::uint64_t to_bits(double element);
/// The lowest bits(dtype) bits, sign-extended for signed types.
double from_bits(DType dtype, std::uint64_t bits);

/// Conversion as the convert operator does it: integers truncate, predicates test for nonzero.
double converted(double element, DType to);

double identity(ReductionKind kind, DType dtype);
double combine(ReductionKind kind, DType dtype, double a, double b);

/// NaN if either is.
double maximum(double a, double b);
double minimum(double a, double b);

/// Pseudo-random numbers that depend on nothing but their arguments, so that every device can
/// make its own piece of a random tensor.
std::uint64_t hash_text(std::string_view text);
std::uint64_t mix(std::uint64_t a, std::uint64_t b);
double unit_interval(std::uint64_t bits);  ///< in [0, 1)

}  // namespace autoshard::internal
