// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// The text form of a rule: written_rule.hpp reads what is written, here the types tell the sizes
// and factors get numbers for names.
#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "autoshard/sharding_rule.hpp"
#include "base/errors.hpp"
#include "base/try.hpp"
#include "sharding/check_rule.hpp"
#include "sharding/written_rule.hpp"

namespace autoshard {
namespace {

using internal::check_rule;
using internal::factor_name;
using internal::invalid;
using internal::NamedFactor;
using internal::scan_rule;
using internal::WrittenRule;

/// Gives the one factor of this dimension that has no size yet what the others leave. True when
/// there was one. Sizes that contradict each other are found by check_rule.
bool find_size(std::map<NamedFactor, std::int64_t>& sizes, const DimFactors& dim,
               std::int64_t size) {
  std::optional<NamedFactor> unknown;
  for (const NamedFactor factor : dim) {
    const auto known = sizes.find(factor);
    if (known == sizes.end()) {
      if (unknown) return false;
      unknown = factor;
    } else if (known->second > 0) {
      size /= known->second;
    }
  }
  if (unknown) sizes[*unknown] = size;
  return unknown.has_value();
}

bool find_sizes(WrittenRule& written, const std::vector<std::vector<DimFactors>>& tensors,
                std::span<const TensorType> types) {
  bool found = false;
  for (std::size_t i = 0; i < tensors.size() && i < types.size(); ++i) {
    const std::size_t rank = std::min(tensors[i].size(), types[i].shape.size());
    for (std::size_t d = 0; d < rank; ++d) {
      found |= find_size(written.sizes, tensors[i][d], types[i].shape[d]);
    }
  }
  return found;
}

void rename(std::vector<std::vector<DimFactors>>& tensors,
            const std::map<NamedFactor, std::int32_t>& numbers) {
  for (auto& dims : tensors) {
    for (DimFactors& dim : dims) {
      DimFactors renamed;
      for (const NamedFactor factor : dim) {
        const auto number = numbers.find(factor);
        if (number != numbers.end()) renamed.push_back(number->second);
      }
      dim = std::move(renamed);
    }
  }
}

struct NumberedRule {
  ShardingRule rule;
  std::vector<std::string> names;
};

Result<NumberedRule> number_factors(WrittenRule written) {
  NumberedRule numbered{std::move(written.rule), {}};
  std::map<NamedFactor, std::int32_t> numbers;
  for (auto& [named, factor] : written.factors) {
    const std::string name = factor_name(static_cast<std::size_t>(named));
    const auto size = written.sizes.find(named);
    if (size == written.sizes.end()) {
      return invalid("sharding rule: factor '{}': its size is not told, write sizes={{{}=...}}",
                     name, name);
    }
    if (size->second == 1) continue;
    factor.size = size->second;
    numbers[named] = static_cast<std::int32_t>(numbered.rule.factors.size());
    numbered.rule.factors.push_back(std::move(factor));
    numbered.names.push_back(name);
  }
  rename(numbered.rule.operands, numbers);
  rename(numbered.rule.results, numbers);
  return numbered;
}

Result<ShardingRule> parse_rule(std::string_view text, std::span<const TensorType> operands,
                                std::span<const TensorType> results) {
  AUTOSHARD_TRY(WrittenRule written, scan_rule(text));
  bool found = true;
  while (found) {
    found = find_sizes(written, written.rule.operands, operands);
    found |= find_sizes(written, written.rule.results, results);
  }
  AUTOSHARD_TRY(NumberedRule numbered, number_factors(std::move(written)));
  AUTOSHARD_CHECK_OK(check_rule(numbered.rule, operands, results, numbered.names));
  return std::move(numbered.rule);
}

}  // namespace

Result<ShardingRule> parse_sharding_rule(std::string_view text,
                                         std::span<const TensorType> operands,
                                         std::span<const TensorType> results) {
  return internal::guarded([&] { return parse_rule(text, operands, results); });
}

}  // namespace autoshard
