# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
"""Two rounds of messages along the edges of a graph, summed where they arrive, to classify its
nodes; Adam."""
import jax
import jax.numpy as jnp

from .training import Model, Source, adam_update, cross_entropy, with_adam

NODES, EDGES, FEATURES, HIDDEN, CLASSES, ROUNDS = 96, 384, 48, 96, 24, 2


def round_weights(source: Source) -> dict:
    return {"sender": source.weight(HIDDEN, HIDDEN), "receiver": source.weight(HIDDEN, HIDDEN),
            "edge": source.weight(FEATURES, HIDDEN), "bias": jnp.zeros(HIDDEN),
            "update": source.weight(2 * HIDDEN, HIDDEN)}


def make_arguments(seed: int) -> tuple:
    source = Source(seed)
    params = {"encode": source.weight(FEATURES, HIDDEN),
              "rounds": [round_weights(source) for _ in range(ROUNDS)],
              "output": source.weight(HIDDEN, CLASSES)}
    return (with_adam(params), source.normal(NODES, FEATURES), source.normal(EDGES, FEATURES),
            source.integers(NODES, EDGES), source.integers(NODES, EDGES),
            source.integers(CLASSES, NODES))


def exchange(weights: dict, nodes: jax.Array, edges: jax.Array, senders: jax.Array,
             receivers: jax.Array) -> jax.Array:
    messages = jax.nn.relu(nodes[senders] @ weights["sender"] + nodes[receivers]
                           @ weights["receiver"] + edges @ weights["edge"] + weights["bias"])
    arrived = jax.ops.segment_sum(messages, receivers, num_segments=NODES)
    return nodes + jnp.tanh(jnp.concatenate([nodes, arrived], -1) @ weights["update"])


def loss(params: dict, nodes: jax.Array, edges: jax.Array, senders: jax.Array,
         receivers: jax.Array, labels: jax.Array) -> jax.Array:
    x = jnp.tanh(nodes @ params["encode"])
    for weights in params["rounds"]:
        x = exchange(weights, x, edges, senders, receivers)
    return cross_entropy(x @ params["output"], labels)


def step(state: dict, *graph: jax.Array) -> tuple:
    value, gradients = jax.value_and_grad(loss)(state["params"], *graph)
    return adam_update(state, gradients), value


GRAPH_NETWORK = Model("graph_network", step, make_arguments)
