# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
"""One of several processes that train together.

    python training_process.py NUMBER COUNT PORT GAP FILE

Writes a loss per step to FILE, since the library of the collectives writes to the standard output.
GAP is an option of the solver, which has to be the same everywhere.
"""
import os
import sys

number, count, port, gap = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], float(sys.argv[4])
os.environ["XLA_FLAGS"] = f"--xla_force_host_platform_device_count={8 // count}"
os.environ["JAX_PLATFORMS"] = "cpu"

import jax  # noqa: E402  (the number of devices has to stand in the environment first)
from models import MODELS  # noqa: E402

from autoshard.jax import ProcessesDiffer, auto_shard  # noqa: E402

if count > 1:
    jax.distributed.initialize(f"127.0.0.1:{port}", count, number)
model = MODELS["mlp"]
step = auto_shard(model.step, device="cpu", donate_argnums=model.donate_argnums, gap_target=gap)
state, *batch = model.make_arguments(0)
with open(sys.argv[5], "w", encoding="utf-8") as out:
    try:
        for _ in range(3):
            state, loss = step(state, *batch)
            print(float(loss), file=out)
        split = any(not leaf.sharding.is_fully_replicated for leaf in jax.tree.leaves(state))
        print(len(jax.devices()), split, file=out)
    except ProcessesDiffer as error:
        print(f"ProcessesDiffer: {error}", file=out)
