// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "execute/piece_call.hpp"

#include <algorithm>
#include <array>

#include "base/errors.hpp"
#include "base/try.hpp"
#include "execute/element.hpp"
#include "execute/kernels/families.hpp"

namespace autoshard::internal {
namespace {

Kernel find_kernel(std::string_view kind) {
  const std::array families = {unary_kernels(),     binary_kernels(),      choice_kernels(),
                               generator_kernels(), layout_kernels(),      window_kernels(),
                               dot_kernels(),       convolution_kernels(), pooling_kernels(),
                               reduce_kernels(),    gather_kernels(),      ordering_kernels(),
                               scatter_kernels()};
  for (const std::span<const NamedKernel> family : families) {
    for (const NamedKernel& entry : family) {
      if (entry.kind == kind) return entry.kernel;
    }
  }
  return nullptr;
}

bool has_complex(const OperatorSignature& signature) {
  const auto complex = [](const TensorType& type) { return is_complex(type.dtype); };
  return std::any_of(signature.operand_types.begin(), signature.operand_types.end(), complex) ||
         std::any_of(signature.result_types.begin(), signature.result_types.end(), complex);
}

Error rows_error(const PieceCall& call, std::size_t i, std::size_t d, const Range& needed) {
  return invalid("operand {} holds rows {} of dimension {}, but {} are needed", i,
                 to_string(call.operand(i).box[d]), d, to_string(needed));
}

}  // namespace

const std::vector<std::int64_t>& PieceCall::ints(std::string_view attribute) const {
  static const std::vector<std::int64_t> none;
  const std::vector<std::int64_t>* list = op().ints(attribute);
  return list ? *list : none;
}

Result<Values> run_operator(const PieceCall& call) {
  const Operator& op = call.op();
  const Kernel kernel = find_kernel(op.kind);
  if (!kernel)
    return not_found("operator '{}': the interpreter does not know {}", op.name, op.kind);
  if (has_complex(call.signature)) {
    return not_found("operator '{}': the interpreter has no complex numbers", op.name);
  }
  Result<Values> values = kernel(call);
  if (values.ok()) return values;
  return Error{values.error().code,
               fmt::format("operator '{}': {}", op.name, values.error().message)};
}

bool knows_operator(std::string_view kind) { return kind == "while" || find_kernel(kind); }

bool generates(std::string_view kind) {
  return kind == "constant" || kind == "iota" || kind == "broadcast_in_dim";
}

Result<void> require_rows(const PieceCall& call, std::size_t i, std::size_t d,
                          const Range& needed) {
  if (!same(call.operand(i).box[d], needed)) return rows_error(call, i, d, needed);
  return {};
}

Result<void> require_held(const PieceCall& call, std::size_t i, std::size_t d,
                          const Range& needed) {
  if (!contains(call.operand(i).box[d], needed)) return rows_error(call, i, d, needed);
  return {};
}

Result<void> require_box(const PieceCall& call, std::size_t i, const Box& needed) {
  if (!same(call.operand(i).box, needed)) {
    return invalid("operand {} is the piece {}, but {} is needed", i,
                   to_string(call.operand(i).box), to_string(needed));
  }
  return {};
}

Result<double> scalar(const PieceCall& call, std::size_t i) {
  if (call.operand(i).data.size() != 1) return invalid("operand {} is not one element", i);
  return call.operand(i).data.front();
}

Result<ReductionKind> reducer(const PieceCall& call) {
  const std::string* text = call.op().text("reducer");
  const std::optional<ReductionKind> kind = text ? parse_reduction(*text) : std::nullopt;
  if (!kind) {
    return not_found("the interpreter does not know the reducer '{}'", text ? *text : "");
  }
  return *kind;
}

Result<Values> reduce_inputs(const PieceCall& call, ReduceOne reduce_one) {
  AUTOSHARD_TRY(const ReductionKind kind, reducer(call));
  Values results;
  for (std::size_t input = 0; input < call.operands.size() / 2; ++input) {
    AUTOSHARD_TRY(Value result, reduce_one(call, input, kind));
    results.push_back(std::move(result));
  }
  return results;
}

}  // namespace autoshard::internal
