// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
// convolution, from its definition. A device sums over the input features and the kernel rows that
// its piece of the kernel has, so a split of those leaves a partial sum.
#include "base/errors.hpp"
#include "base/try.hpp"
#include "execute/element.hpp"
#include "execute/kernels/families.hpp"
#include "execute/kernels/sliding.hpp"
#include "graph/convolution_dims.hpp"

namespace autoshard::internal {
namespace {

using Index = std::vector<std::int64_t>;

constexpr std::size_t kInput = 0;
constexpr std::size_t kKernel = 1;

/// One dimension of a piece: its rows, and how far they lie from each other.
struct Rows {
  std::size_t dim = 0;
  Range range;
  std::int64_t stride = 0;
};

/// A piece by the meaning of its dimensions: batch and feature, or input and output feature.
struct Piece {
  Rows first;
  Rows second;
  Box spatial;
  Index spatial_strides;
};

Piece piece_of(const Box& box, std::int64_t first, std::int64_t second, const Index& spatial) {
  const Index strides = row_major_strides(extents(box));
  const auto rows = [&](std::int64_t dim) {
    const auto at = static_cast<std::size_t>(dim);
    return Rows{at, box[at], strides[at]};
  };
  Piece piece{rows(first), rows(second), {}, {}};
  for (const std::int64_t dim : spatial) {
    piece.spatial.push_back(rows(dim).range);
    piece.spatial_strides.push_back(rows(dim).stride);
  }
  return piece;
}

class Convolution {
 public:
  explicit Convolution(const PieceCall& call)
      : call_(call),
        dims_(convolution_dims(call.op())),
        input_(piece_of(call.operand(kInput).box, dims_.input.batch, dims_.input.feature,
                        dims_.input.spatial)),
        kernel_(piece_of(call.operand(kKernel).box, dims_.kernel.input_feature,
                         dims_.kernel.output_feature, dims_.kernel.spatial)),
        output_(piece_of(call.result_box(), dims_.output.batch, dims_.output.feature,
                         dims_.output.spatial)),
        sliding_{read_window(call.op().attributes, kConvolutionWindow,
                             sizes_of(call.operand_type(kKernel).shape, dims_.kernel.spatial),
                             sizes_of(call.operand_type(kInput).shape, dims_.input.spatial)),
                 input_.spatial, input_.spatial_strides} {
    const std::size_t made = output_.second.dim;
    features_per_group_ = call.result_type().shape[made] / dims_.groups();
    if (dims_.feature_groups > 1)
      feature_step_ = call.operand_type(kKernel).shape[kernel_.first.dim];
    if (dims_.batch_groups > 1) batch_step_ = call.result_type().shape[output_.first.dim];
  }

  Result<void> check_pieces() const {
    AUTOSHARD_CHECK_OK(require_held(call_, kKernel, kernel_.second.dim, output_.second.range));
    AUTOSHARD_CHECK_OK(require_held(call_, kInput, input_.first.dim,
                                    over_groups(output_.first.range, batch_step_)));
    AUTOSHARD_CHECK_OK(require_held(call_, kInput, input_.second.dim,
                                    over_groups(kernel_.first.range, feature_step_)));
    for (std::size_t i = 0; i < sliding_.window.size(); ++i) {
      const Range met = met_rows(sliding_.window[i], output_.spatial[i], kernel_.spatial[i]);
      AUTOSHARD_CHECK_OK(
          require_held(call_, kInput, static_cast<std::size_t>(dims_.input.spatial[i]), met));
    }
    return {};
  }

  void add_to(Value& result) const {
    for (IndexWalk place(extents(output_.spatial)); !place.done(); place.next()) {
      const Index at = global_index(output_.spatial, place.index());
      double* target = result.data.data() + linear_index(place.index(), output_.spatial_strides);
      for (IndexWalk row(extents(kernel_.spatial)); !row.done(); row.next()) {
        const auto met = sliding_.position(at, global_index(kernel_.spatial, row.index()));
        if (met) add_row(*met, linear_index(row.index(), kernel_.spatial_strides), target);
      }
    }
  }

 private:
  std::int64_t group_of(std::int64_t feature) const { return feature / features_per_group_; }

  /// From the rows of the first group that the result has to those of the last.
  Range over_groups(const Range& rows, std::int64_t step) const {
    const Range& made = output_.second.range;
    return {rows.begin + group_of(made.begin) * step, rows.end + group_of(made.end - 1) * step};
  }

  /// What the elements at one spatial position of input and kernel add to every batch and feature.
  void add_row(std::int64_t input_at, std::int64_t kernel_at, double* target) const {
    for (std::int64_t f = output_.second.range.begin; f < output_.second.range.end; ++f) {
      const std::int64_t group = group_of(f);
      const std::int64_t kernel_row =
          kernel_at + (f - kernel_.second.range.begin) * kernel_.second.stride;
      double* made = target + (f - output_.second.range.begin) * output_.second.stride;
      for (std::int64_t b = output_.first.range.begin; b < output_.first.range.end; ++b) {
        const std::int64_t image = b + group * batch_step_ - input_.first.range.begin;
        *made += product(input_at + image * input_.first.stride, group, kernel_row);
        made += output_.first.stride;
      }
    }
  }

  /// Over the input features that the kernel has.
  double product(std::int64_t input_at, std::int64_t group, std::int64_t kernel_at) const {
    const Range& features = kernel_.first.range;
    const std::int64_t first = features.begin + group * feature_step_ - input_.second.range.begin;
    const double* left =
        call_.operand(kInput).data.data() + input_at + first * input_.second.stride;
    const double* right = call_.operand(kKernel).data.data() + kernel_at;
    double sum = 0;
    for (std::int64_t i = 0; i < features.size(); ++i) {
      sum += left[i * input_.second.stride] * right[i * kernel_.first.stride];
    }
    return sum;
  }

  const PieceCall& call_;
  ConvolutionDims dims_;
  Piece input_;
  Piece kernel_;
  Piece output_;
  SlidingInput sliding_;
  std::int64_t features_per_group_ = 1;  ///< of the result
  std::int64_t feature_step_ = 0;        ///< input features from one group to the next, if grouped
  std::int64_t batch_step_ = 0;          ///< images from one group to the next, if grouped
};

Result<Values> convolution(const PieceCall& call) {
  Value result = filled(call.result_box(), 0.0);
  // An empty piece of the kernel adds nothing.
  if (result.data.empty() || call.operand(kKernel).data.empty()) return Values{std::move(result)};
  const Convolution definition(call);
  AUTOSHARD_CHECK_OK(definition.check_pieces());
  definition.add_to(result);
  const DType dtype = call.result_type().dtype;
  if (is_bits(dtype)) {
    for (double& element : result.data) element = converted(element, dtype);
  }
  return Values{std::move(result)};
}

constexpr NamedKernel kKernels[] = {{"convolution", convolution}};

}  // namespace

std::span<const NamedKernel> convolution_kernels() { return kKernels; }

}  // namespace autoshard::internal
