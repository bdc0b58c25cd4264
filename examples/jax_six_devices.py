# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
"""Six devices, a function, plain arrays, and nothing annotated."""
import os

# Where there are no accelerators, JAX makes six devices of the CPU.
os.environ.setdefault("XLA_FLAGS", "--xla_force_host_platform_device_count=6")

import jax
import jax.numpy as jnp
import numpy as np

from autoshard.jax import auto_shard


def attend(x, weights):
    """Self-attention, a normalisation and a feed-forward layer; any function of arrays will do."""
    query, key, value = (jnp.einsum("bth,hnd->btnd", x, weights[name])
                         for name in ("query", "key", "value"))
    x = x + jax.nn.dot_product_attention(query, key, value).reshape(x.shape)
    x = jax.nn.standardize(x)
    return jax.nn.gelu(x @ weights["up"]) @ weights["down"]


def random(*shape):
    return jnp.asarray(generator.normal(size=shape) / shape[0] ** 0.5, jnp.float32)


generator = np.random.default_rng(0)
x = random(12, 64, 384)
weights = {name: random(384, 6, 64) for name in ("query", "key", "value")}
weights |= {"up": random(384, 1536), "down": random(1536, 384)}

# device: whose speed is assumed. By default it is found by the kind of JAX's devices.
sharded = auto_shard(attend, device="cpu")
result = sharded(x, weights)

plan = sharded.plan(x, weights)
print(plan.report())
(x_spec, weight_specs), _ = plan.argument_specs
print("x", x_spec)
for name, spec in weight_specs.items():
    print(name, spec)
print("result", result.sharding.spec, "on", len(result.sharding.device_set), "devices")

expected = jax.jit(attend)(x, weights)
print("equal to one device:", np.allclose(result, expected, atol=1e-4))
