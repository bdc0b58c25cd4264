# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
"""The text of a compiled HLO module as computations of instructions.

Reads only what `compiled_collectives` asks for: names, shapes, operands, called computations and
attributes as text. It checks no types and knows no operator.
"""
from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import Iterator, Optional

_BITS = {"pred": 8, "s2": 2, "u2": 2, "s4": 4, "u4": 4, "s8": 8, "u8": 8, "s16": 16, "u16": 16,
         "s32": 32, "u32": 32, "s64": 64, "u64": 64, "bf16": 16, "f16": 16, "f32": 32, "f64": 64,
         "c64": 64, "c128": 128}
_ARRAY = re.compile(r"\b([a-z][a-z0-9]*)\[([\d,<=? ]*)\]")
_COMMENT = re.compile(r"/\*.*?\*/")
_INSTRUCTION = re.compile(r"^\s+(ROOT )?%?([\w.\-]+) = (.*)$")
_COMPUTATION = re.compile(r"^(ENTRY )?%?([\w.\-]+) \(.*\) -> .* \{$")
_OPCODE = re.compile(r"\s*([a-z][\w\-]*)\(")
_CALLED = re.compile(r"\b(calls|to_apply|body|condition|branch_computations|true_computation|"
                     r"false_computation|called_computations)=(\{[^}]*\}|%?[\w.\-]+)")
_TRIP_COUNT = re.compile(r'"known_trip_count":\{"n":"?(\d+)"?\}')


@dataclass(frozen=True)
class Array:
    """Element type and dimensions of one array, as one device holds it."""

    dtype: str
    dims: tuple[int, ...]

    @property
    def elements(self) -> int:
        return math.prod(self.dims)

    @property
    def bytes(self) -> int:
        bits = _BITS.get(self.dtype, 8)  # the 8-bit floats have many names; tokens have no elements
        return 0 if self.dtype == "token" else (self.elements * bits + 7) // 8


@dataclass
class Instruction:
    name: str
    opcode: str
    arrays: list[Array]  # one, or the elements of a tuple
    operands: list[str]
    attributes: str
    computation: str
    parameter: Optional[int] = None  # its position, when it is a parameter
    called: dict[str, list[str]] = field(default_factory=dict)

    @property
    def trip_count(self) -> Optional[int]:
        match = _TRIP_COUNT.search(self.attributes)
        return int(match.group(1)) if match else None

    @property
    def op_name(self) -> str:
        """Where JAX says it comes from."""
        match = re.search(r'op_name="([^"]*)"', self.attributes)
        return match.group(1) if match else ""

    def attribute(self, name: str) -> Optional[str]:
        """The value of a simple attribute such as `index=3`."""
        match = re.search(rf"(?<![\w.]){name}=([\w.\-%]+)", self.attributes)
        return match.group(1) if match else None


@dataclass
class Computation:
    name: str
    instructions: dict[str, Instruction] = field(default_factory=dict)
    root: str = ""


@dataclass
class Module:
    computations: dict[str, Computation]
    entry: str
    devices: int

    def callers(self, computation: str) -> list[Instruction]:
        return self._callers.get(computation, [])

    def users(self, instruction: Instruction) -> list[Instruction]:
        """The instructions of the same computation that read it."""
        return self._users.get((instruction.computation, instruction.name), [])

    @cached_property
    def _callers(self) -> dict[str, list[Instruction]]:
        found: dict[str, list[Instruction]] = {}
        for instruction in self._instructions():
            for name in sum(instruction.called.values(), []):
                found.setdefault(name, []).append(instruction)
        return found

    @cached_property
    def _users(self) -> dict[tuple[str, str], list[Instruction]]:
        found: dict[tuple[str, str], list[Instruction]] = {}
        for instruction in self._instructions():
            for name in dict.fromkeys(instruction.operands):
                found.setdefault((instruction.computation, name), []).append(instruction)
        return found

    def _instructions(self) -> Iterator[Instruction]:
        for computation in self.computations.values():
            yield from computation.instructions.values()


def parse_hlo_text(text: str) -> Module:
    """Raises ValueError when there is no entry computation."""
    computations: dict[str, Computation] = {}
    entry, current = "", None
    for line in text.splitlines():
        header = _COMPUTATION.match(line)
        if header:
            current = Computation(header.group(2))
            computations[current.name] = current
            entry = current.name if header.group(1) else entry
        elif current is not None and (match := _INSTRUCTION.match(_COMMENT.sub("", line))):
            _add_instruction(current, match)
    if not entry:
        raise ValueError("the text has no ENTRY computation: is it an HLO module?")
    return Module(computations, entry, _devices(text))


def _devices(text: str) -> int:
    header = text.split("\n", 1)[0]
    counts = re.findall(r"\b(?:num_partitions|replica_count)=(\d+)", header)
    return math.prod(int(count) for count in counts)


def _add_instruction(computation: Computation, match: re.Match) -> None:
    root, name, rest = match.groups()
    end = _end_of_type(rest)
    opcode = _OPCODE.match(rest, end)
    if opcode is None:
        raise ValueError(f"instruction '{name}': no opcode after its type")
    close = _closing(rest, opcode.end() - 1)
    inside, attributes = rest[opcode.end():close], rest[close + 1:]
    instruction = Instruction(name, opcode.group(1), _arrays(rest[:end]), _operands(inside),
                              attributes, computation.name, called=_called(attributes))
    if instruction.opcode == "parameter":
        instruction.parameter = int(inside)
    computation.instructions[name] = instruction
    if root:
        computation.root = name


def _end_of_type(text: str) -> int:
    """A tuple type ends at its parenthesis, an array's type at the first blank."""
    return _closing(text, 0) + 1 if text.startswith("(") else text.index(" ")


def _closing(text: str, start: int) -> int:
    depth = 0
    for position in range(start, len(text)):
        depth += (text[position] == "(") - (text[position] == ")")
        if depth == 0:
            return position
    raise ValueError(f"no closing parenthesis in '{text[start:start + 60]}'")


def _arrays(text: str) -> list[Array]:
    return [Array(dtype, tuple(int(dim.strip("<= ")) for dim in dims.split(",") if dim.strip()))
            for dtype, dims in _ARRAY.findall(text)]


def _operands(text: str) -> list[str]:
    return re.findall(r"%([\w.\-]+)", text)


def _called(attributes: str) -> dict[str, list[str]]:
    return {key: re.findall(r"[\w.\-]+", value) for key, value in _CALLED.findall(attributes)}
