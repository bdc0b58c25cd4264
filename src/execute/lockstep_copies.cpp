// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
// The part of the lockstep run that converts copies and keeps the books of bytes.
#include "base/errors.hpp"
#include "execute/collective_step.hpp"
#include "execute/lockstep.hpp"

namespace autoshard::internal {

void Lockstep::materialise(CopyId id) {
  if (pieces_[id.index()]) return;
  materialise(*plan_[id].source);
  ++runs_[id.index()];
  store(id, run_steps(id));
}

std::optional<Values> Lockstep::run_steps(CopyId id) {
  const TensorCopy& copy = plan_[id];
  Values pieces = *pieces_[copy.source->index()];
  const ShardingSpec* from = &spec(*copy.source);
  for (std::size_t i = 0; i < copy.steps.size(); ++i) {
    const CollectiveStep step{copy.steps[i], *from, copy.step_specs[i], graph_[copy.tensor].type,
                              plan_.mesh};
    const std::string place =
        fmt::format("{}, step {} ({})", describe(id), i + 1, name(step.collective.kind));
    Result<StepOutcome> outcome = run_step(step, pieces);
    if (!outcome.ok()) {
      findings_.wrong_value(place, outcome.error().message);
      return std::nullopt;
    }
    if (step.collective.kind != CollectiveKind::slice) {
      findings_.ran_collective(bytes_of(step.type, outcome->moved_elements));
    }
    if (const auto complaint = traffic_complaint(step, *outcome)) {
      findings_.wrong_bytes(place, *complaint);
    }
    pieces = std::move(outcome->pieces);
    from = &copy.step_specs[i];
  }
  return pieces;
}

void Lockstep::check_runs() {
  for (std::size_t i = 0; i < plan_.copies.size(); ++i) {
    const TensorCopy& copy = plan_.copies[i];
    for (const Collective& step : copy.steps) {
      // A damaged plan may ask for any number of runs; the sum must not overflow.
      const Int128 bytes =
          Int128{sent_bytes_per_device(step)} * copy.count * plan_.mesh.device_count();
      findings_.predicted(static_cast<std::int64_t>(std::min<Int128>(bytes, Int128{1} << 48)));
    }
    if (!copy.steps.empty() && runs_[i] != copy.count) {
      findings_.wrong_bytes(describe(CopyId{i}),
                            fmt::format("converted {} times, planned {}", runs_[i], copy.count));
    }
  }
}

void Lockstep::check_totals() {
  std::int64_t listed = 0;
  for (const CollectiveTotal& total : plan_.collectives) listed += total.sent_bytes_per_device;
  std::int64_t planned = 0;
  for (const TensorCopy& copy : plan_.copies) {
    for (const Collective& step : copy.steps) planned += sent_bytes_per_device(step) * copy.count;
  }
  if (listed != planned) {
    findings_.wrong_bytes(
        "totals of the plan",
        fmt::format("{} bytes sent per device, its steps send {}", listed, planned));
  }
}

}  // namespace autoshard::internal
