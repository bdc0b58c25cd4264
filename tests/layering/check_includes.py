# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
"""Fails when a module includes one that stands after it, or a public header shows a third party.

check_includes.py ROOT reads the #include lines of ROOT/src, ROOT/include and ROOT/capi. It judges
direct includes only.
"""
import re
import sys
from pathlib import Path

# What each module may include, besides itself.
ALLOWED = {
    "base": "",
    "graph": "base",
    "mesh": "base",
    "sharding": "base graph mesh",
    "cost": "base graph mesh sharding",
    "strategy": "base graph mesh sharding cost",
    "solver": "base",
    "intra": "base graph mesh sharding cost strategy solver",
    "schedule": "base",
    "inter": "base graph mesh sharding cost strategy solver intra schedule",
    "autodiff": "base graph",
    "models": "base graph",
    "planner": "base graph mesh sharding cost strategy solver intra schedule inter autodiff models",
    # The referee of plans: it must not see a sharding rule, a cost or a solver.
    "execute": "base graph mesh",
    "io": "base graph mesh sharding cost strategy solver intra schedule inter planner models",
    "glpk": "base solver",
    "capi": "base graph mesh sharding cost strategy solver intra schedule inter autodiff models"
            " planner execute io",
}
ALLOWED = {module: {module, *allowed.split()} for module, allowed in ALLOWED.items()}

# The module that each public header belongs to. A header that is missing here fails the test.
PUBLIC_HEADERS = {
    "error.hpp": "base",
    "ids.hpp": "base",
    "types.hpp": "base",
    "graph.hpp": "graph",
    "graph_builder.hpp": "graph",
    "device_mesh.hpp": "mesh",
    "target.hpp": "mesh",
    "sharding_spec.hpp": "mesh",
    "collective.hpp": "mesh",
    "sharding_rule.hpp": "sharding",
    "cost_model.hpp": "cost",
    "cost_graph.hpp": "solver",
    "solve.hpp": "solver",
    "layers.hpp": "inter",
    "plan.hpp": "intra",
    "intra_op.hpp": "intra",
    "verify.hpp": "execute",
    "graph_io.hpp": "io",
    "problem_io.hpp": "io",
    "options.hpp": "io",
    "glpk.hpp": "glpk",
}

# Public headers that a module may read although their module stands after it.
# A custom call's rule is text that knows types alone, and is checked where the graph is built.
EXCEPTIONS = {("execute", "plan.hpp"), ("execute", "intra_op.hpp"), ("graph", "sharding_rule.hpp")}

STANDARD_HEADERS = set(
    "algorithm any array atomic barrier bit bitset charconv chrono compare complex concepts"
    " condition_variable cstddef cstdint cstdio cstdlib cstring deque exception filesystem"
    " forward_list functional future initializer_list iosfwd istream iterator latch limits list"
    " map memory memory_resource mutex new numbers numeric optional ostream queue random ranges"
    " ratio semaphore set shared_mutex source_location span stack stdexcept stop_token string"
    " string_view system_error thread tuple type_traits typeindex typeinfo unordered_map"
    " unordered_set utility valarray variant vector version"
    " stdbool.h stddef.h stdint.h".split())

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)


def includes(file: Path) -> list[tuple[bool, str]]:
    """(in quotes, path) of every #include."""
    text = file.read_text(encoding="utf-8")
    return [(mark == '"', path) for mark, path in INCLUDE.findall(text)]


def included_module(path: str, module: str) -> str | None:
    """The module that a quoted include belongs to; None when no one knows it."""
    folder, _, name = path.rpartition("/")
    if folder == "autoshard":
        return module if (module, name) in EXCEPTIONS else PUBLIC_HEADERS.get(name)
    if path == "autoshard.h":
        return "capi"
    first = path.split("/")[0]
    if not folder:
        return module if module == "capi" else None
    return first if first in ALLOWED else None


def complaint(path: str, module: str) -> str | None:
    """What is wrong with a quoted include inside `module`, if anything."""
    found = included_module(path, module)
    if found is None:
        return f'"{path}" belongs to no known module (see the tables in check_includes.py)'
    if found not in ALLOWED[module]:
        return f'module {module} may not include "{path}" of module {found}'
    return None


def module_complaints(files: list[Path], module: str) -> list[str]:
    if module not in ALLOWED:
        return [f"{files[0]}: module {module} is missing in the table of check_includes.py"]
    found = []
    for file in files:
        for quoted, path in includes(file):
            problem = complaint(path, module) if quoted else None
            if problem:
                found.append(f"{file}: {problem}")
    return found


def public_header_complaints(header: Path, module: str) -> list[str]:
    """A public header may show the standard library and other public headers only."""
    found = []
    for quoted, path in includes(header):
        standard = not quoted and path in STANDARD_HEADERS
        if not standard and not (quoted and path.startswith("autoshard/")):
            found.append(f"{header}: a public header may not include {path}")
        elif quoted and complaint(path, module):
            found.append(f"{header}: {complaint(path, module)}")
    return found


def sources(folder: Path) -> list[Path]:
    return sorted(f for f in folder.rglob("*") if f.suffix in {".cpp", ".hpp", ".c", ".h"})


def check(root: Path) -> list[str]:
    found = []
    for folder in sorted(f for f in (root / "src").iterdir() if f.is_dir()):
        files = sources(folder)
        if files:
            found += module_complaints(files, folder.name)
    for header in sources(root / "include" / "autoshard"):
        module = PUBLIC_HEADERS.get(header.name)
        if module is None:
            found.append(f"{header}: missing in the table of check_includes.py")
        else:
            found += public_header_complaints(header, module)
    for file in sources(root / "capi"):
        found += (public_header_complaints(file, "capi") if file.name == "autoshard.h"
                  else module_complaints([file], "capi"))
    return found


def main() -> int:
    complaints = check(Path(sys.argv[1]))
    print("\n".join(complaints) or "every include points to the left")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
