# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
"""The collectives of a compiled JAX function, to be compared with a plan.

    compiled = jax.jit(step).lower(*arguments).compile()
    found = normalised(compiled.as_text())

`compiled_collectives` lists what stands in the module after optimisation, `normalised` the same in
a plan's terms. docs/xla.md says what the normalisation does and why.
"""
from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Iterable, Iterator, Optional

from .hlo_text import Array, Instruction, Module, parse_hlo_text
from .replica_groups import Groups, groups_of, joined
from .result_uses import next_sum, sliced_elements

KINDS = ("all-reduce", "all-gather", "reduce-scatter", "all-to-all", "collective-permute")
_BROADCAST = "collective-broadcast"


@dataclass(frozen=True)
class Collective:
    """One array of one collective; a combined collective gives one for each of its arrays."""

    kind: str
    groups: Groups  # devices that talk to each other
    buffer_bytes: int  # nccl-tests convention, see docs/plan.md
    count: int  # runs in a step: the product of the known trip counts around it
    name: str
    op_name: str  # where JAX says it comes from
    count_is_known: bool = True  # false inside a loop whose trip count XLA does not know

    @property
    def group_size(self) -> int:
        return max(len(group) for group in self.groups)

    @property
    def total_bytes(self) -> int:
        return self.buffer_bytes * self.count


def compiled_collectives(text: str) -> list[Collective]:
    """What stands in `compiled.as_text()`, in the order of execution as far as there is one."""
    module = parse_hlo_text(text)
    return [each for each, _, _ in _collectives(module)]


def normalised(text: str) -> list[Collective]:
    """The same in a plan's terms: sums over several axes joined, reduce-scatters made whole,
    16-bit sums counted as such."""
    module = parse_hlo_text(text)
    return [each for found in _joined_sums(module, list(_collectives(module)))
            for each in _in_plan_terms(module, *found)]


def bytes_by_kind(collectives: Iterable[Collective]) -> dict[str, int]:
    """`buffer_bytes` times `count`, added up."""
    totals: dict[str, int] = {}
    for each in collectives:
        totals[each.kind] = totals.get(each.kind, 0) + each.total_bytes
    return totals


Found = tuple[Collective, Instruction, int]  # with its position in a combined collective


def _collectives(module: Module) -> Iterator[Found]:
    for instruction, count, known in _executed(module, module.entry, 1, True):
        kind = _kind(instruction.opcode)
        if kind is None:
            continue
        groups = groups_of(instruction, module.devices)
        if all(len(group) <= 1 for group in groups):
            continue
        for position, buffer_bytes in enumerate(_buffers(kind, instruction, groups)):
            yield Collective(kind, groups, buffer_bytes, count, instruction.name,
                             instruction.op_name, known), instruction, position


def _executed(module: Module, computation: str, count: int,
              known: bool) -> Iterator[tuple[Instruction, int, bool]]:
    """Every instruction that runs, with how often; all branches of a conditional count once."""
    for instruction in module.computations[computation].instructions.values():
        yield instruction, count, known
        if instruction.opcode.endswith(("-done", "-update")) or "to_apply" in instruction.called \
                and instruction.opcode != "call":
            continue  # the start has been counted; a reduction's body has no collectives
        trips = instruction.trip_count if instruction.opcode == "while" else 1
        for names in instruction.called.values():
            for name in names:
                yield from _executed(module, name, count * (trips or 1),
                                     known and trips is not None)


def _kind(opcode: str) -> Optional[str]:
    name = opcode.removesuffix("-start")
    name = "all-to-all" if name == "ragged-all-to-all" else name
    return name if name in KINDS or name == _BROADCAST else None


def _buffers(kind: str, instruction: Instruction, groups: Groups) -> list[int]:
    """Bytes per array; the parts of a tuple-shaped all-to-all are one array cut up."""
    sizes = [array.bytes for array in _results(instruction)]
    if kind == "all-to-all":
        return [sum(sizes)]
    if kind == "reduce-scatter":
        return [size * len(groups[0]) for size in sizes]
    return sizes


def _results(instruction: Instruction) -> list[Array]:
    """A start also holds its operands, and a permute's start two words of context."""
    arrays = instruction.arrays
    if instruction.opcode == "all-gather-start":
        return arrays[len(arrays) // 2:]
    if instruction.opcode == "collective-permute-start":
        return arrays[1:2]
    return arrays


def _joined_sums(module: Module, found: list[Found]) -> list[Found]:
    """A sum over one axis that is only summed over another axis is one sum over both."""
    at = {(each.name, position): i for i, (each, _, position) in enumerate(found)}
    kept = list(found)
    for i, (each, instruction, position) in enumerate(found):
        following = each.kind == "all-reduce" and next_sum(module, instruction, position)
        if following:
            j = at[following[0].name, following[1]]
            later = replace(kept[j][0], groups=joined(kept[i][0].groups, kept[j][0].groups))
            kept[j] = (later, *found[j][1:])
            kept[i] = None
    return [each for each in kept if each is not None]


def _in_plan_terms(module: Module, each: Collective, instruction: Instruction,
                   position: int) -> list[Collective]:
    if each.kind != "all-reduce":
        return [each]
    array = _results(instruction)[position]
    if _is_promoted(instruction):
        each = replace(each, buffer_bytes=each.buffer_bytes // 2)
    sliced = sliced_elements(module, instruction, position)
    if not sliced or sliced >= array.elements:
        return [each]
    return _scattered(each, array.elements, sliced)


def _is_promoted(instruction: Instruction) -> bool:
    """XLA's CPU pipeline sums 16-bit floats in 32 bits and marks the reduction's name."""
    return any(re.search(r"_promoted\b", name)
               for name in instruction.called.get("to_apply", []))


def _scattered(each: Collective, elements: int, sliced: int) -> list[Collective]:
    """All-reduce + slice is a reduce-scatter; if only a part of each group is told apart by the
    slice, a reduce-scatter over that part and an all-reduce of the shard over the rest."""
    parts = -(-elements // sliced)
    scatter = replace(each, kind="reduce-scatter")
    if parts >= each.group_size or each.group_size % parts:
        return [scatter]
    # Which devices form the part is not visible in the text, only how many they are.
    scatter = replace(scatter, groups=_cut(each.groups, parts))
    rest = replace(each, groups=_cut(each.groups, each.group_size // parts),
                   buffer_bytes=each.buffer_bytes * sliced // elements)
    return [scatter, rest]


def _cut(groups: Groups, size: int) -> Groups:
    return tuple(group[i:i + size] for group in groups for i in range(0, len(group), size))
