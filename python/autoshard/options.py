# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
"""Keywords of a solve, progress, and Ctrl-C.

The keywords are the names in docs/options.md. Any of them takes a number or the text that the
command takes, such as memory_limit="16GB".
"""
from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any, Callable, Optional, Union

from . import _capi
from ._library import Owner, call, encode, function

OptionValue = Union[str, int, float]


@dataclass(frozen=True)
class Progress:
    """How far a solve is. `seconds` since it began; `cost` and `lower_bound` are None until known."""

    phase: str
    seconds: float
    cost: Optional[int]
    lower_bound: Optional[int]


ProgressCallback = Callable[[Progress], Any]


def option_names() -> list[str]:
    """The keywords that `solve_intra_op` takes."""
    return _names("option_name")


def device_names() -> list[str]:
    """The built-in devices that a `Mesh` can be made of."""
    return _names("device_name")


def _names(getter: str) -> list[str]:
    names: list[str] = []
    while (name := function(getter)(len(names))) is not None:
        names.append(name.decode("utf-8"))
    return names


def _integer(text: Optional[bytes]) -> Optional[int]:
    return None if text is None else int(text)


class Options(Owner):
    """One options handle for the duration of one solve."""

    _kind = "options"

    def __init__(self, values: dict[str, Optional[OptionValue]],
                 progress: Optional[ProgressCallback]) -> None:
        self._create("options_create")
        for name, value in values.items():
            if value is not None:
                text = encode(str(value), f"option '{name}'")
                call("options_set", self._handle, encode(name, "option"), text)
        self._progress = progress
        self._raised: Optional[BaseException] = None
        self._callback = _capi.PROGRESS_CALLBACK(self._report)
        call("options_set_progress", self._handle, self._callback, None)

    # Python runs the handler of Ctrl-C on the way into this function, so that a KeyboardInterrupt
    # is raised here; it must not pass through C, and is raised again once the solve has returned.
    def _report(self, state: Any, _: Any) -> int:
        try:
            now = state.contents
            if self._progress is None:
                return 0
            answer = self._progress(Progress(now.phase.decode("utf-8"), now.seconds,
                                             _integer(now.cost), _integer(now.lower_bound)))
            return 1 if answer is False else 0
        except BaseException as error:  # noqa: B902
            self._raised = error
            return 1

    def solve(self, make: Callable[[], Any]) -> Any:
        """Runs a solve that uses this handle; raises what was raised in the callback."""
        try:
            answer = make()
        except Exception:
            if self._raised is not None:
                raise self._raised from None
            raise
        if self._raised is not None:
            raise self._raised
        return answer
