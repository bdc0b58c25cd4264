# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
"""Gather, scatter, and slices at computed places."""
from __future__ import annotations

from typing import Sequence

from ...graph import Tensor
from ..emitter import Emitter
from ..program import Equation
from .table import ROWS, Row, result_type, row

_SCATTERS = {"scatter": "assign", "scatter-add": "sum", "scatter_add": "sum",
             "scatter-mul": "product", "scatter_mul": "product", "scatter-min": "min",
             "scatter_min": "min", "scatter-max": "max", "scatter_max": "max"}


@row("gather")
def _gather(emitter: Emitter, equation: Equation, operands: Sequence[Tensor]) -> list[Tensor]:
    numbers = equation.params["dimension_numbers"]
    return [emitter.op(
        "gather", *operands, type=result_type(equation), offset_dims=numbers.offset_dims,
        collapsed_slice_dims=numbers.collapsed_slice_dims,
        operand_batching_dims=numbers.operand_batching_dims,
        start_indices_batching_dims=numbers.start_indices_batching_dims,
        start_index_map=numbers.start_index_map,
        index_vector_dim=len(emitter.shape(operands[1])) - 1,
        slice_sizes=equation.params["slice_sizes"])]


def _scatter(reducer: str) -> Row:
    def emit(emitter: Emitter, equation: Equation, operands: Sequence[Tensor]) -> list[Tensor]:
        numbers = equation.params["dimension_numbers"]
        return [emitter.op(
            "scatter", *operands, type=result_type(equation), reducer=reducer,
            update_window_dims=numbers.update_window_dims,
            inserted_window_dims=numbers.inserted_window_dims,
            input_batching_dims=numbers.operand_batching_dims,
            scatter_indices_batching_dims=numbers.scatter_indices_batching_dims,
            scatter_dims_to_operand_dims=numbers.scatter_dims_to_operand_dims,
            index_vector_dim=len(emitter.shape(operands[1])) - 1)]
    return emit


ROWS.update({name: _scatter(reducer) for name, reducer in _SCATTERS.items()})


@row("dynamic_slice")
def _dynamic_slice(emitter: Emitter, equation: Equation,
                   operands: Sequence[Tensor]) -> list[Tensor]:
    return [emitter.op("dynamic_slice", *operands, type=result_type(equation),
                       slice_sizes=equation.params["slice_sizes"])]


@row("dynamic_update_slice")
def _dynamic_update_slice(emitter: Emitter, equation: Equation,
                          operands: Sequence[Tensor]) -> list[Tensor]:
    return [emitter.op("dynamic_update_slice", *operands, type=result_type(equation))]
