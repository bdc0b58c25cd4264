// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// Reads a shape, `f32[8,1024]{1,0:T(8,128)}` or a tuple of shapes. Of a layout only the order of
// the dimensions is kept. A dimension with a bound, `<=8`, is taken at its bound.
#pragma once

#include "io/hlo_cursor.hpp"
#include "io/hlo_module.hpp"

namespace autoshard::internal {

/// On a failure, which is the cursor's, the shape is meaningless.
HloShape parse_hlo_shape(HloCursor& cursor);

}  // namespace autoshard::internal
