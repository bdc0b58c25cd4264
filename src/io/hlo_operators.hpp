// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// HLO opcodes that become one operator: their StableHLO name and how their attributes translate,
// as a table. Opcodes that are not in it keep their name, with '_' for '-', and no attributes.
// Tuples, calls, loops and bitcasts are not here; the lowering takes them apart.
#pragma once

#include <string>
#include <string_view>

#include "io/hlo_attributes.hpp"

namespace autoshard::internal {

struct HloOperator {
  using Translate = void (*)(HloAttributeReader&, Attributes&);

  std::string_view opcode;
  std::string_view kind;  ///< empty: the opcode, with '_' for '-'
  int operands = kAnyNumber;
  Translate translate = nullptr;  ///< null: no attributes

  static constexpr int kAnyNumber = -1;
};

/// Null for an opcode that the table does not list.
const HloOperator* find_hlo_operator(std::string_view opcode);

/// "shift-left" -> "shift_left"
std::string hlo_kind(std::string_view opcode);

}  // namespace autoshard::internal
