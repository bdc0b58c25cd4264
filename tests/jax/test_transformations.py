# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
"""JAX's transformations inside a function that is sharded."""
import jax
import jax.numpy as jnp
from comparison import array, is_split, same

X, W = array(256, 256) / 16, array(256, 256, seed=1) / 16


def test_jit_inside_jit_is_split():
    inner = jax.jit(lambda x: jax.jit(jnp.tanh)(x @ W))
    assert is_split(same(lambda x: inner(x) @ W, X)[1])


def test_gradients_jacobians_and_hessians_are_computed():
    def f(x):
        return (jnp.tanh(x @ W) ** 2).sum()

    same(jax.value_and_grad(f), X)
    same(lambda x: jax.jvp(f, (x,), (x,)), X)
    same(jax.hessian(lambda v: (jnp.tanh(W[:8, :8] @ v) ** 2).sum()), array(8))


def test_vmap_of_a_gradient_is_split():
    def f(x):
        return jax.vmap(jax.grad(lambda row: (jnp.tanh(row @ W) ** 2).sum()))(x)

    assert is_split(same(f, X)[1])


def test_custom_derivatives_are_followed():
    @jax.custom_vjp
    def scaled(x):
        return x * 2

    scaled.defvjp(lambda x: (scaled(x), x), lambda x, g: (g * x * 7,))

    @jax.custom_jvp
    def wave(x):
        return jnp.sin(x)

    wave.defjvp(lambda primals, tangents: (wave(primals[0]), tangents[0] * 5))
    same(lambda x: (scaled(x), wave(x)), X)
    same(jax.grad(lambda x: scaled(wave(x)).sum()), X)


def deep(block):
    return jax.grad(lambda w, x: (block(w, block(w, x)) ** 2).sum())


def block(w, x):
    return jnp.tanh(jnp.tanh(x @ w) @ w)


def products(sharded):
    return sharded.compiled(W, X).as_text().count(" dot(")


def test_what_is_to_be_recomputed_is_recomputed():
    plain, _ = same(deep(block), W, X, tolerance=1e-4)
    remat, _ = same(deep(jax.checkpoint(block)), W, X, tolerance=1e-4)
    assert "optimization_barrier" in remat.lower(W, X).as_text()
    assert products(remat) > products(plain)


def test_what_a_policy_saves_is_not_recomputed():
    saving = jax.checkpoint(block, policy=jax.checkpoint_policies.everything_saveable)
    plain, _ = same(deep(block), W, X, tolerance=1e-4)
    assert products(same(deep(saving), W, X, tolerance=1e-4)[0]) == products(plain)


def test_recomputation_inside_a_scan_is_computed():
    def f(stack, x):
        layer = jax.checkpoint(lambda x, w: (block(w, x), None))
        return (jax.lax.scan(layer, x, stack)[0] ** 2).sum()

    assert is_split(same(jax.grad(f), jnp.stack([W, W.T]), X, tolerance=1e-4)[1])
