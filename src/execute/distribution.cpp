// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "execute/distribution.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "execute/axis_atoms.hpp"
#include "execute/element.hpp"

namespace autoshard::internal {
namespace {

/// The other devices along one part of an axis, in the order of their coordinates.
std::vector<std::int64_t> peers_along(const AxisRef& axis, const DeviceMesh& mesh,
                                      std::int64_t device) {
  // Devices are numbered row-major, so a step along the part is a step of a fixed size.
  std::int64_t step = 1;
  for (std::size_t a = mesh.axes().size(); a-- > static_cast<std::size_t>(axis.axis) + 1;) {
    step *= mesh.axes()[a].size;
  }
  const std::int64_t size = mesh.axes()[static_cast<std::size_t>(axis.axis)].size;
  step *= size / (axis.pre_size * axis.size);
  const std::int64_t first = device - coordinate(mesh, device, axis) * step;
  std::vector<std::int64_t> peers;
  for (std::int64_t c = 0; c < axis.size; ++c) peers.push_back(first + c * step);
  return peers;
}

void accumulate(const PartialAxis& partial, DType dtype, const Value& source, Value& target) {
  for (std::size_t n = 0; n < target.data.size() && n < source.data.size(); ++n) {
    target.data[n] = combine(partial.kind, dtype, target.data[n], source.data[n]);
  }
}

Values reduced_along(const PartialAxis& partial, const Values& pieces, const Placement& placement) {
  Values result = pieces;
  for (std::size_t device = 0; device < pieces.size(); ++device) {
    Value& target = result[device];
    std::fill(target.data.begin(), target.data.end(), identity(partial.kind, placement.type.dtype));
    for (const std::int64_t peer :
         peers_along(partial.axis, placement.mesh, static_cast<std::int64_t>(device))) {
      accumulate(partial, placement.type.dtype, pieces[static_cast<std::size_t>(peer)], target);
    }
  }
  return result;
}

bool equal_or_both_nan(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

double largest_finite(const Value& value) {
  double largest = 0;
  for (const double element : value.data) {
    if (std::isfinite(element)) largest = std::max(largest, std::fabs(element));
  }
  return largest;
}

double relative_error(double found, double expected, double scale) {
  if (equal_or_both_nan(found, expected)) return 0;
  const double error = std::fabs(found - expected) / scale;
  return std::isnan(error) ? std::numeric_limits<double>::infinity() : error;
}

std::string element_text(const Box& box, std::size_t position) {
  std::vector<std::int64_t> index(box.size());
  auto rest = static_cast<std::int64_t>(position);
  for (std::size_t d = box.size(); d-- > 0;) {
    index[d] = box[d].begin + rest % box[d].size();
    rest /= box[d].size();
  }
  return fmt::format("[{}]", fmt::join(index, ","));
}

/// Compares one piece; the first element that is off is described.
void compare_piece(const Value& expected, const Value& found, std::int64_t device,
                   std::pair<double, double> scale_and_tolerance, Comparison& comparison) {
  const auto [scale, tolerance] = scale_and_tolerance;
  for (std::size_t n = 0; n < expected.data.size(); ++n) {
    const double error = relative_error(found.data[n], expected.data[n], scale);
    comparison.relative_error = std::max(comparison.relative_error, error);
    if (error > tolerance && !comparison.mismatch) {
      comparison.mismatch =
          fmt::format("device {} has {:.12g} at {}, expected {:.12g}", device, found.data[n],
                      element_text(expected.box, n), expected.data[n]);
    }
  }
}

}  // namespace

Values distribute(const Value& dense, const Placement& placement) {
  Values pieces;
  for (std::int64_t device = 0; device < placement.mesh.device_count(); ++device) {
    const Box box = piece_box(placement.spec, placement.type, placement.mesh, device);
    const auto absent = std::find_if(placement.spec.partial.begin(), placement.spec.partial.end(),
                                     [&](const PartialAxis& partial) {
                                       return coordinate(placement.mesh, device, partial.axis) != 0;
                                     });
    pieces.push_back(absent == placement.spec.partial.end()
                         ? cut(dense, box)
                         : filled(box, identity(absent->kind, placement.type.dtype)));
  }
  return pieces;
}

Values totals(Values pieces, const Placement& placement) {
  for (const PartialAxis& partial : placement.spec.partial) {
    pieces = reduced_along(partial, pieces, placement);
  }
  return pieces;
}

Comparison compare(const Value& dense, const Values& pieces, const Placement& placement,
                   double tolerance) {
  constexpr double kNoise = 1e-3;
  const double scale = std::max(largest_finite(dense), kNoise);
  const bool partial = !placement.spec.partial.empty();
  const Values reduced = partial ? totals(pieces, placement) : Values{};
  const Values& found = partial ? reduced : pieces;
  Comparison comparison;
  for (std::size_t device = 0; device < found.size(); ++device) {
    const auto id = static_cast<std::int64_t>(device);
    const Value expected =
        cut(dense, piece_box(placement.spec, placement.type, placement.mesh, id));
    compare_piece(expected, found[device], id, {scale, tolerance}, comparison);
  }
  return comparison;
}

}  // namespace autoshard::internal
