# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
"""Pooling and its gradient."""
from __future__ import annotations

from itertools import chain
from typing import Sequence

from ...graph import Tensor
from ..emitter import Emitter
from ..program import Equation
from .reduction import neutral
from .table import ROWS, Row, result_type, row

_REDUCERS = {"reduce_window_sum": "sum", "reduce_window_max": "max", "reduce_window_min": "min"}


def _reduce_window(reducer: str) -> Row:
    def emit(emitter: Emitter, equation: Equation, operands: Sequence[Tensor]) -> list[Tensor]:
        params, dtype = equation.params, emitter.dtype(operands[0])
        initial = emitter.scalar(neutral(reducer, dtype), dtype)
        return [emitter.op(
            "reduce_window", operands[0], initial, type=result_type(equation), reducer=reducer,
            window_dimensions=params["window_dimensions"],
            window_strides=params["window_strides"], base_dilations=params["base_dilation"],
            window_dilations=params["window_dilation"], padding=chain(*params["padding"]))]
    return emit


ROWS.update({name: _reduce_window(reducer) for name, reducer in _REDUCERS.items()})


@row("select_and_scatter_add")
def _select_and_scatter(emitter: Emitter, equation: Equation,
                        operands: Sequence[Tensor]) -> list[Tensor]:
    params = equation.params
    source, operand = operands
    zero = emitter.scalar(0, emitter.dtype(source))
    selector = "max" if params["select_prim"].name == "ge" else "min"
    return [emitter.op(
        "select_and_scatter", operand, source, zero, type=result_type(equation),
        selector=selector, reducer="sum", window_dimensions=params["window_dimensions"],
        window_strides=params["window_strides"], padding=chain(*params["padding"]))]
