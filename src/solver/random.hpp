// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// A small random generator (splitmix64). The standard distributions differ between libraries, and
// the same seed must give the same answer everywhere.
#pragma once

#include <cstddef>
#include <cstdint>

namespace autoshard::internal {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9E3779B97F4A7C15ull);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
  }
  /// In [0, count); count >= 1.
  std::size_t below(std::size_t count) { return static_cast<std::size_t>(next() % count); }
  /// In [0, 1).
  double unit() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

 private:
  std::uint64_t state_;
};

}  // namespace autoshard::internal
