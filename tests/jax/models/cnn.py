# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
"""Two convolutions with batch norm, one pooled by maximum and one by average; SGD with momentum."""
import jax

from .convolution import average_pool, layer, layer_statistics, layer_weights, max_pool
from .training import Model, Source, cross_entropy, momentum_update, with_momentum

BATCH, IMAGE, CHANNELS, CLASSES = 48, 16, (3, 24, 48), 24


def make_arguments(seed: int) -> tuple:
    source = Source(seed)
    features = (IMAGE // 4) ** 2 * CHANNELS[-1]
    params = {"first": layer_weights(source, 3, *CHANNELS[:2]),
              "second": layer_weights(source, 3, *CHANNELS[1:]),
              "dense": source.weight(features, CLASSES)}
    state = with_momentum(params) | {"running": {"first": layer_statistics(CHANNELS[1]),
                                                 "second": layer_statistics(CHANNELS[2])}}
    return (state, source.normal(BATCH, IMAGE, IMAGE, CHANNELS[0]),
            source.integers(CLASSES, BATCH))


def loss(params: dict, running: dict, images: jax.Array, labels: jax.Array) -> tuple:
    x, first = layer(params["first"], running["first"], images)
    x, second = layer(params["second"], running["second"], max_pool(jax.nn.relu(x), 2))
    x = average_pool(jax.nn.relu(x), 2)
    logits = x.reshape(BATCH, -1) @ params["dense"]
    return cross_entropy(logits, labels), {"first": first, "second": second}


def step(state: dict, images: jax.Array, labels: jax.Array) -> tuple:
    (value, running), gradients = jax.value_and_grad(loss, has_aux=True)(
        state["params"], state["running"], images, labels)
    return momentum_update(state, gradients) | {"running": running}, value


CNN = Model("cnn", step, make_arguments)
