// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "autoshard/target.hpp"

#include "base/errors.hpp"

namespace autoshard {

Result<Target> find_target(std::string_view name) {
  if (name == "interpreter") return Target{};
  if (name == "xla") return Target{"xla", false, true, false, true, false};
  if (name == "dtensor") return Target{"dtensor", true, true, true, true, false};
  return internal::not_found("target '{}' is not known; known are interpreter, xla, dtensor", name);
}

}  // namespace autoshard
