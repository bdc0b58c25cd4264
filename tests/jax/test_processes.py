# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
"""Two processes of four devices do what one process of eight does."""
import socket
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).with_name("training_process.py")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def outputs(folder, gaps):
    """What each process writes, one process per gap."""
    port = str(free_port())
    files = [folder / f"{number}_of_{len(gaps)}" for number in range(len(gaps))]
    processes = [subprocess.Popen(
        [sys.executable, str(SCRIPT), str(number), str(len(gaps)), port, str(gap), str(file)],
        text=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        for number, (gap, file) in enumerate(zip(gaps, files))]
    try:
        errors = [process.communicate(timeout=300)[1] for process in processes]
    finally:
        for process in processes:
            process.kill()
    assert [process.returncode for process in processes] == [0] * len(gaps), errors
    return [file.read_text(encoding="utf-8").splitlines() for file in files]


def test_two_processes_have_the_losses_of_one(tmp_path):
    (alone,) = outputs(tmp_path, [0.01])
    first, second = outputs(tmp_path, [0.01, 0.01])
    assert first == second and first[-1] == alone[-1] == "8 True"
    expected = [float(line) for line in alone[:3]]
    assert [float(line) for line in first[:3]] == pytest.approx(expected, rel=1e-5)


def test_processes_with_other_options_stop_before_they_compile(tmp_path):
    for lines in outputs(tmp_path, [0.01, 0.5]):
        assert lines == ["ProcessesDiffer: process 1: the function, its shapes or its options "
                         "differ from those of process 0"]
