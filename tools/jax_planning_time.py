#!/usr/bin/env python3
# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
"""Plans a training step of Llama 7B from shapes alone, and prints how long each part takes.

    PYTHONPATH=python AUTOSHARD_LIBRARY=.../libautoshard_c.so python3 tools/jax_planning_time.py
"""
import argparse
import resource
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "jax"))

import jax  # noqa: E402
from autoshard.jax import auto_shard  # noqa: E402
from models.llama import Llama, llama_shapes, llama_step  # noqa: E402


def timed(work):
    start, processor = time.perf_counter(), time.process_time()
    result = work()
    return result, time.perf_counter() - start, time.process_time() - processor


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mesh", default="x=8")
    parser.add_argument("--loop", action="store_true", help="32 layers in a row, not by scan")
    parser.add_argument("--memory-limit", default=None)
    options = parser.parse_args()
    sizes = Llama(scanned=not options.loop)
    shapes, step = llama_shapes(sizes), llama_step(sizes)
    limit = {"memory_limit": options.memory_limit} if options.memory_limit else {}
    function = auto_shard(step, mesh=options.mesh, device="a100-80gb", donate_argnums=0, **limit)
    _, tracing, _ = timed(lambda: jax.jit(step, donate_argnums=0).trace(*shapes))
    plan, wall, processor = timed(lambda: function.plan(*shapes))
    print(plan.report().split("\n\nArguments")[0])
    for phase in plan.intra_op.document["planning_phases"]:
        print(f"  {phase['name']:14} {phase['phase_seconds']:8.3f} s")
    print(f"tracing once {tracing:.2f} s; plan, tracing included: wall {wall:.2f} s, "
          f"processor {processor:.2f} s")
    print(f"memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6:.2f} GB")


if __name__ == "__main__":
    main()
