# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
"""Sharding of an arbitrary JAX function, nothing annotated.

    from autoshard.jax import auto_shard
    step = auto_shard(train_step, donate_argnums=0)

See docs/jax.md.
"""
from .errors import InfeasiblePlan, PlanWarning
from .plan import ShardingPlan
from .processes import ProcessesDiffer
from .sharded_function import ShardedFunction, auto_shard

__all__ = ["InfeasiblePlan", "PlanWarning", "ProcessesDiffer", "ShardedFunction", "ShardingPlan",
           "auto_shard"]
