# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
"""Primitives that compute each element of their result from the same element of their operands."""
from __future__ import annotations

import math
from typing import Any, Sequence

import numpy as np

from ...graph import Tensor
from ..emitter import Emitter
from ..program import Equation
from .custom import custom_call
from .table import ROWS, Row, result_type, result_types, row

_KINDS = {
    "add": "add", "add_any": "add", "sub": "subtract", "mul": "multiply", "div": "divide",
    "rem": "remainder", "max": "maximum", "min": "minimum", "atan2": "atan2", "and": "and",
    "or": "or", "xor": "xor", "shift_left": "shift_left",
    "shift_right_logical": "shift_right_logical",
    "shift_right_arithmetic": "shift_right_arithmetic", "nextafter": "nextafter",
    "neg": "negate", "abs": "abs", "sign": "sign", "floor": "floor", "ceil": "ceil",
    "exp": "exponential", "expm1": "exponential_minus_one", "log": "log", "log1p": "log_plus_one",
    "logistic": "logistic", "tanh": "tanh", "sqrt": "sqrt", "rsqrt": "rsqrt", "cbrt": "cbrt",
    "cos": "cosine", "sin": "sine", "tan": "tan", "acos": "acos", "asin": "asin", "atan": "atan",
    "cosh": "cosh", "sinh": "sinh", "acosh": "acosh", "asinh": "asinh", "atanh": "atanh",
    "erf": "erf", "erfc": "erfc", "erf_inv": "erf_inv", "lgamma": "lgamma", "digamma": "digamma",
    "is_finite": "is_finite", "not": "not", "population_count": "popcnt",
    "clz": "count_leading_zeros", "convert_element_type": "convert",
    "bitcast_convert_type": "bitcast_convert", "reduce_precision": "reduce_precision",
    "clamp": "clamp",
}
_COMPARISONS = {"eq": "EQ", "ne": "NE", "lt": "LT", "le": "LE", "gt": "GT", "ge": "GE",
                "eq_to": "EQ", "lt_to": "LT", "le_to": "LE"}
# Elementwise for the planner, although it does not know what they compute.
_OPAQUE = ("complex", "real", "imag", "conj", "igamma", "igammac", "igamma_grad_a", "polygamma",
           "zeta", "regularized_incomplete_beta", "bessel_i0e", "bessel_i1e", "random_gamma_grad")


def _plain(kind: str) -> Row:
    def emit(emitter: Emitter, equation: Equation, operands: Sequence[Tensor]) -> list[Tensor]:
        return [emitter.elementwise(kind, *operands, type=result_type(equation))]
    return emit


def _comparison(direction: str) -> Row:
    def emit(emitter: Emitter, equation: Equation, operands: Sequence[Tensor]) -> list[Tensor]:
        return [emitter.elementwise("compare", *operands, type=result_type(equation),
                                    comparison_direction=direction)]
    return emit


ROWS.update({name: _plain(kind) for name, kind in _KINDS.items()})
ROWS.update({name: _comparison(direction) for name, direction in _COMPARISONS.items()})


@row("add", "add_any", "sub", "mul", "div", "max", "min", "rem")
def _arithmetic(emitter: Emitter, equation: Equation, operands: Sequence[Tensor]) -> list[Tensor]:
    dtype, shape = result_type(equation)
    same = [emitter.convert(tensor, dtype) for tensor in operands]
    return [emitter.elementwise(_KINDS[equation.primitive.name], *same, type=(dtype, shape))]


@row("square")
def _square(emitter: Emitter, equation: Equation, operands: Sequence[Tensor]) -> list[Tensor]:
    return [emitter.op("multiply", operands[0], operands[0], type=result_type(equation))]


@row("integer_pow")
def _integer_power(emitter: Emitter, equation: Equation,
                   operands: Sequence[Tensor]) -> list[Tensor]:
    """By squaring, as XLA expands it."""
    exponent, type = equation.params["y"], result_type(equation)
    square, left = operands[0], abs(exponent)
    result = square if left % 2 else None
    while left > 1:
        left //= 2
        square = emitter.op("multiply", square, square, type=type)
        if left % 2:
            result = square if result is None else emitter.op("multiply", result, square, type=type)
    if exponent > 0:
        return [result]
    one = emitter.full(1, *type)
    return [one if result is None else emitter.op("divide", one, result, type=type)]


@row("pow")
def _power(emitter: Emitter, equation: Equation, operands: Sequence[Tensor]) -> list[Tensor]:
    base, exponent = operands
    exponent = emitter.convert(exponent, emitter.dtype(base))
    return [emitter.elementwise("power", base, exponent, type=result_type(equation))]


@row("exp2")
def _power_of_two(emitter: Emitter, equation: Equation,
                  operands: Sequence[Tensor]) -> list[Tensor]:
    type = result_type(equation)
    scaled = emitter.op("multiply", operands[0], emitter.full(math.log(2.0), *type), type=type)
    return [emitter.op("exponential", scaled, type=type)]


@row("round")
def _round(emitter: Emitter, equation: Equation, operands: Sequence[Tensor]) -> list[Tensor]:
    to_even = int(equation.params["rounding_method"]) == 1
    kind = "round_nearest_even" if to_even else "round_nearest_afz"
    return [emitter.op(kind, operands[0], type=result_type(equation))]


@row("select_n")
def _select(emitter: Emitter, equation: Equation, operands: Sequence[Tensor]) -> list[Tensor]:
    which, *cases = operands
    type = result_type(equation)
    if str(emitter.dtype(which)) == "bool" and len(cases) == 2:
        return [select(emitter, which, cases[1], cases[0], type)]
    chosen = cases[0]
    for number, case in enumerate(cases[1:], start=1):
        chosen = select(emitter, equals(emitter, which, number), case, chosen, type)
    return [chosen]


def select(emitter: Emitter, predicate: Tensor, on_true: Tensor, on_false: Tensor,
           type: Any) -> Tensor:
    """`predicate` is a scalar or as large as the result."""
    cases = [emitter.broadcast(tensor, type[1]) for tensor in (on_true, on_false)]
    return emitter.op("select", predicate, *cases, type=type)


def equals(emitter: Emitter, tensor: Tensor, number: int) -> Tensor:
    dtype, shape = emitter.dtype(tensor), emitter.shape(tensor)
    return emitter.op("compare", tensor, emitter.full(number, dtype, shape),
                      type=(np.dtype(bool), shape), comparison_direction="EQ")


@row("optimization_barrier")
def _barrier(emitter: Emitter, equation: Equation, operands: Sequence[Tensor]) -> list[Tensor]:
    """One operator per operand: each of them may be split as it likes."""
    return [emitter.op("optimization_barrier", operand, type=type)
            for operand, type in zip(operands, result_types(equation))]


@row(*_OPAQUE)
def _opaque(emitter: Emitter, equation: Equation, operands: Sequence[Tensor]) -> Sequence[Tensor]:
    shape = result_type(equation)[1]
    wide = [emitter.broadcast(tensor, shape) for tensor in operands]
    return custom_call(emitter, equation, wide, shared=len(shape))
