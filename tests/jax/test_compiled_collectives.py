# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
"""Functions whose collectives are known because they were written down by hand."""
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax
from jax.sharding import AxisType, Mesh, NamedSharding
from jax.sharding import PartitionSpec as P
from models import MODELS

from autoshard.jax.compiled_collectives import bytes_by_kind, compiled_collectives, normalised
from autoshard.jax.hlo_text import parse_hlo_text
from autoshard.jax.replica_groups import groups_of

ROWS, COLUMNS = 64, 32  # of the whole f32 array
LOCAL = ROWS // 2 * COLUMNS // 4 * 4  # bytes of one device's part of it


@pytest.fixture(scope="module")
def mesh() -> Mesh:
    return Mesh(np.array(jax.devices()[:8]).reshape(2, 4), ("a", "b"),
                axis_types=(AxisType.Auto,) * 2)


def compiled_text(function, *arguments) -> str:
    return jax.jit(function).lower(*arguments).compile().as_text()


def text_of_shards(mesh, function, out_specs) -> str:
    mapped = jax.shard_map(function, mesh=mesh, in_specs=P("a", "b"), out_specs=out_specs,
                           check_vma=False)
    return compiled_text(mapped, jnp.ones((ROWS, COLUMNS), jnp.float32))


def summary(collectives) -> list[tuple]:
    return [(each.kind, each.group_size, each.buffer_bytes, each.count) for each in collectives]


@pytest.mark.parametrize("function, out_specs, expected", [
    (lambda x: lax.psum(x, "b"), P("a"), ("all-reduce", 4, LOCAL, 1)),
    (lambda x: lax.pmax(x, ("a", "b")), P(), ("all-reduce", 8, LOCAL, 1)),
    (lambda x: lax.psum_scatter(x, "a", tiled=True), P("a", "b"), ("reduce-scatter", 2, LOCAL, 1)),
    (lambda x: lax.all_gather(x, "b", tiled=True), P("a"), ("all-gather", 4, 4 * LOCAL, 1)),
    (lambda x: lax.all_to_all(x, "b", 1, 0, tiled=True), P("a", "b"), ("all-to-all", 4, LOCAL, 1)),
    (lambda x: lax.ppermute(x, "b", [(i, (i + 1) % 4) for i in range(4)]), P("a", "b"),
     ("collective-permute", 4, LOCAL, 1)),
], ids=["psum", "pmax", "psum_scatter", "all_gather", "all_to_all", "ppermute"])
def test_a_collective_is_found_with_its_group_and_bytes(mesh, function, out_specs, expected):
    assert summary(compiled_collectives(text_of_shards(mesh, function, out_specs))) == [expected]


def test_the_groups_are_the_devices_along_the_axis(mesh):
    over_b = compiled_collectives(text_of_shards(mesh, lambda x: lax.psum(x, "b"), P("a")))
    assert over_b[0].groups == ((0, 1, 2, 3), (4, 5, 6, 7))
    over_a = compiled_collectives(text_of_shards(mesh, lambda x: lax.psum(x, "a"), P(None, "b")))
    assert over_a[0].groups == ((0, 4), (1, 5), (2, 6), (3, 7))


def test_a_collective_in_a_scan_counts_once_per_step(mesh):
    def repeated(x):
        return lax.scan(lambda carry, _: (lax.psum(carry, "b") * 0.5, None), x, None, length=5)[0]

    found = compiled_collectives(text_of_shards(mesh, repeated, P("a")))
    assert summary(found) == [("all-reduce", 4, LOCAL, 5)]
    assert found[0].count_is_known
    assert bytes_by_kind(found) == {"all-reduce": 5 * LOCAL}


def test_the_counts_of_nested_scans_multiply(mesh):
    def inner(x):
        return lax.scan(lambda carry, _: (lax.psum(carry, "b") * 0.5, None), x, None, length=3)[0]

    def outer(x):
        return lax.scan(lambda carry, _: (jnp.sin(inner(carry)), None), x, None, length=5)[0]

    assert summary(compiled_collectives(text_of_shards(mesh, outer, P("a")))) == [
        ("all-reduce", 4, LOCAL, 15)]


def test_a_loop_without_a_known_trip_count_counts_once_and_says_so(mesh):
    def repeated(x):
        return lax.while_loop(lambda v: jnp.max(v) > 1.0, lambda v: lax.pmax(v, "b") * 0.5, x)

    found = compiled_collectives(text_of_shards(mesh, repeated, P("a")))
    assert summary(found) == [("all-reduce", 4, LOCAL, 1)]
    assert not found[0].count_is_known


def test_both_branches_of_a_conditional_count_once(mesh):
    def either(x):
        return lax.cond(lax.axis_index("a") > 0, lambda: lax.psum(x, "b"),
                        lambda: lax.pmax(jnp.sin(x), "b"))

    assert summary(compiled_collectives(text_of_shards(mesh, either, P("a")))) == [
        ("all-reduce", 4, LOCAL, 1)] * 2


def test_combined_collectives_are_taken_apart(mesh):
    def sums(x):
        return lax.psum(jnp.sum(x, 0), "b"), lax.psum(jnp.sum(x, 1), "b")

    text = text_of_shards(mesh, sums, (P("a"), P("a")))
    found = compiled_collectives(text)
    assert sorted(summary(found)) == [("all-reduce", 4, 32, 1), ("all-reduce", 4, 128, 1)]
    assert len({each.name for each in found}) == 1, "XLA combines them"


def test_a_group_of_one_device_is_no_collective():
    single = Mesh(np.array(jax.devices()[:8]).reshape(1, 8), ("one", "rest"),
                  axis_types=(AxisType.Auto,) * 2)
    mapped = jax.shard_map(lambda x: lax.psum(x, "one"), mesh=single, in_specs=P(None, "rest"),
                           out_specs=P(None, "rest"))
    assert compiled_collectives(compiled_text(mapped, jnp.ones((8, 8)))) == []


def partitioned_product(mesh, contraction, *specs) -> str:
    """x @ w with the contraction split, its result brought into one spec after another."""
    def product(x, w):
        result = x @ w
        for spec in specs:
            result = lax.with_sharding_constraint(result, NamedSharding(mesh, spec))
        return lax.with_sharding_constraint(jnp.tanh(result), NamedSharding(mesh, specs[-1]))

    def argument(shape, spec, dtype=jnp.float32):
        return jax.ShapeDtypeStruct(shape, dtype, sharding=NamedSharding(mesh, spec))

    return compiled_text(product, argument((48, 96), P(None, contraction)),
                         argument((96, 192), P(contraction)))


PRODUCT = 48 * 192 * 4


def test_an_all_reduce_that_is_only_sliced_is_a_reduce_scatter(mesh):
    text = partitioned_product(mesh, "b", P("b"))
    assert summary(compiled_collectives(text)) == [("all-reduce", 4, PRODUCT, 1)]
    assert summary(normalised(text)) == [("reduce-scatter", 4, PRODUCT, 1)]


def test_an_all_reduce_that_is_used_whole_stays_one(mesh):
    text = partitioned_product(mesh, "b", P())
    assert summary(normalised(text)) == [("all-reduce", 4, PRODUCT, 1)]


def test_sums_over_one_axis_after_the_other_are_one_sum(mesh):
    text = partitioned_product(mesh, ("a", "b"), P("a", "b"))
    assert [each.kind for each in compiled_collectives(text)] == ["all-reduce"] * 2
    assert summary(normalised(text)) == [("reduce-scatter", 8, PRODUCT, 1)]


def test_a_slice_along_a_part_of_the_group_leaves_an_all_reduce_over_the_rest(mesh):
    def product(x, w):
        whole = lax.psum(x @ w, ("a", "b"))
        rows = PRODUCT // 4 // 192 // 2
        return lax.dynamic_slice_in_dim(whole, lax.axis_index("a") * rows, rows)

    mapped = jax.shard_map(product, mesh=mesh, in_specs=(P(None, ("a", "b")), P(("a", "b"))),
                           out_specs=P("a"), check_vma=False)
    found = normalised(compiled_text(mapped, jnp.ones((48, 96)), jnp.ones((96, 192))))
    assert summary(found) == [("reduce-scatter", 2, PRODUCT, 1), ("all-reduce", 4, PRODUCT // 2, 1)]


def test_a_slice_by_the_step_of_a_loop_is_no_reduce_scatter(mesh):
    def stepped(x):
        whole = lax.psum(x, "b")
        return lax.scan(lambda total, row: (total + jnp.sin(row), None), whole[0], whole)[0]

    found = normalised(text_of_shards(mesh, stepped, P()))
    assert summary(found) == [("all-reduce", 4, LOCAL, 1)]


def test_a_sum_of_16_bit_floats_counts_16_bits(mesh):
    mapped = jax.shard_map(lambda x: lax.psum(x, "b"), mesh=mesh, in_specs=P("a", "b"),
                           out_specs=P("a"))
    text = compiled_text(mapped, jnp.ones((ROWS, COLUMNS), jnp.bfloat16))
    assert summary(normalised(text)) == [("all-reduce", 4, LOCAL // 2, 1)]


@pytest.mark.parametrize("name", ["mlp", "lora"])
def test_data_parallelism_reduces_the_gradients_and_the_loss_and_no_more(mesh, name):
    state, *batch = MODELS[name].make_arguments(0)
    whole = NamedSharding(mesh, P())
    split = [jax.device_put(array, NamedSharding(mesh, P(("a", "b")))) for array in batch]
    step = jax.jit(MODELS[name].step, out_shardings=(whole, whole))
    compiled = step.lower(jax.device_put(state, whole), *split).compile()
    gradients = jax.tree.leaves(state.get("trained", state)["params"])
    loss_bytes = 4
    assert bytes_by_kind(normalised(compiled.as_text())) == {
        "all-reduce": sum(array.nbytes for array in gradients) + loss_bytes}


ASYNC = """HloModule m, num_partitions=8

ENTRY %main (p: f32[4,8]) -> f32[32,8] {
  %p = f32[4,8]{1,0} parameter(0)
  %s = (f32[4,8], f32[32,8]) all-gather-start(%p), replica_groups=[1,8]<=[8], dimensions={0}
  ROOT %d = f32[32,8]{1,0} all-gather-done(%s)
}
"""


def test_a_start_and_its_done_count_once():
    assert summary(compiled_collectives(ASYNC)) == [("all-gather", 8, 32 * 8 * 4, 1)]


@pytest.mark.parametrize("written, groups", [
    ("{{0,1},{2,3}}", ((0, 1), (2, 3))),
    ("{}", (tuple(range(8)),)),
    ("[2,4]<=[8]", ((0, 1, 2, 3), (4, 5, 6, 7))),
    ("[4,2]<=[2,4]T(1,0)", ((0, 4), (1, 5), (2, 6), (3, 7))),
    ("mesh['a'=2,'b'=4] {'b'}", ((0, 1, 2, 3), (4, 5, 6, 7))),
    ("mesh['a'=2,'b'=4] {'a','b':(2)2}", ((0, 1, 4, 5), (2, 3, 6, 7))),
    ("mesh['a'=4,'b'=2], device_ids=([2,4]T(1,0)) {'b'}", ((0, 4), (1, 5), (2, 6), (3, 7))),
])
def test_every_form_of_replica_groups_is_read(written, groups):
    text = ASYNC.replace("[1,8]<=[8]", written)
    start = parse_hlo_text(text).computations["main"].instructions["s"]
    assert groups_of(start, 8) == groups


def test_an_unknown_form_of_replica_groups_is_refused_by_name():
    with pytest.raises(ValueError, match="'s'"):
        compiled_collectives(ASYNC.replace("[1,8]<=[8]", "everyone"))


def test_text_that_is_no_module_is_refused():
    with pytest.raises(ValueError, match="ENTRY"):
        compiled_collectives("func.func @main()")
