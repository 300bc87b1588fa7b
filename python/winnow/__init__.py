"""The main content of web pages: the article without the navigation, the advertisements and
the footer around it.

>>> import winnow
>>> text = winnow.extract(html)                                     # doctest: +SKIP
>>> document = winnow.bare_extraction(html, url="https://a.test/")  # doctest: +SKIP
>>> document.title, document.author, document.date                  # doctest: +SKIP

All functions may be called from any number of threads; see Extractor.
"""

from .document import Document
from .extractor import ExtractionError, Extractor, NotHTMLError, TooLargeError, bare_extraction, extract
from .run import Run, read_run

__all__ = [
    "Document",
    "ExtractionError",
    "Extractor",
    "NotHTMLError",
    "Run",
    "TooLargeError",
    "bare_extraction",
    "extract",
    "read_run",
]
