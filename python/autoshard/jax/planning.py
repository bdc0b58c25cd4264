# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
"""From a traced function to the best plan over the mesh shapes."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Optional, Sequence

import jax
from jax.sharding import NamedSharding, PartitionSpec

from ..options import OptionValue
from ..plan import IntraOpPlan, solve_intra_op
from .devices import MeshShape
from .layout import partition_spec
from .planning_graph import PlanningGraph, planning_graph
from .program import Program, flatten
from .state import find_state


@dataclass(frozen=True)
class Planned:
    """A program, its graph, and how it is split over one mesh."""

    program: Program
    where: PlanningGraph
    shape: MeshShape
    plan: IntraOpPlan

    @property
    def argument_specs(self) -> list[PartitionSpec]:
        return [partition_spec(text) for text in self.plan.argument_specs]

    @property
    def result_specs(self) -> list[PartitionSpec]:
        return [partition_spec(text) for text in self.plan.result_specs]

    def shardings(self, specs: Sequence[PartitionSpec],
                  values: Sequence[Any]) -> list[NamedSharding]:
        """Random keys have fewer dimensions than the integers that they are made of."""
        return [NamedSharding(self.shape.mesh, PartitionSpec(*spec[:value.aval.ndim]))
                for spec, value in zip(specs, values)]


def plan_traced(traced: Any, shapes: Sequence[MeshShape], device: str,
                pins: Sequence[Optional[str]], options: dict[str, OptionValue],
                pair_state: bool = True) -> Planned:
    """Plans for every mesh shape and keeps the fastest step.

    `pins`: per argument, the spec that it must keep, as text, or None.
    """
    program = flatten(traced.jaxpr)
    names = _argument_names(traced)
    state = find_state(traced.args_info, traced.out_info) if pair_state else {}
    where = planning_graph(program, names, state, traced.fun_name)
    pinned = [f"arg:{name}={spec}" for name, spec in zip(names, pins) if spec is not None]
    found = [Planned(program, where, shape,
                     solve_intra_op(where.graph, shape.planner_mesh(device),
                                    **_with_pins(options, pinned)))
             for shape in shapes]
    return min(found, key=_seconds)


def _with_pins(options: dict[str, OptionValue], pins: list[str]) -> dict[str, Any]:
    return {"target": "xla", **options, **({"pin": pins} if pins else {})}


def _seconds(planned: Planned) -> tuple[bool, float]:
    """Plans without an answer come last."""
    answered = bool(planned.plan.document["regions"])
    return not answered, planned.plan.step_seconds if answered else 0.0


def _argument_names(traced: Any) -> list[str]:
    """As in the caller's signature: params['w']. Names that stand twice get a number."""
    leaves = jax.tree_util.tree_flatten_with_path(traced.args_info)[0]
    given = traced.jaxpr.jaxpr.debug_info.arg_names
    names: list[str] = []
    for number, (path, _) in enumerate(leaves):
        name = given[number] if number < len(given) and given[number] else None
        name = name or f"arguments{jax.tree_util.keystr(path)}"
        names.append(name if name not in names else f"{name}.{number}")
    return names
