# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
"""scan, while, fori and cond, alone and inside each other."""
import warnings

import jax
import jax.numpy as jnp
import pytest
from comparison import array, is_split, same

from autoshard.jax import PlanWarning

SIZE = 256
X, W = array(SIZE, SIZE) / 16, array(SIZE, SIZE, seed=1) / 16
STACK = array(3, SIZE, SIZE, seed=2) / 16


def layers(x, stack, **options):
    return jax.lax.scan(lambda c, w: (jnp.tanh(c @ w), c.sum(0)), x, stack, **options)


@pytest.mark.parametrize("options", [{}, {"reverse": True}, {"unroll": 2}], ids=str)
def test_a_scan_is_split(options):
    _, (last, sums) = same(lambda x, stack: layers(x, stack, **options), X, STACK)
    assert is_split(last) or is_split(sums)


def test_the_gradient_of_a_scan_is_split():
    _, gradient = same(jax.grad(lambda stack, x: layers(x, stack)[0].sum()), STACK, X)
    assert is_split(gradient)


def test_a_scan_reads_captured_arrays():
    def f(x, y):
        return jax.lax.scan(lambda c, t: (c @ W + y, (c.sum(), t * 2)), x, jnp.zeros((3, 8)))

    same(f, X, X)


def test_a_scan_may_carry_nothing_or_scan_over_nothing():
    same(lambda stack: jax.lax.scan(lambda c, t: (c, t @ W), (), stack), STACK)
    same(lambda x: jax.lax.scan(lambda c, _: (c * 1.5, c[0]), x, None, length=4), X)


def test_a_scan_of_no_rounds_gives_what_it_was_given():
    same(lambda x: jax.lax.scan(lambda c, t: (c + t, (c, t[0])), x, jnp.zeros((0, SIZE))), X)


def test_map_and_associative_scan_are_computed():
    same(lambda x: jax.lax.map(lambda row: jnp.tanh(row @ W), x), X)
    same(lambda x: jax.lax.associative_scan(jnp.add, x), array(16, 8))


def test_a_while_loop_reads_constants_in_its_condition_and_in_its_body():
    def f(x, rounds):
        return jax.lax.while_loop(lambda s: (s[1] < rounds) & (s[0].sum() < W.sum() + 1e6),
                                  lambda s: (jnp.tanh(s[0] @ W), s[1] + 1), (x, 0))

    assert is_split(same(f, X, 3)[1][0])


def test_a_fori_loop_has_a_known_or_an_unknown_number_of_rounds():
    same(lambda x: jax.lax.fori_loop(0, 3, lambda i, c: c @ W + i, x), X)
    same(lambda x, n: jax.lax.fori_loop(0, n, lambda i, c: c @ W + i, x), X, 3)


def test_a_while_loop_under_vmap_runs_each_lane_as_long_as_it_wants():
    def grow(row):
        return jax.lax.while_loop(lambda s: s[0].sum() < 100.0,
                                  lambda s: (s[0] * 1.5 + 1.0, s[1] + 1), (row, 0))

    same(jax.vmap(grow), jnp.abs(array(64, 16)) * jnp.arange(64.0)[:, None])


@pytest.mark.parametrize("flag", [True, False])
def test_a_branch_is_chosen_by_a_boolean(flag):
    def f(x, flag):
        return jax.lax.cond(flag, lambda a: a @ W, lambda a: jnp.tanh(a) @ (2 * W), x)

    assert is_split(same(f, X, flag)[1])


@pytest.mark.parametrize("index", [-1, 0, 1, 2, 9])
def test_a_branch_is_chosen_by_a_number_out_of_range_too(index):
    def f(x, index):
        return jax.lax.switch(index, [lambda: x @ W, lambda: x * 2, lambda: W])

    same(f, X, index)


def test_branches_may_return_constants_and_what_they_were_given():
    def f(x, flag):
        return jax.lax.cond(flag, lambda: (x, 1.0, jnp.ones(3)), lambda: (x + 1, 2.0, jnp.zeros(3)))

    same(f, X, False)


def test_the_gradient_of_a_branch_is_computed():
    def f(x, flag):
        return jax.lax.cond(flag, lambda a: (a @ W).sum(), lambda a: jnp.sin(a).sum(), x)

    with warnings.catch_warnings():
        warnings.simplefilter("error", PlanWarning)
        same(jax.grad(f), X, True)


def test_a_scan_inside_a_branch_and_a_branch_inside_a_scan_are_computed():
    def scan_in_cond(x, flag):
        return jax.lax.cond(flag, lambda a: layers(a, STACK)[0], lambda a: a * 2, x)

    def cond_in_scan(x):
        return jax.lax.scan(lambda c, i: (jax.lax.cond(
            i % 2 == 0, lambda a: a @ W, lambda a: a + W, c), i), x, jnp.arange(4))

    same(scan_in_cond, X, True)
    same(cond_in_scan, X)


def test_a_scan_inside_a_while_loop_inside_a_jit_is_computed():
    @jax.jit
    def inner(x):
        return jax.lax.while_loop(lambda s: s[1] < 2, lambda s: (layers(s[0], STACK)[0], s[1] + 1),
                                  (x, 0))[0]

    same(lambda x: inner(x) + 1, X)
