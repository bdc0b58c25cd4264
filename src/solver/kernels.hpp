// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// The inner loops of elimination and message passing, over contiguous rows of doubles. Two lanes
// are written out by hand because compilers may not reorder a minimum of doubles themselves.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>

namespace autoshard::internal {

/// min over i of a[i] + b[i]; n >= 1.
inline double min_of_sum(const double* a, const double* b, std::size_t n) {
  double even = a[0] + b[0], odd = even;
  std::size_t i = 1;
  for (; i + 1 < n; i += 2) {
    const double x = a[i] + b[i], y = a[i + 1] + b[i + 1];
    even = x < even ? x : even;
    odd = y < odd ? y : odd;
  }
  if (i < n) {
    const double x = a[i] + b[i];
    even = x < even ? x : even;
  }
  return odd < even ? odd : even;
}

/// into[i] = min(into[i], row[i] + shift): vectorises as it stands.
inline void min_with_shifted(double* __restrict into, const double* __restrict row, double shift,
                             std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    const double value = row[i] + shift;
    into[i] = value < into[i] ? value : into[i];
  }
}

inline void add_rows(double* __restrict into, const double* __restrict a,
                     const double* __restrict b, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) into[i] = a[i] + b[i];
}

inline void add_to(double* __restrict into, const double* __restrict a, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) into[i] += a[i];
}

inline double min_of(const double* a, std::size_t n) {
  double least = a[0];
  for (std::size_t i = 1; i < n; ++i) least = a[i] < least ? a[i] : least;
  return least;
}

inline std::size_t argmin_of(const double* a, std::size_t n) {
  return static_cast<std::size_t>(std::min_element(a, a + n) - a);
}

}  // namespace autoshard::internal
