"""Goes over pages of a folder, FROM to UNTIL as each line that is read says, and prints the
seconds: see main.go.

    python3 contenders.py CONTENDER FOLDER EVERY
"""

import concurrent.futures
import logging
import sys
import tempfile
import time
import zipfile
from pathlib import Path

PYTHON = Path(__file__).resolve().parents[2] / "python"


def package(folder: str):
    """Builds and imports the Python package."""
    sys.path.insert(0, str(PYTHON))
    sys.dont_write_bytecode = True
    import make_wheel

    sys.path.remove(str(PYTHON))
    with zipfile.ZipFile(make_wheel.build(make_wheel.here(), Path(folder))) as z:
        z.extractall(folder)
    Path(folder, "winnow/native").chmod(0o755)
    sys.path.insert(0, folder)
    import winnow

    return winnow.Extractor()


def winnow(folder: str):
    extractor = package(folder)

    def over(pages):
        for page in pages:
            extractor.extract(page)

    return over


def winnow_threads(folder: str):
    """Two threads share one extractor."""
    extractor = package(folder)
    threads = concurrent.futures.ThreadPoolExecutor(2)
    return lambda pages: list(threads.map(extractor.extract, pages))


def readability(folder: str):
    """HTML, as it has no text."""
    from readability import Document

    logging.disable()

    def over(pages):
        for page in pages:
            try:
                Document(page).summary(html_partial=True)
            except Exception:
                pass  # some pages are too much for it

    return over


def trafilatura(folder: str):
    from trafilatura import extract

    logging.disable()
    return lambda pages: [extract(page) for page in pages]


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        try:
            over = globals()[sys.argv[1]](folder)
        except ImportError as e:
            print(f"not installed ({e.name})", flush=True)
            return
        pages = [file.read_bytes() for file in sorted(Path(sys.argv[2]).glob("*.html"))[:: int(sys.argv[3])]]
        print("ready", flush=True)
        for line in sys.stdin:
            first, last = map(int, line.split())
            began = time.monotonic()
            over(pages[first:last])
            print(time.monotonic() - began, flush=True)


if __name__ == "__main__":
    main()
