// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "execute/lockstep.hpp"

#include <algorithm>
#include <cmath>

#include "base/errors.hpp"
#include "base/try.hpp"
#include "execute/element.hpp"
#include "execute/liveness.hpp"

namespace autoshard::internal {
namespace {

/// Whether two parts of one axis have devices in common.
bool overlap(const AxisRef& a, const AxisRef& b) {
  return a.axis == b.axis && a.pre_size < b.pre_size * b.size && b.pre_size < a.pre_size * a.size;
}

/// The spec splits something along the axis, or is partial on it.
bool names_axis(const ShardingSpec& spec, const AxisRef& axis) {
  const auto same_axis = [&](const AxisRef& other) { return overlap(axis, other); };
  return std::any_of(spec.dims.begin(), spec.dims.end(),
                     [&](const std::vector<AxisRef>& dim) {
                       return std::any_of(dim.begin(), dim.end(), same_axis);
                     }) ||
         std::any_of(spec.partial.begin(), spec.partial.end(),
                     [&](const PartialAxis& partial) { return same_axis(partial.axis); });
}

std::vector<Box> whole_boxes(const OperatorSignature& signature) {
  std::vector<Box> boxes;
  for (const TensorType& type : signature.result_types) boxes.push_back(whole_box(type.shape));
  return boxes;
}

}  // namespace

Lockstep::Lockstep(const Graph& graph, const IntraOpPlan& plan, const VerifyOptions& options)
    : graph_(graph),
      plan_(plan),
      options_(options),
      last_uses_(last_uses(graph)),
      tensors_by_region_(tensors_by_region(graph)),
      copies_of_(graph.tensors().size()),
      dense_(graph.tensors().size()),
      pieces_(plan.copies.size()),
      runs_(plan.copies.size(), 0),
      comparing_(graph.regions().size(), true) {
  for (std::size_t i = 0; i < plan.copies.size(); ++i) {
    copies_of_[plan.copies[i].tensor.index()].push_back(CopyId{i});
  }
}

Result<VerifyReport> Lockstep::run(Values arguments) && {
  std::vector<Values> pieces;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    pieces.push_back(distribute(arguments[i], placement(plan_.regions[0].arguments[i])));
  }
  enter(RegionId{0}, arguments, std::move(pieces));
  AUTOSHARD_CHECK_OK(run_region(RegionId{0}));
  note_results_without_value();
  check_runs();
  check_totals();
  return std::move(findings_).finish();
}

Result<void> Lockstep::run_region(RegionId region) {
  for (const OperatorId id : graph_[region].operators) {
    AUTOSHARD_CHECK_OK(run_operator(id));
    for (const TensorId tensor : last_uses_[id.index()]) drop(tensor);
  }
  for (const CopyId id : plan_.regions[region.index()].results) materialise(id);
  return {};
}

Result<void> Lockstep::run_operator(OperatorId id) {
  for (const CopyId operand : plan_.operators[id.index()].operands) materialise(operand);
  return graph_[id].body ? run_loop(id) : run_plain(id);
}

Result<void> Lockstep::run_plain(OperatorId id) {
  const OperatorSignature call = signature(graph_[id]);
  AUTOSHARD_TRY(Values dense, run_dense(call));
  for (std::size_t i = 0; i < dense.size(); ++i) {
    dense_[graph_[id].results[i].index()] = std::move(dense[i]);
  }
  run_planned(call, id);
  return {};
}

OperatorSignature Lockstep::signature(const Operator& op) const {
  OperatorSignature signature{&op, {}, {}, options_.seed};
  for (const TensorId id : op.operands) signature.operand_types.push_back(graph_[id].type);
  for (const TensorId id : op.results) signature.result_types.push_back(graph_[id].type);
  return signature;
}

Result<Values> Lockstep::run_dense(const OperatorSignature& signature) {
  PieceCall call{signature, {}, whole_boxes(signature)};
  for (const TensorId id : signature.op->operands) {
    call.operands.push_back(&*dense_[id.index()]);
  }
  if (knows_operator(signature.op->kind)) return autoshard::internal::run_operator(call);
  const std::string* target = signature.op->text("call_target_name");
  findings_.skipped(fmt::format("{} ({}{})", signature.op->name, signature.op->kind,
                                target ? " of '" + *target + "'" : ""));
  return stand_in_results(call);
}

Result<Values> Lockstep::run_piece(const OperatorSignature& signature, OperatorId id,
                                   std::int64_t device) const {
  const OperatorPlacement& placed = plan_.operators[id.index()];
  PieceCall call{signature, {}, {}, withheld(id, device)};
  for (const CopyId operand : placed.operands) {
    call.operands.push_back(&(*pieces_[operand.index()])[static_cast<std::size_t>(device)]);
  }
  for (std::size_t i = 0; i < placed.results.size(); ++i) {
    call.result_boxes.push_back(
        piece_box(spec(placed.results[i]), signature.result_types[i], plan_.mesh, device));
  }
  if (is_silent(id, device)) return silent_results(id, call.result_boxes);
  if (!knows_operator(signature.op->kind)) return stand_in_results(call);
  return autoshard::internal::run_operator(call);
}

bool Lockstep::is_silent(OperatorId id, std::int64_t device) const {
  const bool stands_in = !knows_operator(graph_[id].kind);
  if (!stands_in && !generates(graph_[id].kind)) return false;
  const OperatorPlacement& placed = plan_.operators[id.index()];
  if (placed.results.empty()) return false;
  const std::vector<PartialAxis>& partial = spec(placed.results.front()).partial;
  return std::any_of(partial.begin(), partial.end(), [&](const PartialAxis& p) {
    const bool given = !stands_in && std::any_of(placed.operands.begin(), placed.operands.end(),
                                                 [&](CopyId operand) {
                                                   return names_axis(spec(operand), p.axis);
                                                 });
    return !given && coordinate(plan_.mesh, device, p.axis) != 0;
  });
}

Values Lockstep::silent_results(OperatorId id, const std::vector<Box>& boxes) const {
  const std::vector<CopyId>& copies = plan_.operators[id.index()].results;
  Values values;
  for (std::size_t i = 0; i < copies.size(); ++i) {
    const ReductionKind kind = spec(copies[i]).partial.front().kind;
    values.push_back(filled(boxes[i], identity(kind, graph_[graph_[id].results[i]].type.dtype)));
  }
  return values;
}

std::vector<bool> Lockstep::withheld(OperatorId id, std::int64_t device) const {
  const OperatorPlacement& placed = plan_.operators[id.index()];
  std::vector<bool> result(placed.operands.size(), false);
  if (placed.results.empty()) return result;
  for (const PartialAxis& partial : spec(placed.results.front()).partial) {
    if (coordinate(plan_.mesh, device, partial.axis) == 0) continue;
    for (std::size_t i = 0; i < result.size(); ++i) {
      result[i] = result[i] || !names_axis(spec(placed.operands[i]), partial.axis);
    }
  }
  return result;
}

void Lockstep::run_planned(const OperatorSignature& signature, OperatorId id) {
  const std::vector<CopyId>& results = plan_.operators[id.index()].results;
  std::vector<Values> pieces(results.size());
  for (std::int64_t device = 0; device < plan_.mesh.device_count(); ++device) {
    Result<Values> made = run_piece(signature, id, device);
    if (!made.ok()) {
      findings_.wrong_value(made.error().message, fmt::format("on device {}", device));
      for (const CopyId result : results) store(result, std::nullopt);
      return;
    }
    for (std::size_t i = 0; i < results.size(); ++i) pieces[i].push_back(std::move((*made)[i]));
  }
  for (std::size_t i = 0; i < results.size(); ++i) store(results[i], std::move(pieces[i]));
}

Result<void> Lockstep::run_loop(OperatorId id) {
  const Operator& op = graph_[id];
  const OperatorPlacement& placed = plan_.operators[id.index()];
  const std::int64_t turns = op.integer("trip_count").value_or(1);
  std::vector<Value> dense;
  std::vector<Values> pieces;
  for (std::size_t i = 0; i < op.operands.size(); ++i) {
    dense.push_back(*dense_[op.operands[i].index()]);
    pieces.push_back(*pieces_[placed.operands[i].index()]);
  }
  for (std::int64_t turn = 0; turn < turns; ++turn) {
    comparing_[op.body->index()] = comparing_[op.region.index()] && turn + 1 == turns;
    enter(*op.body, dense, std::move(pieces));
    AUTOSHARD_CHECK_OK(run_region(*op.body));
    pieces.clear();
    for (std::size_t i = 0; i < dense.size(); ++i) {
      dense[i] = *dense_[graph_[*op.body].results[i].index()];
      pieces.push_back(*pieces_[plan_.regions[op.body->index()].results[i].index()]);
    }
    for (const TensorId tensor : tensors_by_region_[op.body->index()]) drop(tensor);
  }
  for (std::size_t i = 0; i < op.results.size(); ++i) {
    dense_[op.results[i].index()] = std::move(dense[i]);
    store(placed.results[i], std::move(pieces[i]));
  }
  return {};
}

void Lockstep::enter(RegionId region, const std::vector<Value>& dense, std::vector<Values> pieces) {
  for (std::size_t i = 0; i < dense.size(); ++i) {
    dense_[graph_[region].arguments[i].index()] = dense[i];
    store(plan_.regions[region.index()].arguments[i], std::move(pieces[i]));
  }
}

void Lockstep::drop(TensorId tensor) {
  dense_[tensor.index()].reset();
  for (const CopyId copy : copies_of_[tensor.index()]) pieces_[copy.index()].reset();
}

void Lockstep::store(CopyId id, std::optional<Values> pieces) {
  const TensorId tensor = plan_[id].tensor;
  const Value& dense = *dense_[tensor.index()];
  const Placement where = placement(id);
  std::optional<Values>& stored = pieces_[id.index()];
  stored = pieces ? std::move(pieces) : distribute(dense, where);
  if (!comparing_[graph_[tensor].region.index()]) return;
  const Comparison comparison = compare(dense, *stored, where, options_.relative_tolerance);
  findings_.compared(comparison.relative_error);
  if (!comparison.mismatch) return;
  findings_.wrong_value(describe(id), *comparison.mismatch);
  stored = distribute(dense, where);
}

Placement Lockstep::placement(CopyId id) const {
  return {spec(id), graph_[plan_[id].tensor].type, plan_.mesh};
}

std::string Lockstep::describe(CopyId id) const {
  return fmt::format("tensor '{}' as {}", graph_.path(plan_[id].tensor),
                     to_string(spec(id), plan_.mesh));
}

void Lockstep::note_results_without_value() {
  for (const TensorId result : graph_.main().results) {
    const std::vector<double>& data = dense_[result.index()]->data;
    const bool number =
        std::none_of(data.begin(), data.end(), [](double element) { return std::isnan(element); });
    if (!number) {
      findings_.skipped(
          fmt::format("result '{}' holds NaN, which equals NaN", graph_.path(result)));
    }
  }
}

}  // namespace autoshard::internal
