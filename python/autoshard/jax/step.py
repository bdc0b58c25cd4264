# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
"""A function for one set of shapes: its plan and, once asked for, what runs it."""
from __future__ import annotations

from functools import cached_property
from typing import Any, Sequence

import jax

from .arrays import place
from .devices import automatic_axes
from .errors import require_answer
from .evaluate import Evaluation
from .layout import Layout
from .plan import ShardingPlan
from .planning import Planned
from .program import Value


class Step:
    def __init__(self, name: str, traced: jax.stages.Traced, planned: Planned) -> None:
        self._name, self._planned = name, planned
        self.plan = ShardingPlan(planned, traced.in_tree, traced.out_tree)
        self._argument_tree, self._result_tree = traced.in_tree, traced.out_tree
        self._donated = [info.donated for info in jax.tree.leaves(traced.args_info)]

    def __call__(self, leaves: Sequence[Any]) -> Any:
        compiled = self.compiled  # first: it may raise, and placing deletes what is donated
        args, kwargs = self._arguments(self._place(leaves))
        return compiled(*args, **kwargs)

    def _arguments(self, leaves: Sequence[Any]) -> tuple[tuple, dict[str, Any]]:
        return jax.tree.unflatten(self._argument_tree, leaves)

    def _place(self, leaves: Sequence[Any]) -> list[jax.Array]:
        placed = [place(leaf, sharding) for leaf, sharding in zip(leaves, self._argument_shardings)]
        for leaf, array, donated in zip(leaves, placed, self._donated):
            if donated:
                _free_moved(leaf, array)
        return placed

    def lower(self) -> jax.stages.Lowered:
        """Raises InfeasiblePlan, TimeoutError when no plan was found in time, and ValueError when
        there are too few devices."""
        plan, mesh = self._planned.plan, self._planned.shape.mesh
        require_answer(plan, self._name)
        if mesh is None:
            raise ValueError(f"{self._name}: mesh {self._planned.shape} needs more devices than "
                             "there are; it can be planned, but not run")
        layout = Layout(plan)

        def run(*args: Any, **kwargs: Any) -> Any:
            evaluation = Evaluation(self._planned.where, layout, mesh)
            leaves = jax.tree.leaves((args, kwargs))
            return jax.tree.unflatten(self._result_tree,
                                      evaluation.run(self._planned.program, leaves))

        run.__name__ = self._name
        results = self._planned.shardings(self._planned.result_specs, self._planned.program.results)
        args, kwargs = self._arguments([*map(_abstract, self._planned.program.arguments,
                                             self._argument_shardings)])
        numbers, names = self._donations()
        jitted = jax.jit(run, out_shardings=jax.tree.unflatten(self._result_tree, results),
                         donate_argnums=numbers, donate_argnames=names)
        with automatic_axes():
            return jitted.lower(*args, **kwargs)

    def _donations(self) -> tuple[list[int], list[str]]:
        """Whole arguments, by position and by name, as the caller gave them away."""
        args, kwargs = self._arguments(self._donated)
        return ([number for number, arg in enumerate(args) if _all_donated(arg)],
                [name for name, arg in kwargs.items() if _all_donated(arg)])

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


def _all_donated(argument: Any) -> bool:
    leaves = jax.tree.leaves(argument)
    return bool(leaves) and all(leaves)


def _abstract(value: Value, sharding: jax.sharding.Sharding) -> jax.ShapeDtypeStruct:
    """Weak types matter to what the caller does with the results; keys have none."""
    aval = value.aval
    return jax.ShapeDtypeStruct(aval.shape, aval.dtype, sharding=sharding,
                                weak_type=getattr(aval, "weak_type", False))
