# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
"""Run with PYTHONPATH=python and AUTOSHARD_LIBRARY=path/to/libautoshard_c.so."""
from pathlib import Path

import pytest

import autoshard

DATA = Path(__file__).resolve().parents[1] / "data"


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "slow: takes minutes; left out by -m 'not slow'")


@pytest.fixture
def mesh() -> autoshard.Mesh:
    return autoshard.Mesh("data=2,model=2")


@pytest.fixture
def small_graph() -> autoshard.Graph:
    """tanh(x @ w)."""
    builder = autoshard.GraphBuilder("small")
    x = builder.input("x", "f32[64,256]")
    w = builder.parameter("w", ("f32", (256, 1024)))
    product = builder.op("dot_general", x, w, type="f32[64,1024]", name="product",
                         lhs_batching_dimensions=[], rhs_batching_dimensions=[],
                         lhs_contracting_dimensions=[1], rhs_contracting_dimensions=[0])
    builder.result(builder.op("tanh", product))
    return builder.build()


@pytest.fixture
def model() -> autoshard.Graph:
    """A GPT-2 training step, small."""
    return autoshard.Graph.load(DATA / "gpt2_tiny_loop.hlo.gz")


@pytest.fixture
def example() -> autoshard.Problem:
    """The contest's example: 445 with its limit of 50."""
    return autoshard.Problem.load(DATA / "iopddl_example.json")
