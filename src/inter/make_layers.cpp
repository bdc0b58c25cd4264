// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <unordered_map>

#include "autoshard/layers.hpp"
#include "base/errors.hpp"
#include "base/try.hpp"
#include "inter/backward_layers.hpp"
#include "inter/balanced_cuts.hpp"
#include "inter/forward_sequence.hpp"
#include "inter/repeated_blocks.hpp"

namespace autoshard {
namespace {

using internal::BlockRun;
using internal::ForwardSequence;
using internal::invalid;

/// Of a graph without repeated blocks.
constexpr std::size_t kMostLayers = 16;

class LayerMaker {
 public:
  LayerMaker(const Graph& graph, const LayerOptions& options)
      : graph_(graph), options_(options), sequence_(internal::forward_sequence(graph)) {}

  Result<Layering> run() {
    if (sequence_.size() == 0) return invalid("graph '{}': no forward operators", graph_.name());
    AUTOSHARD_TRY(ends_, options_.last_operators.empty() ? found_ends() : given_ends());
    return assemble();
  }

 private:
  /// Ends of layers in the sequence, exclusive.
  Result<std::vector<std::size_t>> given_ends() const {
    std::unordered_map<std::string_view, std::size_t> place;
    for (std::size_t i = 0; i < sequence_.size(); ++i) {
      place.emplace(graph_[sequence_.operators[i]].name, i);
    }
    std::vector<std::size_t> ends;
    for (const std::string& name : options_.last_operators) {
      const auto found = place.find(name);
      if (found == place.end()) {
        return invalid("layer boundary '{}': no forward operator of main has that name", name);
      }
      const std::size_t end = found->second + 1;
      if (!ends.empty() && end <= ends.back()) {
        return invalid("layer boundary '{}': it does not stand after the one before", name);
      }
      ends.push_back(end);
    }
    if (ends.back() != sequence_.size()) ends.push_back(sequence_.size());
    return ends;
  }

  Result<std::vector<std::size_t>> found_ends() {
    const std::vector<std::size_t> pieces = pieces_around_blocks();
    const std::size_t automatic =
        blocks_ > 0 ? pieces.size() : std::min(kMostLayers, heavy_count());
    const std::size_t count =
        options_.count ? static_cast<std::size_t>(*options_.count) : automatic;
    if (count > sequence_.size()) {
      return invalid("{} layers: the forward pass has only {} operators", count, sequence_.size());
    }
    if (count == pieces.size()) return pieces;
    return cut(count < pieces.size() ? pieces : fine_units(count), count);
  }

  std::size_t heavy_count() const {
    const auto heavy = std::ranges::count_if(sequence_.flops, [](double work) { return work > 0; });
    return std::max<std::size_t>(1, static_cast<std::size_t>(heavy));
  }

  /// Each block one piece, and what stands between the runs of blocks, too.
  std::vector<std::size_t> pieces_around_blocks() {
    std::vector<std::size_t> ends;
    std::size_t done = 0;
    for (const BlockRun& run : internal::find_repeated_blocks(sequence_)) {
      if (run.begin > done) ends.push_back(run.begin);
      for (std::size_t k = 1; k <= run.count; ++k) ends.push_back(run.begin + k * run.length);
      done = run.end();
      blocks_ += static_cast<std::int64_t>(run.count);
    }
    if (done < sequence_.size()) ends.push_back(sequence_.size());
    return ends;
  }

  /// One operator with work in each, cut where the least flows between two of them; single
  /// operators where that is too coarse.
  std::vector<std::size_t> fine_units(std::size_t count) const {
    std::vector<std::size_t> ends;
    std::optional<std::size_t> heavy;
    for (std::size_t i = 0; i < sequence_.size(); ++i) {
      if (sequence_.flops[i] <= 0) continue;
      if (heavy) ends.push_back(least_cut(*heavy + 1, i));
      heavy = i;
    }
    ends.push_back(sequence_.size());
    if (ends.size() >= count) return ends;
    ends.clear();
    for (std::size_t i = 1; i <= sequence_.size(); ++i) ends.push_back(i);
    return ends;
  }

  std::size_t least_cut(std::size_t first, std::size_t last) const {
    const auto begin = sequence_.cut_bytes.begin();
    const auto least = std::min_element(begin + static_cast<std::ptrdiff_t>(first),
                                        begin + static_cast<std::ptrdiff_t>(last) + 1);
    return static_cast<std::size_t>(least - begin);
  }

  std::vector<std::size_t> cut(const std::vector<std::size_t>& units, std::size_t count) const {
    internal::UnitChain chain;
    std::size_t begin = 0;
    for (std::size_t end : units) {
      double work = 0;
      for (std::size_t i = begin; i < end; ++i) work += sequence_.flops[i];
      chain.work.push_back(work);
      chain.cut_bytes.push_back(sequence_.cut_bytes[begin]);
      begin = end;
    }
    std::vector<std::size_t> ends;
    for (std::size_t unit : internal::balanced_cuts(chain, count)) ends.push_back(units[unit - 1]);
    return ends;
  }

  Layering assemble() const {
    Layering layering;
    layering.repeated_blocks = blocks_;
    layering.layers.resize(ends_.size());
    std::vector<std::optional<std::int32_t>> given(graph_.operators().size());
    std::size_t layer = 0;
    for (std::size_t i = 0; i < sequence_.size(); ++i) {
      if (i == ends_[layer]) ++layer;
      given[sequence_.operators[i].index()] = static_cast<std::int32_t>(layer);
      layering.layers[layer].forward_flops += sequence_.flops[i];
    }
    for (std::size_t k = 0; k < ends_.size(); ++k) {
      layering.layers[k].cut_bytes = sequence_.cut_bytes[ends_[k]];
    }
    layering.layer_of = internal::layers_of_all(graph_, std::move(given));
    for (OperatorId id : graph_.main().operators) {
      const auto at = static_cast<std::size_t>(layering.layer_of[id.index()]);
      layering.layers[at].operators.push_back(id);
    }
    return layering;
  }

  const Graph& graph_;
  const LayerOptions& options_;
  ForwardSequence sequence_;
  std::int64_t blocks_ = 0;
  std::vector<std::size_t> ends_;
};

}  // namespace

Result<Layering> make_layers(const Graph& graph, const LayerOptions& options) {
  return internal::guarded([&]() -> Result<Layering> {
    if (options.count && *options.count < 1) {
      return invalid("layers: {} is less than 1", *options.count);
    }
    if (options.count && !options.last_operators.empty()) {
      return invalid("layers: both a count and boundaries are given");
    }
    return LayerMaker(graph, options).run();
  });
}

}  // namespace autoshard
