// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// Element types and tensor types, named as StableHLO and HLO text name them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace autoshard {

enum class DType : std::uint8_t {
  pred,
  s4,
  s8,
  s16,
  s32,
  s64,
  u4,
  u8,
  u16,
  u32,
  u64,
  f8e4m3fn,
  f8e5m2,
  bf16,
  f16,
  f32,
  f64,
  c64,
  c128,
  token
};

std::string_view name(DType dtype);                       ///< "f32"
std::optional<DType> parse_dtype(std::string_view text);  ///< also StableHLO's "i1", "ui8", "i32"
std::int64_t bits(DType dtype);                           ///< 0 for token
bool is_floating(DType dtype);
bool is_integer(DType dtype);  ///< not pred

struct TensorType {
  DType dtype = DType::f32;
  std::vector<std::int64_t> shape;  ///< every dimension >= 0

  std::int64_t rank() const { return static_cast<std::int64_t>(shape.size()); }
  std::int64_t elements() const;  ///< product of the shape; 1 for a scalar
  std::int64_t bytes() const;     ///< whole bytes, rounded up
  friend bool operator==(const TensorType&, const TensorType&) = default;
};

std::string to_string(const TensorType& type);  ///< "f32[8,1024]"

/// How several values become one: of a reduce, of a scatter, of a partial tensor.
enum class ReductionKind : std::uint8_t { sum, product, max, min, logical_and, logical_or };

std::string_view name(ReductionKind kind);  ///< "sum", "product", "max", "min", "and", "or"
std::optional<ReductionKind> parse_reduction(std::string_view text);

}  // namespace autoshard
