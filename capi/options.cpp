// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "autoshard/options.hpp"

#include "guard.hpp"
#include "handles.hpp"

using namespace autoshard;

namespace {

bool keep_going(const SolveProgress& progress, autoshard_progress_callback callback,
                void* user_data) {
  const std::string phase(progress.phase);
  const std::string cost = progress.cost ? to_string(*progress.cost) : "";
  const std::string bound = progress.lower_bound ? to_string(*progress.lower_bound) : "";
  const autoshard_progress state = {sizeof(autoshard_progress), phase.c_str(), progress.seconds,
                                    progress.cost ? cost.c_str() : nullptr,
                                    progress.lower_bound ? bound.c_str() : nullptr};
  return callback(&state, user_data) == 0;
}

}  // namespace

int32_t autoshard_options_create(autoshard_options** out) {
  return internal::create(out, {}, [] { return Result<IntraOpOptions>(IntraOpOptions{}); });
}

int32_t autoshard_options_set(autoshard_options* options, const char* name, const char* value) {
  return internal::run({{"options", options}, {"name", name}, {"value", value}},
                       [&] { return set_option(options->options, name, value); });
}

int32_t autoshard_options_set_progress(autoshard_options* options,
                                       autoshard_progress_callback callback, void* user_data) {
  return internal::run({{"options", options}}, [&]() -> Result<void> {
    options->options.solve.progress = nullptr;
    if (!callback) return {};
    options->options.solve.progress = [=](const SolveProgress& progress) {
      return keep_going(progress, callback, user_data);
    };
    return {};
  });
}

void autoshard_options_destroy(autoshard_options** options) { internal::destroy(options); }
