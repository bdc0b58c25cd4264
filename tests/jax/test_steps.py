# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
"""What happens from call to call: placing, donation, state, plans that are kept."""
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from comparison import array, assert_same, is_split
from jax.sharding import AxisType, Mesh, NamedSharding, PartitionSpec as P

from autoshard.jax import auto_shard
from autoshard.jax.arrays import place

W, X = array(512, 512) / 32, array(512, 512, seed=1)


def train(weight, x):
    return weight - 0.1 * x.T @ jnp.tanh(x @ weight) / 512, (x @ weight).sum()


def test_a_donated_array_is_deleted_whether_it_has_to_move_or_not():
    sharded = auto_shard(train, device="cpu", donate_argnums=0)
    plain = jnp.array(W)
    moved, _ = sharded(plain, X)
    assert is_split(moved) and plain.is_deleted() and not X.is_deleted()
    again, _ = sharded(moved, X)
    assert moved.is_deleted() and not again.is_deleted()


def test_a_donated_array_that_stays_whole_is_deleted_too():
    sharded = auto_shard(lambda state, x: (state + x, x.sum()), donate_argnames="state",
                         pin='arg:state=[{}]', device="cpu")
    state = array(5)
    result, _ = sharded(state, array(5, seed=1))
    assert state.is_deleted()
    assert_same(result, array(5) + array(5, seed=1))


@pytest.mark.parametrize("spec", ["[{}, {}]", '[{"x"}, {}]'])
def test_a_donated_array_that_is_returned_as_it_came_survives(spec):
    sharded = auto_shard(lambda state, x: (state, (state * x).sum()), donate_argnums=0,
                         mesh="x=8", pin=f"arg:state={spec}", device="cpu")
    state = jnp.array(W)
    for _ in range(2):
        state, _ = sharded(state, X)
    assert_same(state, W)


def test_without_donation_no_argument_is_deleted():
    weight = jnp.array(W)
    auto_shard(train, device="cpu")(weight, X)
    assert not weight.is_deleted()


def test_the_second_step_moves_nothing_and_compiles_nothing():
    traces = []

    def step(weight, x):
        traces.append(weight.shape)
        return train(weight, x)

    sharded = auto_shard(step, device="cpu")
    weight, _ = sharded(W, X)
    assert is_split(weight)
    (spec, _), _ = sharded.plan(W, X).argument_specs
    assert place(weight, NamedSharding(weight.sharding.mesh, spec)) is weight
    compiled = sharded.compiled(W, X)
    for _ in range(3):
        weight, loss = sharded(weight, X)
    assert len(traces) == 1 and sharded.compiled(weight, X) is compiled
    assert_same(loss, jax.jit(train)(weight_after(3), X)[1], 1e-3)


def weight_after(steps):
    weight = W
    for _ in range(steps):
        weight, _ = jax.jit(train)(weight, X)
    return weight


def test_matching_of_state_can_be_switched_off():
    paired, free = (auto_shard(train, device="cpu", state=state) for state in (True, False))
    (before, _), _ = paired.plan(W, X).argument_specs
    assert before == paired.plan(W, X).result_specs[0]
    assert_same(free(W, X)[0], weight_after(1))


def test_other_shapes_are_planned_anew_and_the_first_ones_are_remembered():
    traces = []

    def f(x):
        traces.append(x.shape)
        return jnp.tanh(x @ x.T)

    sharded = auto_shard(f, device="cpu")
    for rows in (64, 32, 64, 32):
        assert_same(sharded(array(rows, 128)), jnp.tanh(array(rows, 128) @ array(rows, 128).T))
    assert traces == [(64, 128), (32, 128)]
    sharded(array(64, 128, dtype=jnp.bfloat16))
    assert len(traces) == 3


def test_a_plan_of_abstract_arrays_runs_nothing_and_serves_the_call():
    traces = []

    def f(weight, x):
        traces.append(1)
        return train(weight, x)

    sharded = auto_shard(f, device="cpu")
    shape = jax.ShapeDtypeStruct((512, 512), jnp.float32)
    plan = sharded.plan(shape, shape)
    assert plan.status == "optimal" and "all-" in plan.report()
    weight, _ = sharded(W, X)
    assert weight.sharding.spec == plan.result_specs[0] and len(traces) == 1


def test_lowered_and_compiled_text_can_be_read():
    lowered = auto_shard(train, device="cpu").lower(W, X)
    assert "sharding_constraint" in lowered.as_text()
    compiled = lowered.compile()
    assert "num_partitions=8" in compiled.as_text()


def test_the_compiled_function_takes_the_arguments_as_they_were_given():
    sharded = auto_shard(lambda state, *, scale: {"w": state["w"] * scale}, device="cpu",
                         donate_argnums=0)
    state = sharded({"w": W + 0}, scale=X)
    compiled = sharded.lower(state, scale=X).compile()
    assert_same(compiled(state, scale=jax.device_put(X, state["w"].sharding))["w"], W * X * X)


def on(mesh, array, *spec):
    return jax.device_put(array, NamedSharding(mesh, P(*spec)))


@pytest.mark.parametrize("axis_type", [AxisType.Auto, AxisType.Explicit])
def test_split_inputs_are_kept_on_request(axis_type):
    mesh = jax.make_mesh((2, 4), ("p", "q"), axis_types=(axis_type,) * 2)
    a, b = on(mesh, W, None, ("p", "q")), on(mesh, X, "q")
    sharded = auto_shard(jnp.matmul, mesh=mesh, inputs="keep", device="cpu")
    assert sharded.plan(a, b).argument_specs[0] == (P(None, ("p", "q")), P("q", None))
    assert_same(sharded(a, b), W @ X)


def test_inputs_that_lie_otherwise_have_a_plan_of_their_own_when_kept():
    mesh = Mesh(np.array(jax.devices()), ("x",))
    sharded = auto_shard(jnp.tanh, mesh=mesh, inputs="keep", device="cpu")
    for spec in [("x", None), (None, "x")]:
        assert sharded(on(mesh, W, *spec)).sharding.spec == P(*spec)


def test_split_inputs_are_replanned_otherwise():
    mesh = Mesh(np.array(jax.devices()), ("x",))
    sharded = auto_shard(train, mesh=mesh, device="cpu")
    plain = sharded.plan(W, X).argument_specs
    assert sharded.plan(on(mesh, W, "x"), on(mesh, X, None, "x")).argument_specs == plain
    assert_same(sharded(on(mesh, W, "x"), on(mesh, X, None, "x"))[0], weight_after(1))


def test_arrays_of_other_devices_and_meshes_are_moved():
    six = auto_shard(lambda a: a * 2, devices=jax.devices()[:6], device="cpu")
    eight = auto_shard(lambda a, b: a + b, device="cpu")
    first = six(W)
    assert_same(eight(first, jax.device_put(W, jax.devices()[3])), 3 * W)
