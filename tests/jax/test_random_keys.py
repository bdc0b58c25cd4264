# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
"""Random numbers are those of one device, in keys of both styles."""
import jax
import jax.numpy as jnp
import pytest
from comparison import array, assert_same, is_split, same

from autoshard.jax import auto_shard

KEYS = [jax.random.key(3), jax.random.PRNGKey(3)]
X = array(256, 256)


@pytest.mark.parametrize("key", KEYS, ids=["new", "raw"])
def test_noise_is_split_and_is_that_of_one_device(key):
    def f(x, key):
        first, second = jax.random.split(key)
        noisy = x @ x + jax.random.normal(first, x.shape)
        return noisy * jax.random.bernoulli(second, 0.5, x.shape)

    assert is_split(same(f, X, key)[1])


def test_keys_come_out_as_keys():
    same(lambda key: (jax.random.split(key, 4), jax.random.fold_in(key, 7), key), KEYS[0])


def test_distributions_are_those_of_one_device():
    def f(key):
        return (jax.random.permutation(key, 16), jax.random.randint(key, (4,), 0, 9),
                jax.random.categorical(key, array(8, 8)), jax.random.gumbel(key, (8,)))

    same(f, KEYS[0])


def test_keys_are_carried_and_scanned_over():
    def scanned(x, key):
        return jax.lax.scan(lambda c, k: (c + jax.random.normal(k, c.shape), jax.random.uniform(k)),
                            x, jax.random.split(key, 3))

    def carried(x, key):
        def step(i, state):
            x, key = state
            return x + jax.random.normal(key, x.shape), jax.random.fold_in(key, i)
        return jax.lax.fori_loop(0, 3, step, (x, key))

    same(scanned, array(16, 16), KEYS[0])
    same(carried, array(16, 16), KEYS[0])


def test_keys_stay_where_they_are_when_inputs_are_kept():
    def step(state, key):
        key, now = jax.random.split(key)
        return state + jax.random.normal(now, state.shape), key

    sharded = auto_shard(step, inputs="keep", device="cpu")
    state, key = jnp.zeros((48, 48)), jax.random.key(0)
    expected, expected_key = state, key
    for _ in range(3):
        state, key = sharded(state, key)
        expected, expected_key = step(expected, expected_key)
    assert_same(state, expected)
    assert key == expected_key
