// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "autoshard/types.hpp"

#include <doctest/doctest.h>

#include <limits>

#include "base/parse_type.hpp"

using namespace autoshard;

namespace {

constexpr std::int64_t kMaximum = std::numeric_limits<std::int64_t>::max();

}  // namespace

TEST_CASE("every element type is read back from its name") {
  for (int i = 0; i <= static_cast<int>(DType::token); ++i) {
    const auto dtype = static_cast<DType>(i);
    CHECK(parse_dtype(name(dtype)) == dtype);
  }
  CHECK(name(DType::pred) == "pred");
  CHECK(name(DType::f8e4m3fn) == "f8e4m3fn");
}

TEST_CASE("StableHLO's names of element types are understood") {
  CHECK(parse_dtype("i1") == DType::pred);
  CHECK(parse_dtype("i32") == DType::s32);
  CHECK(parse_dtype("ui8") == DType::u8);
  CHECK(parse_dtype("f8E4M3FN") == DType::f8e4m3fn);
  CHECK(parse_dtype("complex<f32>") == DType::c64);
  CHECK_FALSE(parse_dtype("f31").has_value());
  CHECK_FALSE(parse_dtype("").has_value());
}

TEST_CASE("element types have widths and kinds") {
  CHECK(bits(DType::pred) == 8);
  CHECK(bits(DType::s4) == 4);
  CHECK(bits(DType::bf16) == 16);
  CHECK(bits(DType::c128) == 128);
  CHECK(bits(DType::token) == 0);
  CHECK(is_floating(DType::f8e5m2));
  CHECK_FALSE(is_floating(DType::c64));
  CHECK(is_integer(DType::u64));
  CHECK_FALSE(is_integer(DType::pred));
}

TEST_CASE("a type knows its elements and whole bytes") {
  const TensorType matrix{DType::f32, {8, 1024}};
  CHECK(matrix.rank() == 2);
  CHECK(matrix.elements() == 8192);
  CHECK(matrix.bytes() == 32768);
  CHECK(TensorType{DType::f64, {}}.bytes() == 8);
  CHECK(TensorType{DType::s4, {3}}.bytes() == 2);
  CHECK(TensorType{DType::s4, {16}}.bytes() == 8);
  CHECK(TensorType{DType::f32, {0, 5}}.bytes() == 0);
  CHECK(TensorType{DType::token, {}}.bytes() == 0);
}

TEST_CASE("a type too large to count saturates") {
  CHECK(TensorType{DType::f32, {kMaximum, 2}}.elements() == kMaximum);
  CHECK(TensorType{DType::f32, {kMaximum}}.bytes() == kMaximum);
  CHECK(TensorType{DType::f32, {kMaximum, kMaximum, 0}}.elements() == 0);
  CHECK(TensorType{DType::s4, {kMaximum}}.bytes() == (std::int64_t{1} << 62));
}

TEST_CASE("a type is written as HLO writes it and read back") {
  for (const TensorType& type : {TensorType{DType::f32, {8, 1024}}, TensorType{DType::s32, {}},
                                 TensorType{DType::pred, {0}}, TensorType{DType::u8, {kMaximum}}}) {
    CHECK(internal::parse_type(to_string(type)) == type);
  }
  CHECK(to_string({DType::f32, {8, 1024}}) == "f32[8,1024]");
  CHECK(to_string({DType::s32, {}}) == "s32[]");
}

TEST_CASE("a text that is not a type is refused") {
  for (const auto text : {"",        "f32",     "[2]",      "f32[",
                          "f32]",    "f32[2",   "f32[2]x",  "f32[2,]",
                          "f32[,2]", "f32[2 ]", "f32[ 2]",  "f32[2;3]",
                          "f32[+2]", "f32[x]",  "f99[2]",   "f32[99999999999999999999]",
                          "]",       "[",       "f32[[2]]", "f32[2][3]"}) {
    CHECK_MESSAGE(!internal::parse_type(text).has_value(), text);
  }
}

TEST_CASE("reductions are read back from their names") {
  for (const auto text : {"sum", "product", "max", "min", "and", "or"}) {
    const auto kind = parse_reduction(text);
    REQUIRE(kind.has_value());
    CHECK(name(*kind) == text);
  }
  CHECK_FALSE(parse_reduction("mean").has_value());
}
