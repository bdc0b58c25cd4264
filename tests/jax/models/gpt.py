# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
"""GPT of two layers with Adam: one layer after the other with a tied embedding, or a scan over
stacked layers with a separate output matrix."""
import jax
import jax.numpy as jnp

from .training import (Model, Source, adam_update, cross_entropy, one_hot_cross_entropy,
                       with_adam)
from .transformer import HIDDEN, block, block_weights, layer_norm

LAYERS, BATCH, LENGTH, VOCABULARY = 2, 24, 24, 384


def weights(source: Source) -> dict:
    return {"embedding": source.weight(VOCABULARY, HIDDEN, fan_in=HIDDEN),
            "position": source.normal(LENGTH, HIDDEN) * 0.02,
            "blocks": [block_weights(source) for _ in range(LAYERS)],
            "scale": jnp.ones(HIDDEN)}


def batch(source: Source) -> tuple:
    tokens = source.integers(VOCABULARY, BATCH, LENGTH + 1)
    return tokens[:, :-1], tokens[:, 1:]


def embed(params: dict, tokens: jax.Array) -> jax.Array:
    return jnp.take(params["embedding"], tokens, axis=0) + params["position"]


def loop_loss(params: dict, tokens: jax.Array, targets: jax.Array) -> jax.Array:
    x = embed(params, tokens)
    for layer in params["blocks"]:
        x = block(layer, x, causal=True)
    return cross_entropy(layer_norm(x, params["scale"]) @ params["embedding"].T, targets)


def scan_loss(params: dict, tokens: jax.Array, targets: jax.Array) -> jax.Array:
    x, _ = jax.lax.scan(lambda x, layer: (block(layer, x, causal=True), None),
                        embed(params, tokens), params["blocks"])
    return one_hot_cross_entropy(layer_norm(x, params["scale"]) @ params["output"], targets)


def make_loop_arguments(seed: int) -> tuple:
    source = Source(seed)
    return with_adam(weights(source)), *batch(source)


def make_scan_arguments(seed: int) -> tuple:
    source = Source(seed)
    params = weights(source)
    params["blocks"] = jax.tree.map(lambda *layers: jnp.stack(layers), *params["blocks"])
    params["output"] = source.weight(HIDDEN, VOCABULARY)
    return with_adam(params), *batch(source)


def _step(loss):
    def step(state: dict, tokens: jax.Array, targets: jax.Array) -> tuple:
        value, gradients = jax.value_and_grad(loss)(state["params"], tokens, targets)
        return adam_update(state, gradients), value
    return step


GPT_LOOP = Model("gpt_loop", _step(loop_loss), make_loop_arguments)
GPT_SCAN = Model("gpt_scan", _step(scan_loss), make_scan_arguments)
