# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
"""What the models share: initial values, losses and optimizers, in plain JAX."""
from dataclasses import dataclass
from typing import Any, Callable

import jax
import jax.numpy as jnp
import numpy as np


@dataclass(frozen=True)
class Model:
    """A training step `step(state, *batch) -> (new_state, loss)`."""

    name: str
    step: Callable
    make_arguments: Callable[[int], tuple]  # seed -> (state, *batch)
    donate_argnums: tuple[int, ...] = (0,)


class Source:
    """Random arrays that are the same for the same seed."""

    def __init__(self, seed: int) -> None:
        self._generator = np.random.default_rng(seed)

    def weight(self, *shape: int, fan_in: int = 0) -> jax.Array:
        scale = (fan_in or shape[-2]) ** -0.5
        return self.normal(*shape) * scale

    def normal(self, *shape: int) -> jax.Array:
        return jnp.asarray(self._generator.normal(size=shape), jnp.float32)

    def integers(self, bound: int, *shape: int) -> jax.Array:
        return jnp.asarray(self._generator.integers(bound, size=shape), jnp.int32)


def with_momentum(params: Any) -> dict:
    return {"params": params, "velocity": jax.tree.map(jnp.zeros_like, params)}


def momentum_update(state: dict, gradients: Any, rate: float = 0.02) -> dict:
    velocity = jax.tree.map(lambda v, g: 0.9 * v + g, state["velocity"], gradients)
    params = jax.tree.map(lambda p, v: p - rate * v, state["params"], velocity)
    return {"params": params, "velocity": velocity}


def with_adam(params: Any) -> dict:
    zeros = jax.tree.map(jnp.zeros_like, params)
    return {"params": params, "mean": zeros, "square": jax.tree.map(jnp.zeros_like, params),
            "count": jnp.zeros((), jnp.int32)}


def adam_update(state: dict, gradients: Any, rate: float = 1e-3) -> dict:
    """The denominator's 1e-5 keeps gradients that are only rounding errors from being steps."""
    count = state["count"] + 1
    mean = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, state["mean"], gradients)
    square = jax.tree.map(lambda s, g: 0.99 * s + 0.01 * g * g, state["square"], gradients)
    for_mean, for_square = 1 - 0.9 ** count, 1 - 0.99 ** count
    params = jax.tree.map(
        lambda p, m, s: p - rate * (m / for_mean) / (jnp.sqrt(s / for_square) + 1e-5),
        state["params"], mean, square)
    return {"params": params, "mean": mean, "square": square, "count": count}


def cross_entropy(logits: jax.Array, labels: jax.Array) -> jax.Array:
    """Picks the labels' log probabilities by index."""
    log_probabilities = jax.nn.log_softmax(logits)
    return -jnp.mean(jnp.take_along_axis(log_probabilities, labels[..., None], axis=-1))


def one_hot_cross_entropy(logits: jax.Array, labels: jax.Array) -> jax.Array:
    """The same by a product with one-hot labels."""
    hot = jax.nn.one_hot(labels, logits.shape[-1], dtype=logits.dtype)
    return -jnp.mean(jnp.sum(hot * jax.nn.log_softmax(logits), axis=-1))
