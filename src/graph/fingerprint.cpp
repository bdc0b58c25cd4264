// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
//
// The structural key of a graph. Tensors are numbered in the order in which a reader of the graph
// meets them, so the key depends neither on names nor on the order of calls to the builder.
#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <type_traits>

#include "autoshard/graph.hpp"

namespace autoshard {
namespace {

/// 64-bit FNV-1a.
class Hash {
 public:
  void byte(unsigned char value) { state_ = (state_ ^ value) * 0x100000001b3ULL; }

  void number(std::uint64_t value) {
    for (int shift = 0; shift < 64; shift += 8) byte(static_cast<unsigned char>(value >> shift));
  }

  void add(bool value) { number(value ? 1 : 0); }
  void add(std::int64_t value) { number(static_cast<std::uint64_t>(value)); }
  /// All NaNs are one, since text does not keep their bits.
  void add(double value) { number(std::isnan(value) ? 1 : std::bit_cast<std::uint64_t>(value)); }

  void add(std::string_view text) {
    number(text.size());
    for (const char c : text) byte(static_cast<unsigned char>(c));
  }

  template <class T>
  void add(const std::vector<T>& list) {
    number(list.size());
    for (const T& value : list) add(value);
  }

  std::uint64_t value() const { return state_; }

 private:
  std::uint64_t state_ = 0xcbf29ce484222325ULL;
};

template <class T>
constexpr bool is_list = !std::is_same_v<T, std::string> && requires(const T& value) {
  value.empty();
};

bool is_empty_list(const Attribute& attribute) {
  return std::visit(
      []<class T>(const T& value) {
        if constexpr (is_list<T>) return value.empty();
        return false;
      },
      attribute);
}

class Fingerprint {
 public:
  explicit Fingerprint(const Graph& graph) : graph_(graph), numbers_(graph.tensors().size()) {}

  std::uint64_t compute() {
    region(graph_.main());
    for (const StatePair& pair : graph_.state_pairs()) {
      use(pair.input);
      hash_.add(static_cast<std::int64_t>(pair.output));
    }
    return hash_.value();
  }

 private:
  void define(TensorId id) {
    numbers_[id.index()] = ++defined_;
    const Tensor& tensor = graph_[id];
    hash_.add(name(tensor.type.dtype));
    hash_.add(tensor.type.shape);
    hash_.add(name(tensor.role));
  }

  void use(TensorId id) { hash_.number(numbers_[id.index()]); }

  void use_all(const std::vector<TensorId>& ids) {
    hash_.number(ids.size());
    for (const TensorId id : ids) use(id);
  }

  void define_all(const std::vector<TensorId>& ids) {
    hash_.number(ids.size());
    for (const TensorId id : ids) define(id);
  }

  /// An absent list of dimensions and an empty one mean the same.
  void attributes(const Attributes& attributes) {
    for (const auto& [key, attribute] : attributes) {
      if (is_empty_list(attribute)) continue;
      hash_.add(std::string_view(key));
      hash_.number(attribute.index());
      std::visit([this](const auto& value) { hash_.add(value); }, attribute);
    }
  }

  void one_operator(const Operator& op) {
    hash_.add(std::string_view(op.kind));
    hash_.add(name(op.phase));
    use_all(op.operands);
    attributes(op.attributes);
    if (op.body) region(graph_[*op.body]);
    define_all(op.results);
  }

  // Recursion is bounded by the builder's limit on nested loops.
  void region(const Region& region) {
    define_all(region.arguments);
    hash_.number(region.operators.size());
    for (const OperatorId id : region.operators) one_operator(graph_[id]);
    use_all(region.results);
  }

  const Graph& graph_;
  std::vector<std::uint64_t> numbers_;  ///< by tensor; 0 before its definition
  std::uint64_t defined_ = 0;
  Hash hash_;
};

}  // namespace

std::string Graph::fingerprint() const {
  return fmt::format("{:016x}", Fingerprint(*this).compute());
}

}  // namespace autoshard
