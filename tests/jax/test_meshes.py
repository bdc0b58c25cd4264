# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
"""Meshes: found, given, abstract, explicit."""
import types

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from comparison import array, assert_same, is_split
from jax.sharding import AbstractMesh, AxisType, Mesh

import autoshard
from autoshard.jax import auto_shard
from autoshard.jax.devices import price_device

X = array(480, 480) / 20


def f(x):
    return jnp.tanh(x @ x)


def result_on(**options):
    result = auto_shard(f, device="cpu", **options)(X)
    assert_same(result, f(X))
    return result


def test_six_of_eight_devices_are_used():
    result = result_on(devices=jax.devices()[:6])
    assert is_split(result)
    assert result.sharding.device_set == set(jax.devices()[:6])


def test_one_device_is_enough():
    assert result_on(devices=jax.devices()[:1]).sharding.device_set == {jax.devices()[0]}


def test_without_a_mesh_all_grids_of_two_axes_are_tried():
    plan = auto_shard(f, device="cpu").plan(X)
    assert plan.mesh_axes in ({"x": 8}, {"x": 2, "y": 4})


@pytest.mark.parametrize("mesh, axes", [
    ("data=2,model=3", {"data": 2, "model": 3}), ({"a": 3, "b": 2}, {"a": 3, "b": 2}),
    ("2x4", {"a0": 2, "a1": 4}),
])
def test_axes_are_given_as_text_or_dictionary(mesh, axes):
    assert dict(result_on(mesh=mesh).sharding.mesh.shape) == axes


@pytest.mark.parametrize("axis_type", [AxisType.Auto, AxisType.Explicit])
def test_a_mesh_of_jax_is_used_with_its_order_of_devices(axis_type):
    devices = np.array(jax.devices()[::-1]).reshape(4, 2)
    mesh = Mesh(devices, ("p", "q"), axis_types=(axis_type,) * 2)
    used = result_on(mesh=mesh).sharding.mesh
    assert used.axis_names == ("p", "q") and np.array_equal(used.devices, devices)


@pytest.mark.parametrize("axis_type", [AxisType.Auto, AxisType.Explicit])
def test_a_mesh_in_the_context_does_not_matter(axis_type):
    with jax.set_mesh(jax.make_mesh((8,), ("q",), axis_types=(axis_type,))):
        assert is_split(result_on())


def test_an_abstract_mesh_and_more_devices_than_there_are_can_be_planned_but_not_run():
    for mesh in (AbstractMesh((4, 4), ("p", "q")), "p=4,q=4"):
        sharded = auto_shard(f, mesh=mesh, device="cpu")
        assert sharded.plan(X).mesh_axes == {"p": 4, "q": 4}
        with pytest.raises(ValueError, match="p=4,q=4 needs more devices than there are"):
            sharded(X)


@pytest.mark.parametrize("options, error, text", [
    ({"mesh": 3}, TypeError, "mesh is 3, expected"),
    ({"mesh": "a=0"}, ValueError, "size 0 is less than 1"),
    ({"devices": []}, ValueError, "devices is empty"),
    ({"mesh": "a=2,b=2", "devices": True}, ValueError, "has 4 devices, but 6 were given"),
])
def test_unusable_meshes_are_errors(options, error, text):
    if options.get("devices") is True:
        options = {**options, "devices": jax.devices()[:6]}
    with pytest.raises(error, match=text):
        auto_shard(f, **options).plan(X)


@pytest.mark.parametrize("kind, name", [
    ("NVIDIA A100-SXM4-80GB", "a100-80gb"), ("NVIDIA A100-SXM4-40GB", "a100"),
    ("NVIDIA H100 80GB HBM3", "h100"), ("TPU v5 lite", "tpu-v5e"), ("cpu", "cpu"),
    ("some accelerator", "a100")])
def test_the_assumed_device_is_found_by_what_jax_calls_it(kind, name):
    assert price_device(None, [types.SimpleNamespace(device_kind=kind)]) == name
    assert name in autoshard.device_names()


@pytest.mark.parametrize("devices, mesh, message", [
    (lambda: jax.devices()[:1] * 2, None, "stands there twice"),
    (lambda: jax.devices()[:4], Mesh(np.array(jax.devices()[:6]), ("p",)), "different devices")])
def test_devices_that_make_no_mesh_are_refused(devices, mesh, message):
    with pytest.raises(ValueError, match=message):
        auto_shard(f, devices(), mesh)


def test_what_is_no_device_is_refused_by_name():
    with pytest.raises(TypeError, match="devices: 1 is not a device of JAX"):
        auto_shard(f, [1, 2])
