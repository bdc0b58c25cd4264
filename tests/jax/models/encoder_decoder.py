# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
"""A transformer that reads one sequence and writes another; Adam."""
import jax
import jax.numpy as jnp

from .training import Model, Source, adam_update, cross_entropy, with_adam
from .transformer import (HIDDEN, attention, attention_weights, block, block_weights,
                          feed_forward, layer_norm)

BATCH, SOURCE_LENGTH, TARGET_LENGTH, VOCABULARY = 24, 24, 12, 192


def decoder_weights(source: Source) -> dict:
    return block_weights(source) | {"cross": attention_weights(source),
                                    "cross_scale": jnp.ones(HIDDEN)}


def make_arguments(seed: int) -> tuple:
    source = Source(seed)
    params = {"embedding": source.weight(VOCABULARY, HIDDEN, fan_in=HIDDEN),
              "source_position": source.normal(SOURCE_LENGTH, HIDDEN) * 0.02,
              "target_position": source.normal(TARGET_LENGTH, HIDDEN) * 0.02,
              "encoder": [block_weights(source)], "decoder": [decoder_weights(source)],
              "output": source.weight(HIDDEN, VOCABULARY)}
    written = source.integers(VOCABULARY, BATCH, TARGET_LENGTH + 1)
    return (with_adam(params), source.integers(VOCABULARY, BATCH, SOURCE_LENGTH),
            written[:, :-1], written[:, 1:])


def decoder_block(weights: dict, x: jax.Array, memory: jax.Array) -> jax.Array:
    x = x + attention(weights["attention"], layer_norm(x, weights["scale"][0]), causal=True)
    x = x + attention(weights["cross"], layer_norm(x, weights["cross_scale"]), memory)
    return x + feed_forward(weights, layer_norm(x, weights["scale"][1]))


def loss(params: dict, read: jax.Array, written: jax.Array, targets: jax.Array) -> jax.Array:
    memory = jnp.take(params["embedding"], read, axis=0) + params["source_position"]
    for layer in params["encoder"]:
        memory = block(layer, memory, causal=False)
    x = jnp.take(params["embedding"], written, axis=0) + params["target_position"]
    for layer in params["decoder"]:
        x = decoder_block(layer, x, memory)
    return cross_entropy(x @ params["output"], targets)


def step(state: dict, read: jax.Array, written: jax.Array, targets: jax.Array) -> tuple:
    value, gradients = jax.value_and_grad(loss)(state["params"], read, written, targets)
    return adam_update(state, gradients), value


ENCODER_DECODER = Model("encoder_decoder", step, make_arguments)
