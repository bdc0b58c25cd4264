# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
"""What can go wrong, in the words of somebody who calls a function."""


class InfeasiblePlan(ValueError):
    """No plan fits the memory limit; the text says what would do."""


class PlanWarning(UserWarning):
    """Something in a plan that the caller should know, such as operators kept whole."""
