# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
"""auto_shard: a function of arrays becomes one that runs on all devices."""
from __future__ import annotations

import functools
import warnings
from typing import Any, Callable, Optional, Sequence

import jax
from jax.sharding import NamedSharding

from ..options import OptionValue
from .arrays import without_sharding
from .devices import (MeshLike, automatic_axes, memory_of, mesh_shapes, price_device,
                      same_axes)
from .errors import PlanWarning
from .layout import spec_text
from .plan import ShardingPlan
from .planning import plan_traced
from .signature import Call, Names, Positions, Signature
from .step import Step


def auto_shard(function: Callable, devices: Optional[Sequence[Any]] = None,
               mesh: MeshLike = None, *, static_argnums: Positions = None,
               static_argnames: Names = None, donate_argnums: Positions = None,
               donate_argnames: Names = None, inputs: str = "replan", state: bool = True,
               device: Optional[str] = None, **options: OptionValue) -> "ShardedFunction":
    """Splits a function over devices: its arguments, its results and everything between.

        step = autoshard.jax.auto_shard(train_step, donate_argnums=0)
        for batch in data:
            state, loss = step(state, batch)

    At the first call per shapes the function is traced, planned and compiled; arguments are put
    where the plan wants them. Results stay split, and a result that has the structure of an
    argument (the new parameters) keeps that argument's sharding, so the next step moves nothing.

    devices: those to use, default all of JAX's. mesh: a jax.sharding.Mesh, or axes such as
    "data=2,model=3" or {"data": 2, "model": 3}; without one, all devices as one axis and every
    grid of two axes are planned, and the fastest is taken. An AbstractMesh, or axes of more
    devices than there are, can be planned but not run.

    static_argnums, static_argnames, donate_argnums, donate_argnames: as for jax.jit.
    inputs: "replan" moves arguments that are already split to where the plan wants them; "keep"
    plans around them as they lie (only those over this same mesh).
    state: whether results are matched with arguments as described.
    device: whose speed is assumed (autoshard.device_names()); found by the kind of JAX's devices,
    else "a100".
    options: those of docs/options.md, such as memory_limit="16GB", time_limit=10. Without
    memory_limit, what the devices report is the limit, if they report it.

    Raises ValueError for unusable meshes and options, InfeasiblePlan when memory does not suffice.
    """
    return ShardedFunction(function, devices, mesh, static_argnums, static_argnames,
                           donate_argnums, donate_argnames, inputs, state, device, options)


class ShardedFunction:
    """What auto_shard returns; call it like the function."""

    def __init__(self, function: Callable, devices: Any, mesh: MeshLike,
                 static_argnums: Positions, static_argnames: Names, donate_argnums: Positions,
                 donate_argnames: Names, inputs: str, state: bool, device: Optional[str],
                 options: dict[str, OptionValue]) -> None:
        if inputs not in ("replan", "keep"):
            raise ValueError(f"inputs is '{inputs}', expected 'replan' or 'keep'")
        self._signature = Signature(function, static_argnums, static_argnames)
        self._jitted = jax.jit(function, static_argnums=static_argnums,
                               static_argnames=static_argnames, donate_argnums=donate_argnums,
                               donate_argnames=donate_argnames)
        self._shapes = mesh_shapes(mesh, devices)
        first = self._shapes[0].mesh
        used = [] if first is None else list(first.devices.flat)
        self._device = price_device(device, used)
        self._options = dict(options)
        limit = memory_of(used)
        if limit is not None:
            self._options.setdefault("memory_limit", limit)
        self._keep, self._state = inputs == "keep", state
        self._steps: dict[Any, Step] = {}
        functools.update_wrapper(self, function, updated=())

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        call = self._call(args, kwargs)
        if any(isinstance(leaf, jax.core.Tracer) for leaf in call.leaves):
            raise TypeError(f"{self._name()} was called inside another transformation of JAX; "
                            "auto_shard must be the outermost one: auto_shard(jax.grad(f))")
        return self._step(call, args, kwargs)(call.leaves)

    def plan(self, *args: Any, **kwargs: Any) -> ShardingPlan:
        """The plan for such arguments, which may be jax.ShapeDtypeStruct. Runs nothing."""
        return self._step(self._call(args, kwargs), args, kwargs).plan

    def lower(self, *args: Any, **kwargs: Any) -> jax.stages.Lowered:
        """The lowered function. It takes the arguments without the static ones, lying as planned."""
        return self._step(self._call(args, kwargs), args, kwargs).lower()

    def compiled(self, *args: Any, **kwargs: Any) -> jax.stages.Compiled:
        """What a call with such arguments runs; compiles it if need be."""
        return self._step(self._call(args, kwargs), args, kwargs).compiled

    def __repr__(self) -> str:
        return f"auto_shard({self._name()})"

    def _name(self) -> str:
        return getattr(self, "__name__", "the function")

    def _call(self, args: tuple, kwargs: dict[str, Any]) -> Call:
        call = self._signature.call(args, kwargs)
        if not self._keep:
            return call
        return Call(call.leaves, (call.key, tuple(self._pin(leaf) for leaf in call.leaves)))

    def _pin(self, leaf: Any) -> Optional[str]:
        """How an argument lies on the mesh already."""
        sharding = getattr(leaf, "sharding", None)
        if not self._keep or not isinstance(sharding, NamedSharding) or leaf.size == 0:
            return None
        if jax.dtypes.issubdtype(leaf.dtype, jax.dtypes.prng_key):
            return None  # whole in any case
        if not any(same_axes(sharding.mesh, shape.mesh) for shape in self._shapes):
            return None
        return spec_text(sharding.spec, leaf.ndim)

    def _step(self, call: Call, args: tuple, kwargs: dict[str, Any]) -> Step:
        if call.key not in self._steps:
            shapes, named = self._signature.map(without_sharding, args, kwargs)
            with automatic_axes():
                traced = self._jitted.trace(*shapes, **named)
            planned = plan_traced(traced, self._shapes, self._device,
                                  [self._pin(leaf) for leaf in call.leaves], self._options,
                                  self._state)
            for text in [*planned.program.dropped, *planned.where.refused, *planned.plan.warnings]:
                warnings.warn(f"{self._name()}: {text}", PlanWarning, stacklevel=3)
            self._steps[call.key] = Step(self._name(), traced, planned)
        return self._steps[call.key]
