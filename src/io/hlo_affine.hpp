// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a value inside a loop's condition or body is, as far as counting iterations needs it: a
// known integer, or one of the carried values plus a known integer. It looks through tuples,
// calls, fusions, copies and widening converts; anything else is unknown. Nothing is lowered.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "io/hlo_module.hpp"

namespace autoshard::internal {

struct HloAffine {
  std::optional<std::int32_t> carried;  ///< which leaf of the carried tuple; absent: a constant
  std::int64_t offset = 0;

  friend bool operator==(const HloAffine&, const HloAffine&) = default;
};

/// A value of a computation, by the instruction's position and the leaf of its shape.
struct HloValueRef {
  std::int32_t instruction = 0;
  std::int32_t leaf = 0;
};

class HloAffineEvaluator {
 public:
  /// `computation` takes the carried tuple; `known` says which of its leaves are constants (by
  /// leaf, may be empty).
  HloAffineEvaluator(const HloModule& module, const HloComputation& computation,
                     std::span<const std::optional<std::int64_t>> known)
      : module_(module), outermost_{&computation, nullptr, nullptr}, known_(known) {}

  std::optional<HloAffine> evaluate(HloValueRef value) { return evaluate(outermost_, value); }

  /// The root, behind calls and copies, when it compares two such values.
  struct Comparison {
    std::string_view direction;
    HloAffine left, right;
  };
  std::optional<Comparison> root_comparison();

 private:
  /// A computation and the call that entered it; the outermost was entered by the loop.
  struct Frame {
    const HloComputation* computation;
    const HloInstruction* call;
    const Frame* caller;
  };
  using Answer = std::optional<HloAffine>;
  using Rule = Answer (HloAffineEvaluator::*)(const Frame&, const HloInstruction&, std::int32_t);

  static Rule rule_of(std::string_view opcode);
  Answer evaluate(const Frame& frame, HloValueRef value);
  Answer operand(const Frame& frame, const HloInstruction& at, std::size_t index,
                 std::int32_t leaf);
  Answer parameter(const Frame& frame, const HloInstruction& at, std::int32_t leaf);
  Answer constant(const Frame& frame, const HloInstruction& at, std::int32_t leaf);
  Answer tuple(const Frame& frame, const HloInstruction& at, std::int32_t leaf);
  Answer element(const Frame& frame, const HloInstruction& at, std::int32_t leaf);
  Answer call(const Frame& frame, const HloInstruction& at, std::int32_t leaf);
  Answer same(const Frame& frame, const HloInstruction& at, std::int32_t leaf);
  Answer convert(const Frame& frame, const HloInstruction& at, std::int32_t leaf);
  Answer add(const Frame& frame, const HloInstruction& at, std::int32_t leaf);
  Answer subtract(const Frame& frame, const HloInstruction& at, std::int32_t leaf);
  std::optional<Comparison> comparison(const Frame& frame, std::int32_t position);

  const HloModule& module_;
  Frame outermost_;
  std::span<const std::optional<std::int64_t>> known_;
  int depth_ = 0;
  int steps_ = 0;
};

/// The computation that a call or fusion names; null when there is none.
const HloComputation* hlo_callee(const HloModule& module, const HloInstruction& call);

}  // namespace autoshard::internal
