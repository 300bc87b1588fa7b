#!/usr/bin/env python3
"""Builds the wheels of the Python package. It needs Go and Python's own library, no network once
Go has the modules, and no C compiler, so that one machine builds the wheels of all platforms.

    python3 python/make_wheel.py                          for this machine, in the folder dist
    python3 python/make_wheel.py --platform linux/arm64   for another
    python3 python/make_wheel.py --platform all --out DIR

It is also the build backend that `pip install ./python` asks.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import os
import re
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
VERSION = re.search(r'^version = "(.*)"$', (HERE / "pyproject.toml").read_text(), re.M).group(1)

# The platforms of Go, and the tags that the wheels of each have. The program has no library on
# Linux, so its wheels are for any.
PLATFORMS = {
    "linux/amd64": "manylinux2014_x86_64.musllinux_1_1_x86_64",
    "linux/arm64": "manylinux2014_aarch64.musllinux_1_1_aarch64",
    "darwin/amd64": "macosx_12_0_x86_64",
    "darwin/arm64": "macosx_12_0_arm64",
    "windows/amd64": "win_amd64",
    "windows/arm64": "win_arm64",
}

METADATA = f"""\
Metadata-Version: 2.1
Name: winnow
Version: {VERSION}
Summary: The main content of web pages
License: Apache-2.0
Requires-Python: >=3.9
Classifier: Typing :: Typed
Provides-Extra: arrow
Requires-Dist: pyarrow; extra == "arrow"
Provides-Extra: pandas
Requires-Dist: pandas; extra == "pandas"
Requires-Dist: pyarrow; extra == "pandas"
"""


def build(platform: str, folder: Path) -> Path:
    """Writes the wheel of a platform into a folder, and returns its path. The same sources give
    the same bytes."""
    system, processor = platform.split("/")
    files: list[tuple[str, bytes, int]] = []
    for file in sorted((HERE / "winnow").iterdir()):
        if file.suffix == ".py" or file.name == "py.typed":
            files.append((f"winnow/{file.name}", file.read_bytes(), 0o644))
    with tempfile.TemporaryDirectory() as work:
        program = Path(work, "native")
        subprocess.run(
            ["go", "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w -buildid=", "-o", program, "./native"],
            cwd=HERE, check=True, env={**os.environ, "CGO_ENABLED": "0", "GOOS": system, "GOARCH": processor},
        )
        files.append(("winnow/native.exe" if system == "windows" else "winnow/native", program.read_bytes(), 0o755))
    tags = PLATFORMS[platform]
    info = f"winnow-{VERSION}.dist-info"
    wheel = "Wheel-Version: 1.0\nGenerator: winnow\nRoot-Is-Purelib: false\n"
    wheel += "".join(f"Tag: py3-none-{tag}\n" for tag in tags.split("."))
    files.append((f"{info}/LICENSE", (HERE.parent / "LICENSE").read_bytes(), 0o644))
    files.append((f"{info}/METADATA", METADATA.encode(), 0o644))
    files.append((f"{info}/WHEEL", wheel.encode(), 0o644))
    record = "".join(f"{name},sha256={digest(data)},{len(data)}\n" for name, data, _ in files)
    files.append((f"{info}/RECORD", f"{record}{info}/RECORD,,\n".encode(), 0o644))

    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"winnow-{VERSION}-py3-none-{tags}.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as z:
        for name, data, mode in files:
            entry = zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100000 | mode) << 16
            z.writestr(entry, data)
    return path


def digest(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip("=")


def here() -> str:
    """Returns the platform that Go builds for when nothing else is said."""
    said = subprocess.run(["go", "env", "GOOS", "GOARCH"], check=True, capture_output=True, text=True)
    return "/".join(said.stdout.split())


def build_wheel(wheel_directory: str, config_settings: object = None, metadata_directory: object = None) -> str:
    return build(here(), Path(wheel_directory)).name


def main() -> None:
    parser = argparse.ArgumentParser(description="Builds the wheels of the Python package.")
    parser.add_argument("--platform", choices=["all", *PLATFORMS], help="default: this machine's")
    parser.add_argument("--out", type=Path, default=Path("dist"), help="folder of the wheels (default %(default)s)")
    args = parser.parse_args()
    for platform in PLATFORMS if args.platform == "all" else [args.platform or here()]:
        print(build(platform, args.out))


if __name__ == "__main__":
    sys.exit(main())
