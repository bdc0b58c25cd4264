# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
"""From a traced function to the best plan over the mesh shapes."""
from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Optional, Sequence

import jax
from jax.sharding import NamedSharding, PartitionSpec

from ..options import OptionValue
from ..plan import IntraOpPlan, solve_intra_op
from .devices import MeshShape
from .layout import partition_spec
from .planning_graph import PlanningGraph, planning_graph
from .processes import agree
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
    options = {"target": "xla", **options, **({"pin": pinned} if pinned else {})}

    number, plan = (_fastest if jax.process_count() == 1 else _agreed)(
        where, shapes, device, options)
    return Planned(program, where, shapes[number], plan)


def _fastest(where: PlanningGraph, shapes: Sequence[MeshShape], device: str,
             options: dict[str, Any]) -> tuple[int, IntraOpPlan]:
    plans = [solve_intra_op(where.graph, shape.planner_mesh(device), **options)
             for shape in shapes]
    number = min(range(len(plans)), key=lambda n: _seconds(plans[n]))
    return number, plans[number]


def _agreed(where: PlanningGraph, shapes: Sequence[MeshShape], device: str,
            options: dict[str, Any]) -> tuple[int, IntraOpPlan]:
    """The same in a run of several processes: the first one plans for all."""
    def plan() -> str:
        number, found = _fastest(where, shapes, device, options)
        return f"{number} {found.to_json()}"

    settings = where.graph.fingerprint, [str(shape) for shape in shapes], device, options
    number, text = agree(plan, repr(settings)).split(" ", 1)
    return int(number), IntraOpPlan.from_json(text, where.graph)


def _seconds(plan: IntraOpPlan) -> tuple[bool, float]:
    """Plans without an answer come last, the one that lacks least memory first."""
    if plan.has_answer:
        return False, plan.step_seconds
    return True, plan.document["peak_bytes"] or math.inf


def _argument_names(traced: Any) -> list[str]:
    """As in the caller's signature: params['w']. Names that stand twice get a number."""
    leaves = jax.tree_util.tree_flatten_with_path(traced.args_info)[0]
    given = traced.jaxpr.jaxpr.debug_info.arg_names
    names: list[str] = []
    for number, (path, _) in enumerate(leaves):
        name = given[number] if number < len(given) and given[number] else None
        name = name or f"arguments{jax.tree_util.keystr(path)}"
        name = name.replace("=", "_").replace(";", "_")  # which mean something in a pin
        names.append(name if name not in names else f"{name}.{number}")
    return names
