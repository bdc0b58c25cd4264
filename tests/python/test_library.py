# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
import os
import re
import subprocess
import sys
from pathlib import Path

import autoshard
from autoshard import _capi

ROOT = Path(__file__).resolve().parents[2]


def test_every_function_of_the_header_has_a_signature():
    header = (ROOT / "capi" / "autoshard.h").read_text(encoding="utf-8")
    declared = set(re.findall(r"AUTOSHARD_API[^;(]*?\b(autoshard_\w+)\(", header))
    assert declared == set(_capi.SIGNATURES)
    assert len(declared) < 60


def test_the_abi_version_is_the_header_s():
    header = (ROOT / "capi" / "autoshard.h").read_text(encoding="utf-8")
    assert f"#define AUTOSHARD_ABI_VERSION {_capi.ABI_VERSION}\n" in header


def test_build_info_names_backends_and_licences():
    info = autoshard.build_info()
    assert info["version"] == autoshard.__version__
    assert all(entry["licence"] for entry in info["backends"] + info["linked"])


def import_with(library: str) -> subprocess.CompletedProcess:
    environment = dict(os.environ, AUTOSHARD_LIBRARY=library, PYTHONPATH=str(ROOT / "python"))
    return subprocess.run([sys.executable, "-c", "import autoshard"], env=environment,
                          capture_output=True, text=True)


def test_a_missing_or_foreign_library_is_an_import_error():
    for library in ("/no/such/library.so", __file__):
        result = import_with(library)
        assert result.returncode != 0
        assert f"ImportError: '{library}' is not a usable autoshard library" in result.stderr


def test_a_library_of_another_abi_version_is_an_import_error_that_names_both(tmp_path):
    source = tmp_path / "other.c"
    source.write_text("int autoshard_abi_version(void) { return 99; }\n")
    library = tmp_path / "other.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-o", str(library), str(source)], check=True)
    result = import_with(str(library))
    assert result.returncode != 0
    assert (f"ImportError: '{library}' has ABI version 99, this package needs "
            f"{_capi.ABI_VERSION}\n") in result.stderr
