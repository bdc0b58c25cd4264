# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
"""A function for one set of shapes: its plan and, once asked for, what runs it."""
from __future__ import annotations

from functools import cached_property
from typing import Any, Sequence

import jax

from .arrays import place
from .devices import automatic_axes
from .errors import InfeasiblePlan
from .evaluate import Evaluation
from .layout import Layout
from .plan import ShardingPlan
from .planning import Planned
from .program import Value


class Step:
    def __init__(self, name: str, traced: jax.stages.Traced, planned: Planned) -> None:
        self._name, self._planned = name, planned
        self.plan = ShardingPlan(planned, traced.in_tree, traced.out_tree)
        self._result_tree = traced.out_tree
        self._donated = [number for number, info in enumerate(jax.tree.leaves(traced.args_info))
                         if info.donated]

    def __call__(self, leaves: Sequence[Any]) -> Any:
        compiled = self.compiled  # first: it may raise, and placing deletes what is donated
        return jax.tree.unflatten(self._result_tree, compiled(*self._place(leaves)))

    def _place(self, leaves: Sequence[Any]) -> list[jax.Array]:
        placed = [place(leaf, sharding) for leaf, sharding in zip(leaves, self._argument_shardings)]
        for number in self._donated:
            _free_moved(leaves[number], placed[number])
        return placed

    def lower(self) -> jax.stages.Lowered:
        """Raises InfeasiblePlan, and ValueError when there are too few devices."""
        plan, mesh = self._planned.plan, self._planned.shape.mesh
        if not plan.has_answer:
            raise InfeasiblePlan(f"{self._name}: {plan.reason}")
        if mesh is None:
            raise ValueError(f"{self._name}: mesh {self._planned.shape} needs more devices than "
                             "there are; it can be planned, but not run")
        layout = Layout(plan)

        def run(*leaves: jax.Array) -> list[jax.Array]:
            return Evaluation(self._planned.where, layout, mesh).run(self._planned.program, leaves)

        run.__name__ = self._name
        results = self._planned.shardings(self._planned.result_specs, self._planned.program.results)
        jitted = jax.jit(run, in_shardings=tuple(self._argument_shardings), out_shardings=results,
                         donate_argnums=self._donated)
        with automatic_axes():
            return jitted.lower(*map(_abstract, self._planned.program.arguments))

    @cached_property
    def compiled(self) -> jax.stages.Compiled:
        return self.lower().compile()

    @cached_property
    def _argument_shardings(self) -> list[jax.sharding.NamedSharding]:
        return self._planned.shardings(self._planned.argument_specs,
                                       self._planned.program.arguments)


def _free_moved(donated: Any, placed: jax.Array) -> None:
    """A donated array of which parts were copied elsewhere is deleted. What lies there as it is
    may share its memory, which then the donation frees."""
    if isinstance(donated, jax.Array) and not donated.is_deleted():
        shape = donated.shape
        if donated.sharding.shard_shape(shape) != placed.sharding.shard_shape(shape):
            donated.delete()


def _abstract(value: Value) -> jax.ShapeDtypeStruct:
    """Weak types matter to what the caller does with the results; keys have none."""
    aval = value.aval
    return jax.ShapeDtypeStruct(aval.shape, aval.dtype,
                                weak_type=getattr(aval, "weak_type", False))
