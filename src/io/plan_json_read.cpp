// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// A plan from JSON: what docs/plan.md marks as derived (parameters, collectives, local bytes) is
// not read.
#include <fmt/format.h>

#include <array>

#include "autoshard/plan.hpp"
#include "base/errors.hpp"
#include "io/plan_json_placements.hpp"

namespace autoshard {
namespace {

using internal::JsonCursor;

constexpr int kSchemaVersion = 1;

Int128 read_decimal(const JsonCursor& value) {
  const std::string& text = value.text();
  const bool negative = text.starts_with('-');
  const std::string_view digits = std::string_view(text).substr(negative ? 1 : 0);
  // 38 digits always fit into 127 bits.
  const bool decimal = !digits.empty() && digits.size() <= 38 &&
                       digits.find_first_not_of("0123456789") == digits.npos;
  if (!decimal) value.fail(fmt::format("'{}' is not a decimal number", text));
  Int128 number = 0;
  for (const char digit : digits) number = number * 10 + (digit - '0');
  return negative ? -number : number;
}

SolveStatus read_status(const JsonCursor& value) {
  for (const SolveStatus status :
       {SolveStatus::optimal, SolveStatus::feasible, SolveStatus::infeasible,
        SolveStatus::time_limit, SolveStatus::cancelled}) {
    if (name(status) == value.text()) return status;
  }
  value.fail(fmt::format("'{}' is not a status", value.text()));
}

Link read_link(const JsonCursor& value) {
  return {.latency_seconds = value["latency_seconds"].number(),
          .bytes_per_second = value["bytes_per_second"].number()};
}

Device read_device(const JsonCursor& value) {
  return {.name = value["name"].text(),
          .matmul_flops_per_second_16 = value["matmul_flops_per_second_16"].number(),
          .matmul_flops_per_second_32 = value["matmul_flops_per_second_32"].number(),
          .matmul_flops_per_second_64 = value["matmul_flops_per_second_64"].number(),
          .vector_flops_per_second = value["vector_flops_per_second"].number(),
          .memory_bytes_per_second = value["memory_bytes_per_second"].number(),
          .memory_bytes = value["memory_bytes"].integer(),
          .link = read_link(value)};
}

DeviceMesh read_mesh(const JsonCursor& stages) {
  const std::vector<JsonCursor> entries = stages.items();
  if (entries.size() != 1) stages.fail(fmt::format("{} stages, expected one", entries.size()));
  const JsonCursor& stage = entries.front();
  std::vector<MeshAxis> axes;
  for (const JsonCursor& axis : stage["axes"].items()) {
    axes.push_back({axis["name"].text(), axis["size"].integer(1), read_link(axis)});
  }
  std::vector<std::int64_t> device_ids = stage["device_ids"].integers();
  if (device_ids.empty()) stage["device_ids"].fail("is empty");
  return stage.take(
      DeviceMesh::create(std::move(axes), read_device(stage["device"]), std::move(device_ids)));
}

/// A plan belongs to one graph: everything after this is looked up by number.
void check_belongs(const JsonCursor& top, const Graph& graph) {
  top["schema_version"].integer(kSchemaVersion, kSchemaVersion);
  const std::string fingerprint = graph.fingerprint();
  if (top["graph_fingerprint"].text() != fingerprint) {
    top["graph_fingerprint"].fail(fmt::format("the plan is of another graph: '{}', not '{}'",
                                              top["graph_fingerprint"].text(), fingerprint));
  }
}

void read_answer(const JsonCursor& top, IntraOpPlan& plan) {
  plan.step_seconds = top["step_seconds"].number();
  plan.compute_seconds = top["compute_seconds"].number();
  plan.collective_seconds = top["collective_seconds"].number();
  plan.peak_bytes = top["peak_bytes"].integer();
  plan.peak_at = top["peak_at"].text();
  plan.argument_bytes = top["argument_bytes"].integer();
  if (const JsonCursor limit = top["memory_limit_bytes"]; !limit.is_null()) {
    plan.memory_limit_bytes = limit.integer();
  }
}

void read_solver(const JsonCursor& solver, IntraOpPlan& plan) {
  if (const JsonCursor cost = solver["cost"]; !cost.is_null()) {
    plan.solver_cost = read_decimal(cost);
  }
  if (const JsonCursor bound = solver["lower_bound"]; !bound.is_null()) {
    plan.solver_lower_bound = read_decimal(bound);
  }
  if (const JsonCursor gap = solver["gap"]; !gap.is_null()) plan.solver_gap = gap.number();
}

void read_planning(const JsonCursor& top, IntraOpPlan& plan) {
  plan.planning_seconds = top["planning_seconds"].number();
  for (const JsonCursor& phase : top["planning_phases"].items()) {
    plan.phases.push_back({phase["name"].text(), phase["phase_seconds"].number()});
  }
  for (const JsonCursor& warning : top["warnings"].items()) plan.warnings.push_back(warning.text());
}

IntraOpPlan read_plan(const JsonCursor& top, const Graph& graph) {
  check_belongs(top, graph);
  IntraOpPlan plan;
  plan.graph_name = top["graph_name"].text();
  plan.graph_fingerprint = top["graph_fingerprint"].text();
  plan.target = top["target"].text();
  plan.status = read_status(top["status"]);
  plan.reason = top["reason"].text();
  plan.mesh = read_mesh(top["stages"]);
  read_answer(top, plan);
  read_solver(top["solver"], plan);
  read_planning(top, plan);
  internal::read_placements(top, graph, plan);
  return plan;
}

}  // namespace

Result<IntraOpPlan> parse_plan_json(std::string_view text, const Graph& graph) {
  return internal::guarded([&]() -> Result<IntraOpPlan> {
    try {
      const nlohmann::json json = nlohmann::json::parse(text);
      return read_plan(JsonCursor(json, ""), graph);
    } catch (const nlohmann::json::parse_error& error) {
      return internal::invalid("plan: is not JSON: {}", error.what());
    } catch (const nlohmann::json::out_of_range& error) {
      return internal::invalid("plan: {}", error.what());
    } catch (const internal::PlanJsonError& error) {
      return internal::invalid("plan: {}", error.what());
    }
  });
}

}  // namespace autoshard
