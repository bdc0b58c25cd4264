# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
"""Bare cost graphs in the JSON format of the public IOPDDL contest, and `solve`."""
from __future__ import annotations

import ctypes
import json
import os
from dataclasses import dataclass
from typing import Any, Optional, Sequence, Union

from ._library import Owner, call, encode, handle_of, integer
from .options import OptionValue, Options, ProgressCallback


class Problem(Owner):
    """A cost graph: choose one strategy per node so that node costs plus edge costs are least
    while memory stays under a limit at every time."""

    _kind = "problem"

    def __init__(self, content: Union[str, dict]) -> None:
        """From JSON text or the same as a dictionary. Raises InvalidArgument."""
        text = content if isinstance(content, str) else json.dumps(content)
        self._create("problem_parse", encode(text, "problem"))

    @classmethod
    def load(cls, path: Union[str, "os.PathLike[str]"]) -> "Problem":
        """Reads JSON, plain or .gz. Raises NotFound, InvalidArgument."""
        return cls._adopt("problem_load", encode(os.fspath(path), "path"))


@dataclass(frozen=True)
class Solution:
    """The answer of `solve`. Totals have no unit; None means that there is none."""

    status: str
    reason: str
    assignment: list[int]  # one strategy per node; empty without an answer
    cost: Optional[int]
    lower_bound: Optional[int]  # certified: nothing legal costs less
    gap: Optional[float]  # (cost - lower_bound) / cost
    peak_usage: Optional[int]
    usage_limit: Optional[int]
    seconds: float
    reproducible: bool  # False when the clock or a cancellation ended it


class _SolutionHandle(Owner):
    _kind = "solution"


def solve(problem: Problem, *, progress: Optional[ProgressCallback] = None,
          **options: OptionValue) -> Solution:
    """Solves a cost graph; options and progress as for `solve_intra_op`, without memory_limit and
    target. Without a legal answer the status is "infeasible". Raises InvalidArgument, NotFound."""
    source = handle_of(problem, Problem, "problem")
    handle = Options(options, progress)
    solution = handle.solve(lambda: _SolutionHandle._adopt("solve", source, handle._handle))
    return _solution(json.loads(solution._text("solution_json")))


@dataclass(frozen=True)
class Check:
    """The true cost and memory of an assignment, and what is wrong with it."""

    legal: bool
    cost: int
    peak_usage: int
    violations: list[str]


def check(problem: Problem, assignment: Sequence[int]) -> Check:
    """Recomputes cost and memory from their definition. Raises InvalidArgument, naming the node,
    for a wrong length and a strategy out of range."""
    source = handle_of(problem, Problem, "problem")
    values = (ctypes.c_int32 * len(assignment))(
        *(integer(strategy, f"assignment[{node}]", 32) for node, strategy in enumerate(assignment)))
    legal, report = ctypes.c_int32(), ctypes.c_char_p()
    call("check", source, values, len(assignment), ctypes.byref(legal),
         ctypes.byref(report))
    found = json.loads(report.value or b"{}")
    return Check(bool(legal.value), int(found["cost"]), int(found["peak_usage"]),
                 found["violations"])


def _optional_int(text: Optional[str]) -> Optional[int]:
    return None if text is None else int(text)


def _solution(found: dict[str, Any]) -> Solution:
    totals = {key: _optional_int(found[key])
              for key in ("cost", "lower_bound", "peak_usage", "usage_limit")}
    plain = {key: found[key]
             for key in ("status", "reason", "assignment", "gap", "seconds", "reproducible")}
    return Solution(**totals, **plain)
