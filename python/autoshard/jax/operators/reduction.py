# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
"""Primitives that run along a dimension: reductions, running sums, sorting."""
from __future__ import annotations

import math
from typing import Any, Sequence

import numpy as np

from ...graph import Tensor
from ..emitter import Emitter
from ..program import Equation
from .table import ROWS, Row, result_type, result_types, row

_REDUCERS = {"reduce_sum": "sum", "reduce_max": "max", "reduce_min": "min",
             "reduce_prod": "product", "reduce_and": "and", "reduce_or": "or"}
_CUMULATIVE = {"cumsum": "sum", "cumprod": "product", "cummax": "max", "cummin": "min",
               "cumlogsumexp": "logsumexp"}


def neutral(reducer: str, dtype: Any) -> Any:
    """What the reduction starts from."""
    if reducer in ("sum", "or"):
        return 0
    if reducer in ("product", "and"):
        return 1
    if np.issubdtype(dtype, np.integer) or dtype == bool:
        limits = (0, 1) if dtype == bool else (np.iinfo(dtype).min, np.iinfo(dtype).max)
        return int(limits[reducer == "min"])
    return -math.inf if reducer == "max" else math.inf


def _reduction(reducer: str) -> Row:
    def emit(emitter: Emitter, equation: Equation, operands: Sequence[Tensor]) -> list[Tensor]:
        dtype = emitter.dtype(operands[0])
        initial = emitter.scalar(neutral(reducer, dtype), dtype)
        return [emitter.op("reduce", operands[0], initial, type=result_type(equation),
                           dimensions=sorted(equation.params["axes"]), reducer=reducer)]
    return emit


def _cumulative(reducer: str) -> Row:
    def emit(emitter: Emitter, equation: Equation, operands: Sequence[Tensor]) -> list[Tensor]:
        return [emitter.op("cumulative", operands[0], type=result_type(equation),
                           dimension=equation.params["axis"],
                           reverse=int(equation.params["reverse"]), reducer=reducer)]
    return emit


ROWS.update({name: _reduction(reducer) for name, reducer in _REDUCERS.items()})
ROWS.update({name: _cumulative(reducer) for name, reducer in _CUMULATIVE.items()})


@row("argmax", "argmin")
def _extreme(emitter: Emitter, equation: Equation, operands: Sequence[Tensor]) -> list[Tensor]:
    return [emitter.op(equation.primitive.name, operands[0], type=result_type(equation),
                       dimension=equation.params["axes"][0])]


@row("sort")
def _sort(emitter: Emitter, equation: Equation, operands: Sequence[Tensor]) -> Sequence[Tensor]:
    return emitter.ops("sort", *operands, types=result_types(equation),
                       dimension=equation.params["dimension"],
                       num_keys=equation.params["num_keys"])


@row("top_k")
def _top_k(emitter: Emitter, equation: Equation, operands: Sequence[Tensor]) -> Sequence[Tensor]:
    """The operator works along the last dimension."""
    axis, shape = equation.params["axis"], emitter.shape(operands[0])
    last = len(shape) - 1
    axis %= len(shape)
    if axis == last:
        return emitter.ops("top_k", operands[0], types=result_types(equation),
                           k=equation.params["k"])
    swap = list(range(len(shape)))
    swap[axis], swap[last] = last, axis

    def swapped(type: Any) -> Any:
        return type[0], tuple(type[1][dim] for dim in swap)

    operand = emitter.op("transpose", operands[0], permutation=swap,
                         type=swapped((emitter.dtype(operands[0]), shape)))
    types = result_types(equation)
    found = emitter.ops("top_k", operand, types=[swapped(type) for type in types],
                        k=equation.params["k"])
    return [emitter.op("transpose", tensor, type=type, permutation=swap)
            for tensor, type in zip(found, types)]
