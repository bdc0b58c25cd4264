# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
"""Primitives whose mathematics the planner does not know, but how they may be split."""
from __future__ import annotations

from typing import Sequence

from ...graph import Tensor
from ..emitter import Emitter
from ..program import Equation
from .table import result_types


def custom_call(emitter: Emitter, equation: Equation, operands: Sequence[Tensor],
                shared: int = 0, split_results: bool = False) -> Sequence[Tensor]:
    """The first `shared` dimensions of all tensors are split together. All others are whole, but
    those of the results with `split_results`."""
    types = result_types(equation)
    whole: list[str] = []

    def names(shape: Sequence[int], first: str, splits: bool) -> str:
        own = [f"{first}{dim + 1}" for dim in range(shared, len(shape))]
        whole.extend([] if splits else own)
        return "[" + ",".join([f"a{dim + 1}" for dim in range(shared)] + own) + "]"

    letters = iter("bcdefghijklmnopqrstuvwxyz")
    inputs = [names(emitter.shape(tensor), next(letters), False) for tensor in operands]
    outputs = [names(shape, next(letters), split_results) for _, shape in types]
    rule = f"({','.join(inputs)})->({','.join(outputs)})"
    if whole:
        rule += f" replicate={{{','.join(whole)}}}"
    return emitter.ops("custom_call", *operands, types=types, sharding_rule=rule,
                       call_target_name=equation.primitive.name)
