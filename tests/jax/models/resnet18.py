# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
"""ResNet-18 with fewer channels on small images: four stages of two blocks; SGD with momentum."""
import jax
import jax.numpy as jnp

from .convolution import layer, layer_statistics, layer_weights
from .training import Model, Source, cross_entropy, momentum_update, with_momentum

BATCH, IMAGE, CLASSES = 24, 16, 24
CHANNELS, BLOCKS_PER_STAGE = (24, 48, 96, 192), 2


def block_shapes() -> list[tuple[int, int, int]]:
    """Channels before and after, and the stride, of every block."""
    shapes, before = [], CHANNELS[0]
    for stage, after in enumerate(CHANNELS):
        for index in range(BLOCKS_PER_STAGE):
            shapes.append((before, after, 2 if stage > 0 and index == 0 else 1))
            before = after
    return shapes


def block_weights(source: Source, before: int, after: int, stride: int) -> dict:
    weights = {"first": layer_weights(source, 3, before, after),
               "second": layer_weights(source, 3, after, after)}
    return weights | ({"skip": layer_weights(source, 1, before, after)} if stride > 1 else {})


def make_arguments(seed: int) -> tuple:
    source = Source(seed)
    params = {"stem": layer_weights(source, 3, 3, CHANNELS[0]),
              "blocks": [block_weights(source, *shape) for shape in block_shapes()],
              "dense": source.weight(CHANNELS[-1], CLASSES)}
    running = {"stem": layer_statistics(CHANNELS[0]),
               "blocks": [{name: layer_statistics(after) for name in weights}
                          for weights, (_, after, _) in zip(params["blocks"], block_shapes())]}
    return (with_momentum(params) | {"running": running}, source.normal(BATCH, IMAGE, IMAGE, 3),
            source.integers(CLASSES, BATCH))


def block(weights: dict, running: dict, x: jax.Array, stride: int) -> tuple[jax.Array, dict]:
    new = {}
    y, new["first"] = layer(weights["first"], running["first"], x, stride)
    y, new["second"] = layer(weights["second"], running["second"], jax.nn.relu(y))
    if "skip" in weights:
        x, new["skip"] = layer(weights["skip"], running["skip"], x, stride)
    return jax.nn.relu(x + y), new


def loss(params: dict, running: dict, images: jax.Array, labels: jax.Array) -> tuple:
    x, stem = layer(params["stem"], running["stem"], images)
    x, blocks = jax.nn.relu(x), []
    for weights, before, (_, _, stride) in zip(params["blocks"], running["blocks"],
                                               block_shapes()):
        x, after = block(weights, before, x, stride)
        blocks.append(after)
    logits = jnp.mean(x, (1, 2)) @ params["dense"]
    return cross_entropy(logits, labels), {"stem": stem, "blocks": blocks}


def step(state: dict, images: jax.Array, labels: jax.Array) -> tuple:
    (value, running), gradients = jax.value_and_grad(loss, has_aux=True)(
        state["params"], state["running"], images, labels)
    return momentum_update(state, gradients, rate=0.01) | {"running": running}, value


RESNET18 = Model("resnet18", step, make_arguments)
