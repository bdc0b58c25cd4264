# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
"""Puts arguments where a plan wants them."""
from __future__ import annotations

from typing import Any

import jax
import numpy as np
from jax.sharding import NamedSharding, Sharding


def place(array: Any, sharding: Sharding) -> jax.Array:
    """`array` with this sharding; as it is when it lies so already.

    In a run of several processes an array that only this one holds must have the same content in
    all of them.
    """
    if isinstance(array, jax.Array) and array.sharding.is_equivalent_to(sharding, array.ndim):
        return array
    if sharding.is_fully_addressable or _is_global(array):
        return jax.device_put(array, sharding)
    content = np.asarray(array)
    return jax.make_array_from_callback(content.shape, sharding, lambda index: content[index])


def without_sharding(leaf: Any) -> Any:
    """What is traced: over axes of type Explicit an array's sharding belongs to its type."""
    sharding = getattr(leaf, "sharding", None)
    if not isinstance(sharding, NamedSharding):
        return leaf
    return jax.ShapeDtypeStruct(leaf.shape, leaf.dtype,
                                weak_type=getattr(leaf, "weak_type", False))


def _is_global(array: Any) -> bool:
    return isinstance(array, jax.Array) and not array.is_fully_addressable
