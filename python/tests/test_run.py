"""Tables of a real run. Where pyarrow is not installed, a stub stands for it: it records which
files and columns are read, and no test reads Parquet then."""

import importlib.util
import subprocess
import sys
import tempfile
import types
import unittest
from pathlib import Path
from unittest import mock

from tests import REPOSITORY
import winnow

PYARROW = importlib.util.find_spec("pyarrow") is not None


def setUpModule():
    global OUT, WORK
    WORK = tempfile.TemporaryDirectory()
    unittest.addModuleCleanup(WORK.cleanup)
    OUT = Path(WORK.name, "out")
    subprocess.run(["go", "run", "./cmd/winnow", "run", "--quiet", "--extractors", "winnow", "--scorers", "none", "--texts", "parquet",
                    "--out", OUT, "examples/crawl.warc.gz"], cwd=REPOSITORY, check=True, capture_output=True)


class Tables(unittest.TestCase):
    def test_what_is_there(self):
        run = winnow.read_run(OUT)
        self.assertLessEqual({"documents", "pages", "texts", "packages", "failures"}, set(run.tables))
        self.assertEqual(run.json["run"]["recipe"]["extractors"][0]["name"], "winnow")
        for table in run.tables:
            for file in run.files(table):
                self.assertEqual(Path(file).read_bytes()[:4], b"PAR1")

    def test_what_is_not_there(self):
        with self.assertRaisesRegex(FileNotFoundError, "run.json"):
            winnow.read_run(REPOSITORY)
        with self.assertRaisesRegex(KeyError, "no table 'nothing'.*documents"):
            winnow.read_run(OUT).files("nothing")
        with tempfile.TemporaryDirectory() as unfinished:
            Path(unfinished, "run.json").write_text("{}")
            with self.assertRaisesRegex(ValueError, "not ended"):
                winnow.read_run(unfinished)

    def test_a_library_that_is_missing(self):
        with mock.patch("importlib.util.find_spec", return_value=None):
            for read in (winnow.read_run(OUT).arrow, winnow.read_run(OUT).pandas):
                with self.assertRaisesRegex(ImportError, "texts is Parquet, and reading it needs p.*pip install"):
                    read("texts")

    def test_arrow_with_a_stub(self):
        reads = []
        parquet = types.ModuleType("pyarrow.parquet")
        parquet.read_table = lambda file, columns=None: reads.append((file, columns)) or [file]
        pyarrow = types.ModuleType("pyarrow")
        pyarrow.parquet, pyarrow.concat_tables = parquet, lambda tables: sum(tables, [])
        with mock.patch.dict(sys.modules, {"pyarrow": pyarrow, "pyarrow.parquet": parquet}), \
                mock.patch("importlib.util.find_spec", return_value=True):
            run = winnow.read_run(OUT)
            self.assertEqual(run.arrow("texts", ["url", "text"]), run.files("texts"))
        self.assertEqual(reads, [(f, ["url", "text"]) for f in run.files("texts")])

    @unittest.skipUnless(PYARROW, "pyarrow is not installed")
    def test_arrow(self):
        run = winnow.read_run(OUT)
        self.assertEqual(run.arrow("texts", ["text"]).num_rows, run.arrow("pages").num_rows)

    @unittest.skipUnless(PYARROW and importlib.util.find_spec("pandas"), "pyarrow or pandas is not installed")
    def test_pandas(self):
        texts = winnow.read_run(OUT).pandas("texts")
        self.assertTrue(texts.text.str.contains("Tanner").any())


if __name__ == "__main__":
    unittest.main()
