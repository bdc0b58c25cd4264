# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
"""Meshes: what the caller gave, or the shapes that are tried."""
from __future__ import annotations

import math
import re
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Iterator, Optional, Sequence, Union

import jax
import numpy as np
from jax.sharding import AbstractMesh, Mesh

from ..plan import Mesh as PlannerMesh

MeshLike = Union[Mesh, AbstractMesh, str, dict, None]
# What is priced when the devices are of no kind that the planner knows.
_DEFAULT_DEVICE = "a100"
# What JAX calls devices ("NVIDIA A100-SXM4-80GB", "TPU v5 lite"), and what the planner calls them.
_KINDS = (("a100.*80gb", "a100-80gb"), ("a100", "a100"), ("h100", "h100"), ("v100", "v100"),
          ("tpu v5 ?(lite|e)", "tpu-v5e"), ("^cpu", "cpu"))


@dataclass(frozen=True)
class MeshShape:
    """Named axes, the last one innermost, and the JAX mesh if there are enough devices for it."""

    axes: tuple[tuple[str, int], ...]
    mesh: Optional[Mesh]

    def planner_mesh(self, device: str) -> PlannerMesh:
        return PlannerMesh(dict(self.axes), device=device)

    def __str__(self) -> str:
        return ",".join(f"{name}={size}" for name, size in self.axes)


def mesh_shapes(mesh: MeshLike, devices: Optional[Sequence[Any]]) -> list[MeshShape]:
    """The given mesh, or without one: all devices as one axis, and as every grid of two.

    Raises ValueError when there are fewer devices than were asked for explicitly.
    """
    if isinstance(mesh, Mesh):
        if devices is not None and set(devices) != set(mesh.devices.flat):
            raise ValueError("devices and mesh name different devices; give one of them")
        return [MeshShape(tuple(mesh.shape.items()), Mesh(mesh.devices, mesh.axis_names))]
    if not isinstance(mesh, (AbstractMesh, dict, str, type(None))):
        raise TypeError(f"mesh is {mesh!r}, expected a jax.sharding.Mesh or AbstractMesh, or axes "
                        "such as 'data=2,model=3' or {'data': 2, 'model': 3}")
    available = list(jax.devices() if devices is None else devices)
    if not available:
        raise ValueError("devices is empty")
    for device in available:
        if not isinstance(device, jax.Device):
            raise TypeError(f"devices: {device!r} is not a device of JAX")
    if len(set(available)) < len(available):
        raise ValueError("devices: one of them stands there twice")
    if mesh is not None:
        shape = _axes(mesh)
        wanted = math.prod(size for _, size in shape)
        if devices is not None and wanted != len(available):
            raise ValueError(f"mesh {mesh} has {wanted} devices, but {len(available)} were given")
        return [_on(shape, available[:wanted])]
    return [_on(shape, available) for shape in _grids(len(available))]


def same_axes(mesh: Any, other: Optional[Mesh]) -> bool:
    """Whether two meshes are the same but for the types of their axes."""
    return (isinstance(mesh, Mesh) and other is not None
            and Mesh(mesh.devices, mesh.axis_names) == other)


@contextmanager
def automatic_axes() -> Iterator[None]:
    """Inside jax.set_mesh, axes of type Explicit fix where every array lies before anything is
    planned. Meanwhile they are of type Auto."""
    current = jax.sharding.get_abstract_mesh()
    if current.empty:
        yield
        return
    with jax.sharding.use_abstract_mesh(AbstractMesh(current.axis_sizes, current.axis_names)):
        yield


def price_device(name: Optional[str], devices: Sequence[Any]) -> str:
    """The device whose speed is assumed: the name given, or found by what JAX calls the devices."""
    if name is not None:
        return name
    kind = str(getattr(devices[0], "device_kind", "")) if devices else ""
    return next((known for pattern, known in _KINDS if re.search(pattern, kind, re.IGNORECASE)),
                _DEFAULT_DEVICE)


def memory_of(devices: Sequence[Any]) -> Optional[int]:
    """Bytes of one device that the runtime says it may use; None where it does not say."""
    try:
        stats = devices[0].memory_stats() if devices else None
    except (AttributeError, jax.errors.JaxRuntimeError):
        return None
    return None if stats is None else stats.get("bytes_limit")


def _axes(mesh: Any) -> tuple[tuple[str, int], ...]:
    if isinstance(mesh, AbstractMesh):
        return tuple(mesh.shape.items())
    text = str(PlannerMesh(mesh))  # checks it, and names the axes of "2x3"
    return tuple((name, int(size)) for name, size in
                 (axis.split("=") for axis in text.split(",")))


def _on(axes: tuple[tuple[str, int], ...], devices: Sequence[Any]) -> MeshShape:
    sizes = [size for _, size in axes]
    if len(devices) != math.prod(sizes):
        return MeshShape(axes, None)
    grid = np.array(devices, dtype=object).reshape(sizes)
    return MeshShape(axes, Mesh(grid, [name for name, _ in axes]))  # axes of type Auto


def _grids(count: int) -> list[tuple[tuple[str, int], ...]]:
    pairs = [(outer, count // outer) for outer in range(2, math.isqrt(count) + 1)
             if count % outer == 0]
    return [(("x", count),), *((("x", outer), ("y", inner)) for outer, inner in pairs)]
