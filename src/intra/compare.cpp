// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstdlib>
#include <map>

#include "autoshard/intra_op.hpp"
#include "autoshard/plan.hpp"
#include "base/text_table.hpp"
#include "intra/argument_groups.hpp"

namespace autoshard {
namespace {

using internal::ArgumentGroup;
using internal::bytes_text;
using internal::seconds_text;
using internal::TextTable;

std::string signed_bytes(std::int64_t bytes) {
  return bytes < 0 ? "-" + bytes_text(-bytes) : "+" + bytes_text(bytes);
}

std::string totals_section(const IntraOpPlan& before, const IntraOpPlan& after) {
  TextTable table({"", ">without the limit", ">with it"});
  const auto row = [&](const char* name, const std::string& a, const std::string& b) {
    table.add_row({name, a, b});
  };
  row("step", seconds_text(before.step_seconds), seconds_text(after.step_seconds));
  row("  compute", seconds_text(before.compute_seconds), seconds_text(after.compute_seconds));
  row("  collectives", seconds_text(before.collective_seconds),
      seconds_text(after.collective_seconds));
  row("memory peak", bytes_text(before.peak_bytes), bytes_text(after.peak_bytes));
  row("  of it arguments", bytes_text(before.argument_bytes), bytes_text(after.argument_bytes));
  return table.text();
}

std::string reason_section(const IntraOpPlan& before, const IntraOpPlan& after) {
  const std::int64_t limit = after.memory_limit_bytes.value_or(after.peak_bytes);
  const std::int64_t over = before.peak_bytes - limit;
  if (over <= 0) return "Why: the plan without the limit already fits; nothing had to change.\n";
  const std::int64_t arguments = before.argument_bytes - after.argument_bytes;
  const std::int64_t rest = before.peak_bytes - after.peak_bytes - arguments;
  const double price = 100 * (after.step_seconds / before.step_seconds - 1);
  return fmt::format(
      "Why: without the limit the peak, at '{}', is {} over it. The plan with the limit keeps {}\n"
      "of parameters, state and inputs on each device instead of {}, and at its peak {} of the "
      "rest\n"
      "{}; that costs {} a step ({:+.1f} %).\n",
      before.peak_at, bytes_text(over), bytes_text(after.argument_bytes),
      bytes_text(before.argument_bytes), bytes_text(rest < 0 ? -rest : rest),
      rest < 0 ? "more" : "less", seconds_text(after.step_seconds - before.step_seconds), price);
}

/// Changes below this share of the peak are counted, not listed.
constexpr std::int64_t kListedShare = 1000;

std::string arguments_section(const Graph& graph, const IntraOpPlan& before,
                              const IntraOpPlan& after) {
  TextTable table({"argument", ">x", "without the limit", "with it", ">per device"});
  std::size_t small = 0;
  for (const ArgumentGroup& group : internal::group_arguments(graph)) {
    const std::string old_specs = internal::specs_text(group, before);
    const std::string new_specs = internal::specs_text(group, after);
    const std::int64_t change =
        internal::local_bytes(group, after) - internal::local_bytes(group, before);
    if (old_specs == new_specs) continue;
    if (std::abs(change) < after.peak_bytes / kListedShare) {
      ++small;
      continue;
    }
    table.add_row({group.name, std::to_string(group.members.size()), old_specs, new_specs,
                   signed_bytes(change)});
  }
  std::string text = table.empty() ? "" : "Arguments that lie differently\n" + table.text();
  if (small > 0) {
    text += fmt::format("  {} {} by less than {} each\n", small,
                        small == 1 ? "other changes" : "others change",
                        bytes_text(after.peak_bytes / kListedShare));
  }
  return text.empty() ? "No argument lies differently.\n" : text;
}

/// Seconds of each kind of collective over a step.
std::map<CollectiveKind, std::pair<double, double>> seconds_by_kind(const IntraOpPlan& before,
                                                                    const IntraOpPlan& after) {
  std::map<CollectiveKind, std::pair<double, double>> seconds;
  for (const CollectiveTotal& total : before.collectives)
    seconds[total.kind].first += total.seconds;
  for (const CollectiveTotal& total : after.collectives)
    seconds[total.kind].second += total.seconds;
  return seconds;
}

std::string collectives_section(const IntraOpPlan& before, const IntraOpPlan& after) {
  TextTable table({"collective", ">without the limit", ">with it"});
  for (const auto& [kind, seconds] : seconds_by_kind(before, after)) {
    table.add_row(
        {std::string(name(kind)), seconds_text(seconds.first), seconds_text(seconds.second)});
  }
  return "Seconds in collectives\n" + table.text();
}

}  // namespace

std::string compare_plans(const Graph& graph, const IntraOpPlan& before, const IntraOpPlan& after) {
  return fmt::format("What the memory limit changed\n{}\n{}\n{}\n{}", totals_section(before, after),
                     reason_section(before, after), arguments_section(graph, before, after),
                     collectives_section(before, after));
}

std::vector<PinnedSpec> data_parallel_pins(const Graph& graph) {
  std::vector<PinnedSpec> pins;
  for (TensorId tensor : graph.main().arguments) {
    const Role role = graph[tensor].role;
    if (role != Role::parameter && role != Role::optimizer_state) continue;
    pins.push_back({tensor, ShardingSpec::replicated(graph[tensor].type.rank())});
  }
  return pins;
}

}  // namespace autoshard
