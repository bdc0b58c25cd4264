# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
"""The table of primitives; importing the families fills it."""
from typing import Sequence

import jax

from ...graph import Tensor
from ..emitter import Emitter
from ..program import Equation
from . import contraction, elementwise, indexing, random, reduction, shape, window
from .batched import ON_PIECES
from .table import ROWS, unknown

# Of random keys: they are opaque, so no operator can say how it splits them.
_OF_KEYS = {"random_bits", "random_unwrap"}


def emit_operators(emitter: Emitter, equation: Equation,
                   operands: Sequence[Tensor]) -> Sequence[Tensor]:
    """The operators of one equation; its results."""
    name = equation.primitive.name
    if name not in _OF_KEYS and any(map(_is_key, equation.operands + equation.results)):
        return random.whole(emitter, equation, operands)
    return ROWS.get(name, unknown)(emitter, equation, operands)


def _is_key(value) -> bool:
    return jax.dtypes.issubdtype(value.aval.dtype, jax.dtypes.prng_key)


__all__ = ["ON_PIECES", "ROWS", "emit_operators", "unknown"]
