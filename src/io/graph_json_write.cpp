// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// One line for each argument and operator, so that people and `diff` can read the file.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <type_traits>

#include "autoshard/graph_io.hpp"

namespace autoshard {
namespace {

using nlohmann::json;

std::string dump(const json& value) {
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

/// JSON has no literals for infinities and NaN.
std::string value_text(double value) {
  if (std::isnan(value)) return "\"nan\"";
  if (std::isinf(value)) return value > 0 ? "\"inf\"" : "\"-inf\"";
  return dump(value);
}

std::string value_text(bool value) { return value ? "true" : "false"; }
std::string value_text(std::int64_t value) { return std::to_string(value); }
std::string value_text(const std::string& value) { return dump(value); }

template <class T>
std::string value_text(const std::vector<T>& list) {
  std::vector<std::string> texts;
  for (const T& value : list) texts.push_back(value_text(value));
  return fmt::format("[{}]", fmt::join(texts, ", "));
}

class Writer {
 public:
  explicit Writer(const Graph& graph) : graph_(graph) {}

  std::string write() {
    out_ = fmt::format("{{\n  \"autoshard_graph\": 1,\n  \"name\": {},\n", dump(graph_.name()));
    arguments();
    out_ += ",\n";
    region(graph_.main(), "  ");
    state_pairs();
    warnings();
    return out_ + "\n}\n";
  }

 private:
  std::vector<std::string> names(const std::vector<TensorId>& ids) const {
    std::vector<std::string> names;
    for (const TensorId id : ids) names.push_back(graph_[id].name);
    return names;
  }

  std::vector<std::string> types(const std::vector<TensorId>& ids) const {
    std::vector<std::string> types;
    for (const TensorId id : ids) types.push_back(to_string(graph_[id].type));
    return types;
  }

  void lines(std::string_view key, const std::vector<std::string>& entries) {
    out_ += fmt::format("  \"{}\": [", key);
    if (!entries.empty()) out_ += fmt::format("\n    {}\n  ", fmt::join(entries, ",\n    "));
    out_ += ']';
  }

  void arguments() {
    std::vector<std::string> entries;
    for (const TensorId id : graph_.main().arguments) {
      const Tensor& tensor = graph_[id];
      entries.push_back(fmt::format(R"({{"name": {}, "type": "{}", "role": "{}"}})",
                                    dump(tensor.name), to_string(tensor.type), name(tensor.role)));
    }
    lines("arguments", entries);
  }

  void attributes(const Attributes& attributes) {
    std::vector<std::string> entries;
    for (const auto& [key, attribute] : attributes) {
      const auto to_text = [](const auto& value) { return value_text(value); };
      entries.push_back(fmt::format("{}: {}", dump(key), std::visit(to_text, attribute)));
    }
    if (!entries.empty()) out_ += fmt::format(", \"attributes\": {{{}}}", fmt::join(entries, ", "));
  }

  void one_operator(const Operator& op, const std::string& indent) {
    out_ += fmt::format(R"({}{{"name": {}, "kind": {}, "operands": {}, "results": {})", indent,
                        dump(op.name), dump(op.kind), value_text(names(op.operands)),
                        value_text(types(op.results)));
    attributes(op.attributes);
    out_ += fmt::format(R"(, "phase": "{}")", name(op.phase));
    if (op.body) {
      out_ += ", \"body\": {\n";
      region(graph_[*op.body], indent + "  ");
      out_ += fmt::format("\n{}}}", indent);
    }
    out_ += '}';
  }

  // Recursion is bounded by the builder's limit on nested loops.
  void region(const Region& region, const std::string& indent) {
    out_ += fmt::format("{}\"operators\": [", indent);
    for (std::size_t i = 0; i < region.operators.size(); ++i) {
      out_ += i == 0 ? "\n" : ",\n";
      one_operator(graph_[region.operators[i]], indent + "  ");
    }
    if (!region.operators.empty()) out_ += '\n' + indent;
    out_ += fmt::format("],\n{}\"results\": {}", indent, value_text(names(region.results)));
  }

  void state_pairs() {
    std::vector<std::string> entries;
    for (const auto& [input, output] : graph_.state_pairs()) {
      entries.push_back(
          fmt::format(R"({{"argument": {}, "result": {}}})", dump(graph_[input].name), output));
    }
    if (entries.empty()) return;
    out_ += ",\n";
    lines("state_pairs", entries);
  }

  void warnings() {
    std::vector<std::string> entries;
    for (const std::string& warning : graph_.warnings()) entries.push_back(dump(warning));
    if (entries.empty()) return;
    out_ += ",\n";
    lines("warnings", entries);
  }

  const Graph& graph_;
  std::string out_;
};

}  // namespace

std::string write_graph_json(const Graph& graph) { return Writer(graph).write(); }

}  // namespace autoshard
