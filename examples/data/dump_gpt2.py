# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
"""Writes a GPT-2 training step with Adam as gzip-compressed HLO text.

    python dump_gpt2.py gpt2_small_adam_loop.hlo.gz --layers-as loop
    python dump_gpt2.py gpt2_small_adam_scan.hlo.gz --layers-as scan

Nothing is computed or allocated: JAX lowers the step from shapes alone. The model is written the way
a model meant for tensor parallelism is: heads are a dimension of their own in the projections, and
the loss needs no gather along the vocabulary.
"""
import argparse
import gzip
import pathlib

import jax
import jax.numpy as jnp


def layer_shapes(width, heads):
    head_dim = width // heads
    return {
        "ln1_scale": (width,), "ln1_bias": (width,),
        "qkv_kernel": (width, 3, heads, head_dim), "qkv_bias": (3, heads, head_dim),
        "out_kernel": (heads, head_dim, width), "out_bias": (width,),
        "ln2_scale": (width,), "ln2_bias": (width,),
        "up_kernel": (width, 4 * width), "up_bias": (4 * width,),
        "down_kernel": (4 * width, width), "down_bias": (width,),
    }


def parameter_shapes(sizes):
    layer = layer_shapes(sizes.width, sizes.heads)
    if sizes.layers_as == "scan":
        layers = {name: (sizes.layers, *shape) for name, shape in layer.items()}
    else:
        layers = [layer] * sizes.layers
    return {
        "token_embedding": (sizes.vocabulary, sizes.width),
        "position_embedding": (sizes.sequence, sizes.width),
        "layers": layers,
        "ln_scale": (sizes.width,), "ln_bias": (sizes.width,),
    }


def layer_norm(x, scale, bias):
    mean = jnp.mean(x, axis=-1, keepdims=True)
    variance = jnp.mean(jnp.square(x - mean), axis=-1, keepdims=True)
    return (x - mean) * jax.lax.rsqrt(variance + 1e-5) * scale + bias


def attention(x, p, causal=True):
    q, k, v = jnp.einsum("bsd,dthk->tbshk", x, p["qkv_kernel"]) + p["qkv_bias"][:, None, None]
    scores = jnp.einsum("bqhk,bshk->bhqs", q, k) / q.shape[-1] ** 0.5
    if causal:
        position = jnp.arange(x.shape[1])
        scores = jnp.where(position[:, None] >= position[None, :], scores, -1e9)
    weights = jax.nn.softmax(scores, axis=-1)
    mixed = jnp.einsum("bhqs,bshk->bqhk", weights, v)
    return jnp.einsum("bqhk,hkd->bqd", mixed, p["out_kernel"]) + p["out_bias"]


def feed_forward(x, p):
    hidden = jax.nn.gelu(x @ p["up_kernel"] + p["up_bias"], approximate=True)
    return hidden @ p["down_kernel"] + p["down_bias"]


def layer(x, p):
    x = x + attention(layer_norm(x, p["ln1_scale"], p["ln1_bias"]), p)
    return x + feed_forward(layer_norm(x, p["ln2_scale"], p["ln2_bias"]), p)


def logits(params, tokens):
    x = params["token_embedding"][tokens] + params["position_embedding"]
    if isinstance(params["layers"], dict):
        x, _ = jax.lax.scan(lambda x, p: (layer(x, p), None), x, params["layers"])
    else:
        for p in params["layers"]:
            x = layer(x, p)
    x = layer_norm(x, params["ln_scale"], params["ln_bias"])
    return jnp.einsum("bsd,vd->bsv", x, params["token_embedding"])


def cross_entropy(scores, labels):
    classes = jax.lax.broadcasted_iota(labels.dtype, scores.shape, 2)
    chosen = jnp.sum(jnp.where(classes == labels[..., None], scores, 0.0), axis=-1)
    return jnp.mean(jax.nn.logsumexp(scores, axis=-1) - chosen)


def adam(params, mu, nu, count, gradients, rate=1e-4, b1=0.9, b2=0.999, epsilon=1e-8):
    count = count + 1
    mu = jax.tree.map(lambda m, g: b1 * m + (1 - b1) * g, mu, gradients)
    nu = jax.tree.map(lambda n, g: b2 * n + (1 - b2) * jnp.square(g), nu, gradients)
    scale1, scale2 = 1 - b1 ** count, 1 - b2 ** count
    params = jax.tree.map(
        lambda p, m, n: p - rate * (m / scale1) / (jnp.sqrt(n / scale2) + epsilon), params, mu, nu)
    return params, mu, nu, count


def train_step(params, mu, nu, count, tokens, labels):
    loss, gradients = jax.value_and_grad(
        lambda params: cross_entropy(logits(params, tokens), labels))(params)
    return *adam(params, mu, nu, count, gradients), loss


def lower_step(train_step, shapes, inputs):
    """One step, lowered; parameters, moments and step count are donated."""
    params = jax.tree.map(lambda shape: jax.ShapeDtypeStruct(shape, jnp.float32), shapes,
                          is_leaf=lambda node: isinstance(node, tuple))
    count = jax.ShapeDtypeStruct((), jnp.int32)
    step = jax.jit(train_step, donate_argnums=(0, 1, 2, 3))
    return step.lower(params, params, params, count, *inputs)


def write(path, text):
    # No time stamp and no file name inside: the same text gives the same bytes.
    path.write_bytes(gzip.compress(text.encode(), mtime=0))


def parser():
    result = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    result.add_argument("output", type=pathlib.Path)
    result.add_argument("--layers-as", choices=["loop", "scan"], default="loop")
    for name, default in [("layers", 12), ("width", 768), ("heads", 12), ("sequence", 1024),
                          ("vocabulary", 50257), ("batch", 8)]:
        result.add_argument(f"--{name}", type=int, default=default)
    return result


def main(arguments=None):
    sizes = parser().parse_args(arguments)
    tokens = jax.ShapeDtypeStruct((sizes.batch, sizes.sequence), jnp.int32)
    lowered = lower_step(train_step, parameter_shapes(sizes), (tokens, tokens))
    write(sizes.output, lowered.as_text(dialect="hlo"))


if __name__ == "__main__":
    main()
