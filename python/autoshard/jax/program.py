# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
"""A JAX function as one list of equations.

A closed jaxpr is flattened: nested jit, custom derivatives and rematerialised blocks are inlined,
so that every equation has one place and one number. What has several bodies, or one that runs many
times (scan, while, cond), keeps them as programs of their own. The planner's graph and the
constrained evaluation are both made from this one list, and that is how they agree.
"""
from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any, Iterator, Optional, Sequence, Union

import jax
from jax.extend import core as jex

from .batched_while import is_batched, with_scalar_condition


class Value:
    """What an argument holds or an equation computes. Two values are equal only if identical."""

    __slots__ = ("aval",)

    def __init__(self, aval: Any) -> None:
        self.aval = aval


class Constant(Value):
    """A literal, or an array that the function closed over."""

    __slots__ = ("content",)

    def __init__(self, aval: Any, content: Any) -> None:
        super().__init__(aval)
        self.content = content


@dataclass(frozen=True)
class Equation:
    """One application of a primitive. `number` is unique in the whole program."""

    number: int
    primitive: jex.Primitive
    params: dict[str, Any]
    operands: tuple[Value, ...]
    results: tuple[Value, ...]
    bodies: tuple["Program", ...] = ()

    @property
    def name(self) -> str:
        return f"{self.primitive.name}.{self.number}"


@dataclass(frozen=True)
class Program:
    arguments: tuple[Value, ...]
    results: tuple[Value, ...]
    equations: tuple[Equation, ...]
    dropped: tuple[str, ...] = ()  # the caller's own placements, which are not followed

    def walk(self) -> Iterator[Equation]:
        """Every equation, those of bodies after the one that has them."""
        for equation in self.equations:
            yield equation
            for body in equation.bodies:
                yield from body.walk()


# Where an inlined call keeps its jaxpr.
_CALLS = {
    "jit": "jaxpr", "pjit": "jaxpr", "closed_call": "call_jaxpr", "core_call": "call_jaxpr",
    "custom_jvp_call": "call_jaxpr", "custom_vjp_call": "call_jaxpr", "checkpoint": "jaxpr",
    "remat2": "jaxpr",
}
_REMAT = ("checkpoint", "remat2")
# The value itself: what they mean is over once a function has been differentiated, or the planner
# decides it.
_IDENTITIES = ("stop_gradient", "name", "copy", "copy_p", "pvary", "reduce_barrier",
               "sharding_constraint", "device_put")
_BODIES = {
    "scan": lambda params: (params["jaxpr"],),
    "while": lambda params: (params["cond_jaxpr"], params["body_jaxpr"]),
    "cond": lambda params: tuple(params["branches"]),
}


def flatten(closed: jex.ClosedJaxpr) -> Program:
    """The program of a traced function."""
    flattener = _Flattener()
    program = flattener.program(closed)
    return replace(program, dropped=tuple(dict.fromkeys(flattener.dropped)))


@dataclass
class _Flattener:
    numbers: Iterator[int] = field(default_factory=count)
    dropped: list[str] = field(default_factory=list)

    def program(self, closed: jex.ClosedJaxpr) -> Program:
        arguments = tuple(Value(var.aval) for var in closed.jaxpr.invars)
        equations: list[Equation] = []
        results = self._inline(closed.jaxpr, closed.consts, arguments, equations)
        return Program(arguments, tuple(results), tuple(equations))

    def _inline(self, jaxpr: jex.Jaxpr, consts: Sequence[Any], arguments: Sequence[Value],
                equations: list[Equation]) -> list[Value]:
        known: dict[Any, Value] = dict(zip(jaxpr.invars, arguments))
        for var, content in zip(jaxpr.constvars, consts):
            known[var] = content if isinstance(content, Value) else Constant(var.aval, content)

        def read(atom: Any) -> Value:
            """A constant is another one wherever it is read: each place may want its own form."""
            if isinstance(atom, jex.Literal):
                return Constant(atom.aval, atom.val)
            value = known[atom]
            return Constant(value.aval, value.content) if isinstance(value, Constant) else value

        for eqn in jaxpr.eqns:
            operands = [read(atom) for atom in eqn.invars]
            known.update(zip(eqn.outvars, self._equation(eqn, operands, equations)))
        return [read(atom) for atom in jaxpr.outvars]

    def _equation(self, eqn: jex.JaxprEqn, operands: list[Value],
                  equations: list[Equation]) -> Sequence[Value]:
        name = eqn.primitive.name
        if name in _IDENTITIES:
            self.dropped += _placements(eqn)
            return operands
        if name in _CALLS:
            if name in _REMAT and eqn.params["prevent_cse"] and eqn.params["differentiated"]:
                operands = self._barrier(operands, equations)
            jaxpr, consts = _open(eqn.params[_CALLS[name]])
            return self._inline(jaxpr, consts, operands, equations)
        if name == "custom_linear_solve":
            jaxpr, consts = _open(eqn.params["jaxprs"].solve)
            return self._inline(jaxpr, consts, _solved(eqn, operands), equations)
        if name == "scan" and eqn.params["length"] == 0:
            return _no_rounds(eqn, operands)
        if name == "while" and is_batched(eqn.params):
            scalar = with_scalar_condition(eqn.params, [value.aval for value in operands])
            return self._inline(scalar.jaxpr, scalar.consts, operands, equations)
        return self._numbered(eqn, operands, equations)

    def _numbered(self, eqn: jex.JaxprEqn, operands: list[Value],
                  equations: list[Equation]) -> Sequence[Value]:
        name = eqn.primitive.name
        number = next(self.numbers)
        bodies = tuple(self.program(body) for body in _BODIES.get(name, _no_bodies)(eqn.params))
        results = tuple(Value(var.aval) for var in eqn.outvars)
        equations.append(Equation(number, eqn.primitive, eqn.params, tuple(operands), results,
                                  bodies))
        return results

    def _barrier(self, operands: list[Value], equations: list[Equation]) -> list[Value]:
        """Without it the compiler would merge the second run of a block with the first."""
        moving = [value for value in operands if not isinstance(value, Constant)]
        fresh = {value: Value(value.aval) for value in moving}
        equations.append(Equation(next(self.numbers), _barrier_primitive(), {}, tuple(fresh),
                                  tuple(fresh.values())))
        return [fresh.get(value, value) for value in operands]


def _placements(eqn: jex.JaxprEqn) -> list[str]:
    """What the caller asked for with a constraint or a device_put inside the function."""
    if eqn.primitive.name == "sharding_constraint":
        asked = [getattr(eqn.params["sharding"], "spec", eqn.params["sharding"])]
    else:
        asked = [device for device in eqn.params.get("devices", ()) if device is not None]
    return [f"{eqn.primitive.name} to {each} inside the function is ignored: the plan decides; "
            "to keep an argument as it is, use inputs='keep' or pin" for each in asked]


def _solved(eqn: jex.JaxprEqn, operands: list[Value]) -> list[Value]:
    """Of the functions that a linear solve brings for its derivatives, the one that solves: what it
    closes over, and the right-hand side."""
    lengths = eqn.params["const_lengths"]
    start = lengths.matvec + lengths.vecmat
    return operands[start:start + lengths.solve] + operands[sum(lengths):]


def _no_rounds(eqn: jex.JaxprEqn, operands: list[Value]) -> list[Value]:
    """A scan of length 0: what it carries stays, and what it stacks is empty."""
    consts, carry = eqn.params["num_consts"], eqn.params["num_carry"]
    stacked = [var.aval for var in eqn.outvars[carry:]]
    return operands[consts:consts + carry] + [
        Constant(aval, jax.lax.full(aval.shape, 0, aval.dtype)) for aval in stacked]


def _no_bodies(params: dict[str, Any]) -> tuple[jex.ClosedJaxpr, ...]:
    return ()


def _open(jaxpr: Union[jex.ClosedJaxpr, jex.Jaxpr]) -> tuple[jex.Jaxpr, Sequence[Any]]:
    return (jaxpr.jaxpr, jaxpr.consts) if isinstance(jaxpr, jex.ClosedJaxpr) else (jaxpr, ())


_barrier: Optional[jex.Primitive] = None


def _barrier_primitive() -> jex.Primitive:
    """jax.lax exports the function only, so the primitive is taken from a trace of it."""
    global _barrier
    if _barrier is None:
        traced = jax.make_jaxpr(jax.lax.optimization_barrier)(0.0)
        _barrier = traced.jaxpr.eqns[0].primitive
    return _barrier
