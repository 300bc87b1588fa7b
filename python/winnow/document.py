"""What was extracted from a page, with what the page says of itself."""

from __future__ import annotations

import dataclasses
import html
import json
from typing import Any


@dataclasses.dataclass
class Document:
    """The main content of a page and its metadata.

    The fields have the names of those of trafilatura's document, then come those that Winnow
    alone has. What a page does not say, and what Winnow does not look for, is None.
    """

    title: str | None = None
    author: str | None = None
    """Several authors are separated by semicolons."""
    url: str | None = None
    """The address that the caller gave."""
    hostname: str | None = None
    description: str | None = None
    sitename: str | None = None
    date: str | None = None
    """When the page was published, as YYYY-MM-DD."""
    categories: list[str] | None = None
    tags: list[str] | None = None
    fingerprint: str | None = None
    id: str | None = None
    license: str | None = None
    body: Any = None
    comments: str | None = None
    commentsbody: Any = None
    raw_text: str | None = None
    """The same as text."""
    text: str | None = None
    """The main content, blocks on lines of their own."""
    language: str | None = None
    """What the text is written in (ISO 639), if that is clear."""
    image: str | None = None
    pagetype: str | None = None
    filedate: str | None = None

    modified: str | None = None
    """When the page was last changed, as YYYY-MM-DD."""
    confidence: float = 0.0
    """The word F1 that the extractor expects of the text, from 0 to 1; 0 if it has no estimate."""
    cut: bool = False
    """The page exceeded a limit and was read up to there."""

    def as_dict(self) -> dict[str, Any]:
        """Returns the fields by name."""
        return dataclasses.asdict(self)


HEADER = ("title", "author", "url", "hostname", "description", "sitename", "date", "language")


def with_header(document: Document, content: str, output: str) -> str:
    """Puts the metadata before a content: as YAML between two lines of dashes, or as the head of
    an HTML page."""
    facts = {name: value for name in HEADER if (value := getattr(document, name))}
    if output == "html":
        title = f"<title>{html.escape(facts.pop('title', ''))}</title>"
        metas = (f'<meta name="{name}" content="{html.escape(value)}">' for name, value in facts.items())
        return f'<!doctype html>\n<html><head><meta charset="utf-8">{title}{"".join(metas)}</head>\n<body>{content}</body></html>'
    # A string of JSON is a string of YAML.
    lines = (f"{name}: {json.dumps(value, ensure_ascii=False)}\n" for name, value in facts.items())
    return "---\n" + "".join(lines) + "---\n" + content
