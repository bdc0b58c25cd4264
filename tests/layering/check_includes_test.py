# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
"""The include check finds what it is there to find: small trees with one mistake each."""
import tempfile
import unittest
from pathlib import Path

from check_includes import check

GOOD = {
    "src/base/text.cpp": "#include <fmt/format.h>\n#include \"autoshard/error.hpp\"\n",
    "src/sharding/rule.cpp": "#include \"autoshard/graph.hpp\"\n#include \"mesh/axes.hpp\"\n",
    "include/autoshard/error.hpp": "#include <string>\n",
    "include/autoshard/graph.hpp": "#include \"autoshard/error.hpp\"\n",
    "capi/autoshard.h": "#include <stdint.h>\n",
    "capi/solve.cpp": "#include \"autoshard.h\"\n#include \"handles.hpp\"\n",
}


def complaints(**extra: str) -> list[str]:
    """Checks the good tree with some files replaced or added."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in {**GOOD, **extra}.items():
            file = Path(folder, name)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        return check(Path(folder))


class CheckIncludes(unittest.TestCase):
    def assert_one(self, words: str, **extra: str) -> None:
        found = complaints(**extra)
        self.assertEqual(len(found), 1, found)
        self.assertIn(words, found[0])

    def test_a_good_tree_passes(self):
        self.assertEqual(complaints(), [])

    def test_a_private_header_to_the_right_fails(self):
        self.assert_one('module base may not include "solver/bound.hpp" of module solver',
                        **{"src/base/text.cpp": '#include "solver/bound.hpp"\n'})

    def test_a_public_header_to_the_right_fails(self):
        self.assert_one('module solver may not include "autoshard/graph.hpp" of module graph',
                        **{"src/solver/a.hpp": '  #  include "autoshard/graph.hpp"\n'})

    def test_execute_may_read_a_plan_but_no_rule(self):
        self.assertEqual(complaints(**{"src/execute/a.cpp": '#include "autoshard/plan.hpp"\n'}), [])
        self.assert_one("module execute may not include",
                        **{"src/execute/a.cpp": '#include "autoshard/sharding_rule.hpp"\n'})
        self.assert_one("module execute may not include",
                        **{"src/execute/a.cpp": '#include "sharding/rules.hpp"\n'})

    def test_a_public_header_that_reads_to_the_right_fails(self):
        self.assert_one("module graph may not include",
                        **{"include/autoshard/graph.hpp": '#include "autoshard/solve.hpp"\n'})

    def test_a_third_party_header_in_public_fails(self):
        self.assert_one("may not include fmt/format.h",
                        **{"include/autoshard/graph.hpp": "#include <fmt/format.h>\n"})
        self.assert_one("may not include base/text.hpp",
                        **{"include/autoshard/graph.hpp": '#include "base/text.hpp"\n'})
        self.assert_one("may not include curl.h",
                        **{"capi/autoshard.h": "#include <curl.h>\n"})

    def test_an_unknown_public_header_or_module_fails(self):
        self.assert_one("missing in the table", **{"include/autoshard/new.hpp": "\n"})
        self.assert_one("module magic is missing", **{"src/magic/a.cpp": "\n"})
        self.assert_one("belongs to no known module", **{"src/base/a.cpp": '#include "a.hpp"\n'})


if __name__ == "__main__":
    unittest.main()
