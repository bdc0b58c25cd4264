// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// A plan made by hand for tests of its JSON form, and the places in that form.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "autoshard/plan.hpp"

namespace autoshard::test {

/// y = x w on eight devices, negated three times by a loop. The dot is split over its contraction
/// and summed before the loop; the result of the loop is cut along half an axis.
class SamplePlan {
 public:
  SamplePlan();

  const Graph& graph() const { return graph_; }
  const IntraOpPlan& plan() const { return plan_; }
  std::string text() const { return write_plan_json(plan_, graph_); }

 private:
  ShardingSpec spec(std::string_view text) const;
  void make(std::string_view path, std::string_view spec_text);
  void convert(std::string_view path, std::string_view spec_text, CopyId source, Collective step);
  void add_copies();
  void add_totals();

  Graph graph_;
  IntraOpPlan plan_;
};

/// Every member of every object that is read back: without what docs/plan.md marks as derived.
std::vector<nlohmann::json::json_pointer> members_read(const nlohmann::json& json);

}  // namespace autoshard::test
