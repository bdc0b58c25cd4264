# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
"""A mixture of experts with two experts for a token: gates by top-k, places within an expert's
capacity by a cumulative sum, tokens sent there and back by einsum with one-hot; Adam."""
from dataclasses import dataclass

import jax
import jax.numpy as jnp

from .training import Model, Source, adam_update, one_hot_cross_entropy, with_adam


@dataclass(frozen=True)
class Mixture:
    """A group is one sequence; every expert takes `capacity` tokens of each group."""

    groups: int = 24
    length: int = 24
    hidden: int = 48
    feedforward: int = 96
    experts: int = 24
    capacity: int = 4
    vocabulary: int = 96


def make_arguments(sizes: Mixture, seed: int) -> tuple:
    source = Source(seed)
    params = {"embedding": source.normal(sizes.vocabulary, sizes.hidden),
              "gate": source.weight(sizes.hidden, sizes.experts),
              "up": source.weight(sizes.experts, sizes.hidden, sizes.feedforward),
              "down": source.weight(sizes.experts, sizes.feedforward, sizes.hidden),
              "output": source.weight(sizes.hidden, sizes.vocabulary)}
    tokens = source.integers(sizes.vocabulary, sizes.groups, sizes.length + 1)
    return with_adam(params), tokens[:, :-1], tokens[:, 1:]


def combination(sizes: Mixture, probabilities: jax.Array) -> jax.Array:
    """Weights [group, token, expert, place]; a token for which there is no place has none."""
    weights, chosen = jax.lax.top_k(probabilities, 2)
    weights = weights / jnp.sum(weights, -1, keepdims=True)
    hot = jax.nn.one_hot(chosen, sizes.experts)  # group, token, choice, expert
    first_choices = jnp.sum(hot[:, :, :1], axis=1, keepdims=True)
    places = jnp.cumsum(hot, axis=1) - hot  # tokens of the same choice before this one
    places = places.at[:, :, 1:].add(first_choices)  # second choices queue up behind all first ones
    place = jnp.sum(places * hot, axis=-1).astype(jnp.int32)
    seats = jax.nn.one_hot(place, sizes.capacity)  # a row of zeros past the capacity
    return jnp.einsum("gtk,gtke,gtkc->gtec", weights, hot, seats)


def experts(params: dict, combine: jax.Array, x: jax.Array) -> jax.Array:
    dispatch = (combine > 0).astype(x.dtype)
    sent = jnp.einsum("gtec,gth->egch", dispatch, x)
    inner = jax.nn.relu(jnp.einsum("egch,ehf->egcf", sent, params["up"]))
    back = jnp.einsum("egcf,efh->egch", inner, params["down"])
    return jnp.einsum("gtec,egch->gth", combine, back)


def balance_loss(sizes: Mixture, probabilities: jax.Array) -> jax.Array:
    """Least when all experts get the same share of the first choices."""
    first = jax.nn.one_hot(jnp.argmax(probabilities, -1), sizes.experts)
    return sizes.experts * jnp.sum(jnp.mean(first, (0, 1)) * jnp.mean(probabilities, (0, 1)))


def loss(sizes: Mixture, params: dict, tokens: jax.Array, targets: jax.Array) -> jax.Array:
    x = jnp.take(params["embedding"], tokens, axis=0)
    probabilities = jax.nn.softmax(x @ params["gate"])
    x = x + experts(params, combination(sizes, probabilities), x)
    return (one_hot_cross_entropy(x @ params["output"], targets)
            + 0.01 * balance_loss(sizes, probabilities))


def mixture_of_experts(sizes: Mixture = Mixture(), name: str = "moe") -> Model:
    def step(state: dict, tokens: jax.Array, targets: jax.Array) -> tuple:
        value, gradients = jax.value_and_grad(lambda params: loss(sizes, params, tokens, targets))(
            state["params"])
        return adam_update(state, gradients), value

    return Model(name, step, lambda seed: make_arguments(sizes, seed))


MOE = mixture_of_experts()
