// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "io/hlo_lowering.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>

#include "autoshard/graph_builder.hpp"
#include "base/errors.hpp"
#include "base/try.hpp"
#include "io/hlo_alias.hpp"
#include "io/hlo_bitcast.hpp"
#include "io/hlo_checks.hpp"
#include "io/hlo_comparator.hpp"
#include "io/hlo_loop.hpp"
#include "io/hlo_operators.hpp"
#include "io/hlo_reducer.hpp"

namespace autoshard::internal {
namespace {

/// Calls inside calls; compilers nest a handful.
constexpr std::size_t kMaximumCallDepth = 200;
/// Bytes, beside the module's own. Calls that call twice double at every level.
constexpr std::size_t kMaximumInlinedText = std::size_t{256} << 20;

/// The tensors of a value, its tuples flattened.
using Value = std::vector<TensorId>;

/// A computation that is being inlined: what its instructions have become so far.
struct Scope {
  const HloComputation& computation;
  std::vector<Value> arguments;
  std::string prefix;
  std::vector<Value> values = {};
};

class Lowering {
 public:
  explicit Lowering(const HloModule& module)
      : module_(module), checks_(module), builder_(std::string(module.name)) {}

  Result<Graph> run() {
    const HloComputation& entry = module_.computations[static_cast<std::size_t>(module_.entry)];
    AUTOSHARD_TRY(const Value results, lower(entry, arguments(entry), ""));
    for (const TensorId result : results) builder_.result(result);
    AUTOSHARD_CHECK_OK(state_pairs(entry));
    return std::move(builder_).build();
  }

 private:
  using Rule = Result<Value> (Lowering::*)(Scope&, const HloInstruction&);

  // ---- main

  std::vector<Value> arguments(const HloComputation& entry) {
    std::vector<Value> result;
    for (const std::int32_t position : entry.parameters) {
      const HloInstruction& parameter = entry.instructions[static_cast<std::size_t>(position)];
      const std::vector<TensorType>& types = parameter.shape.leaves;
      Value value;
      for (std::size_t leaf = 0; leaf < types.size(); ++leaf) {
        std::string name(parameter.name);
        if (parameter.shape.is_tuple) name += fmt::format(":{}", leaf);
        value.push_back(builder_.argument(unique(std::move(name)), types[leaf]));
      }
      main_arguments_.push_back(value);
      result.push_back(std::move(value));
    }
    return result;
  }

  Result<void> state_pairs(const HloComputation& entry) {
    AUTOSHARD_TRY(const std::vector<HloAlias> aliases, hlo_aliases(module_, entry));
    if (!aliases.empty()) builder_.infer_training_roles();
    for (const HloAlias& alias : aliases) {
      const Value& parameter = main_arguments_[static_cast<std::size_t>(alias.parameter)];
      builder_.state_pair(parameter[static_cast<std::size_t>(alias.parameter_leaf)],
                          alias.result_leaf);
    }
    return {};
  }

  // ---- computations

  Result<Value> lower(const HloComputation& computation, std::vector<Value> arguments,
                      std::string prefix) {
    if (active_.size() >= kMaximumCallDepth) {
      return invalid("computation '{}': calls are nested deeper than {}", computation.name,
                     kMaximumCallDepth);
    }
    if (std::find(active_.begin(), active_.end(), &computation) != active_.end()) {
      return invalid("computation '{}' calls itself", computation.name);
    }
    active_.push_back(&computation);
    Scope scope{computation, std::move(arguments), std::move(prefix)};
    scope.values.reserve(computation.instructions.size());
    for (const HloInstruction& instruction : computation.instructions) {
      AUTOSHARD_TRY(Value value, lower(scope, instruction));
      scope.values.push_back(std::move(value));
    }
    active_.pop_back();
    return std::move(scope.values[static_cast<std::size_t>(computation.root)]);
  }

  Result<Value> lower(Scope& scope, const HloInstruction& at) {
    inlined_text_ += at.length;
    if (inlined_text_ > kMaximumInlinedText + module_.text.size())
      return checks_.mistake(at, "the module is too large once calls are inlined");
    const Rule rule = rule_of(at.opcode);
    AUTOSHARD_TRY(Value value,
                  rule != nullptr ? (this->*rule)(scope, at) : one_operator(scope, at));
    if (value.size() != at.shape.leaves.size()) {
      return checks_.mistake(at, "has {} values, its shape has {}", value.size(),
                             at.shape.leaves.size());
    }
    return value;
  }

  static Rule rule_of(std::string_view opcode) {
    static const std::unordered_map<std::string_view, Rule> rules = {
        {"parameter", &Lowering::parameter},
        {"tuple", &Lowering::tuple},
        {"get-tuple-element", &Lowering::element},
        {"call", &Lowering::call},
        {"fusion", &Lowering::call},
        {"while", &Lowering::loop},
        {"conditional", &Lowering::conditional},
        {"bitcast", &Lowering::bitcast},
        {"opt-barrier", &Lowering::barrier},
    };
    const auto found = rules.find(opcode);
    return found == rules.end() ? nullptr : found->second;
  }

  // ---- values without an operator

  Result<Value> parameter(Scope& scope, const HloInstruction& at) {
    const std::size_t number = hlo_parameter_number(at);
    if (number < scope.arguments.size()) return scope.arguments[number];
    return checks_.mistake(at, "there are only {} arguments", scope.arguments.size());
  }

  Result<Value> tuple(Scope& scope, const HloInstruction& at) { return flat_operands(scope, at); }

  Result<Value> element(Scope& scope, const HloInstruction& at) {
    AUTOSHARD_TRY(const HloLeafRange range, checks_.element(scope.computation, at));
    const auto values = scope.values[static_cast<std::size_t>(at.operands[0])].begin();
    return Value(values + range.first, values + range.last);
  }

  // ---- operators

  Result<Value> one_operator(Scope& scope, const HloInstruction& at) {
    OperatorSpec spec;
    spec.name = operator_name(scope, at);
    spec.operands = flat_operands(scope, at);
    spec.result_types = at.shape.leaves;
    spec.kind = hlo_kind(at.opcode);
    spec.phase = phase_of(at);
    if (const HloOperator* known = find_hlo_operator(at.opcode); known != nullptr) {
      AUTOSHARD_CHECK_OK(translate(*known, at, spec));
    }
    const std::optional<std::int64_t> integer = known_integer(at, spec);
    Value result = builder_.add(std::move(spec));
    if (integer) integers_[result.at(0).value] = *integer;
    return result;
  }

  /// Scalar integers whose value the text tells, for the bounds of loops.
  std::optional<std::int64_t> known_integer(const HloInstruction& at,
                                            const OperatorSpec& spec) const {
    if (at.opcode == "constant") return hlo_integer_constant(at);
    if (at.opcode != "copy" || spec.operands.size() != 1) return std::nullopt;
    const auto found = integers_.find(spec.operands[0].value);
    return found == integers_.end() ? std::nullopt : std::optional(found->second);
  }

  /// JAX names what its transposition of the forward pass made; with state pairs the graph itself
  /// tells more, and the builder overwrites this.
  static Phase phase_of(const HloInstruction& at) {
    const std::string_view metadata = at.attribute("metadata").value_or("");
    const bool transposed = metadata.find("transpose(") != std::string_view::npos;
    return transposed ? Phase::backward : Phase::forward;
  }

  Result<void> translate(const HloOperator& known, const HloInstruction& at, OperatorSpec& spec) {
    if (!known.kind.empty()) spec.kind = known.kind;
    if (known.operands != HloOperator::kAnyNumber) {
      AUTOSHARD_CHECK_OK(checks_.expect_operands(at, static_cast<std::size_t>(known.operands)));
    }
    if (known.translate == nullptr) return {};
    HloAttributeReader reader(at);
    known.translate(reader, spec.attributes);
    if (reader.problem()) return checks_.mistake(at, "{}", *reader.problem());
    return at.opcode == "sort" ? comparator(at, spec) : reducer(at, spec);
  }

  Result<void> comparator(const HloInstruction& at, OperatorSpec& spec) {
    AUTOSHARD_TRY(const HloComputation* computation, checks_.named(at, "to_apply"));
    const std::optional<HloOrder> order = recognise_hlo_comparator(*computation);
    if (!order) {
      spec.attributes["comparator"] = std::string("custom");
      return {};
    }
    if (order->keys != 1) spec.attributes["num_keys"] = order->keys;
    if (order->descending) spec.attributes["descending"] = std::int64_t{1};
    return {};
  }

  Result<void> reducer(const HloInstruction& at, OperatorSpec& spec) {
    if (at.opcode == "select-and-scatter") return selection(at, spec);
    if (at.opcode != "reduce" && at.opcode != "scatter" && at.opcode != "reduce-window") return {};
    AUTOSHARD_TRY(const HloComputation* computation, checks_.named(at, "to_apply"));
    spec.attributes["reducer"] = reducer_name(at, *computation);
    return {};
  }

  /// Only in a scatter may the second value win.
  std::string reducer_name(const HloInstruction& at, const HloComputation& computation) const {
    const std::string_view name = recognise_hlo_reducer(module_, computation);
    return std::string(name == "assign" && at.opcode != "scatter" ? "custom" : name);
  }

  Result<void> selection(const HloInstruction& at, OperatorSpec& spec) {
    AUTOSHARD_TRY(const HloComputation* select, checks_.named(at, "select"));
    AUTOSHARD_TRY(const HloComputation* scatter, checks_.named(at, "scatter"));
    spec.attributes["selector"] = std::string(recognise_hlo_selector(*select));
    spec.attributes["reducer"] = reducer_name(at, *scatter);
    return {};
  }

  Result<Value> bitcast(Scope& scope, const HloInstruction& at) {
    AUTOSHARD_CHECK_OK(checks_.expect_operands(at, 1));
    const auto operand = static_cast<std::size_t>(at.operands[0]);
    const HloShape& from = scope.computation.instructions[operand].shape;
    if (from.is_tuple || at.shape.is_tuple) return checks_.mistake(at, "a tuple cannot be cast");
    if (from.leaves[0].bytes() != at.shape.leaves[0].bytes()) {
      return checks_.mistake(at, "cannot cast {} to {}", to_string(from.leaves[0]),
                             to_string(at.shape.leaves[0]));
    }
    Value value = scope.values[operand];
    for (OperatorSpec& step : hlo_bitcast_steps(from, at.shape)) {
      step.name = operator_name(scope, at);
      step.operands = value;
      value = builder_.add(std::move(step));
    }
    return value;
  }

  /// The barrier orders nothing that a plan looks at, so each value gets its own.
  Result<Value> barrier(Scope& scope, const HloInstruction& at) {
    AUTOSHARD_CHECK_OK(checks_.expect_operands(at, 1));
    Value result;
    const auto& types = at.shape.leaves;
    const Value& values = scope.values[static_cast<std::size_t>(at.operands[0])];
    for (std::size_t i = 0; i < std::min(types.size(), values.size()); ++i) {
      OperatorSpec spec{operator_name(scope, at), "optimization_barrier", {values[i]}, {types[i]}};
      result.push_back(builder_.add_one(std::move(spec)));
    }
    return result;
  }

  Result<Value> conditional(Scope& scope, const HloInstruction& at) {
    builder_.warn(fmt::format("conditional '{}': its branches are not looked into", at.name));
    OperatorSpec spec{operator_name(scope, at), "case", flat_operands(scope, at), at.shape.leaves};
    return builder_.add(std::move(spec));
  }

  // ---- calls and loops

  Result<Value> call(Scope& scope, const HloInstruction& at) {
    AUTOSHARD_TRY(const HloComputation* callee, checks_.callee(scope.computation, at));
    std::vector<Value> arguments;
    for (const std::int32_t operand : at.operands) {
      arguments.push_back(scope.values[static_cast<std::size_t>(operand)]);
    }
    return lower(*callee, std::move(arguments), scope.prefix + std::string(at.name) + '/');
  }

  Result<Value> loop(Scope& scope, const HloInstruction& at) {
    AUTOSHARD_TRY(const HloLoop parts, checks_.loop(scope.computation, at));
    const Value initial = scope.values[static_cast<std::size_t>(at.operands[0])];
    const std::vector<bool> invariant = hlo_invariant_leaves(module_, parts);
    const LoopBody body = open_loop(scope, parts, initial, invariant);
    std::vector<Value> arguments = {merge(initial, body.arguments, invariant)};
    AUTOSHARD_TRY(const Value next, lower(*parts.body, std::move(arguments), scope.prefix));
    Value carried;
    for (std::size_t leaf = 0; leaf < next.size(); ++leaf) {
      if (!invariant[leaf]) carried.push_back(next[leaf]);
    }
    return merge(initial, builder_.end_loop(std::move(carried)), invariant);
  }

  LoopBody open_loop(Scope& scope, const HloLoop& loop, const Value& initial,
                     const std::vector<bool>& invariant) {
    std::vector<std::optional<std::int64_t>> known;
    OperatorSpec spec;
    spec.name = operator_name(scope, *loop.instruction);
    spec.kind = "while";
    for (std::size_t leaf = 0; leaf < initial.size(); ++leaf) {
      const auto found = integers_.find(initial[leaf].value);
      known.push_back(found == integers_.end() ? std::nullopt : std::optional(found->second));
      if (invariant[leaf]) continue;
      spec.operands.push_back(initial[leaf]);
      spec.result_types.push_back(loop.instruction->shape.leaves[leaf]);
    }
    if (const auto count = hlo_trip_count(module_, loop, known, invariant)) {
      spec.attributes["trip_count"] = *count;
    }
    return builder_.begin_loop(std::move(spec));
  }

  /// The outer tensors where the loop only hands on, the loop's own elsewhere.
  static Value merge(const Value& outer, const Value& own, const std::vector<bool>& invariant) {
    Value result;
    std::size_t used = 0;
    for (std::size_t leaf = 0; leaf < outer.size(); ++leaf) {
      const bool from_loop = !invariant[leaf] && used < own.size();
      result.push_back(from_loop ? own[used++] : outer[leaf]);
    }
    return result;
  }

  // ---- small change

  static Value flat_operands(const Scope& scope, const HloInstruction& at) {
    Value result;
    for (const std::int32_t operand : at.operands) {
      const Value& value = scope.values[static_cast<std::size_t>(operand)];
      result.insert(result.end(), value.begin(), value.end());
    }
    return result;
  }

  std::string operator_name(const Scope& scope, const HloInstruction& at) {
    return unique(scope.prefix + std::string(at.name));
  }

  /// Names are unique in a module, but a body may serve two loops, and a bitcast be several steps.
  std::string unique(std::string name) {
    int& uses = names_[name];
    if (++uses == 1) return name;
    return unique(fmt::format("{}~{}", name, uses));
  }

  const HloModule& module_;
  HloChecks checks_;
  GraphBuilder builder_;
  std::vector<Value> main_arguments_;
  std::vector<const HloComputation*> active_;
  std::unordered_map<std::string, int> names_;               ///< how often each was asked for
  std::unordered_map<std::int32_t, std::int64_t> integers_;  ///< tensors that are known integers
  std::size_t inlined_text_ = 0;
};

}  // namespace

Result<Graph> lower_hlo(const HloModule& module) { return Lowering(module).run(); }

}  // namespace autoshard::internal
