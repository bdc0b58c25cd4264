# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
"""Layers of the transformers: attention, feed-forward, normalisation."""
from typing import NamedTuple, Optional, Union

import jax
import jax.numpy as jnp

from .training import Source

HIDDEN, HEADS, FEEDFORWARD = 192, 24, 384


class Adapted(NamedTuple):
    """A frozen weight with a trained product of two thin ones beside it (LoRA)."""

    frozen: jax.Array
    down: jax.Array
    up: jax.Array


def linear(x: jax.Array, weight: Union[jax.Array, Adapted]) -> jax.Array:
    if isinstance(weight, Adapted):
        return x @ weight.frozen + (x @ weight.down) @ weight.up
    return x @ weight


def attention_weights(source: Source) -> dict:
    return {name: source.weight(HIDDEN, HIDDEN) for name in ("query", "key", "value", "out")}


def block_weights(source: Source) -> dict:
    return {"attention": attention_weights(source), "scale": jnp.ones((2, HIDDEN)),
            "up": source.weight(HIDDEN, FEEDFORWARD), "up_bias": jnp.zeros(FEEDFORWARD),
            "down": source.weight(FEEDFORWARD, HIDDEN), "down_bias": jnp.zeros(HIDDEN)}


def layer_norm(x: jax.Array, scale: jax.Array) -> jax.Array:
    centered = x - jnp.mean(x, -1, keepdims=True)
    return centered * jax.lax.rsqrt(jnp.mean(centered**2, -1, keepdims=True) + 1e-5) * scale


def attention(weights: dict, x: jax.Array, memory: Optional[jax.Array] = None,
              causal: bool = False) -> jax.Array:
    """Of x to itself, or to the memory of an encoder."""
    memory = x if memory is None else memory
    query, key, value = (_heads(linear(source, weights[name])) for source, name in
                         ((x, "query"), (memory, "key"), (memory, "value")))
    scores = jnp.einsum("bqhd,bkhd->bhqk", query, key) * (HIDDEN // HEADS) ** -0.5
    if causal:
        scores = jnp.where(jnp.tril(jnp.ones(scores.shape[-2:], bool)), scores, -1e9)
    mixed = jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(scores), value)
    return linear(mixed.reshape(x.shape), weights["out"])


def _heads(x: jax.Array) -> jax.Array:
    return x.reshape(*x.shape[:-1], HEADS, HIDDEN // HEADS)


def feed_forward(weights: dict, x: jax.Array) -> jax.Array:
    inner = jax.nn.gelu(linear(x, weights["up"]) + weights["up_bias"])
    return linear(inner, weights["down"]) + weights["down_bias"]


def block(weights: dict, x: jax.Array, causal: bool) -> jax.Array:
    x = x + attention(weights["attention"], layer_norm(x, weights["scale"][0]), causal=causal)
    return x + feed_forward(weights, layer_norm(x, weights["scale"][1]))
