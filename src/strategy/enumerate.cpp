// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "strategy/enumerate.hpp"

#include <algorithm>

#include "cost/resharding.hpp"

namespace autoshard::internal {
namespace {

bool usable(const LinearGroup& group, const std::vector<bool>& partial_operands) {
  return std::all_of(group.operands.begin(), group.operands.end(), [&](std::int32_t operand) {
    return partial_operands[static_cast<std::size_t>(operand)];
  });
}

bool usable(const Factor& factor, const std::vector<bool>& partial_operands) {
  return factor.kind != FactorKind::replicate &&
         usable(LinearGroup{factor.partial_operands}, partial_operands);
}

/// Depth-first over the atoms; each goes to a factor, to a linear group, or stays unused.
class Enumerator {
 public:
  Enumerator(const ShardingRule& rule, const EnumerationLimits& limits)
      : rule_(rule),
        limits_(limits),
        factor_atoms_(rule.factors.size()),
        linear_atoms_(rule.linear.size()),
        alone_(rule.factors.size(), true) {
    for (const auto* tensors : {&rule.operands, &rule.results}) {
      for (const auto& tensor : *tensors) mark_compound(tensor);
    }
  }

  std::vector<Assignment> run() {
    visit(0);
    return std::move(found_);
  }

 private:
  /// Factors that share a dimension, or stand in one that no layout can split, must divide evenly.
  void mark_compound(const std::vector<DimFactors>& tensor) {
    for (std::size_t dim = 0; dim < tensor.size(); ++dim) {
      const bool compound = tensor[dim].size() > 1 || dim >= kMaxShardedRank;
      for (std::int32_t factor : tensor[dim]) {
        if (compound) alone_[static_cast<std::size_t>(factor)] = false;
      }
    }
  }

  void visit(std::size_t atom) {
    if (atom == limits_.atoms.size()) {
      if (legal()) found_.push_back(build());
      return;
    }
    visit(atom + 1);
    for (std::size_t f = 0; f < rule_.factors.size(); ++f) {
      if (!fits(f, limits_.atoms[atom].size)) continue;
      factor_atoms_[f].push_back(limits_.atoms[atom]);
      visit(atom + 1);
      factor_atoms_[f].pop_back();
    }
    for (std::size_t g = 0; g < rule_.linear.size(); ++g) {
      if (!usable(rule_.linear[g], limits_.partial_operands)) continue;
      linear_atoms_[g].push_back(limits_.atoms[atom]);
      visit(atom + 1);
      linear_atoms_[g].pop_back();
    }
  }

  std::int64_t shards(std::size_t factor) const {
    std::int64_t product = 1;
    for (const AxisRef& atom : factor_atoms_[factor]) product *= atom.size;
    return product;
  }

  bool fits(std::size_t factor, std::int64_t more) const {
    if (!usable(rule_.factors[factor], limits_.partial_operands)) return false;
    const std::int64_t size = rule_.factors[factor].size;
    const std::int64_t parts = shards(factor) * more;
    if (parts > size) return false;
    return size % parts == 0 || (alone_[factor] && limits_.uneven);
  }

  bool legal() const { return legal(rule_.operands) && legal(rule_.results); }

  bool legal(const std::vector<std::vector<DimFactors>>& tensors) const {
    return std::all_of(tensors.begin(), tensors.end(), [&](const auto& tensor) {
      for (std::size_t dim = 0; dim < tensor.size(); ++dim) {
        if (!contiguous(tensor[dim]) || (dim >= kMaxShardedRank && split(tensor[dim])))
          return false;
      }
      return true;
    });
  }

  bool split(const DimFactors& factors) const {
    return std::any_of(factors.begin(), factors.end(),
                       [&](std::int32_t f) { return shards(static_cast<std::size_t>(f)) > 1; });
  }

  /// A minor factor may be split only where all major ones are split down to single rows, or a
  /// device's rows would not be neighbours.
  bool contiguous(const DimFactors& factors) const {
    bool may_split = true;
    for (std::int32_t f : factors) {
      const std::int64_t parts = shards(static_cast<std::size_t>(f));
      if (parts > 1 && !may_split) return false;
      may_split = may_split && parts == rule_.factors[static_cast<std::size_t>(f)].size;
    }
    return true;
  }

  Assignment build() const {
    Assignment assignment;
    for (std::size_t o = 0; o < rule_.operands.size(); ++o) {
      assignment.operands.push_back(dims_spec(rule_.operands[o]));
      add_operand_partials(assignment.operands.back(), static_cast<std::int32_t>(o));
    }
    for (const auto& result : rule_.results) {
      assignment.results.push_back(dims_spec(result));
      add_result_partials(assignment.results.back());
    }
    for (std::size_t f = 0; f < rule_.factors.size(); ++f) {
      assignment.factor_shards.push_back(shards(f));
      assignment.shards *= shards(f);
    }
    return assignment;
  }

  ShardingSpec dims_spec(const std::vector<DimFactors>& tensor) const {
    ShardingSpec spec = ShardingSpec::replicated(static_cast<std::int64_t>(tensor.size()));
    for (std::size_t dim = 0; dim < tensor.size(); ++dim) {
      for (std::int32_t f : tensor[dim]) {
        const auto& atoms = factor_atoms_[static_cast<std::size_t>(f)];
        spec.dims[dim].insert(spec.dims[dim].end(), atoms.begin(), atoms.end());
      }
    }
    return spec;
  }

  static void add_partials(ShardingSpec& spec, const std::vector<AxisRef>& atoms,
                           ReductionKind kind) {
    for (const AxisRef& atom : atoms) spec.partial.push_back({atom, kind});
    std::sort(spec.partial.begin(), spec.partial.end());
  }

  void add_operand_partials(ShardingSpec& spec, std::int32_t operand) const {
    const auto named = [&](const std::vector<std::int32_t>& list) {
      return std::find(list.begin(), list.end(), operand) != list.end();
    };
    for (std::size_t g = 0; g < rule_.linear.size(); ++g) {
      if (named(rule_.linear[g].operands)) {
        add_partials(spec, linear_atoms_[g], ReductionKind::sum);
      }
    }
    for (std::size_t f = 0; f < rule_.factors.size(); ++f) {
      if (named(rule_.factors[f].partial_operands)) {
        add_partials(spec, factor_atoms_[f], rule_.factors[f].reduction);
      }
    }
  }

  void add_result_partials(ShardingSpec& spec) const {
    for (const auto& atoms : linear_atoms_) add_partials(spec, atoms, ReductionKind::sum);
    for (std::size_t f = 0; f < rule_.factors.size(); ++f) {
      if (rule_.factors[f].kind == FactorKind::reduction) {
        add_partials(spec, factor_atoms_[f], rule_.factors[f].reduction);
      }
    }
  }

  const ShardingRule& rule_;
  const EnumerationLimits& limits_;
  std::vector<std::vector<AxisRef>> factor_atoms_;
  std::vector<std::vector<AxisRef>> linear_atoms_;
  std::vector<bool> alone_;  ///< per factor: the only one in each dimension that has it
  std::vector<Assignment> found_;
};

}  // namespace

std::vector<Assignment> enumerate_assignments(const ShardingRule& rule,
                                              const EnumerationLimits& limits) {
  return Enumerator(rule, limits).run();
}

bool may_leave_partial(const ShardingRule& rule, const std::vector<bool>& partial_operands) {
  const bool reduces = std::any_of(rule.factors.begin(), rule.factors.end(), [&](const Factor& f) {
    return f.kind == FactorKind::reduction && f.size > 1 && usable(f, partial_operands);
  });
  return reduces || std::any_of(rule.linear.begin(), rule.linear.end(),
                                [&](const LinearGroup& g) { return usable(g, partial_operands); });
}

}  // namespace autoshard::internal
