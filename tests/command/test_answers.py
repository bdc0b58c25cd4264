# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
"""What the subcommands answer, and how their outputs fit together."""
import json
import unittest

from support import EXAMPLE, ROOT, SMALL_MODEL, CommandTest


class Solving(CommandTest):
    def test_the_contest_example_costs_445(self):
        text = self.answers("solve", EXAMPLE, "--time-limit", "10", "--format", "json")
        answer = json.loads(text)
        self.assertEqual(answer["status"], "optimal")
        self.assertEqual(answer["cost"], "445")
        self.assertEqual(answer["lower_bound"], "445")
        self.assertEqual(answer["gap"], 0)
        self.assertEqual(answer["usage_limit"], "50")
        self.assertEqual(answer["assignment"], [0, 0, 2, 1, 0])
        for key in ("peak_usage", "seconds", "load_seconds"):
            self.assertIn(key, answer)

    def test_the_text_form_names_cost_and_assignment(self):
        text = self.answers("solve", EXAMPLE)
        self.assertIn("445", text)
        self.assertIn("0,0,2,1,0", text)

    def test_check_accepts_what_solve_wrote(self):
        path = str(self.folder / "answer.json")
        self.answers("solve", EXAMPLE, "--format", "json", "-o", path)
        self.assertIn("cost 445", self.answers("check", EXAMPLE, path))
        self.assertIn("cost 445", self.answers("check", EXAMPLE, "0,0,2,1,0"))
        self.assertIn("cost 445", self.answers("check", EXAMPLE, "[0, 0, 2, 1, 0]"))

    def test_check_says_what_is_violated(self):
        text = self.answers("check", EXAMPLE, "0,0,1,0,0", code=1)
        self.assertIn("violated: usage_limit: 55 at time 50 is more than 50", text)
        report = json.loads(self.answers("check", EXAMPLE, "0,0,1,0,0", "--format", "json", code=1))
        self.assertFalse(report["legal"])
        self.assertEqual(report["peak_usage"], "55")

    def test_check_holds_a_stated_cost_against_the_true_one(self):
        lie = self.write("lie.json", '{"cost": "444", "assignment": [0, 0, 2, 1, 0]}')
        text = self.answers("check", EXAMPLE, lie, code=1)
        self.assertIn("cost: stated as 444, but it is 445", text)


class Planning(CommandTest):
    def setUp(self):
        super().setUp()
        self.model = self.write("small.hlo", SMALL_MODEL)

    def test_a_plan_is_printed_as_a_table(self):
        text = self.answers("plan", self.model, "--mesh", "data=2,model=2")
        self.assertIn("data", text)
        self.assertIn("optimal", text)

    def test_a_plan_in_a_file_verifies(self):
        path = str(self.folder / "plan.json")
        nothing = self.answers("plan", self.model, "--mesh", "data=2,model=2", "--format", "json",
                               "-o", path)
        self.assertEqual(nothing, "")
        with open(path, encoding="utf-8") as file:
            plan = json.load(file)
        self.assertEqual(plan["status"], "optimal")
        self.assertIn("load_seconds", plan)
        self.answers("verify", self.model, path)


    def test_pinned_tensors_keep_their_specs(self):
        text = self.answers("plan", self.model, "--mesh", "data=2,model=2", "--pin",
                            'arg:x=[{"data"}, {"model"}]', "--pin", 'arg:w=[{}, {}]')
        self.assertRegex(text, r'x .*\[\{"data"\}, \{"model"\}\]')
        self.assertRegex(text, r"w .*\[\{\}, \{\}\]")
        both = self.answers("plan", self.model, "--mesh", "2", "--compare", "--memory-limit", "1GB",
                            "--pin", 'arg:x=[{"a0"}, {}]; arg:w=[{"a0"}, {}]')
        self.assertRegex(both, r'w .*\[\{"a0"\}, \{\}\]')


class Describing(CommandTest):
    def test_the_page_of_options_is_up_to_date(self):
        page = (ROOT / "docs" / "options.md").read_text(encoding="utf-8")
        self.assertEqual(self.answers("options", "--markdown"), page,
                         "regenerate it: autoshard options --markdown > docs/options.md")

    def test_options_and_devices_are_listed(self):
        self.assertIn("memory_limit", self.answers("options"))
        self.assertIn("a100", self.answers("devices"))
        self.assertRegex(self.answers("--version"), r"autoshard \d+\.\d+\.\d+")

    def test_help_mentions_every_option_of_the_table(self):
        text = self.answers("plan", "--help")
        for name in ("memory-limit", "target", "time-limit", "work-limit", "threads", "seed"):
            self.assertIn("--" + name, text)


if __name__ == "__main__":
    unittest.main()
