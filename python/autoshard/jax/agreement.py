# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
"""A plan beside what XLA made of it: collectives by kind and bytes, memory of one device."""
from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any, Mapping

import jax

from .compiled_collectives import bytes_by_kind, normalised
from .plan import ShardingPlan


@dataclass(frozen=True)
class Agreement:
    """Bytes of one step. Buffers as in docs/plan.md, times how often they are sent; compiled ones
    after the normalisation of docs/xla.md. Arguments, results and temporary memory: of one device.
    """

    planned: Mapping[str, int]  # by kind of collective
    compiled: Mapping[str, int]
    argument_bytes: tuple[int, int]  # planned, compiled
    result_bytes: tuple[int, int]
    temporary_bytes: tuple[int, int]  # what is neither argument nor result; no promise

    @property
    def deviation(self) -> float:
        """By how much the bytes of all collectives differ, relative to the plan's."""
        planned, compiled = sum(self.planned.values()), sum(self.compiled.values())
        return abs(compiled - planned) / planned if planned else float(compiled > 0)

    def __str__(self) -> str:
        kinds = sorted({*self.planned, *self.compiled})
        rows = [(kind, self.planned.get(kind, 0), self.compiled.get(kind, 0)) for kind in kinds]
        rows.append(("all collectives", sum(self.planned.values()), sum(self.compiled.values())))
        rows += [("arguments", *self.argument_bytes), ("results", *self.result_bytes),
                 ("temporary", *self.temporary_bytes)]
        lines = [f"{'bytes':20}{'planned':>14}{'compiled':>14}"]
        return "\n".join(lines + [f"{name:20}{plan:14,}{xla:14,}" for name, plan, xla in rows])


def agreement(plan: ShardingPlan, compiled: jax.stages.Compiled) -> Agreement:
    """Compares `sharded.plan(*args)` with `sharded.compiled(*args)`."""
    document = plan.intra_op.document
    memory = compiled.memory_analysis()
    pointers = 8 * len(document["regions"][0]["results"])  # the table that XLA returns beside them
    return Agreement(
        planned=_planned_bytes(document),
        compiled=bytes_by_kind(normalised(compiled.as_text())),
        argument_bytes=(document["argument_bytes"], memory.argument_size_in_bytes),
        result_bytes=(_result_bytes(document), memory.output_size_in_bytes - pointers),
        temporary_bytes=(plan.intra_op.peak_bytes - document["argument_bytes"],
                         memory.temp_size_in_bytes))


def _planned_bytes(document: Mapping[str, Any]) -> dict[str, int]:
    total: Counter[str] = Counter()
    for each in document["collectives"]:
        total[each["kind"]] += each["buffer_bytes"] * each["count"]
    return dict(total)


def _result_bytes(document: Mapping[str, Any]) -> int:
    copies = document["tensors"]
    return sum(copies[copy]["local_bytes"] for copy in document["regions"][0]["results"])
