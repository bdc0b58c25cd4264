# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
"""A language model of one LSTM layer, a scan over time; Adam."""
import jax
import jax.numpy as jnp

from .training import Model, Source, adam_update, cross_entropy, with_adam

BATCH, LENGTH, HIDDEN, VOCABULARY = 48, 12, 96, 96


def make_arguments(seed: int) -> tuple:
    source = Source(seed)
    params = {"embedding": source.normal(VOCABULARY, HIDDEN),
              "input": source.weight(HIDDEN, 4 * HIDDEN),
              "recurrent": source.weight(HIDDEN, 4 * HIDDEN), "bias": jnp.zeros(4 * HIDDEN),
              "output": source.weight(HIDDEN, VOCABULARY)}
    tokens = source.integers(VOCABULARY, BATCH, LENGTH + 1)
    return with_adam(params), tokens[:, :-1], tokens[:, 1:]


def cell(params: dict, carry: tuple, x: jax.Array) -> tuple[tuple, jax.Array]:
    hidden, memory = carry
    gates = x @ params["input"] + hidden @ params["recurrent"] + params["bias"]
    enter, forget, leave, candidate = jnp.split(gates, 4, axis=-1)
    memory = jax.nn.sigmoid(forget + 1) * memory + jax.nn.sigmoid(enter) * jnp.tanh(candidate)
    hidden = jax.nn.sigmoid(leave) * jnp.tanh(memory)
    return (hidden, memory), hidden


def loss(params: dict, tokens: jax.Array, targets: jax.Array) -> jax.Array:
    inputs = jnp.take(params["embedding"], tokens.T, axis=0)
    start = (jnp.zeros((BATCH, HIDDEN)), jnp.zeros((BATCH, HIDDEN)))
    _, hidden = jax.lax.scan(lambda carry, x: cell(params, carry, x), start, inputs)
    return cross_entropy(hidden @ params["output"], targets.T)


def step(state: dict, tokens: jax.Array, targets: jax.Array) -> tuple:
    value, gradients = jax.value_and_grad(loss)(state["params"], tokens, targets)
    return adam_update(state, gradients), value


LSTM = Model("lstm", step, make_arguments)
