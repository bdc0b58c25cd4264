# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
"""A finished plan as JAX sees it: where each operator reads and writes, as partition specs."""
from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Optional

from jax.sharding import PartitionSpec

from ..plan import IntraOpPlan

_DIMENSION = re.compile(r"\{([^{}]*)\}")
_AXIS = re.compile(r'"([^"]*)"')


def partition_spec(text: str) -> PartitionSpec:
    """From the text form '[{"data"}, {}]'. Not for partial values, which JAX arrays cannot be."""
    dims = text[:text.rindex("]") + 1]
    return PartitionSpec(*(_entry(_AXIS.findall(dim)) for dim in _DIMENSION.findall(dims)))


def spec_text(spec: PartitionSpec, rank: int) -> str:
    """The inverse, for pins."""
    entries = [*spec, *[None] * (rank - len(spec))]
    names = [(entry,) if isinstance(entry, str) else entry or () for entry in entries]
    return "[" + ", ".join("{" + ",".join(f'"{axis}"' for axis in dim) + "}"
                           for dim in names) + "]"


def _entry(axes: list[str]) -> Any:
    if len(axes) < 2:
        return axes[0] if axes else None
    return tuple(axes)


@dataclass(frozen=True)
class Copy:
    """One form of a tensor. `specs`: the forms on the way to it, one per collective, without
    partial ones; `source` is the copy it is made from, None for what an operator makes or the
    function receives."""

    tensor: int
    specs: tuple[PartitionSpec, ...]
    source: Optional[int]

    @property
    def spec(self) -> PartitionSpec:
        return self.specs[-1]


class Layout:
    """`copies` as in the plan's JSON; which of them an operator reads, which one is made first, and
    which ones the function returns (`results`)."""

    def __init__(self, plan: IntraOpPlan) -> None:
        document = plan.document
        self.copies = [_copy(entry) for entry in document["tensors"]]
        self.results: list[int] = document["regions"][0]["results"]
        self._reads = {entry["name"]: entry["operands"] for entry in document["operators"]}
        self._made = {copy.tensor: number for number, copy in reversed([*enumerate(self.copies)])
                      if copy.source is None}

    def read_by(self, operator: str, tensor: int) -> Optional[int]:
        """The copy of a tensor that an operator reads, if it reads it."""
        return next((copy for copy in self._reads[operator]
                     if self.copies[copy].tensor == tensor), None)

    def made(self, tensor: int) -> Optional[int]:
        return self._made.get(tensor)


def _copy(entry: dict[str, Any]) -> Copy:
    texts = [step["spec"] for step in entry["steps"]]
    if not texts or texts[-1] != entry["spec"]:
        texts.append(entry["spec"])
    specs = tuple(partition_spec(text) for text in texts if "partial=" not in text)
    return Copy(entry["tensor_id"], specs, entry["source"])
