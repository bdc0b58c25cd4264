# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
"""Products of matrices, and convolutions."""
from __future__ import annotations

from itertools import chain
from typing import Sequence

from ...graph import Tensor
from ..emitter import Emitter
from ..program import Equation
from .table import result_type, row


@row("dot_general")
def _dot(emitter: Emitter, equation: Equation, operands: Sequence[Tensor]) -> list[Tensor]:
    (lhs, rhs), (lhs_batch, rhs_batch) = equation.params["dimension_numbers"]
    return [emitter.op("dot_general", *operands, type=result_type(equation),
                       lhs_contracting_dimensions=lhs, rhs_contracting_dimensions=rhs,
                       lhs_batching_dimensions=lhs_batch, rhs_batching_dimensions=rhs_batch)]


@row("conv_general_dilated")
def _convolution(emitter: Emitter, equation: Equation,
                 operands: Sequence[Tensor]) -> list[Tensor]:
    params = equation.params
    numbers = params["dimension_numbers"]
    input_dims, kernel_dims, output_dims = numbers.lhs_spec, numbers.rhs_spec, numbers.out_spec
    return [emitter.op(
        "convolution", *operands, type=result_type(equation),
        window_strides=params["window_strides"], padding=chain(*params["padding"]),
        lhs_dilation=params["lhs_dilation"], rhs_dilation=params["rhs_dilation"],
        input_batch_dimension=input_dims[0], input_feature_dimension=input_dims[1],
        input_spatial_dimensions=input_dims[2:],
        kernel_output_feature_dimension=kernel_dims[0],
        kernel_input_feature_dimension=kernel_dims[1],
        kernel_spatial_dimensions=kernel_dims[2:],
        output_batch_dimension=output_dims[0], output_feature_dimension=output_dims[1],
        output_spatial_dimensions=output_dims[2:],
        feature_group_count=params["feature_group_count"],
        batch_group_count=params["batch_group_count"])]
