// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "execute/collective_step.hpp"

#include <algorithm>
#include <span>

#include "base/errors.hpp"
#include "base/try.hpp"
#include "execute/axis_atoms.hpp"
#include "execute/element.hpp"

namespace autoshard::internal {
namespace {

using Group = std::vector<std::int64_t>;

const Value& held(const Values& pieces, std::int64_t device) {
  return pieces[static_cast<std::size_t>(device)];
}

/// The devices while they run one step.
class StepRun {
 public:
  StepRun(const CollectiveStep& step, const Values& pieces) : step_(step), pieces_(pieces) {
    outcome_.pieces.resize(pieces.size());
  }

  Result<void> run(const Group& group) {
    if (step_.collective.kind == CollectiveKind::all_reduce) return all_reduce(group);
    if (step_.collective.kind == CollectiveKind::collective_permute) {
      AUTOSHARD_CHECK_OK(check_permutation(group));
    }
    for (const std::int64_t device : group) {
      AUTOSHARD_TRY(Value piece, next_piece(device, group));
      outcome_.pieces[static_cast<std::size_t>(device)] = std::move(piece);
    }
    return {};
  }

  StepOutcome finish() && {
    if (step_.collective.kind != CollectiveKind::collective_permute) outcome_.kept_elements = 0;
    return std::move(outcome_);
  }

 private:
  Result<Value> next_piece(std::int64_t device, const Group& group) {
    Box box = piece_box(step_.to, step_.type, step_.mesh, device);
    return step_.collective.kind == CollectiveKind::reduce_scatter
               ? reduced(device, group, std::move(box))
               : assembled(device, group, std::move(box));
  }

  /// As many members need a piece as hold it, so that each sends and receives one.
  Result<void> check_permutation(const Group& group) const {
    for (const std::int64_t device : group) {
      const Box needed = piece_box(step_.to, step_.type, step_.mesh, device);
      const auto holders = std::count_if(group.begin(), group.end(), [&](std::int64_t g) {
        return same(held(pieces_, g).box, needed);
      });
      const auto takers = std::count_if(group.begin(), group.end(), [&](std::int64_t g) {
        return same(piece_box(step_.to, step_.type, step_.mesh, g), needed);
      });
      if (holders < takers) {
        return invalid("{} devices of a group need {}, which {} hold: no permutation", takers,
                       to_string(needed), holders);
      }
    }
    return {};
  }

  void count(std::int64_t sender, std::int64_t receiver, std::int64_t elements) {
    (sender == receiver ? outcome_.kept_elements : outcome_.moved_elements) += elements;
  }

  void accumulate(std::span<const double> source, std::span<double> target) const {
    for (std::size_t n = 0; n < target.size(); ++n) {
      target[n] = combine(step_.collective.reduction, step_.type.dtype, target[n], source[n]);
    }
  }

  Error missing(std::int64_t device, const Box& box) const {
    return invalid("device {} needs {}, which its group does not hold", device, to_string(box));
  }

  /// `box` from the pieces of the group, the device's own first; replicas are asked once.
  Result<Value> assembled(std::int64_t device, Group group, Box box) {
    std::partition(group.begin(), group.end(), [&](std::int64_t g) { return g == device; });
    Value result = filled(std::move(box), 0.0);
    std::vector<Box> asked;
    std::int64_t covered = 0;
    for (const std::int64_t sender : group) {
      const Value& piece = held(pieces_, sender);
      const std::int64_t elements = volume(intersection(piece.box, result.box));
      const bool known = std::any_of(asked.begin(), asked.end(),
                                     [&](const Box& other) { return same(other, piece.box); });
      if (elements == 0 || known) continue;
      asked.push_back(piece.box);
      paste(piece, result);
      count(sender, device, elements);
      covered += elements;
    }
    if (covered != volume(result.box)) return missing(device, result.box);
    return result;
  }

  /// `box` of every member's partial value, added up (or what the reduction is).
  Result<Value> reduced(std::int64_t device, const Group& group, Box box) {
    Value result = filled(std::move(box), identity(step_.collective.reduction, step_.type.dtype));
    for (const std::int64_t sender : group) {
      const Value& piece = held(pieces_, sender);
      if (!contains(piece.box, result.box)) return missing(device, result.box);
      accumulate(cut(piece, result.box).data, result.data);
      count(sender, device, volume(result.box));
    }
    return result;
  }

  /// A reduce-scatter over chunks of the piece, then an all-gather of the chunks, as a ring does.
  Result<void> all_reduce(const Group& group) {
    const std::size_t size = held(pieces_, group.front()).data.size();
    for (const std::int64_t device : group) {
      if (held(pieces_, device).data.size() != size) {
        return missing(device, held(pieces_, group.front()).box);
      }
      outcome_.pieces[static_cast<std::size_t>(device)] = filled(held(pieces_, device).box, 0.0);
    }
    for (std::size_t i = 0; i < group.size(); ++i) {
      all_reduce_chunk(group, i, i * size / group.size(), (i + 1) * size / group.size());
    }
    return {};
  }

  void all_reduce_chunk(const Group& group, std::size_t owner, std::size_t begin, std::size_t end) {
    const auto elements = static_cast<std::int64_t>(end - begin);
    std::vector<double> chunk(end - begin, identity(step_.collective.reduction, step_.type.dtype));
    for (const std::int64_t sender : group) {
      const std::vector<double>& data = held(pieces_, sender).data;
      accumulate({data.data() + begin, end - begin}, chunk);
      count(sender, group[owner], elements);
    }
    for (const std::int64_t receiver : group) {
      std::vector<double>& data = outcome_.pieces[static_cast<std::size_t>(receiver)].data;
      std::copy(chunk.begin(), chunk.end(), data.begin() + static_cast<std::ptrdiff_t>(begin));
      count(group[owner], receiver, elements);
    }
  }

  const CollectiveStep& step_;
  const Values& pieces_;
  StepOutcome outcome_;
};

/// What one device sends when every piece is padded to the largest.
std::int64_t padded_elements(const CollectiveStep& step) {
  const std::vector<std::int64_t> before = shard_shape(step.from, step.type);
  const std::vector<std::int64_t> after = shard_shape(step.to, step.type);
  const auto elements = [](const std::vector<std::int64_t>& shape) {
    return TensorType{DType::f64, shape}.elements();
  };
  const std::int64_t n = step.collective.group_size;
  const auto split = static_cast<std::size_t>(step.collective.split_dim);
  std::vector<std::int64_t> block = before;
  switch (step.collective.kind) {
    case CollectiveKind::all_reduce:
      return 2 * (n - 1) * ((elements(before) + n - 1) / n);
    case CollectiveKind::all_gather:
      return (n - 1) * elements(before);
    case CollectiveKind::reduce_scatter:
      return (n - 1) * elements(after);
    case CollectiveKind::all_to_all:
      block[split] = after[split];
      return (n - 1) * elements(block);
    case CollectiveKind::collective_permute:
      return elements(before);
    case CollectiveKind::slice:
      return 0;
  }
  return 0;
}

bool even(const ShardingSpec& spec, const TensorType& type) {
  for (std::size_t d = 0; d < spec.dims.size(); ++d) {
    if (type.shape[d] % spec.shards(d) != 0) return false;
  }
  return true;
}

/// The buffer in the nccl-tests convention.
std::int64_t full_buffer_bytes(const CollectiveStep& step) {
  const bool gathers = step.collective.kind == CollectiveKind::all_gather;
  return shard_bytes(gathers ? step.to : step.from, step.type);
}

}  // namespace

Result<StepOutcome> run_step(const CollectiveStep& step, const Values& pieces) {
  AUTOSHARD_CHECK_OK(check_promise(step));
  std::vector<AxisRef> all = mentioned_axes(step.from);
  all.insert(all.end(), step.collective.axes.begin(), step.collective.axes.end());
  AUTOSHARD_TRY(const AxisAtoms atoms, AxisAtoms::create(step.mesh, all));
  StepRun run(step, pieces);
  for (const Group& group : atoms.groups(step.mesh, step.collective.axes)) {
    AUTOSHARD_CHECK_OK(run.run(group));
  }
  return std::move(run).finish();
}

std::optional<std::string> traffic_complaint(const CollectiveStep& step,
                                             const StepOutcome& outcome) {
  const std::int64_t devices = step.mesh.device_count();
  const std::int64_t predicted = sent_bytes_per_device(step.collective) * devices;
  const std::int64_t moved = bytes_of(step.type, outcome.moved_elements + outcome.kept_elements);
  // The formula rounds the share of one member up to whole bytes, twice in an all-reduce.
  const std::int64_t rounding = 2 * (step.collective.group_size - 1) * devices;
  const std::int64_t padded = bytes_of(step.type, padded_elements(step)) * devices + rounding;
  const bool exact = even(step.from, step.type) && even(step.to, step.type);
  if (exact && step.collective.buffer_bytes != full_buffer_bytes(step)) {
    return fmt::format("buffer_bytes is {}, but the pieces make {}", step.collective.buffer_bytes,
                       full_buffer_bytes(step));
  }
  if (moved <= predicted && predicted <= padded) return std::nullopt;
  return fmt::format("{} bytes moved, {} predicted", moved, predicted);
}

std::int64_t bytes_of(const TensorType& type, std::int64_t elements) {
  return (elements * bits(type.dtype) + 7) / 8;
}

}  // namespace autoshard::internal
