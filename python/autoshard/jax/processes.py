# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
"""One plan for all processes of a run.

The first process plans and sends its plan to the others. Before anybody compiles, all of them
compare what they traced: different programs would wait for each other in different collectives.
"""
from __future__ import annotations

import hashlib
from typing import Callable

import jax
import numpy as np
from jax.experimental import multihost_utils

from ..errors import AutoshardError


class ProcessesDiffer(RuntimeError):
    """The processes of one run have different functions, shapes or options."""


def agree(make: Callable[[], str], fingerprint: str) -> str:
    """What `make` answers in the first process, in all of them.

    Raises ProcessesDiffer in every process if `fingerprint` is not the same everywhere, and what
    `make` raised in the first one, in the others as RuntimeError.
    """
    _compare(fingerprint)
    failure: Exception | None = None
    text = ""
    if jax.process_index() == 0:
        try:
            text = "+" + make()
        except (AutoshardError, ValueError) as error:
            failure, text = error, f"-{type(error).__name__}: {error}"
    text = _broadcast(text)
    if failure is not None:
        raise failure
    if text[0] == "-":
        raise RuntimeError(f"process 0 could not plan: {text[1:]}")
    return text[1:]


def _compare(fingerprint: str) -> None:
    digest = np.frombuffer(hashlib.sha256(fingerprint.encode()).digest(), dtype=np.uint8)
    all_digests = np.asarray(multihost_utils.process_allgather(digest))
    differing = [number for number, other in enumerate(all_digests)
                 if not np.array_equal(other, all_digests[0])]
    if differing:
        names = ", ".join(map(str, differing))
        raise ProcessesDiffer(f"process {names}: the function, its shapes or its options differ "
                              "from those of process 0")


def _broadcast(text: str) -> str:
    """The text of process 0. Its length goes first, as all must bring an array of the same size."""
    content = np.frombuffer(text.encode(), dtype=np.uint8)
    length = int(multihost_utils.broadcast_one_to_all(np.int64(content.size)))
    buffer = np.zeros(length, dtype=np.uint8)
    if jax.process_index() == 0:
        buffer[:] = content
    return bytes(np.asarray(multihost_utils.broadcast_one_to_all(buffer))).decode()
