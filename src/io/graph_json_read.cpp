// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// Resolves the names of a graph's source and hands it to the builder, which checks the rest.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <unordered_map>

#include "autoshard/graph_io.hpp"
#include "base/errors.hpp"
#include "base/try.hpp"
#include "io/graph_json_source.hpp"
#include "io/graph_json_text.hpp"

namespace autoshard {
namespace internal {
namespace {

class Assembly {
 public:
  explicit Assembly(const GraphSource& source) : source_(source), builder_(source.name) {}

  Result<Graph> finish() {
    for (const ArgumentSource& argument : source_.arguments) add_argument(argument);
    AUTOSHARD_CHECK_OK(check_builder());
    AUTOSHARD_CHECK_OK(add_operators(source_.main));
    AUTOSHARD_TRY(const auto results, resolve(source_.main.results, "graph: result"));
    for (const TensorId result : results) builder_.result(result);
    AUTOSHARD_CHECK_OK(add_state_pairs());
    for (const std::string& warning : source_.warnings) builder_.warn(warning);
    return std::move(builder_).build();
  }

 private:
  void add_argument(const ArgumentSource& argument) {
    const TensorId id = builder_.argument(argument.name, argument.type, argument.role);
    tensors_.emplace(argument.name, id);
  }

  /// Stops at the first mistake: what the builder hands out after it stands for nothing.
  Result<void> check_builder() {
    if (!builder_.failed()) return {};
    return std::move(builder_).build().error();
  }

  Result<TensorId> resolve(const std::string& name, std::string_view place) const {
    const auto found = tensors_.find(name);
    if (found != tensors_.end()) return found->second;
    return invalid("{}: no tensor is named '{}'", place, name);
  }

  Result<std::vector<TensorId>> resolve(const std::vector<std::string>& names,
                                        std::string_view place) const {
    std::vector<TensorId> ids;
    for (std::size_t i = 0; i < names.size(); ++i) {
      AUTOSHARD_TRY(const TensorId id, resolve(names[i], fmt::format("{} {}", place, i)));
      ids.push_back(id);
    }
    return ids;
  }

  Result<void> add_operators(const RegionSource& region) {
    AUTOSHARD_TRY(const auto order, topological_order(region));
    for (const std::size_t i : order) AUTOSHARD_CHECK_OK(add_operator(region.operators[i]));
    return {};
  }

  Result<void> add_operator(const OperatorSource& source) {
    const std::string place = fmt::format("operator '{}'", source.spec.name);
    OperatorSpec spec = source.spec;
    AUTOSHARD_TRY(spec.operands, resolve(source.operands, place + ": operand"));
    std::vector<TensorId> results;
    if (source.body == nullptr) {
      results = builder_.add(std::move(spec));
    } else {
      AUTOSHARD_TRY(results, add_loop(std::move(spec), *source.body));
    }
    AUTOSHARD_CHECK_OK(check_builder());
    const auto names = result_names(source);
    for (std::size_t i = 0; i < results.size(); ++i) tensors_.emplace(names[i], results[i]);
    return {};
  }

  Result<std::vector<TensorId>> add_loop(OperatorSpec spec, const RegionSource& body) {
    const std::string name = spec.name;
    const std::vector<TensorId> arguments = builder_.begin_loop(std::move(spec)).arguments;
    AUTOSHARD_CHECK_OK(check_builder());
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      tensors_.emplace(fmt::format("{}/arg:{}", name, i), arguments[i]);
    }
    AUTOSHARD_CHECK_OK(add_operators(body));
    const std::string place = fmt::format("operator '{}': body result", name);
    AUTOSHARD_TRY(const auto results, resolve(body.results, place));
    return builder_.end_loop(results);
  }

  Result<void> add_state_pairs() {
    for (std::size_t i = 0; i < source_.state_pairs.size(); ++i) {
      const auto& [argument, result] = source_.state_pairs[i];
      AUTOSHARD_TRY(const TensorId id, resolve(argument, fmt::format("state_pairs[{}]", i)));
      builder_.state_pair(id, result);
    }
    return {};
  }

  const GraphSource& source_;
  GraphBuilder builder_;
  std::unordered_map<std::string, TensorId> tensors_;
};

}  // namespace
}  // namespace internal

Result<Graph> parse_graph_json(std::string_view text) {
  return internal::guarded([text]() -> Result<Graph> {
    AUTOSHARD_TRY(const auto document, internal::parse_json_text(text));
    AUTOSHARD_TRY(const auto source, internal::read_graph_source(document));
    return internal::Assembly(source).finish();
  });
}

}  // namespace autoshard
