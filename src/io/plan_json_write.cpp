// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// A plan as JSON. Keys come in the order of docs/plan.md, and each entry of a top-level list has a
// line of its own, so that two plans can be compared with diff.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "autoshard/plan.hpp"

namespace autoshard {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kSchemaVersion = 1;

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json();
}

Json decimal(const std::optional<Int128>& value) {
  return value ? Json(to_string(*value)) : Json();
}

Json ids(const std::vector<CopyId>& copies) {
  Json list = Json::array();
  for (const CopyId copy : copies) list.push_back(copy.value);
  return list;
}

Json phases_json(const std::vector<PhaseTime>& phases) {
  Json list = Json::array();
  for (const PhaseTime& phase : phases) {
    list.push_back({{"name", phase.name}, {"phase_seconds", phase.seconds}});
  }
  return list;
}

Json device_json(const Device& device) {
  return {{"name", device.name},
          {"matmul_flops_per_second_16", device.matmul_flops_per_second_16},
          {"matmul_flops_per_second_32", device.matmul_flops_per_second_32},
          {"matmul_flops_per_second_64", device.matmul_flops_per_second_64},
          {"vector_flops_per_second", device.vector_flops_per_second},
          {"memory_bytes_per_second", device.memory_bytes_per_second},
          {"memory_bytes", device.memory_bytes},
          {"latency_seconds", device.link.latency_seconds},
          {"bytes_per_second", device.link.bytes_per_second}};
}

Json stage_json(const DeviceMesh& mesh) {
  Json axes = Json::array();
  for (const MeshAxis& axis : mesh.axes()) {
    axes.push_back({{"name", axis.name},
                    {"size", axis.size},
                    {"latency_seconds", axis.link.latency_seconds},
                    {"bytes_per_second", axis.link.bytes_per_second}});
  }
  Json device_ids = Json::array();
  for (const std::int64_t id : mesh.device_ids()) device_ids.push_back(id);
  return {{"axes", std::move(axes)},
          {"device_ids", std::move(device_ids)},
          {"device", device_json(mesh.device())}};
}

/// "x", or "x:(2)4" for a part of it.
Json axes_json(const std::vector<AxisRef>& axes, const DeviceMesh& mesh) {
  Json list = Json::array();
  for (const AxisRef& part : axes) {
    const MeshAxis& axis = mesh.axes()[static_cast<std::size_t>(part.axis)];
    const bool whole = part.pre_size == 1 && part.size == axis.size;
    list.push_back(whole ? axis.name
                         : fmt::format("{}:({}){}", axis.name, part.pre_size, part.size));
  }
  return list;
}

/// Writes the entries of the plan's lists; a stage number stands in each that later lies on one.
class EntryWriter {
 public:
  EntryWriter(const IntraOpPlan& plan, const Graph& graph) : plan_(plan), graph_(graph) {}

  Json parameters() const {
    Json list = Json::array();
    if (!plan_.has_answer()) return list;
    for (const CopyId copy : plan_.regions.front().arguments) {
      Json entry = tensor_entry(plan_[copy]);
      entry["role"] = name(graph_[plan_[copy].tensor].role);
      list.push_back(std::move(entry));
    }
    return list;
  }

  Json tensors() const {
    Json list = Json::array();
    for (const TensorCopy& copy : plan_.copies) {
      Json entry = {{"copy", list.size()}};
      entry.update(tensor_entry(copy));
      entry["source"] = copy.source ? Json(copy.source->value) : Json();
      entry["phase"] = name(copy.phase);
      entry["at_once"] = copy.at_once;
      entry["count"] = copy.count;
      entry["run_seconds"] = copy.seconds;
      entry["steps"] = steps(copy);
      list.push_back(std::move(entry));
    }
    return list;
  }

  Json operators() const {
    Json list = Json::array();
    for (const OperatorPlacement& placement : plan_.operators) {
      list.push_back({{"name", graph_.operators()[list.size()].name},
                      {"stage", 0},
                      {"operands", ids(placement.operands)},
                      {"results", ids(placement.results)},
                      {"run_seconds", placement.seconds},
                      {"count", placement.count}});
    }
    return list;
  }

  Json regions() const {
    Json list = Json::array();
    for (const RegionPlacement& region : plan_.regions) {
      list.push_back({{"arguments", ids(region.arguments)}, {"results", ids(region.results)}});
    }
    return list;
  }

  Json totals() const {
    Json list = Json::array();
    for (const CollectiveTotal& total : plan_.collectives) {
      list.push_back({{"kind", name(total.kind)},
                      {"axes", axes_json(total.axes, plan_.mesh)},
                      {"stage", 0},
                      {"count", total.count},
                      {"buffer_bytes", total.buffer_bytes},
                      {"sent_bytes_per_device", total.sent_bytes_per_device},
                      {"total_seconds", total.seconds}});
    }
    return list;
  }

  /// The steps of all tensors that send something, in the order of the copies.
  Json collectives() const {
    Json list = Json::array();
    for (std::size_t i = 0; i < plan_.copies.size(); ++i) append_collectives(list, i);
    return list;
  }

 private:
  Json tensor_entry(const TensorCopy& copy) const {
    const Tensor& tensor = graph_[copy.tensor];
    return {{"tensor", graph_.path(copy.tensor)},
            {"tensor_id", copy.tensor.value},
            {"stage", 0},
            {"type", to_string(tensor.type)},
            {"spec", to_string(copy.spec, plan_.mesh)},
            {"local_bytes", shard_bytes(copy.spec, tensor.type)}};
  }

  Json collective_entry(const Collective& step) const {
    return {{"kind", name(step.kind)},
            {"axes", axes_json(step.axes, plan_.mesh)},
            {"group_size", step.group_size},
            {"buffer_bytes", step.buffer_bytes},
            {"sent_bytes_per_device", sent_bytes_per_device(step)}};
  }

  Json steps(const TensorCopy& copy) const {
    Json list = Json::array();
    for (std::size_t i = 0; i < copy.steps.size(); ++i) {
      Json entry = collective_entry(copy.steps[i]);
      entry["reduction"] = name(copy.steps[i].reduction);
      entry["split_dim"] = copy.steps[i].split_dim;
      entry["gather_dim"] = copy.steps[i].gather_dim;
      entry["spec"] = to_string(copy.step_specs[i], plan_.mesh);
      list.push_back(std::move(entry));
    }
    return list;
  }

  void append_collectives(Json& list, std::size_t index) const {
    const TensorCopy& copy = plan_.copies[index];
    for (const Collective& step : copy.steps) {
      if (step.kind == CollectiveKind::slice) continue;
      Json entry = collective_entry(step);
      entry["count"] = copy.count;
      entry["frequency"] = copy.phase == Phase::update ? "step" : "microbatch";
      entry["tensor"] = graph_.path(copy.tensor);
      entry["copy"] = index;
      entry["stage"] = 0;
      list.push_back(std::move(entry));
    }
  }

  const IntraOpPlan& plan_;
  const Graph& graph_;
};

Json plan_json(const IntraOpPlan& plan, const Graph& graph) {
  const EntryWriter entries(plan, graph);
  Json json;
  json["schema_version"] = kSchemaVersion;
  json["autoshard_version"] = AUTOSHARD_VERSION;
  json["graph_name"] = plan.graph_name;
  json["graph_fingerprint"] = plan.graph_fingerprint;
  json["target"] = plan.target;
  json["status"] = name(plan.status);
  json["reason"] = plan.reason;
  json["step_seconds"] = plan.step_seconds;
  json["compute_seconds"] = plan.compute_seconds;
  json["collective_seconds"] = plan.collective_seconds;
  json["peak_bytes"] = plan.peak_bytes;
  json["peak_at"] = plan.peak_at;
  json["argument_bytes"] = plan.argument_bytes;
  json["memory_limit_bytes"] = or_null(plan.memory_limit_bytes);
  json["solver"] = {{"cost", decimal(plan.solver_cost)},
                    {"lower_bound", decimal(plan.solver_lower_bound)},
                    {"gap", or_null(plan.solver_gap)}};
  json["planning_seconds"] = plan.planning_seconds;
  json["planning_phases"] = phases_json(plan.phases);
  json["warnings"] = plan.warnings;
  json["stages"] = Json::array({stage_json(plan.mesh)});
  json["parameters"] = entries.parameters();
  json["collective_totals"] = entries.totals();
  json["collectives"] = entries.collectives();
  json["tensors"] = entries.tensors();
  json["operators"] = entries.operators();
  json["regions"] = entries.regions();
  return json;
}

/// Names may hold any bytes; what is not UTF-8 becomes U+FFFD.
std::string line(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string list_text(const Json& list) {
  std::string text = "[";
  for (std::size_t i = 0; i < list.size(); ++i) {
    text += (i == 0 ? "\n    " : ",\n    ") + line(list[i]);
  }
  return text + (list.empty() ? "]" : "\n  ]");
}

}  // namespace

std::string write_plan_json(const IntraOpPlan& plan, const Graph& graph) {
  const Json json = plan_json(plan, graph);
  std::string text = "{";
  for (const auto& [key, value] : json.items()) {
    text += fmt::format("{}\n  \"{}\": {}", text.size() == 1 ? "" : ",", key,
                        value.is_array() ? list_text(value) : line(value));
  }
  return text + "\n}\n";
}

}  // namespace autoshard
