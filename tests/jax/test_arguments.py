# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
"""Arguments and results of every form that jax.jit takes."""
from dataclasses import dataclass
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from comparison import array, is_split, same

from autoshard.jax import auto_shard

WIDE = array(512, 512, seed=7)


@partial(jax.tree_util.register_dataclass, data_fields=["weight", "bias"], meta_fields=["name"])
@dataclass
class Layer:
    weight: jax.Array
    bias: jax.Array
    name: str


def test_dicts_lists_tuples_and_none_go_in_and_come_out():
    def f(tree):
        return {"y": tree["a"] @ tree["b"][0]}, None, (), [tree["b"][1], (tree["a"] + 1,)]

    _, result = same(f, {"a": WIDE, "b": [WIDE, None]})
    assert is_split(result[0]["y"])


def test_a_registered_dataclass_goes_in_and_comes_out():
    def f(layer, x):
        return Layer(x @ layer.weight, layer.bias + 1, layer.name)

    _, result = same(f, Layer(WIDE, array(512), "first"), WIDE)
    assert result.name == "first" and is_split(result.weight)


def test_a_function_without_arguments_and_one_without_results_run():
    same(lambda: jnp.arange(16.0))
    same(lambda x: (), WIDE)
    same(lambda tree, x: x * 2, {}, array(8, 8))


def test_an_argument_that_is_not_used_is_accepted():
    same(lambda x, unused: x * 2, WIDE, array(3))


def scaled(x, power, *, factor=2.0):
    return factor * x ** power


@pytest.mark.parametrize("static", [{"static_argnums": 1}, {"static_argnames": "power"},
                                    {"static_argnames": ("power",)}])
def test_a_static_argument_is_given_by_position_or_by_keyword(static):
    same(scaled, array(8, 8), 3, static=static)
    same(scaled, array(8, 8), named={"power": 3}, static=static)


def test_static_positions_count_from_the_end_too():
    same(lambda x, n: x * n, array(8, 8), 3, static={"static_argnums": -1})


def test_equal_static_arguments_of_other_types_are_traced_for_themselves():
    sharded = auto_shard(lambda x, n: x * n, static_argnums=1)
    ones = jnp.ones((8,), jnp.int32)
    assert sharded(ones, 2).dtype == jnp.int32
    assert sharded(ones, 2.0).dtype == jnp.float32


def test_keyword_only_arguments_defaults_and_varargs_work():
    same(scaled, array(8, 8), 2, static={"static_argnums": 1}, named={"factor": array(8, 8)})
    same(lambda x, y=3.0: x * y, array(8, 8))
    same(lambda *xs, **ys: (sum(xs), ys), array(8), array(8, seed=1), named={"b": WIDE, "a": WIDE})


def test_python_and_numpy_numbers_keep_their_weak_and_strong_types():
    half = jnp.ones((8, 8), jnp.bfloat16)
    _, (product, *_) = same(lambda x, n, t: (x * n, x + t, n, n * 2, t / n), half, 3, 2.5)
    assert product.dtype == jnp.bfloat16
    _, (strong, *_) = same(lambda x, n: (x * n, n), half, np.float32(3))
    assert strong.dtype == jnp.float32


def test_a_weak_result_does_not_widen_what_follows():
    number = auto_shard(lambda n: n * 2)(1.5)
    assert (jnp.ones(4, jnp.bfloat16) * number).dtype == jnp.bfloat16


def test_half_precision_is_split_and_stays_half():
    _, result = same(lambda x: jnp.tanh(x @ x) * 2.0, jnp.asarray(WIDE / 512, jnp.bfloat16),
                     tolerance=2e-2)
    assert result.dtype == jnp.bfloat16 and is_split(result)


def test_integers_booleans_and_complex_numbers_are_computed():
    numbers = jnp.arange(4096, dtype=jnp.int32).reshape(64, 64)
    same(lambda x: (x @ x.T, x // 3, x % 5, x << 1, x.astype(jnp.uint8), x.mean(), x > 3,
                    jnp.where(x > 3, x, 0), x.astype(bool).any(0)), numbers)
    same(lambda x: jnp.abs(x * (1 + 2j)), array(8, 8) + 1j)


def test_captured_arrays_are_constants():
    _, (product, captured) = same(lambda x: (x @ WIDE, WIDE), WIDE)
    assert is_split(product)
    numpy_array = np.asarray(WIDE)
    same(lambda x: (x @ numpy_array, numpy_array), WIDE)


def test_results_may_be_arguments_doubles_and_constants():
    same(lambda x: (x, x, 3, 2.0, jnp.bfloat16(2), np.arange(5)), array(8, 8))


def test_sizes_that_do_not_divide_by_the_devices_are_computed():
    same(lambda x, w: jnp.tanh(x @ w), array(7, 64), array(64, 13), devices=jax.devices()[:6])
    same(lambda x: (x, x.sum(), jnp.concatenate([x, jnp.ones((2, 4))])), jnp.zeros((0, 4)))


def test_indices_slices_sorting_and_padding_are_computed():
    def f(x, i):
        return (jax.lax.dynamic_slice_in_dim(x, i, 3), x[i], x.at[i].set(0), x[::-1],
                x.at[jnp.array([1, 2])].add(1.0), jnp.sort(x), jnp.argsort(x),
                jnp.pad(x, 1, mode="edge"), jnp.take_along_axis(x, jnp.zeros((16, 1), int), 1))

    same(f, array(16, 16), 2)


def test_partial_jitted_and_callable_objects_can_be_sharded():
    class Doubling:
        def __init__(self):
            self._steps = "mine"  # must not meet what the wrapper keeps under such a name

        def __call__(self, x):
            return 2 * x

    same(partial(jnp.add, WIDE), WIDE)
    same(jax.jit(jnp.tanh), WIDE)
    same(Doubling(), WIDE)


def test_the_wrapper_has_the_name_and_the_text_of_the_function():
    def step(x):
        """Doubles."""
        return 2 * x

    sharded = auto_shard(step)
    assert (sharded.__name__, sharded.__doc__) == ("step", "Doubles.")
    assert "jit_step" in sharded.lower(array(8)).as_text()
