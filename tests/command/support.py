# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
"""Runs the command that AUTOSHARD_COMMAND names."""
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "tests" / "data"
EXAMPLE = str(DATA / "iopddl_example.json")
MODEL = str(DATA / "gpt2_tiny_loop.hlo.gz")
COMMAND = os.environ.get("AUTOSHARD_COMMAND", "autoshard")

SMALL_MODEL = """HloModule small

ENTRY main {
  x = f32[64,256]{1,0} parameter(0)
  w = f32[256,1024]{1,0} parameter(1)
  p = f32[64,1024]{1,0} dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  ROOT y = f32[64,1024]{1,0} tanh(p)
}
"""


def run(*arguments: str) -> subprocess.CompletedProcess:
    return subprocess.run([COMMAND, *arguments], capture_output=True, text=True, timeout=300)


class CommandTest(unittest.TestCase):
    """Gives each test a folder of its own."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def write(self, name: str, content) -> str:
        path = self.folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return str(path)

    def answers(self, *arguments: str, code: int = 0) -> str:
        """Standard output of a run that ends with `code`."""
        result = run(*arguments)
        self.assertEqual(result.returncode, code, f"{arguments}: {result.stdout}{result.stderr}")
        return result.stdout

    def refuses(self, *arguments: str, naming: str) -> None:
        """Bad input: exit code 2, one complaint that names the offender, nothing else."""
        result = run(*arguments)
        with self.subTest(arguments=arguments):
            self.assertEqual(result.returncode, 2, result.stdout + result.stderr)
            self.assertTrue(result.stderr.startswith("autoshard: error: "), result.stderr)
            self.assertIn(naming, result.stderr)
            self.assertEqual(result.stdout, "")
