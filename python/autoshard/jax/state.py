# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
"""Which result of a step replaces which argument in the next one.

A state keeps its sharding from step to step, so a training loop moves nothing between steps.
"""
from __future__ import annotations

from typing import Any, Sequence

import jax


def find_state(arguments: Any, results: Any) -> dict[int, int]:
    """Pairs of leaf numbers, argument to result, by structure.

    A part of the results (the whole, or an element of a tuple or list) belongs to an argument when
    trees, shapes and dtypes are equal; donated arguments choose first, then the order decides. A
    lone array that is not donated counts only beside other results: a function from an array to
    one like it is no training step.
    """
    sources = _parts(list(arguments[0]) + list(arguments[1].values()))
    targets = _parts(list(results) if type(results) in (tuple, list) else [results])
    several = len(targets) > 1
    pairs: dict[int, int] = {}
    taken: set[int] = set()
    for source in sorted(sources, key=lambda part: not part.donated):
        if len(source.leaves) == 1 and not (source.donated or several):
            continue
        target = next((number for number, part in enumerate(targets)
                       if number not in taken and part.key == source.key), None)
        if target is not None:
            taken.add(target)
            pairs.update(zip(source.leaves, targets[target].leaves))
    return pairs


class _Part:
    """Some neighbouring leaves of a tree."""

    def __init__(self, tree: Any, first: int) -> None:
        leaves, structure = jax.tree.flatten(tree, is_leaf=_is_leaf)
        self.leaves = range(first, first + len(leaves))
        self.donated = bool(leaves) and all(getattr(leaf, "donated", False) for leaf in leaves)
        self.key = structure, tuple((leaf.shape, leaf.dtype) for leaf in leaves)


def _is_leaf(node: Any) -> bool:
    return hasattr(node, "shape") and hasattr(node, "dtype")


def _parts(trees: Sequence[Any]) -> list[_Part]:
    parts: list[_Part] = []
    for tree in trees:
        parts.append(_Part(tree, parts[-1].leaves.stop if parts else 0))
    return [part for part in parts if len(part.leaves)]
