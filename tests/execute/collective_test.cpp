// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <random>

#include "execute/collective_step.hpp"
#include "execute/distribution.hpp"
#include "execute/element.hpp"
#include "support/hand_plan.hpp"

namespace autoshard::test {
namespace {

using namespace internal;

constexpr double kTolerance = 1e-12;

Value random_value(const TensorType& type, std::mt19937_64& random) {
  Value value = filled(whole_box(type.shape), 0.0);
  for (double& element : value.data) element = unit_interval(random()) - 0.5;
  return value;
}

/// Pieces whose partial values are random but add up to the tensor.
Values random_pieces(const Value& dense, const Placement& placement, std::mt19937_64& random) {
  Values pieces = distribute(dense, placement);
  if (placement.spec.partial.empty()) return pieces;
  Values noise = pieces;
  for (Value& piece : noise) {
    for (double& element : piece.data) element = unit_interval(random());
  }
  // What the noise adds up to is taken off again where the value is.
  const Values sums = totals(noise, placement);
  for (std::size_t device = 0; device < pieces.size(); ++device) {
    const bool first = std::all_of(
        placement.spec.partial.begin(), placement.spec.partial.end(), [&](const PartialAxis& p) {
          return coordinate(placement.mesh, static_cast<std::int64_t>(device), p.axis) == 0;
        });
    for (std::size_t n = 0; n < pieces[device].data.size(); ++n) {
      pieces[device].data[n] += noise[device].data[n] - (first ? sums[device].data[n] : 0);
    }
  }
  return pieces;
}

struct Case {
  std::string mesh;
  std::vector<std::int64_t> shape;
  CollectiveKind kind;
  std::string from;
  std::string to;
};

std::string label(const Case& c) {
  return c.mesh + " " + std::string(name(c.kind)) + " " + c.from + " -> " + c.to;
}

/// Runs one step from random pieces; the outcome is the tensor under the new spec.
void check_case(const Case& c, bool even) {
  CAPTURE(label(c));
  std::mt19937_64 random(1);
  const DeviceMesh mesh = mesh_of(c.mesh);
  const TensorType type = {DType::f32, c.shape};
  const ShardingSpec from = spec_of(c.from, mesh);
  const ShardingSpec to = spec_of(c.to, mesh);
  const Collective collective = collective_of(c.kind, from, to, type, mesh);
  const CollectiveStep step{collective, from, to, type, mesh};
  const Value dense = random_value(type, random);
  const auto outcome = run_step(step, random_pieces(dense, {from, type, mesh}, random));
  REQUIRE_MESSAGE(outcome.ok(), outcome.error().message);
  const Comparison comparison = compare(dense, outcome->pieces, {to, type, mesh}, kTolerance);
  CHECK_MESSAGE(!comparison.mismatch, comparison.mismatch.value_or(""));
  CHECK_MESSAGE(!traffic_complaint(step, *outcome), traffic_complaint(step, *outcome).value_or(""));
  const std::int64_t moved = bytes_of(type, outcome->moved_elements + outcome->kept_elements);
  const std::int64_t predicted = sent_bytes_per_device(collective) * mesh.device_count();
  if (even) CHECK(moved == predicted);
  CHECK(moved <= predicted);
}

Result<StepOutcome> run_wrong(const Case& c, const std::function<void(Collective&)>& change) {
  std::mt19937_64 random(1);
  const DeviceMesh mesh = mesh_of(c.mesh);
  const TensorType type = {DType::f32, c.shape};
  const ShardingSpec from = spec_of(c.from, mesh);
  const ShardingSpec to = spec_of(c.to, mesh);
  Collective collective = collective_of(c.kind, from, to, type, mesh);
  change(collective);
  return run_step({collective, from, to, type, mesh},
                  distribute(random_value(type, random), {from, type, mesh}));
}

constexpr auto kReduce = CollectiveKind::all_reduce;
constexpr auto kGather = CollectiveKind::all_gather;
constexpr auto kReduceScatter = CollectiveKind::reduce_scatter;
constexpr auto kAllToAll = CollectiveKind::all_to_all;
constexpr auto kPermute = CollectiveKind::collective_permute;
constexpr auto kSlice = CollectiveKind::slice;

TEST_CASE("collectives on even splits move what their formula says") {
  const std::vector<Case> cases = {
      {"8", {8}, kReduce, R"([{}] partial={"a0":sum})", "[{}]"},
      {"2x4", {8, 4}, kReduce, R"([{"a0"}, {}] partial={"a1":sum})", R"([{"a0"}, {}])"},
      {"2x4", {8, 4}, kReduce, R"([{}, {}] partial={"a0":sum, "a1":sum})", "[{}, {}]"},
      {"2x3x2",
       {12},
       kReduce,
       R"([{"a1"}] partial={"a0":sum, "a2":sum})",
       R"([{"a1"}] partial={"a2":sum})"},
      {"2x4", {8, 4}, kGather, R"([{"a1"}, {"a0"}])", R"([{}, {"a0"}])"},
      {"2x4", {8, 4}, kGather, R"([{"a1", "a0"}, {}])", R"([{"a1"}, {}])"},
      {"2x3x2", {12, 5}, kGather, R"([{"a2", "a0", "a1"}, {}])", "[{}, {}]"},
      {"6", {12}, kGather, R"([{"a0"}])", "[{}]"},
      {"7", {14}, kGather, R"([{"a0"}])", "[{}]"},
      {"2x4", {8}, kReduceScatter, R"([{}] partial={"a1":sum})", R"([{"a1"}])"},
      {"2x4", {8}, kReduceScatter, R"([{"a0"}] partial={"a1":sum})", R"([{"a0", "a1"}])"},
      {"2x3x2",
       {12, 3},
       kReduceScatter,
       R"([{}, {"a1"}] partial={"a0":sum, "a2":sum})",
       R"([{"a2", "a0"}, {"a1"}])"},
      {"4", {4, 8}, kAllToAll, R"([{"a0"}, {}])", R"([{}, {"a0"}])"},
      {"2x4", {8, 8}, kAllToAll, R"([{"a0", "a1"}, {}])", R"([{"a0"}, {"a1"}])"},
      {"2x2x2", {8, 8}, kAllToAll, R"([{"a0", "a1"}, {"a2"}])", R"([{}, {"a2", "a1", "a0"}])"},
      {"2x4", {16}, kPermute, R"([{"a0", "a1"}])", R"([{"a1", "a0"}])"},
      {"2x2", {4, 4}, kPermute, R"([{"a0"}, {}])", R"([{"a1"}, {}])"},
      {"2x2", {4, 4}, kPermute, R"([{"a0"}, {"a1"}])", R"([{"a1"}, {"a0"}])"},
      {"2x4", {8, 4}, kSlice, R"([{"a0"}, {}])", R"([{"a0"}, {"a1"}])"},
      {"2x4", {8, 4}, kSlice, "[{}, {}]", R"([{"a1", "a0"}, {}])"},
  };
  for (const Case& c : cases) check_case(c, true);
}

TEST_CASE("collectives over parts of axes") {
  const std::vector<Case> cases = {
      {"8", {8}, kGather, R"([{"a0":(1)2, "a0":(2)4}])", R"([{"a0":(1)2}])"},
      {"2x4",
       {8, 4},
       kReduce,
       R"([{"a1":(1)2}, {}] partial={"a1":(2)2:sum})",
       R"([{"a1":(1)2}, {}])"},
      {"8", {8}, kReduceScatter, R"([{}] partial={"a0":(2)2:sum})", R"([{"a0":(2)2}])"},
      {"8", {8, 8}, kAllToAll, R"([{"a0":(4)2, "a0":(1)2}, {}])", R"([{"a0":(4)2}, {"a0":(1)2}])"},
      {"12", {12}, kPermute, R"([{"a0":(1)2, "a0":(2)6}])", R"([{"a0":(2)6, "a0":(1)2}])"},
      {"8", {8}, kSlice, R"([{"a0":(1)2}])", R"([{"a0":(1)2, "a0":(2)4}])"},
  };
  for (const Case& c : cases) check_case(c, true);
}

TEST_CASE("a list that names parts of an axis is the axis") {
  std::mt19937_64 random(1);
  const DeviceMesh mesh = mesh_of("8");
  const TensorType type = {DType::f32, {8}};
  const ShardingSpec from = spec_of(R"([{"a0"}])", mesh);
  const ShardingSpec to = spec_of(R"([{"a0":(1)2}])", mesh);
  const Collective gather{kGather, {{0, 2, 4}}, ReductionKind::sum, 0, 0, 4, 16};
  const Value dense = random_value(type, random);
  const auto outcome =
      run_step({gather, from, to, type, mesh}, distribute(dense, {from, type, mesh}));
  REQUIRE_MESSAGE(outcome.ok(), outcome.error().message);
  CHECK(!compare(dense, outcome->pieces, {to, type, mesh}, kTolerance).mismatch);
}

TEST_CASE("collectives on uneven splits never move more than the formula says") {
  const std::vector<Case> cases = {
      {"7", {10}, kReduce, R"([{}] partial={"a0":sum})", "[{}]"},
      {"2x4", {5, 3}, kReduce, R"([{"a0"}, {}] partial={"a1":sum})", R"([{"a0"}, {}])"},
      {"6", {7}, kGather, R"([{"a0"}])", "[{}]"},
      {"7", {3}, kGather, R"([{"a0"}])", "[{}]"},
      {"2x4", {6, 5}, kGather, R"([{"a1"}, {"a0"}])", R"([{}, {"a0"}])"},
      {"4", {6}, kReduceScatter, R"([{}] partial={"a0":sum})", R"([{"a0"}])"},
      {"4", {5, 7}, kAllToAll, R"([{"a0"}, {}])", R"([{}, {"a0"}])"},
      {"2x2", {5, 3}, kPermute, R"([{"a0"}, {}])", R"([{"a1"}, {}])"},
      {"2x4", {5, 3}, kSlice, R"([{"a0"}, {}])", R"([{"a0"}, {"a1"}])"},
      {"2x4", {7}, kSlice, R"([{"a0"}])", R"([{"a0", "a1"}])"},
  };
  for (const Case& c : cases) check_case(c, false);
}

TEST_CASE("every kind of reduction reduces partial values") {
  const DeviceMesh mesh = mesh_of("3");
  const TensorType type = {DType::s32, {2}};
  const auto reduced = [&](ReductionKind kind) {
    ShardingSpec from = ShardingSpec::replicated(1);
    from.partial = {{{0, 1, 3}, kind}};
    const ShardingSpec to = ShardingSpec::replicated(1);
    const Collective collective{kReduce, {{0, 1, 3}}, kind, 0, 0, 3, 8};
    const Box box = {{0, 2}};
    const auto outcome =
        run_step({collective, from, to, type, mesh}, {{box, {6, 1}}, {box, {3, 2}}, {box, {2, 1}}});
    REQUIRE(outcome.ok());
    return outcome->pieces[2].data;
  };
  CHECK(reduced(ReductionKind::sum) == std::vector<double>{11, 4});
  CHECK(reduced(ReductionKind::product) == std::vector<double>{36, 2});
  CHECK(reduced(ReductionKind::max) == std::vector<double>{6, 2});
  CHECK(reduced(ReductionKind::min) == std::vector<double>{2, 1});
  CHECK(reduced(ReductionKind::logical_and) == std::vector<double>{2, 0});
  CHECK(reduced(ReductionKind::logical_or) == std::vector<double>{7, 3});
}

TEST_CASE("a collective that does not do what the specs say is refused with the reason") {
  const auto message = [](const Case& c, const std::function<void(Collective&)>& change) {
    const auto outcome = run_wrong(c, change);
    REQUIRE_MESSAGE(!outcome.ok(), label(c));
    return outcome.error().message;
  };
  const Case gather = {"2x4", {8, 4}, kGather, R"([{"a1"}, {}])", "[{}, {}]"};
  const Case reduce = {"2x4", {8}, kReduce, R"([{}] partial={"a1":sum})", "[{}]"};
  CHECK(message(gather, [](Collective& c) { c.gather_dim = 1; }) ==
        "dimension 0 is not left as it is");
  CHECK(message(gather, [](Collective& c) { c.kind = kSlice; }) ==
        "dimension 0 is not split along the axes of the group");
  CHECK(message(gather, [](Collective& c) {
          c.axes = {{0, 1, 2}};
        }) == "group_size is 4, but the axes have 2 devices");
  CHECK(message(gather, [](Collective& c) {
          c.axes = {{0, 1, 2}};
          c.group_size = 2;
        }) == "dimension 0 is not gathered along the axes of the group");
  CHECK(message(reduce, [](Collective& c) { c.reduction = ReductionKind::max; }) ==
        "the partial axes are not what is reduced");
  CHECK(message(reduce, [](Collective& c) { c.kind = kGather; }) ==
        "the partial axes are not what is reduced");
}

TEST_CASE("a step that needs data from outside of its group is refused") {
  // Gathering the major axis of two leaves rows that are not next to each other.
  const auto major =
      run_wrong({"2x2", {8}, kGather, R"([{"a0", "a1"}])", R"([{"a1"}])"}, [](Collective&) {});
  REQUIRE(!major.ok());
  CHECK(major.error().message == "device 0 needs [0:4], which its group does not hold");
  // Five rows over two are 3 + 2, over four 2 + 2 + 1 + 0: the second device lacks its third row.
  const auto uneven =
      run_wrong({"2x2", {5}, kSlice, R"([{"a0"}])", R"([{"a0", "a1"}])"}, [](Collective&) {});
  REQUIRE(!uneven.ok());
  CHECK(uneven.error().message.find("which its group does not hold") != std::string::npos);
  const auto permute =
      run_wrong({"2x2", {4}, kPermute, R"([{"a0"}])", R"([{"a1"}])"}, [](Collective& c) {
        c.axes = {{0, 1, 2}};
        c.group_size = 2;
      });
  REQUIRE(!permute.ok());
  CHECK(permute.error().message == "2 devices of a group need [0:2], which 1 hold: no permutation");
}

TEST_CASE("wrong bytes are noticed") {
  std::mt19937_64 random(1);
  const DeviceMesh mesh = mesh_of("4");
  const TensorType type = {DType::f32, {8}};
  const ShardingSpec from = spec_of(R"([{"a0"}])", mesh);
  const ShardingSpec to = spec_of("[{}]", mesh);
  Collective collective = collective_of(kGather, from, to, type, mesh);
  const Values pieces = distribute(random_value(type, random), {from, type, mesh});
  for (const std::int64_t wrong : {8, 64}) {
    collective.buffer_bytes = wrong;
    const CollectiveStep step{collective, from, to, type, mesh};
    const auto outcome = run_step(step, pieces);
    REQUIRE(outcome.ok());
    CHECK(traffic_complaint(step, *outcome).has_value());
  }
}

/// A random next spec that one collective leads to, and its kind.
class RandomMoves {
 public:
  RandomMoves(const DeviceMesh& mesh, std::mt19937_64& random) : mesh_(mesh), random_(random) {}

  std::pair<CollectiveKind, ShardingSpec> next(const ShardingSpec& from) {
    while (true) {
      ShardingSpec to = from;
      const auto kind = static_cast<CollectiveKind>(below(6));
      if (change(kind, to)) return {kind, to};
    }
  }

 private:
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(random_() % n); }

  std::optional<AxisRef> free_axis(const ShardingSpec& spec) {
    const AxisRef axis = whole_axis(mesh_, static_cast<std::int32_t>(below(mesh_.axes().size())));
    for (const auto& dim : spec.dims) {
      if (std::find(dim.begin(), dim.end(), axis) != dim.end()) return std::nullopt;
    }
    for (const PartialAxis& partial : spec.partial) {
      if (partial.axis == axis) return std::nullopt;
    }
    return axis;
  }

  bool change(CollectiveKind kind, ShardingSpec& spec) {
    std::vector<AxisRef>& a = spec.dims[below(spec.dims.size())];
    std::vector<AxisRef>& b = spec.dims[below(spec.dims.size())];
    switch (kind) {
      case kReduce:
        return reduce(spec, nullptr);
      case kReduceScatter:
        return reduce(spec, &a);
      case kGather:
        return !a.empty() && (a.pop_back(), true);
      case kAllToAll:
        return &a != &b && !a.empty() && (b.push_back(a.back()), a.pop_back(), true);
      case kPermute:
        return a.size() > 1 && (std::swap(a[0], a[1]), true);
      case kSlice: {
        const auto axis = free_axis(spec);
        return axis && (a.push_back(*axis), true);
      }
    }
    return false;
  }

  static bool reduce(ShardingSpec& spec, std::vector<AxisRef>* into) {
    if (spec.partial.empty()) return false;
    if (into) into->push_back(spec.partial.back().axis);
    spec.partial.pop_back();
    return true;
  }

  const DeviceMesh& mesh_;
  std::mt19937_64& random_;
};

/// Follows random collectives; returns how many could be run.
int follow_chain(const TensorType& type, const DeviceMesh& mesh, std::uint64_t seed, bool even) {
  std::mt19937_64 random(seed);
  RandomMoves moves(mesh, random);
  ShardingSpec from = ShardingSpec::replicated(type.rank());
  from.partial = {{whole_axis(mesh, 0), ReductionKind::sum}};
  const Value dense = random_value(type, random);
  Values pieces = random_pieces(dense, {from, type, mesh}, random);
  int ran = 0;
  for (int i = 0; i < 12; ++i) {
    const auto [kind, to] = moves.next(from);
    CAPTURE(to_string(from, mesh) + " -> " + to_string(to, mesh));
    const Collective collective = collective_of(kind, from, to, type, mesh);
    const CollectiveStep step{collective, from, to, type, mesh};
    auto outcome = run_step(step, pieces);
    // Uneven splits do not always nest; then nothing may be made up.
    if (!outcome.ok()) {
      CHECK(!even);
      continue;
    }
    ++ran;
    const Comparison comparison = compare(dense, outcome->pieces, {to, type, mesh}, kTolerance);
    CHECK_MESSAGE(!comparison.mismatch, comparison.mismatch.value_or(""));
    CHECK(!traffic_complaint(step, *outcome));
    pieces = std::move(outcome->pieces);
    from = to;
  }
  return ran;
}

TEST_CASE("random chains of collectives keep the value") {
  for (const char* text : {"4", "2x4", "2x3x2"}) {
    const DeviceMesh mesh = mesh_of(text);
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
      CHECK(follow_chain({DType::f32, {24, 48}}, mesh, seed, true) > 0);
      CHECK(follow_chain({DType::f32, {5, 7}}, mesh, seed, false) > 0);
    }
  }
}

}  // namespace
}  // namespace autoshard::test
