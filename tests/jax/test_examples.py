# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
"""The examples run as a user runs them. Only lines that do not depend on the clock are compared."""
import os
import subprocess
import sys
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def lines_of(example):
    environment = {key: value for key, value in os.environ.items() if key != "XLA_FLAGS"}
    result = subprocess.run([sys.executable, str(EXAMPLES / example)], text=True, timeout=300,
                            env={**environment, "JAX_PLATFORMS": "cpu"}, capture_output=True)
    assert result.returncode == 0, result.stderr
    assert "PlanWarning" not in result.stderr
    return result.stdout.splitlines()


def test_a_function_of_plain_arrays_is_split_over_six_devices():
    lines = lines_of("jax_six_devices.py")
    assert lines[0].startswith("attend on x=2,y=3 (6 x cpu): ") and ", optimal, " in lines[0]
    assert lines[-8:] == [
        "x P('y', None, None)", "down P('x', None)", "key P(None, 'x', None)",
        "query P(None, 'x', None)", "up P(None, 'x')", "value P(None, 'x', None)",
        "result P('y', 'x', None) on 6 devices", "equal to one device: True"]


def test_a_gpt_learns_and_nothing_moves_between_its_steps():
    lines = lines_of("jax_train_gpt.py")
    assert lines[0].startswith("train_step on x=")
    steps = [line.rsplit(", ", 1)[1] for line in lines if line.startswith("step ")]
    assert steps == ["placed"] + 5 * ["nothing moved"]
    assert lines[-1] == "the loss went down: True"


def arguments_of(lines, heading):
    """Name, type and sharding in the first table after a line."""
    start = lines.index(heading) + 3
    rows = [line.split() for line in lines[start:start + 5]]
    return {row[0]: " ".join(row[4:-2]) for row in rows}


def test_small_experts_are_data_parallel_and_large_ones_expert_parallel():
    lines = lines_of("jax_moe.py")
    small = arguments_of(lines, "Experts of width 16: data parallel")
    large = arguments_of(lines, "Experts of width 8192: expert parallel")
    assert small["params['up']"] == small["params['down']"] == "[{}, {}, {}]"
    assert large["params['up']"] == large["params['down']"] == '[{"x"}, {}, {}]'
    assert small["x"] == large["x"] == '[{"x"}, {}, {}]'
