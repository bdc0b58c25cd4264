// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// Planning for tests that look at one property of a plan: stored steps, meshes by text, and plans
// that have to be there.
#pragma once

#include <doctest/doctest.h>

#include <optional>
#include <string>
#include <string_view>

#include "autoshard/graph_io.hpp"
#include "autoshard/intra_op.hpp"

namespace autoshard::test {

inline Graph stored_step(const std::string& file) {
  auto graph = load_graph(std::string(AUTOSHARD_TEST_DATA) + "/" + file + ".hlo.gz");
  if (!graph.ok()) FAIL(graph.error().message);
  return std::move(graph).value();
}

inline DeviceMesh a100_mesh(std::string_view text) {
  auto mesh = DeviceMesh::parse(text, *find_device("a100"));
  if (!mesh.ok()) FAIL(mesh.error().message);
  return std::move(mesh).value();
}

/// Ends by work, so that the answer is the same on every machine.
inline IntraOpOptions by_work(std::int64_t work_limit = 100) {
  IntraOpOptions options;
  options.solve.work_limit = work_limit;
  return options;
}

inline IntraOpPlan plan_of(const Graph& graph, std::string_view mesh,
                           const IntraOpOptions& options = by_work()) {
  auto plan = solve_intra_op(graph, a100_mesh(mesh), options);
  if (!plan.ok()) FAIL(plan.error().message);
  return std::move(plan).value();
}

inline IntraOpOptions limited(std::int64_t bytes, std::int64_t work_limit = 100) {
  IntraOpOptions options = by_work(work_limit);
  options.memory_limit_bytes = bytes;
  return options;
}

}  // namespace autoshard::test
