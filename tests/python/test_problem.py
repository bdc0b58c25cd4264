# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
import json

import pytest

import autoshard
from conftest import DATA


def test_the_contest_example_costs_445_with_its_limit_and_415_without(example):
    solution = autoshard.solve(example)
    assert (solution.status, solution.cost, solution.lower_bound) == ("optimal", 445, 445)
    assert solution.gap == 0
    assert solution.usage_limit == 50
    assert solution.assignment == [0, 0, 2, 1, 0]
    content = json.loads((DATA / "iopddl_example.json").read_text())
    del content["problem"]["usage_limit"]
    assert autoshard.solve(autoshard.Problem(content)).cost == 415


def test_check_recomputes_cost_and_memory(example):
    good = autoshard.check(example, [0, 0, 2, 1, 0])
    assert (good.legal, good.cost, good.violations) == (True, 445, [])
    bad = autoshard.check(example, [0, 0, 1, 0, 0])
    assert not bad.legal
    assert "usage_limit" in bad.violations[0]


def test_bad_problems_and_assignments_are_refused(example):
    with pytest.raises(autoshard.InvalidArgument, match="problem"):
        autoshard.Problem("{}")
    with pytest.raises(autoshard.NotFound, match="no/such/problem"):
        autoshard.Problem.load("no/such/problem")
    with pytest.raises(autoshard.InvalidArgument, match="4 entries for 5 nodes"):
        autoshard.check(example, [0, 0, 2, 1])
    with pytest.raises(autoshard.InvalidArgument, match="node 2"):
        autoshard.check(example, [0, 0, 3, 1, 0])


def test_a_limit_that_cannot_be_met_is_infeasible():
    content = json.loads((DATA / "iopddl_example.json").read_text())
    content["problem"]["usage_limit"] = 5
    solution = autoshard.solve(autoshard.Problem(content))
    assert (solution.status, solution.cost, solution.assignment) == ("infeasible", None, [])
