// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// Seconds of one operator and of one collective. An interface: the analytic model below, a host's
// own tables, or a test's formulas. It does not decide anything.
#pragma once

#include <cstdint>

#include "autoshard/collective.hpp"
#include "autoshard/device_mesh.hpp"
#include "autoshard/graph.hpp"

namespace autoshard {

/// What one device does for one operator under one strategy. Arguments of the graph are priced
/// too (kind "argument"): their memory is what a device holds of them.
struct OperatorWork {
  std::string_view kind;
  DType dtype = DType::f32;        ///< of the first result
  bool matmul = false;             ///< runs on the matrix units (dot_general, convolution)
  double flops = 0;                ///< of one device, replicated work included
  double memory_bytes = 0;         ///< read and written by one device after fusion
  std::int64_t shards = 1;         ///< into how many distinct parts the work is split
  Role role = Role::intermediate;  ///< of an argument
};

class CostModel {
 public:
  virtual ~CostModel() = default;
  virtual double operator_seconds(const OperatorWork& work) const = 0;
  virtual double collective_seconds(const Collective& collective) const = 0;
};

/// Roofline max(flops / peak, bytes / memory bandwidth) plus a launch constant for what touches
/// memory; of arguments only the inputs, which are new in every step and are written to memory
/// once; collectives by the ring formulas of reference [1] over the slowest link of the axes:
///   all-reduce 2(n-1)a + 2(n-1)/n S/B; all-gather, reduce-scatter, all-to-all (n-1)a + (n-1)/n
///   S/B; permute a + S/B.
/// [1] Thakur, Rabenseifner, Gropp: Optimization of collective communication operations in MPICH,
/// IJHPCA 2005.
class AnalyticCostModel : public CostModel {
 public:
  explicit AnalyticCostModel(const DeviceMesh& mesh) : mesh_(mesh) {}
  double operator_seconds(const OperatorWork& work) const override;
  double collective_seconds(const Collective& collective) const override;

 private:
  const DeviceMesh& mesh_;
};

}  // namespace autoshard
