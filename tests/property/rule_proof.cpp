// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "property/rule_proof.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "sharding/derive_rule.hpp"
#include "support/rule_plan.hpp"

namespace autoshard::test {
namespace {

std::string failure_of(const Result<VerifyReport>& report) {
  if (!report.ok()) return report.error().message;
  return report->passed() ? std::string() : report->full_report();
}

void prove_on(const OperatorCase& test, const ShardingRule& rule, const DeviceMesh& mesh,
              ProofCount& count) {
  for (const Assignment& assignment : all_assignments(rule, mesh)) {
    const OperatorSpecs specs = implied_specs(rule, assignment);
    const std::string failure = failure_of(run_as(test, specs, mesh));
    INFO(to_string(specs, mesh), " on ", mesh.to_string());
    REQUIRE(failure == "");
    ++count.assignments;
  }
}

}  // namespace

void prove(const OperatorCase& test, ProofCount& count, const std::vector<std::string>& meshes) {
  INFO(to_string(test));
  const Result<Graph> graph = graph_of(test);
  if (!graph.ok()) FAIL(graph.error().message);
  const auto rule = internal::derive_rule(*graph, tried_operator(*graph));
  REQUIRE(rule.has_value());
  INFO(to_string(*rule));
  for (const std::string& mesh : meshes) prove_on(test, *rule, mesh_of(mesh), count);
  ++count.operators;
}

void require_tried(const ProofCount& count, std::int64_t at_least) {
  MESSAGE(count.operators, " operators, ", count.assignments, " assignments");
  REQUIRE(count.assignments >= at_least);
}

std::int64_t Shapes::number(std::int64_t low, std::int64_t high) {
  return low + static_cast<std::int64_t>(random_() % static_cast<std::uint64_t>(high - low + 1));
}

std::int64_t Shapes::size() {
  constexpr std::array<std::int64_t, 8> kSizes = {1, 2, 3, 4, 5, 6, 7, 7};
  return kSizes[static_cast<std::size_t>(number(0, kSizes.size() - 1))];
}

std::vector<std::int64_t> Shapes::shape(std::size_t rank) {
  std::vector<std::int64_t> sizes(rank);
  std::ranges::generate(sizes, [&] { return size(); });
  return sizes;
}

std::vector<std::int64_t> Shapes::numbers(std::int64_t size, std::int64_t low, std::int64_t high) {
  std::vector<std::int64_t> list(static_cast<std::size_t>(size));
  std::ranges::generate(list, [&] { return number(low, high); });
  return list;
}

std::vector<std::int64_t> Shapes::permutation(std::size_t size) {
  std::vector<std::int64_t> list(size);
  std::iota(list.begin(), list.end(), 0);
  for (std::size_t i = size; i > 1; --i) {
    std::swap(list[i - 1], list[static_cast<std::size_t>(number(0, static_cast<int>(i) - 1))]);
  }
  return list;
}

std::vector<std::int64_t> Shapes::subset(std::size_t size) {
  std::vector<std::int64_t> list;
  for (std::size_t i = 0; i < size; ++i) {
    if (coin()) list.push_back(static_cast<std::int64_t>(i));
  }
  return list;
}

}  // namespace autoshard::test
