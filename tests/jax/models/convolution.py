# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
"""Layers of the image models: convolution, and batch norm with running statistics."""
import jax
import jax.numpy as jnp

from .training import Source

LAYOUT = ("NHWC", "HWIO", "NHWC")


def convolve(x: jax.Array, kernel: jax.Array, stride: int = 1) -> jax.Array:
    return jax.lax.conv_general_dilated(x, kernel, (stride, stride), "SAME",
                                        dimension_numbers=LAYOUT)


def layer_weights(source: Source, size: int, before: int, after: int) -> dict:
    """A convolution and the norm behind it; it has no bias, which the norm would take away."""
    kernel = source.weight(size, size, before, after, fan_in=size * size * before)
    return {"kernel": kernel, "scale": jnp.ones(after), "bias": jnp.zeros(after)}


def layer_statistics(channels: int) -> dict:
    return {"mean": jnp.zeros(channels), "variance": jnp.ones(channels)}


def normalise(weights: dict, running: dict, x: jax.Array) -> tuple[jax.Array, dict]:
    """By the batch's own statistics; the running ones move towards them."""
    mean = jnp.mean(x, (0, 1, 2))
    variance = jnp.mean(jnp.square(x - mean), (0, 1, 2))
    scaled = (x - mean) * jax.lax.rsqrt(variance + 1e-3) * weights["scale"] + weights["bias"]
    return scaled, {"mean": 0.9 * running["mean"] + 0.1 * mean,
                    "variance": 0.9 * running["variance"] + 0.1 * variance}


def layer(weights: dict, running: dict, x: jax.Array, stride: int = 1) -> tuple[jax.Array, dict]:
    return normalise(weights, running, convolve(x, weights["kernel"], stride))


def max_pool(x: jax.Array, size: int) -> jax.Array:
    window = (1, size, size, 1)
    return jax.lax.reduce_window(x, -jnp.inf, jax.lax.max, window, window, "VALID")


def average_pool(x: jax.Array, size: int) -> jax.Array:
    window = (1, size, size, 1)
    return jax.lax.reduce_window(x, 0.0, jax.lax.add, window, window, "VALID") / size**2
