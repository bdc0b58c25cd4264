// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "autoshard/types.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace autoshard {
namespace {

constexpr std::int64_t kMaximum = std::numeric_limits<std::int64_t>::max();

enum class Category : std::uint8_t { other, floating, integer };

struct DTypeEntry {
  DType dtype;
  std::string_view name;
  std::int64_t bits;
  Category category;
};

/// In the order of the enumeration, so that a dtype is an index.
constexpr std::array kDTypes = {
    DTypeEntry{DType::pred, "pred", 8, Category::other},
    DTypeEntry{DType::s4, "s4", 4, Category::integer},
    DTypeEntry{DType::s8, "s8", 8, Category::integer},
    DTypeEntry{DType::s16, "s16", 16, Category::integer},
    DTypeEntry{DType::s32, "s32", 32, Category::integer},
    DTypeEntry{DType::s64, "s64", 64, Category::integer},
    DTypeEntry{DType::u4, "u4", 4, Category::integer},
    DTypeEntry{DType::u8, "u8", 8, Category::integer},
    DTypeEntry{DType::u16, "u16", 16, Category::integer},
    DTypeEntry{DType::u32, "u32", 32, Category::integer},
    DTypeEntry{DType::u64, "u64", 64, Category::integer},
    DTypeEntry{DType::f8e4m3fn, "f8e4m3fn", 8, Category::floating},
    DTypeEntry{DType::f8e5m2, "f8e5m2", 8, Category::floating},
    DTypeEntry{DType::bf16, "bf16", 16, Category::floating},
    DTypeEntry{DType::f16, "f16", 16, Category::floating},
    DTypeEntry{DType::f32, "f32", 32, Category::floating},
    DTypeEntry{DType::f64, "f64", 64, Category::floating},
    DTypeEntry{DType::c64, "c64", 64, Category::other},
    DTypeEntry{DType::c128, "c128", 128, Category::other},
    DTypeEntry{DType::token, "token", 0, Category::other},
};

/// StableHLO's spelling where it differs from HLO's.
constexpr std::array<std::pair<std::string_view, DType>, 16> kStableHloNames = {{
    {"i1", DType::pred},
    {"i4", DType::s4},
    {"i8", DType::s8},
    {"i16", DType::s16},
    {"i32", DType::s32},
    {"i64", DType::s64},
    {"ui4", DType::u4},
    {"ui8", DType::u8},
    {"ui16", DType::u16},
    {"ui32", DType::u32},
    {"ui64", DType::u64},
    {"f8E4M3FN", DType::f8e4m3fn},
    {"f8E5M2", DType::f8e5m2},
    {"complex<f32>", DType::c64},
    {"complex<f64>", DType::c128},
    {"!stablehlo.token", DType::token},
}};

constexpr std::array<std::string_view, 6> kReductions = {"sum", "product", "max",
                                                         "min", "and",     "or"};

const DTypeEntry& entry(DType dtype) { return kDTypes[static_cast<std::size_t>(dtype)]; }

/// For factors >= 0. A type is not validated before it reaches a graph, so its size saturates.
std::int64_t saturating_product(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? kMaximum : product;
}

}  // namespace

std::string_view name(DType dtype) { return entry(dtype).name; }

std::optional<DType> parse_dtype(std::string_view text) {
  for (const DTypeEntry& candidate : kDTypes) {
    if (candidate.name == text) return candidate.dtype;
  }
  for (const auto& [spelling, dtype] : kStableHloNames) {
    if (spelling == text) return dtype;
  }
  return std::nullopt;
}

std::int64_t bits(DType dtype) { return entry(dtype).bits; }

bool is_floating(DType dtype) { return entry(dtype).category == Category::floating; }

bool is_integer(DType dtype) { return entry(dtype).category == Category::integer; }

std::int64_t TensorType::elements() const {
  if (std::ranges::any_of(shape, [](std::int64_t size) { return size <= 0; })) return 0;
  std::int64_t product = 1;
  for (const std::int64_t size : shape) product = saturating_product(product, size);
  return product;
}

std::int64_t TensorType::bytes() const {
  const std::int64_t count = elements();
  const std::int64_t width = bits(dtype);
  // Eight elements fill `width` bytes; only the last few may end inside a byte.
  const std::int64_t whole = saturating_product(count / 8, width);
  const std::int64_t rest = (count % 8 * width + 7) / 8;
  return whole > kMaximum - rest ? kMaximum : whole + rest;
}

std::string to_string(const TensorType& type) {
  std::string text{name(type.dtype)};
  text += '[';
  for (std::size_t i = 0; i < type.shape.size(); ++i) {
    if (i > 0) text += ',';
    text += std::to_string(type.shape[i]);
  }
  return text + ']';
}

std::string_view name(ReductionKind kind) { return kReductions[static_cast<std::size_t>(kind)]; }

std::optional<ReductionKind> parse_reduction(std::string_view text) {
  const auto found = std::ranges::find(kReductions, text);
  if (found == kReductions.end()) return std::nullopt;
  return static_cast<ReductionKind>(found - kReductions.begin());
}

}  // namespace autoshard
