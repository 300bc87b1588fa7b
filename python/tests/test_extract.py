"""What the functions answer, and what they raise."""

import json
import os
import pickle
import subprocess
import sys
import threading
import unittest

from tests import REPOSITORY
import winnow
from winnow import process

PAGE = (REPOSITORY / "examples/page.html").read_bytes()
TEXT = (REPOSITORY / "examples/page.txt").read_text("utf-8").partition("\n")[2].strip()  # without the title
URL = "https://a.test/story"


class Extract(unittest.TestCase):
    def test_text(self):
        self.assertEqual(winnow.extract(PAGE), TEXT)

    def test_a_string_is_the_same_page(self):
        self.assertEqual(winnow.extract(PAGE.decode()), winnow.extract(PAGE))

    def test_a_string_has_no_charset(self):
        page = f'<meta charset="windows-1251"><article><p>{"Grüße aus Köln. " * 20}</p></article>'
        self.assertIn("Grüße aus Köln.", winnow.extract(page))
        self.assertIn("Grüße aus Köln.", winnow.extract(page.replace("windows-1251", "windows-1252").encode("cp1252")))

    def test_outputs(self):
        page = f'<article><h1>Of a well</h1><p>{"Water <b>rose</b> in it. " * 9}<a href="/next">On</a></p></article>'
        self.assertIn("# Of a well", winnow.extract(page, output="markdown"))
        self.assertIn("(https://a.test/next)", winnow.extract(page, URL, output="markdown"))
        self.assertIn("<h1>Of a well</h1>", winnow.extract(page, output="html"))
        self.assertEqual(json.loads(winnow.extract(page, output="json")), {"text": winnow.extract(page)})

    def test_metadata(self):
        self.assertTrue(winnow.extract(PAGE, URL, with_metadata=True).startswith('---\ntitle: "Flooded street digs itself a garden"\n'))
        self.assertIn('<meta name="author" content="Farid Nyström">', winnow.extract(PAGE, URL, "html", with_metadata=True))
        fields = json.loads(winnow.extract(PAGE, URL, "json", with_metadata=True))
        self.assertEqual((fields["date"], fields["hostname"]), ("2024-04-10", "a.test"))

    def test_metadata_is_no_markup(self):
        page = f'<title>"><script>x</script>: ---</title><article><p>{"Some water rose here. " * 20}</p></article>'
        self.assertNotIn("<script>", winnow.extract(page, output="html", with_metadata=True))

    def test_comments(self):
        page = PAGE.decode().replace("</body>", """<section id="comments" class="comments"><h3>2 comments</h3>
            <div class="comment"><b class="comment-author">Tom says:</b><p>Great post, I would love to see this garden when it is dry!</p></div>
            <div class="comment"><b class="comment-author">Eve says:</b><p>You are all wrong about this, I saw it rise and my cellar is full.</p></div>
            </section></body>""")
        self.assertIn("my cellar", winnow.extract(page, comments="include"))
        self.assertNotIn("my cellar", winnow.extract(page, comments="exclude"))

    def test_other_extractors(self):
        self.assertIn("Christmas", winnow.Extractor(extractor="bte").extract(PAGE))

    def test_bare_extraction(self):
        document = winnow.bare_extraction(PAGE, URL)
        self.assertEqual(document.title, "Flooded street digs itself a garden")
        self.assertEqual((document.author, document.date, document.language), ("Farid Nyström", "2024-04-10", "en"))
        self.assertEqual((document.url, document.hostname), (URL, "a.test"))
        self.assertEqual(document.text, winnow.extract(PAGE))
        self.assertEqual(document.as_dict()["title"], document.title)

    def test_the_document_has_the_fields_of_trafilatura(self):
        # As its version 2.0 lists them.
        fields = """title author url hostname description sitename date categories tags fingerprint id license body comments
            commentsbody raw_text text language image pagetype filedate""".split()
        self.assertLessEqual(set(fields), set(winnow.Document().as_dict()))

    def test_a_page_with_nothing_in_it(self):
        for page in (b"", "", b"   \n", "<html><body></body></html>"):
            self.assertEqual(winnow.extract(page), "")
            self.assertIsNone(winnow.bare_extraction(page))


class Errors(unittest.TestCase):
    def test_other_formats(self):
        for data in (b"\x89PNG\r\n\x1a\n" + bytes(99), b"\x1f\x8b\x08" + bytes(99), b"%PDF-1.7\n" + bytes(99)):
            with self.assertRaises(winnow.NotHTMLError):
                winnow.extract(data)
        self.assertTrue(issubclass(winnow.NotHTMLError, winnow.ExtractionError))

    def test_wrong_options(self):
        with self.assertRaisesRegex(ValueError, "markdown"):
            winnow.extract("a", output="xml")
        with self.assertRaisesRegex(ValueError, "no extractor"):
            winnow.Extractor(extractor="none").extract("a")
        with self.assertRaisesRegex(ValueError, "comments"):
            winnow.extract("a", comments="some")

    def test_wrong_types(self):
        for page in (None, 5, ["a"]):
            with self.assertRaises(TypeError):
                winnow.extract(page)

    def test_a_wrong_address_is_no_error(self):
        for url in ("", "http://[", "\udc80", "a" * 100_000):
            self.assertEqual(winnow.extract(PAGE, url), winnow.extract(PAGE))
            self.assertEqual(winnow.bare_extraction(PAGE, url).text, winnow.extract(PAGE))

    def test_a_killed_process_is_an_exception_and_then_forgotten(self):
        winnow.extract(PAGE)
        for p in process.POOL._idle:
            p._process.kill()
            p._process.wait()
        for _ in range(len(process.POOL._idle)):
            with self.assertRaisesRegex(winnow.ExtractionError, "ended with exit code"):
                winnow.extract(PAGE)
        self.assertEqual(winnow.extract(PAGE), TEXT)

    def test_an_exception_during_a_page_leaves_no_answer_to_the_next(self):
        class Interrupted(Exception):
            pass

        def interrupt(self, answer, size):
            raise Interrupted

        read, process.Process._read = process.Process._read, interrupt
        try:
            with self.assertRaises(Interrupted):
                winnow.extract("<p>of the first page</p>")
        finally:
            process.Process._read = read
        self.assertEqual(winnow.extract(PAGE), TEXT)


class Threads(unittest.TestCase):
    def test_one_extractor_in_many_threads(self):
        extractor = winnow.Extractor()
        wrong = []

        def work(n):
            page = f"<article><h1>Story {n}</h1><p>" + f"Water rose {n} feet in this street. " * 20 + "</p></article>"
            for _ in range(20):
                if f"rose {n} feet" not in extractor.extract(page):
                    wrong.append(n)

        threads = [threading.Thread(target=work, args=(n,)) for n in range(16)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.assertEqual(wrong, [])
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
        self.assertLessEqual(len(process.POOL._all), cores)

    @unittest.skipUnless(hasattr(os, "sched_getaffinity") and len(os.sched_getaffinity(0)) > 1, "one processor")
    def test_two_pages_are_extracted_at_the_same_time(self):
        # Two threads are both inside the extraction: neither waits for the other's answer.
        both = threading.Barrier(2, timeout=60)
        write = process.Process._write

        def meet(self, question, page):
            write(self, question, page)
            both.wait()

        process.Process._write = meet
        try:
            texts = []
            threads = [threading.Thread(target=lambda: texts.append(winnow.extract(PAGE))) for _ in range(2)]
            for t in threads:
                t.start()
            for t in threads:
                t.join()
        finally:
            process.Process._write = write
        self.assertEqual(len(texts), 2)

    @unittest.skipUnless(hasattr(os, "fork"), "no fork")
    def test_a_fork_has_processes_of_its_own(self):
        winnow.extract(PAGE)
        before = {p._process.pid for p in process.POOL._all}
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            good = winnow.extract(PAGE) == TEXT
            own = before.isdisjoint(p._process.pid for p in process.POOL._all)
            process.POOL._end()
            os.write(write, b"good" if good and own else b"wrong")
            os._exit(0)
        os.close(write)
        with os.fdopen(read, "rb") as answer:
            self.assertEqual(answer.read(), b"good")
        os.waitpid(child, 0)
        self.assertEqual(winnow.extract(PAGE), TEXT)
        self.assertEqual(before & {p._process.pid for p in process.POOL._all}, before)

    def test_an_extractor_can_be_sent_to_another_process(self):
        extractor = pickle.loads(pickle.dumps(winnow.Extractor("markdown")))
        self.assertEqual(extractor.extract(PAGE), winnow.extract(PAGE, output="markdown"))


class End(unittest.TestCase):
    def test_processes_end_with_the_program(self):
        code = "import winnow; from winnow import process; winnow.extract('a'); print(process.POOL._idle[0]._process.pid)"
        site = os.path.dirname(os.path.dirname(winnow.__file__))
        ran = subprocess.run([sys.executable, "-W", "error", "-c", code], cwd=site,
                             capture_output=True, text=True, check=True)
        self.assertEqual(ran.stderr, "")
        with self.assertRaises(ProcessLookupError):
            os.kill(int(ran.stdout), 0)


if __name__ == "__main__":
    unittest.main()
