# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
"""Writes the training steps that the tests plan, as gzip-compressed HLO text, beside itself.

    python dump_models.py            # all of them
    python dump_models.py mlp_wide   # by name

Small models with known best shardings: a multilayer perceptron, a BERT-like encoder, a tied
embedding, convolutions, and GPT-2 shrunk. Their parts are those of examples/data/dump_gpt2.py. A name that ends
in _xla is printed as XLA prints it, one in _optimized as XLA compiles it for the machine at hand.
"""
import argparse
import functools
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "examples" / "data"))

import jax
import jax.numpy as jnp

import dump_gpt2
from dump_gpt2 import adam, attention, cross_entropy, feed_forward, layer_norm


def train_step(loss):
    def step(params, mu, nu, count, inputs, targets):
        value, gradients = jax.value_and_grad(lambda params: loss(params, inputs, targets))(params)
        return *adam(params, mu, nu, count, gradients), value
    return step


def squared_error(model, params, inputs, targets):
    return jnp.mean(jnp.square(model(params, inputs) - targets))


def mlp(batch, width, layers):
    def model(params, x):
        for p in params:
            x = jax.nn.relu(x @ p["kernel"] + p["bias"])
        return x

    shapes = [{"kernel": (width, width), "bias": (width,)}] * layers
    data = jax.ShapeDtypeStruct((batch, width), jnp.float32)
    step = train_step(functools.partial(squared_error, model))
    return dump_gpt2.lower_step(step, shapes, (data, data))


def bert(batch, sequence, width, heads, layers):
    """Layers with the normalisation after each addition and no mask, on embedded tokens."""
    def model(params, x):
        for p in params:
            x = layer_norm(x + attention(x, p, causal=False), p["ln1_scale"], p["ln1_bias"])
            x = layer_norm(x + feed_forward(x, p), p["ln2_scale"], p["ln2_bias"])
        return x

    shapes = [dump_gpt2.layer_shapes(width, heads)] * layers
    data = jax.ShapeDtypeStruct((batch, sequence, width), jnp.float32)
    step = train_step(functools.partial(squared_error, model))
    return dump_gpt2.lower_step(step, shapes, (data, data))


def embedding(batch, sequence, width, vocabulary):
    """Looks tokens up and predicts them with the same table."""
    def loss(params, tokens, labels):
        x = params["embedding"][tokens]
        return cross_entropy(jnp.einsum("bsd,vd->bsv", x, params["embedding"]), labels)

    tokens = jax.ShapeDtypeStruct((batch, sequence), jnp.int32)
    return dump_gpt2.lower_step(train_step(loss), {"embedding": (vocabulary, width)},
                                (tokens, tokens))


def convolve(x, kernel, stride=1, groups=1):
    return jax.lax.conv_general_dilated(x, kernel, (stride, stride), "SAME",
                                        dimension_numbers=("NHWC", "HWIO", "NHWC"),
                                        feature_group_count=groups)


def pool(x, initial, combine):
    window = (1, 2, 2, 1)
    return jax.lax.reduce_window(x, initial, combine, window, window, "VALID")


def convolutions(batch, side, width, classes):
    """One convolution of each sort and both poolings, on images."""
    def model(params, x):
        x = jax.nn.relu(convolve(x, params["full"]) + params["full_bias"])
        x = pool(x, -jnp.inf, jax.lax.max)
        x = convolve(x, params["depthwise"], stride=2, groups=width)
        x = jax.nn.relu(convolve(x, params["pointwise"]) + params["pointwise_bias"])
        x = jax.nn.relu(convolve(x, params["grouped"], groups=2))
        x = pool(x, 0.0, jax.lax.add) / 4
        return jnp.einsum("bhwc,hwck->bk", x, params["classifier"])

    left = side // 8
    shapes = {
        "full": (3, 3, 3, width), "full_bias": (width,),
        "depthwise": (3, 3, 1, width),
        "pointwise": (1, 1, width, 2 * width), "pointwise_bias": (2 * width,),
        "grouped": (3, 3, width, 2 * width),
        "classifier": (left, left, 2 * width, classes),
    }
    images = jax.ShapeDtypeStruct((batch, side, side, 3), jnp.float32)
    labels = jax.ShapeDtypeStruct((batch, classes), jnp.float32)
    step = train_step(functools.partial(squared_error, model))
    return dump_gpt2.lower_step(step, shapes, (images, labels))


def many_constructs():
    """A loop, a sort, random bits and a branch: no training step, only text to read."""
    def function(x, weights):
        y, _ = jax.lax.scan(lambda y, w: (jnp.tanh(y @ w), None), x, weights)
        noise = jax.random.normal(jax.random.key(0), (4,))
        branch = jax.lax.cond(x[0, 0] > 0, lambda: x, lambda: x + 1)
        return jnp.sort(y)[:, ::2].astype(jnp.bfloat16), noise, branch

    shapes = [jax.ShapeDtypeStruct(shape, jnp.float32) for shape in [(4, 8), (3, 8, 8)]]
    return jax.jit(function).lower(*shapes)


def gpt2(layers_as, layers, width, heads, sequence, vocabulary, batch):
    sizes = argparse.Namespace(layers_as=layers_as, layers=layers, width=width, heads=heads,
                               vocabulary=vocabulary, sequence=sequence)
    tokens = jax.ShapeDtypeStruct((batch, sequence), jnp.int32)
    return dump_gpt2.lower_step(dump_gpt2.train_step, dump_gpt2.parameter_shapes(sizes),
                                (tokens, tokens))


TINY = {"layers": 2, "width": 32, "heads": 4, "sequence": 16, "vocabulary": 64, "batch": 8}

MODELS = {
    "mlp": functools.partial(mlp, batch=256, width=32, layers=6),
    "mlp_wide": functools.partial(mlp, batch=32, width=256, layers=6),
    "bert_layer": functools.partial(bert, batch=8, sequence=8, width=128, heads=8, layers=1),
    "bert_two_layers": functools.partial(bert, batch=8, sequence=8, width=128, heads=8, layers=2),
    "bert_long": functools.partial(bert, batch=64, sequence=64, width=32, heads=8, layers=2),
    "embedding": functools.partial(embedding, batch=8, sequence=8, width=8, vocabulary=1024),
    "convolutions": functools.partial(convolutions, batch=8, side=16, width=4, classes=4),
    "gpt2_tiny_loop": functools.partial(gpt2, layers_as="loop", **TINY),
    "gpt2_tiny_scan": functools.partial(gpt2, layers_as="scan", **TINY),
    "gpt2_tiny_scan_xla": functools.partial(gpt2, layers_as="scan", **TINY),
    "many_constructs_optimized": many_constructs,
}


def text(name):
    # Stack frames would put the paths of this machine into XLA's text.
    jax.config.update("jax_traceback_in_locations_limit", 0)
    lowered = MODELS[name]()
    if name.endswith("_optimized"):
        return lowered.compile().as_text()
    if name.endswith("_xla"):
        return lowered.compiler_ir("hlo").as_hlo_module().to_string()
    return lowered.as_text(dialect="hlo")


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*", default=list(MODELS), metavar="MODEL")
    for name in parser.parse_args().models:
        dump_gpt2.write(HERE / f"{name}.hlo.gz", text(name))


if __name__ == "__main__":
    main()
