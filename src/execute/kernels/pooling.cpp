// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
// reduce_window and select_and_scatter. As in XLA, windows see no padding: an initial value counts
// once for every window, and a row of the padding is never selected.
#include "base/errors.hpp"
#include "base/try.hpp"
#include "execute/element.hpp"
#include "execute/kernels/families.hpp"
#include "execute/kernels/sliding.hpp"

namespace autoshard::internal {
namespace {

using Index = std::vector<std::int64_t>;

constexpr std::size_t kOperand = 0;
constexpr std::size_t kSource = 1;
constexpr std::size_t kInitial = 2;

/// A window may be larger than any tensor when nearly all of it is padding.
constexpr std::int64_t kMaximumWindow = std::int64_t{1} << 26;

Result<std::vector<WindowDim>> window_of(const PieceCall& call, const WindowAttributes& names) {
  std::int64_t elements = 1;
  for (const std::int64_t size : call.ints("window_dimensions")) {
    if (size > kMaximumWindow / elements) {
      return not_found("the interpreter runs windows of at most {} elements", kMaximumWindow);
    }
    elements *= size;
  }
  return read_window(call.op().attributes, names, call.ints("window_dimensions"),
                     call.operand_type(kOperand).shape);
}

Result<SlidingInput> sliding_over(const PieceCall& call, std::size_t i,
                                  std::vector<WindowDim> window, const Box& places) {
  const Box& held = call.operand(i).box;
  for (std::size_t d = 0; d < window.size(); ++d) {
    const Range met = met_rows(window[d], places[d], {0, window[d].size});
    AUTOSHARD_CHECK_OK(require_held(call, i, d, met));
  }
  return SlidingInput{std::move(window), held, row_major_strides(extents(held))};
}

Result<double> initial_value(const PieceCall& call, std::size_t i, ReductionKind kind) {
  AUTOSHARD_TRY(const double initial, scalar(call, i));
  return call.is_withheld(i) ? identity(kind, call.operand_type(i).dtype) : initial;
}

Result<Value> reduce_one(const PieceCall& call, std::size_t input, ReductionKind kind) {
  const Box& box = call.result_boxes[input];
  AUTOSHARD_TRY(std::vector<WindowDim> window, window_of(call, kReduceWindow));
  AUTOSHARD_TRY(const SlidingInput sliding, sliding_over(call, input, std::move(window), box));
  AUTOSHARD_TRY(const double initial, initial_value(call, call.operands.size() / 2 + input, kind));
  const DType dtype = call.signature.result_types[input].dtype;
  Value result = filled(box, initial);
  double* target = result.data.data();
  for (IndexWalk place(extents(box)); !place.done(); place.next(), ++target) {
    const Index at = global_index(box, place.index());
    for (IndexWalk row(call.ints("window_dimensions")); !row.done(); row.next()) {
      const auto met = sliding.position(at, row.index());
      if (met)
        *target =
            combine(kind, dtype, *target, call.operand(input).data[static_cast<std::size_t>(*met)]);
    }
  }
  return result;
}

Result<Values> reduce_window(const PieceCall& call) {
  return reduce_inputs(call, reduce_one);
}

/// XLA's GE and LE: of equal elements the first stays selected.
struct Selector {
  bool of_maximum = true;
  bool keeps(double selected, double next) const {
    return of_maximum ? selected >= next : selected <= next;
  }
};

Result<Selector> selector(const PieceCall& call) {
  const std::string* text = call.op().text("selector");
  if (text && (*text == "max" || *text == "min")) return Selector{*text == "max"};
  return not_found("the interpreter does not know the selector '{}'", text ? *text : "");
}

/// Where along the window the selected element lies; absent when all of the window is padding.
std::optional<Index> select(const PieceCall& call, const SlidingInput& sliding, const Index& place,
                            const Selector& selector) {
  std::optional<Index> selected;
  double best = 0;
  for (IndexWalk row(call.ints("window_dimensions")); !row.done(); row.next()) {
    const auto met = sliding.position(place, row.index());
    if (!met) continue;
    const double next = call.operand(kOperand).data[static_cast<std::size_t>(*met)];
    if (selected && selector.keeps(best, next)) continue;
    best = next;
    selected = row.index();
  }
  return selected;
}

/// Where windows of several rows slide, all of them are needed; the other dimensions lie alike.
Result<void> check_pieces(const PieceCall& call, const std::vector<WindowDim>& window) {
  for (std::size_t d = 0; d < window.size(); ++d) {
    const Range whole = {0, call.operand_type(kSource).shape[d]};
    const Range& needed = is_pointwise(window[d]) ? call.result_box()[d] : whole;
    AUTOSHARD_CHECK_OK(require_rows(call, kSource, d, needed));
  }
  return {};
}

/// Adds a source to the element that its window selected, if this device has it.
class Target {
 public:
  Target(const PieceCall& call, const std::vector<WindowDim>& window, Value& result)
      : window_(window),
        result_(result),
        strides_(row_major_strides(extents(result.box))),
        dtype_(call.result_type().dtype) {}

  void add(const Index& place, const Index& selected, double source, ReductionKind kind) {
    std::int64_t position = 0;
    for (std::size_t d = 0; d < place.size(); ++d) {
      const std::int64_t row = input_row(window_[d], place[d], selected[d]).value_or(-1);
      if (!result_.box[d].holds(row)) return;
      position += (row - result_.box[d].begin) * strides_[d];
    }
    double& element = result_.data[static_cast<std::size_t>(position)];
    element = combine(kind, dtype_, element, source);
  }

 private:
  const std::vector<WindowDim>& window_;
  Value& result_;
  Index strides_;
  DType dtype_;
};

Result<Values> select_and_scatter(const PieceCall& call) {
  AUTOSHARD_TRY(const Selector choice, selector(call));
  AUTOSHARD_TRY(const ReductionKind kind, reducer(call));
  const Value& sources = call.operand(kSource);
  AUTOSHARD_TRY(const std::vector<WindowDim> window, window_of(call, kSelectWindow));
  AUTOSHARD_CHECK_OK(check_pieces(call, window));
  AUTOSHARD_TRY(const SlidingInput sliding, sliding_over(call, kOperand, window, sources.box));
  AUTOSHARD_TRY(const double initial, initial_value(call, kInitial, kind));
  Value result = filled(call.result_box(), initial);
  Target target(call, window, result);
  const double* source = sources.data.data();
  for (IndexWalk place(extents(sources.box)); !place.done(); place.next(), ++source) {
    const Index at = global_index(sources.box, place.index());
    const std::optional<Index> selected = select(call, sliding, at, choice);
    if (selected) target.add(at, *selected, *source, kind);
  }
  return Values{std::move(result)};
}

constexpr NamedKernel kKernels[] = {
    {"reduce_window", reduce_window},
    {"select_and_scatter", select_and_scatter},
};

}  // namespace

std::span<const NamedKernel> pooling_kernels() { return kKernels; }

}  // namespace autoshard::internal
