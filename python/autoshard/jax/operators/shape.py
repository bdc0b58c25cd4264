# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
"""Primitives that move elements and compute nothing."""
from __future__ import annotations

from typing import Sequence

from ...graph import Tensor
from ..emitter import Emitter
from ..program import Equation
from .table import result_type, row


@row("broadcast_in_dim")
def _broadcast(emitter: Emitter, equation: Equation, operands: Sequence[Tensor]) -> list[Tensor]:
    return [emitter.op("broadcast_in_dim", operands[0], type=result_type(equation),
                       broadcast_dimensions=equation.params.get("broadcast_dimensions", ()))]


@row("reshape", "squeeze", "expand_dims")
def _reshape(emitter: Emitter, equation: Equation, operands: Sequence[Tensor]) -> list[Tensor]:
    return [emitter.reshape(operands[0], result_type(equation)[1])]


@row("transpose")
def _transpose(emitter: Emitter, equation: Equation, operands: Sequence[Tensor]) -> list[Tensor]:
    return [emitter.op("transpose", operands[0], type=result_type(equation),
                       permutation=equation.params["permutation"])]


@row("rev")
def _reverse(emitter: Emitter, equation: Equation, operands: Sequence[Tensor]) -> list[Tensor]:
    return [emitter.op("reverse", operands[0], type=result_type(equation),
                       dimensions=equation.params["dimensions"])]


@row("slice")
def _slice(emitter: Emitter, equation: Equation, operands: Sequence[Tensor]) -> list[Tensor]:
    start, limit = equation.params["start_indices"], equation.params["limit_indices"]
    return [emitter.op("slice", operands[0], type=result_type(equation), start_indices=start,
                       limit_indices=limit, strides=equation.params["strides"] or [1] * len(start))]


@row("split")
def _split(emitter: Emitter, equation: Equation, operands: Sequence[Tensor]) -> list[Tensor]:
    axis, dtype, start = equation.params["axis"], emitter.dtype(operands[0]), 0
    shape = emitter.shape(operands[0])
    pieces = []
    for size in map(int, equation.params["sizes"]):
        low, high = [0] * len(shape), list(shape)
        low[axis], high[axis] = start, start + size
        pieces.append(emitter.op("slice", operands[0], start_indices=low, limit_indices=high,
                                 strides=[1] * len(shape),
                                 type=(dtype, tuple(h - l for l, h in zip(low, high)))))
        start += size
    return pieces


@row("pad")
def _pad(emitter: Emitter, equation: Equation, operands: Sequence[Tensor]) -> list[Tensor]:
    low, high, interior = zip(*equation.params["padding_config"])
    return [emitter.op("pad", *operands, type=result_type(equation), edge_padding_low=low,
                       edge_padding_high=high, interior_padding=interior)]


@row("concatenate")
def _concatenate(emitter: Emitter, equation: Equation,
                 operands: Sequence[Tensor]) -> list[Tensor]:
    return [emitter.op("concatenate", *operands, type=result_type(equation),
                       dimension=equation.params["dimension"])]


@row("tile")
def _tile(emitter: Emitter, equation: Equation, operands: Sequence[Tensor]) -> list[Tensor]:
    """Repeats by a broadcast into a new dimension before each one, then merges the two."""
    dtype, shape = emitter.dtype(operands[0]), emitter.shape(operands[0])
    wide = [size for pair in zip(equation.params["reps"], shape) for size in pair]
    repeated = emitter.op("broadcast_in_dim", operands[0], type=(dtype, tuple(wide)),
                          broadcast_dimensions=range(1, len(wide), 2))
    return [emitter.reshape(repeated, result_type(equation)[1])]


@row("iota")
def _iota(emitter: Emitter, equation: Equation, operands: Sequence[Tensor]) -> list[Tensor]:
    return [emitter.op("iota", type=result_type(equation),
                       iota_dimension=equation.params["dimension"])]


@row("empty", "empty2")
def _empty(emitter: Emitter, equation: Equation, operands: Sequence[Tensor]) -> list[Tensor]:
    """Any content will do, as in the gradient of a branch that does not use what it was given."""
    return [emitter.full(0, *result_type(equation))]
