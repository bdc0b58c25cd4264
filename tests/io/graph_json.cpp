// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// Graphs to JSON and back. Bad input has its own file.
#include <doctest/doctest.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <sstream>

#include "autoshard/graph_io.hpp"
#include "support/step_graphs.hpp"

using namespace autoshard;
using test::f32;

namespace {

Graph parsed(const std::string& text) {
  Result<Graph> graph = parse_graph_json(text);
  if (!graph.ok()) FAIL(graph.error().message);
  return std::move(graph).value();
}

void check_round_trip(const Graph& graph) {
  const std::string text = write_graph_json(graph);
  const Graph copy = parsed(text);
  CHECK(copy.fingerprint() == graph.fingerprint());
  CHECK(write_graph_json(copy) == text);
  REQUIRE(copy.tensors().size() == graph.tensors().size());
}

std::string documented_example() {
  std::ifstream file(AUTOSHARD_TEST_DATA "/../../docs/graph.md");
  std::stringstream stream;
  stream << file.rdbuf();
  const std::string text = stream.str();
  const std::size_t begin = text.find("```json\n") + 8;
  return text.substr(begin, text.find("```", begin) - begin);
}

/// Three operators, the last one first; `t` is in a loop that captures `b` from outside.
const char* const kAnyOrder = R"({
  "autoshard_graph": 1,
  "arguments": [{"name": "x", "type": "f32[2]"}],
  "operators": [
    {"name": "loop", "kind": "while", "operands": ["a"], "results": ["f32[2]"], "body": {
      "operators": [
        {"name": "u", "kind": "negate", "operands": ["t"], "results": ["f32[2]"]},
        {"name": "t", "kind": "add", "operands": ["loop/arg:0", "b"], "results": ["f32[2]"]}],
      "results": ["u"]}},
    {"name": "b", "kind": "tanh", "operands": ["a"], "results": ["f32[2]"]},
    {"name": "a", "kind": "negate", "operands": ["x"], "results": ["f32[2]"]}],
  "results": ["loop"]
})";

}  // namespace

TEST_CASE("writing a graph and reading it keeps names and fingerprint") {
  check_round_trip(test::built(test::mlp_step()));
  check_round_trip(test::built(test::power_loop()));
  GraphBuilder step = test::mlp_step();
  step.infer_training_roles();
  check_round_trip(test::built(std::move(step)));
  check_round_trip(test::built(GraphBuilder("")));
}

TEST_CASE("attributes of every type survive, also numbers that JSON lacks") {
  const double inf = std::numeric_limits<double>::infinity();
  GraphBuilder b("all");
  b.add({"op",
         "custom",
         {},
         {f32({}), f32({2})},
         {{"flag", true},
          {"count", std::int64_t{-7}},
          {"large", std::numeric_limits<std::int64_t>::min()},
          {"whole", 3.0},
          {"tiny", 5e-324},
          {"third", 1.0 / 3},
          {"lowest", -inf},
          {"nothing", std::nan("")},
          {"text", "quote \" slash \\ newline \n"},
          {"dims", test::Ints{3, 1}},
          {"empty", test::Ints{}},
          {"numbers", std::vector<double>{1, -0.0, inf}}},
         Phase::update});
  b.warn("tab\t");
  const Graph graph = test::built(std::move(b));
  check_round_trip(graph);

  const Graph copy = parsed(write_graph_json(graph));
  const Operator& op = copy.operators().front();
  CHECK(op.attributes.at("flag") == Attribute(true));
  CHECK(op.integer("large") == std::numeric_limits<std::int64_t>::min());
  CHECK_FALSE(op.integer("whole").has_value());
  CHECK(op.number("whole") == 3.0);
  CHECK(op.number("tiny") == 5e-324);
  CHECK(op.number("lowest") == -inf);
  CHECK(std::isnan(*op.number("nothing")));
  CHECK(*op.text("text") == "quote \" slash \\ newline \n");
  CHECK(op.phase == Phase::update);
  CHECK(copy.warnings().front() == "tab\t");
}

TEST_CASE("roles, state pairs and the order of operators survive") {
  GraphBuilder step = test::mlp_step();
  step.infer_training_roles();
  const Graph graph = test::built(std::move(step));
  const Graph copy = parsed(write_graph_json(graph));
  REQUIRE(copy.state_pairs().size() == 4);
  for (std::size_t i = 0; i < graph.tensors().size(); ++i) {
    CHECK(copy.path(TensorId(i)) == graph.path(TensorId(i)));
    CHECK(copy[TensorId(i)].role == graph[TensorId(i)].role);
  }
  CHECK(copy.state_pairs()[3].output == 4);
}

TEST_CASE("operators may come in any order, also those that a body captures") {
  const Graph graph = parsed(kAnyOrder);
  std::vector<std::string> names;
  for (const OperatorId id : graph.main().operators) names.push_back(graph[id].name);
  CHECK(names == std::vector<std::string>{"a", "b", "loop"});
  CHECK(graph[graph.regions()[1].operators[0]].name == "t");
  check_round_trip(graph);
}

TEST_CASE("the example in the documentation is what the writer writes") {
  const std::string text = documented_example();
  CHECK(write_graph_json(parsed(text)) == text);
}

TEST_CASE("a body that uses no outer tensor and a loop in a loop survive") {
  GraphBuilder b;
  const TensorId x = b.argument("x", f32({2}));
  const LoopBody outer = b.begin_loop({"outer", "while", {x, x}, {}});
  const LoopBody inner = b.begin_loop({"inner", "while", {outer.arguments[1]}, {}});
  const TensorId t = test::op(b, "t", "add", {inner.arguments[0], outer.arguments[0]}, f32({2}));
  const auto swapped = b.end_loop({t});
  b.result(b.end_loop({swapped[0], outer.arguments[0]})[1]);
  check_round_trip(test::built(std::move(b)));
}

TEST_CASE("the deepest loops that can be built can be written and read") {
  GraphBuilder b;
  std::vector<TensorId> carried = {b.argument("x", f32({2}))};
  for (int i = 0; i < 32; ++i) carried = b.begin_loop({"", "while", carried, {}}).arguments;
  for (int i = 0; i < 32; ++i) carried = b.end_loop(carried);
  b.result(carried[0]);
  check_round_trip(test::built(std::move(b)));
}

TEST_CASE("a long chain in reverse order is read") {
  constexpr int kLength = 20000;
  std::string text =
      R"({"autoshard_graph":1,"arguments":[{"name":"t0","type":"f32[]"}],"operators":[)";
  for (int i = kLength; i > 0; --i) {
    text += R"({"name":"t)" + std::to_string(i) + R"(","kind":"tanh","operands":["t)" +
            std::to_string(i - 1) + R"("],"results":["f32[]"]})" + (i > 1 ? "," : "");
  }
  text += R"(],"results":["t)" + std::to_string(kLength) + R"("]})";
  CHECK(parsed(text).operators().size() == kLength);
}

TEST_CASE("any part of a document is an error and not a crash") {
  const std::string text = write_graph_json(test::built(test::power_loop()));
  const std::size_t end = text.find_last_not_of('\n');
  for (std::size_t length = 0; length <= end; ++length) {
    const auto graph = parse_graph_json(std::string_view(text).substr(0, length));
    REQUIRE_FALSE(graph.ok());
    REQUIRE(graph.error().code == ErrorCode::invalid_argument);
    REQUIRE(graph.error().message.find("line") != std::string::npos);
  }
}

TEST_CASE("a document with one byte changed is read or refused, and never breaks anything") {
  const std::string text = write_graph_json(test::built(test::power_loop()));
  for (std::size_t at = 0; at < text.size(); ++at) {
    for (const char byte : {'\0', '"', '0', '9', '-', '[', '}', ',', ':', 'x', '\xff'}) {
      std::string changed = text;
      changed[at] = byte;
      const auto graph = parse_graph_json(changed);
      if (!graph.ok()) REQUIRE(graph.error().code == ErrorCode::invalid_argument);
    }
  }
}
