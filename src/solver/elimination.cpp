// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "solver/elimination.hpp"

#include <algorithm>

#include "solver/kernels.hpp"

namespace autoshard::internal {
namespace {

constexpr double kExactLimit = 9007199254740992.0;  // 2^53

}  // namespace

Elimination::Elimination(const Core& core, EliminationOrder order)
    : core_(core), order_(std::move(order)), position_(core.size(), -1) {
  for (std::size_t i = 0; i < order_.nodes.size(); ++i) {
    position_[static_cast<std::size_t>(order_.nodes[i])] = static_cast<std::int32_t>(i);
  }
  make_buckets();
  place_pairs();
  place_messages();
  std::size_t deepest = 0, widest = 0, most = 0;
  for (Bucket& bucket : buckets_) {
    sort_factors(bucket);
    deepest = std::max(deepest, bucket.scope.size());
    widest = std::max(widest, bucket.width);
    most = std::max(most, bucket.factors.size());
  }
  sums_.resize((deepest + 1) * widest);
  cursors_.resize(most);
}

void Elimination::make_buckets() {
  std::size_t total = 0;
  for (std::size_t i = 0; i < order_.nodes.size(); ++i) {
    Bucket& bucket = buckets_.emplace_back();
    bucket.node = order_.nodes[i];
    bucket.width = width(bucket.node);
    bucket.scope = std::move(order_.scopes[i]);
    std::sort(bucket.scope.begin(), bucket.scope.end(), [this](std::int32_t a, std::int32_t b) {
      return position_[static_cast<std::size_t>(a)] > position_[static_cast<std::size_t>(b)];
    });
    for (const std::int32_t u : bucket.scope) bucket.message_size *= width(u);
    total += bucket.message_size;
  }
  messages_.resize(total);
  double* next = messages_.data();
  for (Bucket& bucket : buckets_) {
    bucket.message = next;
    next += bucket.message_size;
  }
}

void Elimination::place_pairs() {
  for (Bucket& bucket : buckets_) {
    const std::int32_t here = position_[static_cast<std::size_t>(bucket.node)];
    for (const Link& link : core_.links(static_cast<std::size_t>(bucket.node))) {
      if (position_[static_cast<std::size_t>(link.neighbour)] <= here) continue;
      const CoreEdge& edge = core_.edges[static_cast<std::size_t>(link.edge)];
      Factor factor;
      factor.table = edge.from == link.neighbour ? edge.by_from : edge.by_to;
      factor.largest = edge.largest;
      add_factor(bucket, {link.neighbour}, std::move(factor));
    }
  }
}

void Elimination::place_messages() {
  for (std::size_t i = 0; i < buckets_.size(); ++i) {
    const Bucket& sender = buckets_[i];
    if (sender.scope.empty()) continue;
    std::vector<std::int32_t> scope = sender.scope;
    const std::int32_t receiver = scope.back();
    scope.pop_back();
    Factor factor;
    factor.table = sender.message;
    factor.message_of = static_cast<std::int32_t>(i);
    add_factor(buckets_[static_cast<std::size_t>(position_[static_cast<std::size_t>(receiver)])],
               scope, std::move(factor));
  }
}

void Elimination::add_factor(Bucket& bucket, const std::vector<std::int32_t>& scope,
                             Factor factor) {
  factor.steps.assign(bucket.scope.size(), 0);
  std::size_t step = bucket.width;
  for (std::size_t i = scope.size(); i-- > 0;) {
    const auto place =
        std::find(bucket.scope.begin(), bucket.scope.end(), scope[i]) - bucket.scope.begin();
    factor.steps[static_cast<std::size_t>(place)] = step;
    factor.depth = std::max(factor.depth, static_cast<std::size_t>(place) + 1);
    step *= width(scope[i]);
  }
  bucket.factors.push_back(std::move(factor));
}

void Elimination::sort_factors(Bucket& bucket) {
  std::stable_sort(bucket.factors.begin(), bucket.factors.end(),
                   [](const Factor& a, const Factor& b) { return a.depth < b.depth; });
  bucket.depth_first.assign(bucket.scope.size() + 2, 0);
  for (const Factor& factor : bucket.factors) ++bucket.depth_first[factor.depth + 1];
  for (std::size_t d = 1; d < bucket.depth_first.size(); ++d)
    bucket.depth_first[d] += bucket.depth_first[d - 1];
}

void Elimination::solve(std::span<const double> costs, std::vector<std::int32_t>& x) {
  exact_ = true;
  for (Bucket& bucket : buckets_) fill(bucket, costs);
  for (std::size_t i = buckets_.size(); i-- > 0;) decide(buckets_[i], costs, x);
}

void Elimination::fill(Bucket& bucket, std::span<const double> costs) {
  const double* own = costs.data() + core_.first[static_cast<std::size_t>(bucket.node)];
  std::copy_n(own, bucket.width, sums_.begin());
  double bound = *std::max_element(own, own + bucket.width);
  for (std::size_t f = 0; f < bucket.factors.size(); ++f) {
    Factor& factor = bucket.factors[f];
    if (factor.message_of >= 0)
      factor.largest = buckets_[static_cast<std::size_t>(factor.message_of)].largest;
    bound += factor.largest;
    cursors_[f] = factor.table;
    if (factor.depth == 0) add_to(sums_.data(), factor.table, bucket.width);
  }
  out_ = bucket.message;
  fill_level(bucket, 0, sums_.data());
  normalise(bucket, bound);
}

void Elimination::fill_level(const Bucket& bucket, std::size_t level, const double* above) {
  if (level == bucket.scope.size()) {
    *out_++ = min_of(above, bucket.width);
    return;
  }
  if (level + 1 == bucket.scope.size()) return fill_innermost(bucket, above);
  const std::size_t begin = bucket.depth_first[level + 1], end = bucket.depth_first[level + 2];
  double* row = sums_.data() + (level + 1) * bucket.width;
  for (std::size_t choice = width(bucket.scope[level]); choice-- > 0;) {
    if (begin == end) {
      std::copy_n(above, bucket.width, row);
    } else {
      add_rows(row, above, cursors_[begin], bucket.width);
    }
    for (std::size_t f = begin + 1; f < end; ++f) add_to(row, cursors_[f], bucket.width);
    fill_level(bucket, level + 1, row);
    advance(bucket, level);
  }
  rewind(bucket, level);
}

void Elimination::fill_innermost(const Bucket& bucket, const double* above) {
  const std::size_t level = bucket.scope.size() - 1;
  const std::size_t begin = bucket.depth_first[level + 1], end = bucket.depth_first[level + 2];
  double* row = sums_.data() + (level + 1) * bucket.width;
  for (std::size_t choice = width(bucket.scope[level]); choice-- > 0;) {
    const double* base = above;
    if (end - begin > 1) {
      add_rows(row, above, cursors_[begin], bucket.width);
      for (std::size_t f = begin + 1; f + 1 < end; ++f) add_to(row, cursors_[f], bucket.width);
      base = row;
    }
    // At least one table depends on the innermost dimension, or it would not be in the scope.
    *out_++ = min_of_sum(base, cursors_[end - 1], bucket.width);
    advance(bucket, level);
  }
  rewind(bucket, level);
}

void Elimination::advance(const Bucket& bucket, std::size_t level) {
  for (std::size_t f = bucket.depth_first[level + 1]; f < bucket.factors.size(); ++f) {
    cursors_[f] += bucket.factors[f].steps[level];
  }
}

void Elimination::rewind(const Bucket& bucket, std::size_t level) {
  const std::size_t count = width(bucket.scope[level]);
  for (std::size_t f = bucket.depth_first[level + 1]; f < bucket.factors.size(); ++f) {
    cursors_[f] -= bucket.factors[f].steps[level] * count;
  }
}

void Elimination::normalise(Bucket& bucket, double bound) {
  if (bound >= kExactLimit) exact_ = false;
  const double least = min_of(bucket.message, bucket.message_size);
  double largest = 0;
  for (std::size_t i = 0; i < bucket.message_size; ++i) {
    bucket.message[i] -= least;
    largest = std::max(largest, bucket.message[i]);
  }
  bucket.largest = largest;
}

void Elimination::decide(const Bucket& bucket, std::span<const double> costs,
                         std::vector<std::int32_t>& x) {
  const double* own = costs.data() + core_.first[static_cast<std::size_t>(bucket.node)];
  std::copy_n(own, bucket.width, sums_.begin());
  for (const Factor& factor : bucket.factors) {
    const double* row = factor.table;
    for (std::size_t d = 0; d < bucket.scope.size(); ++d) {
      row +=
          factor.steps[d] * static_cast<std::size_t>(x[static_cast<std::size_t>(bucket.scope[d])]);
    }
    add_to(sums_.data(), row, bucket.width);
  }
  x[static_cast<std::size_t>(bucket.node)] =
      static_cast<std::int32_t>(argmin_of(sums_.data(), bucket.width));
}

}  // namespace autoshard::internal
