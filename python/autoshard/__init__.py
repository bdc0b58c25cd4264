# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
"""Plans how the tensors of a model are split over devices.

    import autoshard
    graph = autoshard.Graph.load("model.hlo.gz")
    mesh = autoshard.Mesh("data=2,model=4", device="a100")
    plan = autoshard.solve_intra_op(graph, mesh, memory_limit="16GB")
    print(plan.report())
"""
import json as _json

from . import _library
from .errors import (AutoshardError, Cancelled, InternalError, InvalidArgument, NotFound,
                     OutOfMemory)
from .graph import Graph, GraphBuilder, Loop, Tensor
from .options import Progress, device_names, option_names
from .plan import IntraOpPlan, Mesh, VerifyReport, solve_intra_op, verify
from .problem import Check, Problem, Solution, check, solve

__version__: str = _library.function("version")().decode()


def build_info() -> dict:
    """Version, compiler, solver backends, and the licences of what is linked in."""
    return _json.loads(_library.function("build_info")())


__all__ = [
    "AutoshardError", "Cancelled", "Check", "Graph", "GraphBuilder", "InternalError",
    "IntraOpPlan", "InvalidArgument", "Loop", "Mesh", "NotFound", "OutOfMemory", "Problem",
    "Progress", "Solution", "Tensor", "VerifyReport", "build_info", "check", "device_names",
    "option_names", "solve", "solve_intra_op", "verify",
]
