"""No input ends the extracting process: it answers, or refuses by an exception of its own."""

import os
import random
import unittest

from tests import REPOSITORY
import winnow
from winnow import process

SEED = int(os.environ.get("WINNOW_FUZZ_SEED", "1"))
PAGES = int(os.environ.get("WINNOW_FUZZ_PAGES", "400"))
TOKENS = ["<p>", "</p>", "<div>", "</div>", "<table>", "<tr>", "<td>", "<svg>", "<math>", "<template>", "<script>", "</script>",
          "<a href='", "'>", "<!--", "-->", "<![CDATA[", "&#x0;", "&#xD800;", "&amp", "\0", "\ufeff", "\U0001f600", "\udc80",
          "e\u0301" * 3, "<h1>", "<pre>\n", "<li>", "<select>", "<frameset>", "</body>", "text of a sentence. ", "\u202e", "<meta charset=utf-16>"]


class Fuzz(unittest.TestCase):
    def setUp(self):
        self.random = random.Random(SEED)
        winnow.extract("")
        self.processes = {p._process.pid for p in process.POOL._all}

    def tearDown(self):
        self.assertEqual(self.processes, {p._process.pid for p in process.POOL._all}, "a process ended")

    def check(self, page):
        output = self.random.choice(("text", "markdown", "html", "json"))
        comments = self.random.choice(("auto", "include", "exclude"))
        try:
            text = winnow.extract(page, "https://a.test/", output, comments, self.random.random() < 0.5)
        except (winnow.NotHTMLError, winnow.TooLargeError):
            return
        text.encode()  # no lone surrogates

    def test_random_bytes(self):
        for _ in range(PAGES):
            self.check(self.random.randbytes(self.random.randrange(4096)))
            self.check(b"<html>" + self.random.randbytes(self.random.randrange(4096)))

    def test_random_markup(self):
        for _ in range(PAGES):
            page = "".join(self.random.choices(TOKENS, k=self.random.randrange(300)))
            self.check(page)
            self.check(page.encode("utf-8", "surrogatepass"))

    def test_damaged_pages(self):
        page = bytearray((REPOSITORY / "examples/page.html").read_bytes())
        for _ in range(PAGES // 4):
            damaged = bytearray(page)
            for _ in range(self.random.randrange(1, 40)):
                at = self.random.randrange(len(damaged))
                damaged[at:at + self.random.randrange(20)] = self.random.randbytes(self.random.randrange(20))
            self.check(bytes(damaged))

    def test_invalid_utf_8(self):
        for data in (b"\xff\xfe", b"\xc3", b"\xed\xa0\x80", b"\xf8\x88\x80\x80\x80", b"\xc0\xaf"):
            self.check(b"<meta charset=utf-8><p>" + data + b" text</p>" + data)

    def test_large_pages(self):
        for page in (b"<p>a sentence of it</p>" * 800_000, b"<div>" * (3 << 20), b"a" * (16 << 20), b"<a href=" * (2 << 20), "\u00fc" * (9 << 20)):
            self.check(page)

    def test_a_page_over_the_limit_is_cut(self):
        page = b"<article><p>" + b"Water rose in the street again. " * 200 + b"</p></article>"
        rest = (16 << 20) - len(page)
        self.assertFalse(winnow.bare_extraction(page + b"<!--" + b"-" * (rest - 7) + b"-->").cut)
        self.assertTrue(winnow.bare_extraction(page + b"<!--" + b"-" * (rest - 6) + b"-->").cut)


if __name__ == "__main__":
    unittest.main()
