// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "autoshard/problem_io.hpp"

#include "base/errors.hpp"
#include "io/iopddl.hpp"

namespace autoshard {

Result<CostGraph> parse_problem(std::string_view text) { return internal::parse_iopddl(text); }

Result<CostGraph> load_problem(const std::string& path) {
  return internal::guarded([&] { return internal::load_iopddl(path); });
}

}  // namespace autoshard
