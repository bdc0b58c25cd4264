// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "io/hlo_alias.hpp"

#include <optional>
#include <utility>

#include "base/errors.hpp"
#include "io/hlo_cursor.hpp"

namespace autoshard::internal {
namespace {

using Path = std::vector<std::int64_t>;

Path path(HloCursor& cursor) {
  Path result;
  cursor.expect('{');
  if (cursor.accept('}')) return result;
  do {
    result.push_back(cursor.integer());
  } while (cursor.accept(','));
  cursor.expect('}');
  return result;
}

/// The one leaf a path leads to; absent for tuples, and for nested ones we do not look into.
std::optional<std::int32_t> leaf(const HloShape& shape, const Path& path) {
  if (!shape.is_tuple) return path.empty() ? std::optional(0) : std::nullopt;
  if (path.size() != 1 || path[0] < 0 || path[0] >= shape.elements()) return std::nullopt;
  const auto index = static_cast<std::size_t>(path[0]);
  const std::int32_t first = shape.element_offsets[index];
  return shape.element_offsets[index + 1] == first + 1 ? std::optional(first) : std::nullopt;
}

class AliasReader {
 public:
  AliasReader(std::string_view text, const HloComputation& entry) : cursor_(text), entry_(entry) {}

  Result<std::vector<HloAlias>> run() {
    cursor_.expect('{');
    if (cursor_.accept('}')) return std::move(aliases_);
    do {
      alias();
    } while (cursor_.accept(','));
    cursor_.expect('}');
    if (cursor_.failed()) return invalid("input_output_alias: {}", cursor_.error().message);
    return std::move(aliases_);
  }

 private:
  void alias() {
    const Path result = path(cursor_);
    cursor_.expect(':');
    cursor_.expect('(');
    const std::int64_t parameter = cursor_.integer();
    const Path inside = cursor_.accept(',') ? path(cursor_) : Path();
    if (cursor_.accept(',')) cursor_.identifier();  // may-alias, must-alias
    cursor_.expect(')');
    if (cursor_.failed()) return;
    if (parameter < 0 || parameter >= static_cast<std::int64_t>(entry_.parameters.size())) {
      return cursor_.fail(fmt::format("there is no parameter {}", parameter));
    }
    const auto position =
        static_cast<std::size_t>(entry_.parameters[static_cast<std::size_t>(parameter)]);
    const auto from = leaf(entry_.instructions[position].shape, inside);
    const auto to = leaf(entry_.instructions[static_cast<std::size_t>(entry_.root)].shape, result);
    if (from && to) aliases_.push_back({static_cast<std::int32_t>(parameter), *from, *to});
  }

  HloCursor cursor_;
  const HloComputation& entry_;
  std::vector<HloAlias> aliases_;
};

}  // namespace

Result<std::vector<HloAlias>> hlo_aliases(const HloModule& module, const HloComputation& entry) {
  for (const HloAttribute& attribute : module.attributes) {
    if (attribute.name == "input_output_alias") return AliasReader(attribute.value, entry).run();
  }
  return std::vector<HloAlias>();
}

}  // namespace autoshard::internal
