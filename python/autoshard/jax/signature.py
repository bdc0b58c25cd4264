# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
"""One call of a function: what is static, what is an array, and which calls are alike."""
from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import Any, Callable, Hashable, Sequence, Union

import jax

Positions = Union[int, Sequence[int], None]
Names = Union[str, Sequence[str], None]


@dataclass(frozen=True)
class Call:
    """`leaves`: the arrays in order; `key` is equal for calls that can share a plan."""

    leaves: list[Any]
    key: Hashable


class Signature:
    """Static arguments as jax.jit understands them: each by position or by name."""

    def __init__(self, function: Callable, static_argnums: Positions,
                 static_argnames: Names) -> None:
        parameters = _positional(function)
        self.positions = {number % max(len(parameters), number + 1)
                          for number in _several(static_argnums, int)}
        self.names = set(_several(static_argnames, str))
        self.positions |= {n for n, name in enumerate(parameters) if name in self.names}
        self.names |= {parameters[n] for n in self.positions if n < len(parameters)}

    def map(self, function: Callable, args: tuple, kwargs: dict[str, Any]) -> tuple[list, dict]:
        """Applies a function to every array."""
        return ([arg if n in self.positions else jax.tree.map(function, arg)
                 for n, arg in enumerate(args)],
                {name: arg if name in self.names else jax.tree.map(function, arg)
                 for name, arg in kwargs.items()})

    def call(self, args: tuple, kwargs: dict[str, Any]) -> Call:
        """Raises TypeError for a static argument that has no hash."""
        static = [(n, arg) for n, arg in enumerate(args) if n in self.positions]
        static += sorted((name, arg) for name, arg in kwargs.items() if name in self.names)
        moving = [arg for n, arg in enumerate(args) if n not in self.positions]
        named = {name: arg for name, arg in kwargs.items() if name not in self.names}
        leaves, tree = jax.tree.flatten((moving, named))
        for name, value in static:
            _check_hash(name, value)
        # The type belongs to it: 2 and 2.0 are equal, and trace differently.
        kept = tuple((name, type(value), value) for name, value in static)
        return Call(leaves, (tree, kept, tuple(map(_leaf_key, leaves))))


def _positional(function: Callable) -> list[str]:
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return []
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return [parameter.name for parameter in parameters if parameter.kind in kinds]


def _several(values: Any, one: type) -> list:
    if values is None:
        return []
    return [values] if isinstance(values, one) else list(values)


def _check_hash(name: Any, value: Any) -> None:
    try:
        hash(value)
    except TypeError as error:
        raise TypeError(f"static argument {name} is not hashable: {error}") from None


def _leaf_key(leaf: Any) -> Hashable:
    if hasattr(leaf, "shape") and hasattr(leaf, "dtype"):
        return tuple(leaf.shape), leaf.dtype, bool(getattr(leaf, "weak_type", False))
    return type(leaf)
