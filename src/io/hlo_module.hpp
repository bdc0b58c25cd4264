// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// HLO text as a small tree: computations of instructions, operands resolved to positions. Names,
// literals and attribute values are views into the text, which must outlive the module; attribute
// values stay unparsed until the lowering asks for one. Nothing here knows what an opcode means.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "autoshard/types.hpp"

namespace autoshard::internal {

/// A shape with its tuples flattened; instructions on nested tuples print the inner shape again,
/// so one level of structure is all that is needed.
struct HloShape {
  bool is_tuple = false;
  std::vector<TensorType> leaves;

  std::int64_t elements() const;  ///< of a tuple
  /// Of a tuple: where the leaves of each element begin, and at the back where the last ones end.
  std::vector<std::int32_t> element_offsets;
  std::vector<std::int64_t> minor_to_major;  ///< of an array, when it is not the default layout
};

struct HloAttribute {
  std::string_view name;
  std::string_view value;  ///< as written, with its braces or quotes
};

struct HloInstruction {
  std::string_view name;
  std::string_view opcode;
  HloShape shape;
  std::vector<std::int32_t> operands;  ///< positions in the computation
  std::string_view literal;            ///< between the parentheses of constant and parameter
  std::vector<HloAttribute> attributes;
  std::size_t offset = 0;  ///< where it stands in the text
  std::size_t length = 0;  ///< of its text

  /// The value of an attribute; absent when it is not there.
  std::optional<std::string_view> attribute(std::string_view name) const;
};

struct HloComputation {
  std::string_view name;
  std::vector<HloInstruction> instructions;  ///< operands before their users
  std::vector<std::int32_t> parameters;      ///< positions, by parameter number
  std::int32_t root = 0;
};

struct HloModule {
  std::string_view text;
  std::string_view name;
  std::vector<HloAttribute> attributes;
  std::vector<HloComputation> computations;
  std::unordered_map<std::string_view, std::int32_t> by_name;
  std::int32_t entry = 0;

  /// Null when there is no computation of that name; a leading '%' and quotes are ignored.
  const HloComputation* find(std::string_view name) const;
};

/// Counted from 1.
std::size_t line_of(std::string_view text, std::size_t offset);

}  // namespace autoshard::internal
