"""Winnow's extractor protocol (docs/reference/extractor-protocol.md) for programs in Python.

    from winnow_extractor import serve
    serve("name", "1.0", "Author, year", lambda html, url: text_of(html))
"""
import json
import os
import sys
import time

# What libraries print, from here on, goes to standard error: import this module first.
out = os.fdopen(os.dup(1), "w", encoding="utf-8", newline="\n")
os.dup2(2, 1)


def serve(name, version, citation, extract):
    """Answer pages until the input ends.

    extract(html, url) returns the text (None means that there is none) or a dict with one of
    "text", "html" and "markdown". An exception is an error of the page.
    """
    def write(message):
        print(json.dumps(message), file=out, flush=True)

    write({"protocol": 1, "name": name, "version": version, "citation": citation})
    for line in sys.stdin.buffer:
        page = json.loads(line)
        began = time.perf_counter_ns()
        try:
            answer = extract(page["html"], page["url"])
            if not isinstance(answer, dict):
                answer = {"text": answer or ""}
        except Exception as e:
            answer = {"error": f"{type(e).__name__}: {e}"}
        write({"id": page["id"], "ns": time.perf_counter_ns() - began, **answer})
