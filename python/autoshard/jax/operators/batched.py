# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
"""Linear algebra and Fourier transforms: what works on matrices splits over their batch.

XLA calls libraries for them, and cannot partition such calls everywhere. Each device runs them on
the pieces that it has; see evaluate.py.
"""
from __future__ import annotations

from typing import Sequence

from ...graph import Tensor
from ..emitter import Emitter
from ..program import Equation
from .custom import custom_call
from .table import row

# How many dimensions of the first operand are the matrix (or vector) of one problem.
_PROBLEM = {"cholesky": 2, "eig": 2, "eigh": 2, "hessenberg": 2, "householder_product": 2, "lu": 2,
            "qr": 2, "schur": 2, "svd": 2, "triangular_solve": 2, "tridiagonal": 2,
            "tridiagonal_solve": 1}

ON_PIECES = ("top_k", "fft", *_PROBLEM)


@row(*_PROBLEM)
def _matrices(emitter: Emitter, equation: Equation,
              operands: Sequence[Tensor]) -> Sequence[Tensor]:
    rank = len(emitter.shape(operands[0]))
    return custom_call(emitter, equation, operands, rank - _PROBLEM[equation.primitive.name])


@row("fft")
def _fourier(emitter: Emitter, equation: Equation, operands: Sequence[Tensor]) -> Sequence[Tensor]:
    rank = len(emitter.shape(operands[0]))
    return custom_call(emitter, equation, operands, rank - len(equation.params["fft_lengths"]))
