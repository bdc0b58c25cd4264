# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
"""Cases of `xla_constraints.py`: convolutions, loops, uneven sizes, types, repeated constraints."""
from __future__ import annotations

import jax
import jax.numpy as jnp
from jax import lax
from xla_constraint_cases import case, settle, w_of, x_of

CONVOLUTION = "Convolution [24,16,16,48] with [3,3,48,96] and its gradients"
LAST = (None, None, None)


def convolve(x, w, stride=1):
    return lax.conv_general_dilated(x, w, (stride, stride), "SAME",
                                    dimension_numbers=("NHWC", "HWIO", "NHWC"))


def image(*spec):
    return (24, 16, 16, 48), spec


def kernel(*spec):
    return (3, 3, 48, 96), spec


def cotangent(*spec, size=16):
    return (24, size, size, 96), spec


def forward(mesh: str, title: str, planned: str, x, w, *specs) -> None:
    case(CONVOLUTION, mesh, title, planned, x, w)(
        lambda c, x, w: settle(c, convolve(x, w), *specs))


def backward(of: int, mesh: str, title: str, planned: str, x, w, g, *specs) -> None:
    """The gradient of operand `of`."""
    stride = x[0][1] // g[0][1]
    case(CONVOLUTION, mesh, title, planned, x, w, g)(lambda c, x, w, g: settle(
        c, jax.vjp(lambda x, w: convolve(x, w, stride), x, w)[1](g)[of], *specs))


forward("8", "batch split", "none", image("x"), kernel(), ("x",))
forward("8", "output features split", "none", image(), kernel(*LAST, "x"), (*LAST, "x"))
forward("8", "input features split -> replicated", "all-reduce/8 2359296", image(*LAST, "x"),
        kernel(None, None, "x"), ())
forward("8", "input features split -> batch", "reduce-scatter/8 2359296", image(*LAST, "x"),
        kernel(None, None, "x"), ("x",))
forward("8", "height split: halo", "collective-permute/8 73728, collective-permute/8 73728",
        image(None, "x"), kernel(), (None, "x"))
backward(1, "8", "kernel: batch split -> replicated", "all-reduce/8 165888", image("x"), kernel(),
         cotangent("x"), ())
backward(1, "8", "kernel: batch split -> output features", "reduce-scatter/8 165888", image("x"),
         kernel(), cotangent("x"), (*LAST, "x"))
backward(1, "8", "kernel, stride 2: batch split", "all-reduce/8 165888", image("x"), kernel(),
         cotangent("x", size=8), ())
backward(1, "2x4", "kernel: batch a, output features b", "all-reduce/2 41472", image("a"),
         kernel(*LAST, "b"), cotangent("a", None, None, "b"), (*LAST, "b"))
backward(0, "8", "input, stride 2: batch split", "none", image("x"), kernel(),
         cotangent("x", size=8), ("x",))
backward(0, "8", "input: output features split", "all-reduce/8 1179648", image(),
         kernel(*LAST, "x"), cotangent(*LAST, "x"), ())
backward(0, "2x4", "input: batch a, output features b", "all-reduce/4 589824", image("a"),
         kernel(*LAST, "b"), cotangent("a", None, None, "b"), ("a",))


@case(CONVOLUTION, "8", "gradient of max pool: batch split", "none", image("x"),
      ((24, 8, 8, 48), ("x",)))
def _(c, x, g):
    window = (1, 2, 2, 1)
    return c(jax.vjp(lambda x: lax.reduce_window(x, -jnp.inf, lax.max, window, window, "VALID"),
                     x)[1](g)[0], "x")


LOOPS = "Scan over 4 layers of h[48,96] w[96,96]"


def stack(*spec, layers=4):
    return (layers, 96, 96), spec


def scanned(c, x, stacked, use):
    def body(h, w):
        return c(jnp.tanh(h @ use(w)), "x"), None
    return c(lax.scan(body, c(x, "x"), stacked)[0], "x")


@case(LOOPS, "8", "weights split inside a layer, gathered in the body", "all-gather/8 36864 x4",
      x_of("x"), stack(None, "x"))
def _(c, x, stacked):
    return scanned(c, x, stacked, c)


@case(LOOPS, "8", "weights split over the layers", "all-gather/8 36864 x8", x_of("x"),
      stack("x", layers=8))
def _(c, x, stacked):
    return scanned(c, x, stacked, c)


@case(LOOPS, "8", "one weight for all layers, gathered in the body", "all-gather/8 36864 x4",
      x_of("x"), ((96, 96), ("x",)))
def _(c, x, w):
    return c(lax.scan(lambda h, _: (c(jnp.tanh(h @ c(w)), "x"), None), c(x, "x"), None,
                      length=4)[0], "x")


@case(LOOPS, "8", "columns then rows split in the body", "all-reduce/8 18432 x4", x_of(),
      stack(None, None, "x"), stack(None, "x"))
def _(c, x, up, down):
    def body(h, w):
        inner = c(jnp.tanh(c(h @ w[0], None, "x")), None, "x")
        return c(inner @ w[1]), None
    return c(lax.scan(body, c(x), (up, down))[0])


def there_and_back(c, x, first):
    """The carry is split into rows, the body's work into columns."""
    def body(h, _):
        return c(c(jnp.tanh(c(first(h), None, "x")), None, "x"), "x"), None
    return c(lax.scan(body, c(x, "x"), None, length=4)[0], "x")


TWICE_IN_BODY = "all-to-all/8 2304 x4, all-to-all/8 2304 x4"


@case(LOOPS, "8", "carry rows, body columns", TWICE_IN_BODY, x_of("x"))
def _(c, x):
    return there_and_back(c, x, lambda h: h)


@case(LOOPS, "8", "... the body's parameter constrained to rows first", TWICE_IN_BODY, x_of("x"))
def _(c, x):
    return there_and_back(c, x, lambda h: c(h, "x"))


def summed_gradient(c, x, stacked, use):
    return jax.grad(lambda stacked: jnp.sum(scanned(c, x, stacked, use) ** 2))(stacked)


@case(LOOPS, "8", "gradient, batch split", "all-reduce/8 36864 x4", x_of("x"), stack())
def _(c, x, stacked):
    return c(summed_gradient(c, x, stacked, c))


@case(LOOPS, "8", "gradient, one weight for all layers, batch split", "all-reduce/8 36864",
      x_of("x"), ((96, 96), ()))
def _(c, x, w):
    def loss(w):
        return jnp.sum(lax.scan(lambda h, _: (c(jnp.tanh(h @ w), "x"), None), c(x, "x"), None,
                                length=4)[0] ** 2)
    return c(jax.grad(loss)(w))


@case(LOOPS, "8", "gradient, weights split: gathered twice, scattered",
      "all-gather/8 36864 x4, all-gather/8 36864 x4, reduce-scatter/8 36864 x4", x_of("x"),
      stack(None, "x"))
def _(c, x, stacked):
    @jax.custom_vjp
    def product(h, w):
        return c(h @ c(w), "x")

    def backward(residuals, g):
        h, w = residuals
        return c(g @ c(c(w, "x")).T, "x"), c(h.T @ g, "x")
    product.defvjp(lambda h, w: (product(h, w), (h, w)), backward)

    def loss(stacked):
        return jnp.sum(lax.scan(lambda h, w: (jnp.tanh(product(h, w)), None), c(x, "x"),
                                stacked)[0] ** 2)
    return c(jax.grad(loss)(stacked), None, "x")


UNEVEN = "Sizes that do not divide: 7 over 6 devices"


@case(UNEVEN, "6", "argument [7,5] split", "none", ((7, 5), ("x",)))
def _(c, x):
    return jnp.tanh(x)


@case(UNEVEN, "6", "result [7,5] constrained split", "none", ((7, 5), ()))
def _(c, x):
    return c(jnp.sin(x), "x")


@case(UNEVEN, "6", "intermediate [7,5] split, then gathered", "all-gather/6 240", ((7, 5), ()))
def _(c, x):
    return c(jnp.tanh(c(jnp.sin(x), "x")))


@case(UNEVEN, "6", "contraction of 7 split", "all-reduce/6 864", ((12, 7), ()), ((7, 18), ()))
def _(c, x, w):
    return c(c(jnp.sin(x), None, "x") @ c(jnp.sin(w), "x"))


@case(UNEVEN, "6", "contraction of 12 -> 7 rows split, then gathered",
      "reduce-scatter/6 504, all-gather/6 864", ((7, 12), (None, "x")), ((12, 18), ("x",)))
def _(c, x, w):
    return c(jnp.tanh(c(x @ w, "x")))


@case(UNEVEN, "6", "[7,20] rows -> columns, then gathered", "all-to-all/6 192, all-gather/6 672",
      ((7, 20), ()))
def _(c, x):
    return c(jnp.tanh(c(c(jnp.sin(x), "x"), None, "x")))


OTHER = "Repeated constraints, combined collectives, types"


@case(OTHER, "8", "w[96,96] constrained replicated twice", "all-gather/8 36864", x_of("x"),
      ((96, 96), ("x",)))
def _(c, x, w):
    return c(jnp.tanh(c(x @ c(w), "x")) @ c(w).T, "x")


@case(OTHER, "8", "... the second time through its own spec",
      "all-gather/8 36864, all-gather/8 36864", x_of("x"), ((96, 96), ("x",)))
def _(c, x, w):
    return c(jnp.tanh(c(x @ c(w), "x")) @ c(c(w, "x")).T, "x")


@case(OTHER, "8", "four sums [96] over the batch", ", ".join(["all-reduce/8 384"] * 4),
      *[x_of("x")] * 4)
def _(c, *arrays):
    return tuple(c(jnp.sum(array, 0)) for array in arrays)


@case(OTHER, "8", "reduce-scatter, an update of the shard, all-gather",
      "reduce-scatter/8 73728, all-gather/8 73728", x_of("x"), ((48, 192), ("x",)), w_of("x"))
def _(c, x, g, m):
    m = c(0.9 * m + c(x.T @ g, "x"), "x")
    return m, c(m * 0.1)


def half(shape, *spec):
    return shape, spec, jnp.bfloat16


@case(OTHER, "8", "bfloat16 contraction split -> replicated", "all-reduce/8 18432",
      half((48, 96), None, "x"), half((96, 192), "x"))
def _(c, x, w):
    return c(x @ w)


@case(OTHER, "8", "bfloat16 weight gathered", "all-gather/8 36864", half((48, 96), "x"),
      half((96, 192), "x"))
def _(c, x, w):
    return c(x @ c(w), "x")


@case(OTHER, "8", "bfloat16 rows -> columns", "all-to-all/8 1152", half((48, 96), "x"))
def _(c, x):
    return c(c(jnp.tanh(x), "x"), None, "x")


@case(OTHER, "8", "tokens [24,24,48] to experts [24] by einsum, groups -> experts",
      "all-to-all/8 55296", ((24, 24, 24, 4), ("x",)), ((24, 24, 48), ("x",)))
def _(c, dispatch, x):
    return settle(c, jnp.einsum("gtec,gth->egch", dispatch, x), (None, "x"), ("x",))
