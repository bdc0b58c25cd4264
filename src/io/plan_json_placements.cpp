// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "io/plan_json_placements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

namespace autoshard::internal {
namespace {

/// 16 TiB: more than any buffer, and sums over a plan stay inside 64 bits.
constexpr std::int64_t kLargestBuffer = std::int64_t{1} << 44;

std::int64_t last_index(std::size_t size) { return static_cast<std::int64_t>(size) - 1; }

class PlacementReader {
 public:
  PlacementReader(const Graph& graph, IntraOpPlan& plan) : graph_(graph), plan_(plan) {}

  void read(const JsonCursor& top) {
    read_copies(top["tensors"]);
    read_operators(top["operators"]);
    read_regions(top["regions"]);
    for (const JsonCursor& entry : top["collective_totals"].items()) {
      plan_.collectives.push_back(read_total(entry));
    }
  }

 private:
  void read_copies(const JsonCursor& list) {
    const std::vector<JsonCursor> entries = list.items();
    for (const JsonCursor& entry : entries)
      plan_.copies.push_back(read_copy(entry, entries.size()));
    for (std::size_t i = 0; i < entries.size(); ++i) check_source(entries[i], i);
  }

  TensorCopy read_copy(const JsonCursor& entry, std::size_t copy_count) const {
    const std::int64_t index = last_index(plan_.copies.size() + 1);
    entry["copy"].integer(index, index);
    TensorCopy copy;
    copy.tensor = read_tensor(entry);
    copy.spec = read_spec(entry["spec"], copy.tensor);
    if (!entry["source"].is_null()) copy.source = read_id(entry["source"], copy_count);
    const auto phase = parse_phase(entry["phase"].text());
    if (!phase) entry["phase"].fail("is not forward, backward or update");
    copy.phase = *phase;
    copy.at_once = entry["at_once"].boolean();
    copy.count = entry["count"].integer();
    copy.seconds = entry["run_seconds"].number();
    for (const JsonCursor& step : entry["steps"].items()) {
      copy.steps.push_back(read_step(step, copy.tensor));
      copy.step_specs.push_back(read_spec(step["spec"], copy.tensor));
    }
    return copy;
  }

  TensorId read_tensor(const JsonCursor& entry) const {
    const std::int64_t last = last_index(graph_.tensors().size());
    const TensorId tensor(static_cast<std::size_t>(entry["tensor_id"].integer(0, last)));
    const std::string path = graph_.path(tensor);
    if (entry["tensor"].text() != path) {
      entry["tensor"].fail(fmt::format("tensor {} of the graph is '{}'", tensor.value, path));
    }
    return tensor;
  }

  ShardingSpec read_spec(const JsonCursor& value, TensorId tensor) const {
    ShardingSpec spec = value.take(parse_sharding_spec(value.text(), plan_.mesh));
    value.check(validate(spec, graph_[tensor].type, plan_.mesh));
    return spec;
  }

  Collective read_step(const JsonCursor& entry, TensorId tensor) const {
    Collective step;
    step.kind = read_kind(entry["kind"]);
    step.axes = read_axes(entry["axes"]);
    const auto reduction = parse_reduction(entry["reduction"].text());
    if (!reduction) entry["reduction"].fail("is not a reduction");
    step.reduction = *reduction;
    const std::int64_t last_dim = std::max<std::int64_t>(0, graph_[tensor].type.rank() - 1);
    step.split_dim = static_cast<std::int32_t>(entry["split_dim"].integer(0, last_dim));
    step.gather_dim = static_cast<std::int32_t>(entry["gather_dim"].integer(0, last_dim));
    std::int64_t group_size = 1;
    for (const AxisRef& axis : step.axes) group_size *= axis.size;
    step.group_size = entry["group_size"].integer(group_size, group_size);
    step.buffer_bytes = entry["buffer_bytes"].integer(0, kLargestBuffer);
    return step;
  }

  CollectiveTotal read_total(const JsonCursor& entry) const {
    return {.kind = read_kind(entry["kind"]),
            .axes = read_axes(entry["axes"]),
            .count = entry["count"].integer(),
            .buffer_bytes = entry["buffer_bytes"].integer(),
            .sent_bytes_per_device = entry["sent_bytes_per_device"].integer(),
            .seconds = entry["total_seconds"].number()};
  }

  static CollectiveKind read_kind(const JsonCursor& value) {
    const auto kind = parse_collective(value.text());
    if (!kind) value.fail(fmt::format("'{}' is not a collective", value.text()));
    return *kind;
  }

  /// Written as "x" or "x:(2)4"; read as the spec of a list, which is checked all the same.
  std::vector<AxisRef> read_axes(const JsonCursor& list) const {
    ShardingSpec group = ShardingSpec::replicated(1);
    for (const JsonCursor& item : list.items()) {
      const std::string& text = item.text();
      const std::size_t colon = std::min(text.find(':'), text.size());
      const std::string spec_text =
          fmt::format("[{{\"{}\"{}}}]", text.substr(0, colon), text.substr(colon));
      const ShardingSpec spec = item.take(parse_sharding_spec(spec_text, plan_.mesh));
      if (spec.dims.size() != 1 || spec.dims[0].size() != 1) item.fail("is not one axis");
      group.dims[0].push_back(spec.dims[0][0]);
    }
    list.check(validate(group, TensorType{DType::f32, {1}}, plan_.mesh));
    return group.dims[0];
  }

  /// The source is a form of the same tensor, and following the sources ends at a made form.
  void check_source(const JsonCursor& entry, std::size_t index) const {
    const TensorCopy& copy = plan_.copies[index];
    if (!copy.source) {
      if (!copy.steps.empty()) entry["steps"].fail("steps without a source");
      return;
    }
    if (plan_[*copy.source].tensor != copy.tensor) entry["source"].fail("is of another tensor");
    const ShardingSpec& last =
        copy.steps.empty() ? plan_[*copy.source].spec : copy.step_specs.back();
    if (last != copy.spec) entry["steps"].fail("do not end in the spec of this copy");
    std::optional<CopyId> at = copy.source;
    for (std::size_t walked = 0; at; at = plan_[*at].source) {
      if (++walked > plan_.copies.size()) entry["source"].fail("leads back to itself");
    }
  }

  void read_operators(const JsonCursor& list) {
    const std::vector<JsonCursor> entries = list.items();
    // Without an answer all lists are empty.
    if (entries.empty() && plan_.copies.empty()) return;
    check_count(list, entries.size(), graph_.operators().size());
    for (std::size_t i = 0; i < entries.size(); ++i) {
      plan_.operators.push_back(read_operator(entries[i], graph_.operators()[i]));
    }
  }

  OperatorPlacement read_operator(const JsonCursor& entry, const Operator& op) const {
    if (entry["name"].text() != op.name) {
      entry["name"].fail(fmt::format("the operator of the graph is '{}'", op.name));
    }
    return {.operands = read_copy_ids(entry["operands"], op.operands),
            .results = read_copy_ids(entry["results"], op.results),
            .seconds = entry["run_seconds"].number(),
            .count = entry["count"].integer()};
  }

  void read_regions(const JsonCursor& list) {
    const std::vector<JsonCursor> entries = list.items();
    if (entries.empty() && plan_.copies.empty()) return;
    check_count(list, entries.size(), graph_.regions().size());
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const Region& region = graph_.regions()[i];
      plan_.regions.push_back(
          {.arguments = read_copy_ids(entries[i]["arguments"], region.arguments),
           .results = read_copy_ids(entries[i]["results"], region.results)});
    }
  }

  /// One copy for each of `tensors`, in order.
  std::vector<CopyId> read_copy_ids(const JsonCursor& list,
                                    std::span<const TensorId> tensors) const {
    const std::vector<JsonCursor> entries = list.items();
    check_count(list, entries.size(), tensors.size());
    std::vector<CopyId> copies;
    for (std::size_t i = 0; i < entries.size(); ++i) {
      copies.push_back(read_id(entries[i], plan_.copies.size()));
      if (plan_[copies.back()].tensor == tensors[i]) continue;
      entries[i].fail(fmt::format("copy {} is not of tensor '{}'", copies.back().value,
                                  graph_.path(tensors[i])));
    }
    return copies;
  }

  static CopyId read_id(const JsonCursor& value, std::size_t copy_count) {
    return CopyId(static_cast<std::size_t>(value.integer(0, last_index(copy_count))));
  }

  static void check_count(const JsonCursor& list, std::size_t found, std::size_t wanted) {
    if (found != wanted) list.fail(fmt::format("has {} entries, expected {}", found, wanted));
  }

  const Graph& graph_;
  IntraOpPlan& plan_;
};

}  // namespace

void read_placements(const JsonCursor& top, const Graph& graph, IntraOpPlan& plan) {
  PlacementReader(graph, plan).read(top);
}

}  // namespace autoshard::internal
