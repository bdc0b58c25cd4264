# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
"""One training step of two layers, h = tanh(x w1), y = h w2, planned for four devices."""
import autoshard

BATCH, WIDTH, HIDDEN = 64, 4096, 16384


def dot(builder, left, l, right, r, shape, phase="forward"):
    """Contracts dimension l of `left` with dimension r of `right`."""
    return builder.op("dot_general", left, right, type=("f32", shape), phase=phase,
                      lhs_batching_dimensions=[], rhs_batching_dimensions=[],
                      lhs_contracting_dimensions=[l], rhs_contracting_dimensions=[r])


def two_layers():
    builder = autoshard.GraphBuilder("two_layers")
    x = builder.input("x", ("f32", (BATCH, WIDTH)))
    dy = builder.input("dy", ("f32", (BATCH, WIDTH)))
    w1 = builder.parameter("w1", ("f32", (WIDTH, HIDDEN)))
    w2 = builder.parameter("w2", ("f32", (HIDDEN, WIDTH)))

    h = builder.op("tanh", dot(builder, x, 1, w1, 0, (BATCH, HIDDEN)))
    y = dot(builder, h, 1, w2, 0, (BATCH, WIDTH))

    dw2 = dot(builder, h, 0, dy, 0, (HIDDEN, WIDTH), "backward")
    dh = dot(builder, dy, 1, w2, 1, (BATCH, HIDDEN), "backward")
    dw1 = dot(builder, x, 0, dh, 0, (WIDTH, HIDDEN), "backward")

    # The weight after the step replaces the weight before it.
    for index, (weight, gradient) in enumerate([(w1, dw1), (w2, dw2)]):
        builder.result(builder.op("subtract", weight, gradient, phase="update"))
        builder.state_pair(weight, index)
    builder.result(y)
    return builder.build()


graph = two_layers()
mesh = autoshard.Mesh("model=4", device="a100")
plan = autoshard.solve_intra_op(graph, mesh, memory_limit="16GB")
print(plan.status)
for name, spec in zip(["x", "dy", "w1", "w2"], plan.argument_specs):
    print(f"{name:3} {spec}")
