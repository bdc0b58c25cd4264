// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "autoshard/plan.hpp"
#include "base/text_table.hpp"
#include "intra/argument_groups.hpp"

namespace autoshard {
namespace {

using internal::ArgumentGroup;
using internal::bytes_text;
using internal::seconds_text;
using internal::TextTable;

std::string axes_text(const std::vector<AxisRef>& axes, const DeviceMesh& mesh) {
  std::string text;
  for (const AxisRef& part : axes) {
    const MeshAxis& axis = mesh.axes()[static_cast<std::size_t>(part.axis)];
    text += (text.empty() ? "" : ",") + axis.name;
    if (part.size != axis.size) text += fmt::format(":({}){}", part.pre_size, part.size);
  }
  return text;
}

std::string gap_text(const IntraOpPlan& plan) {
  return plan.solver_gap ? fmt::format("gap {:.2f} %", 100 * *plan.solver_gap) : "no bound";
}

std::string arguments_section(const IntraOpPlan& plan, const Graph& graph) {
  TextTable table({"argument", ">x", "role", "type", "sharding", ">per device"});
  for (const ArgumentGroup& group : internal::group_arguments(graph)) {
    table.add_row({group.name, std::to_string(group.members.size()), std::string(name(group.role)),
                   to_string(group.type), internal::specs_text(group, plan),
                   bytes_text(internal::local_bytes(group, plan))});
  }
  return "Arguments\n" + table.text();
}

std::string collectives_section(const IntraOpPlan& plan) {
  if (plan.collectives.empty()) return "Collectives: none\n";
  TextTable table({"collective", "axes", ">times", ">buffers", ">sent per device", ">seconds"});
  for (const CollectiveTotal& total : plan.collectives) {
    table.add_row({std::string(name(total.kind)), axes_text(total.axes, plan.mesh),
                   std::to_string(total.count), bytes_text(total.buffer_bytes),
                   bytes_text(total.sent_bytes_per_device), seconds_text(total.seconds)});
  }
  return "Collectives of one step\n" + table.text();
}

std::string memory_line(const IntraOpPlan& plan) {
  const std::string limit = plan.memory_limit_bytes
                                ? fmt::format(", limit {}", bytes_text(*plan.memory_limit_bytes))
                                : std::string();
  return fmt::format("Memory of one device: peak {} at '{}'{}; arguments {}\n",
                     bytes_text(plan.peak_bytes), plan.peak_at, limit,
                     bytes_text(plan.argument_bytes));
}

std::string planning_line(const IntraOpPlan& plan) {
  std::string text = fmt::format("Planned in {}:", seconds_text(plan.planning_seconds));
  for (const PhaseTime& phase : plan.phases) {
    text += fmt::format("{} {} {}", &phase == &plan.phases.front() ? "" : ",", phase.name,
                        seconds_text(phase.seconds));
  }
  return text + "\n";
}

/// Many operators of one kind make one line each; a reader needs the first few.
std::string warnings_section(const IntraOpPlan& plan) {
  constexpr std::size_t kShown = 12;
  std::string text;
  for (std::size_t i = 0; i < plan.warnings.size() && i < kShown; ++i) {
    text += fmt::format("Warning: {}\n", plan.warnings[i]);
  }
  if (plan.warnings.size() > kShown) {
    text += fmt::format("... and {} more warnings, all in the JSON plan\n",
                        plan.warnings.size() - kShown);
  }
  return text;
}

}  // namespace

std::string IntraOpPlan::brief_report() const {
  const std::string where = fmt::format("{} on {} ({} x {})", graph_name, mesh.to_string(),
                                        mesh.device_count(), mesh.device().name);
  if (!has_answer()) return fmt::format("{}: {}: {}", where, name(status), reason);
  return fmt::format("{}: {} a step, {} of memory, {}, {}", where, seconds_text(step_seconds),
                     bytes_text(peak_bytes), name(status), gap_text(*this));
}

std::string IntraOpPlan::full_report(const Graph& graph) const {
  std::string text = brief_report() + "\n";
  if (has_answer()) {
    text += fmt::format("Step: {} = compute {} + collectives {} (one after another)\n\n",
                        seconds_text(step_seconds), seconds_text(compute_seconds),
                        seconds_text(collective_seconds));
    text += arguments_section(*this, graph) + "\n" + collectives_section(*this) + "\n";
    text += memory_line(*this);
    text += fmt::format("Answer: {} ({}), {}\n", name(status), reason, gap_text(*this));
  }
  return text + planning_line(*this) + warnings_section(*this);
}

}  // namespace autoshard
