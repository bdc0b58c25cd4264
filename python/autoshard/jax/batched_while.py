# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
"""A `while` under vmap, in which every lane has a condition of its own.

JAX keeps it as one equation whose condition is an array, and lowers it so: the loop runs while any
lane goes on, and lanes that are done keep their values. Here the same is written out, as a loop
with a scalar condition.
"""
from __future__ import annotations

from typing import Any, Sequence

import jax
from jax.extend import core as jex


def is_batched(params: dict[str, Any]) -> bool:
    return bool(params["cond_jaxpr"].out_avals[0].shape)


def with_scalar_condition(params: dict[str, Any], avals: Sequence[Any]) -> jex.ClosedJaxpr:
    """`avals`: of the operands of the equation, which are those of the answer."""
    condition, body = (jex.jaxpr_as_fun(params[name]) for name in ("cond_jaxpr", "body_jaxpr"))
    split = params["cond_nconsts"]
    start = split + params["body_nconsts"]

    def loop(*operands: jax.Array) -> list[jax.Array]:
        def lanes(state: Sequence[jax.Array]) -> jax.Array:
            return condition(*operands[:split], *state)[0]

        def step(state: Sequence[jax.Array]) -> list[jax.Array]:
            going, fresh = lanes(state), body(*operands[split:start], *state)
            return [_where(going, new, old) for new, old in zip(fresh, state)]

        return jax.lax.while_loop(lambda state: lanes(state).any(), step, [*operands[start:]])

    return jax.make_jaxpr(loop)(*(jax.ShapeDtypeStruct(aval.shape, aval.dtype) for aval in avals))


def _where(going: jax.Array, new: jax.Array, old: jax.Array) -> jax.Array:
    """The lanes are the first dimensions."""
    wide = jax.lax.broadcast_in_dim(going, new.shape, range(going.ndim))
    return jax.lax.select(wide, new, old)
