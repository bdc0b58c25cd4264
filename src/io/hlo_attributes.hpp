// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// One instruction's attributes, read on demand. The first mistake sticks, as in HloCursor; values
// read after it are empty. Also literals: what stands between the parentheses of a constant.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "autoshard/graph.hpp"
#include "io/hlo_module.hpp"

namespace autoshard::internal {

struct HloSlice {
  std::vector<std::int64_t> starts, limits, strides;
};

struct HloPadding {
  std::vector<std::int64_t> low, high, interior;
};

class HloAttributeReader {
 public:
  explicit HloAttributeReader(const HloInstruction& instruction) : instruction_(instruction) {}

  const HloInstruction& instruction() const { return instruction_; }
  const std::optional<std::string>& problem() const { return problem_; }
  void fail(std::string reason);

  /// `{1,2}`; empty when the attribute is absent, which is how HLO writes an empty list too.
  std::vector<std::int64_t> integers(std::string_view name);
  /// A number, or a list of one; a mistake when absent.
  std::int64_t integer(std::string_view name);
  /// A word or a string without its quotes; a mistake when absent.
  std::string text(std::string_view name);
  /// `{[0:8], [0:16:2]}`
  HloSlice slice(std::string_view name);
  /// `0_0x1_1_0`: low, high and interior of each dimension
  HloPadding padding(std::string_view name);

 private:
  std::string_view required(std::string_view name);

  const HloInstruction& instruction_;
  std::optional<std::string> problem_;
};

/// Writes `value` or `values`, or neither when the text elides them or there are very many.
void read_hlo_literal(HloAttributeReader& reader, Attributes& attributes);

/// The value of a scalar integer constant; absent for anything else.
std::optional<std::int64_t> hlo_integer_constant(const HloInstruction& instruction);

/// Of a `parameter(3)`, which the parser has checked.
std::size_t hlo_parameter_number(const HloInstruction& parameter);

/// The number that `backend_config` gives as the trip count of a loop, if it does.
std::optional<std::int64_t> hlo_known_trip_count(const HloInstruction& instruction);

}  // namespace autoshard::internal
