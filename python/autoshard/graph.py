# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
"""Operator graphs, from text, from files, or operator by operator.

Operators carry StableHLO's names and attributes; docs/graph.md lists them.
"""
from __future__ import annotations

import ctypes
import os
import re
from functools import lru_cache
from typing import Any, Iterator, Optional, Sequence, Union

from ._library import Owner, call, encode, integer
from .errors import InvalidArgument

TypeLike = Union[str, tuple, "Tensor", Any]

_NUMPY_NAMES = {"bool": "pred", "bfloat16": "bf16", "complex64": "c64", "complex128": "c128"}
_NUMPY_KINDS = (("float", "f"), ("uint", "u"), ("int", "s"))


class Graph(Owner):
    """An immutable operator graph.

    Made by `Graph.load`, `Graph.from_hlo`, `Graph.from_json` or `GraphBuilder.build`. All raise
    `InvalidArgument`, naming the operator, the operand and the reason.
    """

    _kind = "graph"

    def __init__(self) -> None:
        raise TypeError("use Graph.load, Graph.from_hlo, Graph.from_json or a GraphBuilder")

    @classmethod
    def load(cls, path: Union[str, "os.PathLike[str]"]) -> "Graph":
        """Reads HLO text or JSON, plain or .gz. Raises NotFound for a missing file."""
        return cls._adopt("graph_load", encode(os.fspath(path), "path"))

    @classmethod
    def from_hlo(cls, text: str) -> "Graph":
        """Reads HLO text as XLA dumps it and as JAX prints it."""
        return cls._adopt("graph_parse_hlo", encode(text, "text"))

    @classmethod
    def from_json(cls, text: str) -> "Graph":
        """Reads the JSON format of docs/graph.md."""
        return cls._adopt("graph_parse_json", encode(text, "text"))

    def to_json(self) -> str:
        """The graph in the JSON format of docs/graph.md."""
        return self._text("graph_json")

    @property
    def fingerprint(self) -> str:
        """16 hexadecimal digits over structure, types and attributes, not over names."""
        return self._text("graph_fingerprint")


class Tensor:
    """A tensor of a graph under construction: `type` is text such as "f32[8,1024]"."""

    def __init__(self, identity: int, type_text: str) -> None:
        self._id = identity
        self.type = type_text

    @property
    def number(self) -> int:
        """What the plan's JSON calls `tensor_id`."""
        return self._id

    def __repr__(self) -> str:
        return f"Tensor({self.type})"


class Loop:
    """The body of a loop; see GraphBuilder.loop."""

    def __init__(self, builder: "GraphBuilder", carried: Sequence[Tensor]) -> None:
        self._builder = builder
        self._carried = carried
        self._next: Optional[Sequence[Tensor]] = None
        self.arguments: tuple[Tensor, ...] = ()
        self.results: tuple[Tensor, ...] = ()

    def carry(self, *tensors: Tensor) -> None:
        """The values that become the arguments of the next round, and at last the results."""
        self._next = tensors

    def __enter__(self) -> "Loop":
        count = len(self._carried)
        ids = (ctypes.c_int32 * count)()
        call("graph_builder_begin_loop", self._builder._handle, count, ids)
        self.arguments = _tensors(ids, [tensor.type for tensor in self._carried])
        return self

    def __exit__(self, kind: Any, value: Any, trace: Any) -> None:
        if kind is not None:
            return
        if self._next is None:
            raise InvalidArgument("loop: carry() was not called in its body")
        ids = (ctypes.c_int32 * len(self._next))()
        call("graph_builder_end_loop", self._builder._handle, _ids(self._next), len(self._next),
             ids)
        self.results = _tensors(ids, [tensor.type for tensor in self._carried])


class GraphBuilder(Owner):
    """Builds a graph operator by operator.

        builder = GraphBuilder("layer")
        x = builder.input("x", "f32[64,256]")
        w = builder.parameter("w", "f32[256,1024]")
        y = builder.op("dot_general", x, w, type="f32[64,1024]",
                       lhs_contracting_dimensions=[1], rhs_contracting_dimensions=[0])
        builder.result(builder.op("tanh", y))
        graph = builder.build()

    A type is text ("f32[64,256]"), a pair (dtype, shape), or anything with a NumPy dtype and a
    shape. After the first mistake every call raises that same mistake.
    """

    _kind = "graph_builder"

    def __init__(self, name: str = "main") -> None:
        self._create("graph_builder_create", encode(name, "name"))

    def input(self, name: str, type: TypeLike) -> Tensor:
        """An argument that is new in every step: data, labels."""
        return self._argument(name, type, "input")

    def parameter(self, name: str, type: TypeLike) -> Tensor:
        """A weight."""
        return self._argument(name, type, "parameter")

    def optimizer_state(self, name: str, type: TypeLike) -> Tensor:
        """State that only the optimizer reads."""
        return self._argument(name, type, "optimizer_state")

    def op(self, kind: str, *operands: Tensor, type: Union[TypeLike, Sequence[TypeLike]] = None,
           name: str = "", phase: str = "forward", **attributes: Any) -> Any:
        """Adds one operator, and returns its result.

        `type`: of the result; left out, the first operand's. A list of types makes an operator
        with as many results, and a tuple of tensors is returned. Attributes are numbers, text, or
        lists of numbers.
        """
        several = isinstance(type, list)
        one = _like(kind, operands) if type is None else type
        types = [_type_text(t) for t in (type if several else [one])]
        self._describe(kind, operands, name, phase, attributes)
        for text in types:
            call("graph_builder_result_type", self._handle, encode(text, "type"))
        ids = (ctypes.c_int32 * len(types))()
        call("graph_builder_add", self._handle, len(types), ids)
        results = _tensors(ids, types)
        return results if several else results[0]

    def loop(self, carried: Sequence[Tensor], trip_count: Optional[int] = None, name: str = "",
             phase: str = "forward") -> Loop:
        """A loop over carried values, as a context:

            with builder.loop([x], trip_count=12) as loop:
                loop.carry(builder.op("tanh", loop.arguments[0]))
            y, = loop.results
        """
        attributes = {} if trip_count is None else {"trip_count": trip_count}
        self._describe("while", carried, name, phase, attributes)
        return Loop(self, list(carried))

    def result(self, tensor: Tensor) -> None:
        """The next result of the graph."""
        call("graph_builder_result", self._handle, _id(tensor))

    def state_pair(self, argument: Tensor, result: int) -> None:
        """Result number `result` replaces `argument` in the next step and reuses its memory."""
        call("graph_builder_state_pair", self._handle, _id(argument),
             integer(result, "result", 32))

    def infer_training_roles(self) -> None:
        """For sources that know neither phases nor roles: `build` finds them from the state pairs.

        Overwrites the phases given, and the roles of the arguments in state pairs. docs/graph.md
        says how it guesses.
        """
        call("graph_builder_infer_training_roles", self._handle)

    def build(self) -> Graph:
        """Checks the whole; afterwards the builder is used up."""
        return Graph._adopt("graph_builder_build", self._handle)

    def _argument(self, name: str, type: TypeLike, role: str) -> Tensor:
        text = _type_text(type)
        out = ctypes.c_int32()
        call("graph_builder_argument", self._handle, encode(name, "name"), encode(text, "type"),
             encode(role, "role"), ctypes.byref(out))
        return Tensor(out.value, text)

    def _describe(self, kind: str, operands: Sequence[Tensor], name: str, phase: str,
                  attributes: dict[str, Any]) -> None:
        call("graph_builder_operator", self._handle, encode(kind, "kind"), encode(name, "name"),
             _ids(operands), len(operands))
        if phase != "forward":
            call("graph_builder_phase", self._handle, encode(phase, "phase"))
        for attribute, value in attributes.items():
            self._attribute(encode(attribute, "attribute"), value)

    def _attribute(self, name: bytes, value: Any) -> None:
        if isinstance(value, str):
            call("graph_builder_text", self._handle, name, encode(value, "attribute"))
        elif isinstance(value, int):
            call("graph_builder_integer", self._handle, name, integer(value, name.decode()))
        elif isinstance(value, float):
            call("graph_builder_number", self._handle, name, value)
        else:
            self._list_attribute(name, list(value))

    def _list_attribute(self, name: bytes, values: list) -> None:
        if any(isinstance(value, float) for value in values):
            array = (ctypes.c_double * len(values))(*values)
            call("graph_builder_numbers", self._handle, name, array, len(values))
        else:
            array = (ctypes.c_int64 * len(values))(*(integer(v, name.decode()) for v in values))
            call("graph_builder_integers", self._handle, name, array, len(values))


def _like(kind: str, operands: Sequence[Tensor]) -> Tensor:
    """What the type of a result is taken from when none is given."""
    if not operands:
        raise InvalidArgument(f"operator '{kind}': without operands it needs a type")
    return operands[0]


def _id(tensor: Tensor) -> int:
    if not isinstance(tensor, Tensor):
        raise TypeError(f"expected a Tensor of this builder, got {type(tensor).__name__}")
    return tensor._id


def _ids(tensors: Sequence[Tensor]) -> Any:
    return (ctypes.c_int32 * len(tensors))(*map(_id, tensors))


def _tensors(ids: Iterator[int], types: Sequence[str]) -> tuple[Tensor, ...]:
    return tuple(Tensor(identity, text) for identity, text in zip(ids, types))


def _type_text(type: TypeLike) -> str:
    if isinstance(type, str):
        return type
    if isinstance(type, Tensor):
        return type.type
    dtype, shape = type if isinstance(type, tuple) else (type.dtype, type.shape)
    return f"{_dtype_text(dtype)}[{','.join(str(size) for size in shape)}]"


@lru_cache(maxsize=256)  # the names of NumPy's types are slow, and a graph has few of them
def _dtype_text(dtype: Any) -> str:
    name = str(getattr(dtype, "name", dtype))
    if name in _NUMPY_NAMES:
        return _NUMPY_NAMES[name]
    for word, letter in _NUMPY_KINDS:
        if re.fullmatch(word + r"\d+", name):
            return letter + name[len(word):]
    return name
