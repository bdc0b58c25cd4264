# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
"""Compares what a shared library exports with the functions that its C header declares.

check_symbols.py [--nm NM] --header HEADER LIBRARY
"""
import argparse
import re
import subprocess
import sys
from pathlib import Path

PREFIX = "autoshard_"


def exported(nm: str, library: str) -> set[str]:
    command = [nm, "-D", "--defined-only", library]
    listing = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return {line.split()[-1].split("@")[0] for line in listing.splitlines() if line.strip()}


def declared(header: str) -> set[str]:
    text = Path(header).read_text(encoding="utf-8")
    text = re.sub(r"/\*.*?\*/|//[^\n]*", " ", text, flags=re.DOTALL)
    text = re.sub(r"^[ \t]*#(?:[^\n\\]|\\.|\\\n)*", " ", text, flags=re.MULTILINE)
    return set(re.findall(rf"\b({PREFIX}\w+)\s*\(", text))


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--nm", default="nm")
    parser.add_argument("--header", required=True)
    parser.add_argument("library")
    arguments = parser.parse_args()

    symbols, functions = exported(arguments.nm, arguments.library), declared(arguments.header)
    complaints = [f"exported but not declared: {name}" for name in sorted(symbols - functions)]
    complaints += [f"declared but not exported: {name}" for name in sorted(functions - symbols)]
    complaints += [f"wrong prefix: {name}" for name in sorted(symbols)
                   if not name.startswith(PREFIX)]
    if not symbols:
        complaints.append("the library exports nothing")
    print("\n".join(complaints) or f"{len(symbols)} functions, all declared")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
