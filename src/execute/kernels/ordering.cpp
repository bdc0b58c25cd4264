// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
// sort, top_k, argmax, argmin and cumulative. A device must hold every row of the dimension that
// they run along; lines along it are independent. NaN is larger than every number, all NaNs are
// equal, and so are both zeros.
#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "base/errors.hpp"
#include "base/try.hpp"
#include "execute/element.hpp"
#include "execute/kernels/families.hpp"

namespace autoshard::internal {
namespace {

bool less(double a, double b) { return std::isnan(b) ? !std::isnan(a) : a < b; }

/// The lines of a row-major buffer along one dimension: element i of line (outer, inner) is at
/// outer * length * inner_count + i * inner_count + inner.
struct Lines {
  std::int64_t outer = 1;
  std::int64_t length = 1;
  std::int64_t inner = 1;

  Lines(const std::vector<std::int64_t>& sizes, std::size_t dim) : length(sizes[dim]) {
    for (std::size_t d = 0; d < sizes.size(); ++d) {
      if (d != dim) (d < dim ? outer : inner) *= sizes[d];
    }
  }
  std::int64_t count() const { return outer * inner; }
  std::size_t at(std::int64_t line, std::int64_t i) const {
    return static_cast<std::size_t>((line / inner * length + i) * inner + line % inner);
  }
};

std::size_t dimension(const PieceCall& call) {
  return static_cast<std::size_t>(call.op().integer("dimension").value_or(0));
}

bool flag(const PieceCall& call, std::string_view attribute) {
  return call.op().integer(attribute).value_or(0) != 0;
}

/// Operand 0 is whole along `dim`.
Result<Lines> whole_lines(const PieceCall& call, std::size_t dim) {
  AUTOSHARD_CHECK_OK(require_rows(call, 0, dim, {0, call.operand_type(0).shape[dim]}));
  return Lines(extents(call.operand(0).box), dim);
}

/// Positions of a line's elements, in the order in which a stable sort leaves them.
template <class Before>
std::vector<std::int64_t> sorted_positions(std::int64_t length, Before before) {
  std::vector<std::int64_t> positions(static_cast<std::size_t>(length));
  std::iota(positions.begin(), positions.end(), 0);
  std::stable_sort(positions.begin(), positions.end(), before);
  return positions;
}

/// Whether the keys at buffer position `a` stand before those at `b`.
bool before_by_keys(const PieceCall& call, std::size_t keys, bool descending, std::size_t a,
                    std::size_t b) {
  for (std::size_t key = 0; key < keys; ++key) {
    double x = call.operand(key).data[a];
    double y = call.operand(key).data[b];
    if (descending) std::swap(x, y);
    if (less(x, y)) return true;
    if (less(y, x)) return false;
  }
  return false;
}

Result<Values> sort(const PieceCall& call) {
  if (call.op().text("comparator") != nullptr) {
    return not_found("the interpreter does not know the comparator");
  }
  AUTOSHARD_TRY(const Lines lines, whole_lines(call, dimension(call)));
  Values results;
  for (std::size_t i = 0; i < call.operands.size(); ++i) {
    AUTOSHARD_CHECK_OK(require_box(call, i, call.result_boxes[i]));
    AUTOSHARD_CHECK_OK(require_box(call, i, call.operand(0).box));
    results.push_back(call.operand(i));
  }
  const auto keys = static_cast<std::size_t>(call.op().integer("num_keys").value_or(1));
  const bool descending = flag(call, "descending");
  for (std::int64_t line = 0; line < lines.count(); ++line) {
    const auto order = sorted_positions(lines.length, [&](std::int64_t a, std::int64_t b) {
      return before_by_keys(call, keys, descending, lines.at(line, a), lines.at(line, b));
    });
    for (std::int64_t i = 0; i < lines.length; ++i) {
      const std::size_t from = lines.at(line, order[static_cast<std::size_t>(i)]);
      for (std::size_t r = 0; r < results.size(); ++r) {
        results[r].data[lines.at(line, i)] = call.operand(r).data[from];
      }
    }
  }
  return results;
}

Result<Values> top_k(const PieceCall& call) {
  const std::size_t dim = call.operand_type(0).shape.size() - 1;
  AUTOSHARD_TRY(const Lines lines, whole_lines(call, dim));
  Box box = call.operand(0).box;
  box[dim] = {0, call.result_type().shape[dim]};
  for (const Box& wanted : call.result_boxes) {
    if (!same(wanted, box))
      return invalid("its piece is {}, not {}", to_string(box), to_string(wanted));
  }
  const std::vector<double>& data = call.operand(0).data;
  Value values = filled(box, 0.0);
  Value indices = filled(box, 0.0);
  std::size_t write = 0;
  for (std::int64_t line = 0; line < lines.count(); ++line) {
    const auto order = sorted_positions(lines.length, [&](std::int64_t a, std::int64_t b) {
      return less(data[lines.at(line, b)], data[lines.at(line, a)]);
    });
    for (std::int64_t i = 0; i < box[dim].end; ++i, ++write) {
      const std::int64_t position = order[static_cast<std::size_t>(i)];
      values.data[write] = data[lines.at(line, position)];
      indices.data[write] = static_cast<double>(position);
    }
  }
  return Values{std::move(values), std::move(indices)};
}

/// The position of the first element that no other beats; the first NaN, if there is one.
template <class Beats>
std::int64_t extreme_position(const std::vector<double>& data, const Lines& lines,
                              std::int64_t line, Beats beats) {
  std::int64_t best = 0;
  for (std::int64_t i = 0; i < lines.length; ++i) {
    const double candidate = data[lines.at(line, i)];
    if (std::isnan(candidate)) return i;
    if (beats(candidate, data[lines.at(line, best)])) best = i;
  }
  return best;
}

template <auto Beats>
Result<Values> position_of(const PieceCall& call) {
  const std::size_t dim = dimension(call);
  AUTOSHARD_TRY(const Lines lines, whole_lines(call, dim));
  for (std::size_t d = 0, kept = 0; d < call.operand(0).box.size(); ++d) {
    if (d != dim) AUTOSHARD_CHECK_OK(require_rows(call, 0, d, call.result_box()[kept++]));
  }
  Value result = filled(call.result_box(), 0.0);
  const DType dtype = call.result_type().dtype;
  for (std::int64_t line = 0; line < lines.count(); ++line) {
    const std::int64_t best = extreme_position(call.operand(0).data, lines, line, Beats);
    result.data[static_cast<std::size_t>(line)] =
        from_bits(dtype, static_cast<std::uint64_t>(best));
  }
  return Values{std::move(result)};
}

double log_sum_exp(double a, double b) {
  const double high = maximum(a, b);
  return std::isinf(high) || std::isnan(high) ? high
                                              : high + std::log1p(std::exp(minimum(a, b) - high));
}

Result<Values> cumulative(const PieceCall& call) {
  AUTOSHARD_TRY(const Lines lines, whole_lines(call, dimension(call)));
  AUTOSHARD_CHECK_OK(require_box(call, 0, call.result_box()));
  const std::string* text = call.op().text("reducer");
  const bool in_logarithms = text != nullptr && *text == "logsumexp";
  ReductionKind kind = ReductionKind::sum;
  if (!in_logarithms) {
    AUTOSHARD_TRY(kind, reducer(call));
  }
  const DType dtype = call.result_type().dtype;
  const bool reverse = flag(call, "reverse");
  Value result = call.operand(0);
  for (std::int64_t line = 0; line < lines.count(); ++line) {
    const auto place = [&](std::int64_t i) {
      return lines.at(line, reverse ? lines.length - 1 - i : i);
    };
    for (std::int64_t i = 1; i < lines.length; ++i) {
      const double so_far = result.data[place(i - 1)];
      double& element = result.data[place(i)];
      element =
          in_logarithms ? log_sum_exp(so_far, element) : combine(kind, dtype, so_far, element);
    }
  }
  return Values{std::move(result)};
}

constexpr NamedKernel kKernels[] = {
    {"sort", sort},
    {"top_k", top_k},
    {"argmax", position_of<std::greater<double>{}>},
    {"argmin", position_of<std::less<double>{}>},
    {"cumulative", cumulative},
};

}  // namespace

std::span<const NamedKernel> ordering_kernels() { return kKernels; }

}  // namespace autoshard::internal
