// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "autoshard/graph.hpp"

#include <algorithm>
#include <array>

namespace autoshard {
namespace {

constexpr std::array<std::string_view, 3> kPhases = {"forward", "backward", "update"};
constexpr std::array<std::string_view, 4> kRoles = {"intermediate", "input", "parameter",
                                                    "optimizer_state"};

template <class Enum, std::size_t size>
std::optional<Enum> parse(const std::array<std::string_view, size>& names, std::string_view text) {
  const auto found = std::ranges::find(names, text);
  if (found == names.end()) return std::nullopt;
  return static_cast<Enum>(found - names.begin());
}

template <class T>
const T* get(const Attributes& attributes, std::string_view name) {
  const auto found = attributes.find(name);
  return found == attributes.end() ? nullptr : std::get_if<T>(&found->second);
}

}  // namespace

std::string_view name(Phase phase) { return kPhases[static_cast<std::size_t>(phase)]; }
std::string_view name(Role role) { return kRoles[static_cast<std::size_t>(role)]; }
std::optional<Phase> parse_phase(std::string_view text) { return parse<Phase>(kPhases, text); }
std::optional<Role> parse_role(std::string_view text) { return parse<Role>(kRoles, text); }

const std::vector<std::int64_t>* Operator::ints(std::string_view attribute) const {
  return get<std::vector<std::int64_t>>(attributes, attribute);
}

std::optional<std::int64_t> Operator::integer(std::string_view attribute) const {
  const auto* value = get<std::int64_t>(attributes, attribute);
  return value == nullptr ? std::nullopt : std::optional(*value);
}

std::optional<double> Operator::number(std::string_view attribute) const {
  if (const auto* value = get<double>(attributes, attribute)) return *value;
  if (const auto value = integer(attribute)) return static_cast<double>(*value);
  return std::nullopt;
}

const std::string* Operator::text(std::string_view attribute) const {
  return get<std::string>(attributes, attribute);
}

std::string Graph::path(TensorId id) const {
  const Tensor& tensor = (*this)[id];
  const bool in_main = tensor.region == RegionId{};
  std::string text;
  if (tensor.producer) {
    text = (*this)[*tensor.producer].name + ':' + std::to_string(tensor.index);
  } else {
    text = "arg:" + (in_main ? tensor.name : std::to_string(tensor.index));
  }
  for (auto loop = (*this)[tensor.region].owner; loop;
       loop = (*this)[(*this)[*loop].region].owner) {
    text.insert(0, (*this)[*loop].name + '/');
  }
  return text;
}

}  // namespace autoshard
