# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
"""A code block after "<!-- from FILE -->" must stand in FILE, word for word."""
import re
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SNIPPET = re.compile(r"<!-- from (\S+) -->\n```\w*\n(.*?)```", re.DOTALL)


class Snippets(unittest.TestCase):
    def test_they_are_cut_from_the_examples(self):
        found = 0
        for page in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]:
            for source, code in SNIPPET.findall(page.read_text(encoding="utf-8")):
                found += 1
                with self.subTest(page=page.name, source=source):
                    self.assertIn(code, (ROOT / source).read_text(encoding="utf-8"))
        self.assertGreater(found, 0)


if __name__ == "__main__":
    unittest.main()
