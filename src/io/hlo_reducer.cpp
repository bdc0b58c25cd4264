// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "io/hlo_reducer.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace autoshard::internal {
namespace {

constexpr std::string_view kCustom = "custom";

/// A reducer that only calls another one, and so on; more than this is not a reducer we know.
constexpr int kMaximumCalls = 8;

constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kCombiners = {{
    {"add", "sum"},
    {"multiply", "product"},
    {"maximum", "max"},
    {"minimum", "min"},
    {"and", "and"},
    {"or", "or"},
}};

/// Low precision reducers compute in a wider type: the converts in between do not matter.
const HloInstruction& behind_converts(const HloComputation& computation, std::int32_t position) {
  const HloInstruction* at = &computation.instructions[position];
  while ((at->opcode == "convert" || at->opcode == "copy") && at->operands.size() == 1) {
    at = &computation.instructions[at->operands[0]];
  }
  return *at;
}

bool is_parameter(const HloComputation& computation, const HloInstruction& at, std::size_t number) {
  return &at == &computation.instructions[computation.parameters[number]];
}

bool combines_both(const HloComputation& computation, const HloInstruction& root) {
  if (root.operands.size() != 2) return false;
  const HloInstruction& left = behind_converts(computation, root.operands[0]);
  const HloInstruction& right = behind_converts(computation, root.operands[1]);
  return (is_parameter(computation, left, 0) && is_parameter(computation, right, 1)) ||
         (is_parameter(computation, left, 1) && is_parameter(computation, right, 0));
}

std::string_view combiner(std::string_view opcode) {
  for (const auto& [name, reducer] : kCombiners) {
    if (name == opcode) return reducer;
  }
  return kCustom;
}

std::string_view recognise(const HloModule& module, const HloComputation& computation, int calls) {
  if (computation.parameters.size() != 2 || calls > kMaximumCalls) return kCustom;
  const HloInstruction& root = behind_converts(computation, computation.root);
  if (is_parameter(computation, root, 1)) return "assign";
  if (!combines_both(computation, root)) return kCustom;
  const HloComputation* callee = module.find(root.attribute("to_apply").value_or(""));
  if (root.opcode != "call" || callee == nullptr) return combiner(root.opcode);
  const std::string_view inner = recognise(module, *callee, calls + 1);
  // Which argument a call hands on first matters to "assign" alone.
  return inner == "assign" ? kCustom : inner;
}

}  // namespace

std::string_view recognise_hlo_reducer(const HloModule& module, const HloComputation& computation) {
  return recognise(module, computation, 0);
}

std::string_view recognise_hlo_selector(const HloComputation& computation) {
  if (computation.parameters.size() != 2) return kCustom;
  const HloInstruction& root = behind_converts(computation, computation.root);
  if (root.opcode != "compare" || root.operands.size() != 2) return kCustom;
  if (!is_parameter(computation, behind_converts(computation, root.operands[0]), 0) ||
      !is_parameter(computation, behind_converts(computation, root.operands[1]), 1)) {
    return kCustom;
  }
  const std::string_view direction = root.attribute("direction").value_or("");
  if (direction == "GE") return "max";
  return direction == "LE" ? "min" : kCustom;
}

}  // namespace autoshard::internal
