// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// The driver: the phases of a solve in order. Each phase is skipped once the answer is proven or
// nothing is left to spend.
#include "autoshard/solve.hpp"

#include "base/errors.hpp"
#include "base/try.hpp"
#include "solver/phases.hpp"
#include "solver/session.hpp"

namespace autoshard {
namespace {

Result<void> check_hint(const CostGraph& graph, const SolveOptions& options) {
  if (options.hint.empty()) return {};
  const Result<Evaluation> verdict = evaluate(graph, options.hint);
  if (!verdict.ok()) return internal::invalid("hint: {}", verdict.error().message);
  return {};
}

}  // namespace

Result<SolveResult> solve(const CostGraph& graph, const SolveOptions& options) {
  using namespace internal;
  return guarded([&]() -> Result<SolveResult> {
    AUTOSHARD_CHECK_OK(options.validate());
    AUTOSHARD_CHECK_OK(validate(graph));
    AUTOSHARD_CHECK_OK(check_hint(graph, options));
    Session session(graph, options);
    session.phase("simplify", [](Session& s) { s.simplify_graph(); });
    if (!options.hint.empty()) session.phase("hint", take_hint);
    session.phase("eliminate", eliminate_without_memory);
    session.phase("improve", improve);
    session.phase("branch", branch);
    answer_at_least(session);
    return session.finish();
  });
}

}  // namespace autoshard
