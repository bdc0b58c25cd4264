// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "strategy/enumerate.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "cost/resharding.hpp"

using namespace autoshard;
using internal::Assignment;
using internal::EnumerationLimits;

namespace {

using Shapes = std::vector<std::vector<std::int64_t>>;
using Lines = std::vector<std::string>;

std::vector<TensorType> types_of(const Shapes& shapes) {
  std::vector<TensorType> types;
  for (const auto& shape : shapes) types.push_back({DType::f32, shape});
  return types;
}

/// A rule by text, and its assignments as text: "[{x}, {}] [{}, {}] -> [{x}, {}]".
class Strategies {
 public:
  Strategies(std::string_view rule, const Shapes& operands, const Shapes& results,
             std::string_view mesh)
      : mesh_(DeviceMesh::parse(mesh, *find_device("a100")).value()) {
    auto parsed = parse_sharding_rule(rule, types_of(operands), types_of(results));
    if (!parsed.ok()) FAIL(parsed.error().message);
    rule_ = std::move(parsed).value();
    limits_.atoms = internal::whole_axes(mesh_);
    limits_.partial_operands.assign(operands.size(), false);
  }

  Strategies& partial(std::vector<bool> operands) {
    limits_.partial_operands = std::move(operands);
    return *this;
  }
  Strategies& even() {
    limits_.uneven = false;
    return *this;
  }

  std::vector<Assignment> list() const { return internal::enumerate_assignments(rule_, limits_); }
  bool may_leave_partial() const {
    return internal::may_leave_partial(rule_, limits_.partial_operands);
  }

  Lines lines() const {
    Lines lines;
    for (const Assignment& assignment : list()) {
      std::string line;
      for (const ShardingSpec& spec : assignment.operands) line += text(spec) + " ";
      line += "->";
      for (const ShardingSpec& spec : assignment.results) line += " " + text(spec);
      lines.push_back(std::move(line));
    }
    return lines;
  }

 private:
  std::string text(const ShardingSpec& spec) const {
    std::string text = to_string(spec, mesh_);
    std::erase(text, '"');
    return text;
  }

  DeviceMesh mesh_;
  ShardingRule rule_;
  EnumerationLimits limits_;
};

Strategies matmul(std::string_view mesh, std::int64_t size = 8) {
  return {"([i,k],[k,j])->([i,j]) reduction={k} linear={0},{1}",
          {{size, size}, {size, size}},
          {{size, size}},
          mesh};
}

}  // namespace

TEST_CASE("a product on one axis is split by rows, columns or the contracted dimension") {
  CHECK(matmul("x=4").lines() == Lines{
                                     "[{}, {}] [{}, {}] -> [{}, {}]",
                                     "[{x}, {}] [{}, {}] -> [{x}, {}]",
                                     "[{}, {}] [{}, {x}] -> [{}, {x}]",
                                     "[{}, {x}] [{x}, {}] -> [{}, {}] partial={x:sum}",
                                 });
}

TEST_CASE("a product may take one partial operand and hand it on") {
  const Lines with_left = matmul("x=4").partial({true, false}).lines();
  REQUIRE(with_left.size() == 5);
  CHECK(with_left[4] == "[{}, {}] partial={x:sum} [{}, {}] -> [{}, {}] partial={x:sum}");
  CHECK(matmul("x=4").partial({true, true}).lines().size() == 6);
}

TEST_CASE("a product on two axes has every pair of uses") {
  const Lines lines = matmul("x=2,y=2").lines();
  CHECK(lines.size() == 16);
  CHECK(std::set<std::string>(lines.begin(), lines.end()).size() == 16);
  for (const char* expected :
       {"[{x}, {}] [{}, {y}] -> [{x}, {y}]", "[{x, y}, {}] [{}, {}] -> [{x, y}, {}]",
        "[{}, {x, y}] [{x, y}, {}] -> [{}, {}] partial={x:sum, y:sum}",
        "[{y}, {x}] [{x}, {}] -> [{y}, {}] partial={x:sum}"}) {
    CAPTURE(expected);
    CHECK(std::find(lines.begin(), lines.end(), expected) != lines.end());
  }
  CHECK(lines.front() == "[{}, {}] [{}, {}] -> [{}, {}]");
}

TEST_CASE("the work is split into as many parts as the used axes have devices") {
  for (const Assignment& assignment : matmul("x=2,y=4").list()) {
    std::int64_t product = 1;
    for (std::int64_t shards : assignment.factor_shards) product *= shards;
    CHECK(assignment.shards == product);
    CHECK(8 % assignment.shards == 0);
  }
}

TEST_CASE("every assignment is valid for the types of the rule") {
  const DeviceMesh mesh = DeviceMesh::parse("x=2,y=3", *find_device("a100")).value();
  const TensorType type{DType::f32, {8, 8}};
  for (const Assignment& assignment : matmul("x=2,y=3").partial({true, true}).list()) {
    for (const ShardingSpec& spec : assignment.operands) CHECK(validate(spec, type, mesh).ok());
    for (const ShardingSpec& spec : assignment.results) CHECK(validate(spec, type, mesh).ok());
  }
}

TEST_CASE("a factor that the axis does not divide is split only where that is allowed") {
  CHECK(matmul("x=3", 8).lines().size() == 4);
  CHECK(matmul("x=3", 8).even().lines().size() == 1);
  CHECK(matmul("x=4", 8).even().lines().size() == 4);
}

TEST_CASE("no factor is split into more parts than it has rows") {
  CHECK(matmul("x=4", 3).lines().size() == 1);
  const Lines lines = matmul("x=2,y=2", 3).lines();
  CHECK(lines.size() == 13);
  CHECK(std::find(lines.begin(), lines.end(), "[{x, y}, {}] [{}, {}] -> [{x, y}, {}]") ==
        lines.end());
}

TEST_CASE("a factor that must not be split is not") {
  const Strategies rule("([i,k])->([i,k]) replicate={k}", {{8, 8}}, {{8, 8}}, "x=2,y=2");
  for (const std::string& line : rule.lines()) CHECK(line.find(", {}] ->") != std::string::npos);
  CHECK(rule.lines().size() == 4);
}

TEST_CASE("the minor factor of a dimension is split only under a completely split major one") {
  const Strategies merge("([i,j])->([(ij)])", {{2, 8}}, {{16}}, "x=2,y=4");
  CHECK(merge.lines() == Lines{
                             "[{}, {}] -> [{}]",
                             "[{x}, {}] -> [{x}]",
                             "[{x}, {y}] -> [{x, y}]",
                         });
}

TEST_CASE("the factors of a dimension that has several are split evenly") {
  const Strategies merge("([i,j])->([(ij)])", {{6, 4}}, {{24}}, "x=4");
  CHECK(merge.lines() == Lines{"[{}, {}] -> [{}]"});
  const Strategies even("([i,j])->([(ij)])", {{6, 4}}, {{24}}, "x=3");
  CHECK(even.lines() == Lines{"[{}, {}] -> [{}]", "[{x}, {}] -> [{x}]"});
}

TEST_CASE("a linear group is used only when all of its operands may be partial") {
  const auto add = [] {
    return Strategies("([i],[i])->([i]) linear={0,1}", {{8}, {8}}, {{8}}, "x=2");
  };
  CHECK(add().partial({true, false}).lines().size() == 2);
  CHECK(add().partial({true, true}).lines() ==
        Lines{"[{}] [{}] -> [{}]", "[{x}] [{x}] -> [{x}]",
              "[{}] partial={x:sum} [{}] partial={x:sum} -> [{}] partial={x:sum}"});
}

TEST_CASE("a reduction that wants a partial operand is split only when it may be partial") {
  const auto scatter = [] {
    return Strategies("([i],[k])->([i]) reduction={k} partial_operands={k:0}", {{8}, {4}}, {{8}},
                      "x=2");
  };
  CHECK(scatter().lines().size() == 2);
  CHECK(scatter().partial({true, false}).lines().back() ==
        "[{}] partial={x:sum} [{x}] -> [{}] partial={x:sum}");
  CHECK_FALSE(scatter().may_leave_partial());
  CHECK(scatter().partial({true, false}).may_leave_partial());
}

TEST_CASE("a maximum leaves a partial maximum") {
  const Strategies maximum("([i,k])->([i]) max={k}", {{8, 8}}, {{8}}, "x=2");
  CHECK(maximum.lines().back() == "[{}, {x}] -> [{}] partial={x:max}");
  CHECK(maximum.may_leave_partial());
}

TEST_CASE("only reductions and usable linear groups leave partial values") {
  CHECK(matmul("x=2").may_leave_partial());
  const Strategies copy("([i])->([i])", {{8}}, {{8}}, "x=2");
  CHECK_FALSE(copy.may_leave_partial());
  Strategies negate("([i])->([i]) linear={0}", {{8}}, {{8}}, "x=2");
  CHECK_FALSE(negate.may_leave_partial());
  CHECK(negate.partial({true}).may_leave_partial());
  const Strategies zeros("()->([i]) linear={}", {}, {{8}}, "x=2");
  CHECK(zeros.may_leave_partial());
  CHECK(zeros.lines() == Lines{"-> [{}]", "-> [{x}]", "-> [{}] partial={x:sum}"});
}
