# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
"""The committed HLO of the test models is what their script makes."""
import gzip
import importlib.util
import pathlib

import pytest

DATA = pathlib.Path(__file__).resolve().parents[1] / "data"
# The text follows the version of JAX that lowered it; another one may well print other text.
JAX_VERSION = "0.10.2"
MODELS = ["mlp", "mlp_wide", "bert_layer", "bert_two_layers", "bert_long", "embedding",
          "convolutions",
          "gpt2_tiny_loop", "gpt2_tiny_scan", "gpt2_tiny_scan_xla"]
# Compiled for the machine that dumped it: there to be read, not to be made again.
COMPILED = ["many_constructs_optimized"]


@pytest.fixture(scope="module")
def script():
    jax = pytest.importorskip("jax", reason="JAX is not installed: nothing to compare with")
    if jax.__version__ != JAX_VERSION:
        pytest.skip(f"the dumps were made with JAX {JAX_VERSION}, this is {jax.__version__}")
    spec = importlib.util.spec_from_file_location("dump_models", DATA / "dump_models.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_model_of_the_script_is_committed(script):
    assert sorted(script.MODELS) == sorted(MODELS + COMPILED)


@pytest.mark.parametrize("name", MODELS)
def test_a_committed_dump_is_what_the_script_makes(script, name):
    committed = gzip.decompress((DATA / f"{name}.hlo.gz").read_bytes()).decode()
    assert script.text(name) == committed


@pytest.mark.parametrize("name", MODELS + COMPILED)
def test_a_committed_dump_has_no_time_stamp(name):
    assert (DATA / f"{name}.hlo.gz").read_bytes()[4:8] == bytes(4)
