"""Tests of the package as its users get it: a wheel is built, and unpacked for all tests."""

import os
import sys
import tempfile
import zipfile
from pathlib import Path

PYTHON = Path(__file__).resolve().parents[1]
REPOSITORY = PYTHON.parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(PYTHON))

import make_wheel as builder  # noqa: E402

_folder = tempfile.TemporaryDirectory(prefix="winnow-python-")
FOLDER = Path(_folder.name)
WHEEL = builder.build(builder.here(), FOLDER)
with zipfile.ZipFile(WHEEL) as z:
    z.extractall(FOLDER / "site")
for program in (FOLDER / "site/winnow").glob("native*"):
    os.chmod(program, 0o755)  # as pip does, and zipfile does not
sys.path.insert(0, str(FOLDER / "site"))
sys.path.remove(str(PYTHON))  # its folder winnow has no program
