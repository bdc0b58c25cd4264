# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
"""From a primitive of JAX to operators of the planner: one table, filled by the files beside it.

A row takes the emitter, the equation and one tensor per operand, and answers with one tensor per
result. What has no row becomes an operator of its own name, which the planner keeps whole on every
device and names in the plan's warnings.
"""
from __future__ import annotations

from typing import Callable, Sequence

from ...graph import Tensor
from ..emitter import Emitter, tensor_type
from ..program import Equation

Row = Callable[[Emitter, Equation, Sequence[Tensor]], Sequence[Tensor]]

ROWS: dict[str, Row] = {}


def row(*names: str) -> Callable[[Row], Row]:
    """Enters a function for these primitives."""
    def enter(function: Row) -> Row:
        for name in names:
            ROWS[name] = function
        return function
    return enter


def result_types(equation: Equation) -> list:
    return [tensor_type(value.aval) for value in equation.results]


def result_type(equation: Equation):
    return tensor_type(equation.results[0].aval)


def unknown(emitter: Emitter, equation: Equation, operands: Sequence[Tensor]) -> Sequence[Tensor]:
    return emitter.ops("custom_call", *operands, types=result_types(equation),
                       call_target_name=equation.primitive.name)
