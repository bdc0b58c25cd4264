// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// What must hold between an instruction, its operands and the computations it names before it can
// be lowered. Every error names the line and the instruction. Operators that stay operators are
// not checked here but by GraphBuilder.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <string_view>
#include <utility>

#include "autoshard/error.hpp"
#include "base/errors.hpp"
#include "io/hlo_loop.hpp"
#include "io/hlo_module.hpp"

namespace autoshard::internal {

struct HloLeafRange {
  std::ptrdiff_t first = 0;
  std::ptrdiff_t last = 0;  ///< exclusive
};

class HloChecks {
 public:
  explicit HloChecks(const HloModule& module) : module_(module) {}

  template <class... Args>
  Error mistake(const HloInstruction& at, fmt::format_string<Args...> format,
                Args&&... args) const {
    return invalid("line {}, instruction '{}': {}", line_of(module_.text, at.offset), at.name,
                   fmt::format(format, std::forward<Args>(args)...));
  }

  Result<void> expect_operands(const HloInstruction& at, std::size_t count) const;
  /// The computation that an attribute names.
  Result<const HloComputation*> named(const HloInstruction& at, std::string_view attribute) const;

  /// Which leaves of its operand a get-tuple-element takes.
  Result<HloLeafRange> element(const HloComputation& scope, const HloInstruction& at) const;
  /// Of a call or fusion.
  Result<const HloComputation*> callee(const HloComputation& scope, const HloInstruction& at) const;
  /// Of a while.
  Result<HloLoop> loop(const HloComputation& scope, const HloInstruction& at) const;

 private:
  Result<void> expect_parameter(const HloInstruction& at, const HloComputation& callee,
                                std::size_t number, const HloShape& given) const;
  Result<void> expect_root(const HloInstruction& at, const HloComputation& callee) const;

  const HloModule& module_;
};

}  // namespace autoshard::internal
