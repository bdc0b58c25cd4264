// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>

#include "autoshard/sharding_rule.hpp"
#include "sharding/check_rule.hpp"

namespace autoshard {
namespace {

using internal::factor_name;

std::string name_of(std::int32_t factor) { return factor_name(static_cast<std::size_t>(factor)); }

std::string dim_text(const DimFactors& dim) {
  if (dim.empty()) return "1";
  std::string text;
  for (const std::int32_t factor : dim) text += name_of(factor);
  return dim.size() == 1 ? text : '(' + text + ')';
}

std::string tensors_text(const std::vector<std::vector<DimFactors>>& tensors) {
  std::vector<std::string> texts;
  for (const std::vector<DimFactors>& dims : tensors) {
    std::vector<std::string> parts;
    for (const DimFactors& dim : dims) parts.push_back(dim_text(dim));
    texts.push_back(fmt::format("[{}]", fmt::join(parts, ",")));
  }
  return fmt::format("({})", fmt::join(texts, ","));
}

/// " key={a,b}", or nothing.
std::string list_text(std::string_view key, const std::vector<std::string>& entries) {
  return entries.empty() ? std::string() : fmt::format(" {}={{{}}}", key, fmt::join(entries, ","));
}

template <class Predicate>
std::vector<std::string> names_of_factors(const ShardingRule& rule, Predicate matches) {
  std::vector<std::string> names;
  for (std::size_t f = 0; f < rule.factors.size(); ++f) {
    if (matches(rule.factors[f])) names.push_back(factor_name(f));
  }
  return names;
}

std::string kinds_text(const ShardingRule& rule) {
  using enum ReductionKind;
  std::string text;
  for (const ReductionKind kind : {sum, product, max, min, logical_and, logical_or}) {
    text += list_text(kind == sum ? "reduction" : name(kind),
                      names_of_factors(rule, [kind](const Factor& factor) {
                        return factor.kind == FactorKind::reduction && factor.reduction == kind;
                      }));
  }
  return text + list_text("replicate", names_of_factors(rule, [](const Factor& factor) {
                            return factor.kind == FactorKind::replicate;
                          }));
}

std::string partial_operands_text(const ShardingRule& rule) {
  std::vector<std::string> entries;
  for (std::size_t f = 0; f < rule.factors.size(); ++f) {
    for (const std::int32_t operand : rule.factors[f].partial_operands) {
      entries.push_back(fmt::format("{}:{}", factor_name(f), operand));
    }
  }
  return list_text("partial_operands", entries);
}

std::string linear_text(const ShardingRule& rule) {
  if (rule.linear.empty()) return "";
  std::vector<std::string> groups;
  for (const LinearGroup& group : rule.linear) {
    groups.push_back(fmt::format("{{{}}}", fmt::join(group.operands, ",")));
  }
  return fmt::format(" linear={}", fmt::join(groups, ","));
}

/// Sizes of the factors that never have a dimension to themselves; the types tell all others.
std::string sizes_text(const ShardingRule& rule) {
  std::vector<bool> told(rule.factors.size());
  for (const auto* side : {&rule.operands, &rule.results}) {
    for (const std::vector<DimFactors>& dims : *side) {
      for (const DimFactors& dim : dims) {
        if (dim.size() == 1) told[static_cast<std::size_t>(dim.front())] = true;
      }
    }
  }
  std::vector<std::string> entries;
  for (std::size_t f = 0; f < told.size(); ++f) {
    if (!told[f]) entries.push_back(fmt::format("{}={}", factor_name(f), rule.factors[f].size));
  }
  return list_text("sizes", entries);
}

}  // namespace

std::string to_string(const ShardingRule& rule) {
  return tensors_text(rule.operands) + "->" + tensors_text(rule.results) + kinds_text(rule) +
         partial_operands_text(rule) + linear_text(rule) + sizes_text(rule);
}

}  // namespace autoshard
