# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
"""A layer of experts, planned: data parallel when they are small, expert parallel when large."""
import os

os.environ.setdefault("XLA_FLAGS", "--xla_force_host_platform_device_count=8")

import jax
import jax.numpy as jnp

from autoshard.jax import auto_shard

GROUPS, LENGTH, HIDDEN, EXPERTS, CAPACITY = 512, 64, 64, 8, 16


def mixture(params, x):
    """Each token goes to its best expert; an expert takes CAPACITY tokens of each group."""
    probabilities = jax.nn.softmax(x @ params["gate"])
    chosen = jax.nn.one_hot(jnp.argmax(probabilities, -1), EXPERTS)
    place = (jnp.cumsum(chosen, axis=1) - 1) * chosen
    seats = jax.nn.one_hot(jnp.sum(place, -1), CAPACITY)
    dispatch = jnp.einsum("gte,gtc->gtec", chosen, seats)
    sent = jnp.einsum("gtec,gth->egch", dispatch, x)
    inner = jax.nn.relu(jnp.einsum("egch,ehf->egcf", sent, params["up"]))
    back = jnp.einsum("egcf,efh->egch", inner, params["down"])
    return jnp.einsum("gtec,egch,gte->gth", dispatch, back, probabilities)


def train_step(params, x, wanted):
    gradients = jax.grad(lambda p: jnp.mean((x + mixture(p, x) - wanted) ** 2))(params)
    return jax.tree.map(lambda p, g: p - 0.1 * g, params, gradients)


def shapes(feedforward):
    """A plan needs no arrays, only their shapes."""
    def of(*shape):
        return jax.ShapeDtypeStruct(shape, jnp.float32)

    params = {"gate": of(HIDDEN, EXPERTS), "up": of(EXPERTS, HIDDEN, feedforward),
              "down": of(EXPERTS, feedforward, HIDDEN)}
    return params, of(GROUPS, LENGTH, HIDDEN), of(GROUPS, LENGTH, HIDDEN)


def sent_bytes(plan, kind):
    return sum(each["buffer_bytes"] for each in plan.intra_op.document["collectives"]
               if each["kind"] == kind)


def describe(feedforward):
    step = auto_shard(train_step, mesh="x=8", device="cpu", donate_argnums=0)
    plan = step.plan(*shapes(feedforward))
    tokens, weights = sent_bytes(plan, "all-to-all"), sent_bytes(plan, "all-gather")
    print(f"Experts of width {feedforward}:", "expert" if tokens > weights else "data", "parallel")
    heading, arguments, collectives, *_ = plan.report().split("\n\n")
    print(f"{arguments}\n\n{collectives}\n")


# Of small experts every device has all, for its own tokens, and their gradients are added up. Of
# large ones it has one, for the tokens of all devices, which are sent there and back.
describe(feedforward=16)
describe(feedforward=8192)
