# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
"""Random keys, which stay whole, and random bits, of which each device makes its own part.

The second holds for the default generator (threefry, jax_threefry_partitionable): an element's bits
depend on the key and on its place only.
"""
from __future__ import annotations

from typing import Sequence

from ...graph import Tensor
from ..emitter import Emitter
from ..program import Equation
from .custom import custom_call
from .table import row


@row("random_seed", "random_wrap", "random_unwrap", "random_split", "random_fold_in",
     "random_clone", "threefry2x32", "rng_bit_generator", "rng_uniform", "random_gamma")
def whole(emitter: Emitter, equation: Equation, operands: Sequence[Tensor]) -> Sequence[Tensor]:
    """Known, and not to be split."""
    return custom_call(emitter, equation, operands)


@row("random_bits")
def _bits(emitter: Emitter, equation: Equation, operands: Sequence[Tensor]) -> Sequence[Tensor]:
    return custom_call(emitter, equation, operands, split_results=True)
