# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
"""Evaluates a program with the sharding constraints of its plan.

The same equations as the planner saw, in the same order. Each operand is brought into the form in
which its operator reads it, step by step through the copies of the plan, and that is where XLA puts
the collectives. A copy that several equations read is made once.
"""
from __future__ import annotations

from collections import ChainMap
from functools import partial
from typing import Any, Callable, Optional, Sequence

import jax
from jax.sharding import Mesh, NamedSharding, PartitionSpec

from .layout import Copy, Layout
from .operators import ON_PIECES
from .planning_graph import PlanningGraph
from .program import Constant, Equation, Program, Value


class Evaluation:
    """One run of a program under trace. Bodies of loops and branches have one of their own, which
    sees what the outer one knows."""

    def __init__(self, where: PlanningGraph, layout: Layout, mesh: Mesh) -> None:
        self._where, self._layout, self._mesh = where, layout, mesh
        self._arrays: ChainMap[int, Any] = ChainMap()  # by tensor, as its equation made it
        self._copies: ChainMap[int, Any] = ChainMap()  # by copy, in its form
        self._sources: ChainMap[Any, Any] = ChainMap()  # by source and form, of the last copy so

    def run(self, program: Program, arguments: Sequence[jax.Array]) -> list[jax.Array]:
        """The whole program; its results as they leave the step."""
        self._set(program.arguments, arguments)
        self._run_equations(program)
        return [self._copy(copy, value)
                for copy, value in zip(self._layout.results, program.results)]

    def _run_equations(self, program: Program) -> None:
        for equation in program.equations:
            run = _BODIES.get(equation.primitive.name, Evaluation._bind)
            self._set(equation.results, run(self, equation))

    def _inside(self) -> "Evaluation":
        inner = Evaluation(self._where, self._layout, self._mesh)
        inner._arrays, inner._copies = self._arrays.new_child(), self._copies.new_child()
        inner._sources = self._sources.new_child()
        return inner

    def _set(self, values: Sequence[Value], arrays: Sequence[jax.Array]) -> None:
        for value, array in zip(values, arrays):
            # A value that the planner sees as its operand (a reshape to the same shape) stays it.
            self._arrays.setdefault(self._where.tensors[value], array)

    def _bind(self, equation: Equation) -> Sequence[jax.Array]:
        operands = [self._read(equation, value) for value in equation.operands]
        params = equation.primitive.get_bind_params(equation.params)

        def run(*arrays: jax.Array) -> tuple[jax.Array, ...]:
            found = equation.primitive.bind(*arrays, **params)
            return tuple(found) if equation.primitive.multiple_results else (found,)

        if equation.primitive.name in ON_PIECES:
            run = self._on_pieces(equation, run)
        return run(*operands)

    def _on_pieces(self, equation: Equation, run: Callable) -> Callable:
        """Each device computes its piece of the results from its pieces of the operands."""
        operands = [self._spec(self._copy_read(equation, value)) for value in equation.operands]
        results = [self._spec(self._layout.made(self._where.tensors[value]))
                   for value in equation.results]
        even = all(self._is_even(value, spec) for value, spec in
                   zip(equation.operands + equation.results, operands + results))
        split = any(entry for spec in results for entry in spec)
        if not (even and split):
            return run
        return jax.shard_map(run, mesh=self._mesh, in_specs=tuple(operands),
                             out_specs=tuple(results))

    def _spec(self, copy: Optional[int]) -> PartitionSpec:
        return PartitionSpec() if copy is None else self._layout.copies[copy].spec

    def _is_even(self, value: Value, spec: PartitionSpec) -> bool:
        try:
            NamedSharding(self._mesh, spec).shard_shape(value.aval.shape)
        except ValueError:
            return False
        return True

    def _read(self, equation: Equation, value: Value) -> jax.Array:
        copy = self._copy_read(equation, value)
        return self._made(value) if copy is None else self._copy(copy, value)

    def _copy_read(self, equation: Equation, value: Value) -> Optional[int]:
        """The form in which the first operator of the equation that reads the value wants it."""
        tensor = self._where.tensors.get(value)
        for operator, tensors in self._where.reads[equation.number]:
            if tensor in tensors:
                return self._layout.read_by(operator, tensor)
        return None

    def _made(self, value: Value) -> jax.Array:
        tensor = self._where.tensors.get(value)
        copy = self._layout.made(tensor)
        return self._array(tensor, value) if copy is None else self._copy(copy, value)

    def _array(self, tensor: Optional[int], value: Value) -> jax.Array:
        return value.content if isinstance(value, Constant) else self._arrays[tensor]

    def _copy(self, number: int, value: Value) -> jax.Array:
        if number not in self._copies:
            copy = self._layout.copies[number]
            source = self._array(copy.tensor, value) if copy.source is None else self._source(
                copy, value)
            self._copies[number] = self._constrain(source, copy.specs, value)
        return self._copies[number]

    def _source(self, copy: Copy, value: Value) -> jax.Array:
        """What a copy is made from. XLA would merge a second copy in the same form with the first
        one, and keep that; a constraint that changes nothing comes between them."""
        source = self._copy(copy.source, value)
        key = copy.source, copy.specs
        if key in self._sources:
            own = self._layout.copies[copy.source].specs[-1:]
            source = self._constrain(self._sources[key], own, value)
        self._sources[key] = source
        return source

    def _constrain(self, array: jax.Array, specs: Sequence[PartitionSpec],
                   value: Value) -> jax.Array:
        """One constraint per collective: asked for the last form at once, XLA may take another
        way. Random keys are whole anyway."""
        if jax.dtypes.issubdtype(value.aval.dtype, jax.dtypes.prng_key):
            return array
        for spec in specs:
            array = jax.lax.with_sharding_constraint(array, NamedSharding(self._mesh, spec))
        return array

    def _prepare(self, equation: Equation) -> None:
        """What bodies read from outside is brought into its form outside, once. Constants that
        they receive are known under the tensors of the operands."""
        constants = [value for value in equation.operands if isinstance(value, Constant)]
        self._set(constants, [value.content for value in constants])
        for body in equation.bodies:
            for inner in body.walk():
                for value in inner.operands:
                    if self._where.tensors.get(value) in self._arrays:
                        self._read(inner, value)

    def _carry(self, values: Sequence[Value], carried: Sequence[Value]) -> list[jax.Array]:
        """A loop's state leaves each round in the form in which it leaves the loop."""
        copies = [self._layout.made(self._where.tensors[value]) for value in carried]
        return [self._constrain(self._made(value), (self._layout.copies[copy].spec,), value)
                for value, copy in zip(values, copies)]

    def _scan(self, equation: Equation) -> Sequence[jax.Array]:
        params, (body,) = equation.params, equation.bodies
        consts, carry = params["num_consts"], params["num_carry"]
        operands = [self._read(equation, value) for value in equation.operands[consts:]]
        self._prepare(equation)

        def step(state: list, parts: list) -> tuple[list, list]:
            inside = self._inside()
            inside._set(body.arguments[consts:], [*state, *parts])
            inside._run_equations(body)
            grown = [inside._read(equation, value) for value in body.results[carry:]]
            return inside._carry(body.results[:carry], equation.results), grown

        state, stacked = jax.lax.scan(step, operands[:carry], operands[carry:],
                                      length=params["length"], reverse=params["reverse"],
                                      unroll=params["unroll"])
        return [*state, *stacked]

    def _while(self, equation: Equation) -> Sequence[jax.Array]:
        params, (condition, body) = equation.params, equation.bodies
        condition_consts, body_consts = params["cond_nconsts"], params["body_nconsts"]
        start = [self._read(equation, value)
                 for value in equation.operands[condition_consts + body_consts:]]
        self._prepare(equation)

        def going_on(state: list) -> jax.Array:
            inside = self._inside()
            inside._set(condition.arguments[condition_consts:], state)
            inside._run_equations(condition)
            return inside._made(condition.results[0])

        def step(state: list) -> list:
            inside = self._inside()
            inside._set(body.arguments[body_consts:], state)
            inside._run_equations(body)
            return inside._carry(body.results, equation.results)

        return jax.lax.while_loop(going_on, step, start)

    def _cond(self, equation: Equation) -> Sequence[jax.Array]:
        which = self._read(equation, equation.operands[0])
        self._prepare(equation)

        def branch(body: Program) -> list[jax.Array]:
            inside = self._inside()
            inside._run_equations(body)
            return [inside._read(equation, value) for value in body.results]

        return jax.lax.switch(which, [partial(branch, body) for body in equation.bodies])


_BODIES = {"scan": Evaluation._scan, "while": Evaluation._while, "cond": Evaluation._cond}
