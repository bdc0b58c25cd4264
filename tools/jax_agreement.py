#!/usr/bin/env python3
# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
"""Prints the table "Plans and what XLA made of them" of docs/xla.md.

    PYTHONPATH=python AUTOSHARD_LIBRARY=.../libautoshard_c.so python3 tools/jax_agreement.py

Plans the training steps of tests/jax/models on virtual CPU devices, compiles them, and compares.
Nothing is run.
"""
import argparse
import os
import sys
from pathlib import Path

KINDS = ("all-reduce", "all-gather", "reduce-scatter", "all-to-all", "collective-permute")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--devices", type=int, nargs="+", default=[6, 8])
    parser.add_argument("--models", nargs="*", help="names; default: all")
    return parser.parse_args()


def pair(found, kind):
    planned, compiled = found.planned.get(kind, 0), found.compiled.get(kind, 0)
    return f"{planned / 1e3:.1f}" + ("" if planned == compiled else f" / {compiled / 1e3:.1f}")


def main():
    options = arguments()
    flag = f"--xla_force_host_platform_device_count={max(options.devices)}"
    os.environ["XLA_FLAGS"] = f"{os.environ.get('XLA_FLAGS', '')} {flag}".strip()
    sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "jax"))
    import jax
    from autoshard.jax import auto_shard
    from autoshard.jax.agreement import agreement
    from models import MODELS

    heads = ["devices", "model", "mesh", *KINDS, "difference", "arguments", "results", "temporary"]
    print("| " + " | ".join(heads) + " |")
    print("|---" * len(heads) + "|")
    for count in options.devices:
        for name in options.models or MODELS:
            model = MODELS[name]
            shapes = jax.eval_shape(lambda: model.make_arguments(0))
            function = auto_shard(model.step, jax.devices()[:count], device="cpu",
                                  donate_argnums=model.donate_argnums)
            plan = function.plan(*shapes)
            found = agreement(plan, function.compiled(*shapes))
            axes = "x".join(str(size) for size in plan.mesh_axes.values())
            equal = [f"{planned / 1e3:.1f}" + ("" if planned == compiled else
                                               f" / {compiled / 1e3:.1f}")
                     for planned, compiled in (found.argument_bytes, found.result_bytes,
                                               found.temporary_bytes)]
            print(f"| {count} | {name} | {axes} | "
                  + " | ".join(pair(found, kind) for kind in KINDS)
                  + f" | {100 * found.deviation:.1f} % | " + " | ".join(equal) + " |", flush=True)


if __name__ == "__main__":
    main()
