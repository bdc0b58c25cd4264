# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
"""The models by themselves, on one device: what the comparisons with a plan rely on."""
import functools

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from models import MODELS, Mixture, Model, mixture_of_experts

STEPS = 8


@functools.cache
def trained(model: Model, steps: int = STEPS) -> tuple:
    """The state before and after, and the losses."""
    first, *batch = model.make_arguments(0)
    step = jax.jit(model.step)
    state, losses = first, []
    for _ in range(steps):
        state, loss = step(state, *batch)
        losses.append(float(loss))
    return first, state, losses


@pytest.mark.parametrize("name", MODELS)
def test_training_on_one_batch_lowers_the_loss(name):
    losses = trained(MODELS[name])[2]
    assert np.all(np.isfinite(losses))
    assert losses[-1] < 0.98 * losses[0]


@pytest.mark.parametrize("name", MODELS)
def test_a_step_keeps_the_state_as_it_was_shaped(name):
    state, *batch = MODELS[name].make_arguments(0)
    new_state, loss = jax.eval_shape(MODELS[name].step, state, *batch)
    assert jax.tree.map(lambda x: (x.shape, x.dtype), new_state) == jax.tree.map(
        lambda x: (x.shape, x.dtype), state)
    assert loss.shape == () and loss.dtype == jnp.float32


@pytest.mark.parametrize("name", MODELS)
def test_the_arguments_are_the_same_for_the_same_seed(name):
    first, again, other = (jax.tree.leaves(MODELS[name].make_arguments(seed)) for seed in (3, 3, 4))
    assert all(np.array_equal(a, b) for a, b in zip(first, again))
    assert not all(np.array_equal(a, b) for a, b in zip(first, other))


@pytest.mark.parametrize("name", MODELS)
def test_every_trained_weight_changes(name):
    before, after = (state.get("trained", state)["params"] for state in trained(MODELS[name])[:2])
    changed = jax.tree.map(lambda a, b: not np.array_equal(a, b), before, after)
    assert all(jax.tree.leaves(changed)), changed


def test_the_frozen_weights_of_lora_stay():
    before, after = (state["frozen"] for state in trained(MODELS["lora"])[:2])
    assert all(jax.tree.leaves(jax.tree.map(np.array_equal, before, after)))


def test_experts_can_be_made_large():
    first, _, losses = trained(mixture_of_experts(Mixture(feedforward=768), "large"), steps=2)
    assert first["params"]["up"].shape == (24, 48, 768)
    assert losses[1] < losses[0]
