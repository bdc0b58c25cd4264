# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
"""The planner's graph of a program, and where each value and equation of the program is in it.

A scan is a loop that takes a slice of each stacked input and puts its outputs into stacked results,
as XLA runs it. A `while` is a loop whose number of rounds is unknown. A `cond` is planned as if all
of its branches ran, since nobody knows which one will.
"""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Container, Optional, Sequence

import numpy as np

from ..errors import InvalidArgument
from ..graph import Graph, GraphBuilder, Tensor
from .emitter import Emitter, Read, tensor_type
from .operators import emit_operators, unknown
from .operators.elementwise import equals, select
from .program import Constant, Equation, Program, Value

_INDEX = (np.dtype("int32"), ())


@dataclass
class PlanningGraph:
    """`tensors`: the number of each value's tensor. `reads`: the operators of each equation, by its
    number, and what they read. `refused`: why equations were kept whole."""

    graph: Optional[Graph] = None
    tensors: dict[Value, int] = field(default_factory=dict)
    reads: dict[int, list[Read]] = field(default_factory=dict)
    refused: list[str] = field(default_factory=list)


def planning_graph(program: Program, names: Sequence[str], state_pairs: dict[int, int],
                   name: str) -> PlanningGraph:
    """`names`: one per argument. `state_pairs`: the number of the result that replaces an argument
    in the next step, by the number of the argument.

    An equation that the planner refuses is kept whole, and is named in `refused`.
    """
    refused: dict[int, str] = {}
    while True:
        try:
            return _emit(program, names, state_pairs, name, refused)
        except _Refused as refusal:
            refused[refusal.number] = refusal.reason


class _Refused(Exception):
    def __init__(self, number: int, reason: str) -> None:
        super().__init__(reason)
        self.number, self.reason = number, reason


def _emit(program: Program, names: Sequence[str], state_pairs: dict[int, int], name: str,
          refused: dict[int, str]) -> PlanningGraph:
    builder = GraphBuilder(name)
    emission = _Emission(Emitter(builder), refused)
    arguments = [emission.argument(value, text) for value, text in zip(program.arguments, names)]
    emission.program(program)
    with emission.emitter.equation("results"):
        for value in program.results:
            builder.result(emission.read(value))
    for argument, result in state_pairs.items():
        builder.state_pair(arguments[argument], result)
    builder.infer_training_roles()
    found = emission.found
    found.tensors = {value: tensor.number for value, tensor in emission.tensors.items()}
    found.graph, found.refused = builder.build(), list(refused.values())
    return found


class _Emission:
    def __init__(self, emitter: Emitter, refused: Container[int]) -> None:
        self.emitter, self.refused = emitter, refused
        self.found = PlanningGraph()
        self.tensors: dict[Value, Tensor] = {}

    def argument(self, value: Value, name: str) -> Tensor:
        type = tensor_type(value.aval)
        tensor = self.emitter.builder.input(name, type)
        self.emitter.adopt([tensor], [type])
        self.tensors[value] = tensor
        return tensor

    def read(self, value: Value) -> Tensor:
        if isinstance(value, Constant):  # made where it is used: nobody waits for a constant
            return self.emitter.constant(value.content, tensor_type(value.aval))
        return self.tensors[value]

    def program(self, program: Program) -> None:
        for equation in program.equations:
            self._equation(equation)

    def _equation(self, equation: Equation) -> None:
        with self.emitter.equation(equation.name) as reads:
            emit = _BODIES.get(equation.primitive.name)
            if emit is None:
                operands = [self._operand(value) for value in equation.operands]
                results = self._operators(equation, operands)
            else:
                results = emit(self, equation)
        self.found.reads[equation.number] = reads
        self.tensors.update(zip(equation.results, results))

    def _operators(self, equation: Equation, operands: Sequence[Tensor]) -> Sequence[Tensor]:
        if equation.number in self.refused:
            return unknown(self.emitter, equation, operands)
        try:
            return emit_operators(self.emitter, equation, operands)
        except InvalidArgument as error:
            raise _Refused(equation.number, str(error)) from error

    def _operand(self, value: Value) -> Tensor:
        tensor = self.read(value)
        if isinstance(value, Constant):
            self.tensors[value] = tensor
        return tensor

    def scan(self, equation: Equation) -> Sequence[Tensor]:
        """Carried: the index, the carried values, the stacked results."""
        params, (body,) = equation.params, equation.bodies
        consts, carry = params["num_consts"], params["num_carry"]
        operands = [self._operand(value) for value in equation.operands]
        stacked = [tensor_type(value.aval) for value in equation.results[carry:]]
        carried = [self.emitter.scalar(0, _INDEX[0]), *operands[consts:consts + carry],
                   *(self.emitter.full(0, *type) for type in stacked)]
        inner = body.arguments
        self.tensors.update(zip(inner[:consts], operands[:consts]))
        loop = self.emitter.loop(carried, params["length"])
        with loop:
            self._adopt_carried(loop, carried)
            index, *state = loop.arguments
            place = self._place(index, params)
            self.tensors.update(zip(inner[consts:], state[:carry]))
            for value, whole in zip(inner[consts + carry:], operands[consts + carry:]):
                self.tensors[value] = self._slice(whole, place)
            self.program(body)
            results = [self._operand(value) for value in body.results]
            grown = [self._put(whole, part, place)
                     for whole, part in zip(state[carry:], results[carry:])]
            loop.carry(self._plus_one(index), *results[:carry], *grown)
        self.emitter.adopt(loop.results, self._types(carried))
        return loop.results[1:]

    def while_loop(self, equation: Equation) -> Sequence[Tensor]:
        params, (condition, body) = equation.params, equation.bodies
        split, start = params["cond_nconsts"], params["cond_nconsts"] + params["body_nconsts"]
        operands = [self._operand(value) for value in equation.operands]
        carried = operands[start:]
        loop = self.emitter.loop(carried, None)
        with loop:
            self._adopt_carried(loop, carried)
            for inner, outer in ((condition, operands[:split]), (body, operands[split:start])):
                self.tensors.update(zip(inner.arguments, [*outer, *loop.arguments]))
                self.program(inner)
            loop.carry(*(self._operand(value) for value in body.results))
        self.emitter.adopt(loop.results, self._types(carried))
        return loop.results

    def cond(self, equation: Equation) -> Sequence[Tensor]:
        which, *operands = [self._operand(value) for value in equation.operands]
        chosen: list[Tensor] = []
        for number, branch in enumerate(equation.bodies):
            self.tensors.update(zip(branch.arguments, operands))
            self.program(branch)
            results = [self._operand(value) for value in branch.results]
            chosen = self._choose(which, number, results, chosen) if number else results
        return chosen

    def _choose(self, which: Tensor, number: int, results: Sequence[Tensor],
                others: Sequence[Tensor]) -> list[Tensor]:
        taken = equals(self.emitter, which, number)
        return [select(self.emitter, taken, result, other,
                       (self.emitter.dtype(result), self.emitter.shape(result)))
                for result, other in zip(results, others)]

    def _adopt_carried(self, loop, carried: Sequence[Tensor]) -> None:
        self.emitter.adopt(loop.arguments, self._types(carried))

    def _types(self, tensors: Sequence[Tensor]) -> list:
        return [(self.emitter.dtype(tensor), self.emitter.shape(tensor)) for tensor in tensors]

    def _place(self, index: Tensor, params: dict) -> Tensor:
        if not params["reverse"]:
            return index
        last = self.emitter.scalar(params["length"] - 1, _INDEX[0])
        return self.emitter.op("subtract", last, index, type=_INDEX)

    def _plus_one(self, index: Tensor) -> Tensor:
        return self.emitter.op("add", index, self.emitter.scalar(1, _INDEX[0]), type=_INDEX)

    def _start(self, place: Tensor, rank: int) -> list[Tensor]:
        return [place, *(self.emitter.scalar(0, _INDEX[0]) for _ in range(rank - 1))]

    def _slice(self, whole: Tensor, place: Tensor) -> Tensor:
        dtype, (_, *shape) = self.emitter.dtype(whole), self.emitter.shape(whole)
        part = self.emitter.op("dynamic_slice", whole, *self._start(place, len(shape) + 1),
                               type=(dtype, (1, *shape)), slice_sizes=[1, *shape])
        return self.emitter.reshape(part, shape)

    def _put(self, whole: Tensor, part: Tensor, place: Tensor) -> Tensor:
        dtype, shape = self.emitter.dtype(whole), self.emitter.shape(whole)
        row = self.emitter.reshape(part, (1, *shape[1:]))
        return self.emitter.op("dynamic_update_slice", whole, row,
                               *self._start(place, len(shape)), type=(dtype, shape))


_BODIES = {"scan": _Emission.scan, "while": _Emission.while_loop, "cond": _Emission.cond}
