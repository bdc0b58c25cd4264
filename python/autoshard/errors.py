# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
"""Exceptions, one for each code of the C API. Their text names the offender."""
from . import _capi


class AutoshardError(Exception):
    """Whatever the library reports."""


class InvalidArgument(AutoshardError, ValueError):
    """An input that does not make sense: a graph, a mesh, an option, a file's content."""


class NotFound(AutoshardError, LookupError):
    """A file, a device, a target, an option or an index that does not exist."""


class OutOfMemory(AutoshardError, MemoryError):
    """The planner itself ran out of memory. (A plan that does not fit has status "infeasible".)"""


class Cancelled(AutoshardError):
    """The progress callback asked to stop before there was any answer."""


class InternalError(AutoshardError, RuntimeError):
    """A bug of the library."""


BY_STATUS: dict[int, type[AutoshardError]] = {
    _capi.INVALID_ARGUMENT: InvalidArgument,
    _capi.NOT_FOUND: NotFound,
    _capi.OUT_OF_MEMORY: OutOfMemory,
    _capi.CANCELLED: Cancelled,
    _capi.INTERNAL: InternalError,
}
