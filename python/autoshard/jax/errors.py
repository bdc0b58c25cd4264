# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
"""What can go wrong, in the words of somebody who calls a function."""
from __future__ import annotations

from ..plan import IntraOpPlan


class InfeasiblePlan(ValueError):
    """No plan fits the memory limit; the text says what would do."""


def require_answer(plan: IntraOpPlan, name: str) -> None:
    """Raises InfeasiblePlan, or TimeoutError when the search ended before there was any plan."""
    if not plan.has_answer:
        error = InfeasiblePlan if plan.status == "infeasible" else TimeoutError
        raise error(f"{name}: {plan.reason}")


class PlanWarning(UserWarning):
    """Something in a plan that the caller should know, such as operators kept whole."""
