# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
"""What the rows of the operator table write their operators with."""
from __future__ import annotations

from contextlib import contextmanager
from typing import Any, Iterator, NamedTuple, Optional, Sequence

import jax
import numpy as np

from ..graph import GraphBuilder, Tensor

Shape = Sequence[int]
TensorType = tuple[Any, tuple[int, ...]]  # dtype and shape


class Read(NamedTuple):
    """An operator, and the numbers of the tensors that it reads."""

    operator: str
    tensors: tuple[int, ...]


def tensor_type(aval: Any) -> TensorType:
    """How the planner sees a JAX type: a random key as the integers it is made of."""
    if jax.dtypes.issubdtype(aval.dtype, jax.dtypes.prng_key):
        words = jax.eval_shape(jax.random.key_data, jax.ShapeDtypeStruct(aval.shape, aval.dtype))
        return words.dtype, words.shape
    if aval.dtype == jax.dtypes.float0:
        return np.dtype(bool), tuple(aval.shape)
    return aval.dtype, tuple(aval.shape)


class Emitter:
    """Adds the operators of one equation after the other to a graph.

    The first operator of an equation has the equation's name, further ones a number behind it.
    """

    def __init__(self, builder: GraphBuilder) -> None:
        self.builder = builder
        self._types: dict[int, TensorType] = {}
        self._name = ""
        self._reads: list[Read] = []

    @contextmanager
    def equation(self, name: str) -> Iterator[list[Read]]:
        """What is added inside belongs to the equation of this name, but for equations inside; the
        list that it gives grows by one entry per operator."""
        outer = self._name, self._reads
        self._name, self._reads = name, []
        try:
            yield self._reads
        finally:
            self._name, self._reads = outer

    def next_name(self, *operands: Tensor) -> str:
        count = len(self._reads)
        name = f"{self._name}.{count + 1}" if count else self._name
        self._reads.append(Read(name, tuple(tensor.number for tensor in operands)))
        return name

    def op(self, kind: str, *operands: Tensor, type: TensorType, **attributes: Any) -> Tensor:
        return self.ops(kind, *operands, types=[type], **attributes)[0]

    def ops(self, kind: str, *operands: Tensor, types: Sequence[TensorType],
            **attributes: Any) -> tuple[Tensor, ...]:
        """An operator with several results. JAX's parameters may be NumPy's numbers."""
        attributes = {key: value.item() if isinstance(value, np.generic) else value
                      for key, value in attributes.items()}
        results = self.builder.op(kind, *operands, type=list(types),
                                  name=self.next_name(*operands), **attributes)
        self.adopt(results, types)
        return results

    def adopt(self, tensors: Sequence[Tensor], types: Sequence[TensorType]) -> None:
        """Notes the types of tensors that the builder made itself: arguments, what a loop carries."""
        for tensor, type in zip(tensors, types):
            self._types[tensor.number] = type

    def loop(self, carried: Sequence[Tensor], trip_count: Optional[int]) -> Any:
        return self.builder.loop(carried, trip_count, name=self.next_name(*carried))

    def dtype(self, tensor: Tensor) -> Any:
        return self._types[tensor.number][0]

    def shape(self, tensor: Tensor) -> tuple[int, ...]:
        return self._types[tensor.number][1]

    def scalar(self, value: Any, dtype: Any) -> Tensor:
        return self.op("constant", type=(dtype, ()), value=_number(value))

    def full(self, value: Any, dtype: Any, shape: Shape) -> Tensor:
        return self.broadcast(self.scalar(value, dtype), shape)

    def constant(self, content: Any, type: TensorType) -> Tensor:
        """A literal. Of an array the planner needs no values: any device can hold any part."""
        if type[1]:
            return self.op("constant", type=type)
        return self.scalar(np.asarray(content).item(), type[0])

    def broadcast(self, tensor: Tensor, shape: Shape) -> Tensor:
        """To `shape`; a tensor of equal rank is repeated along its dimensions of size 1."""
        if self.shape(tensor) == tuple(shape):
            return tensor
        dims = range(len(self.shape(tensor)))
        return self.op("broadcast_in_dim", tensor, type=(self.dtype(tensor), tuple(shape)),
                       broadcast_dimensions=list(dims))

    def convert(self, tensor: Tensor, dtype: Any) -> Tensor:
        if self.dtype(tensor) == dtype:
            return tensor
        return self.op("convert", tensor, type=(dtype, self.shape(tensor)))

    def reshape(self, tensor: Tensor, shape: Shape) -> Tensor:
        if self.shape(tensor) == tuple(shape):
            return tensor
        return self.op("reshape", tensor, type=(self.dtype(tensor), tuple(shape)))

    def elementwise(self, kind: str, *operands: Tensor, type: TensorType,
                    **attributes: Any) -> Tensor:
        """Operands of other shapes are broadcast first, as jax.lax does."""
        wide = [self.broadcast(tensor, type[1]) for tensor in operands]
        return self.op(kind, *wide, type=type, **attributes)


def _number(value: Any) -> Any:
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, complex):
        return value.real
    return float(value) if isinstance(value, float) or abs(value) >= 2**63 else value
