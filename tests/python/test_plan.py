# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
import _thread

import pytest

import autoshard


def test_meshes_are_text_or_a_mapping():
    assert str(autoshard.Mesh({"data": 6, "model": 7})) == "data=6,model=7"
    assert str(autoshard.Mesh("2x4")) == "a0=2,a1=4"
    assert repr(autoshard.Mesh("data=2")) == "Mesh('data=2')"


def test_meshes_that_make_no_sense_are_refused():
    for axes in ("data=0", "", "data", {"data": -1}, {}):
        with pytest.raises(autoshard.InvalidArgument, match="mesh|data"):
            autoshard.Mesh(axes)
    with pytest.raises(autoshard.NotFound, match="z9000"):
        autoshard.Mesh("data=2", device="z9000")


def test_a_plan_says_how_arguments_and_results_lie(small_graph, mesh):
    plan = autoshard.solve_intra_op(small_graph, mesh)
    assert plan.status == "optimal"
    assert plan.step_seconds > 0
    assert plan.peak_bytes > 0
    assert len(plan.argument_specs) == 2
    assert len(plan.result_specs) == 1
    assert plan.argument_specs[0].startswith("[")
    assert "data" in plan.report()


def test_a_plan_outlives_its_graph_and_survives_its_json(small_graph, mesh):
    text = autoshard.solve_intra_op(small_graph, mesh).to_json()
    plan = autoshard.IntraOpPlan.from_json(text, small_graph)
    assert plan.to_json() == text
    assert plan.to_dict()["status"] == plan.status


def test_a_plan_verifies(small_graph, mesh):
    plan = autoshard.solve_intra_op(small_graph, mesh)
    report = autoshard.verify(small_graph, plan)
    assert report.passed and report
    assert report.text


def test_a_plan_of_another_graph_is_refused(small_graph, model, mesh):
    plan = autoshard.solve_intra_op(small_graph, mesh)
    with pytest.raises(autoshard.InvalidArgument, match="fingerprint"):
        autoshard.IntraOpPlan.from_json(plan.to_json(), model)


def test_a_limit_that_cannot_be_met_is_an_infeasible_plan(small_graph, mesh):
    plan = autoshard.solve_intra_op(small_graph, mesh, memory_limit="1KB")
    assert plan.status == "infeasible"
    assert plan.argument_specs == []
    with pytest.raises(autoshard.NotFound, match="infeasible"):
        plan.step_seconds


def test_options_are_those_of_the_table(small_graph, mesh):
    assert "memory_limit" in autoshard.option_names()
    assert "a100" in autoshard.device_names()
    autoshard.solve_intra_op(small_graph, mesh, time_limit=5, threads=1, seed=3, memory_limit=10**9)
    with pytest.raises(autoshard.NotFound, match="option 'memroy_limit'"):
        autoshard.solve_intra_op(small_graph, mesh, memroy_limit="16GB")
    with pytest.raises(autoshard.InvalidArgument, match="option 'threads': '0'"):
        autoshard.solve_intra_op(small_graph, mesh, threads=0)


def test_pins_are_a_text_or_a_list_of_texts(small_graph, mesh):
    x, w = 'arg:x=[{"model", "data"}, {}]', 'arg:w=[{}, {"data"}]'
    expected = ['[{"model", "data"}, {}]', '[{}, {"data"}]']
    for pin in ([x, w], (x, w), f"{x};{w}"):
        assert autoshard.solve_intra_op(small_graph, mesh, pin=pin).argument_specs == expected
    assert autoshard.solve_intra_op(small_graph, mesh, pin=x).argument_specs[0] == expected[0]
    with pytest.raises(autoshard.InvalidArgument, match="no tensor 'arg:q'"):
        autoshard.solve_intra_op(small_graph, mesh, pin=["arg:q=[{}]"])
    with pytest.raises(autoshard.InvalidArgument, match="option 'pin': 'arg:x'"):
        autoshard.solve_intra_op(small_graph, mesh, pin="arg:x")
    with pytest.raises(TypeError, match="option 'pin': expected text, got int"):
        autoshard.solve_intra_op(small_graph, mesh, pin=[7])


def stop_and_status(model, mesh, progress) -> str:
    try:
        return autoshard.solve_intra_op(model, mesh, progress=progress).status
    except autoshard.Cancelled:
        return "cancelled"


def test_progress_that_answers_false_cancels(model, mesh):
    seen = []

    def progress(now):
        seen.append(now)
        return False

    assert stop_and_status(model, mesh, progress) == "cancelled"
    assert seen[0].phase
    assert seen[0].seconds >= 0


def test_what_progress_raises_comes_out(model, mesh):
    def progress(now):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        autoshard.solve_intra_op(model, mesh, progress=progress)


def test_ctrl_c_stops_a_solve(model, mesh):
    def progress(now):
        _thread.interrupt_main()

    with pytest.raises(KeyboardInterrupt):
        autoshard.solve_intra_op(model, mesh, progress=progress)


def test_objects_of_the_wrong_kind_are_refused_by_name(small_graph, mesh):
    plan = autoshard.solve_intra_op(small_graph, mesh)
    for arguments, message in (((mesh, small_graph), "graph: expected Graph, got Mesh"),
                               ((plan, mesh), "graph: expected Graph, got IntraOpPlan"),
                               ((small_graph, "2x3"), "mesh: expected Mesh, got str")):
        with pytest.raises(TypeError, match=message):
            autoshard.solve_intra_op(*arguments)
    with pytest.raises(TypeError, match="plan: expected IntraOpPlan, got Graph"):
        autoshard.verify(small_graph, small_graph)
    with pytest.raises(TypeError, match="problem: expected Problem, got Graph"):
        autoshard.check(small_graph, [0])


@pytest.mark.parametrize("size", (2.5, True, None, "2"))
def test_a_mesh_of_a_size_that_is_no_whole_number_is_refused(size):
    with pytest.raises(TypeError, match="axis 'x': its size is"):
        autoshard.Mesh({"x": size})


def test_numbers_that_do_not_fit_are_refused():
    builder = autoshard.GraphBuilder()
    with pytest.raises(autoshard.InvalidArgument, match="iota_dimension: .* does not fit"):
        builder.op("iota", type="f32[8]", iota_dimension=2**64)
    problem = autoshard.Problem({"problem": {"name": "one", "nodes": {
        "intervals": [[0, 1]], "costs": [[1, 2]], "usages": [[0, 0]]},
        "edges": {"nodes": [], "costs": []}, "usage_limit": 10}})
    with pytest.raises(autoshard.InvalidArgument, match=r"assignment\[0\]: .* 32 bits"):
        autoshard.check(problem, [2**32])
