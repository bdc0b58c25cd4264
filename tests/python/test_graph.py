# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
import json

import pytest

import autoshard


def test_a_graph_survives_its_json(small_graph):
    copy = autoshard.Graph.from_json(small_graph.to_json())
    assert copy.fingerprint == small_graph.fingerprint
    assert len(copy.fingerprint) == 16


def test_a_loop_is_a_context():
    builder = autoshard.GraphBuilder("loop")
    x = builder.optimizer_state("x", "f32[8]")
    with builder.loop([x], trip_count=12, name="rounds", phase="update") as loop:
        loop.carry(builder.op("tanh", loop.arguments[0]))
    (y,) = loop.results
    assert y.type == "f32[8]"
    builder.result(y)
    builder.state_pair(x, 0)
    assert "trip_count" in builder.build().to_json()


def test_a_loop_that_carries_nothing_on_is_refused():
    builder = autoshard.GraphBuilder()
    x = builder.input("x", "f32[8]")
    with pytest.raises(autoshard.InvalidArgument, match="carry"):
        with builder.loop([x], trip_count=2):
            pass


def test_phases_and_roles_are_inferred_on_request():
    builder = autoshard.GraphBuilder("step")
    builder.infer_training_roles()
    w = builder.input("w", "f32[8,8]")
    m = builder.input("m", "f32[8,8]")
    builder.result(builder.op("tanh", w, name="loss"))
    gradient = builder.op("cosine", w, name="gradient")
    builder.result(builder.op("subtract", w, gradient, name="new_w"))
    builder.result(builder.op("add", m, gradient, name="new_m"))
    builder.state_pair(w, 1)
    builder.state_pair(m, 2)
    graph = json.loads(builder.build().to_json())
    assert [a["role"] for a in graph["arguments"]] == ["parameter", "optimizer_state"]
    phases = {op["name"]: op["phase"] for op in graph["operators"]}
    assert phases["loss"] == "forward"
    assert phases["new_w"] == phases["new_m"] == "update"


def test_attributes_are_numbers_text_and_lists():
    builder = autoshard.GraphBuilder()
    values = builder.op("constant", type="f32[2]", values=[1.5, -2.0])
    same = builder.op("constant", type="f32[2]", value=0.5)
    builder.result(builder.op("compare", values, same, type="pred[2]", comparison_direction="LT"))
    builder.build()


def test_types_may_come_from_numpy():
    numpy = pytest.importorskip("numpy")
    builder = autoshard.GraphBuilder()
    assert builder.input("a", numpy.zeros((2, 3), numpy.float32)).type == "f32[2,3]"
    assert builder.input("b", numpy.zeros(4, numpy.uint8)).type == "u8[4]"
    assert builder.input("c", (numpy.dtype("int64"), ())).type == "s64[]"
    assert builder.input("d", ("bf16", [5])).type == "bf16[5]"


def test_a_mistake_is_raised_where_it_is_made_and_stays():
    builder = autoshard.GraphBuilder()
    x = builder.input("x", "f32[8,4]")
    with pytest.raises(autoshard.InvalidArgument, match="operator 'bad'.*f32\\[8,5\\]"):
        builder.op("tanh", x, type="f32[8,5]", name="bad")
    with pytest.raises(ValueError, match="operator 'bad'"):
        builder.build()


def test_errors_are_also_those_of_python():
    with pytest.raises(ValueError, match="line"):
        autoshard.Graph.from_hlo("nonsense")
    with pytest.raises(LookupError, match="no/such/file"):
        autoshard.Graph.load("no/such/file")
    with pytest.raises(TypeError, match="expected text"):
        autoshard.Graph.from_json(7)
    with pytest.raises(ValueError, match="NUL"):
        autoshard.Graph.from_json("{}\0")
    with pytest.raises(TypeError, match="expected a Tensor"):
        autoshard.GraphBuilder().op("tanh", "x", type="f32[1]")
    with pytest.raises(TypeError, match="Graph.load"):
        autoshard.Graph()
