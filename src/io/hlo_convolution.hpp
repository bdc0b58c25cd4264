// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// The attributes of a convolution, which HLO packs into `window={size=3x3 pad=1_1x1_1}` and
// `dim_labels=b01f_01io->b01f`, under StableHLO's names.
#pragma once

#include "io/hlo_attributes.hpp"

namespace autoshard::internal {

void translate_hlo_convolution(HloAttributeReader& reader, Attributes& attributes);

}  // namespace autoshard::internal
