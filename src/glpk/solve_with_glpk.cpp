// Copyright the autoshard authors.
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The model: a binary per strategy, a continuous variable per allowed pair of an edge tied to its
// ends by marginals (the local polytope), and one row per time at which usage begins to rise.
#include <glpk.h>

#include <algorithm>
#include <chrono>
#include <memory>

#include "autoshard/glpk.hpp"
#include "base/errors.hpp"
#include "base/try.hpp"

namespace autoshard {
namespace {

using Clock = std::chrono::steady_clock;

struct DeleteProblem {
  void operator()(glp_prob* problem) const { glp_delete_prob(problem); }
};

/// A row under construction; GLPK counts from 1.
struct Row {
  std::vector<int> columns{0};
  std::vector<double> values{0};
  void add(int column, double value) {
    columns.push_back(column);
    values.push_back(value);
  }
};

class Model {
 public:
  explicit Model(const CostGraph& graph) : graph_(graph), problem_(glp_create_prob()) {
    glp_set_obj_dir(problem_.get(), GLP_MIN);
    for (std::size_t v = 0; v < graph.nodes.size(); ++v) add_node(v);
    for (const CostEdge& edge : graph.edges) add_edge(edge);
    if (graph.usage_limit) add_memory();
  }

  glp_prob* problem() const { return problem_.get(); }

  std::vector<std::int32_t> assignment() const {
    std::vector<std::int32_t> x;
    for (std::size_t v = 0; v < graph_.nodes.size(); ++v) {
      std::int32_t best = 0;
      for (std::int32_t s = 0; s < static_cast<std::int32_t>(graph_.nodes[v].costs.size()); ++s) {
        if (value(v, s) > value(v, best)) best = s;
      }
      x.push_back(best);
    }
    return x;
  }

 private:
  double value(std::size_t v, std::int32_t s) const {
    return glp_mip_col_val(problem_.get(), first_[v] + s);
  }

  int add_column(std::int64_t cost, bool integer) {
    const int column = glp_add_cols(problem_.get(), 1);
    const bool absent = cost == kForbidden;
    if (integer) glp_set_col_kind(problem_.get(), column, GLP_BV);
    glp_set_col_bnds(problem_.get(), column, absent ? GLP_FX : GLP_DB, 0, absent ? 0 : 1);
    glp_set_obj_coef(problem_.get(), column, absent ? 0 : static_cast<double>(cost));
    return column;
  }

  void add_row(const Row& row, int kind, double bound) {
    const int index = glp_add_rows(problem_.get(), 1);
    glp_set_row_bnds(problem_.get(), index, kind, bound, bound);
    glp_set_mat_row(problem_.get(), index, static_cast<int>(row.columns.size()) - 1,
                    row.columns.data(), row.values.data());
  }

  void add_node(std::size_t v) {
    Row one;
    for (const std::int64_t cost : graph_.nodes[v].costs) one.add(add_column(cost, true), 1);
    first_.push_back(one.columns[1]);
    add_row(one, GLP_FX, 1);
  }

  void add_edge(const CostEdge& edge) {
    const auto from = static_cast<std::size_t>(edge.from), to = static_cast<std::size_t>(edge.to);
    const std::size_t columns = graph_.nodes[to].costs.size();
    std::vector<Row> by_from(graph_.nodes[from].costs.size()), by_to(columns);
    for (std::size_t i = 0; i < edge.costs->size(); ++i) {
      const int pair = add_column((*edge.costs)[i], false);
      by_from[i / columns].add(pair, 1);
      by_to[i % columns].add(pair, 1);
    }
    tie(by_from, from);
    tie(by_to, to);
  }

  /// The pairs of a strategy sum to the strategy.
  void tie(std::vector<Row>& rows, std::size_t v) {
    for (std::size_t s = 0; s < rows.size(); ++s) {
      rows[s].add(first_[v] + static_cast<int>(s), -1);
      add_row(rows[s], GLP_FX, 0);
    }
  }

  void add_memory() {
    std::vector<std::int64_t> times;
    for (const CostNode& node : graph_.nodes) {
      for (const MemoryPiece& piece : node.memory) {
        if (piece.begin < piece.end) times.push_back(piece.begin);
      }
    }
    std::sort(times.begin(), times.end());
    times.erase(std::unique(times.begin(), times.end()), times.end());
    for (const std::int64_t time : times) add_time(time);
  }

  void add_time(std::int64_t time) {
    Row row;
    for (std::size_t v = 0; v < graph_.nodes.size(); ++v) {
      const CostNode& node = graph_.nodes[v];
      for (std::size_t s = 0; s < node.costs.size(); ++s) {
        double usage = 0;
        for (const MemoryPiece& piece : node.memory) {
          if (piece.begin <= time && time < piece.end) usage += static_cast<double>(piece.usage[s]);
        }
        if (usage > 0) row.add(first_[v] + static_cast<int>(s), usage);
      }
    }
    add_row(row, GLP_UP, static_cast<double>(*graph_.usage_limit));
  }

  const CostGraph& graph_;
  std::unique_ptr<glp_prob, DeleteProblem> problem_;
  std::vector<int> first_;
};

void stop_when_cancelled(glp_tree* tree, void* flag) {
  const auto* cancel = static_cast<const std::atomic<bool>*>(flag);
  if (cancel && cancel->load()) glp_ios_terminate(tree);
}

int run(const Model& model, const SolveOptions& options) {
  glp_term_out(GLP_OFF);
  glp_iocp parameters;
  glp_init_iocp(&parameters);
  parameters.presolve = GLP_ON;
  parameters.tm_lim = static_cast<int>(std::clamp(options.time_limit_seconds * 1000, 1.0, 2e9));
  parameters.cb_func = stop_when_cancelled;
  parameters.cb_info = const_cast<std::atomic<bool>*>(options.cancel);
  return glp_intopt(model.problem(), &parameters);
}

void read_answer(const CostGraph& graph, const Model& model, int code, SolveResult& result) {
  const int status = glp_mip_status(model.problem());
  const bool answered = status == GLP_OPT || status == GLP_FEAS;
  const Result<Evaluation> verdict = answered ? evaluate(graph, model.assignment()) : Evaluation{};
  if (answered && verdict.ok() && verdict->legal()) {
    result.assignment = model.assignment();
    result.cost = verdict->cost;
    result.peak_usage = verdict->peak_usage;
  }
  if (status == GLP_OPT && result.cost) result.status = SolveStatus::optimal;
  if (status == GLP_NOFEAS || code == GLP_ENOPFS) result.status = SolveStatus::infeasible;
}

}  // namespace

Result<SolveResult> solve_with_glpk(const CostGraph& graph, const SolveOptions& options) {
  return internal::guarded([&]() -> Result<SolveResult> {
    AUTOSHARD_CHECK_OK(options.validate());
    AUTOSHARD_CHECK_OK(validate(graph));
    const Clock::time_point start = Clock::now();
    const Model model(graph);
    SolveResult result;
    result.status = SolveStatus::time_limit;
    const int code = run(model, options);
    if (code == GLP_ESTOP) result.status = SolveStatus::cancelled;
    read_answer(graph, model, code, result);
    result.reason = "as reported by GLPK " + std::string(glp_version()) + ", in floating point";
    result.usage_limit = graph.usage_limit;
    result.seconds = std::chrono::duration<double>(Clock::now() - start).count();
    result.nodes_given = result.nodes_solved = graph.nodes.size();
    result.edges_given = result.edges_solved = graph.edges.size();
    return result;
  });
}

}  // namespace autoshard
