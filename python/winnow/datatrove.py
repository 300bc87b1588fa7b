"""Winnow as an extractor of datatrove, in the place of its Trafilatura:

    from winnow.datatrove import Winnow

    pipeline = [WarcReader("crawl/"), Winnow(), JsonlWriter("texts/")]
"""

from __future__ import annotations

from datatrove.pipeline.extractors.base import BaseExtractor

from .extractor import Comments, Extractor, Output


class Winnow(BaseExtractor):
    """Puts the main content of a document in the place of its HTML."""

    name = "Winnow"

    def __init__(self, output: Output = "text", comments: Comments = "auto", timeout: float = 10) -> None:
        """
        output, comments: as of winnow.Extractor.
        timeout: seconds for a document. Winnow limits its work by counting, so the time is for a
            machine that is busy with other things.
        """
        super().__init__(timeout=timeout)
        self.extractor = Extractor(output, comments)

    def extract(self, text: str) -> str:
        return self.extractor.extract(text)
