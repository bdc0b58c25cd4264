// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "io/iopddl.hpp"

#include <doctest/doctest.h>

#include "autoshard/solve.hpp"

using namespace autoshard;
using internal::parse_iopddl;

namespace {

const std::string kExample = R"({"problem": {"name": "example", "extra": {"a": [1, "]"]},
  "nodes": {"intervals": [[30, 70], [40, 70], [50, 120], [110, 140], [110, 150]],
            "costs": [[15], [55, 65], [25, 45, 35], [85, 75], [95]],
            "usages": [[10], [25, 25], [15, 20, 15], [10, 10], [15]]},
  "edges": {"nodes": [[0, 1], [0, 2], [1, 3], [2, 4], [3, 4]],
            "costs": [[30, 40], [50, 10, 40], [90, 10, 20, 80], [60, 20, 30], [70, 60]]},
  "usage_limit": 50}})";

std::string message(const std::string& text) {
  const Result<CostGraph> graph = parse_iopddl(text);
  REQUIRE_FALSE(graph.ok());
  return graph.error().message;
}

std::string changed(const std::string& from, const std::string& to) {
  std::string text = kExample;
  return text.replace(text.find(from), from.size(), to);
}

}  // namespace

TEST_CASE("the contest's example is read and solved") {
  const CostGraph graph = parse_iopddl(kExample).value();
  CHECK(graph.name == "example");
  CHECK(graph.nodes.size() == 5);
  CHECK(*graph.usage_limit == 50);
  CHECK(*solve(graph).value().cost == 445);
}

TEST_CASE("an empty interval means no memory") {
  const CostGraph graph = parse_iopddl(changed("[30, 70]", "[0, 0]")).value();
  CHECK(graph.nodes[0].memory.empty());
}

TEST_CASE("entries of 10^18 are forbidden unless they are asked for literally") {
  const std::string text = changed("[70, 60]", "[70, 1000000000000000000]");
  CHECK((*parse_iopddl(text).value().edges[4].costs)[1] == kForbidden);
  CHECK((*parse_iopddl(text, {.literal_infinity = true}).value().edges[4].costs)[1] ==
        1'000'000'000'000'000'000);
}

TEST_CASE("a missing usage limit means none") {
  CHECK_FALSE(
      parse_iopddl(changed(",\n  \"usage_limit\": 50", "")).value().usage_limit.has_value());
}

TEST_CASE("errors name the node, the edge or the byte") {
  CHECK(message(changed("[55, 65]", "[55]")) == "node 1: 2 usages for 1 strategies");
  CHECK(message(changed("[90, 10, 20, 80]", "[90, 10]")) ==
        "edge 2: its table has 2 entries, expected 2 x 2");
  CHECK(message(changed("[3, 4]]", "[3, 7]]")) == "edge 4: node 7 is not in [0, 5)");
  CHECK(message(changed("[3, 4]]", "[3]]")) == "edge 4: joins 1 nodes, expected 2");
  CHECK(message(changed("[50, 120]", "[50]")) == "node 2: its interval has 1 numbers, expected 2");
  CHECK(message(changed("[85, 75]", "[85, 1.5]"))
            .starts_with("node 3: expected a whole number at byte"));
  CHECK(message(changed("[85, 75]", "[85, x]"))
            .starts_with("node 3: expected a whole number at byte"));
  CHECK(message("{}") == "there is no key 'problem'");
  CHECK(message(kExample.substr(0, 200)).find("at byte") != std::string::npos);
  CHECK(message(kExample + "x").starts_with("text after the problem"));
}

TEST_CASE("a missing file is named") {
  const Result<CostGraph> graph = internal::load_iopddl("/no/such/file.json");
  REQUIRE_FALSE(graph.ok());
  CHECK(graph.error().message.starts_with("file '/no/such/file.json': "));
}
