# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
"""Keywords of a solve, progress, and Ctrl-C.

The keywords are the names in docs/options.md. Any of them takes a number or the text that the
command takes, such as memory_limit="16GB"; `pin` also takes a list of texts.
"""
from __future__ import annotations

import signal
import threading
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Callable, Iterator, Optional, Sequence, Union

from . import _capi
from ._library import Owner, call, encode, function
from .errors import AutoshardError

OptionValue = Union[str, int, float, Sequence[str]]


@dataclass(frozen=True)
class Progress:
    """How far a solve is: `seconds` since it began; None for what is not known yet."""

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


def _texts(name: str, value: Optional[OptionValue]) -> list[str]:
    """What is set one after the other: nothing for None, each text of a list of pins."""
    if value is None:
        return []
    if name == "pin" and isinstance(value, (list, tuple)):
        return list(value)
    return [str(value)]


class Options(Owner):
    """One options handle for the duration of one solve."""

    _kind = "options"

    def __init__(self, values: dict[str, Optional[OptionValue]],
                 progress: Optional[ProgressCallback]) -> None:
        self._create("options_create")
        for name, value in values.items():
            for text in _texts(name, value):
                call("options_set", self._handle, encode(name, "option"),
                     encode(text, f"option '{name}'"))
        self._progress = progress
        self._raised: Optional[BaseException] = None
        self._interrupted = False
        self._callback = _capi.PROGRESS_CALLBACK(self._report)
        call("options_set_progress", self._handle, self._callback, None)

    def _report(self, state: Any, _: Any) -> int:
        """The C callback. Nothing may be raised through C: it comes out when the solve returns."""
        try:
            if self._interrupted:
                return 1
            if self._progress is None:
                return 0
            now = state.contents
            answer = self._progress(Progress(now.phase.decode("utf-8"), now.seconds,
                                             _integer(now.cost), _integer(now.lower_bound)))
            return 1 if answer is False else 0
        except BaseException as error:  # noqa: B902
            self._raised = error
            return 1

    def solve(self, make: Callable[[], Any]) -> Any:
        """Runs a solve that uses this handle; raises what was raised in the callback."""
        failure: Optional[AutoshardError] = None
        with self._noting_interrupts():
            try:
                answer = make()
            except AutoshardError as error:
                failure = error
        if self._raised is not None:
            raise self._raised
        if failure is not None:
            raise failure
        return answer

    # Python runs a signal's handler on the way into the callback, where KeyboardInterrupt would be
    # lost; so for the time of the solve the handler only takes note.
    @contextmanager
    def _noting_interrupts(self) -> Iterator[None]:
        handler = signal.getsignal(signal.SIGINT)
        if threading.current_thread() is not threading.main_thread() or not callable(handler):
            yield
            return
        signal.signal(signal.SIGINT, self._note_interrupt)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, handler)
            if self._interrupted:
                handler(signal.SIGINT, None)  # raises KeyboardInterrupt, unless the host changed it

    def _note_interrupt(self, number: int, frame: Any) -> None:
        self._interrupted = True
