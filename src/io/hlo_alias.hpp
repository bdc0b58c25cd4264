// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// `input_output_alias={ {0}: (2, {}, may-alias), ... }` of a module: which result takes the place
// of which parameter. Whole arrays only; an alias of a tuple as a whole says nothing we need.
#pragma once

#include <cstdint>
#include <vector>

#include "autoshard/error.hpp"
#include "io/hlo_module.hpp"

namespace autoshard::internal {

struct HloAlias {
  std::int32_t parameter = 0;
  std::int32_t parameter_leaf = 0;
  std::int32_t result_leaf = 0;
};

Result<std::vector<HloAlias>> hlo_aliases(const HloModule& module, const HloComputation& entry);

}  // namespace autoshard::internal
