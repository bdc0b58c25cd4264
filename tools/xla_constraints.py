#!/usr/bin/env python3
# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
"""Prints what XLA makes of sharding constraints, as the tables of docs/xla.md.

    PYTHONPATH=python AUTOSHARD_LIBRARY=path/to/libautoshard_c.so python3 tools/xla_constraints.py

Each case compiles a small function on virtual CPU devices and compares the collectives of the
compiled module, after the normalisation of docs/xla.md, with those that one would plan. `--gspmd`
uses the partitioner before Shardy, `--only TEXT` takes the cases whose title or section has TEXT.
"""
from __future__ import annotations

import argparse
import contextlib
import os
import sys
import tempfile

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"
os.environ.setdefault("JAX_PLATFORMS", "cpu")

import jax  # noqa: E402  after the number of devices
import jax.numpy as jnp  # noqa: E402
import jaxlib  # noqa: E402
import numpy as np  # noqa: E402
from jax.sharding import AxisType, Mesh, NamedSharding, PartitionSpec  # noqa: E402
import xla_constraint_more_cases  # noqa: E402, F401  adds its cases
from xla_constraint_cases import CASES, Case  # noqa: E402

from autoshard.jax.compiled_collectives import (  # noqa: E402
    Collective, compiled_collectives, normalised)


class Constrainer:
    """`c(x, *spec)` in the cases."""

    def __init__(self, mesh: Mesh) -> None:
        self.mesh = mesh

    def sharding(self, spec: tuple) -> NamedSharding:
        return NamedSharding(self.mesh, PartitionSpec(*spec))

    def __call__(self, x: jax.Array, *spec) -> jax.Array:
        return jax.lax.with_sharding_constraint(x, self.sharding(spec))


def mesh_of(text: str) -> Mesh:
    shape = tuple(int(size) for size in text.split("x"))
    names = ("x",) if len(shape) == 1 else ("a", "b")
    devices = np.array(jax.devices()[:int(np.prod(shape))]).reshape(shape)
    return Mesh(devices, names, axis_types=(AxisType.Auto,) * len(shape))


@contextlib.contextmanager
def captured_messages(messages: list[str]):
    """What C++ writes to standard error meanwhile."""
    sys.stderr.flush()
    kept = os.dup(2)
    with tempfile.TemporaryFile() as file:
        os.dup2(file.fileno(), 2)
        try:
            yield
        finally:
            os.dup2(kept, 2)
            os.close(kept)
            file.seek(0)
            messages.append(file.read().decode(errors="replace"))


def compiled(case: Case):
    c = Constrainer(mesh_of(case.mesh))
    arguments = [jax.ShapeDtypeStruct(shape, dtype[0] if dtype else jnp.float32,
                                      sharding=c.sharding(spec))
                 for shape, spec, *dtype in case.arguments]
    return jax.jit(lambda *given: case.function(c, *given)).lower(*arguments).compile()


def listed(collectives: list[Collective]) -> str:
    return ", ".join(f"{each.kind}/{each.group_size} {each.buffer_bytes}"
                     + (f" x{each.count}" if each.count > 1 else "")
                     for each in collectives) or "none"


def row(case: Case) -> str:
    messages: list[str] = []
    with captured_messages(messages):
        try:
            text = compiled(case).as_text()
        except ValueError:
            return _row(case, "**no**", "refused by JAX")
    found, raw = listed(normalised(text)), listed(compiled_collectives(text))
    as_planned = sorted(found.split(", ")) == sorted(case.planned.split(", "))
    shown = found if raw == found else f"{found} (as {raw})"
    if "rematerialization" in messages[0]:
        shown, as_planned = shown + "; warns of rematerialisation", False
    return _row(case, "yes" if as_planned else "**no**", shown)


def _row(case: Case, as_planned: str, found: str) -> str:
    planned = "the same" if as_planned == "yes" else case.planned
    return f"| {case.mesh} | {case.title} | {found} | {as_planned} | {planned} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--gspmd", action="store_true", help="not Shardy")
    parser.add_argument("--only", default="", help="cases whose title or section contains this")
    options = parser.parse_args()
    if options.gspmd:
        jax.config.update("jax_use_shardy_partitioner", False)
    shardy = jax.config.jax_use_shardy_partitioner
    print(f"jax {jax.__version__}, jaxlib {jaxlib.__version__}, "
          f"partitioner {'Shardy' if shardy else 'GSPMD'}")
    section = None
    for case in CASES:
        if options.only not in case.title and options.only not in case.section:
            continue
        if case.section != section:
            section = case.section
            print(f"\n**{section}**\n\n| mesh | case | XLA emits | as planned | planned |\n"
                  "|---|---|---|---|---|")
        print(row(case), flush=True)


if __name__ == "__main__":
    main()
