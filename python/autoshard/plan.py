# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
"""Meshes, plans, and `solve_intra_op`."""
from __future__ import annotations

import ctypes
import json
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Mapping, Optional, Union

from ._library import Owner, call, encode, handle_of, integer
from .errors import NotFound
from .graph import Graph
from .options import OptionValue, Options, ProgressCallback


class Mesh(Owner):
    """Devices as a grid with named axes, the last one innermost.

        Mesh("data=2,model=4")                      axes by name
        Mesh("2x4", device="h100")                  axes a0, a1
        Mesh({"data": 2, "model": 4})               the same as the first

    Raises InvalidArgument for a malformed mesh, NotFound for an unknown device.
    """

    _kind = "mesh"

    def __init__(self, axes: Union[str, Mapping[str, int]], device: str = "a100") -> None:
        if isinstance(axes, str):
            self._create("mesh_parse", encode(axes, "mesh"), encode(device, "device"))
            return
        if not isinstance(axes, Mapping):
            raise TypeError(f"mesh: expected text or a mapping, got {type(axes).__name__}")
        names = (ctypes.c_char_p * len(axes))(*(encode(name, "axis") for name in axes))
        sizes = (ctypes.c_int64 * len(axes))(*(_size(name, size) for name, size in axes.items()))
        self._create("mesh_create", names, sizes, len(axes), encode(device, "device"))

    def __str__(self) -> str:
        return self._text("mesh_text")

    def __repr__(self) -> str:
        return f"Mesh('{self}')"


def _size(name: str, size: Any) -> int:
    if isinstance(size, bool) or not hasattr(size, "__index__"):
        raise TypeError(f"axis '{name}': its size is {size!r}, expected a whole number")
    return integer(size, f"axis '{name}'")


class IntraOpPlan(Owner):
    """How every tensor of a graph lies on a mesh, and what that costs."""

    _kind = "plan"

    def __init__(self) -> None:
        raise TypeError("use solve_intra_op or IntraOpPlan.from_json")

    @classmethod
    def from_json(cls, text: str, graph: Graph) -> "IntraOpPlan":
        """Reads what `to_json` wrote. Raises InvalidArgument for a plan of another graph."""
        return cls._adopt("plan_parse_json", encode(text, "text"),
                          handle_of(graph, Graph, "graph"))

    @property
    def status(self) -> str:
        """"optimal", "feasible", "infeasible", "time_limit" or "cancelled"."""
        return self._text("plan_status")

    @property
    def has_answer(self) -> bool:
        """Whether it says how anything is split; an infeasible plan does not."""
        return bool(self.document["regions"])

    @property
    def reason(self) -> str:
        """One sentence on why planning ended so; for an infeasible plan, what it would need."""
        return self.document["reason"]

    @property
    def warnings(self) -> list[str]:
        """Operators without a rule, limits that were missed."""
        return list(self.document["warnings"])

    @property
    def step_seconds(self) -> float:
        """Seconds of one step. Raises NotFound without an answer."""
        out = ctypes.c_double()
        call("plan_step_seconds", self._handle, ctypes.byref(out))
        return out.value

    @property
    def peak_bytes(self) -> int:
        """Bytes of one device at the peak of the step. Raises NotFound without an answer."""
        out = ctypes.c_int64()
        call("plan_peak_bytes", self._handle, ctypes.byref(out))
        return out.value

    @property
    def argument_specs(self) -> list[str]:
        """How each argument of the graph is split: '[{"data"}, {}]'. Empty without an answer."""
        return self._specs("plan_argument_spec")

    @property
    def result_specs(self) -> list[str]:
        """How each result of the graph is split. Empty without an answer."""
        return self._specs("plan_result_spec")

    def to_json(self) -> str:
        """Everything, as docs/plan.md describes it."""
        return self._text("plan_json")

    def to_dict(self) -> dict[str, Any]:
        """The same as a dictionary of your own."""
        return json.loads(self.to_json())

    @cached_property
    def document(self) -> Mapping[str, Any]:
        """The same, read once; not to be changed."""
        return self.to_dict()

    def report(self) -> str:
        """The table that `autoshard plan` prints."""
        return self._text("plan_report")

    def __repr__(self) -> str:
        return f"IntraOpPlan(status='{self.status}')"

    def _specs(self, getter: str) -> list[str]:
        specs: list[str] = []
        try:
            while True:
                specs.append(self._text(getter, len(specs)))
        except NotFound:
            return specs


def solve_intra_op(graph: Graph, mesh: Mesh, *, progress: Optional[ProgressCallback] = None,
                   **options: OptionValue) -> IntraOpPlan:
    """Shards one graph over one mesh.

    `options` are those of docs/options.md, such as memory_limit="16GB", time_limit=10 (seconds),
    target="xla". `progress` is called now and then with a `Progress`; answering False stops with
    the best answer so far. Ctrl-C stops and raises KeyboardInterrupt.

    A limit that cannot be met is no error: the plan's status is then "infeasible". Raises
    InvalidArgument or NotFound for options, Cancelled when stopped before there was any answer.
    """
    inputs = handle_of(graph, Graph, "graph"), handle_of(mesh, Mesh, "mesh")
    handle = Options(options, progress)
    return handle.solve(lambda: IntraOpPlan._adopt("solve_intra_op", *inputs, handle._handle))


@dataclass(frozen=True)
class VerifyReport:
    """Whether a plan computes what its graph computes, and a table that says where not."""

    passed: bool
    text: str

    def __bool__(self) -> bool:
        return self.passed


def verify(graph: Graph, plan: IntraOpPlan) -> VerifyReport:
    """Runs the graph on a small interpreter densely and as the plan says, and compares.

    Raises InvalidArgument for a plan of another graph and for graphs too large to interpret,
    NotFound for an operator that the interpreter does not know.
    """
    passed, report = ctypes.c_int32(), ctypes.c_char_p()
    call("verify", handle_of(graph, Graph, "graph"), handle_of(plan, IntraOpPlan, "plan"), ctypes.byref(passed), ctypes.byref(report))
    return VerifyReport(bool(passed.value), (report.value or b"").decode("utf-8"))
