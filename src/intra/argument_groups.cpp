// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "intra/argument_groups.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <tuple>

namespace autoshard::internal {
namespace {

/// "p__blocks___3___fc_w__.1" -> "p__blocks___*___fc_w__": the trailing number is HLO's own.
std::string pattern(std::string name) {
  const std::size_t dot = name.rfind('.');
  const bool numbered = dot != std::string::npos && dot + 1 < name.size() &&
                        std::all_of(name.begin() + static_cast<std::ptrdiff_t>(dot) + 1, name.end(),
                                    [](unsigned char c) { return std::isdigit(c); });
  if (numbered) name.resize(dot);
  std::string result;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const bool digit = std::isdigit(static_cast<unsigned char>(name[i]));
    const bool inside_word =
        !result.empty() && std::isalpha(static_cast<unsigned char>(result.back()));
    if (!digit || inside_word) {
      result += name[i];
    } else if (result.empty() || result.back() != '*') {
      result += '*';
    }
  }
  return result;
}

}  // namespace

std::vector<ArgumentGroup> group_arguments(const Graph& graph) {
  std::vector<ArgumentGroup> groups;
  std::map<std::tuple<std::string, Role, std::string>, std::size_t> found;
  const auto& arguments = graph.main().arguments;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const Tensor& tensor = graph[arguments[i]];
    const std::tuple key(pattern(tensor.name), tensor.role, to_string(tensor.type));
    const auto [it, fresh] = found.try_emplace(key, groups.size());
    if (fresh) groups.push_back({std::get<0>(key), tensor.role, tensor.type, {}});
    groups[it->second].members.push_back(i);
  }
  return groups;
}

std::string specs_text(const ArgumentGroup& group, const IntraOpPlan& plan) {
  std::vector<std::string> texts;
  for (std::size_t member : group.members) {
    std::string text = to_string(plan.argument_spec(member), plan.mesh);
    if (std::find(texts.begin(), texts.end(), text) == texts.end())
      texts.push_back(std::move(text));
  }
  std::string joined;
  for (const std::string& text : texts) joined += (joined.empty() ? "" : " / ") + text;
  return joined;
}

std::int64_t local_bytes(const ArgumentGroup& group, const IntraOpPlan& plan) {
  std::int64_t bytes = 0;
  for (std::size_t member : group.members)
    bytes += shard_bytes(plan.argument_spec(member), group.type);
  return bytes;
}

}  // namespace autoshard::internal
