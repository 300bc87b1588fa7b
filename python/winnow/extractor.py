"""The functions that extract a page, and their exceptions."""

from __future__ import annotations

import json
from typing import Literal
from urllib.parse import urlsplit

from .document import Document, with_header
from .process import POOL, Ended

Output = Literal["text", "markdown", "html", "json"]
Comments = Literal["auto", "include", "exclude"]

_MAX_PAGE = 16 << 20  # bytes; one more says that the page was longer


class ExtractionError(Exception):
    """A page could not be extracted."""


class NotHTMLError(ExtractionError):
    """The bytes are those of another format, such as an image or a compressed file."""


class TooLargeError(ExtractionError):
    """The page exceeds what the extractor takes."""


# By what the program native says that its answer is.
_ERRORS = {1: NotHTMLError, 2: TooLargeError, 3: ValueError, 4: ExtractionError}


class Extractor:
    """Extracts pages with the same options.

    An Extractor may be shared by any number of threads, and pages of several threads are
    extracted at the same time, one for each processor. It may be used before and after a fork,
    and be sent to another process with pickle.
    """

    def __init__(
        self,
        output: Output = "text",
        comments: Comments = "auto",
        with_metadata: bool = False,
        extractor: str = "winnow",
    ) -> None:
        """
        output: "text" has blocks on lines of their own; "markdown"; "html" is a fragment in which
            nothing can run; "json" is an object with the field "text".
        comments: what happens to readers' comments. "auto" leaves them out, except on pages that
            are discussions.
        with_metadata: puts title, author, date and more before the content, or into the object.
        extractor: the name of another extractor of `winnow extractors` that needs a single page.
        """
        if output not in ("text", "markdown", "html", "json"):
            raise ValueError(f"no output {output!r}: there are text, markdown, html and json")
        self.output, self.comments, self.with_metadata, self.extractor = output, comments, with_metadata, extractor

    def extract(self, html: str | bytes, url: str | None = None) -> str:
        """Returns the main content of a page; "" if there is none.

        html: the page. Bytes are decoded as a browser would, by the charset that the page names
            or shows.
        url: its address, which makes links absolute and helps with the date.

        Raises NotHTMLError, TooLargeError or ExtractionError; ValueError if an option is wrong.
        """
        form = "text" if self.output == "json" else self.output
        facts, content = self._ask(html, url, form)
        if self.output == "json":
            fields = _document(facts, content, url).as_dict() if self.with_metadata else {"text": content}
            return json.dumps({k: v for k, v in fields.items() if v is not None}, ensure_ascii=False)
        if self.with_metadata:
            return with_header(_document(facts, content, url), content, self.output)
        return content

    def bare_extraction(self, html: str | bytes, url: str | None = None) -> Document | None:
        """Returns the main content of a page as text with what the page says of itself; None if
        there is none. Arguments and exceptions are those of extract."""
        facts, text = self._ask(html, url, "text")
        return _document(facts, text, url) if text else None

    def _ask(self, html: str | bytes, url: str | None, form: str) -> tuple[bytes, str]:
        if isinstance(html, str):
            page = html.encode("utf-8", "replace")
        elif isinstance(html, (bytes, bytearray, memoryview)):
            page = bytes(html)
        else:
            raise TypeError(f"a page is str or bytes, not {type(html).__name__}")
        page = page[: _MAX_PAGE + 1]
        comments = "" if self.comments == "auto" else self.comments  # which other extractors do not have
        method = {"Extractor": self.extractor, "Comments": comments, "Decoded": isinstance(html, str)}
        try:
            said, facts, content = POOL.ask({"Method": method, "Form": form, "URL": url or "", "Size": len(page)}, page)
        except Ended as e:
            raise ExtractionError(str(e)) from None
        if said:
            raise _ERRORS[said](content.removeprefix("winnow: "))
        return facts, content


def _document(facts: bytes, text: str, url: str | None) -> Document:
    return Document(url=url, hostname=_host(url), raw_text=text, text=text, **json.loads(facts))


def _host(url: str | None) -> str | None:
    try:
        return urlsplit(url or "").hostname
    except ValueError:
        return None


def extract(
    html: str | bytes,
    url: str | None = None,
    output: Output = "text",
    comments: Comments = "auto",
    with_metadata: bool = False,
) -> str:
    """Returns the main content of a page; "" if there is none. See Extractor."""
    return Extractor(output, comments, with_metadata).extract(html, url)


def bare_extraction(html: str | bytes, url: str | None = None, comments: Comments = "auto") -> Document | None:
    """Returns the main content of a page as text with what the page says of itself; None if there
    is none. See Extractor."""
    return Extractor(comments=comments).bare_extraction(html, url)
