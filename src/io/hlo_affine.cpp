// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "io/hlo_affine.hpp"

#include <array>
#include <utility>

#include "io/hlo_attributes.hpp"

namespace autoshard::internal {
namespace {

/// Counters are shallow; these bound hostile input, not honest loops.
constexpr int kMaximumDepth = 200;
constexpr int kMaximumSteps = 10'000;
constexpr std::int64_t kMaximumNumber = std::int64_t{1} << 60;

std::optional<HloAffine> shifted(const HloAffine& value, std::int64_t by) {
  const bool small = value.offset < kMaximumNumber && value.offset > -kMaximumNumber &&
                     by < kMaximumNumber && by > -kMaximumNumber;
  if (!small) return std::nullopt;
  return HloAffine{value.carried, value.offset + by};
}

bool is_scalar_integer(const HloShape& shape) {
  return !shape.is_tuple && shape.leaves.size() == 1 && shape.leaves[0].shape.empty() &&
         is_integer(shape.leaves[0].dtype);
}

/// Steps down to the level of recursion and up again.
class Level {
 public:
  explicit Level(int& depth) : depth_(depth) { ++depth_; }
  ~Level() { --depth_; }
  Level(const Level&) = delete;
  Level& operator=(const Level&) = delete;

 private:
  int& depth_;
};

}  // namespace

const HloComputation* hlo_callee(const HloModule& module, const HloInstruction& call) {
  return module.find(call.attribute(call.opcode == "fusion" ? "calls" : "to_apply").value_or(""));
}

HloAffineEvaluator::Rule HloAffineEvaluator::rule_of(std::string_view opcode) {
  using Self = HloAffineEvaluator;
  static constexpr std::array<std::pair<std::string_view, Rule>, 11> kRules = {{
      {"parameter", &Self::parameter},
      {"constant", &Self::constant},
      {"tuple", &Self::tuple},
      {"get-tuple-element", &Self::element},
      {"call", &Self::call},
      {"fusion", &Self::call},
      {"copy", &Self::same},
      {"opt-barrier", &Self::same},
      {"convert", &Self::convert},
      {"add", &Self::add},
      {"subtract", &Self::subtract},
  }};
  for (const auto& [name, rule] : kRules) {
    if (name == opcode) return rule;
  }
  return nullptr;
}

HloAffineEvaluator::Answer HloAffineEvaluator::evaluate(const Frame& frame, HloValueRef value) {
  const Level level(depth_);
  if (depth_ > kMaximumDepth || ++steps_ > kMaximumSteps) return std::nullopt;
  const HloInstruction& at = frame.computation->instructions[value.instruction];
  const Rule rule = rule_of(at.opcode);
  const bool inside =
      value.leaf >= 0 && value.leaf < static_cast<std::int32_t>(at.shape.leaves.size());
  return rule == nullptr || !inside ? std::nullopt : (this->*rule)(frame, at, value.leaf);
}

HloAffineEvaluator::Answer HloAffineEvaluator::operand(const Frame& frame, const HloInstruction& at,
                                                       std::size_t index, std::int32_t leaf) {
  if (index >= at.operands.size()) return std::nullopt;
  return evaluate(frame, {at.operands[index], leaf});
}

HloAffineEvaluator::Answer HloAffineEvaluator::parameter(const Frame& frame,
                                                         const HloInstruction& at,
                                                         std::int32_t leaf) {
  if (frame.caller == nullptr) {
    const auto position = static_cast<std::size_t>(leaf);
    if (position < known_.size() && known_[position])
      return HloAffine{std::nullopt, *known_[position]};
    return HloAffine{leaf, 0};
  }
  return operand(*frame.caller, *frame.call, hlo_parameter_number(at), leaf);
}

HloAffineEvaluator::Answer HloAffineEvaluator::constant(const Frame&, const HloInstruction& at,
                                                        std::int32_t) {
  const std::optional<std::int64_t> value = hlo_integer_constant(at);
  return value ? shifted({}, *value) : std::nullopt;
}

HloAffineEvaluator::Answer HloAffineEvaluator::tuple(const Frame& frame, const HloInstruction& at,
                                                     std::int32_t leaf) {
  for (std::size_t i = 0; i < at.operands.size(); ++i) {
    const HloInstruction& element = frame.computation->instructions[at.operands[i]];
    const auto count = static_cast<std::int32_t>(element.shape.leaves.size());
    if (leaf < count) return operand(frame, at, i, leaf);
    leaf -= count;
  }
  return std::nullopt;
}

HloAffineEvaluator::Answer HloAffineEvaluator::element(const Frame& frame, const HloInstruction& at,
                                                       std::int32_t leaf) {
  HloAttributeReader reader(at);
  const std::int64_t index = reader.integer("index");
  if (reader.problem() || at.operands.size() != 1) return std::nullopt;
  const HloShape& whole = frame.computation->instructions[at.operands[0]].shape;
  if (index < 0 || index >= whole.elements()) return std::nullopt;
  return operand(frame, at, 0, leaf + whole.element_offsets[static_cast<std::size_t>(index)]);
}

HloAffineEvaluator::Answer HloAffineEvaluator::call(const Frame& frame, const HloInstruction& at,
                                                    std::int32_t leaf) {
  const HloComputation* callee = hlo_callee(module_, at);
  if (callee == nullptr) return std::nullopt;
  const Frame inner{callee, &at, &frame};
  return evaluate(inner, {callee->root, leaf});
}

HloAffineEvaluator::Answer HloAffineEvaluator::same(const Frame& frame, const HloInstruction& at,
                                                    std::int32_t leaf) {
  return operand(frame, at, 0, leaf);
}

HloAffineEvaluator::Answer HloAffineEvaluator::convert(const Frame& frame, const HloInstruction& at,
                                                       std::int32_t) {
  if (at.operands.size() != 1 || !is_scalar_integer(at.shape)) return std::nullopt;
  const HloShape& from = frame.computation->instructions[at.operands[0]].shape;
  const bool widens =
      is_scalar_integer(from) && bits(from.leaves[0].dtype) <= bits(at.shape.leaves[0].dtype);
  return widens ? operand(frame, at, 0, 0) : std::nullopt;
}

HloAffineEvaluator::Answer HloAffineEvaluator::add(const Frame& frame, const HloInstruction& at,
                                                   std::int32_t) {
  if (!is_scalar_integer(at.shape)) return std::nullopt;
  const Answer left = operand(frame, at, 0, 0);
  const Answer right = operand(frame, at, 1, 0);
  if (!left || !right || (left->carried && right->carried)) return std::nullopt;
  return left->carried ? shifted(*left, right->offset) : shifted(*right, left->offset);
}

HloAffineEvaluator::Answer HloAffineEvaluator::subtract(const Frame& frame,
                                                        const HloInstruction& at, std::int32_t) {
  if (!is_scalar_integer(at.shape)) return std::nullopt;
  const Answer left = operand(frame, at, 0, 0);
  const Answer right = operand(frame, at, 1, 0);
  if (!left || !right || right->carried) return std::nullopt;
  return shifted(*left, -right->offset);
}

std::optional<HloAffineEvaluator::Comparison> HloAffineEvaluator::root_comparison() {
  return comparison(outermost_, outermost_.computation->root);
}

std::optional<HloAffineEvaluator::Comparison> HloAffineEvaluator::comparison(
    const Frame& frame, std::int32_t position) {
  const Level level(depth_);
  const HloInstruction& at = frame.computation->instructions[position];
  if (depth_ > kMaximumDepth || at.shape.leaves.size() != 1) return std::nullopt;
  if (at.opcode == "copy" && at.operands.size() == 1) return comparison(frame, at.operands[0]);
  if (const HloComputation* callee = hlo_callee(module_, at); callee != nullptr) {
    const Frame inner{callee, &at, &frame};
    return comparison(inner, callee->root);
  }
  if (at.opcode != "compare") return std::nullopt;
  const Answer left = operand(frame, at, 0, 0);
  const Answer right = operand(frame, at, 1, 0);
  if (!left || !right) return std::nullopt;
  return Comparison{at.attribute("direction").value_or(""), *left, *right};
}

}  // namespace autoshard::internal
