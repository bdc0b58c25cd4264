// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "io/hlo_checks.hpp"

#include <algorithm>

#include "base/try.hpp"
#include "io/hlo_attributes.hpp"

namespace autoshard::internal {
namespace {

const HloShape& operand_shape(const HloComputation& scope, const HloInstruction& at,
                              std::size_t number) {
  return scope.instructions[static_cast<std::size_t>(at.operands[number])].shape;
}

}  // namespace

Result<void> HloChecks::expect_operands(const HloInstruction& at, std::size_t count) const {
  if (at.operands.size() == count) return {};
  return mistake(at, "{} has {} operands, expected {}", at.opcode, at.operands.size(), count);
}

Result<const HloComputation*> HloChecks::named(const HloInstruction& at,
                                               std::string_view attribute) const {
  const std::optional<std::string_view> name = at.attribute(attribute);
  if (!name) return mistake(at, "attribute '{}' is missing", attribute);
  const HloComputation* found = module_.find(*name);
  if (found == nullptr) return mistake(at, "there is no computation '{}'", *name);
  return found;
}

Result<HloLeafRange> HloChecks::element(const HloComputation& scope,
                                        const HloInstruction& at) const {
  AUTOSHARD_CHECK_OK(expect_operands(at, 1));
  HloAttributeReader reader(at);
  const std::int64_t index = reader.integer("index");
  if (reader.problem()) return mistake(at, "{}", *reader.problem());
  const HloShape& whole = operand_shape(scope, at, 0);
  if (!whole.is_tuple) return mistake(at, "operand is not a tuple");
  if (index < 0 || index >= whole.elements()) {
    return mistake(at, "there is no element {} in a tuple of {}", index, whole.elements());
  }
  const auto position = whole.element_offsets.begin() + index;
  const HloLeafRange range{position[0], position[1]};
  const auto types = whole.leaves.begin();
  const auto& own = at.shape.leaves;
  if (!std::equal(types + range.first, types + range.last, own.begin(), own.end())) {
    return mistake(at, "its type is not that of element {}", index);
  }
  return range;
}

Result<const HloComputation*> HloChecks::callee(const HloComputation& scope,
                                                const HloInstruction& at) const {
  AUTOSHARD_TRY(const HloComputation* callee,
                named(at, at.opcode == "fusion" ? "calls" : "to_apply"));
  AUTOSHARD_CHECK_OK(expect_operands(at, callee->parameters.size()));
  for (std::size_t i = 0; i < at.operands.size(); ++i) {
    AUTOSHARD_CHECK_OK(expect_parameter(at, *callee, i, operand_shape(scope, at, i)));
  }
  AUTOSHARD_CHECK_OK(expect_root(at, *callee));
  return callee;
}

Result<HloLoop> HloChecks::loop(const HloComputation& scope, const HloInstruction& at) const {
  AUTOSHARD_CHECK_OK(expect_operands(at, 1));
  AUTOSHARD_TRY(const HloComputation* condition, named(at, "condition"));
  AUTOSHARD_TRY(const HloComputation* body, named(at, "body"));
  if (operand_shape(scope, at, 0).leaves != at.shape.leaves) {
    return mistake(at, "its type is not that of its operand");
  }
  for (const HloComputation* part : {condition, body}) {
    AUTOSHARD_CHECK_OK(expect_parameter(at, *part, 0, at.shape));
    if (part->parameters.size() != 1) {
      return mistake(at, "computation '{}' must have one parameter", part->name);
    }
  }
  AUTOSHARD_CHECK_OK(expect_root(at, *body));
  return HloLoop{&at, condition, body};
}

Result<void> HloChecks::expect_parameter(const HloInstruction& at, const HloComputation& callee,
                                         std::size_t number, const HloShape& given) const {
  if (number >= callee.parameters.size()) {
    return mistake(at, "computation '{}' has no parameter {}", callee.name, number);
  }
  const auto position = static_cast<std::size_t>(callee.parameters[number]);
  if (callee.instructions[position].shape.leaves == given.leaves) return {};
  return mistake(at, "operand {} does not have the type of parameter {} of '{}'", number, number,
                 callee.name);
}

Result<void> HloChecks::expect_root(const HloInstruction& at, const HloComputation& callee) const {
  const HloInstruction& root = callee.instructions[static_cast<std::size_t>(callee.root)];
  if (root.shape.leaves == at.shape.leaves) return {};
  return mistake(at, "its type is not what computation '{}' returns", callee.name);
}

}  // namespace autoshard::internal
