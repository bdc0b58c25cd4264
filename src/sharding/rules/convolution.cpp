// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// A convolution is a contraction whose spatial dimensions slide over each other. Batch and output
// features are free, input features are summed over, and groups are a batch dimension that three
// dimensions hold as their major part.
#include <utility>

#include "graph/convolution_dims.hpp"
#include "graph/window.hpp"
#include "sharding/rules/families.hpp"
#include "sharding/rules/rule_builder.hpp"

namespace autoshard::internal {
namespace {

constexpr std::size_t kInput = 0;
constexpr std::size_t kKernel = 1;

void groups(RuleBuilder& rule, const ConvolutionDims& dims) {
  const std::int64_t grouped = dims.batch_groups > 1 ? dims.input.batch : dims.input.feature;
  rule.part(
      {in(kInput, grouped), in(kKernel, dims.kernel.output_feature), out(0, dims.output.feature)},
      dims.groups(), FactorKind::parallel);
}

void features(RuleBuilder& rule, const ConvolutionDims& dims) {
  const Dim batch = out(0, dims.output.batch);
  rule.part({in(kInput, dims.input.batch), batch}, rule.result().shape[batch.dim],
            FactorKind::parallel);
  const Dim made = out(0, dims.output.feature);
  rule.part({in(kKernel, dims.kernel.output_feature), made},
            rule.result().shape[made.dim] / dims.groups(), FactorKind::parallel);
  // The kernel's dimension first: it has the size of one group.
  rule.reduction({in(kKernel, dims.kernel.input_feature), in(kInput, dims.input.feature)},
                 ReductionKind::sum);
}

/// Other windows read rows that their neighbours read too, and stay whole.
void spatial(RuleBuilder& rule, const Operator& op, const ConvolutionDims& dims) {
  const auto window = read_window(op.attributes, kConvolutionWindow,
                                  sizes_of(rule.operand(kKernel).shape, dims.kernel.spatial),
                                  sizes_of(rule.operand(kInput).shape, dims.input.spatial));
  for (std::size_t i = 0; i < window.size(); ++i) {
    const Dim input = in(kInput, dims.input.spatial[i]);
    if (is_pointwise(window[i])) {
      rule.parallel({input, out(0, dims.output.spatial[i])});
    } else if (is_whole(window[i])) {
      rule.reduction({input, in(kKernel, dims.kernel.spatial[i])}, ReductionKind::sum);
    }
  }
}

}  // namespace

ShardingRule convolution_rule(const Graph& graph, const Operator& op) {
  RuleBuilder rule(graph, op);
  const ConvolutionDims dims = convolution_dims(op);
  groups(rule, dims);
  features(rule, dims);
  spatial(rule, op, dims);
  rule.linear({0});
  rule.linear({1});
  return std::move(rule).build();
}

}  // namespace autoshard::internal
