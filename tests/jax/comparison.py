# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
"""What the tests of auto_shard share: compares with jax.jit, and tells what is split."""
import jax
import numpy as np

from autoshard.jax import auto_shard


def array(*shape, seed=0, dtype=np.float32):
    return jax.numpy.asarray(np.random.default_rng(seed).normal(size=shape), dtype)


def same(function, *args, static=None, tolerance=1e-5, named=None, **options):
    """Runs it sharded, asserts that jax.jit answers the same, and gives the sharded function and
    its result. Prices are those of the device "cpu" wherever the test runs."""
    named, static = named or {}, static or {}
    expected = jax.jit(function, **static)(*args, **named)
    sharded = auto_shard(function, **{"device": "cpu", **static, **options})
    result = sharded(*args, **named)
    assert jax.tree.structure(result) == jax.tree.structure(expected)
    jax.tree.map(lambda a, b: assert_same(a, b, tolerance), result, expected)
    return sharded, result


def assert_same(array, expected, tolerance=1e-5):
    assert (array.shape, array.dtype) == (expected.shape, expected.dtype)
    assert getattr(array, "weak_type", False) == getattr(expected, "weak_type", False)
    if jax.dtypes.issubdtype(array.dtype, jax.dtypes.prng_key):
        array, expected = jax.random.key_data(array), jax.random.key_data(expected)
    array, expected = (np.asarray(each, np.float64) for each in (array, expected))
    assert np.all(np.isfinite(expected))
    scale = np.max(np.abs(expected), initial=1e-6)
    np.testing.assert_allclose(array, expected, rtol=0, atol=tolerance * scale)


def is_split(array):
    return not array.sharding.is_fully_replicated
