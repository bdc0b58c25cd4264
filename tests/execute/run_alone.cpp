// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "execute/run_alone.hpp"

#include <doctest/doctest.h>

#include <numeric>

namespace autoshard::test {
namespace {

using namespace internal;

/// An operator, its operands and what a call of it borrows.
struct Setting {
  explicit Setting(const Alone& alone) {
    op.name = "op";
    op.kind = alone.kind;
    op.attributes = alone.attributes;
    signature.op = &op;
    signature.result_types = alone.results;
    for (const Given& given : alone.operands) {
      signature.operand_types.push_back(given.type);
      values.push_back(value_of(given));
    }
  }
  Setting(const Setting&) = delete;

  Operator op;
  OperatorSignature signature;
  Values values;
};

Result<Values> run_whole(const Alone& alone) {
  const Setting setting(alone);
  PieceCall call{setting.signature, {}, {}};
  for (const Value& value : setting.values) call.operands.push_back(&value);
  for (const TensorType& type : alone.results) call.result_boxes.push_back(whole_box(type.shape));
  return run_operator(call);
}

}  // namespace

Given f32(std::vector<std::int64_t> shape, std::vector<double> elements) {
  return {{DType::f32, std::move(shape)}, std::move(elements)};
}

Given s32(std::vector<std::int64_t> shape, std::vector<double> elements) {
  return {{DType::s32, std::move(shape)}, std::move(elements)};
}

Given typed(DType dtype, std::vector<double> elements) {
  return {{dtype, {static_cast<std::int64_t>(elements.size())}}, std::move(elements)};
}

std::vector<double> count_up(std::int64_t elements) {
  std::vector<double> result(static_cast<std::size_t>(elements));
  std::iota(result.begin(), result.end(), 0.0);
  return result;
}

Value value_of(const Given& given) {
  REQUIRE(given.type.elements() == static_cast<std::int64_t>(given.elements.size()));
  return {whole_box(given.type.shape), given.elements};
}

std::vector<std::vector<double>> run_all(const Alone& alone) {
  const Result<Values> values = run_whole(alone);
  REQUIRE_MESSAGE(values.ok(), values.error().message);
  std::vector<std::vector<double>> results;
  for (const Value& value : *values) results.push_back(value.data);
  return results;
}

std::vector<double> run(const Alone& alone) { return run_all(alone).front(); }

Error run_error(const Alone& alone) {
  const Result<Values> values = run_whole(alone);
  REQUIRE(!values.ok());
  return values.error();
}

Result<Values> run_piece(const Alone& alone, const std::vector<Box>& operands, const Box& result,
                         const std::vector<bool>& withheld) {
  const Setting setting(alone);
  Values pieces;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    pieces.push_back(cut(setting.values[i], operands[i]));
  }
  PieceCall call{setting.signature, {}, {result}, withheld};
  for (const Value& piece : pieces) call.operands.push_back(&piece);
  return run_operator(call);
}

}  // namespace autoshard::test
