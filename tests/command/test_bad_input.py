# Copyright the autoshard authors.
# SPDX-License-Identifier: Apache-2.0
"""Every kind of bad input ends with exit code 2 and names the offender; limits that cannot be met
end with 1."""
import gzip
import json
import unittest

from support import DATA, EXAMPLE, MODEL, SMALL_MODEL, CommandTest


class BadFlags(CommandTest):
    def test_flags_and_subcommands_that_do_not_exist(self):
        self.refuses(naming="subcommand")
        self.refuses("frobnicate", naming="frobnicate")
        self.refuses("plan", MODEL, "--mesh", "2", "--frobnicate", naming="--frobnicate")
        self.refuses("plan", MODEL, naming="--mesh")
        self.refuses("plan", "--mesh", "2", naming="MODEL")
        self.refuses("solve", naming="PROBLEM")
        self.refuses("check", EXAMPLE, naming="ASSIGNMENT")
        self.refuses("verify", MODEL, naming="PLAN")
        self.refuses("plan", MODEL, "--mesh", "2", "--format", "xml", naming="xml")
        self.refuses("solve", EXAMPLE, "--memory-limit", "1GB", naming="--memory-limit")

    def test_values_that_are_malformed_or_out_of_range(self):
        for flag, value in [("--memory-limit", "16XB"), ("--memory-limit", "0"),
                            ("--time-limit", "soon"), ("--time-limit", "0"),
                            ("--work-limit", "0.5"), ("--threads", "0"),
                            ("--threads", "99999999999999999999"), ("--seed", "x"),
                            ("--gap-target", "nan"), ("--target", "pytorch")]:
            option = flag[2:].replace("-", "_")
            self.refuses("plan", MODEL, "--mesh", "2", flag, value, naming=f"option '{option}'")

    def test_pins_that_make_no_sense(self):
        model = self.write("small.hlo", SMALL_MODEL)
        for pin, naming in [("arg:x", "option 'pin'"), ("arg:q=[{}]", "'arg:q'"),
                            ("arg:x=[{}]", "'arg:x'"), ('arg:x=[{"z"}, {}]', "no axis 'z'"),
                            ('arg:x=[{"a0"}, {"a0"}]', "axis 'a0' is used twice")]:
            self.refuses("plan", model, "--mesh", "2", "--pin", pin, naming=naming)
        self.refuses("solve", EXAMPLE, "--pin", "arg:x=[{}]", naming="--pin")

    def test_meshes_and_devices(self):
        for mesh, naming in [("0", "'a0'"), ("data=0", "'data'"), ("data=2,data=2", "'data'"),
                             ("data=-1", "'data'"), ("2x", "2x"), ("data=x", "'x'"), ("", "mesh"),
                             ("9999999x9999999", "'a0'")]:
            self.refuses("plan", MODEL, "--mesh=" + mesh, naming=naming)
        self.refuses("plan", MODEL, "--mesh", "2", "--device", "z9000", naming="'z9000'")


class BadModels(CommandTest):
    def plan(self, name: str, content, naming: str) -> None:
        path = self.write(name, content)
        self.refuses("plan", path, "--mesh", "2", naming=path)
        self.refuses("plan", path, "--mesh", "2", naming=naming)

    def test_files_that_cannot_be_read(self):
        self.refuses("plan", "no/such/model", "--mesh", "2", naming="no/such/model")
        self.refuses("plan", str(DATA), "--mesh", "2", naming="directory")
        packed = gzip.compress(SMALL_MODEL.encode())
        self.plan("cut.gz", packed[:-20], "truncated")
        self.plan("corrupt.gz", packed[:10] + b"\xff" * 40 + packed[50:], "gzip")
        self.plan("more.gz", packed + b"more", "after the gzip")
        self.plan("empty", "", "empty")
        self.plan("binary", bytes(range(256)), "binary")

    def test_hlo_text_that_makes_no_sense(self):
        self.plan("cut.hlo", SMALL_MODEL[:150], "line")
        self.plan("dtype.hlo", SMALL_MODEL.replace("f32[64,256]", "f31[64,256]"), "f31")
        self.plan("rank.hlo", SMALL_MODEL.replace("f32[256,1024]{1,0}", "f32[256]{0}"), "'p'")
        self.plan("size.hlo", SMALL_MODEL.replace("f32[256,1024]", "f32[255,1024]"), "'p'")
        self.plan("negative.hlo", SMALL_MODEL.replace("f32[64,256]", "f32[-64,256]"), "line 4")
        self.plan("huge.hlo", SMALL_MODEL.replace("f32[64,256]", f"f32[{10**30},256]"), "line 4")
        self.plan("unknown.hlo", SMALL_MODEL.replace("tanh(p)", "tanh(q)"), "q")
        self.plan("cycle.hlo", SMALL_MODEL.replace("dot(x, w)", "dot(y, w)"), "y")
        self.plan("twice.hlo", SMALL_MODEL.replace("ROOT y", "ROOT p"), "p")

    def test_json_that_is_no_graph(self):
        self.plan("cut.json", "{", "JSON")
        self.plan("empty.json", "{}", "autoshard_graph")
        self.plan("list.json", "[1]", "list.json")


class BadProblems(CommandTest):
    def test_problems_that_make_no_sense(self):
        text = (DATA / "iopddl_example.json").read_text()
        good = json.loads(text)

        def refuse(change, naming: str) -> None:
            problem = json.loads(text)
            change(problem["problem"])
            path = self.write("problem.json", json.dumps(problem))
            self.refuses("solve", path, naming=naming)
            self.refuses("solve", path, naming=path)

        refuse(lambda p: p["nodes"]["costs"].pop(), "4 costs")
        refuse(lambda p: p["nodes"]["costs"][1].append(1), "node 1")
        refuse(lambda p: p["nodes"]["usages"][2].__setitem__(0, -5), "node 2")
        refuse(lambda p: p["nodes"]["intervals"].__setitem__(3, [1]), "node 3")
        refuse(lambda p: p["edges"]["nodes"].__setitem__(0, [0, 9]), "edge 0")
        refuse(lambda p: p["edges"]["costs"][4].pop(), "edge 4")
        refuse(lambda p: p.__setitem__("usage_limit", -1), "usage_limit")
        self.assertEqual(good, json.loads(text))

    def test_files_that_cannot_be_read(self):
        self.refuses("solve", "no/such/problem", naming="no/such/problem")
        self.refuses("solve", str(DATA), naming="directory")
        self.refuses("solve", self.write("cut.json", '{"problem": {"nodes"'), naming="cut.json")
        self.refuses("solve", self.write("no.json", "{}"), naming="'problem'")
        self.refuses("solve", EXAMPLE, "-o", "/no/such/folder/out", naming="/no/such/folder/out")


class BadAnswers(CommandTest):
    def test_assignments_that_do_not_fit(self):
        self.refuses("check", EXAMPLE, "0,0,2,1", naming="4 entries for 5 nodes")
        self.refuses("check", EXAMPLE, "[0,0,9,1,0]", naming="node 2: strategy 9")
        self.refuses("check", EXAMPLE, "[0,0,-1,1,0]", naming="node 2: strategy -1")
        self.refuses("check", EXAMPLE, "[0,0,", naming="assignment")
        self.refuses("check", EXAMPLE, "[0,[0],2,1,0]", naming="entry 1")
        self.refuses("check", EXAMPLE, f"[0,0,{10**12},1,0]", naming="entry 2")
        self.refuses("check", EXAMPLE, "no/such/file", naming="no/such/file")
        self.refuses("check", EXAMPLE, self.write("a.json", "{}"), naming="'assignment'")
        self.refuses("check", EXAMPLE, self.write("a.json", '"text"'), naming="not a list")
        self.refuses("check", EXAMPLE, self.write("a.json", "[0,0,2.5,1,0]"), naming="entry 2")

    def test_plans_that_do_not_fit(self):
        model = self.write("small.hlo", SMALL_MODEL)
        plan = str(self.folder / "plan.json")
        self.answers("plan", model, "--mesh", "2", "--format", "json", "-o", plan)
        other = self.write("other.hlo", SMALL_MODEL.replace("tanh(p)", "exponential(p)"))
        self.refuses("verify", other, plan, naming="fingerprint")
        self.refuses("verify", model, self.write("bad.json", "{}"), naming="bad.json")
        self.refuses("verify", model, self.write("bad.json", "nonsense"), naming="bad.json")
        self.refuses("verify", model, "no/such/plan", naming="no/such/plan")


class LimitsThatCannotBeMet(CommandTest):
    def test_a_memory_limit_below_every_plan(self):
        model = self.write("small.hlo", SMALL_MODEL)
        text = self.answers("plan", model, "--mesh", "2", "--memory-limit", "1KB", code=1)
        self.assertIn("infeasible", text)

    def test_a_usage_limit_below_every_assignment(self):
        problem = (DATA / "iopddl_example.json").read_text().replace('limit": 50', 'limit": 5')
        path = self.write("problem.json", problem)
        answer = json.loads(self.answers("solve", path, "--format", "json", code=1))
        self.assertEqual(answer["status"], "infeasible")
        self.assertIsNone(answer["cost"])
        self.assertEqual(answer["assignment"], [])


if __name__ == "__main__":
    unittest.main()
