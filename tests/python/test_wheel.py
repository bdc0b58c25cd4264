# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
"""What `pip install ./python` installs: built once, looked into, and used from a folder of its own.

Slow, because it compiles the C library: with ccache only what no other build has compiled.
"""
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import zipfile
from email.message import Message
from email.parser import BytesParser
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "python"
LIBRARY = "autoshard/libautoshard_c.so"

pytestmark = pytest.mark.slow

PLAN = """
import autoshard
from autoshard import _library
builder = autoshard.GraphBuilder("small")
x = builder.input("x", "f32[64,256]")
builder.result(builder.op("tanh", x))
plan = autoshard.solve_intra_op(builder.build(), autoshard.Mesh("data=2,model=2"))
print(plan.status, autoshard.__version__, _library._library._name)
"""


def clean_environment(**changes: str) -> dict:
    """Without what points at the library and the Python files of another build."""
    mine = {"AUTOSHARD_LIBRARY", "PYTHONPATH", "CMAKE_ARGS"}
    return {**{name: value for name, value in os.environ.items() if name not in mine}, **changes}


def run(*command: str, **changes: str) -> str:
    done = subprocess.run(command, env=clean_environment(**changes), text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert done.returncode == 0, done.stdout
    return done.stdout


def pip(*arguments: str, **changes: str) -> str:
    return run(sys.executable, "-m", "pip", "--disable-pip-version-check", *arguments, **changes)


def isolation() -> list[str]:
    """Without scikit-build-core pip downloads it, and needs the network for that."""
    found = importlib.util.find_spec("scikit_build_core") is not None
    return ["--no-build-isolation"] if found else []


def build_settings() -> dict[str, str]:
    settings = {"CMAKE_BUILD_PARALLEL_LEVEL": str(len(os.sched_getaffinity(0)))}
    if shutil.which("ccache"):
        settings["CMAKE_CXX_COMPILER_LAUNCHER"] = "ccache"
    return settings


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    pip("wheel", "--no-deps", *isolation(), "-w", str(folder), str(SOURCE), **build_settings())
    [built] = folder.iterdir()
    return built


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("installed")
    pip("install", "--no-deps", "--no-compile", "--target", str(folder), str(wheel))
    return folder


def metadata(wheel: Path) -> Message:
    with zipfile.ZipFile(wheel) as archive:
        [name] = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
        return BytesParser().parsebytes(archive.read(name))


def dynamic_section(library: Path) -> str:
    return run("readelf", "--dynamic", "--wide", str(library), LC_ALL="C")


def test_the_wheel_is_for_every_python_3_on_this_platform(wheel):
    assert re.fullmatch(r"autoshard-\d+\.\d+\.\d+-py3-none-linux_\w+\.whl", wheel.name)


def test_the_wheel_holds_the_package_the_library_and_nothing_else(wheel):
    sources = [path for path in (SOURCE / "autoshard").rglob("*")
               if path.is_file() and path.suffix != ".pyc"]
    package = {path.relative_to(SOURCE).as_posix() for path in sources}
    assert {"autoshard/py.typed", "autoshard/jax/__init__.py",
            "autoshard/jax/operators/__init__.py"} <= package
    about = f"autoshard-{metadata(wheel)['Version']}.dist-info/"
    licences = {about + "licenses/LICENSE", about + "licenses/NOTICE"}
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    assert names == package | {LIBRARY} | licences | {
        about + name for name in ("METADATA", "RECORD", "WHEEL")}


def test_the_licences_in_the_wheel_are_the_repository_s(wheel):
    about = f"autoshard-{metadata(wheel)['Version']}.dist-info/licenses/"
    with zipfile.ZipFile(wheel) as archive:
        for name in ("LICENSE", "NOTICE"):
            assert archive.read(about + name) == (ROOT / name).read_bytes()


def test_numpy_is_the_only_dependency_and_jax_an_extra(wheel):
    found = metadata(wheel)
    assert found["Requires-Python"] == ">=3.9"
    assert found.get_all("Provides-Extra") == ["jax"]
    numpy, jax = found.get_all("Requires-Dist")
    assert numpy == "numpy>=1.26"
    assert jax.startswith("jax==0.10.2;") and 'extra == "jax"' in jax.replace("'", '"')


def test_the_wheel_is_small_and_its_library_is_stripped(wheel, installed):
    assert wheel.stat().st_size < 20_000_000
    sections = run("readelf", "--sections", "--wide", str(installed / LIBRARY), LC_ALL="C")
    assert ".dynsym" in sections and ".symtab" not in sections


def test_the_library_needs_neither_glpk_nor_the_cxx_library(installed):
    library = installed / LIBRARY
    needed = re.findall(r"\(NEEDED\).*\[(.*)\]", dynamic_section(library))
    assert "libc.so.6" in needed
    assert not [name for name in needed if "glpk" in name or "autoshard" in name]
    assert "RUNPATH" not in dynamic_section(library)
    assert b"glp_create_prob" not in library.read_bytes()


def test_the_library_exports_the_c_interface_alone(installed):
    check = ROOT / "tests" / "exports" / "check_symbols.py"
    header = ROOT / "capi" / "autoshard.h"
    run(sys.executable, str(check), "--header", str(header), str(installed / LIBRARY))


def test_the_installed_package_plans_with_its_own_library(wheel, installed, tmp_path):
    script = tmp_path / "plan.py"
    script.write_text(PLAN)
    printed = run(sys.executable, "-B", str(script), PYTHONPATH=str(installed)).split()
    assert printed == ["optimal", metadata(wheel)["Version"], str(installed / LIBRARY)]


@pytest.mark.parametrize("hook, words", [
    ("build_sdist", "has no source distribution"),
    ("build_editable", "cannot be installed editable"),
])
def test_what_cannot_work_says_so(hook, words, tmp_path):
    backend = pytest.importorskip("scikit_build_core.build", reason="no build backend to ask")
    call = f"import {backend.__name__} as backend; backend.{hook}({str(tmp_path)!r})"
    done = subprocess.run([sys.executable, "-c", call], cwd=SOURCE, env=clean_environment(),
                          text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    assert done.returncode != 0
    assert words in done.stdout
    assert list(tmp_path.iterdir()) == []
