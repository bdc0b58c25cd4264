# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
"""Seven thousand million parameters, planned from shapes alone."""
import pytest
from models.llama import Llama, llama_shapes, llama_step

from autoshard.jax import auto_shard

# Parameters and two moments in float32, on eight devices.
STATE_BYTES = 6_738_415_616 * 12


@pytest.mark.parametrize("scanned", (True, False), ids=("scan", "loop"))
@pytest.mark.parametrize("mesh", ("x=8", "data=2,model=4"))
def test_a_step_of_llama_7b_fits_eight_devices_of_40_gb(mesh, scanned):
    if not scanned and mesh != "x=8":
        pytest.skip("the loop on two axes takes long, and shows nothing that the scan does not")
    sizes = Llama(scanned=scanned)
    function = auto_shard(llama_step(sizes), mesh=mesh, device="a100", memory_limit="40GB",
                          donate_argnums=0)
    plan = function.plan(*llama_shapes(sizes))
    document = plan.intra_op.document
    assert plan.status in ("optimal", "feasible")
    assert document["solver"]["gap"] < 0.02
    assert STATE_BYTES / 8 < document["argument_bytes"] < plan.intra_op.peak_bytes <= 40e9
    assert document["warnings"] == []
