# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
"""A JAX function as one list of equations.

A closed jaxpr is flattened: nested jit, custom derivatives and rematerialised blocks are inlined, so
that every equation has one place and one number. What has several bodies, or one that runs many
times (scan, while, cond), keeps them as programs of their own. The planner's graph and the
constrained evaluation are both made from this one list, and that is how they agree.
"""
from __future__ import annotations

from dataclasses import dataclass, field
from itertools import count
from typing import Any, Iterator, Optional, Sequence, Union

from jax.extend import core as jex


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
# The value itself: what they mean is over once a function has been differentiated.
_IDENTITIES = ("stop_gradient", "name", "copy", "copy_p", "sharding_constraint", "pvary",
               "reduce_barrier")
_BODIES = {
    "scan": lambda params: (params["jaxpr"],),
    "while": lambda params: (params["cond_jaxpr"], params["body_jaxpr"]),
    "cond": lambda params: tuple(params["branches"]),
}


def flatten(closed: jex.ClosedJaxpr) -> Program:
    """The program of a traced function."""
    return _Flattener().program(closed)


@dataclass
class _Flattener:
    numbers: Iterator[int] = field(default_factory=count)

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
            return Constant(atom.aval, atom.val) if isinstance(atom, jex.Literal) else known[atom]

        for eqn in jaxpr.eqns:
            operands = [read(atom) for atom in eqn.invars]
            known.update(zip(eqn.outvars, self._equation(eqn, operands, equations)))
        return [read(atom) for atom in jaxpr.outvars]

    def _equation(self, eqn: jex.JaxprEqn, operands: list[Value],
                  equations: list[Equation]) -> Sequence[Value]:
        name = eqn.primitive.name
        if name in _IDENTITIES:
            return operands
        if name in _CALLS:
            if name in _REMAT and eqn.params["prevent_cse"] and eqn.params["differentiated"]:
                operands = self._barrier(operands, equations)
            jaxpr, consts = _open(eqn.params[_CALLS[name]])
            return self._inline(jaxpr, consts, operands, equations)
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


def _no_bodies(params: dict[str, Any]) -> tuple[jex.ClosedJaxpr, ...]:
    return ()


def _open(jaxpr: Union[jex.ClosedJaxpr, jex.Jaxpr]) -> tuple[jex.Jaxpr, Sequence[Any]]:
    return (jaxpr.jaxpr, jaxpr.consts) if isinstance(jaxpr, jex.ClosedJaxpr) else (jaxpr, ())


_barrier: Optional[jex.Primitive] = None


def _barrier_primitive() -> jex.Primitive:
    """jax.lax exports the function only, so the primitive is taken from a trace of it."""
    global _barrier
    if _barrier is None:
        import jax
        traced = jax.make_jaxpr(jax.lax.optimization_barrier)(0.0)
        _barrier = traced.jaxpr.eqns[0].primitive
    return _barrier
