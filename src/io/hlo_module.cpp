// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "io/hlo_module.hpp"

#include <algorithm>

namespace autoshard::internal {

std::int64_t HloShape::elements() const {
  return element_offsets.empty() ? 0 : static_cast<std::int64_t>(element_offsets.size()) - 1;
}

std::optional<std::string_view> HloInstruction::attribute(std::string_view wanted) const {
  for (const HloAttribute& attribute : attributes) {
    if (attribute.name == wanted) return attribute.value;
  }
  return std::nullopt;
}

const HloComputation* HloModule::find(std::string_view wanted) const {
  if (wanted.starts_with('%')) wanted.remove_prefix(1);
  if (wanted.size() >= 2 && wanted.starts_with('"') && wanted.ends_with('"')) {
    wanted = wanted.substr(1, wanted.size() - 2);
  }
  const auto found = by_name.find(wanted);
  return found == by_name.end() ? nullptr : &computations[found->second];
}

std::size_t line_of(std::string_view text, std::size_t offset) {
  const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(offset, text.size()));
  return 1 + static_cast<std::size_t>(std::count(text.begin(), end, '\n'));
}

}  // namespace autoshard::internal
