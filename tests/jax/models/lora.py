# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
"""LoRA on a frozen GPT: thin factors beside the query and value matrices are all that is trained,
and all that the optimizer knows."""
import jax

from . import gpt
from .training import Model, Source, adam_update, with_adam
from .transformer import HIDDEN, Adapted

RANK, ADAPTED = 24, ("query", "value")


def factors(source: Source) -> dict:
    """LoRA starts `up` at zero; small numbers here, so that every gradient counts at once."""
    return {name: {"down": source.weight(HIDDEN, RANK), "up": source.weight(RANK, HIDDEN) * 0.1}
            for name in ADAPTED}


def make_arguments(seed: int) -> tuple:
    source = Source(seed)
    trained = with_adam([factors(source) for _ in range(gpt.LAYERS)])
    return {"frozen": gpt.weights(source), "trained": trained}, *gpt.batch(source)


def adapted(frozen: dict, trained: list) -> dict:
    blocks = []
    for layer, extra in zip(frozen["blocks"], trained):
        attention = layer["attention"] | {
            name: Adapted(layer["attention"][name], **extra[name]) for name in ADAPTED}
        blocks.append(layer | {"attention": attention})
    return frozen | {"blocks": blocks}


def loss(trained: list, frozen: dict, tokens: jax.Array, targets: jax.Array) -> jax.Array:
    return gpt.loop_loss(adapted(frozen, trained), tokens, targets)


def step(state: dict, tokens: jax.Array, targets: jax.Array) -> tuple:
    trained = state["trained"]
    value, gradients = jax.value_and_grad(loss)(trained["params"], state["frozen"], tokens, targets)
    return {"frozen": state["frozen"], "trained": adam_update(trained, gradients)}, value


LORA = Model("lora", step, make_arguments)
