# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
"""A perceptron with two hidden layers; SGD with momentum."""
import jax
import jax.numpy as jnp

from .training import Model, Source, cross_entropy, momentum_update, with_momentum

BATCH, SIZES = 96, (96, 384, 192, 24)


def make_arguments(seed: int) -> tuple:
    source = Source(seed)
    params = [{"weight": source.weight(before, after), "bias": jnp.zeros(after)}
              for before, after in zip(SIZES, SIZES[1:])]
    return (with_momentum(params), source.normal(BATCH, SIZES[0]),
            source.integers(SIZES[-1], BATCH))


def loss(params: list, x: jax.Array, labels: jax.Array) -> jax.Array:
    for layer in params[:-1]:
        x = jax.nn.relu(x @ layer["weight"] + layer["bias"])
    return cross_entropy(x @ params[-1]["weight"] + params[-1]["bias"], labels)


def step(state: dict, x: jax.Array, labels: jax.Array) -> tuple:
    value, gradients = jax.value_and_grad(loss)(state["params"], x, labels)
    return momentum_update(state, gradients), value


MLP = Model("mlp", step, make_arguments)
