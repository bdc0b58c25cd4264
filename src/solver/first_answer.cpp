// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// Answers without a search: from the caller's hint, and from a few message passes when everything
// else ran out of budget.
#include "solver/dual.hpp"
#include "solver/local_state.hpp"
#include "solver/phases.hpp"

namespace autoshard::internal {
namespace {

constexpr int kPasses = 2;

void repair_and_offer(Session& session, const std::vector<std::int32_t>& x) {
  LocalState state(session.core(), x);
  if (!repair(state)) return;
  descend(state);
  session.budget().charge(state.take_work());
  session.offer(state.assignment());
}

}  // namespace

void take_hint(Session& session) {
  const std::vector<std::int32_t>& hint = session.options().hint;
  if (!hint.empty()) repair_and_offer(session, session.core().from_labels(hint));
}

void answer_at_least(Session& session) {
  // A budget that was spent from the start has not even let the graph be simplified.
  if (!session.has_core()) session.simplify_graph();
  if (session.has_answer() || session.reduced().infeasible()) return;
  Dual dual(session.core());
  for (int i = 0; i < kPasses; ++i) dual.pass();
  std::vector<std::int32_t> x;
  dual.decode(x);
  repair_and_offer(session, x);
}

}  // namespace autoshard::internal
