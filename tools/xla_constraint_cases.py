# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
"""The functions that `xla_constraints.py` compiles: what one would plan, and how it is written.

In every function `c(x, *spec)` constrains x; axes that are not named replicate. One axis is called
x, two are called a and b. An argument is a shape, its spec, and its element type unless float32.
A title that starts with "..." is the case above with more or other constraints.
"""
from __future__ import annotations

from dataclasses import dataclass
from typing import Callable

import jax
import jax.numpy as jnp
from jax import lax

AB, BA = ("a", "b"), ("b", "a")


@dataclass(frozen=True)
class Case:
    section: str
    mesh: str  # "8", "2x4"
    title: str
    planned: str  # kind/group bytes, as the table prints what it finds
    arguments: tuple
    function: Callable


CASES: list[Case] = []


def case(section: str, mesh: str, title: str, planned: str, *arguments) -> Callable:
    def add(function: Callable) -> Callable:
        CASES.append(Case(section, mesh, title, planned, arguments, function))
        return function
    return add


def x_of(*spec):
    return (48, 96), spec


def w_of(*spec):
    return (96, 192), spec


def settle(c, x, *specs):
    """Brings x into one spec after another and uses it, so that the last is not the result's."""
    for spec in specs:
        x = c(x, *spec)
    return c(jnp.tanh(x), *specs[-1])


def products(mesh: str, title: str, planned: str, x, w, *specs) -> None:
    case("Product x[48,96] w[96,192]", mesh, title, planned, x, w)(
        lambda c, x, w: settle(c, x @ w, *specs))


products("8", "contraction split -> replicated", "all-reduce/8 36864", x_of(None, "x"), w_of("x"),
         ())
products("8", "contraction split -> rows", "reduce-scatter/8 36864", x_of(None, "x"), w_of("x"),
         ("x",))
products("8", "contraction split -> replicated, then rows", "reduce-scatter/8 36864",
         x_of(None, "x"), w_of("x"), (), ("x",))
products("8", "rows of x split", "none", x_of("x"), w_of(), ("x",))
products("8", "columns of w split", "none", x_of(), w_of(None, "x"), (None, "x"))
products("8", "rows of x, rows of w -> rows (w gathered)", "all-gather/8 73728", x_of("x"),
         w_of("x"), ("x",))
products("8", "rows of x, columns of w -> rows (w gathered)", "all-gather/8 73728", x_of("x"),
         w_of(None, "x"), ("x",))
products("8", "rows of x; result only constrained to columns", "all-to-all/8 4608", x_of("x"),
         w_of(), (None, "x"))
products("8", "... result constrained to rows, then columns", "all-to-all/8 4608", x_of("x"),
         w_of(), ("x",), (None, "x"))


@case("Product x[48,96] w[96,192]", "8", "contraction of x split, w constrained replicated",
      "all-reduce/8 36864", x_of(None, "x"), w_of())
def _(c, x, w):
    return c(c(x, None, "x") @ c(w))


@case("Product x[48,96] w[96,192]", "8", "... w constrained to the split of the contraction",
      "all-reduce/8 36864", x_of(None, "x"), w_of())
def _(c, x, w):
    return c(c(x, None, "x") @ c(w, "x"))


@case("Product x[48,96] w[96,192]", "8", "sum of two products with split contraction",
      "all-reduce/8 36864, all-reduce/8 36864", x_of(None, "x"), w_of("x"), x_of(None, "x"),
      w_of("x"))
def _(c, x, w, x2, w2):
    return c(c(x @ w) + c(x2 @ w2))


products("2x4", "contraction b, rows a -> (a, -)", "all-reduce/4 18432", x_of("a", "b"), w_of("b"),
         ("a",))
products("2x4", "contraction b, rows a -> (a, -), then replicated",
         "all-reduce/4 18432, all-gather/2 36864", x_of("a", "b"), w_of("b"), ("a",), ())
products("2x4", "contraction b, rows a -> (a, b)", "reduce-scatter/4 18432", x_of("a", "b"),
         w_of("b"), ("a", "b"))
products("2x4", "contraction b, rows a -> (ab, -)", "reduce-scatter/4 18432", x_of("a", "b"),
         w_of("b"), (AB,))
products("2x4", "contraction b, rows a -> (ba, -)",
         "reduce-scatter/4 18432, collective-permute/3 4608", x_of("a", "b"), w_of("b"), (BA,))
products("2x4", "... (ab, -), then (ba, -)", "reduce-scatter/4 18432, collective-permute/3 4608",
         x_of("a", "b"), w_of("b"), (AB,), (BA,))
products("2x4", "contraction ab -> replicated", "all-reduce/8 36864", x_of(None, AB), w_of(AB), ())
products("2x4", "contraction ab -> (a, -)", "reduce-scatter/2 36864, all-reduce/4 18432",
         x_of(None, AB), w_of(AB), ("a",))
products("2x4", "contraction ab -> (ab, -)", "reduce-scatter/8 36864", x_of(None, AB), w_of(AB),
         (AB,))
products("2x4", "contraction ab -> (a, b)", "reduce-scatter/8 36864", x_of(None, AB), w_of(AB),
         ("a", "b"))


def gathered_weight(title: str, planned: str, x, w, weight_spec, spec) -> None:
    case("Product x[48,96] w[96,192]", "2x4", title, planned, x, w)(
        lambda c, x, w: c(x @ c(w, *weight_spec), *spec))


gathered_weight("rows a, w (a, b) gathered over a", "all-gather/2 18432", x_of("a"),
                w_of("a", "b"), (None, "b"), ("a", "b"))
gathered_weight("w (b, a) gathered over a, contraction b", "all-gather/2 18432, all-reduce/4 18432",
                x_of("a", "b"), w_of("b", "a"), ("b",), ("a",))
gathered_weight("rows ab, w (ab, -) gathered over both", "all-gather/8 73728", x_of(AB),
                w_of(AB), (), (AB,))
gathered_weight("rows ab, w (a, b) gathered over both", "all-gather/4 36864, all-gather/2 73728",
                x_of(AB), w_of("a", "b"), (), (AB,))


def resharding(mesh: str, title: str, planned: str, *specs) -> None:
    def function(c, x):
        return settle(c, c(jnp.sin(x), *specs[0]), *specs)
    case("Resharding of [48,96]", mesh, title, planned, ((48, 96), specs[0]))(function)


resharding("2x4", "(a, -) -> (-, a)", "all-to-all/2 9216", ("a",), (None, "a"))
resharding("2x4", "(ab, -) -> (a, b)", "all-to-all/4 2304", (AB,), ("a", "b"))
resharding("2x4", "(ab, -) -> (-, ab)", "all-to-all/8 2304", (AB,), (None, AB))
resharding("2x4", "(ab, -) -> (a, -)", "all-gather/4 9216", (AB,), ("a",))
resharding("2x4", "(a, -) -> (ab, -)", "none", ("a",), (AB,))
resharding("2x4", "(a, b) -> (-, b)", "all-gather/2 4608", ("a", "b"), (None, "b"))
resharding("2x4", "(ab, -) -> (ba, -)", "collective-permute/3 2304", (AB,), (BA,))
resharding("2x4", "(ab, -) -> (b, -)", "collective-permute/3 2304, all-gather/2 4608", (AB,),
           ("b",))
resharding("2x4", "(a, b) -> (-, ab)", "all-to-all/2 2304, collective-permute/3 2304", ("a", "b"),
           (None, AB))
resharding("2x4", "(a, b) -> (-, a)", "all-gather/4 9216, all-to-all/2 9216", ("a", "b"),
           (None, "a"))
resharding("2x4", "... through (a, -)", "all-gather/4 9216, all-to-all/2 9216", ("a", "b"),
           ("a",), (None, "a"))
resharding("2x4", "(a, -) -> (b, -)", "all-gather/2 18432", ("a",), ("b",))
resharding("2x4", "... through replicated", "all-gather/2 18432", ("a",), (), ("b",))
resharding("2x3", "(a, -) -> (b, -)", "all-gather/2 18432", ("a",), ("b",))
resharding("2x3", "... through replicated", "all-gather/2 18432", ("a",), (), ("b",))
resharding("2x3", "(a, -) -> (-, b)", "all-gather/2 18432", ("a",), (None, "b"))
resharding("2x3", "... through (a, b): slice first", "all-gather/2 6144", ("a",), ("a", "b"),
           (None, "b"))
resharding("2x4", "(a, b) -> (b, a)", "all-to-all/4 2304, collective-permute/3 2304, "
           "all-to-all/2 2304", ("a", "b"), ("b", "a"))
resharding("2x3", "(a, b) -> (b, a)", "all-to-all/3 3072, collective-permute/4 3072, "
           "all-to-all/2 3072", ("a", "b"), ("b", "a"))
resharding("2x3", "... through (ab, -) and (ba, -)", "all-to-all/3 3072, "
           "collective-permute/4 3072, all-to-all/2 3072", ("a", "b"), (AB,), (BA,), ("b", "a"))


def one(section: str, title: str, planned: str, argument, function) -> None:
    case(section, "8", title, planned, argument)(function)


ELEMENTS = "Elementwise, reductions, movement, on [48,96]"
GATHER = "all-gather/8 18432"


@case(ELEMENTS, "8", "(x, -) + (-, x) -> (x, -)", "all-to-all/8 2304", x_of("x"), x_of(None, "x"))
def _(c, x, y):
    return c(x + y, "x")


@case(ELEMENTS, "8", "(x, -) + replicated -> (x, -)", "none", x_of("x"), x_of())
def _(c, x, y):
    return c(x + y, "x")


one(ELEMENTS, "random numbers, constrained", "none", x_of("x"), lambda c, x: c(
    x * c(jax.random.uniform(jax.random.key(0), (48, 96)), "x"), "x"))
one(ELEMENTS, "sum over the split dimension -> replicated", "all-reduce/8 384", x_of("x"),
    lambda c, x: c(jnp.sum(x, 0)))
one(ELEMENTS, "sum over the split dimension -> split", "reduce-scatter/8 384", x_of("x"),
    lambda c, x: settle(c, jnp.sum(x, 0), ("x",)))
one(ELEMENTS, "maximum over the split dimension", "all-reduce/8 384", x_of("x"),
    lambda c, x: c(jnp.max(x, 0)))
one(ELEMENTS, "argmax over the split dimension", GATHER, x_of("x"),
    lambda c, x: c(jnp.argmax(x, 0)))
one(ELEMENTS, "argmax along another dimension", "none", x_of("x"),
    lambda c, x: c(jnp.argmax(x, 1), "x"))
one(ELEMENTS, "cumulative sum along the split dimension", GATHER, x_of("x"),
    lambda c, x: c(c(jnp.cumsum(c(x), 0)), "x"))
one(ELEMENTS, "cumulative sum along another dimension", "none", x_of("x"),
    lambda c, x: c(jnp.cumsum(x, 1), "x"))
one(ELEMENTS, "sort along the split dimension", GATHER, x_of("x"),
    lambda c, x: c(jnp.sort(x, 0), "x"))
one(ELEMENTS, "... operand and result constrained replicated", GATHER, x_of("x"),
    lambda c, x: c(c(jnp.sort(c(x), 0)), "x"))
one(ELEMENTS, "argsort along another dimension", "none", x_of("x"),
    lambda c, x: c(jnp.argsort(x, 1), "x"))


def top(c, x):
    values, places = lax.top_k(x, 2)
    return c(values, "x"), c(places, "x")


one(ELEMENTS, "top-k along another dimension", "none", x_of("x"), top)


@case(ELEMENTS, "8", "... as a sort with positions", "none", x_of("x"))
def _(c, x):
    ordered, places = lax.sort((-x, lax.broadcasted_iota(jnp.int32, x.shape, 1)), num_keys=1)
    return c(-ordered[:, :2], "x"), c(places[:, :2], "x")


@case(ELEMENTS, "8", "... top-k inside jax.shard_map", "none", x_of("x"))
def _(c, x):
    spec = jax.P("x")
    mapped = jax.shard_map(lambda x: tuple(lax.top_k(x, 2)), mesh=c.mesh, in_specs=spec,
                           out_specs=(spec, spec))
    return mapped(x)


one(ELEMENTS, "half of the split dimension, operand replicated", GATHER, x_of("x"),
    lambda c, x: c(c(x)[:24], "x"))
one(ELEMENTS, "... result constrained replicated, then split", GATHER, x_of("x"),
    lambda c, x: c(c(c(x)[:24]), "x"))
one(ELEMENTS, "four equal parts of the split dimension, added", GATHER, x_of(None, "x"),
    lambda c, x: c(sum(jnp.split(x, 4, 1)), None, "x"))
one(ELEMENTS, "... operand constrained replicated", GATHER, x_of(None, "x"),
    lambda c, x: c(c(sum(jnp.split(c(x), 4, 1))), None, "x"))
one(ELEMENTS, "concatenation along the split dimension, operands replicated", GATHER, x_of("x"),
    lambda c, x: c(jnp.concatenate([c(x), c(jnp.sin(x))]), "x"))
one(ELEMENTS, "... result constrained replicated, then split", GATHER, x_of("x"),
    lambda c, x: c(c(jnp.concatenate([c(x), jnp.sin(c(x))])), "x"))
one(ELEMENTS, "dynamic slice along the split dimension", GATHER, x_of("x"),
    lambda c, x: c(lax.dynamic_slice_in_dim(x, jnp.int32(x.shape[1] // 20), 24)))
one(ELEMENTS, "roll along the split dimension", "collective-permute/8 384", x_of("x"),
    lambda c, x: c(jnp.roll(x, 1, 0), "x"))
one(ELEMENTS, "reshape to [8,6,96], split major", "none", x_of("x"),
    lambda c, x: c(x.reshape(8, 6, 96), "x"))
one(ELEMENTS, "reshape to [6,8,96], then split dimension 1", GATHER, x_of("x"),
    lambda c, x: c(x.reshape(6, 8, 96), None, "x"))
one(ELEMENTS, "... operand and result constrained replicated", GATHER, x_of("x"),
    lambda c, x: c(c(c(x).reshape(6, 8, 96)), None, "x"))

INDEXING = "Embedding of [24,16] ids in [192,96], scatter-add of its gradient"


def ids_of(*spec):
    return (24, 16), spec, jnp.int32


def table_of(*spec):
    return (192, 96), spec


def rows_of(*spec):
    return (24, 16, 96), spec


def scattered(ids, rows):
    return jnp.zeros((192, 96)).at[ids].add(rows)


def lookups(mesh: str, title: str, planned: str, ids, table, *specs) -> None:
    case(INDEXING, mesh, title, planned, ids, table)(
        lambda c, ids, table: settle(c, table[ids], *specs))


def scatters(mesh: str, title: str, planned: str, ids, rows, *specs) -> None:
    case(INDEXING, mesh, title, planned, ids, rows)(
        lambda c, ids, rows: settle(c, scattered(ids, rows), *specs))


lookups("8", "vocabulary split -> replicated", "all-reduce/8 147456", ids_of(), table_of("x"), ())
lookups("8", "features split", "none", ids_of(), table_of(None, "x"), (None, None, "x"))
lookups("8", "ids split, table replicated", "none", ids_of("x"), table_of(), ("x",))
lookups("2x4", "ids a, vocabulary b -> a", "all-reduce/4 73728", ids_of("a"), table_of("b"), ("a",))
lookups("2x4", "ids a, vocabulary b -> a, features b", "reduce-scatter/4 73728", ids_of("a"),
        table_of("b"), ("a", None, "b"))
lookups("8", "vocabulary and ids split -> ids split", "all-gather/8 1536, reduce-scatter/8 147456",
        ids_of("x"), table_of("x"), ("x",))


@case(INDEXING, "8", "... ids constrained replicated, result replicated, then split",
      "all-gather/8 1536, reduce-scatter/8 147456", ids_of("x"), table_of("x"))
def _(c, ids, table):
    return settle(c, table[c(ids)], (), ("x",))


scatters("8", "rows split -> replicated", "all-reduce/8 73728", ids_of("x"), rows_of("x"), ())
scatters("8", "rows split -> vocabulary", "reduce-scatter/8 73728", ids_of("x"), rows_of("x"),
         ("x",))
scatters("8", "rows split -> features", "reduce-scatter/8 73728", ids_of("x"), rows_of("x"),
         (None, "x"))
scatters("8", "... replicated, then features", "reduce-scatter/8 73728", ids_of("x"), rows_of("x"),
         (), (None, "x"))
scatters("8", "features split", "none", ids_of(), rows_of(None, None, "x"), (None, "x"))
scatters("2x4", "rows a -> vocabulary b", "all-reduce/2 18432", ids_of("a"), rows_of("a"), ("b",))


@case(INDEXING, "8", "picked classes [24,96], classes split", "all-reduce/8 96",
      ((24, 96), (None, "x")), ((24, 1), (), jnp.int32))
def _(c, x, labels):
    return c(jnp.take_along_axis(x, labels, 1))


@case(INDEXING, "8", "gradient of picked classes, rows split", "none", ((24, 96), ("x",)),
      ((24, 1), ("x",), jnp.int32))
def _(c, x, labels):
    return c(jax.grad(lambda x: jnp.sum(jnp.take_along_axis(x, labels, 1)))(x), "x")
