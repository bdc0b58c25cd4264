// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
// compare, select and clamp.
#include <algorithm>

#include "base/errors.hpp"
#include "base/try.hpp"
#include "execute/element.hpp"
#include "execute/kernels/families.hpp"

namespace autoshard::internal {
namespace {

using Test = bool (*)(double, double);

Test find_test(std::string_view direction) {
  struct Entry {
    std::string_view name;
    Test test;
  };
  static constexpr Entry kTests[] = {
      {"EQ", [](double x, double y) { return x == y; }},
      {"NE", [](double x, double y) { return x != y; }},
      {"LT", [](double x, double y) { return x < y; }},
      {"LE", [](double x, double y) { return x <= y; }},
      {"GT", [](double x, double y) { return x > y; }},
      {"GE", [](double x, double y) { return x >= y; }},
  };
  for (const Entry& entry : kTests) {
    if (entry.name == direction) return entry.test;
  }
  return nullptr;
}

Result<Values> compare(const PieceCall& call) {
  const std::string* direction = call.op().text("comparison_direction");
  const Test test = direction ? find_test(*direction) : nullptr;
  if (!test) return not_found("no known comparison_direction");
  AUTOSHARD_CHECK_OK(require_box(call, 0, call.result_box()));
  AUTOSHARD_CHECK_OK(require_box(call, 1, call.result_box()));
  Value result = filled(call.result_box(), 0.0);
  std::transform(call.operand(0).data.begin(), call.operand(0).data.end(),
                 call.operand(1).data.begin(), result.data.begin(),
                 [test](double x, double y) { return test(x, y) ? 1.0 : 0.0; });
  return Values{std::move(result)};
}

/// An operand that has the result's piece, or is a scalar that stands for every element.
class Spread {
 public:
  static Result<Spread> of(const PieceCall& call, std::size_t i) {
    const bool scalar = call.operand_type(i).rank() == 0;
    if (!scalar) AUTOSHARD_CHECK_OK(require_box(call, i, call.result_box()));
    return Spread(call.operand(i).data.data(), scalar ? 0 : 1);
  }
  double operator[](std::size_t n) const { return data_[n * step_]; }

 private:
  Spread(const double* data, std::size_t step) : data_(data), step_(step) {}
  const double* data_;
  std::size_t step_;
};

template <auto Choose>
Result<Values> choose(const PieceCall& call) {
  AUTOSHARD_TRY(const Spread a, Spread::of(call, 0));
  AUTOSHARD_TRY(const Spread b, Spread::of(call, 1));
  AUTOSHARD_TRY(const Spread c, Spread::of(call, 2));
  Value result = filled(call.result_box(), 0.0);
  for (std::size_t n = 0; n < result.data.size(); ++n) result.data[n] = Choose(a[n], b[n], c[n]);
  return Values{std::move(result)};
}

constexpr NamedKernel kKernels[] = {
    {"compare", compare},
    {"select", choose<[](double test, double yes, double no) { return test != 0 ? yes : no; }>},
    {"clamp",
     choose<[](double low, double x, double high) { return minimum(maximum(x, low), high); }>},
};

}  // namespace

std::span<const NamedKernel> choice_kernels() { return kKernels; }

}  // namespace autoshard::internal
