# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
"""Which devices take part in a collective of an HLO module."""
from __future__ import annotations

import re

import numpy as np

from .hlo_text import Instruction

Groups = tuple[tuple[int, ...], ...]

_LIST = re.compile(r"replica_groups=(\{\{.*?\}\}|\{\})")
_IOTA = re.compile(r"replica_groups=\[([\d,]+)\]<=\[([\d,]+)\](?:T\(([\d,]+)\))?")
_MESH = re.compile(r"replica_groups=mesh\[([^\]]*)\](?:, device_ids=\((.*?)\))? \{([^}]*)\}")
_TILES = re.compile(r"\[([\d,]+)\](?:T\(([\d,]+)\))?$")
_AXIS = re.compile(r"'([^']+)'(?:=(\d+)|:\((\d+)\)(\d+))?")
_PAIRS = re.compile(r"source_target_pairs=(\{\{.*?\}\}|\{\})")


def groups_of(instruction: Instruction, devices: int) -> Groups:
    """Raises ValueError for a form of `replica_groups` that is not known."""
    attributes = instruction.attributes
    if pairs := _PAIRS.search(attributes):
        return _connected(_lists(pairs.group(1)))
    if iota := _IOTA.search(attributes):
        return _from_iota(*iota.groups())
    if axes := _MESH.search(attributes):
        return _from_mesh(*axes.groups())
    if listed := _LIST.search(attributes):
        return _lists(listed.group(1)) or (tuple(range(devices)),)
    raise ValueError(f"collective '{instruction.name}': its replica groups cannot be read")


def _lists(text: str) -> Groups:
    return tuple(_numbers(group) for group in re.findall(r"\{([\d,]+)\}", text))


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(number) for number in text.split(","))


def _from_iota(shape: str, dims: str, permutation: str | None) -> Groups:
    """`[4,2]<=[2,4]T(1,0)`: count up over [2,4], transpose, read as 4 groups of 2."""
    ids = np.arange(np.prod(_numbers(dims))).reshape(_numbers(dims))
    if permutation:
        ids = ids.transpose(_numbers(permutation))
    return tuple(tuple(int(i) for i in group) for group in ids.reshape(_numbers(shape)))


def _from_mesh(mesh: str, order: str | None, axes: str) -> Groups:
    """`mesh['a'=2,'b'=4] {'b'}`: the devices along axis b. `'b':(2)2` is a part of b.

    `device_ids=([2,4]T(1,0))` says which device stands at each place of the mesh.
    """
    sizes = {name: int(size) for name, size, _, _ in _AXIS.findall(mesh)}
    dims: list[int] = []
    inside: list[int] = []
    parts = {name: (int(before), int(size)) if size else (1, sizes[name])
             for name, _, before, size in _AXIS.findall(axes)}
    for name, size in sizes.items():
        if name in parts:
            before, part = parts[name]
            inside.append(len(dims) + 1)
            dims += [before, part, size // (before * part)]
        else:
            dims.append(size)
    return _along(_devices(order, int(np.prod(dims))).reshape(dims), inside)


def _devices(order: str | None, count: int) -> np.ndarray:
    if order is None:
        return np.arange(count)
    tiles = _TILES.match(order)
    if tiles is None:
        return np.array(_numbers(order))
    dims, permutation = tiles.groups()
    ids = np.arange(count).reshape(_numbers(dims))
    return ids.transpose(_numbers(permutation)) if permutation else ids


def _along(ids: np.ndarray, inside: list[int]) -> Groups:
    """Devices whose places differ only in `inside` in one group."""
    outside = [axis for axis in range(ids.ndim) if axis not in inside]
    size = int(np.prod([ids.shape[axis] for axis in inside]))
    rows = ids.transpose(outside + inside).reshape(-1, size)
    return tuple(tuple(int(i) for i in row) for row in rows)


def joined(first: Groups, second: Groups) -> Groups:
    """The groups of two sums one after the other, as if they were one."""
    return _connected(first + second)


def _connected(links: Groups) -> Groups:
    """Devices that are linked directly or through others; alone, when linked to itself."""
    groups: dict[int, set[int]] = {}
    for link in links:
        merged = set(link).union(*(groups.get(device, ()) for device in link))
        for member in merged:
            groups[member] = merged
    return tuple(sorted({tuple(sorted(group)) for group in groups.values()}))
