# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
"""What a user of auto_shard sees when something is wrong."""
import re
import warnings

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from comparison import array, assert_same, is_split, same
from jax.experimental import io_callback
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

from autoshard.jax import InfeasiblePlan, PlanWarning, auto_shard

X = array(256, 256) / 16


def f(x, w):
    return jnp.tanh(x @ w)


@pytest.mark.parametrize("limit", (1000, 200_000))
def test_a_memory_limit_that_is_too_small_is_an_error_that_says_what_would_do(limit):
    with pytest.raises(InfeasiblePlan, match=r"^f: .*; \d+ bytes would do$") as error:
        auto_shard(f, device="cpu", memory_limit=limit)(X, X)
    enough = int(re.search(r"(\d+) bytes would do", str(error.value))[1])
    assert limit < enough <= auto_shard(f, device="cpu").plan(X, X).intra_op.peak_bytes
    assert_same(auto_shard(f, device="cpu", memory_limit=enough)(X, X), f(X, X))


def test_a_time_limit_that_leaves_no_plan_is_a_timeout():
    late = auto_shard(f, device="cpu", time_limit=1e-9)
    plan = late.plan(X, X)
    assert plan.status == "time_limit" and not plan.intra_op.has_answer
    for ask in (lambda: late(X, X), lambda: plan.argument_specs):
        with pytest.raises(TimeoutError, match="the time limit was reached"):
            ask()


def test_a_memory_limit_that_one_mesh_misses_is_met_by_another():
    with pytest.raises(InfeasiblePlan):
        auto_shard(f, device="cpu", memory_limit=300_000, mesh="x=8")(X, X)
    tight = auto_shard(f, device="cpu", memory_limit=300_000)
    assert tight.plan(X, X).intra_op.peak_bytes <= 300_000
    assert_same(tight(X, X), f(X, X))


def test_a_plan_without_an_answer_can_be_asked_for_its_reason_only():
    plan = auto_shard(f, device="cpu", memory_limit=1000).plan(X, X)
    assert plan.status == "infeasible" and "at least" in plan.intra_op.reason
    with pytest.raises(InfeasiblePlan, match="at least"):
        plan.argument_specs


@pytest.mark.parametrize("transform", [jax.jit, jax.vmap, jax.grad], ids=lambda t: t.__name__)
def test_a_call_inside_another_transformation_is_an_error(transform):
    sharded = auto_shard(f)
    with pytest.raises(TypeError, match="f was called inside another transformation of JAX"):
        transform(sharded)(X, X)


@pytest.mark.parametrize("options, text", [
    ({"memory": 1}, "option 'memory': there is none of this name; there are memory_limit"),
    ({"time_limit": -1}, "option 'time_limit': '-1' is not a number of seconds above 0"),
    ({"device": "abacus"}, "device 'abacus' is not known"),
    ({"pin": 'arg:z=[{"x"}, {}]'}, "the graph has no tensor 'arg:z'"),
])
def test_an_unknown_option_is_an_error_that_names_it(options, text):
    with pytest.raises((ValueError, LookupError), match=re.escape(text)):
        auto_shard(f, **options)(X, X)


def test_inputs_is_one_of_two_words():
    with pytest.raises(ValueError, match="inputs is 'move', expected 'replan' or 'keep'"):
        auto_shard(f, inputs="move")


def test_a_static_argument_without_a_hash_is_an_error_that_names_it():
    with pytest.raises(TypeError, match="static argument 1 is not hashable"):
        auto_shard(lambda x, sizes: x, static_argnums=1)(X, [3])


def test_what_jax_refuses_is_refused_as_jax_does():
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'w'"):
        auto_shard(f)(X)
    with pytest.raises(TypeError, match="not marked as static"):
        auto_shard(f)(X, "w")


def test_what_has_no_rule_is_kept_whole_with_a_warning_and_the_rest_is_split():
    with pytest.warns(PlanWarning, match="of 'approx_top_k'; kept replicated") as caught:
        _, result = same(lambda x: jax.lax.approx_max_k(x, 256)[0] @ x, X)
    assert is_split(result) and all(w.filename == same.__code__.co_filename for w in caught)


def test_a_constraint_inside_is_ignored_with_a_warning():
    mesh = Mesh(np.array(jax.devices()), ("q",))

    def constrained(x):
        return jax.lax.with_sharding_constraint(x * 2, NamedSharding(mesh, P("q")))

    with pytest.warns(PlanWarning, match=r"sharding_constraint to P.*'q'.* is ignored"):
        same(constrained, X)


def test_a_device_put_inside_is_ignored_with_a_warning():
    with pytest.warns(PlanWarning, match="device_put to .* inside the function is ignored"):
        auto_shard(lambda x: jax.device_put(x * 2, jax.devices()[3]))(X)


def test_a_shard_map_inside_is_kept_whole_with_a_warning():
    mesh = Mesh(np.array(jax.devices()), ("q",))

    def mapped(x):
        inner = jax.shard_map(lambda y: y + jax.lax.psum(y, "q"), mesh=mesh, in_specs=P("q"),
                              out_specs=P("q"))
        return inner(x) @ x

    with pytest.warns(PlanWarning, match="'shard_map'; kept replicated"):
        assert is_split(same(mapped, X)[1])


def test_a_function_with_a_rule_for_everything_gives_no_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error", PlanWarning)
        auto_shard(f)(X, X)


def called(make, warning):
    """What a host function got in one sharded call, and the result. On two devices: with more
    virtual ones than cores JAX's callbacks can wait forever, also under jax.jit."""
    seen = []

    def host(value):
        seen.append(np.array(value))
        return np.asarray(value) * 2

    with pytest.warns(PlanWarning, match=f"custom_call' of '{warning}'; kept replicated"):
        result = auto_shard(make(host), jax.devices()[:2], device="cpu")(X)
    jax.effects_barrier()
    return seen, result


TYPE = jax.ShapeDtypeStruct(X.shape, X.dtype)
CALLBACKS = {
    "pure_callback": lambda host: lambda x: jax.pure_callback(host, TYPE, x @ x) @ x,
    "io_callback": lambda host: lambda x: io_callback(host, TYPE, x @ x) @ x,
    "debug_callback": lambda host: lambda x: [jax.debug.callback(host, x @ x), 2 * x @ x @ x][1],
}


@pytest.mark.parametrize("name", CALLBACKS)
def test_a_host_callback_gets_the_whole_array_once_and_the_rest_is_split(name):
    seen, result = called(CALLBACKS[name], name)
    assert len(seen) == 1
    np.testing.assert_allclose(seen[0], X @ X, atol=1e-5)
    np.testing.assert_allclose(result, 2 * (X @ X) @ X, atol=1e-4)
    assert is_split(result)


def test_printing_works_and_warns(capfd):
    def printing(x):
        jax.debug.print("the sum is {}", jnp.sum(x))
        return x

    with pytest.warns(PlanWarning, match="'debug_print'; kept replicated"):
        auto_shard(printing)(jnp.ones(8))
    jax.effects_barrier()
    assert capfd.readouterr().out.count("the sum is 8.0") == 1


def test_ordered_printing_is_refused_as_jax_refuses_it_on_several_devices():
    def printing(x):
        jax.debug.print("{}", x[0], ordered=True)
        return x

    with pytest.warns(PlanWarning), pytest.raises(ValueError, match="ordered effects"):
        auto_shard(printing)(jnp.ones(8))
