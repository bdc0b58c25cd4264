# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
"""Linear algebra and Fourier transforms, split over their batch."""
import warnings

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from comparison import array

from autoshard.jax import auto_shard

MATRICES = array(24, 48, 48)
POSITIVE = MATRICES @ MATRICES.transpose(0, 2, 1) + 50 * jnp.eye(48)

FUNCTIONS = {
    "cholesky": jnp.linalg.cholesky,
    "solve": lambda a: jnp.linalg.solve(a, a[:, :, :5]),
    "triangular_solve": lambda a: jax.scipy.linalg.solve_triangular(a, a, lower=True),
    "inverse": jnp.linalg.inv,
    "qr": lambda a: jnp.linalg.qr(a)[1],
    "eigenvalues": jnp.linalg.eigvalsh,
    "singular values": lambda a: jnp.linalg.svd(a, compute_uv=False),
    "determinant": lambda a: jnp.linalg.slogdet(a)[1],
    "fft": lambda a: jnp.abs(jnp.fft.fft2(a)),
    "rfft": lambda a: jnp.abs(jnp.fft.rfft(a)),
    "top_k": lambda a: jax.lax.top_k(a, 3),
    "top_k along another dimension": lambda a: jax.lax.top_k(a, 3, axis=1),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_each_device_computes_its_part_of_the_batch(name):
    def f(a):
        return FUNCTIONS[name](jnp.tanh(a @ a / 100) + a)

    sharded = auto_shard(f, jax.devices()[:8], "x=8", device="cpu",
                         pin='arg:a=[{"x"}, {}, {}]')
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = sharded(POSITIVE)
    for result, expected in zip(jax.tree.leaves(found), jax.tree.leaves(jax.jit(f)(POSITIVE))):
        scale = np.max(np.abs(expected))
        np.testing.assert_allclose(np.asarray(result) / scale, np.asarray(expected) / scale,
                                   atol=1e-5)
        assert result.sharding.spec[0] == "x"
    assert "all-gather" not in sharded.compiled(POSITIVE).as_text()


def test_a_batch_that_does_not_divide_is_computed_all_the_same():
    a = POSITIVE[:7]
    sharded = auto_shard(lambda a: jnp.linalg.cholesky(jnp.tanh(a) + a), device="cpu")
    np.testing.assert_allclose(sharded(a), jnp.linalg.cholesky(jnp.tanh(a) + a), rtol=1e-5,
                               atol=1e-5)
