// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "execute/argument_values.hpp"

#include <algorithm>

#include "execute/element.hpp"

namespace autoshard::internal {
namespace {

/// How many rows an index of this operator can name at least.
std::int64_t indexed_rows(const Graph& graph, const Operator& op, std::string_view map) {
  constexpr std::int64_t kSmall = 8;
  const std::vector<std::int64_t>* dims = op.ints(map);
  if (!dims || dims->empty()) return kSmall;
  const std::vector<std::int64_t>& shape = graph[op.operands[0]].type.shape;
  std::int64_t rows = shape[static_cast<std::size_t>(dims->front())];
  for (const std::int64_t d : *dims) rows = std::min(rows, shape[static_cast<std::size_t>(d)]);
  return rows;
}

/// Every integer argument stays below this.
std::int64_t index_limit(const Graph& graph) {
  std::int64_t limit = 0;
  for (const Operator& op : graph.operators()) {
    if (op.kind != "gather" && op.kind != "scatter") continue;
    const std::int64_t rows = indexed_rows(
        graph, op, op.kind == "gather" ? "start_index_map" : "scatter_dims_to_operand_dims");
    limit = limit == 0 ? rows : std::min(limit, rows);
  }
  constexpr std::int64_t kDefault = 8;
  return std::max<std::int64_t>(limit == 0 ? kDefault : limit, 1);
}

double random_element(const Tensor& tensor, std::uint64_t bits, std::int64_t limit) {
  const DType dtype = tensor.type.dtype;
  if (dtype == DType::pred) return static_cast<double>(bits & 1);
  if (tensor.role == Role::optimizer_state && tensor.type.rank() == 0) return 1;
  if (is_integer(dtype)) {
    // The narrowest type, s4, ends at 7.
    const std::int64_t cap = autoshard::bits(dtype) < 8 ? std::min<std::int64_t>(limit, 8) : limit;
    return converted(static_cast<double>(bits % static_cast<std::uint64_t>(cap)), dtype);
  }
  const double unit = unit_interval(bits);
  return tensor.role == Role::optimizer_state ? 0.1 + 0.9 * unit : 2 * unit - 1;
}

}  // namespace

Values argument_values(const Graph& graph, std::uint64_t seed) {
  const std::int64_t limit = index_limit(graph);
  Values values;
  for (const TensorId id : graph.main().arguments) {
    const Tensor& tensor = graph[id];
    const std::uint64_t stream = mix(seed, hash_text(tensor.name));
    Value value = filled(whole_box(tensor.type.shape), 0.0);
    for (std::size_t n = 0; n < value.data.size(); ++n) {
      value.data[n] = random_element(tensor, mix(stream, n), limit);
    }
    values.push_back(std::move(value));
  }
  return values;
}

}  // namespace autoshard::internal
