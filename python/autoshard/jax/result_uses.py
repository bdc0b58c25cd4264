# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
"""What becomes of a collective's result: is it only cut into shards, or only summed once more?

Follows a value through what keeps its elements as they are, into and out of fusions.
"""
from __future__ import annotations

from typing import Iterable, Iterator, Optional

from .hlo_text import Instruction, Module

_KEEPS_ELEMENTS = {"bitcast", "reshape", "copy", "transpose", "convert", "pad"}


def sliced_elements(module: Module, instruction: Instruction, position: int) -> Optional[int]:
    """Elements of the largest shard that a device cuts from result `position` for itself.

    None when the result, or a part that does not depend on the device, is used otherwise.
    """
    uses = list(_uses(module, instruction, position))
    sizes = [_sliced_by_device(module, value, user) for value, user in uses]
    return max(sizes) if sizes and None not in sizes else None


def next_sum(module: Module, instruction: Instruction,
             position: int) -> Optional[tuple[Instruction, int]]:
    """The all-reduce, and its operand, that is all that reads result `position`."""
    uses = list(_uses(module, instruction, position))
    if len(uses) != 1 or uses[0] is None:
        return None
    value, user = uses[0]
    if user is None or user.opcode not in ("all-reduce", "all-reduce-start"):
        return None
    return user, user.operands.index(value.name)


Use = tuple[Instruction, Optional[Instruction]]  # a value, and who reads it; None: the caller


def _uses(module: Module, instruction: Instruction, position: int) -> Iterator[Use]:
    if len(instruction.arrays) == 1:
        yield from _uses_of(module, instruction)
        return
    if _is_root(module, instruction):
        yield instruction, None
    for user in module.users(instruction):
        if user.attribute("index") == str(position):
            yield from _uses_of(module, user)


def _uses_of(module: Module, value: Instruction) -> Iterator[Use]:
    """Past what keeps the elements; a fusion's parameters are followed inside it."""
    if _is_root(module, value):
        yield from _uses_outside(module, value)
    for user in module.users(value):
        if user.opcode in _KEEPS_ELEMENTS and user.operands[0] == value.name:
            yield from _uses_of(module, user)
        elif user.opcode == "fusion":
            for parameter in _parameters(module, value, user):
                yield from _uses_of(module, parameter)
        else:
            yield value, user


def _uses_outside(module: Module, root: Instruction) -> Iterator[Use]:
    callers = module.callers(root.computation)
    if callers and all(caller.opcode == "fusion" for caller in callers):
        for caller in callers:
            yield from _uses_of(module, caller)
    else:
        yield root, None


def _is_root(module: Module, instruction: Instruction) -> bool:
    return module.computations[instruction.computation].root == instruction.name


def _parameters(module: Module, value: Instruction, fusion: Instruction) -> list[Instruction]:
    positions = {i for i, operand in enumerate(fusion.operands) if operand == value.name}
    body = module.computations[fusion.called["calls"][0]].instructions.values()
    return [each for each in body if each.parameter in positions]


def _sliced_by_device(module: Module, value: Instruction,
                      user: Optional[Instruction]) -> Optional[int]:
    if user is None or user.opcode != "dynamic-slice" or user.operands[0] != value.name:
        return None
    by_device = _any_depends(module, user.computation, user.operands[1:])
    return user.arrays[0].elements if by_device else None


def _any_depends(module: Module, computation: str, names: Iterable[str]) -> bool:
    return any(_depends_on_device(module, computation, name) for name in names)


def _depends_on_device(module: Module, computation: str, name: str) -> bool:
    """Looks backwards from an index for `partition-id`."""
    instruction = module.computations[computation].instructions[name]
    if instruction.opcode == "partition-id":
        return True
    if instruction.opcode == "parameter":
        callers = [each for each in module.callers(computation)
                   if each.opcode in ("fusion", "call")]
        return any(_any_depends(module, caller.computation,
                                [caller.operands[instruction.parameter]]) for caller in callers)
    if instruction.opcode == "get-tuple-element":
        return _element_depends(module, instruction)
    return _any_depends(module, computation, instruction.operands)


def _element_depends(module: Module, element: Instruction) -> bool:
    """A loop's invariant such as `partition-id` enters its body through the tuple it carries."""
    index = int(element.attribute("index") or 0)
    source = module.computations[element.computation].instructions[element.operands[0]]
    if source.opcode == "parameter":
        return any(_carried_depends(module, caller, index)
                   for caller in module.callers(element.computation) if caller.opcode == "while")
    if source.opcode == "tuple":
        return _any_depends(module, element.computation, [source.operands[index]])
    return source.opcode == "fusion" and _any_depends(module, element.computation, source.operands)


def _carried_depends(module: Module, loop: Instruction, index: int) -> bool:
    carried = module.computations[loop.computation].instructions[loop.operands[0]]
    return carried.opcode == "tuple" and _any_depends(module, loop.computation,
                                                      [carried.operands[index]])
