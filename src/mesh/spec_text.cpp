// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// The text form of sharding specs: `[{"x"}, {"z", "y":(2)4}] partial={"w":sum}`.
#include <charconv>

#include "autoshard/sharding_spec.hpp"
#include "base/errors.hpp"
#include "base/try.hpp"

namespace autoshard {
namespace {

using internal::invalid;

std::string part_text(const AxisRef& part, const DeviceMesh& mesh) {
  const bool known = part.axis >= 0 && part.axis < static_cast<std::int32_t>(mesh.axes().size());
  if (!known) return fmt::format("\"#{}\"", part.axis);
  const MeshAxis& axis = mesh.axes()[static_cast<std::size_t>(part.axis)];
  if (part.pre_size == 1 && part.size == axis.size) return fmt::format("\"{}\"", axis.name);
  return fmt::format("\"{}\":({}){}", axis.name, part.pre_size, part.size);
}

/// Reads one spec from front to back; every step says where it stopped.
class SpecReader {
 public:
  SpecReader(std::string_view text, const DeviceMesh& mesh) : text_(text), mesh_(mesh) {}

  Result<ShardingSpec> read() {
    ShardingSpec spec;
    AUTOSHARD_CHECK_OK(expect("["));
    while (!accept("]")) {
      if (!spec.dims.empty()) AUTOSHARD_CHECK_OK(expect(","));
      AUTOSHARD_TRY(std::vector<AxisRef> axes, read_dim());
      spec.dims.push_back(std::move(axes));
    }
    if (accept("partial=")) AUTOSHARD_CHECK_OK(read_partial(spec));
    skip_spaces();
    if (at_ != text_.size()) return failure("end");
    return spec;
  }

 private:
  Result<std::vector<AxisRef>> read_dim() {
    std::vector<AxisRef> axes;
    AUTOSHARD_CHECK_OK(expect("{"));
    while (!accept("}")) {
      if (!axes.empty()) AUTOSHARD_CHECK_OK(expect(","));
      AUTOSHARD_TRY(const AxisRef part, read_part());
      axes.push_back(part);
    }
    return axes;
  }

  Result<void> read_partial(ShardingSpec& spec) {
    AUTOSHARD_CHECK_OK(expect("{"));
    while (!accept("}")) {
      if (!spec.partial.empty()) AUTOSHARD_CHECK_OK(expect(","));
      AUTOSHARD_TRY(const AxisRef part, read_part());
      AUTOSHARD_CHECK_OK(expect(":"));
      const std::string_view word = read_word();
      const auto kind = parse_reduction(word);
      if (!kind) return invalid("sharding '{}': '{}' is not a reduction", text_, word);
      spec.partial.push_back({part, *kind});
    }
    return {};
  }

  Result<AxisRef> read_part() {
    AUTOSHARD_CHECK_OK(expect("\""));
    const std::string_view word = read_word();
    AUTOSHARD_CHECK_OK(expect("\""));
    AUTOSHARD_TRY(AxisRef part, find_axis(word));
    if (!accept(":(")) return part;
    AUTOSHARD_TRY(part.pre_size, read_number());
    AUTOSHARD_CHECK_OK(expect(")"));
    AUTOSHARD_TRY(part.size, read_number());
    return part;
  }

  Result<AxisRef> find_axis(std::string_view word) const {
    for (std::size_t i = 0; i < mesh_.axes().size(); ++i) {
      if (mesh_.axes()[i].name == word) return whole_axis(mesh_, static_cast<std::int32_t>(i));
    }
    return invalid("sharding '{}': the mesh {} has no axis '{}'", text_, mesh_.to_string(), word);
  }

  Result<std::int64_t> read_number() {
    skip_spaces();
    std::int64_t number = 0;
    const char* begin = text_.data() + at_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), number);
    if (error != std::errc{}) return failure("a number");
    at_ += static_cast<std::size_t>(end - begin);
    return number;
  }

  std::string_view read_word() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && std::string_view("\"{}[],: ").find(text_[at_]) == text_.npos)
      ++at_;
    return text_.substr(begin, at_ - begin);
  }

  void skip_spaces() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }

  bool accept(std::string_view token) {
    skip_spaces();
    if (text_.substr(at_, token.size()) != token) return false;
    at_ += token.size();
    return true;
  }

  Result<void> expect(std::string_view token) {
    if (!accept(token)) return failure(fmt::format("'{}'", token));
    return {};
  }

  Error failure(std::string_view wanted) const {
    return invalid("sharding '{}': expected {} at character {}", text_, wanted, at_);
  }

  std::string_view text_;
  const DeviceMesh& mesh_;
  std::size_t at_ = 0;
};

}  // namespace

std::string to_string(const ShardingSpec& spec, const DeviceMesh& mesh) {
  std::string text = "[";
  for (std::size_t dim = 0; dim < spec.dims.size(); ++dim) {
    text += dim == 0 ? "{" : ", {";
    for (std::size_t i = 0; i < spec.dims[dim].size(); ++i) {
      text += (i == 0 ? "" : ", ") + part_text(spec.dims[dim][i], mesh);
    }
    text += "}";
  }
  text += "]";
  for (std::size_t i = 0; i < spec.partial.size(); ++i) {
    text += fmt::format("{}{}:{}", i == 0 ? " partial={" : ", ",
                        part_text(spec.partial[i].axis, mesh), name(spec.partial[i].kind));
  }
  if (!spec.partial.empty()) text += "}";
  return text;
}

Result<ShardingSpec> parse_sharding_spec(std::string_view text, const DeviceMesh& mesh) {
  return internal::guarded([&] { return SpecReader(text, mesh).read(); });
}

}  // namespace autoshard
