// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "sharding/check_rule.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include "base/errors.hpp"
#include "base/try.hpp"

namespace autoshard {
namespace internal {
namespace {

/// The operands or the results of the operator.
struct Side {
  std::string_view noun;  ///< "operand" or "result"
  std::span<const std::vector<DimFactors>> tensors;
  std::span<const TensorType> types;
};

class RuleChecker {
 public:
  RuleChecker(const ShardingRule& rule, std::span<const std::string> names)
      : rule_(rule), names_(names), uses_(rule.factors.size()) {}

  Result<void> check_side(const Side& side) {
    if (side.tensors.size() != side.types.size()) {
      return invalid("sharding rule: has {} {}s, expected {}", side.tensors.size(), side.noun,
                     side.types.size());
    }
    for (std::size_t i = 0; i < side.tensors.size(); ++i) {
      AUTOSHARD_CHECK_OK(check_tensor(side, i));
    }
    return {};
  }

  Result<void> check_factors() const {
    for (std::size_t f = 0; f < rule_.factors.size(); ++f) AUTOSHARD_CHECK_OK(check_factor(f));
    return {};
  }

  Result<void> check_linear() const {
    for (const LinearGroup& group : rule_.linear) {
      AUTOSHARD_CHECK_OK(check_operand_list("linear", group.operands));
    }
    return {};
  }

 private:
  struct Uses {
    std::vector<std::int32_t> operands;
    bool in_result = false;
  };

  Result<void> check_tensor(const Side& side, std::size_t index) {
    const std::vector<DimFactors>& dims = side.tensors[index];
    const TensorType& type = side.types[index];
    if (dims.size() != type.shape.size()) {
      return invalid("sharding rule: {} {} has {} dimensions, expected {}", side.noun, index,
                     dims.size(), type.shape.size());
    }
    std::vector<bool> seen(rule_.factors.size());
    for (std::size_t d = 0; d < dims.size(); ++d) {
      const std::string place = fmt::format("{} {} dimension {}", side.noun, index, d);
      AUTOSHARD_CHECK_OK(check_indices(place, dims[d], seen));
      AUTOSHARD_CHECK_OK(check_size(place, dims[d], type.shape[d]));
      AUTOSHARD_CHECK_OK(note_uses(side, index, place, dims[d]));
    }
    return {};
  }

  Result<void> check_indices(const std::string& place, const DimFactors& dim,
                             std::vector<bool>& seen) const {
    for (const std::int32_t f : dim) {
      const auto index = static_cast<std::size_t>(f);
      if (f < 0 || index >= rule_.factors.size()) {
        return invalid("sharding rule: {}: factor {} is not in [0, {})", place, f,
                       rule_.factors.size());
      }
      if (seen[index]) {
        return invalid("sharding rule: {}: factor '{}' stands twice in the tensor", place,
                       names_[index]);
      }
      seen[index] = true;
    }
    return {};
  }

  Result<void> check_size(const std::string& place, const DimFactors& dim,
                          std::int64_t size) const {
    std::int64_t product = 1;
    bool overflow = false;
    for (const std::int32_t f : dim) {
      const std::int64_t factor = rule_.factors[static_cast<std::size_t>(f)].size;
      overflow |= __builtin_mul_overflow(product, factor, &product);
    }
    if (overflow) return invalid("sharding rule: {}: its factors' product is too large", place);
    if (product != size) {
      return invalid("sharding rule: {}: its factors' sizes multiply to {}, expected {}", place,
                     product, size);
    }
    return {};
  }

  Result<void> note_uses(const Side& side, std::size_t tensor, const std::string& place,
                         const DimFactors& dim) {
    for (const std::int32_t f : dim) {
      const auto index = static_cast<std::size_t>(f);
      if (side.noun == "operand") {
        uses_[index].operands.push_back(static_cast<std::int32_t>(tensor));
        continue;
      }
      uses_[index].in_result = true;
      if (rule_.factors[index].kind == FactorKind::reduction) {
        return invalid("sharding rule: {}: '{}' is a reduction factor", place, names_[index]);
      }
    }
    return {};
  }

  Result<void> check_factor(std::size_t index) const {
    const Factor& factor = rule_.factors[index];
    const Uses& uses = uses_[index];
    const std::string& name = names_[index];
    if (factor.size < 0) {
      return invalid("sharding rule: factor '{}': its size is {}", name, factor.size);
    }
    if (uses.operands.empty() && !uses.in_result) {
      return invalid("sharding rule: factor '{}': stands in no dimension", name);
    }
    if (factor.kind == FactorKind::parallel && !uses.in_result) {
      return invalid("sharding rule: factor '{}': is parallel, but in no result", name);
    }
    return check_partial_operands(index);
  }

  Result<void> check_partial_operands(std::size_t index) const {
    const Factor& factor = rule_.factors[index];
    const std::string& name = names_[index];
    if (factor.partial_operands.empty()) return {};
    if (factor.kind != FactorKind::reduction) {
      return invalid("sharding rule: factor '{}': has partial operands, but is no reduction", name);
    }
    AUTOSHARD_CHECK_OK(check_operand_list("partial_operands", factor.partial_operands));
    for (const std::int32_t operand : factor.partial_operands) {
      if (std::ranges::find(uses_[index].operands, operand) != uses_[index].operands.end()) {
        return invalid(
            "sharding rule: factor '{}': operand {} has it and cannot be partial along it", name,
            operand);
      }
    }
    return {};
  }

  Result<void> check_operand_list(std::string_view what,
                                  const std::vector<std::int32_t>& list) const {
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (list[i] < 0 || static_cast<std::size_t>(list[i]) >= rule_.operands.size()) {
        return invalid("sharding rule: {}: operand {} is not in [0, {})", what, list[i],
                       rule_.operands.size());
      }
      if (std::find(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(i), list[i]) !=
          list.begin() + static_cast<std::ptrdiff_t>(i)) {
        return invalid("sharding rule: {}: operand {} is named twice", what, list[i]);
      }
    }
    return {};
  }

  const ShardingRule& rule_;
  std::span<const std::string> names_;
  std::vector<Uses> uses_;  ///< [factor]
};

}  // namespace

std::string factor_name(std::size_t index) {
  const std::string letter(1, static_cast<char>('a' + index % 26));
  return index < 26 ? letter : letter + std::to_string(index / 26);
}

Result<void> check_rule(const ShardingRule& rule, std::span<const TensorType> operands,
                        std::span<const TensorType> results, std::span<const std::string> names) {
  RuleChecker checker(rule, names);
  AUTOSHARD_CHECK_OK(checker.check_side({"operand", rule.operands, operands}));
  AUTOSHARD_CHECK_OK(checker.check_side({"result", rule.results, results}));
  AUTOSHARD_CHECK_OK(checker.check_factors());
  return checker.check_linear();
}

}  // namespace internal

Result<void> validate(const ShardingRule& rule, std::span<const TensorType> operands,
                      std::span<const TensorType> results) {
  return internal::guarded([&] {
    std::vector<std::string> names;
    for (std::size_t f = 0; f < rule.factors.size(); ++f) {
      names.push_back(internal::factor_name(f));
    }
    return internal::check_rule(rule, operands, results, names);
  });
}

}  // namespace autoshard
