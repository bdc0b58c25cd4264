# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
"""What `plan` of a sharded function returns."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import jax
from jax.sharding import PartitionSpec

from ..plan import IntraOpPlan
from .errors import require_answer
from .planning import Planned


@dataclass(frozen=True)
class ShardingPlan:
    """How one function is split, in the shape of its own arguments and results."""

    _planned: Planned
    _argument_tree: Any
    _result_tree: Any

    @property
    def intra_op(self) -> IntraOpPlan:
        """The plan itself: costs, memory, collectives, every tensor."""
        return self._planned.plan

    @property
    def mesh_axes(self) -> dict[str, int]:
        return dict(self._planned.shape.axes)

    @property
    def status(self) -> str:
        """As of IntraOpPlan: "optimal", "feasible", "infeasible", ..."""
        return self.intra_op.status

    @property
    def argument_specs(self) -> tuple[tuple, dict[str, Any]]:
        """(args, kwargs) without the static ones, a PartitionSpec for each array.

        Raises InfeasiblePlan or TimeoutError if there is no answer."""
        return self._unflatten(self._argument_tree, self._planned.argument_specs)

    @property
    def result_specs(self) -> Any:
        """The results, a PartitionSpec for each array. Raises likewise."""
        return self._unflatten(self._result_tree, self._planned.result_specs)

    def report(self) -> str:
        """The table that `autoshard plan` prints."""
        return self.intra_op.report()

    def _unflatten(self, tree: Any, specs: list[PartitionSpec]) -> Any:
        require_answer(self.intra_op, "the plan")
        return jax.tree.unflatten(tree, specs)

    def __repr__(self) -> str:
        return f"ShardingPlan(status='{self.status}', mesh='{self._planned.shape}')"
