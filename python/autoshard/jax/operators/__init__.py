# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
"""The table of primitives; importing the families fills it."""
from . import contraction, elementwise, indexing, random, reduction, shape, window
from .table import ROWS, emit_operators

__all__ = ["ROWS", "emit_operators"]
