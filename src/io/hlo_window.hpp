// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// HLO's `window={size=3x3 stride=2x2 pad=1_1x1_1 lhs_dilate=1x1 rhs_dilate=1x1 rhs_reversal=0x0}`
// as lists. The operators call the parts by names of their own.
#pragma once

#include <vector>

#include "io/hlo_attributes.hpp"

namespace autoshard::internal {

/// One entry per dimension, two for padding: low, high.
struct HloWindow {
  std::vector<std::int64_t> sizes, strides, padding, lhs_dilation, rhs_dilation, reversal;
};

/// Parts that HLO leaves out are 1, or 0 for padding and reversal. No window at all has no
/// dimensions.
HloWindow read_hlo_window(HloAttributeReader& reader);

/// reduce-window and select-and-scatter; what the computations do is for the lowering to recognise.
void translate_hlo_reduce_window(HloAttributeReader& reader, Attributes& attributes);
void translate_hlo_select_and_scatter(HloAttributeReader& reader, Attributes& attributes);

}  // namespace autoshard::internal
