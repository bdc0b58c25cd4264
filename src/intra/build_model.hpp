// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// Graph -> IntraModel: nodes for operators and forms of tensors, links where one is converted into
// the other. Memory is added only when it is limited.
#pragma once

#include <optional>
#include <span>

#include "autoshard/intra_op.hpp"
#include "intra/model.hpp"

namespace autoshard::internal {

struct ModelInputs {
  const Graph* graph = nullptr;
  const StrategyContext* context = nullptr;
  StrategyBuilder* strategies = nullptr;
  SpecTable* specs = nullptr;
  std::optional<std::int64_t> memory_limit;
  std::span<const PinnedSpec> pins;
};

IntraModel build_model(const ModelInputs& inputs);

/// Adds what each node holds and when. Called by build_model.
void add_memory(const ModelInputs& inputs, IntraModel& model);

/// Last time a tensor's memory is needed, through fused consumers and reshapes of it.
std::vector<std::int64_t> last_needed(const Graph& graph, const std::vector<Storage>& storage,
                                      const IntraModel& model);

/// The result overwrites the memory of the state (or carried value) that it replaces: it is
/// computed element by element, or as an update of a part, by the last reader of the old value.
std::vector<bool> find_in_place(const Graph& graph, const IntraModel& model);

}  // namespace autoshard::internal
