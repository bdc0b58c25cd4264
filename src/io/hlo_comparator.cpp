// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "io/hlo_comparator.hpp"

#include <string_view>

namespace autoshard::internal {
namespace {

/// Reads what JAX writes: `x0 < y0`, or for more keys `x0 < y0 or (x0 == y0 and rest)`. Parameters
/// 2k and 2k+1 are the two elements of operand k.
class ComparatorReader {
 public:
  explicit ComparatorReader(const HloComputation& computation) : computation_(computation) {}

  std::optional<HloOrder> read() const {
    const HloInstruction* at = &instruction(computation_.root);
    HloOrder order;
    for (std::size_t key = 0;; ++key) {
      const bool last = at->opcode != "or";
      if (!last && at->operands.size() != 2) return std::nullopt;
      const HloInstruction& less = last ? *at : instruction(at->operands[0]);
      const std::optional<std::string_view> direction = compared(less, key);
      const bool descending = direction == "GT";
      if (!descending && direction != "LT") return std::nullopt;
      if (key > 0 && descending != order.descending) return std::nullopt;
      order = {static_cast<std::int64_t>(key) + 1, descending};
      if (last) return order;
      const HloInstruction& equal = instruction(at->operands[1]);
      if (equal.opcode != "and" || equal.operands.size() != 2) return std::nullopt;
      if (compared(instruction(equal.operands[0]), key) != "EQ") return std::nullopt;
      at = &instruction(equal.operands[1]);
    }
  }

 private:
  const HloInstruction& instruction(std::int32_t position) const {
    return computation_.instructions[static_cast<std::size_t>(position)];
  }

  /// Converts, and selects that make all NaNs and both zeros one constant, do not change an order.
  const HloInstruction& plain(std::int32_t position) const {
    const HloInstruction* at = &instruction(position);
    while (true) {
      const bool select = at->opcode == "select" && at->operands.size() == 3 &&
                          instruction(at->operands[1]).opcode == "constant";
      const bool moves = at->opcode == "convert" || at->opcode == "copy";
      if (!select && !(moves && at->operands.size() == 1)) return *at;
      at = &instruction(at->operands.back());
    }
  }

  bool is_element(std::int32_t position, std::size_t number) const {
    return number < computation_.parameters.size() &&
           &plain(position) == &instruction(computation_.parameters[number]);
  }

  /// The direction in which the two elements of this key are compared; absent for anything else.
  std::optional<std::string_view> compared(const HloInstruction& at, std::size_t key) const {
    if (at.opcode != "compare" || at.operands.size() != 2) return std::nullopt;
    if (!is_element(at.operands[0], 2 * key) || !is_element(at.operands[1], 2 * key + 1)) {
      return std::nullopt;
    }
    return at.attribute("direction");
  }

  const HloComputation& computation_;
};

}  // namespace

std::optional<HloOrder> recognise_hlo_comparator(const HloComputation& computation) {
  return ComparatorReader(computation).read();
}

}  // namespace autoshard::internal
