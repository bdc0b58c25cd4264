// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// Depth-first branch and bound on the core. At each node: what cannot fit is dropped, a few dual
// steps give a certified bound, reduced costs drop what cannot be part of a better answer, and one
// strategy of one node is then taken or left out. Messages and prices carry over from node to
// node, as every state of the dual is valid for every subproblem.
#include <algorithm>
#include <cmath>
#include <optional>

#include "solver/certificate.hpp"
#include "solver/domains.hpp"
#include "solver/local_state.hpp"
#include "solver/phases.hpp"
#include "solver/price_ascent.hpp"

namespace autoshard::internal {
namespace {

constexpr int kPassesPerNode = 6;
// Prices are nearly right from the node before; a full step would throw them away.
constexpr double kStepPerNode = 0.05;
constexpr int kSpareCertificates =
    3;  // rounds of passes and fixing while they still drop something
// Work that branching may take, as a multiple of all work before it, and at least.
constexpr double kWorkShare = 2.0;
constexpr double kLeastWork = 3e8;

class BranchAndBound {
 public:
  explicit BranchAndBound(Session& session)
      : session_(session),
        core_(session.core()),
        dual_(core_),
        ascent_(core_, dual_),
        domains_(core_) {
    if (session.prices().size() == core_.capacity.size()) dual_.set_prices(session.prices());
    const auto before = static_cast<double>(session.budget().entries());
    work_end_ = before + std::max(kLeastWork, kWorkShare * before);
  }

  void run() {
    for (int i = 0; i < kPassesPerNode * kSpareCertificates; ++i) step();
    explore();
    if (!stopped()) session_.prove_infeasible("branch and bound left no assignment");
  }

 private:
  bool stopped() const {
    return session_.budget().spent() ||
           static_cast<double>(session_.budget().entries()) > work_end_;
  }

  double target() const {
    return session_.has_answer() ? session_.upper() : core_.largest_total + 1;
  }

  void step() {
    ascent_.step(session_.has_answer() ? session_.upper() : INFINITY);
    session_.budget().charge(dual_.work());
  }

  /// The subtree of the present domains. On return all of it is settled, unless stopped().
  void explore() {
    const std::size_t mark = domains_.mark();
    // The second branch, without the strategy, is a loop: depth counts only strategies taken.
    while (!stopped() && narrow()) {
      const Domains::Choice choice = domains_.branching_choice(reduced_, decoded_);
      const std::size_t inner = domains_.mark();
      domains_.take(choice);
      explore();
      domains_.undo_to(inner);
      domains_.remove(choice);
    }
    domains_.undo_to(mark);
  }

  /// Propagates and bounds; true when the subproblem is still open.
  bool narrow() {
    for (int round = 0; round < kSpareCertificates; ++round) {
      session_.budget().charge(4 * core_.usages() + 16 * core_.capacity.size());
      if (!domains_.propagate()) return false;
      if (domains_.decided()) {
        session_.offer(domains_.assignment());
        return false;
      }
      bound_node();
      if (static_cast<Int128>(target()) <= certificate_.bound) return false;
      if (!fix_by_reduced_costs()) break;
    }
    return domains_.propagate() && !settled();
  }

  /// All nodes decided: nothing is left to branch on.
  bool settled() {
    if (!domains_.decided()) return false;
    session_.offer(domains_.assignment());
    return true;
  }

  void bound_node() {
    domains_.set_penalties(dual_.penalties(), target() - std::min(0.0, session_.lower()) + 1);
    dual_.refresh_costs();
    ascent_.restart(kStepPerNode);
    for (int i = 0; i < kPassesPerNode && !stopped(); ++i) step();
    try_assignment(ascent_.decoded());
    ascent_.return_to_best();
    dual_.pass();
    certificate_ = certify(core_, dual_);
    session_.budget().charge(2 * dual_.work());
    reduced_ = certificate_.reduced;
    decoded_ = ascent_.decoded();
  }

  void try_assignment(const std::vector<std::int32_t>& x) {
    LocalState state(core_, x);
    if (repair(state)) {
      descend(state);
      session_.offer(state.assignment());
    }
    session_.budget().charge(state.take_work());
  }

  /// Drops strategies whose every assignment costs at least as much as the best answer.
  bool fix_by_reduced_costs() {
    const Int128 allowed =
        static_cast<Int128>(target() - 1) * certificate_.scale - certificate_.scaled_bound;
    return domains_.remove_above(certificate_.reduced, allowed);
  }

  Session& session_;
  const Core& core_;
  Dual dual_;
  PriceAscent ascent_;
  Domains domains_;
  Certificate certificate_;
  std::vector<std::int64_t> reduced_;
  std::vector<std::int32_t> decoded_;
  double work_end_ = 0;
};

}  // namespace

void branch(Session& session) { BranchAndBound(session).run(); }

}  // namespace autoshard::internal
