# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
"""Run with PYTHONPATH=python and AUTOSHARD_LIBRARY=path/to/libautoshard_c.so.

The number of virtual devices has to stand in the environment before JAX starts, so this file must
be read before anything imports it.
"""
import importlib.util
import os

_DEVICES = "--xla_force_host_platform_device_count=8"
if "xla_force_host_platform_device_count" not in os.environ.get("XLA_FLAGS", ""):
    os.environ["XLA_FLAGS"] = f"{os.environ.get('XLA_FLAGS', '')} {_DEVICES}".strip()
os.environ.setdefault("JAX_PLATFORMS", "cpu")
if importlib.util.find_spec("jax") is None:
    collect_ignore_glob = ["test_*.py"]
