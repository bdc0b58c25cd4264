// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "autoshard/graph_io.hpp"
#include "base/errors.hpp"
#include "base/try.hpp"
#include "io/hlo_lowering.hpp"
#include "io/hlo_parser.hpp"

namespace autoshard {

Result<Graph> parse_hlo(std::string_view text) {
  return internal::guarded([&]() -> Result<Graph> {
    AUTOSHARD_TRY(const internal::HloModule module, internal::parse_hlo_module(text));
    return internal::lower_hlo(module);
  });
}

}  // namespace autoshard
