// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// HLO modules for tests: written in place, or from tests/data.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "autoshard/graph.hpp"

namespace autoshard::test {

/// A module with one computation of these instructions.
std::string hlo_entry(std::string_view instructions);
/// The same with other computations before it.
std::string hlo_module(std::string_view computations, std::string_view instructions);

/// Fails the test when the text is not accepted.
Graph parsed_hlo(std::string_view text);
/// The message when it is not; empty when it is.
std::string hlo_mistake(std::string_view text);

/// The text of tests/data/NAME.hlo.gz.
std::string hlo_data(const std::string& name);

const Operator& operator_named(const Graph& graph, std::string_view name);
std::vector<std::string> names_of(const Graph& graph, const std::vector<TensorId>& tensors);
std::size_t count_kind(const Graph& graph, std::string_view kind);

}  // namespace autoshard::test
