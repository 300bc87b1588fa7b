"""The wheel in an empty virtual environment."""

import subprocess
import sys
import tempfile
import unittest
import zipfile
from pathlib import Path

from tests import FOLDER, REPOSITORY, WHEEL, builder


class Wheel(unittest.TestCase):
    def test_in_an_empty_environment(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([sys.executable, "-m", "venv", folder], check=True)
            python = Path(folder, "bin/python")
            if not python.exists():
                python = Path(folder, "Scripts/python.exe")
            pip = [python, "-m", "pip", "--quiet", "--disable-pip-version-check", "install", "--no-index"]
            subprocess.run([*pip, WHEEL], check=True)
            code = "import sys, winnow; print(winnow.__file__); print(winnow.extract(open(sys.argv[1], 'rb').read()))"
            ran = subprocess.run([python, "-c", code, REPOSITORY / "examples/page.html"], cwd=folder, check=True, capture_output=True, text=True)
            self.assertTrue(ran.stdout.startswith(str(Path(folder).resolve())), ran.stdout)
            self.assertIn("By Christmas there were nine such holes and one summons.", ran.stdout)
            listed = subprocess.run([python, "-m", "pip", "check"], capture_output=True, text=True)
            self.assertEqual(listed.returncode, 0, listed.stdout)

    def test_the_same_sources_give_the_same_bytes(self):
        with tempfile.TemporaryDirectory() as again:
            self.assertEqual(builder.build(builder.here(), Path(again)).read_bytes(), WHEEL.read_bytes())

    def test_another_platform(self):
        # One that needs no C compiler here; the others differ by name alone.
        with zipfile.ZipFile(builder.build("windows/arm64", FOLDER)) as z:
            self.assertEqual(z.read("winnow/native.exe")[:2], b"MZ")
            self.assertIn(b"Tag: py3-none-win_arm64\n", z.read(f"winnow-{builder.VERSION}.dist-info/WHEEL"))

    def test_what_is_in_it(self):
        with zipfile.ZipFile(WHEEL) as z:
            self.assertIn("winnow/py.typed", z.namelist())
            self.assertEqual(z.testzip(), None)
            record = z.read(f"winnow-{builder.VERSION}.dist-info/RECORD").decode()
            self.assertEqual([line.split(",")[0] for line in record.splitlines()], z.namelist())


if __name__ == "__main__":
    unittest.main()
