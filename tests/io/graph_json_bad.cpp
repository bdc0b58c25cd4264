// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// Every row is a document that is not a graph, and what its error says.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "autoshard/graph_io.hpp"

using namespace autoshard;

namespace {

struct BadText {
  std::string text;
  std::string message;  ///< the whole message, or its beginning when it ends in "..."
};

void check_all(const std::vector<BadText>& rows) {
  for (const auto& [text, message] : rows) {
    CAPTURE(text);
    const auto graph = parse_graph_json(text);
    REQUIRE_FALSE(graph.ok());
    CHECK(graph.error().code == ErrorCode::invalid_argument);
    if (message.ends_with("...")) {
      const std::size_t length = message.size() - 3;
      CHECK(graph.error().message.substr(0, length) == message.substr(0, length));
    } else {
      CHECK(graph.error().message == message);
    }
  }
}

/// A graph of the argument x, f32[2], and these operators; `rest` replaces what follows them.
std::string with_operators(const std::string& operators,
                           const std::string& rest = R"("results":[])") {
  return R"({"autoshard_graph":1,"arguments":[{"name":"x","type":"f32[2]"}],"operators":[)" +
         operators + "]," + rest + "}";
}

std::string with_argument(const std::string& argument) {
  return R"({"autoshard_graph":1,"arguments":[)" + argument + R"(],"operators":[],"results":[]})";
}

/// y = tanh(x) with one field added, or another kind.
std::string tanh_with(const std::string& field) {
  return with_operators(R"({"name":"y","kind":"tanh","operands":["x"],"results":["f32[2]"],)" +
                        field + "}");
}

std::string attribute(const std::string& value) {
  return with_operators(R"({"name":"y","kind":"custom","attributes":{"a":)" + value + "}}");
}

std::string loop_with(const std::string& body, const std::string& results = R"(["f32[2]"])") {
  return with_operators(R"({"name":"loop","kind":"while","operands":["x"],"results":)" + results +
                        R"(,"body":)" + body + "}");
}

std::string repeated(const std::string& text, int times) {
  std::string result;
  for (int i = 0; i < times; ++i) result += text;
  return result;
}

}  // namespace

TEST_CASE("text that is not JSON is refused with its line") {
  check_all({
      {"", "JSON: parse error at line 1, column 1..."},
      {"{", "JSON: parse error at line 1, column 2..."},
      {"{\n\n  \"autoshard_graph\": oops}", "JSON: parse error at line 3, column 22..."},
      {"{\"autoshard_graph\": 1} trailing", "JSON: parse error at line 1, column 26..."},
      {"{\"autoshard_graph\": NaN}", "JSON: parse error at line 1, column 21..."},
      {"{\"autoshard_graph\": Infinity}", "JSON: parse error at line 1, column 21..."},
      {"{\"autoshard_graph\": 01}", "JSON: parse error at line 1, column 22..."},
      {"{\"autoshard_graph\": 1e999}", "JSON: number overflow parsing '1e999'"},
      {"{\"a\xff\": 1}", "JSON: parse error at line 1, column 4..."},
      {std::string("\0\0\0", 3), "JSON: parse error at line 1, column 1..."},
      {"// comment\n{}", "JSON: parse error at line 1, column 1..."},
      {"{\"a\": 1, \"b\": 2, \"a\": 3}", "JSON key 'a' is used twice"},
      {repeated("[", 201), "JSON is nested deeper than 200"},
      {repeated("[", 1000000), "JSON is nested deeper than 200"},
      {repeated("{\"a\":", 100000), "JSON is nested deeper than 200"},
  });
}

TEST_CASE("JSON that is not a graph is refused with the key at fault") {
  check_all({
      {"[]", "graph: an array, expected an object"},
      {"null", "graph: a null, expected an object"},
      {"3", "graph: a number, expected an object"},
      {"{}", "graph: key 'autoshard_graph' is missing"},
      {R"({"autoshard_graph":2,"operators":[],"results":[]})",
       "graph: version 2 of the format is not known, expected 1"},
      {R"({"autoshard_graph":"1"})",
       "graph: 'autoshard_graph' is a string, expected an integer of 64 bits"},
      {R"({"autoshard_graph":1.5})",
       "graph: 'autoshard_graph' is 1.5, expected an integer of 64 bits"},
      {R"({"autoshard_graph":18446744073709551615})",
       "graph: 'autoshard_graph' is 18446744073709551615, expected an integer of 64 bits"},
      {R"({"autoshard_graph":1,"nodes":[]})", "graph: unknown key 'nodes'"},
      {R"({"autoshard_graph":1,"results":[]})", "graph: key 'operators' is missing"},
      {R"({"autoshard_graph":1,"operators":[]})", "graph: key 'results' is missing"},
      {R"({"autoshard_graph":1,"operators":{},"results":[]})",
       "graph: 'operators' is an object, expected a list"},
      {R"({"autoshard_graph":1,"name":7,"operators":[],"results":[]})",
       "graph: 'name' is a number, expected a text"},
      {R"({"autoshard_graph":1,"operators":[],"results":[3]})",
       "graph: results[0] is a number, expected a text"},
      {R"({"autoshard_graph":1,"operators":[],"results":["y"]})",
       "graph: result 0: no tensor is named 'y'"},
      {R"({"autoshard_graph":1,"operators":[],"results":[],"warnings":[null]})",
       "graph: warnings[0] is a null, expected a text"},
  });
}

TEST_CASE("a bad argument is refused by its name") {
  check_all({
      {with_argument("7"), "arguments[0]: a number, expected an object"},
      {with_argument(R"({"type":"f32[]"})"), "arguments[0]: key 'name' is missing"},
      {with_argument(R"({"name":"x"})"), "argument 'x': key 'type' is missing"},
      {with_argument(R"({"name":"x","type":"f32[]","kind":"a"})"),
       "arguments[0]: unknown key 'kind'"},
      {with_argument(R"({"name":"x","type":"f33[2]"})"),
       "argument 'x': unknown element type 'f33'"},
      {with_argument(R"({"name":"x","type":""})"), "argument 'x': unknown element type ''"},
      {with_argument(R"({"name":"x","type":"f32[2"})"),
       "argument 'x': 'f32[2' is not a type like f32[8,1024]"},
      {with_argument(R"({"name":"x","type":"f32[99999999999999999999]"})"),
       "argument 'x': 'f32[99999999999999999999]' is not a type like f32[8,1024]"},
      {with_argument(R"({"name":"x","type":"f32[-2]"})"),
       "argument 'x': type f32[-2] has a negative dimension"},
      {with_argument(R"({"name":"x","type":"f32[]","role":"weight"})"),
       "argument 'x': unknown role 'weight'"},
      {with_argument(R"({"name":"x","type":"f32[]"},{"name":"x","type":"f32[]"})"),
       "argument 'x': the name 'x' is used twice"},
  });
}

TEST_CASE("a bad operator is refused by its name, or by its place when it has none") {
  check_all({
      {with_operators("[]"), "graph: operators[0]: an array, expected an object"},
      {with_operators(R"({"kind":"tanh"})"), "graph: operators[0]: key 'name' is missing"},
      {with_operators(R"({"name":"","kind":"tanh"})"), "graph: operators[0]: the name is empty"},
      {with_operators(R"({"name":"y"})"), "operator 'y': key 'kind' is missing"},
      {with_operators(R"({"name":"y","kind":""})"), "operator 'y': the kind is empty"},
      {tanh_with(R"("color":1)"), "graph: operators[0]: unknown key 'color'"},
      {tanh_with(R"("phase":"sideways")"), "operator 'y': unknown phase 'sideways'"},
      {tanh_with(R"("attributes":[])"),
       "operator 'y': 'attributes' is an array, expected an object"},
      {tanh_with(R"("body":{"operators":[],"results":[]})"),
       "operator 'y': kind 'tanh' has no body"},
      {with_operators(R"({"name":"y","kind":"tanh","operands":["z"],"results":["f32[2]"]})"),
       "operator 'y': operand 0: no tensor is named 'z'"},
      {with_operators(R"({"name":"y","kind":"tanh","operands":"x","results":["f32[2]"]})"),
       "operator 'y': 'operands' is a string, expected a list"},
      {with_operators(R"({"name":"y","kind":"tanh","operands":["x"],"results":["q32[2]"]})"),
       "operator 'y': result 0: unknown element type 'q32'"},
      {with_operators(R"({"name":"y","kind":"tanh","operands":["x"],"results":["f32[3]"]})"),
       "operator 'y': result 0 has type f32[3], expected f32[2]"},
      {with_operators(R"({"name":"x","kind":"tanh","operands":["x"],"results":["f32[2]"]})"),
       "operators 'x' form a cycle"},
      {with_operators(R"({"name":"x","kind":"zero","results":["f32[2]"]})"),
       "operator 'x': the name 'x' is used twice"},
      {with_operators(R"({"name":"y","kind":"a"},{"name":"y","kind":"b"})"),
       "operator 'y': the name 'y' is used twice"},
      {with_operators(
           R"({"name":"y","kind":"a","results":["f32[]"]},{"name":"y","kind":"b","results":["f32[]"]})"),
       "operator 'y': the name 'y' is used twice"},
      {attribute("null"),
       "operator 'y': attribute 'a': a null, expected a number, a text, true, false or a list"},
      {attribute("{}"),
       "operator 'y': attribute 'a': an object, expected a number, a text, true, false or a list"},
      {attribute("[1,\"two\"]"), "operator 'y': attribute 'a': a string in a list of numbers"},
      {attribute("[[1]]"), "operator 'y': attribute 'a': an array in a list of numbers"},
      {attribute("9223372036854775808"),
       "operator 'y': attribute 'a': 9223372036854775808 does not fit into 64 bits"},
      {attribute("[1,9223372036854775808]"),
       "operator 'y': attribute 'a': 9223372036854775808 does not fit into 64 bits"},
  });
}

TEST_CASE("operators that wait for each other are named, and those that only follow are not") {
  const auto chain = [](const std::string& name, const std::string& operand) {
    return R"({"name":")" + name + R"(","kind":"tanh","operands":[")" + operand +
           R"("],"results":["f32[2]"]})";
  };
  std::string ring = chain("r0", "r29");
  for (int i = 1; i < 30; ++i)
    ring += "," + chain("r" + std::to_string(i), "r" + std::to_string(i - 1));
  check_all({
      {with_operators(chain("after", "c") + "," + chain("a", "c") + "," + chain("b", "a") + "," +
                      chain("c", "b")),
       "operators 'a', 'b', 'c' form a cycle"},
      {with_operators(ring), "operators 'r0', 'r1', 'r2',..."},
      {loop_with(R"({"operators":[],"results":["loop"]})"), "operators 'loop' form a cycle"},
      {loop_with(R"({"operators":[)" + chain("p", "q") + "," + chain("q", "p") +
                 R"(],"results":["p"]})"),
       "operators 'p', 'q' form a cycle"},
  });
}

TEST_CASE("a bad loop is refused by its name") {
  check_all({
      {with_operators(R"({"name":"loop","kind":"while","operands":["x"],"results":["f32[2]"]})"),
       "operator 'loop': a while needs a body; use begin_loop"},
      {loop_with("[]"), "operator 'loop': body: an array, expected an object"},
      {loop_with(R"({"operators":[]})"), "operator 'loop': body: key 'results' is missing"},
      {loop_with(R"({"operators":[],"results":[],"arguments":[]})"),
       "operator 'loop': body: unknown key 'arguments'"},
      {loop_with(R"({"operators":[{}],"results":[]})"),
       "operator 'loop': body: operators[0]: key 'name' is missing"},
      {loop_with(R"({"operators":[],"results":[]})"),
       "operator 'loop': the body has 0 results, expected 1"},
      {loop_with(R"({"operators":[],"results":["y"]})"),
       "operator 'loop': body result 0: no tensor is named 'y'"},
      {loop_with(R"({"operators":[],"results":["x"]})", "[]"),
       "operator 'loop': has 0 results, expected 1"},
      {loop_with(R"({"operators":[],"results":["x"]})", R"(["f32[3]"])"),
       "operator 'loop': result 0 has type f32[3], expected f32[2]"},
      {with_operators(
           R"({"name":"loop","kind":"while","operands":["x"],"results":["f32[2]"],"body":{"operators":[],"results":["x"]}})",
           R"("results":["loop/arg:0"])"),
       "result 0 of 'main' is 'loop/arg:0', which exists only in the body of 'loop'"},
  });
}

TEST_CASE("a bad state pair is refused by its place") {
  const auto pair = [](const std::string& text) {
    return with_operators("", R"("results":["x"],"state_pairs":[)" + text + "]");
  };
  check_all({
      {pair("7"), "state_pairs[0]: a number, expected an object"},
      {pair(R"({"result":0})"), "state_pairs[0]: key 'argument' is missing"},
      {pair(R"({"argument":"x"})"), "state_pairs[0]: key 'result' is missing"},
      {pair(R"({"argument":"x","result":0,"alias":1})"), "state_pairs[0]: unknown key 'alias'"},
      {pair(R"({"argument":"y","result":0})"), "state_pairs[0]: no tensor is named 'y'"},
      {pair(R"({"argument":"x","result":-1})"), "state_pairs[0]: result -1 is out of range"},
      {pair(R"({"argument":"x","result":4294967296})"),
       "state_pairs[0]: result 4294967296 is out of range"},
      {pair(R"({"argument":"x","result":0.5})"),
       "state_pairs[0]: 'result' is 0.5, expected an integer of 64 bits"},
      {pair(R"({"argument":"x","result":1})"),
       "state pair 0: result 1 does not exist, 'main' has 1"},
      {pair(R"({"argument":"x","result":0},{"argument":"x","result":0})"),
       "state pair 1: argument 'x' is in two pairs"},
  });
}
