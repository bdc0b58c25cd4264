// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "autoshard/plan.hpp"

#include "autoshard/verify.hpp"
#include "guard.hpp"
#include "handles.hpp"

using namespace autoshard;

autoshard_plan::autoshard_plan(internal::PlannedGraph content)
    : graph(std::move(content.graph)), plan(std::move(content.plan)), status(name(plan.status)) {
  if (!plan.has_answer()) return;
  for (std::size_t i = 0; i < graph->main().arguments.size(); ++i) {
    argument_specs.push_back(to_string(plan.argument_spec(i), plan.mesh));
  }
  for (std::size_t i = 0; i < graph->main().results.size(); ++i) {
    result_specs.push_back(to_string(plan.result_spec(i), plan.mesh));
  }
}

namespace {

Result<void> check_answer(const autoshard_plan& plan) {
  if (plan.plan.has_answer()) return {};
  return internal::not_found("plan: there is no answer, its status is {}", plan.status);
}

Result<void> lend_spec(const autoshard_plan& plan, const std::vector<std::string>& specs,
                       size_t index, const char** out) {
  AUTOSHARD_CHECK_OK(check_answer(plan));
  if (index >= specs.size()) {
    return internal::not_found("parameter 'index': {} is not below {}", index, specs.size());
  }
  *out = specs[index].c_str();
  return {};
}

}  // namespace

int32_t autoshard_solve_intra_op(const autoshard_graph* graph, const autoshard_mesh* mesh,
                                 const autoshard_options* options, autoshard_plan** out) {
  return internal::create(
      out, {{"graph", graph}, {"mesh", mesh}}, [&]() -> Result<internal::PlannedGraph> {
        const IntraOpOptions chosen = options ? options->options : IntraOpOptions{};
        AUTOSHARD_TRY(IntraOpPlan plan, solve_intra_op(*graph->graph, mesh->mesh, chosen));
        return internal::PlannedGraph{graph->graph, std::move(plan)};
      });
}

int32_t autoshard_plan_parse_json(const char* text, const autoshard_graph* graph,
                                  autoshard_plan** out) {
  return internal::create(out, {{"text", text}, {"graph", graph}},
                          [&]() -> Result<internal::PlannedGraph> {
                            AUTOSHARD_TRY(IntraOpPlan plan, parse_plan_json(text, *graph->graph));
                            return internal::PlannedGraph{graph->graph, std::move(plan)};
                          });
}

int32_t autoshard_plan_status(const autoshard_plan* plan, const char** out) {
  return internal::run({{"plan", plan}, {"out", out}}, [&]() -> Result<void> {
    *out = plan->status.c_str();
    return {};
  });
}

int32_t autoshard_plan_step_seconds(const autoshard_plan* plan, double* out) {
  return internal::run({{"plan", plan}, {"out", out}}, [&]() -> Result<void> {
    *out = plan->plan.step_seconds;
    return check_answer(*plan);
  });
}

int32_t autoshard_plan_peak_bytes(const autoshard_plan* plan, int64_t* out) {
  return internal::run({{"plan", plan}, {"out", out}}, [&]() -> Result<void> {
    *out = plan->plan.peak_bytes;
    return check_answer(*plan);
  });
}

int32_t autoshard_plan_argument_spec(const autoshard_plan* plan, size_t index, const char** out) {
  return internal::run({{"plan", plan}, {"out", out}},
                       [&] { return lend_spec(*plan, plan->argument_specs, index, out); });
}

int32_t autoshard_plan_result_spec(const autoshard_plan* plan, size_t index, const char** out) {
  return internal::run({{"plan", plan}, {"out", out}},
                       [&] { return lend_spec(*plan, plan->result_specs, index, out); });
}

int32_t autoshard_plan_json(const autoshard_plan* plan, const char** out) {
  return internal::run({{"plan", plan}, {"out", out}}, [&]() -> Result<void> {
    *out = plan->json.get([&] { return write_plan_json(plan->plan, *plan->graph); });
    return {};
  });
}

int32_t autoshard_plan_report(const autoshard_plan* plan, const char** out) {
  return internal::run({{"plan", plan}, {"out", out}}, [&]() -> Result<void> {
    *out = plan->report.get([&] { return plan->plan.full_report(*plan->graph); });
    return {};
  });
}

void autoshard_plan_destroy(autoshard_plan** plan) { internal::destroy(plan); }

int32_t autoshard_verify(const autoshard_graph* graph, const autoshard_plan* plan, int32_t* passed,
                         const char** report) {
  return internal::run({{"graph", graph}, {"plan", plan}, {"passed", passed}, {"report", report}},
                       [&]() -> Result<void> {
                         AUTOSHARD_TRY(const VerifyReport found, verify(*graph->graph, plan->plan));
                         *report = internal::keep_report(found.full_report());
                         *passed = found.passed() ? 1 : 0;
                         return {};
                       });
}
