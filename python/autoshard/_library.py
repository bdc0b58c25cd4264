# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
"""Finds and loads the C library, turns its statuses into exceptions, and owns its handles.

The library is the file that AUTOSHARD_LIBRARY names, else the one beside this package, else the one
that the system's loader knows.
"""
from __future__ import annotations

import ctypes
import ctypes.util
import operator
import os
from pathlib import Path
from typing import Any

from . import _capi
from .errors import BY_STATUS, InternalError, InvalidArgument

_NAMES = ("libautoshard_c.so", "libautoshard_c.dylib", "autoshard_c.dll")


def _find() -> str:
    named = os.environ.get("AUTOSHARD_LIBRARY")
    if named:
        return named
    for name in _NAMES:
        beside = Path(__file__).parent / name
        if beside.exists():
            return str(beside)
    found = ctypes.util.find_library("autoshard_c")
    if found:
        return found
    raise ImportError("libautoshard_c was not found: install it, or set AUTOSHARD_LIBRARY")


def _load() -> ctypes.CDLL:
    path = _find()
    try:
        library = ctypes.CDLL(path)
        version = library.autoshard_abi_version()
    except (OSError, AttributeError) as error:
        raise ImportError(f"'{path}' is not a usable autoshard library: {error}") from error
    if version != _capi.ABI_VERSION:
        raise ImportError(f"'{path}' has ABI version {version}, "
                          f"this package needs {_capi.ABI_VERSION}")
    for name, (result, arguments) in _capi.SIGNATURES.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


_library = _load()


def function(name: str) -> Any:
    """A C function by its name without the prefix."""
    return getattr(_library, "autoshard_" + name)


def call(name: str, *arguments: Any) -> None:
    """Calls a function that answers with a status; raises if it is not OK."""
    status = function(name)(*arguments)
    if status != _capi.OK:
        message = function("last_error")().decode("utf-8", "replace")
        raise BY_STATUS.get(status, InternalError)(message)


def encode(text: str, what: str) -> bytes:
    """UTF-8 for C, which ends text at a NUL."""
    if not isinstance(text, str):
        raise TypeError(f"{what}: expected text, got {type(text).__name__}")
    if "\0" in text:
        raise ValueError(f"{what}: contains a NUL character")
    return text.encode("utf-8")


def integer(value: Any, what: str, bits: int = 64) -> int:
    """For C, where a larger number would lose its upper bits."""
    number = operator.index(value)
    if not -(1 << (bits - 1)) <= number < 1 << (bits - 1):
        raise InvalidArgument(f"{what}: {number} does not fit into {bits} bits")
    return number


def handle_of(value: Any, kind: type, what: str) -> ctypes.c_void_p:
    """The handle of an object of ours; C cannot tell one kind from another."""
    if not isinstance(value, kind):
        raise TypeError(f"{what}: expected {kind.__name__}, got {type(value).__name__}")
    return value._handle


class Owner:
    """An object that owns one C handle, and destroys it when it is collected."""

    _kind = ""  # "graph" for autoshard_graph_destroy
    _handle: ctypes.c_void_p

    @classmethod
    def _adopt(cls, creator: str, *arguments: Any) -> "Owner":
        """Calls a function whose last parameter is a new handle, and wraps that."""
        owner = cls.__new__(cls)
        owner._handle = _new_handle(creator, *arguments)
        return owner

    def _create(self, creator: str, *arguments: Any) -> None:
        self._handle = _new_handle(creator, *arguments)

    def _text(self, getter: str, *arguments: Any) -> str:
        out = ctypes.c_char_p()
        call(getter, self._handle, *arguments, ctypes.byref(out))
        return (out.value or b"").decode("utf-8")

    def __del__(self) -> None:
        handle = getattr(self, "_handle", None)
        if handle:
            function(self._kind + "_destroy")(ctypes.byref(handle))


def _new_handle(creator: str, *arguments: Any) -> ctypes.c_void_p:
    handle = ctypes.c_void_p()
    call(creator, *arguments, ctypes.byref(handle))
    return handle
