// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// HloModule to Graph. Tuples disappear, calls and fusions are inlined, loops keep their body and
// capture what it only hands on, input-output aliases become state pairs. Operators themselves are
// checked by GraphBuilder; here only what must hold to get there.
#pragma once

#include "autoshard/error.hpp"
#include "autoshard/graph.hpp"
#include "io/hlo_module.hpp"

namespace autoshard::internal {

Result<Graph> lower_hlo(const HloModule& module);

}  // namespace autoshard::internal
