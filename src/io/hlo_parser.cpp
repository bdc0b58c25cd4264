// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "io/hlo_parser.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "io/hlo_cursor.hpp"
#include "io/hlo_shape_parser.hpp"

namespace autoshard::internal {
namespace {

/// Tables of source locations that recent XLA prints between the header and the computations.
constexpr std::array kSourceTables = {"FileNames", "FunctionNames", "FileLocations", "StackFrames"};

bool is_source_table(std::string_view word) {
  return std::find(kSourceTables.begin(), kSourceTables.end(), word) != kSourceTables.end();
}

class ModuleParser {
 public:
  explicit ModuleParser(std::string_view text) : cursor_(text) { module_.text = text; }

  Result<HloModule> run() {
    header();
    while (!cursor_.failed() && cursor_.peek() != '\0') top_level();
    if (!cursor_.failed() && !has_entry_) cursor_.fail("there is no ENTRY computation");
    if (cursor_.failed()) return cursor_.error();
    return std::move(module_);
  }

 private:
  void header() {
    if (!cursor_.accept("HloModule")) return cursor_.fail("expected 'HloModule'");
    module_.name = cursor_.identifier();
    module_.attributes = attributes();
  }

  void top_level() {
    cursor_.set_subject({}, {});
    const bool entry = cursor_.accept("ENTRY");
    const std::string_view name = cursor_.identifier();
    if (!entry && is_source_table(name)) return source_table();
    computation(name, entry);
  }

  void source_table() {
    while (cursor_.peek() >= '0' && cursor_.peek() <= '9') cursor_.skip_line();
  }

  void computation(std::string_view name, bool entry) {
    cursor_.set_subject("computation", name);
    const auto position = static_cast<std::int32_t>(module_.computations.size());
    if (!module_.by_name.emplace(name, position).second) return cursor_.fail("name is not unique");
    if (entry && has_entry_) return cursor_.fail("there is a second ENTRY");
    if (entry) module_.entry = position;
    has_entry_ |= entry;
    signature();
    module_.computations.push_back(body(name));
    // `}, execution_thread="main"`
    attributes();
  }

  /// `(x: f32[8]) -> f32[8]`, which the instructions repeat.
  void signature() {
    if (cursor_.peek() != '(') return;
    cursor_.bracketed();
    cursor_.expect('-');
    cursor_.expect('>');
    parse_hlo_shape(cursor_);
  }

  HloComputation body(std::string_view name) {
    HloComputation result;
    result.name = name;
    positions_.clear();
    cursor_.expect('{');
    std::optional<std::int32_t> root;
    while (!cursor_.failed() && !cursor_.accept('}')) {
      const auto position = static_cast<std::int32_t>(result.instructions.size());
      if (cursor_.accept("ROOT")) {
        if (root) cursor_.fail("there is a second ROOT");
        root = position;
      }
      result.instructions.push_back(instruction());
    }
    cursor_.set_subject("computation", name);
    if (result.instructions.empty()) cursor_.fail("there are no instructions");
    // XLA's own reader takes the last instruction when none is marked.
    result.root = root.value_or(static_cast<std::int32_t>(result.instructions.size()) - 1);
    number_parameters(result);
    return result;
  }

  HloInstruction instruction() {
    HloInstruction result;
    cursor_.peek();
    result.offset = cursor_.offset();
    result.name = cursor_.identifier();
    cursor_.set_subject("instruction", result.name);
    if (positions_.contains(result.name)) cursor_.fail("name is not unique");
    cursor_.expect('=');
    result.shape = parse_hlo_shape(cursor_);
    result.opcode = cursor_.identifier();
    if (cursor_.peek() != '(') cursor_.expect('(');
    if (cursor_.failed()) return result;
    if (result.opcode == "constant" || result.opcode == "parameter") {
      result.literal = cursor_.bracketed();
    } else {
      result.operands = operands();
    }
    result.attributes = attributes();
    result.length = cursor_.offset() - result.offset;
    positions_.emplace(result.name, static_cast<std::int32_t>(positions_.size()));
    return result;
  }

  std::vector<std::int32_t> operands() {
    std::vector<std::int32_t> result;
    cursor_.expect('(');
    if (cursor_.accept(')')) return result;
    do {
      operand_shape();
      const std::string_view name = cursor_.identifier();
      if (cursor_.failed()) return result;
      const auto found = positions_.find(name);
      if (found == positions_.end()) {
        cursor_.fail(fmt::format("operand '{}' is not defined before its use", name));
        return result;
      }
      result.push_back(found->second);
    } while (cursor_.accept(','));
    cursor_.expect(')');
    return result;
  }

  /// Older dumps repeat the operand's shape before its name.
  void operand_shape() {
    if (cursor_.peek() == '(') {
      cursor_.bracketed();
      return;
    }
    if (!cursor_.identifier_before('[')) return;
    cursor_.bracketed();
    if (cursor_.peek_raw() == '{') cursor_.bracketed();
  }

  std::vector<HloAttribute> attributes() {
    std::vector<HloAttribute> result;
    while (cursor_.accept(',')) {
      HloAttribute attribute;
      attribute.name = cursor_.identifier();
      cursor_.expect('=');
      attribute.value = cursor_.raw_value();
      if (cursor_.failed()) break;
      result.push_back(attribute);
    }
    return result;
  }

  void number_parameters(HloComputation& computation) {
    std::vector<std::pair<std::int64_t, std::int32_t>> found;
    for (std::size_t i = 0; i < computation.instructions.size(); ++i) {
      const HloInstruction& candidate = computation.instructions[i];
      if (candidate.opcode != "parameter") continue;
      HloCursor number(candidate.literal);
      found.emplace_back(number.integer(), static_cast<std::int32_t>(i));
      if (number.failed()) return cursor_.fail_at(candidate.offset, "a parameter has no number");
    }
    std::sort(found.begin(), found.end());
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (found[i].first != static_cast<std::int64_t>(i)) {
        return cursor_.fail(fmt::format("there is no parameter({}), or it is not unique", i));
      }
      computation.parameters.push_back(found[i].second);
    }
  }

  HloCursor cursor_;
  HloModule module_;
  bool has_entry_ = false;
  /// Of the computation that is being read: where each name was defined.
  std::unordered_map<std::string_view, std::int32_t> positions_;
};

}  // namespace

Result<HloModule> parse_hlo_module(std::string_view text) { return ModuleParser(text).run(); }

}  // namespace autoshard::internal
