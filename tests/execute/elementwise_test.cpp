// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "execute/run_alone.hpp"

namespace autoshard::test {
namespace {

using List = std::vector<double>;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

List unary(const std::string& kind, const List& x, DType from = DType::f32, DType to = DType::f32) {
  return run({kind, {typed(from, x)}, {typed(to, x).type}});
}

List binary(const std::string& kind, const List& x, const List& y, DType dtype = DType::f32) {
  return run({kind, {typed(dtype, x), typed(dtype, y)}, {typed(dtype, x).type}});
}

void check_near(const List& found, const List& expected) {
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    CHECK(found[i] == doctest::Approx(expected[i]).epsilon(1e-14));
  }
}

TEST_CASE("functions of one float are those of the standard library") {
  const double x = 0.3;
  check_near(unary("abs", {-2, 2}), {2, 2});
  check_near(unary("negate", {-2, 2}), {2, -2});
  check_near(unary("exponential", {x}), {std::exp(x)});
  check_near(unary("exponential_minus_one", {x}), {std::expm1(x)});
  check_near(unary("log", {x}), {std::log(x)});
  check_near(unary("log_plus_one", {x}), {std::log1p(x)});
  check_near(unary("logistic", {0, 2}), {0.5, 1 / (1 + std::exp(-2.0))});
  check_near(unary("tanh", {x}), {std::tanh(x)});
  check_near(unary("sqrt", {9}), {3});
  check_near(unary("rsqrt", {4}), {0.5});
  check_near(unary("cbrt", {-27}), {-3});
  check_near(unary("cosine", {x}), {std::cos(x)});
  check_near(unary("sine", {x}), {std::sin(x)});
  check_near(unary("tan", {x}), {std::tan(x)});
  check_near(unary("erf", {x}), {std::erf(x)});
}

TEST_CASE("the functions of CHLO are those of the standard library") {
  const double x = 0.3;
  check_near(unary("sinh", {x}), {std::sinh(x)});
  check_near(unary("cosh", {x}), {std::cosh(x)});
  check_near(unary("asin", {x}), {std::asin(x)});
  check_near(unary("acos", {x}), {std::acos(x)});
  check_near(unary("atan", {x}), {std::atan(x)});
  check_near(unary("asinh", {x}), {std::asinh(x)});
  check_near(unary("acosh", {1.5}), {std::acosh(1.5)});
  check_near(unary("atanh", {x}), {std::atanh(x)});
  check_near(unary("erfc", {x}), {std::erfc(x)});
  check_near(unary("lgamma", {0.5, 5}), {std::log(std::sqrt(std::acos(-1.0))), std::log(24.0)});
}

TEST_CASE("the inverse error function undoes the error function") {
  for (const double x : {-3.5, -1.0, -0.2, 1e-8, 0.4, 2.0, 4.5}) {
    CAPTURE(x);
    const List back = unary("erf", unary("erf_inv", {std::erf(x)}));
    CHECK(back[0] == doctest::Approx(std::erf(x)).epsilon(1e-14));
  }
  CHECK(unary("erf_inv", {0.5})[0] == doctest::Approx(0.47693627620446987).epsilon(1e-14));
  CHECK(unary("erf_inv", {-1, 0, 1}) == List{-kInfinity, 0, kInfinity});
  CHECK(std::isnan(unary("erf_inv", {1.5})[0]));
}

TEST_CASE("the digamma function has its known values") {
  constexpr double kEuler = 0.57721566490153286;
  const double half = -kEuler - 2 * std::log(2.0);
  check_near(unary("digamma", {1, 2, 0.5, -0.5}), {-kEuler, 1 - kEuler, half, half + 2});
  check_near(unary("digamma", {100}), {4.6001618527380874});
  CHECK(std::isnan(unary("digamma", {-3})[0]));
}

TEST_CASE("signs and roundings") {
  CHECK(unary("sign", {-3, 0, 5}) == List{-1, 0, 1});
  CHECK(unary("floor", {-1.5, 1.5}) == List{-2, 1});
  CHECK(unary("ceil", {-1.5, 1.5}) == List{-1, 2});
  CHECK(unary("round_nearest_afz", {0.5, 1.5, 2.5, -2.5}) == List{1, 2, 3, -3});
  CHECK(unary("round_nearest_even", {0.5, 1.5, 2.5, -2.5}) == List{0, 2, 2, -2});
  CHECK(unary("is_finite", {1, kInfinity, std::nan("")}, DType::f32, DType::pred) == List{1, 0, 0});
}

TEST_CASE("operators on bits respect the width of the type") {
  CHECK(unary("not", {0, 1}, DType::pred, DType::pred) == List{1, 0});
  CHECK(unary("not", {0, 5}, DType::s8, DType::s8) == List{-1, -6});
  CHECK(unary("not", {0, 5}, DType::u8, DType::u8) == List{255, 250});
  CHECK(unary("popcnt", {-1, 7}, DType::s8, DType::s8) == List{8, 3});
  CHECK(unary("count_leading_zeros", {0, 1, -1}, DType::s16, DType::s16) == List{16, 15, 0});
  CHECK(unary("negate", {-128}, DType::s8, DType::s8) == List{-128});
}

TEST_CASE("conversions truncate to integers and test for nonzero to predicates") {
  CHECK(unary("convert", {1.9, -1.9}, DType::f32, DType::s32) == List{1, -1});
  CHECK(unary("convert", {0, 0.5}, DType::f32, DType::pred) == List{0, 1});
  CHECK(unary("convert", {300, -1}, DType::s32, DType::u8) == List{44, 255});
  CHECK(unary("convert", {1, 0}, DType::pred, DType::f32) == List{1, 0});
  CHECK(unary("convert", {1.0 / 3}, DType::f32, DType::bf16) == List{1.0 / 3});
  CHECK(unary("reduce_precision", {1.0 / 3}) == List{1.0 / 3});
}

TEST_CASE("bits are reinterpreted between floats and integers of one width") {
  CHECK(unary("bitcast_convert", {1}, DType::f32, DType::u32) == List{0x3f800000});
  CHECK(unary("bitcast_convert", {0x40490fdb}, DType::u32, DType::f32)[0] ==
        doctest::Approx(3.1415927));
  CHECK(unary("bitcast_convert", {1}, DType::bf16, DType::u16) == List{0x3f80});
  CHECK(unary("bitcast_convert", {0x3c00}, DType::u16, DType::f16) == List{1});
  CHECK(unary("bitcast_convert", {-1}, DType::s32, DType::u32) == List{4294967295});
}

TEST_CASE("a bitcast to another width is refused and the operator is named") {
  const Error error = run_error({"bitcast_convert", {f32({2}, {1, 2})}, {{DType::u8, {2, 4}}}});
  CHECK(error.code == ErrorCode::not_found);
  CHECK(error.message.find("operator 'op'") == 0);
}

TEST_CASE("an optimization barrier and a copy return what they get") {
  CHECK(unary("copy", {1, 2}) == List{1, 2});
  const auto results = run_all({"optimization_barrier",
                                {f32({1}, {3}), s32({2}, {4, 5})},
                                {{DType::f32, {1}}, {DType::s32, {2}}}});
  CHECK(results == std::vector<List>{{3}, {4, 5}});
}

TEST_CASE("arithmetic of two floats") {
  CHECK(binary("add", {1, 2}, {10, 20}) == List{11, 22});
  CHECK(binary("subtract", {1, 2}, {10, 20}) == List{-9, -18});
  CHECK(binary("multiply", {1, 2}, {10, 20}) == List{10, 40});
  CHECK(binary("divide", {1, 2}, {4, 8}) == List{0.25, 0.25});
  CHECK(binary("maximum", {1, 5}, {2, 3}) == List{2, 5});
  CHECK(binary("minimum", {1, 5}, {2, 3}) == List{1, 3});
  CHECK(binary("power", {2, 4}, {10, 0.5}) == List{1024, 2});
  CHECK(binary("remainder", {7, -7}, {3, 3}) == List{1, -1});
  check_near(binary("atan2", {1}, {-1}), {std::atan2(1, -1)});
  CHECK(std::isnan(binary("maximum", {std::nan("")}, {1})[0]));
  CHECK(std::isnan(binary("minimum", {1}, {std::nan("")})[0]));
}

TEST_CASE("arithmetic of integers wraps") {
  CHECK(binary("add", {127}, {1}, DType::s8) == List{-128});
  CHECK(binary("subtract", {0}, {1}, DType::u32) == List{4294967295});
  CHECK(binary("multiply", {4294967295}, {4294967295}, DType::u32) == List{1});
  CHECK(binary("divide", {-7, 7}, {2, -2}, DType::s32) == List{-3, -3});
  CHECK(binary("divide", {7}, {0}, DType::s32) == List{-1});
  CHECK(binary("remainder", {-7, 7}, {3, 0}, DType::s32) == List{-1, 7});
  CHECK(binary("power", {3, -2}, {4, 3}, DType::s32) == List{81, -8});
  CHECK(binary("maximum", {-1, 200}, {1, 3}, DType::s32) == List{1, 200});
  CHECK(binary("minimum", {200}, {3}, DType::u8) == List{3});
}

TEST_CASE("logic and shifts") {
  CHECK(binary("and", {1, 1, 0}, {1, 0, 0}, DType::pred) == List{1, 0, 0});
  CHECK(binary("or", {1, 1, 0}, {1, 0, 0}, DType::pred) == List{1, 1, 0});
  CHECK(binary("xor", {1, 1, 0}, {1, 0, 0}, DType::pred) == List{0, 1, 0});
  CHECK(binary("and", {12}, {10}, DType::s32) == List{8});
  CHECK(binary("shift_left", {1, 1}, {4, 32}, DType::u32) == List{16, 0});
  CHECK(binary("shift_right_logical", {-1, 8}, {28, 32}, DType::s32) == List{15, 0});
  CHECK(binary("shift_right_arithmetic", {-16, -1, 16}, {2, 40, 2}, DType::s32) == List{-4, -1, 4});
}

TEST_CASE("comparisons in all directions") {
  const auto compare = [](const std::string& direction) {
    return run({"compare",
                {f32({3}, {1, 2, 3}), f32({3}, {2, 2, 2})},
                {{DType::pred, {3}}},
                {{"comparison_direction", direction}}});
  };
  CHECK(compare("EQ") == List{0, 1, 0});
  CHECK(compare("NE") == List{1, 0, 1});
  CHECK(compare("LT") == List{1, 0, 0});
  CHECK(compare("LE") == List{1, 1, 0});
  CHECK(compare("GT") == List{0, 0, 1});
  CHECK(compare("GE") == List{0, 1, 1});
}

TEST_CASE("select and clamp take scalars for every element") {
  const TensorType type = {DType::f32, {3}};
  const Given x = f32({3}, {1, 2, 3});
  const Given y = f32({3}, {10, 20, 30});
  CHECK(run({"select", {typed(DType::pred, {1, 0, 1}), x, y}, {type}}) == List{1, 20, 3});
  CHECK(run({"select", {{{DType::pred, {}}, {0}}, x, y}, {type}}) == List{10, 20, 30});
  CHECK(run({"clamp", {f32({}, {1.5}), x, f32({}, {2.5})}, {type}}) == List{1.5, 2, 2.5});
  CHECK(run({"clamp", {f32({3}, {2, 0, 0}), x, f32({3}, {9, 9, 1})}, {type}}) == List{2, 2, 1});
}

TEST_CASE("a device computes its piece from equal pieces and from nothing else") {
  const Alone add = {
      "add", {f32({4}, {1, 2, 3, 4}), f32({4}, {10, 20, 30, 40})}, {{DType::f32, {4}}}};
  const internal::Box half = {{2, 4}};
  const auto piece = run_piece(add, {half, half}, half);
  REQUIRE(piece.ok());
  CHECK((*piece)[0].data == List{33, 44});
  const auto wrong = run_piece(add, {half, {{0, 4}}}, half);
  REQUIRE(!wrong.ok());
  CHECK(wrong.error().message.find("operator 'op': operand 1") == 0);
}

TEST_CASE("an unknown operator and complex numbers are refused by name") {
  CHECK(run_error({"fft", {f32({1}, {1})}, {{DType::f32, {1}}}}).code == ErrorCode::not_found);
  const Error complex = run_error({"negate", {typed(DType::c64, {1})}, {{DType::c64, {1}}}});
  CHECK(complex.message == "operator 'op': the interpreter has no complex numbers");
}

}  // namespace
}  // namespace autoshard::test
