# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
"""The version stands in CMakeLists.txt; what cannot read it there repeats it."""
import json
import re
from pathlib import Path

import autoshard

ROOT = Path(__file__).resolve().parents[2]
# What python/pyproject.toml has its version read by.
IN_CMAKE = r"project\(autoshard VERSION (?P<value>\d+\.\d+\.\d+)"


def only_match(pattern: str, file: str) -> str:
    [found] = re.findall(pattern, (ROOT / file).read_text(encoding="utf-8"), re.MULTILINE)
    return found


def test_the_library_and_the_package_have_the_version_of_cmakelists():
    assert autoshard.__version__ == only_match(IN_CMAKE, "CMakeLists.txt")


def test_pyproject_reads_the_version_where_it_stands():
    assert only_match(r"^regex = '(.*)'$", "python/pyproject.toml") == IN_CMAKE
    assert only_match(r'^input = "(.*)"$', "python/pyproject.toml") == "../CMakeLists.txt"


def test_the_recipes_of_the_package_managers_agree():
    version = only_match(IN_CMAKE, "CMakeLists.txt")
    port = json.loads((ROOT / "packaging" / "vcpkg" / "vcpkg.json").read_text(encoding="utf-8"))
    assert only_match(r'^    version = "(.*)"$', "conanfile.py") == version
    assert port["version"] == version


def test_the_header_and_the_documents_agree():
    version = only_match(IN_CMAKE, "CMakeLists.txt")
    assert only_match(r'autoshard_version\(void\); /\* "(.*)" \*/', "capi/autoshard.h") == version
    assert only_match(r'"autoshard_version": "(.*)"', "docs/plan.md") == version
