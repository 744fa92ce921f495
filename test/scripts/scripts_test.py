#!/usr/bin/env python3
"""Tests of the scripts that write pages and check them: scripts_test.py (from the root of the project)."""
import io
import os
import pathlib
import sys
import tempfile
import unittest
import xml.etree.ElementTree
from contextlib import redirect_stdout
from unittest import mock

sys.path.insert(0, "scripts")
import bench  # noqa: E402
import bench_batch  # noqa: E402
import check_example  # noqa: E402
import docs  # noqa: E402
import docs_examples  # noqa: E402
import docs_python  # noqa: E402
import doxygen_filter  # noqa: E402
import mutate  # noqa: E402


class Bench(unittest.TestCase):
    MODELS = [("small", "small/a.xml", "x/small/a.xml"), ("large", "large/b.xml", "x/large/b.xml")]
    LINES = ["x/small/a.xml\t3\t1\t8\t2\t4.0\t10\t5\tsolver\t4\t1\trows\t0.1\t0.4\n",
             "x/large/b.xml\t9\t7\t100\t100\t1.0\t30\t60\tsolver\t50\t50\trows\t9\t3\n",
             "x/other.xml\t9\t7\t100\t100\t1.0\t30\t60\n"]

    def setUp(self):
        self.results = bench.parse(self.LINES, self.MODELS)

    def test_models_that_were_not_asked_for_are_left_out(self):
        self.assertEqual([result["name"] for result in self.results], ["small/a", "large/b"])

    def test_summary_has_geometric_means_of_groups_and_of_all(self):
        rows = bench.summary(self.results).splitlines()[2:]
        self.assertEqual(rows[0], "| small | 1 | **4.00** | 4.00 | 4.00 | 0 | 2.00 |")
        self.assertEqual(rows[2], "| all | 2 | **2.00** | 1.00 | 4.00 | 0 | 1.00 |")

    def test_stages_count_only_where_they_take_time(self):
        rows = bench.stages(self.results).splitlines()[2:]
        self.assertEqual(rows[0], "| solver | 2 | 50 % | 2.00 | 1.00 | 4.00 |")
        self.assertEqual(rows[1], "| rows | 1 | 9 % | 3.00 | 3.00 | 3.00 |")

    def test_chart_has_a_dot_per_model_and_group(self):
        root = xml.etree.ElementTree.fromstring(bench.chart(self.results))
        self.assertEqual(len(root.findall("{http://www.w3.org/2000/svg}circle")), 4)


class BenchBatch(unittest.TestCase):
    PAGE = ("| a/slow | 1 | 2.00 | 0.50 | 1.00 | 1.00 |\n| a/slower | 8 | 3.00 | 0.70 | 0.90 | 1.00 |\n\n"
            "Lowest: nothing.\n\n- **Machine:** one.\n- **Ours:** fast.\n")

    def test_rows_measured_again_replace_those_of_the_page(self):
        page = bench_batch.renew(self.PAGE, ["| a/slow | 1 | 4.00 | 1.50 | 2.00 | 1.00 |"], "Monday", "abc")
        page = bench_batch.renew(page, ["| a/slow | 1 | 4.00 | 1.60 | 2.00 | 1.00 |"], "Tuesday", "abd")
        self.assertIn("| a/slow | 1 | 4.00 | 1.60 | 2.00 | 1.00 |\n| a/slower | 8 | 3.00 | 0.70 |", page)
        self.assertIn("Lowest: rollout × rollout 3.5.0 3.00 (a/slower), rollout × loop 0.70 (a/slower), "
                      "steps × steps in turn 0.90 (a/slower).", page)
        self.assertIn(f"one.\n- **Measured again** on Tuesday, {bench_batch.LIST_ROUNDS} rounds, revision abd: a/slow.\n- **Ours:**", page)
        self.assertNotIn("Monday", page)

    def test_a_model_that_is_not_on_the_page_is_refused(self):
        with self.assertRaises(SystemExit):
            bench_batch.renew(self.PAGE, ["| b | 1 | 4.00 | 1.60 | 2.00 | 1.00 |"], "Monday", "abc")


class Notebook(unittest.TestCase):
    def test_without_jupyter_its_cells_are_shown(self):
        with tempfile.TemporaryDirectory() as folder, mock.patch.object(docs, "jupyter", return_value=None), redirect_stdout(io.StringIO()):
            docs.notebook(folder, folder, "examples/python/tour.ipynb")
            with open(os.path.join(folder, "tour.md"), encoding="utf-8") as file:
                page = file.read()
        self.assertTrue(page.startswith("# A tour"))
        self.assertIn("```python\nimport io", page)


class Gallery(unittest.TestCase):
    def gallery(self, drawn, live):
        with tempfile.TemporaryDirectory() as stage, mock.patch.object(docs, "picture", return_value=drawn), \
                mock.patch.object(docs, "chart", return_value="chart"):
            if live:
                os.mkdir(os.path.join(stage, "live"))
            return docs.gallery("sinew", stage)

    def test_every_scene_runs_live_with_its_description_and_its_lines(self):
        page, names = self.gallery(True, True), [str(path.relative_to("scenes"))[:-4] for path in pathlib.Path("scenes").rglob("*.xml")
                                                 if "assets" not in path.parts]
        self.assertGreater(len(names), 40)
        for name in names:
            entry = page.split(f"\n## {name}\n" if f"\n## {name}\n" in page else f"## {name}\n")[1].split("\n## ")[0]
            self.assertIn(f'href="live/index.html?scene={name}', entry)
            self.assertIn(f'<img src="scenes/{name}.png"', entry)
            self.assertIn("&lt;mujoco", entry)
            self.assertNotIn("(no description)", entry)
        self.assertIn("contact/mug&amp;key=pick&amp;camera=front", page)

    def test_what_a_scene_begins_with_is_in_its_file(self):
        for name, begin in docs.BEGIN.items():
            text = pathlib.Path(f"scenes/{name}.xml").read_text(encoding="utf-8")
            for kind in ("key", "camera"):
                if kind in begin:
                    self.assertRegex(text, f'<{kind} name="{begin[kind]}"')

    def test_without_opengl_or_the_page_it_says_less(self):
        self.assertNotIn("<img", self.gallery(False, True))
        page = self.gallery(True, False)
        self.assertIn("<img", page)
        self.assertNotIn("live/", page)


class DocsPython(unittest.TestCase):
    SOURCE = {"own/__init__.py": '"""Own."""\nfrom own._a import Thing, work\n__all__ = ["Thing", "work", "LIMIT"]\nLIMIT = 3\n',
              "own/_a.py": '"""Parts."""\nclass Thing:\n    """A thing.\n\n    size: how large\n        it is\n    colour: red\n    """\n'
                           '    def __init__(self, size: int=3) -> None: ...\n    @property\n    def x(self) -> int:\n        """Place."""\n'
                           '    def _hidden(self): ...\ndef work(a, *, b: str="c") -> int:\n    """Works."""\ndef bare(): ...\n'}

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        for name, text in self.SOURCE.items():
            path = os.path.join(folder.name, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        patch = mock.patch.object(docs_python, "ROOT", folder.name)
        patch.start()
        self.addCleanup(patch.stop)

    def test_names_are_found_where_they_are_defined(self):
        page = docs_python.reference(["own"])
        self.assertIn("Thing(size: int = 3)", page)
        self.assertIn("- `size`: how large it is\n- `colour`: red", page)
        self.assertIn("`Thing.x` (int): Place.", page)
        self.assertIn("own.work(a, *, b: str = 'c') -> int", page)
        self.assertNotIn("_hidden", page)

    def test_what_is_not_described_stops_the_build(self):
        with self.assertRaisesRegex(SystemExit, "bare has no docstring"):
            docs_python.reference(["own._a"])


class Filter(unittest.TestCase):
    def transform(self, text, name="mujoco.h"):
        return doxygen_filter.Filter(name).run(text.splitlines()).splitlines()

    def test_comments_above_and_behind_declarations_are_marked(self):
        out = self.transform("// File.\n\n//---- Part ----\n\n// Does <this>.\nMJAPI void f(void);\n")
        self.assertEqual(out, ["/** @file", "File.", "*/", "", "/// @name Part", "///@{", "", "/// Does \\<this\\>.",
                               "MJAPI void f(void);", "///@}"])

    def test_fields_are_grouped_and_notes_continue(self):
        out = self.transform("// File.\n\nstruct s {\n  // sizes\n  int a;  // first\n          // part\n};\n")
        self.assertEqual(out[4:], ["struct s {", "/// @name sizes", "///@{", "  int a;  ///< first part", "///@}", "};"])


class Pages(unittest.TestCase):
    class Workshop:
        draws = True

        def sh(self, code):
            if "false" in code:
                raise docs_examples.Failed("exit status 1")
            return "printed\n"

    def check(self, text):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "page.md")
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            with redirect_stdout(io.StringIO()):
                return docs_examples.check_page(self.Workshop(), path)

    def test_unmarked_blocks_are_not_run(self):
        self.assertEqual(self.check("```sh\nfalse\n```\n"), (0, 0))

    def test_failing_examples_are_counted(self):
        self.assertEqual(self.check("<!-- example -->\n```sh\nfalse\n```\n\n<!-- example -->\n```sh\ntrue\n```\n"), (2, 1))

    def test_pictures_are_left_out_where_nothing_draws(self):
        page = "<!-- example, draws -->\n```sh\nfalse\n```\n"
        self.assertEqual(self.check(page), (1, 1))
        with mock.patch.object(self.Workshop, "draws", False):
            self.assertEqual(self.check(page), (0, 0))

    def test_output_must_be_what_was_printed(self):
        page = "<!-- example -->\n```sh\ntrue\n```\n\n<!-- output -->\n```text\n{}\n```\n"
        self.assertEqual(self.check(page.format("printed")), (1, 0))
        self.assertEqual(self.check(page.format("something else")), (1, 1))

    def test_header_comments_of_scenes(self):
        text = "<!--\n  Car: drives.\n\n  Shows    wheels and\n           brakes.\n  Run      sinew run\n-->\n<mujoco/>"
        with mock.patch("builtins.open", mock.mock_open(read_data=text)):
            self.assertEqual(docs.header_comment("x"), ("Car: drives.", [["Shows", "wheels and brakes."],
                                                                        ["Run", "sinew run"]]))


class Numbers(unittest.TestCase):
    def accepts(self, expected, got):
        try:
            with redirect_stdout(io.StringIO()):
                check_example.same_numbers(expected, got, "test")
        except SystemExit:
            return False
        return True

    def test_close_numbers_and_equal_words(self):
        self.assertTrue(self.accepts("at 1.2345 m", "at 1.2346 m"))
        self.assertFalse(self.accepts("at 1.2345 m", "at 1.2445 m"))
        self.assertFalse(self.accepts("balanced yes", "balanced no"))


class Mutate(unittest.TestCase):
    record = mock.Mock(cost=lambda name, seconds, file: seconds)  # nothing noticed yet: what takes less comes first

    def kinds(self, line):
        return {kind for kind, _ in mutate.faults_of(line)}

    def test_every_kind_of_fault(self):
        self.assertIn(("operator", "  a = b - c;"), mutate.faults_of("  a = b + c;"))
        self.assertIn(("constant", "  x[0] = 3;"), mutate.faults_of("  x[0] = 2;"))
        self.assertIn(("condition", "  if (!(n)) {"), mutate.faults_of("  if (n) {"))
        self.assertIn(("dropped", "  ;"), mutate.faults_of("  clear(d);"))
        self.assertIn(("arguments", "  sub(y, x, 3);"), mutate.faults_of("  sub(x, y, 3);"))

    def test_comments_strings_asserts_and_room_stay(self):
        for line in ["  // a + b", '  print("a + b");', "  assert(a < b);", "  double x[6], y;", "#define N 3"]:
            self.assertNotIn("operator", self.kinds(line))
            self.assertNotIn("constant", self.kinds(line))

    def test_only_lines_of_functions_and_tables(self):
        text = "int a = 1;\n/* 1\n 2 */\nint f(void) {\n  return 1;\n}\n"
        self.assertEqual(mutate.in_function(text), {5, 6})

    def test_tests_that_enter_the_function_count_those_that_reach_the_line_first(self):
        text = "int f(int a) {\n  if (a) {\n    a++;\n  }\n  return a;\n}\n\nint g(void) {\n  return 2;\n}\n"
        table = {"seconds": {"slow": 9, "quick": 1, "other": 2}, "lines": {"a.c": {"2": ["slow", "quick"], "3": ["slow"], "8": ["other"]}}}
        with tempfile.TemporaryDirectory() as folder, mock.patch.object(mutate, "TREE", pathlib.Path(folder)):
            (mutate.TREE / "a.c").write_text(text)
            self.assertEqual(mutate.function_around("a.c", 9), (8, 10))
            self.assertEqual(mutate.covering(table, "a.c", 2, self.record), ["quick", "slow"])
            self.assertEqual(mutate.covering(table, "a.c", 3, self.record), ["slow", "quick"])
            self.assertEqual(mutate.covering(table, "a.c", 9, self.record), ["other"])

    def test_what_is_part_of_others_is_covered_by_their_tests(self):
        table = {"seconds": {"slow": 9, "quick": 1}, "lines": {"a.c": {"2": ["slow", "quick"]}, "b.c": {"2": ["other"]}}}
        with tempfile.TemporaryDirectory() as folder, mock.patch.object(mutate, "TREE", pathlib.Path(folder)), \
                mock.patch.object(mutate, "includers", lambda file: {"a.c"}):
            (mutate.TREE / "a.h").write_text("static inline int f(void) {\n  return 1;\n}\n")
            self.assertEqual(mutate.covering(table, "a.h", 2, self.record), ["quick", "slow"])

    def test_a_test_that_fails_anyway_notices_nothing(self):
        with tempfile.TemporaryDirectory() as folder, mock.patch.object(mutate, "TREE", pathlib.Path(folder)), \
                mock.patch.object(mutate, "WORK", pathlib.Path(folder)):
            (mutate.TREE / "a.c").write_text("one\ntwo\n")
            session = mutate.Session.__new__(mutate.Session)
            session.quick, session.budget, session.jobs, session.passes, session.good = True, 0, 1, [False], "sound"
            session.record, session.table = mutate.Record(), {"seconds": {"bad": 4, "fair": 4}, "folders": {}}
            session.tests = {name: (name, [name], folder) for name in ("bad", "fair")}
            session.build = lambda jobs: True
            session.libraries = lambda: "sound" if (mutate.TREE / "a.c").read_text() == "one\ntwo\n" else "faulty"

            def run(test, env, limit, stop=None):
                return test[0] == "fair" and session.libraries() == "sound", 1.0

            with mock.patch.object(mutate, "run_test", run), \
                    mock.patch.object(mutate, "covering", lambda *arguments: ["bad", "fair"]), mock.patch("builtins.print"):
                self.assertEqual(session.attempt("a.c", 2, "three"), "fair")
            self.assertEqual(list(session.tests), ["fair"])
            self.assertEqual((mutate.TREE / "a.c").read_text(), "one\ntwo\n")

    def test_what_is_known_of_a_test_stays(self):
        with tempfile.TemporaryDirectory() as folder, mock.patch.object(mutate, "WORK", pathlib.Path(folder)):
            record = mutate.Record()
            self.assertEqual(record.seconds("a"), 0)
            record.add("a", True, 9.0)
            self.assertEqual(record.seconds("a"), 0)
            record.add("a", False, 2.0)
            record.keep()
            self.assertEqual(mutate.Record().seconds("a"), 2.0)
            self.assertLess(record.cost("a", 2.0, "src/b/c.c"), record.cost("never", 2.0, "src/b/c.c"))

    def test_a_budget_ends_the_list_of_tests(self):
        seconds = {"a": 30, "b": 20, "c": 20}
        self.assertEqual(mutate.affordable(["a", "b", "c"], seconds, 0), ["a", "b", "c"])
        self.assertEqual(mutate.affordable(["a", "b", "c"], seconds, 60), ["a", "b"])
        self.assertEqual(mutate.affordable(["a", "b", "c"], seconds, 5), ["a"])


if __name__ == "__main__":
    unittest.main()
