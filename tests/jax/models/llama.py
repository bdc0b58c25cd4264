# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
"""A training step of the size and shape of Llama 7B, for planning only: rotary positions, gated
feed-forward, root-mean-square norms, bfloat16 products, rematerialised layers, Adam in float32.

Sizes: Touvron et al., LLaMA, 2023, table 2.
"""
from dataclasses import dataclass
from typing import Any, Callable

import jax
import jax.numpy as jnp

from .training import adam_update

LOW = jnp.bfloat16


@dataclass(frozen=True)
class Llama:
    vocabulary: int = 32000
    hidden: int = 4096
    feedforward: int = 11008
    layers: int = 32
    heads: int = 32
    length: int = 2048
    batch: int = 8
    scanned: bool = True  # the layers stacked, by lax.scan; otherwise one after the other

    @property
    def head(self) -> int:
        return self.hidden // self.heads


def norm(x: jax.Array, gain: jax.Array) -> jax.Array:
    wide = x.astype(jnp.float32)
    scale = jax.lax.rsqrt(jnp.mean(wide * wide, -1, keepdims=True) + 1e-5)
    return (wide * scale * gain).astype(x.dtype)


def rotated(x: jax.Array) -> jax.Array:
    half = x.shape[-1] // 2
    angles = jnp.arange(x.shape[1])[:, None] / 10000.0 ** (jnp.arange(half) / half)
    cosine, sine = (f(angles)[None, :, None].astype(x.dtype) for f in (jnp.cos, jnp.sin))
    left, right = x[..., :half], x[..., half:]
    return jnp.concatenate([left * cosine - right * sine, left * sine + right * cosine], -1)


def attention(sizes: Llama, x: jax.Array, weights: dict) -> jax.Array:
    def heads(name: str) -> jax.Array:
        return (x @ weights[name].astype(LOW)).reshape(*x.shape[:2], sizes.heads, sizes.head)

    scores = jnp.einsum("bqhd,bkhd->bhqk", rotated(heads("q")), rotated(heads("k")))
    allowed = jnp.tril(jnp.ones((sizes.length, sizes.length), bool))
    scores = jnp.where(allowed, scores.astype(jnp.float32) / sizes.head ** 0.5, -1e9)
    mixed = jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(scores).astype(LOW), heads("v"))
    return mixed.reshape(x.shape) @ weights["o"].astype(LOW)


def layer(sizes: Llama, x: jax.Array, weights: dict) -> jax.Array:
    x = x + attention(sizes, norm(x, weights["norm_1"]), weights)
    inner = norm(x, weights["norm_2"])
    gated = jax.nn.silu(inner @ weights["gate"].astype(LOW)) * (inner @ weights["up"].astype(LOW))
    return x + gated @ weights["down"].astype(LOW)


def loss(sizes: Llama, params: dict, tokens: jax.Array) -> jax.Array:
    x = params["embedding"].astype(LOW)[tokens]
    apply = jax.checkpoint(lambda x, weights: layer(sizes, x, weights))
    if sizes.scanned:
        x, _ = jax.lax.scan(lambda x, weights: (apply(x, weights), None), x, params["layers"])
    else:
        for weights in params["layers"]:
            x = apply(x, weights)
    logits = (norm(x, params["norm"]) @ params["output"].astype(LOW)).astype(jnp.float32)
    log_probabilities = jax.nn.log_softmax(logits[:, :-1])
    return -jnp.mean(jnp.take_along_axis(log_probabilities, tokens[:, 1:, None], -1))


def llama_step(sizes: Llama) -> Callable:
    def step(state: dict, tokens: jax.Array) -> tuple:
        value, gradients = jax.value_and_grad(lambda params: loss(sizes, params, tokens))(
            state["params"])
        return adam_update(state, gradients), value

    return step


def llama_shapes(sizes: Llama) -> tuple[Any, Any]:
    """State and tokens, without a single number."""
    def weight(*shape: int) -> jax.ShapeDtypeStruct:
        return jax.ShapeDtypeStruct(shape, jnp.float32)

    square, wide = (sizes.hidden, sizes.hidden), (sizes.hidden, sizes.feedforward)
    shapes = {"norm_1": (sizes.hidden,), "norm_2": (sizes.hidden,), "q": square, "k": square,
              "v": square, "o": square, "gate": wide, "up": wide, "down": wide[::-1]}
    stack = (sizes.layers,) if sizes.scanned else ()
    one = {name: weight(*stack, *shape) for name, shape in shapes.items()}
    params = {"embedding": weight(sizes.vocabulary, sizes.hidden), "norm": weight(sizes.hidden),
              "output": weight(sizes.hidden, sizes.vocabulary),
              "layers": one if sizes.scanned else [one] * sizes.layers}
    count = jax.ShapeDtypeStruct((), jnp.int32)
    state = {"params": params, "mean": params, "square": params, "count": count}
    return state, jax.ShapeDtypeStruct((sizes.batch, sizes.length), jnp.int32)
