// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
// dot_general: both operands are brought to [batch, rows, columns] and multiplied by Eigen. When
// the contracted dimension is split, the product of the pieces is a partial sum.
#include <Eigen/Core>
#include <algorithm>

#include "base/errors.hpp"
#include "base/try.hpp"
#include "execute/element.hpp"
#include "execute/kernels/families.hpp"

namespace autoshard::internal {
namespace {

using Dims = std::vector<std::int64_t>;
using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

struct Side {
  Dims batch;
  Dims contracted;
  Dims free;
};

Side side_of(const PieceCall& call, std::size_t i) {
  Side side{call.ints(i == 0 ? "lhs_batching_dimensions" : "rhs_batching_dimensions"),
            call.ints(i == 0 ? "lhs_contracting_dimensions" : "rhs_contracting_dimensions"),
            {}};
  const auto in = [](const Dims& dims, std::int64_t d) {
    return std::find(dims.begin(), dims.end(), d) != dims.end();
  };
  for (std::int64_t d = 0; d < call.operand_type(i).rank(); ++d) {
    if (!in(side.batch, d) && !in(side.contracted, d)) side.free.push_back(d);
  }
  return side;
}

/// Dimensions of operand i are those of the result from `first` on.
Result<void> require_as_result(const PieceCall& call, std::size_t i, const Dims& dims,
                               std::size_t first) {
  for (std::size_t n = 0; n < dims.size(); ++n) {
    AUTOSHARD_CHECK_OK(
        require_rows(call, i, static_cast<std::size_t>(dims[n]), call.result_box()[first + n]));
  }
  return {};
}

Result<void> check_pieces(const PieceCall& call, const Side& lhs, const Side& rhs) {
  const std::size_t batch = lhs.batch.size();
  AUTOSHARD_CHECK_OK(require_as_result(call, 0, lhs.batch, 0));
  AUTOSHARD_CHECK_OK(require_as_result(call, 1, rhs.batch, 0));
  AUTOSHARD_CHECK_OK(require_as_result(call, 0, lhs.free, batch));
  AUTOSHARD_CHECK_OK(require_as_result(call, 1, rhs.free, batch + lhs.free.size()));
  for (std::size_t n = 0; n < lhs.contracted.size(); ++n) {
    const Range& rows = call.operand(0).box[static_cast<std::size_t>(lhs.contracted[n])];
    AUTOSHARD_CHECK_OK(require_rows(call, 1, static_cast<std::size_t>(rhs.contracted[n]), rows));
  }
  return {};
}

std::int64_t elements(const Value& value, const Dims& dims) {
  std::int64_t product = 1;
  for (const std::int64_t d : dims) product *= value.box[static_cast<std::size_t>(d)].size();
  return product;
}

/// The elements of `value` with the dimensions of the three lists in that order.
std::vector<double> arranged(const Value& value, const Dims& a, const Dims& b, const Dims& c) {
  Dims order = a;
  order.insert(order.end(), b.begin(), b.end());
  order.insert(order.end(), c.begin(), c.end());
  const Dims sizes = extents(value.box);
  const Dims strides = row_major_strides(sizes);
  Dims new_sizes;
  Strided from;
  for (const std::int64_t d : order) {
    new_sizes.push_back(sizes[static_cast<std::size_t>(d)]);
    from.strides.push_back(strides[static_cast<std::size_t>(d)]);
  }
  std::vector<double> result(value.data.size());
  if (result.empty()) return result;
  copy_strided(new_sizes, value.data.data(), from, result.data(),
               {0, row_major_strides(new_sizes)});
  return result;
}

void multiply(const PieceCall& call, const Side& lhs, const Side& rhs, Value& result) {
  const std::int64_t batch = elements(call.operand(0), lhs.batch);
  const std::int64_t rows = elements(call.operand(0), lhs.free);
  const std::int64_t inner = elements(call.operand(0), lhs.contracted);
  const std::int64_t columns = elements(call.operand(1), rhs.free);
  const std::vector<double> a = arranged(call.operand(0), lhs.batch, lhs.free, lhs.contracted);
  const std::vector<double> b = arranged(call.operand(1), rhs.batch, rhs.contracted, rhs.free);
  for (std::int64_t n = 0; n < batch; ++n) {
    const Eigen::Map<const Matrix> left(a.data() + n * rows * inner, rows, inner);
    const Eigen::Map<const Matrix> right(b.data() + n * inner * columns, inner, columns);
    Eigen::Map<Matrix>(result.data.data() + n * rows * columns, rows, columns) = left * right;
  }
}

Result<Values> dot_general(const PieceCall& call) {
  const Side lhs = side_of(call, 0);
  const Side rhs = side_of(call, 1);
  AUTOSHARD_CHECK_OK(check_pieces(call, lhs, rhs));
  Value result = filled(call.result_box(), 0.0);
  // An empty contraction adds up nothing.
  if (!result.data.empty() && elements(call.operand(0), lhs.contracted) > 0) {
    multiply(call, lhs, rhs, result);
  }
  const DType dtype = call.result_type().dtype;
  if (is_bits(dtype)) {
    for (double& element : result.data) element = converted(element, dtype);
  }
  return Values{std::move(result)};
}

constexpr NamedKernel kKernels[] = {{"dot_general", dot_general}};

}  // namespace

std::span<const NamedKernel> dot_kernels() { return kKernels; }

}  // namespace autoshard::internal
