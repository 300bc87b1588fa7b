"""Goes over pages of a folder, FROM to UNTIL as each line that is read says, and prints the
seconds: see main.go.

    python3 contenders.py CONTENDER FOLDER EVERY
"""

import logging
import sys
import tempfile
import threading
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
    """Two threads share one extractor, and take pages in turns."""
    extractor = package(folder)

    def over(pages):
        rest = iter(pages)

        def work():
            for page in rest:
                extractor.extract(page)

        threads = [threading.Thread(target=work) for _ in range(2)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()

    return over


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
