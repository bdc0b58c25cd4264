// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "autoshard/graph_builder.hpp"
#include "strategy/fusion.hpp"

using namespace autoshard;
using internal::Storage;

namespace {

using Ints = std::vector<std::int64_t>;

TensorType f32(Ints shape) { return {DType::f32, std::move(shape)}; }

/// A graph under construction on 8 x 8 matrices.
class Sketch {
 public:
  TensorId argument(const std::string& name) { return builder_.argument(name, f32({8, 8})); }
  TensorId op(const std::string& name, const std::string& kind, std::vector<TensorId> operands,
              TensorType type = f32({8, 8}), Attributes attributes = {},
              Phase phase = Phase::forward) {
    return builder_.add_one(
        {name, kind, std::move(operands), {std::move(type)}, std::move(attributes), phase});
  }
  TensorId matmul(const std::string& name, TensorId a, TensorId b) {
    return op(name, "dot_general", {a, b}, f32({8, 8}),
              {{"lhs_contracting_dimensions", Ints{1}}, {"rhs_contracting_dimensions", Ints{0}}});
  }
  TensorId scalar(const std::string& name) {
    return op(name, "constant", {}, f32({}), {{"value", 1.0}});
  }
  TensorId filled(const std::string& name, TensorId scalar) {
    return op(name, "broadcast_in_dim", {scalar}, f32({8, 8}), {{"broadcast_dimensions", Ints{}}});
  }
  GraphBuilder& builder() { return builder_; }

  /// Storage of each tensor named, when `result` is what the graph returns.
  std::vector<Storage> storage(TensorId result, const std::vector<TensorId>& tensors) {
    builder_.result(result);
    auto graph = std::move(builder_).build();
    if (!graph.ok()) FAIL(graph.error().message);
    const auto all = internal::classify_storage(*graph);
    CHECK(all.size() == graph->tensors().size());
    std::vector<Storage> chosen;
    for (TensorId tensor : tensors) chosen.push_back(all[tensor.index()]);
    return chosen;
  }

 private:
  GraphBuilder builder_{"sketch"};
};

using Storages = std::vector<Storage>;

}  // namespace

TEST_CASE("a chain of elementwise operators with one consumer each stays in registers") {
  Sketch s;
  const TensorId x = s.argument("x");
  const TensorId a = s.op("a", "tanh", {x});
  const TensorId b = s.op("b", "add", {a, x});
  const TensorId c = s.op("c", "negate", {b});
  CHECK(s.storage(c, {x, a, b, c}) ==
        Storages{Storage::materialised, Storage::fused, Storage::fused, Storage::materialised});
}

TEST_CASE("what two operators read, or a product reads, is written to memory") {
  Sketch s;
  const TensorId x = s.argument("x");
  const TensorId shared = s.op("shared", "tanh", {x});
  const TensorId left = s.op("left", "exponential", {shared});
  const TensorId right = s.op("right", "negate", {shared});
  const TensorId sum = s.op("sum", "add", {left, right});
  const TensorId product = s.matmul("product", sum, x);
  CHECK(s.storage(product, {shared, left, right, sum, product}) ==
        Storages{Storage::materialised, Storage::fused, Storage::fused, Storage::materialised,
                 Storage::materialised});
}

TEST_CASE("an operand that stands twice in its one consumer is fused") {
  Sketch s;
  const TensorId x = s.argument("x");
  const TensorId a = s.op("a", "tanh", {x});
  const TensorId square = s.op("square", "multiply", {a, a});
  CHECK(s.storage(square, {a}) == Storages{Storage::fused});
}

TEST_CASE("results of main are written to memory, even free ones") {
  Sketch s;
  const TensorId x = s.argument("x");
  const TensorId a = s.op("a", "tanh", {x});
  s.builder().result(a);
  const TensorId ones = s.filled("ones", s.scalar("one"));
  CHECK(s.storage(ones, {a, ones}) == Storages{Storage::materialised, Storage::materialised});
}

TEST_CASE("a product is never fused into what follows") {
  Sketch s;
  const TensorId x = s.argument("x");
  const TensorId product = s.matmul("product", x, x);
  const TensorId after = s.op("after", "tanh", {product});
  CHECK(s.storage(after, {product}) == Storages{Storage::materialised});
}

TEST_CASE("constants of one value, positions and what is computed from them alone are free") {
  Sketch s;
  const TensorId x = s.argument("x");
  const TensorId one = s.scalar("one");
  const TensorId ones = s.filled("ones", one);
  const TensorId rows =
      s.op("rows", "iota", {}, f32({8, 8}), {{"iota_dimension", std::int64_t{0}}});
  const TensorId mask = s.op("mask", "multiply", {rows, ones});
  const TensorId flat = s.op("flat", "reshape", {mask}, f32({64}));
  const TensorId back = s.op("back", "reshape", {flat});
  const TensorId sum = s.op("sum", "add", {x, back});
  CHECK(s.storage(sum, {one, ones, rows, mask, flat, back}) == Storages(6, Storage::free));
}

TEST_CASE("a constant of many values is stored") {
  Sketch s;
  const TensorId x = s.argument("x");
  const TensorId table =
      s.op("table", "constant", {}, f32({8, 8}), {{"values", std::vector<double>(64, 0.5)}});
  const TensorId sum = s.op("sum", "add", {x, table});
  CHECK(s.storage(sum, {table}) == Storages{Storage::materialised});
}

TEST_CASE("a reshape is another name for its operand's memory") {
  Sketch s;
  const TensorId x = s.argument("x");
  const TensorId flat = s.op("flat", "reshape", {x}, f32({64}));
  const TensorId after = s.op("after", "tanh", {flat}, f32({64}));
  CHECK(s.storage(after, {flat}) == Storages{Storage::alias});
}

TEST_CASE("a chain that crosses from one phase to the next is written to memory") {
  Sketch s;
  const TensorId x = s.argument("x");
  const TensorId a = s.op("a", "tanh", {x});
  const TensorId b = s.op("b", "negate", {a}, f32({8, 8}), {}, Phase::backward);
  CHECK(s.storage(b, {a}) == Storages{Storage::materialised});
}

TEST_CASE("what leaves or enters a loop is written to memory") {
  Sketch s;
  const TensorId x = s.argument("x");
  const TensorId before = s.op("before", "tanh", {x});
  const LoopBody body =
      s.builder().begin_loop({"loop", "while", {before}, {}, {{"trip_count", std::int64_t{3}}}});
  const TensorId inner = s.op("inner", "tanh", {body.arguments[0]});
  const TensorId next = s.op("next", "negate", {inner});
  const TensorId done = s.builder().end_loop({next})[0];
  CHECK(s.storage(done, {before, inner, next}) ==
        Storages{Storage::materialised, Storage::fused, Storage::materialised});
}

TEST_CASE("a value read only inside a loop is not recomputed there") {
  Sketch s;
  const TensorId x = s.argument("x");
  const TensorId outside = s.op("outside", "tanh", {x});
  const LoopBody body =
      s.builder().begin_loop({"loop", "while", {x}, {}, {{"trip_count", std::int64_t{3}}}});
  const TensorId next = s.op("next", "add", {body.arguments[0], outside});
  const TensorId done = s.builder().end_loop({next})[0];
  CHECK(s.storage(done, {outside}) == Storages{Storage::materialised});
}

TEST_CASE("a broadcast of computed values is fused into all of its elementwise consumers") {
  Sketch s;
  const TensorId x = s.argument("x");
  const TensorId bias = s.builder().argument("bias", f32({8}));
  const TensorId wide =
      s.op("wide", "broadcast_in_dim", {bias}, f32({8, 8}), {{"broadcast_dimensions", Ints{1}}});
  const TensorId a = s.op("a", "add", {x, wide});
  const TensorId b = s.op("b", "multiply", {a, wide});
  CHECK(s.storage(b, {wide, a}) == Storages{Storage::fused, Storage::fused});
}

TEST_CASE("consumers are listed in program order, each once") {
  Sketch s;
  const TensorId x = s.argument("x");
  const TensorId square = s.op("square", "multiply", {x, x});
  const TensorId sum = s.op("sum", "add", {square, x});
  s.builder().result(sum);
  const Graph graph = std::move(s.builder()).build().value();
  const auto consumers = internal::consumers_of(graph);
  CHECK(consumers[x.index()] == std::vector<OperatorId>{OperatorId(0), OperatorId(1)});
  CHECK(consumers[square.index()] == std::vector<OperatorId>{OperatorId(1)});
  CHECK(consumers[sum.index()].empty());
}
