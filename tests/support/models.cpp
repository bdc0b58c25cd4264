// Copyright the autoshard authors.
// SPDX-License-Identifier: Apache-2.0
#include "support/models.hpp"

#include <doctest/doctest.h>

#include <string>

namespace autoshard::test {
namespace {

using Dims = std::vector<std::int64_t>;

struct Layer {
  TensorId weight;
  std::optional<TensorId> bias;
  TensorId input;
  TensorId output;  ///< before the ReLU
};

class MlpWriter {
 public:
  explicit MlpWriter(const MlpModel& model) : model_(model), write_("mlp", model.optimizer) {}

  Graph run() && {
    const TensorId x = write_.input("x", {model_.dtype, {model_.batch, model_.widths.front()}});
    const TensorId y = write_.input("y", {model_.dtype, {model_.batch, model_.widths.back()}});
    add_parameters();
    forward(x);
    backward(y);
    return std::move(write_).build();
  }

 private:
  void add_parameters() {
    for (std::size_t i = 0; i + 1 < model_.widths.size(); ++i) {
      const std::string number = std::to_string(i);
      Layer layer;
      layer.weight =
          write_.parameter("w" + number, {model_.dtype, {model_.widths[i], model_.widths[i + 1]}});
      if (model_.bias) {
        layer.bias = write_.parameter("b" + number, {model_.dtype, {model_.widths[i + 1]}});
      }
      layers_.push_back(layer);
    }
  }

  void forward(TensorId x) {
    for (Layer& layer : layers_) {
      layer.input = x;
      layer.output = write_.dot(x, layer.weight, {{1}, {0}});
      if (layer.bias) {
        const TensorId bias = write_.broadcast(*layer.bias, layer.output, {1});
        layer.output = write_.apply("add", {layer.output, bias});
      }
      const bool last = &layer == &layers_.back();
      x = model_.relu && !last
              ? write_.apply("maximum", {layer.output, write_.filled(0, write_.type(layer.output))})
              : layer.output;
    }
  }

  void backward(TensorId y) {
    write_.begin(Phase::backward);
    const TensorId error = write_.apply("subtract", {layers_.back().output, y});
    const double elements = static_cast<double>(write_.type(error).elements());
    TensorId gradient = write_.scaled(error, 2 / elements);
    for (std::size_t i = layers_.size(); i-- > 0;) gradient = backward(i, gradient);
    update();
    if (model_.input_gradient) write_.result(gradient);
  }

  /// Gradient of the layer's input, from that of its output.
  TensorId backward(std::size_t index, TensorId gradient) {
    const Layer& layer = layers_[index];
    gradients_.push_back({layer.weight, write_.dot(layer.input, gradient, {{0}, {0}})});
    if (layer.bias) gradients_.push_back({*layer.bias, write_.reduce(gradient, {0}, "sum")});
    if (index == 0 && !model_.input_gradient) return gradient;
    const TensorId below = write_.dot(gradient, layer.weight, {{1}, {1}});
    return index > 0 && model_.relu ? through_relu(layers_[index - 1].output, below) : below;
  }

  TensorId through_relu(TensorId input, TensorId gradient) {
    const TensorType type = write_.type(gradient);
    const TensorId positive = write_.compare(input, write_.filled(0, type), "GT");
    return write_.make("select", {positive, gradient, write_.filled(0, type)}, type);
  }

  void update() {
    for (const auto& [weight, gradient] : gradients_) write_.update(weight, gradient);
  }

  const MlpModel& model_;
  TrainingWriter write_;
  std::vector<Layer> layers_;
  std::vector<std::pair<TensorId, TensorId>> gradients_;
};

/// Rows of `table` by `tokens`, and the sum of such rows into one of the table's shape.
struct Lookup {
  TrainingWriter& write;
  TensorType table;
  TensorType rows;

  TensorId gather(TensorId embedding, TensorId tokens) const {
    return write.make("gather", {embedding, tokens}, rows,
                      {{"offset_dims", Dims{2}},
                       {"collapsed_slice_dims", Dims{0}},
                       {"start_index_map", Dims{0}},
                       {"index_vector_dim", std::int64_t{2}},
                       {"slice_sizes", Dims{1, table.shape[1]}}});
  }

  TensorId scatter(TensorId tokens, TensorId updates) const {
    return write.make("scatter", {write.filled(0, table), tokens, updates}, table,
                      {{"update_window_dims", Dims{2}},
                       {"inserted_window_dims", Dims{0}},
                       {"scatter_dims_to_operand_dims", Dims{0}},
                       {"index_vector_dim", std::int64_t{2}},
                       {"reducer", std::string("sum")}});
  }
};

/// Gradient of the summed cross entropy: softmax - one hot.
TensorId cross_entropy_gradient(TrainingWriter& write, TensorId logits, TensorId labels) {
  const TensorId largest = write.reduce(logits, {2}, "max");
  const TensorId shifted =
      write.apply("subtract", {logits, write.broadcast(largest, logits, {0, 1})});
  const TensorId exponentials = write.apply("exponential", {shifted});
  const TensorId sum = write.reduce(exponentials, {2}, "sum");
  write.begin(Phase::backward);
  const TensorId softmax =
      write.apply("divide", {exponentials, write.broadcast(sum, logits, {0, 1})});
  const TensorType index_type{DType::s32, write.type(logits).shape};
  const TensorId positions =
      write.make("iota", {}, index_type, {{"iota_dimension", std::int64_t{2}}});
  const TensorId hit = write.compare(write.broadcast(labels, logits, {0, 1}), positions, "EQ");
  return write.apply("subtract", {softmax, write.make("convert", {hit}, write.type(logits))});
}

}  // namespace

Graph mlp_step(const MlpModel& model) { return MlpWriter(model).run(); }

Graph tied_embedding_step(const TiedEmbeddingModel& model) {
  TrainingWriter write("tied_embedding", model.optimizer);
  const TensorType ids{DType::s32, {model.batch, model.sequence}};
  const Lookup lookup{write,
                      {model.dtype, {model.vocabulary, model.hidden}},
                      {model.dtype, {model.batch, model.sequence, model.hidden}}};
  const TensorId tokens = write.input("tokens", ids);
  const TensorId labels = write.input("labels", ids);
  const TensorId embedding = write.parameter("embedding", lookup.table);
  const TensorId rows = lookup.gather(embedding, tokens);
  const TensorId logits = write.dot(rows, embedding, {{2}, {1}});
  const TensorId error = cross_entropy_gradient(write, logits, labels);
  const TensorId from_logits = write.dot(error, rows, {{0, 1}, {0, 1}});
  const TensorId row_gradient = write.dot(error, embedding, {{2}, {0}});
  const TensorId from_rows = lookup.scatter(tokens, row_gradient);
  write.update(embedding, write.apply("add", {from_logits, from_rows}));
  return std::move(write).build();
}

std::size_t argument_index(const Graph& graph, std::string_view name) {
  const auto& arguments = graph.main().arguments;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (graph[arguments[i]].name == name) return i;
  }
  FAIL("graph '" << graph.name() << "' has no argument '" << std::string(name) << "'");
  return 0;
}

}  // namespace autoshard::test
