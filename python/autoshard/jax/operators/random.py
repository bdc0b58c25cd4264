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
from .table import result_types, row


@row("random_seed", "random_wrap", "random_unwrap", "random_split", "random_fold_in",
     "random_clone", "threefry2x32")
def whole(emitter: Emitter, equation: Equation, operands: Sequence[Tensor]) -> Sequence[Tensor]:
    """Known, and not to be split."""
    return _by_rule(emitter, equation, operands, split_results=False)


@row("random_bits")
def _bits(emitter: Emitter, equation: Equation, operands: Sequence[Tensor]) -> Sequence[Tensor]:
    return _by_rule(emitter, equation, operands, split_results=True)


def _by_rule(emitter: Emitter, equation: Equation, operands: Sequence[Tensor],
             split_results: bool) -> Sequence[Tensor]:
    types = result_types(equation)
    names = (f"a{number}" for number in range(1, 1000))
    inputs = [[next(names) for _ in emitter.shape(tensor)] for tensor in operands]
    outputs = [[next(names) for _ in shape] for _, shape in types]
    whole = sum(inputs if split_results else inputs + outputs, [])
    rule = f"({_dims(inputs)})->({_dims(outputs)})"
    if whole:
        rule += f" replicate={{{','.join(whole)}}}"
    return emitter.ops("custom_call", *operands, types=types, sharding_rule=rule,
                       call_target_name=equation.primitive.name)


def _dims(tensors: list[list[str]]) -> str:
    return ",".join("[" + ",".join(names) + "]" for names in tensors)
