# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
"""Ten training steps on six and eight devices: what one device computes, sent as planned.

Prices are those of the device "cpu": they decide the plans, and nothing here depends on how fast
the machine is.
"""
import functools

import jax
import numpy as np
import pytest
from models import MODELS, Mixture, mixture_of_experts

from autoshard.jax import auto_shard
from autoshard.jax.agreement import Agreement, agreement

DEVICE_COUNTS = (6, 8)
RELATIVE = 1e-4
CASES = [(name, count) for count in DEVICE_COUNTS for name in MODELS]


def sharded(name, count):
    model = MODELS[name]
    return auto_shard(model.step, jax.devices()[:count], device="cpu",
                      donate_argnums=model.donate_argnums)


@functools.cache
def stepped(name, count) -> tuple:
    """A sharded function that has run three steps, its result, and its arguments' shapes."""
    state, *batch = MODELS[name].make_arguments(0)
    shapes = jax.eval_shape(lambda: (state, *batch))
    function = sharded(name, count)
    for _ in range(3):
        state, loss = function(state, *batch)
    return function, jax.tree.map(np.asarray, (state, loss)), shapes


@functools.cache
def on_one_device(name):
    state, *batch = MODELS[name].make_arguments(0)
    step = jax.jit(MODELS[name].step)
    for _ in range(3):
        state, loss = step(state, *batch)
    return jax.tree.map(np.asarray, (state, loss))


@functools.cache
def compared(name, count) -> Agreement:
    function, _, shapes = stepped(name, count)
    return agreement(function.plan(*shapes), function.compiled(*shapes))


def difference(array, expected):
    if array.size == 0 or array.dtype.kind != "f":
        return float(not np.array_equal(array, expected))
    return np.max(np.abs(array - expected)) / max(np.max(np.abs(expected)), 1e-6)


@pytest.mark.parametrize("name, count", CASES)
def test_three_steps_equal_those_of_one_device(name, count, capfd):
    function, results, shapes = stepped(name, count)
    worst = max(map(difference, jax.tree.leaves(results), jax.tree.leaves(on_one_device(name))))
    assert worst < RELATIVE
    assert "rematerialization" not in capfd.readouterr().err
    assert sum(compared(name, count).planned.values()) > 0, "nothing is split"


@pytest.mark.parametrize("name, count", CASES)
def test_arguments_and_results_take_the_planned_bytes(name, count):
    found = compared(name, count)
    assert found.argument_bytes[0] == found.argument_bytes[1]
    assert found.result_bytes[0] == found.result_bytes[1]


@pytest.mark.parametrize("name, count", CASES)
def test_xla_sends_what_the_plan_says(name, count):
    found = compared(name, count)
    print(f"{name} on {count} devices\n{found}")
    assert found.deviation < 0.01, str(found)


def expert_plan(feedforward):
    sizes = Mixture(groups=96, length=96, hidden=48, feedforward=feedforward, experts=8,
                    capacity=32)
    model = mixture_of_experts(sizes, "experts")
    function = auto_shard(model.step, jax.devices()[:8], "x=8", device="cpu",
                          donate_argnums=model.donate_argnums)
    plan = function.plan(*jax.eval_shape(lambda: model.make_arguments(0)))
    kinds = {total["kind"] for total in plan.intra_op.document["collective_totals"]}
    return plan.argument_specs[0][0]["params"]["up"], kinds


def test_small_experts_are_whole_on_every_device_and_tokens_stay_where_they_are():
    spec, kinds = expert_plan(feedforward=48)
    assert tuple(spec) == (None, None, None)
    assert "all-to-all" not in kinds


def test_large_experts_are_split_and_tokens_travel_to_them():
    spec, kinds = expert_plan(feedforward=3072)
    assert tuple(spec) == ("x", None, None)
    assert "all-to-all" in kinds
