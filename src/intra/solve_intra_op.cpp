// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>

#include "autoshard/intra_op.hpp"
#include "base/errors.hpp"
#include "base/try.hpp"
#include "intra/build_model.hpp"
#include "intra/enough_memory.hpp"
#include "intra/peak_memory.hpp"
#include "intra/pins.hpp"
#include "intra/read_plan.hpp"
#include "intra/to_cost_graph.hpp"

namespace autoshard {
namespace {

using internal::invalid;
using Clock = std::chrono::steady_clock;

/// Cost models are further off than this, so a proof beyond it would be for show.
constexpr double kGoodEnough = 0.01;

/// Names and times the phases of one planning run.
class Planning {
 public:
  Planning(const Graph& graph, const DeviceMesh& mesh, const IntraOpOptions& options)
      : graph_(graph), options_(options), default_prices_(mesh) {
    plan_.graph_name = graph.name();
    plan_.graph_fingerprint = graph.fingerprint();
    plan_.mesh = mesh;
    plan_.target = options.target.name;
    plan_.memory_limit_bytes = options.memory_limit_bytes;
    if (!options_.cost_model) options_.cost_model = &default_prices_;
    if (!options_.solve.gap_target) options_.solve.gap_target = kGoodEnough;
    const std::vector<AxisRef> atoms = internal::whole_axes(mesh);
    resharding_ = {&plan_.mesh, &options_.target, options_.cost_model, atoms};
    context_ = {&graph_, &options_.target, options_.cost_model, atoms,
                internal::classify_storage(graph)};
  }

  Result<IntraOpPlan> run() {
    using namespace internal;
    StrategyBuilder strategies(context_, specs_);
    const ModelInputs inputs{
        &graph_, &context_, &strategies, &specs_, options_.memory_limit_bytes, options_.pinned};
    IntraModel model = timed("strategies", [&] { return build_model(inputs); });
    ReshardingTables tables(resharding_, specs_);
    auto costs =
        timed("cost graph", [&] { return to_cost_graph(graph_, model, tables, specs_, options_); });
    add_warnings(model);
    if (!costs.ok() && costs.error().code == ErrorCode::cancelled) return ended_early();
    if (!costs.ok()) return costs.error();
    AUTOSHARD_CHECK_OK(solve_and_read({&graph_, &model, &specs_, &tables}, *costs));
    const std::int64_t memory = plan_.mesh.device().memory_bytes;
    if (memory > 0 && plan_.peak_bytes > memory) {
      plan_.warnings.push_back(fmt::format("the peak of {} bytes is more than the {} of one {}",
                                           plan_.peak_bytes, memory, plan_.mesh.device().name));
    }
    for (const PhaseTime& phase : plan_.phases) plan_.planning_seconds += phase.seconds;
    return std::move(plan_);
  }

 private:
  template <class Body>
  auto timed(const char* name, Body&& body) -> decltype(body()) {
    const auto begin = Clock::now();
    auto result = body();
    plan_.phases.push_back({name, std::chrono::duration<double>(Clock::now() - begin).count()});
    return result;
  }

  /// The tables of a mesh with many axes may take longer than the caller wants to wait.
  IntraOpPlan ended_early() {
    const bool late = spent_seconds() > options_.solve.time_limit_seconds;
    plan_.status = late ? SolveStatus::time_limit : SolveStatus::cancelled;
    plan_.reason = late ? "the time limit was reached while the cost graph was built"
                        : "cancelled by the caller";
    for (const PhaseTime& phase : plan_.phases) plan_.planning_seconds += phase.seconds;
    return std::move(plan_);
  }

  /// Conversions that the cost graph does not count (of small tensors, and from a stored form to
  /// users that differ) may pass the limit by a little; then the same problem is solved again with
  /// a lower limit. The first bound stays true.
  Result<void> solve_and_read(const internal::PlanSources& sources, CostGraph& costs) {
    SolveOptions given = options_.solve;
    given.time_limit_seconds = first_seconds();
    AUTOSHARD_TRY(const SolveResult solved, timed("solve", [&] { return solve(costs, given); }));
    take_over(solved);
    if (!solved.cost) {
      const bool cancelled = solved.status == SolveStatus::cancelled;
      if (!options_.memory_limit_bytes || cancelled) return {};
      return explain_no_answer(sources, costs);
    }
    AUTOSHARD_CHECK_OK(timed("read the plan", [&] { return fill(sources, solved.assignment); }));
    if (!costs.usage_limit || excess() <= 0) return {};
    given.hint = solved.assignment;
    return lower_the_limit(sources, costs, std::move(given));
  }

  /// Keeps the plan with the lowest peak. More than the excess is cut each time, as the new answer
  /// may convert other tensors at its peak; a cut that leaves no answer is halved.
  Result<void> lower_the_limit(const internal::PlanSources& sources, CostGraph& costs,
                               SolveOptions given) {
    constexpr int kRounds = 5;
    const std::optional<Int128> bound = plan_.solver_lower_bound;
    const std::int64_t limit = *costs.usage_limit;
    std::int64_t answered = 0, cut = excess();
    std::optional<std::int64_t> too_much;
    for (int round = 1; round <= kRounds && excess() > 0; ++round) {
      costs.usage_limit = std::max<std::int64_t>(0, limit - cut);
      given.time_limit_seconds = later_seconds();
      AUTOSHARD_TRY(const SolveResult solved, timed("solve", [&] { return solve(costs, given); }));
      if (solved.cost) {
        answered = cut;
        given.hint = solved.assignment;
        AUTOSHARD_CHECK_OK(take_if_lower(sources, solved, bound));
        cut += (round + 1) * std::max<std::int64_t>(excess(), 1);
      } else {
        too_much = cut;
      }
      if (too_much && cut >= *too_much) cut = answered + (*too_much - answered) / 2;
    }
    if (excess() <= 0) return {};
    if (plan_.status == SolveStatus::optimal) plan_.status = SolveStatus::feasible;
    plan_.reason = "the best answer found is over the memory limit";
    plan_.warnings.push_back(fmt::format("the peak is {} bytes over the limit", excess()));
    return {};
  }

  Result<void> take_if_lower(const internal::PlanSources& sources, const SolveResult& solved,
                             const std::optional<Int128>& bound) {
    IntraOpPlan before = plan_;
    take_over(solved);
    weaken(bound);
    AUTOSHARD_CHECK_OK(timed("read the plan", [&] { return fill(sources, solved.assignment); }));
    if (plan_.peak_bytes < before.peak_bytes) return {};
    before.phases = plan_.phases;
    plan_ = std::move(before);
    return {};
  }

  std::int64_t excess() const { return plan_.peak_bytes - *options_.memory_limit_bytes; }

  double spent_seconds() const {
    return std::chrono::duration<double>(Clock::now() - begin_).count();
  }
  double left_seconds() const {
    return std::max(options_.solve.time_limit_seconds - spent_seconds(), 1e-3);
  }
  /// The first solve leaves a share of the time to later ones, where there may be any.
  double first_seconds() const {
    constexpr double kFirstShare = 0.8;
    return options_.memory_limit_bytes ? kFirstShare * left_seconds() : left_seconds();
  }
  double later_seconds() const { return 0.5 * left_seconds(); }

  /// Says what the step needs at least where that alone passes the limit, and what would do.
  Result<void> explain_no_answer(const internal::PlanSources& sources, const CostGraph& costs) {
    const std::int64_t limit = *options_.memory_limit_bytes;
    const internal::LeastPeak least = internal::least_peak(costs);
    if (least.bytes > limit) {
      plan_.reason = fmt::format("at {} a device needs at least {} bytes, and the limit is {}",
                                 place_of(least, *sources.model), least.bytes, limit);
    } else if (plan_.status == SolveStatus::infeasible) {
      plan_.reason = fmt::format("no plan needs {} bytes or less", limit);
    }
    SolveOptions left = options_.solve;
    left.time_limit_seconds = later_seconds();
    const auto small = timed("least memory", [&] {
      return internal::find_small_assignment(costs, std::max(limit, least.bytes), left);
    });
    if (!small) return {};
    IntraOpPlan unanswered = plan_;
    AUTOSHARD_CHECK_OK(fill(sources, *small));
    unanswered.peak_bytes = plan_.peak_bytes;
    unanswered.reason += fmt::format("; {} bytes would do", plan_.peak_bytes);
    plan_ = std::move(unanswered);
    return {};
  }

  std::string place_of(const internal::LeastPeak& least, const internal::IntraModel& model) const {
    for (std::size_t i = 0; i < graph_.operators().size(); ++i) {
      if (model.timeline.start[i] == least.time) return "'" + graph_.operators()[i].name + "'";
    }
    return "the end of the step";
  }

  /// The bound of the problem as it was given, not of the one with the lowered limit.
  void weaken(const std::optional<Int128>& bound) {
    plan_.solver_lower_bound = bound;
    if (plan_.status == SolveStatus::optimal) plan_.status = SolveStatus::feasible;
    plan_.solver_gap.reset();
    if (bound && plan_.solver_cost && *plan_.solver_cost > 0) {
      plan_.solver_gap = static_cast<double>(*plan_.solver_cost - *bound) /
                         static_cast<double>(*plan_.solver_cost);
    }
  }

  /// Shared conversions are cheaper; where they pass the limit, those apart may not.
  Result<void> fill(const internal::PlanSources& sources,
                    std::span<const std::int32_t> assignment) {
    AUTOSHARD_CHECK_OK(fill_as_told(sources, assignment));
    if (!options_.memory_limit_bytes || excess() <= 0) return {};
    IntraOpPlan shared = plan_;
    internal::PlanSources apart = sources;
    apart.share_conversions = false;
    AUTOSHARD_CHECK_OK(fill_as_told(apart, assignment));
    if (plan_.peak_bytes >= shared.peak_bytes) plan_ = std::move(shared);
    return {};
  }

  Result<void> fill_as_told(const internal::PlanSources& sources,
                            std::span<const std::int32_t> assignment) {
    plan_.copies.clear();
    plan_.operators.clear();
    plan_.regions.clear();
    plan_.collectives.clear();
    plan_.compute_seconds = plan_.collective_seconds = 0;
    plan_.peak_bytes = plan_.argument_bytes = 0;
    AUTOSHARD_CHECK_OK(internal::read_plan(sources, assignment, plan_));
    internal::add_totals(graph_, *options_.cost_model, plan_);
    internal::account_memory(graph_, *sources.model, context_.storage, plan_);
    return {};
  }

  void take_over(const SolveResult& solved) {
    plan_.status = solved.status;
    plan_.reason = solved.reason;
    plan_.solver_cost = solved.cost;
    plan_.solver_lower_bound = solved.lower_bound;
    plan_.solver_gap = solved.gap();
  }

  void add_warnings(const internal::IntraModel& model) {
    plan_.warnings.assign(graph_.warnings().begin(), graph_.warnings().end());
    for (std::size_t i = 0; i < graph_.operators().size(); ++i) {
      const Operator& op = graph_.operators()[i];
      if (op.body) {
        if (!op.integer("trip_count")) plan_.warnings.push_back(unknown_rounds(op));
        continue;
      }
      const auto& node = model.nodes[static_cast<std::size_t>(model.operator_nodes[i])];
      if (node.table->known) continue;
      const std::string* target = op.text("call_target_name");
      plan_.warnings.push_back(
          fmt::format("operator '{}': no sharding rule for '{}'{}; kept replicated", op.name,
                      op.kind, target ? " of '" + *target + "'" : ""));
    }
  }

  static std::string unknown_rounds(const Operator& loop) {
    return fmt::format("loop '{}': its number of rounds is not known; priced as one", loop.name);
  }

  const Clock::time_point begin_ = Clock::now();
  const Graph& graph_;
  IntraOpOptions options_;
  AnalyticCostModel default_prices_;
  IntraOpPlan plan_;
  internal::SpecTable specs_;
  internal::ReshardingContext resharding_;
  internal::StrategyContext context_;
};

}  // namespace

Result<void> IntraOpOptions::validate() const {
  if (memory_limit_bytes && *memory_limit_bytes <= 0) {
    return invalid("memory limit: {} bytes is not more than 0", *memory_limit_bytes);
  }
  return solve.validate();
}

Result<IntraOpPlan> solve_intra_op(const Graph& graph, const DeviceMesh& mesh,
                                   const IntraOpOptions& options) {
  return internal::guarded([&]() -> Result<IntraOpPlan> {
    AUTOSHARD_CHECK_OK(options.validate());
    if (mesh.axes().empty()) return invalid("mesh: it has no axis");
    const std::size_t axes = internal::whole_axes(mesh).size();
    if (axes > internal::kMaxAtoms) {
      return invalid("mesh {}: {} axes larger than 1, at most {} can be planned", mesh.to_string(),
                     axes, internal::kMaxAtoms);
    }
    IntraOpOptions resolved = options;
    AUTOSHARD_TRY(resolved.pinned, internal::resolve_pins(graph, mesh, options));
    AUTOSHARD_TRY(IntraOpPlan plan, Planning(graph, mesh, resolved).run());
    if (plan.status == SolveStatus::cancelled && !plan.has_answer()) {
      return Error{ErrorCode::cancelled, "cancelled before there was any answer"};
    }
    return plan;
  });
}

const ShardingSpec& IntraOpPlan::argument_spec(std::size_t index) const {
  return copies[regions[0].arguments[index].index()].spec;
}

const ShardingSpec& IntraOpPlan::result_spec(std::size_t index) const {
  return copies[regions[0].results[index].index()].spec;
}

}  // namespace autoshard
