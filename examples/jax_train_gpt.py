# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
"""A small GPT trained with Adam on all devices. Between the steps nothing moves."""
import os

os.environ.setdefault("XLA_FLAGS", "--xla_force_host_platform_device_count=8")

import jax
import jax.numpy as jnp
import numpy as np

from autoshard.jax import auto_shard

LAYERS, BATCH, LENGTH, HIDDEN, HEADS, VOCABULARY = 2, 16, 32, 64, 4, 512


def normal(*shape):
    return jnp.asarray(generator.normal(size=shape) * 0.05, jnp.float32)


def make_params():
    blocks = {"attention": normal(LAYERS, HIDDEN, 3 * HIDDEN),
              "out": normal(LAYERS, HIDDEN, HIDDEN),
              "up": normal(LAYERS, HIDDEN, 4 * HIDDEN),
              "down": normal(LAYERS, 4 * HIDDEN, HIDDEN)}
    return {"embedding": normal(VOCABULARY, HIDDEN), "position": normal(LENGTH, HIDDEN),
            "blocks": blocks}


def block(x, layer):
    heads = (*x.shape[:2], HEADS, HIDDEN // HEADS)
    parts = jnp.split(jax.nn.standardize(x) @ layer["attention"], 3, axis=-1)
    query, key, value = (part.reshape(heads) for part in parts)
    mixed = jax.nn.dot_product_attention(query, key, value, is_causal=True)
    x = x + mixed.reshape(x.shape) @ layer["out"]
    return x + jax.nn.gelu(jax.nn.standardize(x) @ layer["up"]) @ layer["down"], None


def loss(params, tokens):
    x = params["embedding"][tokens[:, :-1]] + params["position"]
    x, _ = jax.lax.scan(block, x, params["blocks"])
    logits = jax.nn.standardize(x) @ params["embedding"].T
    chosen = jax.nn.one_hot(tokens[:, 1:], VOCABULARY)
    return -jnp.mean(jnp.sum(chosen * jax.nn.log_softmax(logits), axis=-1))


def train_step(state, tokens):
    """The new state has the structure of the old one: so auto_shard knows that it replaces it."""
    value, gradients = jax.value_and_grad(loss)(state["params"], tokens)
    count = state["count"] + 1
    mean = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, state["mean"], gradients)
    square = jax.tree.map(lambda s, g: 0.99 * s + 0.01 * g * g, state["square"], gradients)
    rate = 3e-3 * jnp.sqrt(1 - 0.99 ** count) / (1 - 0.9 ** count)
    params = jax.tree.map(lambda p, m, s: p - rate * m / (jnp.sqrt(s) + 1e-6),
                          state["params"], mean, square)
    return {"params": params, "mean": mean, "square": square, "count": count}, value


generator = np.random.default_rng(0)
params = make_params()
state = {"params": params, "mean": jax.tree.map(jnp.zeros_like, params),
         "square": jax.tree.map(jnp.zeros_like, params), "count": jnp.zeros((), jnp.int32)}
tokens = jnp.asarray(generator.integers(VOCABULARY, size=(BATCH, LENGTH + 1)))

step = auto_shard(train_step, device="cpu", donate_argnums=0)
print(step.plan(state, tokens).report())

losses, lies = [], jax.tree.map(lambda array: array.sharding, state)
for number in range(6):
    state, value = step(state, tokens)
    lay, lies = lies, jax.tree.map(lambda array: array.sharding, state)
    losses.append(float(value))
    print(f"step {number}: loss {losses[-1]:.3f},", "nothing moved" if lay == lies else "placed")
print("the loss went down:", losses[-1] < losses[0])
