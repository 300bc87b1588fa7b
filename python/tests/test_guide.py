"""Executes docs/guide/python.md: its commands, its Python, and what it says that Python prints."""

import doctest
import os
import re
import shutil
import subprocess
import sys
import types
import unittest

from tests import REPOSITORY, stubs
import winnow

try:
    import pandas
except ImportError:
    pandas = None

PAGE = REPOSITORY / "docs/guide/python.md"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.M | re.S)
HTML = (REPOSITORY / "examples/page.html").read_bytes()


class Guide(unittest.TestCase):
    def setUp(self):
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(REPOSITORY)
        shutil.rmtree("out/python", ignore_errors=True)
        self.addCleanup(shutil.rmtree, REPOSITORY / "out/python", ignore_errors=True)
        stubs.install()

    @unittest.skipUnless(pandas, "pandas is not installed")
    def test_all_blocks(self):
        frame = pandas.DataFrame({"url": ["https://a.test/", "https://a.test/b"], "html": [HTML, b"%PDF-1.7 ..."]})
        names = {"pages": stubs.SparkFrame([frame, frame]), "dataset": stubs.RayDataset([frame])}
        kinds = set()
        for match in BLOCK.finditer(PAGE.read_text("utf-8")):
            kind, block = match.groups()
            kinds.add(kind)
            line = PAGE.read_text("utf-8")[: match.start()].count("\n") + 1
            with self.subTest(line=line):
                getattr(self, kind)(block, names, line)
            if "mapInPandas" in block:
                self.answered(names["texts"].frames, 2)
            if "map_batches" in block:
                self.answered(names["texts"].frames, 1)
            if "pipeline =" in block:
                self.datatrove(names["pipeline"])
        self.assertEqual(kinds, {"console", "pycon", "python"})

    def console(self, block, names, line):
        for command in re.findall(r"^\$ (.*)$", block, re.M):
            command = re.sub(r"^python3 ", f"{sys.executable} ", command)
            ran = subprocess.run(command, shell=True, capture_output=True, text=True)
            self.assertEqual(ran.returncode, 0, f"{command}\n{ran.stderr}")

    def pycon(self, block, names, line):
        test = doctest.DocTestParser().get_doctest(block, names, PAGE.name, str(PAGE), line)
        said = []
        runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
        runner.run(test, out=said.append, clear_globs=False)
        names.update(test.globs)
        self.assertEqual(runner.failures, 0, "".join(said))

    def python(self, block, names, line):
        exec(compile(block, f"{PAGE}:{line}", "exec"), names)

    def answered(self, frames, n):
        self.assertEqual(len(frames), n)
        for frame in frames:
            self.assertEqual(frame.text.tolist(), [winnow.extract(HTML, "https://a.test/"), None])

    def datatrove(self, pipeline):
        documents = [types.SimpleNamespace(text=text) for text in (HTML.decode(), "", "%PDF-1.7 ...")]
        self.assertEqual([d.text for d in pipeline[0].run(documents)], [winnow.extract(HTML, output="markdown")])


if __name__ == "__main__":
    unittest.main()
