// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// Answers to bare cost graphs: solving with the contest's infinity, checking, JSON.
#include <fmt/format.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "autoshard/problem_io.hpp"
#include "base/errors.hpp"
#include "base/try.hpp"

namespace autoshard {
namespace {

using Clock = std::chrono::steady_clock;
using Json = nlohmann::ordered_json;

constexpr std::int64_t kContestInfinity = 1'000'000'000'000'000'000;

bool replace_forbidden(std::vector<std::int64_t>& costs) {
  bool found = false;
  for (std::int64_t& cost : costs) {
    if (cost != kForbidden) continue;
    cost = kContestInfinity;
    found = true;
  }
  return found;
}

/// The same problem with forbidden entries as the costs they were; absent if there are none.
std::optional<CostGraph> with_literal_infinity(const CostGraph& problem) {
  CostGraph literal = problem;
  bool found = false;
  for (CostNode& node : literal.nodes) found |= replace_forbidden(node.costs);
  for (CostEdge& edge : literal.edges) {
    std::vector<std::int64_t> costs = *edge.costs;
    if (!replace_forbidden(costs)) continue;
    edge.costs = std::make_shared<const std::vector<std::int64_t>>(std::move(costs));
    found = true;
  }
  return found ? std::optional(std::move(literal)) : std::nullopt;
}

Result<SolveResult> solve_literally(const CostGraph& literal, SolveOptions options,
                                    const SolveResult& first) {
  constexpr double kLeastSeconds = 0.1;
  options.time_limit_seconds = std::max(kLeastSeconds, options.time_limit_seconds - first.seconds);
  AUTOSHARD_TRY(SolveResult second, solve(literal, options));
  second.seconds += first.seconds;
  second.work += first.work;
  second.reason += "; nothing is legal without entries of 10^18, so they were taken as costs";
  return second;
}

template <class T>
Json decimal(const std::optional<T>& value) {
  return value ? Json(to_string(Int128{*value})) : Json();
}

template <class T>
Json optional_json(const std::optional<T>& value) {
  return value ? Json(*value) : Json();
}

Json phases_json(const std::vector<PhaseTime>& phases) {
  Json list = Json::array();
  for (const PhaseTime& phase : phases) {
    list.push_back({{"name", phase.name}, {"seconds", phase.seconds}});
  }
  return list;
}

Result<std::int32_t> parse_strategy(const Json& entry, std::size_t index) {
  const bool in_range = entry.is_number_integer() && entry >= INT32_MIN && entry <= INT32_MAX;
  if (!in_range) {
    return internal::invalid("assignment: entry {} is {}, expected a strategy number", index,
                             entry.dump());
  }
  return entry.get<std::int32_t>();
}

Result<std::optional<std::string>> parse_decimal(const Json& object, const char* key) {
  if (!object.contains(key) || object[key].is_null()) return std::optional<std::string>();
  const Json& value = object[key];
  if (value.is_number_integer()) return std::optional(value.dump());
  if (!value.is_string())
    return internal::invalid("{}: is {}, expected a decimal", key, value.dump());
  return std::optional(value.get<std::string>());
}

void compare(std::string_view what, const std::optional<std::string>& stated, Int128 actual,
             ProblemCheck& check) {
  const std::string text = to_string(actual);
  if (!stated || *stated == text) return;
  check.violations.push_back(fmt::format("{}: stated as {}, but it is {}", what, *stated, text));
}

}  // namespace

Result<SolveResult> solve_problem(const CostGraph& problem, const SolveOptions& options) {
  return internal::guarded([&]() -> Result<SolveResult> {
    AUTOSHARD_TRY(SolveResult result, solve(problem, options));
    if (result.status != SolveStatus::infeasible) return result;
    const std::optional<CostGraph> literal = with_literal_infinity(problem);
    return literal ? solve_literally(*literal, options, result) : Result<SolveResult>(result);
  });
}

Result<ProblemCheck> check_problem(const CostGraph& problem,
                                   std::span<const std::int32_t> assignment) {
  return internal::guarded([&]() -> Result<ProblemCheck> {
    ProblemCheck check;
    AUTOSHARD_TRY(check.evaluation, evaluate(problem, assignment));
    check.forbidden = check.evaluation.forbidden;
    check.evaluation.cost += Int128{check.forbidden} * kContestInfinity;
    if (!check.evaluation.within_limit) {
      check.violations.push_back(fmt::format("usage_limit: {} at time {} is more than {}",
                                             to_string(check.evaluation.peak_usage),
                                             check.evaluation.peak_time, *problem.usage_limit));
    }
    return check;
  });
}

std::string write_solution_json(const SolveResult& result, std::optional<double> load_seconds) {
  Json json;
  json["status"] = name(result.status);
  json["reason"] = result.reason;
  json["cost"] = decimal(result.cost);
  json["lower_bound"] = decimal(result.lower_bound);
  json["gap"] = optional_json(result.gap());
  json["peak_usage"] = decimal(result.peak_usage);
  json["usage_limit"] = decimal(result.usage_limit);
  json["seconds"] = result.seconds;
  json["load_seconds"] = optional_json(load_seconds);
  json["work"] = result.work;
  json["reproducible"] = result.reproducible;
  json["nodes"] = {{"given", result.nodes_given}, {"solved", result.nodes_solved}};
  json["edges"] = {{"given", result.edges_given}, {"solved", result.edges_solved}};
  json["phases"] = phases_json(result.phases);
  json["assignment"] = result.assignment;
  return json.dump();
}

std::string write_check_json(const CostGraph& problem, const ProblemCheck& check) {
  Json json;
  json["legal"] = check.legal();
  json["cost"] = to_string(check.evaluation.cost);
  json["peak_usage"] = to_string(check.evaluation.peak_usage);
  json["peak_time"] = check.evaluation.peak_time;
  json["usage_limit"] = decimal(problem.usage_limit);
  json["forbidden"] = check.forbidden;
  json["violations"] = check.violations;
  return json.dump();
}

Result<StatedAnswer> parse_answer(std::string_view text) {
  return internal::guarded([&]() -> Result<StatedAnswer> {
    const Json json = Json::parse(text, nullptr, false);
    if (json.is_discarded()) return internal::invalid("assignment: is not JSON");
    if (json.is_object() && !json.contains("assignment")) {
      return internal::invalid("assignment: the object has no key 'assignment'");
    }
    const Json& list = json.is_object() ? json["assignment"] : json;
    if (!list.is_array()) return internal::invalid("assignment: is not a list");
    StatedAnswer answer;
    for (const Json& entry : list) {
      AUTOSHARD_TRY(const std::int32_t strategy, parse_strategy(entry, answer.assignment.size()));
      answer.assignment.push_back(strategy);
    }
    if (json.is_object()) {
      AUTOSHARD_TRY(answer.cost, parse_decimal(json, "cost"));
      AUTOSHARD_TRY(answer.peak_usage, parse_decimal(json, "peak_usage"));
    }
    return answer;
  });
}

Result<ProblemCheck> check_answer(const CostGraph& problem, const StatedAnswer& answer) {
  return internal::guarded([&]() -> Result<ProblemCheck> {
    AUTOSHARD_TRY(ProblemCheck check, check_problem(problem, answer.assignment));
    compare("cost", answer.cost, check.evaluation.cost, check);
    compare("peak_usage", answer.peak_usage, check.evaluation.peak_usage, check);
    return check;
  });
}

}  // namespace autoshard
