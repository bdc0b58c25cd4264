// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// Input that must be refused, with the line, the instruction and the reason, and input that must
// not bring the reader down: cut short anywhere, bytes changed, nested without end.
#include <doctest/doctest.h>

#include <cstddef>
#include <random>
#include <string>

#include "autoshard/graph_io.hpp"
#include "io/hlo_text.hpp"

using namespace autoshard;
using namespace autoshard::test;

namespace {

struct BadText {
  std::string text;
  const char* message;  ///< a part of it
};

/// The instructions of main, from line 5 on.
std::string body(std::string_view instructions) { return hlo_entry(instructions); }

const BadText kBadTexts[] = {
    {"", "line 1: expected 'HloModule'"},
    {"{\"graph\": 1}", "line 1: expected 'HloModule'"},
    {"HloModule", "line 1: text ends where a name should be"},
    {"HloModule m\n", "there is no ENTRY computation"},
    {"HloModule m\nf {\n p = f32[] parameter(0)\n}\n", "there is no ENTRY computation"},
    {"HloModule m\nENTRY e {\n}\n", "computation 'e': there are no instructions"},
    {"HloModule m\nENTRY e {\n p = f32[] parameter(0)\n", "line 4, instruction 'p': text ends"},
    {"HloModule m\nENTRY e { p = f32[] parameter(0) }\nENTRY f { p = f32[] parameter(0) }",
     "computation 'f': there is a second ENTRY"},
    {"HloModule m\nf { p = f32[] parameter(0) }\nf { p = f32[] parameter(0) }",
     "line 3, computation 'f': name is not unique"},
    {body("p = f99[2] parameter(0)"), "line 5, instruction 'p': unknown element type 'f99'"},
    {body("p = f32[2,-3] parameter(0)"), "line 5, instruction 'p': negative size -3"},
    {body("p = f32[x] parameter(0)"), "instruction 'p': expected a number"},
    {body("p = f32[99999999999999999999] parameter(0)"), "number is out of range"},
    {body("p = f32[4000000000,4000000000] parameter(0)"), "array is too large"},
    {body("p = f32[2]{0,1} parameter(0)"), "layout is not an order of the dimensions"},
    {body("p = f32[2] parameter(0)\n n = f32[2] negate(q)"),
     "line 6, instruction 'n': operand 'q' is not defined before its use"},
    {body("n = f32[2] negate(n)"), "operand 'n' is not defined before its use"},
    {body("p = f32[2] parameter(0)\n p = f32[2] negate(p)"),
     "line 6, instruction 'p': name is not unique"},
    {body("p = f32[2] parameter(1)"), "there is no parameter(0)"},
    {body("p = f32[2] parameter(0)\n q = f32[2] parameter(0)"), "there is no parameter(1)"},
    {body("p = f32[2] parameter(x)"), "a parameter has no number"},
    {body("ROOT p = f32[2] parameter(0)\n ROOT q = f32[2] negate(p)"), "there is a second ROOT"},
    {body("p = f32[2] parameter(0)\n n = f32[2] add(p)"),
     "line 6, instruction 'n': add has 1 operands, expected 2"},
    {body("p = f32[2] parameter(0)\n n = f32[2] tanh(p, p)"), "tanh has 2 operands, expected 1"},
    {body("p = f32[2] parameter(0)\n n = f32[3] negate(p)"), "'n'"},
    {body("p = f32[2] parameter(0)\n n = pred[2] compare(p, p)"),
     "attribute 'direction' is missing"},
    {body("p = f32[2] parameter(0)\n n = f32[2,2] broadcast(p), dimensions={a}"),
     "attribute 'dimensions' is not a list of integers"},
    {body("p = f32[2] parameter(0)\n n = f32[1] slice(p), slice={[0;1]}"),
     "attribute 'slice' is not a list of ranges"},
    {body("p = f32[2] parameter(0)\n n = f32[4] pad(p, p), padding=1-1"),
     "attribute 'padding' is not a padding"},
    {body("p = f32[2] parameter(0)\n n = f32[2] negate(p), metadata="),
     "instruction 'n': attribute has no value"},
    {body("p = f32[2] parameter(0)\n n = f32[2] negate(p), metadata={\"x"), "string does not end"},
    {body("p = f32[2] parameter(0) /* note"), "comment does not end"},
    {body("c = s32[2] constant({1, 2, 3})"), "constant has 3 values, its type s32[2] has 2"},
    {body("c = s32[] constant(1.5)"), "'1.5' is not a number of its type"},
    {body("p = f32[2] parameter(0)\n n = f32[2] get-tuple-element(p), index=0"),
     "operand is not a tuple"},
    {body("p = (f32[2]) parameter(0)\n n = f32[2] get-tuple-element(p), index=1"),
     "there is no element 1 in a tuple of 1"},
    {body("p = (f32[2]) parameter(0)\n n = f32[3] get-tuple-element(p), index=0"),
     "its type is not that of element 0"},
    {body("p = (f32[2]) parameter(0)\n n = f32[2] get-tuple-element(p)"),
     "attribute 'index' is missing"},
    {body("p = f32[2] parameter(0)\n n = (f32[2], f32[2]) tuple(p)"),
     "has 1 values, its shape has 2"},
    {body("p = f32[2] parameter(0)\n n = f32[2] call(p)"), "attribute 'to_apply' is missing"},
    {body("p = f32[2] parameter(0)\n n = f32[2] call(p), to_apply=f"),
     "there is no computation 'f'"},
    {body("p = f32[2] parameter(0)\n n = f32[2] call(p), to_apply=main"),
     "computation 'main' calls itself"},
    {hlo_module("f { a = f32[3] parameter(0) }",
                "p = f32[2] parameter(0)\n n = f32[2] call(p), to_apply=f"),
     "operand 0 does not have the type of parameter 0 of 'f'"},
    {hlo_module("f { a = f32[2] parameter(0)\n b = f32[2] parameter(1) }",
                "p = f32[2] parameter(0)\n n = f32[2] call(p), to_apply=f"),
     "call has 1 operands, expected 2"},
    {hlo_module("f { a = f32[2] parameter(0)\n ROOT n = f32[2] call(a), to_apply=g }\n"
                "g { a = f32[2] parameter(0)\n ROOT n = f32[2] call(a), to_apply=f }",
                "p = f32[2] parameter(0)\n n = f32[2] call(p), to_apply=f"),
     "computation 'f' calls itself"},
    {body("p = f32[2] parameter(0)\n n = f32[2] while(p), condition=main, body=main"),
     "computation 'main' calls itself"},
    {body("p = f32[2] parameter(0)\n n = f32[2] bitcast(p), x={1)\n m = f32[3] bitcast(p)"),
     "cannot cast f32[2] to f32[3]"},
    {"HloModule m, input_output_alias={ {0}: (7, {}) }\nENTRY e { p = f32[2] parameter(0) }",
     "input_output_alias: line 1: there is no parameter 7"},
    {"HloModule m, input_output_alias={ {0}: 7 }\nENTRY e { p = f32[2] parameter(0) }",
     "input_output_alias: line 1: expected '('"},
};

std::string repeated(std::string_view part, std::size_t times) {
  std::string result;
  for (std::size_t i = 0; i < times; ++i) result += part;
  return result;
}

}  // namespace

TEST_CASE("bad text is refused with the line, the instruction and the reason") {
  for (const BadText& row : kBadTexts) {
    CAPTURE(row.text);
    const std::string message = hlo_mistake(row.text);
    CAPTURE(message);
    CHECK(message.find(row.message) != std::string::npos);
  }
}

TEST_CASE("nesting without end is refused, not followed") {
  constexpr std::size_t kTimes = 1'000'000;
  CHECK(hlo_mistake(body("p = " + repeated("(", kTimes))) != "");
  CHECK(hlo_mistake("HloModule m, x=" + repeated("{", kTimes)) != "");
  CHECK(hlo_mistake(body("p = f32[2] parameter(0), x=" + repeated("{", kTimes))) != "");
  CHECK(hlo_mistake(body("p = f32[2] parameter" + repeated("(", kTimes))) != "");
  CHECK(hlo_mistake("HloModule m\nf " + repeated("(", kTimes)) != "");
}

TEST_CASE("calls that double at every level are refused before memory runs out") {
  std::string computations = "f0 { a = f32[2] parameter(0)\n ROOT n = f32[2] negate(a), x=\"" +
                             repeated("y", 4000) + "\" }\n";
  for (int level = 1; level <= 60; ++level) {
    const std::string callee = "f" + std::to_string(level - 1);
    computations += "f" + std::to_string(level) +
                    " { a = f32[2] parameter(0)\n b = f32[2] call(a), to_apply=" + callee +
                    "\n ROOT c = f32[2] call(b), to_apply=" + callee + " }\n";
  }
  const std::string text =
      hlo_module(computations, "p = f32[2] parameter(0)\n ROOT c = f32[2] call(p), to_apply=f60");
  CHECK(hlo_mistake(text).find("too large once calls are inlined") != std::string::npos);
}

TEST_CASE("calls nested too deep are refused") {
  std::string computations = "f0 { ROOT a = f32[2] parameter(0) }\n";
  for (int level = 1; level <= 5000; ++level) {
    computations += "f" + std::to_string(level) +
                    " { a = f32[2] parameter(0)\n ROOT b = f32[2] call(a), to_apply=f" +
                    std::to_string(level - 1) + " }\n";
  }
  const std::string text =
      hlo_module(computations, "p = f32[2] parameter(0)\n ROOT c = f32[2] call(p), to_apply=f5000");
  CHECK(hlo_mistake(text).find("calls are nested deeper than") != std::string::npos);
}

TEST_CASE("text cut short anywhere is refused or read, never fatal") {
  const std::string text = hlo_data("many_constructs_optimized");
  std::size_t refused = 0, cuts = 0;
  for (std::size_t length = 0; length < text.size(); length += length < 2000 ? 7 : 101) {
    ++cuts;
    if (!parse_hlo(std::string_view(text).substr(0, length)).ok()) ++refused;
  }
  // Only blanks after the last brace may go.
  CHECK(refused == cuts);
}

TEST_CASE("text with changed bytes is refused or read, never fatal") {
  const std::string original = hlo_data("many_constructs_optimized");
  constexpr std::string_view kLikely = "{}()[]<>,=%\"/*\\ \n0123456789-.:aRf_";
  std::mt19937 random(20240607);
  std::size_t read = 0;
  for (int round = 0; round < 2000; ++round) {
    std::string text = original;
    for (std::size_t changes = 1 + random() % 4; changes > 0; --changes) {
      const bool likely = random() % 4 != 0;
      text[random() % text.size()] =
          likely ? kLikely[random() % kLikely.size()] : static_cast<char>(random() % 256);
    }
    read += parse_hlo(text).ok() ? 1 : 0;
  }
  // Most of the text is names of no consequence.
  CHECK(read > 0);
  CHECK(read < 2000);
}

TEST_CASE("text with lines lost, doubled or moved is refused or read, never fatal") {
  const std::string original = hlo_data("embedding");
  std::mt19937 random(7);
  for (int round = 0; round < 2000; ++round) {
    std::string text = original;
    const std::size_t from = text.find('\n', random() % (text.size() - 200));
    const std::size_t to = text.find('\n', from + 1);
    if (to >= text.size()) continue;
    const std::string line = text.substr(from, to - from);
    if (random() % 3 != 0) text.erase(from, to - from);
    if (random() % 3 != 0) text.insert(text.find('\n', random() % (text.size() - 10)), line);
    (void)parse_hlo(text).ok();
  }
}
